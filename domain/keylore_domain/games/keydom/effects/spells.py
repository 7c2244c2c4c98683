"""The effects of the spells, by the effect names of the data file (SP1 to SP24)."""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec.structs import replace

from keylore_domain.engine.payments import unit
from keylore_domain.engine.seats import others_clockwise
from keylore_domain.games.keydom import facts
from keylore_domain.games.keydom.components.entries import SpellCard
from keylore_domain.games.keydom.components.names import COLOURS
from keylore_domain.games.keydom.moves import DonateCube as Give
from keylore_domain.games.keydom.moves import Done, Swap
from keylore_domain.games.keydom.play import (
    NUMBER_OF_COLOURS,
    Play,
    change_number,
    exchange,
    exchanges,
    gain_from_stock,
    move_cubes,
    remove_token,
    return_counter,
)
from keylore_domain.games.keydom.state.decisions import DonateCube, ExchangeCube, ResolveSpell
from keylore_domain.games.keydom.state.position import OvertimeClaim, Token, current_at, here, token_of

Effect = Callable[[Play, ResolveSpell, SpellCard], None]


def gain_cubes(play: Play, cast: ResolveSpell, card: SpellCard) -> None:
    """SP1 to SP5: cubes of one colour from the stock."""
    gain_from_stock(play, cast.seat, card.params.colour or "", card.params.count or 0)


def exchange_cubes(play: Play, cast: ResolveSpell, card: SpellCard) -> None:
    """SP6, SP7: some exchanges with the stock, one at least."""
    play.push(ExchangeCube(cast.seat, card.id, card.params.max or 0, begun=False))


def answer_exchange(play: Play, asked: ExchangeCube, move: Swap | Done) -> None:
    """One exchange; the next one is asked for while it is allowed and possible."""
    if isinstance(move, Done):
        return
    exchange(play, asked.seat, move.give, move.take)
    if asked.left > 1 and exchanges(play.family(asked.seat).cubes, play.state.stock):
        play.push(replace(asked, left=asked.left - 1, begun=True))


def levy_richer(play: Play, cast: ResolveSpell, card: SpellCard) -> None:
    """SP8: seats with more cubes than the caster give it some, clockwise."""
    held = [sum(family.cubes) for family in play.state.families]
    gifts = [
        DonateCube(seat, cast.seat)
        for seat in others_clockwise(cast.seat, len(held))
        if held[seat] > held[cast.seat]
        for _ in range(min(card.params.count or 0, held[seat]))
    ]
    if gifts:
        play.push(*gifts)
    else:
        play.note(facts.SpellNoEffect(card.id))


def answer_donate_cube(play: Play, asked: DonateCube, move: Give) -> None:
    """A cube of the giver's choice (SP8, PRI-4)."""
    amount = unit(NUMBER_OF_COLOURS, COLOURS.index(move.colour))
    move_cubes(play, asked.seat, "stock" if asked.to is None else asked.to, amount)


def pick_cube(play: Play, cast: ResolveSpell, card: SpellCard) -> None:
    """SP9: a cube of a named colour, if the named seat has one."""
    (target,) = cast.targets
    assert target.seat is not None
    at = COLOURS.index(target.colour or "")
    if play.family(target.seat).cubes[at]:
        move_cubes(play, target.seat, cast.seat, unit(NUMBER_OF_COLOURS, at))
    else:
        play.note(facts.SpellNoEffect(card.id))


def move_own(play: Play, cast: ResolveSpell, _card: SpellCard) -> None:
    """SP10: an own token goes elsewhere."""
    _move(play, _target(play, cast, 0), cast.targets[1].location or "")


def _target(play: Play, cast: ResolveSpell, at: int) -> Token:
    return token_of(play.state, cast.targets[at].token or "")


def _move(play: Play, token: Token, goal: str) -> None:
    play.note(facts.CounterMoved(token.token, token.location, goal))
    play.change_token(token, location=goal)


def return_other(play: Play, cast: ResolveSpell, _card: SpellCard) -> None:
    """SP11: another seat's token comes back to its owner."""
    return_counter(play, _target(play, cast, 0), "banished")


