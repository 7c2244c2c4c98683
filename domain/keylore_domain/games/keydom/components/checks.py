"""What a data file must fulfil besides its types (§2)."""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from keylore_domain.engine.data import require
from keylore_domain.errors import DataFileError
from keylore_domain.games.keydom.components.entries import DataFile, LocationEntry, SpellCard, SpellParams
from keylore_domain.games.keydom.components.names import (
    CASTLE,
    COLOURS,
    COUNTRY,
    LOCATIONS,
    NUMBERS,
    OPTION_KEYS,
    REGIONS,
    START_NUMBERS,
    TILES,
    TRACK_LOCATIONS,
    Region,
    Window,
)


class EffectForm(NamedTuple):
    """What a card with a certain effect may look like."""

    windows: tuple[Window, ...]
    params: tuple[str, ...] = ()
    regions: tuple[Region, ...] = ()


_ANY_TIME: Final[tuple[Window, ...]] = ("turn", "before_reveal", "after_reveal")


EFFECT_FORMS: Final[Mapping[str, EffectForm]] = {
    "gain_cubes": EffectForm(_ANY_TIME, ("colour", "count")),
    "exchange_cubes": EffectForm(_ANY_TIME, ("max",)),
    "levy_richer": EffectForm(_ANY_TIME, ("count",)),
    "pick_cube": EffectForm(_ANY_TIME),
    "move_own": EffectForm(("before_reveal",)),
    "return_other": EffectForm(("before_reveal",)),
    "swap_with_other": EffectForm(("before_reveal",)),
    "modify_number": EffectForm(("after_reveal",), ("target", "delta")),
    "match_highest": EffectForm(("after_reveal",)),
    "look_at_location": EffectForm(("turn",)),
    "play_open": EffectForm(("turn",)),
    "take_back_own": EffectForm(("turn",)),
    "close_location": EffectForm(("turn",)),
    "reverse_order": EffectForm(("after_reveal",)),
    "extra_wages": EffectForm(("after_reveal",), ("count",), ("country",)),
    "cancel_spell": EffectForm(("reaction_spell",)),
    "block_outlaws": EffectForm(("reaction_outlaws",)),
    "exempt_from_priest": EffectForm(("reaction_priest",)),
}


def check(file: DataFile) -> None:
    """Check what the types of the entries cannot say.

    Raises:
        DataFileError: an entry breaks a rule of spec section 2; names the entry.
    """
    _check_fixed(file)
    for at, entry in enumerate(file.locations):
        _check_location(f"locations[{at}]", entry)
    _check_limits(file)
    for at, card in enumerate(file.spells):
        _check_card(f"spells[{at}]", card, file.spells[:at])


def _same_ids(entry: str, found: Sequence[str], expected: Sequence[str]) -> None:
    require(entry, f"must list exactly {', '.join(expected)}", holds=tuple(found) == tuple(expected))


def _check_fixed(file: DataFile) -> None:
    _same_ids("colours", [entry.id for entry in file.colours], COLOURS)
    for at, colour in enumerate(file.colours):
        require(f"colours[{at}].location", f"must be {COUNTRY[at]}", holds=colour.location == COUNTRY[at])
    _same_ids("tiles", [tile.id for tile in file.tiles], TILES)
    for at, tile in enumerate(file.tiles):
        home = CASTLE[at]
        require(f"tiles[{at}].location", f"must be {home}", holds=tile.location == home)
    _same_ids("locations", [entry.id for entry in file.locations], LOCATIONS)
    counters = file.counters
    require("counters.numbers", "must be 1 to 9", holds=counters.numbers == NUMBERS)
    require("counters.start_numbers", "must be 2 to 9", holds=counters.start_numbers == START_NUMBERS)
    require("counters.side_numbers", "must be 1", holds=counters.side_numbers == NUMBERS[:1])
    _same_ids("option_defaults", sorted(file.option_defaults), sorted(OPTION_KEYS))
    total = len(COLOURS) * file.cubes.per_colour
    require("cubes.total", f"must be {total}, five times per_colour", holds=file.cubes.total == total)


def _check_location(path: str, entry: LocationEntry) -> None:
    require(f"{path}.order", "must count from 1", holds=entry.order == LOCATIONS.index(entry.id) + 1)
    region = REGIONS[entry.id]
    require(f"{path}.region", f"must be {region}", holds=entry.region == region)
    if region == "country":
        _check_country(path, entry)
    else:
        _check_spaces(path, entry)
    for field, prices, kinds in _price_lists(entry):
        _same_ids(f"{path}.{field}", [kind for kind, _ in prices], kinds)
        for at, (_, pattern) in enumerate(prices):
            _check_pattern(f"{path}.{field}[{at}].pattern", pattern)
    if region == "castle":
        tile = TILES[CASTLE.index(entry.id)]
        require(f"{path}.tile", f"must be {tile}", holds=entry.tile == tile)
        _check_pattern(f"{path}.pattern", entry.pattern or "")
    short = entry.id == "blacksmith"
    require(f"{path}.not_in_short_game", f"must be {short}", holds=entry.not_in_short_game is short)


