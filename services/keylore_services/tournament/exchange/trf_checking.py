"""The pairings of an event that was read from a report file, held against the FIDE Dutch System."""

from collections.abc import Sequence
from typing import Final

import msgspec

from keylore_domain.swiss.dutch.cards import Cards, Colour, DutchRound
from keylore_domain.swiss.dutch.checks import problems
from keylore_domain.swiss.dutch.rounds import cards_of
from keylore_domain.swiss.pairing_terms import RULESET
from keylore_domain.swiss.rounds import Round
from keylore_domain.swiss.systems import Engines
from keylore_domain.swiss.terms import Terms
from keylore_services.tournament.exchange.results import Results
from keylore_services.tournament.fide import engines as installed_engines

_COLOURS: Final[tuple[Colour, ...]] = ("white", "black")


class RoundCheck(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be said of a round: rules that it breaks, in words, and whether it ``is_the_round``.

    ``is_the_round`` is ``None`` where no engine could work it out again.
    """

    round: int
    problems: tuple[str, ...]
    is_the_round: bool | None


def checked_rounds(event: Results, engines: Engines | None = None) -> tuple[RoundCheck, ...]:
    """Every round of *event* against the rules, in order.

    The colour that the first player was given by lot follows from the first round. Several byes in one
    round cannot all be allotted ones: then those of the players with the smaller numbers count as asked for.

    Args:
        engines: what works a round out again; by default what is installed.
    """
    chosen = installed_engines() if engines is None else engines
    terms = _with_colour(event)
    return tuple(_check(event, terms, played, chosen) for played in event.rounds)


def _check(event: Results, terms: Terms, played: Round, engines: Engines) -> RoundCheck:
    cards, found = _cards(event, terms, played), _answer(event, played)
    wrong = problems(cards, found)
    again = None
    if RULESET in engines and cards.present:
        right = engines[RULESET](cards)
        again = right is not None and _same(right, found)
    return RoundCheck(
        round=played.number, problems=tuple(_named(event, one) for one in wrong), is_the_round=again
    )


def _same(one: DutchRound, other: DutchRound) -> bool:
    return sorted(one.pairs) == sorted(other.pairs) and one.bye == other.bye


def _with_colour(event: Results) -> Terms:
    """The terms of *event* with the colour that fits its first round best."""

    def wrong(colour: Colour) -> int:
        terms = _coloured(event.terms, colour)
        return len(problems(_cards(event, terms, event.rounds[0]), _answer(event, event.rounds[0])))

    return _coloured(event.terms, min(_COLOURS, key=wrong)) if event.rounds else event.terms


def _coloured(terms: Terms, colour: Colour) -> Terms:
    pairing = msgspec.structs.replace(terms.pairing, first_colour=colour)
    return msgspec.structs.replace(terms, pairing=pairing)


def _cards(event: Results, terms: Terms, played: Round) -> Cards:
    seated = [bot for table in played.tables for bot in table.seats]
    return cards_of(
        terms,
        event.seed,
        event.entrants,
        event.rounds[: played.number - 1],
        here=[*seated, *_allotted(event, played)],
        half_byes=played.half_byes,
        apart=(),
    )


def _answer(event: Results, played: Round) -> DutchRound:
    number = {one.bot: at for at, one in enumerate(event.entrants, 1)}
    pairs = tuple((number[table.seats[0]], number[table.seats[1]]) for table in played.tables)
    bye = _allotted(event, played)
    return DutchRound(engine=event.pairing, pairs=pairs, bye=number[bye[0]] if bye else 0)


def _allotted(event: Results, played: Round) -> Sequence[str]:
    """Who was given the bye, if anybody was."""
    return [one.bot for one in event.entrants if one.bot in played.byes][-1:]


def _named(event: Results, problem: str) -> str:
    """*problem* with names and numbers of players instead of ids."""
    for one in reversed(event.entrants):
        problem = problem.replace(one.bot, f"{one.name} ({one.number})")
    return problem
