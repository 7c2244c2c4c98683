"""Keydom's Dragons while one move (or the set-up) is carried out: the changes of parties and tokens."""

from typing import Any, ClassVar

from msgspec.structs import replace

from keylore_domain.engine import play as engine
from keylore_domain.engine.seats import Seat, with_item
from keylore_domain.games.keydoms_dragons.components import (
    LOCATIONS,
    RAVEN_STRENGTH,
    Counter,
    Location,
    Parts,
)
from keylore_domain.games.keydoms_dragons.facts import (
    ChanceDrawn,
    Reason,
    TokenAdded,
    TokenMoved,
    TokenNumber,
    TokenRemoved,
    WorkerPlaced,
    WorkersRevealed,
)
from keylore_domain.games.keydoms_dragons.moves import PartyName
from keylore_domain.games.keydoms_dragons.state import board
from keylore_domain.games.keydoms_dragons.state.position import Ghost, Party, Player, State, Status, Token


class Play(engine.Play[State, Parts]):
    """The position, the components and the turn."""

    __slots__ = ()

    chance_fact: ClassVar[type[ChanceDrawn]] = ChanceDrawn

    def player(self, seat: Party) -> Player:
        """What *seat* has."""
        return self.state.players[seat]

    def change_player(self, seat: Party, **fields: Any) -> None:
        """Give *seat* these new values."""
        players = self.state.players
        self.state = replace(self.state, players=with_item(players, seat, replace(players[seat], **fields)))

    def ghost(self, party: Party) -> Ghost:
        """What the ghost *party* has."""
        return board.ghost_of(self.state, party)

    def change_ghost(self, party: Party, **fields: Any) -> None:
        """Give the ghost *party* these new values."""
        ghosts, at = self.state.ghosts, party - self.state.seats
        self.state = replace(self.state, ghosts=with_item(ghosts, at, replace(ghosts[at], **fields)))

    def change_status(self, location: Location, status: Status) -> None:
        """Let *location* have *status*."""
        self.state = replace(
            self.state, status=with_item(self.state.status, LOCATIONS.index(location), status)
        )

    def name(self, party: Party) -> PartyName:
        """The name of *party* that travels."""
        return board.party_name(self.state, party)


def add_token(play: Play, party: Party, token: Token) -> Token:
    """Put *token* on the board under the next id of *party*."""
    state = play.state
    seated = board.is_seat(state, party)
    serial = (state.players[party].serial if seated else play.ghost(party).serial) + 1
    token = replace(token, id=f"{play.name(party)}.{state.round}.{serial}", serial=serial)
    play.change(tokens=(*state.tokens, token))
    if seated:
        play.change_player(party, serial=serial)
    else:
        play.change_ghost(party, serial=serial)
    return token


def place(
    play: Play, party: Party, location: Location, number: int, *, castle: int = 0, up: bool = False
) -> None:
    """Put a worker of *party* on *location*; a ghost's has a number for the *castle* too."""
    up = up or board.is_disclosed(play.state, party)
    token = add_token(play, party, Token("", party, 0, "worker", location, up, number, castle))
    face = board.face(token)
    play.note(WorkerPlaced(token.id, play.name(party), location, face, number, castle or None))


def add_raven(play: Play, seat: Seat, location: Location) -> None:
    """A raven of *seat* comes to *location* (AR4)."""
    token = add_token(play, seat, Token("", seat, 0, "raven", location, True, RAVEN_STRENGTH))
    play.note(TokenAdded(token.id, "raven", location, ""))


def add_copy(play: Play, seat: Seat, of: str) -> None:
    """A mirror copy of token *of* joins it (AR3)."""
    copy = add_token(play, seat, replace(board.token_of(play.state, of), kind="mirror", of=of))
    play.note(TokenAdded(copy.id, "mirror", copy.location, of))


def reveal(play: Play, location: Location) -> None:
    """Turn up all tokens at *location* (§5.9)."""
    tokens = board.tokens_at(play.state, location)
    if tokens:
        turn_up(play, tokens, location)


def turn_up(play: Play, chosen: tuple[Token, ...], location: Location) -> None:
    """Turn up *chosen*, all at *location*."""
    names = {token.id for token in chosen}
    play.note(WorkersRevealed(location, tuple(TokenNumber(t.id, t.number, t.castle) for t in chosen)))
    play.change(
        tokens=tuple(replace(t, up=True) if t.id in names and not t.up else t for t in play.state.tokens)
    )


def remove(play: Play, token: Token, reason: Reason) -> None:
    """*token* leaves the board, and its mirror copies with it; a worker is out for the round (§5.5, R29)."""
    _drop(play, token, reason)
    _drop_copies(play, token)


def move(play: Play, token: Token, location: Location, *, up: bool = False) -> None:
    """*token* goes to *location*, its copies vanish; with *up*, or into the open, it is turned up."""
    _drop_copies(play, token)
    state = play.state
    moved = replace(token, location=location, up=up or token.up or state.location == location)
    play.change(tokens=tuple(moved if t.id == token.id else t for t in state.tokens))
    face = board.face(moved)
    play.note(TokenMoved(token.id, play.name(token.owner), token.location, location, face, token.number))


def _drop_copies(play: Play, token: Token) -> None:
    for copy in play.state.tokens:
        if copy.of == token.id:
            _drop(play, copy, "original_left")


def _drop(play: Play, token: Token, reason: Reason) -> None:
    play.change(tokens=tuple(t for t in play.state.tokens if t.id != token.id))
    face = board.face(token)
    play.note(TokenRemoved(token.id, play.name(token.owner), token.location, reason, face, token.number))
    if token.kind != "worker":
        return
    if board.is_seat(play.state, token.owner):
        _out(play, token)
    else:
        _ghost_out(play, token)


def _out(play: Play, token: Token) -> None:
    player = play.player(token.owner)
    if token.up:
        play.change_player(token.owner, out_shown=(*player.out_shown, token.number))
    else:
        play.change_player(token.owner, out_hidden=tuple(sorted((*player.out_hidden, token.number))))


def _ghost_out(play: Play, token: Token) -> None:
    ghost, counter = play.ghost(token.owner), Counter(token.castle, token.number)
    if token.up:
        play.change_ghost(token.owner, out_shown=(*ghost.out_shown, counter))
    else:
        play.change_ghost(token.owner, out_hidden=(*ghost.out_hidden, counter))
