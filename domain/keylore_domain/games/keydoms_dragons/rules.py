"""Keydom's Dragons: the game (spec §4, §5).

The course of the game lies on the position's ``pending`` stack: questions to seats, and steps that the rules
carry out by themselves (`rounds`, `effects`). The chance points C1 to C12 and their labels stand in `play`.
"""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

from msgspec.structs import replace

from keylore_domain.engine.chance import Chance
from keylore_domain.engine.facts import Fact
from keylore_domain.engine.game import Game, Turn
from keylore_domain.engine.moves import Decision
from keylore_domain.engine.prompts import Prompt
from keylore_domain.engine.seats import Seat
from keylore_domain.engine.steps import pop, push, run
from keylore_domain.errors import OptionError
from keylore_domain.games.keydoms_dragons import board, components, facts, rounds, scoring, treasury
from keylore_domain.games.keydoms_dragons.components import (
    ARTEFACTS,
    CAVES,
    DRAGON_LEAVES,
    DRAGON_RETURNS,
    LOCATIONS,
    STACKS,
    TYPES,
    UNITS,
    WAND,
    Components,
)
from keylore_domain.games.keydoms_dragons.decisions import ChooseStartTreasures
from keylore_domain.games.keydoms_dragons.effects import casting, castle, demands, locations
from keylore_domain.games.keydoms_dragons.facts import StartPlayerSet
from keylore_domain.games.keydoms_dragons.moves import DragonsMove, TakeTypes
from keylore_domain.games.keydoms_dragons.play import Play
from keylore_domain.games.keydoms_dragons.prompts import table
from keylore_domain.games.keydoms_dragons.state import DragonsOptions, Ghost, GhostCard, Player, State, Status
from keylore_domain.games.keydoms_dragons.view import redaction
from keylore_domain.games.keydoms_dragons.view.alternative import deal_anew
from keylore_domain.games.keydoms_dragons.view.table import View, build

START: Final = (0, 0, 0, 0, 0, 1)  # every party begins with a wand
SPELLS: Final = tuple(range(1, 22))
NOT_WITH_GHOSTS: Final = (DRAGON_LEAVES, DRAGON_RETURNS)


def choose_start_treasures(
    state: State, question: ChooseStartTreasures, move: TakeTypes, play: Play
) -> State:
    """Three units of different types (§4)."""
    taken = tuple(int(name in move.take) for name in TYPES)
    return treasury.receive(state, question.seat, taken, play)


STEPS: Final[Mapping[type[Decision], Callable[[State, Any, Play], State]]] = {
    **rounds.STEPS,
    **casting.STEPS,
    **demands.STEPS,
    **locations.STEPS,
    **castle.STEPS,
}
ANSWERS: Final[Mapping[type[Decision], Callable[[State, Any, Any, Play], State]]] = {
    ChooseStartTreasures: choose_start_treasures,
    **rounds.ANSWERS,
    **casting.ANSWERS,
    **demands.ANSWERS,
    **locations.ANSWERS,
    **castle.ANSWERS,
}


