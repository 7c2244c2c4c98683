"""The spells of the ghosts, GS1 to GS21 (spec §8.10)."""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec.structs import replace

from keylore_domain.engine.steps import push
from keylore_domain.games.keydoms_dragons import board, decisions, magic
from keylore_domain.games.keydoms_dragons.components import (
    ARTEFACTS,
    CASTLE,
    CAVES,
    CHOICE,
    COPY,
    DISCLOSURE,
    DONATION,
    EVICT,
    EXCHANGE,
    EXTORTION,
    GET_EVEN,
    GIFT,
    LEVY,
    LOCATIONS,
    MOONLIGHT,
    ODD_ONES_OUT,
    REARRANGE,
    SMUGGLER,
    SUBSTITUTE,
    TABOO,
    TELEPORT,
    TOLL,
    TRADE,
    Location,
)
from keylore_domain.games.keydoms_dragons.effects import ghost_turns, powers
from keylore_domain.games.keydoms_dragons.effects.spells import DONATED, TOLLED, benefits, levied
from keylore_domain.games.keydoms_dragons.facts import ArtefactTurned, GhostEffect, SpellNoEffect
from keylore_domain.games.keydoms_dragons.play import Play
from keylore_domain.games.keydoms_dragons.state import Party, State, Waiting

Effect = Callable[[State, Party, Play], State]
GIFTS: Final = 2  # GS11
REMOVED: Final[Mapping[int, int]] = {TABOO: 2, TELEPORT: 1}  # GS18, GS19


def _note(state: State, spell: int, party: Party, play: Play) -> None:
    play.note(GhostEffect(f"GS{spell}", board.party_name(state, party)))


def _charm(spell: int) -> Effect:
    """GS1, GS3, GS21: in force for this ghost until the end of the round."""

    def effect(state: State, party: Party, play: Play) -> State:
        _note(state, spell, party, play)
        ghost = board.ghost_of(state, party)
        return board.with_ghost(state, party, replace(ghost, charms=(*ghost.charms, spell)))

    return effect


def _copy(state: State, party: Party, play: Play) -> State:
    """GS2: what seats invoke this round, before or after, wakes its power in this ghost too."""
    state = _charm(COPY)(state, party, play)
    invoked = {tile for player in state.players for tile, count in enumerate(player.invoked) if count}
    for tile in sorted(invoked):
        state = powers.share(state, party, tile, play)
    return state


def _curse(spell: int) -> Effect:
    """GS10, GS14, GS17: in force against all seats until the end of the round."""

    def effect(state: State, party: Party, play: Play) -> State:
        _note(state, spell, party, play)
        return replace(state, curses=tuple(sorted({*state.curses, spell})))

    return effect


def _wait(spell: int) -> Effect:
    """GS13, GS18, GS19: comes later in the round."""

    def effect(state: State, party: Party, play: Play) -> State:
        return replace(state, waiting=(*state.waiting, Waiting(party, spell)))

    return effect


def _all_pay(due: int) -> Effect:
    """GS4, GS20: every seat pays so much or all."""

    def effect(state: State, party: Party, play: Play) -> State:
        return push(state, decisions.EachPays(board.player_order(state), due))

    return effect


def _evict(state: State, party: Party, play: Play) -> State:
    """GS7: at the last location with a ghost and a seat, each party loses a token at random."""
    for location in reversed(LOCATIONS):
        here = board.tokens_at(state, location)
        if {board.is_seat(state, token.owner) for token in here} == {True, False}:
            _note(state, EVICT, party, play)
            return _evict_each(state, location, play)
    play.note(SpellNoEffect(EVICT))
    return state


def _evict_each(state: State, location: Location, play: Play) -> State:
    for loser in board.turn_order(state):
        own = [token for token in board.in_order(board.tokens_at(state, location)) if token.owner == loser]
        if own:
            token = play.pick("C10", "evict", own, lambda each: each.id)
            state = board.remove(state, token, "evicted", play)
    return state


def _exchange(state: State, party: Party, play: Play) -> State:
    """GS8: a double for a type it lacks, first from a room without ghosts."""
    return _swap(state, party, EXCHANGE, lambda stack: (_is_haunted(state, stack), stack), play)


def _rearrange(state: State, party: Party, play: Play) -> State:
    """GS15: a double for a type it lacks, from the leftmost room."""
    return _swap(state, party, REARRANGE, lambda stack: (False, stack), play)


