"""Verify: the audit as people use it, on a match in the ledger or in a game file."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from keylore_domain import catalog
from keylore_domain.engine.aggregates import decode_event
from keylore_domain.engine.audit import Report, audit
from keylore_domain.engine.checkpoints import NoteKey, expect_witnesses
from keylore_domain.engine.events import Opened
from keylore_domain.engine.evidence import Row
from keylore_domain.engine.heads import LogProof
from keylore_domain.engine.keyhistory import KeyHistory, Period, key_id
from keylore_domain.errors import DataFileError, NotFoundError, ReplayMismatchError
from keylore_services.arbiter.keys import is_signature
from keylore_services.ledger.ledger import Ledger
from keylore_services.proof.receipts import check_receipts
from keylore_services.replay.gamefile import GameFile, read_game

NOT_LOGGED = "the file holds no proof that the record is in a transparency log"


def stored_rows(ledger: Ledger, match_id: str) -> list[Row]:
    """The stored events of a match, as a timeline, an audit or a game file takes them.

    Raises:
        NotFoundError: there is no such match.
    """
    rows = [(event.originator_version, event.topic, event.state) for event in ledger.stored(match_id)]
    if not rows or not match_id.startswith("m/"):
        msg = f"there is no match {match_id!r}; `keylore game list` shows all"
        raise NotFoundError(msg)
    return rows


def verify(
    match_id: str,
    rows: Sequence[Row],
    *,
    trusted_key: str | None = None,
    log: LogProof | None = None,
    log_key: str | None = None,
    history: KeyHistory | None = None,
) -> Report:
    """Audit a match under the rules that it names, with Ed25519 signatures.

    Args:
        trusted_key: the arbiter's public key, hexadecimal; ``None`` believes the one in the record and says
            so.
        log: the proof that it is in a transparency log, if that is to be checked too.
        log_key: the log's public key, hexadecimal; the key of the seal by default.
        history: the checked history of the arbiter's keys: the match may be under any of them, if
            *trusted_key* is one of them too.
    """
    trusted, period = _under(rows, trusted_key, history)
    report = audit(
        match_id,
        rows,
        catalog.game,
        trusted_key=trusted,
        check_signature=is_signature,
        log=log,
        log_key=log_key,
        period=period,
    )
    if period is None or history is None or not report.signed_by:
        return report
    which = f"signed with key {period.number} of {len(history.periods)} of the arbiter, {key_id(period.key)}"
    return msgspec.structs.replace(report, remarks=(*report.remarks, which))


def _under(
    rows: Sequence[Row], trusted_key: str | None, history: KeyHistory | None
) -> tuple[str | None, Period | None]:
    """The key that must have signed, and its period, if the history knows the key of the match."""
    known = {period.key: period for period in history.periods} if history is not None else {}
    key = opened_under(rows)
    if key in known and (trusted_key is None or trusted_key in known):
        return key, known[key]
    return trusted_key or (history.current.key if history is not None else None), None


def opened_under(rows: Sequence[Row]) -> str:
    """The public key that a match says it was opened under; empty if it cannot be read."""
    try:
        opened = decode_event(rows[0][1], rows[0][2]) if rows else None
    except ReplayMismatchError:
        return ""
    return opened.key if isinstance(opened, Opened) else ""


def verify_file(path: Path, *, trusted_key: str | None = None, log_key: str | None = None) -> Report:
    """Audit a game file, the proof of the transparency log included.

    Args:
        trusted_key: as for `verify`.
        log_key: the log's public key, hexadecimal; the key of the seal by default.

    Raises:
        DataFileError: it is no game file.
    """
    return verify_game(read_game(path), trusted_key=trusted_key, log_key=log_key)


def verify_game(
    game: GameFile,
    *,
    trusted_key: str | None = None,
    log_key: str | None = None,
    witnesses: Sequence[NoteKey] = (),
    quorum: int = 0,
    history: KeyHistory | None = None,
) -> Report:
    """Audit a game file that has been read already; as `verify_file`.

    Args:
        quorum: how many of the *witnesses* must have cosigned the head of the log in the file.
        history: as for `verify`.
    """
    report = verify(
        game.match, game.rows, trusted_key=trusted_key, log=game.log, log_key=log_key, history=history
    )
    if report.verdict == "valid":
        bad, flaw = receipt_flaw(game, report.signed_by)
        if not flaw:
            bad, flaw = len(game.rows), witness_flaw(game.log, witnesses, quorum)
        if flaw:
            return msgspec.structs.replace(report, verdict="invalid", first_bad=bad, reason=flaw)
    if game.log is not None:
        return report
    return msgspec.structs.replace(report, unchecked=(*report.unchecked, NOT_LOGGED))


def witness_flaw(log: LogProof | None, witnesses: Sequence[NoteKey], quorum: int) -> str:
    """Why the head of a proof has not the *quorum* of *witnesses*; empty if it has."""
    if quorum and log is None:
        return "there is no proof of a log that witnesses could have cosigned"
    try:
        expect_witnesses(log.checkpoint if log is not None else "", witnesses, quorum, is_signature)
    except DataFileError as error:
        return f"the proof of the log: {error}"
    return ""


def receipt_flaw(game: GameFile, key: str) -> tuple[int, str]:
    """The event to blame for the first receipt in a file that does not fit, and why; 0 if all fit.

    Args:
        key: the key that must have signed them: that of the seal.
    """
    if not game.receipts:
        return 0, ""
    findings = check_receipts(game.receipts, {game.match: game.rows}, key=key)
    foreign = (receipt for receipt in game.receipts if receipt.match != game.match)
    stray = next(foreign, None)
    if stray is not None:
        return len(game.rows), f"a receipt in the file is of {stray.match}"
    for flaw in findings.flaws:
        return min(max(flaw.event, 1), len(game.rows)), f"a receipt does not fit: {flaw.reason}"
    return 0, ""


def report_lines(report: Report) -> list[str]:
    """A report as plain lines, the verdict first."""
    return [f"{report.match}: {report.verdict}", *_grounds(report), *_counts(report), *_notes(report)]


def _grounds(report: Report) -> Iterator[str]:
    if report.first_bad:
        yield f"first bad event: {report.first_bad} of {report.events}"
    if report.reason:
        yield f"reason: {report.reason}"
    if report.expected or report.found:
        yield f"expected: {report.expected}"
        yield f"found:    {report.found}"


def _counts(report: Report) -> Iterator[str]:
    if report.game:
        yield f"{report.game}, rules {report.rules}, engine {report.engine}, data {report.data}"
    yield f"{report.sound} of {report.events} events hold; {report.plies} moves were played again"
    if report.seed_known:
        yield f"{report.draws_checked} of {report.draws} draws compared with the seed"
    if report.signed_by:
        trust = "the trusted key" if report.key_is_trusted else "key"
        yield f"signed by {trust} {report.signed_by}"
    if report.log:
        yield f"in the log {report.log}"


def _notes(report: Report) -> Iterator[str]:
    yield from (f"not checked: {note}" for note in report.unchecked)
    yield from (f"remark: {remark}" for remark in report.remarks)
