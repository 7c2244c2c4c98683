#!/usr/bin/env python3
"""Verify a keylore game file with the standard library alone: ``verify_standalone.py FILE [--key HEX]``.

A second opinion that shares no code with keylore and knows no game. It checks the chain, the order of
events, the seed and every draw, the arithmetic of the clocks, the seal, and the proof of the transparency
log; not the rules (moves, facts, views, positions, rulings,
outcome): that is for ``keylore game verify``. Signatures are checked if the package
``cryptography`` is there; otherwise it says that they were not.

Exit code: 0 valid, 1 invalid (it names the first bad event), 2 not a game file, 4 unfinished.
"""

import argparse
import base64
import gzip
import hashlib
import hmac
import json
import lzma
import re
import sys
from collections.abc import Iterator
from typing import Any

Event = dict[str, Any]
Row = tuple[Any, str, bytes]

LIMIT = 256 * 1024 * 1024
WRONG_FORM = (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, RecursionError)
MATCH = "keylore.match-seed/1\0"
SEAL = ["type", "originator_id", "originator_version", "at", "prev", "seed", "share", "head", "key"]
PLAY = ["MovePlayed", "MoveDefaulted", "SeatForfeited", "Paused", "Resumed", "Concluded", "Aborted"]
NEXT = {"new": ["Opened"], "opened": ["SetUp"], "playing": PLAY, "ended": ["Sealed"], "sealed": []}
NEXT |= {"asked": ["SharesCommitted", "SetUp", "Aborted"], "committed": ["SharesRevealed", "Aborted"]}
NEXT["paused"] = ["SeatForfeited", "Resumed", "Aborted"]
AFTER = {"SharesCommitted": "committed", "SharesRevealed": "opened", "SetUp": "playing"}
AFTER |= {"Paused": "paused", "Resumed": "playing"}
AFTER |= {"Concluded": "ended", "Aborted": "ended", "Sealed": "sealed"}


class BadEventError(Exception):
    """The first event that is wrong, and why."""

    def __init__(self, version: int, reason: str) -> None:
        super().__init__(reason)
        self.version = version


def expect(good: object, version: int, reason: str) -> None:
    """Blame event *version* unless all is *good*."""
    if not good:
        raise BadEventError(version, reason)


