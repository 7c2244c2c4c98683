"""Beacon values from files: a round of drand as its servers give it, or any value with its source."""

from pathlib import Path

import msgspec

from keylore_domain.engine.shares import Beacon, checked_beacon
from keylore_domain.errors import DataFileError


class _Round(msgspec.Struct):
    """A round of drand (https://drand.love), other fields passed over."""

    round: int
    randomness: str


def read_beacon(path: Path) -> Beacon:
    """The beacon value in a JSON file.

    It is ``{"round": ..., "randomness": ...}``, or ``{"value": ..., "source": ...}``.

    Raises:
        DataFileError: the file holds none.
    """
    try:
        data = path.read_bytes()
        if "randomness" in msgspec.json.decode(data, type=dict[str, object]):
            found = msgspec.json.decode(data, type=_Round)
            return checked_beacon(Beacon(value=found.randomness, source=f"drand round {found.round}"))
        return checked_beacon(msgspec.json.decode(data, type=Beacon))
    except (OSError, msgspec.MsgspecError) as error:
        raise DataFileError(str(path), f"holds no beacon value: {error}") from error
