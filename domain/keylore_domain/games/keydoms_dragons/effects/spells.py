"""The spells of the seats, S1 to S21 (spec §6.3), with what ghosts in the game add (§8.11)."""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec.structs import replace

from keylore_domain.engine.seats import Seat
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
from keylore_domain.games.keydoms_dragons.effects import magic, powers, treasury
from keylore_domain.games.keydoms_dragons.facts import LocationClosed, SpellNoEffect, StackSeen
from keylore_domain.games.keydoms_dragons.play import Play, add_copy, add_raven, move, remove, turn_up
from keylore_domain.games.keydoms_dragons.prompts.spells import COMPENSATION
from keylore_domain.games.keydoms_dragons.state import board, decisions
from keylore_domain.games.keydoms_dragons.state.decisions import Benefit, EachPays, OfferRemoval, Spell
from keylore_domain.games.keydoms_dragons.state.position import NOBODY, Party, Region, State

DONATED: Final = 5
TOLLED: Final = 7
HOARD: Final = (4, 2)  # the ledges of Dragon leaves
Effect = Callable[[Play, Spell], None]


def _caster(spell: Spell) -> Seat:
    return Seat(spell.caster)


def _location(spell: Spell) -> Location:
    assert spell.targets.location is not None
    return spell.targets.location


def _choice(play: Play, _spell: Spell) -> None:
    """S1: the purchase in this offer takes any tile of the stack."""
    question = play.stack.pop()
    assert isinstance(question, decisions.BuyArtefact)
    play.push(replace(question, choice=True))


def _copy(play: Play, spell: Spell) -> None:
    """S2: a key, a mirror or a raven without a tile."""
    seat, location = _caster(spell), spell.location
    assert location is not None
    if spell.targets.artefact == "key":
        powers.use_key(play, seat)
    elif spell.targets.artefact == "mirror":
        add_copy(play, seat, spell.targets.token)
    else:
        add_raven(play, seat, location)


def _disclosure(play: Play, spell: Spell) -> None:
    """S3: the other parties place face up from now on."""
    play.change(disclosure=(*play.state.disclosure, _caster(spell)))


def _donation(play: Play, spell: Spell) -> None:
    """S4: each seat pays 5 units; GX4: and a worker of each ghost may leave the caves."""
    _all_pay(play, spell, DONATED, "caves")


def _toll(play: Play, spell: Spell) -> None:
    """S20: each seat pays 7 units; GX20: and a worker of each ghost may leave the board."""
    _all_pay(play, spell, TOLLED, "board")


def _all_pay(play: Play, spell: Spell, due: int, region: Region) -> None:
    state, seat = play.state, _caster(spell)
    removals = [OfferRemoval(seat, region, ghost) for ghost in range(state.seats, state.parties)]
    play.push(EachPays(board.player_order(state), due), *removals)


def _dragon_leaves(play: Play, _spell: Spell) -> None:
    """S5: the first cave whose dragon is at home opens with 4 and 2 units."""
    statuses = play.state.status
    cave = next(cave for cave, status in zip(CAVES, statuses, strict=False) if status == "inactive")
    treasury.fill_caves(play, tuple(HOARD if at == cave else () for at in CAVES))
    if treasury.cave_of(play.state, cave):
        play.change_status(cave, "open")
    else:
        play.note(SpellNoEffect(DRAGON_LEAVES))


def _dragon_returns(play: Play, spell: Spell) -> None:
    """S6: the cave's treasure is gone, it is shut for the round."""
    cave = _location(spell)
    treasury.clear_caves(play, (cave,))
    play.note(LocationClosed(cave))
    play.change_status(cave, "closed")


def _evict(play: Play, spell: Spell) -> None:
    """S7: the token leaves, then its owner chooses one of the caster's; GX7: or the caster an own one."""
    token = board.token_of(play.state, spell.targets.token)
    seat = _caster(spell)
    if board.is_seat(play.state, token.owner):
        remove(play, token, "evicted")
        play.push(decisions.Reply(Seat(token.owner), seat))
        return
    strength = board.strength(play.state, token)
    turn_up(play, (token,), token.location)
    remove(play, board.token_of(play.state, token.id), "evicted")
    play.push(decisions.Reply(seat, seat, strength))


