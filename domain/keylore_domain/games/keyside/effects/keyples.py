"""Keyples: recruiting, moving, introducing (keyside §6.1, §5.4 L10)."""

from collections.abc import Iterator

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyside.components.parts import Parts
from keylore_domain.games.keyside.components.roads import REACH
from keylore_domain.games.keyside.facts import BenefitLost, KeypleMoved, KeyplesRecruited
from keylore_domain.games.keyside.moves import Decline, From, To
from keylore_domain.games.keyside.play import Play
from keylore_domain.games.keyside.state.decisions import Introduction, KeypleMove, KeypleWay, Recruitment
from keylore_domain.games.keyside.state.position import (
    HARBOUR,
    MARKET,
    NODE_AT,
    NODES,
    RESOURCE,
    TOWN,
    Farm,
    Owner,
    State,
)


def homes(state: State, seat: Seat) -> Iterator[int]:
    """The nodes with a keyple of *seat*, in node order."""
    if state.mats[seat].town:
        yield TOWN
    for at, market in enumerate(state.markets, MARKET):
        if seat in market.keyples:
            yield at
    for at, resource in enumerate(state.resources, RESOURCE):
        if resource.keyple == seat:
            yield at
    for at, harbour in enumerate(state.harbours, HARBOUR):
        if seat in harbour.top or harbour.red_space == seat:
            yield at


def doors(state: State, seat: Seat, *, footprint: bool) -> list[bool]:
    """For each node, whether a keyple of *seat* may move in (E-MOVE; resource locations only: E-RMOVE)."""
    resources = [
        resource.keyple is None and (isinstance(resource, Farm) or resource.flipped)
        for resource in state.resources
    ]
    if footprint:
        return [False] * RESOURCE + resources + [False] * len(state.harbours)
    spaces = state.spaces
    markets = [seat not in market.keyples for market in state.markets]
    return [True, *markets, *resources, *[len(harbour.top) < spaces for harbour in state.harbours]]


def starts(parts: Parts, state: State, seat: Seat, *, footprint: bool = False) -> tuple[int, ...]:
    """The nodes from which a keyple of *seat* has somewhere to go."""
    into = doors(state, seat, footprint=footprint)
    if not any(into):
        return ()
    return tuple(at for at in homes(state, seat) if any(into[node] for node in parts.within[at]))


def ends(parts: Parts, state: State, seat: Seat, start: int, *, footprint: bool) -> tuple[int, ...]:
    """Where a keyple of *seat* at *start* may move; nothing if it is not there any more (R61)."""
    if start not in homes(state, seat):
        return ()
    into = doors(state, seat, footprint=footprint)
    return tuple(node for node in parts.within[start] if into[node])


def near(parts: Parts, state: State, seat: Seat, harbour: int) -> tuple[int, ...]:
    """The nodes from which a keyple of *seat* can be introduced into *harbour*; empty if it is full."""
    if len(state.harbours[harbour].top) >= state.spaces:
        return ()
    steps = parts.distance[HARBOUR + harbour]
    return tuple(node for node in homes(state, seat) if 1 <= steps[node] <= REACH)


def without(owners: tuple[Owner, ...], owner: Owner) -> tuple[Owner, ...]:
    """*owners* with one keyple of *owner* less."""
    at = owners.index(owner)
    return (*owners[:at], *owners[at + 1 :])


def carry(play: Play, seat: Seat, start: int, end: int) -> None:
    """Move one keyple of *seat*; of harbour I the one in the red space goes last (ruling R60)."""
    _lift(play, seat, start)
    _drop(play, seat, end)
    play.note(KeypleMoved(seat, NODES[start], NODES[end]))


def _lift(play: Play, seat: Seat, node: int) -> None:
    if node >= HARBOUR:
        top = play.state.harbours[node - HARBOUR].top
        if seat in top:
            play.change_harbour(node - HARBOUR, top=without(top, seat))
        else:
            play.change_harbour(node - HARBOUR, red_space=None)
    elif node >= RESOURCE:
        play.change_resource(node - RESOURCE, keyple=None)
    elif node >= MARKET:
        keyples = play.state.markets[node - MARKET].keyples
        play.change_market(node - MARKET, keyples=tuple(other for other in keyples if other != seat))
    else:
        play.change_mat(seat, town=play.mat(seat).town - 1)


def _drop(play: Play, seat: Seat, node: int) -> None:
    if node >= HARBOUR:
        land_keyple(play, seat, node - HARBOUR)
    elif node >= RESOURCE:
        play.change_resource(node - RESOURCE, keyple=seat)
    elif node >= MARKET:
        keyples = play.state.markets[node - MARKET].keyples
        play.change_market(node - MARKET, keyples=tuple(sorted((*keyples, seat))))
    else:
        play.change_mat(seat, town=play.mat(seat).town + 1)


def land_keyple(play: Play, owner: Owner, harbour: int) -> None:
    """Put a keyple on top of *harbour*."""
    play.change_harbour(harbour, top=(*play.state.harbours[harbour].top, owner))


def first_with_space(state: State, harbour: int) -> int | None:
    """The first harbour with a free top space, clockwise from *harbour* itself."""
    ring = len(state.harbours)
    order = ((harbour + step) % ring for step in range(ring))
    return next((at for at in order if len(state.harbours[at].top) < state.spaces), None)


def recruit(play: Play, step: Recruitment) -> None:
    """E-RECRUIT: as many as the mat has, from the mat to the town."""
    mat = play.mat(step.seat)
    number = min(step.number, mat.keyples)
    if number:
        play.change_mat(step.seat, keyples=mat.keyples - number, town=mat.town + number)
        play.note(KeyplesRecruited(step.seat, number))


def choose_keyple(play: Play, step: KeypleMove, move: From | Decline) -> None:
    """Which keyple moves; to decline ends all moves of the effect (ruling R59)."""
    if isinstance(move, Decline):
        return
    if step.left > 1:
        play.push(KeypleMove(step.seat, step.effect, step.left - 1, step.footprint))
    play.push(KeypleWay(step.seat, step.effect, move.location, step.footprint))


def move_keyple(play: Play, step: KeypleWay, move: To | Decline) -> None:
    """Where it moves; lost if nothing is left (ruling R61)."""
    if isinstance(move, To):
        carry(play, step.seat, NODE_AT[step.start], NODE_AT[move.location])
    else:
        play.note(BenefitLost(step.seat, step.effect))


def introduce(play: Play, step: Introduction, move: From | Decline) -> None:
    """L10: a keyple from at most three steps away into the harbour."""
    if isinstance(move, From):
        carry(play, step.seat, NODE_AT[move.location], NODE_AT[step.harbour])
