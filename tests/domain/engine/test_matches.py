"""Matches: commands, what they refuse, and rebuilding from stored events."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from keylore_domain.engine.aggregates import decode_event, encode_event
from keylore_domain.engine.chance import commitment
from keylore_domain.engine.clocks import TimeControl
from keylore_domain.engine.encoding import canonical_json, digest_key, sha256_hex, state_digest
from keylore_domain.engine.events import (
    Concluded,
    MoveDefaulted,
    MovePlayed,
    Opened,
    Resumed,
    Sealed,
    SeatEntry,
    SetUp,
    answer_digest,
    sealed_statement,
)
from keylore_domain.engine.evidence import Row
from keylore_domain.engine.matches import Match
from keylore_domain.engine.seats import Seat
from keylore_domain.errors import (
    ConflictError,
    DataFileError,
    IllegalMoveError,
    MatchOverError,
    NotFoundError,
    NotPromptedError,
    OptionError,
    ReplayMismatchError,
)
from tests.domain.engine.playing import (
    MATCH,
    SECRETS,
    SEED,
    SIGNER,
    START,
    LiveMatch,
    eventful,
    fake_check,
)
from tests.domain.engine.toy import DATA, toy_catalog
from tests.services.replay.forgeries import edited, rechained

SEATS = (SeatEntry("bot/a", "a"), SeatEntry("bot/b", "b"))


def opened(**fields: Any) -> Match:
    given: dict[str, Any] = {
        "at": START,
        "game": "pearls",
        "engine": "1",
        "options": {},
        "seats": SEATS,
        "time": TimeControl(),
    }
    return Match.open(MATCH, toy_catalog, SECRETS, **{**given, **fields})


def rebuilt(rows: Sequence[Row]) -> Match:
    match = Match(MATCH, toy_catalog)
    for _, topic, state in rows:
        match.replay(topic, state)
    return match


# --- opening ------------------------------------------------------------------------------------------


def test_a_match_is_opened_and_set_up_at_once() -> None:
    match = opened()

    first, second = match.collect_events()

    assert isinstance(first, Opened)
    assert isinstance(second, SetUp)
    assert (first.game, first.rules, first.commitment) == ("pearls", "1", commitment(SEED))
    assert bytes(first.options) == b'{"seats":2,"rounds":3,"coins":3,"resale":true}'
    assert second.digest == state_digest(match.live_position.state, digest_key(SEED))
    assert match.status == "playing"


def test_the_seed_is_in_no_event_before_the_seal() -> None:
    live = eventful()

    assert all(SEED.hex().encode() not in state for _, _, state in live.rows[:-1])
    assert SEED.hex().encode() in live.rows[-1][2]


def test_a_league_can_bring_its_own_data() -> None:
    text = DATA.replace("value: 7", "value: 9")

    match = opened(data_text=text)

    assert match.entry.data_text == text
    assert match.entry.data != opened().entry.data
    assert match.rules.data_text == text


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"game": "chess"}, NotFoundError),
        ({"options": {"rounds": 99}}, OptionError),
        ({"options": {"seats": 3}}, OptionError),
        ({"seats": SEATS[:1]}, OptionError),
        ({"data_text": "{}"}, DataFileError),
    ],
)
def test_a_match_that_cannot_be_is_not_opened(fields: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        opened(**fields)


def test_the_number_of_seats_may_be_repeated_in_the_options() -> None:
    assert opened(options={"seats": 2}).entry.seats == SEATS


def test_a_game_that_needs_no_decision_ends_at_once() -> None:
    match = opened(options={"coins": 0, "resale": False})

    kinds = [type(event) for event in match.collect_events()]

    assert kinds == [Opened, SetUp, Concluded, Sealed]
    assert match.is_over


# --- playing ------------------------------------------------------------------------------------------


def test_a_move_is_recorded_with_all_that_it_did() -> None:
    live = LiveMatch()

    moved = live.play(2)

    event = moved.event
    assert (event.ply, event.prompt, event.seat, event.kind, event.choice) == (1, 1, 0, "bid", 2)
    assert bytes(event.move) == b'{"coins":2}'
    assert bytes(event.facts) == canonical_json(moved.facts) == canonical_json(live.match.facts)
    assert event.digest == state_digest(live.match.live_position.state, digest_key(SEED))
    assert moved.head == live.match.head
    assert not isinstance(event, MoveDefaulted)


def test_time_is_taken_from_the_bank() -> None:
    live = LiveMatch()

    live.play(0, spent=201_000)

    assert live.match.banks == [5_000_000 - 200_000 + 10_000, 5_000_000, 5_000_000]


def test_several_seats_may_answer_in_any_order() -> None:
    live = LiveMatch()

    live.play(0, Seat(2))
    live.play(0, Seat(0))

    assert [item.prompt.seat for item in live.match.live_position.open] == [1]


def test_the_position_in_which_a_prompt_was_asked_is_kept_while_it_is_open() -> None:
    live = LiveMatch()
    start = live.match.live_position
    live.play(0, Seat(2))

    assert live.match.asked_at(1) is start
    assert live.match.live_position is not start
    with pytest.raises(KeyError):
        live.match.asked_at(3)


def test_a_default_is_the_move_of_the_prompt_and_a_fault() -> None:
    live = LiveMatch()

    moved = live.default("timeout")

    assert isinstance(moved.event, MoveDefaulted)
    assert (moved.event.choice, moved.event.cause) == (0, "timeout")
    assert live.match.faults == [1, 0, 0]


def test_a_seat_with_too_many_faults_should_forfeit_until_it_has() -> None:
    live = LiveMatch(rounds=2, time=TimeControl(faults=1))
    live.default("timeout", spent=10_000_000)
    assert live.match.should_forfeit == (0,)

    live.say("forfeit", seat=Seat(0), cause="1 default move had to be played for it")

    assert not live.match.should_forfeit
    live.finish()
    assert live.match.faults == [1, 0, 0]  # moves after the forfeit are no further faults


def test_without_a_limit_nobody_should_forfeit() -> None:
    live = LiveMatch(time=TimeControl(faults=0))
    live.default("timeout")

    assert live.match.should_forfeit == ()


@pytest.mark.parametrize("choice", [-1, 4])
def test_an_illegal_choice_changes_nothing(choice: int) -> None:
    live = LiveMatch()
    head = live.match.head

    with pytest.raises(IllegalMoveError):
        live.play(choice)

    assert live.match.head == head


def test_a_seat_that_is_not_asked_cannot_move() -> None:
    live = LiveMatch()
    clock = live.play(1, Seat(0)).event.clock

    for command in (live.match.play, live.match.default):
        extra: dict[str, Any] = {"choice": 0} if command == live.match.play else {"cause": "timeout"}
        with pytest.raises(NotPromptedError):
            command(SECRETS, at=live.now, seat=Seat(0), view="", clock=clock, **extra)


# --- the end ------------------------------------------------------------------------------------------


def test_a_finished_match_is_concluded_and_sealed() -> None:
    live = LiveMatch().finish()
    match = live.match
    sealed = match.sealed

    assert (match.status, match.is_over) == ("concluded", True)
    assert sealed is not None
    assert bytes.fromhex(sealed.seed) == SEED
    statement = sealed_statement(MATCH, match.version - 1, sealed.head, sealed.seed)
    assert fake_check(SIGNER.public_key, statement, sealed.signature)
    assert match.outcome is not None
    assert [result.seat for result in match.outcome.seats] == [0, 1, 2]


def test_an_aborted_match_is_sealed_too() -> None:
    match = LiveMatch().abort("the hall burned down").match

    assert (match.status, match.outcome, match.abort_cause) == ("aborted", None, "the hall burned down")
    assert match.sealed is not None
    assert bytes.fromhex(match.sealed.seed) == SEED
    statement = sealed_statement(MATCH, match.version - 1, match.sealed.head, match.sealed.seed)
    assert fake_check(SIGNER.public_key, statement, match.sealed.signature)


def test_a_resumed_match_says_whether_it_was_paused() -> None:
    live = LiveMatch()
    live.say("resume", cause="the machine died")
    live.say("pause", cause="tea")
    live.say("resume", cause="enough tea")

    events = [decode_event(topic, state) for _, topic, state in live.rows]

    assert [event.after for event in events if isinstance(event, Resumed)] == ["stop", "pause"]


def test_answers_that_were_not_taken_are_in_the_event_that_ended_the_prompt() -> None:
    live = LiveMatch()

    played = live.play(1, illegal=2).event
    ruled = live.default("illegal", spent=9_000).event

    assert [(one.code, one.received - played.clock.received) for one in played.refused] == [
        ("illegal_move", -2),
        ("illegal_move", -1),
    ]
    assert ruled.refused[-1].received == ruled.clock.received
    assert played.refused[0].answer == sha256_hex(b"choice 99")
    assert answer_digest(None, b'{"coins":9}') == sha256_hex(b'move {"coins":9}')


def over() -> list[LiveMatch]:
    return [LiveMatch().abort("the hall burned down"), LiveMatch().finish()]


@pytest.mark.parametrize("live", over(), ids=["aborted", "concluded"])
@pytest.mark.parametrize(
    ("command", "fields"),
    [
        ("pause", {"cause": ""}),
        ("resume", {"cause": ""}),
        ("abort", {"secrets": SECRETS, "cause": ""}),
        ("forfeit", {"cause": "", "seat": Seat(0)}),
    ],
)
def test_a_match_that_is_over_takes_no_command(live: LiveMatch, command: str, fields: dict[str, Any]) -> None:
    head = live.match.head

    with pytest.raises(MatchOverError, match="is over"):
        live.say(command, **fields)

    assert live.match.head == head


@pytest.mark.parametrize("live", over(), ids=["aborted", "concluded"])
def test_a_match_that_is_over_takes_no_move(live: LiveMatch) -> None:
    clock = LiveMatch().play(0).event.clock

    with pytest.raises(MatchOverError):
        live.match.play(SECRETS, at=live.now, seat=Seat(0), choice=0, view="", clock=clock)


def test_an_aborted_match_tells_why() -> None:
    match = over()[0].match

    assert (match.status, match.abort_cause, match.outcome) == ("aborted", "the hall burned down", None)


# --- pauses and forfeits ------------------------------------------------------------------------------


def test_a_paused_match_takes_no_move_until_it_is_resumed() -> None:
    live = LiveMatch()
    live.say("pause", cause="lunch")
    assert live.match.status == "paused"

    with pytest.raises(NotPromptedError, match="is paused"):
        live.play(0)
    with pytest.raises(NotPromptedError, match="is paused"):
        live.default("timeout")

    live.say("resume", cause="after lunch")
    live.play(0)
    assert live.match.live_position.ply == 1


def test_a_paused_match_is_not_paused_again_but_may_be_aborted() -> None:
    live = LiveMatch()
    live.say("pause", cause="lunch")

    with pytest.raises(ConflictError, match="paused already"):
        live.say("pause", cause="lunch")

    live.abort("no appetite")
    assert live.match.is_over


def test_a_running_match_may_be_resumed_after_a_crash() -> None:
    live = LiveMatch()

    live.say("resume", cause="the arbiter was started again")

    assert live.match.status == "playing"


def test_a_seat_forfeits_once() -> None:
    live = LiveMatch()
    live.say("forfeit", seat=Seat(1), cause="left the hall")

    with pytest.raises(ConflictError, match=r"seat 1 .* has forfeited already"):
        live.say("forfeit", seat=Seat(1), cause="left the hall")
    assert live.match.forfeited == {1}


@pytest.mark.parametrize("seat", [-1, 3])
def test_only_a_seat_of_the_match_forfeits(seat: int) -> None:
    with pytest.raises(NotFoundError, match="seats: 0 to 2"):
        LiveMatch().say("forfeit", seat=Seat(seat), cause="")


# --- rebuilding ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("live", [*over(), eventful(), LiveMatch()], ids=["aborted", "plain", "full", "new"])
def test_a_match_is_rebuilt_from_its_events_at_each_moment(live: LiveMatch) -> None:
    again = rebuilt(live.rows)

    for name in ("head", "status", "position", "facts", "banks", "faults", "forfeited", "outcome", "sealed"):
        assert getattr(again, name) == getattr(live.match, name), name
    assert again.collect_events() == []


def test_a_rebuilt_match_goes_on_like_the_live_one() -> None:
    live = LiveMatch()
    live.play(1)
    again = rebuilt(live.rows)
    fields = msgspec.structs.asdict(live.play(2).event)

    moved = again.play(
        SECRETS, at=live.now, seat=Seat(1), choice=2, view=fields["view"], clock=fields["clock"]
    )

    assert encode_event(moved.event) == live.rows[-1][2]


def test_a_match_that_was_not_opened_has_no_position() -> None:
    with pytest.raises(MatchOverError):
        Match(MATCH, toy_catalog).live_position  # noqa: B018 - the property raises


@pytest.mark.parametrize(
    ("at", "problem"),
    [
        (0, "expected Opened"),
        (1, "expected SetUp"),
        (5, "expected SeatForfeited or Resumed or Aborted"),
        (-1, "expected Sealed"),
    ],
)
def test_events_come_only_in_order(at: int, problem: str) -> None:
    rows = eventful().rows
    at %= len(rows)
    wrong = rows[3]
    moved = edited([(at + 1, wrong[1], wrong[2])], 1, ("originator_version",), at + 1)

    with pytest.raises(ReplayMismatchError, match=problem) as caught:
        rebuilt(rechained([*rows[:at], *moved]))
    assert caught.value.version == at + 1


def test_nothing_follows_a_seal_or_an_abort() -> None:
    for live in (eventful(), over()[0]):
        longer = edited(
            [*live.rows, live.rows[-1]], len(live.rows) + 1, ("originator_version",), len(live.rows) + 1
        )
        with pytest.raises(ReplayMismatchError, match="expected nothing more"):
            rebuilt(rechained(longer))


@pytest.mark.parametrize(
    ("version", "path", "value", "problem"),
    [
        (2, ("draws",), [], "is not in the record"),
        (3, ("choice",), 9, "choice 9 is not legal"),
        (3, ("seat",), 7, "seat 7 is not asked"),
        (1, ("options",), {"seats": "many"}, "Expected `int`"),
        (18, ("outcome",), {}, "the outcome cannot be read"),
    ],
)
def test_a_stored_event_that_breaks_the_rules_is_a_mismatch(
    version: int, path: tuple[str, ...], value: object, problem: str
) -> None:
    rows = rechained(edited(eventful().rows, version, path, value))

    with pytest.raises(ReplayMismatchError, match=problem) as caught:
        rebuilt(rows)
    assert caught.value.version == max(version, 2)


def test_moves_of_a_match_are_events_of_one_family() -> None:
    assert issubclass(MoveDefaulted, MovePlayed)
