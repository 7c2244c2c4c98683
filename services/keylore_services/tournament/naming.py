"""Things that are called by their names or by their ids."""

from collections.abc import Callable


def prefixed(name: str, make_id: Callable[[str], str]) -> str:
    """The id of *name*, which may be an id already."""
    return name if name.startswith(make_id("")) else make_id(name)
