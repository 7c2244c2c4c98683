"""Errors as a person should see them: what is wrong, and what to do; and the exit code of each."""

from collections.abc import Mapping, Sequence
from typing import Final

from keylore_domain.errors import (
    AccessError,
    ConflictError,
    DataFileError,
    HistoryError,
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
DEFECT: Final = 70

_CODES: Final[Mapping[type[Exception], int]] = {
    ReplayMismatchError: WRONG,
    HistoryError: WRONG,
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


def exit_code(error: Exception) -> int:
    """The exit code for *error*; 70 if it is not one that is raised on purpose."""
    return next((code for kind, code in _CODES.items() if isinstance(error, kind)), DEFECT)


def explained(error: Exception) -> str:
    """*error* as text: what it says and its code."""
    if isinstance(error, KeyloreError):
        return f"keylore: {error} [{error.code}]"
    if isinstance(error, OSError):
        return f"keylore: {error} [system]"
    return (
        f"keylore: a defect of keylore itself: {type(error).__name__}: {error} [defect]\n"
        "`keylore --debug ...` shows where; please report it with that text"
    )


def not_found(what: str, name: str, known: Sequence[str], hint: str) -> NotFoundError:
    """The error that there is no *what* called *name*, with the nearest of the *known* names, and a hint."""
    from difflib import get_close_matches

    near = [other for other in known if name.strip("/") and name.strip("/") in other][:3]
    near = get_close_matches(name, known, n=1, cutoff=0.6) or near
    suggestion = f"did you mean {' or '.join(repr(other) for other in near)}? " if near else ""
    return NotFoundError(f"there is no {what} {name!r}; {suggestion}{hint}")
