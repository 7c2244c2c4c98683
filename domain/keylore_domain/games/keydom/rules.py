"""The rules of Keydom: set-up and the course of a match.

Chance points (§4, §5.2): C1, the colours of the seats, is label ``colours``; C2, the order of the spell
deck, is ``deck.spells``; C3, the chooser after exhausted bids, is ``bid.chooser``. There are no others.
"""

from collections.abc import Mapping
from typing import ClassVar, Final

import msgspec
from msgspec.structs import replace

from keylore_domain.engine.chance import Chance
from keylore_domain.engine.facts import Fact
from keylore_domain.engine.game import Game, Turn
from keylore_domain.engine.outcomes import Outcome
from keylore_domain.engine.prompts import Prompt
from keylore_domain.engine.seats import Seat, clockwise
from keylore_domain.engine.steps import pop, run
from keylore_domain.errors import OptionError
from keylore_domain.games.keydom import facts, scoring, view
from keylore_domain.games.keydom.components.box import parse, standard
from keylore_domain.games.keydom.components.entries import SpellCard
from keylore_domain.games.keydom.components.names import COLOURS, START_NUMBERS, Colour
from keylore_domain.games.keydom.effects.rounds import answer_bid
from keylore_domain.games.keydom.effects.tables import ANSWERS, STEPS
from keylore_domain.games.keydom.moves import MOVE_TYPES, BidCounter, KeydomMove
from keylore_domain.games.keydom.prompts import open_prompts
from keylore_domain.games.keydom.state.decisions import BidCounter as Bidding
from keylore_domain.games.keydom.state.decisions import ChooseColour
from keylore_domain.games.keydom.state.position import Family, KeydomOptions, State, Table
from keylore_domain.games.keydom.state.steps import OpenBid

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
    move_types: ClassVar[Mapping[str, tuple[type[msgspec.Struct], ...]]] = MOVE_TYPES

    def __init__(self, data_text: str | None = None) -> None:
        super().__init__(standard() if data_text is None else data_text)
        self.data: Final = parse(self.data_text)

    def check_options(self, options: KeydomOptions) -> None:
        """The data file must hold a tile of each type for each seat (R11)."""
        for tile in self.data.file.tiles:
            if tile.copies < options.seats:
                problem = f"the data file has {tile.copies} {tile.id} tiles for {options.seats} seats"
                raise OptionError("seats", problem, f"2 to {tile.copies}")

    def setup(self, options: KeydomOptions, turn: Turn) -> State:
        """Components laid out, the spell deck shuffled, colours and the first bid to come (§4)."""
        file = self.data.file
        required = self.data.required(short_game=options.short_game)
        colours = self._colours(options, turn)
        family = Family(colour=None, cubes=(0,) * len(COLOURS), hand=START_NUMBERS)
        state = State(
            options=options,
            in_play=self.data.in_play(short_game=options.short_game, spells=options.spells),
            required=required,
            families=tuple(replace(family, colour=colour) for colour in colours),
            stock=(file.cubes.per_colour,) * len(COLOURS),
            piles=tuple(tile.copies if tile.id in required else 0 for tile in file.tiles),
            deck=self._deck(options, turn),
            pending=(OpenBid((0,) * options.seats),),
        )
        return run(self._ask_colours(state), STEPS, Table(self.data, turn))

    def _colours(self, options: KeydomOptions, turn: Turn) -> tuple[Colour | None, ...]:
        if options.colour_assignment == "choose":
            return (None,) * options.seats
        colours = COLOURS
        if options.colour_assignment == "random":
            colours = turn.chance.shuffled("colours", COLOURS)
            turn.note(facts.ChanceDrawn("C1", colours))
        return colours[: options.seats]

    def _ask_colours(self, state: State) -> State:
        if state.options.colour_assignment != "choose":
            return state
        asked = [ChooseColour(seat) for seat in clockwise(Seat(0), state.options.seats)]
        return replace(state, pending=(*state.pending, *reversed(asked)))

    def _deck(self, options: KeydomOptions, turn: Turn) -> tuple[str, ...]:
        if not options.spells:
            return ()
        cards = [card.id for card in self.data.file.spells if not _excluded(card, options)]
        deck = turn.chance.shuffled("deck.spells", cards)
        turn.note(facts.ChanceDrawn("C2", deck))
        return deck

    def prompts(self, state: State) -> tuple[Prompt[KeydomMove], ...]:
        """The open decisions (§5.6)."""
        return open_prompts(state, self.data)

    def apply(self, state: State, seat: Seat, move: KeydomMove, turn: Turn) -> State:
        """The position after an answer, up to the next decision."""
        table = Table(self.data, turn)
        asked = state.pending[-1]
        state = pop(state)
        if isinstance(asked, Bidding):
            assert isinstance(move, BidCounter)
            state = answer_bid(state, asked, move, seat, table)
        else:
            state = ANSWERS[type(asked)](state, asked, move, table)
        return run(state, STEPS, table)

    def view(self, state: State, viewer: Seat | None) -> view.KeydomView:
        """What *viewer* sees (§9)."""
        return view.view_of(state, viewer, self.data)

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
        return view.alternative(state, viewer, chance, self.data)


def _excluded(card: SpellCard, options: KeydomOptions) -> bool:
    return any(getattr(options, name) == value for name, value in card.excluded_when.items())