def sha(data: bytes) -> str:
    """SHA-256 as hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def is_hex(text: object, digits: int) -> bool:
    """Whether *text* is that many small hexadecimal digits."""
    return isinstance(text, str) and re.fullmatch(f"[0-9a-f]{{{digits}}}", text) is not None


def is_signed(key: str, statement: bytes, signature: str) -> bool | None:
    """Whether the Ed25519 signature fits; None without the package that can tell."""
    try:
        from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - optional
        from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - optional
    except ImportError:
        return None
    try:
        ed25519.Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(
            bytes.fromhex(signature), statement
        )
    except (InvalidSignature, ValueError):
        return False
    return True


# --- the file: a header line, then one event per line; the chain ----------------------------------------


def read(path: str) -> tuple[Event, list[Row]]:
    """The header; version, topic and stored bytes of each event."""
    with open(path, "rb") as raw:
        magic = raw.read(6)
    opened: Any = gzip.open if magic[:2] == b"\x1f\x8b" else lzma.open if magic == b"\xfd7zXZ\0" else open
    with opened(path, "rb") as file:
        data = file.read(LIMIT + 1)
    head, *lines = data.split(b"\n")
    header = json.loads(head)
    if header["format"] not in {"keylore.game/1", "keylore.game/2"} or len(data) > LIMIT or lines.pop():
        msg = "unknown, cut off or too large"
        raise ValueError(msg)
    return header, [row(place, line, header["format"]) for place, line in enumerate(lines, 1)]


def row(place: int, line: bytes, form: str) -> Row:
    """An event as its line writes it: the stored bytes alone, or version, topic and bytes."""
    if form == "keylore.game/1" or line.startswith(b'{"version":'):
        item = json.loads(line)
        return item["version"], item["topic"], item["state"].encode()
    try:
        event = json.loads(line)
        return event["originator_version"], "keylore:Match." + event["type"], line
    except WRONG_FORM:
        return place, "", line


def no_float(text: str) -> float:
    """No event holds a fraction."""
    raise ValueError(text)


def parsed(match: str, place: int, version: Any, topic: str, state: bytes) -> Event:
    """The event at *place*, if its bytes are the canonical form of an event of this match."""
    try:
        event: Event = json.loads(state, parse_float=no_float)
        same = json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode() == state
        own = (event["originator_id"], event["originator_version"], "keylore:Match." + event["type"])
    except WRONG_FORM as error:
        raise BadEventError(place, f"is no event: {error!r}"[:200]) from None
    expect(own == (match, place, topic) and version == place, place, f"belongs elsewhere: {own}")
    expect(same, place, "the bytes are not in canonical form")
    return event


def chained(match: str, rows: list[Row]) -> tuple[list[Event], BadEventError | None]:
    """The events up to the first that is unreadable or altered, and what is wrong with that one."""
    events: list[Event] = []
    flaw = None
    try:
        for place, (version, topic, state) in enumerate(rows, 1):
            events.append(parsed(match, place, version, topic, state))
    except BadEventError as bad:
        flaw = bad
    links = [sha(b"keylore.chain/1\0" + match.encode()), *(sha(state) for _, _, state in rows)]
    for at, event in enumerate(events):
        if event.get("prev") != links[at]:
            confirmed = at + 1 < len(events) and events[at + 1].get("prev") == links[at + 1]
            if event["type"] == "Sealed":
                confirmed = event.get("head") == event.get("prev") and not seal_flaw(match, event, None)
            altered = at if at and confirmed else at + 1
            return events[: altered - 1], BadEventError(
                altered, "the chain is broken: it was altered or moved"
            )
    return events, flaw


# --- chance and clocks ----------------------------------------------------------------------------------


def words(seed: bytes, label: str, index: int) -> Iterator[int]:
    """The endless stream of 64-bit words behind a draw (docs/chance.md)."""
    head, block = b"keylore.chance/1\0" + label.encode() + b"\0" + index.to_bytes(8, "big"), 0
    while True:
        data = hmac.digest(seed, head + block.to_bytes(8, "big"), "sha256")
        yield from (int.from_bytes(data[at : at + 8], "big") for at in range(0, 32, 8))
        block += 1


def below(stream: Iterator[int], bound: int) -> int:
    """A number below *bound*, by rejection."""
    return next(word for word in stream if word < (1 << 64) - (1 << 64) % bound) % bound


def derived(seed: bytes, draw: Event) -> list[int]:
    """The values that the seed gives for a draw."""
    stream, order = words(seed, draw["label"], draw["index"]), list(range(draw["n"]))
    if draw["kind"] == "below":
        return [below(stream, draw["n"])]
    for last in range(draw["n"] - 1, 0, -1):
        pick = below(stream, last + 1)
        order[last], order[pick] = order[pick], order[last]
    return order


class Record:
    """A match as its events tell it."""

    def __init__(self, match: str, revealed: bytes | None) -> None:
        self.match, self.revealed, self.status = match, revealed, "new"
        self.at = self.ply = self.asked = self.draws = 0
        self.seed: bytes | None = None
        self.is_set_up = False
        self.drawn: dict[str, int] = {}
        self.committed, self.said = list[str](), list[str]()

    def take(self, place: int, event: Event) -> None:
        """Take over an event, or say why not."""
        kind, at = event["type"], event["at"]
        expect(kind in NEXT[self.status], place, f"{kind} cannot come here (the match is {self.status})")
        at_once = kind in {"SetUp", "Concluded", "Sealed"} and self.status != "asked"
        expect(at == self.at or not at_once, place, "its moment is wrong")
        expect(at >= self.at, place, "time ran backwards")
        self.at, self.status = at, AFTER.get(kind, self.status)
        if kind == "Opened":
            self.opened, self.time = event, event["time"]
            self.banks = [self.time["bank_ms"] * 1000 for _ in event["seats"]]
            self.status = "asked" if event["shares"] else "opened"
        if kind in {"SharesCommitted", "SharesRevealed"}:
            self.take_shares(place, event)
        if kind == "SetUp":
            self.is_set_up = True
            self.find_seed(event)
        if kind in {"SetUp", "Resumed"}:
            self.asked = at
        for draw in event.get("draws", ()):
            self.draw(place, draw)
        if "clock" in event:
            self.move(place, event)

    def take_shares(self, place: int, event: Event) -> None:
        """What the seats committed to, or said."""
        said = event["commitments"] if event["type"] == "SharesCommitted" else event["shares"]
        in_form = len(said) == len(self.banks) and all(text == "" or is_hex(text, 64) for text in said)
        may = [bool(text) for text in self.committed] or [True] * len(said)
        fits = any(said) or event["type"] == "SharesRevealed"
        expect(in_form, place, "commitments or shares have a wrong form")
        expect(fits and all(map(int.__le__, map(bool, said), may)), place, "a share of a seat without one")
        self.committed, self.said = (self.committed, said) if self.committed else (said, [])

    def find_seed(self, event: Event) -> None:
        """The seed, if it is known by now; blames the commitment if another one was used, and revealed."""
        opened, draws = self.opened, event["draws"]
        if opened["public_seed"] is not None:
            name = opened["originator_id"] if opened["seed_label"] is None else opened["seed_label"]
            text = (MATCH + name).encode()
            self.seed = hmac.digest(opened["public_seed"].encode(), text, "sha256")
        elif self.revealed is not None:
            seed = self.made(self.revealed)
            if sha(b"keylore.seed/1\0" + self.revealed) == opened["commitment"]:
                self.seed = seed
            else:
                used = all(derived(seed, draw) == draw["values"] for draw in draws)
                expect(not used, 1, "the commitment is to another share than the one that was used")

    def made(self, arbiter: bytes) -> bytes:
        """The seed that all shares and the beacon make (docs/chance.md)."""
        opened, beacon, shares = self.opened, self.opened["beacon"], list[str]()
        if not opened["shares"] and beacon is None:
            return arbiter
        for seat in range(len(self.banks) if opened["shares"] else 0):
            share = self.said[seat] if self.said else ""
            text = f"keylore.share/1\n{self.match}\n{seat}\n{share}\n"
            shares.append(share if self.said and sha(text.encode()) == self.committed[seat] else "")
        name = self.match if opened["seed_label"] is None else opened["seed_label"]
        lines = ["keylore.match-seed/2", name, f"arbiter {arbiter.hex()}"]
        lines += [f"seat {seat} {share or '-'}" for seat, share in enumerate(shares)]
        lines += [f"beacon {beacon['value']} {beacon['source']}" if beacon else "beacon -"]
        return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).digest()

    def draw(self, place: int, draw: Event) -> None:
        """The next draw of its label: does it follow from the seed?"""
        label, index = draw["label"], self.drawn.get(draw["label"], 0)
        has_form = len(draw["values"]) == {"below": 1, "shuffle": draw["n"]}[draw["kind"]]
        expect(has_form and draw["index"] == index, place, f"draw {label}#{index} is not where it belongs")
        fits = self.seed is None or derived(self.seed, draw) == draw["values"]
        expect(fits, place, f"draw {label}#{index} does not follow from the seed")
        self.drawn[label], self.draws = index + 1, self.draws + 1

    def move(self, place: int, event: Event) -> None:
        """A move: does its clock follow from the bank before it?"""
        time, read, seat = self.time, event["clock"], event["seat"]
        self.ply += 1
        expect(event["ply"] == self.ply and 0 <= seat < len(self.banks), place, "wrong ply or seat")
        bank, limit = self.banks[seat], time["move_ms"] * 1000
        ready, sent, received, credited = (read[name] for name in ("ready", "sent", "received", "credited"))
        in_order = self.asked <= ready <= sent <= received <= event["at"]
        expect(in_order and 0 <= credited <= time["credit_ms"] * 1000, place, "its clock is out of order")
        budget = min(limit, bank) if time["bank_ms"] else limit
        spent = min(max(received - sent - credited, 0), budget)
        left = bank - spent + time["increment_ms"] * 1000 if time["bank_ms"] else 0
        adds_up = (read["budget"], read["spent"], read["left"]) == (budget, spent, left)
        expect(adds_up, place, f"the clock does not add up: budget {budget}, spent {spent}, left {left}")
        is_late = event["type"] == "MovePlayed" and received - sent - credited > budget
        expect(not is_late, place, "the move came too late")
        self.banks[seat] = left


# --- seed, seal, log ------------------------------------------------------------------------------------


def revealed_share(seal: Event | None) -> bytes | None:
    """The arbiter's share, if it was revealed."""
    text = seal.get("share") if seal is not None else None
    return bytes.fromhex(str(text)) if is_hex(text, 64) else None


