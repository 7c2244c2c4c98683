from collections.abc import Iterator

import msgspec
import pytest

from keylore_domain.engine.aggregates import Event
from keylore_domain.errors import ConflictError, NotFoundError, OptionError
from keylore_domain.swiss.events import Finished
from keylore_domain.swiss.rounds import Entrant
from keylore_domain.swiss.terms import parse_terms
from keylore_domain.swiss.tournaments import Tournament
from keylore_services.tournament.service import TournamentService
from tests.domain.swiss.leagues import AT, catalog
from tests.services.tournament.houses import TERMS, FakeTables, House, aborted, concluded, open_house


@pytest.fixture
def house() -> Iterator[House]:
    with open_house() as opened:
        yield opened


def test_a_tournament_is_created_from_plain_terms(house: House) -> None:
    view = house.service.create("cup", {**TERMS, "title": "Spring Cup", "time": {"move_ms": 500}})

    assert (view.id, view.name, view.status, view.round) == ("t/cup", "cup", "registering", 0)
    assert (view.terms.title, view.terms.rules, view.terms.time.move_ms) == ("Spring Cup", "1", 500)
    assert house.service.show("cup") == house.service.show("t/cup") == view


def test_a_name_is_taken_once(house: House) -> None:
    house.service.create("cup", TERMS)

    with pytest.raises(ConflictError, match="there is a tournament 'cup' already"):
        house.service.create("cup", TERMS)


@pytest.mark.parametrize(
    ("name", "changes", "field"),
    [("Cup!", {}, "name"), ("cup", {"table_size": 1}, "table_size"), ("cup", {"sets": 1}, "sets")],
)
def test_wrong_terms_are_refused_and_nothing_is_stored(
    house: House, name: str, changes: dict[str, object], field: str
) -> None:
    with pytest.raises(OptionError) as error:
        house.service.create(name, {**TERMS, **changes})

    assert error.value.field == field
    assert house.service.list() == ()


def test_enrolled_bots_register_by_name_or_id(house: House) -> None:
    house.service.create("cup", TERMS)

    house.service.register("cup", "b02")
    view = house.service.register("t/cup", "bot/b01")

    assert view.entrants == (
        Entrant(bot="bot/b02", name="b02", number=1),
        Entrant(bot="bot/b01", name="b01", number=2),
    )


def test_who_is_not_enrolled_cannot_register(house: House) -> None:
    house.service.create("cup", TERMS)

    with pytest.raises(NotFoundError, match="bot/stranger"):
        house.service.register("cup", "stranger")
    with pytest.raises(NotFoundError, match="t/none"):
        house.service.register("none", "b01")


def test_a_withdrawal_keeps_the_entrant_listed(house: House) -> None:
    house.started()

    view = house.service.withdraw("cup", "b09", "broken")

    assert [entrant.bot for entrant in view.entrants if not entrant.active] == ["bot/b09"]
    with pytest.raises(ConflictError, match="withdrawn already"):
        house.service.withdraw("cup", "bot/b09")


def test_a_pause_says_why_until_it_is_resumed(house: House) -> None:
    house.started()

    paused = house.service.pause("cup", "lunch")
    resumed = house.service.resume("cup")

    assert (paused.status, paused.pause_cause) == ("paused", "lunch")
    assert (resumed.status, resumed.pause_cause) == ("running", "")


def test_all_tournaments_are_listed_in_order_of_creation(house: House) -> None:
    house.run(house.started("zebra", title="The Zebra"), FakeTables())
    house.service.create("apple", TERMS)

    zebra, apple = house.service.list()

    best = house.service.standings("zebra").rows
    assert (zebra.title, zebra.status, zebra.round, zebra.entrants) == ("The Zebra", "finished", 3, 9)
    assert zebra.winners == tuple(row.bot for row in best if row.rank == 1)
    assert (apple.title, apple.status, apple.round, apple.winners) == ("apple", "registering", 0, ())


def test_a_round_is_shown_with_the_reasons_of_its_tables(house: House) -> None:
    house.run(house.started(table_size=4, rounds=4), FakeTables())

    last = house.reports.pairings("cup")
    second = house.reports.pairings("cup", 2)

    assert (last.number, second.number, last.rounds, last.is_complete) == (4, 2, 4, True)
    assert len(last.byes) == 1
    before = {row.bot: row.half_points for row in house.service.standings("cup", 3).rows}
    for table in last.tables:
        assert [seat.half_points for seat in table.seats] == [before[seat.bot] for seat in table.seats]
        assert sorted(seat.rank for seat in table.seats if seat.rank)[0] == 1
        assert sum(times for *_, times in table.met_before) == table.cost.repeats
    assert sum(table.cost.repeats for table in last.tables) == last.cost.repeats >= last.bound.repeats


