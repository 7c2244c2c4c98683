"""Reruns: a match played again under suspicion; every claim of every event is compared with the rules.

What only the arbiter can know stays its word: moments (within what their order allows), latency credits,
whether a bot was away, and texts of causes. The signature of the seal alone binds these.
"""

import re
from typing import Final

import msgspec

from keylore_domain.bots import bot_id
from keylore_domain.engine import clocks, positions
from keylore_domain.engine.aggregates import Event
from keylore_domain.engine.chance import AuditedChance, RecordedChance, commitment
from keylore_domain.engine.claims import expect, fail
from keylore_domain.engine.data import data_hash
from keylore_domain.engine.encoding import canonical_json, digest_key, is_hex, sha256_hex, state_digest
from keylore_domain.engine.events import (
    Aborted,
    Concluded,
    MoveDefaulted,
    MovePlayed,
    Opened,
    RefusalCode,
    Refused,
    Resumed,
    Sealed,
    SeatForfeited,
    SetUp,
    SharesCommitted,
    SharesRevealed,
    answer_digest,
)
from keylore_domain.engine.options import parse_options
from keylore_domain.engine.positions import OpenPrompt
from keylore_domain.engine.records import Catalog, MatchRecord
from keylore_domain.engine.shareclaims import check_commitments, check_shares, check_sources, kept_back
from keylore_domain.errors import ReplayMismatchError, RuleError

ENGINES: Final = ("1",)
"""The engine versions whose matches this engine can run again."""

_NEEDS_WHOLE_BUDGET: Final = ("timeout", "disconnect")

_TABLE_ID: Final = re.compile(r"m/[^/]+/r[0-9]+/t[0-9]+(/a[0-9]+)?")


