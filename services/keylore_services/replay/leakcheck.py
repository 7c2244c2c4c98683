"""Leakcheck: whether anything that was sent in a stored match depends on what its receiver may not know.

Every moment is looked at through the eyes of every seat and of the public; what the viewer may not know is
swapped, and all is made again. The swaps follow from the id of the match, so a check can be repeated.
"""

from collections.abc import Iterator, Sequence
from functools import partial

import msgspec

from keylore_domain.engine.aggregates import decode_event
from keylore_domain.engine.chance import Chance, LiveChance, RecordedChance
from keylore_domain.engine.encoding import canonical_json, sha256_hex
from keylore_domain.engine.events import MovePlayed
from keylore_domain.engine.evidence import Row
from keylore_domain.engine.leaks import (
    Leak,
    Step,
    answer_leaks,
    fact_leaks,
    position_leaks,
    viewers,
)
from keylore_domain.engine.positions import Position
from keylore_domain.engine.records import Catalog, MatchRecord
from keylore_domain.engine.seats import Seat


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """A leak and the event after which it showed.

    ``what`` is as for `Leak`, or ``sent``: the digest of the view that was sent is not that of the view which
    the seat may see. ``viewer`` is a seat, or null for the public.
    """

    event: int
    viewer: Seat | None
    what: str
    shown: str
    instead: str


class LeakReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a leakcheck found.

    Attributes:
        moments: positions that were looked at; ``looks`` at them by all viewers, swaps included.
        swaps: how often the hidden things were swapped at each moment for each viewer.
        leaks: what was found, in the order of the events.
    """

    match: str
    game: str
    rules: str
    moments: int
    looks: int
    swaps: int
    leaks: tuple[Found, ...] = ()

    @property
    def is_tight(self) -> bool:
        """Whether nothing was found."""
        return not self.leaks


def leakcheck(match_id: str, rows: Sequence[Row], catalog: Catalog, *, swaps: int = 1) -> LeakReport:
    """Check a stored match for leaks.

    Args:
        swaps: how often to swap at each moment for each viewer.

    Raises:
        ReplayMismatchError: the record does not follow from its rules; verify it first.
    """
    check = _Check(match_id, catalog, swaps)
    leaks = tuple(found for _, topic, state in rows for found in check.after(topic, state))
    opened = check.record.entry
    return LeakReport(
        match=match_id,
        game=opened.game,
        rules=opened.rules,
        moments=check.moments,
        looks=check.looks,
        swaps=swaps,
        leaks=leaks,
    )


def sent_flaw(record: MatchRecord, event: MovePlayed) -> Found | None:
    """Whether the view that was sent with the prompt that *event* answers is another than the seat may see.

    Args:
        record: the match just before the event.
    """
    assert record.position is not None
    item = record.position.prompt_of(event.seat)
    if item is None:
        return None
    due = sha256_hex(canonical_json(record.rules.view(record.asked_at(item.number).state, event.seat)))
    if due == event.view:
        return None
    version = event.originator_version
    return Found(event=version, viewer=event.seat, what="sent", shown=event.view, instead=due)


class _Check:
    def __init__(self, match_id: str, catalog: Catalog, swaps: int) -> None:
        self.record = MatchRecord(match_id, catalog)
        self.moments = 0
        self.looks = 0
        self._swaps = swaps

    def after(self, topic: str, state: bytes) -> Iterator[Found]:
        """Take over the next event; gives what leaks in the position after it."""
        record, before = self.record, self.record.position
        event = decode_event(topic, state)
        flaw = sent_flaw(record, event) if isinstance(event, MovePlayed) and before else None
        record.replay(topic, state)
        if record.position is None or record.position is before:
            return
        self.moments += 1
        version = event.originator_version
        if flaw is not None:
            yield flaw
        for viewer in viewers(len(record.entry.seats)):
            for leak in self._leaks(
                event if isinstance(event, MovePlayed) else None, before, viewer, version
            ):
                yield Found(
                    event=version, viewer=viewer, what=leak.what, shown=leak.shown, instead=leak.instead
                )

    def _leaks(
        self, event: MovePlayed | None, before: Position | None, viewer: Seat | None, version: int
    ) -> Iterator[Leak]:
        game, after = self.record.rules, self.record.position
        assert after is not None
        step = draws = None
        if event is not None and before is not None:
            step = Step(before, event.seat, event.choice, after, self.record.facts)
            draws = partial(RecordedChance, event.draws, before.drawn)
            yield from answer_leaks(game, step, viewer, draws)
        for swap in range(self._swaps):
            self.looks += 1
            yield from position_leaks(game, after.state, viewer, self._swap(version, viewer, swap))
            if step is not None and draws is not None:
                yield from fact_leaks(game, step, viewer, draws, self._swap(version, viewer, swap))

    def _swap(self, version: int, viewer: Seat | None, swap: int) -> Chance:
        """Deals hidden things anew, the same on every run."""
        place = f"keylore.leakcheck/1\n{self.record.id}\n{version}\n{viewer}\n{swap}\n"
        return LiveChance(bytes.fromhex(sha256_hex(place.encode())))
