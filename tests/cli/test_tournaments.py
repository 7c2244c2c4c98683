"""`keylore tournament`: what it prints, stores and refuses."""

import json
import re
import shlex
import shutil
import sqlite3
from pathlib import Path

import msgspec
import pytest

from keylore_cli.context import Context
from keylore_cli.leagues import tournaments
from keylore_services.tournament.service import TournamentService
from keylore_services.tournament.views import AbortedMatch
from tests.cli.running import SMALL, Terminal

DATA = Path(__file__).parents[2] / "domain/keylore_domain/games/keydom/data.yaml"


def with_bots(terminal: Terminal, *names: str) -> Terminal:
    for name in names:
        terminal.out("bot", "new", name, "--no-file")
    return terminal


def copied(played: Path, to: Path) -> Path:
    return Path(shutil.copytree(played, to, ignore=shutil.ignore_patterns("logs")))


def forge(league: Path, aggregate: str, old: bytes, new: bytes) -> None:
    """Change stored events behind the back of the ledger."""
    with sqlite3.connect(league / "ledger.db") as database:
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f'DROP TRIGGER "{name}"')
        (table,) = database.execute(
            "SELECT name FROM sqlite_master WHERE sql LIKE '%originator_version%' AND type = 'table'"
        ).fetchone()
        rows = database.execute(
            f'SELECT rowid, state FROM "{table}" WHERE originator_id = ?', (aggregate,)
        ).fetchall()
        changed = [(state.replace(old, new), row) for row, state in rows if old in state]
        assert changed
        database.executemany(f'UPDATE "{table}" SET state = ? WHERE rowid = ?', changed[:1])
    database.close()


# --- making ---------------------------------------------------------------------------------------------


def test_a_new_tournament_says_what_to_do_next(fresh: Terminal) -> None:
    said = fresh.out("tournament", "new", "cup", *SMALL, "--builtin", "first:2")

    assert said == (
        "created t/cup: keydom, tables of 2, 2 rounds, 2 entrants\n"
        f"next:  keylore --league {fresh.league} tournament run cup\n"
    )


def test_every_term_of_a_tournament_is_stored(fresh: Terminal) -> None:
    with_bots(fresh, "alice")
    times = ["--move-ms", "50", "--bank-ms", "60", "--increment-ms", "7", "--credit-ms", "8"]
    times += ["--faults", "9", "--attempts", "2"]
    extra = ["--title", "A Cup", "--uneven", "smaller_tables", "--bot", "alice", "--scoring", "bye=zero"]
    extra += ["--pairing", "seeding=registration", "--tie-break", "score", "--tie-break", "lot"]
    base = [
        "--game",
        "keydom",
        "--table",
        "3",
        "--rounds",
        "4",
        "-o",
        "spells=false",
        "-o",
        "letter_a_rule=own",
    ]
    made = fresh.json("tournament", "new", "cup", *base, *times, *extra)

    terms = made["terms"]
    assert terms["options"] == {"spells": False, "letter_a_rule": "own"}
    assert terms["time"] == {
        "move_ms": 50, "bank_ms": 60, "increment_ms": 7, "credit_ms": 8, "faults": 9, "attempts": 2,
    }  # fmt: skip
    assert (terms["title"], terms["uneven"], terms["scoring"]["bye"]) == ("A Cup", "smaller_tables", "zero")
    assert (terms["pairing"]["seeding"], terms["tie_breaks"]) == ("registration", ["score", "lot"])
    assert (terms["table_size"], terms["rounds"], terms["seed"]) == (3, 4, None)
    assert [entrant["name"] for entrant in made["entrants"]] == ["alice"]
    shown = fresh.out("tournament", "show", "cup")
    assert "A Cup (t/cup): registering, round 0 of 4" in shown
    assert "scoring  bye zero\npairing  seeding registration\n" in shown
    assert "50 ms a move, 60 ms a game and 7 ms more with each move" in shown
    assert "chance   secret until each game ends" in shown


def test_a_league_may_bring_component_data_of_its_own(fresh: Terminal) -> None:
    made = fresh.json("tournament", "new", "cup", *SMALL, "--data", str(DATA))

    assert made["terms"]["data_text"] == DATA.read_text()
    assert "(the league's own)" in fresh.out("tournament", "show", "cup")


