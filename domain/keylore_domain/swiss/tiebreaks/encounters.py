"""Tie-breaks within a group of tied entrants: their own encounters, and the lot."""

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from keylore_domain.swiss.sheets import Meeting, pair_results
from keylore_domain.swiss.tiebreaks.field import Field, Tally, Term, summed

Results = Mapping[tuple[str, str], Fraction | None]


def head_to_head(field: Field, group: Sequence[str]) -> Mapping[str, Tally]:
    """Seats of the group beaten, less those lost to, at shared tables."""
    return {
        bot: summed(
            [Term(at, (one.bot,), Fraction(one.order)) for at, one in _encounters(field, bot, set(group))]
        )
        for bot in group
    }


def direct_encounter(field: Field, group: Sequence[str]) -> Mapping[str, Tally]:
    """The order in a table of their own (FIDE C.07 6): who is ahead whatever the missing games would give.

    Where all met all, more points are ahead, and those still equal are compared once more among themselves.
    Otherwise an entrant is ahead if even wins in all missing games would bring nobody level with it. Several
    meetings of two count as their mean. At a larger table, each two of the group play each other. Games
    that were forfeited by FIDE's rules count as a meeting without points.
    """
    tiers = _tiers(field, list(group), _results(field, group))
    behind, values = len(group), {}
    for tier in tiers:
        behind -= len(tier)
        for bot in tier:
            terms = tuple(Term(at, (one.bot,), one.result) for at, one in _encounters(field, bot, set(group)))
            values[bot] = Tally(Fraction(behind), terms, "order")
    return values


def lot(field: Field, group: Sequence[str]) -> Mapping[str, Tally]:
    """An order drawn from the tournament's seed and the ids alone: SHA-256, the smallest first."""
    drawn = sorted(group, key=lambda bot: _lot(field.seed, bot))
    return {bot: Tally(Fraction(len(group) - place), (), "order") for place, bot in enumerate(drawn, 1)}


def _lot(seed: str, bot: str) -> str:
    return hashlib.sha256(f"keylore.lot/1\0standings\0{seed}\0{bot}".encode()).hexdigest()


def _encounters(field: Field, bot: str, group: set[str]) -> Iterator[tuple[int, Meeting]]:
    """Each meeting with another of *group* that was played, and its round."""
    for entry in field.sheets[bot].entries:
        if entry.kind == "played":
            yield from ((entry.round, one) for one in entry.meetings if one.bot in group)


def _results(field: Field, group: Sequence[str]) -> Results:
    """For each two of *group* that met, the mean result of the first; ``None`` if nothing was played."""
    members = set(group)
    found: defaultdict[tuple[str, str], list[Fraction]] = defaultdict(list)
    for bot in group:
        for _, one in _encounters(field, bot, members):
            found[bot, one.bot].append(one.result)
        for entry in field.sheets[bot].entries:
            for one in entry.meetings:
                if one.bot in members:
                    found[bot, one.bot].extend(())
    return {
        pair: sum(values, Fraction(0)) / len(values) if values else None for pair, values in found.items()
    }


def _tiers(field: Field, group: list[str], results: Results) -> list[list[str]]:
    if len(group) < 2:
        return [group]
    points, missing = _own_table(group, results)
    if any(missing.values()):
        return _certain(field, group, results)
    by_points: defaultdict[Fraction, list[str]] = defaultdict(list)
    for bot in group:
        by_points[points[bot]].append(bot)
    if len(by_points) == 1:
        return [group]
    return [
        tier for _, tied in sorted(by_points.items(), reverse=True) for tier in _tiers(field, tied, results)
    ]


def _certain(field: Field, group: list[str], results: Results) -> list[list[str]]:
    """One by one, those who cannot be caught; the rest stays together."""
    rest = list(group)
    tiers: list[list[str]] = []
    win = pair_results(field.terms)[0]
    while rest:
        points, missing = _own_table(rest, results)
        reach = {bot: points[bot] + win * missing[bot] for bot in rest}
        first = [bot for bot in rest if all(points[bot] > reach[other] for other in rest if other != bot)]
        if not first:
            return [*tiers, rest]
        tiers.append(first)
        rest.remove(first[0])
    return tiers


def _own_table(group: Sequence[str], results: Results) -> tuple[dict[str, Fraction], dict[str, int]]:
    """Points from games among *group*, and how many of the others each has not met."""
    points = dict.fromkeys(group, Fraction(0))
    missing = dict.fromkeys(group, len(group) - 1)
    members = set(group)
    for (bot, other), result in results.items():
        if bot in members and other in members:
            points[bot] += result or 0
            missing[bot] -= 1
    return points, missing
