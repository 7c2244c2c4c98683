"""Positions of Keydom for tests, and a match that is driven as the engine drives it."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from keylore_domain.engine import positions
from keylore_domain.engine.chance import LiveChance
from keylore_domain.engine.game import Turn
from keylore_domain.engine.moves import Decision
from keylore_domain.engine.options import parse_options
from keylore_domain.engine.outcomes import Outcome
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydom.components.names import COLOURS, NUMBERS, TILES
from keylore_domain.games.keydom.effects.tables import STEPS
from keylore_domain.games.keydom.facts import FACT_TYPES
from keylore_domain.games.keydom.play import Play
from keylore_domain.games.keydom.rules import Keydom
from keylore_domain.games.keydom.state.decisions import EnterLocation, NextPlacement
from keylore_domain.games.keydom.state.position import (
    Face,
    Family,
    KeydomOptions,
    State,
    Token,
    with_token,
)
from tests.domain.staging import Driven, live, plain, staged

GAME = Keydom()
SEED = bytes(32)
PASS = {"action": "pass"}
PASS_WINDOW = {"action": "pass", "scope": "window"}
PASS_ROUND = {"action": "pass", "scope": "round"}
WITHDRAW = {"action": "withdraw"}

CubesOf = Mapping[int, tuple[int, int, int, int, int]]
Tokens = Mapping[str, Sequence[str | Token]]


def options(seats: int, **chosen: object) -> KeydomOptions:
    """Options; the colours go by seat unless chosen otherwise."""
    parsed = parse_options(GAME, {"seats": seats, "colour_assignment": "seat_order", **chosen})
    assert isinstance(parsed, KeydomOptions)
    return parsed


def cast(spell: str) -> dict[str, object]:
    """The move that casts a spell."""
    return {"action": "cast", "spell": spell}


def place(counter: int, location: str) -> dict[str, object]:
    """The move that places a counter."""
    return {"action": "place", "counter": counter, "location": location}


def token(token_id: str, number: int, location: str, *, track: int = 0, face: Face | None = None) -> Token:
    """A token with a certain id; on a track it lies face up."""
    seat, placed, k = (int(part) for part in token_id.split("."))
    shown: Face = face or ("up" if track else "down")
    space = None
    return Token(token_id, Seat(seat), number, location, shown, placed, k, space, track)


def _board(tokens: Tokens, now: int, face: Face) -> tuple[Token, ...]:
    board: tuple[Token, ...] = ()
    placed: dict[int, int] = {}
    for location, entries in tokens.items():
        for entry in entries:
            if isinstance(entry, Token):
                board = with_token(board, entry)
                continue
            seat, number = (int(part) for part in entry.split(":"))
            placed[seat] = placed.get(seat, 0) + 1
            board = with_token(board, token(f"{seat}.{now}.{placed[seat]}", number, location, face=face))
    return board


def position(
    seats: int = 2,
    *,
    pending: Decision,
    tokens: Tokens | None = None,
    cubes: CubesOf | None = None,
    tiles: Mapping[int, Sequence[str]] | None = None,
    held: Mapping[int, Sequence[str]] | None = None,
    hands: Mapping[int, Sequence[int]] | None = None,
    market: Sequence[str] | None = None,
    stock: Mapping[str, int] | None = None,
    number_one: Sequence[int] = (),
    start: int = 0,
    round: int = 2,  # noqa: A002 - the word of the rules
    game: Keydom = GAME,
    **chosen: object,
) -> State:
    """A position that waits for *pending*.

    Tokens are ``"0:9"`` (seat 0, number 9) or made by `token`. Counters that are not named lie with the
    bids. ``number_one`` are the seats that have their number 1 already. ``stock`` overrides; the cubes that
    are missing then have gone nowhere.
    """
    rules = options(seats, **chosen)
    setup = game.setup(rules, Turn(LiveChance(SEED)))
    face: Face = "up" if rules.face_up_counters else "down"
    board = _board(tokens or {}, round, face)
    families = tuple(
        msgspec.structs.replace(
            _family(seat, board, sorted((hands or {}).get(seat, ())), seat in number_one, round),
            cubes=(cubes or {}).get(seat, (0,) * 5),
            tiles=tuple(tile for tile in TILES if tile in (tiles or {}).get(seat, ())),
            spells=tuple((held or {}).get(seat, ())),
        )
        for seat in range(seats)
    )
    taken = [spell for family in families for spell in family.spells]
    cards = [card for card in game.parts.cards if card in setup.deck and card not in taken]
    shown = () if not rules.spells else tuple(market or cards[:3])
    counts = [25 - sum(family.cubes[at] for family in families) for at in range(5)]
    for colour, count in (stock or {}).items():
        counts[COLOURS.index(colour)] = count
    return msgspec.structs.replace(
        setup,
        families=families,
        stock=tuple(counts),
        piles=tuple(
            pile - sum(tile in family.tiles for family in families)
            for tile, pile in zip(TILES, setup.piles, strict=True)
        ),
        deck=tuple(card for card in cards if card not in shown),
        market=shown,
        board=board,
        round=round,
        start_seat=Seat(start),
        phase="place" if isinstance(pending, NextPlacement) else "resolve",
        pending=(pending,),
    )


def _family(
    seat: int,
    board: tuple[Token, ...],
    hand: Sequence[int],
    has_one: bool,
    now: int,
) -> Family:
    own = [item for item in board if item.owner == seat]
    used = {item.number for item in own} | set(hand)
    first = 1 if has_one or 1 in used else 2
    return Family(
        colour=COLOURS[seat],
        cubes=(0,) * 5,
        hand=tuple(hand),
        side=first == 2,
        bid=tuple(number for number in NUMBERS[first - 1 :] if number not in used),
        placements=max((item.k for item in own if item.placed_round == now), default=0),
    )


class Match(Driven[Keydom]):
    """A match of Keydom."""

    @property
    def state(self) -> State:
        state: State = self.position.state
        return state

    @property
    def outcome(self) -> Outcome | None:
        return positions.outcome_of(self.game, self.position)

    def play(self, *moves: Mapping[str, object], seat: int | None = None) -> "Match":
        """Answer the open prompt, or that of *seat*, and the ones that follow."""
        for move in moves:
            self.answer(move, seat)
        return self

    def play_defaults(self, until: str) -> "Match":
        """Answer with the defaults until a prompt of kind *until* is open."""
        while self.prompt.kind != until:
            self.play(self.default)
        return self

    def cubes(self, seat: int) -> tuple[int, ...]:
        return self.state.families[seat].cubes

    def tiles(self, seat: int) -> tuple[str, ...]:
        return self.state.families[seat].tiles

    def spells(self, seat: int) -> tuple[str, ...]:
        return self.state.families[seat].spells

    def hand(self, seat: int) -> tuple[int, ...]:
        return self.state.families[seat].hand

    def returned(self, seat: int) -> list[int]:
        return [item.number for item in self.state.families[seat].returned]

    def token(self, token_id: str) -> Token:
        return next(item for item in self.state.board if item.token == token_id)

    def on_board(self, token_id: str) -> bool:
        return any(item.token == token_id for item in self.state.board)

    def number_seen(self, token_id: str, viewer: int | None) -> int | None:
        """The number of a token in the view of *viewer*."""
        number: int | None = next(item.number for item in self.view(viewer).board if item.token == token_id)
        return number

    def noted(self, name: str) -> list[dict[str, Any]]:
        """The facts with this name, as they are stored."""
        assert name in {kind.__struct_config__.tag for kind in FACT_TYPES}
        stored = [plain(fact) for fact in self.facts]
        return [fact for fact in stored if fact["fact"] == name]


def begun(seats: int, **chosen: object) -> Match:
    """A match from its set-up on."""
    return Match(GAME, options(seats, **chosen), live(SEED))


def arranged(state: State, game: Keydom = GAME) -> Match:
    """A match from a position of our own on."""
    return Match(staged(game, Play, STEPS, state), state.options, live(SEED))


def resolving(location: str, tokens: Sequence[str | Token] = (), **given: Any) -> Match:
    """Phase 2 has come to *location*, where *tokens* lie; ``elsewhere`` are tokens at other locations."""
    everywhere = {location: tokens, **given.pop("elsewhere", {})}
    state = position(pending=EnterLocation(0), tokens=everywhere, **given)
    at = state.in_play.index(location)
    start = msgspec.structs.replace(state, pending=(EnterLocation(at),))
    return arranged(start, given.get("game", GAME))


def placing(seat: int = 0, **given: Any) -> Match:
    """Phase 1; the turn to place is with *seat*. Hands are (3,) for all unless given."""
    hands = given.pop("hands", dict.fromkeys(range(given.get("seats", 2)), (3,)))
    start = position(pending=NextPlacement(Seat(seat)), hands=hands, **given)
    return arranged(start, given.get("game", GAME))
