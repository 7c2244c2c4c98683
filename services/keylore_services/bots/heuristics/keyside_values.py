"""What things are worth in Keyside, as the view shows them; ten units are one point.

Public knowledge only: the view, and the printed values of tiles and cottages.
"""

from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Any, Final

from keylore_domain.games.keyside.components.entries import DataFile, ScoringSide
from keylore_domain.games.keyside.components.parts import parse, standard

Json = Mapping[str, Any]
POINT: Final = 10
HOPE: Final[Mapping[str, int]] = {
    "cow": 5,
    "pig": 5,
    "sheep": 5,
    "fish": 5,
    "wheat": 6,
    "stone": 4,
    "wood": 4,
    "gem": 7,
    "emerald": 7,
    "ruby": 7,
    "sapphire": 7,
    "headlands_built": 8,
    "skill_value": 0,
}
"""What one more of a thing may still bring, besides what it scores now."""
GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "stone": ("stone_and_wood",),
    "wood": ("stone_and_wood",),
    "emerald": ("gem",),
    "ruby": ("gem",),
    "sapphire": ("gem",),
}


@lru_cache(maxsize=1)
def printed() -> DataFile:
    """The printed components."""
    return parse(standard()).data


class Sight:
    """What one seat sees, with what it makes of it."""

    def __init__(self, view: Json, seat: int) -> None:
        self.view = view
        self.seat = seat
        self.own: Json = view["seats"][seat]
        self.store: Json = self.own["store"]
        self.dice: Json = self.own["dice"]
        self.year: int = view["year"]

    def level(self, colour: str) -> int:
        """The level of an own marker."""
        return next(int(track["level"]) for track in self.own["tracks"] if track["colour"] == colour)

    def harbour(self, location: str) -> Json:
        """A harbour."""
        found: Json = self.view["harbours"][int(location[1:])]
        return found

    def resource(self, location: str) -> Json:
        """A resource location."""
        found: Json = self.view["resources"][int(location[1:])]
        return found

    def market(self, tile: str) -> Json:
        """A market by its tile."""
        found: Json = next(market for market in self.view["markets"] if market["tile"] == tile)
        return found

    def keyples(self, location: str) -> int:
        """Own keyples in a harbour."""
        harbour = self.harbour(location)
        return int(harbour["top"].count(self.seat)) + int(harbour["red_space"] == self.seat)

    def has_space(self, location: str) -> bool:
        """Whether a keyple finds a place on top of a harbour."""
        return len(self.harbour(location)["top"]) < int(self.view["spaces"])

    @cached_property
    def counts(self) -> dict[str, int]:
        """What the seat has, by the names that scoring tiles and cottages use."""
        counts: dict[str, int] = {**self.store, "cow_in_farms": 0, "pig_in_farms": 0, "sheep_in_farms": 0}
        farms = [tile for tile in self.view["resources"] if tile["keyple"] == self.seat]
        for tile in farms:
            for animal in tile.get("animals", ()):
                if animal is not None:
                    counts[animal] += 1
                    counts[f"{animal}_in_farms"] += 1
        counts["animal_in_farms"] = sum(counts[f"{animal}_in_farms"] for animal in ("cow", "pig", "sheep"))
        counts["gem"] = sum(counts[gem] for gem in ("emerald", "ruby", "sapphire"))
        counts["gem_type"] = sum(counts[gem] > 0 for gem in ("emerald", "ruby", "sapphire"))
        counts["stone_and_wood"] = counts["stone"] + counts["wood"]
        return {**counts, **self._places(len(farms)), **self._mat()}

    def _places(self, resources: int) -> dict[str, int]:
        harbours = sum(self.keyples(harbour["location"]) for harbour in self.view["harbours"])
        markets = sum(self.seat in market["keyples"] for market in self.view["markets"])
        return {
            "keyples_on_mat": self.own["keyples_on_mat"],
            "keyples_on_harbours": harbours,
            "keyple_in_market": markets,
            "keyple_on_resource_tile": resources,
            "keyple_on_island": self.own["town"] + markets + resources + harbours,
        }

    def _mat(self) -> dict[str, int]:
        built = [track["building"] for track in self.own["tracks"] if track["building"] is not None]
        houses = sum(building["house"] for building in built)
        tiles = self.own["skill_tiles"]
        return {
            "flat": 1,
            "building": len(built),
            "house": houses,
            "cottage": len(built) - houses,
            "empty_plot": 6 - len(built),
            "headlands_built": 6 - len(self.own["headlands_left"]),
            "skill_value": sum(tile["value"] for tile in tiles),
            "skill_colours": len({tile["colour"] for tile in tiles}),
        }

    # What counts score

    def points(self, more: Mapping[str, int]) -> int:
        """What *more* things would add to the score now, in units."""
        counts = dict(self.counts)
        for name, number in more.items():
            for each in (name, *GROUPS.get(name, ())):
                counts[each] += number
        return self._scored(counts) - self._scored(self.counts)

    def gain(self, more: Mapping[str, int]) -> int:
        """What *more* things are worth, with what they may still bring."""
        return self.points(more) + sum(HOPE.get(name, 0) * number for name, number in more.items())

    def _scored(self, counts: Mapping[str, int]) -> int:
        harbours = sum(
            self.keyples(harbour["location"]) * value_per_keyple(harbour, counts)
            for harbour in self.view["harbours"]
            if self.keyples(harbour["location"])
        )
        plots = [track["building"] for track in self.own["tracks"] if track["building"] is not None]
        buildings = sum(cottage_points(plot["letter"], counts, house=plot["house"]) for plot in plots)
        return POINT * (harbours + buildings) + 5 * counts["gem"]

    # Keyples

    def harbour_worth(self, location: str) -> int:
        """What a keyple in a harbour scores, and may score once more of its things are collected."""
        value = value_per_keyple(self.harbour(location), self.counts)
        return POINT * value + 8 * max(0, 4 - self.year) + 4 * self.keyples(location)

    def place(self, location: str) -> int:
        """What one more keyple at a location is worth."""
        if location == "town":
            return 2
        if location[0] == "m":
            return self._market_worth(self.view["markets"][int(location[1:])])
        if location[0] == "r":
            return self._resource_worth(self.resource(location))
        harbour = self.harbour(location)
        joins = bool(harbour["dice"]) and not self.keyples(location)
        return self.harbour_worth(location) + (12 if joins else 0)

    def stay(self, location: str) -> int:
        """What the keyple that would leave a location is worth there."""
        last = location[0] == "h" and self.keyples(location) == 1
        joins = last and bool(self.harbour(location)["dice"])
        return self.place(location) - (4 if location[0] == "h" else 0) + (12 if joins else 0)

    def _market_worth(self, market: Json) -> int:
        return 12 if market["tile"].startswith("grey") else 8 + 3 * self.skill_value(market["tile"])

    def _resource_worth(self, tile: Json) -> int:
        if tile["kind"] == "source":
            return 36
        standing = [animal for animal in tile["animals"] if animal is not None]
        return 10 + sum(6 + self.points({animal: 1, f"{animal}_in_farms": 1}) for animal in standing)

    def best_place(self) -> int:
        """What a keyple would be worth at the best place that is free."""
        return max(self._best_market(), self.best_resource(), self._best_harbour())

    def _best_market(self) -> int:
        free = [market for market in self.view["markets"] if self.seat not in market["keyples"]]
        return max((self._market_worth(market) for market in free), default=0)

    def best_resource(self) -> int:
        """What a keyple would be worth at the best resource location that is free."""
        free = [
            tile for tile in self.view["resources"] if tile["keyple"] is None and tile.get("flipped", True)
        ]
        return max((self._resource_worth(tile) for tile in free), default=0)

    def _best_harbour(self) -> int:
        free = [
            harbour["location"] for harbour in self.view["harbours"] if self.has_space(harbour["location"])
        ]
        return max((self.place(location) for location in free), default=0)

    def best_move(self) -> int:
        """What the best move of a keyple gains, roughly: one from the town to the best place."""
        return self.best_place() // 2 if self.own["town"] else 6

    # Skill tiles and buildings

    def skill_value(self, colour: str) -> int:
        """The value of the top skill tile of a colour; 0 if there is none."""
        stacks = self.view["skill_stacks"]
        return next(
            (int(max(stack["values"])) for stack in stacks if stack["colour"] == colour and stack["values"]),
            0,
        )

    def best_skill(self) -> int:
        """The best skill tile that a keyple on a market gives."""
        own = [market["tile"] for market in self.view["markets"] if self.seat in market["keyples"]]
        return max((self.skill_value(tile) for tile in own), default=0)

    def building(self, letter: str, *, house: bool) -> int:
        """What a building would score, and add to others."""
        new = {**self.counts, "building": self.counts["building"] + 1}
        new["house" if house else "cottage"] += 1
        return (
            POINT * cottage_points(letter, new, house=house) + self._scored(new) - self._scored(self.counts)
        )

    def upgrade(self, colour: str) -> int:
        """What turning a cottage into a house adds."""
        plot = next(track["building"] for track in self.own["tracks"] if track["colour"] == colour)
        new = {**self.counts, "house": self.counts["house"] + 1, "cottage": self.counts["cottage"] - 1}
        points = cottage_points(plot["letter"], new, house=True) - cottage_points(
            plot["letter"], self.counts, house=False
        )
        return POINT * points + max(0, self._scored(new) - self._scored(self.counts))

    def best_building(self) -> int:
        """What the best cottage or house would score."""
        empty = [track["colour"] for track in self.own["tracks"] if track["building"] is None]
        cottages = printed().cottages
        letters = [letter for letter in self.view["cottages_left"] if cottages[letter].colour in empty]
        upgrades = [
            track["colour"]
            for track in self.own["tracks"]
            if track["building"] is not None and not track["building"]["house"]
        ]
        worths = [self.building(letter, house=False) for letter in letters]
        return 8 + max([*worths, *(self.upgrade(colour) for colour in upgrades)], default=-8)


