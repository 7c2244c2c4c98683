"""Several games in one tournament, ratings of entrants: from the command line to real games."""

import shlex
from pathlib import Path

import pytest

from tests.cli.running import Terminal
from tests.cli.test_tournaments import DATA, with_bots

GAMES = (
    *("--game", "keydom:round_cap=1,spells=false"),
    *("--game", "keyside:mats=mixed,time.move_ms=9000"),
    *("--table", "2", "--rounds", "2", "--seed", "x", "--pairing", "system=tables"),
)


@pytest.mark.slow
def test_rounds_of_two_games_are_played_over_the_wire(fresh: Terminal) -> None:
    fresh.out("tournament", "new", "cup", *GAMES, "--builtin", "first:2", "--builtin", "random:1")
    fresh.out("tournament", "run", "cup", "--port", "0")

    rounds = [fresh.json("tournament", "pairings", "cup", "--round", number) for number in ("1", "2")]
    assert [[table["plays"] for table in one["tables"]] for one in rounds] == [["keydom"], ["keyside"]]
    games = {one["id"]: one["game"] for one in fresh.json("game", "list")}
    assert games == {"m/cup/r1/t1": "keydom", "m/cup/r2/t1": "keyside"}
    assert fresh.json("tournament", "verify", "cup")["valid"]
    assert "2 of 2 games are valid" in fresh.out("game", "verify", "--all")
    assert [board["game"] for board in fresh.json("leaderboard")] == ["keydom", "keyside"]
    assert "round 2 of 2, keyside" in fresh.out("tournament", "pairings", "cup")
    assert "cup, keyside alone: final standings" in fresh.out(
        "tournament", "standings", "cup", "--game", "keyside"
    )
    assert "leave --game out" in fresh.fails(
        2, "tournament", "standings", "cup", "--game", "keyside", "--why", "first-1"
    )
    assert "Table 1 (keyside): m/cup/r2/t1" in fresh.out("tournament", "export", "cup", "--format", "html")
    assert "keydom, keyside" in fresh.out("tournament", "list")


@pytest.mark.slow
def test_the_games_of_a_table_are_shared_among_two(fresh: Terminal) -> None:
    base = ("--table", "2", "--rounds", "1", "--seed", "x", "--turns", "games", "--pairing", "games=2")
    games = ("--game", "keydom:round_cap=1", "--game", "keydom:round_cap=2")
    fresh.out("tournament", "new", "cup", *games, *base, "--builtin", "first:2")
    fresh.out("tournament", "run", "cup", "--port", "0")

    assert "each table plays all games in a round" in fresh.out("tournament", "show", "cup")
    assert fresh.json("tournament", "verify", "cup")["valid"]
    assert len(fresh.json("tournament", "pairings", "cup")["tables"]) == 2


def test_each_game_is_shown_with_its_options_and_its_time(fresh: Terminal) -> None:
    made = fresh.json("tournament", "new", "cup", *GAMES, "--bank-ms", "600000")

    (more,) = made["terms"]["more"]
    assert (more["game"], more["options"], len(made["data"])) == ("keyside", {"mats": "mixed"}, 2)
    assert (more["time"]["move_ms"], more["time"]["bank_ms"]) == (9000, 600000)
    shown = fresh.out("tournament", "show", "cup")
    assert "game     keydom, rules 1, options round cap 1, spells no\n" in shown
    assert "game     keyside, rules 1, options mats mixed\ntime     9 s a move, 600 s a game" in shown
    assert "turns    each round plays the next game, there and back\n" in shown


