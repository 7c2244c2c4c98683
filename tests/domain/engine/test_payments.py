"""Payments by pattern: every payment and no other, in order."""

from collections import Counter
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keylore_domain.engine.payments import Vector, covers, minus, multisets, pay_options, plus, unit

held_vectors = st.lists(st.integers(0, 4), min_size=1, max_size=5).map(tuple)
patterns = st.text("xABC", max_size=5)


def brute_force(held: Vector, pattern: str, a_types: tuple[int, ...] | None) -> set[Vector]:
    """Try every type for every square."""
    found = set()
    for kinds in product(range(len(held)), repeat=len(pattern)):
        letters: dict[str, set[int]] = {}
        for letter, kind in zip(pattern, kinds, strict=True):
            if letter != "x":
                letters.setdefault(letter, set()).add(kind)
        if any(len(types) > 1 for types in letters.values()):
            continue
        if any(first & second for first, second in combinations(letters.values(), 2)):
            continue
        if a_types is not None and not letters.get("A", set()) <= set(a_types):
            continue
        counts = Counter(kinds)
        paid = tuple(counts[at] for at in range(len(held)))
        if covers(held, paid):
            found.add(paid)
    return found


@settings(deadline=None)
@given(held_vectors, patterns, st.none() | st.sets(st.integers(0, 4)).map(lambda types: tuple(sorted(types))))
def test_exactly_the_payments_of_the_pattern_are_offered(
    held: Vector, pattern: str, a_types: tuple[int, ...] | None
) -> None:
    options = pay_options(held, pattern, a_types)

    assert set(options) == brute_force(held, pattern, a_types)
    assert list(options) == sorted(set(options), reverse=True)


def test_different_letters_stand_for_different_types() -> None:
    assert pay_options((2, 1, 0), "AAB") == ((2, 1, 0),)
    assert pay_options((3, 0, 0), "AAB") == ()


def test_letter_a_can_be_bound_to_types() -> None:
    assert pay_options((2, 2, 2), "AA", (1,)) == ((0, 2, 0),)
    assert pay_options((2, 2, 2), "BB", (1,)) == ((2, 0, 0), (0, 2, 0), (0, 0, 2))


def test_an_empty_price_is_paid_with_nothing() -> None:
    assert pay_options((1, 2), "") == ((0, 0),)


@settings(deadline=None)
@given(held_vectors, st.integers(0, 8))
def test_multisets_are_all_selections_of_a_size(held: Vector, size: int) -> None:
    found = list(multisets(held, size))

    ranges = [range(count + 1) for count in held]
    assert found == sorted((pick for pick in product(*ranges) if sum(pick) == size), reverse=True)


@settings(deadline=None)
@given(held_vectors)
def test_what_is_taken_can_be_put_back(held: Vector) -> None:
    for part in multisets(held, sum(held) // 2):
        assert plus(minus(held, part), part) == held


def test_vectors_are_compared_type_by_type() -> None:
    assert covers((2, 1), (2, 0))
    assert not covers((2, 1), (0, 2))
    assert unit(4, 2) == (0, 0, 1, 0)
    assert unit(3, 0, 5) == (5, 0, 0)
    with pytest.raises(ValueError, match="shorter"):
        plus((1, 2), (1,))
