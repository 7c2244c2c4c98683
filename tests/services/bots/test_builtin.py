"""The built-in bots."""

import sys
from types import ModuleType
from typing import Any

import pytest

from keylore_domain.errors import NotFoundError
from keylore_services.bots import Prompt, Table, builtin


def prompt(
    number: int = 1, match: str = "m/1", legal: int = 4, game: str = "toy", default: int = 2
) -> Prompt:
    moves = [{"value": value * 7 % 5} for value in range(legal)]
    table = Table(match=match, seat=0, game=game)
    return Prompt(
        match=match, number=number, seat=0, kind="k", view={}, legal=moves, default=default, table=table
    )


@pytest.fixture(autouse=True)
def no_memory() -> None:
    builtin.heuristic.cache_clear()


def heuristics(monkeypatch: pytest.MonkeyPatch, game: str, score: Any) -> None:
    module = ModuleType(f"keylore_services.bots.heuristics.{game}")
    module.score = score  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)


def test_first_plays_the_first_move() -> None:
    assert builtin.make("first").choose(prompt()) == 0


def test_random_plays_the_same_again_after_a_restart() -> None:
    prompts = [prompt(number, match) for number in range(50) for match in ("m/1", "m/2")]
    bot, restarted = builtin.make("random", 7), builtin.make("random", "7")

    played = [bot.choose(item) for item in prompts]

    assert played == [restarted.choose(item) for item in reversed(prompts)][::-1]
    assert set(played) == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("seed", "match", "number"), [(8, "m/1", range(40)), (7, "m/2", range(40)), (7, "m/1", range(1, 41))]
)
def test_random_depends_on_seed_match_and_prompt(seed: int, match: str, number: range) -> None:
    usual = [builtin.make("random", 7).choose(prompt(item)) for item in range(40)]

    assert usual != [builtin.make("random", seed).choose(prompt(item, match)) for item in number]


def test_greedy_plays_the_highest_score_and_the_first_of_equals(monkeypatch: pytest.MonkeyPatch) -> None:
    heuristics(monkeypatch, "toy", lambda view, kind, context, seat, move: move["value"])
    (best,) = {builtin.make("greedy").choose(prompt(legal=legal)) for legal in (4, 5, 9)}

    assert prompt(legal=9).legal == [{"value": value} for value in (0, 2, 4, 1, 3, 0, 2, 4, 1)]
    assert best == 2


def test_greedy_gives_the_heuristic_what_the_seat_was_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def score(*given: Any) -> int:
        seen.append(given)
        return 0

    heuristics(monkeypatch, "toy_game", score)
    builtin.make("greedy").choose(prompt(game="toy-game", legal=2))

    assert seen == [({}, "k", None, 0, {"value": 0}), ({}, "k", None, 0, {"value": 2})]


@pytest.mark.parametrize("game", ["unheard_of", "../etc", "os.path", ""])
def test_greedy_plays_the_default_in_a_game_without_heuristics(game: str) -> None:
    assert builtin.make("greedy").choose(prompt(game=game)) == 2


def test_a_heuristic_that_cannot_be_imported_is_no_missing_heuristic(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(_: str) -> None:
        raise ModuleNotFoundError(name="numpy")

    monkeypatch.setattr(builtin, "import_module", fail)
    with pytest.raises(ModuleNotFoundError):
        builtin.heuristic("toy")


def test_an_unknown_name_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(
        NotFoundError, match="no built-in bot 'alphago'; built-in bots: random, first, greedy"
    ):
        builtin.make("alphago")


def test_the_built_in_bots_need_no_thread() -> None:
    assert all(builtin.make(name).inline for name in builtin.names())
