"""Whole matches of the test game, played live, for the tests of engine, audit and replay."""

import hashlib
import hmac
from collections.abc import Callable
from typing import Any, Final

from keylore_domain.engine.aggregates import encode_event, topic_of
from keylore_domain.engine.clocks import Reading, TimeControl, reading
from keylore_domain.engine.encoding import canonical_json, sha256_hex
from keylore_domain.engine.events import DefaultCause, Origin, Refused, SeatEntry, answer_digest
from keylore_domain.engine.matches import Match, Moved, Secrets
from keylore_domain.engine.positions import OpenPrompt
from keylore_domain.engine.seats import Seat
from keylore_domain.engine.shares import Beacon, share_commitment
from tests.domain.engine.toy import toy_catalog

SEED: Final = bytes(range(32))
MATCH: Final = "m/cup/r1/t2"
ORIGIN: Final = Origin(tournament="t/cup", round=1, table=2)
START: Final = 1_700_000_000_000_000
Row = tuple[int, str, bytes]
Choose = Callable[[OpenPrompt], int]


class FakeSigner:
    """Signs with a keyed hash; the key shows itself, so that anyone may check."""

    def __init__(self, name: str = "arbiter") -> None:
        self.public_key = hashlib.sha256(name.encode()).hexdigest()

    def sign(self, statement: bytes) -> str:
        return hmac.digest(bytes.fromhex(self.public_key), statement, "sha512").hex()


def fake_check(key: str, statement: bytes, signature: str) -> bool:
    """Whether a FakeSigner with *key* made *signature*."""
    return hmac.digest(bytes.fromhex(key), statement, "sha512").hex() == signature


SIGNER: Final = FakeSigner()
SECRETS: Final = Secrets(SEED, SIGNER)
SHARES: Final = ("aa" * 32, "bb" * 32, "cc" * 32)
BEACON: Final = Beacon(value="cd" * 32, source="drand round 7")