def test_a_round_that_plays_has_no_ranks_yet_and_says_what_it_waits_for(house: House) -> None:
    broken = FakeTables(lambda spec: aborted(spec) if "/t2" in spec.match_id else concluded(spec))
    house.run(house.started(), broken, attempts=1)

    shown = house.reports.pairings("cup")

    assert not shown.is_complete
    assert [seat.rank for seat in shown.tables[1].seats] == [None, None, None]
    assert (shown.tables[1].match, shown.tables[1].attempt) == ("m/cup/r1/t2/a2", 2)
    assert house.service.show("cup").waiting_for == ("m/cup/r1/t2/a2",)
    standings = house.service.standings("cup")
    assert (standings.is_complete, standings.is_final) == (False, False)


def test_rounds_that_were_not_paired_are_not_found(house: House) -> None:
    house.started()

    with pytest.raises(NotFoundError, match="has no round yet"):
        house.reports.pairings("cup")
    with pytest.raises(NotFoundError, match="has 0 rounds, not 1"):
        house.service.standings("cup", 1)


def test_standings_of_past_rounds_stay_as_they_were(house: House) -> None:
    house.run(house.started(rounds=2), FakeTables())

    first, final = house.service.standings("cup", 1), house.service.standings("cup")

    assert (first.round, first.is_final, first.is_complete) == (1, False, True)
    assert (final.round, final.is_final) == (2, True)
    assert all(row.played == 1 for row in first.rows)


def test_everything_shown_can_be_printed_as_json(house: House) -> None:
    house.run(house.started(), FakeTables())
    service = house.service

    for shown in (
        service.list(),
        service.show("cup"),
        house.reports.pairings("cup"),
        service.standings("cup"),
    ):
        assert b"bot/b0" in msgspec.json.encode(shown)


class Forger(Tournament):
    """Turns the final standings round."""

    def record(self, event: Event) -> None:
        if isinstance(event, Finished):
            event = msgspec.structs.replace(event, standings=event.standings[::-1])
        super().record(event)


def test_a_forged_tournament_is_found_out(house: House) -> None:
    forged = Forger.create("forged", parse_terms(TERMS), catalog, at=AT)
    for bot in ("bot/a", "bot/b", "bot/c"):
        forged.register(bot, bot, at=AT)
    forged.start(at=AT)
    forged.withdraw("bot/c", at=AT)
    forged.finish(at=AT)
    house.ledger.save(forged)

    assert house.service.audit("forged") == ("event 7: the final standings do not follow from the results",)


def test_who_is_slower_decides_anew_and_both_changes_count(house: House) -> None:
    """While one organiser has a look at the clock, another withdraws somebody else."""
    house.started()
    looks = iter(["b02"])

    def now() -> int:
        for name in looks:
            house.service.withdraw("cup", name)
        return house.now()

    view = TournamentService(house.ledger, catalog, now).withdraw("cup", "b01")

    assert [entrant.name for entrant in view.entrants if not entrant.active] == ["b01", "b02"]


def test_byes_and_meetings_are_ruled_by_the_organiser(house: House) -> None:
    house.started()

    house.service.request_bye("cup", "b01", 1, "half", "on holiday")
    house.service.rule_meeting("cup", "b02", "bot/b03", "same team", apart=True)

    assert house.topics("t/cup")[-2:] == ["ByeRequested", "MeetingRuled"]
    with pytest.raises(ConflictError, match="may ask for 1 byes"):
        house.service.request_bye("cup", "b01", 2, "half")


def test_a_round_shows_who_stayed_away_and_the_games_of_a_table(house: House) -> None:
    cup = house.started(pairing={"games": 2})
    house.service.request_bye("cup", "b01", 1, "half")
    house.service.request_bye("cup", "b02", 1, "zero")
    house.run(cup, FakeTables())

    shown = house.reports.pairings("cup", 1)

    assert (shown.half_byes, shown.away, len(shown.byes)) == (("bot/b01",), ("bot/b02",), 1)
    assert [(table.pod, table.game) for table in shown.tables] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    assert {seat.bot for seat in shown.tables[0].seats} == {seat.bot for seat in shown.tables[1].seats}


def test_the_author_of_a_bot_is_known_to_the_pairing(house: House) -> None:
    from keylore_domain.bots import Bot

    house.ledger.save(*(Bot.enrol(name, f"token of {name}", 0, author="ada") for name in ("x1", "x2")))
    house.service.create("duel", {**TERMS, "pairing": {"same_author": "apart"}})

    house.service.register("duel", "x1")
    shown = house.service.register("duel", "x2")

    assert [entrant.author for entrant in shown.entrants] == ["ada", "ada"]
