"""The ruling-change drill: fifty games of Keydom are stored, then the league plans a ruling."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from keylore_domain import catalog
from keylore_domain.engine.clocks import TimeControl, reading
from keylore_domain.engine.encoding import canonical_json, sha256_hex
from keylore_domain.engine.events import SeatEntry
from keylore_domain.engine.matches import Match, Secrets
from keylore_services.arbiter.keys import KeyRing
from keylore_services.ledger.ledger import Ledger, open_ledger
from tests.cli.running import Terminal

GAMES = 50
RUNNING = "m/running"

NO_PASS = '''\
"""A ruling: of four or more placements, the last one in the list is forbidden."""

from typing import ClassVar

import msgspec

from keylore_domain.games.keydom.rules import Keydom


class Ruled(Keydom):
    rules: ClassVar[str] = "planned"

    def prompts(self, state):
        return tuple(_ruled(prompt) for prompt in super().prompts(state))


def _ruled(prompt):
    if prompt.kind != KIND or len(prompt.legal) < 4:
        return prompt
    return msgspec.structs.replace(prompt, legal=prompt.legal[:-1], default=0)
'''


class Played:
    """A match that is played at random, the last legal move only if *bold*."""

    def __init__(self, number: int, keys: KeyRing, *, bold: bool, match_id: str = "") -> None:
        self.at = 1_800_000_000_000_000 + number * 1_000_000
        self.chance = Random(number)
        self.bold = bold
        self.planted = 0
        match_id = match_id or f"m/game-{number}"
        self.secrets = Secrets(keys.match_seed(match_id), keys)
        self.match = Match.open(
            match_id,
            catalog.game,
            self.secrets,
            at=self.at,
            game="keydom",
            engine="1",
            options={"round_cap": 1},
            seats=(SeatEntry("bot/a", "a"), SeatEntry("bot/b", "b")),
            time=TimeControl(),
        )

    def play(self, moves: int = 10_000) -> "Played":
        while not self.match.is_over and moves:
            self._move()
            moves -= 1
        return self

    def _move(self) -> None:
        match = self.match
        item = match.live_position.open[0]
        prompt = item.prompt
        is_ruled = prompt.kind == KIND and len(prompt.legal) >= 4
        choice = self.chance.randrange(len(prompt.legal) - (is_ruled and not self.bold))
        if is_ruled and self.bold:
            choice = len(prompt.legal) - 1
            self.planted = self.planted or match.version + 1
        view = match.rules.view(match.asked_at(item.number).state, prompt.seat)
        self.at += 1_000
        clock = reading(
            match.entry.time,
            match.banks[prompt.seat],
            ready=self.at,
            sent=self.at,
            received=self.at,
            credited=0,
        )
        match.play(
            self.secrets,
            at=self.at,
            seat=prompt.seat,
            choice=choice,
            view=sha256_hex(canonical_json(view)),
            clock=clock,
        )


KIND = "place_counter"


@pytest.fixture
def ruling(tmp_path: Path) -> str:
    file = tmp_path / "ruling.py"
    file.write_text(f"KIND = {KIND!r}\n" + NO_PASS)
    return f"{file}:Ruled"


@pytest.fixture
def league(fresh: Terminal) -> tuple[Terminal, dict[str, int]]:
    """Fifty finished games, one of five with a move that the ruling forbids, and one that is being played."""
    keys = KeyRing.in_folder(fresh.league / "keys")
    ledger = open_ledger(fresh.league / "ledger.db", synchronous="normal")
    planted: dict[str, int] = {}
    for number in range(GAMES):
        game = Played(number, keys, bold=number % 5 == 2).play()
        if game.planted:
            planted[game.match.id] = game.planted
        ledger.save(game.match)
    ledger.save(Played(99, keys, bold=False, match_id=RUNNING).play(6).match)
    ledger.close()
    return fresh, planted


def stored(folder: Path) -> list[tuple[str, bytes]]:
    ledger: Ledger = open_ledger(folder / "ledger.db", synchronous="normal")
    rows = [
        (event.topic, event.state) for event in ledger.notifications(0, 100_000) if "Log." not in event.topic
    ]
    ledger.close()
    return rows


def on_with(folder: Path) -> Match:
    """The running match, played to its end by a server that starts now."""
    keys = KeyRing.in_folder(folder / "keys")
    ledger = open_ledger(folder / "ledger.db", synchronous="normal")
    game = Played(99, keys, bold=True, match_id=RUNNING)
    game.match = ledger.load(RUNNING, lambda one: Match(one, catalog.game))
    game.at += 60_000_000
    game.play()
    ledger.save(game.match)
    ledger.close()
    assert game.planted, "it plays moves that the ruling forbids"
    return game.match


@pytest.mark.slow
def test_the_ruling_change_drill(league: tuple[Terminal, dict[str, int]], ruling: str) -> None:
    here, planted = league
    before = stored(here.league)
    assert len(planted) == GAMES // 5

    done = here.run("archive", "impact", "--game", "keydom", "--rules", ruling, "--json")

    told = json.loads(done.out)
    assert done.code == 1
    assert (told["games"], told["affected"]) == (GAMES + 1, len(planted))
    assert {one["match"]: one["event"] for one in told["impacts"]} == planted
    assert all("legality" in one["effects"] for one in told["impacts"])
    assert stored(here.league) == before
    assert on_with(here.league).outcome is not None
    verdicts = here.json("game", "verify", "--all")
    assert [one["verdict"] for one in verdicts] == ["valid"] * (GAMES + 1)
    assert stored(here.league)[: len(before)] == before, "not one stored byte differs"


@pytest.mark.slow
def test_the_report_is_readable(league: tuple[Terminal, dict[str, int]], ruling: str) -> None:
    here, planted = league

    done = here.run("archive", "impact", "--game", "keydom", "--rules", ruling)
    assert done.out.endswith(
        f"{len(planted)} of {GAMES + 1} games of keydom would differ under rules {ruling}\n"
    )
    assert all(match in done.out for match in planted)
    assert "m/game-0 " not in done.out
    assert "m/game-0 " in here.run("archive", "impact", "--game", "keydom", "--rules", ruling, "--all").out
    same = here.out("archive", "impact", "--game", "keydom", "--rules", "1")
    assert same == f"0 of {GAMES + 1} games of keydom would differ under rules 1\n"
    assert here.json("archive", "impact", "--game", "keyside", "--rules", "1")["games"] == 0


def test_rules_that_are_none_are_refused(fresh: Terminal, tmp_path: Path, ruling: str) -> None:
    def said(code: int, rules: str, game: str = "keydom") -> Any:
        return fresh.fails(code, "archive", "impact", "--game", game, "--rules", rules)

    assert "there is no league" in said(3, "1")
    open_ledger(fresh.league / "ledger.db").close()
    assert "has no rules version '7'; versions: 1" in said(3, "7")
    assert "with planned rules" in said(3, str(tmp_path / "none.py") + ":Ruled")
    assert "is not a class with rules of keyside" in said(2, ruling, "keyside")
    assert "is not a class with rules of keydom" in said(2, ruling + "x")
    (tmp_path / "broken.py").write_text("1 / 0")
    assert "cannot be run: ZeroDivisionError" in said(2, str(tmp_path / "broken.py") + ":Ruled")
