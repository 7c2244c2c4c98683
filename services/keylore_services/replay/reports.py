"""Reports for machines: what audits found, as JSON, as JUnit XML, and as SARIF 2.1.0.

JUnit is what build servers show, a test case per match; SARIF is what code hosts show, a finding per match
that is not valid, at the line of the game file.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote
from xml.etree import ElementTree as Xml

import msgspec

from keylore_domain.engine.audit import Report
from keylore_services.replay.gamefile import producer
from keylore_services.replay.verify import report_lines

SARIF_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"

_RULES: Final[Mapping[str, tuple[str, str, str]]] = {
    "invalid": ("KL001", "error", "The record was altered, or does not follow from the rules it names."),
    "incomplete": ("KL002", "note", "Nothing is wrong, but the record is not at its end and sealed."),
}
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def json_report(reports: Sequence[Report]) -> bytes:
    """The reports as a JSON list, indented."""
    return msgspec.json.format(msgspec.json.encode(list(reports)), indent=2) + b"\n"


def junit_report(reports: Sequence[Report], *, suite: str = "keylore verify") -> bytes:
    """The reports as JUnit XML: an invalid match is a failure, an unfinished one is skipped."""
    counts = {verdict: sum(report.verdict == verdict for report in reports) for verdict in _RULES}
    root = Xml.Element(
        "testsuite",
        name=_xml(suite),
        tests=str(len(reports)),
        failures=str(counts["invalid"]),
        errors="0",
        skipped=str(counts["incomplete"]),
    )
    for report in reports:
        _case(root, report)
    Xml.indent(root)
    return bytes(Xml.tostring(root, encoding="utf-8", xml_declaration=True)) + b"\n"


def sarif_report(reports: Sequence[Report], *, files: Mapping[str, str] | None = None) -> bytes:
    """The reports as SARIF: a result for each match that is not valid.

    Args:
        files: the game file of each match, by match id, as a path relative to where the report is read; a
            match without one is named by its id alone.
    """
    name, _, version = producer().partition(" ")
    driver = {"name": name, "version": version or "0", "rules": [_rule(*rule) for rule in _RULES.values()]}
    run = {
        "tool": {"driver": driver},
        "results": [_result(report, files or {}) for report in reports if report.verdict in _RULES],
    }
    log = {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}
    return msgspec.json.format(msgspec.json.encode(log), indent=2) + b"\n"


def _case(root: Xml.Element, report: Report) -> None:
    case = Xml.SubElement(root, "testcase", name=_xml(report.match), classname=_xml(report.game or "match"))
    if report.verdict in _RULES:
        kind = "failure" if report.verdict == "invalid" else "skipped"
        found = Xml.SubElement(case, kind, message=_xml(_told(report)))
        if kind == "failure":
            found.set("type", _RULES[report.verdict][0])
            found.text = _xml("\n".join(report_lines(report)))
    else:
        Xml.SubElement(case, "system-out").text = _xml("\n".join(report_lines(report)))


def _rule(identity: str, level: str, text: str) -> dict[str, Any]:
    return {
        "id": identity,
        "shortDescription": {"text": text},
        "defaultConfiguration": {"level": level},
    }


def _result(report: Report, files: Mapping[str, str]) -> dict[str, Any]:
    identity, level, _ = _RULES[report.verdict]
    place: dict[str, Any] = {"logicalLocations": [{"fullyQualifiedName": report.match, "kind": "module"}]}
    if report.match in files:
        where: dict[str, Any] = {"artifactLocation": {"uri": quote(files[report.match])}}
        if report.first_bad:
            where["region"] = {"startLine": report.first_bad + 1}  # the header is the first line
        place["physicalLocation"] = where
    return {
        "ruleId": identity,
        "level": level,
        "message": {"text": f"{report.match}: {_told(report)}"},
        "locations": [place],
        "properties": {"event": report.first_bad, "expected": report.expected, "found": report.found},
    }


def _told(report: Report) -> str:
    return f"event {report.first_bad}: {report.reason}" if report.first_bad else report.reason


def _xml(text: str) -> str:
    """*text* without the characters that XML cannot hold."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
