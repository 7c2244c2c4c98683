"""Verify: matches out of the real ledger, with the real games and real signatures."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from keylore_domain import catalog
from keylore_domain.bots import Bot
from keylore_domain.engine.clocks import TimeControl, reading
from keylore_domain.engine.encoding import canonical_json, sha256_hex
from keylore_domain.engine.events import SeatEntry
from keylore_domain.engine.matches import Match, Secrets
from keylore_domain.engine.seats import Seat
from keylore_domain.errors import NotFoundError
from keylore_services.arbiter.keys import KeyRing
from keylore_services.ledger.ledger import Ledger, open_ledger
from keylore_services.replay.addresses import Viewer
from keylore_services.replay.gamefile import read_game, write_game
from keylore_services.replay.text import view_lines
from keylore_services.replay.timeline import Timeline
from keylore_services.replay.verify import report_lines, stored_rows, verify
from keylore_services.replay.why import explain, why_lines
from tests.services.replay.forgeries import edited, rechained

RING = KeyRing(bytes(32), bytes(range(32)))
PUBLIC = "spring cup 2026"


def played(game: str, seats: int = 2, moves: int = 100_000) -> Match:
    """A match of random moves under a public seed."""
    match_id = f"m/{game}"
    secrets = Secrets(RING.match_seed(match_id, PUBLIC), RING)
    now, chooser = 1_700_000_000_000_000, random.Random(game)
    match = Match.open(
        match_id,
        catalog.game,
        secrets,
        at=now,
        game=game,
        engine=catalog.ENGINE_VERSION,
        options={},
        seats=tuple(SeatEntry(f"bot/b{seat}", f"b{seat}") for seat in range(seats)),
        time=TimeControl(),
        public_seed=PUBLIC,
    )
    while moves and not match.is_over:
        item = chooser.choice(match.live_position.open)
        seat, moves, now = item.prompt.seat, moves - 1, now + 1_000
        view = match.rules.view(match.asked_at(item.number).state, seat)
        match.play(
            secrets,
            at=now,
            seat=seat,
            choice=chooser.randrange(len(item.prompt.legal)),
            view=sha256_hex(canonical_json(view)),
            clock=reading(match.entry.time, 0, ready=now, sent=now, received=now, credited=0),
        )
    return match


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    opened = open_ledger(":memory:")
    yield opened
    opened.close()


@pytest.mark.slow
@pytest.mark.parametrize("game", catalog.game_ids())
def test_a_whole_match_goes_from_the_ledger_to_a_file_and_is_valid(
    ledger: Ledger, tmp_path: Path, game: str
) -> None:
    ledger.save(played(game))
    path = tmp_path / "game.jsonl.gz"

    write_game(path, f"m/{game}", stored_rows(ledger, f"m/{game}"))
    found = read_game(path)
    report = verify(found.match, found.rows, trusted_key=RING.public_key)

    assert report.is_valid, report.reason
    assert report.draws_checked == report.draws > 0
    assert report.signed_by == RING.public_key


@pytest.mark.slow
@pytest.mark.parametrize("game", catalog.game_ids())
def test_each_moment_of_each_game_can_be_shown_to_each_viewer(ledger: Ledger, game: str) -> None:
    ledger.save(played(game, moves=25))
    line = Timeline(f"m/{game}", stored_rows(ledger, f"m/{game}"), catalog.game)

    for moment in line:
        for viewer in viewers(line):
            assert why_lines(explain(line, moment.version, viewer))
            if moment.version > 1:
                assert view_lines(line.view(moment.version, viewer))


def viewers(line: Timeline) -> tuple[Viewer, ...]:
    return ("all", "public", *(Seat(seat) for seat in range(len(line.opened.seats))))


def test_a_report_is_told_in_lines(ledger: Ledger) -> None:
    ledger.save(played("keydom", moves=5))
    rows = stored_rows(ledger, "m/keydom")

    told = report_lines(verify("m/keydom", rows))

    assert told[0] == "m/keydom: incomplete"
    assert told[1].startswith("reason: the match is not finished")
    assert "7 of 7 events hold; 5 moves were played again" in told
    assert "1 of 1 draws compared with the seed" in told
    assert any(line.startswith("not checked: no signature") for line in told)


def test_a_forgery_is_told_in_lines(ledger: Ledger) -> None:
    ledger.save(played("keydom", moves=5))
    rows = rechained(edited(stored_rows(ledger, "m/keydom"), 5, ("ply",), 9))

    told = report_lines(verify("m/keydom", rows))

    assert told[:5] == [
        "m/keydom: invalid",
        "first bad event: 5 of 7",
        "reason: the number of the ply is not what it should be",
        "expected: 3",
        "found:    9",
    ]


@pytest.mark.slow
def test_a_seal_of_the_real_key_is_told(ledger: Ledger) -> None:
    ledger.save(played("keyside"))
    rows = stored_rows(ledger, "m/keyside")

    trusted = report_lines(verify("m/keyside", rows, trusted_key=RING.public_key))
    believed = report_lines(verify("m/keyside", rows))
    other = verify("m/keyside", rows, trusted_key=KeyRing(b"1" * 32, bytes(32)).public_key)

    assert f"signed by the trusted key {RING.public_key}" in trusted
    assert f"signed by key {RING.public_key}" in believed
    assert (other.verdict, other.first_bad) == ("invalid", 1)


def test_remarks_and_records_that_cannot_be_read_are_told() -> None:
    told = report_lines(verify("m/none", []))

    assert told[:3] == ["m/none: invalid", "first bad event: 1 of 0", "reason: there are no events"]


def test_only_matches_have_rows(ledger: Ledger) -> None:
    bot = Bot.enrol("alice", "token", at=1)
    ledger.save(bot)

    for name in ("m/none", "bot/alice"):
        with pytest.raises(NotFoundError, match="there is no match"):
            stored_rows(ledger, name)
