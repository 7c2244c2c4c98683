"""The keys of a league: made once, kept from others, rotated and revealed on record, followed by bots."""

import asyncio
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from structlog.testing import capture_logs

from keylore_domain.engine.checkpoints import opened_checkpoint
from keylore_domain.engine.keyhistory import KeyHistory
from keylore_domain.errors import ConflictError, DataFileError, LedgerError, NotFoundError
from keylore_services.arbiter.keys import KeyRing, is_signature
from keylore_services.arbiter.rotation import (
    exported_history,
    history_from,
    history_of,
    history_rows,
    keys_of,
    read_history,
    reveal,
    rotate,
)
from keylore_services.ledger.ledger import Ledger, open_ledger
from keylore_services.proof.log import TransparencyLog, log_key
from keylore_services.replay.verify import verify
from tests.domain.engine.toy import toy_catalog
from tests.services.arbiter import house as houses
from tests.services.arbiter.house import House, house, wire

MATCH = "m/one"


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    opened = open_ledger(":memory:")
    yield opened
    opened.close()


def rights(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# --- files ----------------------------------------------------------------------------------------------


def test_keys_are_made_once_and_for_their_owner_only(tmp_path: Path) -> None:
    folder = tmp_path / "keys"

    first, second = KeyRing.in_folder(folder), KeyRing.in_folder(folder)

    assert (first.public_key, first.chance) == (second.public_key, second.chance)
    assert rights(folder) == 0o700
    assert {file.name: rights(file) for file in folder.iterdir()} == {
        "signing.key": 0o600,
        "chance.key": 0o600,
    }


def test_keys_that_were_open_to_others_are_closed_with_a_warning(tmp_path: Path) -> None:
    key = KeyRing.in_folder(tmp_path / "keys").public_key
    (tmp_path / "keys" / "signing.key").chmod(0o644)
    (tmp_path / "keys").chmod(0o755)

    with capture_logs() as logs:
        again = KeyRing.in_folder(tmp_path / "keys")

    assert again.public_key == key
    assert (rights(tmp_path / "keys"), rights(tmp_path / "keys" / "signing.key")) == (0o700, 0o600)
    assert [entry["was"] for entry in logs if entry["event"] == "key_was_open_to_others"] == ["755", "644"]


def test_keys_that_cannot_be_closed_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    KeyRing.in_folder(tmp_path / "keys")
    (tmp_path / "keys" / "chance.key").chmod(0o666)

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(1, "not yours")

    monkeypatch.setattr(os, "chmod", refused)
    monkeypatch.setattr(Path, "chmod", refused)
    with pytest.raises(LedgerError, match="not yours"):
        KeyRing.in_folder(tmp_path / "keys")


def test_a_damaged_key_is_never_shown(tmp_path: Path) -> None:
    KeyRing.in_folder(tmp_path / "keys")
    secret = (tmp_path / "keys" / "signing.key").read_text().strip()
    (tmp_path / "keys" / "signing.key").write_text(secret[:-2] + "zz")

    with pytest.raises(LedgerError, match="does not hold 32 bytes") as caught:
        KeyRing.in_folder(tmp_path / "keys")
    assert secret[:16] not in str(caught.value)


# --- history --------------------------------------------------------------------------------------------


def test_the_keys_are_recorded_when_they_are_made(ledger: Ledger, tmp_path: Path) -> None:
    ring = keys_of(ledger, tmp_path, at=1)

    assert [row[1] for row in history_rows(ledger)] == ["keylore:Keys.Made"]
    assert keys_of(ledger, tmp_path, at=2).public_key == ring.public_key
    assert len(history_rows(ledger)) == 1
    history = history_of(ledger)
    assert history is not None
    assert (history.current.key, history.current.chance) == (ring.public_key, ring.chance)


def test_the_keys_of_another_league_are_refused(ledger: Ledger, tmp_path: Path) -> None:
    keys_of(ledger, tmp_path / "mine", at=1)

    with pytest.raises(LedgerError, match="are not those of this ledger"):
        keys_of(ledger, tmp_path / "yours", at=2)


def test_a_rotation_is_an_event_and_the_old_keys_stay(ledger: Ledger, tmp_path: Path) -> None:
    old = keys_of(ledger, tmp_path, at=1)
    rotate(ledger, tmp_path, 2, "once a year")
    new = keys_of(ledger, tmp_path, at=3)

    assert new.public_key != old.public_key
    assert new.chance != old.chance
    assert [pair.public_key for pair in new.older] == [old.public_key]
    assert new.pair(old.public_key).share(MATCH) == old.match_seed(MATCH)
    assert new.log_name == old.log_name
    assert all(rights(file) == 0o600 for file in tmp_path.iterdir())
    history = history_from([state for _, _, state in history_rows(ledger)])
    assert [period.key for period in history.periods] == [old.public_key, new.public_key]


def test_a_rotation_that_was_not_recorded_did_not_happen(ledger: Ledger, tmp_path: Path) -> None:
    old = keys_of(ledger, tmp_path, at=1)
    for kind in ("signing", "chance"):  # a crash between the files and the event
        (tmp_path / f"{kind}.2.key").write_text("ab" * 32 + "\n")
        (tmp_path / f"{kind}.2.key").chmod(0o600)

    assert keys_of(ledger, tmp_path, at=2).public_key == old.public_key
    rotate(ledger, tmp_path, 3, "again")
    assert keys_of(ledger, tmp_path, at=4).public_key == KeyRing(b"\xab" * 32, b"").public_key


def test_a_missing_old_key_is_noticed(ledger: Ledger, tmp_path: Path) -> None:
    keys_of(ledger, tmp_path, at=1)
    rotate(ledger, tmp_path, 2, "once a year")
    (tmp_path / "signing.2.key").unlink()

    with pytest.raises(LedgerError, match="cannot be used"):
        keys_of(ledger, tmp_path, at=3)


def test_only_old_chance_keys_are_revealed(ledger: Ledger, tmp_path: Path) -> None:
    old = keys_of(ledger, tmp_path, at=1)
    with pytest.raises(ConflictError, match="rotate the keys first"):
        reveal(ledger, tmp_path, 2, old.public_key)

    rotate(ledger, tmp_path, 3, "once a year")
    history = reveal(ledger, tmp_path, 4, old.public_key)

    assert history.period(old.public_key).share_of(MATCH) == old.match_seed(MATCH)
    with pytest.raises(NotFoundError, match="none of this arbiter"):
        reveal(ledger, tmp_path, 5, "00" * 32)


def test_a_history_travels_in_a_file(ledger: Ledger, tmp_path: Path) -> None:
    keys_of(ledger, tmp_path / "keys", at=1)
    rotate(ledger, tmp_path / "keys", 2, "once a year")
    data = exported_history(history_rows(ledger))
    path = tmp_path / "keys.jsonl"
    path.write_bytes(data)

    history = history_of(ledger)
    assert isinstance(history, KeyHistory)
    assert read_history(path).periods == history.periods
    for wrong in (
        b"",
        b"{}\n",
        data[:-1],
        data.replace(b"once a", b"once x"),
        data + b"[]\n",
        data + b"{}\n",
    ):
        path.write_bytes(wrong)
        with pytest.raises(DataFileError):
            read_history(path)
    with pytest.raises(DataFileError):
        read_history(tmp_path / "nowhere")


# --- matches, bots and the log --------------------------------------------------------------------------


async def play(home: House, match_id: str) -> None:
    async with wire(home.server.address, "ann") as ann, wire(home.server.address, "bob") as bob:
        await ann.next("welcome")
        await bob.next("welcome")
        if match_id not in home.arbiter.live():
            await home.open(match_id, "ann", "bob")
        await asyncio.gather(ann.play_on(), bob.play_on())


def test_a_match_under_way_finishes_under_its_own_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = tmp_path / "keys"

    async def story() -> tuple[str, str]:
        ledger = open_ledger(tmp_path / "ledger.db")
        monkeypatch.setattr(houses, "KEYS", old := keys_of(ledger, keys, at=1))
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            await home.open(MATCH, "ann", "bob")
            home.arbiter.match(MATCH)
        rotate(ledger, keys, 2, "once a year")
        with pytest.raises(ConflictError, match=f"{MATCH} was opened under the key"):
            reveal(ledger, keys, 3, old.public_key)
        monkeypatch.setattr(houses, "KEYS", new := keys_of(ledger, keys, at=3))
        async with house(tmp_path) as home:
            await home.arbiter.resume_all()
            await play(home, MATCH)
            await play(home, "m/two")
        reveal(ledger, keys, 2**60, old.public_key)
        ledger.close()
        return old.public_key, new.public_key

    old, new = asyncio.run(story())

    ledger = open_ledger(tmp_path / "ledger.db")
    history = history_from([state for _, _, state in history_rows(ledger)])
    monkeypatch.setattr("keylore_services.replay.verify.catalog.game", toy_catalog)
    for match_id, key, number in ((MATCH, old, 1), ("m/two", new, 2)):
        rows = [(row.originator_version, row.topic, row.state) for row in ledger.stored(match_id)]
        for trusted in (None, old, new):
            report = verify(match_id, rows, trusted_key=trusted, history=history)
            assert (report.verdict, report.signed_by) == ("valid", key)
            assert f"signed with key {number} of 2 of the arbiter, {key[:16]}" in report.remarks
            assert any("chance key" in note for note in report.unchecked) is (number == 2)
        stranger = verify(match_id, rows, trusted_key="00" * 32, history=history)
        assert (stranger.verdict, stranger.first_bad) == ("invalid", 1)
    ledger.close()


def test_the_log_goes_on_under_its_name_and_all_keys(ledger: Ledger, tmp_path: Path) -> None:
    old = keys_of(ledger, tmp_path, at=1)
    with TransparencyLog(ledger, log_key(old.public_key, old.log_name)) as log:
        first = log.checkpoint(old, 2)
        assert log.size == 1  # the keys themselves: the first leaf of all
    rotate(ledger, tmp_path, 3, "once a year")
    new = keys_of(ledger, tmp_path, at=4)
    with TransparencyLog(ledger, log_key(new.public_key, new.log_name)) as log:
        second = log.checkpoint(new, 5)
        assert log.size == 2

    assert first.split("\n")[0] == second.split("\n")[0] == old.log_name
    assert second.count("— ") == 2
    for key in (old.public_key, new.public_key):
        assert opened_checkpoint(second, log_key(key, old.log_name), is_signature).size == 2


def test_no_secret_is_ever_logged(ledger: Ledger, tmp_path: Path) -> None:
    with capture_logs() as logs:
        keys_of(ledger, tmp_path, at=1)
        rotate(ledger, tmp_path, 2, "once a year")
        keys_of(ledger, tmp_path, at=3)
    secrets = [file.read_text().strip() for file in tmp_path.iterdir()]

    assert len(secrets) == 4
    assert all(secret not in str(logs) for secret in secrets)
    assert all(secret.encode() not in state for secret in secrets for _, _, state in history_rows(ledger))
    structlog.reset_defaults()
