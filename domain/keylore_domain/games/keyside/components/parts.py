"""The parts of the game: the data file, ready for the rules."""

from collections.abc import Mapping
from typing import NamedTuple

from keylore_domain.engine.data import parse_data, shipped
from keylore_domain.games.keyside.components.checks import check
from keylore_domain.games.keyside.components.entries import (
    BoxAction,
    DataFile,
    MatTile,
    ScoringSide,
    Seating,
    StripTile,
    TradeData,
)
from keylore_domain.games.keyside.components.roads import REACH, distances
from keylore_domain.games.keyside.state.position import (
    COLOURS,
    HARBOUR,
    HARBOURS,
    MAT_PAIRS,
    NODE_AT,
    NODES,
    RESOURCE,
    RING,
    Colour,
    Harbour,
    Item,
    KeysideOptions,
    Market,
    Material,
)


class Deed(NamedTuple):
    """An action of a box, ready for play; ``number`` is how often, how many, or for how much."""

    kind: str
    number: int
    gain: Item | None
    own_cottage: Colour | None
    pay: tuple[Material, ...]


Boxes = tuple[tuple[Deed, ...], ...]


class Parts:
    """The data file with distances on the roads, boxes by letter, sides by name; never changes.

    Attributes:
        data: the data file.
        distance: steps between two nodes of the road graph.
        within: for each node the nodes 1 to 3 steps away, in node order.
        inland: for each harbour its resource location, 0 to 7 (keyside §2.2).
    """

    def __init__(self, data: DataFile) -> None:
        self.data = data
        roads = tuple(tuple(NODE_AT[other] for other in data.board.roads[node]) for node in NODES)
        self.distance = tuple(distances(roads, node) for node in range(len(NODES)))
        self.within = tuple(
            tuple(node for node, steps in enumerate(row) if 1 <= steps <= REACH) for row in self.distance
        )
        self.inland = tuple(
            next(at - RESOURCE for at in roads[HARBOUR + h] if RESOURCE <= at < RESOURCE + RING)
            for h in range(HARBOURS)
        )
        self.market_tiles = tuple(tile.tile for tile in data.markets)
        self.two_sided = tuple(tile.tile for tile in data.markets if tile.none is None)
        self.strips: Mapping[str, StripTile] = {strip.strip: strip for strip in data.dice_strips}
        self._trades = _trades(data)
        letters = _letters(data)
        basic = data.mats.basic
        self._boxes = {letter: _boxes(data, letter) for letter in letters}
        self._discount = {
            key: _own(data, key).headland_discount or basic.headland_discount for key in letters
        }
        self._gem_types = {key: _own(data, key).gem_types_scored or basic.gem_types_scored for key in letters}

    def seating(self, options: KeysideOptions) -> Seating:
        """The numbers for this many seats."""
        return self.data.by_seats[options.seats]

    def spaces(self, options: KeysideOptions) -> int:
        """Keyple spaces on top of each harbour."""
        return options.solo_keyple_spaces if options.seats == 1 else self.seating(options).keyple_spaces

    def trade(self, market: Market) -> TradeData:
        """What the visible side of a market asks and gives."""
        return self._trades[market.tile, market.side]

    def boxes(self, letter: str, colour: Colour, level: int) -> Boxes:
        """The boxes of a level (1 to 4) on a mat: one, or left and right."""
        return self._boxes[letter][colour, level]

    def discount(self, letter: str, level: int) -> int:
        """By how much an orange marker on *level* makes headlands cheaper."""
        return self._discount[letter].get(level, 0)

    def gem_types(self, letter: str, level: int) -> int:
        """How many gem types score while the purple marker is on *level*."""
        return self._gem_types[letter].get(level, 0)

    def band(self, total: int) -> int:
        """Which band a dice total is in: 0 low, 1 mid, 2 high."""
        bands = self.data.dice_bands
        return 0 if total <= bands.low[1] else 1 if total <= bands.mid[1] else 2

    def scoring(self, harbour: Harbour) -> ScoringSide:
        """The side in use of the scoring tile of *harbour*."""
        tile = self.data.scoring_tiles[harbour.number]
        return tile.black if harbour.side == "black" else tile.red


def _trades(data: DataFile) -> Mapping[tuple[str, str], TradeData]:
    sides = {
        (tile.tile, side): getattr(tile, side) for tile in data.markets for side in ("top", "reverse", "none")
    }
    return {key: trade for key, trade in sides.items() if trade is not None}


def _letters(data: DataFile) -> tuple[str, ...]:
    return (*MAT_PAIRS, *(getattr(data.mats.backs, pair) for pair in MAT_PAIRS))


def _own(data: DataFile, letter: str) -> MatTile:
    mat: MatTile = data.mats.basic if letter in MAT_PAIRS else getattr(data.mats, letter)
    return mat


def _boxes(data: DataFile, letter: str) -> Mapping[tuple[Colour, int], Boxes]:
    own, basic = _own(data, letter), data.mats.basic
    return {
        (colour, level): tuple(
            tuple(_deed(action) for action in box)
            for box in getattr(own, colour).get(level) or getattr(basic, colour)[level]
        )
        for colour in COLOURS
        for level in range(1, 5)
    }


def _deed(action: BoxAction) -> Deed:
    (kind,) = action.kinds
    value = getattr(action, kind)
    number = value if isinstance(value, int) else action.n
    return Deed(kind, number, action.gain, action.own_cottage, action.pay)


def standard() -> str:
    """The text of the shipped data file."""
    return shipped("keylore_domain.games.keyside")


def parse(text: str) -> Parts:
    """The parts in the data file *text*.

    Raises:
        DataFileError: an entry has a wrong shape or breaks a constraint of keyside §2.
    """
    data = parse_data(text, "keyside", DataFile)
    check(data)
    return Parts(data)
