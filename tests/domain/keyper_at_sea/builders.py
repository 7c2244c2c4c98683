"""Positions of Keyper at Sea for tests, driven as the engine drives a match.

Unless a test says otherwise (keyper-at-sea §12): shallow, 3 seats, spring, boards as at setup, seat 0 takes
the turn, nobody owns anything, the other seats have no keyples (so nobody joins) but their keypers in hand.
"""

import hashlib
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from keylore_domain.engine.chance import LiveChance
from keylore_domain.engine.facts import Fact
from keylore_domain.engine.game import Turn
from keylore_domain.engine.moves import Decision
from keylore_domain.engine.options import parse_options
from keylore_domain.engine.seats import Seat, with_item
from keylore_domain.games.keyper_at_sea import facts
from keylore_domain.games.keyper_at_sea.components.entries import Season
from keylore_domain.games.keyper_at_sea.effects.tables import STEPS
from keylore_domain.games.keyper_at_sea.play import Play, put_keyples
from keylore_domain.games.keyper_at_sea.rules import KeyperAtSea
from keylore_domain.games.keyper_at_sea.scoring.totals import tile_points
from keylore_domain.games.keyper_at_sea.state import decisions as wait
from keylore_domain.games.keyper_at_sea.state.position import (
    Household,
    KeyperOptions,
    Keyple,
    Moored,
    OwnedStore,
    Plot,
    State,
)
from tests.domain.staging import Driven, live, staged

GAME = KeyperAtSea()
PARTS = GAME.parts
DECLINE = {"action": "decline"}
PASS = {"action": "pass"}
DONE = {"action": "done"}
KEYPER = {"action": "play_keyper"}
LAY_DOWN = {"action": "lay_down"}
END_SEASON = {"action": "end_season"}
Json = dict[str, Any]


def seed_of(number: int) -> bytes:
    """A seed for tests."""
    return hashlib.sha256(f"keyper-at-sea {number}".encode()).digest()


def options(**chosen: object) -> KeyperOptions:
    """Options; three seats in shallow, and seat 0 begins, unless chosen otherwise."""
    parsed = parse_options(GAME, {"seats": 3, "start_seat": 0, **chosen})
    assert isinstance(parsed, KeyperOptions)
    return parsed


