"""Artefacts and spells behind the screens: who may use them, where tiles and cards go (spec §5.4)."""

from msgspec.structs import replace

from keylore_domain.engine.seats import Seat, with_item
from keylore_domain.games.keydoms_dragons import board
from keylore_domain.games.keydoms_dragons.components import (
    AMULET,
    ARTEFACTS,
    KEY,
    STACKS,
    WAND,
)
from keylore_domain.games.keydoms_dragons.facts import ArtefactInvoked, ArtefactMoved, SpellGained
from keylore_domain.games.keydoms_dragons.play import Play
from keylore_domain.games.keydoms_dragons.state import Party, Player, State, Vector

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


def invoke(state: State, seat: Seat, artefact: int, play: Play) -> State:
    """*seat* turns up one of its tiles."""
    player = state.players[seat]
    player = replace(player, invoked=counted(player.invoked, artefact, 1))
    play.note(ArtefactInvoked(seat, ARTEFACTS[artefact]))
    return board.with_player(state, seat, player)


def guard_strength(state: State) -> int:
    """The guard with what the ghosts' keys add (L6, GA2)."""
    keys = sum(KEY in ghost.powers for ghost in state.ghosts)
    return min(GUARD_MOST, state.guard + KEY_BONUS * keys) if keys else state.guard


# -- tiles -------------------------------------------------------------------------------------------------


def take_top(state: State, party: Party, stack: int, play: Play) -> State:
    """*party* takes the top tile of *stack*; what lies below stays face down (L7, GL-K)."""
    tile, *rest = state.stacks[stack]
    state = with_stack(state, stack, tuple(rest), up=False)
    play.note(ArtefactMoved(STACKS[stack], board.party_name(state, party), ARTEFACTS[tile]))
    return gain_tile(state, party, tile)


def swap_top(state: State, party: Party, give: int, stack: int, play: Play) -> State:
    """*party* lays a tile of the type *give* face up on *stack* and takes its former top (S8, GS8, GS15)."""
    taken, *rest = state.stacks[stack]
    name = board.party_name(state, party)
    state = with_stack(state, stack, (give, *rest), up=True)
    play.note(ArtefactMoved(name, STACKS[stack], ARTEFACTS[give]))
    play.note(ArtefactMoved(STACKS[stack], name, ARTEFACTS[taken]))
    return gain_tile(gain_tile(state, party, give, -1), party, taken)


def with_stack(state: State, stack: int, tiles: tuple[int, ...], *, up: bool) -> State:
    """*state* in which *stack* holds *tiles*, its top face up or not."""
    stacks = with_item(state.stacks, stack, tiles)
    return replace(state, stacks=stacks, face_up=with_item(state.face_up, stack, up))


def gain_tile(state: State, party: Party, tile: int, change: int = 1) -> State:
    """*party* owns one more tile of a type; a seat that had passed for the round is asked again (§5.4)."""
    if board.is_seat(state, party):
        player = state.players[party]
        player = replace(player, artefacts=counted(player.artefacts, tile, change), muted=False)
        return board.with_player(state, party, player)
    ghost = board.ghost_of(state, party)
    return board.with_ghost(state, party, replace(ghost, artefacts=counted(ghost.artefacts, tile, change)))


# -- spell cards -------------------------------------------------------------------------------------------


def draw_spells(state: State, count: int, play: Play) -> tuple[State, tuple[int, ...]]:
    """The top *count* spell cards, fewer if there are no more; the discards are shuffled under (R23)."""
    if len(state.spell_deck) < count and state.spell_discard:
        under = play.shuffled("C12", "deck.spells.again", state.spell_discard)
        state = replace(state, spell_deck=state.spell_deck + under, spell_discard=())
    drawn = state.spell_deck[:count]
    return replace(state, spell_deck=state.spell_deck[count:]), drawn


def draw_for(state: State, party: Party, play: Play) -> State:
    """A ghost gains the top spell card, unseen (§8.6)."""
    state, drawn = draw_spells(state, 1, play)
    return gain_spell(state, party, drawn[0], play) if drawn else state


def gain_spell(state: State, party: Party, spell: int, play: Play, giver: Seat | None = None) -> State:
    """*party* gets the card *spell*; *giver* has seen it."""
    play.note(SpellGained(board.party_name(state, party), spell, giver))
    if not board.is_seat(state, party):
        ghost = board.ghost_of(state, party)
        return board.with_ghost(state, party, replace(ghost, stack=(*ghost.stack, spell)))
    player = state.players[party]
    return board.with_player(
        state, party, replace(player, spells=tuple(sorted((*player.spells, spell))), muted=False)
    )


def spend_spell(state: State, seat: Seat, spell: int) -> State:
    """The card *spell* goes from the hand of *seat* to the used ones."""
    player = state.players[seat]
    left = tuple(card for card in player.spells if card != spell)
    state = board.with_player(state, seat, replace(player, spells=left))
    return replace(state, spell_used=(*state.spell_used, spell))
