"""Reading and auditing games of the league and game files."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import click
import msgspec

from keylore_cli.context import Context
from keylore_cli.failures import not_found
from keylore_cli.logbooks import newest_proof, proof_at, read_text, under_head
from keylore_domain import catalog
from keylore_domain.engine.audit import Report
from keylore_domain.engine.checkpoints import NoteKey
from keylore_domain.engine.evidence import Row
from keylore_domain.engine.keyhistory import KeyHistory
from keylore_domain.engine.receipts import Receipt
from keylore_domain.errors import DataFileError, LedgerError, NotFoundError
from keylore_services.arbiter.keys import KeyRing
from keylore_services.arbiter.rotation import history_from, history_rows, read_history
from keylore_services.proof.receipts import last_receipts
from keylore_services.replay.addresses import Address, parse_address
from keylore_services.replay.gamefile import GameFile, producer, read_game
from keylore_services.replay.timeline import Timeline
from keylore_services.replay.verify import opened_under, stored_rows, verify, verify_game


def record(settings: Context, name: str) -> tuple[str, list[Row]]:
    """The id and the stored events of a match of the league, or of a game file.

    Raises:
        NotFoundError: there is no such match or file; suggests a near one.
        DataFileError: the file is no game file.
    """
    if is_file(name):
        found = game_file(Path(name))
        return found.match, list(found.rows)
    ledger = settings.existing_ledger()
    try:
        return name, stored_rows(ledger, name)
    except NotFoundError:
        advice = "`keylore game list` lists the games"
        raise not_found("game or file", name, ledger.ids("m/"), advice) from None
    finally:
        ledger.close()


def game_file(path: Path) -> GameFile:
    """What the game file *path* holds.

    Raises:
        DataFileError: it is no game file; names the file and what is wrong in it.
    """
    try:
        return read_game(path)
    except DataFileError as error:
        place, _, problem = str(error).partition(": ")
        raise DataFileError(f"{path}, {place}", problem) from error


def exported(settings: Context, name: str) -> GameFile:
    """What a game file of a match of the league holds, with proof and receipts; a game file as it is.

    Raises:
        NotFoundError, DataFileError: as for `record`.
        LedgerError: the ledger was altered, so no head of its log is signed.
    """
    if is_file(name):
        return game_file(Path(name))
    match, rows = record(settings, name)
    receipts: tuple[Receipt, ...] = ()
    if settings.keys.exists():
        ring = KeyRing.in_folder(settings.keys)
        with suppress(LedgerError):  # the match was opened under a key that is not here
            receipts = last_receipts(match, rows, ring.pair(opened_under(rows)))
    return GameFile(
        match=match,
        producer=producer(),
        rows=tuple(rows),
        log=newest_proof(settings, match),
        receipts=receipts,
    )


def is_file(name: str) -> bool:
    """Whether *name* means a game file, not a match of the league."""
    return not name.startswith("m/") and Path(name).is_file()


def chosen(settings: Context, games: Sequence[str], every: bool) -> list[str]:
    """The games that a user named, or with *every* all matches of the league.

    Raises:
        UsageError: both, or neither.
    """
    if every == bool(games):
        msg = "name games or game files, or give --all"
        raise click.UsageError(msg)
    if games:
        return list(games)
    ledger = settings.existing_ledger()
    try:
        return ledger.ids("m/")
    finally:
        ledger.close()


def opened(settings: Context, text: str) -> tuple[Timeline, Address]:
    """The match that an address names, ready to be gone through, and the address."""
    place = parse_address(text)
    match, rows = record(settings, place.match)
    return Timeline(match, rows, catalog.game), place


def audited(
    settings: Context,
    name: str,
    key: str | None = None,
    log_key: str | None = None,
    checkpoint: Path | None = None,
    *,
    witnesses: Sequence[str] = (),
    quorum: int = 0,
    keys: Path | None = None,
) -> Report:
    """What an audit of a match of the league, or of a game file, finds.

    Args:
        key: the public key that must have signed; without it, a match of the league must be signed by the
            league's own arbiter, and a game file by anybody.
        log_key: the public key of the transparency log; by default the arbiter's.
        witnesses: keys of witnesses of the log, as ``NAME+ID+BASE64``.
        quorum: how many of them must have cosigned the head of the log in a game file.
        keys: a file with the history of the arbiter's keys; of a match of the league, the ledger has it.
        checkpoint: a file with a signed head of the log that somebody kept; the match must be in that log.
    """
    head = read_text(checkpoint) if checkpoint is not None else None
    if is_file(name):
        game = game_file(Path(name))
        history = read_history(keys) if keys is not None else _own_history(settings, game.rows, key)
        if head is not None:
            game = msgspec.structs.replace(game, log=under_head(game.log, head))
        return verify_game(
            game,
            trusted_key=key,
            log_key=log_key,
            witnesses=[NoteKey.parse(witness) for witness in witnesses],
            quorum=quorum,
            history=history,
        )
    match, rows = record(settings, name)
    log = proof_at(settings, match, head) if head is not None else None
    history = read_history(keys) if keys is not None else league_history(settings)
    trusted = key or _own_key(settings)
    return verify(match, rows, trusted_key=trusted, log=log, log_key=log_key, history=history)


def arbiter_key(settings: Context, rows: Sequence[Row]) -> str | None:
    """The key with which the league's own arbiter must have signed the record of a match."""
    history = league_history(settings)
    key = opened_under(rows)
    if history is not None and any(period.key == key for period in history.periods):
        return key
    return _own_key(settings)


def verdict(report: Report, *, detailed: bool) -> str:
    """A report as text, a line or more."""
    if report.verdict == "invalid":
        lines = [f"{report.match}: INVALID at event {report.first_bad}: {report.reason}"]
        lines += [f"  expected {report.expected}"] if report.expected else []
        lines += [f"  found    {report.found}"] if report.found else []
        return "\n".join(lines)
    checked = f"{report.events} events, {report.plies} moves, {report.draws_checked} of {report.draws} draws"
    if report.verdict == "incomplete":
        return f"{report.match}: nothing is wrong so far, but {report.reason} ({checked} checked)"
    text = f"{report.match}: valid ({checked}; {report.game} rules {report.rules})"
    return f"{text}\n{_details(report)}" if detailed else text


def _details(report: Report) -> str:
    trust = "as it must be" if report.key_is_trusted else "nobody vouched for this key: give --key"
    lines = [f"  signed by {report.signed_by} ({trust})"]
    lines += [f"  in the transparency log {report.log}"] if report.log else []
    lines += [f"  not checked: {item}" for item in report.unchecked]
    lines += [f"  remark: {item}" for item in report.remarks]
    return "\n".join(lines)


def league_history(settings: Context) -> KeyHistory | None:
    """The history of the keys of the league, checked; ``None`` if there is no league or it has no keys.

    Raises:
        DataFileError: it was altered.
    """
    if not settings.ledger_file.exists():
        return None
    ledger = settings.existing_ledger()
    try:
        rows = history_rows(ledger)
    finally:
        ledger.close()
    return history_from([state for _, _, state in rows]) if rows else None


def _own_key(settings: Context) -> str | None:
    """The key in the folder of the league: the history in its ledger must lead to it."""
    return KeyRing.in_folder(settings.keys).public_key if settings.keys.exists() else None


def _own_history(settings: Context, rows: Sequence[Row], key: str | None) -> KeyHistory | None:
    """The history of the league's own keys, if a game file says that it was played under one of them."""
    history = league_history(settings)
    if history is None:
        return None
    own = {period.key for period in history.periods}
    return history if opened_under(rows) in own and (key is None or key in own) else None
