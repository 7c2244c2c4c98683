"""The use cases of disputes: open, rule, appeal, look up, check again."""

from collections.abc import Callable, Sequence
from typing import Final, Literal

import msgspec
import structlog

from keylore_domain import catalog
from keylore_domain.disputes.disputes import MOST_TEXT, PREFIX, RULES, Dispute, Status, dispute_id
from keylore_domain.disputes.events import DisputeRuled, EffectRecorded, Remedy
from keylore_domain.disputes.evidence import AnyEvidence, Claim
from keylore_domain.disputes.verdicts import Verdict as Following
from keylore_domain.disputes.verdicts import verdict
from keylore_domain.engine.events import MovePlayed, Opened
from keylore_domain.engine.evidence import Row
from keylore_domain.engine.receipts import Receipt
from keylore_domain.engine.records import Catalog
from keylore_domain.errors import ConflictError, NotFoundError, OptionError, ReplayMismatchError
from keylore_services.disputes.collecting import MOVES, collect, read_event
from keylore_services.ledger.ledger import Ledger
from keylore_services.replay.verify import stored_rows
from keylore_services.tournament.corrections import Authority, Corrections, Verdict

log = structlog.get_logger()

KeyOf = Callable[[Sequence[Row]], str | None]

MOST_RECEIPTS: Final = 1_000
"""The most receipts that are taken with a claim or an appeal."""

_ABOUT_A_MOVE: Final = ("in_time", "illegal_move")


class DisputeView(msgspec.Struct, frozen=True, kw_only=True):
    """A dispute as it stands; ``follows`` is what follows from the evidence that was collected last."""

    id: str
    status: Status
    claim: Claim
    receipts: int
    evidence: AnyEvidence | None
    follows: Following | None
    rulings: tuple[DisputeRuled, ...]
    appealed_by: str
    appeal_reason: str
    effects: tuple[EffectRecorded, ...]


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """A dispute checked again: whether the evidence and what follows from it come out the same today."""

    id: str
    holds: bool
    reason: str = ""


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """A claim that was only tried: the evidence, its digest, and what follows from it."""

    claim: Claim
    evidence: AnyEvidence
    digest: str
    verdict: Following


def tried(
    claim: Claim,
    rows: Sequence[Row],
    receipts: Sequence[Receipt] = (),
    *,
    games: Catalog = catalog.game,
    key: str | None = None,
) -> Trial:
    """What would be ruled on *claim*; nothing is stored, and a record from anywhere will do.

    Args:
        rows: the record of the match, of a ledger or of a game file.
        key: the arbiter's public key; the one that the record names by default.

    Raises:
        OptionError: the event or seat does not fit the claim.
    """
    check_claim(claim, rows, receipts)
    evidence = collect(claim, rows, receipts, games, key)
    return Trial(claim=claim, evidence=evidence, digest=evidence.digest, verdict=verdict(claim, evidence))


def nobody(rows: Sequence[Row]) -> None:
    """No key is trusted beforehand: that of the record is taken."""


