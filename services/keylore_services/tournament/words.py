"""Explanations in words."""

from fractions import Fraction
from typing import Final

from keylore_domain.swiss.explaining import Explained, Explanation, Neighbour, Part
from keylore_domain.swiss.rounds import Result, Ruling

_KINDS: Final = {
    "played": "",
    "forfeit_win": "by forfeit",
    "forfeit_loss": "forfeited",
    "bye": "bye",
    "half_bye": "requested bye",
    "absent": "absent",
    "void": "void",
}


def exact(value: str) -> str:
    """An exact value for people: ``3``, ``3.5``, else a mixed number (``16 2/3``)."""
    number = Fraction(value)
    whole, rest = divmod(abs(number.numerator), number.denominator)
    sign = "-" if number < 0 else ""
    if rest == 0:
        return f"{sign}{whole}"
    if number.denominator in {2, 4, 5, 10, 20, 25, 50, 100}:
        return f"{float(number):g}"
    return f"{sign}{whole} {rest}/{number.denominator}" if whole else f"{sign}{rest}/{number.denominator}"


def explanation_lines(found: Explanation) -> tuple[str, ...]:
    """An explanation of a place in the standings, line by line."""
    return (
        f"{_name(found.bot)} has rank {found.rank}",
        *(_value_line(one) for one in found.values),
        *_neighbour_lines(found),
    )


def _value_line(one: Explained) -> str:
    name = one.name.replace("_", " ")
    counted = ", ".join(_part(part) for part in one.parts if part.counts) or "nothing"
    cut = ", ".join(_part(part) for part in one.parts if not part.counts)
    how = {"sum": "the sum of", "mean": "the mean of", "rounded_mean": "the rounded mean of"}
    start = f"{name} {exact(one.value)}: "
    if one.how == "order":
        return start + f"so many of those equal so far come behind; their encounters: {counted}"
    return start + f"{how[one.how]} {counted}" + (f"; cut: {cut}" if cut else "")


def _part(part: Part) -> str:
    about = [f"round {part.round}", _KINDS[part.kind], ", ".join(map(_name, part.bots))]
    return f"{exact(part.amount)} ({' '.join(filter(None, about))})"


def _neighbour_lines(found: Explanation) -> list[str]:
    lines = []
    if found.above is not None:
        lines.append(_neighbour(found.above, "behind"))
    if found.below is not None:
        lines.append(_neighbour(found.below, "ahead of"))
    return lines


def _neighbour(one: Neighbour, where: str) -> str:
    if not one.decided_by:
        return f"shares the rank with {_name(one.bot)}"
    decided = "how far it came" if one.decided_by == "course" else one.decided_by.replace("_", " ")
    return f"{where} {_name(one.bot)} (rank {one.rank}) by {decided}"


def _name(bot: str) -> str:
    return bot.removeprefix("bot/")


def ruling_text(ruling: Ruling, played: Result | None, *, void: bool, is_ruled: bool) -> str:
    """What was ruled about a table, by whom and why, and what was played there.

    Args:
        played: what its match gave, if that is not what counts.
        void: whether it counts for nobody.
        is_ruled: whether what was ruled counts, and not again what was played.
    """
    now = "does not count" if void else "counts as ruled" if is_ruled else "counts as played"
    order = sorted(played.placings, key=lambda one: one.rank) if played is not None else ()
    places = ", ".join(f"{one.rank}. {_name(one.bot)} ({one.score})" for one in order)
    was = f"; as played: {places}" if places else ""
    return f"{now} by {ruling.by} (event {ruling.event}): {ruling.reason}{was}"
