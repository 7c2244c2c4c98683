"""What is told of a tournament that runs: by its director, or by whoever watches it."""

from collections.abc import Callable

import msgspec

from keylore_domain.swiss.absences import AbsenceRule
from keylore_domain.swiss.records import Status
from keylore_domain.swiss.rounds import Placing
from keylore_domain.swiss.standings import StandingsRow


class RoundPaired(msgspec.Struct, frozen=True, kw_only=True, tag="round_paired"):
    """A round begins; ``byes`` are bot ids."""

    round: int
    matches: tuple[str, ...]
    byes: tuple[str, ...]


class BotsAway(msgspec.Struct, frozen=True, kw_only=True, tag="bots_away"):
    """Bots did not come to a match in time; ``then`` is what the terms say to that."""

    match: str
    bots: tuple[str, ...]
    waited_ms: int
    then: AbsenceRule


class TableOpened(msgspec.Struct, frozen=True, kw_only=True, tag="table_opened"):
    """A table plays now; ``away`` are its bots that are not connected."""

    match: str
    seats: tuple[str, ...]
    away: tuple[str, ...]


class TableAborted(msgspec.Struct, frozen=True, kw_only=True, tag="table_aborted"):
    """A match ended without a result; ``next`` is played instead."""

    match: str
    cause: str
    next: str


class TableEnded(msgspec.Struct, frozen=True, kw_only=True, tag="table_ended"):
    """The result of a match was recorded."""

    match: str
    placings: tuple[Placing, ...]


class RoundEnded(msgspec.Struct, frozen=True, kw_only=True, tag="round_ended"):
    """All results of a round are in."""

    round: int
    standings: tuple[StandingsRow, ...]


class RunEnded(msgspec.Struct, frozen=True, kw_only=True, tag="run_ended"):
    """The director stops: the tournament is finished, or it was paused or aborted for this ``cause``."""

    status: Status
    cause: str


class StatusChanged(msgspec.Struct, frozen=True, kw_only=True, tag="status_changed"):
    """The tournament started, was paused, resumed or aborted, or is finished; ``by``: by whom, if known."""

    status: Status
    cause: str = ""
    by: str = ""


class Noted(msgspec.Struct, frozen=True, kw_only=True, tag="noted"):
    """Something else was recorded: ``what``, such as ``entrant_withdrawn``, and whom and what it is about."""

    what: str
    bots: tuple[str, ...] = ()
    match: str = ""
    cause: str = ""


Progress = RoundPaired | BotsAway | TableOpened | TableAborted | TableEnded | RoundEnded | RunEnded

Told = Progress | StatusChanged | Noted

Listener = Callable[[Progress], None]
