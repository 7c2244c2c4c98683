"""Reading and auditing games of the league and game files."""

from pathlib import Path

from keylore_cli.context import Context
from keylore_domain import catalog
from keylore_domain.engine.audit import Report, audit
from keylore_domain.engine.evidence import Row
from keylore_domain.errors import NotFoundError
from keylore_services.arbiter.keys import KeyRing, is_signature
from keylore_services.replay.addresses import Address, parse_address
from keylore_services.replay.gamefile import read_game
from keylore_services.replay.timeline import Timeline


def stored_rows(settings: Context, match: str) -> list[Row]:
    """The stored events of a match of the league, or of a game file."""
    if not match.startswith("m/") and Path(match).exists():
        return list(read_game(Path(match)).rows)
    ledger = settings.existing_ledger()
    try:
        stored = ledger.stored(match)
        if not stored:
            near = [known for known in ledger.ids("m/") if match.strip("/") in known][:3]
            hint = f"; did you mean {' or '.join(near)}?" if near else "; `keylore game list` lists them"
            msg = f"there is no game {match!r}{hint}"
            raise NotFoundError(msg)
        return [(event.originator_version, event.topic, event.state) for event in stored]
    finally:
        ledger.close()


def opened(settings: Context, text: str) -> tuple[Timeline, Address]:
    """The match that an address names, ready to be gone through, and the address."""
    place = parse_address(text)
    name = place.match
    if not name.startswith("m/") and Path(name).exists():
        name = read_game(Path(name)).match
    return Timeline(name, stored_rows(settings, place.match), catalog.game), place


def own_key(settings: Context) -> str | None:
    """The key of the league's own arbiter, if it is here."""
    return KeyRing.in_folder(settings.keys).public_key if settings.keys.exists() else None


def audited(settings: Context, name: str, trusted_key: str | None) -> Report:
    """What an audit of a match of the league, or of a game file, finds."""
    match = name
    if not name.startswith("m/") and Path(name).exists():
        match = read_game(Path(name)).match
    return audit(
        match,
        stored_rows(settings, name),
        catalog.game,
        trusted_key=trusted_key,
        check_signature=is_signature,
    )


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
    if detailed:
        trust = "the key that was asked for" if report.key_is_trusted else "nobody vouched for this key"
        text += f"\n  signed by {report.signed_by} ({trust})"
        text += "".join(f"\n  not checked: {item}" for item in report.unchecked)
        text += "".join(f"\n  remark: {item}" for item in report.remarks)
    return text
