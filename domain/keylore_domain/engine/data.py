"""Component data files: YAML with the provenance of each entry, checked when loaded."""

import hashlib
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal, TypeVar

import msgspec
import yaml

from keylore_domain.errors import DataFileError

T = TypeVar("T", bound=msgspec.Struct)

Provenance = Literal["rulebook", "public", "house"]
SCHEMA = "keylore.game-data/1"

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def data_hash(text: str) -> str:
    """SHA-256 over the bytes of a data file, 64 hexadecimal digits; recorded in the match's first event."""
    return hashlib.sha256(text.encode()).hexdigest()


@lru_cache
def shipped(package: str) -> str:
    """The text of the data file that ships with the game in *package*."""
    return files(package).joinpath("data.yaml").read_text(encoding="utf-8")


def require(entry: str, problem: str, *, holds: object) -> None:
    """Check that a rule for the data *holds*.

    Raises:
        DataFileError: it does not; names the *entry* and the *problem*.
    """
    if not holds:
        raise DataFileError(entry, problem)


def parse_data(text: str, game: str, kind: type[T]) -> T:
    """The data file *text* of *game* as the struct *kind*.

    Raises:
        DataFileError: it is not YAML, is for another game or schema, or an entry has a wrong shape; names
            the entry.
    """
    raw = _document(text)
    if raw.get("schema") != SCHEMA:
        raise DataFileError("schema", f"is {raw.get('schema')!r}; this version reads {SCHEMA!r}")
    if raw.get("game") != game:
        raise DataFileError("game", f"is {raw.get('game')!r}; expected {game!r}")
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        problem, _, entry = str(error).partition(" - at `$")
        raise DataFileError(entry.rstrip("`").lstrip(".") or "component data", problem) from None


def _document(text: str) -> dict[str, Any]:
    try:
        raw = yaml.load(text, _LOADER)  # noqa: S506 - a safe loader
    except yaml.YAMLError as error:
        problem = " ".join(str(error).split())
        raise DataFileError("component data", f"is not YAML: {problem}") from None
    if not isinstance(raw, dict):
        raise DataFileError("component data", "must be a mapping")
    return raw
