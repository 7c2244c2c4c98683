"""What is claimed of a round, and how it is checked."""

from typing import Any

import pytest
from msgspec.structs import replace

from keylore_domain.engine.aggregates import decode_event, encode_event, topic_of
from keylore_domain.engine.encoding import sha256_hex
from keylore_domain.swiss.audit import audit
from keylore_domain.swiss.certificates import Certificate, Criterion, certificate_of
from keylore_domain.swiss.dutch.cards import Cards, DutchRound
from keylore_domain.swiss.events import RoundPaired
from keylore_domain.swiss.pairing_terms import PairingTerms
from keylore_domain.swiss.tournaments import Tournament
from tests.domain.swiss.leagues import AT, by_lot, by_number, play_round, started

BY_NUMBER = PairingTerms(seeding="registration")


def last(tournament: Tournament) -> Certificate:
    return tournament.pairings[-1].certificate


def values(found: Certificate) -> dict[str, tuple[int, int | None]]:
    return {one.name: (one.value, one.bound) for one in found.criteria}


def test_a_first_round_of_full_tables_meets_every_bound() -> None:
    tournament = started(8)
    tournament.pair_round(at=AT)

    found = last(tournament)

    assert found.constraints == ("one_place", "sizes", "bye_order")
    assert [one.name for one in found.criteria] == [
        *("byes", "odd_tables", "seats_off"),
        *("forbidden", "repeats", "clashes", "odd_seats", "spread"),
        *("same_size_seats", "seats_had", "seats_kept"),
    ]
    assert all(one.value == one.bound == 0 and one.is_met for one in found.criteria)


def test_byes_and_smaller_tables_are_as_few_as_can_be() -> None:
    with_byes, smaller = started(10), started(10, uneven="smaller_tables")
    for tournament in (with_byes, smaller):
        tournament.pair_round(at=AT)

    byes, tables = values(last(with_byes)), values(last(smaller))

    assert (byes["byes"], byes["odd_tables"], byes["seats_off"]) == ((2, 2), (0, 0), (0, 0))
    assert (tables["byes"], tables["odd_tables"], tables["seats_off"]) == ((0, 0), (2, 2), (2, 2))


def test_repeats_that_cannot_be_avoided_are_told_with_their_bound() -> None:
    """After a round of one table of four, everybody has met everybody: six pairs."""
    tournament = started(4)
    for _ in range(2):
        play_round(tournament, by_lot)

    found = values(last(tournament))

    assert found["repeats"] == (6, 6)


def test_where_repeats_have_a_price_they_are_weighed_with_the_spread() -> None:
    tournament = started(4, pairing=replace(BY_NUMBER, repeat_cost=10))
    play_round(tournament, by_number)
    tournament.pair_round(at=AT)

    names = [one.name for one in last(tournament).criteria]
    cost = tournament.pairings[-1].pairing.cost

    assert names[3:7] == ["forbidden", "clashes", "odd_seats", "repeats_and_spread"]
    assert values(last(tournament))["repeats_and_spread"][0] == 10 * cost.repeats + cost.spread


def test_what_the_terms_forbid_is_claimed_too() -> None:
    pairing = PairingTerms(apart=(("bot/b01", "bot/b02"),), repeats="refused")
    tournament = started(9, pairing=pairing)
    tournament.request_bye("bot/b05", 1, "half", at=AT)
    tournament.pair_round(at=AT)

    assert last(tournament).constraints == (
        *("one_place", "asked_byes", "sizes", "bye_order", "apart", "no_repeats"),
    )


def test_byes_by_ruling_count_apart_from_those_by_the_rules() -> None:
    tournament = started(7, table_size=2)
    tournament.pair_round(at=AT)
    tournament.pause(at=AT)

    tournament.repair_round(byes=["bot/b01"], at=AT, by="op/ada", reason="asked in time")

    assert "ruled_byes" in last(tournament).constraints
    assert values(last(tournament))["byes"] == (0, 0)


@pytest.mark.parametrize(
    ("form", "entrants", "size"), [("round_robin", 6, 2), ("knockout", 6, 2), ("gauntlet", 5, 3)]
)
def test_a_schedule_is_all_that_is_claimed_of_a_round_by_one(form: str, entrants: int, size: int) -> None:
    tournament = started(entrants, format=form, table_size=size, rounds=0, pairing=BY_NUMBER)
    tournament.pair_round(at=AT)

    assert last(tournament) == Certificate(constraints=("one_place", "schedule"), criteria=())


def neighbours(cards: Cards) -> DutchRound | None:
    """An engine for one round: the first of the upper half has white against the first of the lower."""
    half = len(cards.present) // 2
    pairs = [(cards.present[at], cards.present[at + half]) for at in range(half)]
    turned = [pair if at % 2 == 0 else pair[::-1] for at, pair in enumerate(pairs)]
    return DutchRound(engine="test", pairs=tuple(turned), bye=0)


def test_by_the_fide_rules_the_engine_answers_for_what_has_no_bound() -> None:
    pairing = replace(BY_NUMBER, system="dutch-2026", first_colour="white")
    tournament = started(4, table_size=2, pairing=pairing)
    play_round(tournament, by_number, engines={"dutch-2026": neighbours})

    found = last(tournament)

    assert found.constraints == ("one_place", "dutch_meetings", "dutch_bye", "dutch_colours")
    assert values(found) == {"byes": (0, 0), "unmet_colours": (0, None), "spread": (0, None)}


def test_wishes_for_a_colour_that_were_not_met_are_counted() -> None:
    pairing = replace(BY_NUMBER, system="dutch-2026", first_colour="white")
    tournament = started(4, table_size=2, pairing=pairing)
    play_round(tournament, by_number, engines={"dutch-2026": neighbours})
    inputs = tournament.history()
    assert inputs.cards is not None
    event = tournament.pairings[-1]
    same = replace(event.pairing, tables=tuple(event.pairing.tables))

    found = certificate_of(inputs, same)

    assert values(found)["unmet_colours"] == (4, None)


@pytest.mark.parametrize(
    "changes",
    [
        {"criteria": (Criterion(name="byes", value=0, bound=0),)},
        {"constraints": ("one_place", "sizes", "bye_order", "no_repeats")},
    ],
)
def test_a_certificate_that_claims_something_else_is_found(changes: dict[str, Any]) -> None:
    tournament = started(8)
    play_round(tournament, by_lot)
    events = tournament.collect_events()
    at = next(at for at, event in enumerate(events) if isinstance(event, RoundPaired))
    paired = events[at]
    assert isinstance(paired, RoundPaired)
    events[at] = replace(paired, certificate=replace(paired.certificate, **changes))
    for place in range(at + 1, len(events)):
        events[place] = replace(events[place], prev=sha256_hex(encode_event(events[place - 1])))
    rows = [(topic_of(event), encode_event(event)) for event in events]

    assert decode_event(*rows[at]) == events[at]
    assert audit("t/cup", rows) == (f"event {at + 1}: round 1: the certificate is not that of its tables",)
