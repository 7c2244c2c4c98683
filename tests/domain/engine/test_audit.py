"""The audit against an arbiter that cheats: every lie below is properly chained, sealed and signed."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from keylore_domain.engine.aggregates import decode_event
from keylore_domain.engine.audit import Report, audit
from keylore_domain.engine.chance import commitment, match_seed
from keylore_domain.engine.clocks import TimeControl
from keylore_domain.engine.events import MoveDefaulted, Origin, answer_digest
from keylore_domain.engine.evidence import Row
from keylore_domain.engine.matches import Secrets
from keylore_domain.engine.seats import Seat
from tests.domain.engine.playing import (
    MATCH,
    ORIGIN,
    SIGNER,
    START,
    FakeSigner,
    LiveMatch,
    eventful,
    fake_check,
)
from tests.domain.engine.toy import DATA, toy_catalog
from tests.services.replay.forgeries import Path, edited, rechained, renumbered, resealed

ROWS = eventful().rows
SEAL = len(ROWS)


def report(rows: list[Row], match_id: str = MATCH, key: str | None = SIGNER.public_key) -> Report:
    return audit(match_id, rows, toy_catalog, trusted_key=key, check_signature=fake_check)


def lying(version: int, *changes: tuple[Path, object]) -> Report:
    """The report on a record in which the arbiter changed fields of an event and signed it all."""
    rows = ROWS
    for path, value in changes:
        rows = edited(rows, version, path, value)
    return report(resealed(rows, SIGNER))


def test_an_honest_record_is_valid() -> None:
    found = report(ROWS)

    assert (found.verdict, found.first_bad, found.reason, found.unchecked) == ("valid", 0, "", ())
    assert (found.events, found.sound, found.plies, found.status) == (SEAL, SEAL, 12, "concluded")
    assert (found.game, found.rules, found.engine) == ("pearls", "1", "1")
    assert (found.signed_by, found.key_is_trusted, found.seed_known) == (SIGNER.public_key, True, True)


# event 3: seat 0 bids 1 of 3; 4: seat 1's default, timeout; 7: seat 2, disconnect; 8: seat 0, illegal;
# 11: seat 1 forfeits; 12: seat 2 bids 1, a tie; 15: seat 1's default after its forfeit
@pytest.mark.parametrize(
    ("version", "path", "value", "problem"),
    [
        (1, ("engine",), "9", "engine version is not known"),
        (1, ("options",), [], "the options cannot be read"),
        (1, ("options",), {}, "cannot be run again here: option 'seats'"),
        (1, ("options", "seats"), 2, "the number of seats"),
        (1, ("game",), "chess", "cannot be run again here: there is no game 'chess'"),
        (1, ("data",), "0" * 64, "digest of the component data"),
        (1, ("data_text",), "{}", "cannot be run again here: schema"),
        (1, ("commitment",), "0" * 64, "commitment is to another share"),
        (1, ("public_seed",), "open", "commitment to the public seed"),
        (1, ("seed_label",), "cap/r1/g1", "the label of the deal is not one of its round"),
        (1, ("seats", 0, "name"), "winner", "the id of the bot on seat 0"),
        (1, ("origin", "tournament"), "cup", "the id of its tournament"),
        (1, ("origin", "tournament"), "t/cap", "the table that its origin names"),
        (1, ("origin", "table"), 3, "the table that its origin names"),
        (1, ("origin", "attempt"), 2, "the table that its origin names"),
        (1, ("origin",), None, "the id is that of a table of a tournament"),
        (6, ("after",), "stop", "what it follows"),
        (8, ("refused", 0, "code"), "late", "why an answer was refused"),
        (8, ("refused", 0, "answer"), "", "the digest of a refused answer"),
        (8, ("refused", 0, "received"), START, "an answer was refused before or after its time"),
        (8, ("refused",), [], "the number of illegal answers does not fit"),
        (8, ("cause",), "timeout", "the number of illegal answers does not fit"),
        (2, ("at",), 0, "moment of the event before"),
        (2, ("draws", 0, "values"), [0, 1, 2, 3, 4], "does not follow from the revealed seed"),
        (2, ("facts", 0, "gems"), [5, 5, 5], "what the rules did"),
        (2, ("digest",), "0" * 64, "digest of the position"),
        (3, ("at",), 0, "time ran backwards"),
        (3, ("ply",), 2, "number of the ply"),
        (3, ("prompt",), 2, "number of the prompt"),
        (3, ("kind",), "dispose", "kind of the prompt"),
        (3, ("seat",), 5, "seat 5 is not asked"),
        (3, ("choice",), -1, "choice is not legal"),
        (3, ("choice",), 2, "legal move 2"),
        (3, ("move",), {"coins": 3}, "legal move 1"),
        (3, ("view",), "0" * 64, "what seat 0 saw"),
        (3, ("clock", "left"), 9_000_000, "clock does not add up"),
        (3, ("clock", "credited"), 200_000, "clock does not add up"),
        (4, ("choice",), 1, "legal move 1"),
        (4, ("cause",), "illegal", "the number of illegal answers does not fit"),
        (4, ("cause",), "forfeit", "seat 1 has not forfeited"),
        (15, ("cause",), "timeout", "seat 1 has forfeited"),
        (11, ("seat",), 3, "there is no such seat"),
        (11, ("faults",), 1, "faults of seat 1"),
        (12, ("draws",), [], "is not in the record"),
        (18, ("outcome", "round"), 9, "the outcome"),
        (18, ("cause",), "vote", "the cause"),
        (SEAL, ("at",), 0, "moment of the event before"),
        (SEAL, ("seed",), "0" * 64, "the seed that the shares make"),
        (SEAL, ("share",), "0" * 64, "commitment to the revealed share"),
        (SEAL, ("share",), "0F" * 32, "share of the seed has a wrong form"),
        (1, ("chance",), "x", "the commitment to the chance key has a wrong form"),
        (1, ("beacon",), {"value": "ab", "source": "x"}, "the beacon is none"),
    ],
)
def test_each_lie_is_named(version: int, path: Path, value: object, problem: str) -> None:
    found = lying(version, (path, value))

    assert (found.verdict, found.first_bad) == ("invalid", version)
    assert problem in found.reason
    assert found.sound == version - 1
    assert not found.signed_by


def test_a_default_for_time_comes_when_the_time_is_up() -> None:
    for cause in ("timeout", "disconnect"):
        found = lying(8, (("cause",), cause), (("refused",), []))

        assert (found.first_bad, found.reason) == (8, f"a default for {cause} before the time was up")


def answers(version: int) -> list[dict[str, Any]]:
    return list(json.loads(ROWS[version - 1][2])["refused"])


def test_a_seat_is_not_asked_to_forfeit_its_attempts() -> None:
    first, *rest = answers(8)

    fewer = lying(8, (("refused",), rest))
    more = lying(8, (("refused",), [first, first, *rest]))
    turned = lying(8, (("refused",), [rest[0], first, rest[1]]))

    assert (fewer.first_bad, fewer.expected, fewer.found) == (8, "3", "2")
    assert (more.first_bad, more.expected, more.found) == (8, "3", "4")
    assert (turned.first_bad, turned.reason) == (8, "refused answers are out of order")


def test_the_last_illegal_answer_ends_the_prompt() -> None:
    *rest, last = answers(8)

    found = lying(8, (("refused",), [*rest, {**last, "received": last["received"] - 1}]))

    assert (found.first_bad, found.reason) == (8, "the moment of the last answer is not what it should be")


def test_a_move_after_all_attempts_is_a_lie() -> None:
    found = tampered(lambda live: live.play(1, illegal=3))

    assert (found.first_bad, found.expected, found.found) == (3, "fewer than 3", "3")


def test_a_legal_answer_is_not_refused() -> None:
    first, *rest = answers(8)

    played = json.dumps(json.loads(ROWS[7][2])["move"], separators=(",", ":")).encode()

    for legal in (answer_digest(1, None), answer_digest(None, played)):
        found = lying(8, (("refused",), [{**first, "answer": legal}, *rest]))

        assert (found.first_bad, found.reason) == (8, "a legal answer was refused")


def late(received: int) -> dict[str, object]:
    return {"code": "late", "received": received, "answer": "0" * 64}


def test_a_late_answer_ends_its_prompt_by_timeout() -> None:
    clock, _ = clock_of(4)

    good = lying(4, (("refused",), [late(clock["received"])]))
    twice = lying(4, (("refused",), [late(clock["received"])] * 2))
    absent = lying(7, (("refused",), [late(clock_of(7)[0]["received"])]))

    assert good.is_valid
    for found, version in ((twice, 4), (absent, 7)):
        assert (found.first_bad, found.reason) == (version, "a late answer ends its prompt at once")


def test_a_cause_of_illegal_answers_does_not_hide_a_timeout() -> None:
    clock, _ = clock_of(4)
    at = clock["sent"] + 10
    refused = [{"code": "illegal_move", "received": at, "answer": "0" * 64}] * 2
    last = {"code": "late", "received": clock["received"], "answer": "0" * 64}

    found = lying(4, (("cause",), "illegal"), (("refused",), [*refused, refused[0], last]))

    assert (found.first_bad, found.verdict) == (4, "invalid")


def test_the_time_of_a_pause_is_charged_to_nobody() -> None:
    paused = json.loads(ROWS[4][2])["at"]

    found = lying(7, *clocked(ready=paused - 1_000))

    assert (found.first_bad, found.reason) == (7, "the clock started before the prompt was asked")


def clocked(**moments: int) -> list[tuple[Path, object]]:
    return [(("clock", name), moment) for name, moment in moments.items()]


def clock_of(version: int) -> tuple[dict[str, int], int]:
    event = json.loads(ROWS[version - 1][2])
    return event["clock"], event["at"]


def test_a_clock_cannot_start_before_its_prompt_is_open() -> None:
    clock, _ = clock_of(3)

    found = lying(3, *clocked(ready=clock["ready"] - 2_000))

    assert (found.first_bad, found.reason) == (3, "the clock started before the prompt was asked")


def test_a_move_is_not_stored_before_it_is_received() -> None:
    clock, at = clock_of(3)
    later = at + 1 - clock["received"]
    fields = {name: clock[name] + later for name in ("ready", "sent", "received")}

    found = lying(3, *clocked(**fields))

    assert (found.first_bad, found.reason) == (3, "the move was stored before it was received")


def tampered(change: Callable[[LiveMatch], object], **options: Any) -> Report:
    """The report on a match in which the arbiter's own code did something wrong."""
    live = LiveMatch(**options)
    change(live)
    return report(live.rows)


