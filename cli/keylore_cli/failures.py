"""Errors as a person should see them: what is wrong, and what to do; and the exit code of each."""

from collections.abc import Mapping
from typing import Final

from keylore_domain.errors import (
    AccessError,
    ConflictError,
    DataFileError,
    KeyloreError,
    LedgerError,
    NotFoundError,
    OptionError,
    ReplayMismatchError,
    RuleError,
)

WRONG: Final = 1
USAGE: Final = 2
MISSING: Final = 3
UNFINISHED: Final = 4
BOT_FAILED: Final = 5
ENVIRONMENT: Final = 6

_CODES: Final[Mapping[type[Exception], int]] = {
    ReplayMismatchError: WRONG,
    OptionError: USAGE,
    DataFileError: USAGE,
    RuleError: USAGE,
    ConflictError: USAGE,
    NotFoundError: MISSING,
    FileNotFoundError: MISSING,
    AccessError: ENVIRONMENT,
    LedgerError: ENVIRONMENT,
    OSError: ENVIRONMENT,
    KeyloreError: ENVIRONMENT,
}


def exit_code(error: Exception) -> int | None:
    """The exit code for *error*; ``None`` if it is not one that we raise on purpose."""
    return next((code for kind, code in _CODES.items() if isinstance(error, kind)), None)


def explained(error: Exception) -> str:
    """*error* as one line: its code and what it says."""
    code = error.code if isinstance(error, KeyloreError) else "system"
    return f"keylore: {error} [{code}]"