class KeydomsDragons(Game[DragonsOptions, State, DragonsMove]):
    """The game with the components of one data file."""

    id: ClassVar[str] = components.GAME
    title: ClassVar[str] = "Keydom's Dragons"
    rules: ClassVar[str] = "1"
    options_type = DragonsOptions
    view_type = View
    outcome_type = scoring.DragonsOutcome
    fact_types = facts.FACTS
    move_types = table.MOVE_TYPES

    def __init__(self, data_text: str | None = None) -> None:
        """Read the components.

        Raises:
            DataFileError: the data file breaks a rule.
        """
        super().__init__(components.standard() if data_text is None else data_text)
        self.parts: Components = components.parse(self.data_text)

    def check_options(self, options: DragonsOptions) -> None:
        """Ghosts and variants that do not go together (spec §1).

        Raises:
            OptionError: names the option and what is allowed.
        """
        allowed = self.parts.seats_and_ghosts.rows[options.seats]
        if options.ghosts != "default" and options.ghosts not in allowed:
            problem = f"{options.ghosts} ghosts do not go with {options.seats} seats"
            raise OptionError("ghosts", problem, " or ".join(map(str, allowed)))
        if options.start_seat != "random" and options.start_seat >= options.seats:
            raise OptionError(
                "start_seat", f"there is no seat {options.start_seat}", f"0 to {options.seats - 1}"
            )
        if options.muggles and options.foreknown:
            raise OptionError("foreknown", "there are no spells with muggles", "false")
        if options.ghost_extra_spells and (options.muggles or not self.ghost_count(options)):
            raise OptionError("ghost_extra_spells", "needs ghosts and magic", "0")
        if options.ghost_artefacts_per_round > 1 and (options.muggles or not self.ghost_count(options)):
            raise OptionError("ghost_artefacts_per_round", "needs ghosts and magic", "1")

    def ghost_count(self, options: DragonsOptions) -> int:
        """How many ghosts play."""
        if options.ghosts == "default":
            return self.parts.seats_and_ghosts.rows[options.seats][0]
        return options.ghosts

    def setup(self, options: DragonsOptions, turn: Turn) -> State:
        """The position at ply 0: the first start treasures are to be chosen (spec §4)."""
        play = Play(turn, self.parts)
        ghosts = self.ghost_count(options)
        seats = range(options.seats)
        start = play.pick("C1", "start", seats) if options.start_seat == "random" else options.start_seat
        play.note(StartPlayerSet(start))
        state = _with_decks(_empty(options, ghosts, start, self.parts), play)
        state = rounds.turn_tops(state, play)
        play.note(facts.RoundStarted(1))
        state = rounds.set_out(_with_ghost_decks(state, play), play)
        asked = [ChooseStartTreasures(seat) for seat in reversed(board.player_order(state))]
        return run(push(state, *rounds.agenda(state), *asked), STEPS, play)

    def prompts(self, state: State) -> tuple[Prompt[DragonsMove], ...]:
        """The one open question; none when the game is over."""
        return table.open_prompts(state)

    def apply(self, state: State, seat: Seat, move: DragonsMove, turn: Turn) -> State:
        """Answer the question on top of the stack, and go on to the next."""
        question = state.pending[-1]
        play = Play(turn, self.parts)
        state = ANSWERS[type(question)](pop(state), question, move, play)
        return run(state, STEPS, play)

    def view(self, state: State, viewer: Seat | None) -> View:
        """What *viewer* sees (spec §9)."""
        return build(state, viewer)

    def redact(self, fact: Fact, viewer: Seat | None) -> Fact | None:
        """What *viewer* may know of *fact* (spec §9)."""
        return redaction.redact(fact, viewer)

    def outcome(self, state: State) -> scoring.DragonsOutcome | None:
        """The ranking of all parties, once the game has ended (spec §7)."""
        return scoring.final(state) if state.ended_by else None

    def max_plies(self, options: DragonsOptions) -> int:
        """The bound of §11 I11: placements, questions in windows, and what actions and locations ask."""
        seats, spells = options.seats, len(SPELLS)
        actions = 2 * seats + spells
        windows = seats * (19 + actions)
        follow_ups = (actions + spells) * (2 + 2 * seats + 40 * seats)
        locations = seats * (3 + 6 + 5 * (2 + spells))
        return seats + options.round_cap * (8 * seats + windows + follow_ups + locations)

    def alternative(self, state: State, viewer: Seat | None, chance: Chance) -> State:
        """Another position that *viewer* cannot tell from *state* (spec §9)."""
        return deal_anew(self.parts, state, viewer, chance)


def _empty(options: DragonsOptions, ghosts: int, start: int, parts: Components) -> State:
    """The position before anything is shuffled (§4, steps 1 to 3)."""
    inactive: Status = "inactive"
    player = Player(hand=parts.workers.numbers, artefacts=START)
    ghost = Ghost(counters=parts.ghosts.workers.counters, artefacts=START)
    return State(
        options=options,
        seats=options.seats,
        parties=options.seats + ghosts,
        round=1,
        start=start,
        phase="placement",
        location=None,
        treasury=(UNITS,) * len(TYPES),
        caves=((),) * len(CAVES),
        status=(inactive,) * len(LOCATIONS),
        players=(player,) * options.seats,
        ghosts=(ghost,) * ghosts,
        stacks=((),) * len(STACKS),
        face_up=(False,) * len(STACKS),
        spell_deck=(),
        treasure_deck=(),
        guard=0,
    )


def _with_decks(state: State, play: Play) -> State:
    """Stacks, treasure cards and spell cards (§4, steps 4 to 6)."""
    row = play.parts.setup_by_parties.rows[state.parties]
    tiles = [tile for tile in range(WAND) for _ in range(row.tiles_per_type)]
    mixed = play.shuffled("C2", "stacks", tiles, lambda tile: ARTEFACTS[tile])
    height = row.stack_height
    dealt = {name: mixed[at * height : (at + 1) * height] for at, name in enumerate(row.stacks)}
    cards = tuple(card.id for card in play.parts.cards(state.parties))
    state = replace(
        state,
        stacks=tuple(dealt.get(name, ()) for name in STACKS),
        treasure_deck=play.shuffled("C3", "deck.treasures", cards),
    )
    if state.options.muggles:
        return state
    spells = [number for number in SPELLS if not (state.ghosts and number in NOT_WITH_GHOSTS)]
    return replace(state, spell_deck=play.shuffled("C4", "deck.spells", spells))


def _with_ghost_decks(state: State, play: Play) -> State:
    """The ghosts' action cards, with spell cards under them (§4, step 7)."""
    extra = state.options.ghost_extra_spells
    for party in range(state.seats, state.parties):
        name = board.party_name(state, party)
        deck = play.shuffled("C6", f"{name}.deck", rounds.ACTION_CARDS, rounds.card_name)
        under = tuple(GhostCard("spell", number) for number in state.spell_deck[:extra])
        ghost = replace(board.ghost_of(state, party), deck=deck + under)
        state = replace(board.with_ghost(state, party, ghost), spell_deck=state.spell_deck[extra:])
    return state
