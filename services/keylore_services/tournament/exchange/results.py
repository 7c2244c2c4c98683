"""What is exchanged: a tournament's entrants, rounds and terms, wherever they come from."""

from collections.abc import Sequence

import msgspec

from keylore_domain.swiss.duplicates import DealReport
from keylore_domain.swiss.records import TournamentRecord
from keylore_domain.swiss.rounds import Entrant, Round
from keylore_domain.swiss.sheets import Sheet, sheets_of
from keylore_domain.swiss.standings import StandingsRow, standings
from keylore_domain.swiss.terms import Terms
from keylore_services.tournament.luck import deals_of


class Results(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament up to some round.

    ``id``: empty for one that was read from a file. ``planned``: how many rounds there will be, as far as is
    known; 0 for no end. ``seed`` decides lots. ``is_final``: nothing will change any more. ``ranked``: the
    standings, where the format has places of its own. ``deals``: what shared deals tell. ``pairing``: how it
    was paired, in the words of its source. ``notes``: what a file said that could not be taken over.
    """

    id: str
    title: str
    terms: Terms
    seed: str
    entrants: tuple[Entrant, ...]
    rounds: tuple[Round, ...]
    planned: int
    is_final: bool
    ranked: tuple[StandingsRow, ...] = ()
    deals: tuple[DealReport, ...] = ()
    pairing: str = ""
    notes: tuple[str, ...] = ()

    def standings(self) -> tuple[StandingsRow, ...]:
        """The standings after its last round."""
        return self.ranked or standings(self.entrants, self.rounds, self.terms, self.seed)

    def sheets(self) -> Sequence[Sheet]:
        """The score sheet of each entrant, in order of registration."""
        found = sheets_of(self.entrants, self.rounds, self.terms)
        return sorted(found.values(), key=lambda sheet: sheet.number)


def results_of(tournament: TournamentRecord, after: int | None = None) -> Results:
    """The results of *tournament* after round *after*, or up to now.

    Raises:
        NotFoundError: that round was not paired.
    """
    rounds = tuple(tournament.rounds_until(after))
    pairings = tournament.pairings[: len(rounds)]
    return Results(
        id=tournament.id,
        title=tournament.terms.title or tournament.name,
        terms=tournament.terms,
        seed=tournament.seed,
        entrants=tuple(tournament.entrants.values()),
        rounds=rounds,
        planned=tournament.planned_rounds,
        is_final=tournament.status == "finished" and len(rounds) == len(tournament.rounds),
        ranked=() if tournament.format.places is None else tournament.standings(after),
        deals=deals_of(tournament, after),
        pairing=pairings[-1].pairing.algorithm if pairings else "",
    )
