"""Every store that the suite runs over."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from keylore_services.ledger.ledger import Ledger, open_ledger


@pytest.fixture(params=["file", ":memory:", "popo:"])
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Ledger]:
    where = tmp_path / "league.db" if request.param == "file" else request.param
    with open_ledger(where) as opened:
        yield opened


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "league.db"