class Disputes:
    """Disputes about the matches of a ledger."""

    def __init__(
        self, ledger: Ledger, now: Callable[[], int], *, games: Catalog = catalog.game, key_of: KeyOf = nobody
    ) -> None:
        """Open the use cases.

        Args:
            key_of: gives the key that must have signed the record with these rows.
        """
        self._ledger = ledger
        self._now = now
        self._games = games
        self._key_of = key_of

    def open(self, claim: Claim, receipts: Sequence[Receipt] = ()) -> DisputeView:
        """Open a dispute, collect the evidence, and rule what follows from it, if that can be told yet.

        Raises:
            NotFoundError: there is no such match.
            OptionError: the event or seat does not fit the claim, or nobody claims it.
            LedgerError: the ledger cannot be used.
        """
        rows = stored_rows(self._ledger, claim.match)
        check_claim(claim, rows, receipts)
        number = len(self._about(claim.match)) + 1
        dispute = Dispute.open(dispute_id(claim.match, number), claim, receipts, at=self._now())
        self._add_evidence(dispute)
        log.info("dispute_opened", dispute=dispute.id, kind=claim.kind, by=claim.by)
        follows = dispute.follows
        if follows is not None and follows.decision != "pending":
            dispute.rule(at=self._now())
        return self._settled(dispute)

    def rule(self, identity: str) -> DisputeView:
        """Collect the evidence anew and rule what follows from it.

        If it is ruled, but had no effect on the standings yet, that is made up for.

        Raises:
            NotFoundError: there is no such dispute.
            ConflictError: it is ruled already, or it cannot be told yet.
        """
        dispute = self._load(identity)
        if not dispute.is_unsettled or _tournament_of(self._ledger, dispute.claim.match) is None:
            self._add_evidence(dispute)
            dispute.rule(at=self._now())
        return self._settled(dispute)

    def rule_by(
        self, identity: str, by: str, decision: Literal["upheld", "dismissed"], reason: str
    ) -> DisputeView:
        """Let a person rule on an appeal, with the evidence collected anew beside it.

        Raises:
            NotFoundError: there is no such dispute.
            ConflictError: there was no appeal, or it is ruled already.
            OptionError: nobody rules, or for no reason.
        """
        dispute = self._load(identity)
        self._add_evidence(dispute)
        dispute.rule_by(by, decision, reason, at=self._now())
        return self._settled(dispute)

    def appeal(self, identity: str, by: str, reason: str, receipts: Sequence[Receipt] = ()) -> DisputeView:
        """Ask for a second ruling, with more receipts if there are any.

        Raises:
            NotFoundError: there is no such dispute.
            ConflictError: nothing is ruled yet, or the ruling is final.
            OptionError: nobody appeals, or for no reason, or there are too many receipts.
        """
        dispute = self._load(identity)
        _check_receipts(receipts)
        dispute.appeal(by, reason, receipts, at=self._now())
        self._add_evidence(dispute)
        self._ledger.save(dispute)
        log.info("dispute_appealed", dispute=dispute.id, by=by)
        return _view(dispute)

    def show(self, identity: str) -> DisputeView:
        """A dispute.

        Raises:
            NotFoundError: there is no such dispute.
            ReplayMismatchError: a ruling in it does not follow from its evidence.
        """
        return _view(self._load(identity))

    def list(self, match: str | None = None) -> "list[DisputeView]":
        """All disputes, or those about *match*, in the order of opening."""
        found = tuple(self._ledger.ids(PREFIX)) if match is None else self._about(match)
        return [self.show(identity) for identity in found]

    def check(self, identity: str) -> Check:
        """Collect the evidence anew, and compare it with what the last ruling of the rules rests on.

        Raises:
            NotFoundError: there is no such dispute.
        """
        try:
            dispute = self._load(identity)
        except ReplayMismatchError as error:
            return Check(id=identity, holds=False, reason=str(error))
        if dispute.evidence is None:
            return Check(id=identity, holds=True)
        anew = self._collected(dispute)
        if anew.digest == dispute.evidence.digest:
            return Check(id=identity, holds=True)
        reason = "the record or the receipts give other evidence today than what was ruled on"
        return Check(id=identity, holds=False, reason=reason)

    # --- inside ---------------------------------------------------------------------------------------

    def _load(self, identity: str) -> Dispute:
        try:
            if identity.startswith(PREFIX):
                return self._ledger.load(identity, Dispute)
        except NotFoundError:
            pass
        msg = f"there is no dispute {identity!r}; `keylore dispute list` lists them"
        raise NotFoundError(msg)

    def _about(self, match: str) -> tuple[str, ...]:
        """The ids of the disputes about *match*, and not of those about another attempt at its table."""
        prefix = dispute_id(match, 0)[:-1]
        return tuple(one for one in self._ledger.ids(prefix) if one.removeprefix(prefix).isdigit())

    def _collected(self, dispute: Dispute) -> AnyEvidence:
        rows = stored_rows(self._ledger, dispute.claim.match)
        return collect(dispute.claim, rows, dispute.receipts, self._games, self._key_of(rows))

    def _add_evidence(self, dispute: Dispute) -> None:
        """Take in evidence, unless it is that which is known."""
        found = self._collected(dispute)
        if dispute.evidence is None or dispute.evidence.digest != found.digest:
            dispute.add_evidence(found, at=self._now())

    def _settled(self, dispute: Dispute) -> DisputeView:
        """Store the dispute, then let its last ruling take effect on the standings, if there are any."""
        self._ledger.save(dispute)
        tournament = _tournament_of(self._ledger, dispute.claim.match)
        if dispute.is_unsettled and tournament is not None:
            ruling = dispute.rulings[-1]
            log.info("dispute_ruled", dispute=dispute.id, decision=ruling.decision, by=ruling.by)
            event, problem = self._correct(dispute, ruling, ruling.remedy, tournament)
            dispute.record_effect(tournament, event, problem, at=self._now())
            self._ledger.save(dispute)
        return _view(dispute)

    def _correct(
        self, dispute: Dispute, ruling: DisputeRuled, remedy: Remedy, tournament: str
    ) -> tuple[int, str]:
        assert remedy != "none"
        reason = f"{dispute.id} was {ruling.decision}: {'; '.join(ruling.grounds)}"[:MOST_TEXT]
        by = ruling.by if ruling.by != RULES else "the rules of disputes"
        authority = Authority(by=by, reason=reason, ground=dispute.id)
        corrections = Corrections(self._ledger, self._now)
        try:
            done = corrections.override(tournament, dispute.claim.match, Verdict(kind=remedy), authority)
        except (ConflictError, NotFoundError, OptionError) as error:
            return 0, str(error)
        return done.event, ""


