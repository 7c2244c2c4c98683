"""Keyper at Sea: the game class (keyper-at-sea §1, §4 to §7).

Chance, by label (spec §4): ``deck.creatures`` shuffles the sea creature tiles (C1) and reshuffles their
discard (C8); ``deck.fairs.SEASON`` shuffles a fair stack (C2); ``boats`` selects boats (C3);
``keyples.ninth`` the ninth keyples (C4); ``bag.tiles`` draws one tile of the bag (C5); ``fish_fairs``
shuffles the fish fairs (C6); ``start_seat`` names the first seat (C7).
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

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
from keylore_domain.games.keyper_at_sea import view
from keylore_domain.games.keyper_at_sea.components.parts import GAME, parse, standard
from keylore_domain.games.keyper_at_sea.effects.tables import STEPS, answer
from keylore_domain.games.keyper_at_sea.effects.turns import ended_by
from keylore_domain.games.keyper_at_sea.facts import FACT_TYPES, FairRemoved
from keylore_domain.games.keyper_at_sea.moves import AnyMove
from keylore_domain.games.keyper_at_sea.play import Play
from keylore_domain.games.keyper_at_sea.prompts.asked import MOVE_TYPES, open_prompts
from keylore_domain.games.keyper_at_sea.scoring.totals import KeyperOutcome, outcome
from keylore_domain.games.keyper_at_sea.setup import set_up
from keylore_domain.games.keyper_at_sea.state.position import KeyperOptions, State

TEAM: Final = 8
TEAM_OF_TWO: Final = 9
PROMPTS_A_TURN: Final = 60  # three choices, three responses, six slots of nine fishing prompts
LOSSES_A_TURN: Final = 24  # six slots of four items that may all be lost at season end
PROMPTS_A_SEASON_END: Final = 100  # fairs, excess, gifts, a display and a store


class KeyperAtSea(Game[KeyperOptions, State, AnyMove]):
    """Keyper at Sea (expansion) with Keyper, 2 to 4 players."""

    id: ClassVar[str] = GAME
    title: ClassVar[str] = "Keyper at Sea"
    rules: ClassVar[str] = "1"
    options_type: ClassVar[type[KeyperOptions]] = KeyperOptions
    view_type: ClassVar[type[msgspec.Struct]] = view.KeyperView
    outcome_type: ClassVar[type[Outcome]] = KeyperOutcome
    fact_types: ClassVar[tuple[type[Fact], ...]] = FACT_TYPES
    reveals: ClassVar[tuple[type[Fact], ...]] = (FairRemoved,)
    move_types: ClassVar[Mapping[str, tuple[type[msgspec.Struct], ...]]] = MOVE_TYPES

    def __init__(self, data_text: str | None = None) -> None:
        super().__init__(standard() if data_text is None else data_text)
        self.parts: Final = parse(self.data_text)

    def check_options(self, options: KeyperOptions) -> None:
        """Store tiles in the first-out variant belong to shallow; the start seat must exist (§1)."""
        if options.first_out_stores and options.mode != "shallow":
            raise OptionError("first_out_stores", f"is not for mode {options.mode}", "false, or mode shallow")
        check_start_seat(options.start_seat, options.seats)

    def setup(self, options: KeyperOptions, turn: Turn) -> State:
        """The position at ply 0 (§4)."""
        play = set_up(self.parts, options, turn)
        run(play, STEPS)
        return play.position

    def prompts(self, state: State) -> tuple[Prompt[Any], ...]:
        """The one open decision; none when the game is over."""
        return open_prompts(self.parts, state)

    def apply(self, state: State, seat: Seat, move: AnyMove, turn: Turn) -> State:
        """The position after the answer to the open decision, and all that follows by itself."""
        play = Play(self.parts, state, turn)
        answer(play, move)
        run(play, STEPS)
        return play.position

    def view(self, state: State, viewer: Seat | None) -> view.KeyperView:
        """What *viewer* may see (§9)."""
        return view.view_of(self.parts, state, viewer)

    def redact(self, fact: Fact, viewer: Seat | None) -> Fact | None:
        """What *viewer* may know of *fact* (§9)."""
        return view.redact(fact, viewer)

    def outcome(self, state: State) -> KeyperOutcome | None:
        """The result (V10), or ``None`` while the game goes on."""
        return None if state.pending else outcome(self.parts, state, ended_by(state.deep))

    def max_plies(self, options: KeyperOptions) -> int:
        """The bound of §11.1 on turns, with a bound on the prompts of a turn and of a season end."""
        seats = options.seats
        season_ends = 4 * seats + 4
        return max_turns(options) * (PROMPTS_A_TURN + LOSSES_A_TURN) + season_ends * PROMPTS_A_SEASON_END

    def alternative(self, state: State, viewer: Seat | None, chance: Chance) -> State:
        """Another position that *viewer* cannot tell from *state*."""
        return view.alternative(self.parts, state, viewer, chance)


def max_turns(options: KeyperOptions) -> int:
    """No game has more turns than this (§11.1)."""
    seats = options.seats
    team = TEAM_OF_TWO if seats == 2 else TEAM
    if options.mode == "deep":
        return (4 * seats + 3) * (2 * team + 1) + (3 * seats + 4) + (seats - 1)
    return 4 * seats * (seats * team + seats)
