"""The program of a child process: one or more bots that play for as long as the process that started them.

    python -m keylore_services.bots.child --server HOST:PORT --bot greedy --name alice --seed 1 [--bot ...]

The first line of standard input holds the tokens as JSON, ``{"alice": "..."}``: arguments and environments
can be read by others. When standard input ends, the process that started this one is gone, and they go too.

Exit codes: 0 when the bots have left; 1 after a crash, it may help to start again; 2 when it will not help.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from threading import Thread
from typing import Final

import msgspec
import structlog

from keylore_domain.errors import AccessError, KeyloreError
from keylore_services.bots import loading
from keylore_services.bots.connection import run_until_signal
from keylore_services.bots.kit import Bot
from keylore_services.bots.logs import log_to_stderr
from keylore_services.bots.settings import Settings

HOPELESS: Final = 2
"""The exit code after which starting again will not help."""

log = structlog.get_logger()


def main(arguments: Sequence[str], source: int) -> int:
    """Play until a signal comes; the tokens are read from file descriptor *source*. Gives the exit code."""
    log_to_stderr()
    given = _parser().parse_args(arguments)
    try:
        bots = _bots(given, _tokens(source))
        Thread(target=_end_with_parent, args=(source,), daemon=True).start()
        run_until_signal(bots)
    except KeyloreError as error:
        log.error("bot_stopped", names=given.name, reason=str(error))
        return HOPELESS
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="keylore_services.bots.child", allow_abbrev=False)
    parser.add_argument("--server", required=True)
    parser.add_argument("--ca", type=Path)
    for option in ("--bot", "--name", "--seed"):
        parser.add_argument(option, action="append", required=True)
    return parser


def _bots(given: argparse.Namespace, tokens: dict[str, str]) -> list[tuple[Bot, Settings]]:
    return [
        (
            loading.bot(spec, seed),
            Settings(server=given.server, token=tokens.get(name, ""), ca=given.ca),
        )
        for spec, name, seed in zip(given.bot, given.name, given.seed, strict=True)
    ]


def _tokens(source: int) -> dict[str, str]:
    """The first line of *source*.

    Raises:
        AccessError: it does not hold tokens.
    """
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(source, 1)
        if not byte:
            break
        line += byte
    try:
        return msgspec.json.decode(line, type=dict[str, str])
    except msgspec.DecodeError as error:
        msg = "standard input must begin with a line of tokens by name, as JSON"
        raise AccessError(msg) from error


def _end_with_parent(source: int) -> None:
    while os.read(source, 1024):
        pass
    os._exit(1)


def _own_input() -> int:
    """Standard input under another number; a bot that reads the usual one finds it empty."""
    own = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return own


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], _own_input()))
