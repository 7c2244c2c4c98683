"""Score sheets: what each entrant did, round by round; all that standings and tie-breaks look at."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Literal

import msgspec

from keylore_domain.swiss.rounds import Entrant, Placing, PlayedTable, Round
from keylore_domain.swiss.scoring import HALF, bye_points, is_void, mean_points, shares, table_points
from keylore_domain.swiss.terms import Terms

Kind = Literal["played", "forfeit_win", "forfeit_loss", "bye", "half_bye", "absent", "void"]


class Meeting(msgspec.Struct, frozen=True):
    """One opponent at a table: who, and what the entrant got against it as if only those two had played.

    ``order``: 1 for a better rank, 0 for the same one, -1. ``result``: the same as 1, a half and 0, or as the
    points of a win, draw and loss where these are set.
    """

    bot: str
    order: int
    result: Fraction


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One round of one entrant.

    ``meetings`` is empty for a round without a table, ``seat`` -1, ``rank`` 0. ``share`` is the part of the
    table's game score. ``is_forfeit``: the entrant forfeited, whatever became of the game.
    """

    round: int
    kind: Kind
    points: Fraction
    meetings: tuple[Meeting, ...] = ()
    seat: int = -1
    rank: int = 0
    is_first: bool = False
    score: int = 0
    share: Fraction = Fraction(0)
    is_forfeit: bool = False

    @property
    def is_requested(self) -> bool:
        """Whether the entrant chose not to play: a half-point bye, or absence."""
        return self.kind in {"half_bye", "absent"}

    @property
    def is_given_away(self) -> bool:
        """Whether the round was not played, and that was the entrant's own doing (FIDE C.07 16.1.2)."""
        return self.is_requested or self.kind == "forfeit_loss"


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """All finished rounds of one entrant, in order; ``removed`` by a ruling, it stands behind all others."""

    bot: str
    number: int
    rating: int
    entries: tuple[Entry, ...]
    removed: bool = False

    @property
    def points(self) -> Fraction:
        """The sum of all."""
        return sum((entry.points for entry in self.entries), Fraction(0))

    @property
    def games(self) -> tuple[Entry, ...]:
        """The rounds at a table, forfeited ones included."""
        return tuple(entry for entry in self.entries if entry.rank)


def sheets_of(entrants: Sequence[Entrant], rounds: Sequence[Round], terms: Terms) -> Mapping[str, Sheet]:
    """The sheet of each of *entrants*, in their order; tables without a result are left out."""
    entries: dict[str, list[Entry]] = {entrant.bot: [] for entrant in entrants}
    for played in rounds:
        for bot, entry in _round(played, entries, terms):
            if bot in entries:
                entries[bot].append(entry)
    return {
        one.bot: Sheet(
            bot=one.bot,
            number=one.number,
            rating=one.rating,
            entries=tuple(entries[one.bot]),
            removed=one.removed,
        )
        for one in entrants
    }


def _round(played: Round, known: Mapping[str, object], terms: Terms) -> Iterator[tuple[str, Entry]]:
    here = {bot for table in played.tables for bot in table.seats} | {*played.byes, *played.half_byes}
    for table in played.tables:
        if table.placings:
            yield from _table(played.number, table, terms)
        elif table.void:
            nothing = Entry(round=played.number, kind="void", points=Fraction(0))
            yield from ((bot, nothing) for bot in table.seats)
    without: tuple[tuple[Kind, Sequence[str], Fraction], ...] = (
        ("bye", played.byes, bye_points(terms, played)),
        ("half_bye", played.half_byes, mean_points(terms, played)),
        ("absent", [bot for bot in known if bot not in here], Fraction(0)),
    )
    for kind, bots, points in without:
        for bot in bots:
            for _ in range(terms.pairing.games):  # as many as tables play
                yield bot, Entry(round=played.number, kind=kind, points=points)


def _table(number: int, table: PlayedTable, terms: Terms) -> Iterator[tuple[str, Entry]]:
    placings = table.placings
    points = table_points(table, terms)
    parts = shares([placing.score for placing in placings])
    firsts = sum(placing.rank == 1 for placing in placings)
    for seat, placing in enumerate(placings):
        yield (
            placing.bot,
            Entry(
                round=number,
                kind=_kind(table, seat, terms),
                points=points[seat],
                meetings=_meetings(placing, table, terms),
                seat=seat,
                rank=placing.rank,
                is_first=placing.rank == 1 and firsts == 1 and not is_void(table, terms),
                score=placing.score,
                share=parts[seat],
                is_forfeit=seat in table.forfeited,
            ),
        )


def _meetings(own: Placing, table: PlayedTable, terms: Terms) -> tuple[Meeting, ...]:
    if is_void(table, terms):
        return tuple(Meeting(bot, 0, Fraction(0)) for bot in table.seats if bot != own.bot)
    win, draw, loss = pair_results(terms)
    results = {1: win, 0: draw, -1: loss}
    orders = [
        (other.bot, (own.rank < other.rank) - (own.rank > other.rank))
        for other in table.placings
        if other is not own
    ]
    return tuple(Meeting(bot, order, results[order]) for bot, order in orders)


def pair_results(terms: Terms) -> tuple[Fraction, Fraction, Fraction]:
    """What a win, a draw and a loss against one opponent count: 1, a half and 0 where nothing else is set."""
    scoring = terms.scoring
    if scoring.rule == "win_draw_loss":
        return HALF * scoring.win, HALF * scoring.draw, HALF * scoring.loss
    return Fraction(1), HALF, Fraction(0)


def pair_worth(entry: Entry, terms: Terms) -> Fraction:
    """A round on the scale of `pair_results`: what a bye is as the result of a game; absence is nothing."""
    win, draw, _ = pair_results(terms)
    match entry.kind:
        case "bye":
            return {"win": win, "mean": draw, "zero": Fraction(0)}[terms.scoring.bye]
        case "half_bye":
            return draw
        case "absent" | "void":
            return Fraction(0)
        case _:
            return sum((one.result for one in entry.meetings), Fraction(0)) / len(entry.meetings)


def _kind(table: PlayedTable, seat: int, terms: Terms) -> Kind:
    """By FIDE's rules a game lost by forfeit was not played by either seat; elsewhere it was."""
    if terms.scoring.unplayed != "fide" or not table.forfeited:
        return "played"
    if is_void(table, terms):
        return "forfeit_loss"
    lost = {at for at in table.forfeited if table.placings[at].rank > 1}
    if not lost:
        return "played"
    return "forfeit_loss" if seat in lost else "forfeit_win"
