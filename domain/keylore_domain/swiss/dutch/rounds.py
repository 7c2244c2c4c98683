"""From what was played to cards, and from an engine's answer to a round of tables."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from keylore_domain.errors import ConflictError
from keylore_domain.swiss.dutch.cards import Card, Cards, Colour, DutchRound, Game, Worth, numbers
from keylore_domain.swiss.dutch.checks import problems
from keylore_domain.swiss.history import History, lot
from keylore_domain.swiss.pairing import Pairing, in_seats, pair
from keylore_domain.swiss.pairing_terms import RULESET
from keylore_domain.swiss.rounds import Entrant, Round
from keylore_domain.swiss.scoring import HALF, bye_points
from keylore_domain.swiss.sheets import Entry, Sheet, pair_results, sheets_of
from keylore_domain.swiss.terms import Terms

Engine = Callable[[Cards], DutchRound | None]


def pair_by_rules(history: History, engine: Engine) -> Pairing:
    """The round that *engine* gives; if there is no legal one, the tables with the fewest repeats.

    Raises:
        ConflictError: the engine's round breaks a rule, there are not two entrants, or there is no round
            that the terms allow.
    """
    assert history.cards is not None
    found = engine(history.cards) if len(history.entrants) > 1 else None
    if found is None:
        return pair(history)
    wrong = problems(history.cards, found)
    if wrong:
        msg = f"{found.engine} gave a round against the rules: {'; '.join(wrong)}"
        raise ConflictError(msg)
    return round_of(history, found)


def round_of(history: History, found: DutchRound) -> Pairing:
    """An engine's answer as a round of tables; seat 0 is white."""
    assert history.cards is not None
    place = {record.bot: at for at, record in enumerate(history.entrants)}
    at = [place.get(card.bot, -1) for card in history.cards.cards]
    orders = [(at[white - 1], at[black - 1]) for white, black in found.pairs]
    byes = (at[found.bye - 1],) if found.bye else ()
    return in_seats(history, f"{RULESET} ({found.engine})", orders, byes)


def answer_of(history: History, pairing: Pairing) -> DutchRound:
    """The round as it was when an engine gave it."""
    assert history.cards is not None
    number = numbers(history.cards.cards)
    unknown = len(history.cards.cards) + 1
    tables = [tuple(number.get(bot, unknown) for bot in plan.seats) for plan in pairing.tables]
    byes = [bot for bot in pairing.byes if bot not in history.ruled_byes]
    return DutchRound(
        engine=pairing.algorithm.removeprefix(f"{RULESET} (").removesuffix(")"),
        pairs=tuple((seats[0], seats[1]) for seats in tables),
        bye=number.get(byes[0], unknown) if byes else 0,
    )


def cards_of(
    terms: Terms,
    seed: str,
    seeding: Sequence[Entrant],
    rounds: Sequence[Round],
    *,
    here: Sequence[str],
    half_byes: Sequence[str],
    apart: Sequence[tuple[str, str]],
) -> Cards:
    """The cards of all in *seeding* before the round after *rounds*, in which those in *here* play."""
    sheets = sheets_of(seeding, rounds, terms)
    number = {entrant.bot: at for at, entrant in enumerate(seeding, 1)}
    return Cards(
        round=len(rounds) + 1,
        rounds=terms.rounds,
        first=_first(terms, seed),
        worth=_worth(terms),
        cards=tuple(
            Card(
                bot=entrant.bot,
                half_points=int(2 * sheets[entrant.bot].points),
                games=_games(sheets[entrant.bot], number),
                now="-" if entrant.bot in here else "H" if entrant.bot in half_byes else "Z",
            )
            for entrant in seeding
        ),
        apart=tuple((number[one], number[other]) for one, other in apart),
    )


def _first(terms: Terms, seed: str) -> Colour:
    chosen = terms.pairing.first_colour
    if chosen != "lot":
        return chosen
    return "white" if int(lot(seed, "colour", ""), 16) % 2 == 0 else "black"


def _worth(terms: Terms) -> Worth:
    win, draw, loss = pair_results(terms)
    empty = Round(number=1, tables=(), byes=())
    values = [int(points / HALF) for points in (win, draw, loss, bye_points(terms, empty))]
    return Worth(win=values[0], draw=values[1], loss=values[2], bye=values[3])


def _games(sheet: Sheet, number: Mapping[str, int]) -> tuple[Game, ...]:
    return tuple(_game(entry, number) for entry in sheet.entries)


def _game(entry: Entry, number: Mapping[str, int]) -> Game:
    if not entry.meetings:
        return Game(0, "-", "U" if entry.kind == "bye" else "H" if entry.kind == "half_bye" else "Z")
    (meeting,) = entry.meetings
    colour: Final = "w" if entry.seat == 0 else "b"
    if entry.kind != "played":
        return Game(number[meeting.bot], colour, "+" if entry.kind == "forfeit_win" else "-")
    return Game(number[meeting.bot], colour, "1" if meeting.order > 0 else "=" if meeting.order == 0 else "0")