def test_component_data_that_are_wrong_are_refused_with_their_entry(fresh: Terminal, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(DATA.read_text().replace("cost: 2", "cost: two", 1))

    assert "[data_file]" in fresh.fails(2, "tournament", "new", "cup", *SMALL, "--data", str(wrong))


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["cup", "--game", "keydom", "--table", "9", "--rounds", "2"], 2, ["--table", "1<=x<=6"]),
        (["cup", "--game", "keydom", "--table", "2", "--rounds", "101"], 2, ["--rounds", "0<=x<=100"]),
        (["cup", "--game", "keydom", "--table", "6", "--rounds", "2"], 2, ["table_size", "2 to 5"]),
        (["cup", *SMALL, "-o", "round_cap=0"], 2, ["'round_cap'", "1 to 200"]),
        (["cup", *SMALL, "-o", "rund_cap=3"], 2, ["'rund_cap'", "one of", "round_cap"]),
        (["cup", *SMALL, "-o", "round_cap"], 2, ["has no '='", "KEY=VALUE"]),
        (["Cup!", *SMALL], 2, ["'Cup!'", "small letters"]),
        (["cup", *SMALL, "--builtin", "first:0"], 2, ["'first:0' asks for 0 bots", "1 to 1000"]),
        (["cup", *SMALL, "--builtin", "frist"], 3, ["no bot 'frist'", "first"]),
        (["cup", *SMALL, "--bot", "alice"], 3, ["no bot 'alice'", "keylore bot new alice"]),
        (["cup", "--game", "chess", "--table", "2", "--rounds", "2"], 3, ["no game 'chess'", "keydom"]),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, list) else str(value),
)  # fmt: skip
def test_a_wrong_term_names_itself_and_what_is_allowed(
    arguments: list[str], code: int, words: list[str], fresh: Terminal
) -> None:
    said = fresh.fails(code, "tournament", "new", *arguments)

    assert all(word in said for word in words), said
    assert not fresh.league.exists() or fresh.json("tournament", "list") == []


def test_a_name_is_used_once(here: Terminal) -> None:
    assert "already" in here.fails(2, "tournament", "new", "cup", *SMALL)


