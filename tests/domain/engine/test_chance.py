"""Chance: derivation, uniformity, and the three sources."""

import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keylore_domain.engine import chance
from keylore_domain.engine.chance import (
    AuditedChance,
    Draw,
    LiveChance,
    RecordedChance,
    commitment,
    derive,
    match_seed,
    words,
)
from keylore_domain.errors import ReplayMismatchError

SEED = bytes(range(32))
GOLDEN_SHUFFLE = (3, 5, 4, 7, 6, 2, 1, 0)
GOLDEN_ROLL = (1,)
GOLDEN_WORD = 6403336499310688514


def redone(seed: bytes, label: str, index: int, kind: str, n: int) -> tuple[int, ...]:
    """The specified derivation, written again and differently."""
    stream: list[int] = []
    for block in range(40):
        message = (
            f"keylore.chance/1\0{label}\0".encode() + index.to_bytes(8, "big") + block.to_bytes(8, "big")
        )
        digest = hmac.new(seed, message, hashlib.sha256).hexdigest()
        stream += [int(digest[at : at + 16], 16) for at in (0, 16, 32, 48)]

    def below(limit: int) -> int:
        while True:
            word = stream.pop(0)
            if word < 2**64 // limit * limit:
                return word % limit

    if kind == "below":
        return (below(n),)
    order = list(range(n))
    for last in reversed(range(1, n)):
        pick = below(last + 1)
        order[pick], order[last] = order[last], order[pick]
    return tuple(order)


@settings(deadline=None)
@given(st.binary(min_size=32, max_size=32), st.text(max_size=20), st.integers(0, 2**40), st.integers(1, 60))
def test_a_stranger_can_redo_each_draw(seed: bytes, label: str, index: int, n: int) -> None:
    assert derive(seed, label, index, "below", n).values == redone(seed, label, index, "below", n)
    assert derive(seed, label, index, "shuffle", n).values == redone(seed, label, index, "shuffle", n)


def test_the_derivation_never_changes() -> None:
    assert derive(SEED, "deck.spells", 0, "shuffle", 8).values == GOLDEN_SHUFFLE
    assert derive(SEED, "roll.flag", 3, "below", 6).values == GOLDEN_ROLL
    assert next(words(SEED, "roll.flag", 0)) == GOLDEN_WORD


@pytest.mark.parametrize("n", [2, 3, 6, 7, 10])
def test_each_number_is_equally_likely(n: int) -> None:
    live = LiveChance(SEED)
    rolls = 600 * n

    counts = Counter(live.below("roll", n) for _ in range(rolls))

    assert set(counts) == set(range(n))
    chi_square = sum((count - 600) ** 2 / 600 for count in counts.values())
    assert chi_square < 35  # p < 0.0002 for 9 degrees of freedom; the seed is fixed


def test_each_order_is_equally_likely() -> None:
    live = LiveChance(SEED)

    counts = Counter(live.shuffled("deck", "abc") for _ in range(3_000))

    assert len(counts) == 6
    assert sum((count - 500) ** 2 / 500 for count in counts.values()) < 25


def test_words_beyond_the_last_whole_multiple_are_rejected() -> None:
    n = (1 << 63) + 1  # almost half of all words are rejected
    draws = [derive(SEED, "big", index, "below", n).values[0] for index in range(40)]

    assert all(draw < n for draw in draws)
    expected = [next(word for word in words(SEED, "big", index) if word < n) for index in range(40)]
    assert draws == expected
    assert any(next(words(SEED, "big", index)) >= n for index in range(40))


def test_labels_and_indexes_are_independent() -> None:
    live = LiveChance(SEED)
    live.below("other", 1_000_000)

    first = live.below("roll", 1_000_000)

    assert first == LiveChance(SEED).below("roll", 1_000_000)
    assert live.below("roll", 1_000_000) != first
    assert live.drawn == {"other": 1, "roll": 2}
    assert [draw.index for draw in live.draws] == [0, 0, 1]


def test_a_source_goes_on_where_the_match_stands() -> None:
    whole = LiveChance(SEED)
    whole.below("roll", 100)
    second = whole.below("roll", 100)

    assert LiveChance(SEED, {"roll": 1}).below("roll", 100) == second


