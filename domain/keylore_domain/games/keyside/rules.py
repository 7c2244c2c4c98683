"""The game of Keyside (keyside §1 to §9).

Chance by label, with the chance point of keyside §4: ``setup.harbour_tiles`` C1, ``setup.harbour_scores`` C2,
``setup.score_sides`` C3, ``setup.source_places`` C4, ``setup.sources`` C5, ``setup.farms`` C6,
``setup.farm_sides`` C7, ``setup.markets`` C8, ``setup.market_sides`` C9, ``setup.mats`` C10,
``setup.mat_sides`` C11, ``setup.strips`` C12, ``setup.start_seat`` C13, ``setup.first_cottages`` C14,
``gems`` C15, ``setup.beacons`` C16, ``setup.flags`` C17, ``keytoma.strip`` C18, ``keytoma.side`` C19,
``keytoma.roll`` C20, and ``keytoma.colour``, ``keytoma.cottage``, ``keytoma.skill``, ``keytoma.gems`` C21.
"""

from collections.abc import Mapping
from typing import ClassVar, Final

import msgspec

from keylore_domain.engine.chance import Chance
from keylore_domain.engine.facts import Fact
from keylore_domain.engine.game import Game, Turn
from keylore_domain.engine.options import check_start_seat
from keylore_domain.engine.outcomes import Outcome
from keylore_domain.engine.play import run
from keylore_domain.engine.prompts import Prompt
from keylore_domain.engine.seats import Seat
from keylore_domain.errors import OptionError
from keylore_domain.games.keyside import facts, prompts, view
from keylore_domain.games.keyside.components.parts import parse, standard
from keylore_domain.games.keyside.effects.tables import STEPS, answer
from keylore_domain.games.keyside.moves import MOVE_TYPES, KeysideMove
from keylore_domain.games.keyside.play import Play
from keylore_domain.games.keyside.scoring import totals
from keylore_domain.games.keyside.setup import set_up
from keylore_domain.games.keyside.state.position import KeysideOptions, State

TURNS: Final = 75  # per turn taker and game (keyside §11.1)
PLIES_PER_TURN: Final = 200  # far more than a turn can hold; see `Keyside.max_plies`
DICE_PLIES: Final = 18  # per seat: three years of one strip and five dice


class Keyside(Game[KeysideOptions, State, KeysideMove]):
    """Keyside (2025), 2 to 4 players, or one against Keytoma."""

    id: ClassVar[str] = "keyside"
    title: ClassVar[str] = "Keyside"
    rules: ClassVar[str] = "1"
    options_type: ClassVar[type[KeysideOptions]] = KeysideOptions
    view_type: ClassVar[type[msgspec.Struct]] = view.KeysideView
    outcome_type: ClassVar[type[Outcome]] = totals.KeysideOutcome
    fact_types: ClassVar[tuple[type[Fact], ...]] = facts.FACT_TYPES
    move_types: ClassVar[Mapping[str, tuple[type[msgspec.Struct], ...]]] = MOVE_TYPES

    def __init__(self, data_text: str | None = None) -> None:
        super().__init__(standard() if data_text is None else data_text)
        self.parts: Final = parse(self.data_text)

    def check_options(self, options: KeysideOptions) -> None:
        """A start seat at the table; solo keys only in the solo game (keyside §1)."""
        seats = options.seats
        check_start_seat(options.start_seat, seats)
        if seats > 1 and options.solo_difficulty != "none":
            raise OptionError("solo_difficulty", "is for the solo game", "none with more than one seat")
        if seats > 1 and options.solo_keyple_spaces != 5:
            raise OptionError("solo_keyple_spaces", "is for the solo game", "5 with more than one seat")

    def setup(self, options: KeysideOptions, turn: Turn) -> State:
        """The laid-out island, at the dice of year 1 (keyside §4)."""
        play = set_up(self.parts, options, turn)
        run(play, STEPS)
        return play.position

    def prompts(self, state: State) -> tuple[Prompt[KeysideMove], ...]:
        """The open decisions (keyside §5)."""
        return prompts.open_prompts(self.parts, state)

    def apply(self, state: State, seat: Seat, move: KeysideMove, turn: Turn) -> State:
        """The position after an answer, up to the next decision."""
        play = Play(self.parts, state, turn)
        answer(play, seat, move)
        run(play, STEPS)
        return play.position

    def view(self, state: State, viewer: Seat | None) -> view.KeysideView:
        """What *viewer* sees (keyside §9)."""
        return view.view_of(self.parts, state, viewer)

    def redact(self, fact: Fact, viewer: Seat | None) -> Fact | None:
        """What *viewer* may know of *fact*: all of it."""
        return view.redact(fact, viewer)

    def outcome(self, state: State) -> totals.KeysideOutcome | None:
        """The result record (keyside §7.4), or ``None`` while the game goes on."""
        return totals.outcome(self.parts, state) if state.phase == "over" else None

    def max_plies(self, options: KeysideOptions) -> int:
        """At most 75 turns per turn taker (keyside §11.1), each with far fewer than 200 moves."""
        takers = max(options.seats, 2)
        return takers * (TURNS * PLIES_PER_TURN + DICE_PLIES)

    def alternative(self, state: State, viewer: Seat | None, chance: Chance) -> State:
        """The same position with other secret dice."""
        return view.alternative(state, viewer, chance)