def _exchange(play: Play, spell: Spell) -> None:
    """S8: a tile for the top of a stack."""
    seat, tile = _caster(spell), ARTEFACTS.index(spell.targets.give or "")
    if magic.unused(play.player(seat), tile):
        magic.swap_top(play, seat, tile, STACKS.index(spell.targets.stack or ""))
    else:
        play.note(SpellNoEffect(EXCHANGE))


def _extortion(play: Play, spell: Spell) -> None:
    """S9: the other seats pay for their tokens in the castle; GX9: the weakest ghost worker leaves it."""
    seat = _caster(spell)
    unmasked = [decisions.UnmaskCastle(seat)] if play.state.ghosts else []
    play.push(decisions.Extort(board.others(play.state, seat)), *unmasked)


def _strike(play: Play, location: Location, odd: int) -> None:
    for token in board.tokens_at(play.state, location):
        if token.up and token.kind != "mirror" and board.used_number(play.state, token) % 2 == odd:
            remove(play, token, "returned")


def _get_even(play: Play, spell: Spell) -> None:
    """S10: face-up tokens with an even number leave."""
    _strike(play, _location(spell), 0)


def _odd_ones_out(play: Play, spell: Spell) -> None:
    """S14: face-up tokens with an odd number leave, and ravens."""
    _strike(play, _location(spell), 1)


def _gift(play: Play, spell: Spell) -> None:
    """S11: three units from the treasury."""
    if any(play.state.treasury):
        play.push(decisions.TakeGift(_caster(spell)))


def _levy(play: Play, spell: Spell) -> None:
    """S12: the other seats pay for each token in Keytown; GX12: a ghost's token there may leave."""
    state, seat = play.state, _caster(spell)
    removal = [OfferRemoval(seat, "keytown")] if state.ghosts else []
    play.push(levied(state, board.others(state, seat)), *removal)


def levied(state: State, seats: tuple[Seat, ...]) -> decisions.LevyTokens:
    """The tokens of *seats* in Keytown, by player order, location and age."""
    tokens = sorted(board.tokens_in(state, KEYTOWN), key=lambda token: (token.location, token.serial))
    return decisions.LevyTokens(tuple(t.id for seat in seats for t in tokens if t.owner == seat))


def _moonlight(play: Play, spell: Spell) -> None:
    """S13: an own worker moves."""
    move(play, board.token_of(play.state, spell.targets.token), _location(spell))


def _rearrange(play: Play, spell: Spell) -> None:
    """S15: the caster looks through a stack and lays one tile on top."""
    search(play, _caster(spell), STACKS.index(spell.targets.stack or ""), buying=False)


def search(play: Play, seat: Seat, stack: int, *, buying: bool) -> None:
    """*seat* looks through *stack* to choose a tile (S1, S15)."""
    tiles = tuple(ARTEFACTS[tile] for tile in sorted(play.state.stacks[stack]))
    play.note(StackSeen(seat, STACKS[stack], tiles))
    play.push(decisions.ChooseFromStack(seat, stack, buying))


def _smuggler(play: Play, spell: Spell) -> None:
    """S16: the benefits of the unoccupied locations of Keytown, in letter order."""
    play.push(*benefits(play.state, spell.caster))


def benefits(state: State, party: Party) -> list[Benefit]:
    """The unoccupied locations of Keytown for *party*, in letter order."""
    free = [at for at in KEYTOWN if board.is_open(state, at) and board.is_empty(state, at)]
    return [Benefit(party, at) for at in free]


def _substitute(play: Play, spell: Spell) -> None:
    """S17: 1 and 9 change places from here on; a second time they change back."""
    first = LOCATIONS.index(spell.location) if spell.location else 0
    struck = [at for at in LOCATIONS[first:] if at != GUARD_ROOM]
    before = play.state.substituted
    play.change(substituted=tuple(at for at in LOCATIONS if (at in struck) != (at in before)))


def _taboo(play: Play, spell: Spell) -> None:
    """S18: no more workers or ravens come to the location."""
    play.change(taboo=(*play.state.taboo, _location(spell)))


def _teleport(play: Play, spell: Spell) -> None:
    """S19: another party's worker moves, its owner is paid (GX19: the treasury is)."""
    token = board.token_of(play.state, spell.targets.token)
    payee = token.owner if board.is_seat(play.state, token.owner) else NOBODY
    move(play, token, _location(spell))
    play.push(decisions.PayAny(_caster(spell), COMPENSATION, payee))


def _trade(play: Play, spell: Spell) -> None:
    """S21: any number of units for as many of other types."""
    play.push(decisions.TradeGive(_caster(spell)))


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
