"""Leaderboards, comparisons, exports, and the requests of entrants."""

import json
from pathlib import Path

import msgspec
import pytest

from keylore_cli.exchange_text import print_event
from keylore_services.tournament.exchange.trf_checking import RoundCheck
from keylore_services.tournament.exchange.trf_reading import read_trf
from tests.cli.running import SMALL, Terminal
from tests.cli.test_tournaments import with_bots

TRF = Path(__file__).parents[1] / "services/tournament/exchange/data"


# --- strength -------------------------------------------------------------------------------------------


def test_the_leaderboard_rates_all_bots_with_intervals(here: Terminal) -> None:
    title, heads, first, *others = here.out("leaderboard").splitlines()

    assert title == "keydom, tables of all sizes: 2 tables in 1 tournament"
    assert heads.split("  ")[0] == "rank"
    rank, name, points, low, high, tables, firsts = first.split()
    assert (rank, name, tables, firsts) == ("1", "first-1", "2", "2")
    assert int(low) < 1500 < int(points) < int(high)
    assert len(others) == 2


def test_boards_are_chosen_by_game_and_table_size(here: Terminal) -> None:
    assert [board["table_size"] for board in here.json("leaderboard")] == [0]
    assert [board["table_size"] for board in here.json("leaderboard", "--sizes")] == [0, 2]
    assert [board["table_size"] for board in here.json("leaderboard", "--seats", "2")] == [2]
    assert here.json("leaderboard", "--game", "keyside") == []
    assert "no results yet" in here.out("leaderboard", "--game", "keyside")
    assert "did you mean 'keyside'" in here.fails(3, "leaderboard", "--game", "keysied")
    assert len(here.out("leaderboard", "--sizes").split("\n\n")) == 2


def test_the_advantage_of_a_seat_is_told_on_request(here: Terminal) -> None:
    assert here.json("leaderboard", "--effects")[0]["seats"][0]["seat"] == 1
    assert "at tables of 2, seat 1 against seat 0: " in here.out("leaderboard", "--effects")


def test_a_bot_is_compared_with_all_whom_it_met(here: Terminal) -> None:
    text, data = here.out("compare", "first-1"), here.json("compare", "first-1")

    assert text.startswith("first-1 against all others: 2 tables in t/cup\nahead of them 2, among them 0")
    assert "test          open between 0 and 20: more games are needed" in text
    assert (data["tables"], data["ahead"], data["against"]) == (2, 2, None)
    assert data["hypotheses"] == {"elo0": 0.0, "elo1": 20.0, "alpha": 0.05, "beta": 0.05}


def test_a_bot_is_compared_with_one_other_in_chosen_tournaments_and_games(here: Terminal) -> None:
    found = here.json("compare", "first-1", "random-1", "--tournament", "cup", "--game", "keydom")

    assert (found["tables"], found["against"], found["tournaments"]) == (1, "bot/random-1", ["t/cup"])
    assert "; scores:" not in here.out("compare", "first-1", "random-1")
    assert here.json("compare", "first-1", "--game", "keyside")["tables"] == 0


def test_a_comparison_that_cannot_be_made_is_refused(here: Terminal) -> None:
    assert "did you mean 'first-1'?" in here.fails(3, "compare", "frist-1")
    assert "did you mean 'cup'?" in here.fails(3, "compare", "first-1", "--tournament", "cub")
    assert "elo1" in here.fails(2, "compare", "first-1", "--elo1", "-5")
    assert "cannot be compared with itself" in here.fails(2, "compare", "first-1", "first-1")


