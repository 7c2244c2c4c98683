"""The events of a tournament, in the order in which they can occur."""

from typing import Literal

from keylore_domain.engine.aggregates import Event, topic
from keylore_domain.swiss.absences import AbsenceRule
from keylore_domain.swiss.certificates import Certificate
from keylore_domain.swiss.history import History
from keylore_domain.swiss.pairing import Pairing
from keylore_domain.swiss.rounds import PastResults, Placing, RulingKind
from keylore_domain.swiss.standings import StandingsRow
from keylore_domain.swiss.terms import Terms

FinishCause = Literal["rounds", "entrants", "organiser"]


@topic("keylore:Tournament.Created")
class Created(Event, frozen=True, kw_only=True):
    """The terms were set; ``data``: for each game the hash of the component data it is played with."""

    name: str
    terms: Terms
    data: tuple[str, ...]


@topic("keylore:Tournament.EntrantRegistered")
class EntrantRegistered(Event, frozen=True, kw_only=True):
    """A bot takes part from the next round on; it may have withdrawn before.

    ``rating``: whole points, 0 for none; ``author``: who wrote it, empty if unknown. Both count when a bot
    registers for the first time.
    """

    bot: str
    name: str
    rating: int = 0
    author: str = ""


@topic("keylore:Tournament.EntrantWithdrawn")
class EntrantWithdrawn(Event, frozen=True, kw_only=True):
    """A bot is not paired any more; it keeps what it has."""

    bot: str
    cause: str


@topic("keylore:Tournament.ByeRequested")
class ByeRequested(Event, frozen=True, kw_only=True):
    """A bot will not play in a round: for half a win, for nothing, or (``none``) it will after all."""

    bot: str
    round: int
    kind: Literal["half", "zero", "none"]
    cause: str = ""


@topic("keylore:Tournament.MeetingRuled")
class MeetingRuled(Event, frozen=True, kw_only=True):
    """From the next round on two bots must stay apart, or may meet, whatever the terms say."""

    bots: tuple[str, str]
    apart: bool
    cause: str = ""


@topic("keylore:Tournament.Started")
class Started(Event, frozen=True, kw_only=True):
    """The first round may be paired."""


@topic("keylore:Tournament.RoundPaired")
class RoundPaired(Event, frozen=True, kw_only=True):
    """A round was paired: from which inputs, with which result and which proof, and the id of each match.

    Where tables play several games, the ids of all games of the first table come first.
    """

    round: int
    inputs: History
    pairing: Pairing
    certificate: Certificate
    matches: tuple[str, ...]


@topic("keylore:Tournament.AbsenceRuled")
class AbsenceRuled(Event, frozen=True, kw_only=True):
    """Some ``bots`` were away when a match was to begin; what the terms say then holds for it.

    ``waited_ms``: how long the table had waited for them.
    """

    match: str
    bots: tuple[str, ...]
    waited_ms: int
    then: AbsenceRule


@topic("keylore:Tournament.MatchAborted")
class MatchAborted(Event, frozen=True, kw_only=True):
    """A match ended without a result that any seat has to answer for; its table plays ``next`` instead."""

    match: str
    cause: str
    next: str


@topic("keylore:Tournament.ResultRecorded")
class ResultRecorded(Event, frozen=True, kw_only=True):
    """The result of a match counts.

    ``placings`` is in seat order, ``cause`` says how the match ended, ``forfeited`` lists the seats that
    forfeited.
    """

    match: str
    round: int
    table: int
    placings: tuple[Placing, ...]
    cause: str
    forfeited: tuple[int, ...] = ()


@topic("keylore:Tournament.ResultOverridden")
class ResultOverridden(Event, frozen=True, kw_only=True):
    """By a ruling something else counts than what a match gave; both stay in the record.

    ``kind``: ``places`` (those in ``placings``), ``forfeit`` (the ``losers`` lose it), ``void`` (nobody gets
    anything) or ``original`` (what the match gave counts again). ``placings`` and ``forfeited`` (seats) are
    what counts from now on. ``by``: who ruled; ``ground``: what the ruling rests on, such as ``dispute/7``,
    or empty.
    """

    match: str
    round: int
    table: int
    kind: RulingKind
    placings: tuple[Placing, ...]
    forfeited: tuple[int, ...] = ()
    losers: tuple[str, ...] = ()
    by: str
    reason: str
    ground: str = ""


@topic("keylore:Tournament.RoundRepaired")
class RoundRepaired(Event, frozen=True, kw_only=True):
    """A round of which no table had started was paired again, with other matches.

    ``replaces``: the number of the event that had paired it; what it says was never played. ``byes``: who has
    a bye by this ruling, whatever the rules of byes say. ``confirmed``: so many byes in all were expressly
    accepted; ``None``: no more than those in ``byes``, or by the rules.
    """

    round: int
    replaces: int
    inputs: History
    pairing: Pairing
    certificate: Certificate
    matches: tuple[str, ...]
    byes: tuple[str, ...] = ()
    confirmed: int | None = None
    by: str
    reason: str
    ground: str = ""


@topic("keylore:Tournament.EntrantRemoved")
class EntrantRemoved(Event, frozen=True, kw_only=True):
    """By a ruling a bot takes part no more and is ranked behind all others.

    ``results`` says what becomes of its tables: they ``keep`` their results, are lost by it through
    ``forfeit``, or are ``void`` for everybody.
    """

    bot: str
    results: PastResults
    by: str
    reason: str
    ground: str = ""


@topic("keylore:Tournament.Paused")
class Paused(Event, frozen=True, kw_only=True):
    """No further table is opened; tables that play go on."""

    cause: str


@topic("keylore:Tournament.Resumed")
class Resumed(Event, frozen=True, kw_only=True):
    """Tables are opened again."""

    cause: str


@topic("keylore:Tournament.Aborted")
class Aborted(Event, frozen=True, kw_only=True):
    """The tournament ended before its end: nothing is played on, and matches without a result give none.

    ``by``: who ended it.
    """

    by: str
    reason: str


@topic("keylore:Tournament.Finished")
class Finished(Event, frozen=True, kw_only=True):
    """The tournament is over: all rounds were played, too few entrants were left, or it was ended."""

    cause: FinishCause
    standings: tuple[StandingsRow, ...]
