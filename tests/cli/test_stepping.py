"""Stepping through a game with keys."""

from pathlib import Path

import click
import pytest

from tests.cli.running import Terminal

GAME = "m/cup/r1/t1"


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a person types, in order."""
    typed: list[str] = []

    def prompt(*_: object, **options: object) -> str:
        return typed.pop(0) or str(options["default"])

    monkeypatch.setattr(click, "prompt", prompt)
    return typed


@pytest.fixture
def here(played: Path, capsys: pytest.CaptureFixture[str]) -> Terminal:
    """A terminal, to the commands too."""
    return Terminal(played, capsys, interactive=True)


def shown(text: str) -> list[int]:
    """The numbers of the events that were shown, in order."""
    return [int(line[:5]) for line in text.splitlines() if line[:5].strip().isdigit() and "  ply " in line]


@pytest.mark.parametrize(
    ("typed", "events"),
    [
        (["n", "", "q"], [1, 2, 3]),
        (["n", "b", "q"], [1, 2, 1]),
        (["g 20", "n", "q"], [1, 20, 21]),
        (["g p3", "q"], [1, 5]),
        (["g 999", "g", "?", "n", "q"], [1, 2]),
    ],
)
def test_keys_move_through_the_game(
    typed: list[str], events: list[int], keys: list[str], here: Terminal
) -> None:
    keys += typed

    assert shown(here.out("game", "step", f"{GAME}/all")) == events


def test_an_address_says_where_to_begin(keys: list[str], here: Terminal) -> None:
    keys += ["q"]

    assert shown(here.out("game", "step", f"{GAME}@17/all")) == [17]


def test_both_ends_are_told(keys: list[str], here: Terminal) -> None:
    keys += ["b", "g end", "n", "q"]

    text = here.out("game", "step", f"{GAME}/all")

    assert "the game begins here" in text
    assert "the game ends here" in text


def test_the_view_and_the_reasons_are_shown(keys: list[str], here: Terminal) -> None:
    keys += ["v", "g 12", "v", "w", "q"]

    text = here.out("game", "step", GAME)

    assert "has no position at event 1" in text
    assert "market:" in text
    assert "[keydom §" in text


def test_an_unknown_key_shows_the_help(keys: list[str], here: Terminal) -> None:
    keys += ["what", "q"]

    assert here.out("game", "step", f"{GAME}/all").count("Enter or n: forward") == 2


def test_a_jump_to_nowhere_says_what_there_is(keys: list[str], here: Terminal) -> None:
    keys += ["g 999", "g x", "q"]

    text = here.out("game", "step", f"{GAME}/all")

    assert "has no event 999" in text
    assert "GAME@EVENT/SEAT" in text


@pytest.mark.parametrize("option", [["--all"], ["--from", "1"], ["--to", "36"]], ids=" ".join)
def test_with_a_range_nobody_is_asked(option: list[str], here: Terminal) -> None:
    assert shown(here.out("game", "step", f"{GAME}/all", *option))[-1] >= 36


def test_in_a_pipe_nobody_is_asked(here: Terminal) -> None:
    here.interactive = False

    assert len(shown(here.out("game", "step", f"{GAME}/all"))) > 30
