"""Keytoma's turns, flags and resolution card (keyside §8.4 to §8.7)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from keylore_domain.engine.seats import Seat, with_item
from keylore_domain.games.keyside.effects.goods import draw_from_bag, settle
from keylore_domain.games.keyside.effects.keyples import first_with_space, land_keyple
from keylore_domain.games.keyside.effects.markets import lift_skill, remove_skill
from keylore_domain.games.keyside.facts import (
    AnimalPlaced,
    CottageRemoved,
    DiePlaced,
    FlagMoved,
    KeypleMoved,
    KeytomaActed,
    KeytomaLanded,
    LandslidePlaced,
    PiratePlaced,
)
from keylore_domain.games.keyside.play import SPACES, Play
from keylore_domain.games.keyside.state.decisions import (
    Arrivals,
    Docking,
    FlagMoves,
    FlagParting,
    KeytomaEffect,
    KeytomaFollow,
    KeytomaPlacing,
    Response,
)
from keylore_domain.games.keyside.state.position import (
    COLOUR_AT,
    COLOURS,
    FLAGS,
    GEMS,
    HARBOUR,
    HARBOURS,
    KEYTOMA,
    NODES,
    PIRATE,
    RESOURCE,
    RING,
    SOURCES,
    Animal,
    Built,
    Colour,
    Die,
    Farm,
    Icon,
    Numbers,
    Solo,
    Source,
    State,
    source_at,
)


def solo_of(state: State) -> Solo:
    """Keytoma's things; only in a solo game."""
    assert state.solo is not None
    return state.solo


