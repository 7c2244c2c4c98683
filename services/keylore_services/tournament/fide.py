"""The FIDE Dutch System by `gacrux`, the reference program of FIDE; needs the extra ``fide``.

gacrux documents no way to be called from Python. What is used of it stands in `_Gacrux` alone, and holds for
the pinned version; a test compares hundreds of tournaments.
"""

from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from keylore_domain.swiss.dutch.cards import Card, Cards, DutchRound
from keylore_domain.swiss.pairing_terms import RULESET
from keylore_domain.swiss.systems import Engines

PACKAGE: Final = "gacrux"


def engines() -> Engines:
    """What pairs rounds by other rules here: gacrux, if it is installed."""
    return {RULESET: pair_dutch} if is_available() else {}


def is_available() -> bool:
    """Whether gacrux is installed."""
    try:
        version(PACKAGE)
    except PackageNotFoundError:
        return False
    return True


def pair_dutch(cards: Cards) -> DutchRound | None:
    """The round that the rules give; ``None`` if there is no legal one.

    Raises:
        ModuleNotFoundError: gacrux is not installed; see `is_available`.
    """
    pairs = _Gacrux().pairs("\n".join(_lines(cards)) + "\n", cards.round, cards.first[0])
    if pairs is None:
        return None
    return DutchRound(
        engine=f"{PACKAGE} {version(PACKAGE)}",
        pairs=tuple((white, black) for white, black in pairs if white and black),
        bye=next((white + black for white, black in pairs if not white or not black), 0),
    )


class _Gacrux:
    """The few calls that are made, with types."""

    def __init__(self) -> None:
        self._reader: Any = import_module(f"{PACKAGE}.trf2json").trf2json
        self._engine: Any = import_module(f"{PACKAGE}.pairingdutch").pairing_dutch
        self._impossible: Any = import_module(f"{PACKAGE}.gacruxexeptions").GacruxNoLegalPairing

    def pairs(self, report: str, number: int, first: str) -> list[tuple[int, int]] | None:
        """White and black at each board in the order of boards, 0 for the bye; ``None`` if there are none."""
        reader = self._reader()
        reader.parse_file(report, 0)
        settings = {"experimental": [], "verbose": 0, "top_color": first}
        engine = self._engine(reader.get_tournament(1), number, settings)
        try:
            brackets = engine.compute_pairing(False, 0)
        except self._impossible:
            return None
        boards = engine.update_board(brackets)
        return [(int(pair["w"]), int(pair["b"])) for pair in boards]


def _lines(cards: Cards) -> Iterator[str]:
    """A FIDE report file (TRF26) of the rounds so far, with those who are away in the next one."""
    worth = cards.worth
    values = (("W", worth.win), ("D", worth.draw), ("L", worth.loss), ("P", worth.bye))
    yield "092 Individual: Swiss-System (Dutch)"
    yield f"142 {cards.rounds}"
    yield f"152 {cards.first[0].upper()}"
    yield "162  " + "    ".join(f"{letter}{_points(value):>4}" for letter, value in values)
    for number, card in enumerate(cards.cards, 1):
        yield _player(number, card, card.half_points + (worth.draw if card.now == "H" else 0))
    for one, other in cards.apart:
        yield f"260 {cards.round:>3} {cards.round:>3} {one:>4} {other:>4}"


def _player(number: int, card: Card, half_points: int) -> str:
    """A line of the file; its points are those of all its columns, the coming round's bye included."""
    rounds = [f"{game.opponent:>4} {game.colour} {game.result}" for game in card.games]
    if card.now != "-":
        rounds.append(f"   0 - {card.now}")
    name = f"E{number:04}"
    points = _points(half_points)
    head = f"001 {number:>4}      {name:<33} {2000:>4} {'':>3} {'':>11} {'':>10} {points:>4} {number:>4}"
    return "  ".join([head, *rounds])


def _points(half_points: int) -> str:
    return f"{half_points // 2}.{5 * (half_points % 2)}"
