"""Who has which colour (C.04.3, article 5): the rule written from the text, to check an engine by."""

from typing import Final, Literal

from keylore_domain.swiss.dutch.cards import Card, Cards

_ABSOLUTE: Final = 3
_STRONG: Final = 2
_MILD: Final = 1

_Wish = tuple[Literal["w", "b", "-"], int]


def white_of(cards: Cards, one: int, other: int) -> int:
    """Which of two entrants (by number) has white."""
    colour, higher = _higher_has(cards, one, other)
    lower = one + other - higher
    return higher if colour == "w" else lower


def difference(card: Card) -> int:
    """Games with white less games with black."""
    return sum(1 if game.colour == "w" else -1 for game in card.played)


def absolute(card: Card) -> str:
    """The colour that an entrant must have, ``-`` if it may have either."""
    colour, strength = wish(card)
    return colour if strength == _ABSOLUTE else "-"


def wish(card: Card) -> _Wish:
    """The colour that an entrant should have next, and how strongly (1.7)."""
    played, ahead = card.played, difference(card)
    if not played:
        return "-", 0
    last = [game.colour for game in played[-2:]]
    if abs(ahead) > 1:
        return ("b" if ahead > 0 else "w"), _ABSOLUTE
    if len(last) > 1 and last[0] == last[1]:
        return _opposite(last[-1]), _ABSOLUTE
    if ahead:
        return ("b" if ahead > 0 else "w"), _STRONG
    return _opposite(last[-1]), _MILD


def _higher_has(cards: Cards, one: int, other: int) -> tuple[Literal["w", "b"], int]:
    """The colour of the higher ranked of two, and who that is."""
    higher, lower = sorted((one, other), key=lambda number: (-cards.card(number).half_points, number))
    high, low = cards.card(higher), cards.card(lower)
    (first, strength), (second, force) = wish(high), wish(low)
    if "-" in {first, second} or first != second:  # both can have what they wish
        return _granted(cards, first, second, higher), higher
    if strength != force:  # the stronger wish
        return _just(first if strength > force else _opposite(second)), higher
    if strength == _ABSOLUTE and abs(difference(high)) != abs(difference(low)):  # the wider difference
        return _just(first if abs(difference(high)) > abs(difference(low)) else _opposite(second)), higher
    for mine, theirs in zip(reversed(high.played), reversed(low.played), strict=False):
        if mine.colour != theirs.colour:  # the other way round than in the last round where they differed
            return _just(theirs.colour), higher
    return _just(first), higher


def _granted(cards: Cards, first: str, second: str, higher: int) -> Literal["w", "b"]:
    if first != "-":
        return _just(first)
    if second != "-":
        return _just(_opposite(second))
    odd = _order_of_entry(cards, higher) % 2 == 1
    return "w" if odd == (cards.first == "white") else "b"


def _order_of_entry(cards: Cards, number: int) -> int:
    """The number of an entrant among those who have entered so far: who was paired, or is now."""
    return sum(
        card.now == "-" or any(game.result not in {"Z", "H"} for game in card.games)
        for card in cards.cards[:number]
    )


def _opposite(colour: str) -> Literal["w", "b"]:
    return "b" if colour == "w" else "w"


def _just(colour: str) -> Literal["w", "b"]:
    return "w" if colour == "w" else "b"
