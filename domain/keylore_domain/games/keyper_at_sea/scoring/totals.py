"""Final scores, tie-breaks and ranking (keyper-at-sea §7)."""

from collections.abc import Iterator, Sequence

from keylore_domain.engine.outcomes import Outcome, SeatResult, ranks
from keylore_domain.engine.payments import multisets
from keylore_domain.engine.seats import Seat, clockwise
from keylore_domain.games.keyper_at_sea.components import units
from keylore_domain.games.keyper_at_sea.components.parts import SEASONS, Parts
from keylore_domain.games.keyper_at_sea.scoring.assignment import housing_points
from keylore_domain.games.keyper_at_sea.scoring.counting import Scored, line_points
from keylore_domain.games.keyper_at_sea.state.position import Household, State

TIE_BREAKS = ("finished", "wheat", "raw", "animal")


class KeyperResult(SeatResult, frozen=True, kw_only=True):
    """How a seat did: the four parts of its score (V9), and the tie-break values."""

    shipping: int
    fairs: int
    tiles: int
    treasure: int
    finished: int
    wheat: int
    raw: int
    animals: int


class KeyperOutcome(Outcome, frozen=True, kw_only=True):
    """The result record (V10); ``round`` counts the seasons of the game."""

    turns: int
    seats: tuple[KeyperResult, ...]


def outcome(parts: Parts, state: State, ended_by: str) -> KeyperOutcome:
    """The result of a finished game."""
    seats = clockwise(Seat(0), state.seats)
    scores = [score_parts(parts, state, seat) for seat in seats]
    keys = [
        (sum(score), *(_owned(parts, state.households[seat], group) for group in TIE_BREAKS))
        for seat, score in zip(seats, scores, strict=True)
    ]
    return KeyperOutcome(
        ended_by=ended_by,
        round=len(SEASONS),
        turns=state.turn,
        seats=tuple(map(_result, seats, ranks(keys), scores, keys)),
    )


def _result(seat: Seat, rank: int, score: Sequence[int], key: Sequence[int]) -> KeyperResult:
    return KeyperResult(
        seat=seat,
        rank=rank,
        score=key[0],
        shipping=score[0],
        fairs=score[1],
        tiles=score[2],
        treasure=score[3],
        finished=key[1],
        wheat=key[2],
        raw=key[3],
        animals=key[4],
    )


def _owned(parts: Parts, household: Household, group: str) -> int:
    return sum(household.items[at] for at in parts.groups[group])


def score_parts(parts: Parts, state: State, seat: Seat) -> tuple[int, int, int, int]:
    """Points of shipping (V1), fairs (V2), tiles and stores (V3), and treasure (V4)."""
    household = state.households[seat]
    treasure = _owned(parts, household, "treasure") * parts.constants.treasure_points.value
    fairs = sum(parts.fairs[fair].points for fair in household.held)
    return household.shipping, fairs, tile_points(parts, state, seat), treasure


def tile_points(parts: Parts, state: State, seat: Seat) -> int:
    """Points of all uncovered tiles and stores, with the best housing and the best use of pearls."""
    household = state.households[seat]
    lines = list(_lines(parts, household))
    best = max(
        sum(line_points(scored, line) for line in lines) for scored in declarations(parts, state, seat, lines)
    )
    return best + housing_points(parts, household)


def _lines(parts: Parts, household: Household) -> Iterator[units.Line]:
    for plot in household.plots:
        if plot.stack:
            score = parts.tiles[plot.stack[-1]].score
            yield from score.upgraded if plot.upgraded else score.base
    for store in household.stores:
        score = parts.stores[store.id].score
        yield from score.upgraded if store.upgraded else score.base


def declarations(parts: Parts, state: State, seat: Seat, lines: Sequence[units.Line]) -> Iterator[Scored]:
    """Every way to declare the pearls, each a gem or a pearl (V7)."""
    items = state.households[seat].items
    pearls = sum(items[at] for at in parts.groups["pearl"])
    if not any(isinstance(line.unit, units.Items | units.ItemSet) for line in lines):
        yield Scored(parts, state, seat, items, pearls)
        return
    gems = parts.groups["gem"]
    for *declared, kept in multisets((pearls,) * (len(gems) + 1), pearls):
        counted = list(items)
        for gem, n in zip(gems, declared, strict=True):
            counted[gem] += n
        yield Scored(parts, state, seat, counted, kept)
