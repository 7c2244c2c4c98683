"""Tournaments whose rounds, or the games of whose tables, take turns through several games."""

from typing import Any, ClassVar, Final

import pytest
from msgspec import to_builtins

from keylore_domain.engine.clocks import TimeControl
from keylore_domain.engine.data import data_hash
from keylore_domain.engine.game import AnyGame
from keylore_domain.errors import NotFoundError, OptionError
from keylore_domain.swiss.game_terms import GameTerms
from keylore_domain.swiss.pairing_terms import PairingTerms
from keylore_domain.swiss.scoring_terms import Scoring
from keylore_domain.swiss.terms import Terms, game_ids, parse_terms, pinned, programme, turn_of
from keylore_domain.swiss.tournaments import Tournament
from tests.domain.engine.toy import DATA, Pearls
from tests.domain.swiss.leagues import AT, WIDE, bots, catalog, play_out, play_round, terms

STONES_DATA: Final = DATA.replace("game: pearls", "game: stones")


class Stones(Pearls):
    """Another game, for two to four seats."""

    id: ClassVar[str] = "stones"

    def __init__(self, data: str | None = None) -> None:
        super().__init__(STONES_DATA if data is None else data)


def two_games(game: str, rules: str | None, data: str | None) -> AnyGame:
    return Stones(data) if game == "stones" else catalog(game, rules, data)


STONES = GameTerms(game="stones", options={"rounds": 2}, time=TimeControl(move_ms=50))


def several(**changes: Any) -> Terms:
    return terms(**{"options": {"coins": 9}, "more": (STONES,), **changes})


def begun(entrants: int = 4, **changes: Any) -> Tournament:
    tournament = Tournament.create("cup", several(**changes), two_games, at=AT)
    for bot in bots(entrants):
        tournament.register(bot, bot.removeprefix("bot/"), at=AT)
    tournament.start(at=AT)
    return tournament


def played(tournament: Tournament) -> list[list[str]]:
    """What the tables of each round play."""
    return [[tournament.plays(table.match).game for table in one.tables] for one in tournament.rounds]


def test_rounds_take_turns_there_and_back() -> None:
    tournament = play_out(begun(8, rounds=5))

    order = ["pearls", "stones", "stones", "pearls", "pearls"]
    assert played(tournament) == [[game] * 2 for game in order]


@pytest.mark.parametrize("games", [2, 3, 5])
def test_who_changes_seats_every_round_has_both_in_each_game(games: int) -> None:
    chosen = several(more=(STONES,) * (games - 1))

    for game in range(games):
        rounds = [number for number in range(1, 4 * games + 1) if turn_of(chosen, number, 1) == game]
        assert len(rounds) == 4
        assert [number % 2 for number in rounds].count(0) == 2


def test_the_games_of_a_table_are_divided_so_that_seats_rotate_in_each() -> None:
    """Two seats, four games: both bots are first once in either game."""
    pairing = PairingTerms(games=4)
    tournament = begun(2, table_size=2, rounds=1, turns="games", pairing=pairing)
    tables = play_round(tournament).tables

    assert played(tournament) == [["pearls", "pearls", "stones", "stones"]]
    assert (
        {table.seats[0] for table in tables[:2]} == {table.seats[0] for table in tables[2:]} == set(bots(2))
    )


def test_each_game_has_its_options_and_its_time_or_that_of_the_tournament() -> None:
    tournament = begun(time=TimeControl(move_ms=77))

    first, second = programme(tournament.terms)
    assert (first.game, first.rules, first.options, first.time.move_ms) == ("pearls", "1", {"coins": 9}, 77)
    assert (second.game, second.rules, second.options) == ("stones", "1", {"rounds": 2})
    assert second.time.move_ms == 50


def test_a_game_without_a_time_has_that_of_the_tournament() -> None:
    chosen = several(more=(GameTerms(game="stones"),), time=TimeControl(move_ms=77))

    assert [one.time.move_ms for one in programme(chosen)] == [77, 77]


def test_the_hashes_of_all_component_data_stand_in_the_first_event() -> None:
    text = STONES_DATA.replace("value: 1,", "value: 2,")
    more = GameTerms(game="stones", data_text=text)

    assert begun(more=(more,)).entry.data == (data_hash(WIDE.data_text), data_hash(text))


def test_the_games_are_named_once_each() -> None:
    assert game_ids(several(more=(STONES, GameTerms(game="pearls")))) == ("pearls", "stones")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"table_size": 5}, "table_size"),
        ({"uneven": "larger_tables"}, "uneven"),
        ({"more": (GameTerms(game="stones", options={"seats": 4}),)}, "seats"),
        ({"more": (GameTerms(game="stones", options={"rounds": 9}),)}, "rounds"),
        ({"turns": "games"}, "games"),
        ({"turns": "games", "pairing": PairingTerms(games=3)}, "games"),
        ({"turns": "games", "pairing": PairingTerms(games=2, duplicate=True)}, "duplicate"),
        ({"scoring": Scoring(rule="game_score")}, "rule"),
        ({"more": (STONES,) * 12}, "more"),
    ],
)
def test_what_does_not_suit_every_game_is_refused(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(OptionError) as error:
        pinned(several(**changes), two_games)

    assert error.value.field == field


def test_a_game_that_is_not_there_is_not_found() -> None:
    with pytest.raises(NotFoundError, match="chess"):
        pinned(several(more=(GameTerms(game="chess"),)), two_games)


def test_scores_of_one_game_on_other_options_compare() -> None:
    more = (GameTerms(game="pearls", options={"coins": 1}),)

    found, _ = pinned(several(more=more, scoring=Scoring(rule="game_score")), two_games)

    assert found.more[0].rules == "1"


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ("stones", "more"),
        (["stones"], "more"),
        ([{"game": "stones", "seats": 2}], "seats"),
        ([{"game": 7}], "game"),
        ([{"game": "stones", "time": {"move_ms": 1}}], "move_ms"),
        ([{"game": "stones", "time": 5}], "time"),
    ],
)
def test_a_wrong_field_of_a_game_is_named(more: object, field: str) -> None:
    with pytest.raises(OptionError) as error:
        parse_terms({"game": "pearls", "table_size": 2, "rounds": 2, "more": more})

    assert error.value.field == field


def test_terms_of_several_games_are_read_from_plain_values() -> None:
    assert parse_terms(to_builtins(several())) == several()


def test_each_game_of_a_pod_has_a_deal_of_its_own() -> None:
    tournament = begun(
        2, table_size=2, rounds=1, turns="games", pairing=PairingTerms(games=4, duplicate=True)
    )
    tables = play_round(tournament).tables

    assert [tournament.deal_of(table.match) for table in tables] == [
        "cup/r1/p1/g1",
        "cup/r1/p1/g1",
        "cup/r1/p1/g2",
        "cup/r1/p1/g2",
    ]


def test_a_replayed_match_is_the_same_game() -> None:
    tournament = begun()
    play_round(tournament)
    tournament.pair_round(at=AT)
    match = tournament.rounds[1].tables[0].match
    tournament.record_abort(match, at=AT, cause="power failure")

    assert tournament.plays(match) == tournament.plays(f"{match}/a2") == programme(tournament.terms)[1]
