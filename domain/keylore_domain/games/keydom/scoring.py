"""Who came first (§7)."""

from keylore_domain.engine.outcomes import Outcome, SeatResult, ranks
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydom.state.position import State


class KeydomResult(SeatResult, frozen=True, kw_only=True):
    """How one seat did: required tiles, progress at Keywood (0 to 2), cubes, counters owned (END-3)."""

    tiles: int
    lore: int
    cubes: int
    counters: int


class KeydomOutcome(Outcome, frozen=True, kw_only=True):
    """The result record (END-5)."""

    seats: tuple[KeydomResult, ...]


def outcome(state: State) -> KeydomOutcome | None:
    """The result, or ``None`` while nobody has won and the cap is not reached."""
    if state.ended_by is None:
        return None
    values = [_values(state, Seat(seat)) for seat in range(len(state.families))]
    wins = [state.keymaster == seat for seat in range(len(state.families))]
    places = ranks(list(zip(wins, values, strict=True)))
    seats = tuple(
        KeydomResult(
            seat=Seat(seat),
            rank=places[seat],
            score=tiles + wins[seat],
            tiles=tiles,
            lore=lore,
            cubes=cubes,
            counters=counters,
        )
        for seat, (tiles, lore, cubes, counters) in enumerate(values)
    )
    return KeydomOutcome(ended_by=state.ended_by, round=state.round, seats=seats)


def _values(state: State, seat: Seat) -> tuple[int, int, int, int]:
    """What ranks a seat, the most important first (END-3)."""
    family = state.families[seat]
    tiles = sum(1 for tile in state.required if tile in family.tiles)
    return (tiles, _lore(state, seat), sum(family.cubes), 8 if family.side else 9)


def _lore(state: State, seat: Seat) -> int:
    if "keylore" in state.families[seat].tiles:
        return 0
    return max(
        (
            token.track
            for token in state.board
            if token.owner == seat and token.location == "keywood" and token.track in (1, 2)
        ),
        default=0,
    )
