"""Positions of Keydom's Dragons in a few words, and a way to play on from them.

``scene(hold={0: "r8 w1"}, tokens={"K": "0:7 0:1 1:2"}, steps=resolve("K"))`` is a table of three seats on
which room K is being resolved: seat 0 holds 8 red and 1 white. Tokens: ``0:7`` is seat 0's worker 7,
``0:raven`` its raven, ``light:2/6`` a ghost's worker; a ``+`` behind it turns it up.
"""

import hashlib
from collections.abc import Mapping
from typing import Any, Final

from msgspec.structs import replace

from keylore_domain.engine.chance import LiveChance
from keylore_domain.engine.facts import Fact
from keylore_domain.engine.game import Turn
from keylore_domain.engine.moves import Decision
from keylore_domain.engine.options import parse_options
from keylore_domain.engine.payments import minus
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydoms_dragons.components import (
    ARTEFACTS,
    CAVES,
    LOCATIONS,
    STACKS,
    Counter,
    Parts,
)
from keylore_domain.games.keydoms_dragons.effects import treasury
from keylore_domain.games.keydoms_dragons.effects.tables import STEPS
from keylore_domain.games.keydoms_dragons.play import Play, add_token
from keylore_domain.games.keydoms_dragons.rules import KeydomsDragons
from keylore_domain.games.keydoms_dragons.state import board
from keylore_domain.games.keydoms_dragons.state.decisions import (
    BeginRound,
    EndRound,
    GhostMoonlight,
    GhostRemovals,
    GhostSpells,
    OpenWindow,
    Placement,
    Resolve,
)
from keylore_domain.games.keydoms_dragons.state.position import DragonsOptions, GhostCard, State, Token
from tests.domain.staging import Driven, live, staged

GAME: Final = KeydomsDragons()
LETTERS: Final = "rwkbg"
PASS: Final = {"action": "pass", "scope": "window"}
PASS_ROUND: Final = {"action": "pass", "scope": "round"}
LET: Final = {"action": "pass"}
DECLINE: Final = {"action": "decline"}
Words = Mapping[int, str]

# the moments of a round, as steps
ROUND_START: Final = (OpenWindow("round_start"),)
PLACEMENT_END: Final = (OpenWindow("placement_end"),)
AFTER_CAVES: Final = (OpenWindow("after_caves"),)
ROUND_END: Final = (OpenWindow("round_end"),)
GHOST_SPELLS: Final = (GhostSpells(),)
PHASE_TWO: Final = (GhostRemovals(),)
MOONRISE: Final = (GhostMoonlight(),)
FINISH: Final = (EndRound(),)
NEW_ROUND: Final = (BeginRound(),)


def placement(first: int = 0) -> tuple[Decision, ...]:
    """The placement turns, from the party *first* on."""
    return (Placement(first),)


def resolve(locations: str) -> tuple[Decision, ...]:
    """The resolving of these locations."""
    return tuple(Resolve(LOCATIONS[LOCATIONS.index(at)]) for at in locations)


class Scene(Driven[KeydomsDragons]):
    """A position that is played on."""

    def __init__(self, state: State, seed: int = 0, parts: Parts | None = None) -> None:
        key = hashlib.sha256(b"%d" % seed).digest()
        game = staged(with_parts(parts) if parts else GAME, Play, STEPS, state)
        super().__init__(game, state.options, live(key))

    @property
    def state(self) -> State:
        state = self.position.state
        assert isinstance(state, State)
        return state

    def play(self, *moves: Mapping[str, Any]) -> "Scene":
        """The asked seats play these *moves*, one after the other."""
        for move in moves:
            self.answer(move)
        return self

    def seen(self, viewer: int | None) -> list[Fact | None]:
        """The facts as *viewer* may know them."""
        return [self.game.redact(fact, None if viewer is None else Seat(viewer)) for fact in self.facts]

    def of(self, kind: type[Fact]) -> list[Any]:
        """The facts of one kind."""
        return [fact for fact in self.facts if isinstance(fact, kind)]

    def at(self, location: str) -> list[str]:
        """The ids of the tokens at *location*."""
        return [token.id for token in self.state.tokens if token.location == location]

    def held(self, seat: int) -> str:
        """What *seat* holds, ``r8 w1``."""
        return words(self.state.players[seat].holdings)


def words(vector: tuple[int, ...]) -> str:
    """A vector as ``r8 w1``."""
    return " ".join(f"{letter}{units}" for letter, units in zip(LETTERS, vector, strict=True) if units)


