"""The component data: its types, how a data file is read, and the names that the rules use.

What a league may change in its own file: the treasure cards, the ghosts' counters, the workers' numbers, the
guard tiles and the action cards' directives. Everything else in it states the rules and must stay as it is.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, Final, Literal

import msgspec

from keylore_domain.engine.data import Provenance, parse_data, require, shipped
from keylore_domain.errors import DataFileError

GAME: Final = "keydoms-dragons"
Type = Literal["red", "white", "black", "blue", "gold"]
Artefact = Literal["amulet", "key", "mirror", "raven", "scroll", "wand"]
Location = Literal["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "N", "O"]
Stack = Literal["K", "L", "M", "M2", "N", "O"]
GhostName = Literal["light", "dark"]

TYPES: Final[tuple[Type, ...]] = ("red", "white", "black", "blue", "gold")
ARTEFACTS: Final[tuple[Artefact, ...]] = ("amulet", "key", "mirror", "raven", "scroll", "wand")
AMULET, KEY, MIRROR, RAVEN, SCROLL, WAND = range(6)
LOCATIONS: Final[tuple[Location, ...]] = (
    "A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "N", "O",
)  # fmt: skip
CAVES: Final[tuple[Location, ...]] = LOCATIONS[:5]
KEYTOWN: Final[tuple[Location, ...]] = LOCATIONS[5:9]
GUARD_ROOM: Final[Location] = "J"
CASTLE: Final[tuple[Location, ...]] = LOCATIONS[10:]
STACKS: Final[tuple[Stack, ...]] = ("K", "L", "M", "M2", "N", "O")
ROOM_STACKS: Final[Mapping[Location, tuple[int, ...]]] = {
    "K": (0,),
    "L": (1,),
    "M": (2, 3),
    "N": (4,),
    "O": (5,),
}
GHOSTS: Final[tuple[GhostName, ...]] = ("light", "dark")

(CHOICE, COPY, DISCLOSURE, DONATION, DRAGON_LEAVES, DRAGON_RETURNS, EVICT, EXCHANGE, EXTORTION, GET_EVEN,
 GIFT, LEVY, MOONLIGHT, ODD_ONES_OUT, REARRANGE, SMUGGLER, SUBSTITUTE, TABOO, TELEPORT, TOLL,
 TRADE) = range(1, 22)  # fmt: skip

LARGE: Final = 3  # units in a large treasure
LEDGES: Final = 4
RAVEN_STRENGTH: Final = 3
UNITS: Final = 29  # of each type
CARDS: Final = 15  # treasure cards in a set
COUNTERS: Final = 8  # workers of a party
Positive = Annotated[int, msgspec.Meta(ge=1, le=99)]


class TreasureType(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A type of treasure, its cave and its supply."""

    id: Type
    piece: str
    cave: Location
    large: int
    small: int
    large_value: int
    small_value: int
    units: int
    provenance: Provenance
    cave_provenance: Provenance = "rulebook"
    source: str = ""


class TreasureCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ledge values by cave, the top ledge first; an empty list is a dragon at home."""

    id: str
    pattern: str
    total: int
    ledges: dict[Location, tuple[Positive, ...]]

    def values(self) -> tuple[tuple[int, ...], ...]:
        """The ledge values of caves A to E."""
        return tuple(self.ledges.get(cave, ()) for cave in CAVES)


class TreasureCards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The sets of treasure cards by number of chests."""

    provenance: Provenance
    sets: dict[int, tuple[TreasureCard, ...]]
    constraints_met: tuple[str, ...] = ()


class SetupRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the number of parties decides."""

    chests: int
    tiles_per_type: int
    stacks: tuple[Stack, ...]
    stack_height: int
    extra_ledge: bool


class SetupTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Set-up rows by number of parties."""

    provenance: Provenance
    rows: dict[int, SetupRow]


class SeatTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Allowed numbers of ghosts by number of seats, the default first."""

    provenance: Provenance
    rows: dict[int, tuple[int, ...]]
    note: str = ""


class Workers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers on the workers of a seat."""

    provenance: Provenance
    numbers: tuple[Positive, ...]
    colours: tuple[str, ...]


