"""The timeline: any moment, in any order, from any point of view."""

import random

import pytest

from keylore_domain.engine.encoding import canonical_json, sha256_hex
from keylore_domain.engine.evidence import Row
from keylore_domain.engine.records import Catalog, MatchRecord
from keylore_domain.engine.seats import Seat
from keylore_domain.errors import NotFoundError, ReplayMismatchError
from keylore_services.replay.addresses import At
from keylore_services.replay.timeline import Timeline
from tests.domain.engine.playing import MATCH, LiveMatch, eventful
from tests.domain.engine.toy import Bid, BidMade, BidsRevealed, GemsDealt, Keep, State, View, toy_catalog
from tests.services.replay.forgeries import edited

ROWS = eventful().rows


def timeline(rows: list[Row] = ROWS) -> Timeline:
    return Timeline(MATCH, rows, toy_catalog)


def test_any_moment_in_any_order_is_the_one_of_a_straight_replay() -> None:
    record, straight = MatchRecord(MATCH, toy_catalog), []
    for _, topic, state in ROWS:
        record.replay(topic, state)
        straight.append((record.position, record.status, tuple(record.banks), tuple(record.faults)))
    order = list(range(1, len(ROWS) + 1)) * 2
    random.Random(7).shuffle(order)
    line = timeline()

    for version in order:
        moment = line.moment(version)
        assert (moment.position, moment.status, moment.banks, moment.faults) == straight[version - 1]
        assert moment.version == version


def test_a_moment_that_was_reached_is_kept_by_reference() -> None:
    line = timeline()

    assert line.moment(9) is line.moment(9)
    assert line.moment(5).position is line.moment(4).position  # a pause changes nothing


def test_moments_are_rebuilt_only_when_they_are_asked_for() -> None:
    calls = []

    def counting(game: str, rules: str | None, data: str | None) -> object:
        calls.append(game)
        return toy_catalog(game, rules, data)

    catalog: Catalog = counting  # type: ignore[assignment]
    line = Timeline(MATCH, ROWS, catalog)

    assert (len(line), line.plies, line.version_at(At()), calls) == (19, 12, 19, [])
    assert [moment.version for moment in line] == list(range(1, 20))
    assert calls == ["pearls"]


@pytest.mark.parametrize(
    ("at", "version"),
    [(At(), 19), (At("event", 5), 5), (At("ply", 0), 2), (At("ply", 3), 7), (At("ply", 12), 17)],
)
def test_moments_are_found_by_event_and_by_ply(at: At, version: int) -> None:
    line = timeline()

    assert line.version_at(at) == version
    if at.kind == "ply":
        assert line.moment(version).ply == at.number


@pytest.mark.parametrize("at", [At("event", 20), At("event", 0), At("ply", 13), At("ply", -1)])
def test_there_is_nothing_outside_the_match(at: At) -> None:
    with pytest.raises(NotFoundError, match="has no"):
        timeline().version_at(at)


def test_no_rows_have_no_moment() -> None:
    with pytest.raises(NotFoundError, match="has no event 0"):
        timeline([]).version_at(At())


def test_a_moment_tells_what_was_answered_and_what_it_did() -> None:
    moment = timeline().moment(3)

    assert (moment.kind, moment.ply) == ("MovePlayed", 1)
    assert moment.answered is not None
    assert moment.answered.prompt.legal[1] == Bid(1)
    assert moment.facts == (BidMade(Seat(0), 1),)
    assert timeline().moment(5).facts == ()
    assert timeline().moment(2).answered is None


def test_each_viewer_sees_what_the_game_shows_it() -> None:
    line = timeline()

    public, own, whole = (line.view(3, viewer) for viewer in ("public", Seat(0), "all"))

    assert isinstance(public, View)
    assert isinstance(own, View)
    assert (public.hands[0].bid, own.hands[0].bid) == (None, 1)
    assert isinstance(whole, State)
    assert whole is line.moment(3).position.state  # type: ignore[union-attr]


def test_facts_are_cut_to_what_a_viewer_may_know() -> None:
    line = timeline()

    assert line.facts(3, "all") == line.facts(3, Seat(0)) == (BidMade(Seat(0), 1),)
    assert line.facts(3, Seat(1)) == line.facts(3, "public") == (BidMade(Seat(0), None),)
    assert line.facts(2, Seat(1))[0] == GemsDealt((None, 2, None))
    points = [type(fact).__name__ for fact in line.facts(12, "public")]
    assert points == ["BidMade", "BidsRevealed", "PearlWon"]  # the roll is withheld
    assert BidsRevealed((1, 0, 1)) in line.facts(12, "public")


def test_open_prompts_are_cut_to_what_a_viewer_may_know() -> None:
    line = timeline()

    everything = line.asked(2, "all")
    assert [item.seat for item in everything] == [0, 1, 2]
    assert all(item.is_known and len(item.legal) == 4 for item in everything)
    assert [item.seat for item in line.asked(2, Seat(1))] == [1]  # bids are hidden
    assert line.asked(2, "public") == ()
    (shown,) = line.asked(7, "public")
    assert (shown.seat, shown.kind, shown.is_known, shown.legal) == (0, "dispose", False, ())
    (own,) = line.asked(7, Seat(0))
    assert own.legal[0] == Keep()
    assert own.default == 1
    assert own.context is not None


def test_nothing_is_asked_before_the_set_up_or_after_the_end() -> None:
    line = timeline()

    assert line.asked(1, "all") == ()
    assert line.asked(len(ROWS), "all") == ()


def test_the_move_itself_is_known_to_its_seat_alone() -> None:
    line = timeline()

    assert [line.knows_move(3, viewer) for viewer in (Seat(0), Seat(1), "public", "all")] == [
        True,
        False,
        False,
        True,
    ]
    assert not line.knows_move(2, "all")


def test_before_the_set_up_there_is_nothing_to_see() -> None:
    with pytest.raises(NotFoundError, match="no position at event 1"):
        timeline().view(1, "public")


@pytest.mark.parametrize("seat", [3, -1])
def test_only_seats_of_the_match_can_look(seat: int) -> None:
    with pytest.raises(NotFoundError, match="seats: 0 to 2"):
        timeline().view(2, Seat(seat))


def test_a_damaged_record_is_shown_up_to_its_first_bad_event() -> None:
    line = timeline(edited(ROWS, 8, ("choice",), 7))

    assert line.moment(7).ply == 3
    for _ in range(2):
        with pytest.raises(ReplayMismatchError) as caught:
            line.moment(9)
        assert caught.value.version == 8
    assert line.moment(7).ply == 3


def test_the_first_event_tells_the_table() -> None:
    line = timeline()

    assert [entry.name for entry in line.opened.seats] == ["b0", "b1", "b2"]
    assert line.game.id == "pearls"


def test_views_are_those_whose_digests_are_stored() -> None:
    live = LiveMatch()
    moved = live.play(1)
    line = timeline(live.rows)

    assert sha256_hex(canonical_json(line.view(2, Seat(0)))) == moved.event.view
