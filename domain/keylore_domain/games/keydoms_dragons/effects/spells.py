"""The spells of the seats, S1 to S21 (spec §6.3), with what ghosts in the game add (§8.11)."""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec.structs import replace

from keylore_domain.engine.seats import Seat
from keylore_domain.engine.steps import pop, push
from keylore_domain.games.keydoms_dragons import board, decisions, magic, treasury
from keylore_domain.games.keydoms_dragons.components import (
    ARTEFACTS,
    CAVES,
    CHOICE,
    COPY,
    DISCLOSURE,
    DONATION,
    DRAGON_LEAVES,
    DRAGON_RETURNS,
    EVICT,
    EXCHANGE,
    EXTORTION,
    GET_EVEN,
    GIFT,
    GUARD_ROOM,
    KEYTOWN,
    LEVY,
    LOCATIONS,
    MOONLIGHT,
    ODD_ONES_OUT,
    REARRANGE,
    SMUGGLER,
    STACKS,
    SUBSTITUTE,
    TABOO,
    TELEPORT,
    TOLL,
    TRADE,
    Location,
)
from keylore_domain.games.keydoms_dragons.decisions import Benefit, EachPays, OfferRemoval, Spell
from keylore_domain.games.keydoms_dragons.effects import powers
from keylore_domain.games.keydoms_dragons.facts import LocationClosed, SpellNoEffect, StackSeen
from keylore_domain.games.keydoms_dragons.play import Play
from keylore_domain.games.keydoms_dragons.prompts.spells import COMPENSATION
from keylore_domain.games.keydoms_dragons.state import NOBODY, Party, Region, State

DONATED: Final = 5
TOLLED: Final = 7
HOARD: Final = (4, 2)  # the ledges of Dragon leaves
Effect = Callable[[State, Spell, Play], State]


def _caster(spell: Spell) -> Seat:
    return Seat(spell.caster)


def _location(spell: Spell) -> Location:
    assert spell.targets.location is not None
    return spell.targets.location


def _choice(state: State, spell: Spell, play: Play) -> State:
    """S1: the purchase in this offer takes any tile of the stack."""
    question = state.pending[-1]
    assert isinstance(question, decisions.BuyArtefact)
    return push(pop(state), replace(question, choice=True))


def _copy(state: State, spell: Spell, play: Play) -> State:
    """S2: a key, a mirror or a raven without a tile."""
    seat, location = _caster(spell), spell.location
    assert location is not None
    if spell.targets.artefact == "key":
        return powers.use_key(state, seat)
    if spell.targets.artefact == "mirror":
        return board.add_copy(state, seat, spell.targets.token, play)
    return board.add_raven(state, seat, location, play)


def _disclosure(state: State, spell: Spell, play: Play) -> State:
    """S3: the other parties place face up from now on."""
    return replace(state, disclosure=(*state.disclosure, _caster(spell)))


def _donation(state: State, spell: Spell, play: Play) -> State:
    """S4: each seat pays 5 units; GX4: and a worker of each ghost may leave the caves."""
    return _all_pay(state, spell, DONATED, "caves")


def _toll(state: State, spell: Spell, play: Play) -> State:
    """S20: each seat pays 7 units; GX20: and a worker of each ghost may leave the board."""
    return _all_pay(state, spell, TOLLED, "board")


def _all_pay(state: State, spell: Spell, due: int, region: Region) -> State:
    seat = _caster(spell)
    removals = [OfferRemoval(seat, region, ghost) for ghost in reversed(range(state.seats, state.parties))]
    return push(state, *removals, EachPays(board.player_order(state), due))


def _dragon_leaves(state: State, spell: Spell, play: Play) -> State:
    """S5: the first cave whose dragon is at home opens with 4 and 2 units."""
    cave = next(cave for cave, status in zip(CAVES, state.status, strict=False) if status == "inactive")
    state = treasury.fill_caves(state, tuple(HOARD if at == cave else () for at in CAVES), play)
    if not treasury.cave_of(state, cave):
        play.note(SpellNoEffect(DRAGON_LEAVES))
        return state
    return board.with_status(state, cave, "open")


def _dragon_returns(state: State, spell: Spell, play: Play) -> State:
    """S6: the cave's treasure is gone, it is shut for the round."""
    cave = _location(spell)
    state = treasury.clear_caves(state, (cave,), play)
    play.note(LocationClosed(cave))
    return board.with_status(state, cave, "closed")


def _evict(state: State, spell: Spell, play: Play) -> State:
    """S7: the token leaves, then its owner chooses one of the caster's; GX7: or the caster an own one."""
    token = board.token_of(state, spell.targets.token)
    seat = _caster(spell)
    if board.is_seat(state, token.owner):
        state = board.remove(state, token, "evicted", play)
        return push(state, decisions.Reply(Seat(token.owner), seat))
    strength = board.strength(state, token)
    state = board.turn_up(state, (token,), token.location, play)
    state = board.remove(state, board.token_of(state, token.id), "evicted", play)
    return push(state, decisions.Reply(seat, seat, strength))


def _exchange(state: State, spell: Spell, play: Play) -> State:
    """S8: a tile for the top of a stack."""
    seat, tile = _caster(spell), ARTEFACTS.index(spell.targets.give or "")
    stack = STACKS.index(spell.targets.stack or "")
    if not magic.unused(state.players[seat], tile):
        play.note(SpellNoEffect(EXCHANGE))
        return state
    return magic.swap_top(state, seat, tile, stack, play)