def seal_flaw(match: str, seal: Event, trusted: str | None) -> str | None:
    """What is wrong with the seal; None if only its signature cannot be checked here."""
    if (
        list(seal) != [*SEAL, "signature"]
        or not is_hex(seal["key"], 64)
        or not is_hex(seal["signature"], 128)
    ):
        return "the seal has a wrong form"
    if trusted is not None and seal["key"] != trusted:
        return "the seal is by another key"
    version, head, seed = seal["originator_version"] - 1, seal["head"], seal["seed"]
    statement = f"keylore.seal/1\n{match}\n{version}\n{head}\n{seed}\n".encode()
    fits = is_signed(seal["key"], statement, seal["signature"])
    return None if fits is None else "" if fits else "the signature does not fit: something was altered"


def log_flaw(leaf: str, log: Event, key: str) -> str:
    """What is wrong with the proof of the transparency log (RFC 9162, 2.1.3.2; c2sp.org/signed-note)."""
    text, _, signatures = log["checkpoint"].rpartition("\n\n")
    name, size, root = text.split("\n")[:3]
    place, last = log["index"], int(size) - 1
    found, beyond = hashlib.sha256(b"\0" + leaf.encode()).digest(), not 0 <= place <= last
    for step in map(bytes.fromhex, log["path"]):
        beyond, is_right = beyond or last == 0, place % 2 or place == last
        found = hashlib.sha256(b"\1" + (step + found if is_right else found + step)).digest()
        while is_right and place and not place % 2:
            place, last = place >> 1, last >> 1
        place, last = place >> 1, last >> 1
    if beyond or last or base64.b64encode(found).decode() != root:
        return "the path does not lead to the root of the checkpoint"
    lines = [line.split(" ") for line in signatures.split("\n") if line.startswith(f"— {name} ")]
    key_id = hashlib.sha256(name.encode() + b"\n\1" + bytes.fromhex(key)).digest()[:4]
    blobs = [blob for line in lines if (blob := base64.b64decode(line[2], validate=True))[:4] == key_id]
    fits = [is_signed(key, (text + "\n").encode(), blob[4:].hex()) is not False for blob in blobs]
    return "" if fits and all(fits) else "the checkpoint is not signed with the key of the seal"


