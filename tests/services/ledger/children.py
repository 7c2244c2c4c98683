"""Other processes that use the same ledger."""

import os
import subprocess
import sys


def child(program: str, *arguments: object) -> "subprocess.Popen[str]":
    """Another process that runs *program*, with pipes to its input and from its output."""
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def run(program: str, *arguments: object) -> str:
    """What *program* prints in another process."""
    process = child(program, *arguments)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    return output.strip()
