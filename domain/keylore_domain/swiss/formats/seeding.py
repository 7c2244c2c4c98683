"""Dealing entrants out by seeding: brackets and tables."""

from collections.abc import Sequence


def in_bracket(field: Sequence[str]) -> tuple[str, ...]:
    """*field* (best first) in the places of a bracket: 1 meets the last, 1 and 2 only in the final.

    Free places are empty texts.
    """
    size = 1 << max(len(field) - 1, 1).bit_length()
    order = [0]
    while len(order) < size:
        order = [at for one in order for at in (one, 2 * len(order) - 1 - one)]
    return tuple(field[at] if at < len(field) else "" for at in order)


def dealt(members: Sequence[str], sizes: Sequence[int]) -> list[tuple[str, ...]]:
    """*members* (best first) dealt out to tables of *sizes*, up and down, full tables left out."""
    tables: list[list[str]] = [[] for _ in sizes]
    waiting = list(members)
    way = list(range(len(sizes)))
    while waiting:
        for at in way:
            if waiting and len(tables[at]) < sizes[at]:
                tables[at].append(waiting.pop(0))
        way.reverse()
    return [tuple(table) for table in tables]