def _extortion(state: State, spell: Spell, play: Play) -> State:
    """S9: the other seats pay for their tokens in the castle; GX9: the weakest ghost worker leaves it."""
    seat = _caster(spell)
    steps = [decisions.UnmaskCastle(seat)] if state.ghosts else []
    return push(state, *steps, decisions.Extort(board.others(state, seat)))


def _strike(state: State, location: Location, odd: int, play: Play) -> State:
    for token in board.tokens_at(state, location):
        if token.up and token.kind != "mirror" and board.used_number(state, token) % 2 == odd:
            state = board.remove(state, token, "returned", play)
    return state


def _get_even(state: State, spell: Spell, play: Play) -> State:
    """S10: face-up tokens with an even number leave."""
    return _strike(state, _location(spell), 0, play)


def _odd_ones_out(state: State, spell: Spell, play: Play) -> State:
    """S14: face-up tokens with an odd number leave, and ravens."""
    return _strike(state, _location(spell), 1, play)


def _gift(state: State, spell: Spell, play: Play) -> State:
    """S11: three units from the treasury."""
    return push(state, decisions.TakeGift(_caster(spell))) if any(state.treasury) else state


def _levy(state: State, spell: Spell, play: Play) -> State:
    """S12: the other seats pay for each token in Keytown; GX12: a ghost's token there may leave."""
    seat = _caster(spell)
    removal = [OfferRemoval(seat, "keytown")] if state.ghosts else []
    return push(state, *removal, levied(state, board.others(state, seat)))


def levied(state: State, seats: tuple[Seat, ...]) -> decisions.LevyTokens:
    """The tokens of *seats* in Keytown, by player order, location and age."""
    tokens = sorted(board.tokens_in(state, KEYTOWN), key=lambda token: (token.location, token.serial))
    return decisions.LevyTokens(tuple(t.id for seat in seats for t in tokens if t.owner == seat))


def _moonlight(state: State, spell: Spell, play: Play) -> State:
    """S13: an own worker moves."""
    return board.move(state, board.token_of(state, spell.targets.token), _location(spell), play)


def _rearrange(state: State, spell: Spell, play: Play) -> State:
    """S15: the caster looks through a stack and lays one tile on top."""
    seat = _caster(spell)
    return search(state, seat, STACKS.index(spell.targets.stack or ""), play, buying=False)


def search(state: State, seat: Seat, stack: int, play: Play, *, buying: bool) -> State:
    """*seat* looks through *stack* to choose a tile (S1, S15)."""
    tiles = tuple(ARTEFACTS[tile] for tile in sorted(state.stacks[stack]))
    play.note(StackSeen(seat, STACKS[stack], tiles))
    return push(state, decisions.ChooseFromStack(seat, stack, buying))


def _smuggler(state: State, spell: Spell, play: Play) -> State:
    """S16: the benefits of the unoccupied locations of Keytown, in letter order."""
    return push(state, *benefits(state, spell.caster))


def benefits(state: State, party: Party) -> list[Benefit]:
    """The unoccupied locations of Keytown for *party*, the first of them on top."""
    free = [at for at in KEYTOWN if board.is_open(state, at) and board.is_empty(state, at)]
    return [Benefit(party, at) for at in reversed(free)]


def _substitute(state: State, spell: Spell, play: Play) -> State:
    """S17: 1 and 9 change places from here on; a second time they change back."""
    first = LOCATIONS.index(spell.location) if spell.location else 0
    struck = [at for at in LOCATIONS[first:] if at != GUARD_ROOM]
    both = tuple(at for at in LOCATIONS if (at in struck) != (at in state.substituted))
    return replace(state, substituted=both)


def _taboo(state: State, spell: Spell, play: Play) -> State:
    """S18: no more workers or ravens come to the location."""
    return replace(state, taboo=(*state.taboo, _location(spell)))


def _teleport(state: State, spell: Spell, play: Play) -> State:
    """S19: another party's worker moves, its owner is paid (GX19: the treasury is)."""
    token = board.token_of(state, spell.targets.token)
    payee = token.owner if board.is_seat(state, token.owner) else NOBODY
    state = board.move(state, token, _location(spell), play)
    return push(state, decisions.PayAny(_caster(spell), COMPENSATION, payee))


def _trade(state: State, spell: Spell, play: Play) -> State:
    """S21: any number of units for as many of other types."""
    return push(state, decisions.TradeGive(_caster(spell)))


EFFECTS: Final[Mapping[int, Effect]] = {
    CHOICE: _choice,
    COPY: _copy,
    DISCLOSURE: _disclosure,
    DONATION: _donation,
    DRAGON_LEAVES: _dragon_leaves,
    DRAGON_RETURNS: _dragon_returns,
    EVICT: _evict,
    EXCHANGE: _exchange,
    EXTORTION: _extortion,
    GET_EVEN: _get_even,
    GIFT: _gift,
    LEVY: _levy,
    MOONLIGHT: _moonlight,
    ODD_ONES_OUT: _odd_ones_out,
    REARRANGE: _rearrange,
    SMUGGLER: _smuggler,
    SUBSTITUTE: _substitute,
    TABOO: _taboo,
    TELEPORT: _teleport,
    TOLL: _toll,
    TRADE: _trade,
}