def test_a_late_move_is_not_a_move() -> None:
    found = tampered(lambda live: live.play(1, spent=1_001_001))

    assert (found.first_bad, found.reason) == (3, "the move came too late")


def test_a_move_in_the_last_microsecond_is_one() -> None:
    found = tampered(lambda live: live.play(1, spent=1_001_000))

    assert (found.verdict, found.first_bad) == ("incomplete", 0)


def test_the_default_move_is_no_other() -> None:
    def cheat(live: LiveMatch) -> None:
        live.play(1)
        fields = {"type": "MoveDefaulted", "cause": "timeout"}
        version, _, state = live.rows[-1]
        live.rows[-1] = (version, "keylore:Match.MoveDefaulted", state)
        for name, value in fields.items():
            live.rows = edited(live.rows, version, (name,), value)

    found = tampered(cheat)

    assert (found.first_bad, found.expected, found.found) == (3, "0", "1")
    assert "the default move at 'bid'" in found.reason


def test_a_forfeited_seat_does_not_move() -> None:
    def cheat(live: LiveMatch) -> None:
        live.say("forfeit", seat=Seat(0), cause="left")
        live.play(1, Seat(0))

    found = tampered(cheat)

    assert (found.first_bad, found.reason) == (4, "seat 0 has forfeited")


