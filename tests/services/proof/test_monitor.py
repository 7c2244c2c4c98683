"""A monitor sees that a log grows, and shouts when it shows two histories."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest

from keylore_domain.engine.aggregates import encode_event, topic_of
from keylore_domain.engine.keyhistory import KeyHistory
from keylore_domain.engine.receipts import KeyEvent
from keylore_domain.errors import DataFileError, NotFoundError, ReplayMismatchError
from keylore_services.arbiter.keys import KeyRing
from keylore_services.ledger.ledger import open_ledger
from keylore_services.proof.log import TransparencyLog, log_key
from keylore_services.proof.monitor import Monitor, Observation, confirmed, observe
from tests.services.proof.logs import KEY, RING, grow


class Told:
    """A log that shows what it likes."""

    def __init__(self, note: str, proof: Sequence[str] = (), source: TransparencyLog | None = None) -> None:
        self._note, self._proof, self._source = note, proof, source

    def latest(self) -> str:
        return self._note

    def consistency(self, old: int, new: int) -> Sequence[str]:
        return self._source.consistency(old, new) if self._source else self._proof


class Growing:
    """A real log that grows by a match at a time; ``first`` is the first move in each."""

    def __init__(self, first: int = 1) -> None:
        self.ledger = open_ledger(":memory:")
        self.log = TransparencyLog(self.ledger, KEY)
        self._first = first

    def grow(self, to: int) -> str:
        return grow(self.log, self.ledger, range(self.log.size, to), first=self._first)

    def close(self) -> None:
        self.log.close()
        self.ledger.close()


@pytest.fixture
def honest() -> Iterator[Growing]:
    made = Growing()
    yield made
    made.close()


@pytest.fixture
def other() -> Iterator[Growing]:
    """The same league with another history, under the same key."""
    made = Growing(first=0)
    yield made
    made.close()


@pytest.fixture
def monitor(tmp_path: Path) -> Monitor:
    return Monitor(tmp_path / "seen.txt", KEY)


def test_a_log_that_grows_is_followed(honest: Growing, monitor: Monitor) -> None:
    with pytest.raises(NotFoundError):
        monitor.look(honest.log)
    seen = []
    for size in (2, 2, 3, 7):
        honest.grow(size)
        seen.append(monitor.look(honest.log))

    assert [found.verdict for found in seen] == ["first", "same", "grown", "grown"]
    assert not any(found.is_fork or found.reason for found in seen)
    assert not monitor.evidence.exists()


def test_an_older_head_that_fits_is_no_fork_and_is_not_kept(honest: Growing, monitor: Monitor) -> None:
    old = honest.grow(2)
    honest.grow(4)
    monitor.look(honest.log)

    found = monitor.look(Told(old, source=honest.log))

    assert (found.verdict, found.is_fork) == ("behind", False)
    assert monitor.look(honest.log).verdict == "same"


def test_two_heads_of_one_size_are_a_fork_that_proves_itself(
    honest: Growing, other: Growing, monitor: Monitor
) -> None:
    honest.grow(3)
    other.grow(3)
    monitor.look(honest.log)

    found = monitor.look(other.log)

    assert (found.verdict, found.reason) == ("fork", "two different logs of 3 leaves were signed")
    kept = msgspec.json.decode(monitor.evidence.read_bytes(), type=Observation)
    assert kept == found
    assert confirmed(kept) == found.reason
    assert monitor.look(honest.log).verdict == "same"  # the last good head is still the known one


@pytest.mark.parametrize(("known", "shown"), [(3, 5), (5, 3), (1, 8)])
def test_a_history_that_does_not_contain_the_known_one_is_a_fork(
    honest: Growing, other: Growing, monitor: Monitor, known: int, shown: int
) -> None:
    honest.grow(known)
    other.grow(shown)
    monitor.look(honest.log)

    found = monitor.look(other.log)

    assert found.is_fork
    assert ("does not begin with" in found.reason) == (shown > known)
    assert json.loads(monitor.evidence.read_text())["known"] == honest.log.latest()


def test_a_log_that_gives_no_proof_or_nonsense_has_forked(honest: Growing) -> None:
    known = honest.grow(3)
    seen = honest.grow(6)

    for proof in ((), ("zz",), ("00" * 32,), ("00" * 32,) * 4):
        found = observe(Told(seen, proof), KEY, known)
        assert found.is_fork, proof
    assert observe(Told(seen, honest.log.consistency(3, 6)), KEY, known).verdict == "grown"


def test_evidence_of_nothing_is_not_believed(honest: Growing) -> None:
    known = honest.grow(3)
    seen = honest.grow(6)
    proof = honest.log.consistency(3, 6)

    accused = Observation(verdict="fork", key=str(KEY), known=known, seen=seen, proof=proof, reason="!")

    assert confirmed(accused) == ""


def test_evidence_under_another_key_is_refused(honest: Growing) -> None:
    note = honest.grow(1)
    stranger = log_key(KeyRing(bytes(32), bytes(32)).public_key, KEY.name)

    with pytest.raises(DataFileError, match="none is by"):
        confirmed(Observation(verdict="fork", key=str(stranger), known=note, seen=note))


def test_a_head_that_is_not_signed_is_refused(honest: Growing, monitor: Monitor) -> None:
    note = honest.grow(1)

    with pytest.raises(DataFileError, match="does not fit"):
        monitor.look(Told(note.replace("\n1\n", "\n2\n")))


def test_files_that_cannot_be_used_are_named(honest: Growing, tmp_path: Path) -> None:
    honest.grow(1)

    with pytest.raises(DataFileError, match="cannot be used"):
        Monitor(tmp_path / "none" / "seen.txt", KEY).look(honest.log)
    assert RING.public_key == KEY.key


# --- from key to key ------------------------------------------------------------------------------------

NEW = KeyRing(b"\6" * 32, bytes(32))


def rotated(new: KeyRing = NEW) -> tuple[KeyEvent, ...]:
    """The history of an arbiter that had the key of these logs, and has *new* now."""
    history = KeyHistory()
    history.make(at=1, key=RING.public_key, chance="00" * 32)
    history.rotate(at=2, old=RING, new=new, chance="11" * 32, reason="yearly")
    return tuple(
        KeyEvent(topic_of(event), encode_event(event).decode()) for event in history.collect_events()
    )


class Rotated:
    """A log that goes on under a new key."""

    def __init__(self, grown: Growing) -> None:
        self.key = log_key(NEW.public_key)
        self._grown = grown
        self._log = TransparencyLog(grown.ledger, self.key)

    def latest(self) -> str:
        return self._log.checkpoint(NEW, 1)

    def consistency(self, old: int, new: int) -> Sequence[str]:
        return self._log.consistency(old, new)

    def close(self) -> None:
        self._log.close()


@pytest.mark.parametrize("size", [3, 5])
def test_a_log_is_followed_from_key_to_key(
    honest: Growing, monitor: Monitor, tmp_path: Path, size: int
) -> None:
    honest.grow(3)
    monitor.look(honest.log)
    honest.grow(size)
    later = Rotated(honest)

    found = monitor.look(later, later.key, rotated())

    assert (found.verdict, found.seen_key) == ("grown" if size > 3 else "same", str(later.key))
    assert Monitor(tmp_path / "seen.txt", later.key).look(later).verdict == "same", "the new head was kept"
    later.close()


def test_a_stranger_cannot_take_a_log_over(honest: Growing, monitor: Monitor) -> None:
    honest.grow(3)
    monitor.look(honest.log)
    later = Rotated(honest)

    for history in ((), rotated(KeyRing(b"\7" * 32, bytes(32)))):
        with pytest.raises(ReplayMismatchError, match="no rotation of keys joins the two"):
            monitor.look(later, later.key, history)
    later.close()


def test_a_fork_across_a_rotation_is_found_and_confirmed(
    honest: Growing, other: Growing, monitor: Monitor
) -> None:
    honest.grow(3)
    other.grow(4)
    monitor.look(honest.log)
    later = Rotated(other)

    found = monitor.look(later, later.key, rotated())

    assert found.is_fork
    kept = msgspec.json.decode(monitor.evidence.read_bytes(), type=Observation)
    assert confirmed(kept) == found.reason
    with pytest.raises(ReplayMismatchError):
        confirmed(msgspec.structs.replace(kept, history=()))
    later.close()
