"""Checkpoints are notes as other implementations write and read them."""

import base64
import hashlib
import struct

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from keylore_domain.engine.checkpoints import (
    MAX_NOTE,
    Checkpoint,
    NoteKey,
    cosigned,
    cosigned_at,
    expect_witnesses,
    opened_checkpoint,
    opened_note,
    parsed_checkpoint,
    signed_note,
    with_cosignature,
)
from keylore_domain.errors import DataFileError
from keylore_services.arbiter.keys import KeyRing, is_signature

# The test vector of golang.org/x/mod/sumdb/note, the reference implementation of notes.
KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
SECRET = base64.b64decode("AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz")[1:]
TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
NOTE = (
    TEXT + "\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXg"
    "KvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)

PETER = NoteKey.parse(KEY)
RING = KeyRing(SECRET, bytes(32))
LOG = NoteKey("keylore.example/cup", RING.public_key)
HEAD = Checkpoint(LOG.name, 7, bytes(range(32)))


def signed(text: str = HEAD.text, name: str = LOG.name, ring: KeyRing = RING) -> str:
    return signed_note(text, name, ring)


def test_the_note_of_the_reference_implementation_comes_out_byte_for_byte() -> None:
    assert PETER.key == Ed25519PrivateKey.from_private_bytes(SECRET).public_key().public_bytes_raw().hex()
    assert str(PETER) == KEY
    assert signed_note(TEXT, "PeterNeumann", RING) == NOTE
    assert opened_note(NOTE, PETER, is_signature) == TEXT


def test_a_checkpoint_is_three_lines_and_a_signature() -> None:
    lines = signed().split("\n")

    assert lines[:4] == ["keylore.example/cup", "7", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", ""]
    assert lines[4].startswith("— keylore.example/cup ")
    assert opened_checkpoint(signed(), LOG, is_signature) == HEAD


def test_signatures_of_others_and_further_lines_are_passed_over() -> None:
    witness = KeyRing(b"\7" * 32, bytes(32))
    line = signed(HEAD.text + "more\n", "witness.example", witness).rpartition("\n\n")[2]

    assert opened_checkpoint(signed(HEAD.text + "more\n") + line, LOG, is_signature) == HEAD


@pytest.mark.parametrize(
    ("note", "problem"),
    [
        (signed(name="other.example"), "signatures: none is by"),
        (signed(ring=KeyRing(bytes(32), bytes(32))), "signatures: none is by"),
        (signed().replace("\n7\n", "\n8\n"), "signatures: the one by keylore.example/cup does not fit"),
        (signed("another.example\n7\n" + HEAD.text.split("\n")[2] + "\n"), "line 1: the log is 'another"),
        (signed("keylore.example/cup\n7\n"), "checkpoint: is not three"),
        (signed("keylore.example/cup\n\n7\n"), "checkpoint: is not three"),
        (signed(HEAD.text.replace("\n7\n", "\n07\n")), "line 2: '07' is not a number"),
        (signed(HEAD.text.replace("\n7\n", "\n-1\n")), "line 2"),
        (signed(HEAD.text.replace("=\n", "\n")), "line 3"),
        (signed(HEAD.text.replace("8=\n", "9=\n")), "line 3"),
        (signed(HEAD.text.replace("AAEC", "")), "line 3"),
        (HEAD.text, "note: is not a text"),
        (signed()[:-1], "note: is not a text"),
        (signed("x" * MAX_NOTE + "\n"), "note: is not a text"),
        (HEAD.text + "\n- a b\n", "is not a signature line"),
        (HEAD.text + "\n— a AAAA\n", "is not a signature line"),
        (HEAD.text + "\n— a AAAA=\n", "is not a signature line"),
    ],
)
def test_what_is_not_a_checkpoint_of_the_log_is_refused(note: str, problem: str) -> None:
    with pytest.raises(DataFileError, match=problem):
        opened_checkpoint(note, LOG, is_signature)


def test_any_changed_byte_of_a_note_is_found() -> None:
    note = signed()
    for at, letter in enumerate(note):
        other = "A" if letter != "A" else "B"
        with pytest.raises(DataFileError):
            opened_checkpoint(note[:at] + other + note[at + 1 :], LOG, is_signature)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        "a+b+c",
        KEY[:-4],
        KEY.replace("c74f20a3", "c74f20a4"),
        KEY.replace("Peter", "Pe ter"),
        "+" + KEY,
    ],
)
def test_what_is_not_a_key_is_refused(text: str) -> None:
    with pytest.raises(DataFileError, match="is not NAME"):
        NoteKey.parse(text)


