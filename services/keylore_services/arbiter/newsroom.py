"""The newsroom of a live match: what the seats are told of each other's moves.

The number of messages is a message too. Of an answer in secret, others hear nothing until something shows of
it: a fact, or that others are asked now. How often a seat decided in secret is not to be counted by news.
"""

from keylore_domain.engine.matches import Match, Moved
from keylore_domain.engine.seats import Seat
from keylore_services.arbiter.hub import Hub
from keylore_services.arbiter.telling import news, waiting_seats


class Newsroom:
    """Tells the seats of one match what happened, as far as each may know."""

    def __init__(self, match: Match, hub: Hub) -> None:
        self._match = match
        self._hub = hub
        self._bots = tuple(entry.bot for entry in match.entry.seats)
        self._asked: list[tuple[Seat, ...]] = []

    def begin(self) -> None:
        """Keep in mind who is asked at first; the match is set up."""
        if not self._asked:
            self._asked = [waiting_seats(self._match, Seat(seat)) for seat in range(len(self._bots))]

    def tell(self, played: Moved) -> None:
        """Tell every seat that wants to hear it of a move that is stored."""
        event = played.event
        for at, bot in enumerate(self._bots):
            told = news(self._match, Seat(at), event.originator_version, event.ply, played.facts)
            before, self._asked[at] = self._asked[at], told.waiting
            is_silent = played.hidden and at != event.seat and told.facts == b"[]" and told.waiting == before
            session = self._hub.session(bot)
            if session is not None and session.news and not is_silent:
                session.send(told)