@pytest.mark.parametrize("goes_on", ["play", "default"])
def test_a_seat_without_faults_left_forfeits_before_it_is_asked_again(goes_on: str) -> None:
    def cheat(live: LiveMatch) -> None:
        live.default("timeout", Seat(0))
        for seat in (1, 2):
            live.play(1, Seat(seat))
        live.play(1)
        if goes_on == "play":
            live.play(0, Seat(0))
        else:
            live.default("timeout", Seat(0))

    found = tampered(cheat, time=TimeControl(move_ms=1_000, faults=1))

    assert (found.first_bad, found.expected) == (7, "SeatForfeited")
    assert found.reason == "seat 0 has used up its 1 faults"


def test_a_seat_forfeits_once() -> None:
    def cheat(live: LiveMatch) -> None:
        live.say("forfeit", seat=Seat(0), cause="left")
        live.match.forfeited.clear()
        live.say("forfeit", seat=Seat(0), cause="left")

    found = tampered(cheat)

    assert (found.first_bad, found.reason) == (4, "seat 0 forfeits twice")


def test_a_forfeit_by_decision_is_remarked() -> None:
    found = tampered(lambda live: live.say("forfeit", seat=Seat(0), cause="left the hall"))

    assert found.verdict == "incomplete"
    assert found.remarks == ("event 3: seat 0 forfeited by decision, with 0 of 2 faults: left the hall",)