def units(text: str) -> tuple[int, ...]:
    """``r8 w1`` as a vector."""
    amounts = {word[0]: int(word[1:]) for word in text.split()}
    return tuple(amounts.get(letter, 0) for letter in LETTERS)


def tiles(text: str) -> tuple[int, ...]:
    """Names of artefacts as types."""
    return tuple(ARTEFACTS.index(name) for name in text.split())


def counts(text: str) -> tuple[int, ...]:
    """Names of artefacts as counts by type, with the wand that every party owns."""
    owned = tiles(text)
    return (*(owned.count(tile) for tile in range(5)), 1)


def with_parts(parts: Parts) -> KeydomsDragons:
    """The game with these components."""
    game = KeydomsDragons()
    game.parts = parts
    return game


def playing(state: State) -> Play:
    """*state*, to be changed as the rules do it."""
    return Play(GAME.parts, state, Turn(LiveChance(bytes(32))))


def empty_table(seats: int, ghosts: int, **options: object) -> State:
    """A table after set-up of round 1, nobody holding or knowing anything; all of F to M open, no caves."""
    parsed = parse_options(GAME, {"seats": seats, "ghosts": ghosts, "start_seat": 0, **options})
    assert isinstance(parsed, DragonsOptions)
    state = GAME.setup(parsed, Turn(LiveChance(bytes(32))))
    play = playing(replace(state, pending=()))
    treasury.clear_caves(play, CAVES)
    for cave in CAVES:
        play.change_status(cave, "inactive")
    return play.position


def begun(**options: object) -> Scene:
    """A match at ply 0."""
    parsed = parse_options(GAME, options)
    assert isinstance(parsed, DragonsOptions)
    return Scene(GAME.setup(parsed, Turn(LiveChance(bytes(32)))))


def with_caves(state: State, caves: Mapping[str, list[int]]) -> State:
    """*state* with these ledge values in the caves."""
    values = tuple(tuple(caves.get(cave, ())) for cave in CAVES)
    play = playing(state)
    treasury.fill_caves(play, values)
    for cave in CAVES:
        if cave in caves:
            play.change_status(cave, "open")
    return play.position


def with_holdings(state: State, hold: Words) -> State:
    """*state* in which seats hold units out of the treasury."""
    play = playing(state)
    for seat, text in hold.items():
        play.change(treasury=minus(play.state.treasury, units(text)))
        play.change_player(seat, holdings=units(text))
    return play.position


def with_artefacts(state: State, own: Mapping[Any, str], invoked: Words) -> State:
    """*state* in which parties own tiles besides the wand; *invoked* ones were used this round."""
    play = playing(state)
    for name, text in own.items():
        if isinstance(name, int):
            play.change_player(name, artefacts=counts(text))
        else:
            play.change_ghost(board.party_of(state, name), artefacts=counts(text))
    for seat, text in invoked.items():
        play.change_player(seat, invoked=tuple(tiles(text).count(tile) for tile in range(6)))
    return play.position


def with_spells(state: State, spells: Mapping[int, tuple[int, ...]]) -> State:
    """*state* in which seats hold spell cards out of the deck."""
    play = playing(state)
    for seat, cards in spells.items():
        play.change_player(seat, spells=cards)
    taken = {card for cards in spells.values() for card in cards}
    play.change(spell_deck=tuple(card for card in state.spell_deck if card not in taken))
    return play.position


def with_tokens(state: State, tokens: Mapping[str, str]) -> State:
    """*state* with tokens on the board, numbered in the order of the words."""
    play = playing(state)
    for location, text in tokens.items():
        for word in text.split():
            _add_token(play, location, word)
    return play.position


def _add_token(play: Play, location: Any, word: str) -> None:
    name, _, what = word.rstrip("+").partition(":")
    up = word.endswith("+")
    if name in {"light", "dark"}:
        party = board.party_of(play.state, name)  # type: ignore[arg-type]
        castle, elsewhere = map(int, what.split("/"))
        ghost = play.ghost(party)
        left = list(ghost.counters)
        left.remove(Counter(castle, elsewhere))
        play.change_ghost(party, counters=tuple(left), placed=ghost.placed + 1)
        add_token(play, party, Token("", party, 0, "worker", location, up, elsewhere, castle))
        return
    seat = int(name)
    if what == "raven":
        add_token(play, seat, Token("", seat, 0, "raven", location, True, 3))
        return
    play.change_player(seat, hand=tuple(n for n in play.player(seat).hand if n != int(what)))
    add_token(play, seat, Token("", seat, 0, "worker", location, up, int(what)))


