"""The check of a contradiction that stands in docs/verifying.md is run as it stands there."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from keylore_domain.engine.receipts import Contradiction, contradiction
from tests.services.bots.test_keeping import STRANGER, answered, given

DOCUMENT = Path(__file__).parents[3] / "docs" / "verifying.md"


@pytest.fixture(scope="module")
def program() -> str:
    (found,) = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    return str(found)


def judged(program: str, folder: Path, shown: Contradiction) -> int:
    """The exit code of the program of the document."""
    (folder / "check.py").write_text(program)
    (folder / "shown.json").write_bytes(msgspec.json.encode(shown))
    command = [sys.executable, "-I", str(folder / "check.py"), str(folder / "shown.json")]
    return subprocess.run(command, capture_output=True, check=False).returncode


def changed(receipt: Any, **fields: Any) -> Any:
    return msgspec.structs.replace(receipt, **fields)


@pytest.mark.slow
def test_the_program_of_the_document_convicts_and_acquits(program: str, tmp_path: Path) -> None:
    receipt = given()
    convicting = [
        contradiction(receipt, answered(receipt, kept=False)),
        contradiction(receipt, given(head="another")),
    ]
    acquitting = [
        contradiction(receipt, answered(receipt, kept=True)),
        contradiction(receipt, receipt),
        contradiction(receipt, changed(answered(receipt, kept=True), kept=False)),
        contradiction(receipt, changed(given(head="another"), choice=7)),
        contradiction(receipt, answered(receipt, kept=False, ring=STRANGER)),
        contradiction(receipt, answered(given(event=9), kept=False)),
    ]

    assert [judged(program, tmp_path, shown) for shown in convicting] == [0] * 2
    assert [judged(program, tmp_path, shown) for shown in acquitting] == [1] * 6