def test_nothing_but_the_conclusion_follows_the_last_move() -> None:
    rows = edited(renumbered([*ROWS[:-2], ROWS[4], ROWS[-1]]), SEAL - 1, ("at",), 2_000_000_000_000_000)

    found = report(resealed(rows, SIGNER)[:-1])

    assert (found.first_bad, found.reason) == (SEAL - 1, "the game has ended by its rules")


def test_a_game_is_not_concluded_before_its_end() -> None:
    rows = edited(renumbered([*ROWS[:2], ROWS[17], ROWS[-1]]), 3, ("at",), START)

    found = report(resealed(rows, SIGNER)[:-1])

    assert (found.first_bad, found.reason) == (3, "the game has not ended")


@pytest.mark.parametrize("version", [3, 18])
def test_a_paused_match_takes_neither_a_move_nor_a_conclusion(version: int) -> None:
    rows = renumbered([*ROWS[:2], ROWS[4], ROWS[version - 1], ROWS[-1]])

    found = report(resealed(rows, SIGNER)[:-1])

    assert found.first_bad == 4
    assert "cannot come here (the match is paused)" in found.reason


# --- what is missing ----------------------------------------------------------------------------------


def test_no_events_are_no_match() -> None:
    found = report([])

    assert (found.verdict, found.first_bad, found.reason) == ("invalid", 1, "there are no events")


def test_an_unfinished_record_is_incomplete_and_says_what_is_unchecked() -> None:
    found = report(ROWS[:12])

    assert (found.verdict, found.status, found.plies, found.draws) == ("incomplete", "playing", 7, 3)
    assert (found.draws_checked, found.seed_known, found.signed_by) == (0, False, "")
    assert "not finished" in found.reason
    assert any("seed is not revealed" in note for note in found.unchecked)
    assert any("no signature" in note for note in found.unchecked)


def test_an_aborted_record_is_sealed_and_valid() -> None:
    live = LiveMatch().abort("the hall burned down")

    found = report(live.rows)

    assert (found.verdict, found.status, found.signed_by) == ("valid", "aborted", SIGNER.public_key)
    assert found.remarks == ("the match was aborted (the hall burned down): it has no outcome",)
    assert report(live.rows[:-1]).verdict == "incomplete"
    assert "seal is missing" in report(live.rows[:-1]).reason


