"""The match: one game at one table, as an event-sourced aggregate.

Commands (`open`, `play`, `default`, `forfeit`, ...) decide and record; the base class `MatchRecord` takes
over stored events. The seed is handed in with each command and never kept: a match rebuilt from its events
knows none until the record is sealed.
"""

from collections.abc import Mapping
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
    sealed_statement,
)
from keylore_domain.engine.facts import Fact
from keylore_domain.engine.options import parse_options
from keylore_domain.engine.records import Catalog, MatchRecord, Status
from keylore_domain.engine.seats import Seat
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
    """What the arbiter knows of a running match and its events do not: the seed, and who signs."""

    seed: bytes
    signer: Signer


class Moved(msgspec.Struct, frozen=True):
    """A move that a match took: its event, the digest of the chain up to it, and what the rules did."""

    event: MovePlayed
    head: str
    facts: tuple[Fact, ...]


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
    ) -> "Match":
        """A new match, set up and waiting for its first move.

        Args:
            rules: version of the rules; the current one by default.
            options: the game's options without ``seats``, which follows from *seats*.
            data_text: a league's own component data; the shipped data by default.
            public_seed: the text from which the seed was made, if it is public.
            seed_label: what the seed was derived from in place of the match id, if the deal is shared.

        Raises:
            NotFoundError: there is no such game.
            OptionError: an option is unknown or out of range.
            DataFileError: *data_text* breaks a rule.
        """
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
                commitment=commitment(secrets.seed),
                public_seed=public_seed,
                seed_label=seed_label,
                origin=origin,
            )
        )
        chance = LiveChance(secrets.seed)
        match._next = positions.begin(chosen, full, chance)
        match.record(
            SetUp(
                **match.stamp(at),
                draws=tuple(chance.draws),
                facts=msgspec.Raw(canonical_json(match._next[1])),
                digest=match._digest(secrets),
            )
        )
        match._conclude_if_over(at, secrets)
        return match

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
            ConflictError: it has forfeited already.
        """
        self._expect_running()
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
            ConflictError: it is paused already.
        """
        self._expect_running()
        if self.status == "paused":
            msg = f"{self.id} is paused already"
            raise ConflictError(msg)
        self.record(Paused(**self.stamp(at), cause=cause))

    def resume(self, *, at: int, cause: str) -> None:
        """Let the match go on, after a pause or because the arbiter was started again.

        Raises:
            MatchOverError: the match has ended.
        """
        self._expect_running()
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
        chance: Chance = LiveChance(secrets.seed, position.drawn)
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
        moved = Moved(event, self.head, facts)
        self._conclude_if_over(at, secrets)
        return moved

    def _digest(self, secrets: Secrets) -> str:
        assert self._next is not None
        return state_digest(self._next[0].state, digest_key(secrets.seed))

    def _conclude_if_over(self, at: int, secrets: Secrets) -> None:
        assert self.position is not None
        outcome = positions.outcome_of(self.rules, self.position)
        if outcome is None:
            return
        self.record(Concluded(**self.stamp(at), outcome=msgspec.Raw(canonical_json(outcome)), cause="rules"))
        self._seal(at, secrets)

    def _seal(self, at: int, secrets: Secrets) -> None:
        statement = sealed_statement(self.id, self.version, self.head, secrets.seed.hex())
        self.record(
            Sealed(
                **self.stamp(at),
                seed=secrets.seed.hex(),
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