def test_the_command_that_made_a_tournament_makes_it_again(
    fresh: Terminal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    times = ["--move-ms", "50", "--faults", "9", "--scoring", "scale=[5,0]", "--tie-break", "wins"]
    builtins = ["--builtin", "first:2", "--builtin", "random:1"]
    fresh.out(
        "tournament", "new", "cup", *SMALL, *times, *builtins, "--title", "It's a cup", "-o", "spells=false"
    )
    made = fresh.json("tournament", "show", "cup")

    _, _, other, *arguments = shlex.split(fresh.out("tournament", "show", "cup", "--command"))

    assert other == str(fresh.league)
    again = Terminal(tmp_path / "again", capsys)
    again.out(*arguments)
    copy = again.json("tournament", "show", "cup")
    assert {key: copy[key] for key in ("terms", "entrants", "data")} == {
        key: made[key] for key in ("terms", "entrants", "data")
    }


def test_the_command_names_bots_from_elsewhere_one_by_one(fresh: Terminal) -> None:
    with_bots(fresh, "alice")
    fresh.out("tournament", "new", "cup", *SMALL, "--bot", "alice", "--data", str(DATA))
    fresh.out("tournament", "register", "cup", "--builtin", "first:1")

    typed = fresh.out("tournament", "show", "cup", "--command").split()

    assert typed[-4:] == ["--bot", "alice", "--bot", "first-1"]
    assert typed[typed.index("--data") + 1] == "FILE"


# --- entering and leaving -------------------------------------------------------------------------------


def test_bots_are_registered_and_withdrawn(fresh: Terminal) -> None:
    with_bots(fresh, "alice", "bob")
    fresh.out("tournament", "new", "cup", *SMALL)

    assert "alice, bob, first-1 take part in cup" in fresh.out(
        "tournament", "register", "cup", "alice", "bob", "--builtin", "first"
    ).replace("first-1, alice, bob", "alice, bob, first-1")
    assert fresh.out("tournament", "withdraw", "cup", "bob", "--reason", "ill") == (
        "bob is paired no more in cup\n"
    )
    entrants = fresh.json("tournament", "show", "cup")["entrants"]
    assert {one["name"]: one["active"] for one in entrants} == {"first-1": True, "alice": True, "bob": False}
    assert "withdrew" in fresh.out("tournament", "show", "cup")
    assert "bob (withdrew)" in fresh.out("tournament", "standings", "cup")


def test_one_bot_takes_part(fresh: Terminal) -> None:
    with_bots(fresh, "alice")
    fresh.out("tournament", "new", "cup", *SMALL)

    said = fresh.out("tournament", "register", "t/cup", "bot/alice")

    assert said == "bot/alice takes part in t/cup, from the next round on\n"


def test_nobody_enters_twice_or_unknown_or_nameless(fresh: Terminal) -> None:
    with_bots(fresh, "alice")
    fresh.out("tournament", "new", "cup", *SMALL, "--bot", "alice")

    assert "registered already" in fresh.fails(2, "tournament", "register", "cup", "alice")
    assert "did you mean 'alice'?" in fresh.fails(3, "tournament", "register", "cup", "alcie")
    assert "--builtin" in fresh.fails(2, "tournament", "register", "cup")
    assert "did you mean 'alice'?" in fresh.fails(3, "tournament", "withdraw", "cup", "alcie")
    assert fresh.json("tournament", "withdraw", "cup", "alice")["entrants"][0]["active"] is False
    assert "withdrawn already" in fresh.fails(2, "tournament", "withdraw", "cup", "alice")


def test_a_tournament_with_too_few_entrants_does_not_start(fresh: Terminal) -> None:
    fresh.out("tournament", "new", "cup", *SMALL, "--builtin", "first:1")

    said = fresh.fails(2, "tournament", "start", "cup")

    assert "needs 2 active entrants, it has 1" in said


def test_a_started_tournament_can_be_paused(fresh: Terminal) -> None:
    fresh.out("tournament", "new", "cup", *SMALL, "--builtin", "first:2")

    assert "has started; play it with" in fresh.out("tournament", "start", "cup")
    assert "tournament resume cup" in fresh.out("tournament", "pause", "cup", "--reason", "lunch")
    shown = fresh.out("tournament", "show", "cup")
    assert "(t/cup): paused" in shown
    assert "paused because: lunch" in shown
    assert "it would have to be running" in fresh.fails(2, "tournament", "pause", "cup")


def test_a_paused_tournament_is_not_run_and_says_how_to_go_on(fresh: Terminal) -> None:
    fresh.out("tournament", "new", "cup", *SMALL, "--builtin", "first:2")
    fresh.out("tournament", "start", "cup")
    fresh.out("tournament", "pause", "cup", "--reason", "lunch")

    done = fresh.run("tournament", "run", "cup", "--port", "0")

    assert done.code == 4
    assert f"paused: lunch; go on with `keylore --league {fresh.league} tournament resume cup`" in done.err


@pytest.mark.slow
def test_a_paused_tournament_is_resumed_and_played_to_its_end(fresh: Terminal) -> None:
    fresh.out("tournament", "new", "cup", *SMALL, "--builtin", "first:2")
    fresh.out("tournament", "start", "cup")
    fresh.out("tournament", "pause", "cup")

    view = fresh.json("tournament", "resume", "cup", "--port", "0", "--parallel", "1", "--wait", "60")

    assert view["is_final"]
    assert [row["played"] for row in view["rows"]] == [2, 2]


def test_a_tournament_that_waits_says_for_what(fresh: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    """As an arbiter leaves it that was killed while a table was replayed."""
    fresh.out("tournament", "new", "cup", *SMALL, "--builtin", "first:2")
    aborted = AbortedMatch(match="m/cup/r1/t1", cause="power cut", next="m/cup/r1/t1/a2")
    with tournaments(Context(folder=fresh.league), "cup") as service:
        view = msgspec.structs.replace(
            service.show("cup"), round=1, waiting_for=("m/cup/r1/t1/a2",), aborted=(aborted,)
        )
    monkeypatch.setattr(TournamentService, "show", lambda *_: view)

    shown = fresh.out("tournament", "show", "cup")

    assert "waiting for m/cup/r1/t1/a2\n" in shown
    assert "m/cup/r1/t1 was aborted (power cut); m/cup/r1/t1/a2 is played instead" in shown


# --- reading --------------------------------------------------------------------------------------------


def test_tournaments_are_listed(here: Terminal) -> None:
    title, heads, row = here.out("tournament", "list").splitlines()

    assert (title, heads.split()) == (
        "Tournaments",
        ["name", "games", "status", "entrants", "round", "of", "winners"],
    )
    assert row.split() == ["cup", "keydom", "finished", "3", "2", "2", "first-1"]
    assert here.json("tournament", "list")[0]["winners"] == ["bot/first-1"]


def test_a_list_of_nothing_says_so(fresh: Terminal) -> None:
    fresh.out("bot", "new", "alice", "--no-file")

    assert "no tournaments yet" in fresh.out("tournament", "list")
    assert fresh.json("tournament", "list") == []


def test_a_misspelt_tournament_is_suggested_everywhere(here: Terminal) -> None:
    for verb in ("show", "standings", "pairings", "verify", "run", "resume", "start", "pause"):
        said = here.fails(3, "tournament", verb, "cub")
        assert said == (
            "keylore: there is no tournament 'cub'; did you mean 'cup'? "
            "`keylore tournament list` lists them [not_found]\n"
        )


def test_the_standings_show_points_and_all_that_decides(here: Terminal) -> None:
    title, heads, first, *_ = here.out("tournament", "standings", "cup").splitlines()

    assert title == "cup: final standings"
    assert heads.split("  ")[0] == "rank"
    assert first.split()[:3] == ["1", "first-1", "2"]
    data = here.json("tournament", "standings", "cup")
    assert data["rows"][0]["half_points"] == 4
    assert [name.replace("_", " ") for name in data["tie_breaks"]] == re.split(" {2,}", heads)[3:7]


def test_a_place_in_the_standings_is_explained(here: Terminal) -> None:
    text = here.out("tournament", "standings", "cup", "--why", "first-1")

    assert text.startswith("first-1 has rank 1\npoints 2: the sum of 1 (round 1 ")
    assert here.json("tournament", "standings", "cup", "--why", "first-1")["rank"] == 1
    assert "points 1: " in here.out("tournament", "standings", "cup", "--why", "first-1", "--round", "1")
    assert "did you mean 'first-1'?" in here.fails(3, "tournament", "standings", "cup", "--why", "frist-1")


def test_standings_are_those_after_any_event(here: Terminal) -> None:
    before = here.json("tournament", "standings", "cup", "--at", "2")

    assert [row["name"] for row in before["rows"]] == ["first-1"]
    assert "not 999" in here.fails(3, "tournament", "standings", "cup", "--at", "999")


def test_the_standings_can_be_those_after_an_earlier_round(here: Terminal) -> None:
    assert "standings after round 1 of 2" in here.out("tournament", "standings", "cup", "--round", "1")
    assert here.json("tournament", "standings", "cup", "--round", "0")["rows"][0]["half_points"] == 0
    assert "not 7" in here.fails(3, "tournament", "standings", "cup", "--round", "7")


def test_the_pairings_say_who_sat_where_and_why(here: Terminal) -> None:
    text = here.out("tournament", "pairings", "cup", "--round", "1")
    view = here.json("tournament", "pairings", "cup", "--round", "1")

    assert "t/cup: round 1 of 2" in text
    assert "m/cup/r1/t1" in text
    assert "bye: random-" in text
    assert "proved to be the best possible pairing" in text
    assert [seat["name"] for seat in view["tables"][0]["seats"]] == [
        line.split()[3] for line in text.splitlines()[2:4]
    ]
    assert "no round 3 yet" in here.fails(3, "tournament", "pairings", "cup", "--round", "3")


def test_no_line_in_a_pipe_ends_in_a_space(here: Terminal) -> None:
    for words in (["list"], ["standings", "cup"], ["pairings", "cup"], ["show", "cup"]):
        assert all(line == line.rstrip() for line in here.out("tournament", *words).splitlines())


def test_a_finished_tournament_that_is_run_again_shows_its_standings(here: Terminal) -> None:
    assert here.out("tournament", "run", "cup") == here.out("tournament", "standings", "cup")
    assert here.json("tournament", "run", "cup") == here.json("tournament", "standings", "cup")


def test_a_finished_tournament_takes_nobody_in(here: Terminal) -> None:
    assert "t/cup is finished" in here.fails(2, "tournament", "register", "cup", "first-1")


def test_a_tournament_is_verified(here: Terminal) -> None:
    assert "every pairing, every ruling, every result and all standings" in here.out(
        "tournament", "verify", "cup"
    )
    assert here.json("tournament", "verify", "cup") == {"tournament": "cup", "valid": True, "problems": []}


def test_a_forged_result_is_found(played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    forged = Terminal(copied(played, tmp_path / "forged"), capsys)
    forge(forged.league, "t/cup", b'"rank":2', b'"rank":1')

    assert "event 8 does not follow event 7" in forged.fails(1, "tournament", "verify", "cup")


def test_a_result_that_its_game_does_not_have_is_told(
    monkeypatch: pytest.MonkeyPatch, here: Terminal
) -> None:
    """A league that chains a lie properly; which lies are found, the audit's own tests say."""
    monkeypatch.setattr(TournamentService, "audit", lambda *_: ("m/cup/r1/t1: the winner lost",))

    done, as_json = here.run("tournament", "verify", "cup"), here.run("tournament", "verify", "cup", "--json")

    assert (done.code, done.out) == (1, "cup is wrong, first here:\n  m/cup/r1/t1: the winner lost\n")
    assert as_json.code == 1
    assert json.loads(as_json.out)["problems"] == ["m/cup/r1/t1: the winner lost"]
