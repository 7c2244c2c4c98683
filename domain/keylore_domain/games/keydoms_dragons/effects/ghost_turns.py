"""A ghost's turn in placement, and where its action cards send its workers (spec §8.4)."""

from collections.abc import Callable, Mapping
from typing import Final

from keylore_domain.games.keydoms_dragons.components import (
    ARTEFACTS,
    CASTLE,
    CAVES,
    COUNTERS,
    KEYTOWN,
    RAVEN,
    WAND,
    ActionCard,
    Counter,
    Directive,
    Location,
)
from keylore_domain.games.keydoms_dragons.effects import treasury
from keylore_domain.games.keydoms_dragons.facts import ArtefactTurned, GhostCardDrawn
from keylore_domain.games.keydoms_dragons.play import Play, place
from keylore_domain.games.keydoms_dragons.state import board
from keylore_domain.games.keydoms_dragons.state.position import Ghost, GhostCard, Party, State

# -- locations for an action card (§8.4.1) -----------------------------------------------------------------

_LEVELS: Final[Mapping[str, tuple[Location, ...]]] = {"caves": CAVES, "keytown": KEYTOWN, "castle": CASTLE}
Candidates = list[Location]


def find_location(state: State, party: Party, card: ActionCard) -> Location | None:
    """Where *card* sends a worker of the ghost *party*; None if nowhere (R24)."""
    free = board.free_locations(state)
    left = [at for at in _LEVELS[card.level] if at in free and card.fixed in {None, at}]
    for directive in card.directives:
        if len(left) < 2:
            break
        left = DIRECTIVES[directive](state, party, left)
    if not left:
        return None
    if isinstance(card.final, tuple):
        return next(at for at in card.final if at in left)
    return left[0] if card.final == "leftmost" else left[-1]


def _count(state: State, location: Location) -> int:
    return len(board.tokens_at(state, location))


def _hoard(state: State, cave: Location) -> tuple[int, int]:
    """The treasure in *cave* as ghosts compare it: units, then large pieces."""
    pieces = [piece for ledge in treasury.cave_of(state, cave) for piece in ledge]
    return sum(piece.units for piece in pieces), sum(piece.large for piece in pieces)


def _lacking(state: State, party: Party, left: Candidates) -> Candidates:
    fit = [at for at in left if lacks_displayed(state, party, at)]
    return fit or left


def lacks_displayed(state: State, party: Party, room: Location) -> bool:
    """Whether *room* displays a type that the ghost *party* does not own."""
    owned = board.ghost_of(state, party).artefacts
    return any(not owned[tile] for tile in board.displayed(state, room))


def _fewest_workers(state: State, party: Party, left: Candidates) -> Candidates:
    least = min(_count(state, at) for at in left)
    return [at for at in left if _count(state, at) == least]


def _fewest_with_a_player(state: State, party: Party, left: Candidates) -> Candidates:
    visited = [at for at in left if any(board.is_seat(state, t.owner) for t in board.tokens_at(state, at))]
    return _fewest_workers(state, party, visited) if visited else left


def _most_workers(state: State, party: Party, left: Candidates) -> Candidates:
    most = max(_count(state, at) for at in left)
    return [at for at in left if _count(state, at) == most]


def _by_treasure(state: State, left: Candidates) -> Candidates:
    return sorted(left, key=lambda cave: _hoard(state, cave), reverse=True)


def _most_treasure(state: State, party: Party, left: Candidates) -> Candidates:
    return _by_treasure(state, left)[:1]


def _second_most(state: State, party: Party, left: Candidates) -> Candidates:
    return _by_treasure(state, left)[1:2]


def _fewest_treasure(state: State, party: Party, left: Candidates) -> Candidates:
    return [min(left, key=lambda cave: _hoard(state, cave))]


DIRECTIVES: Final[Mapping[Directive, Callable[[State, Party, Candidates], Candidates]]] = {
    "artefact_type_not_owned": _lacking,
    "fewest_workers": _fewest_workers,
    "fewest_workers_with_a_player_worker": _fewest_with_a_player,
    "most_workers": _most_workers,
    "most_treasure": _most_treasure,
    "second_most_treasure": _second_most,
    "fewest_treasure": _fewest_treasure,
}

