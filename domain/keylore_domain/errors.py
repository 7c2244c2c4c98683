"""Every error that keylore raises on purpose.

KeyloreError
├── RuleError              the rules of a game say no
│   ├── IllegalMoveError       the answer is not among the legal moves
│   ├── NotPromptedError       this seat is not asked, or not this prompt
│   └── MatchOverError         the match has ended
├── OptionError            an option of a match or tournament is unknown or out of range
├── NotFoundError          there is no such thing
├── ConflictError          it exists already, or somebody else changed it first
├── DataFileError          a component data file or a game file is wrong
├── ReplayMismatchError    stored events do not follow from the rules
├── HistoryError           an arbiter does not stand by what it signed before
├── LedgerError            the store cannot be read or written
├── UnreachableError       no arbiter answers at the address
└── AccessError            the token is missing, unknown or not allowed to do this

Each class has a stable ``code`` that travels over the wire.
"""

from typing import ClassVar


class KeyloreError(Exception):
    """The root of the tree; never raised itself."""

    code: ClassVar[str] = "internal"


class RuleError(KeyloreError):
    """The rules of the game do not allow it."""

    code = "rule"


class IllegalMoveError(RuleError):
    """The answer is not one of the legal moves of the prompt."""

    code = "illegal_move"


class NotPromptedError(RuleError):
    """The seat has no open prompt, or answered one that is not open."""

    code = "not_prompted"


class MatchOverError(RuleError):
    """The match has ended; nothing more can be played."""

    code = "match_over"


class OptionError(KeyloreError):
    """An option is unknown or its value is not allowed.

    Attributes:
        field: name of the option.
        allowed: the legal values, in words.
    """

    code = "option"

    def __init__(self, field: str, problem: str, allowed: str) -> None:
        super().__init__(f"option {field!r}: {problem}; allowed: {allowed}")
        self.field = field
        self.allowed = allowed


class NotFoundError(KeyloreError):
    """There is no such match, tournament, bot, game or version."""

    code = "not_found"


class ConflictError(KeyloreError):
    """The thing exists already, or was changed meanwhile."""

    code = "conflict"


class DataFileError(KeyloreError):
    """A component data file or a game file breaks a rule.

    Attributes:
        entry: where in the file, e.g. ``spells[3].cost`` or ``line 12``.
    """

    code = "data_file"

    def __init__(self, entry: str, problem: str) -> None:
        super().__init__(f"{entry}: {problem}")
        self.entry = entry


class ReplayMismatchError(KeyloreError):
    """A stored event does not follow from the rules and the events before it.

    Attributes:
        problem: what is wrong, without the values.
        version: number of the event in its match, from 1; 0 when no event is to blame.
        expected: what should have stood there; may be empty.
        found: what stood there instead; may be empty.
    """

    code = "replay_mismatch"

    def __init__(self, problem: str, version: int = 0, *, expected: str = "", found: str = "") -> None:
        super().__init__(f"{problem}: expected {expected}, found {found}" if expected or found else problem)
        self.problem = problem
        self.version = version
        self.expected = expected
        self.found = found


class HistoryError(KeyloreError):
    """An arbiter shows a history that does not continue what it signed before, or does not sign it.

    Attributes:
        proof: the file that holds the proof; empty if there is none.
    """

    code = "history"

    def __init__(self, problem: str, proof: str = "") -> None:
        super().__init__(f"{problem}. The proof is in {proof}" if proof else problem)
        self.proof = proof


class LedgerError(KeyloreError):
    """The event store cannot be read or written."""

    code = "ledger"


class UnreachableError(KeyloreError):
    """No arbiter answers at the address that was given."""

    code = "unreachable"


class AccessError(KeyloreError):
    """The token is missing, unknown, or does not allow this."""

    code = "access"
