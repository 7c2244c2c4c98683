"""Builders for the tests of tournaments: terms, entrants, whole rounds with made-up results."""

import hashlib
from collections.abc import Callable, Sequence
from typing import Annotated, Any, ClassVar, Final

import msgspec

from keylore_domain.engine.game import AnyGame, Options
from keylore_domain.errors import NotFoundError
from keylore_domain.swiss.history import History, Record
from keylore_domain.swiss.rounds import Placing, PlayedTable, Round
from keylore_domain.swiss.systems import NO_ENGINES, Engines
from keylore_domain.swiss.terms import Terms
from keylore_domain.swiss.tournaments import Tournament
from tests.domain.engine.toy import Pearls, PearlsOptions

AT: Final = 1_700_000_000_000_000

Rank = Callable[[str, Sequence[str]], Sequence[int]]


class WideOptions(PearlsOptions, frozen=True, kw_only=True):
    seats: Annotated[int, msgspec.Meta(ge=2, le=6)]


class Wide(Pearls):
    """The toy game for up to six seats; it is never played here."""

    options_type: ClassVar[type[Options]] = WideOptions


WIDE: Final = Wide()


def catalog(game: str, rules: str | None, data: str | None) -> AnyGame:
    if game != "pearls" or rules not in {None, "1"}:
        msg = f"there is no game {game!r} with rules {rules!r}"
        raise NotFoundError(msg)
    return WIDE if data is None else Wide(data)


class AloneOptions(PearlsOptions, frozen=True, kw_only=True):
    seats: Annotated[int, msgspec.Meta(ge=1, le=6)]


class Alone(Pearls):
    """The toy game, also for one seat; it is never played here."""

    options_type: ClassVar[type[Options]] = AloneOptions


def lonely(*_: object) -> AnyGame:
    return Alone()


def terms(**changes: Any) -> Terms:
    return Terms(**{"game": "pearls", "table_size": 4, "rounds": 3, "seed": "spring", **changes})


def bots(count: int) -> list[str]:
    return [f"bot/b{number:02}" for number in range(1, count + 1)]


def registered(entrants: int, name: str = "cup", **changes: Any) -> Tournament:
    """A tournament with this many entrants, not started yet."""
    tournament = Tournament.create(name, terms(**changes), catalog, at=AT)
    for bot in bots(entrants):
        tournament.register(bot, bot.removeprefix("bot/"), at=AT)
    return tournament


def started(entrants: int, name: str = "cup", **changes: Any) -> Tournament:
    tournament = registered(entrants, name, **changes)
    tournament.start(at=AT)
    return tournament


def by_number(_: str, seats: Sequence[str]) -> list[int]:
    """The entrant with the smaller number always wins."""
    return [1 + sorted(seats).index(bot) for bot in seats]


def by_lot(match: str, seats: Sequence[str]) -> list[int]:
    """Ranks that look random but follow from the match id; about a third of the tables have ties."""
    strength = [hashlib.sha256(f"{match} {bot}".encode()).digest()[0] // 16 for bot in seats]
    return [1 + sum(other > own for other in strength) for own in strength]


def placings(table: PlayedTable, rank: Rank = by_number) -> tuple[Placing, ...]:
    ranks = rank(table.match, table.seats)
    return tuple(Placing(bot, rank, 10 * (6 - rank)) for bot, rank in zip(table.seats, ranks, strict=True))


def play_round(tournament: Tournament, rank: Rank = by_number, engines: Engines = NO_ENGINES) -> Round:
    """Pair the next round and record all its results."""
    tournament.pair_round(at=AT, engines=engines)
    for table in tournament.rounds[-1].tables:
        tournament.record_result(table.match, placings(table, rank), at=AT, cause="rules")
    return tournament.rounds[-1]


def play_out(tournament: Tournament, rank: Rank = by_number, engines: Engines = NO_ENGINES) -> Tournament:
    while not tournament.is_played_out:
        play_round(tournament, rank, engines)
    tournament.finish(at=AT)
    return tournament


def record(
    bot: str,
    half_points: int = 0,
    byes: int = 0,
    seats: tuple[int, ...] = (0,) * 6,
    last: int = -1,
    **more: Any,
) -> Record:
    return Record(bot=bot, half_points=half_points, byes=byes, seats=seats, last=last, **more)


def history(
    records: Sequence[Record],
    size: int,
    *,
    smallest: int | None = None,
    meetings: Sequence[tuple[int, int, int]] = (),
    number: int = 2,
    seed: str = "spring",
    **terms: Any,
) -> History:
    return History(
        seed=seed,
        round=number,
        table_size=size,
        smallest=size if smallest is None else smallest,
        entrants=tuple(records),
        meetings=tuple(meetings),
        **terms,
    )
