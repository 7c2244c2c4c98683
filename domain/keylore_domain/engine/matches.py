"""The match: one game at one table, as an event-sourced aggregate.

Commands (`open`, `play`, `default`, `forfeit`, ...) decide and record; the base class `MatchRecord` takes
over stored events. The arbiter's share of the seed is handed in with each command and never kept: a match
rebuilt from its events knows none until the record is sealed.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

import msgspec

from keylore_domain.engine import positions
from keylore_domain.engine.chance import Chance, LiveChance, commitment
from keylore_domain.engine.clocks import Reading, TimeControl
from keylore_domain.engine.data import data_hash
from keylore_domain.engine.encoding import canonical_json, digest_key, state_digest
from keylore_domain.engine.events import (
    Aborted,
    Concluded,
    DefaultCause,
    MoveDefaulted,
    MovePlayed,
    Opened,
    Origin,
    Paused,
    Refused,
    Resumed,
    Sealed,
    SeatEntry,
    SeatForfeited,
    SetUp,
    SharesCommitted,
    SharesRevealed,
    sealed_statement,
)
from keylore_domain.engine.facts import Fact
from keylore_domain.engine.options import parse_options
from keylore_domain.engine.records import Catalog, MatchRecord, Status
from keylore_domain.engine.seats import Seat
from keylore_domain.engine.shares import Beacon, checked_beacon
from keylore_domain.errors import (
    ConflictError,
    MatchOverError,
    NotFoundError,
    NotPromptedError,
    OptionError,
)

__all__ = ["Catalog", "Match", "Moved", "Secrets", "Signer", "Status"]


class Signer(Protocol):
    """Signs the records of this arbiter."""

    @property
    def public_key(self) -> str:
        """The raw public key, hexadecimal."""

    def sign(self, statement: bytes) -> str:
        """The signature over *statement*, hexadecimal."""


class Secrets(msgspec.Struct, frozen=True):
    """What the arbiter knows of a running match and its events do not.

    ``share`` is its share of the seed, ``signer`` signs the record, ``chance`` is the commitment to the
    secret from which the share follows (empty if it follows from a public text).
    """

    share: bytes
    signer: Signer
    chance: str = ""


class Moved(msgspec.Struct, frozen=True):
    """A move that a match took: its event, the digest of the chain up to it, and what the rules did.

    ``hidden``: it answers a prompt of which other seats must not know.
    """

    event: MovePlayed
    head: str
    facts: tuple[Fact, ...]
    hidden: bool = False


class Match(MatchRecord):
    """One game at one table."""

    # --- commands -------------------------------------------------------------------------------------

    @classmethod
    def open(
        cls,
        match_id: str,
        catalog: Catalog,
        secrets: Secrets,
        *,
        at: int,
        game: str,
        rules: str | None = None,
        engine: str,
        options: Mapping[str, object],
        seats: tuple[SeatEntry, ...],
        time: TimeControl,
        origin: Origin | None = None,
        data_text: str | None = None,
        public_seed: str | None = None,
        seed_label: str | None = None,
        shares: bool = False,
        beacon: Beacon | None = None,
    ) -> "Match":
        """A new match, set up and waiting for its first move; or for the shares of its seats.

        Args:
            rules: version of the rules; the current one by default.
            options: the game's options without ``seats``, which follows from *seats*.
            data_text: a league's own component data; the shipped data by default.
            public_seed: the text from which the seed was made, if it is public.
            seed_label: what the seed was derived from in place of the match id, if the deal is shared.
            shares: whether the seats are to give shares of the seed; `begin` sets up the game then.
            beacon: a public value to mix into the seed.

        Raises:
            NotFoundError: there is no such game.
            OptionError: an option is unknown or out of range.
            DataFileError: *data_text* breaks a rule, or *beacon* is none.
        """
        assert public_seed is None or not (shares or beacon)
        assert seed_label is None or not shares
        chosen = catalog(game, rules, data_text)
        full = parse_options(chosen, {**options, "seats": _seat_count(options, seats)})
        match = cls(match_id, catalog)
        match.record(
            Opened(
                **match.stamp(at),
                game=chosen.id,
                rules=chosen.rules,
                engine=engine,
                options=msgspec.Raw(canonical_json(full)),
                data=data_hash(data_text if data_text is not None else chosen.data_text),
                data_text=data_text,
                seats=seats,
                time=time,
                key=secrets.signer.public_key,
                commitment=commitment(secrets.share),
                chance=secrets.chance,
                shares=shares,
                beacon=None if beacon is None else checked_beacon(beacon),
                public_seed=public_seed,
                seed_label=seed_label,
                origin=origin,
            )
        )
        if not shares:
            match._set_up_game(at, secrets)
        return match

    def commit_shares(self, *, at: int, commitments: Sequence[str]) -> None:
        """Record what the seats committed to, by seat; an empty text for a seat that gave nothing."""
        assert len(commitments) == len(self.entry.seats)
        assert any(commitments)
        self.record(SharesCommitted(**self.stamp(at), commitments=tuple(commitments)))

    def begin(self, secrets: Secrets, *, at: int, shares: Sequence[str] = ()) -> None:
        """Set up a match that waited for shares.

        Args:
            shares: what each seat said when it was asked for its share; nothing if no seat had committed.
        """
        assert len(shares) == len(self.commitments)
        if shares:
            self.record(SharesRevealed(**self.stamp(at), shares=tuple(shares)))
        self._set_up_game(at, secrets)

    def play(
        self,
        secrets: Secrets,
        *,
        at: int,
        seat: Seat,
        choice: int,
        view: str,
        clock: Reading,
        refused: tuple[Refused, ...] = (),
    ) -> "Moved":
        """Play legal move number *choice* for *seat*, after its *refused* answers to the same prompt.

        Concludes and seals the match if the game is over.

        Raises:
            MatchOverError, NotPromptedError, IllegalMoveError: it may not.
        """
        sent = {"view": view, "clock": clock, "refused": refused}
        return self._move(secrets, None, sent, at=at, seat=seat, choice=choice)

    def default(
        self,
        secrets: Secrets,
        *,
        at: int,
        seat: Seat,
        view: str,
        clock: Reading,
        cause: DefaultCause,
        refused: tuple[Refused, ...] = (),
    ) -> "Moved":
        """Play the default move of the prompt that *seat* did not answer, but for its *refused* answers."""
        choice = positions.expect_prompt(self.live_position, seat).prompt.default
        sent = {"view": view, "clock": clock, "refused": refused}
        return self._move(secrets, cause, sent, at=at, seat=seat, choice=choice)

    def forfeit(self, *, at: int, seat: Seat, cause: str) -> None:
        """From now on the arbiter plays the default moves of *seat*.

        Raises:
            MatchOverError: the match has ended.
            NotFoundError: there is no such seat.
            ConflictError: it has forfeited already, or the match waits for shares of the seed.
        """
        self._expect_begun()
        if seat not in range(len(self.faults)):
            msg = f"{self.id} has no seat {seat}; seats: 0 to {len(self.faults) - 1}"
            raise NotFoundError(msg)
        if seat in self.forfeited:
            msg = f"seat {seat} of {self.id} has forfeited already"
            raise ConflictError(msg)
        self.record(SeatForfeited(**self.stamp(at), seat=seat, faults=self.faults[seat], cause=cause))

    def pause(self, *, at: int, cause: str) -> None:
        """Stop all clocks; no move is taken until the match is resumed.

        Raises:
            MatchOverError: the match has ended.
            ConflictError: it is paused already, or waits for shares of the seed.
        """
        self._expect_begun()
        if self.status == "paused":
            msg = f"{self.id} is paused already"
            raise ConflictError(msg)
        self.record(Paused(**self.stamp(at), cause=cause))

    def resume(self, *, at: int, cause: str) -> None:
        """Let the match go on, after a pause or because the arbiter was started again.

        Raises:
            MatchOverError: the match has ended.
            ConflictError: it waits for shares of the seed: there is nothing to go on with.
        """
        self._expect_begun()
        after: Literal["pause", "stop"] = "pause" if self.status == "paused" else "stop"
        self.record(Resumed(**self.stamp(at), after=after, cause=cause))

    def abort(self, secrets: Secrets, *, at: int, cause: str) -> None:
        """End the match without a result and seal its record; no seat is to blame.

        Raises:
            MatchOverError: it has ended already.
        """
        self._expect_running()
        self.record(Aborted(**self.stamp(at), cause=cause))
        self._seal(at, secrets)

    # --- deciding -------------------------------------------------------------------------------------

    def _expect_running(self) -> None:
        if self.is_over:
            msg = f"{self.id} is over"
            raise MatchOverError(msg)

    def _expect_begun(self) -> None:
        self._expect_running()
        if self.awaits_shares:
            msg = f"{self.id} has not begun: it waits for shares of its seed"
            raise ConflictError(msg)

    def _set_up_game(self, at: int, secrets: Secrets) -> None:
        chance = LiveChance(self.seed(secrets.share))
        self._next = positions.begin(self.rules, self._options(), chance)
        self.record(
            SetUp(
                **self.stamp(at),
                draws=tuple(chance.draws),
                facts=msgspec.Raw(canonical_json(self._next[1])),
                digest=self._digest(secrets),
            )
        )
        self._conclude_if_over(at, secrets)

    def _move(
        self,
        secrets: Secrets,
        cause: DefaultCause | None,
        sent: Mapping[str, object],
        *,
        at: int,
        seat: Seat,
        choice: int,
    ) -> "Moved":
        position = self.live_position
        if self.status == "paused":
            msg = f"{self.id} is paused; it asks again when it is resumed"
            raise NotPromptedError(msg)
        item = positions.expect_prompt(position, seat)
        move = positions.legal_move(item.prompt, choice)
        chance: Chance = LiveChance(self.seed(secrets.share), position.drawn)
        self._next = positions.advance(self.rules, position, seat, choice, chance)
        facts = self._next[1]
        fields: dict[str, Any] = {
            **self.stamp(at),
            "ply": self._next[0].ply,
            "prompt": item.number,
            "seat": seat,
            "kind": item.prompt.kind,
            "choice": choice,
            "move": msgspec.Raw(canonical_json(move)),
            "draws": tuple(chance.draws),
            "facts": msgspec.Raw(canonical_json(facts)),
            "digest": self._digest(secrets),
            **sent,
        }
        event = MovePlayed(**fields) if cause is None else MoveDefaulted(**fields, cause=cause)
        self.record(event)
        moved = Moved(event, self.head, facts, item.prompt.hidden)
        self._conclude_if_over(at, secrets)
        return moved

    def _digest(self, secrets: Secrets) -> str:
        assert self._next is not None
        return state_digest(self._next[0].state, digest_key(self.seed(secrets.share)))

    def _conclude_if_over(self, at: int, secrets: Secrets) -> None:
        assert self.position is not None
        outcome = positions.outcome_of(self.rules, self.position)
        if outcome is None:
            return
        self.record(Concluded(**self.stamp(at), outcome=msgspec.Raw(canonical_json(outcome)), cause="rules"))
        self._seal(at, secrets)

    def _seal(self, at: int, secrets: Secrets) -> None:
        seed = "" if self.position is None else self.seed(secrets.share).hex()
        statement = sealed_statement(self.id, self.version, self.head, seed)
        self.record(
            Sealed(
                **self.stamp(at),
                seed=seed,
                share=secrets.share.hex(),
                head=self.head,
                key=secrets.signer.public_key,
                signature=secrets.signer.sign(statement),
            )
        )


def _seat_count(options: Mapping[str, object], seats: tuple[SeatEntry, ...]) -> int:
    asked = options.get("seats", len(seats))
    if asked != len(seats):
        raise OptionError("seats", f"is {asked!r}, but {len(seats)} bots are seated", str(len(seats)))
    return len(seats)