# --- files ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ("csv", "rank,number,bot,name,"),
        ("csv-results", "1,1,keydom,m/cup/r1/t1,1,"),
        ("json", '"schema": "keylore.tournament-report/1"'),
        ("markdown", "## Standings"),
        ("html", "<!DOCTYPE html>"),
        ("trf16", "012 cup"),
        ("trf26", "142 2"),
    ],
)
def test_a_tournament_is_exported(form: str, words: str, here: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "cup"

    printed = here.out("tournament", "export", "cup", "--format", form)
    done = here.run("tournament", "export", "cup", "--format", form, "-o", str(file))

    assert words in printed
    assert (done.code, done.out, done.err) == (0, "", f"wrote {file}\n")
    assert file.read_text() == printed


def test_an_export_can_be_that_after_an_earlier_round_or_event(here: Terminal) -> None:
    early = json.loads(here.out("tournament", "export", "cup", "--format", "json", "--round", "1"))
    first = json.loads(here.out("tournament", "export", "cup", "--format", "json", "--at", "2"))

    assert (early["rounds"], early["is_final"]) == (1, False)
    assert [line["name"] for line in first["lines"]] == ["first-1"]


def test_what_a_format_cannot_say_is_refused(fresh: Terminal) -> None:
    fresh.out("tournament", "new", "cup", "--game", "keydom", "--table", "3", "--rounds", "1")

    assert "has tables of 3" in fresh.fails(2, "tournament", "export", "cup", "--format", "trf26")


def test_a_report_file_is_read_and_its_pairings_are_checked(fresh: Terminal) -> None:
    """A file of bbpPairings; without the extra `fide`, only the rules are checked."""
    text = fresh.out("tournament", "trf", str(TRF / "t095.trf"))
    data = fresh.json("tournament", "trf", str(TRF / "t095.trf"))

    assert text.startswith("AutoTest Tournament 1095: standings after round 6 of 6")
    assert text.count(" the FIDE Dutch System") == 6
    assert [one["problems"] for one in data["rounds"]] == [[]] * 6
    assert data["standings"][0]["points"] == "5"


def test_notes_and_every_kind_of_round_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    event = msgspec.structs.replace(read_trf((TRF / "t095.trf").read_text()), notes=("left out",))
    checks = [
        RoundCheck(round=1, problems=("one", "other"), is_the_round=False),
        RoundCheck(round=2, problems=(), is_the_round=None),
        RoundCheck(round=3, problems=(), is_the_round=True),
        RoundCheck(round=4, problems=(), is_the_round=False),
    ]

    print_event(event, checks)

    assert capsys.readouterr().out.splitlines()[-5:] == [
        "note: left out",
        "round 1: one; other",
        "round 2: breaks no rule of the FIDE Dutch System",
        "round 3: is the round that the FIDE Dutch System of 2026 gives",
        "round 4: breaks no absolute rule, but the FIDE Dutch System of 2026 gives another round",
    ]


def test_a_round_against_the_rules_is_found(fresh: Terminal, tmp_path: Path) -> None:
    """Alice and Bob meet twice."""
    wrong = tmp_path / "wrong.trf"
    line = "001 {:>4}      {:<33} {:>4}{:>28}{:>4} {:>4}  {}"
    rounds = ("   2 w 1     2 b 1", "   1 b 0     1 w 0")
    wrong.write_text(
        "012 Wrong\n"
        + "\n".join(
            line.format(at, name, 1500, "", points, at, rounds[at - 1])
            for at, name, points in ((1, "Alice", "2.0"), (2, "Bob", "0.0"))
        )
        + "\n"
    )

    done = fresh.run("tournament", "trf", str(wrong))

    assert done.code == 1
    assert "round 2: Bob (2) and Alice (1) have played each other" in done.out


def test_a_report_file_becomes_a_report_to_print(fresh: Terminal, tmp_path: Path) -> None:
    page = tmp_path / "page.html"

    fresh.out("tournament", "trf", str(TRF / "t155.trf"), "--format", "html", "-o", str(page))

    assert page.read_text().startswith("<!DOCTYPE html>")


def test_a_file_that_is_no_report_is_refused_with_its_line(fresh: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "none.trf"
    file.write_text("001    x\n")

    assert "line 1" in fresh.fails(2, "tournament", "trf", str(file))


# --- requests and rulings -------------------------------------------------------------------------------


def test_a_bye_is_asked_for_and_taken_back(fresh: Terminal) -> None:
    with_bots(fresh, "alice")
    fresh.out("tournament", "new", "cup", *SMALL, "--bot", "alice")
    bye = ("tournament", "bye", "cup", "alice", "--round")

    assert "may not be" not in fresh.out(*bye, "1", "--points", "half", "--reason", "ill")
    assert fresh.out(*bye, "1", "--points", "none") == "alice plays after all in round 1 of cup\n"
    assert fresh.out(*bye, "2", "--points", "zero") == "alice does not play, for nothing in round 2 of cup\n"
    assert "no bye is worth half a win" in fresh.fails(2, *bye, "2", "--points", "half")
    assert "asked for no bye in round 1" in fresh.fails(2, *bye, "1", "--points", "none")
    assert fresh.json(*bye, "1", "--points", "zero")["name"] == "cup"


def test_two_bots_are_kept_apart_by_a_ruling(fresh: Terminal) -> None:
    with_bots(fresh, "alice", "bob")
    fresh.out("tournament", "new", "cup", *SMALL, "--bot", "alice", "--bot", "bob")
    meeting = ("tournament", "meeting", "cup", "alice")

    apart = fresh.out(*meeting, "bob", "--rule", "apart", "--reason", "one author")
    assert apart == "alice and bob are kept apart in cup, from the next round on\n"
    assert (
        fresh.out(*meeting, "bob", "--rule", "allow")
        == "alice and bob may meet in cup, from the next round on\n"
    )
    assert fresh.json(*meeting, "bob", "--rule", "apart")["id"] == "t/cup"
    assert "cannot meet itself" in fresh.fails(2, *meeting, "alice", "--rule", "apart")
    assert "--rule" in fresh.fails(2, *meeting, "bob")


def test_a_ladder_is_ended_by_its_organiser(fresh: Terminal) -> None:
    ladder = ("--game", "keydom", "--table", "2", "--format", "ladder")
    made = fresh.out("tournament", "new", "summer", *ladder, "--builtin", "first:2")
    assert "rounds without end, 2 entrants" in made
    fresh.out("tournament", "start", "summer")

    assert fresh.out("tournament", "finish", "summer").startswith("summer is finished; ")
    assert fresh.json("tournament", "show", "summer")["status"] == "finished"


def test_what_ends_by_itself_is_not_ended_early(fresh: Terminal) -> None:
    fresh.out("tournament", "new", "cup", *SMALL, "--builtin", "first:2")
    fresh.out("tournament", "start", "cup")

    assert "has rounds left" in fresh.fails(2, "tournament", "finish", "cup")


@pytest.mark.parametrize(
    ("form", "rounds", "shown"),
    [("round_robin", 5, "5 rounds"), ("knockout", 3, "3 rounds"), ("gauntlet", 4, "4 rounds")],
)
def test_rounds_that_follow_from_the_entrants_are_shown(
    form: str, rounds: int, shown: str, fresh: Terminal
) -> None:
    base = ("--game", "keydom", "--table", "2", "--format", form)
    made = fresh.out("tournament", "new", "cup", *base, "--builtin", "first:5")

    assert f"{shown} with these entrants" in made
    assert f"format   {form.replace('_', ' ')}, {shown} with these entrants" in fresh.out(
        "tournament", "show", "cup"
    )
    assert fresh.json("tournament", "show", "cup")["rounds"] == rounds
    assert fresh.json("tournament", "list")[0]["rounds"] == rounds
    assert "--rounds" not in fresh.out("tournament", "show", "cup", "--command").split()


def test_all_terms_are_listed_with_what_they_may_be(fresh: Terminal) -> None:
    text, data = fresh.out("tournament", "terms"), fresh.json("tournament", "terms")

    assert "rule      rank_points, win_draw_loss, table_share or game_score  rank_points\n" in text
    assert "apart         a list, each [a text, a text]  []\n" in text
    assert "then     play, forfeit or withdraw" in text
    assert {"key": "games", "allowed": "1 to 24", "default": "1"} in data["pairing"]
    assert data["tie_breaks"]["default"] == ["head_to_head", "opponents_mean", "first_places", "score"]
    assert "lot" in data["tie_breaks"]["allowed"]
