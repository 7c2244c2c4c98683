"""docs/chance.md tells the truth: its vectors, and its independent check in another language."""

import re
import shutil
import subprocess
from itertools import islice
from pathlib import Path

import pytest

from keylore_domain.engine.chance import commitment, derive, words

TEXT = (Path(__file__).parents[3] / "docs" / "chance.md").read_text()
SEED = bytes(range(32))


def vector(what: str) -> str:
    (found,) = re.findall(rf"^\| {re.escape(what)} \| (.*) \|$", TEXT, re.MULTILINE)
    return str(found).strip("`")


def test_the_vectors_are_what_the_engine_draws() -> None:
    assert vector("commitment") == commitment(SEED)
    first = " ".join(f"{word:016x}" for word in islice(words(SEED, "deck.spells", 0), 4))
    assert vector("first four words of `deck.spells`, index 0") == first
    for index in (0, 1):
        drawn = derive(SEED, "deck.spells", index, "shuffle", 8).values
        assert vector(f"`deck.spells`, index {index}, shuffle 8") == " ".join(map(str, drawn))
    rolls = [derive(SEED, "roll.flag", index, "below", 6).values[0] for index in range(12)]
    assert vector("`roll.flag`, index 0 to 11, below 6") == " ".join(map(str, rolls))
    assert vector("`roll.flag`, index 0, below 10^18") == str(
        derive(SEED, "roll.flag", 0, "below", 10**18).values[0]
    )


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
def test_the_javascript_draws_the_same() -> None:
    (code,) = re.findall(r"```js\n(.*?)```", TEXT, re.DOTALL)
    ask = """
    const seed = Buffer.from([...Array(32).keys()]);
    console.log(shuffle(words(seed, "deck.spells", 1), 24).join(" "));
    console.log([...Array(40).keys()].map((i) => below(words(seed, "roll.flag", i), 6n)).join(" "));
    """
    done = subprocess.run(["node", "-e", code + ask], capture_output=True, text=True, check=True, timeout=60)
    shuffled = derive(SEED, "deck.spells", 1, "shuffle", 24).values
    rolls = [derive(SEED, "roll.flag", index, "below", 6).values[0] for index in range(40)]
    assert done.stdout.splitlines() == [" ".join(map(str, shuffled)), " ".join(map(str, rolls))]
