"""What one seat sees (keyside §9): everything but the dice that others have not revealed yet."""

from typing import Literal

import msgspec
from msgspec.structs import replace

from keylore_domain.engine.chance import Chance
from keylore_domain.engine.facts import Fact
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyside.components.parts import Parts
from keylore_domain.games.keyside.scoring import totals
from keylore_domain.games.keyside.state.position import (
    COLOURS,
    FLAGS,
    HARBOUR,
    MARKET,
    NODES,
    RESOURCE,
    Animal,
    Box,
    Building,
    Built,
    Colour,
    Die,
    Icon,
    Item,
    KeysideOptions,
    Market,
    Mat,
    Numbers,
    Owner,
    Player,
    SkillTile,
    Source,
    State,
    open_harbours,
)


class HarbourView(msgspec.Struct, frozen=True):
    """A harbour; ``loaded``: dice lie on it. ``sea``: the dice moved off it this year."""

    location: str
    tile: str
    number: int
    side: Literal["black", "red"]
    top: tuple[Owner, ...]
    red_space: Owner | None
    sailor: Colour | None
    dice: tuple[Die, ...]
    landed: bool
    resolved: bool
    sea: tuple[Die, ...]
    sea_sailors: tuple[Colour, ...]


class BoatView(msgspec.Struct, frozen=True):
    """A boat and the sailors aboard."""

    at: str
    sailors: tuple[Colour, ...]


class MarketView(msgspec.Struct, frozen=True):
    """A market; ``keyples`` are seats."""

    location: str
    tile: str
    side: Literal["top", "reverse", "none"]
    keyples: tuple[Seat, ...]


class SourceView(msgspec.Struct, frozen=True, tag_field="kind", tag="source"):
    """Forest, quarry or wheat fields."""

    location: str
    tile: str
    tokens: int
    flipped: bool
    keyple: Owner | None


class FarmView(msgspec.Struct, frozen=True, tag_field="kind", tag="farm"):
    """A farm."""

    location: str
    tile: str
    side: Literal["a", "b"]
    icons: tuple[Icon, ...]
    animals: tuple[Animal | None, ...]
    keyple: Owner | None


class ByColour(msgspec.Struct, frozen=True):
    """One number for each colour; null where there is none or the viewer may not know it."""

    yellow: int | None
    green: int | None
    red: int | None
    blue: int | None
    purple: int | None
    orange: int | None


class Store(msgspec.Struct, frozen=True):
    """What lies in the stores of a mat; animals in the barn."""

    cow: int
    pig: int
    sheep: int
    fish: int
    wheat: int
    stone: int
    wood: int
    emerald: int
    ruby: int
    sapphire: int


class LevelView(msgspec.Struct, frozen=True):
    """A marker: its level and the box last used there."""

    colour: Colour
    level: int
    box: Box
    building: Building | None


class SeatView(msgspec.Struct, frozen=True):
    """A seat; ``dice`` are the unplayed ones, null while they are secret.

    ``dice_ready``: the dice of this year are set, for all to see once the last seat has finished: how many
    decisions a seat takes shows whether it uses its strip. ``score``: what the seat would score now.
    """

    seat: Seat
    mat: str
    strip: str
    store: Store
    keyples_on_mat: int
    town: int
    tracks: tuple[LevelView, ...]
    skill_tiles: tuple[SkillTile, ...]
    headlands_left: tuple[str, ...]
    dice: ByColour
    dice_on_mat: ByColour
    dice_ready: bool
    score: int


class Gems(msgspec.Struct, frozen=True):
    """Gems by type."""

    emerald: int
    ruby: int
    sapphire: int


class Stack(msgspec.Struct, frozen=True):
    """The skill tiles of one colour, the top one first."""

    colour: Colour
    values: tuple[int, ...]


class RemovedView(msgspec.Struct, frozen=True):
    """What has left the game."""

    skill_tiles: tuple[SkillTile, ...]
    cottages: tuple[str, ...]
    gems: Gems
    sailors: ByColour
    strips: tuple[str, ...]


class Used(msgspec.Struct, frozen=True):
    """A market that a seat has activated in this turn."""

    seat: Seat
    tile: str


class TurnView(msgspec.Struct, frozen=True):
    """The bookkeeping of the current turn."""

    markets_used: tuple[Used, ...]
    markets_activated: tuple[str, ...]


class FlagView(msgspec.Struct, frozen=True):
    """A flag and its harbour."""

    flag: str
    at: str


class SoloView(msgspec.Struct, frozen=True):
    """Keytoma's things."""

    flags: tuple[FlagView, ...]
    beacons: tuple[str, ...]
    strips_left: tuple[str, ...]
    dice: ByColour
    keyples_left: int
    pirates_left: int
    landslides_left: int


class KeysideView(msgspec.Struct, frozen=True):
    """The island as ``viewer`` sees it (null: the public).

    ``headlands`` has a stack for each space s0 to s11, bottom to top. ``open_harbours`` are those left to
    resolve. ``spaces`` is the number of keyple spaces on top of each harbour.
    """

    viewer: Seat | None
    options: KeysideOptions
    year: int
    phase: Literal["dice", "turns", "final", "over"]
    start_seat: Player
    lead_seat: Player
    next_start: Player | None
    end_triggered: bool
    spaces: int
    harbours: tuple[HarbourView, ...]
    open_harbours: tuple[str, ...]
    boats: tuple[BoatView, ...]
    headlands: tuple[tuple[Built, ...], ...]
    markets: tuple[MarketView, ...]
    resources: tuple[SourceView | FarmView, ...]
    seats: tuple[SeatView, ...]
    cottages_left: tuple[str, ...]
    skill_stacks: tuple[Stack, ...]
    gem_bag: Gems
    removed: RemovedView
    turn: TurnView
    marker_item: Item | None
    solo: SoloView | None


