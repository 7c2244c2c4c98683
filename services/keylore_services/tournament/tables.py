"""What a tournament asks of the arbiter: to play a match at a table, and to say how it ended."""

from collections.abc import Mapping
from typing import Literal, Protocol

import msgspec

from keylore_domain.engine.clocks import TimeControl
from keylore_domain.engine.events import Origin, SeatEntry
from keylore_domain.engine.matches import Match
from keylore_domain.engine.outcomes import Outcome
from keylore_services.tournament.turns import Turns


class Forfeit(msgspec.Struct, frozen=True):
    """A seat forfeits a match from its start; its default moves are played."""

    seat: int
    cause: str


class MatchSpec(msgspec.Struct, frozen=True, kw_only=True):
    """A match to be played.

    ``options`` are the game's, without ``seats``. ``rules``: a version, or ``None`` for the current one.
    ``public_seed``: a text that makes the match's chance reproducible; ``None`` for chance nobody knows.
    ``seed_label``: what the seed is derived from instead of the match id, so that matches with the same label
    have the same deal.
    ``forfeits``: seats that do not play.
    """

    match_id: str
    game: str
    rules: str | None = None
    options: Mapping[str, object] = msgspec.field(default_factory=dict)
    data_text: str | None = None
    seats: tuple[SeatEntry, ...]
    time: TimeControl = TimeControl()
    origin: Origin | None = None
    public_seed: str | None = None
    seed_label: str | None = None
    forfeits: tuple[Forfeit, ...] = ()


class MatchEnd(msgspec.Struct, frozen=True, kw_only=True):
    """How a match ended. ``outcome`` is ``None`` if it was aborted; then ``cause`` says why.

    ``plies`` counts its moves, ``forfeited`` lists the seats that forfeited.
    """

    match_id: str
    status: Literal["concluded", "aborted"]
    cause: str
    outcome: Outcome | None
    plies: int
    forfeited: tuple[int, ...] = ()

    @classmethod
    def of(cls, match: Match) -> "MatchEnd":
        """The end of a match that is over."""
        assert match.is_over
        return cls(
            match_id=match.id,
            status="aborted" if match.status == "aborted" else "concluded",
            cause=match.abort_cause if match.status == "aborted" else "rules",
            outcome=match.outcome,
            plies=match.position.ply if match.position else 0,
            forfeited=tuple(sorted(match.forfeited)),
        )


class Tables(Protocol):
    """Plays matches; the arbiter is one."""

    @property
    def turns(self) -> Turns:
        """Who plays how many matches at once; whoever opens a match waits there for its turn."""

    async def open(self, spec: MatchSpec) -> None:
        """Open the match, or go on with it if it exists already.

        Raises:
            NotFoundError, OptionError, DataFileError: the game or its options are wrong.
        """

    async def ended(self, match_id: str) -> MatchEnd:
        """Wait for the end of a match.

        Raises:
            NotFoundError: there is no such match, or nobody plays it.
        """

    async def missing(self, bots: frozenset[str], seconds: float) -> frozenset[str]:
        """Wait until all *bots* are connected, at most *seconds*; gives those that are not."""

    def is_away(self, bot: str) -> bool:
        """Whether *bot* (its id) is not connected."""

    def abort(self, match_id: str, cause: str) -> None:
        """End a match without a result.

        Raises:
            NotFoundError: it is not being played.
        """