def _is_haunted(state: State, stack: int) -> bool:
    room = next(room for room in CASTLE if stack in board.stacks_of(state, room))
    return any(not board.is_seat(state, token.owner) for token in board.tokens_at(state, room))


def _swap(
    state: State, party: Party, spell: int, preference: Callable[[int], tuple[bool, int]], play: Play
) -> State:
    ghost = board.ghost_of(state, party)
    most = max(ghost.artefacts)
    wanted = [
        stack
        for stack, tiles in enumerate(state.stacks)
        if tiles and state.face_up[stack] and not ghost.artefacts[tiles[0]]
    ]
    if most < 2 or not wanted:
        play.note(SpellNoEffect(spell))
        return state
    _note(state, spell, party, play)
    give = ghost.artefacts.index(most)
    if ghost.artefacts[give] == ghost.face_up[give]:  # no face-down tile of the type
        name = board.party_name(state, party)
        play.note(ArtefactTurned(name, ARTEFACTS[give], "down"))
        ghost = replace(ghost, face_up=magic.counted(ghost.face_up, give, -1))
        state = board.with_ghost(state, party, ghost)
    return magic.swap_top(state, party, give, min(wanted, key=preference), play)


def _extortion(state: State, party: Party, play: Play) -> State:
    """GS9: every seat as in S9."""
    return push(state, decisions.Extort(board.player_order(state)))


def _gift(state: State, party: Party, play: Play) -> State:
    """GS11: two spell cards."""
    for _ in range(GIFTS):
        state = magic.draw_for(state, party, play)
    return state


def _levy(state: State, party: Party, play: Play) -> State:
    """GS12: every seat as in S12."""
    return push(state, levied(state, board.player_order(state)))


def _smuggler(state: State, party: Party, play: Play) -> State:
    """GS16: the benefits of the unoccupied locations of Keytown."""
    return push(state, *benefits(state, party))


EFFECTS: Final[Mapping[int, Effect]] = {
    CHOICE: _charm(CHOICE),
    COPY: _copy,
    DISCLOSURE: _charm(DISCLOSURE),
    DONATION: _all_pay(DONATED),
    EVICT: _evict,
    EXCHANGE: _exchange,
    EXTORTION: _extortion,
    GET_EVEN: _curse(GET_EVEN),
    GIFT: _gift,
    LEVY: _levy,
    MOONLIGHT: _wait(MOONLIGHT),
    ODD_ONES_OUT: _curse(ODD_ONES_OUT),
    REARRANGE: _rearrange,
    SMUGGLER: _smuggler,
    SUBSTITUTE: _curse(SUBSTITUTE),
    TABOO: _wait(TABOO),
    TELEPORT: _wait(TELEPORT),
    TOLL: _all_pay(TOLLED),
    TRADE: _charm(TRADE),
}

# -- effects that waited -----------------------------------------------------------------------------------


def remove_workers(state: State, step: decisions.GhostRemovals, play: Play) -> State:
    """GS18, GS19 at the start of phase 2, in the order in which they took effect."""
    seats = board.player_order(state)
    steps = []
    for each in state.waiting:
        if each.spell in REMOVED:
            _note(state, each.spell, each.party, play)
            steps.append(decisions.RemoveOwn(seats, REMOVED[each.spell], REMOVED[each.spell]))
    return push(state, *reversed(steps))


def moonlight(state: State, step: decisions.GhostMoonlight, play: Play) -> State:
    """GS13 after the caves: the strongest worker there goes to the castle."""
    for each in state.waiting:
        if each.spell == MOONLIGHT:
            state = _moonlight(state, each.party, play)
    return state


def _moonlight(state: State, party: Party, play: Play) -> State:
    own = [t for t in board.in_order(board.tokens_in(state, CAVES)) if t.owner == party]
    rooms = [at for at in board.free_locations(state) if at in CASTLE]
    if not own or not rooms:
        play.note(SpellNoEffect(MOONLIGHT))
        return state
    _note(state, MOONLIGHT, party, play)
    token = max(own, key=lambda each: each.number)
    lacking = [at for at in rooms if ghost_turns.lacks_displayed(state, party, at)]
    return board.move(state, token, (lacking or rooms)[0], play, up=True)
