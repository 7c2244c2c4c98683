"""The contract between the engine and a game.

A game is a value (rules plus component data) whose methods are pure: they take a frozen state and give a
new one. The engine decides legality, resolves prompts with one legal move, numbers plies and prompts, and
stores; a game knows nothing of that.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Generic, TypeVar, Union

import msgspec

from keylore_domain.engine.chance import Chance
from keylore_domain.engine.facts import Fact
from keylore_domain.engine.outcomes import Outcome
from keylore_domain.engine.prompts import Prompt
from keylore_domain.engine.seats import Seat

O = TypeVar("O", bound="Options")  # noqa: E741 - options
S = TypeVar("S", bound=msgspec.Struct)
M = TypeVar("M", bound=msgspec.Struct)


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of a game's options: the config keys of its spec, but for ``data``."""

    seats: int


class Turn:
    """What the rules use while they carry out one move or the set-up: chance in, facts out."""

    __slots__ = ("chance", "facts")

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.facts: list[Fact] = []

    def note(self, fact: Fact) -> None:
        """Record *fact* as the next thing that happened."""
        self.facts.append(fact)


class Game(ABC, Generic[O, S, M]):
    """One game under one version of its rules, with its component data.

    Attributes:
        data_text: the component data as text; its hash stands in the first event of each match.
        id: the name used in options, events and data (``keydom``).
        title: the name for people.
        rules: version of the rules; a match records it and is replayed under it for ever.
        options_type: struct of the options.
        view_type: struct that `view` gives.
        fact_types: every fact that the game can record.
        reveals: those by which the rules show for a moment what is hidden again in the position after it.
        move_types: for each prompt kind, the types of its moves.
        max_plies: a bound on the number of moves of one match, by option (the spec's termination bound).
    """

    data_text: str
    id: ClassVar[str]
    title: ClassVar[str]
    rules: ClassVar[str]
    options_type: ClassVar[type[Options]]
    view_type: ClassVar[type[msgspec.Struct]]
    outcome_type: ClassVar[type[Outcome]]
    fact_types: ClassVar[tuple[type[Fact], ...]]
    reveals: ClassVar[tuple[type[Fact], ...]] = ()
    move_types: ClassVar[Mapping[str, tuple[type[msgspec.Struct], ...]]]

    def __init__(self, data_text: str) -> None:
        self.data_text = data_text

    @property
    def fact_list(self) -> Any:
        """The type of a list of this game's facts, for decoding stored ones."""
        return list[Union[self.fact_types]]  # type: ignore[name-defined]  # noqa: UP007

    def check_options(self, options: O) -> None:
        """Check what the types of the options cannot say.

        Raises:
            OptionError: a combination is not allowed.
        """

    @abstractmethod
    def setup(self, options: O, turn: Turn) -> S:
        """The position at ply 0."""

    @abstractmethod
    def prompts(self, state: S) -> tuple[Prompt[M], ...]:
        """All open decisions, at most one per seat, in seat order; empty exactly when the game is over."""

    @abstractmethod
    def apply(self, state: S, seat: Seat, move: M, turn: Turn) -> S:
        """The position after *seat* answered its prompt with *move*.

        Trusts the move: the engine took it from `prompts`. Resolves everything up to the next decision.
        """

    @abstractmethod
    def view(self, state: S, viewer: Seat | None) -> msgspec.Struct:
        """What *viewer* may see; ``None`` is the public. After the end everything is open."""

    @abstractmethod
    def redact(self, fact: Fact, viewer: Seat | None) -> Fact | None:
        """What *viewer* may know of *fact*; ``None`` if not even that it happened."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """The result, or ``None`` while the game goes on."""

    @abstractmethod
    def max_plies(self, options: O) -> int:
        """No match under *options* has more moves than this (the spec's bound)."""

    @abstractmethod
    def alternative(self, state: S, viewer: Seat | None, chance: Chance) -> S:
        """Another position that *viewer* must not be able to tell from *state*.

        What the viewer may not know is dealt anew from *chance*; all that it may know stays. The law: views,
        prompts and public facts for *viewer* are the same bytes in both positions.
        """


AnyGame = Game[Any, Any, Any]