def test_the_command_makes_a_tournament_of_several_games_again(
    fresh: Terminal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    extra = ("--bank-ms", "600000", "--absence", "then=forfeit", "--rating", "first-1=1620")
    fresh.out("tournament", "new", "cup", *GAMES, *extra, "--builtin", "first:2", "--turns", "rounds")
    made = fresh.json("tournament", "show", "cup")

    _, _, _, *arguments = shlex.split(fresh.out("tournament", "show", "cup", "--command"))

    again = Terminal(tmp_path / "again", capsys)
    again.out(*arguments)
    copy = again.json("tournament", "show", "cup")
    assert (copy["terms"], copy["entrants"]) == (made["terms"], made["entrants"])


def test_a_game_may_bring_component_data_of_its_own(fresh: Terminal) -> None:
    made = fresh.json(
        "tournament", "new", "cup", "--game", "keyside", "--game", f"keydom:data={DATA}", "--table", "2",
        "--rounds", "2",
    )  # fmt: skip

    assert made["terms"]["more"][0]["data_text"] == DATA.read_text()
    assert "--game keydom:data=FILE" in fresh.out("tournament", "show", "cup", "--command")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--game", "keydom", "--game", "chess"], 3, ["no game 'chess'"]),
        (["--game", "keydom", "--game", "keysied:mats=basic"], 3, ["did you mean 'keyside'"]),
        (["--game", "keydom", "--game", "keyside:mats=best"], 2, ["'mats'", "basic, advanced"]),
        (["--game", "keydom", "--game", "keyside:mats"], 2, ["has no '='"]),
        (["--game", "keydom", "--game", "keyside:time.move=5"], 2, ["'move'", "move_ms"]),
        (["--game", "keydom", "--game", "keyside", "-o", "round_cap=3"], 2, ["behind each"]),
        (["--game", "keydom:time.move_ms=50"], 2, ["--move-ms"]),
        (["--game", "keydom", "--game", "keyside", "--turns", "games"], 2, ["'games'", "a multiple of 2"]),
        (["--game", "keydom", "--game", "keyside", "--scoring", "rule=game_score"], 2, ["do not compare"]),
        (["--game", "keydom", "--game", "keyside:data=none.yaml"], 3, ["none.yaml"]),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, list) else str(value),
)
def test_a_wrong_game_names_itself(
    arguments: list[str], code: int, words: list[str], fresh: Terminal
) -> None:
    said = fresh.fails(code, "tournament", "new", "cup", "--table", "2", "--rounds", "2", *arguments)

    assert all(word in said for word in words), said
    assert not fresh.league.exists() or fresh.json("tournament", "list") == []


def test_the_options_of_a_single_game_may_stand_behind_it(fresh: Terminal) -> None:
    base = ("--table", "2", "--rounds", "2")

    made = fresh.json("tournament", "new", "cup", "--game", "keydom:round_cap=1", "-o", "spells=false", *base)

    assert made["terms"]["options"] == {"round_cap": 1, "spells": False}


# --- ratings --------------------------------------------------------------------------------------------


def test_a_wrong_rating_is_refused(here: Terminal) -> None:
    said = here.fails(2, "tournament", "register", "cup", "first-1", "--rating", "frist-1=1500")
    assert "of no bot that enters" in said
    assert "no points" in here.fails(2, "tournament", "register", "cup", "first-1", "--rating", "first-1=x")


def test_ratings_stand_beside_the_entrants(fresh: Terminal) -> None:
    with_bots(fresh, "alice", "bob")
    fresh.out("tournament", "new", "cup", *GAMES, "--bot", "alice", "--rating", "alice=1620")
    fresh.out("tournament", "register", "cup", "bob", "--rated")

    assert [one["rating"] for one in fresh.json("tournament", "show", "cup")["entrants"]] == [1620, 0]
    assert "alice    1620  -       yes" in fresh.out("tournament", "show", "cup")


def test_the_leaderboard_rates_the_entrants_of_the_next_tournament(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from tests.cli.test_tournaments import copied

    league = Terminal(copied(played, tmp_path / "copy"), capsys)
    points = {row["name"]: row["rating"]["points"] for row in league.json("leaderboard")[0]["rows"]}

    made = league.json(
        "tournament", "new", "next", "--game", "keydom", "--table", "2", "--rounds", "1", "--rated",
        "--builtin", "first:1", "--bot", "random-1", "--rating", "random-1=1234",
    )  # fmt: skip

    assert [one["rating"] for one in made["entrants"]] == [points["first-1"], 1234]
