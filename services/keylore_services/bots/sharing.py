"""The bot's side of fair chance: it gives a share of each seed, and checks the seed in the end."""

import secrets
from typing import NoReturn

import msgspec
import structlog

from keylore.v1 import arbiter_pb2
from keylore_domain.engine.chance import commitment
from keylore_domain.engine.encoding import is_hex
from keylore_domain.engine.shares import (
    NOTHING,
    SHARE_DIGITS,
    Beacon,
    combined_seed,
    counted_shares,
    share_commitment,
)
from keylore_domain.errors import HistoryError

log = structlog.get_logger()


class Told(msgspec.Struct):
    """What the arbiter told of the seed of one match, in the order in which it has to be told."""

    opened: arbiter_pb2.Seated
    commitments: tuple[str, ...] = ()
    shares: tuple[str, ...] = ()


class Sharer:
    """Gives shares for the seats of a bot, and refuses an arbiter that does not keep to them.

    A share is made once for each seat of a match, of the randomness of the operating system, and said to
    nobody before the commitments of all seats are stored.

    Args:
        is_willing: whether to give shares at all.
    """

    def __init__(self, *, is_willing: bool = True) -> None:
        self.is_willing = is_willing
        self._told: dict[str, Told] = {}
        self._mine: dict[tuple[str, int], str] = {}

    def seated(self, message: arbiter_pb2.Seated) -> None:
        """The bot sits at a table.

        Raises:
            HistoryError: the arbiter has committed to another share than before.
        """
        told = self._told.setdefault(message.match, Told(message))
        if told.opened.seed_commitment != message.seed_commitment:
            msg = f"the arbiter has committed to another share of the seed of {message.match} than before"
            raise HistoryError(msg)

    def answer(self, request: arbiter_pb2.ShareRequest) -> arbiter_pb2.Share | None:
        """What to say to a request; nothing if the bot gives no shares.

        Raises:
            HistoryError: the arbiter shows other commitments than before.
        """
        place, told = (request.match, request.seat), self._told.get(request.match)
        if not self.is_willing or told is None:
            return None
        if not request.commitments:
            if told.commitments:
                _refuse(request.match, "asks for commitments again though it has stored them")
            share = self._mine.setdefault(place, secrets.token_hex(SHARE_DIGITS // 2))
            said = share_commitment(request.match, request.seat, share)
            return arbiter_pb2.Share(match=request.match, seat=request.seat, commitment=said)
        self._keep(told, tuple(request.commitments))
        return arbiter_pb2.Share(match=request.match, seat=request.seat, share=self._reveal(request))

    def shared(self, message: arbiter_pb2.Shares) -> None:
        """The seed is made.

        Raises:
            HistoryError: it is not made of what this bot and the others committed to.
        """
        told = self._told.get(message.match)
        if told is None:
            return
        self._keep(told, tuple(message.commitments))
        told.shares = tuple(message.shares)
        for (match, seat), share in self._mine.items():
            if match == message.match and told.commitments[seat] and told.shares[seat] != share:
                log.warning("share_not_counted", match=match, seat=seat)

    def ended(self, message: arbiter_pb2.Ended) -> None:
        """The match is over: check that its seed is the one that the shares make.

        Raises:
            HistoryError: it is not.
        """
        told = self._told.get(message.match)
        is_known = told is not None and (bool(told.shares) or not told.opened.shares)
        if told is not None and is_known and message.share and message.seed:
            self._check(told, message)

    def forget(self, match: str) -> None:
        """Drop what is known of a match that has ended."""
        self._told.pop(match, None)
        for place in [place for place in self._mine if place[0] == match]:
            del self._mine[place]

    # --- inside ---------------------------------------------------------------------------------------

    def _reveal(self, request: arbiter_pb2.ShareRequest) -> str:
        """The share, if what is stored is what this bot committed to; else nothing."""
        share = self._mine.get((request.match, request.seat), NOTHING)
        stored = dict(enumerate(request.commitments)).get(request.seat, NOTHING)
        if share and stored == share_commitment(request.match, request.seat, share):
            return share
        log.warning("share_lost", match=request.match, seat=request.seat)
        return NOTHING

    def _keep(self, told: Told, commitments: tuple[str, ...]) -> None:
        if told.commitments and told.commitments != commitments:
            _refuse(told.opened.match, "shows other commitments than before")
        told.commitments = commitments

    def _check(self, told: Told, message: arbiter_pb2.Ended) -> None:
        opened = told.opened
        if not is_hex(message.share, SHARE_DIGITS):
            _refuse(opened.match, "reveals a share of the seed that is none")
        share = bytes.fromhex(message.share)
        if commitment(share) != opened.seed_commitment:
            _refuse(opened.match, "reveals another share of the seed than it had committed to")
        seed = share
        beacon = Beacon(value=opened.beacon.value, source=opened.beacon.source)
        if opened.shares or beacon.value:
            shares = counted_shares(opened.match, told.commitments, told.shares) if opened.shares else ()
            seed = combined_seed(opened.seed_name, share, shares, beacon if beacon.value else None)
        if seed.hex() != message.seed:
            _refuse(opened.match, "reveals another seed than the one that the shares make")


def _refuse(match: str, what: str) -> NoReturn:
    msg = f"the arbiter {what}: {match} is not played with a seed that nobody chose"
    raise HistoryError(msg)
