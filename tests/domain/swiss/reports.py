"""Tournaments by the FIDE Dutch System of 2026, as its reference program paired them."""

import tarfile
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from keylore_domain.swiss.dutch.cards import Card, Cards, DutchRound, Game, Worth

DATA: Final = Path(__file__).parent / "data" / "dutch-2026.tar.xz"

_HALF_POINTS: Final = {"1": 2, "=": 1, "0": 0, "+": 2, "-": 0, "U": 2, "H": 1, "Z": 0}


class Report(NamedTuple):
    """One tournament: for each player, in the order of the numbers, its rounds."""

    name: str
    players: tuple[tuple[Game, ...], ...]

    @property
    def rounds(self) -> range:
        return range(1, len(self.players[0]) + 1)

    def cards(self, number: int) -> Cards:
        """What was known before round *number*, and who was away in it."""
        first = next(games[0].colour for games in self.players if games[0].colour != "-")
        cards = []
        for at, games in enumerate(self.players, 1):
            before, now = games[: number - 1], games[number - 1].result
            cards.append(
                Card(
                    bot=f"bot/{at}",
                    half_points=sum(_HALF_POINTS[game.result] for game in before),
                    games=before,
                    now="H" if now == "H" else "Z" if now == "Z" else "-",
                )
            )
        return Cards(
            round=number,
            rounds=len(self.rounds),
            first="white" if first == "w" else "black",
            worth=Worth(),
            cards=tuple(cards),
        )

    def answer(self, number: int) -> DutchRound:
        """The round as it was paired; boards in the order of white's numbers."""
        now = [(at, games[number - 1]) for at, games in enumerate(self.players, 1)]
        return DutchRound(
            engine="bbpPairings 6.0.0",
            pairs=tuple((at, game.opponent) for at, game in now if game.colour == "w"),
            bye=next((at for at, game in now if game.result == "U"), 0),
        )


@lru_cache(maxsize=1)
def reports() -> tuple[Report, ...]:
    """All of them."""
    found = []
    with tarfile.open(DATA) as archive:
        for member in archive:
            stored = archive.extractfile(member)
            if stored is not None:
                found.append(Report(Path(member.name).stem, _players(stored.read().decode())))
    return tuple(sorted(found))


def _players(text: str) -> tuple[tuple[Game, ...], ...]:
    return tuple(
        tuple(_game(line[at : at + 8]) for at in range(91, len(line), 10))
        for line in text.splitlines()
        if line.startswith("001")
    )


def _game(column: str) -> Game:
    opponent, colour, result = column.split()
    return msgspec.convert({"opponent": int(opponent), "colour": colour, "result": result}, Game)
