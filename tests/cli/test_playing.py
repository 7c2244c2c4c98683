"""`keylore game play`: bots and people at one table."""

import json
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from keylore_cli.human import Human
from keylore_services.bots.kit import Clock, End, News, Prompt, Ruling, Table
from keylore_services.tournament.tables import MatchEnd
from tests.cli.running import Terminal
from tests.cli.test_bots import SLOW
from tests.cli.test_tournaments import DATA

TABLE = Table(match="m/x", seat=1, game="keydom", bots=("first", "me"))


def prompt(legal: int = 3) -> Prompt:
    moves = [{"action": "place", "counter": number} for number in range(legal)]
    return Prompt(
        match="m/x", number=1, seat=1, kind="place_counter", view={"round": 4, "market": ["alchemy"]},
        legal=moves, default=1, context={"phase": "first"}, table=TABLE,
    )  # fmt: skip


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Lets a person type lines; gives what is left of them."""

    def types(*lines: str) -> list[str]:
        left = list(lines)

        def asked(_: str, *, default: str, show_default: bool) -> str:
            if not left:
                raise click.Abort
            return left.pop(0) or default

        monkeypatch.setattr(click, "prompt", asked)
        return left

    return types


# --- a person -------------------------------------------------------------------------------------------


def test_a_person_chooses_a_number_or_the_default(person: Callable[..., list[str]]) -> None:
    person("2", "")

    assert [Human().choose(prompt()), Human().choose(prompt())] == [2, 1]


def test_a_person_sees_what_is_asked_and_the_moves(
    person: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    person("")
    Human().choose(prompt())

    assert capsys.readouterr().out.splitlines() == [
        "",
        "seat 1, place counter (phase first), 10 s:",
        "    0  place: counter 0",
        " *  1  place: counter 1",
        "    2  place: counter 2",
    ]


def test_a_wrong_number_is_asked_for_again(
    person: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    left = person("3", "x", "-1", "0")

    assert Human().choose(prompt()) == 0
    assert left == []
    assert capsys.readouterr().out.count("is not a number from 0 to 2") == 3


def test_the_table_is_shown_when_asked_for(
    person: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    person("v", "0")
    Human().choose(prompt())

    assert "round 4, market alchemy" in capsys.readouterr().out


def test_a_person_who_leaves_ends_the_program(person: Callable[..., list[str]]) -> None:
    person()
    human = Human()

    with pytest.raises(KeyboardInterrupt):
        human.choose(prompt())
    assert human.choose(prompt()) == 1, "nobody is asked any more"


def test_a_person_hears_what_happens(capsys: pytest.CaptureFixture[str]) -> None:
    human, clock = Human(), Clock()
    human.seated(TABLE)
    human.heard(News(match="m/x", event=3, ply=1, facts=[{"fact": "counter_placed", "owner": 0}]))
    human.ruled(
        Ruling(
            match="m/x", prompt=1, event=4, choice=0, move={"action": "pass"}, cause="timeout",
            message="too late", faults=1, faults_allowed=10, clock=clock,
        )
    )  # fmt: skip
    human.ended(End(match="m/x", event=9, status="concluded", outcome=None, cause="", seed=""))

    assert capsys.readouterr().out.splitlines() == [
        "you sit on seat 1 of m/x; the seats: 0 first, 1 me",
        "  counter placed: owner 0",
        "",
        "pass was played for you: too late",
        "",
        "the game is over",
        "",
    ]


@pytest.mark.slow
def test_a_person_plays_a_whole_game(
    person: Callable[..., list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    person(*["v", *[""] * 99])
    terminal = Terminal(tmp_path / "league", capsys, interactive=True)

    text = terminal.out("game", "play", "keydom", "-s", "human", "-s", "first", "-o", "round_cap=1")

    assert "you sit on seat 0 of m/keydom-1" in text
    assert "the game is over" in text
    assert "m/keydom-1: ended by round cap in round 1" in text
    terminal.interactive = False
    assert terminal.json("game", "verify", "m/keydom-1")["verdict"] == "valid"


@pytest.mark.slow
def test_a_game_whose_person_leaves_is_aborted(
    person: Callable[..., list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    person("", "")
    terminal = Terminal(tmp_path / "league", capsys, interactive=True)

    said = terminal.fails(4, "game", "play", "keydom", "-s", "human", "-s", "first")
    assert said.endswith("stopped\n")
    (entry,) = terminal.json("game", "list")
    assert entry["status"] == "aborted"


def test_a_person_needs_a_terminal(fresh: Terminal) -> None:
    assert "'human' needs a terminal" in fresh.fails(
        2, "game", "play", "keydom", "-s", "human", "-s", "first"
    )


# --- bots -----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_bots_play_a_game_that_can_be_repeated(fresh: Terminal) -> None:
    words = ["game", "play", "keydom", "-s", "first", "-s", "first", "-o", "round_cap=1", "--seed", "7"]

    text = fresh.out(*words)
    again = fresh.json(*words, "--data", str(DATA), "--move-ms", "5000", "--bank-ms", "60000")

    assert text.startswith("m/keydom-1: ended by round cap in round 1, ")
    assert f"replay:  keylore --league {fresh.league} game step m/keydom-1" in text
    assert again["match_id"] == "m/keydom-2"
    assert again["bots"] == ["first", "first"]
    assert f" {again['plies']} moves" in text
    opened = fresh.json("game", "show", "m/keydom-2@1")
    assert opened["seats"][1]["name"] == "first.1"


@pytest.mark.slow
def test_on_a_terminal_the_moves_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    terminal = Terminal(tmp_path / "league", capsys, interactive=True)

    done = terminal.run("game", "play", "keydom", "-s", "first", "-s", "first", "-o", "round_cap=1")

    assert done.code == 0
    assert " moves" in done.err


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["keydom", "-s", "frist", "-s", "first"], 3, "there is no bot 'frist'"),
        (["keydom", "-s", "@alice", "-s", "first"], 3, "keylore bot new alice"),
        (["keydm", "-s", "first", "-s", "first"], 3, "did you mean 'keydom'?"),
        (["keydom", "-s", "first", "-s", "first", "-o", "x"], 2, "has no '='"),
        (["keydom"], 2, "--seat"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_game_that_cannot_be_played_says_why(
    words: list[str], code: int, said: str, fresh: Terminal
) -> None:
    assert said in fresh.fails(code, "game", "play", *words)


@pytest.mark.slow
def test_a_table_of_a_wrong_size_names_the_sizes(fresh: Terminal) -> None:
    assert "2 to 5" in fresh.fails(2, "game", "play", "keydom", "-s", "first")


@pytest.mark.slow
def test_a_bot_that_does_not_come_is_named(fresh: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("keylore_cli.seating.PATIENCE", 0.2)
    fresh.out("bot", "new", "alice", "--no-file")

    said = fresh.fails(3, "game", "play", "keydom", "-s", "@alice", "-s", "first")

    assert "bots connect to 127.0.0.1:" in said
    assert "alice" in said
    assert json.loads(fresh.out("game", "list", "--json")) == []


def test_a_game_without_a_result_is_not_finished(fresh: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    async def aborted(*_: object, **__: object) -> MatchEnd:
        return MatchEnd(match_id="m/keydom-1", status="aborted", cause="power cut", outcome=None, plies=3)

    monkeypatch.setattr("keylore_cli.seating.play_game", aborted)
    words = ["game", "play", "keydom", "-s", "first", "-s", "first"]

    done, as_json = fresh.run(*words), fresh.run(*words, "--json")

    assert (done.code, done.out) == (4, "m/keydom-1 was aborted: power cut\n")
    assert as_json.code == 4
    assert json.loads(as_json.out)["cause"] == "power cut"


@pytest.mark.slow
def test_who_answers_in_secret_is_not_told_to_the_public(fresh: Terminal) -> None:
    fresh.out("game", "play", "keyside", "-s", "first", "-s", "random", "--seed", "1")

    told, known = (
        [
            json.loads(line)
            for line in fresh.out("game", "step", f"m/keyside-1{eyes}", "--to", "4", "--json").splitlines()
        ]
        for eyes in ("", "/all")
    )

    assert all(one["move"] for one in known[2:])
    assert [(one["kind"], one["seat"], one["move"]) for one in told[2:]] == [("Move", None, None)] * 2
    assert "a seat answered in secret" in fresh.out("game", "step", "m/keyside-1", "--from", "3", "--to", "3")


@pytest.mark.slow
def test_a_default_move_is_told_with_its_cause(fresh: Terminal, tmp_path: Path) -> None:
    slow = tmp_path / "slow.py"
    slow.write_text(SLOW)

    fresh.out(
        "game", "play", "keydom", "-s", str(slow), "-s", "first", "-o", "round_cap=1", "--move-ms", "150"
    )
    text = fresh.out("game", "step", "m/keydom-1/all")

    assert "played for it: no answer came in time" in text
    told = [json.loads(line) for line in fresh.out("game", "step", "m/keydom-1", "--json").splitlines()]
    assert "timeout" in {one["default_cause"] for one in told}
