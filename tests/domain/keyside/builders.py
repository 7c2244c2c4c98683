"""Positions of Keyside for tests, and a table to play them on.

A scene begins on a plain island: harbour ``h0`` has tile A and number 1, ``h1`` tile B and number 2, and so
on (black sides); the markets lie in the order of the data file with their top sides up; forest, quarry and
wheat fields on r0, r2 and r4, farms F1 to F5 (side a) on r1, r3, r5, r6 and r7. Nobody has dice.
"""

from typing import Any

from msgspec.structs import replace

from keylore_domain.engine.facts import Fact
from keylore_domain.engine.moves import Decision
from keylore_domain.engine.options import parse_options
from keylore_domain.engine.seats import Seat, with_item
from keylore_domain.games.keyside.effects.tables import STEPS
from keylore_domain.games.keyside.play import Play
from keylore_domain.games.keyside.rules import Keyside
from keylore_domain.games.keyside.scoring import totals
from keylore_domain.games.keyside.state.decisions import TurnStart
from keylore_domain.games.keyside.state.position import (
    COLOURS,
    HARBOURS,
    ITEM_AT,
    Boat,
    Building,
    Built,
    Die,
    Farm,
    Favours,
    Harbour,
    KeysideOptions,
    Market,
    Mat,
    Owner,
    SkillTile,
    Solo,
    Source,
    State,
    market_at,
)
from tests.domain.staging import Driven, Script, ScriptedChance, plain, staged

GAME = Keyside()
DATA = GAME.parts.data
SEED = b"s" * 32


class Table(Driven[Keyside]):
    """A position that is played on."""

    def __init__(self, state: State | None, script: Script, options: Any) -> None:
        game = GAME if state is None else staged(GAME, Play, STEPS, state)
        super().__init__(game, options, lambda drawn: ScriptedChance(script, SEED, drawn))
        self._script = script

    @property
    def state(self) -> State:
        return self.position.state  # type: ignore[no-any-return]

    def values(self, field: str) -> list[Any]:
        """One field of all legal moves that have it."""
        return [move[field] for move in self.legal if field in move]

    def play(self, seat: int | None = None, **fields: Any) -> "Table":
        """Answer with the move of these fields; ``from_`` stands for ``from``."""
        self.answer({name.rstrip("_"): value for name, value in fields.items()}, seat)
        return self

    def decline(self) -> "Table":
        return self.play(action="decline")

    def skip(self) -> "Table":
        """Answer with the default."""
        return self.play(**self.default)

    def noted(self, kind: type[Fact]) -> list[Any]:
        """The facts of one kind, as plain values."""
        return [plain(fact) for fact in self.facts if isinstance(fact, kind)]

    def store(self, seat: int = 0) -> dict[str, int]:
        """What the stores of a seat hold, without zeros."""
        counts = self.state.mats[seat].store
        return {item: counts[at] for item, at in ITEM_AT.items() if counts[at]}

    def scripted_left(self) -> int:
        """How many scripted outcomes nobody asked for."""
        return sum(map(len, self._script.values()))


