"""The heads of the log: recorded in order, never smaller."""

import pytest

from keylore_domain.engine.aggregates import topics
from keylore_domain.engine.checkpoints import Checkpoint, signed_note
from keylore_domain.engine.heads import CheckpointSigned, Heads
from keylore_domain.errors import ConflictError, DataFileError
from tests.domain.engine.playing import SIGNER


def note(size: int) -> str:
    return signed_note(Checkpoint("log", size, bytes(32)).text, "log", SIGNER)


def test_a_head_is_recorded_as_it_was_given_out() -> None:
    heads = Heads()

    heads.sign(note(3), at=7)

    assert heads.latest is not None
    assert (heads.latest.size, heads.latest.root, heads.latest.note) == (3, "00" * 32, note(3))
    assert topics()["keylore:Log.CheckpointSigned"] is CheckpointSigned


def test_no_smaller_head_is_recorded() -> None:
    heads = Heads()
    heads.sign(note(3), at=7)

    with pytest.raises(ConflictError, match="cannot shrink to 2"):
        heads.sign(note(2), at=8)
    with pytest.raises(DataFileError):
        heads.sign("nothing", at=8)
