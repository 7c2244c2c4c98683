"""The tournaments and bots of a league, found by name."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from keylore_cli import identities
from keylore_cli.context import Context
from keylore_cli.failures import not_found
from keylore_domain import catalog
from keylore_domain.bots import bot_id
from keylore_domain.errors import OptionError
from keylore_domain.swiss.records import tournament_id
from keylore_services.arbiter.times import clock_after
from keylore_services.ledger.ledger import Ledger
from keylore_services.tournament.corrections import Corrections
from keylore_services.tournament.leaderboards import EVERY_SIZE
from keylore_services.tournament.reports import Reports
from keylore_services.tournament.service import TournamentService
from keylore_services.tournament.views import TournamentView


@contextmanager
def tournaments(settings: Context, *names: str, bots: Sequence[str] = ()) -> Iterator[TournamentService]:
    """The use cases of an existing league.

    Args:
        names: tournaments that must be there.
        bots: bots that must be enrolled.

    Raises:
        NotFoundError: there is no league, tournament or bot of this name; suggests a near one.
    """
    with _known(settings, names, bots) as ledger:
        yield TournamentService(ledger, catalog.game, clock_after(ledger))


@contextmanager
def reports(settings: Context, *names: str, bots: Sequence[str] = ()) -> Iterator[Reports]:
    """What is read about tournaments of an existing league; arguments and errors as for `tournaments`."""
    with _known(settings, names, bots) as ledger:
        yield Reports(ledger)


@contextmanager
def corrections(settings: Context, *names: str) -> Iterator[Corrections]:
    """Rulings on tournaments of an existing league; arguments and errors as for `tournaments`."""
    with _known(settings, names, ()) as ledger:
        yield Corrections(ledger, clock_after(ledger))


@contextmanager
def _known(settings: Context, names: Sequence[str], bots: Sequence[str]) -> Iterator[Ledger]:
    ledger = settings.existing_ledger()
    try:
        for name in names:
            check_tournament(ledger, name)
        for bot in bots:
            check_bot(ledger, bot)
        yield ledger
    finally:
        ledger.close()


def check_tournament(ledger: Ledger, name: str) -> None:
    """Check that there is a tournament called so.

    Raises:
        NotFoundError: there is none; suggests a near one.
    """
    _check(ledger, "tournament", name, tournament_id(""), "`keylore tournament list` lists them")


def check_bot(ledger: Ledger, name: str) -> None:
    """Check that a bot is enrolled.

    Raises:
        NotFoundError: it is not; suggests a near one.
    """
    stem = name.removeprefix(bot_id(""))
    _check(ledger, "bot", stem, bot_id(""), f"enrol it with `keylore bot new {stem}`")


@dataclass(frozen=True)
class Entering:
    """Bots that are to enter a tournament.

    ``bots``: names of enrolled ones; ``builtins``: those that this machine runs (``greedy:3``); ``ratings``:
    points with which they enter (``alice=1620``); ``rated``: those of the leaderboard for all others.
    """

    bots: tuple[str, ...]
    builtins: tuple[str, ...]
    ratings: tuple[str, ...] = ()
    rated: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all, those that this machine runs first.

        Raises:
            OptionError, NotFoundError: there is no such bot to run, or too many are asked for.
        """
        own = [name for spec in self.builtins for name in identities.own_names(*identities.check_own(spec))]
        return (*own, *self.bots)


def entered(
    settings: Context, name: str, entering: Entering, terms: Mapping[str, object] | None = None
) -> TournamentView:
    """The tournament *name* with more entrants; with *terms* it is made first.

    Nothing is stored if a bot is not there. Bots that this machine runs are enrolled if need be.

    Raises:
        NotFoundError, OptionError, ConflictError: a bot, a rating or a term is wrong.
    """
    known = entering.names
    given = _ratings(entering, known)
    if terms is not None:
        settings.ledger().close()  # made, if there is none yet
    with _known(settings, () if terms is not None else (name,), entering.bots) as ledger:
        service = TournamentService(ledger, catalog.game, clock_after(ledger))
        view = service.show(name) if terms is None else service.create(name, terms)
        for spec in entering.builtins:
            identities.enrol_own(ledger, settings.bots, spec, clock_after(ledger))
        board = _board(ledger, view.terms.game) if entering.rated else {}
        for bot in known:
            view = service.register(name, bot, given.get(bot, board.get(bot.removeprefix(bot_id("")), 0)))
    return view


def _ratings(entering: Entering, known: Sequence[str]) -> Mapping[str, int]:
    """The points that were typed, by the name of the bot."""
    found: dict[str, int] = {}
    for text in entering.ratings:
        bot, _, points = text.rpartition("=")
        if bot not in known:
            raise OptionError(
                "rating", f"{text!r} is of no bot that enters", "BOT=POINTS, such as alice=1620"
            )
        if not points.isdigit():
            raise OptionError("rating", f"{points!r} are no points", "a whole number, such as 1620")
        found[bot] = int(points)
    return found


def _board(ledger: Ledger, game: str) -> Mapping[str, int]:
    """The points of all bots on the leaderboard of a game, by name."""
    boards = Reports(ledger).leaderboards(game, EVERY_SIZE)
    return {row.name: row.rating.points for board in boards for row in board.rows}


def _check(ledger: Ledger, what: str, name: str, prefix: str, hint: str) -> None:
    known = [one.removeprefix(prefix) for one in ledger.ids(prefix)]
    if name.removeprefix(prefix) not in known:
        raise not_found(what, name.removeprefix(prefix), known, hint)