class GuardTiles(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The strengths of the guard tiles."""

    values: tuple[Positive, ...]
    provenance: Provenance


class Counter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ghost's worker: its number in castle rooms and elsewhere."""

    castle: Positive
    elsewhere: Positive


class GhostWorkers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The counters of one ghost."""

    provenance: Provenance
    counters: tuple[Counter, ...]


Directive = Literal[
    "artefact_type_not_owned",
    "fewest_workers",
    "fewest_workers_with_a_player_worker",
    "most_workers",
    "most_treasure",
    "fewest_treasure",
    "second_most_treasure",
]
LastRule = Literal["leftmost", "rightmost"]


class ActionCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where one action card sends a ghost's worker."""

    card: int
    level: Literal["caves", "keytown", "castle"]
    provenance: Provenance
    directives: tuple[Directive, ...] = ()
    final: LastRule | tuple[Location, ...] = "leftmost"
    fixed: Location | None = None
    final_provenance: Provenance = "rulebook"


class GhostData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that belongs to the ghosts."""

    order: tuple[GhostName, ...]
    order_provenance: Provenance
    workers_played: dict[str, Any]
    key_bonus: dict[str, Any]
    mirror_bonus: dict[str, Any]
    disclosure_bonus: dict[str, Any]
    trade_bonus: dict[str, Any]
    workers: GhostWorkers
    action_cards: tuple[ActionCard, ...]
    spell_score: dict[str, Any]


class Entry(msgspec.Struct, frozen=True):
    """An entry that the rules fix; only its provenance and name are read by themselves."""

    id: str | int
    provenance: Provenance


class Parts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole data file."""

    schema: str
    game: str
    data_version: int
    title: str
    provenance_values: dict[Provenance, str]
    treasure_types: tuple[TreasureType, ...]
    substitution_order: dict[str, Any]
    locations: tuple[Entry, ...]
    setup_by_parties: SetupTable
    seats_and_ghosts: SeatTable
    workers: Workers
    raven_strength: dict[str, Any]
    guard_tiles: GuardTiles
    start_treasures: dict[str, Any]
    max_workers_with_payment: dict[str, Any]
    artefacts: tuple[Entry, ...]
    spells: tuple[Entry, ...]
    ghosts: GhostData
    option_defaults: dict[str, Any]
    treasure_cards: TreasureCards

    def cards(self, parties: int) -> tuple[TreasureCard, ...]:
        """The treasure cards for a game with *parties* parties."""
        return self.treasure_cards.sets[self.setup_by_parties.rows[parties].chests]

    def card(self, number: str) -> TreasureCard:
        """The treasure card with the id *number*."""
        return next(
            card for cards in self.treasure_cards.sets.values() for card in cards if card.id == number
        )

    def action_card(self, number: int) -> ActionCard:
        """The ghosts' action card *number* (1 to 12)."""
        return self.ghosts.action_cards[number - 1]


def standard() -> str:
    """The text of the data file that ships with the game."""
    return shipped("keylore_domain.games.keydoms_dragons")


@lru_cache(maxsize=8)
def parse(text: str) -> Parts:
    """The parts in the data file *text*.

    Raises:
        DataFileError: an entry breaks a rule; names it.
    """
    parts = parse_data(text, GAME, Parts)
    _check_fixed(parts, text)
    _check_treasure_cards(parts)
    _check_counts(parts)
    _check_action_cards(parts)
    return parts


# The parts of the file that state rules: a league's own file must repeat them.
_FIXED: Final = (
    "treasure_types", "substitution_order", "locations", "setup_by_parties", "seats_and_ghosts",
    "raven_strength", "start_treasures", "max_workers_with_payment", "artefacts", "spells", "option_defaults",
)  # fmt: skip
_FIXED_GHOSTS: Final = (
    "order", "workers_played", "key_bonus", "mirror_bonus", "disclosure_bonus", "trade_bonus", "spell_score",
)  # fmt: skip


def _check_fixed(parts: Parts, text: str) -> None:
    if text == standard():
        return
    ours, theirs = _raw(standard()), _raw(text)
    for name in _FIXED:
        _check_same(name, ours[name], theirs[name])
    for name in _FIXED_GHOSTS:
        _check_same(f"ghosts.{name}", ours["ghosts"][name], theirs["ghosts"][name])


def _raw(text: str) -> Any:
    return parse_data(text, GAME, _Raw).tree()


class _Raw(msgspec.Struct, frozen=True):
    """The same file, unread: every part as plain values."""

    treasure_types: Any
    substitution_order: Any
    locations: Any
    setup_by_parties: Any
    seats_and_ghosts: Any
    raven_strength: Any
    start_treasures: Any
    max_workers_with_payment: Any
    artefacts: Any
    spells: Any
    option_defaults: Any
    ghosts: dict[str, Any]

    def tree(self) -> dict[str, Any]:
        return msgspec.structs.asdict(self)


def _check_same(entry: str, ours: Any, theirs: Any) -> None:
    if ours == theirs:
        return
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in {**ours, **theirs}:
            _check_same(f"{entry}.{key}", ours.get(key), theirs.get(key))
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for at, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            _check_same(f"{entry}[{at}]", one, other)
    elif entry.rpartition(".")[2] not in {"provenance", "source", "note", "piece", "name"}:
        raise DataFileError(entry, f"is {theirs!r}; the rules fix it as {ours!r}")


def _check_treasure_cards(parts: Parts) -> None:
    sets = parts.treasure_cards.sets
    require("treasure_cards.sets", "must be the sets 3, 4 and 5", holds=sorted(sets) == [3, 4, 5])
    ids = [card.id for cards in sets.values() for card in cards]
    for chests, cards in sets.items():
        entry = f"treasure_cards.sets.{chests}"
        require(entry, f"has {len(cards)} cards; a set has {CARDS}", holds=len(cards) == CARDS)
        for at, card in enumerate(cards):
            _check_treasure_card(f"{entry}[{at}]", card, ids)


def _check_treasure_card(entry: str, card: TreasureCard, ids: list[str]) -> None:
    values = card.values()
    total = sum(map(sum, values))
    require(f"{entry}.id", f"{card.id!r} is used more than once", holds=ids.count(card.id) == 1)
    require(
        f"{entry}.ledges", "must name the caves A to E, each once", holds=sorted(card.ledges) == list(CAVES)
    )
    few = all(len(ledges) <= LEDGES for ledges in values)
    require(f"{entry}.ledges", f"a cave has at most {LEDGES} ledges", holds=few)
    require(f"{entry}.total", f"is {card.total}, the ledges hold {total}", holds=total == card.total)


def _check_counts(parts: Parts) -> None:
    numbers = parts.workers.numbers
    ascending = len(numbers) == COUNTERS and list(numbers) == sorted(set(numbers))
    require("workers.numbers", f"must be {COUNTERS} different numbers, ascending", holds=ascending)
    guards = parts.guard_tiles.values
    require("guard_tiles.values", "must be 10 strengths", holds=len(guards) == 10)
    require("guard_tiles.values", "a guard has a strength of at most 10", holds=max(guards) <= 10)
    counters = parts.ghosts.workers.counters
    require("ghosts.workers.counters", f"must be {COUNTERS} counters", holds=len(counters) == COUNTERS)


def _check_action_cards(parts: Parts) -> None:
    cards = parts.ghosts.action_cards
    numbered = [card.card for card in cards] == list(range(1, 13))
    require("ghosts.action_cards", "must be the cards 1 to 12, in this order", holds=numbered)
    for at, card in enumerate(cards):
        ids = {"caves": CAVES, "keytown": KEYTOWN, "castle": CASTLE}[card.level]
        whole = not isinstance(card.final, tuple) or sorted(card.final) == list(ids)
        require(f"ghosts.action_cards[{at}].final", "must order all locations of the level", holds=whole)
        here = card.fixed is None or card.fixed in ids
        require(f"ghosts.action_cards[{at}].fixed", "must be a location of the level", holds=here)
