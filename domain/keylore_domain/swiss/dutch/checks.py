"""Whether a round can be one by these rules; shares no code with any engine.

Checked is what the rules demand of every round: who may meet, who may have the bye, colours that must be, and
who has which colour. That the round is the best of all such rounds is the engine's word.
"""

from collections import Counter
from collections.abc import Iterator

from keylore_domain.swiss.dutch.cards import Cards, DutchRound
from keylore_domain.swiss.dutch.colours import absolute, white_of


def problems(cards: Cards, found: DutchRound) -> tuple[str, ...]:
    """All that is wrong with *found*, in words; empty if nothing is."""
    members = tuple(_members(cards, found))
    return members or (*_bye(cards, found), *_meetings(cards, found), *_colours(cards, found))


def _members(cards: Cards, found: DutchRound) -> Iterator[str]:
    places = Counter(number for pair in found.pairs for number in pair)
    if found.bye:
        places[found.bye] += 1
    for number in sorted(set(places) | set(cards.present)):
        if number not in cards.present:
            yield f"number {number} does not play in this round"
        elif places[number] != 1:
            yield f"{cards.card(number).bot} has {places[number]} places in the round instead of one"


def _bye(cards: Cards, found: DutchRound) -> Iterator[str]:
    if found.bye and not cards.card(found.bye).may_have_bye:
        yield f"{cards.card(found.bye).bot} has had a win without a game before, and now a bye"


def _meetings(cards: Cards, found: DutchRound) -> Iterator[str]:
    apart = {frozenset(pair) for pair in cards.apart}
    for pair in found.pairs:
        white, black = (cards.card(number) for number in pair)
        if any(game.opponent == pair[1] for game in white.played):
            yield f"{white.bot} and {black.bot} have played each other"
        if frozenset(pair) in apart:
            yield f"{white.bot} and {black.bot} must not meet"


def _colours(cards: Cards, found: DutchRound) -> Iterator[str]:
    for white, black in found.pairs:
        one, other = cards.card(white), cards.card(black)
        due = white_of(cards, white, black)
        if due != white:
            yield f"{other.bot} has white against {one.bot} by the rule"
        clash = absolute(one) == absolute(other) != "-"
        if clash and not any(_is_topscorer(cards, number) for number in (white, black)):
            yield f"{one.bot} and {other.bot} must both have the same colour"


def _is_topscorer(cards: Cards, number: int) -> bool:
    """Whether an entrant has more than half of the points that could be won, in the last round (1.8)."""
    most = cards.worth.win * (cards.round - 1)
    return cards.round == cards.rounds and 2 * cards.card(number).half_points > most
