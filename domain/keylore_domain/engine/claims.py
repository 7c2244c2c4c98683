"""Claims: what an event says, compared with what it should say."""

from typing import NoReturn

from keylore_domain.engine.aggregates import Event
from keylore_domain.errors import ReplayMismatchError


def expect(event: Event, what: str, expected: object, found: object) -> None:
    """Blame *event* unless *what* it says is as *expected*.

    Raises:
        ReplayMismatchError: it is not.
    """
    if expected != found:
        fail(event, f"{what} is not what it should be", expected, found)


def fail(event: Event, problem: str, expected: object, found: object) -> NoReturn:
    """Blame *event*.

    Raises:
        ReplayMismatchError: always.
    """
    raise ReplayMismatchError(problem, event.originator_version, expected=str(expected), found=str(found))
