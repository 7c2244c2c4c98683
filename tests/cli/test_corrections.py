"""Rulings from the command line."""

import shutil
from pathlib import Path

import pytest

from tests.cli.running import SMALL, Terminal

WHY = ("--reason", "two accounts", "--by", "op/ada", "--ground", "dispute/7")


@pytest.fixture
def there(played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Terminal:
    """A terminal in a copy of the played league, which may be changed."""
    return Terminal(Path(shutil.copytree(played, tmp_path / "copy")), capsys)


def names(terminal: Terminal) -> tuple[str, str]:
    first, second = terminal.json("tournament", "pairings", "cup", "--round", "1")["tables"][0]["seats"]
    return first["name"], second["name"]


def test_an_override_is_tried_then_stored_and_shown_beside_the_original(there: Terminal) -> None:
    one, other = names(there)
    ranks = {row["name"]: row["rank"] for row in there.json("tournament", "standings", "cup")["rows"]}
    winner = one if ranks[one] < ranks[other] else other
    call = ("tournament", "override", "cup", "r1/t1", "--forfeit", winner, *WHY)

    tried = there.out(*call, "--dry-run")
    assert {row["name"]: row["rank"] for row in there.json("tournament", "standings", "cup")["rows"]} == ranks
    done = there.out(*call)

    assert tried.splitlines()[1] == "tried only: nothing was stored"
    assert done.splitlines()[1].startswith("stored as event ")
    assert tried.splitlines()[2:] == done.splitlines()[2:]
    assert "who moves in the standings" in done
    assert "paired on what counted before, and left as they are: rounds 2" in done
    assert "next pairing: no round follows" in done
    event = int(done.splitlines()[1].split()[3])
    shown = there.out("tournament", "pairings", "cup", "--round", "1")
    assert f"table 1 counts as ruled by op/ada (event {event}): two accounts; as played: 1. " in shown
    before = there.out("tournament", "pairings", "cup", "--round", "1", "--at", str(event - 1))
    assert "ruled" not in before
    listed = there.out("tournament", "show", "cup")
    assert f"ruled (event {event}) by op/ada, on dispute/7: m/cup/r1/t1: forfeited by {winner} (" in listed
    assert "; because two accounts" in listed
    assert there.json("tournament", "verify", "cup")["valid"]


def test_places_and_scores_are_ruled_for_each_bot(there: Terminal) -> None:
    one, other = names(there)

    view = there.json(
        *("tournament", "override", "cup", "r1/t1", *WHY),
        *("--place", f"{one}=1", "--place", f"{other}=1", "--score", f"{one}=5"),
    )

    seats = there.json("tournament", "pairings", "cup", "--round", "1")["tables"][0]["seats"]
    assert ([seat["rank"] for seat in seats], seats[0]["score"]) == ([1, 1], 5)
    assert (view["by"], view["ground"], view["stored"]) == ("op/ada", "dispute/7", True)


def test_a_void_game_and_the_original_again(there: Terminal) -> None:
    before = there.json("tournament", "standings", "cup")["rows"]

    there.out("tournament", "override", "cup", "r1/t1", "--void", *WHY)
    assert "table 1 does not count by op/ada" in there.out("tournament", "pairings", "cup", "--round", "1")
    there.out("tournament", "override", "cup", "r1/t1", "--original", "--reason", "appeal")

    assert there.json("tournament", "standings", "cup")["rows"] == before
    assert "table 1 counts as played by " in there.out("tournament", "pairings", "cup", "--round", "1")


def test_a_ruling_that_says_nothing_or_too_much_is_refused(there: Terminal) -> None:
    one, _ = names(there)
    call = ("tournament", "override", "cup", "r1/t1")

    assert "say what counts" in there.fails(2, *call, *WHY)
    assert "only one of these" in there.fails(2, *call, *WHY, "--void", "--original")
    assert "--score goes with --place" in there.fails(2, *call, *WHY, "--void", "--score", "x=1")
    assert "expected BOT=NUMBER" in there.fails(2, *call, *WHY, "--place", f"{one}=first")
    assert "Missing option '--reason'" in there.fails(2, *call, "--void")
    assert "option 'reason': is empty" in there.fails(2, *call, "--void", "--reason", " ")
    assert "option 'places': " in there.fails(2, *call, *WHY, "--place", f"{one}=1")
    assert "has no round 9" in there.fails(3, "tournament", "override", "cup", "r9/t1", "--void", *WHY)
    assert "did you mean 'cup'" in there.fails(3, "tournament", "override", "cub", "r1/t1", "--void", *WHY)


def test_who_is_removed_is_shown_last(there: Terminal) -> None:
    winner = there.json("tournament", "standings", "cup")["rows"][0]["name"]

    tried = there.out("tournament", "remove", "cup", winner, *WHY, "--dry-run")
    there.out("tournament", "remove", "cup", winner, *WHY, "--results", "keep")

    assert f"{winner} was removed; the games that it has played stay" in tried
    assert there.out("tournament", "standings", "cup").splitlines()[-1].split()[1:3] == [winner, "(removed)"]
    assert "removed" in there.out("tournament", "show", "cup")
    assert "was removed already" in there.fails(2, "tournament", "remove", "cup", winner, *WHY)


def test_nobody_moves_who_is_alone(fresh: Terminal) -> None:
    fresh.out("tournament", "new", "cup", *SMALL, "--builtin", "first:1")

    assert "nobody moves in the standings" in fresh.out("tournament", "remove", "cup", "first-1", *WHY)


def test_a_round_is_arranged_before_it_begins(fresh: Terminal) -> None:
    fresh.out("tournament", "new", "cup", *SMALL, "--builtin", "first:7")
    fresh.out("tournament", "start", "cup")
    assert "it would have to be paused" in fresh.fails(2, "tournament", "re-pair", "cup", *WHY)
    fresh.out("tournament", "pause", "cup")
    (given,) = fresh.json("tournament", "re-pair", "cup", *WHY, "--dry-run")["next_round"]["before"]["byes"]
    wanted = "first-1" if given != "bot/first-1" else "first-2"

    said = fresh.out("tournament", "re-pair", "cup", "--bye", wanted, *WHY)

    assert f"round 1 was paired again, with a bye by ruling for {wanted}" in said
    assert f"  bye: {given.removeprefix('bot/')}\nround 1 after:" in said
    assert said.endswith(f"  bye: {wanted}\n")
    again = fresh.out("tournament", "re-pair", "cup", "--bye", wanted, *WHY)
    assert "round 1 is paired as without it" in again
    refused = fresh.fails(2, "tournament", "re-pair", "cup", "--bye", "first-1", "--bye", "first-2", *WHY)
    assert "confirm 3 byes" in refused
    fresh.out(
        *("tournament", "re-pair", "cup", "--bye", "first-1", "--bye", "first-2", "--confirm-byes", "3"),
        *WHY,
    )
    assert len(fresh.json("tournament", "pairings", "cup")["byes"]) == 3


# --- certificates ---------------------------------------------------------------------------------------


def test_a_round_says_why_for_everybody(here: Terminal) -> None:
    text = here.out("tournament", "pairings", "cup", "--why", "--round", "1")
    data = here.json("tournament", "pairings", "cup", "--why", "--round", "1")

    assert text.startswith("It holds:\n  everybody who takes part has exactly one place\n")
    assert "\n  byes: 1, the least possible\n" in text
    assert "\nfirst-1 (0) sits at table 1 with random-" in text or "\nfirst-1 (0) has a bye: 3 entr" in text
    assert len(data["entrants"]) == 3
    assert [one["name"] for one in data["certificate"]["criteria"]][:2] == ["byes", "odd_tables"]
    assert "no round 3 yet" in here.fails(3, "tournament", "pairings", "cup", "--why", "--round", "3")
