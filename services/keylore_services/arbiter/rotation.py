"""The keys of a league: the folder holds the secrets, the history in the ledger says which of them count."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec
import structlog

from keylore_domain.engine.evidence import Row
from keylore_domain.engine.keyhistory import KEYS_ID, KeyHistory, Period, checked_history, key_id
from keylore_domain.errors import (
    ConflictError,
    DataFileError,
    LedgerError,
    NotFoundError,
    ReplayMismatchError,
)
from keylore_services.arbiter.keys import KeyRing, is_signature, next_pair
from keylore_services.ledger.ledger import Ledger
from keylore_services.ledger.matches import is_sealed, opening_of

log = structlog.get_logger()

FORMAT: Final = "keylore.keys/1"


def keys_of(ledger: Ledger, folder: Path, at: int) -> KeyRing:
    """The keys of the league; made, and recorded, when it is used for the first time.

    Raises:
        LedgerError: the folder cannot be used, or its keys are not those of the ledger.
    """
    history = history_of(ledger)
    if history is None:
        ring = KeyRing.in_folder(folder, periods=1)
        history = KeyHistory()
        history.make(at=at, key=ring.public_key, chance=ring.chance)
        try:
            ledger.save(history)
        except ConflictError:  # another process was first
            return keys_of(ledger, folder, at)
        log.info("keys_made", key=key_id(ring.public_key))
        return ring
    ring = KeyRing.in_folder(folder, periods=len(history.periods))
    if (ring.public_key, ring.chance) != (history.current.key, history.current.chance):
        msg = (
            f"the keys in {folder} are not those of this ledger, which has the key "
            f"{key_id(history.current.key)}; put the keys folder that belongs to it back"
        )
        raise LedgerError(msg)
    return ring


def history_of(ledger: Ledger) -> KeyHistory | None:
    """The history of the keys of a league; ``None`` if it has none yet.

    Raises:
        LedgerError: the ledger cannot be read.
    """
    try:
        return ledger.load(KEYS_ID, KeyHistory)
    except NotFoundError:
        return None


def history_rows(ledger: Ledger) -> list[Row]:
    """The stored events of the history, as others can check them."""
    return [(row.originator_version, row.topic, row.state) for row in ledger.stored(KEYS_ID)]


def rotate(ledger: Ledger, folder: Path, at: int, reason: str) -> KeyHistory:
    """Give new matches new keys; matches under way finish under their own.

    Nobody may serve the league meanwhile.

    Raises:
        LedgerError: the folder cannot be used, or its keys are not those of the ledger.
        ConflictError: another process was faster.
    """
    ring = keys_of(ledger, folder, at)
    history = ledger.load(KEYS_ID, KeyHistory)
    new = next_pair(folder, len(history.periods) + 1)
    history.rotate(at=at, old=ring, new=new, chance=new.chance, reason=reason)
    ledger.save(history)
    log.info("keys_rotated", old=key_id(ring.public_key), new=key_id(new.public_key))
    return history


def reveal(ledger: Ledger, folder: Path, at: int, key: str) -> KeyHistory:
    """Reveal the chance key of an old period, so that everybody can check the arbiter's shares in it.

    Raises:
        NotFoundError: the arbiter never had this key.
        ConflictError: it is the present one, it is revealed already, or a match of its period is unfinished.
        LedgerError: the folder cannot be used.
    """
    ring = keys_of(ledger, folder, at)
    history = ledger.load(KEYS_ID, KeyHistory)
    period = history.period(key)
    unfinished = _unfinished(ledger, period)
    if unfinished:
        msg = f"{unfinished[0]} was opened under the key {key_id(key)} and is not over yet"
        raise ConflictError(msg)
    history.reveal_chance(at=at, key=period.key, secret=ring.pair(period.key).reveal())
    ledger.save(history)
    log.info("chance_key_revealed", key=key_id(key))
    return history


def _unfinished(ledger: Ledger, period: Period) -> list[str]:
    """The matches of a period that are not sealed."""
    found = []
    for match_id in ledger.ids("m/"):
        opened = opening_of(ledger, match_id)
        if opened is not None and opened.key == period.key and not is_sealed(ledger, match_id):
            found.append(match_id)
    return found


# --- files ----------------------------------------------------------------------------------------------


def exported_history(rows: Sequence[Row]) -> bytes:
    """The history as a file that others can check: a line that says what it is, then an event per line."""
    head = msgspec.json.encode({"format": FORMAT})
    return b"".join(line + b"\n" for line in (head, *(state for _, _, state in rows)))


def read_history(path: Path) -> KeyHistory:
    """The history in a file, every link and signature checked.

    Raises:
        DataFileError: it is none, or something is wrong with it.
    """
    try:
        head, *lines = path.read_bytes().split(b"\n")
        if msgspec.json.decode(head) != {"format": FORMAT} or lines.pop():
            raise DataFileError(str(path), f"does not begin with {FORMAT}, or is cut off")
        return history_from(lines)
    except (OSError, ValueError, msgspec.MsgspecError, IndexError) as error:
        raise DataFileError(str(path), f"is no history of keys: {error}") from error


def history_from(states: Sequence[bytes]) -> KeyHistory:
    """The history that stored events tell, every link and signature checked.

    Raises:
        DataFileError: something is wrong with it.
    """
    try:
        rows = [
            (version, f"keylore:Keys.{msgspec.json.decode(state, type=_Kind).kind}", state)
            for version, state in enumerate(states, 1)
        ]
        return checked_history(rows, is_signature)
    except (ReplayMismatchError, msgspec.MsgspecError) as error:
        raise DataFileError("history of keys", str(error)) from error


class _Kind(msgspec.Struct):
    type: str

    @property
    def kind(self) -> str:
        """The last part of the topic."""
        return {"KeysMade": "Made", "KeysRotated": "Rotated"}.get(self.type, self.type)