class Scene:
    """Builds a position."""

    def __init__(self, seats: int = 3, **options: Any) -> None:
        chosen = KeysideOptions(seats=seats, **options)
        boats = (0, 6) if seats == 2 else (0, 4, 8)
        self.state = State(
            options=chosen,
            spaces=GAME.parts.spaces(chosen),
            harbours=tuple(Harbour("ABCDEFGHIJKL"[at], at + 1, "black") for at in range(HARBOURS)),
            boats=tuple(Boat(at) for at in boats),
            headlands=((),) * HARBOURS,
            markets=tuple(
                Market(tile, "top" if tile in GAME.parts.two_sided else "none")
                for tile in GAME.parts.market_tiles
            ),
            resources=_resources(GAME.parts.seating(chosen).tokens),
            mats=tuple(Mat("ABCD"[seat], f"S{seat + 1}") for seat in range(seats)),
            cottages_left=tuple(DATA.cottages),
            skill_stacks=(DATA.counts.skill_tile_values,) * 6,
            gem_bag=(6 if seats == 1 else 12,) * 3,
            phase="turns",
        )
        if seats == 1:
            self.change(solo=Solo(flags=(0, 4, 8), beacons=("A1", "B1", "C1"), strips=("S2", "S3", "S4")))

    def change(self, **fields: Any) -> "Scene":
        self.state = replace(self.state, **fields)
        return self

    def harbour(self, at: int, *top: Owner, **fields: Any) -> "Scene":
        """Fields of a harbour; owners of keyples on top."""
        if top:
            fields["top"] = top
        old = self.state.harbours
        return self.change(harbours=with_item(old, at, replace(old[at], **fields)))

    def loaded(
        self, at: int, *values: int, colour: Any = "green", owners: tuple[Any, ...] = (0, 1, 2, 3)
    ) -> "Scene":
        """Dice on a harbour, the lead's first, with their sailor."""
        dice = tuple(Die(owner, colour, value) for owner, value in zip(owners, values, strict=False))
        return self.harbour(at, dice=dice, sailor=colour if owners[0] != "K" else None, landed=True)

    def mat(self, seat: int = 0, **fields: Any) -> "Scene":
        old = self.state.mats
        return self.change(mats=with_item(old, seat, replace(old[seat], **fields)))

    def dice(self, seat: int = 0, **values: int) -> "Scene":
        """Unplayed dice by colour."""
        return self.mat(seat, dice=tuple(values.get(colour, 0) for colour in COLOURS))

    def levels(self, seat: int = 0, **values: int) -> "Scene":
        return self.mat(seat, levels=tuple(values.get(colour, 0) for colour in COLOURS))

    def store(self, seat: int = 0, **items: int) -> "Scene":
        return self.mat(seat, store=tuple(items.get(item, 0) for item in ITEM_AT))

    def buildings(self, seat: int, letters: str) -> "Scene":
        """Cottages by their letter, houses by the lower-case letter."""
        plots: list[Building | None] = [None] * 6
        for letter in letters:
            colour = DATA.cottages[letter.upper()].colour
            plots[COLOURS.index(colour)] = Building(letter.upper(), letter.islower())
        left = tuple(letter for letter in self.state.cottages_left if letter not in letters.upper())
        return self.mat(seat, buildings=tuple(plots)).change(cottages_left=left)

    def skills(self, seat: int, *tiles: tuple[Any, int]) -> "Scene":
        return self.mat(seat, skill_tiles=tuple(SkillTile(colour, value) for colour, value in tiles))

    def stacks(self, **stacks: tuple[int, ...]) -> "Scene":
        """Skill stacks by colour; full where left out."""
        return self.change(skill_stacks=tuple(stacks.get(colour, (5, 3, 1)) for colour in COLOURS))

    def market(self, tile: str, *seats: int, **fields: Any) -> "Scene":
        at = market_at(self.state, tile)
        market = replace(self.state.markets[at], keyples=tuple(Seat(seat) for seat in seats), **fields)
        return self.change(markets=with_item(self.state.markets, at, market))

    def market_places(self, **places: int) -> "Scene":
        """Move market tiles to locations; they change places with what lies there."""
        for tile, at in places.items():
            markets = list(self.state.markets)
            was = market_at(self.state, tile)
            markets[was], markets[at] = markets[at], markets[was]
            self.change(markets=tuple(markets))
        return self

    def resource(self, at: int, **fields: Any) -> "Scene":
        old = self.state.resources
        return self.change(resources=with_item(old, at, replace(old[at], **fields)))

    def source(self, tile: str, tokens: int, keyple: Owner | None = None) -> "Scene":
        """Forest, quarry or wheat fields with so many tokens."""
        at = next(at for at, found in enumerate(self.state.resources) if found.tile == tile)
        return self.resource(at, tokens=tokens, flipped=tokens == 0, keyple=keyple)

    def farm(self, at: int, *animals: Any, keyple: Owner | None = None) -> "Scene":
        """Animals on the icons of the farm at a location, in order; None leaves an icon empty."""
        standing = (*animals, None, None, None, None)[:4]
        return self.resource(at, animals=standing, keyple=keyple)

    def headland(self, space: int, *tiles: tuple[Any, str, Favours]) -> "Scene":
        """A stack of headlands; they are taken from their owners."""
        built = tuple(Built(owner, tile, favours) for owner, tile, favours in tiles)
        for owner, tile, _ in tiles:
            if owner != "landslide":
                left = self.state.mats[owner].headlands_left
                self.mat(owner, headlands_left=tuple(other for other in left if other != tile))
        return self.change(headlands=with_item(self.state.headlands, space, built))

    def boats(self, *places: int) -> "Scene":
        return self.change(boats=tuple(Boat(at) for at in places))

    def solo(self, **fields: Any) -> "Scene":
        assert self.state.solo is not None
        return self.change(solo=replace(self.state.solo, **fields))

    def turn(self, lead: Any = 0, script: Script | None = None) -> Table:
        """The turn of *lead* begins."""
        return self.change(lead_seat=lead, pending=(TurnStart(),)).table(script)

    def run(self, *steps: Decision, lead: Any = 0, script: Script | None = None) -> Table:
        """Only *steps* happen, as in a turn of *lead*."""
        return self.change(lead_seat=lead, pending=tuple(reversed(steps))).table(script)

    def table(self, script: Script | None = None) -> Table:
        return Table(self.state, script or {}, self.state.options)

    def rows(self, seat: int = 0) -> dict[str, int]:
        """The score pad of a seat."""
        return {row.row: row.points for row in totals.rows(GAME.parts, self.state, Seat(seat))}


def _resources(tokens: int) -> tuple[Source | Farm, ...]:
    sources = {0: "forest", 2: "quarry", 4: "wheat_fields"}
    farms = iter(DATA.farms.items())
    found: list[Source | Farm] = []
    for at in range(8):
        if at in sources:
            found.append(Source(sources[at], tokens))
        else:
            tile, sides = next(farms)
            found.append(Farm(tile, "a", sides.a))
    return tuple(found)


def opened(script: Script | None = None, **options: Any) -> Table:
    """A game from its set-up on."""
    return Table(None, script or {}, parse_options(GAME, options))


def roll(*values: int) -> Script:
    """A script of Keytoma's rolls, each 1 to 6."""
    return {"keytoma.roll": [value - 1 for value in values]}
