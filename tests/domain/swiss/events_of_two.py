"""Random two-seat events with byes, absences, late entries and forfeits, also as FIDE's oracle wants them."""

from random import Random

from tiebreak_core import GameRecord, PlayerTiebreakData

from keylore_domain.swiss.rounds import Entrant, Placing, PlayedTable, Round
from keylore_domain.swiss.scoring_terms import Scoring
from keylore_domain.swiss.sheets import Entry, Sheet, sheets_of
from tests.domain.swiss.leagues import terms

FIDE = terms(table_size=2, rounds=9, scoring=Scoring(bye="win", unplayed="fide"))


class Event:
    """Entrants and rounds; everybody is called by a number, the ids sort in another order."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        count = self.random.randint(6, 60)
        names = [f"bot/p{number:03}" for number in self.random.sample(range(1000), count)]
        self.entrants = [
            Entrant(bot=bot, name=bot, number=number, rating=self.random.choice((0, 1400, 1777, 2005, 2301)))
            for number, bot in enumerate(names, 1)
        ]
        self.rounds: list[Round] = []
        for number in range(1, self.random.randint(3, 9) + 1):
            self.rounds.append(self._round(number))

    def _round(self, number: int) -> Round:
        """Neighbours in points meet, whether they have met before or not."""
        points = {bot: sheet.points for bot, sheet in sheets_of(self.entrants, self.rounds, FIDE).items()}
        here = [one.bot for one in self.entrants if self.random.random() < 0.9]
        half = {bot for bot in points if bot not in here and self.random.random() < 0.5}
        here.sort(key=lambda bot: (-points[bot], self.random.random()))
        byes = [here.pop()] if len(here) % 2 else []
        pairs = [(here[at], here[at + 1]) for at in range(0, len(here), 2)]
        tables = tuple(self._table(at, pair) for at, pair in enumerate(pairs, 1))
        return Round(number=number, tables=tables, byes=tuple(byes), half_byes=tuple(sorted(half)))

    def _table(self, number: int, pair: tuple[str, str]) -> PlayedTable:
        ranks = self.random.choice(((1, 2), (2, 1), (1, 1)))
        forfeited: tuple[int, ...] = ()
        if ranks != (1, 1) and self.random.random() < 0.1:
            forfeited = (ranks.index(2),)
        elif self.random.random() < 0.03:
            forfeited = (0, 1)
        placings = tuple(Placing(bot, rank, 3 - rank) for bot, rank in zip(pair, ranks, strict=True))
        return PlayedTable(number=number, seats=pair, match="m", placings=placings, forfeited=forfeited)


def oracle_players(event: Event) -> dict[int, PlayerTiebreakData]:
    """The event as the oracle wants it; players by registration number."""
    sheets = sheets_of(event.entrants, event.rounds, FIDE)
    numbers = {one.bot: one.number for one in event.entrants}
    return {numbers[bot]: _player(sheet, numbers) for bot, sheet in sheets.items()}


def _player(sheet: Sheet, numbers: dict[str, int]) -> PlayerTiebreakData:
    games = [_game(entry, numbers) for entry in sheet.entries]
    return PlayerTiebreakData(
        player_id=sheet.number, rating=sheet.rating, points=float(sheet.points), games=games
    )


_KINDS = {"bye": "pairing_bye", "half_bye": "requested_bye", "absent": "requested_bye"}


def _game(entry: Entry, numbers: dict[str, int]) -> GameRecord:
    return GameRecord(
        opponent_id=numbers[entry.meetings[0].bot] if entry.meetings else -1,
        opponent_rating=0,
        score=float(entry.points),
        color="white",
        round_number=entry.round,
        kind=_KINDS.get(entry.kind, entry.kind),
    )