def test_a_public_seed_is_checked_before_the_end() -> None:
    seed = match_seed(b"cup 2026", MATCH)
    live = LiveMatch(public_seed="cup 2026", secrets=Secrets(seed, SIGNER))
    live.play(1)

    found = report(live.rows)
    assert (found.verdict, found.draws_checked, found.seed_known) == ("incomplete", 2, True)
    rigged = edited(live.rows, 2, ("draws", 0, "values"), [0, 1, 2, 3, 4])
    assert report(rigged).first_bad == 2
    assert report(live.finish().rows).is_valid


SHARED = f"{ORIGIN.tournament.removeprefix('t/')}/r{ORIGIN.round}/p2"


def test_a_shared_deal_has_the_seed_of_its_label() -> None:
    seed = match_seed(b"cup 2026", SHARED)
    live = LiveMatch(public_seed="cup 2026", seed_label=SHARED, secrets=Secrets(seed, SIGNER)).finish()

    assert report(live.rows).is_valid
    own = match_seed(b"cup 2026", MATCH)
    lie = LiveMatch(public_seed="cup 2026", seed_label=SHARED, secrets=Secrets(own, SIGNER)).finish()
    assert "commitment to the public seed" in report(lie.rows).reason


def test_matches_of_one_label_share_their_draws() -> None:
    secrets = Secrets(match_seed(b"secret key", SHARED), SIGNER)
    first, second = (
        LiveMatch(
            match_id=f"m/{SHARED.partition('/')[0]}/r{ORIGIN.round}/t{table}",
            origin=Origin(tournament=ORIGIN.tournament, round=ORIGIN.round, table=table),
            seed_label=SHARED,
            secrets=secrets,
        )
        for table in (3, 4)
    )

    assert json.loads(first.rows[1][2])["draws"] == json.loads(second.rows[1][2])["draws"]


@pytest.mark.parametrize("label", ["p2", SHARED[:-1], SHARED + "x", SHARED.replace("/p", "/q")])
def test_a_label_that_somebody_chose_is_refused(label: str) -> None:
    secrets = Secrets(match_seed(b"secret key", label), SIGNER)
    chosen = LiveMatch(seed_label=label, secrets=secrets).finish()

    assert report(chosen.rows).first_bad == 1


def test_a_shared_deal_outside_of_a_tournament_is_refused() -> None:
    secrets = Secrets(match_seed(b"secret key", SHARED), SIGNER)
    chosen = LiveMatch(match_id="m/casual", origin=None, seed_label=SHARED, secrets=secrets).finish()

    assert "belongs to no tournament" in report(chosen.rows, "m/casual").reason


def test_a_league_s_own_data_travels_in_the_record() -> None:
    live = LiveMatch(data_text=DATA.replace("value: 7", "value: 9")).finish()

    assert report(live.rows).is_valid


def test_a_match_is_sealed_with_the_key_that_it_was_opened_with() -> None:
    found = report(resealed(ROWS, FakeSigner("another")), key=None)

    assert (found.verdict, found.first_bad) == ("invalid", SEAL)
    assert "by another key than the match was opened with" in found.reason


def test_a_seal_by_another_key_or_in_another_spelling_is_refused() -> None:
    upper = report(edited(ROWS, SEAL, ("signature",), "A" * 128))
    other = report(ROWS, key="0" * 64)

    assert (upper.first_bad, upper.reason) == (SEAL, "key or signature has a wrong form")
    assert (other.first_bad, other.expected) == (1, "0" * 64)


def test_a_seal_by_a_stranger_confirms_no_event() -> None:
    live = LiveMatch()
    live.abort("the hall burned down")
    end = len(live.rows)
    told_otherwise = edited(live.rows, end - 1, ("cause",), "rain")

    assert report(told_otherwise).first_bad == end - 1
    stranger = resealed(live.rows, FakeSigner("stranger"))
    assert report(edited(stranger, end - 1, ("cause",), "rain")).first_bad == end


