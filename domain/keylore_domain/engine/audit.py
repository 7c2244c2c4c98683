"""The audit: re-runs a match from its stored rows and says *valid*, or names the first bad event and why.

Three layers, from the bytes up: the rows and their chain (`evidence`), the rules (`reruns`), the seal. A
change after which the chain was rebuilt to the end, and which no rule contradicts (a shifted but consistent
clock, the text of a cause, the name of a bot), shows only at the seal: its signature does not fit. The report
then says so and blames the seal, since the record alone cannot tell which event was changed.
"""

from collections.abc import Sequence
from typing import Literal

import msgspec

from keylore_domain.engine.chance import commitment
from keylore_domain.engine.checkpoints import CheckSignature
from keylore_domain.engine.encoding import is_hex, sha256_hex
from keylore_domain.engine.events import Opened, Sealed, SetUp, sealed_statement
from keylore_domain.engine.evidence import Evidence, Row
from keylore_domain.engine.heads import LogProof, leaf_data, log_of, proof_flaw
from keylore_domain.engine.keyhistory import Period
from keylore_domain.engine.records import Catalog, Status
from keylore_domain.engine.reruns import Rerun, share_of
from keylore_domain.errors import KeyloreError, ReplayMismatchError

Verdict = Literal["valid", "incomplete", "invalid"]


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What an audit found.

    Attributes:
        verdict: ``valid``: concluded or aborted, sealed, everything holds. ``incomplete``: nothing is wrong,
            but the record is not at its end and sealed. ``invalid``: something is wrong.
        first_bad: version of the first bad event; 0 if there is none.
        reason: what is wrong or missing, in words; empty if valid.
        expected: what should have stood there; may be empty.
        found: what stood there instead; may be empty.
        events: rows of the record; ``sound`` of them hold.
        plies: moves that were re-run.
        draws: draws that were re-run; ``draws_checked`` of them were compared with the seed.
        seed_known: whether the seed is revealed (or public).
        signed_by: the key of a signature that holds; empty without one.
        key_is_trusted: whether that is the key that was asked for.
        log: the transparency log that proves to contain the record; empty without a proof that holds.
        unchecked: what this audit could not check, in words.
        remarks: what is not wrong but worth knowing.
    """

    match: str
    verdict: Verdict
    first_bad: int = 0
    reason: str = ""
    expected: str = ""
    found: str = ""
    events: int = 0
    sound: int = 0
    plies: int = 0
    draws: int = 0
    draws_checked: int = 0
    seed_known: bool = False
    signed_by: str = ""
    key_is_trusted: bool = False
    log: str = ""
    status: Status = "new"
    game: str = ""
    rules: str = ""
    engine: str = ""
    data: str = ""
    unchecked: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def is_valid(self) -> bool:
        """Whether the record is at its end and everything holds."""
        return self.verdict == "valid"


def audit(
    match_id: str,
    rows: Sequence[Row],
    catalog: Catalog,
    *,
    trusted_key: str | None,
    check_signature: CheckSignature,
    log: LogProof | None = None,
    log_key: str | None = None,
    period: Period | None = None,
) -> Report:
    """Check everything that the stored *rows* (version, topic, bytes) of a match claim.

    Args:
        catalog: gives the game under the rules that the match names.
        trusted_key: the arbiter's public key, hexadecimal; ``None`` accepts any key and says so.
        check_signature: tells whether (key, statement, signature) fit together; key and signature are small
            hexadecimal digits of the right length.
        log: the proof that the record is in a transparency log, if there is one.
        log_key: the key of that log, hexadecimal; the key of the seal by default.
        period: what the history of the arbiter's keys says of *trusted_key*, if there is a history.
    """

    def seal_flaw(seal: Sealed) -> ReplayMismatchError | None:
        return _seal_flaw(match_id, seal, trusted_key, check_signature)

    evidence = Evidence(match_id, rows, lambda seal: seal_flaw(seal) is None)
    share = _known_share(evidence)
    rerun = Rerun(match_id, catalog, share)
    flaw = (
        _key_flaw(evidence, trusted_key, period)
        or _commitment_flaw(match_id, catalog, evidence)
        or _first_flaw(rerun, evidence)
    )
    signed_by = ""
    if flaw is None and rerun.sealed is not None:
        flaw = seal_flaw(rerun.sealed)
        signed_by = "" if flaw else rerun.sealed.key
    if flaw is None and log is not None:
        flaw = _log_flaw(match_id, rows, log, log_key or signed_by, check_signature)
    report = Report(
        match=match_id,
        verdict="invalid" if flaw else "valid" if rerun.sealed else "incomplete",
        reason="" if rerun.sealed else _missing(rerun),
        events=len(rows),
        sound=rerun.version,
        plies=rerun.position.ply if rerun.position else 0,
        draws=rerun.draws,
        draws_checked=rerun.draws if share else 0,
        seed_known=share is not None,
        signed_by=signed_by,
        key_is_trusted=bool(signed_by) and trusted_key is not None,
        log="" if flaw or log is None else log_of(log),
        status=rerun.status,
        unchecked=_unchecked(rerun, share, trusted_key, period),
        remarks=tuple(rerun.remarks),
    )
    return _with_flaw(_with_game(report, rerun.opened), flaw)


def _with_game(report: Report, opened: Opened | None) -> Report:
    if opened is None:
        return report
    return msgspec.structs.replace(
        report, game=opened.game, rules=opened.rules, engine=opened.engine, data=opened.data
    )


def _with_flaw(report: Report, flaw: ReplayMismatchError | None) -> Report:
    if flaw is None:
        return report
    return msgspec.structs.replace(
        report,
        first_bad=flaw.version,
        reason=flaw.problem,
        expected=flaw.expected,
        found=flaw.found,
        sound=flaw.version - 1,
    )


def _missing(rerun: Rerun) -> str:
    match rerun.status:
        case "concluded" | "aborted":
            return "the seal is missing: the seed is not revealed and nobody signed the record"
        case _:
            return "the match is not finished: its record may go on, or its end was cut off"


def _unchecked(
    rerun: Rerun, share: bytes | None, trusted_key: str | None, period: Period | None
) -> tuple[str, ...]:
    found = []
    if share is None:
        found.append("the seed is not revealed: draws and digests of positions are not compared with it")
    if rerun.sealed is None:
        found.append("no signature: whoever holds the record could have rewritten it by the rules")
    elif trusted_key is None:
        found.append("the key is the one in the record itself: compare it with the one the arbiter publishes")
    if rerun.opened is not None and rerun.opened.chance and not (period and period.secret):
        found.append(
            "that the arbiter's share follows from its chance key: the key is not revealed (here) yet"
        )
    return tuple(found)


def _key_flaw(
    evidence: Evidence, trusted_key: str | None, period: Period | None
) -> ReplayMismatchError | None:
    """Whether the match was opened under another key than the arbiter's, or its share was chosen."""
    opened = evidence.events[0] if evidence.events else None
    if not isinstance(opened, Opened):
        return None
    if trusted_key is not None and opened.key != trusted_key:
        problem = "the match was opened under another key than the arbiter's"
        return ReplayMismatchError(problem, 1, expected=trusted_key, found=opened.key)
    if period is None or opened.public_seed is not None:
        return None
    if opened.chance != period.chance:
        problem = "the match was opened under another chance key than that of its period"
        return ReplayMismatchError(problem, 1, expected=period.chance, found=opened.chance)
    share = period.share_of(opened.seed_name)
    if share is None or commitment(share) == opened.commitment:
        return None
    problem = "the arbiter's share of the seed does not follow from its chance key"
    return ReplayMismatchError(problem, 1, expected=commitment(share), found=opened.commitment)


