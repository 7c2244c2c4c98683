"""Cottages, houses and headlands (keyside §6.1 E-BUILD, E-OWN, E-HEADLAND)."""

from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from keylore_domain.engine.seats import Seat, with_item
from keylore_domain.games.keyside.components.parts import Parts
from keylore_domain.games.keyside.effects.goods import spend
from keylore_domain.games.keyside.facts import BenefitLost, BuildingPlaced, BuildingUpgraded, HeadlandBuilt
from keylore_domain.games.keyside.moves import Build, BuildHeadland, Decline, Upgrade
from keylore_domain.games.keyside.play import SPACES, Play
from keylore_domain.games.keyside.state.decisions import CottageSite, HeadlandSite, OwnSite
from keylore_domain.games.keyside.state.position import (
    COLOUR_AT,
    COLOURS,
    ITEM_AT,
    ORIENTED,
    Building,
    Built,
    Colour,
    Favours,
    Material,
    State,
)

WHEAT: Final = ITEM_AT["wheat"]
ORANGE: Final = COLOUR_AT["orange"]

Site = Build | Upgrade


def sites(parts: Parts, state: State, seat: Seat, cost: int) -> tuple[Site, ...]:
    """What *seat* can build or upgrade for *cost* wheat; nothing if it has less."""
    mat = state.mats[seat]
    if mat.store[WHEAT] < cost:
        return ()
    empty = [colour for colour, plot in zip(COLOURS, mat.buildings, strict=True) if plot is None]
    cottages = parts.data.cottages
    builds = [Build(letter) for letter in state.cottages_left if cottages[letter].colour in empty]
    upgrades = [
        Upgrade(colour)
        for colour, plot in zip(COLOURS, mat.buildings, strict=True)
        if plot is not None and not plot.house
    ]
    return (*builds, *upgrades)


def own_sites(parts: Parts, state: State, seat: Seat, colour: Colour) -> tuple[Site, ...]:
    """What level 4 of *colour* builds or upgrades; nothing if it is lost."""
    plot = state.mats[seat].buildings[COLOUR_AT[colour]]
    if plot is not None:
        return () if plot.house else (Upgrade(colour),)
    cottages = parts.data.cottages
    return tuple(Build(letter) for letter in state.cottages_left if cottages[letter].colour == colour)


def place_cottage(play: Play, seat: Seat, letter: str) -> None:
    """An available cottage onto its plot."""
    at = COLOUR_AT[play.parts.data.cottages[letter].colour]
    play.change_mat(seat, buildings=with_item(play.mat(seat).buildings, at, Building(letter)))
    play.change(cottages_left=tuple(other for other in play.state.cottages_left if other != letter))
    play.note(BuildingPlaced(seat, letter))


def _upgrade(play: Play, seat: Seat, colour: Colour) -> None:
    plots = play.mat(seat).buildings
    plot = plots[COLOUR_AT[colour]]
    assert plot is not None
    play.change_mat(seat, buildings=with_item(plots, COLOUR_AT[colour], replace(plot, house=True)))
    play.note(BuildingUpgraded(seat, colour))


def _raise(play: Play, seat: Seat, move: Site) -> None:
    if isinstance(move, Build):
        place_cottage(play, seat, move.cottage)
    else:
        _upgrade(play, seat, move.colour)


def build_cottage(play: Play, step: CottageSite, move: Site | Decline) -> None:
    """E-BUILD: pay, then build or upgrade."""
    if isinstance(move, Decline):
        return
    if step.cost:
        spend(play, step.seat, "wheat", step.cost)
    _raise(play, step.seat, move)


def build_own(play: Play, step: OwnSite, move: Site | Decline) -> None:
    """E-OWN: free of charge, or lost."""
    if not isinstance(move, Decline):
        _raise(play, step.seat, move)
    elif not own_sites(play.parts, play.state, step.seat, step.colour):
        play.note(BenefitLost(step.seat, "E-OWN"))


def headland_cost(parts: Parts, state: State, step: HeadlandSite) -> int:
    """The cost after the orange discount, at least 1 (ruling R15)."""
    mat = state.mats[step.seat]
    return max(1, step.base - parts.discount(mat.letter, mat.levels[ORANGE]))


def headland_moves(parts: Parts, state: State, step: HeadlandSite) -> tuple[BuildHeadland, ...]:
    """Every headland that the seat can pay for now."""
    mat = state.mats[step.seat]
    cost = headland_cost(parts, state, step)
    materials: tuple[Material, ...] = ("wood", "stone")
    pays = tuple(item for item in materials if item in step.materials and mat.store[ITEM_AT[item]] >= cost)
    if not pays or not mat.headlands_left:
        return ()
    spaces = tuple(
        at for at, stack in enumerate(state.headlands) if not stack or stack[-1].owner == step.seat
    )
    return _headland_moves(mat.headlands_left, spaces, pays)


@lru_cache(maxsize=4096)
def _headland_moves(
    tiles: tuple[str, ...], spaces: tuple[int, ...], pays: tuple[Material, ...]
) -> tuple[BuildHeadland, ...]:
    turned: tuple[Favours, ...] = ("ccw", "cw")
    plain: tuple[Favours, ...] = ("none",)
    return tuple(
        BuildHeadland(tile, SPACES[space], favours, pay)
        for tile in tiles
        for space in spaces
        for favours in (turned if tile in ORIENTED else plain)
        for pay in pays
    )


def build_headland(play: Play, step: HeadlandSite, move: BuildHeadland | Decline) -> None:
    """E-HEADLAND: pay, then put the tile on top of its space."""
    if isinstance(move, Decline):
        return
    spend(play, step.seat, move.pay, headland_cost(play.parts, play.state, step))
    left = play.mat(step.seat).headlands_left
    play.change_mat(step.seat, headlands_left=tuple(tile for tile in left if tile != move.tile))
    at = SPACES.index(move.space)
    stack = (*play.state.headlands[at], Built(step.seat, move.tile, move.favours))
    play.change(headlands=with_item(play.state.headlands, at, stack))
    play.note(HeadlandBuilt(step.seat, move.tile, move.space, move.favours))
