from typing import Any

import pytest

from keylore_domain.engine.clocks import TimeControl
from keylore_domain.errors import NotFoundError, OptionError
from keylore_domain.swiss.pairing_terms import PairingTerms
from keylore_domain.swiss.scoring_terms import Scoring
from keylore_domain.swiss.terms import Terms, largest_table, parse_terms, pinned, smallest_table
from tests.domain.swiss.leagues import WIDE, catalog, terms


def test_terms_are_read_from_plain_values_with_nested_tables() -> None:
    raw = {
        "game": "pearls",
        "table_size": 3,
        "rounds": 5,
        "options": {"rounds": 2},
        "time": {"move_ms": 500},
        "scoring": {"bye": "zero"},
    }

    found = parse_terms(raw)

    assert found == Terms(
        game="pearls",
        table_size=3,
        rounds=5,
        options={"rounds": 2},
        time=TimeControl(move_ms=500),
        scoring=Scoring(bye="zero"),
    )


@pytest.mark.parametrize(
    ("changes", "field", "allowed"),
    [
        ({"table_size": 7}, "table_size", "1 to 6"),
        ({"table_size": 1}, "table_size", "2 to 6"),
        ({"rounds": 0}, "rounds", "1 to 100"),
        ({"uneven": "none"}, "uneven", "byes, smaller_tables"),
        ({"time": {"move_ms": 1}}, "move_ms", "10 to 86400000"),
        ({"time": 3}, "time", "a table of move_ms"),
        ({"scoring": {"bye": "full"}}, "bye", "mean, win or zero"),
        ({"tie_breaks": "lot"}, "tie_breaks", "a list, each at most once, of head_to_head"),
        ({"tie_breaks": ["lots"]}, "tie_breaks", "direct_encounter"),
        ({"tie_breaks": ["lot", "lot"]}, "tie_breaks", "at most once"),
        ({"tables": 4}, "tables", "table_size"),
    ],
)
def test_a_wrong_term_is_named_with_what_is_allowed(
    changes: dict[str, object], field: str, allowed: str
) -> None:
    raw = {"game": "pearls", "table_size": 4, "rounds": 3, **changes}

    with pytest.raises(OptionError) as error:
        parse_terms(raw)

    assert error.value.field == field
    assert allowed in error.value.allowed


def test_missing_terms_are_named() -> None:
    with pytest.raises(OptionError, match="table_size"):
        parse_terms({"game": "pearls", "rounds": 3})


def test_the_version_of_the_rules_is_pinned() -> None:
    found, games = pinned(terms(rules=None), catalog)

    assert (found.rules, games) == ("1", (WIDE,))


def test_terms_made_in_python_are_checked_too() -> None:
    with pytest.raises(OptionError, match="table_size"):
        pinned(terms(table_size=9), catalog)


def test_an_unknown_game_is_not_found() -> None:
    with pytest.raises(NotFoundError, match="chess"):
        pinned(terms(game="chess"), catalog)


def test_options_of_the_game_are_checked() -> None:
    with pytest.raises(OptionError) as error:
        pinned(terms(options={"rounds": 9}), catalog)

    assert error.value.field == "rounds"


def test_seats_are_no_option_of_a_tournament() -> None:
    with pytest.raises(OptionError, match="table_size") as error:
        pinned(terms(options={"seats": 4}), catalog)

    assert error.value.field == "seats"


def test_the_table_must_fit_the_game() -> None:
    from tests.domain.engine.toy import toy_catalog

    with pytest.raises(OptionError, match="pearls cannot have 5 seats") as error:
        pinned(terms(game="pearls", table_size=5), toy_catalog)

    assert (error.value.field, error.value.allowed) == ("table_size", "2 to 4 seats")


def test_smaller_tables_must_fit_the_game() -> None:
    with pytest.raises(OptionError) as error:
        pinned(terms(table_size=2, uneven="smaller_tables"), catalog)

    assert error.value.field == "uneven"
    assert smallest_table(terms(table_size=4, uneven="smaller_tables")) == 3
    assert smallest_table(terms(table_size=4)) == 4


@pytest.mark.parametrize(
    ("changes", "field", "problem"),
    [
        ({"scoring": Scoring(rule="win_draw_loss")}, "rule", "tables of 2"),
        ({"scoring": Scoring(unplayed="fide")}, "unplayed", "tables of 2"),
        (
            {"table_size": 2, "scoring": Scoring(rule="table_share", unplayed="fide")},
            "unplayed",
            "table_share",
        ),
        ({"table_size": 2, "scoring": Scoring(win=1, draw=2)}, "win", "worth most"),
        ({"table_size": 2, "scoring": Scoring(win=1, draw=1, loss=1)}, "win", "worth most"),
        ({"scoring": Scoring(rule="game_score", bye="win")}, "bye", "what score would win"),
        ({"scoring": Scoring(rule="game_score"), "tie_breaks": ("omw",)}, "tie_breaks", "omw"),
        ({"scoring": Scoring(rule="table_share", scale=(3, 2, 1, 0))}, "scale", "table_share"),
        ({"scoring": Scoring(scale=(3, 2, 1))}, "scale", "3, 2, 1"),
        ({"scoring": Scoring(scale=(3, 1, 2, 0))}, "scale", "3, 1, 2, 0"),
        ({"scoring": Scoring(scale=(1, 1, 1, 1))}, "scale", "1, 1, 1, 1"),
        ({"scoring": Scoring(scale=(3, 2, 1, -1))}, "scale", "-1"),
    ],
)
def test_scoring_must_fit_itself_and_the_tables(changes: dict[str, Any], field: str, problem: str) -> None:
    with pytest.raises(OptionError, match=problem) as error:
        pinned(terms(**changes), catalog)

    assert error.value.field == field


@pytest.mark.parametrize(
    "changes",
    [
        {"table_size": 2, "scoring": Scoring(rule="win_draw_loss", win=6, draw=2, unplayed="fide")},
        {"scoring": Scoring(rule="game_score"), "tie_breaks": ("buchholz", "lot")},
        {"scoring": Scoring(scale=(20, 10, 4, 0), bye="win")},
        {"scoring": Scoring(rule="table_share", bye="win"), "tie_breaks": ("omw",)},
    ],
)
def test_scoring_that_fits_is_kept(changes: dict[str, Any]) -> None:
    found, _ = pinned(terms(**changes), catalog)

    assert found.scoring == changes["scoring"]


@pytest.mark.parametrize(
    ("uneven", "sizes"),
    [("byes", (4, 4)), ("smaller_tables", (3, 4)), ("larger_tables", (4, 5)), ("mixed_tables", (3, 5))],
)
def test_uneven_fields_get_tables_of_other_sizes(uneven: Any, sizes: tuple[int, int]) -> None:
    found = terms(uneven=uneven)

    assert (smallest_table(found), largest_table(found)) == sizes


def test_the_sizes_of_tables_may_be_chosen() -> None:
    found, _ = pinned(terms(pairing=PairingTerms(smallest=2, largest=6)), catalog)

    assert (smallest_table(found), largest_table(found)) == (2, 6)


@pytest.mark.parametrize(("field", "size"), [("smallest", 5), ("largest", 3)])
def test_the_preferred_size_lies_between_the_others(field: str, size: int) -> None:
    sizes = PairingTerms(smallest=size) if field == "smallest" else PairingTerms(largest=size)

    with pytest.raises(OptionError, match="table_size is 4") as error:
        pinned(terms(pairing=sizes), catalog)

    assert error.value.field == field
