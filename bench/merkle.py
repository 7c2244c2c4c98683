"""What the tree of the log costs (P13): an append and a proof, against hashing a leaf."""

import hashlib
from collections.abc import Iterable

from bench.harness import Prepare, Row, interleave, ready
from keylore_domain.engine.heads import leaf_data
from keylore_domain.engine.merkle import MerkleTree, leaf_hash, verify_inclusion

SIZE = 20_000


def run(quick: bool) -> list[Row]:
    """A log of 20,000 leaves."""
    rounds, units = (2, 500) if quick else (9, 2_000)
    leaves = [leaf_data(f"m/cup/r1/t{number}", 100, f"{number:064x}") for number in range(SIZE)]
    tree = _grown(leaves)
    root = tree.root(SIZE)
    some = [number * 9 for number in range(units)]
    proofs = [tree.inclusion(number, SIZE) for number in some]

    def checked() -> None:
        for number, proof in zip(some, proofs, strict=True):
            assert verify_inclusion(leaf_hash(leaves[number]), number, SIZE, proof, root)

    variants: dict[str, Prepare] = {
        "hash": ready(lambda: [hashlib.sha256(leaf).digest() for leaf in leaves[:units]]),
        "append": ready(lambda: _grown(leaves[:units])),
        "prove": ready(lambda: [tree.inclusion(number, SIZE) for number in some]),
        "check": ready(checked),
    }
    times = interleave(variants, rounds=rounds, units=units, judged="cpu")
    return [
        times.at_most("P13 append a leaf: SHA-256 of it", "append", "hash", 4.0),
        times.at_most("P13 inclusion proof in 20,000: SHA-256 of a leaf", "prove", "hash", 40.0),
        times.at_most("P13 check an inclusion proof: SHA-256 of a leaf", "check", "hash", 40.0),
    ]


def _grown(leaves: Iterable[bytes]) -> MerkleTree:
    tree = MerkleTree()
    for leaf in leaves:
        tree.append(leaf_hash(leaf))
    return tree
