"""docs/chance.md tells the truth: its vectors, and its independent check in another language."""

import json
import re
import shutil
import subprocess
from itertools import islice
from pathlib import Path

import pytest

from keylore_domain.engine.chance import commitment, derive, match_seed, words
from keylore_domain.engine.keyhistory import chance_commitment
from keylore_domain.engine.shares import combined_seed, share_commitment
from tests.domain.engine.playing import BEACON, LiveMatch, sharing

TEXT = (Path(__file__).parents[3] / "docs" / "chance.md").read_text()
SEED = bytes(range(32))


def vector(what: str) -> str:
    (found,) = re.findall(rf"^\| {re.escape(what)} \| (.*) \|$", TEXT, re.MULTILINE)
    return str(found).strip("`")


def test_the_vectors_are_what_the_engine_draws() -> None:
    assert vector("commitment to the share of the arbiter") == commitment(SEED)
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


def test_the_vectors_are_how_the_engine_makes_seeds() -> None:
    match, one, two = "m/cup/r1/t2", "aa" * 32, "bb" * 32
    by_key = "by a chance key of these bytes"
    assert vector(f"share of `{match}` {by_key}") == match_seed(SEED, match).hex()
    assert vector("commitment to a chance key of these bytes") == chance_commitment(SEED)
    assert vector(f"commitment of seat 0 of `{match}` to `aa` x 32") == share_commitment(match, 0, one)
    assert vector(f"commitment of seat 2 of `{match}` to `bb` x 32") == share_commitment(match, 2, two)
    beacon = "beacon `cd` x 32 from `drand round 7`"
    made = combined_seed(match, SEED, (one, "", ""), BEACON).hex()
    assert vector(f"seed of `{match}`, three seats, seat 0 gave `aa` x 32, {beacon}") == made
    alone = combined_seed(match, SEED, ("", "", ""), None).hex()
    assert vector(f"seed of `{match}`, three seats that gave nothing, no beacon") == alone
    shared = combined_seed("cup/r1/g1", SEED, (), BEACON).hex()
    assert vector("seed of the deal `cup/r1/g1`, the same beacon") == shared


def said_by_javascript(ask: str) -> str:
    code = "".join(re.findall(r"```js\n(.*?)```", TEXT, re.DOTALL))
    done = subprocess.run(["node", "-e", code + ask], capture_output=True, text=True, check=True, timeout=60)
    return done.stdout


def records() -> list[LiveMatch]:
    plain, bare, silent = LiveMatch(), LiveMatch(beacon=BEACON), LiveMatch(shares=True)
    silent.begin()
    return [sharing(), plain.finish(), bare.finish(), silent.finish()]


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
def test_the_javascript_makes_the_same_seeds() -> None:
    made = records()
    events = [[state.decode() for _, _, state in live.rows] for live in made]

    ask = f"for (const one of {json.dumps(events)}) console.log(seedOf(one.map((line) => JSON.parse(line))));"
    seeds = [live.match.sealed.seed for live in made if live.match.sealed is not None]
    assert said_by_javascript(ask).split() == seeds
    assert len(set(seeds)) == len(made)


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
def test_the_javascript_finds_another_share_of_the_arbiter() -> None:
    events = [json.loads(state) for _, _, state in sharing().rows]
    events[-1]["share"] = "00" * 32

    with pytest.raises(subprocess.CalledProcessError) as failed:
        said_by_javascript(f"seedOf({json.dumps(events)});")
    assert "the arbiter's share" in failed.value.stderr


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
def test_the_javascript_draws_the_same() -> None:
    ask = """
    const seed = Buffer.from([...Array(32).keys()]);
    console.log(shuffle(words(seed, "deck.spells", 1), 24).join(" "));
    console.log([...Array(40).keys()].map((i) => below(words(seed, "roll.flag", i), 6n)).join(" "));
    """
    shuffled = derive(SEED, "deck.spells", 1, "shuffle", 24).values
    rolls = [derive(SEED, "roll.flag", index, "below", 6).values[0] for index in range(40)]
    assert said_by_javascript(ask).splitlines() == [" ".join(map(str, shuffled)), " ".join(map(str, rolls))]