def receipt_flaw(match: str, receipt: Event, rows: list[Row], key: str) -> str:
    """What is wrong with a receipt in the header; what was asked, only the rules of the game can tell."""
    names = ["match", "seat", "prompt", "asked", "view", "cause", "choice", "move"]
    names += ["received", "left", "event", "head"]
    text = "".join(f"{line}\n" for line in ["keylore.receipt/1", *(receipt[name] for name in names)])
    if receipt["key"] != key or is_signed(key, text.encode(), receipt["signature"]) is False:
        return "it is not signed with the key of the seal"
    state = rows[receipt["event"] - 1][2]
    event = json.loads(state)
    found = {name: event[name] for name in ("seat", "prompt", "view", "choice")}
    found |= {name: event["clock"][name] for name in ("received", "left")}
    found |= {"match": match, "event": event["originator_version"], "head": sha(state)}
    move = json.dumps(event["move"], separators=(",", ":"), ensure_ascii=False)
    found |= {"move": sha(move.encode()), "cause": event.get("cause", "played")}
    wrong = [name for name in names if name in found and found[name] != receipt[name]]
    return f"its {wrong[0]} is not that of the record" if wrong else ""


def known_keys(path: str, key: str | None) -> set[str]:
    """The keys of an arbiter by a history that leads to *key*."""
    with open(path, "rb") as file:
        head, *lines, end = file.read().split(b"\n")
    prev, old, keys = sha(b"keylore.chain/1\0keys/arbiter"), "", set[str]()
    good = json.loads(head) == {"format": "keylore.keys/1"} and not end
    for place, line in enumerate(lines, 1):
        event: Event = json.loads(line)
        good = good and event["originator_version"] == place and event["prev"] == prev
        if event["type"] == "KeysRotated":
            fields = [place, prev, event["at"], event["key"], event["chance"], event["reason"]]
            text = "keylore.rotation/1\n" + "".join(f"{field}\n" for field in fields)
            for signer, signature in ((old, event["by_old"]), (event["key"], event["by_new"])):
                good = good and is_signed(signer, text.encode(), signature) is not False
        if event["type"] != "ChanceRevealed":
            good, old = good and (event["type"] == "KeysMade") == (place == 1), event["key"]
            keys.add(old)
        prev = sha(line)
    expect(good and keys and (key is None or key in keys), 1, "the history of keys does not hold")
    return keys


# --- the verdict ----------------------------------------------------------------------------------------


def walked(match: str, rows: list[Row]) -> tuple[Record, Event | None]:
    """The whole record, and its seal."""
    events, flaw = chained(match, rows)
    seal = events[-1] if events and flaw is None and events[-1]["type"] == "Sealed" else None
    place = 1
    try:
        record = Record(match, revealed_share(seal))
        for place, event in enumerate(events, 1):
            record.take(place, event)
    except WRONG_FORM as error:
        raise BadEventError(place, f"has a wrong form: {error!r}"[:200]) from None
    if flaw is not None or not rows:
        raise flaw or BadEventError(1, "there are no events")
    return record, seal


