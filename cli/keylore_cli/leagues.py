"""The tournaments and bots of a league, found by name."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from keylore_cli import identities
from keylore_cli.context import Context
from keylore_cli.failures import not_found
from keylore_domain import catalog
from keylore_domain.bots import bot_id
from keylore_domain.swiss.records import tournament_id
from keylore_services.arbiter.times import clock_after
from keylore_services.ledger.ledger import Ledger
from keylore_services.tournament.reports import Reports
from keylore_services.tournament.service import TournamentService


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


def own_bots(settings: Context, specs: Sequence[str]) -> list[str]:
    """The names of the bots *specs* (``greedy:3``) that this machine runs; missing ones are enrolled.

    Raises:
        OptionError, NotFoundError: there is no such bot, or it asks for too many.
    """
    ledger = settings.existing_ledger()
    try:
        return [
            name
            for spec in specs
            for name in identities.enrol_own(ledger, settings.bots, spec, clock_after(ledger))
        ]
    finally:
        ledger.close()


def _check(ledger: Ledger, what: str, name: str, prefix: str, hint: str) -> None:
    known = [one.removeprefix(prefix) for one in ledger.ids(prefix)]
    if name.removeprefix(prefix) not in known:
        raise not_found(what, name.removeprefix(prefix), known, hint)
