"""What a record claims about its seed before the set-up: sources, commitments, shares."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from keylore_domain.engine.aggregates import Event
from keylore_domain.engine.claims import expect, fail
from keylore_domain.engine.encoding import is_hex
from keylore_domain.engine.events import Opened, SharesCommitted, SharesRevealed
from keylore_domain.engine.shares import NOTHING, SHARE_DIGITS, checked_beacon
from keylore_domain.errors import DataFileError, ReplayMismatchError

_DIGITS: Final = f"{SHARE_DIGITS} small hexadecimal digits"


def check_sources(event: Opened) -> None:
    """Check that what goes into the seed has its form and fits together.

    Raises:
        ReplayMismatchError: it does not.
    """
    if not is_hex(event.key, SHARE_DIGITS):
        fail(event, "the key of the arbiter has a wrong form", _DIGITS, event.key)
    if event.chance and not is_hex(event.chance, SHARE_DIGITS):
        fail(event, "the commitment to the chance key has a wrong form", _DIGITS, event.chance)
    if event.public_seed is not None and (event.shares or event.beacon or event.chance):
        fail(event, "nothing is mixed into a public seed", "no share, beacon or chance key", "one")
    if event.seed_label is not None:
        _check_label(event, event.seed_label)
    try:
        _ = checked_beacon(event.beacon) if event.beacon else None
    except DataFileError as error:
        problem = f"the beacon is none: {error}"
        raise ReplayMismatchError(problem, event.originator_version) from error


def _check_label(event: Opened, label: str) -> None:
    """A shared deal is one of its round; any other label would be a deal that somebody chose."""
    if event.shares:
        fail(event, "the seats give no shares of the seed of a shared deal", "false", "true")
    if event.origin is None:
        fail(event, "the deal is shared, but the match belongs to no tournament", "no label", label)
    name = event.origin.tournament.removeprefix("t/")
    round_name = f"{name}/r{event.origin.round}"
    if not re.fullmatch(re.escape(round_name) + r"/[gp][1-9][0-9]*", label):
        fail(event, "the label of the deal is not one of its round", f"{round_name}/g1", label)


def check_commitments(event: SharesCommitted, seats: int) -> None:
    """Check the form of the commitments.

    Raises:
        ReplayMismatchError: it is wrong.
    """
    expect(event, "the number of commitments", seats, len(event.commitments))
    if not any(event.commitments):
        fail(event, "no seat committed to a share", "at least one commitment", "none")
    _check_digits(event, event.commitments)


def check_shares(event: SharesRevealed, commitments: Sequence[str]) -> None:
    """Check the form of the shares, and that only seats that had committed gave one.

    Raises:
        ReplayMismatchError: it is wrong.
    """
    expect(event, "the number of shares", len(commitments), len(event.shares))
    _check_digits(event, event.shares)
    for seat, (committed, share) in enumerate(zip(commitments, event.shares, strict=True)):
        if share and not committed:
            fail(event, f"seat {seat} reveals a share, but committed to none", "nothing", share)


def kept_back(event: SharesRevealed, commitments: Sequence[str], counted: Sequence[str]) -> Iterator[str]:
    """The seats that did not reveal what they had committed to, in words."""
    for seat, (committed, share) in enumerate(zip(commitments, counted, strict=True)):
        if committed and not share:
            said = "a wrong share" if event.shares[seat] else "none"
            yield f"seat {seat} had committed to a share of the seed and revealed {said}"


def _check_digits(event: Event, texts: Sequence[str]) -> None:
    for seat, text in enumerate(texts):
        if text != NOTHING and not is_hex(text, SHARE_DIGITS):
            fail(event, f"what seat {seat} said has a wrong form", f"{_DIGITS}, or nothing", text)
