"""Merkle trees: the published vectors of Certificate Transparency, and all proofs of all small trees."""

import pytest

from keylore_domain.engine.merkle import (
    EMPTY_ROOT,
    MerkleTree,
    leaf_hash,
    verify_consistency,
    verify_inclusion,
)
from keylore_domain.errors import NotFoundError

# The reference data of the Certificate Transparency implementations.
INPUTS = (
    "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
)  # fmt: skip
ROOTS = (
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
CONSISTENCY = {
    (1, 8): (
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ),
    (6, 8): (
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ),
    (2, 5): (
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ),
}
MOST = 130


def grown(size: int, salt: str = "") -> MerkleTree:
    tree = MerkleTree()
    for number in range(size):
        tree.append(leaf_hash(f"{salt}leaf {number}".encode()))
    return tree


TREE = grown(MOST)


def reference_root(leaves: list[bytes]) -> bytes:
    """The definition in RFC 6962, section 2.1, written down as it stands."""
    import hashlib

    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\0" + leaves[0]).digest()
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return hashlib.sha256(b"\1" + reference_root(leaves[:split]) + reference_root(leaves[split:])).digest()


def test_the_published_roots_and_proofs_come_out() -> None:
    tree = MerkleTree()
    for number, data in enumerate(INPUTS):
        assert tree.append(leaf_hash(bytes.fromhex(data))) == number
        assert tree.root(number + 1).hex() == ROOTS[number]
    for (old, new), proof in CONSISTENCY.items():
        assert tuple(step.hex() for step in tree.consistency(old, new)) == proof
    assert tree.root(0) == EMPTY_ROOT


def test_roots_are_those_of_the_definition() -> None:
    for size in range(MOST + 1):
        assert TREE.root(size) == reference_root([f"leaf {number}".encode() for number in range(size)])


@pytest.mark.slow
def test_every_leaf_of_every_tree_has_a_proof_that_holds_for_it_alone() -> None:
    for size in range(1, MOST + 1):
        root = TREE.root(size)
        for index in range(size):
            leaf = leaf_hash(f"leaf {index}".encode())
            proof = TREE.inclusion(index, size)
            assert verify_inclusion(leaf, index, size, proof, root)
            assert not verify_inclusion(leaf, (index + 1) % (size + 1), size, proof, root)
            assert not verify_inclusion(leaf, index, size, (*proof, root), root)
            assert not verify_inclusion(leaf, index, size, proof, leaf_hash(b"another root"))
            assert not proof or not verify_inclusion(leaf, index, size, proof[:-1], root)


@pytest.mark.slow
def test_every_tree_is_consistent_with_every_smaller_one_and_with_no_other() -> None:
    other = grown(MOST, "other ")
    for new in range(MOST + 1):
        for old in range(new + 1):
            proof = TREE.consistency(old, new)
            roots = TREE.root(old), TREE.root(new)
            assert verify_consistency(old, new, *roots, proof)
            assert not verify_consistency(old, new, *roots, (*proof, EMPTY_ROOT))
            assert old == 0 or not verify_consistency(old, new, other.root(old), roots[1], proof)
            assert not proof or not verify_consistency(old, new, *roots, proof[:-1])
            assert old in {0, new} or not verify_consistency(old, new, roots[0], other.root(new), proof)
            assert old == new or not verify_consistency(new, old, roots[1], roots[0], proof)


def test_nothing_is_consistent_with_an_empty_log_that_is_not_empty() -> None:
    root = TREE.root(1)

    assert not verify_consistency(0, 0, EMPTY_ROOT, root, ())
    assert not verify_consistency(0, 0, root, root, ())
    assert not verify_consistency(0, 5, root, TREE.root(5), ())
    assert not verify_consistency(-1, 5, root, TREE.root(5), ())
    assert not verify_consistency(3, 7, TREE.root(3), TREE.root(7), ())


@pytest.mark.parametrize("index", [-1, 0, 1, 2])
def test_an_empty_log_contains_nothing(index: int) -> None:
    assert not verify_inclusion(leaf_hash(b""), index, 0, (), EMPTY_ROOT)
    assert not verify_inclusion(leaf_hash(b""), index, -1, (), EMPTY_ROOT)


def test_what_is_not_there_has_no_proof() -> None:
    tree = grown(5)

    for size in (-1, 6):
        with pytest.raises(NotFoundError, match="the log has 5 leaves"):
            tree.root(size)
    with pytest.raises(NotFoundError, match="a log of 3 leaves has no leaf 3"):
        tree.inclusion(3, 3)
    with pytest.raises(NotFoundError, match="a log of 3 leaves does not contain one of 4"):
        tree.consistency(4, 3)
