"""Bots from files."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import keylore_services.bots
from keylore_domain.errors import KeyloreError, NotFoundError, OptionError
from keylore_services.bots import Bot, Prompt, Table, builtin, loading

HEAD = "from keylore_services.bots import Bot, run\n\n"
ALICE = "class Alice(Bot):\n    def choose(self, prompt):\n        return prompt.default\n\n"
BOB = ALICE.replace("Alice", "Bob")
PROMPT = Prompt(
    match="m/1",
    number=1,
    seat=0,
    kind="k",
    view={},
    legal=[{}, {}],
    default=1,
    table=Table(match="m/1", seat=0, game="toy"),
)


@pytest.fixture(autouse=True)
def clean_imports() -> Iterator[None]:
    path, modules = list(sys.path), set(sys.modules)
    yield
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        del sys.modules[name]


def written(folder: Path, text: str, name: str = "mine.py") -> str:
    (folder / name).write_text(text)
    return str(folder / name)


def test_the_one_bot_of_a_file_is_found(tmp_path: Path) -> None:
    kind = loading.load(written(tmp_path, HEAD + ALICE))

    assert (kind.__name__, kind().choose(PROMPT)) == ("Alice", 1)


def test_one_bot_of_several_is_named(tmp_path: Path) -> None:
    file = written(tmp_path, HEAD + ALICE + BOB)

    assert loading.load(f"{file}:Bob").__name__ == "Bob"


def test_imported_abstract_and_renamed_bots_do_not_count(tmp_path: Path) -> None:
    written(tmp_path, HEAD + BOB, "base.py")
    text = HEAD + "from base import Bob\n\nclass Half(Bot):\n    pass\n\n" + ALICE + "Best = Alice\n"

    assert loading.load(written(tmp_path, text)).__name__ == "Alice"


def test_a_file_that_ends_in_run_is_loaded_without_running(tmp_path: Path) -> None:
    text = HEAD + ALICE + "print(run(Alice(), server='nowhere:1', token='x').matches)\n"

    assert loading.load(written(tmp_path, text)).__name__ == "Alice"


@pytest.mark.parametrize(
    ("text", "name", "error", "problem"),
    [
        (HEAD, "", OptionError, "has no class derived from Bot; allowed: a file with `class MyBot"),
        (HEAD + ALICE + BOB, "", OptionError, r"has 2 bots; allowed: .*mine.py:Alice or .*mine.py:Bob"),
        (HEAD + ALICE, ":Carol", NotFoundError, "has no bot class 'Carol'; bot classes in it: Alice"),
        (HEAD, ":Carol", NotFoundError, "bot classes in it: none"),
        (HEAD + "def f(:\n", "", OptionError, r"cannot be imported: SyntaxError: .* \(line 3\)"),
        (HEAD + "import nothing_here\n", "", OptionError, r"No module named 'nothing_here' \(line 3\)"),
        (HEAD + "import sys\nsys.exit(4)\n", "", OptionError, r"SystemExit: 4 \(line 4\)"),
    ],
)
def test_a_file_that_is_no_bot_is_refused_with_what_is_wrong(
    tmp_path: Path, text: str, name: str, error: type[KeyloreError], problem: str
) -> None:
    with pytest.raises(error, match=problem):
        loading.load(written(tmp_path, text) + name)


def test_a_file_that_is_not_there_is_refused() -> None:
    with pytest.raises(NotFoundError, match=r"no file 'nowhere/mine\.py'"):
        loading.bot("nowhere/mine.py")


def test_a_file_that_is_not_python_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="not a Python file"):
        loading.load(written(tmp_path, "", "mine.txt"))


def test_a_bot_is_meant_by_name_or_by_file(tmp_path: Path) -> None:
    mine = loading.bot(written(tmp_path, HEAD + ALICE))
    dice = loading.bot("random", 3)

    assert type(mine).__name__ == "Alice"
    assert dice.choose(PROMPT) == builtin.make("random", 3).choose(PROMPT)


def test_an_unknown_bot_is_refused_with_what_may_be_given() -> None:
    with pytest.raises(
        NotFoundError, match=r"no bot 'alphago'; give a built-in bot \(random, first, greedy\), FILE"
    ):
        loading.bot("alphago")


def test_a_bot_that_wants_arguments_is_refused(tmp_path: Path) -> None:
    text = HEAD + ALICE + "    def __init__(self, depth):\n        pass\n"

    with pytest.raises(OptionError, match=r"Alice\(\) fails: TypeError: .*'depth'.*; allowed: no arguments"):
        loading.bot(written(tmp_path, text))


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("alice", "Alice"),
        ("my-bot 2", "MyBot2"),
        ("2fast", "My2fast"),
        ("bot", "MyBot"),
        ("none", "MyNone"),
        ("é", "My"),
    ],
)
def test_a_starter_is_a_bot_that_works(tmp_path: Path, name: str, title: str) -> None:
    text = loading.starter(name)
    bot = loading.bot(written(tmp_path, text))

    assert (type(bot).__name__, bot.choose(PROMPT)) == (title, 1)
    assert isinstance(bot, Bot)
    assert ast.get_docstring(ast.parse(text), clean=False) is not None
    assert max(len(line) for line in text.splitlines()) <= 110


def test_the_package_gives_what_it_promises_and_no_more() -> None:
    for name in keylore_services.bots.__all__:
        assert getattr(keylore_services.bots, name).__name__ == name
    with pytest.raises(AttributeError, match="has no attribute 'alphago'"):
        _ = keylore_services.bots.alphago
