"""Rounds of foreign report files against the FIDE Dutch System."""

from pathlib import Path

import pytest

from keylore_domain.swiss.pairing_terms import RULESET
from keylore_services.tournament import fide
from keylore_services.tournament.exchange.trf_checking import RoundCheck, checked_rounds
from keylore_services.tournament.exchange.trf_reading import read_trf
from tests.services.tournament.exchange.samples import DATA

FILES = sorted(DATA.glob("*.trf"))

needs_gacrux = pytest.mark.skipif(not fide.is_available(), reason="needs the extra fide")


def report(*rows: str) -> str:
    """Players by the cells of their rounds, numbered from 1."""
    return "012 Test\n" + "".join(
        f"001 {number:>4}      {f'P{number}':<33} {1500:>4}{'':>28}{0.0:>4} {number:>4}  {row}\n"
        for number, row in enumerate(rows, 1)
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_rounds_of_another_program_break_no_rule(path: Path) -> None:
    event = read_trf(path.read_text())

    found = checked_rounds(event, {})

    assert [one.round for one in found] == [played.number for played in event.rounds]
    assert {(one.problems, one.is_the_round) for one in found} == {((), None)}


@needs_gacrux
@pytest.mark.slow
def test_they_are_the_rounds_that_the_rules_give() -> None:
    """bbpPairings pairs by the rules of 2026 too."""
    for path in FILES:
        assert all(one.is_the_round for one in checked_rounds(read_trf(path.read_text()))), path


@needs_gacrux
def test_a_round_that_breaks_no_rule_may_still_not_be_the_one() -> None:
    """In the first round the upper half meets the lower one: 1-3 and 4-2, not 1-2 and 4-3."""
    event = read_trf(report("   2 w 1", "   1 b 0", "   4 w 1", "   3 b 0"))

    (check,) = checked_rounds(event)

    assert (check.problems, check.is_the_round) == ((), False)


def test_an_engine_without_an_answer_gives_no_such_round() -> None:
    event = read_trf(report("   2 w 1", "   1 b 0"))

    assert checked_rounds(event, {RULESET: lambda _: None})[0].is_the_round is False


def test_of_several_byes_the_last_was_allotted() -> None:
    """Two full-point byes: that of P3 was asked for."""
    event = read_trf(report("   2 w 1", "   1 b 0", "0000 - F", "0000 - U"))

    assert checked_rounds(event, {}) == (RoundCheck(round=1, problems=(), is_the_round=None),)


def test_problems_name_the_players() -> None:
    """P1 has a bye in both rounds."""
    event = read_trf(report("0000 - U  0000 - U", "   3 w 1     3 b 1", "   2 b 0     2 w 0"))

    first, second = checked_rounds(event, {})

    assert first.problems == ()
    assert any("P1 (1) has had a win without a game before" in one for one in second.problems)
    assert any("P2 (2) have played each other" in one or "P3 (3) have" in one for one in second.problems)


def test_an_event_without_rounds_has_nothing_to_check() -> None:
    event = read_trf(report(""))

    assert checked_rounds(event, {}) == ()
