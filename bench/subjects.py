"""What the benchmarks of the ledger measure with: events of a usual size, and an aggregate without rules."""

import msgspec

from keylore_domain.engine.aggregates import Aggregate, Event
from keylore_domain.engine.clocks import Reading, TimeControl
from keylore_domain.engine.events import MovePlayed, Opened, SeatEntry
from keylore_domain.engine.seats import Seat

MOVE = msgspec.Raw(b'{"type":"place","location":"harbour","counter":3}')
FACTS = msgspec.Raw(
    b'[{"type":"placed","seat":1,"location":"harbour","counter":3},{"type":"drawn","card":17}]'
)


class Recorded(Aggregate):
    """A match whose rules do nothing."""

    def apply(self, event: Event) -> None:
        """Change nothing."""

    def play(self) -> None:
        """Record the next move."""
        self.record(next_move(self, "5d" * 32))


def next_move(match: Aggregate, digest: str) -> MovePlayed:
    """An event that continues *match*."""
    ply = match.version + 1
    moment = 1_790_000_000_000_000 + ply
    return MovePlayed(
        **match.stamp(moment),
        ply=ply,
        prompt=ply,
        seat=Seat(ply % 4),
        kind="place",
        choice=ply % 12,
        move=MOVE,
        draws=(),
        facts=FACTS,
        digest=digest,
        view="a7" * 32,
        clock=Reading(
            ready=moment, sent=moment, received=moment + 9000, budget=10**7, credited=0, spent=9000, left=0
        ),
    )


def opened(match_id: str, moves: int) -> Recorded:
    """A match that was opened and has *moves* moves, all of them new."""
    match = Recorded(match_id)
    match.record(
        Opened(
            **match.stamp(1_790_000_000_000_000),
            game="keydom",
            rules="1",
            engine="1",
            options=msgspec.Raw(b"{}"),
            data="c0" * 32,
            data_text=None,
            seats=tuple(SeatEntry(f"bot/{name}", name) for name in ("ada", "bob", "cyd", "dan")),
            time=TimeControl(),
            key="4b" * 32,
            commitment="9e" * 32,
        )
    )
    for _ in range(moves):
        match.play()
    return match


def played(match_id: str, moves: int) -> Recorded:
    """A match with *moves* new events."""
    match = Recorded(match_id)
    for _ in range(moves):
        match.play()
    return match
