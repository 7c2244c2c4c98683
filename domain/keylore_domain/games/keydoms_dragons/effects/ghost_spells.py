"""The spells of the ghosts, GS1 to GS21 (spec §8.10)."""

from collections.abc import Callable, Mapping
from typing import Final

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
from keylore_domain.games.keydoms_dragons.effects import ghost_turns, magic, powers
from keylore_domain.games.keydoms_dragons.effects.spells import DONATED, TOLLED, benefits, levied
from keylore_domain.games.keydoms_dragons.facts import ArtefactTurned, GhostEffect, SpellNoEffect
from keylore_domain.games.keydoms_dragons.play import Play, move, remove
from keylore_domain.games.keydoms_dragons.state import board, decisions
from keylore_domain.games.keydoms_dragons.state.position import Party, State, Waiting

Effect = Callable[[Play, Party], None]
GIFTS: Final = 2  # GS11
REMOVED: Final[Mapping[int, int]] = {TABOO: 2, TELEPORT: 1}  # GS18, GS19


def _note(play: Play, spell: int, party: Party) -> None:
    play.note(GhostEffect(f"GS{spell}", play.name(party)))


def _charm(spell: int) -> Effect:
    """GS1, GS3, GS21: in force for this ghost until the end of the round."""

    def effect(play: Play, party: Party) -> None:
        _note(play, spell, party)
        play.change_ghost(party, charms=(*play.ghost(party).charms, spell))

    return effect


def _copy(play: Play, party: Party) -> None:
    """GS2: what seats invoke this round, before or after, wakes its power in this ghost too."""
    _charm(COPY)(play, party)
    invoked = {tile for player in play.state.players for tile, count in enumerate(player.invoked) if count}
    for tile in sorted(invoked):
        powers.share(play, party, tile)


def _curse(spell: int) -> Effect:
    """GS10, GS14, GS17: in force against all seats until the end of the round."""

    def effect(play: Play, party: Party) -> None:
        _note(play, spell, party)
        play.change(curses=tuple(sorted({*play.state.curses, spell})))

    return effect


def _wait(spell: int) -> Effect:
    """GS13, GS18, GS19: comes later in the round."""

    def effect(play: Play, party: Party) -> None:
        play.change(waiting=(*play.state.waiting, Waiting(party, spell)))

    return effect


def _all_pay(due: int) -> Effect:
    """GS4, GS20: every seat pays so much or all."""

    def effect(play: Play, _party: Party) -> None:
        play.push(decisions.EachPays(board.player_order(play.state), due))

    return effect


def _evict(play: Play, party: Party) -> None:
    """GS7: at the last location with a ghost and a seat, each party loses a token at random."""
    state = play.state
    for location in reversed(LOCATIONS):
        here = board.tokens_at(state, location)
        if {board.is_seat(state, token.owner) for token in here} == {True, False}:
            _note(play, EVICT, party)
            _evict_each(play, location)
            return
    play.note(SpellNoEffect(EVICT))


def _evict_each(play: Play, location: Location) -> None:
    for loser in board.turn_order(play.state):
        here = board.in_order(board.tokens_at(play.state, location))
        own = [token for token in here if token.owner == loser]
        if own:
            remove(play, play.picked("C10", "evict", own, lambda each: each.id), "evicted")


def _exchange(play: Play, party: Party) -> None:
    """GS8: a double for a type it lacks, first from a room without ghosts."""
    state = play.state
    _swap(play, party, EXCHANGE, lambda stack: (_is_haunted(state, stack), stack))


def _rearrange(play: Play, party: Party) -> None:
    """GS15: a double for a type it lacks, from the leftmost room."""
    _swap(play, party, REARRANGE, lambda stack: (False, stack))


def _is_haunted(state: State, stack: int) -> bool:
    room = next(room for room in CASTLE if stack in board.stacks_of(state, room))
    return any(not board.is_seat(state, token.owner) for token in board.tokens_at(state, room))


def _swap(play: Play, party: Party, spell: int, preference: Callable[[int], tuple[bool, int]]) -> None:
    state, ghost = play.state, play.ghost(party)
    most = max(ghost.artefacts)
    wanted = [
        stack
        for stack, tiles in enumerate(state.stacks)
        if tiles and state.face_up[stack] and not ghost.artefacts[tiles[0]]
    ]
    if most < 2 or not wanted:
        play.note(SpellNoEffect(spell))
        return
    _note(play, spell, party)
    give = ghost.artefacts.index(most)
    if ghost.artefacts[give] == ghost.face_up[give]:  # no face-down tile of the type
        play.note(ArtefactTurned(play.name(party), ARTEFACTS[give], "down"))
        play.change_ghost(party, face_up=magic.counted(ghost.face_up, give, -1))
    magic.swap_top(play, party, give, min(wanted, key=preference))


def _extortion(play: Play, _party: Party) -> None:
    """GS9: every seat as in S9."""
    play.push(decisions.Extort(board.player_order(play.state)))


def _gift(play: Play, party: Party) -> None:
    """GS11: two spell cards."""
    for _ in range(GIFTS):
        magic.draw_for(play, party)


def _levy(play: Play, _party: Party) -> None:
    """GS12: every seat as in S12."""
    play.push(levied(play.state, board.player_order(play.state)))


def _smuggler(play: Play, party: Party) -> None:
    """GS16: the benefits of the unoccupied locations of Keytown."""
    play.push(*benefits(play.state, party))


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


def remove_workers(play: Play) -> None:
    """GS18, GS19 at the start of phase 2, in the order in which they took effect."""
    seats = board.player_order(play.state)
    steps = []
    for each in play.state.waiting:
        if each.spell in REMOVED:
            _note(play, each.spell, each.party)
            steps.append(decisions.RemoveOwn(seats, REMOVED[each.spell], REMOVED[each.spell]))
    play.push(*steps)


def moonlight(play: Play, _step: decisions.GhostMoonlight) -> None:
    """GS13 after the caves: the strongest worker there goes to the castle."""
    for each in play.state.waiting:
        if each.spell == MOONLIGHT:
            _moonlight(play, each.party)


def _moonlight(play: Play, party: Party) -> None:
    state = play.state
    own = [t for t in board.in_order(board.tokens_in(state, CAVES)) if t.owner == party]
    rooms = [at for at in board.free_locations(state) if at in CASTLE]
    if not own or not rooms:
        play.note(SpellNoEffect(MOONLIGHT))
        return
    _note(play, MOONLIGHT, party)
    token = max(own, key=lambda each: each.number)
    lacking = [at for at in rooms if ghost_turns.lacks_displayed(state, party, at)]
    move(play, token, (lacking or rooms)[0], up=True)