def check_seal(match: str, rows: list[Row], record: Record, seal: Event, key: str | None) -> bool:
    """Check the seal; gives whether its signature could be checked."""
    wrong = seal_flaw(match, seal, key)
    expect(not wrong, len(rows), wrong or "")
    expect(seal["head"] == seal["prev"], len(rows), "the seal is for another head")
    expect(seal["key"] == record.opened["key"], len(rows), "the match was opened with another key")
    share = revealed_share(seal) or b""
    fits = sha(b"keylore.seed/1\0" + share) == record.opened["commitment"]
    expect(fits, len(rows), "the share is not the one that was committed to")
    seed = record.made(share).hex() if record.is_set_up else ""
    expect(seal["seed"] == seed, len(rows), "the seed is not the one that the shares make")
    return wrong is not None


def check_log(leaf: str, log: Event, seal: Event | None, version: int) -> None:
    """Check the proof that the record is in the log."""
    try:
        problem = "the record is not sealed" if seal is None else log_flaw(leaf, log, seal["key"])
    except WRONG_FORM as error:
        problem = f"it has a wrong form: {error!r}"[:200]
    expect(not problem, version, f"the proof of the log: {problem}")


def check_receipts(match: str, receipts: list[Event], rows: list[Row], seal: Event | None) -> None:
    """Check the receipts that the file holds."""
    for place, receipt in enumerate(receipts, 1):
        try:
            problem = receipt_flaw(match, receipt, rows, seal["key"]) if seal else "the record is not sealed"
            version = min(max(receipt["event"], 1), len(rows))
        except WRONG_FORM as error:
            problem, version = f"it has a wrong form: {error!r}"[:200], len(rows)
        expect(not problem, version, f"receipt {place}: {problem}")


def verify(path: str, key: str | None = None, keys: str | None = None) -> dict[str, Any]:
    """The report on a game file."""
    header, rows = read(path)
    match, log = header["match"], header.get("log")
    report = {"match": match, "verdict": "valid", "first_bad": 0, "reason": "", "events": len(rows)}
    unchecked = ["the rules: moves, facts, views, positions, rulings, outcome"]
    try:
        record, seal = walked(match, rows)
        if keys is not None:
            is_known = record.opened["key"] in known_keys(keys, key)
            expect(is_known, 1, "the match was opened under a key that the history does not hold")
            key = record.opened["key"]
        if seal is not None and not check_seal(match, rows, record, seal, key):
            unchecked.append("signatures: the package cryptography is not here")
        report["key"] = record.opened["key"]
        if log is not None:
            leaf = f"keylore.leaf/1\n{match}\n{len(rows)}\n{sha(rows[-1][2])}\n"
            check_log(leaf, log, seal, len(rows))
        check_receipts(match, header.get("receipts", []), rows, seal)
    except BadEventError as bad:
        return report | {"verdict": "invalid", "first_bad": bad.version, "reason": str(bad)}
    if key is None:
        unchecked.append("whose key it is: compare it with the one the arbiter publishes")
    if seal is None:
        report |= {"verdict": "incomplete", "reason": "the record is not at its end and sealed"}
    return report | {"plies": record.ply, "draws": record.draws, "unchecked": unchecked}


def _unread(error: Exception, file: str, keys: str | None) -> str:
    """Which file could not be read, and why."""
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename} cannot be read: {error.strerror}"
    which = f"{file} is no game file" + (f", or {keys} no history of keys" if keys else "")
    return f"{which}: {error!r}"


def main() -> int:
    """Verify the file that the command line names; gives the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("file")
    parser.add_argument("--key", help="the arbiter's public key, 64 hexadecimal digits")
    parser.add_argument("--keys", help="the history of its keys (`keylore keys export`)")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    asked = parser.parse_args()
    try:
        report = verify(asked.file, asked.key, asked.keys)
    except (OSError, EOFError, lzma.LZMAError, *WRONG_FORM) as error:
        sys.stderr.write(f"{_unread(error, asked.file, asked.keys)}\n")
        return 2
    where = f" at event {report['first_bad']}" if report["first_bad"] else ""
    lines = [f"{report['match']}: {report['verdict']}{where}" + f": {report['reason']}".rstrip(": ")]
    lines += [f"  opened and sealed under the key {report['key']}"] if report["verdict"] == "valid" else []
    lines += [f"  not checked: {item}" for item in report.get("unchecked", ())]
    sys.stdout.write(json.dumps(report) + "\n" if asked.json else "\n".join(lines) + "\n")
    return {"valid": 0, "invalid": 1, "incomplete": 4}[report["verdict"]]


if __name__ == "__main__":
    sys.exit(main())
