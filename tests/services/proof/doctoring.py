"""Ledgers that were altered while the arbiter was down: everything copied, some records exchanged."""

from collections.abc import Callable
from pathlib import Path

from keylore_domain.engine.aggregates import decode_event
from keylore_domain.engine.evidence import Row
from keylore_domain.engine.heads import LOG_ID
from keylore_services.ledger.ledger import open_ledger

Records = dict[str, list[Row]]
Doctor = Callable[[Records], None]


def doctored(file: Path, doctor: Doctor, *, forget_heads: bool = False) -> None:
    """Write the ledger in *file* anew, with its records changed by *doctor*.

    Args:
        forget_heads: leave out the checkpoints that were signed, so that new ones can be signed.
    """
    with_old = open_ledger(file, synchronous="normal")
    records: Records = {}
    for event in with_old.notifications(0, 1_000_000):
        row = (event.originator_version, event.topic, event.state)
        records.setdefault(str(event.originator_id), []).append(row)
    with_old.close()
    doctor(records)
    if forget_heads:
        records.pop(LOG_ID, None)
    for stale in file.parent.glob(f"{file.name}*"):
        stale.unlink()
    for stale in file.parent.glob("*views*"):
        stale.unlink()
    anew = open_ledger(file, synchronous="normal")
    anew.append([decode_event(topic, state) for rows in records.values() for _, topic, state in rows])
    anew.close()
