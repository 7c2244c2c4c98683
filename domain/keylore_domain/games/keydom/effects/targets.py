"""What spells can be aimed at, and which can be cast now (§5.5, SP table)."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydom.components.entries import SpellCard
from keylore_domain.games.keydom.components.names import COLOURS, SPELL_FREE, Window
from keylore_domain.games.keydom.components.parts import Parts
from keylore_domain.games.keydom.moves import Target
from keylore_domain.games.keydom.play import exchanges
from keylore_domain.games.keydom.state.position import State, Token, current_at, here, unresolved


class Aim(NamedTuple):
    """A seat aims a card; ``chosen`` are the targets so far."""

    state: State
    seat: Seat
    card: SpellCard
    chosen: tuple[Target, ...] = ()


Lister = Callable[[Aim], tuple[Target, ...]]
Condition = Callable[[State, Seat, SpellCard], bool]


def castable(state: State, seat: Seat, window: Window, parts: Parts) -> tuple[str, ...]:
    """The spells of a seat that it can cast in *window* now."""
    held = state.families[seat].spells
    if not held:
        return ()
    return tuple(spell for spell in held if _fits(state, seat, window, parts.cards[spell]))


def targets(aim: Aim) -> tuple[Target, ...]:
    """The next targets of a spell; each of them can be completed."""
    return LISTERS[aim.card.effect][len(aim.chosen)](aim)


def target_count(card: SpellCard) -> int:
    """How many targets a spell has."""
    return len(LISTERS.get(card.effect, ()))


def _fits(state: State, seat: Seat, window: Window, card: SpellCard) -> bool:
    if window not in card.windows or not _in_region(state, card):
        return False
    condition = CONDITIONS.get(card.effect)
    if condition is not None:
        return condition(state, seat, card)
    return target_count(card) == 0 or bool(targets(Aim(state, seat, card)))


def _in_region(state: State, card: SpellCard) -> bool:
    # countryside is the only region that a card can name (SP21)
    return not card.regions or here(state).at < len(COLOURS)


def _of(token: Token) -> Target:
    return Target(token=token.token)


def _is_open(state: State, token: Token) -> bool:
    """Whether spells before a reveal reach *token*: current, unresolved, not at soldiers or chamber."""
    return (
        token.placed_round == state.round
        and token.location not in SPELL_FREE
        and token.location in unresolved(state)
    )


def _open_tokens(state: State) -> tuple[Token, ...]:
    return tuple(token for token in state.board if _is_open(state, token))


def _reachable(state: State) -> tuple[str, ...]:
    return tuple(location for location in unresolved(state) if location not in SPELL_FREE)


def _own_movable(aim: Aim) -> tuple[Target, ...]:
    if len(_reachable(aim.state)) < 2:
        return ()
    return tuple(_of(token) for token in _open_tokens(aim.state) if token.owner == aim.seat)


def _destinations(aim: Aim) -> tuple[Target, ...]:
    source = _location_of(aim.state, aim.chosen[0])
    return tuple(Target(location=location) for location in _reachable(aim.state) if location != source)


def _location_of(state: State, target: Target) -> str:
    return next(token.location for token in state.board if token.token == target.token)


def _others_open(aim: Aim) -> tuple[Target, ...]:
    return tuple(_of(token) for token in _open_tokens(aim.state) if token.owner != aim.seat)


def _own_swappable(aim: Aim) -> tuple[Target, ...]:
    movable = _open_tokens(aim.state)
    others = {token.location for token in movable if token.owner != aim.seat}
    return tuple(_of(token) for token in movable if token.owner == aim.seat and others - {token.location})


def _swap_partners(aim: Aim) -> tuple[Target, ...]:
    source = _location_of(aim.state, aim.chosen[0])
    movable = _open_tokens(aim.state)
    return tuple(_of(token) for token in movable if token.owner != aim.seat and token.location != source)


def _numbered(aim: Aim) -> tuple[Target, ...]:
    own = aim.card.params.target == "own"
    lowers = (aim.card.params.delta or 0) < 0
    return tuple(
        _of(token)
        for token in current_at(aim.state, here(aim.state).location)
        if (token.owner == aim.seat) is own and (token.eff >= 1 or not lowers)
    )


def _below_highest(aim: Aim) -> tuple[Target, ...]:
    present = current_at(aim.state, here(aim.state).location)
    highest = max((token.eff for token in present), default=0)
    return tuple(_of(token) for token in present if token.owner == aim.seat and token.eff < highest)


def _hidden_places(aim: Aim) -> tuple[Target, ...]:
    hidden = {token.location for token in aim.state.board if token.face == "down" and token.owner != aim.seat}
    return tuple(Target(location=location) for location in aim.state.in_play if location in hidden)


def _others_with_hand(aim: Aim) -> tuple[Target, ...]:
    return tuple(
        Target(seat=Seat(at))
        for at, family in enumerate(aim.state.families)
        if at != aim.seat and family.hand
    )


def _own_placed(aim: Aim) -> tuple[Target, ...]:
    return tuple(_of(token) for token in _open_tokens(aim.state) if token.owner == aim.seat)


def _closable(aim: Aim) -> tuple[Target, ...]:
    barred = (*SPELL_FREE, *aim.state.closed)
    return tuple(Target(location=location) for location in aim.state.in_play if location not in barred)


def _seats_and_colours(aim: Aim) -> tuple[Target, ...]:
    return tuple(
        Target(seat=Seat(at), colour=colour)
        for at in range(len(aim.state.families))
        if at != aim.seat
        for colour in COLOURS
    )


LISTERS: Final[Mapping[str, tuple[Lister, ...]]] = {
    "pick_cube": (_seats_and_colours,),
    "move_own": (_own_movable, _destinations),
    "return_other": (_others_open,),
    "swap_with_other": (_own_swappable, _swap_partners),
    "modify_number": (_numbered,),
    "match_highest": (_below_highest,),
    "look_at_location": (_hidden_places,),
    "play_open": (_others_with_hand,),
    "take_back_own": (_own_placed,),
    "close_location": (_closable,),
}


def _stock_has_colour(state: State, _seat: Seat, card: SpellCard) -> bool:
    return state.stock[COLOURS.index(card.params.colour or "")] > 0


def _can_exchange(state: State, seat: Seat, _card: SpellCard) -> bool:
    return bool(exchanges(state.families[seat].cubes, state.stock))


def _two_here(state: State, _seat: Seat, _card: SpellCard) -> bool:
    return len(current_at(state, here(state).location)) >= 2


def _own_here(state: State, seat: Seat, _card: SpellCard) -> bool:
    return any(token.owner == seat for token in current_at(state, here(state).location))


CONDITIONS: Final[Mapping[str, Condition]] = {
    "gain_cubes": _stock_has_colour,
    "exchange_cubes": _can_exchange,
    "reverse_order": _two_here,
    "extra_wages": _own_here,
}
