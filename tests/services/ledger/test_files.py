"""The ledger as a file: how it is opened, what it refuses, who else may use it."""

import sqlite3
import threading
from pathlib import Path

import pytest
from eventsourcing.persistence import InterfaceError, PersistenceError

from keylore_domain.bots import Bot
from keylore_domain.errors import ConflictError, LedgerError
from keylore_services.ledger import schema, sqlite
from keylore_services.ledger.ledger import open_ledger
from keylore_services.ledger.sqlite import (
    SQLiteLedgerFactory,
    SQLiteLedgerPool,
    SQLiteLedgerRecorder,
    connect,
    writing,
)
from tests.services.ledger.children import child, run


def save_bot(file: Path, name: str = "ada") -> None:
    with open_ledger(file) as ledger:
        ledger.save(Bot.enrol(name, "token", 1))


def changed(file: Path, *statements: str) -> None:
    """Change the file behind the ledger's back."""
    connection = sqlite3.connect(file)
    with connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def test_a_missing_file_is_made_with_its_folder(tmp_path: Path) -> None:
    file = tmp_path / "leagues" / "2026" / "league.db"

    save_bot(file)

    assert file.is_file()


def test_events_are_there_when_the_file_is_opened_again(file: Path) -> None:
    save_bot(file)

    with open_ledger(str(file)) as ledger:
        assert ledger.load("bot/ada", Bot).name == "ada"


def test_an_empty_file_becomes_a_ledger(file: Path) -> None:
    file.touch()

    save_bot(file)

    with open_ledger(file) as ledger:
        assert ledger.ids() == ["bot/ada"]


def test_a_ledger_knows_its_file(file: Path) -> None:
    with open_ledger(file) as ledger:
        assert ledger.file == file
    for memory in (":memory:", "popo:"):
        with open_ledger(memory) as ledger:
            assert ledger.file is None


def test_a_ledger_in_memory_is_its_own(file: Path) -> None:
    with open_ledger(":memory:") as first, open_ledger(":memory:") as second:
        first.save(Bot.enrol("ada", "token", 1))

        assert second.ids() == []


@pytest.mark.parametrize(
    ("statements", "problem"),
    [
        (["CREATE TABLE notes (text TEXT)"], "another program"),
        (["PRAGMA application_id = 77"], "another program"),
        (["PRAGMA user_version = 3"], "another program"),
    ],
)
def test_the_database_of_another_program_is_refused(file: Path, statements: list[str], problem: str) -> None:
    changed(file, *statements)
    before = file.read_bytes()

    with pytest.raises(LedgerError, match=problem):
        open_ledger(file)

    assert file.read_bytes() == before


def test_a_newer_ledger_is_refused(file: Path) -> None:
    save_bot(file)
    changed(file, f"PRAGMA user_version = {schema.SCHEMA_VERSION + 1}")

    with pytest.raises(LedgerError, match="knows up to 1"):
        open_ledger(file)


def test_a_file_that_is_no_database_is_refused_and_kept(file: Path) -> None:
    file.write_text("a diary, and a long one at that\n" * 100)

    with pytest.raises(LedgerError, match=r"league\.db.*not a database"):
        open_ledger(file)

    assert file.read_text().startswith("a diary")


@pytest.mark.parametrize("where", ["", "sub", "file.txt/league.db", "mysql://localhost/league"])
def test_a_place_that_cannot_be_a_file_is_refused(tmp_path: Path, where: str) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "file.txt").touch()

    with pytest.raises(LedgerError, match="cannot open the ledger"):
        open_ledger(where if "://" in where else tmp_path / where)


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("UPDATE stored_events SET state = x'00'", "never changed"),
        ("UPDATE stored_events SET originator_version = 2", "never changed"),
        ("DELETE FROM stored_events", "never deleted"),
        ("INSERT INTO stored_events VALUES ('bot/ada', 1, 'x', x'00')", "UNIQUE"),
    ],
)
def test_the_file_itself_refuses_to_have_its_past_changed(file: Path, statement: str, problem: str) -> None:
    save_bot(file)

    with pytest.raises(sqlite3.IntegrityError, match=problem):
        changed(file, statement)

    with open_ledger(file) as ledger:
        assert ledger.load("bot/ada", Bot).version == 1


def test_a_store_that_cannot_be_written_says_so(file: Path) -> None:
    with open_ledger(file) as ledger:
        changed(file, "DROP TABLE stored_events")

        with pytest.raises(LedgerError, match="no such table"):
            ledger.save(Bot.enrol("ada", "token", 1))


def test_predecessors_are_found_in_the_store_when_they_are_not_in_memory(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "MAX_KNOWN", 1)
    bots = [Bot.enrol(f"bot-{number}", "token", 1) for number in range(3)]
    with open_ledger(file) as ledger:
        ledger.save(*bots)
        for bot in bots:
            bot.replace_token("other", 2)
        ledger.save(*bots)
    with open_ledger(file) as ledger:
        for bot in bots:
            bot.replace_token("another", 3)
        ledger.save(bots[2])
        bots[0].collect_events()
        bots[0].replace_token("too late", 4)

        with pytest.raises(ConflictError):
            ledger.save(bots[0])

        assert [len(ledger.stored(bot.id)) for bot in bots] == [2, 2, 3]


def test_vacuuming_changes_no_position(file: Path) -> None:
    with open_ledger(file) as ledger:
        for number in range(20):
            ledger.save(Bot.enrol(f"bot-{19 - number}", "token", 1))
        before = ledger.notifications(0, 100)
    connection = sqlite3.connect(file)
    connection.execute("VACUUM")
    connection.close()

    with open_ledger(file) as ledger:
        assert ledger.notifications(0, 100) == before


