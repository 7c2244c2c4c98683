"""Reports for machines say what the audit said, whatever stands in the record."""

import json
from xml.etree import ElementTree as Xml

import pytest

from keylore_domain.engine.audit import Report, audit
from keylore_services.replay import gamefile
from keylore_services.replay.reports import json_report, junit_report, sarif_report
from tests.domain.engine.playing import MATCH, SIGNER, eventful, fake_check
from tests.domain.engine.toy import toy_catalog
from tests.services.replay.forgeries import edited, rechained

ROWS = eventful().rows


def found(rows: list[tuple[int, str, bytes]]) -> Report:
    return audit(MATCH, rows, toy_catalog, trusted_key=SIGNER.public_key, check_signature=fake_check)


VALID = found(ROWS)
INVALID = found(rechained(edited(ROWS, 5, ("cause",), "x")))
LIE = found(rechained(edited(ROWS, 3, ("kind",), "\x00<é&\ud7ff")))
OPEN = found(ROWS[:12])
ALL = [VALID, INVALID, LIE, OPEN]


def test_json_holds_every_field() -> None:
    told = json.loads(json_report(ALL))

    assert [report["verdict"] for report in told] == ["valid", "invalid", "invalid", "incomplete"]
    assert set(told[0]) == set(Report.__struct_fields__)
    assert json.loads(json_report([])) == []


def test_junit_has_a_case_for_each_match() -> None:
    root = Xml.fromstring(junit_report(ALL, suite="cup \x01"))
    counts = {name: root.get(name) for name in ("name", "tests", "failures", "errors", "skipped")}

    assert counts == {"name": "cup \ufffd", "tests": "4", "failures": "2", "errors": "0", "skipped": "1"}
    assert [case[0].tag for case in root] == ["system-out", "failure", "failure", "skipped"]
    assert {case.get("name") for case in root} == {MATCH}
    assert root[1][0].get("message", "").startswith(f"event {len(ROWS)}: the signature does not fit")
    assert "found:    \ufffd<é&\ud7ff" in (root[2][0].text or "")


def test_sarif_names_rule_line_and_match() -> None:
    (run,) = json.loads(sarif_report(ALL, files={MATCH: "games/a b.jsonl"}))["runs"]
    results = run["results"]

    assert run["tool"]["driver"]["name"] == "keylore"
    assert [result["ruleId"] for result in results] == ["KL001", "KL001", "KL002"]
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} == {"KL001", "KL002"}
    assert [result["level"] for result in results] == ["error", "error", "note"]
    place = results[1]["locations"][0]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": "games/a%20b.jsonl"},
        "region": {"startLine": 4},
    }
    assert place["logicalLocations"][0]["fullyQualifiedName"] == MATCH
    assert "region" not in results[2]["locations"][0]["physicalLocation"]
    assert results[1]["message"]["text"].startswith(f"{MATCH}: event 3: the kind of the prompt")


def test_sarif_without_files_names_matches_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("keylore_services.replay.reports.producer", lambda: "keylore")

    log = json.loads(sarif_report([INVALID]))

    assert log["version"] == "2.1.0"
    assert log["runs"][0]["tool"]["driver"]["version"] == "0"
    assert "physicalLocation" not in log["runs"][0]["results"][0]["locations"][0]
    assert json.loads(sarif_report([VALID]))["runs"][0]["results"] == []


def test_line_numbers_are_those_of_the_file() -> None:
    lines = list(gamefile.game_lines(MATCH, ROWS))

    assert lines[LIE.first_bad][:-1] == ROWS[LIE.first_bad - 1][2]