def view_of(parts: Parts, state: State, viewer: Seat | None) -> KeysideView:
    """The island as *viewer* sees it."""
    return KeysideView(
        viewer=viewer,
        options=state.options,
        year=state.year,
        phase=state.phase,
        start_seat=state.start_seat,
        lead_seat=state.lead_seat,
        next_start=state.next_start,
        end_triggered=state.end_triggered,
        spaces=state.spaces,
        harbours=_harbours(state),
        open_harbours=tuple(NODES[HARBOUR + at] for at in open_harbours(state)),
        boats=tuple(BoatView(NODES[HARBOUR + boat.at], boat.sailors) for boat in state.boats),
        headlands=state.headlands,
        markets=_markets(state.markets),
        resources=_resources(state),
        seats=tuple(_seat(parts, state, Seat(seat), viewer) for seat in range(len(state.mats))),
        cottages_left=state.cottages_left,
        skill_stacks=tuple(
            Stack(colour, values) for colour, values in zip(COLOURS, state.skill_stacks, strict=True)
        ),
        gem_bag=Gems(*state.gem_bag),
        removed=_removed(state),
        turn=TurnView(tuple(Used(*used) for used in state.markets_used), state.markets_activated),
        marker_item=state.marker_item,
        solo=_solo(state),
    )


def _harbours(state: State) -> tuple[HarbourView, ...]:
    return tuple(
        HarbourView(
            location=NODES[HARBOUR + at],
            tile=harbour.tile,
            number=harbour.number,
            side=harbour.side,
            top=harbour.top,
            red_space=harbour.red_space,
            sailor=harbour.sailor,
            dice=harbour.dice,
            landed=harbour.landed,
            resolved=harbour.resolved,
            sea=harbour.sea,
            sea_sailors=harbour.sea_sailors,
        )
        for at, harbour in enumerate(state.harbours)
    )


def _markets(markets: tuple[Market, ...]) -> tuple[MarketView, ...]:
    return tuple(
        MarketView(NODES[MARKET + at], market.tile, market.side, market.keyples)
        for at, market in enumerate(markets)
    )


def _resources(state: State) -> tuple[SourceView | FarmView, ...]:
    return tuple(
        SourceView(NODES[RESOURCE + at], tile.tile, tile.tokens, tile.flipped, tile.keyple)
        if isinstance(tile, Source)
        else FarmView(NODES[RESOURCE + at], tile.tile, tile.side, tile.icons, tile.animals, tile.keyple)
        for at, tile in enumerate(state.resources)
    )


def _seat(parts: Parts, state: State, seat: Seat, viewer: Seat | None) -> SeatView:
    mat = state.mats[seat]
    shown = state.phase != "dice" or seat == viewer
    return SeatView(
        seat=seat,
        mat=mat.letter,
        strip=mat.strip,
        store=Store(*mat.store),
        keyples_on_mat=mat.keyples,
        town=mat.town,
        tracks=_tracks(mat),
        skill_tiles=mat.skill_tiles,
        headlands_left=mat.headlands_left,
        dice=_dice(mat.dice if shown else ()),
        dice_on_mat=_dice(mat.dice_on_mat),
        dice_ready=shown and mat.setting == "ready",
        score=totals.total(parts, state, seat),
    )


def _tracks(mat: Mat) -> tuple[LevelView, ...]:
    lines = zip(COLOURS, mat.levels, mat.boxes, mat.buildings, strict=True)
    return tuple(LevelView(*line) for line in lines)


def _dice(dice: Numbers) -> ByColour:
    """The values by colour; none of unknown dice."""
    return ByColour(*(value or None for value in dice or (0,) * len(COLOURS)))


def _removed(state: State) -> RemovedView:
    removed = state.removed
    return RemovedView(
        skill_tiles=removed.skill_tiles,
        cottages=removed.cottages,
        gems=Gems(*removed.gems),
        sailors=ByColour(*removed.sailors),
        strips=removed.strips,
    )


def _solo(state: State) -> SoloView | None:
    solo = state.solo
    if solo is None:
        return None
    flags = (FlagView(flag, NODES[HARBOUR + at]) for flag, at in zip(FLAGS, solo.flags, strict=True))
    return SoloView(
        flags=tuple(flags),
        beacons=solo.beacons,
        strips_left=solo.strips,
        dice=_dice(solo.dice),
        keyples_left=solo.keyples,
        pirates_left=solo.pirates,
        landslides_left=solo.landslides,
    )


def redact(fact: Fact, _viewer: Seat | None) -> Fact:
    """Every fact is public: the dice are noted only when they are revealed."""
    return fact


def alternative(state: State, viewer: Seat | None, chance: Chance) -> State:
    """Another position with other secret dice of the other seats; without secrets the same one."""
    if state.phase != "dice":
        return state
    mats = tuple(
        mat if seat == viewer else replace(mat, dice=_other_dice(mat.dice, chance))
        for seat, mat in enumerate(state.mats)
    )
    return replace(state, mats=mats)


def _other_dice(dice: Numbers, chance: Chance) -> Numbers:
    """As many dice set, to other values: the values of *dice* are renamed."""
    names = chance.shuffled("alternative.dice", (1, 2, 3, 4, 5, 6))
    renamed = tuple(value and names[value - 1] for value in dice)
    return tuple(value and value % 6 + 1 for value in dice) if renamed == dice else renamed
