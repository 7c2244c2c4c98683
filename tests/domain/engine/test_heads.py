"""The heads of the log: recorded in order, never smaller."""

import pytest

from keylore_domain.engine.aggregates import topics
from keylore_domain.engine.checkpoints import MAX_NOTE, Checkpoint, NoteKey, cosigned, signed_note
from keylore_domain.engine.heads import (
    MOST_HEADS,
    MOST_WITNESSES,
    CheckpointCosigned,
    CheckpointSigned,
    Heads,
)
from keylore_domain.errors import ConflictError, DataFileError, NotFoundError
from tests.domain.engine.playing import SIGNER, fake_check


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


# --- witnesses ------------------------------------------------------------------------------------------


def witness(name: str = "w/1") -> NoteKey:
    return NoteKey(name, SIGNER.public_key, is_witness=True)


def line(size: int, name: str = "w/1") -> str:
    return cosigned(Checkpoint("log", size, bytes(32)).text, name, SIGNER, 1_700_000_000)


def signed_heads(*sizes: int) -> Heads:
    heads = Heads()
    for size in sizes:
        heads.sign(note(size), at=7)
    return heads


def test_cosignatures_stand_under_the_head() -> None:
    heads = signed_heads(3, 5)

    assert heads.cosign(3, line(3), witness(), 8, fake_check)
    assert heads.cosign(3, line(3, "w/2"), witness("w/2"), 8, fake_check)
    assert not heads.cosign(3, line(3), witness(), 9, fake_check)

    assert heads.note(3) == f"{note(3)}{line(3)}\n{line(3, 'w/2')}\n"
    assert heads.note(5) == note(5)
    assert topics()["keylore:Log.CheckpointCosigned"] is CheckpointCosigned


def test_the_best_head_for_a_leaf_is_the_last_with_the_most_witnesses() -> None:
    heads = signed_heads(3, 5, 8)
    assert heads.best(4) == note(8)

    heads.cosign(3, line(3), witness(), 8, fake_check)
    heads.cosign(5, line(5), witness(), 8, fake_check)

    assert heads.best(2).startswith(note(5))
    assert heads.best(6) == note(8)
    with pytest.raises(NotFoundError, match="no head that was signed holds leaf 8"):
        heads.best(8)


def test_a_line_that_is_no_cosignature_of_the_head_is_refused() -> None:
    heads = signed_heads(3)
    for bad in (line(4), "nothing", line(3, "w/2")):
        with pytest.raises(DataFileError):
            heads.cosign(3, bad, witness(), 8, fake_check)
    with pytest.raises(NotFoundError, match="no head of 4 leaves"):
        heads.cosign(4, line(4), witness(), 8, fake_check)


def test_only_so_many_heads_and_cosignatures_are_kept() -> None:
    heads = signed_heads(*range(1, MOST_HEADS + 2))
    with pytest.raises(NotFoundError):
        heads.note(1)
    for number in range(MOST_WITNESSES):
        heads.cosign(2, line(2, f"w/{number}"), witness(f"w/{number}"), 8, fake_check)

    with pytest.raises(ConflictError, match="cosignatures already"):
        heads.cosign(2, line(2, "w/more"), witness("w/more"), 8, fake_check)
    assert len(heads.note(2)) < MAX_NOTE
