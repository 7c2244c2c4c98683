"""Why: each event explained, to each viewer what it may know."""

import pytest

from keylore_domain.engine.chance import match_seed
from keylore_domain.engine.clocks import TimeControl
from keylore_domain.engine.encoding import sha256_hex
from keylore_domain.engine.matches import Secrets
from keylore_domain.engine.seats import Seat
from keylore_domain.errors import NotFoundError
from keylore_services.replay.addresses import Viewer
from keylore_services.replay.timeline import Timeline
from keylore_services.replay.why import Step, Why, explain, why_lines
from tests.domain.engine.playing import MATCH, SIGNER, LiveMatch, eventful, sharing
from tests.domain.engine.toy import DATA, toy_catalog

LINE = Timeline(MATCH, eventful().rows, toy_catalog)


def lines(version: int, viewer: Viewer = "all") -> list[str]:
    return why_lines(explain(LINE, version, viewer))


def test_a_move_is_explained_with_its_alternatives_and_rules() -> None:
    why = explain(LINE, 12, "all")

    assert why.headline == "seat 2 (b2) answered 'bid'"
    assert why.choice is not None
    assert (why.choice.count, why.choice.chosen, why.choice.chosen_text) == (4, 1, "coins 1")
    assert why.choice.legal == ("coins 0", "coins 1", "coins 2", "coins 3")
    assert why.choice.about == "pearl 4"
    assert why.steps[1] == Step("bids revealed: bids 1 0 1", "pearls §2")
    assert why.draws == ("roll.tie#0: 1 of 0 to 1",)
    assert why.cause == ""


def test_the_lines_of_a_move_tell_everything() -> None:
    assert lines(12) == [
        "m/cup/r1/t2@12/all  MovePlayed, ply 7, 2023-11-14 22:13:26.037000 UTC",
        "seat 2 (b2) answered 'bid'",
        "asked for 'bid' (pearl 4); 4 legal moves:",
        "    0  coins 0  <- default",
        "    1  coins 1  <- chosen",
        "    2  coins 2",
        "    3  coins 3",
        "the rules did:",
        "  bid made: seat 2, coins 1  [pearls §2]",
        "  bids revealed: bids 1 0 1  [pearls §2]",
        "  chance drawn: point roll.tie, outcome 2",
        "  pearl won: seat 2, pearl 4  [pearls §3]",
        "chance gave:",
        "  roll.tie#0: 1 of 0 to 1",
        "the clock:",
        "  asked 2023-11-14 22:13:26.031000 UTC, answered after 5.000 ms",
        "  credited for the network 1.000 ms",
        "  charged 4.000 ms of 1000.000 ms",
        "  left in the bank 4016.000 ms, 10.000 ms of it added for this move",
        "details:",
        f"  an illegal answer after 4.999 ms was not taken (SHA-256 {sha256_hex(b'choice 99')})",
    ]


@pytest.mark.parametrize(
    ("version", "cause"),
    [
        (4, "no answer came in time"),
        (7, "the bot was not connected when its time was up"),
        (8, "the bot gave too many illegal answers to this prompt (3 are allowed)"),
        (15, "the seat has forfeited; its default moves are played without asking"),
    ],
)
def test_a_default_tells_its_cause(version: int, cause: str) -> None:
    why = explain(LINE, version, "all")

    assert why.cause == cause
    assert why.headline.startswith("the arbiter played the default move at")
    assert f"because {cause}" in why_lines(why)


def test_another_seat_learns_nothing_of_a_secret_answer() -> None:
    why = explain(LINE, 3, Seat(1))

    assert (why.kind, why.headline) == ("Move", "a seat answered in secret")
    assert (why.choice, why.clock, why.draws, why.cause) == (None, (), (), "")
    assert [step.text for step in why.steps] == ["bid made: seat 0, coins -"]
    assert explain(LINE, 3, Seat(0)).choice is not None


def test_another_seat_learns_nothing_of_illegal_answers() -> None:
    assert explain(LINE, 12, Seat(1)).details == ()
    assert len(explain(LINE, 12, Seat(2)).details) == 1


def test_another_seat_learns_that_an_open_prompt_was_answered_but_not_the_move() -> None:
    why = explain(LINE, 13, "public")

    assert why.headline == "seat 2 (b2) answered 'dispose'"
    assert why.choice is None
    assert why.clock