def value_per_keyple(harbour: Json, counts: Mapping[str, int]) -> int:
    """What each keyple in a harbour scores with these counts."""
    tile = printed().scoring_tiles[harbour["number"]]
    side: ScoringSide = getattr(tile, harbour["side"])
    if side.kind == "distinct":
        value = side.points * sum(counts[name] > 0 for name in side.of)
    elif side.kind == "sets":
        value = side.points * min(counts[name] for name in side.of)
    elif side.kind == "ladder":
        value = _ladder(side.ladder, counts[side.ladder])
    elif side.kind == "buildings":
        value = side.cottage * counts["cottage"] + side.house * counts["house"]
    else:
        value = side.points * (counts[side.count] // (2 if side.kind == "half" else side.each))
    return min(side.max, value)


def _ladder(name: str, count: int) -> int:
    steps = (rung.step for rung in printed().ladders[name])
    return next(points for start, end, points in steps if start <= count and (end is None or count <= end))


def cottage_points(letter: str, counts: Mapping[str, int], *, house: bool) -> int:
    """What a cottage or house scores with these counts; headlands of their own are taken as to come."""
    cottage = printed().cottages[letter]
    if cottage.per == "set":
        times = min(counts[name] for name in cottage.set)
    else:
        times = counts.get(cottage.per, 1) // cottage.each
    return cottage.points[house] * times
