"""`keylore bot`: enrolling, checking and running bots."""

import json
import stat
from pathlib import Path

import pytest

from keylore_cli import identities
from keylore_domain.errors import OptionError
from keylore_services.bots.kit import Bot, Summary
from tests.cli.running import Terminal

QUICK = ("--game", "keydom", "-o", "round_cap=1", "--games", "1", "--seats", "2")

HEAD = """\
import time
from keylore_services.bots import Bot, Prompt


class Mine(Bot):
    inline = True

    def choose(self, prompt: Prompt):
"""
GOOD = HEAD + "        return prompt.default\n"
SLOW = (
    HEAD.replace("    inline = True\n", "")
    + "        time.sleep(0.4 if prompt.number == 1 else 0)\n        return 0\n"
)
RAISING = HEAD + "        return 0 if prompt.number % 2 else 1 // 0\n"
ILLEGAL = HEAD + "        return {'action': 'cheat'}\n"


def written(folder: Path, text: str) -> str:
    path = folder / "mine.py"
    path.write_text(text)
    return str(path)


# --- enrolling ------------------------------------------------------------------------------------------


def test_a_new_bot_gets_a_token_and_a_file_that_works(
    fresh: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    said = fresh.out("bot", "new", "my-bot")

    token = identities.token_of(fresh.league / "bots", "my-bot")
    assert token in said
    assert "wrote my_bot.py" in said
    assert f"keylore --league {fresh.league} bot run my_bot.py --as my-bot" in said
    assert "class MyBot(Bot)" in (tmp_path / "my_bot.py").read_text()
    kept = fresh.league / "bots" / "my-bot.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert token.encode() not in (fresh.league / "ledger.db").read_bytes()


def test_the_file_can_lie_elsewhere_and_is_never_overwritten(fresh: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "there.py"
    told = fresh.json("bot", "new", "alice", "--file", str(file))
    file.write_text("# mine now\n")

    done = fresh.run("bot", "new", "bob", "--file", str(file), "--json")

    assert (told["bot"], told["file"]) == ("alice", str(file))
    assert json.loads(done.out)["file"] is None
    assert "was left as it is" in done.err
    assert file.read_text() == "# mine now\n"


def test_a_bot_can_do_without_a_file(
    fresh: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    fresh.out("bot", "new", "alice", "--no-file")

    assert [path.name for path in tmp_path.iterdir()] == ["league"]


def test_a_new_token_replaces_the_old_one(fresh: Terminal) -> None:
    old = fresh.json("bot", "new", "alice", "--no-file")["token"]

    said = fresh.out("bot", "new", "alice", "--new-token")

    new = identities.token_of(fresh.league / "bots", "alice")
    assert new != old
    assert said.startswith("gave a new token to alice")
    assert new in said


def test_names_are_checked(fresh: Terminal) -> None:
    fresh.out("bot", "new", "alice", "--no-file")

    assert "--new-token" in fresh.fails(2, "bot", "new", "alice")
    assert "small letters" in fresh.fails(2, "bot", "new", "Alice!")
    assert "did you mean 'alice'?" in fresh.fails(3, "bot", "new", "alcie", "--new-token")


def test_bots_are_listed_with_what_runs_them(here: Terminal) -> None:
    _, heads, *rows = here.out("bot", "list").splitlines()

    assert heads.startswith("bot ")
    assert [row.split() for row in rows] == [
        ["first-1", "-", "first", "yes"],
        ["random-1", "-", "random", "yes"],
        ["random-2", "-", "random", "yes"],
    ]
    assert here.json("bot", "list")[0] == {
        "bot": "first-1", "id": "bot/first-1", "author": "", "runs": "first", "token_kept": True,
    }  # fmt: skip


def test_an_enrolled_bot_whose_token_is_elsewhere_is_listed_so(fresh: Terminal) -> None:
    fresh.out("bot", "new", "alice", "--no-file", "--author", "Carol")
    (fresh.league / "bots" / "alice.json").unlink()

    assert fresh.out("bot", "list").splitlines()[-1].split() == ["alice", "Carol", "-", "no"]


def test_a_list_of_no_bots_says_so(fresh: Terminal) -> None:
    fresh.out("tournament", "new", "cup", "--game", "keydom", "--table", "2", "--rounds", "1")

    assert "no bots yet" in fresh.out("bot", "list")


# --- checking -------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_good_bot_passes_its_check(fresh: Terminal, tmp_path: Path) -> None:
    done = fresh.run("bot", "check", written(tmp_path, GOOD), *QUICK)

    assert done.code == 0, done
    assert done.out.startswith("game 1: seat 0, rank ")
    assert done.out.endswith("\npassed\n")
    assert not fresh.league.exists(), "a check leaves nothing behind"


@pytest.mark.slow
def test_a_bot_is_checked_on_every_seat_in_turn(fresh: Terminal) -> None:
    result = fresh.json("bot", "check", "first", "--game", "keydom", "-o", "round_cap=1", "--games", "2")

    assert [game["seat"] for game in result["games"]] == [0, 1]
    assert result["passed"]


@pytest.mark.slow
def test_a_slow_bot_fails_its_check_and_is_told_the_moves(fresh: Terminal, tmp_path: Path) -> None:
    done = fresh.run("bot", "check", written(tmp_path, SLOW), *QUICK, "--move-ms", "150")

    assert done.code == 5
    assert "no answer came in time" in done.out
    assert "was played for it" in done.out
    assert "failed: " in done.out


@pytest.mark.slow
def test_a_bot_that_raises_fails_its_check_and_sees_its_traceback(fresh: Terminal, tmp_path: Path) -> None:
    done = fresh.run("bot", "check", written(tmp_path, RAISING), *QUICK)

    assert done.code == 5
    assert "errors in the bot's own code" in done.out
    assert "ZeroDivisionError" in done.out


@pytest.mark.slow
def test_a_bot_that_answers_illegally_fails_its_check(fresh: Terminal, tmp_path: Path) -> None:
    done = fresh.run("bot", "check", written(tmp_path, ILLEGAL), *QUICK)

    assert done.code == 5
    assert "1 illegal answer refused" in done.out
    assert done.out.count("illegal answer refused") == 5, "the first faults are enough"
    assert "  ... and " in done.out


def test_a_game_that_no_number_of_seats_fits_is_refused(
    fresh: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unfit(*_: object) -> None:
        raise OptionError("seats", "too many or too few", "none")

    monkeypatch.setattr("keylore_cli.checking.parse_options", unfit)

    assert "no number of seats from 2 to 6 fits" in fresh.fails(2, "bot", "check", "first")


def test_what_cannot_be_checked_is_refused_at_once(fresh: Terminal, tmp_path: Path) -> None:
    assert "there is no bot 'frist'" in fresh.fails(3, "bot", "check", "frist")
    assert "no class derived from Bot" in fresh.fails(2, "bot", "check", written(tmp_path, "x = 1\n"))
    assert "'round_cap'" in fresh.fails(2, "bot", "check", "first", "-o", "round_cap=0")
    assert "did you mean 'keydom'?" in fresh.fails(3, "bot", "check", "first", "--game", "keydm")
    assert "--games" in fresh.fails(2, "bot", "check", "first", "--games", "0")


# --- running --------------------------------------------------------------------------------------------


def test_a_bot_is_run_with_the_token_that_is_kept(fresh: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    token = fresh.json("bot", "new", "alice", "--no-file")["token"]
    asked: list[dict[str, object]] = []

    def play(bot: Bot, **how: object) -> Summary:
        asked.append(how)
        return Summary(matches=1, moves=2, faults=3, refusals=4, exceptions=5, heads={})

    monkeypatch.setattr("keylore_services.bots.run", play)
    done = fresh.run("bot", "run", "first", "--as", "alice", "--server", "here:1", "--until", "7")
    monkeypatch.setenv("KEYLORE_TOKEN", "from the environment")
    data = fresh.json("bot", "run", "first", "--give-up-after", "3")

    assert done.out == (
        "1 game, 2 moves, 3 moves played for it, 4 answers refused, 5 errors in its own code\n"
    )
    assert "alice plays at here:1" in done.err
    assert (data["matches"], data["exceptions"]) == (1, 5)
    assert asked == [
        {
            "server": "here:1",
            "token": token,
            "until": 7,
            "ca": None,
            "give_up_after": None,
            "keep": None,
            "key": None,
            "share": True,
        },
        {
            "server": "127.0.0.1:4711",
            "token": "from the environment",
            "until": "forever",
            "ca": None,
            "give_up_after": 3.0,
            "keep": None,
            "key": None,
            "share": True,
        },
    ]


def test_a_bot_without_a_token_is_told_how_to_get_one(fresh: Terminal) -> None:
    assert "keylore bot new alice" in fresh.fails(3, "bot", "run", "first", "--as", "alice")
    assert "--token or KEYLORE_TOKEN" in fresh.fails(2, "bot", "run", "first")


def test_wrong_ways_to_run_a_bot_are_named(fresh: Terminal) -> None:
    assert "until" in fresh.fails(2, "bot", "run", "first", "--token", "x", "--until", "often")
    assert "HOST:PORT" in fresh.fails(2, "bot", "run", "first", "--token", "x", "--server", "nowhere")


def test_a_damaged_token_file_is_named(fresh: Terminal) -> None:
    fresh.out("bot", "new", "alice", "--no-file")
    (fresh.league / "bots" / "alice.json").write_text("{")

    assert "alice.json is damaged" in fresh.fails(2, "bot", "run", "first", "--as", "alice")


@pytest.mark.slow
def test_a_server_that_is_not_there_is_given_up(fresh: Terminal) -> None:
    said = fresh.fails(
        6, "bot", "run", "first", "--token", "x", "--server", "127.0.0.1:1", "--give-up-after", "0.2"
    )

    assert "127.0.0.1:1" in said


@pytest.mark.parametrize(
    ("spec", "name"), [("greedy", "greedy"), ("path/to/My Bot.py:Main", "my-bot"), ("x/..py", "bot")]
)
def test_a_bot_of_this_machine_is_named_after_what_it_is(spec: str, name: str) -> None:
    assert identities.local_stem(spec) == name