def _check_country(path: str, entry: LocationEntry) -> None:
    colour = COLOURS[COUNTRY.index(entry.id)]
    require(f"{path}.colour", f"must be {colour}", holds=entry.colour == colour)
    supervisors = entry.supervisor_spaces
    one = supervisors is not None and supervisors.value == 1
    require(f"{path}.supervisor_spaces", "must be 1", holds=one)
    require(f"{path}.pair_spaces", "is missing", holds=entry.pair_spaces is not None)


def _check_spaces(path: str, entry: LocationEntry) -> None:
    spaces = entry.spaces
    require(f"{path}.spaces", "is missing", holds=spaces is not None)
    single = (*TRACK_LOCATIONS, "chamber")
    one = spaces is not None and spaces.value == 1
    require(f"{path}.spaces", "must be 1", holds=one or entry.id not in single)
    tracked = entry.id in TRACK_LOCATIONS
    has_track = entry.track_spaces is not None
    require(f"{path}.track_spaces", "belongs to midwife and keywood", holds=has_track is tracked)


def _price_lists(
    entry: LocationEntry,
) -> tuple[tuple[str, list[tuple[str, str]], tuple[str, ...]], ...]:
    arrests = [(cost.target_region, cost.pattern) for cost in entry.arrest_costs]
    donations = [(price.kind, price.pattern) for price in entry.donations]
    thefts = [(price.kind, price.pattern) for price in entry.thefts]
    return (
        ("arrest_costs", list(arrests), ("town", "castle", "chamber") if entry.id == "soldiers" else ()),
        ("donations", list(donations), ("excess", "same", "any") if entry.id == "priest" else ()),
        ("thefts", list(thefts), ("cube", "tile") if entry.id == "outlaws" else ()),
    )


def _check_pattern(path: str, pattern: str) -> None:
    good = re.fullmatch(r"x{1,6}|[A-E]{1,60}", pattern) is not None
    require(path, f"{pattern!r} must be 1 to 6 x, or letters A to E", holds=good)


def _check_limits(file: DataFile) -> None:
    by_id = {entry.id: entry for entry in file.locations}
    limits = file.limits
    wizard = by_id["wizard"].spaces
    assert wizard is not None
    same = limits.spell_market_spaces.value == wizard.value
    require("limits.spell_market_spaces", "must be the number of spaces at the wizard", holds=same)
    one = limits.tiles_per_type_per_player.value == 1
    require("limits.tiles_per_type_per_player", "must be 1", holds=one)
    for at, price in enumerate(by_id["priest"].donations):
        path = f"locations[{LOCATIONS.index('priest')}].donations[{at}]"
        keep = limits.priest_keep.value if price.kind == "excess" else None
        require(f"{path}.keep", f"must be {keep}", holds=price.keep == keep)
        one_colour = price.kind != "same" or set(price.pattern) == {"A"}
        require(f"{path}.pattern", "must be of one colour, all A", holds=one_colour)


def _check_card(path: str, card: SpellCard, before: Sequence[SpellCard]) -> None:
    fresh = all(card.id != other.id and card.number != other.number for other in before)
    require(f"{path}.id", f"{card.id!r} or its number is used twice", holds=fresh)
    known = set(card.excluded_when) <= set(OPTION_KEYS)
    require(f"{path}.excluded_when", f"must name options: {', '.join(OPTION_KEYS)}", holds=known)
    form = EFFECT_FORMS.get(card.effect)
    if form is None:
        raise DataFileError(f"{path}.effect", f"{card.effect!r} is not one of {', '.join(EFFECT_FORMS)}")
    windows = bool(card.windows) and set(card.windows) <= set(form.windows)
    allowed = ", ".join(form.windows)
    require(f"{path}.windows", f"must be among {allowed} for {card.effect}", holds=windows)
    needed = f"must be {', '.join(form.regions) or 'left out'} for {card.effect}"
    require(f"{path}.regions", needed, holds=card.regions == form.regions)
    fields = msgspec.structs.fields(SpellParams)
    names = {field.name for field in fields if getattr(card.params, field.name) is not None}
    needed = f"must be {', '.join(form.params) or 'empty'} for {card.effect}"
    require(f"{path}.params", needed, holds=names == set(form.params))