def _known_share(evidence: Evidence) -> bytes | None:
    """The arbiter's share: of a public seed, or the revealed one if it is the one committed to."""
    opened = evidence.events[0] if evidence.events else None
    if not isinstance(opened, Opened):
        return None
    if opened.public_share is not None:
        return opened.public_share
    share = share_of(evidence.seal) if evidence.seal else None
    return share if share is not None and commitment(share) == opened.commitment else None


def _commitment_flaw(match_id: str, catalog: Catalog, evidence: Evidence) -> ReplayMismatchError | None:
    """Whether the revealed share is the one that was used, but the commitment is to another one."""
    share = share_of(evidence.seal) if evidence.seal else None
    opened = evidence.events[0] if evidence.events else None
    if share is None or not isinstance(opened, Opened) or commitment(share) == opened.commitment:
        return None
    trial = Rerun(match_id, catalog, share)
    set_up = next((at for at, event in enumerate(evidence.events, 1) if isinstance(event, SetUp)), 0)
    if _replayed(trial, evidence.rows[:set_up]) is not None or trial.position is None:
        return None
    problem = "the commitment is to another share than the one that was used and revealed"
    return ReplayMismatchError(problem, 1, expected=commitment(share), found=opened.commitment)


def _first_flaw(rerun: Rerun, evidence: Evidence) -> ReplayMismatchError | None:
    flaw = _replayed(rerun, evidence.rows) or evidence.flaw
    if flaw is None and not evidence.events:
        return ReplayMismatchError("there are no events", 1)
    return flaw


def _replayed(rerun: Rerun, rows: Sequence[Row]) -> ReplayMismatchError | None:
    """Replay sound *rows*; gives the first flaw."""
    for version, topic, state in rows:
        try:
            rerun.replay(topic, state)
        except ReplayMismatchError as error:
            return error
        except KeyloreError as error:
            problem = f"the match cannot be run again here: {error}"
            return ReplayMismatchError(problem, version)
    return None


def _log_flaw(
    match_id: str, rows: Sequence[Row], log: LogProof, key: str, check: CheckSignature
) -> ReplayMismatchError | None:
    """What is wrong with the proof that the whole record is in a log; blamed on its last event."""
    version, _, state = rows[-1]
    problem = (
        proof_flaw(log, leaf_data(match_id, version, sha256_hex(state)), key, check)
        if key
        else "the record is not sealed, so it cannot be in the log"
    )
    return ReplayMismatchError(f"the proof of the log: {problem}", version) if problem else None


def _seal_flaw(
    match_id: str, seal: Sealed, trusted_key: str | None, check_signature: CheckSignature
) -> ReplayMismatchError | None:
    version = seal.originator_version
    if not is_hex(seal.key, 64) or not is_hex(seal.signature, 128):
        problem = "key or signature has a wrong form"
        return ReplayMismatchError(problem, version, expected="64 and 128 small hexadecimal digits")
    if trusted_key is not None and seal.key != trusted_key:
        problem = "the seal is by another key than the arbiter's"
        return ReplayMismatchError(problem, version, expected=trusted_key, found=seal.key)
    if check_signature(
        seal.key, sealed_statement(match_id, version - 1, seal.head, seal.seed), seal.signature
    ):
        return None
    problem = (
        "the signature does not fit: the seal was altered, or an event before it and then the chain; "
        "no rule is broken, so the record alone cannot tell which event it was"
    )
    return ReplayMismatchError(problem, version)
