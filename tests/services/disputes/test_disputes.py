"""Disputes over honest ledgers and over ledgers that the operator doctored and signed again."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from keylore_domain.disputes.evidence import Claim, Kind
from keylore_domain.disputes.verdicts import verdict
from keylore_domain.engine.aggregates import decode_event
from keylore_domain.engine.encoding import sha256_hex
from keylore_domain.engine.events import MovePlayed, answer_digest
from keylore_domain.engine.evidence import Row
from keylore_domain.engine.matches import Secrets
from keylore_domain.engine.receipts import Receipt, asked_digests, receipt_of, signed_receipt
from keylore_domain.errors import ConflictError, NotFoundError, OptionError
from keylore_services.arbiter.keys import KeyRing
from keylore_services.disputes.collecting import collect
from keylore_services.disputes.service import MOST_RECEIPTS, Disputes, DisputeView
from keylore_services.ledger.ledger import Ledger, open_ledger
from keylore_services.proof.log import TransparencyLog, log_key
from tests.domain.engine.playing import SEED, LiveMatch
from tests.domain.engine.toy import toy_catalog
from tests.services.proof.logs import NOW, store
from tests.services.replay.forgeries import edited, resealed

RING = KeyRing(b"\5" * 32, bytes(32))
MATCH = "m/game"
MOVE = 5  # the event of the third bid: seat 2

Rows = list[Row]


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    opened = open_ledger(":memory:")
    yield opened
    opened.close()


def live(**fields: Any) -> LiveMatch:
    return LiveMatch(match_id=MATCH, origin=None, secrets=Secrets(SEED, RING), rounds=2, **fields)


def honest() -> Rows:
    """A match in which seat 2 timed out at its first bid, after a late answer."""
    game = live()
    game.play(1)
    game.play(1)
    game.default("timeout")
    return game.finish().rows


def disputes(ledger: Ledger, rows: Rows) -> Disputes:
    store(ledger, rows)
    return Disputes(ledger, lambda: NOW, games=toy_catalog)


def claim(kind: Kind, event: int = MOVE, seat: int | None = None) -> Claim:
    return Claim(kind=kind, match=MATCH, event=event, seat=seat, by="ann", statement="not so")


def doctored(rows: Rows, version: int, change: Callable[[dict[str, Any]], None]) -> Rows:
    """The record with one event changed, its chain rebuilt to the end, and the seal signed by the arbiter."""
    event = json.loads(rows[version - 1][2])
    change(event)
    for field, value in event.items():
        rows = edited(rows, version, (field,), value)
    return resealed(rows, RING)


def ruling(view: DisputeView) -> tuple[str, str]:
    return view.rulings[-1].decision, view.rulings[-1].grounds[0]


def receipt_for(rows: Rows, version: int, ring: KeyRing = RING) -> Receipt:
    """What the arbiter signed when it stored the move at event *version*."""
    _, topic, state = rows[version - 1]
    event = decode_event(topic, state)
    assert isinstance(event, MovePlayed)
    asked = asked_digests(MATCH, rows, toy_catalog)[event.prompt]
    return signed_receipt(receipt_of(event, asked, sha256_hex(state)), ring)


# --- my move was in time --------------------------------------------------------------------------------


def test_a_default_that_was_due_stands(ledger: Ledger) -> None:
    view = disputes(ledger, honest()).open(claim("in_time", seat=2))

    decision, ground = ruling(view)
    assert (view.status, decision) == ("ruled", "dismissed")
    assert ground.startswith("no answer came until the time was up: ")


def test_a_late_answer_that_came_in_time_is_found_by_its_numbers(ledger: Ledger) -> None:
    def earlier(event: dict[str, Any]) -> None:
        event["refused"] = [
            {"code": "late", "received": event["clock"]["sent"] + 10, "answer": answer_digest(1, None)}
        ]

    view = disputes(ledger, doctored(honest(), MOVE, earlier)).open(claim("in_time", seat=2))

    assert ruling(view)[0] == "upheld"
    assert "refused as late that came in time" in ruling(view)[1]


def test_a_default_before_the_time_was_up_is_found(ledger: Ledger) -> None:
    def hasty(event: dict[str, Any]) -> None:
        clock = event["clock"]
        clock["received"] -= 1_600_000
        clock["spent"] = clock["received"] - clock["sent"] - clock["credited"]

    view = disputes(ledger, doctored(honest(), MOVE, hasty)).open(claim("in_time", seat=2))

    assert ruling(view)[0] == "upheld"
    assert "before the time was up" in ruling(view)[1]


def test_a_receipt_for_a_move_that_the_record_turned_into_a_default_wins(ledger: Ledger) -> None:
    game = live()
    game.play(1)
    game.play(1)
    game.play(1)
    receipt = receipt_for(game.finish().rows, MOVE)

    view = disputes(ledger, honest()).open(claim("in_time", seat=2), [receipt])

    decision, ground = ruling(view)
    assert decision == "upheld"
    assert ground.startswith("the record contradicts the receipt that the arbiter signed for event 5: ")


@pytest.mark.parametrize(
    ("made", "flaw"),
    [
        (lambda rows: receipt_for(rows, MOVE, KeyRing(b"\6" * 32, bytes(32))), "not with"),
        (lambda rows: msgspec.structs.replace(receipt_for(rows, MOVE), left=9), "does not fit"),
        (lambda rows: msgspec.structs.replace(receipt_for(rows, MOVE), match="m/other"), "it is for m/other"),
    ],
)
def test_receipts_that_the_arbiter_did_not_sign_for_this_match_weigh_nothing(
    ledger: Ledger, made: Callable[[Rows], Receipt], flaw: str
) -> None:
    view = disputes(ledger, honest()).open(claim("in_time", seat=2), [made(honest())])

    assert ruling(view)[0] == "dismissed"
    assert view.evidence is not None
    assert flaw in view.evidence.receipts[0].flaw


# --- the draw was rigged --------------------------------------------------------------------------------


def test_draws_that_follow_from_the_seed_stand(ledger: Ledger) -> None:
    view = disputes(ledger, honest()).open(claim("rigged_draw", 0))

    assert ruling(view)[0] == "dismissed"
    assert "draws follow from the seed" in ruling(view)[1]


def test_a_draw_that_was_exchanged_is_found_though_all_was_signed_again(ledger: Ledger) -> None:
    def stacked(event: dict[str, Any]) -> None:
        event["draws"][0]["values"].reverse()

    view = disputes(ledger, doctored(honest(), 2, stacked)).open(claim("rigged_draw", 0))

    assert ruling(view)[0] == "upheld"
    assert ruling(view)[1] == "event 2: draw deck.gems#0 does not follow from the revealed seed"


def test_another_seed_than_the_committed_one_is_found(ledger: Ledger) -> None:
    def other(event: dict[str, Any]) -> None:
        event["commitment"] = "ab" * 32

    view = disputes(ledger, doctored(honest(), 1, other)).open(claim("rigged_draw", 0))

    assert ruling(view)[0] == "upheld"
    assert "not the one to which the arbiter had committed itself" in ruling(view)[1]


def test_a_match_that_is_not_sealed_has_to_wait(ledger: Ledger) -> None:
    game = live()
    service = disputes(ledger, game.rows)

    view = service.open(claim("rigged_draw", 0))

    assert (view.status, view.rulings) == ("open", ())
    assert view.follows is not None
    assert view.follows.decision == "pending"
    with pytest.raises(ConflictError, match="revealed when the match is sealed"):
        service.rule(view.id)
    stored = len(game.rows)
    store(ledger, game.finish().rows[stored:])
    assert ruling(service.rule(view.id))[0] == "dismissed"


def test_a_public_seed_can_be_checked_while_the_match_is_played(ledger: Ledger) -> None:
    public = KeyRing(b"\5" * 32, bytes(32)).match_seed(MATCH, "tea")
    game = LiveMatch(match_id=MATCH, origin=None, secrets=Secrets(public, RING), public_seed="tea")

    view = disputes(ledger, game.rows).open(claim("rigged_draw", 0))

    assert ruling(view)[0] == "dismissed"


# --- I was shown too much -------------------------------------------------------------------------------


def test_views_that_depend_on_nothing_hidden_stand(ledger: Ledger) -> None:
    view = disputes(ledger, honest()).open(claim("shown_too_much", 0))

    assert ruling(view)[0] == "dismissed"
    assert "everything that was sent comes out the same" in ruling(view)[1]


def test_a_view_that_should_not_have_been_sent_is_found(ledger: Ledger) -> None:
    def leaky(event: dict[str, Any]) -> None:
        event["view"] = "ab" * 32

    service = disputes(ledger, doctored(honest(), 4, leaky))

    assert ruling(service.open(claim("shown_too_much", 0, 1))) == ("upheld", "event 4: sent of seat 1")


def test_a_record_that_breaks_is_looked_at_as_far_as_it_goes(ledger: Ledger) -> None:
    def strange(event: dict[str, Any]) -> None:
        event["choice"] = 99

    service = disputes(ledger, doctored(honest(), MOVE, strange))

    view = service.open(claim("shown_too_much", 0))

    assert ruling(view)[0] == "upheld"
    assert ruling(view)[1].startswith("the record does not hold at event 5")
    assert service.check(view.id).holds


# --- an illegal move was accepted -----------------------------------------------------------------------


def test_a_legal_move_stands(ledger: Ledger) -> None:
    view = disputes(ledger, honest()).open(claim("illegal_move", 3))

    assert ruling(view) == ("dismissed", "{\"coins\":1} is legal move 1 of 4 at 'bid'")


@pytest.mark.parametrize(
    ("field", "value", "ground"),
    [
        ("choice", 9, "choice 9 at 'bid' is not among its 4 legal moves"),
        ("move", {"coins": 9}, 'legal move 1 at \'bid\' is {"coins":1}, the record has {"coins":9}'),
        ("prompt", 7, "seat 0 made a move that nobody asked for: it is asked prompt 1, 'bid'"),
    ],
)
def test_a_move_that_was_not_legal_is_found(ledger: Ledger, field: str, value: Any, ground: str) -> None:
    rows = doctored(honest(), 3, lambda event: event.update({field: value}))

    view = disputes(ledger, rows).open(claim("illegal_move", 3))

    assert ruling(view) == ("upheld", ground)
    assert "the record does not hold at event 3" in view.rulings[-1].grounds[1]


def test_a_default_that_was_not_the_default_is_found(ledger: Ledger) -> None:
    rows = doctored(honest(), MOVE, lambda event: event.update({"choice": 2, "move": {"coins": 2}}))

    view = disputes(ledger, rows).open(claim("illegal_move"))

    assert ruling(view) == ("upheld", 'legal move 2 at \'bid\' is {"coins":0}, the record has {"coins":2}')


def test_a_move_of_a_seat_that_was_not_asked_is_found(ledger: Ledger) -> None:
    rows = doctored(honest(), 4, lambda event: event.update({"seat": 0}))

    view = disputes(ledger, rows).open(claim("illegal_move", 4))

    assert ruling(view)[0] == "upheld"
    assert "seat 0 made a move that nobody asked for: it is asked nothing" in ruling(view)[1]


def test_a_move_after_the_record_broke_is_told_so(ledger: Ledger) -> None:
    rows = doctored(honest(), 3, lambda event: event.update({"choice": 9}))

    view = disputes(ledger, rows).open(claim("illegal_move"))

    assert ruling(view)[0] == "upheld"
    assert "the record breaks before it, at event 3" in ruling(view)[1]


# --- the course of a dispute ----------------------------------------------------------------------------


def test_the_same_evidence_is_collected_by_anybody_who_has_the_record(ledger: Ledger) -> None:
    rows = honest()
    view = disputes(ledger, rows).open(claim("shown_too_much", 0))

    again = collect(claim("shown_too_much", 0), rows, (), toy_catalog)

    assert again == view.evidence
    assert view.rulings[0].digest == again.digest


def test_a_dispute_is_checked_again_against_the_record(ledger: Ledger) -> None:
    service = disputes(ledger, honest())
    view = service.open(claim("illegal_move", 3))
    assert service.check(view.id).holds

    other = open_ledger(":memory:")
    rows = [(row.originator_version, row.topic, row.state) for row in ledger.stored(view.id)]
    changed = disputes(other, doctored(honest(), 3, lambda event: event.update({"choice": 9})))
    store(other, rows)
    check = changed.check(view.id)
    assert (check.holds, check.id) == (False, view.id)
    assert "other evidence today" in check.reason
    other.close()


def test_a_dispute_that_was_tampered_with_does_not_hold(ledger: Ledger) -> None:
    service = disputes(ledger, honest())
    view = service.open(claim("illegal_move", 3))
    rows: Rows = [(row.originator_version, row.topic, row.state) for row in ledger.stored(view.id)]
    other = open_ledger(":memory:")
    changed = disputes(other, honest())
    store(other, edited(rows, 3, ("decision",), "upheld"))

    check = changed.check(view.id)

    assert not check.holds
    assert "is not what follows from the evidence" in check.reason
    other.close()


def test_an_appeal_with_new_evidence_changes_the_ruling(ledger: Ledger) -> None:
    service = disputes(ledger, honest())
    view = service.open(claim("in_time", seat=2))
    game = live()
    for _ in range(3):
        game.play(1)

    appealed = service.appeal(view.id, "ann", "here is my receipt", [receipt_for(game.rows, MOVE)])
    final = service.rule(view.id)

    assert (appealed.status, appealed.receipts, appealed.appealed_by) == ("appealed", 1, "ann")
    assert (final.status, ruling(final)[0]) == ("final", "upheld")
    assert [one.instance for one in final.rulings] == [1, 2]
    with pytest.raises(ConflictError, match="is final"):
        service.rule(view.id)


def test_a_person_may_rule_on_an_appeal_beside_what_follows(ledger: Ledger) -> None:
    service = disputes(ledger, honest())
    view = service.open(claim("in_time", seat=2))
    service.appeal(view.id, "ann", "the hall had no power")

    final = service.rule_by(view.id, "eve", "upheld", "the power failed for all")

    assert ruling(final) == ("upheld", "the power failed for all")
    assert final.follows is not None
    assert final.follows.decision == "dismissed"


def test_disputes_are_listed_by_match_and_numbered(ledger: Ledger) -> None:
    service = disputes(ledger, honest())
    first = service.open(claim("illegal_move", 3))
    second = service.open(claim("rigged_draw", 0))

    assert (first.id, second.id) == ("d/game/1", "d/game/2")
    assert service.list() == service.list(MATCH) == [first, second]
    assert service.list("m/gam") == []
    assert service.show("d/game/2") == second


def test_events_of_disputes_are_leaves_of_the_log(ledger: Ledger) -> None:
    view = disputes(ledger, honest()).open(claim("illegal_move", 3))

    with TransparencyLog(ledger, log_key(RING.public_key)) as log:
        assert [leaf.version for leaf in log.leaves() if leaf.id == view.id] == [1, 2, 3]


@pytest.mark.parametrize(
    ("about", "field"),
    [
        (claim("in_time", 0), "event"),
        (claim("in_time", 2), "event"),
        (claim("illegal_move", 99), "event"),
        (claim("rigged_draw", -1), "event"),
        (claim("in_time", seat=3), "seat"),
        (claim("illegal_move", 3, 1), "seat"),
        (msgspec.structs.replace(claim("in_time"), by=" "), "by"),
    ],
)
def test_claims_that_cannot_be_meant_are_refused(ledger: Ledger, about: Claim, field: str) -> None:
    with pytest.raises(OptionError, match=f"'{field}'"):
        disputes(ledger, honest()).open(about)


def test_too_many_receipts_and_unknown_names_are_refused(ledger: Ledger) -> None:
    service = disputes(ledger, honest())
    receipt = receipt_for(honest(), 3)
    with pytest.raises(OptionError, match="'receipts'"):
        service.open(claim("in_time"), [receipt] * (MOST_RECEIPTS + 1))
    with pytest.raises(NotFoundError, match="there is no match"):
        service.open(msgspec.structs.replace(claim("in_time"), match="m/none"))
    for name in ("x", "d/game/7"):
        with pytest.raises(NotFoundError):
            service.show(name)


def test_illegal_answers_are_no_matter_of_time(ledger: Ledger) -> None:
    game = live()
    game.default("illegal", spent=5_000)
    service = disputes(ledger, game.finish().rows)

    view = service.open(claim("in_time", 3))

    assert ruling(view)[0] == "dismissed"
    assert "none of them was legal" in ruling(view)[1]


KINDS: tuple[Kind, ...] = ("in_time", "rigged_draw", "shown_too_much", "illegal_move")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("at", [1, MOVE, 1_000])
def test_a_record_that_cannot_be_read_defends_nobody(kind: Kind, at: int) -> None:
    rows = honest()
    at = min(at, len(rows))
    rows[at - 1] = (*rows[at - 1][:2], b"{")

    evidence = collect(claim(kind), rows, [receipt_for(honest(), 3)], toy_catalog)

    assert evidence.record.broken_at == at
    assert verdict(claim(kind), evidence).decision == "upheld"


@pytest.mark.parametrize("kind", KINDS)
def test_a_game_that_nobody_knows_here_cannot_be_defended_here(kind: Kind) -> None:
    rows = doctored(honest(), 1, lambda event: event.update({"game": "chess"}))

    evidence = collect(claim(kind), rows, (), toy_catalog, RING.public_key)

    assert "cannot be run again here" in evidence.record.problem
    assert verdict(claim(kind), evidence).decision == "upheld"


def test_a_record_that_another_key_signed_defends_nobody(ledger: Ledger) -> None:
    store(ledger, honest())
    service = Disputes(ledger, lambda: NOW, games=toy_catalog, key_of=lambda _: "ab" * 32)

    view = service.open(claim("illegal_move", 3))

    assert ruling(view)[0] == "upheld", "it is signed with another key than the arbiter's"


# --- the standings --------------------------------------------------------------------------------------


def test_a_ruling_on_a_match_of_a_tournament_that_is_gone_says_that_it_has_no_effect(ledger: Ledger) -> None:
    """An effect that could not be recorded is told; one that was not even tried is made up for."""
    game = LiveMatch(secrets=Secrets(SEED, RING), rounds=1).finish()
    store(ledger, resealed(edited(game.rows, 3, ("choice",), 9), RING))
    service = Disputes(ledger, lambda: NOW, games=toy_catalog)
    about = msgspec.structs.replace(claim("illegal_move", 3), match=game.match.id)

    view = service.open(about)

    (effect,) = view.effects
    assert (effect.tournament, effect.correction, effect.remedy) == ("t/cup", 0, "void")
    assert "t/cup" in effect.problem
    with pytest.raises(ConflictError, match="is ruled"):
        service.rule(view.id)


def test_an_effect_that_was_lost_in_a_crash_is_made_up_for(ledger: Ledger) -> None:
    game = LiveMatch(secrets=Secrets(SEED, RING), rounds=1).finish()
    store(ledger, resealed(edited(game.rows, 3, ("choice",), 9), RING))
    about = msgspec.structs.replace(claim("illegal_move", 3), match=game.match.id)
    whole = Disputes(ledger, lambda: NOW, games=toy_catalog).open(about)
    rows: Rows = [(row.originator_version, row.topic, row.state) for row in ledger.stored(whole.id)]
    crashed = open_ledger(":memory:")
    store(crashed, resealed(edited(game.rows, 3, ("choice",), 9), RING))
    store(crashed, rows[:-1])

    service = Disputes(crashed, lambda: NOW, games=toy_catalog)
    assert service.show(whole.id).effects == ()
    assert service.rule(whole.id) == whole
    crashed.close()


def test_a_dispute_without_evidence_has_nothing_to_compare(ledger: Ledger) -> None:
    view = disputes(ledger, honest()).open(claim("illegal_move", 3))
    rows: Rows = [(row.originator_version, row.topic, row.state) for row in ledger.stored(view.id)]
    bare = open_ledger(":memory:")
    service = disputes(bare, honest())
    store(bare, rows[:1])

    assert service.check(view.id).holds
    bare.close()
