"""`keylore bot check`: test games over a real connection, and what went wrong in them."""

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from keylore_cli.context import Context
from keylore_cli.seating import GamePlan, play_game
from keylore_domain import catalog
from keylore_domain.engine.aggregates import decode_event
from keylore_domain.engine.clocks import TimeControl
from keylore_domain.engine.events import MoveDefaulted, MovePlayed
from keylore_domain.engine.options import parse_options
from keylore_domain.errors import OptionError
from keylore_services.arbiter.telling import cause_text
from keylore_services.bots.loading import bot as load
from keylore_services.ledger.ledger import open_ledger
from keylore_services.transport.server import Listening


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be checked, and how."""

    spec: str
    game: str
    options: Mapping[str, object]
    seats: int | None
    games: int
    move_ms: int
    seed: str


class GameCheck(msgspec.Struct, frozen=True, kw_only=True):
    """One test game: the bot's seat, its rank and moves, its slowest answer, and what went wrong."""

    seat: int
    rank: int | None
    moves: int
    slowest_ms: int
    faults: list[str]


class CheckResult(msgspec.Struct, frozen=True, kw_only=True):
    """All test games of a bot. ``log`` holds what the bot wrote, and the errors in its code."""

    bot: str
    game: str
    games: list[GameCheck]
    errors: int
    log: str
    passed: bool

    def lines(self) -> Iterator[str]:
        """The result for people."""
        for number, game in enumerate(self.games, 1):
            rank = f"rank {game.rank}" if game.rank else "no result"
            yield f"game {number}: seat {game.seat}, {rank}, {game.moves} moves, slowest {game.slowest_ms} ms"
            yield from (f"  {fault}" for fault in game.faults[:5])
            if len(game.faults) > 5:
                yield f"  ... and {len(game.faults) - 5} more"
        if self.errors:
            yield f"{self.errors} errors in the bot's own code; the last lines it wrote:"
            yield from (f"  {line}" for line in self.log.splitlines()[-12:])
        faults = sum(len(game.faults) for game in self.games)
        yield (
            "passed"
            if self.passed
            else f"failed: {faults} answers late or illegal, {self.errors} errors in its own code"
        )


async def check_bot(plan: Plan) -> CheckResult:
    """Play the test games in a league of their own and judge the bot.

    Raises:
        NotFoundError, OptionError: the bot, the game or an option is wrong.
    """
    load(plan.spec)
    seats = plan.seats or _fewest_seats(plan)
    time = TimeControl(move_ms=plan.move_ms, faults=0)
    with tempfile.TemporaryDirectory(prefix="keylore-check-") as folder:
        settings = Context(folder=Path(folder))
        games = []
        for number in range(plan.games):
            seat = number % seats
            sitting = tuple(plan.spec if at == seat else "random" for at in range(seats))
            match_id = f"m/check-{number + 1}"
            game = GamePlan(
                game=plan.game,
                sitting=sitting,
                options=plan.options,
                time=time,
                seed=f"{plan.seed}/{number}",
                match_id=match_id,
            )
            end = await play_game(settings, game, listening=Listening())
            rank = end.outcome.seats[seat].rank if end.outcome else None
            games.append(_judged(settings, match_id, seat, rank))
        log = "".join(path.read_text(errors="replace") for path in sorted(settings.logs.glob("*.log")))
    errors = log.count("Traceback (most recent call last)")
    passed = not errors and not any(game.faults for game in games)
    return CheckResult(bot=plan.spec, game=plan.game, games=games, errors=errors, log=log, passed=passed)


def _fewest_seats(plan: Plan) -> int:
    """The fewest seats from 2 on that the options allow."""
    game = catalog.game(plan.game)
    for seats in range(2, 7):
        try:
            parse_options(game, {**plan.options, "seats": seats})
        except OptionError as error:
            if error.field != "seats":
                raise
        else:
            return seats
    raise OptionError("seats", "no number of seats from 2 to 6 fits these options", "other options")


def _judged(settings: Context, match_id: str, seat: int, rank: int | None) -> GameCheck:
    ledger = open_ledger(settings.ledger_file)
    try:
        events = [decode_event(row.topic, row.state) for row in ledger.stored(match_id)]
    finally:
        ledger.close()
    moves = [event for event in events if isinstance(event, MovePlayed) and event.seat == seat]
    faults = [fault for event in moves for fault in _faults(event)]
    slowest = max((event.clock.received - event.clock.sent for event in moves), default=0)
    return GameCheck(seat=seat, rank=rank, moves=len(moves), slowest_ms=slowest // 1_000, faults=faults)


def _faults(event: MovePlayed) -> Iterator[str]:
    """What went wrong with one move, in words."""
    where = f"ply {event.ply}, {event.kind}"
    illegal = sum(refused.code == "illegal_move" for refused in event.refused)
    if illegal:
        yield f"{where}: {illegal} illegal answer{'s' if illegal > 1 else ''} refused"
    if isinstance(event, MoveDefaulted):
        yield f"{where}: {cause_text(event)}; {bytes(event.move).decode()} was played for it"
