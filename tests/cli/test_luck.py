"""Deals that several games share: duplicate pods and solo leagues, over real games."""

from fractions import Fraction
from typing import Any

import pytest

from keylore_domain.engine.aggregates import decode_event
from keylore_domain.engine.events import Opened, Sealed, SetUp
from keylore_services.ledger.ledger import open_ledger
from tests.cli.running import Terminal

POD = ("--pairing", "games=2", "--pairing", "duplicate=true", "--pairing", "seeding=registration")
TWO = ("--game", "keydom", "-o", "round_cap=1", "--table", "2", "--rounds", "1", *POD)
SOLO = (
    *("--format", "solo", "--table", "1", "--game", "keyside", "--rounds", "2"),
    *("--scoring", "rule=game_score", "--tie-break", "lot"),
)


def events(terminal: Terminal, match: str, kind: type[Any]) -> Any:
    """The event of a *kind* that a match has once."""
    ledger = open_ledger(terminal.league / "ledger.db")
    try:
        decoded = [decode_event(event.topic, event.state) for event in ledger.stored(match)]
    finally:
        ledger.close()
    (found,) = [event for event in decoded if isinstance(event, kind)]
    return found


def deals(terminal: Terminal, *matches: str) -> list[tuple[str | None, str, Any]]:
    """What decides the deal of each match, and what was drawn to set it up."""
    return [
        (
            events(terminal, match, Opened).seed_label,
            events(terminal, match, Sealed).seed,
            events(terminal, match, SetUp).draws,
        )
        for match in matches
    ]


@pytest.mark.slow
def test_the_games_of_a_pod_share_one_deal_and_luck_is_parted_from_skill(fresh: Terminal) -> None:
    """Without a public seed: the arbiter's own secret gives both games the same deal."""
    fresh.out("tournament", "new", "cup", *TWO, "--builtin", "random:4")
    fresh.out("tournament", "run", "cup", "--port", "0")

    first, second, other, _ = deals(fresh, *(f"m/cup/r1/t{table}" for table in (1, 2, 3, 4)))
    assert first == second
    assert (first[0], other[0]) == ("cup/r1/p1", "cup/r1/p2")
    assert first[1] != other[1]
    luck = fresh.json("tournament", "luck", "cup")
    assert [(deal["deal"], deal["is_complete"]) for deal in luck["deals"]] == [
        ("cup/r1/p1", True),
        ("cup/r1/p2", True),
    ]
    assert sum(Fraction(one["above"]) for one in luck["entrants"]) == 0
    assert [(one["seat"], one["deals"]) for one in luck["seats"]] == [(0, 2), (1, 2)]
    assert fresh.json("tournament", "standings", "cup")["paired"] == luck["entrants"]
    assert fresh.json("tournament", "verify", "cup")["valid"]
    text = fresh.out("tournament", "luck", "cup", "--deals")
    assert text.startswith("t/cup: mean scores above luck, after round 1\n")
    assert "cup/r1/p1 (keydom): seat 0 " in text


@pytest.mark.slow
def test_all_entrants_of_a_solo_round_get_the_same_deal_and_are_ranked_by_score(fresh: Terminal) -> None:
    fresh.out("tournament", "new", "alone", *SOLO, "--builtin", "random:2", "--builtin", "first:1")
    fresh.out("tournament", "run", "alone", "--port", "0")

    rounds = [deals(fresh, *(f"m/alone/r{number}/t{table}" for table in (1, 2, 3))) for number in (1, 2)]
    assert all(deal == one[0] for one in rounds for deal in one)
    assert rounds[0][0][1] != rounds[1][0][1]
    rows = fresh.json("tournament", "standings", "alone")["rows"]
    assert [Fraction(row["points"]) for row in rows] == sorted((row["score"] for row in rows), reverse=True)
    luck = fresh.json("tournament", "luck", "alone")
    assert [(one["deals"], one["games"]) for one in luck["entrants"]] == [(2, 2)] * 3
    assert luck["seats"] == []
    assert "keyside, played alone: 2 deals in 1 tournament\n" in fresh.out("leaderboard")
    assert fresh.json("leaderboard", "--seats", "1")[0]["table_size"] == 1
    assert fresh.json("compare", "random-1")["tables"] == 2
    assert fresh.json("tournament", "verify", "alone")["valid"]


def test_without_shared_deals_there_is_nothing_to_tell(here: Terminal) -> None:
    assert here.out("tournament", "luck", "cup") == "no finished games of t/cup share a deal\n"
    assert here.json("tournament", "standings", "cup")["paired"] == []
    assert here.json("tournament", "luck", "cup", "--round", "1")["round"] == 1
