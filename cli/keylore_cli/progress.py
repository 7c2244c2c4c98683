"""How a running tournament looks: a live display on a terminal, one line per change elsewhere."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from keylore_domain.swiss.standings import StandingsRow
from keylore_services.replay.text import words
from keylore_services.tournament import progress as told
from keylore_services.tournament.progress import Listener
from keylore_services.tournament.words import exact

_AWAY: Final = {
    "play": "{match} is played with their clocks running",
    "forfeit": "they forfeit {match}",
    "withdraw": "they forfeit {match} and are withdrawn",
}


@contextmanager
def listening_display() -> Iterator[Listener]:
    """A listener that shows what happens on standard error while the block runs."""
    if not sys.stderr.isatty():
        yield lines()
        return
    with _Bars() as bars:
        yield bars.hear


class _Bars:
    """A bar for the tables of each round, and the leaders after it."""

    def __init__(self) -> None:
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("tables"),
            TimeElapsedColumn(),
            console=Console(stderr=True, highlight=False),
        )
        self._bar: TaskID | None = None

    def __enter__(self) -> "_Bars":
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def hear(self, event: told.Progress) -> None:
        """Show *event*."""
        match event:
            case told.RoundPaired():
                self._new_round(event.round, len(event.matches))
            case told.TableEnded():
                if self._bar is None:
                    self._new_round(_round_of(event.match), None)
                assert self._bar is not None
                self._progress.advance(self._bar)
            case told.RoundEnded():
                self._progress.console.print(_leaders(event.round, event.standings))
                self._bar = None
            case _:
                line = line_of(event)
                if line and not isinstance(event, told.TableOpened):
                    self._progress.console.print(line)

    def _new_round(self, number: int, tables: int | None) -> None:
        self._bar = self._progress.add_task(f"round {number}", total=tables)


def lines(head: str = "") -> Listener:
    """A listener that writes one line per change to standard error, each beginning with *head*."""

    def hear(event: told.Progress) -> None:
        line = line_of(event)
        if line:
            sys.stderr.write(f"{head}{line}\n")

    return hear


def line_of(event: told.Told) -> str:
    """*event* in one line; empty if there is nothing to say."""
    return _LINES[type(event)](event)


def _paired(event: told.RoundPaired) -> str:
    byes = f", bye: {_names(event.byes)}" if event.byes else ""
    return f"round {event.round}: {_tables(len(event.matches))}{byes}"


def _away(event: told.BotsAway) -> str:
    then = _AWAY[event.then].format(match=event.match)
    return f"{_names(event.bots)} did not come in {event.waited_ms / 1000:.0f} s: {then}"


def _opened(event: told.TableOpened) -> str:
    away = f"; away: {_names(event.away)}" if event.away else ""
    return f"{event.match} opened{away}"


def _aborted(event: told.TableAborted) -> str:
    return f"{event.match} was aborted ({event.cause}); {event.next} is played instead"


def _ended(event: told.TableEnded) -> str:
    placings = sorted(event.placings, key=lambda placing: placing.rank)
    return f"{event.match} ended: " + ", ".join(f"{one.rank}. {_names((one.bot,))}" for one in placings)


def _changed(event: told.StatusChanged) -> str:
    by = f" (by {event.by})" if event.by else ""
    return event.status + by + (f": {event.cause}" if event.cause and event.status != "finished" else "")


def _noted(event: told.Noted) -> str:
    about = " ".join(filter(None, (_names(event.bots), event.match)))
    return ": ".join(filter(None, (f"{words(event.what)} {about}".strip(), event.cause)))


_LINES: Final[Mapping[type, Callable[[Any], str]]] = {
    told.RoundPaired: _paired,
    told.BotsAway: _away,
    told.TableOpened: _opened,
    told.TableAborted: _aborted,
    told.TableEnded: _ended,
    told.RoundEnded: lambda event: _leaders(event.round, event.standings),
    told.RunEnded: lambda event: f"{event.status}: {event.cause}" if event.cause else "",
    told.StatusChanged: _changed,
    told.Noted: _noted,
}


def _leaders(number: int, standings: tuple[StandingsRow, ...]) -> str:
    leaders = ", ".join(f"{row.name} {exact(row.points)}" for row in standings[:3])
    return f"after round {number}: {leaders}"


def _tables(number: int) -> str:
    return "1 table" if number == 1 else f"{number} tables"


def _names(bots: tuple[str, ...]) -> str:
    return ", ".join(bot.removeprefix("bot/") for bot in bots)


def _round_of(match_id: str) -> int:
    return int(match_id.split("/")[2].removeprefix("r"))
