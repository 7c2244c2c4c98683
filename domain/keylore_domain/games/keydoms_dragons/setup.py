"""The set-up of a game (spec §4); the chance labels are listed in ``rules.py``."""

from typing import Final

from keylore_domain.engine.game import Turn
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
    Parts,
)
from keylore_domain.games.keydoms_dragons.effects import rounds
from keylore_domain.games.keydoms_dragons.facts import RoundStarted, StartPlayerSet
from keylore_domain.games.keydoms_dragons.play import Play
from keylore_domain.games.keydoms_dragons.state import board
from keylore_domain.games.keydoms_dragons.state.decisions import ChooseStartTreasures
from keylore_domain.games.keydoms_dragons.state.position import (
    DragonsOptions,
    Ghost,
    GhostCard,
    Player,
    State,
    Status,
)

START: Final = (0, 0, 0, 0, 0, 1)  # every party begins with a wand
SPELLS: Final = tuple(range(1, 22))
NOT_WITH_GHOSTS: Final = (DRAGON_LEAVES, DRAGON_RETURNS)


def ghost_count(parts: Parts, options: DragonsOptions) -> int:
    """How many ghosts play."""
    if options.ghosts == "default":
        return parts.seats_and_ghosts.rows[options.seats][0]
    return options.ghosts


def set_up(parts: Parts, options: DragonsOptions, turn: Turn) -> Play:
    """The table of round 1; the first start treasures are to be chosen."""
    play = Play(parts, _before_draws(parts, options), turn)
    start = play.start_seat("C1", "start", options.start_seat, options.seats)
    play.note(StartPlayerSet(start))
    play.change(start=start)
    _shuffle_decks(play)
    rounds.turn_tops(play)
    play.note(RoundStarted(1))
    _shuffle_ghost_decks(play)
    rounds.set_out(play)
    asked = map(ChooseStartTreasures, board.player_order(play.state))
    play.push(*asked, *rounds.agenda(play.state))
    return play


def _before_draws(parts: Parts, options: DragonsOptions) -> State:
    """The position before anything is shuffled (steps 1 to 3)."""
    ghosts = ghost_count(parts, options)
    inactive: Status = "inactive"
    player = Player(hand=parts.workers.numbers, artefacts=START)
    ghost = Ghost(counters=parts.ghosts.workers.counters, artefacts=START)
    return State(
        options=options,
        seats=options.seats,
        parties=options.seats + ghosts,
        round=1,
        start=0,
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


def _shuffle_decks(play: Play) -> None:
    """Stacks, treasure cards and spell cards (steps 4 to 6)."""
    state = play.state
    row = play.parts.setup_by_parties.rows[state.parties]
    tiles = [tile for tile in range(WAND) for _ in range(row.tiles_per_type)]
    mixed = play.shuffled("C2", "stacks", tiles, lambda tile: ARTEFACTS[tile])
    height = row.stack_height
    dealt = {name: mixed[at * height : (at + 1) * height] for at, name in enumerate(row.stacks)}
    play.change(stacks=tuple(dealt.get(name, ()) for name in STACKS))
    cards = tuple(card.id for card in play.parts.cards(state.parties))
    play.change(treasure_deck=play.shuffled("C3", "deck.treasures", cards))
    if not state.options.muggles:
        spells = [number for number in SPELLS if not (state.ghosts and number in NOT_WITH_GHOSTS)]
        play.change(spell_deck=play.shuffled("C4", "deck.spells", spells))


def _shuffle_ghost_decks(play: Play) -> None:
    """The ghosts' action cards, with spell cards under them (step 7)."""
    extra = play.state.options.ghost_extra_spells
    for party in range(play.state.seats, play.state.parties):
        deck = play.shuffled("C6", f"{play.name(party)}.deck", rounds.ACTION_CARDS, rounds.card_name)
        spells = play.state.spell_deck
        under = tuple(GhostCard("spell", number) for number in spells[:extra])
        play.change_ghost(party, deck=deck + under)
        play.change(spell_deck=spells[extra:])
