"""Artefacts and spells behind the screens: who may use them, where tiles and cards go (spec §5.4)."""

from keylore_domain.engine.seats import Seat, with_item
from keylore_domain.games.keydoms_dragons.components import (
    AMULET,
    ARTEFACTS,
    KEY,
    STACKS,
    WAND,
)
from keylore_domain.games.keydoms_dragons.facts import ArtefactInvoked, ArtefactMoved, SpellGained
from keylore_domain.games.keydoms_dragons.play import Play
from keylore_domain.games.keydoms_dragons.state import board
from keylore_domain.games.keydoms_dragons.state.position import Party, Player, State, Vector

GUARD_MOST = 10
KEY_BONUS = 2  # GA2


def counted(vector: Vector, index: int, change: int) -> Vector:
    """*vector* with *change* added at *index*."""
    return with_item(vector, index, vector[index] + change)


def unused(player: Player, artefact: int) -> int:
    """How many tiles of the type *artefact* are owned and not invoked."""
    return player.artefacts[artefact] - player.invoked[artefact]


def can_invoke(state: State, seat: Seat, artefact: int) -> bool:
    """Whether *seat* may invoke *artefact* now, as far as tiles and locks go (§5.4)."""
    player = state.players[seat]
    if state.options.muggles or not unused(player, artefact) or sum(player.invoked) >= player.inv_max:
        return False
    return artefact == WAND or not state.cottage_locked


def spells_locked(state: State) -> bool:
    """Whether a ghost's amulet keeps the seats from casting (GA1)."""
    return any(AMULET in ghost.powers for ghost in state.ghosts)


def can_cast(state: State, seat: Seat) -> bool:
    """Whether *seat* may cast spells now (§5.4)."""
    if state.options.muggles or spells_locked(state):
        return False
    return state.players[seat].invoked[WAND] > 0 or can_invoke(state, seat, WAND)


def invoked_by_opponent(state: State, seat: Seat, artefact: int) -> bool:
    """Whether a party other than *seat* has invoked *artefact* this round (S2)."""
    seats = any(player.invoked[artefact] for at, player in enumerate(state.players) if at != seat)
    return seats or any(artefact in ghost.invoked for ghost in state.ghosts)


def invoke(play: Play, seat: Seat, artefact: int) -> None:
    """*seat* turns up one of its tiles."""
    play.change_player(seat, invoked=counted(play.player(seat).invoked, artefact, 1))
    play.note(ArtefactInvoked(seat, ARTEFACTS[artefact]))


def guard_strength(state: State) -> int:
    """The guard with what the ghosts' keys add (L6, GA2)."""
    keys = sum(KEY in ghost.powers for ghost in state.ghosts)
    return min(GUARD_MOST, state.guard + KEY_BONUS * keys) if keys else state.guard


# -- tiles -------------------------------------------------------------------------------------------------


def take_top(play: Play, party: Party, stack: int) -> None:
    """*party* takes the top tile of *stack*; what lies below stays face down (L7, GL-K)."""
    tile, *rest = play.state.stacks[stack]
    change_stack(play, stack, tuple(rest), up=False)
    play.note(ArtefactMoved(STACKS[stack], play.name(party), ARTEFACTS[tile]))
    gain_tile(play, party, tile)


def swap_top(play: Play, party: Party, give: int, stack: int) -> None:
    """*party* lays a tile of the type *give* face up on *stack* and takes its former top (S8, GS8, GS15)."""
    taken, *rest = play.state.stacks[stack]
    name = play.name(party)
    change_stack(play, stack, (give, *rest), up=True)
    play.note(ArtefactMoved(name, STACKS[stack], ARTEFACTS[give]))
    play.note(ArtefactMoved(STACKS[stack], name, ARTEFACTS[taken]))
    gain_tile(play, party, give, -1)
    gain_tile(play, party, taken)


def change_stack(play: Play, stack: int, tiles: tuple[int, ...], *, up: bool) -> None:
    """Let *stack* hold *tiles*, its top face up or not."""
    state = play.state
    play.change(stacks=with_item(state.stacks, stack, tiles), face_up=with_item(state.face_up, stack, up))


def gain_tile(play: Play, party: Party, tile: int, change: int = 1) -> None:
    """*party* owns one more tile of a type; a seat that had passed for the round is asked again (§5.4)."""
    if board.is_seat(play.state, party):
        artefacts = counted(play.player(party).artefacts, tile, change)
        play.change_player(party, artefacts=artefacts, muted=False)
    else:
        play.change_ghost(party, artefacts=counted(play.ghost(party).artefacts, tile, change))


# -- spell cards -------------------------------------------------------------------------------------------


def draw_spells(play: Play, count: int) -> tuple[int, ...]:
    """The top *count* spell cards, fewer if there are no more; the discards are shuffled under (R23)."""
    state = play.state
    if len(state.spell_deck) < count and state.spell_discard:
        under = play.shuffled("C12", "deck.spells.again", state.spell_discard)
        play.change(spell_deck=state.spell_deck + under, spell_discard=())
    deck = play.state.spell_deck
    play.change(spell_deck=deck[count:])
    return deck[:count]


def draw_for(play: Play, party: Party) -> None:
    """A ghost gains the top spell card, unseen (§8.6)."""
    for drawn in draw_spells(play, 1):
        gain_spell(play, party, drawn)


def gain_spell(play: Play, party: Party, spell: int, giver: Seat | None = None) -> None:
    """*party* gets the card *spell*; *giver* has seen it."""
    play.note(SpellGained(play.name(party), spell, giver))
    if board.is_seat(play.state, party):
        spells = tuple(sorted((*play.player(party).spells, spell)))
        play.change_player(party, spells=spells, muted=False)
    else:
        play.change_ghost(party, stack=(*play.ghost(party).stack, spell))


def spend_spell(play: Play, seat: Seat, spell: int) -> None:
    """The card *spell* goes from the hand of *seat* to the used ones."""
    play.change_player(seat, spells=tuple(card for card in play.player(seat).spells if card != spell))
    play.change(spell_used=(*play.state.spell_used, spell))