# -- a turn ------------------------------------------------------------------------------------------------


def turn_tiles(play: Play, party: Party, count: int) -> list[int]:
    """The ghost's first turn: *count* face-down tiles are turned up, those of last round down (§8.4)."""
    ghost, name = play.ghost(party), play.name(party)
    hidden = [tile for tile in range(WAND) for _ in range(ghost.artefacts[tile] - ghost.face_up[tile])]
    chosen: list[int] = []
    while hidden and len(chosen) < count:
        tile = play.picked("C8", f"{name}.artefact", hidden, lambda at: ARTEFACTS[at])
        hidden.remove(tile)
        chosen.append(tile)
        play.note(ArtefactTurned(name, ARTEFACTS[tile], "up"))
    for tile in range(WAND):
        for _ in range(ghost.face_up[tile]):
            play.note(ArtefactTurned(name, ARTEFACTS[tile], "down"))
    face_up = tuple(chosen.count(tile) for tile in range(len(ARTEFACTS)))
    play.change_ghost(party, face_up=face_up, invoked=tuple(sorted(set(chosen))), begun=True)
    return chosen


def draw_card(play: Play, party: Party) -> None:
    """One turn of the ghost *party*: a card, and where it is an action card, a worker (§8.4)."""
    sent = False
    while not sent and not play.ghost(party).finished:
        card = _draw(play, party)
        if card.kind == "spell":
            play.change_ghost(party, waiting=(*play.ghost(party).waiting, card.number))
            sent = True
        else:
            sent = _send(play, party, card)
        _check_finished(play, party)


def _draw(play: Play, party: Party, *, unseen: str = "") -> GhostCard:
    """The top card of the ghost's deck; those of the kind *unseen* are not shown."""
    card, *rest = play.ghost(party).deck
    play.note(GhostCardDrawn(play.name(party), card.kind, card.number, seen=card.kind != unseen))
    play.change_ghost(party, deck=tuple(rest))
    return card


def _send(play: Play, party: Party, card: GhostCard) -> bool:
    """An action card goes to the discards; whether it has sent a worker."""
    location = find_location(play.state, party, play.parts.action_card(card.number))
    play.change_ghost(party, discards=(*play.ghost(party).discards, card.number))
    if location is not None:
        _play_worker(play, party, location)
    return location is not None


def _play_worker(play: Play, party: Party, location: Location) -> None:
    """A random counter goes to *location*: face up under Disclosure or where it is being resolved."""
    ghost = play.ghost(party)
    counter = play.picked("C7", f"{play.name(party)}.worker", ghost.counters, _counter_name)
    left = list(ghost.counters)
    left.remove(counter)
    play.change_ghost(party, counters=tuple(left), placed=ghost.placed + 1)
    up = play.state.location == location
    place(play, party, location, counter.elsewhere, castle=counter.castle, up=up)


def _counter_name(counter: Counter) -> str:
    return f"{counter.castle}/{counter.elsewhere}"


def _check_finished(play: Play, party: Party) -> None:
    ghost = play.ghost(party)
    if ghost.placed >= limit(ghost) or not ghost.deck:
        play.change_ghost(party, finished=True)


def limit(ghost: Ghost) -> int:
    """How many workers *ghost* places in a round (GA4)."""
    return COUNTERS if RAVEN in ghost.powers else COUNTERS - 1


def play_eighth(play: Play, party: Party) -> None:
    """GS2 with a raven: the deck plays the last worker at once; spell cards go under it (R27)."""
    while play.ghost(party).counters and _has_action(play.ghost(party)):
        card = _draw(play, party, unseen="spell")
        if card.kind == "spell":
            play.change_ghost(party, deck=(*play.ghost(party).deck, card))
        elif _send(play, party, card):
            return


def _has_action(ghost: Ghost) -> bool:
    return any(card.kind == "action" for card in ghost.deck)
