"""The rules of Keydom: set-up and the course of a match.

Chance points (§4, §5.2): C1, the colours of the seats, is label ``colours``; C2, the order of the spell
deck, is ``deck.spells``; C3, the chooser after exhausted bids, is ``bid.chooser``. There are no others.
"""

from collections.abc import Mapping
from typing import ClassVar, Final

import msgspec

from keylore_domain.engine.chance import Chance
from keylore_domain.engine.facts import Fact
from keylore_domain.engine.game import Game, Turn
from keylore_domain.engine.outcomes import Outcome
from keylore_domain.engine.play import run
from keylore_domain.engine.prompts import Prompt
from keylore_domain.engine.seats import Seat
from keylore_domain.errors import OptionError
from keylore_domain.games.keydom import facts, scoring, view
from keylore_domain.games.keydom.components.parts import parse, standard
from keylore_domain.games.keydom.effects.tables import STEPS, answer
from keylore_domain.games.keydom.moves import MOVE_TYPES, KeydomMove
from keylore_domain.games.keydom.play import Play
from keylore_domain.games.keydom.prompts import open_prompts
from keylore_domain.games.keydom.setup import set_up
from keylore_domain.games.keydom.state.position import KeydomOptions, State

PLIES_PER_ROUND: Final = 1_000
PLIES_PER_ADJUSTED_ROUND: Final = 3_000
SETUP_PLIES: Final = 50  # five colours, eight bids of five seats, one chooser


class Keydom(Game[KeydomOptions, State, KeydomMove]):
    """Keydom (1998), 2 to 5 players."""

    id: ClassVar[str] = "keydom"
    title: ClassVar[str] = "Keydom"
    rules: ClassVar[str] = "1"
    options_type: ClassVar[type[KeydomOptions]] = KeydomOptions
    view_type: ClassVar[type[msgspec.Struct]] = view.KeydomView
    outcome_type: ClassVar[type[Outcome]] = scoring.KeydomOutcome
    fact_types: ClassVar[tuple[type[Fact], ...]] = facts.FACT_TYPES
    reveals: ClassVar[tuple[type[Fact], ...]] = (facts.CountersRevealed,)
    move_types: ClassVar[Mapping[str, tuple[type[msgspec.Struct], ...]]] = MOVE_TYPES

    def __init__(self, data_text: str | None = None) -> None:
        super().__init__(standard() if data_text is None else data_text)
        self.parts: Final = parse(self.data_text)

    def check_options(self, options: KeydomOptions) -> None:
        """The data file must hold a tile of each type for each seat (R11)."""
        for tile in self.parts.data.tiles:
            if tile.copies < options.seats:
                problem = f"the data file has {tile.copies} {tile.id} tiles for {options.seats} seats"
                raise OptionError("seats", problem, f"2 to {tile.copies}")

    def setup(self, options: KeydomOptions, turn: Turn) -> State:
        """The position at ply 0: colours are to be chosen, or the first bid to be made (§4)."""
        play = set_up(self.parts, options, turn)
        run(play, STEPS)
        return play.position

    def prompts(self, state: State) -> tuple[Prompt[KeydomMove], ...]:
        """The open decisions (§5.6)."""
        return open_prompts(self.parts, state)

    def apply(self, state: State, seat: Seat, move: KeydomMove, turn: Turn) -> State:
        """The position after an answer, up to the next decision."""
        play = Play(self.parts, state, turn)
        answer(play, seat, move)
        run(play, STEPS)
        return play.position

    def view(self, state: State, viewer: Seat | None) -> view.KeydomView:
        """What *viewer* sees (§9)."""
        return view.view_of(self.parts, state, viewer)

    def redact(self, fact: Fact, viewer: Seat | None) -> Fact | None:
        """What *viewer* may know of *fact* (§9); that it happened is public."""
        return view.redact(fact, viewer)

    def outcome(self, state: State) -> scoring.KeydomOutcome | None:
        """The result record (END-5)."""
        return scoring.outcome(state)

    def max_plies(self, options: KeydomOptions) -> int:
        """Invariant 13: at most 3,000 moves a round, 1,000 without number adjustment."""
        adjusted = options.number_adjustment != "off"
        return SETUP_PLIES + options.round_cap * (PLIES_PER_ADJUSTED_ROUND if adjusted else PLIES_PER_ROUND)

    def alternative(self, state: State, viewer: Seat | None, chance: Chance) -> State:
        """Another position that looks the same to *viewer* (§9)."""
        return view.alternative(self.parts, state, viewer, chance)