class Rerun(MatchRecord):
    """A match that checks each event while it takes it over.

    Args:
        share: the arbiter's share of the seed; ``None`` while it is secret: then draws are only checked for
            their form, and state digests not at all.

    Attributes:
        draws: how many draws were made so far.
        remarks: what is not wrong but worth knowing.
    """

    def __init__(self, aggregate_id: str, catalog: Catalog, share: bytes | None) -> None:
        super().__init__(aggregate_id, catalog)
        self.draws = 0
        self.remarks: list[str] = []
        self._share = share
        self._at = 0
        self._opened_at: dict[int, int] = {}

    def recorded(self, event: SetUp | MovePlayed) -> RecordedChance:
        """The recorded draws; compared with the seed if it is known."""
        self.draws += len(event.draws)
        drawn = self.position.drawn if self.position else None
        if self._share is None:
            return RecordedChance(event.draws, drawn)
        return AuditedChance(self.seed(self._share), event.draws, drawn)

    def apply(self, event: Event) -> None:
        """Take over *event* if everything it says is so.

        Raises:
            ReplayMismatchError: it is not; says what was expected and what was found.
            KeyloreError: the game, its data or options are not known here.
        """
        self.check_order(event)
        self._check_moment(event)
        self._check_turn(event)
        self._check_claim(event)
        super().apply(event)
        self._check_result(event)
        self._at = event.at
        if self.position is not None:
            opened = {} if isinstance(event, Resumed) else self._opened_at
            self._opened_at = {item.number: opened.get(item.number, event.at) for item in self.position.open}

    # --- before -----------------------------------------------------------------------------------------

    def _check_claim(self, event: Event) -> None:
        match event:
            case SharesCommitted():
                check_commitments(event, len(self.entry.seats))
            case SharesRevealed():
                check_shares(event, self.commitments)
            case MovePlayed():
                self._check_move(event)
            case SeatForfeited():
                self._check_forfeit(event)
            case Resumed():
                expect(event, "what it follows", "pause" if self.status == "paused" else "stop", event.after)
            case Concluded():
                self._check_outcome(event)
            case Aborted():
                self.remarks.append(f"the match was aborted ({event.cause}): it has no outcome")
            case _:
                pass

    def _check_moment(self, event: Event) -> None:
        waited = isinstance(event, SetUp) and self.entry.shares and self.revealed is None
        if isinstance(event, SetUp | Concluded | Sealed) and not waited:
            expect(event, "it happened at the moment of the event before it", self._at, event.at)
        elif event.at < self._at:
            fail(event, "time ran backwards", f"{self._at} or later", event.at)

    def _check_turn(self, event: Event) -> None:
        if self.position is None or isinstance(event, Sealed):
            return
        is_end = isinstance(event, Concluded)
        if not self.position.open and not is_end:
            fail(event, "the game has ended by its rules", "Concluded", type(event).__name__)
        if self.position.open and is_end:
            fail(event, "the game has not ended", "a move", "Concluded")

    def _check_move(self, event: MovePlayed) -> None:
        item = self._prompt(event)
        self._check_answer(event, item)
        self._check_view(event, item)
        self._check_clock(event, item)
        for refused in event.refused:
            self._check_refused(event, refused, item)
        self._check_attempts(event)
        if isinstance(event, MoveDefaulted):
            self._check_default(event, item)
        else:
            self._check_played(event)

    def _prompt(self, event: MovePlayed) -> OpenPrompt:
        try:
            item = positions.expect_prompt(self.live_position, event.seat)
        except RuleError as error:
            raise ReplayMismatchError(str(error), event.originator_version) from error
        expect(event, "the number of the ply", self.live_position.ply + 1, event.ply)
        expect(event, "the number of the prompt", item.number, event.prompt)
        expect(event, "the kind of the prompt", item.prompt.kind, event.kind)
        return item

    def _check_answer(self, event: MovePlayed, item: OpenPrompt) -> None:
        legal = item.prompt.legal
        if event.choice not in range(len(legal)):
            fail(event, f"the choice is not legal at {event.kind!r}", f"0 to {len(legal) - 1}", event.choice)
        move = canonical_json(legal[event.choice]).decode()
        expect(event, f"legal move {event.choice}", move, _text(event.move))

    def _check_view(self, event: MovePlayed, item: OpenPrompt) -> None:
        view = self.rules.view(self.asked_at(item.number).state, event.seat)
        expect(
            event, f"the digest of what seat {event.seat} saw", sha256_hex(canonical_json(view)), event.view
        )

    def _check_clock(self, event: MovePlayed, item: OpenPrompt) -> None:
        time, read, left = self.entry.time, event.clock, self.banks[event.seat]
        if not clocks.is_consistent(time, left, read):
            expected = clocks.reading(
                time, left, ready=read.ready, sent=read.sent, received=read.received, credited=read.credited
            )
            fail(
                event,
                f"the clock does not add up (bank before: {left} µs, credit at most {time.credit_ms} ms, "
                "ready <= sent <= received)",
                _clock(expected),
                _clock(read),
            )
        opened = self._opened_at[item.number]
        if read.ready < opened:
            fail(event, "the clock started before the prompt was asked", f"{opened} or later", read.ready)
        if read.received > event.at:
            fail(event, "the move was stored before it was received", f"{event.at} or earlier", read.received)

    def _check_refused(self, event: MovePlayed, refused: Refused, item: OpenPrompt) -> None:
        read = event.clock
        if not read.sent <= refused.received <= read.received:
            expected = f"{read.sent} to {read.received}"
            fail(event, "an answer was refused before or after its time", expected, refused.received)
        if not is_hex(refused.answer, 64):
            problem = "the digest of a refused answer has a wrong form"
            fail(event, problem, "64 small hexadecimal digits", refused.answer)
        code: RefusalCode = "late" if self._is_late(event, refused.received) else "illegal_move"
        expect(event, "why an answer was refused", code, refused.code)
        for choice, move in enumerate(item.prompt.legal):
            legal = (answer_digest(choice, None), answer_digest(None, canonical_json(move)))
            if code == "illegal_move" and refused.answer in legal:
                fail(event, "a legal answer was refused", "an illegal one", f"choice {choice}")

    def _check_attempts(self, event: MovePlayed) -> None:
        """Whether what was refused fits how the prompt ended, and when."""
        cause = event.cause if isinstance(event, MoveDefaulted) else ""
        moments = [refused.received for refused in event.refused]
        if moments != sorted(moments):
            fail(event, "refused answers are out of order", sorted(moments), moments)
        late = [refused.received for refused in event.refused if refused.code == "late"]
        illegal, allowed = len(moments) - len(late), self.entry.time.attempts
        if (illegal >= allowed) != (cause == "illegal") or illegal > allowed:
            expected = f"{allowed}" if cause == "illegal" else f"fewer than {allowed}"
            fail(event, "the number of illegal answers does not fit", expected, illegal)
        if cause == "illegal":
            expect(event, "the moment of the last answer", moments[-1], event.clock.received)
        if late and (cause != "timeout" or late != [event.clock.received]):
            fail(event, "a late answer ends its prompt at once", f"timeout at {late[0]}", cause)

    def _check_played(self, event: MovePlayed) -> None:
        if event.seat in self.forfeited:
            fail(event, f"seat {event.seat} has forfeited", "its default move", "a move of its own")
        self._check_faults(event)
        if self._is_late(event, event.clock.received):
            fail(event, "the move came too late", "its default move", "a move of its own")

    def _check_default(self, event: MoveDefaulted, item: OpenPrompt) -> None:
        expect(event, f"the default move at {event.kind!r}", item.prompt.default, event.choice)
        has_forfeited = event.seat in self.forfeited
        if has_forfeited or event.cause == "forfeit":
            told = "has" if has_forfeited else "has not"
            expected = "forfeit" if has_forfeited else "another cause"
            if not has_forfeited or event.cause != "forfeit":
                fail(
                    event,
                    f"the cause does not fit: seat {event.seat} {told} forfeited",
                    expected,
                    event.cause,
                )
            return
        self._check_faults(event)
        used_up = event.clock.spent == event.clock.budget
        if event.cause in _NEEDS_WHOLE_BUDGET and not used_up:
            budget = f"{event.clock.budget} µs"
            fail(event, f"a default for {event.cause} before the time was up", budget, event.clock.spent)

    def _check_faults(self, event: MovePlayed) -> None:
        if event.seat in self.should_forfeit:
            problem = f"seat {event.seat} has used up its {self.entry.time.faults} faults"
            fail(event, problem, "SeatForfeited", type(event).__name__)

    def _is_late(self, event: MovePlayed, received: int) -> bool:
        time, bank, read = self.entry.time, self.banks[event.seat], event.clock
        return clocks.is_late(time, bank, sent=read.sent, received=received, credited=read.credited)

    def _check_forfeit(self, event: SeatForfeited) -> None:
        if event.seat not in range(len(self.faults)):
            fail(event, "there is no such seat", f"0 to {len(self.faults) - 1}", event.seat)
        if event.seat in self.forfeited:
            fail(event, f"seat {event.seat} forfeits twice", "once", "twice")
        expect(event, f"the faults of seat {event.seat}", self.faults[event.seat], event.faults)
        if event.seat not in self.should_forfeit:
            self.remarks.append(
                f"event {event.originator_version}: seat {event.seat} forfeited by decision, with "
                f"{event.faults} of {self.entry.time.faults} faults: {event.cause}"
            )

    # --- after ------------------------------------------------------------------------------------------

    def _check_result(self, event: Event) -> None:
        match event:
            case Opened():
                self._check_opened(event)
            case SharesRevealed():
                self.remarks += kept_back(event, self.commitments, self.counted)
            case SetUp() | MovePlayed():
                self._check_position(event)
            case Sealed():
                self._check_seal(event)
            case _:
                pass

    def _check_opened(self, event: Opened) -> None:
        game = self.rules
        if event.engine not in ENGINES:
            fail(event, "the engine version is not known here", ", ".join(ENGINES), event.engine)
        options = parse_options(game, _options(event))
        expect(event, "the options", canonical_json(options).decode(), _text(event.options))
        expect(event, "the number of seats", options.seats, len(event.seats))
        text = event.data_text if event.data_text is not None else game.data_text
        expect(event, "the digest of the component data", data_hash(text), event.data)
        for seat, entry in enumerate(event.seats):
            expect(event, f"the id of the bot on seat {seat}", bot_id(entry.name), entry.bot)
        if event.origin is not None:
            name = event.origin.tournament.removeprefix("t/")
            expect(event, "the id of its tournament", f"t/{name}", event.origin.tournament)
            expect(event, "the table that its origin names", self.id, event.origin.match_id)
        elif _TABLE_ID.fullmatch(self.id):
            fail(event, "the id is that of a table of a tournament", "its origin", "none")
        check_sources(event)
        share = event.public_share
        if share is not None:
            expect(event, "the commitment to the public seed", commitment(share), event.commitment)

    def _check_position(self, event: SetUp | MovePlayed) -> None:
        assert self.position is not None
        expect(event, "what the rules did", canonical_json(self.facts).decode(), _text(event.facts))
        if self._share is not None:
            digest = state_digest(self.position.state, digest_key(self.seed(self._share)))
            expect(event, "the digest of the position", digest, event.digest)

    def _check_outcome(self, event: Concluded) -> None:
        assert self.position is not None
        outcome = positions.outcome_of(self.rules, self.position)
        expect(event, "the outcome", canonical_json(outcome).decode(), _text(event.outcome))
        expect(event, "the cause", "rules", event.cause)

    def _check_seal(self, event: Sealed) -> None:
        expect(event, "the head of the chain", self.head, event.head)
        if event.key != self.entry.key:
            problem = "the seal is by another key than the match was opened with"
            fail(event, problem, self.entry.key, event.key)
        share = share_of(event)
        if share is None:
            problem = "the arbiter's share of the seed has a wrong form"
            fail(event, problem, "64 small hexadecimal digits", event.share)
        expect(event, "the commitment to the revealed share", self.entry.commitment, commitment(share))
        seed = "" if self.position is None else self.seed(share).hex()
        expect(event, "the seed that the shares make", seed, event.seed)


def _options(event: Opened) -> dict[str, object]:
    try:
        return msgspec.json.decode(event.options, type=dict[str, object])
    except msgspec.DecodeError as error:
        problem = f"the options cannot be read: {error}"
        raise ReplayMismatchError(problem, event.originator_version) from error


def seed_of(event: Sealed) -> bytes | None:
    """The revealed seed; ``None`` if there is none, or it is not 64 small hexadecimal digits."""
    return bytes.fromhex(event.seed) if is_hex(event.seed, 64) else None


def share_of(event: Sealed) -> bytes | None:
    """The revealed share of the arbiter; ``None`` if it is not 64 small hexadecimal digits."""
    return bytes.fromhex(event.share) if is_hex(event.share, 64) else None


def _text(raw: msgspec.Raw) -> str:
    return bytes(raw).decode()


def _clock(read: clocks.Reading) -> str:
    return canonical_json(read).decode()