class LiveMatch:
    """A match with a clock of its own: each step takes 1 ms, each answer 5 ms."""

    def __init__(
        self,
        *,
        seats: int = 3,
        match_id: str = MATCH,
        secrets: Secrets = SECRETS,
        time: TimeControl | None = None,
        data_text: str | None = None,
        public_seed: str | None = None,
        seed_label: str | None = None,
        origin: Origin | None = ORIGIN,
        shares: bool = False,
        beacon: Beacon | None = None,
        **options: object,
    ) -> None:
        self.now = START
        self.secrets = secrets
        self.rows: list[Row] = []
        self.match = Match.open(
            match_id,
            toy_catalog,
            secrets,
            at=self.now,
            game="pearls",
            engine="1",
            options=options,
            seats=tuple(SeatEntry(f"bot/b{seat}", f"b{seat}") for seat in range(seats)),
            time=time or TimeControl(move_ms=1_000, bank_ms=5_000, increment_ms=10, faults=2),
            origin=origin,
            data_text=data_text,
            public_seed=public_seed,
            shares=shares,
            beacon=beacon,
            seed_label=seed_label,
        )
        self.collect()

    def collect(self) -> None:
        """Take over the new events as rows."""
        for event in self.match.collect_events():
            self.rows.append((event.originator_version, topic_of(event), encode_event(event)))

    def commit(self, *shares: str) -> None:
        """The seats commit to these shares; a seat with an empty one gives none."""
        said = [
            share_commitment(self.match.id, seat, share) if share else "" for seat, share in enumerate(shares)
        ]
        self.match.commit_shares(at=self.tick(), commitments=said)
        self.collect()

    def begin(self, *shares: str) -> None:
        """The seats reveal these shares, and the match is set up."""
        self.match.begin(self.secrets, at=self.tick(), shares=shares)
        self.collect()

    def tick(self) -> int:
        """One millisecond later."""
        self.now += 1_000
        return self.now

    def first(self) -> OpenPrompt:
        """The open prompt that was asked first."""
        return min(self.match.live_position.open, key=lambda item: item.number)

    def play(self, choice: int, seat: Seat | None = None, *, spent: int = 5_000, illegal: int = 0) -> Moved:
        """The seat (the first asked by default) answers, after so many *illegal* answers."""
        seat = self.first().prompt.seat if seat is None else seat
        sent = self._sent(seat, spent, credited=1_000)
        refused = self._refused(illegal, last=sent["clock"].received - 1)
        moved = self.match.play(self.secrets, seat=seat, choice=choice, refused=refused, **sent)
        self.collect()
        return moved

    def default(
        self,
        cause: DefaultCause,
        seat: Seat | None = None,
        *,
        spent: int = 2_000_000,
        illegal: int | None = None,
    ) -> Moved:
        """The arbiter plays for the seat; after all its attempts if the cause is ``illegal``."""
        seat = self.first().prompt.seat if seat is None else seat
        sent = self._sent(seat, spent)
        if illegal is None:
            illegal = self.match.entry.time.attempts if cause == "illegal" else 0
        clock: Reading = sent["clock"]
        refused = self._refused(illegal, last=clock.received if cause == "illegal" else clock.sent + 5)
        moved = self.match.default(self.secrets, seat=seat, cause=cause, refused=refused, **sent)
        self.collect()
        return moved

    def say(self, command: str, **fields: Any) -> None:
        """Give the match another command, a moment later."""
        getattr(self.match, command)(at=self.tick(), **fields)
        self.collect()

    def abort(self, cause: str) -> "LiveMatch":
        """End the match without a result."""
        self.match.abort(self.secrets, at=self.tick(), cause=cause)
        self.collect()
        return self

    def finish(self, choose: Choose | None = None) -> "LiveMatch":
        """Play on to the end."""
        while not self.match.is_over:
            item = self.first()
            seat = item.prompt.seat
            if seat in self.match.forfeited:
                self.default("forfeit", seat, spent=0)
            else:
                self.play(choose(item) if choose else len(item.prompt.legal) // 2, seat)
        return self

    def _refused(self, count: int, last: int) -> tuple[Refused, ...]:
        """So many illegal answers, one in each microsecond up to *last*."""
        return tuple(
            Refused(code="illegal_move", received=last - count + 1 + at, answer=answer_digest(99 + at, None))
            for at in range(count)
        )

    def _sent(self, seat: Seat, spent: int, credited: int = 0) -> dict[str, Any]:
        item = self.match.live_position.prompt_of(seat)
        assert item is not None
        view = self.match.rules.view(self.match.asked_at(item.number).state, seat)
        sent = self.tick()
        self.now += spent
        clock: Reading = reading(
            self.match.entry.time,
            self.match.banks[seat],
            ready=sent,
            sent=sent,
            received=self.now,
            credited=credited,
        )
        return {"at": self.tick(), "view": sha256_hex(canonical_json(view)), "clock": clock}


def eventful(secrets: Secrets = SECRETS) -> LiveMatch:
    """A finished match in which every kind of event occurs that may stand before a seal."""
    live = LiveMatch(secrets=secrets)
    live.play(1, illegal=1)
    live.default("timeout", illegal=1)
    live.say("pause", cause="the arbiter stops")
    live.say("resume", cause="the arbiter was started again")
    live.default("disconnect")
    live.default("illegal", spent=5_000)
    live.play(1)
    live.default("timeout")
    live.say("forfeit", seat=Seat(1), cause="2 default moves had to be played for it")
    live.play(1, illegal=1)
    live.play(0)
    return live.finish()


def sharing(secrets: Secrets = SECRETS) -> LiveMatch:
    """A finished match whose seats gave shares: one revealed it, one revealed another one, one gave none."""
    live = LiveMatch(secrets=secrets, shares=True, beacon=BEACON)
    live.commit(SHARES[0], SHARES[1], "")
    live.begin(SHARES[0], SHARES[2], "")
    return live.finish()
