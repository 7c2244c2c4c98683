"""Leakcheck over stored matches: sound ones are tight, planted leaks are found where they show."""

from typing import Any

import msgspec
import pytest

from keylore_domain.engine.game import AnyGame
from keylore_domain.engine.records import Catalog
from keylore_domain.engine.seats import Seat
from keylore_domain.errors import ReplayMismatchError
from keylore_services.replay.leakcheck import leakcheck
from tests.domain.engine.playing import LiveMatch, eventful
from tests.domain.engine.test_leaks import Gossip, NextPearl, OpenBid, SmartPrompt
from tests.domain.engine.toy import Pearls, toy_catalog
from tests.services.replay.forgeries import edited, rechained


def only(game: AnyGame) -> Catalog:
    """A catalog with one game."""
    return lambda *_: game


def played() -> LiveMatch:
    return LiveMatch(rounds=2, coins=2).finish()


def test_a_match_of_a_sound_game_is_tight() -> None:
    live = eventful()

    report = leakcheck(live.match.id, live.rows, toy_catalog, swaps=2)

    assert report.is_tight
    assert (report.game, report.rules, report.swaps) == ("pearls", "1", 2)
    moves = sum(
        topic in {"keylore:Match.MovePlayed", "keylore:Match.MoveDefaulted"} for _, topic, _ in live.rows
    )
    assert report.moments == moves + 1
    assert report.looks == report.moments * 4 * 2


@pytest.mark.parametrize(
    ("game", "what"), [(NextPearl, "view"), (OpenBid, "answer"), (Gossip, "facts"), (SmartPrompt, "prompts")]
)
def test_a_planted_leak_is_found(game: type[Pearls], what: str) -> None:
    live = LiveMatch(rounds=3)
    for _ in range(2):
        live.play(1)

    report = leakcheck(live.match.id, live.rows, only(game()))

    assert not report.is_tight
    assert what in {found.what for found in report.leaks}
    assert all(found.shown != found.instead for found in report.leaks)


def test_a_view_that_was_sent_and_should_not_have_been_is_found() -> None:
    live = played()
    rows = rechained(edited(live.rows, 4, ("view",), "ab" * 32))

    report = leakcheck(live.match.id, rows, toy_catalog)

    (found,) = report.leaks
    assert (found.event, found.viewer, found.what, found.shown) == (4, Seat(1), "sent", "ab" * 32)


def test_the_same_check_finds_the_same() -> None:
    live = played()

    reports = [leakcheck(live.match.id, live.rows, only(NextPearl())) for _ in range(2)]

    assert reports[0] == reports[1]
    assert len(msgspec.json.encode(reports[0])) > 100


def test_a_record_that_breaks_its_rules_has_to_be_verified_first() -> None:
    live = played()
    rows: Any = rechained(edited(live.rows, 3, ("seat",), 2))

    with pytest.raises(ReplayMismatchError):
        leakcheck(live.match.id, rows[:2] + rows[3:], toy_catalog)


def test_a_move_out_of_turn_is_no_leak_but_a_broken_record() -> None:
    live = LiveMatch(rounds=2)
    live.play(1, Seat(0))
    rows = rechained(edited(live.rows, 3, ("seat",), 9))

    with pytest.raises(ReplayMismatchError):
        leakcheck(live.match.id, rows, toy_catalog)
