"""What the evidence costs: chain, digests and signed receipts, of the moves that an arbiter takes.

The same arbiter plays the same 50 games with and without them. Without, the digests are empty strings and
nothing is signed: such a record proves nothing and could not be loaded again.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from statistics import median
from unittest import mock

import structlog

from bench.arbiter import GAMES, Figures, arbitrated
from bench.harness import Row
from keylore_domain.engine import matches
from keylore_domain.engine.aggregates import Aggregate, Event
from keylore_services.arbiter import notary, runner

BAR = "<= 1.18"  # 15 % fewer moves per second

Patch = tuple[object, str, Callable[..., object]]


def _unchained(self: Aggregate, event: Event) -> None:
    self.apply(event)
    self.version = event.originator_version
    self._pending.append(event)


CHAIN: tuple[Patch, ...] = ((Aggregate, "record", _unchained),)
DIGESTS: tuple[Patch, ...] = (
    (matches, "state_digest", lambda state, key: ""),
    (runner, "sha256_hex", lambda data: ""),
    (runner, "asked_digest", lambda *of: ""),
)
RECEIPTS: tuple[Patch, ...] = ((notary, "signed_receipt", lambda receipt, signer: receipt),)

VARIANTS: Mapping[str, tuple[Patch, ...]] = {
    "whole": (),
    "unsigned": RECEIPTS,
    "chained": (*RECEIPTS, *DIGESTS),
    "bare": (*RECEIPTS, *DIGESTS, *CHAIN),
}


def run(quick: bool) -> list[Row]:
    """The time of a move, several rounds."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    rounds, games, cap = (1, 10, 1) if quick else (7, GAMES, 2)
    seen: dict[str, list[Figures]] = {name: [] for name in VARIANTS}
    asyncio.run(arbitrated(games, cap, "memory"))
    for _ in range(rounds):
        for name, patches in VARIANTS.items():
            with patched(patches):
                seen[name].append(asyncio.run(arbitrated(games, cap, "file")))
    return [
        row("a move with chain and digests: without", seen, "unsigned", "bare", BAR),
        row("a move with chain, digests and receipts: without", seen, "whole", "bare"),
        row("a move with signed receipts: with unsigned ones", seen, "whole", "unsigned"),
        row("a move with digests of position, view and prompt: without", seen, "unsigned", "chained"),
        row("a move with the chain: without", seen, "chained", "bare"),
    ]


@contextmanager
def patched(patches: tuple[Patch, ...]) -> Iterator[None]:
    """Leave some of the evidence out for a while."""
    with ExitStack() as stack:
        for owner, name, instead in patches:
            stack.enter_context(mock.patch.object(owner, name, instead))
        yield


def row(title: str, seen: Mapping[str, list[Figures]], ours: str, floor: str, bar: str | None = None) -> Row:
    """The time of a move in *ours* by that in *floor*, round by round."""
    pairs = list(zip(seen[ours], seen[floor], strict=True))
    return Row(
        name=title,
        ours=median(figures["micros"] for figures in seen[ours]),
        floor=median(figures["micros"] for figures in seen[floor]),
        ratio=median(a["micros"] / b["micros"] for a, b in pairs),
        cpu=median(a["cpu"] / b["cpu"] for a, b in pairs),
        bar=bar,
        judged="cpu",
    )
