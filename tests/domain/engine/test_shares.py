"""Shares of the seed: commitments, what counts, and how they are combined."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keylore_domain.engine.shares import (
    NOTHING,
    Beacon,
    checked_beacon,
    combined_seed,
    counted_shares,
    is_revealed,
    share_commitment,
)
from keylore_domain.errors import DataFileError

MATCH = "m/cup/r1/t2"
ARBITER = bytes(range(32))
MINE, YOURS = "aa" * 32, "bb" * 32
BEACON = Beacon(value="cd" * 32, source="drand round 7")


def test_a_commitment_binds_match_seat_and_share() -> None:
    text = f"keylore.share/1\n{MATCH}\n1\n{MINE}\n"
    assert share_commitment(MATCH, 1, MINE) == hashlib.sha256(text.encode()).hexdigest()

    others = {
        share_commitment("m/other", 1, MINE),
        share_commitment(MATCH, 0, MINE),
        share_commitment(MATCH, 1, YOURS),
    }
    assert len(others | {share_commitment(MATCH, 1, MINE)}) == 4


def test_only_the_share_that_was_committed_to_counts() -> None:
    commitments = [share_commitment(MATCH, 0, MINE), share_commitment(MATCH, 1, YOURS), NOTHING]

    assert counted_shares(MATCH, commitments, [MINE, YOURS, NOTHING]) == (MINE, YOURS, NOTHING)
    assert counted_shares(MATCH, commitments, [YOURS, NOTHING, MINE]) == (NOTHING, NOTHING, NOTHING)


def test_a_share_has_one_spelling() -> None:
    loud = MINE.upper()

    assert not is_revealed(MATCH, 0, share_commitment(MATCH, 0, loud), loud)
    assert not is_revealed(MATCH, 0, share_commitment(MATCH, 0, "aa"), "aa")
    assert is_revealed(MATCH, 0, share_commitment(MATCH, 0, MINE), MINE)


def test_a_copied_commitment_cannot_be_revealed() -> None:
    copied = share_commitment(MATCH, 0, MINE)

    assert counted_shares(MATCH, [copied, copied], [MINE, MINE]) == (MINE, NOTHING)


def test_the_seed_is_the_hash_of_all_shares() -> None:
    text = (
        "keylore.match-seed/2\nm/cup/r1/t2\n"
        f"arbiter {ARBITER.hex()}\nseat 0 {MINE}\nseat 1 -\nbeacon {'cd' * 32} drand round 7\n"
    )

    assert combined_seed(MATCH, ARBITER, (MINE, NOTHING), BEACON) == hashlib.sha256(text.encode()).digest()
    bare = text.replace(f"beacon {'cd' * 32} drand round 7", "beacon -")
    assert combined_seed(MATCH, ARBITER, (MINE, NOTHING), None) == hashlib.sha256(bare.encode()).digest()


SHARES = st.lists(st.sampled_from([NOTHING, MINE, YOURS]), max_size=4)


@given(SHARES, SHARES)
def test_other_shares_make_another_seed(one: list[str], other: list[str]) -> None:
    seeds = [combined_seed(MATCH, ARBITER, shares, None) for shares in (one, other)]

    assert (seeds[0] == seeds[1]) == (one == other)


def test_each_part_has_a_say() -> None:
    seeds = {
        combined_seed(MATCH, ARBITER, (MINE,), BEACON),
        combined_seed("m/other", ARBITER, (MINE,), BEACON),
        combined_seed(MATCH, bytes(32), (MINE,), BEACON),
        combined_seed(MATCH, ARBITER, (YOURS,), BEACON),
        combined_seed(MATCH, ARBITER, (MINE,), None),
        combined_seed(MATCH, ARBITER, (MINE,), Beacon(value="cd" * 32, source="drand round 8")),
        combined_seed(MATCH, ARBITER, (MINE,), Beacon(value="ce" * 32, source="drand round 7")),
    }

    assert len(seeds) == 7


def test_a_beacon_is_a_public_value_with_a_source() -> None:
    assert checked_beacon(BEACON) is BEACON


@pytest.mark.parametrize(
    ("beacon", "problem"),
    [
        (Beacon(value="cd" * 15, source="x"), "value"),
        (Beacon(value="cd" * 257, source="x"), "value"),
        (Beacon(value="CD" * 32, source="x"), "value"),
        (Beacon(value="zz" * 32, source="x"), "value"),
        (Beacon(value="cd" * 32, source=""), "source"),
        (Beacon(value="cd" * 32, source="two\nlines"), "source"),
        (Beacon(value="cd" * 32, source="x" * 201), "source"),
    ],
)
def test_other_values_are_no_beacon(beacon: Beacon, problem: str) -> None:
    with pytest.raises(DataFileError, match=problem):
        checked_beacon(beacon)