class Scene(Driven[KeyperAtSea]):
    """A position that a test builds, then plays on."""

    def __init__(self, number: int = 1, *, bare: bool = True, **chosen: object) -> None:
        self.options = options(**chosen)
        self.seed = seed_of(number)
        super().__init__(GAME, self.options, live(self.seed))
        self._built: State = self.position.state
        self.playing = False
        if bare:
            self._bare()

    @property
    def state(self) -> State:
        """The position that is built."""
        return self._built

    def _bare(self) -> None:
        for seat in range(self.state.seats):
            self.have(seat, secret=())
            self.items(seat)
            if seat:
                self.team(seat)

    # --- building ---

    def household(self, seat: int = 0) -> Household:
        """What a seat has now."""
        return self.now.households[seat]

    def change(self, **fields: Any) -> "Scene":
        """Give the position these values."""
        self._built = replace(self._built, **fields)
        return self

    def have(self, seat: int, **fields: Any) -> "Scene":
        """Give a household these values."""
        changed = replace(self.state.households[seat], **fields)
        return self.change(households=with_item(self.state.households, seat, changed))

    def items(self, seat: int, **counts: int) -> "Scene":
        """Let these be all items of a seat."""
        return self.have(seat, items=tuple(counts.get(name, 0) for name in PARTS.items))

    def team(self, seat: int, *colours: str, keyper: str | None = None) -> "Scene":
        """Let these be the team of a seat; *keyper*: the board that it has claimed."""
        self.have(seat, team=tuple(colours.count(colour) for colour in PARTS.colours))
        return self if keyper is None else self.claim(seat, keyper)

    def claim(self, seat: int, board: str) -> "Scene":
        """Put the keyper of a seat on a board; an empty text: nowhere, as if it had been played."""
        self.have(seat, keyper=board)
        return self._board(board, keyper=Seat(seat))

    def _board(self, board_id: str, **fields: Any) -> "Scene":
        boards = tuple(
            replace(board, **fields) if board.id == board_id else board for board in self.state.boards
        )
        return self.change(boards=boards)

    def board(self, board_id: str, **fields: Any) -> "Scene":
        """Give a board these values."""
        return self._board(board_id, **fields)

    def cell(self, cell: str, **fields: Any) -> "Scene":
        """Give a cell these values."""
        play = self._play()
        play.change_cell(cell, **fields)
        return self._take(play)

    def put(self, spot: str, *colours: str, lying: bool = False, seat: int = 0) -> "Scene":
        """Put keyples on a spot, besides those that are there."""
        play = self._play()
        here = [
            *_on(self.state, spot, seat),
            *(Keyple(colour, lying) for colour in colours),
        ]
        put_keyples(play, Seat(seat), spot, here)
        return self._take(play)

    def moor(self, boat: str, *cells: str, tiles: tuple[str, ...] = ()) -> "Scene":
        """Moor a boat or fishing boat without keyples, with these creature tiles on it."""
        for cell in cells:
            self.cell(cell, creature="", face_up=False, boat=boat)
        moored = Moored(boat, cells[0].split(".")[0], cells, (), tiles)
        state = self.state
        return self.change(
            moored=tuple(sorted((*state.moored, moored), key=lambda item: PARTS.boat_rank[item.id])),
            boats_available=tuple(name for name in state.boats_available if name != boat),
            boats_aside=tuple(name for name in state.boats_aside if name != boat),
            fishing_available=tuple(name for name in state.fishing_available if name != boat),
        )

    def dry(self) -> "Scene":
        """Take all creature tiles off the water."""
        for board in self.state.boards:
            self._board(board.id, cells=tuple(replace(cell, creature="") for cell in board.cells))
        return self

    def unbuilt(self, *tiles: str, seat: int = 0) -> "Scene":
        """Let these be the unbuilt tiles of a seat."""
        return self.have(seat, tiles=PARTS.sorted_tiles(tiles))

    def built(self, plot: str, *stack: str, upgraded: bool = False, seat: int = 0) -> "Scene":
        """Let these tiles stand on a plot, from bottom to top."""
        at = PARTS.plot[plot]
        plots = self.state.households[seat].plots
        return self.have(seat, plots=with_item(plots, at, Plot(stack, upgraded)))

    def store(self, store: str, *, upgraded: bool = False, seat: int = 0) -> "Scene":
        """Give a seat a store tile."""
        owned = self.state.households[seat].stores
        return self.have(seat, stores=(*owned, OwnedStore(store, upgraded)))

    def supply(self, **counts: int) -> "Scene":
        """Let the supply have this many of these items."""
        changed = tuple(counts.get(name, n) for name, n in zip(PARTS.items, self.state.supply, strict=True))
        return self.change(supply=changed)

    def in_season(self, season: Season) -> "Scene":
        """Let it be this season, for the game and for all seats."""
        self.change(season=season)
        for seat in range(self.state.seats):
            self.have(seat, season=season)
        for board in self.state.boards:
            self._board(board.id, season=season)
        return self

    def _play(self) -> Play:
        return Play(PARTS, self.state, Turn(LiveChance(self.seed)))

    def _take(self, play: Play) -> "Scene":
        self._built = play.position
        return self

    # --- playing ---

    def start(self, *pending: Decision, seat: int = 0) -> "Scene":
        """Play on from here: *seat* takes a turn, or what *pending* says (the first comes first)."""
        todo = pending or (wait.TakeTurn(Seat(seat)),)
        self.change(pending=(wait.Do("end_turn", Seat(seat)), *reversed(todo)), current=Seat(seat))
        super().__init__(staged(GAME, Play, STEPS, self._built), self.options, live(self.seed))
        self.playing = True
        return self

    def do(self, step: str, seat: int = 0) -> "Scene":
        """Carry out a named step, then wait for the turn of seat 0."""
        return self.start(wait.Do(step, Seat(seat)), wait.TakeTurn(Seat(0)))

    def again(self) -> "Scene":
        """Stop playing, so that the position can be changed and started anew."""
        self._built, self.playing = self.now, False
        return self

    @property
    def now(self) -> State:
        """The position, before or after `start`."""
        state: State = self.position.state if self.playing else self.state
        return state

    @property
    def kind(self) -> str:
        """Kind of the open prompt."""
        return self.prompt.kind

    def names(self, field: str) -> list[Any]:
        """One field of each legal move that has it."""
        return [move[field] for move in self.legal if field in move]

    def play(self, *moves: Json) -> "Scene":
        """The seats that are asked play *moves*, one after the other."""
        for move in moves:
            self.answer(move)
        return self

    def play_default(self) -> "Scene":
        """The default move is played."""
        return self.play(self.default)

    def place(self, colour: str, spot: str, *cells: str) -> "Scene":
        """Seat 0 plays a keyple on a spot, mooring a boat on *cells*."""
        if not self.playing:
            self.start()
        if self.kind == "take_turn":
            self.play(keyple(colour))
        self.play({"spot": spot})
        if cells and self.position.open and self.kind == "choose_mooring":
            self.play({"cells": list(cells)})
        return self

    def owned(self, seat: int = 0) -> dict[str, int]:
        """The items of a seat."""
        return {name: n for name, n in zip(PARTS.items, self.household(seat).items, strict=True) if n}

    def in_supply(self, item: str) -> int:
        """How many of an item the supply has."""
        return self.now.supply[PARTS.item[item]]

    @property
    def slots(self) -> list[int]:
        """The seats of the action slots so far."""
        return [fact.seat for fact in self.facts if isinstance(fact, facts.SlotStarted)]

    @property
    def passed_over(self) -> list[int]:
        """The numbers of the action slots that were passed over."""
        return [fact.slot for fact in self.facts if isinstance(fact, facts.SlotPassedOver)]

    def noted(self, kind: type[Fact]) -> list[Any]:
        """The facts of one kind."""
        return [fact for fact in self.facts if isinstance(fact, kind)]


def _on(state: State, spot: str, seat: int) -> Sequence[Keyple]:
    if spot == "keyp":
        return state.households[seat].keyp
    if "." in spot:
        board, row, column = spot.split(".")
        return state.board(board).cells[4 * int(row) + int(column)].keyples
    moored = state.moored_as(spot)
    return moored.keyples if moored else ()


def keyple(colour: str) -> Json:
    """Play a keyple."""
    return {"action": "play_keyple", "colour": colour}


def join(colour: str) -> Json:
    """Join with a keyple."""
    return {"action": "join", "colour": colour}


def points(scene: Scene, seat: int = 0) -> int:
    """What the tiles and stores of a seat score now."""
    return tile_points(PARTS, scene.now, Seat(seat))


def both(score: Scene, plot: str) -> tuple[int, int]:
    """The points of a seat's tiles with the one on *plot* not upgraded, and upgraded."""
    stack = score.household().plots[PARTS.plot[plot]].stack
    return points(score.built(plot, *stack)), points(score.built(plot, *stack, upgraded=True))