def test_without_a_trusted_key_the_report_says_that_the_key_is_unchecked() -> None:
    found = report(ROWS, key=None)

    assert (found.verdict, found.signed_by, found.key_is_trusted) == ("valid", SIGNER.public_key, False)
    assert found.unchecked == (
        "the key is the one in the record itself: compare it with the one the arbiter publishes",
    )


def test_a_seed_that_was_not_committed_to_is_blamed_on_the_right_side() -> None:
    other = commitment(bytes(32))

    assert lying(1, (("commitment",), other)).first_bad == 1
    assert lying(SEAL, (("seed",), bytes(32).hex())).first_bad == SEAL


def test_a_record_that_does_not_begin_with_opened_is_named() -> None:
    found = report(resealed(renumbered([ROWS[1], ROWS[-1]]), SIGNER)[:1])

    assert (found.first_bad, found.game) == (1, "")
    assert "expected Opened" in found.reason


def test_bytes_that_are_no_event_are_named() -> None:
    assert report([*ROWS[:2], (3, ROWS[2][1], b"\xff")]).first_bad == 3
    spaced = report([*ROWS[:2], (3, ROWS[2][1], ROWS[2][2].replace(b'"at":', b'"at": '))])
    assert (spaced.first_bad, spaced.reason) == (3, "the stored bytes are not in canonical form")
    assert report([(1, ROWS[0][1], ROWS[0][2] + b" ")]).first_bad == 1
    big = ROWS[0][2].replace(b'"rounds":3', b'"rounds":1' + b"0" * 5_000)
    assert "cannot be read" in report([(1, ROWS[0][1], big)]).reason
    deep = ROWS[2][2].replace(b'{"coins":1}', b"[" * 100_000 + b"]" * 100_000)
    assert report([*ROWS[:2], (3, ROWS[2][1], deep)]).first_bad == 3
    assert report([(1, "keylore:Bot.Enrolled", b"{}")]).expected == "keylore:Match.*"


def test_every_cause_of_a_default_was_met() -> None:
    causes = {event.cause for event in _defaults()}

    assert causes == {"timeout", "disconnect", "illegal", "forfeit"}


def _defaults() -> list[MoveDefaulted]:
    events = (decode_event(topic, state) for _, topic, state in ROWS)
    return [event for event in events if isinstance(event, MoveDefaulted)]


# --- the chain ----------------------------------------------------------------------------------------


def test_a_changed_event_is_blamed_when_the_next_ones_confirm_each_other() -> None:
    found = report(edited(ROWS, 5, ("cause",), "no reason"))

    assert (found.first_bad, found.reason) == (5, "event 5 was altered: event 6 continues another one")


def test_a_changed_link_is_blamed_on_the_event_that_holds_it() -> None:
    assert report(edited(ROWS, 5, ("prev",), "0" * 64)).first_bad == 5
    assert report(edited(ROWS, 1, ("prev",), "0" * 64)).first_bad == 1
    assert report(edited(ROWS, SEAL, ("prev",), "0" * 64)).first_bad == SEAL


def test_the_last_event_before_a_genuine_seal_is_blamed_if_the_seal_is_for_another() -> None:
    found = report(edited(ROWS, SEAL - 1, ("at",), 2_000_000_000_000_000))

    assert found.first_bad == SEAL - 1


def test_a_rebuilt_chain_shows_at_the_signature() -> None:
    found = report(rechained(edited(ROWS, 5, ("cause",), "no reason")))

    assert (found.verdict, found.first_bad, found.sound) == ("invalid", SEAL, SEAL - 1)
    assert "the record alone cannot tell which event" in found.reason


def test_events_that_belong_elsewhere_are_named() -> None:
    assert report(ROWS[1:]).expected == "version 1"
    assert report(ROWS, "m/other").found == f"event 1 of {MATCH}"


def test_a_seal_whose_seed_fits_neither_commitment_nor_draws_is_blamed_itself() -> None:
    rows = [*ROWS[:-1], *edited([ROWS[-1]], 1, ("seed",), bytes(32).hex())]

    assert report(rows).first_bad == SEAL