def rolled_flag(play: Play) -> int:
    """The harbour of the flag that a die names (chance C20)."""
    return solo_of(play.state).flags[(play.rolled("C20", "keytoma.roll") - 1) // 2]


# Landing


def place_die(play: Play, colour: Colour, harbour: int) -> None:
    """Keytoma's die of the colour onto the next dice space."""
    dice = solo_of(play.state).dice
    value = dice[COLOUR_AT[colour]]
    play.change_solo(dice=with_item(dice, COLOUR_AT[colour], 0))
    there = play.state.harbours[harbour].dice
    play.change_harbour(harbour, dice=(*there, Die(KEYTOMA, colour, value)))
    play.note(DiePlaced(KEYTOMA, colour, value, NODES[HARBOUR + harbour]))


def follow(play: Play, step: KeytomaFollow) -> None:
    """L7 for Keytoma: from 2 with a flag on the harbour, from 5 without (keyside §8.4)."""
    lead = play.state.harbours[step.harbour].dice[0]
    solo = solo_of(play.state)
    if not 0 < solo.dice[COLOUR_AT[lead.colour]] <= lead.value:
        return
    rolls = play.parts.data.solo.follow_roll
    needed = rolls.with_flag if step.harbour in solo.flags else rolls.without_flag
    if play.rolled("C20", "keytoma.roll") >= needed:
        place_die(play, lead.colour, step.harbour)


def place_keyple(play: Play, step: KeytomaPlacing) -> None:
    """A keyple onto the harbour or the first one clockwise with a free top space."""
    left = solo_of(play.state).keyples
    at = first_with_space(play.state, step.harbour)
    if left and at is not None:
        play.change_solo(keyples=left - 1)
        land_keyple(play, KEYTOMA, at)
        play.note(KeypleMoved(KEYTOMA, "supply", NODES[HARBOUR + at]))


def median_colour(dice: Numbers) -> Colour:
    """The colour of the higher median of the dice that are left."""
    left = sorted((value, at) for at, value in enumerate(dice) if value)
    return COLOURS[left[len(left) // 2][1]]


def land(play: Play) -> None:
    """Keytoma lands its median die at a rolled flag (keyside §8.5)."""
    colour = median_colour(solo_of(play.state).dice)
    at = rolled_flag(play)
    play.change_harbour(at, landed=True, resolved=False)
    place_die(play, colour, at)
    play.note(KeytomaLanded(NODES[HARBOUR + at]))
    play.push(Docking(at), Arrivals(at), FlagMoves(at))
    value = play.state.harbours[at].dice[0].value
    if 0 < play.mat(Seat(0)).dice[COLOUR_AT[colour]] <= value:
        play.push(Response(Seat(0), NODES[HARBOUR + at], colour, value))


# Flags


def move_flags(play: Play, step: FlagMoves) -> None:
    """The flags on a harbour that was landed on move on, the smaller number first (keyside §8.6)."""
    waiting = [flag for flag, at in enumerate(solo_of(play.state).flags) if at == step.harbour]
    while waiting:
        flag = waiting.pop(0)
        flags = solo_of(play.state).flags
        ring = tuple((step.harbour + steps) % HARBOURS for steps in range(1, HARBOURS))
        others = [at for other, at in enumerate(flags) if other != flag and other not in waiting]
        free = [at for at in ring if at not in flags and not play.state.harbours[at].landed]
        shared = [at for at in ring if at in others]
        if free or shared:
            move_flag(play, flag, (free or shared)[0])


def move_flag(play: Play, flag: int, harbour: int) -> None:
    """Put a flag on a harbour."""
    play.change_solo(flags=with_item(solo_of(play.state).flags, flag, harbour))
    play.note(FlagMoved(FLAGS[flag], NODES[HARBOUR + harbour]))


def sharing(flags: Numbers) -> int | None:
    """The smallest flag that shares its harbour."""
    return next((flag for flag, at in enumerate(flags) if flags.count(at) > 1), None)


def part_flags(play: Play, step: FlagParting) -> None:
    """After a resolution one of the flags that share a harbour goes to the resolved one (ruling R43)."""
    flags = solo_of(play.state).flags
    flag = sharing(flags)
    if flag is not None and step.harbour not in flags:
        move_flag(play, flag, step.harbour)


def spread_flags(play: Play) -> None:
    """At the start of a year sharing is undone: the smallest goes to the next free harbour (ruling R53)."""
    while (flag := sharing(solo_of(play.state).flags)) is not None:
        flags = solo_of(play.state).flags
        ring = ((flags[flag] + steps) % HARBOURS for steps in range(1, HARBOURS))
        move_flag(play, flag, next(at for at in ring if at not in flags))


# The resolution card


def act(play: Play, step: KeytomaEffect) -> None:
    """The effect of a colour at a harbour, or without one (-1)."""
    play.note(KeytomaActed(f"E-K-{step.colour[0].upper()}"))
    EFFECTS[step.colour](play, step.harbour)


def _place_of(play: Play, harbour: int) -> int:
    """The resolved harbour; without one, that of a rolled flag (ruling R42)."""
    return harbour if harbour >= 0 else rolled_flag(play)


def _pirate(play: Play, node: int) -> None:
    solo = solo_of(play.state)
    if not solo.pirates:
        return
    play.change_solo(pirates=solo.pirates - 1)
    if node >= HARBOUR:
        land_keyple(play, PIRATE, node - HARBOUR)
    else:
        play.change_resource(node - RESOURCE, keyple=PIRATE)
    play.note(PiratePlaced(NODES[node]))


def _crowded(tile: Farm) -> bool:
    return tile.keyple is None and sum(animal is not None for animal in tile.animals) >= 2


def _roomy(tile: Farm) -> bool:
    return tile.keyple is None and None in tile.animals


def _farms(state: State, fits: Callable[[Farm], bool]) -> list[int]:
    return [at for at, tile in enumerate(state.resources) if isinstance(tile, Farm) and fits(tile)]


def _random_farm(play: Play, fits: Callable[[Farm], bool]) -> int | None:
    """FARM: from the location inland of a rolled flag clockwise the first farm that fits."""
    found = _farms(play.state, fits)
    if not found:
        return None
    first = play.parts.inland[rolled_flag(play)]
    return min(found, key=lambda at: (at - first) % RING)


def _settle_somewhere(play: Play, animal: Animal) -> None:
    at = _random_farm(play, _roomy)
    if at is None:
        return
    tile = play.state.resources[at]
    assert isinstance(tile, Farm)
    icon = best_icon(tile, play.parts.data.solo.icon_order)
    settle(play, at, icon, animal)
    play.note(AnimalPlaced(KEYTOMA, animal, NODES[RESOURCE + at], icon))


def best_icon(tile: Farm, order: Sequence[Icon]) -> int:
    """The empty icon that Keytoma fills first."""
    free = [at for at, animal in enumerate(tile.animals) if animal is None]
    return min(free, key=lambda at: (order.index(tile.icons[at]), at))


def _yellow(play: Play, harbour: int) -> None:
    _remove_cottages(play)
    has_pirates = solo_of(play.state).pirates > 0
    if _farms(play.state, _crowded):
        claimed = _random_farm(play, _crowded) if has_pirates else None
        if claimed is not None:
            _pirate(play, RESOURCE + claimed)
        return
    if has_pirates:
        at = _place_of(play, harbour)
        if len(play.state.harbours[at].top) < play.state.spaces:
            _pirate(play, HARBOUR + at)
    _settle_somewhere(play, "pig")


def _remove_cottages(play: Play) -> None:
    empty = [
        colour for colour, plot in zip(COLOURS, play.mat(Seat(0)).buildings, strict=True) if plot is None
    ]
    if not empty:
        return
    spared = play.picked("C21", "keytoma.colour", tuple(empty))
    for colour in COLOURS:
        cottages = play.parts.data.cottages
        left = tuple(letter for letter in play.state.cottages_left if cottages[letter].colour == colour)
        if colour != spared and left:
            _remove_cottage(play, play.picked("C21", "keytoma.cottage", left))


def _remove_cottage(play: Play, letter: str) -> None:
    play.change(cottages_left=tuple(other for other in play.state.cottages_left if other != letter))
    play.change_removed(cottages=(*play.state.removed.cottages, letter))
    play.note(CottageRemoved(letter))


def _green(play: Play, _harbour: int) -> None:
    _settle_somewhere(play, "cow")
    before = solo_of(play.state).pirates
    for tile in SOURCES:
        at = source_at(play.state, tile)
        found = play.state.resources[at]
        if isinstance(found, Source) and found.flipped and found.keyple is None:
            _pirate(play, RESOURCE + at)
    if solo_of(play.state).pirates == before:
        for at in _farms(play.state, _crowded):
            _pirate(play, RESOURCE + at)
    _settle_somewhere(play, "sheep")


def _red(play: Play, harbour: int) -> None:
    number = min(2, solo_of(play.state).pirates)
    if not number:
        return
    at = _place_of(play, harbour)
    for _ in range(min(number, play.state.spaces - len(play.state.harbours[at].top))):
        _pirate(play, HARBOUR + at)


def _blue(play: Play, _harbour: int) -> None:
    for _ in range(2):
        tops = {
            colour: stack[0] for colour, stack in zip(COLOURS, play.state.skill_stacks, strict=True) if stack
        }
        best = tuple(colour for colour, value in tops.items() if value == max(tops.values()))
        if best:
            drawn = play.picked("C21", "keytoma.skill", best)
            (colour,) = (colour for colour in best if colour == drawn)
            remove_skill(play, lift_skill(play, colour), colour)


def _purple(play: Play, _harbour: int) -> None:
    """Two gems: of one type only one of them leaves the game."""
    drawn = draw_from_bag(play, "C21", "keytoma.gems", 2)
    leaving = drawn[:1] if len(set(drawn)) == 1 else drawn
    bag = tuple(count - leaving.count(gem) for gem, count in zip(GEMS, play.state.gem_bag, strict=True))
    gone = play.state.removed.gems
    play.change_removed(gems=tuple(count + leaving.count(gem) for gem, count in zip(GEMS, gone, strict=True)))
    play.change(gem_bag=bag)


def _orange(play: Play, harbour: int) -> None:
    at = _place_of(play, harbour)
    ring = ((at + step) % HARBOURS for step in range(HARBOURS))
    free = next((space for space in ring if not play.state.headlands[space]), None)
    if free is not None:
        place_landslide(play, free)


def place_landslide(play: Play, space: int) -> None:
    """A landslide blocks a headland space for good."""
    play.change_solo(landslides=solo_of(play.state).landslides - 1)
    stack = (Built("landslide", "landslide"),)
    play.change(headlands=with_item(play.state.headlands, space, stack))
    play.note(LandslidePlaced(SPACES[space]))


EFFECTS: Final[Mapping[Colour, Callable[[Play, int], None]]] = {
    "yellow": _yellow,
    "green": _green,
    "red": _red,
    "blue": _blue,
    "purple": _purple,
    "orange": _orange,
}
