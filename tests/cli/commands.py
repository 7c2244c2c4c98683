"""Running the command line as a user does: in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

BOT = '''\
import json
import random

from keylore_services.bots import Bot, Prompt, Receipt


class Careful(Bot):
    """Plays at random, the same for the same prompt, and writes down every receipt."""

    inline = True

    def choose(self, prompt: Prompt) -> int:
        return random.Random(f"{prompt.match}/{prompt.number}").randrange(len(prompt.legal))

    def receipt(self, receipt: Receipt) -> None:
        line = json.dumps([receipt.match, receipt.prompt, receipt.event, receipt.choice, receipt.head])
        with open(RECEIPTS, "a") as file:
            file.write(line + "\\n")
'''


def command(league: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "keylore_cli.main", "--league", str(league), *arguments]


def keylore(league: Path, *arguments: str, code: int = 0, seconds: float = 300) -> str:
    """What the command printed; its exit code must be *code*."""
    done = subprocess.run(
        command(league, *arguments),
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
        env=environment(),
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout if code == 0 else done.stdout + done.stderr


def keylore_json(league: Path, *arguments: str, code: int = 0) -> Any:
    return json.loads(keylore(league, *arguments, "--json", code=code))


def environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("KEYLORE")}
    return {**kept, "NO_COLOR": "1", "COLUMNS": "120"}


def write_bot(folder: Path, receipts: Path) -> Path:
    path = folder / "careful.py"
    path.write_text(f"RECEIPTS = {str(receipts)!r}\n" + BOT)
    return path