@pytest.mark.parametrize(("synchronous", "level"), [("full", 2), ("normal", 1)])
def test_commits_wait_for_the_disk_unless_told_otherwise(file: Path, synchronous: str, level: int) -> None:
    with open_ledger(file, synchronous=synchronous) as ledger:  # type: ignore[arg-type]
        assert isinstance(ledger.recorder, SQLiteLedgerRecorder)
        with ledger.recorder._writing() as connection:
            assert connection.execute("PRAGMA synchronous").fetchone()[0] == level
            assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"


def test_the_environment_of_the_process_has_no_say(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPRESSOR_TOPIC", "eventsourcing.compressor:ZlibCompressor")
    monkeypatch.setenv("PERSISTENCE_MODULE", "eventsourcing.popo")
    monkeypatch.setenv("SQLITE_DBNAME", "elsewhere.db")

    save_bot(file)

    assert b'"type":"Enrolled"' in file.read_bytes()


def test_tables_are_not_made_where_they_are_not_wanted(file: Path) -> None:
    factory = SQLiteLedgerFactory({"SQLITE_DBNAME": str(file), "CREATE_TABLE": "no"})
    recorder = factory.application_recorder()

    with pytest.raises(PersistenceError, match="no such table"):
        recorder.max_notification_id()

    factory.close()


def test_a_closed_ledger_says_so(file: Path) -> None:
    ledger = open_ledger(file)
    ledger.close()
    ledger.close()

    for call in (ledger.last_position, ledger.change_count, ledger.ids):
        with pytest.raises(LedgerError):
            call()
    bot = Bot.enrol("ada", "token", 1)
    with pytest.raises(LedgerError):
        ledger.save(bot)
    with pytest.raises(ConflictError, match="load it again"):
        ledger.save(bot)


READ = """
import sys
from keylore_services.ledger.ledger import open_ledger
with open_ledger(sys.argv[1]) as ledger:
    print(*ledger.ids())
"""

WRITE = """
import sys
from keylore_domain.bots import Bot
from keylore_services.ledger.ledger import open_ledger
sys.stdin.readline()
with open_ledger(sys.argv[1]) as ledger:
    for number in range(int(sys.argv[3])):
        ledger.save(Bot.enrol(f"{sys.argv[2]}-{number}", "token", 1))
"""


@pytest.mark.slow
def test_another_process_reads_what_is_written_while_this_one_writes_on(file: Path) -> None:
    with open_ledger(file) as ledger:
        ledger.save(Bot.enrol("ada", "token", 1))
        writing = threading.Event()

        def write() -> None:
            number = 0
            while not writing.is_set():
                ledger.save(Bot.enrol(f"bot-{number}", "token", 1))
                number += 1

        writer = threading.Thread(target=write)
        writer.start()
        read = run(READ, file)
        writing.set()
        writer.join()

        written = ledger.ids()
    assert read.split() == written[: len(read.split())]
    assert read.startswith("bot/ada")


CLOSE = """
import sys, threading
from keylore_domain.bots import Bot
from keylore_domain.errors import LedgerError
from keylore_services.ledger.ledger import open_ledger

told = []
for number in range(20):
    ledger = open_ledger(f"{sys.argv[1]}-{number}")
    ledger.save(*(Bot.enrol(f"bot-{each}", "token", 1) for each in range(30)))
    begun = threading.Semaphore(0)

    def read():
        try:
            while True:
                ledger.notifications(0, 500)
                ledger.change_count()
                begun.release()
        except LedgerError:
            told.append(True)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for _ in range(10):
        begun.acquire()
    ledger.close()
    for reader in readers:
        reader.join()
print(len(told))
"""


@pytest.mark.slow
def test_closing_waits_for_reads_of_other_threads_and_refuses_the_next(file: Path) -> None:
    assert run(CLOSE, file) == "60"


@pytest.mark.slow
def test_several_processes_may_make_the_file_and_write_at_once(file: Path) -> None:
    writers = [child(WRITE, file, name, 30) for name in ("ada", "bob", "cyd")]
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for writer in writers:
        writer.communicate(timeout=60)
    assert [writer.returncode for writer in writers] == [0, 0, 0]

    with open_ledger(file) as ledger:
        assert len(ledger.ids()) == ledger.last_position() == 90


@pytest.mark.slow
def test_writes_of_another_process_are_noticed(file: Path) -> None:
    with open_ledger(file) as ledger:
        ledger.last_position()
        quiet = ledger.change_count()
        assert ledger.change_count() == quiet

        run(WRITE.replace("sys.stdin.readline()", ""), file, "ada", 1)

        assert ledger.change_count() != quiet


def test_a_connection_that_cannot_be_made_is_an_error_of_the_interface(tmp_path: Path) -> None:
    pool = SQLiteLedgerPool(db_name=str(tmp_path / "missing" / "league.db"))

    with pytest.raises(InterfaceError, match="unable to open"):
        pool.get_connection()

    pool.close()


def test_a_transaction_that_sqlite_rolled_back_itself_ends_with_its_error(file: Path) -> None:
    """As it does when the disk is full."""
    connection = connect(str(file), synchronous="NORMAL")
    connection.execute("CREATE TABLE t (n INTEGER UNIQUE ON CONFLICT ROLLBACK)")

    with pytest.raises(sqlite3.IntegrityError), writing(connection):
        connection.execute("INSERT INTO t VALUES (1), (1)")

    assert connection.execute("SELECT count(*) FROM t").fetchone() == (0,)
    connection.close()