def _view(dispute: Dispute) -> DisputeView:
    appeal = dispute.appeal_made
    return DisputeView(
        id=dispute.id,
        status=dispute.status,
        claim=dispute.claim,
        receipts=len(dispute.receipts),
        evidence=dispute.evidence,
        follows=dispute.follows,
        rulings=dispute.rulings,
        appealed_by=appeal.by if appeal else "",
        appeal_reason=appeal.reason if appeal else "",
        effects=dispute.effects,
    )


def _tournament_of(ledger: Ledger, match: str) -> str | None:
    """The tournament in which *match* was played, if it says so and there is one."""
    event = read_event(stored_rows(ledger, match)[0])
    origin = event.origin if isinstance(event, Opened) else None
    return origin.tournament if origin is not None else None


def check_claim(claim: Claim, rows: Sequence[Row], receipts: Sequence[Receipt]) -> None:
    """Check that *claim* can be meant of the match with these *rows*.

    Raises:
        OptionError: its event or seat does not fit, or there are too many receipts.
    """
    _check_receipts(receipts)
    about_a_move = claim.kind in _ABOUT_A_MOVE
    if not (1 if about_a_move else 0) <= claim.event <= len(rows):
        allowed = f"{1 if about_a_move else 0} to {len(rows)}"
        given = f"is {claim.event}" if claim.event else "is missing"
        raise OptionError("event", given, f"an event of {claim.match}: {allowed}")
    if about_a_move and rows[claim.event - 1][1] not in MOVES:
        kind = rows[claim.event - 1][1].rpartition(".")[2]
        raise OptionError("event", f"{claim.event} is {kind}", "the event of a move")
    if claim.seat is not None:
        _check_seat(claim.seat, rows, claim.event if about_a_move else 0)


def _check_seat(seat: int, rows: Sequence[Row], move: int) -> None:
    """Check that there is such a seat, and that it made the move at event *move*, if that is not 0.

    Of a record that cannot be read, nothing is checked: what is wrong with it is evidence.
    """
    opened = read_event(rows[0])
    seats = len(opened.seats) if isinstance(opened, Opened) else MOST_RECEIPTS
    if seat not in range(seats):
        raise OptionError("seat", f"is {seat}", f"0 to {seats - 1}")
    made = read_event(rows[move - 1]) if move else None
    if isinstance(made, MovePlayed) and made.seat != seat:
        raise OptionError(
            "seat", f"is {seat}, but event {move} is a move of seat {made.seat}", str(made.seat)
        )


def _check_receipts(receipts: Sequence[Receipt]) -> None:
    if len(receipts) > MOST_RECEIPTS:
        raise OptionError("receipts", f"are {len(receipts)}", f"at most {MOST_RECEIPTS}")