@pytest.mark.parametrize(
    ("version", "told"),
    [
        (1, "a table for 3 was opened for Pearls, rules 1"),
        (1, "  seat 1: b1 (bot/b1)"),
        (1, "  options: seats 3, rounds 3, coins 3, resale yes"),
        (1, "  played for tournament t/cup, round 1, table 2, attempt 1"),
        (2, "the game was set up"),
        (2, "  deck.gems#0: the order 4 1 3 2 0"),
        (5, "all clocks were stopped: the arbiter stops"),
        (6, "the match went on after a pause: the arbiter was started again"),
        (11, "seat 1 (b1) forfeited: 2 default moves had to be played for it"),
        (11, "  default moves played for it: 2 of 2 allowed"),
        (18, "the game ended by its rules"),
        (18, "    seat 2, rank 1, score 8, gem 4"),
        (19, "the record was closed: the seed was revealed and the head of the chain signed"),
        (19, f"  key {SIGNER.public_key}"),
    ],
)
def test_every_kind_of_event_is_explained(version: int, told: str) -> None:
    assert told in lines(version)


def test_what_chance_gave_is_told_to_those_alone_who_see_all() -> None:
    assert explain(LINE, 2, "public").draws == ()
    assert explain(LINE, 2, Seat(0)).steps[0].text == "gems dealt: gems 5 - -"


def test_an_abort_is_explained() -> None:
    live = LiveMatch()
    live.abort("the hall burned down")

    why = explain(Timeline(MATCH, live.rows, toy_catalog), 3)

    assert why.headline == "the match was aborted without a result: the hall burned down"


def table_lines(live: LiveMatch, version: int) -> list[str]:
    return why_lines(explain(Timeline(MATCH, live.rows, toy_catalog), version, "all"))


def test_own_data_and_a_public_seed_are_told() -> None:
    seed = match_seed(b"cup 2026", MATCH)
    live = LiveMatch(
        public_seed="cup 2026", secrets=Secrets(seed, SIGNER), data_text=DATA + "\n", origin=None
    )

    told = table_lines(live, 1)

    assert "  the seed is made of the public text 'cup 2026'" in told
    assert not any("played for" in line for line in told)
    assert any(line.endswith("(the league's own)") for line in told)


def test_long_lists_are_cut_but_the_chosen_move_is_shown() -> None:
    live = LiveMatch(coins=100, time=TimeControl())
    live.play(50)

    told = table_lines(live, 3)

    assert "       and 81 more" in told
    assert "   50  coins 50  <- chosen" in told
    assert not any("bank" in line for line in told)


def test_an_explanation_travels_as_json() -> None:
    import msgspec

    why = explain(LINE, 12, "all")

    assert msgspec.json.decode(msgspec.json.encode(why), type=Why) == why


def test_what_is_not_there_is_not_explained() -> None:
    with pytest.raises(NotFoundError):
        explain(LINE, 20, "public")


def test_shares_of_the_seed_are_told() -> None:
    """Of every event of such a match something is said."""
    line = Timeline(MATCH, sharing().rows, toy_catalog)

    headlines = [explain(line, version, "all").headline for version in range(1, len(line) + 1)]

    assert headlines[1:4] == [
        "2 of 3 seats committed to their shares of the seed",
        "2 of 3 seats revealed their shares; the seed is made of all",
        "the game was set up",
    ]


def test_what_the_seed_is_made_of_is_told() -> None:
    live = sharing()
    silent = LiveMatch(shares=True)
    silent.commit("aa" * 32, "", "")
    silent.begin("", "", "")

    opened, revealed = table_lines(live, 1), table_lines(live, 3)

    assert f"  a public value is mixed in: {'cd' * 32} (drand round 7)" in opened
    assert "  the seats are asked for shares of it" in opened
    assert f"  seat 0 (b0) gave {'aa' * 32}" in revealed
    assert f"  seat 1 (b1) said {'cc' * 32}, which is not its share" in revealed
    assert "  seat 2 (b2) gave no share" in revealed
    assert "  seat 0 (b0) kept its share back" in table_lines(silent, 3)
    aborted = LiveMatch(shares=True).abort("fire")
    assert "  seed none" in table_lines(aborted, 3)