def test_an_empty_log_has_a_checkpoint() -> None:
    empty = Checkpoint("a", 0, bytes(32))

    assert parsed_checkpoint(empty.text) == empty


# --- witnesses ------------------------------------------------------------------------------------------

WITNESS_RING = KeyRing(b"\7" * 32, bytes(32))
WITNESS = NoteKey("witness.example.com/w1", WITNESS_RING.public_key, is_witness=True)
TIME = 1_679_315_147


def cosigned_note(*names: str) -> str:
    note = signed()
    for name in names:
        note = with_cosignature(note, cosigned(HEAD.text, name, WITNESS_RING, TIME))
    return note


def witness(name: str) -> NoteKey:
    return NoteKey(name, WITNESS_RING.public_key, is_witness=True)


def test_a_cosignature_is_what_the_public_format_says() -> None:
    line = cosigned(HEAD.text, WITNESS.name, WITNESS_RING, TIME)

    mark, name, blob = line.split(" ")
    raw = base64.b64decode(blob)
    public = Ed25519PrivateKey.from_private_bytes(b"\7" * 32).public_key()
    named = hashlib.sha256(b"witness.example.com/w1\n\x04" + public.public_bytes_raw()).digest()
    assert (mark, name, len(raw)) == ("—", WITNESS.name, 4 + 8 + 64)
    assert raw[:4] == named[:4]
    assert struct.unpack(">Q", raw[4:12]) == (TIME,)
    public.verify(raw[12:], b"cosignature/v1\ntime 1679315147\n" + HEAD.text.encode())


def test_the_key_of_a_witness_is_written_and_read() -> None:
    assert NoteKey.parse(str(WITNESS)) == WITNESS
    assert base64.b64decode(str(WITNESS).split("+", 2)[2])[0] == 4
    assert WITNESS.id != NoteKey(WITNESS.name, WITNESS.key).id


def test_a_cosigned_checkpoint_tells_when_and_is_still_one_of_the_log() -> None:
    note = cosigned_note(WITNESS.name)

    assert cosigned_at(note, WITNESS, is_signature) == TIME
    assert opened_checkpoint(note, LOG, is_signature) == HEAD
    assert with_cosignature(note, cosigned(HEAD.text, WITNESS.name, WITNESS_RING, TIME)) == note


def test_a_cosignature_of_something_else_does_not_fit() -> None:
    other = cosigned(Checkpoint(LOG.name, 8, bytes(32)).text, WITNESS.name, WITNESS_RING, TIME)

    with pytest.raises(DataFileError, match="does not fit"):
        cosigned_at(with_cosignature(signed(), other), WITNESS, is_signature)
    with pytest.raises(DataFileError, match="none is by"):
        cosigned_at(signed(), WITNESS, is_signature)


def test_so_many_witnesses_can_be_asked_for() -> None:
    note = cosigned_note("w/1", "w/2")
    known = [witness("w/1"), witness("w/2"), witness("w/3"), witness("w/1")]

    assert expect_witnesses(note, known, 2, is_signature) == (witness("w/1"), witness("w/2"))
    with pytest.raises(DataFileError, match=r"2 of the 3 needed have cosigned it: .* none is by w/3"):
        expect_witnesses(note, known, 3, is_signature)