def swap_with_other(play: Play, cast: ResolveSpell, _card: SpellCard) -> None:
    """SP12: two tokens change places."""
    own, other = _target(play, cast, 0), _target(play, cast, 1)
    _move(play, own, other.location)
    _move(play, other, own.location)


def modify_number(play: Play, cast: ResolveSpell, card: SpellCard) -> None:
    """SP13, SP14: a number grows or falls, not below 0."""
    token = _target(play, cast, 0)
    change_number(play, token, max(0, token.eff + (card.params.delta or 0)))


def match_highest(play: Play, cast: ResolveSpell, _card: SpellCard) -> None:
    """SP15: a token counts as much as the highest one here."""
    highest = max(token.eff for token in current_at(play.state, here(play.state).location))
    change_number(play, _target(play, cast, 0), highest)


def look_at_location(play: Play, cast: ResolveSpell, _card: SpellCard) -> None:
    """SP16: the caster learns the numbers at a location."""
    (target,) = cast.targets
    known = play.family(cast.seat).known
    seen = tuple(
        token.token
        for token in play.state.board
        if token.location == target.location
        and token.face == "down"
        and token.owner != cast.seat
        and token.token not in known
    )
    play.change_family(cast.seat, known=(*known, *seen))


def play_open(play: Play, cast: ResolveSpell, _card: SpellCard) -> None:
    """SP17: a seat places face up for the rest of phase 1."""
    (target,) = cast.targets
    assert target.seat is not None
    play.change_family(target.seat, plays_open=True)


def take_back_own(play: Play, cast: ResolveSpell, _card: SpellCard) -> None:
    """SP18: an own token goes back to hand, to be placed again."""
    token = _target(play, cast, 0)
    play.note(facts.CounterTakenBack(token.token, token.owner, token.number))
    remove_token(play, token)
    play.change_family(cast.seat, hand=tuple(sorted((*play.family(cast.seat).hand, token.number))))


def close_location(play: Play, cast: ResolveSpell, _card: SpellCard) -> None:
    """SP19: nobody places at a location for the rest of phase 1."""
    (target,) = cast.targets
    closed = {*play.state.closed, target.location}
    play.change(closed=tuple(location for location in play.state.in_play if location in closed))


def reverse_order(play: Play, _cast: ResolveSpell, _card: SpellCard) -> None:
    """SP20: the lowest number goes first here; cast twice, the highest again."""
    play.change_visit(reversed=not here(play.state).reversed)


def extra_wages(play: Play, cast: ResolveSpell, card: SpellCard) -> None:
    """SP21: a claim that is paid after the pairs."""
    claim = OvertimeClaim(cast.seat, card.id, card.params.count or 0)
    play.change_visit(overtime=(*here(play.state).overtime, claim))


def block_outlaws(play: Play, cast: ResolveSpell, _card: SpellCard) -> None:
    """SP23: the attack on the caster fails, and it cannot be named again."""
    play.change_visit(warded=(*here(play.state).warded, cast.seat))


def exempt_from_priest(play: Play, cast: ResolveSpell, _card: SpellCard) -> None:
    """SP24: the caster does not donate this time."""
    play.change_visit(exempt=(*here(play.state).exempt, cast.seat))


# cancel_spell (SP22) acts on the spell that it answers: `casting.answer_response`
EFFECTS: Final[Mapping[str, Effect]] = {
    "gain_cubes": gain_cubes,
    "exchange_cubes": exchange_cubes,
    "levy_richer": levy_richer,
    "pick_cube": pick_cube,
    "move_own": move_own,
    "return_other": return_other,
    "swap_with_other": swap_with_other,
    "modify_number": modify_number,
    "match_highest": match_highest,
    "look_at_location": look_at_location,
    "play_open": play_open,
    "take_back_own": take_back_own,
    "close_location": close_location,
    "reverse_order": reverse_order,
    "extra_wages": extra_wages,
    "block_outlaws": block_outlaws,
    "exempt_from_priest": exempt_from_priest,
}
