"""Merkle trees with the hashing of RFC 6962: a log that can only grow, and proofs that it did.

A tree of n leaves has one root. An inclusion proof shows that a leaf stands at a place in the tree with a
root; a consistency proof shows that a greater tree begins with all leaves of a smaller one. The verifiers
follow RFC 9162, sections 2.1.3.2 and 2.1.4.2, and need no tree.
"""

import hashlib
from collections.abc import Sequence
from typing import Final

from keylore_domain.errors import NotFoundError

HASH_BYTES: Final = 32

EMPTY_ROOT: Final = hashlib.sha256(b"").digest()


def leaf_hash(data: bytes) -> bytes:
    """The hash of a leaf that holds *data*."""
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of an inner node."""
    return hashlib.sha256(b"\x01" + left + right).digest()


class MerkleTree:
    """The hashes of all complete subtrees; each root and each proof for any size so far follows from them."""

    def __init__(self) -> None:
        self._levels: list[list[bytes]] = [[]]  # level k: subtrees of 2^k leaves, from left to right

    @property
    def size(self) -> int:
        """The number of leaves."""
        return len(self._levels[0])

    def append(self, leaf: bytes) -> int:
        """Add a leaf by its hash; gives its index, from 0."""
        index = self.size
        self._levels[0].append(leaf)
        level = 0
        while len(self._levels[level]) % 2 == 0:
            if level + 1 == len(self._levels):
                self._levels.append([])
            left, right = self._levels[level][-2:]
            level += 1
            self._levels[level].append(node_hash(left, right))
        return index

    def root(self, size: int) -> bytes:
        """The root of the first *size* leaves.

        Raises:
            NotFoundError: there are fewer.
        """
        self._check_size(size)
        return self._subtree(0, size)

    def inclusion(self, index: int, size: int) -> tuple[bytes, ...]:
        """The proof that leaf *index* is among the first *size*.

        Raises:
            NotFoundError: it is not, or there are fewer.
        """
        self._check_size(size)
        if not 0 <= index < size:
            msg = f"a log of {size} leaves has no leaf {index}"
            raise NotFoundError(msg)
        return tuple(self._path(index, 0, size))

    def consistency(self, old: int, new: int) -> tuple[bytes, ...]:
        """The proof that the first *new* leaves begin with the first *old* ones.

        Raises:
            NotFoundError: there are fewer leaves, or *old* is greater than *new*.
        """
        self._check_size(new)
        if not 0 <= old <= new:
            msg = f"a log of {new} leaves does not contain one of {old}"
            raise NotFoundError(msg)
        return tuple(self._common(old, 0, new, is_known=True)) if 0 < old < new else ()

    def _check_size(self, size: int) -> None:
        if not 0 <= size <= self.size:
            msg = f"the log has {self.size} leaves, not {size}"
            raise NotFoundError(msg)

    def _subtree(self, first: int, end: int) -> bytes:
        """The hash over the leaves from *first* up to but not including *end*."""
        size = end - first
        if size == 0:
            return EMPTY_ROOT
        if size & (size - 1) == 0:
            return self._levels[size.bit_length() - 1][first // size]
        middle = first + _split(size)
        return node_hash(self._subtree(first, middle), self._subtree(middle, end))

    def _path(self, index: int, first: int, end: int) -> list[bytes]:
        if end - first == 1:
            return []
        split = _split(end - first)
        middle = first + split
        if index < split:
            return [*self._path(index, first, middle), self._subtree(middle, end)]
        return [*self._path(index - split, middle, end), self._subtree(first, middle)]

    def _common(self, old: int, first: int, end: int, *, is_known: bool) -> list[bytes]:
        if old == end - first:
            return [] if is_known else [self._subtree(first, end)]
        split = _split(end - first)
        middle = first + split
        if old <= split:
            return [*self._common(old, first, middle, is_known=is_known), self._subtree(middle, end)]
        return [*self._common(old - split, middle, end, is_known=False), self._subtree(first, middle)]


def _split(size: int) -> int:
    """The greatest power of two that is smaller than *size*."""
    return 1 << (size - 1).bit_length() - 1


def verify_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether *proof* shows that *leaf* (a hash) is number *index* in the tree of this *size* and *root*."""
    if not 0 <= index < size:
        return False
    place, last, found = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            return False
        if place & 1 or place == last:
            found = node_hash(sibling, found)
            place, last = _up_right(place, last)
        else:
            found = node_hash(found, sibling)
        place, last = place >> 1, last >> 1
    return last == 0 and found == root


def verify_consistency(old: int, new: int, old_root: bytes, new_root: bytes, proof: Sequence[bytes]) -> bool:
    """Whether *proof* shows that the tree of *new* leaves begins with that of *old* leaves."""
    if not 0 <= old <= new:
        return False
    if old in {0, new}:
        is_same = old_root == (new_root if old == new else EMPTY_ROOT)
        return not proof and is_same and (new > 0 or new_root == EMPTY_ROOT)
    path = [old_root, *proof] if old & (old - 1) == 0 else list(proof)
    if not proof:
        return False
    place, last = old - 1, new - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    first = second = path[0]
    for sibling in path[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            first, second = node_hash(sibling, first), node_hash(sibling, second)
            place, last = _up_right(place, last)
        else:
            second = node_hash(second, sibling)
        place, last = place >> 1, last >> 1
    return last == 0 and first == old_root and second == new_root


def _up_right(place: int, last: int) -> tuple[int, int]:
    """Up from a last node that has no sibling, until it is a right child or the leftmost node."""
    while place and not place & 1:
        place, last = place >> 1, last >> 1
    return place, last