def with_stacks(state: State, stacks: Mapping[str, str]) -> State:
    """*state* with these stacks, top first and face up, and no others."""
    piles = tuple(tiles(stacks.get(name, "")) for name in STACKS)
    play = playing(state)
    play.change(stacks=piles, face_up=tuple(map(bool, piles)))
    for room in LOCATIONS[10:]:
        play.change_status(room, "open" if board.stacks_of(play.state, room) else "inactive")
    return play.position


def with_closed(state: State, locations: str) -> State:
    """*state* in which these locations have been resolved."""
    play = playing(state)
    for at in locations:
        location: Any = at
        if board.is_open(state, location):
            play.change_status(location, "closed")
    play.change(tokens=tuple(replace(t, up=True) if t.location in locations else t for t in state.tokens))
    return play.position


def with_admitted(state: State, admitted: str) -> State:
    """*state* after J: these seats are admitted, the others are not."""
    players = tuple(
        replace(player, admitted="yes" if str(seat) in admitted else "no")
        for seat, player in enumerate(state.players)
    )
    return replace(state, players=players, guard_shown=True)


def scene(
    seats: int = 3,
    ghosts: int = 0,
    *,
    steps: tuple[Decision, ...],
    start: int = 0,
    hold: Words | None = None,
    own: Mapping[Any, str] | None = None,
    invoked: Words | None = None,
    spells: Mapping[int, tuple[int, ...]] | None = None,
    tokens: Mapping[str, str] | None = None,
    caves: Mapping[str, list[int]] | None = None,
    stacks: Mapping[str, str] | None = None,
    closed: str = "",
    admitted: str | None = None,
    seed: int = 0,
    options: Mapping[str, object] | None = None,
    change: Any = None,
    **fields: Any,
) -> Scene:
    """A table that waits for *steps*; *fields* of the state are set as they are, *change* is applied last."""
    state = replace(empty_table(seats, ghosts, **(options or {})), start=start)
    state = with_holdings(with_caves(state, caves or {}), hold or {})
    state = with_spells(with_artefacts(state, own or {}, invoked or {}), spells or {})
    if stacks is not None:
        state = with_stacks(state, stacks)
    state = with_closed(with_tokens(state, tokens or {}), closed)
    if admitted is not None:
        state = with_admitted(state, admitted)
    state = replace(state, **fields)
    if change is not None:
        state = change(state)
    return Scene(replace(state, pending=tuple(reversed(steps))), seed)


def deck(text: str) -> tuple[GhostCard, ...]:
    """A ghost's draw deck: ``S20`` is a spell, ``9`` an action card."""
    return tuple(
        GhostCard("spell", int(word[1:])) if word.startswith("S") else GhostCard("action", int(word))
        for word in text.split()
    )


def with_ghost(name: str, **fields: Any) -> Any:
    """A change that sets fields of the ghost *name*."""

    def change(state: State) -> State:
        play = playing(state)
        play.change_ghost(board.party_of(state, name), **fields)  # type: ignore[arg-type]
        return play.position

    return change


def changes(*each: Any) -> Any:
    """All these changes, one after the other."""

    def change(state: State) -> State:
        for one in each:
            state = one(state)
        return state

    return change


def with_seat(seat: int, **fields: Any) -> Any:
    """A change that sets fields of a seat."""

    def change(state: State) -> State:
        play = playing(state)
        play.change_player(seat, **fields)
        return play.position

    return change


def place(worker: int, location: str) -> dict[str, Any]:
    return {"action": "place", "worker": worker, "location": location}


def cast(spell: int) -> dict[str, Any]:
    return {"action": "cast", "spell": spell}


def token(name: str) -> dict[str, Any]:
    return {"token": name}


def location(name: str) -> dict[str, Any]:
    return {"location": name}


def buy(stack: str, **payment: int) -> dict[str, Any]:
    return {"action": "buy", "stack": stack, "payment": payment}


def part(kind: str, amount: int) -> dict[str, Any]:
    return {"type": kind, "amount": amount}


RAVEN: Final = {"action": "raven"}
KEY: Final = {"action": "key"}
AMULET: Final = {"action": "amulet"}
COPY_AMULET: Final = {"action": "copy_amulet"}


def mirror(name: str) -> dict[str, Any]:
    return {"action": "mirror", "token": name}