def test_items_are_picked_and_shuffled() -> None:
    live = LiveChance(SEED)

    assert live.pick("letter", "abc") in "abc"
    assert sorted(live.shuffled("deck", "edcba")) == list("abcde")
    assert live.shuffled("none", ()) == ()


def test_the_commitment_binds_the_seed() -> None:
    assert commitment(SEED) == hashlib.sha256(b"keylore.seed/1\0" + SEED).hexdigest()
    assert commitment(SEED) != commitment(bytes(32))


def test_a_match_seed_follows_from_key_and_id() -> None:
    expected = hmac.new(b"key", b"keylore.match-seed/1\0m/a", hashlib.sha256).digest()

    assert match_seed(b"key", "m/a") == expected
    assert len(expected) == chance.SEED_BYTES


def recorded() -> list[Draw]:
    live = LiveChance(SEED)
    live.below("roll", 6)
    live.shuffled("deck", "abcd")
    return live.draws


@pytest.mark.parametrize("source", [RecordedChance(recorded()), AuditedChance(SEED, recorded())])
def test_a_record_gives_the_same_draws(source: RecordedChance) -> None:
    live = LiveChance(SEED)

    assert source.below("roll", 6) == live.below("roll", 6)
    assert source.shuffled("deck", "abcd") == live.shuffled("deck", "abcd")
    source.finish()


def test_a_draw_that_is_not_recorded_is_a_mismatch() -> None:
    with pytest.raises(ReplayMismatchError, match=r"draw roll#0 \(below 6\) is not in the record"):
        RecordedChance([]).below("roll", 6)


@pytest.mark.parametrize(
    ("label", "n", "drawn"), [("other", 6, {}), ("roll", 7, {}), ("roll", 6, {"roll": 1})]
)
def test_a_draw_that_is_recorded_otherwise_is_a_mismatch(label: str, n: int, drawn: dict[str, int]) -> None:
    with pytest.raises(ReplayMismatchError, match=r"is recorded as roll#0 \(below 6\)"):
        RecordedChance(recorded(), drawn).below(label, n)


def test_a_draw_of_another_kind_is_a_mismatch() -> None:
    with pytest.raises(ReplayMismatchError, match="is recorded as"):
        RecordedChance(recorded()).shuffled("roll", "abcdef")


def test_a_draw_that_nobody_asked_for_is_a_mismatch() -> None:
    source = RecordedChance(recorded())
    source.below("roll", 6)

    with pytest.raises(ReplayMismatchError, match="deck#0 is recorded but the rules do not ask for it"):
        source.finish()


@pytest.mark.parametrize(
    "draw",
    [
        Draw("roll", 0, "below", 6, (6,)),
        Draw("roll", 0, "below", 6, (-1,)),
        Draw("roll", 0, "below", 6, ()),
        Draw("roll", 0, "below", 6, (1, 2)),
    ],
)
def test_a_number_that_cannot_be_drawn_is_a_mismatch(draw: Draw) -> None:
    with pytest.raises(ReplayMismatchError, match="values that cannot be drawn"):
        RecordedChance([draw]).below("roll", 6)


@pytest.mark.parametrize("values", [(0, 1), (0, 1, 1), (0, 1, 3), (0, 1, 2, 2)])
def test_an_order_that_cannot_be_drawn_is_a_mismatch(values: tuple[int, ...]) -> None:
    with pytest.raises(ReplayMismatchError, match="values that cannot be drawn"):
        RecordedChance([Draw("deck", 0, "shuffle", 3, values)]).shuffled("deck", "abc")


def test_a_rigged_draw_is_found_once_the_seed_is_known() -> None:
    rigged = Draw("roll", 0, "below", 6, ((LiveChance(SEED).below("roll", 6) + 1) % 6,))

    assert RecordedChance([rigged]).below("roll", 6) == rigged.values[0]
    with pytest.raises(ReplayMismatchError, match="does not follow from the revealed seed"):
        AuditedChance(SEED, [rigged]).below("roll", 6)
