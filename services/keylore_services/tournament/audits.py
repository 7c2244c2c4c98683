"""Whether the results of a tournament are those of its matches, and these were played on its terms.

Each match proves itself (`keylore game verify`); here only its first event and its end are looked at. What
was ruled about a result does not matter here: the result that stands beside the ruling is compared.
"""

from collections.abc import Iterator

import msgspec

from keylore_domain.engine.aggregates import Event, decode_event
from keylore_domain.engine.encoding import canonical_json
from keylore_domain.engine.events import Aborted, Concluded, Opened, SeatForfeited
from keylore_domain.engine.options import parse_options
from keylore_domain.engine.outcomes import Outcome
from keylore_domain.engine.records import Catalog
from keylore_domain.swiss.events import RoundRepaired
from keylore_domain.swiss.records import TournamentRecord
from keylore_domain.swiss.rounds import Placing, PlayedTable
from keylore_services.ledger.ledger import Ledger
from keylore_services.ledger.matches import opening_of


def audit_matches(tournament: TournamentRecord, ledger: Ledger, catalog: Catalog) -> Iterator[str]:
    """All that differs between *tournament* and its matches in *ledger*, in words."""
    for table in (one for played in tournament.rounds for one in played.tables if one.played is not None):
        events = _events(ledger, table.match)
        if not events:
            yield f"{table.match}: a result was recorded, but the match is not in the ledger"
            continue
        yield from (f"{table.match}: {one}" for one in _played_on_terms(tournament, table, events, catalog))
        yield from (f"{table.match}: {one}" for one in _result(table, events))
        yield from (f"{table.match}: {one}" for one in _forfeits(tournament, table, events))
    for aborted in tournament.aborted:
        if not any(isinstance(event, Aborted) for event in _events(ledger, aborted.match)):
            yield f"{aborted.match}: was replayed as {aborted.next}, but it was not aborted"
    yield from _begun_before(tournament, ledger)
    yield from _dealt_apart(tournament, ledger)


def _dealt_apart(tournament: TournamentRecord, ledger: Ledger) -> Iterator[str]:
    """Matches that have to share a deal, but were opened with another seed than the first of them."""
    first: dict[str, Opened] = {}
    for table in (one for played in tournament.rounds for one in played.tables if one.played is not None):
        opened = opening_of(ledger, table.match)
        if opened is not None and opened.seed_label is not None:
            known = first.setdefault(opened.seed_label, opened)
            if (opened.commitment, opened.beacon) != (known.commitment, known.beacon):
                yield f"{table.match}: its deal is not that of {known.originator_id}"


def _begun_before(tournament: TournamentRecord, ledger: Ledger) -> Iterator[str]:
    """Rounds that were paired again although one of their matches had begun."""
    replaced = {event.originator_version: event for event in tournament.replaced}
    for event in tournament.corrections:
        if isinstance(event, RoundRepaired):
            for match in replaced[event.replaces].matches:
                opened = opening_of(ledger, match)
                if opened is not None and opened.at < event.at:
                    where = f"event {event.originator_version}: round {event.round}"
                    yield f"{where} was paired again after {match} had begun"


def _events(ledger: Ledger, match: str) -> list[Event]:
    return [decode_event(event.topic, event.state) for event in ledger.stored(match)]


def _played_on_terms(
    tournament: TournamentRecord, table: PlayedTable, events: list[Event], catalog: Catalog
) -> Iterator[str]:
    opened = events[0]
    assert isinstance(opened, Opened)
    plays = tournament.plays(table.match)
    game = catalog(plays.game, plays.rules, plays.data_text)
    options = canonical_json(parse_options(game, {**plays.options, "seats": len(table.seats)}))
    pairs = (
        ("game and rules", (opened.game, opened.rules), (plays.game, plays.rules)),
        ("options", bytes(opened.options), options),
        ("component data", opened.data, tournament.entry.data[table.turn]),
        ("time control", opened.time, plays.time),
        ("seed", opened.public_seed, tournament.terms.seed),
        ("deal", opened.seed_label, tournament.deal_of(table.match)),
        ("seats", tuple(entry.bot for entry in opened.seats), table.seats),
    )
    return (f"its {name} are not those of the tournament" for name, found, due in pairs if found != due)


def _forfeits(tournament: TournamentRecord, table: PlayedTable, events: list[Event]) -> Iterator[str]:
    found = {event.seat for event in events if isinstance(event, SeatForfeited)}
    if table.played is not None and found != set(table.played.forfeited):
        yield "who forfeited it is not what was recorded"
    ruling = tournament.absences.get(table.match)
    if ruling is not None and ruling.then != "play":
        due = {seat for seat, bot in enumerate(table.seats) if bot in ruling.bots}
        if not due <= found:
            yield "who was away has not forfeited it"


def _result(table: PlayedTable, events: list[Event]) -> Iterator[str]:
    ends = [event for event in events if isinstance(event, Concluded)]
    if not ends:
        yield "a result was recorded, but the match has none"
    for end in ends:
        outcome = msgspec.json.decode(end.outcome, type=Outcome)
        placings = tuple(Placing(table.seats[one.seat], one.rank, one.score) for one in outcome.seats)
        if table.played is None or placings != table.played.placings:
            yield "its outcome is not the result that was recorded"
