"""Beacon values from files."""

import json
from pathlib import Path

import pytest

from keylore_domain.engine.shares import Beacon
from keylore_domain.errors import DataFileError
from keylore_services.arbiter.beacons import read_beacon

VALUE = "cd" * 32


@pytest.mark.parametrize(
    ("content", "beacon"),
    [
        (
            {"round": 7, "randomness": VALUE, "signature": "ab", "previous_signature": "ef"},
            Beacon(value=VALUE, source="drand round 7"),
        ),
        ({"value": VALUE, "source": "a lottery"}, Beacon(value=VALUE, source="a lottery")),
    ],
)
def test_a_file_holds_a_round_of_drand_or_a_value_with_its_source(
    tmp_path: Path, content: object, beacon: Beacon
) -> None:
    (tmp_path / "beacon.json").write_text(json.dumps(content))

    assert read_beacon(tmp_path / "beacon.json") == beacon


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        VALUE,
        "{}",
        json.dumps({"value": VALUE}),
        json.dumps({"value": "x", "source": "a lottery"}),
        json.dumps({"value": VALUE, "source": "a\nlottery"}),
        json.dumps({"value": VALUE, "source": "a lottery", "more": 1}),
        json.dumps({"round": "seven", "randomness": VALUE}),
    ],
)
def test_other_files_hold_no_beacon(tmp_path: Path, content: str) -> None:
    (tmp_path / "beacon.json").write_text(content)

    with pytest.raises(DataFileError):
        read_beacon(tmp_path / "beacon.json")
    with pytest.raises(DataFileError):
        read_beacon(tmp_path / "nowhere.json")
