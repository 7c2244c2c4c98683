"""All that is read about tournaments: standings and why they are so, ratings, comparisons, exports."""

from collections.abc import Sequence

from keylore_domain.bots import bot_id
from keylore_domain.errors import NotFoundError
from keylore_domain.swiss.comparisons import DEFAULT_HYPOTHESES, Hypotheses
from keylore_domain.swiss.explaining import Explanation
from keylore_domain.swiss.records import tournament_id
from keylore_domain.swiss.tournaments import Tournament
from keylore_services.ledger.ledger import Ledger
from keylore_services.tournament.comparing import Comparison, comparison
from keylore_services.tournament.exchange.formats import Format, exported
from keylore_services.tournament.exchange.results import results_of
from keylore_services.tournament.leaderboards import Leaderboard, leaderboards
from keylore_services.tournament.luck import LuckView, luck_of
from keylore_services.tournament.pairing_words import RoundReasons, round_reasons
from keylore_services.tournament.views import RoundView, StandingsView, round_of, standings_of


class Reports:
    """The use cases; they change nothing. A tournament or bot is called by its name or its id."""

    def __init__(self, ledger: Ledger) -> None:
        """Report on the tournaments in *ledger*."""
        self._ledger = ledger

    def standings(
        self, name: str, after: int | None = None, at: int | None = None, game: str | None = None
    ) -> StandingsView:
        """The standings after round *after*, or the last one; as they were after event *at*, or are now.

        Args:
            game: only what was played of this game counts, as if it had been a tournament of its own.

        Raises:
            NotFoundError: there is no such tournament, round, event or game.
        """
        return standings_of(self.tournament(name, at), after, game)

    def pairings(self, name: str, number: int | None = None, at: int | None = None) -> RoundView:
        """Round *number*, or the last one, and why its tables are so; as it was after event *at*, or is now.

        Raises:
            NotFoundError: there is no such tournament, round or event.
        """
        tournament = self.tournament(name, at)
        return round_of(tournament, len(tournament.rounds) if number is None else number)

    def pairing_reasons(self, name: str, number: int | None = None, at: int | None = None) -> RoundReasons:
        """Why round *number*, or the last one, is as it is: what it fulfils, and a sentence per entrant.

        Raises:
            NotFoundError: there is no such tournament, round or event.
        """
        tournament = self.tournament(name, at)
        return round_reasons(tournament, len(tournament.rounds) if number is None else number)

    def why(self, name: str, bot: str, after: int | None = None, at: int | None = None) -> Explanation:
        """Why *bot* stands where it does: every value with its terms, and what parts it from its neighbours.

        Args:
            after: the number of a round; the last one by default.
            at: the number of an event of the tournament, from 1; the last one by default.

        Raises:
            NotFoundError: there is no such tournament, entrant, round or event.
        """
        return self.tournament(name, at).explain(_entrant(bot), after)

    def luck(self, name: str, after: int | None = None, at: int | None = None) -> LuckView:
        """Who scored more than its deals and seats brought, and what each seat brings.

        Of deals that several games share: duplicate pods, and the rounds of a solo league.

        Raises:
            NotFoundError: there is no such tournament, round or event.
        """
        return luck_of(self.tournament(name, at), after)

    def leaderboards(
        self, game: str | None = None, table_size: int | None = None, *, seat_effects: bool = False
    ) -> tuple[Leaderboard, ...]:
        """The ratings from all results of all tournaments, worked out again: a board per game and table size.

        Args:
            game: only this one.
            table_size: only this one; 0 for the board of all sizes, which each game has.
            seat_effects: estimate the advantage of each seat, too, and take it out of the ratings.
        """
        return leaderboards(self._all(), game, table_size, seat_effects=seat_effects)

    def compare(
        self,
        bot: str,
        against: str | None = None,
        *,
        tournaments: Sequence[str] = (),
        game: str | None = None,
        hypotheses: Hypotheses = DEFAULT_HYPOTHESES,
    ) -> Comparison:
        """Whether *bot* is better than *against*, or than all whom it met: confidence, and a sequential test.

        Args:
            tournaments: only these, in this order; by default all, in the order of their creation.
            game: only tables of this game.

        Raises:
            NotFoundError: there is no such tournament, or a bot is an entrant of none of them.
            OptionError: the hypotheses cannot be tested.
        """
        other = None if against is None else _entrant(against)
        chosen = [self.tournament(one) for one in tournaments] if tournaments else self._all()
        return comparison(chosen, _entrant(bot), other, hypotheses, game)

    def export(self, name: str, form: Format, after: int | None = None, at: int | None = None) -> str:
        """The tournament in a format of other programs, or as a page to print.

        Raises:
            NotFoundError: there is no such tournament, round or event.
            OptionError: the format cannot say it.
        """
        return exported(results_of(self.tournament(name, at), after), form)

    def tournament(self, name: str, at: int | None = None) -> Tournament:
        """The tournament as it was after event *at*, or as it is.

        Raises:
            NotFoundError: there is no such tournament or event.
        """
        known = name if name.startswith(tournament_id("")) else tournament_id(name)
        if at is None:
            return self._ledger.load(known, Tournament)
        stored = self._ledger.stored(known)
        if not 1 <= at <= len(stored):
            msg = f"{known} has {len(stored)} events, not {at}"
            raise NotFoundError(msg)
        tournament = Tournament(known)
        for event in stored[:at]:
            tournament.replay(event.topic, event.state)
        return tournament

    def _all(self) -> list[Tournament]:
        return [self._ledger.load(one, Tournament) for one in self._ledger.ids(tournament_id(""))]


def _entrant(bot: str) -> str:
    """The id of *bot*, which may be an id already."""
    return bot if bot.startswith(bot_id("")) else bot_id(bot)
