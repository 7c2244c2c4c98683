"""The FIDE Dutch System: cards, our own colour rule and check, and rounds that an engine works out."""

from typing import Any

import pytest
from msgspec.structs import replace

from keylore_domain.engine.aggregates import encode_event, topic_of
from keylore_domain.errors import ConflictError, OptionError
from keylore_domain.swiss.audit import audit
from keylore_domain.swiss.checks import problems as round_problems
from keylore_domain.swiss.dutch.cards import Card, Cards, DutchRound, Game, Worth
from keylore_domain.swiss.dutch.checks import problems
from keylore_domain.swiss.dutch.colours import absolute, white_of, wish
from keylore_domain.swiss.pairing_terms import PairingTerms
from keylore_domain.swiss.rounds import Placing
from keylore_domain.swiss.scoring_terms import Scoring
from keylore_domain.swiss.systems import with_system
from keylore_domain.swiss.terms import pinned
from tests.domain.swiss.leagues import AT, bots, by_number, catalog, play_out, play_round, registered, terms
from tests.domain.swiss.reports import Report, reports

RESULT = {"w": "1", "b": "0"}


def games(colours: str, start: int = 10) -> tuple[Game, ...]:
    """One game per letter against opponents 10, 11, ...; ``-`` is a bye that was asked for."""
    return tuple(
        Game(0, "-", "Z") if colour == "-" else Game(start + at, "w" if colour == "w" else "b", "=")
        for at, colour in enumerate(colours)
    )


def cards(*found: Card, number: int = 3, rounds: int = 9, first: Any = "white", **more: Any) -> Cards:
    return Cards(round=number, rounds=rounds, first=first, worth=Worth(), cards=found, **more)


def card(colours: str = "", half_points: int = 0, **more: Any) -> Card:
    return Card(bot=f"bot/{colours or 'new'}", half_points=half_points, games=games(colours), **more)


# --- colours ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_colour_of_two_hundred_tournaments_follows_from_the_rule() -> None:
    checked = 0
    for report in reports():
        for number in report.rounds:
            before = report.cards(number)
            for white, black in report.answer(number).pairs:
                assert white_of(before, white, black) == white_of(before, black, white) == white, report.name
                checked += 1

    assert len(reports()) == 200
    assert checked > 20_000


@pytest.mark.parametrize(
    ("colours", "due"),
    [
        ("", ("-", 0)),
        ("w", ("b", 2)),
        ("wb", ("w", 1)),
        ("bw", ("b", 1)),
        ("wbb", ("w", 3)),
        ("ww", ("b", 3)),
        ("wwb-", ("b", 2)),
        ("w-w", ("b", 3)),
        ("bbwb", ("w", 3)),
    ],
)
def test_a_wish_follows_from_the_games_over_the_board(colours: str, due: tuple[str, int]) -> None:
    assert wish(card(colours)) == due


def test_a_forfeited_game_is_no_colour() -> None:
    forfeited = Card(bot="x", half_points=2, games=(Game(2, "w", "+"),))

    assert wish(forfeited) == ("-", 0)
    assert absolute(forfeited) == "-"


@pytest.mark.parametrize(
    ("one", "other", "white"),
    [
        ("w", "b", 2),  # both as they wish
        ("", "w", 1),  # only one has a wish
        ("b", "", 1),
        ("wbb", "b", 1),  # the stronger wish
        ("b", "wbb", 2),
        ("bbb", "bb", 1),  # the wider difference
        ("bb", "bbb", 2),
        ("wbwb", "bwwb", 1),  # the last round in which they differed: there 2 had white
        ("bw", "bw", 2),  # the higher ranked as it wishes
    ],
)
def test_the_rules_decide_in_their_order(one: str, other: str, white: int) -> None:
    assert white_of(cards(card(one), card(other)), 1, 2) == white
    assert white_of(cards(card(one), card(other)), 2, 1) == white


def test_the_last_round_in_which_they_differed_is_found_from_the_end() -> None:
    """Both had black last and wish white as strongly; before, number 1 had white and number 2 black."""
    assert white_of(cards(card("bwb"), card("wbb")), 1, 2) == 2
    assert white_of(cards(card("wbwb"), card("bbww", 9)), 1, 2) == 1


def test_without_any_game_the_parity_among_those_who_entered_decides() -> None:
    """Number 1 has not come yet, so number 2 is the first to enter."""
    here = cards(card(now="Z"), card(), card(), number=1, first="black")

    assert white_of(here, 2, 3) == 3
    assert white_of(replace(here, first="white"), 2, 3) == 2
    late = replace(here, cards=(card("-", now="Z"), card(), card()))
    assert white_of(late, 2, 3) == 3


# --- the check ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_round_of_the_reference_program_passes_the_check() -> None:
    for report in reports()[:60]:
        for number in report.rounds:
            assert problems(report.cards(number), report.answer(number)) == (), (report.name, number)


def some_round() -> tuple[Cards, DutchRound]:
    report: Report = reports()[2]
    return report.cards(4), report.answer(4)


def test_wrong_colours_are_found() -> None:
    before, right = some_round()
    (white, black), *others = right.pairs

    (found,) = problems(before, replace(right, pairs=((black, white), *others)))

    assert found == f"bot/{white} has white against bot/{black} by the rule"


def test_who_is_nowhere_or_twice_or_away_is_found() -> None:
    before, right = some_round()
    (white, black), *others = right.pairs

    assert problems(before, replace(right, pairs=tuple(others))) == tuple(
        f"bot/{number} has 0 places in the round instead of one" for number in sorted((white, black))
    )
    gone = replace(before.card(white), now="Z")
    away = tuple(gone if one.bot == gone.bot else one for one in before.cards)
    assert f"number {white} does not play in this round" in problems(replace(before, cards=away), right)
    assert problems(before, replace(right, bye=white)) == (
        f"bot/{white} has 2 places in the round instead of one",
    )


def test_a_second_meeting_and_a_forbidden_one_are_found() -> None:
    met = cards(
        Card(bot="a", half_points=2, games=(Game(2, "w", "1"),)),
        Card(bot="b", half_points=0, games=(Game(1, "b", "0"),)),
        number=2,
        apart=((1, 2),),
    )

    found = problems(met, DutchRound(engine="hand", pairs=((2, 1),)))

    assert found == ("b and a have played each other", "b and a must not meet")


def test_wrong_byes_are_found() -> None:
    free = Card(bot="a", half_points=2, games=(Game(0, "-", "U"),))
    others = (card("b"), card("w", 1))

    found = problems(cards(free, *others, number=2), DutchRound(engine="hand", pairs=((2, 3),), bye=1))

    assert found == ("a has had a win without a game before, and now a bye",)


def test_two_who_must_have_the_same_colour_may_only_meet_as_topscorers_in_the_last_round() -> None:
    both = (card("ww", 3), card("ww", 3))
    answer = DutchRound(engine="hand", pairs=((2, 1),))

    early = problems(cards(*both, number=3, rounds=5), answer)
    last = problems(cards(*both, number=3, rounds=3), answer)
    low = problems(cards(*(replace(one, half_points=2) for one in both), number=3, rounds=3), answer)

    assert "bot/ww and bot/ww must both have the same colour" in early
    assert "bot/ww and bot/ww must both have the same colour" not in last
    assert "bot/ww and bot/ww must both have the same colour" in low


# --- rounds that an engine works out ------------------------------------------------------------------


def by_order(found: Cards) -> DutchRound | None:
    """A stand-in for an engine: the first legal round in the order of the numbers, if there is any."""
    here = list(found.present)
    bye = 0
    if len(here) % 2:
        bye = next(number for number in reversed(here) if found.card(number).may_have_bye)
        here.remove(bye)
    pairs = _pairs(found, here)
    return None if pairs is None else DutchRound(engine="stand-in 1", pairs=tuple(pairs), bye=bye)


def _pairs(found: Cards, here: list[int]) -> list[tuple[int, int]] | None:
    if not here:
        return []
    one, *others = here
    for other in others:
        white = white_of(found, one, other)
        pair = (white, one + other - white)
        alone = replace(found, cards=tuple(replace(card, now="Z") for card in found.cards))
        two = replace(
            alone,
            cards=tuple(
                replace(card, now="-") if at in {one, other} else card
                for at, card in enumerate(alone.cards, 1)
            ),
        )
        if any("played each other" in text for text in problems(two, DutchRound(engine="", pairs=(pair,)))):
            continue
        rest = _pairs(found, [number for number in others if number != other])
        if rest is not None:
            return [pair, *rest]
    return None


DUTCH = PairingTerms(system="dutch-2026", seeding="registration", first_colour="black")
ENGINES = {"dutch-2026": by_order}


def test_a_round_is_what_the_engine_says_and_names_its_rules() -> None:
    tournament = registered(5, table_size=2, pairing=DUTCH)
    tournament.start(at=AT)

    pairing = tournament.pair_round(at=AT, engines=ENGINES)

    assert pairing.algorithm == "dutch-2026 (stand-in 1)"
    assert [plan.seats for plan in pairing.tables] == [("bot/b02", "bot/b01"), ("bot/b04", "bot/b03")]
    assert pairing.byes == ("bot/b05",)
    assert round_problems(tournament.pairings[0].inputs, pairing) == ()


def test_cards_tell_what_happened_in_the_terms_of_the_rules() -> None:
    scoring = Scoring(rule="win_draw_loss", bye="win", unplayed="fide")
    tournament = registered(5, table_size=2, rounds=4, scoring=scoring, pairing=DUTCH)
    tournament.start(at=AT)
    tournament.request_bye("bot/b01", 2, "half", at=AT)
    tournament.request_bye("bot/b02", 2, "zero", at=AT)
    tournament.pair_round(at=AT, engines=ENGINES)
    first, second = tournament.rounds[-1].tables
    ranks = {first.match: (1, 1), second.match: (2, 1)}
    for table in (first, second):
        placings = [Placing(bot, rank, 0) for bot, rank in zip(table.seats, ranks[table.match], strict=True)]
        forfeited = (0,) if table is second else ()
        tournament.record_result(table.match, placings, at=AT, cause="rules", forfeited=forfeited)

    found = tournament.history().cards

    assert found is not None
    assert (found.round, found.rounds, found.first, found.worth) == (2, 4, "black", Worth())
    assert [one.bot for one in found.cards] == bots(5)
    assert [one.games for one in found.cards] == [
        (Game(2, "b", "="),),
        (Game(1, "w", "="),),
        (Game(4, "b", "+"),),
        (Game(3, "w", "-"),),
        (Game(0, "-", "U"),),
    ]
    assert [one.half_points for one in found.cards] == [1, 1, 2, 0, 2]
    assert [one.now for one in found.cards] == ["H", "Z", "-", "-", "-"]
    assert found.present == (3, 4, 5)
    play_round(tournament, engines=ENGINES)
    after = tournament.history().cards
    assert after is not None
    assert [after.card(number).games[1].result for number in (1, 2)] == ["H", "Z"]


def test_who_wins_and_who_loses_stands_on_the_cards() -> None:
    tournament = registered(4, table_size=2, pairing=DUTCH)
    tournament.start(at=AT)
    play_round(tournament, by_number, engines=ENGINES)

    found = tournament.history().cards

    assert found is not None
    assert [one.games[0].result for one in found.cards] == ["1", "0", "1", "0"]


@pytest.mark.parametrize(("bye", "worth"), [("win", Worth()), ("mean", Worth(bye=1)), ("zero", Worth(bye=0))])
def test_results_are_worth_what_the_terms_say(bye: Any, worth: Worth) -> None:
    found = registered(4, table_size=2, pairing=DUTCH, scoring=Scoring(bye=bye)).history().cards

    assert found is not None
    assert found.worth == worth


def test_the_first_colour_is_drawn_by_lot_from_the_seed() -> None:
    lots = replace(DUTCH, first_colour="lot")
    drawn = {
        registered(2, table_size=2, seed=str(seed), pairing=lots).history().cards.first  # type: ignore[union-attr]
        for seed in range(8)
    }

    assert drawn == {"white", "black"}


def test_without_a_legal_round_the_fewest_meet_again_at_tables_of_ours() -> None:
    tournament = registered(2, table_size=2, rounds=2, pairing=DUTCH)
    tournament.start(at=AT)
    play_round(tournament, engines=ENGINES)

    pairing = tournament.pair_round(at=AT, engines=ENGINES)

    assert (pairing.algorithm, pairing.cost.repeats) == ("tables/2", 1)


def test_without_an_engine_the_extra_is_asked_for() -> None:
    tournament = registered(4, table_size=2, pairing=DUTCH)
    tournament.start(at=AT)

    with pytest.raises(ConflictError, match="rounds by dutch-2026 need the extra 'fide'"):
        tournament.pair_round(at=AT)


def test_too_few_entrants_are_a_conflict_here_too() -> None:
    tournament = registered(3, table_size=2, pairing=DUTCH)
    tournament.start(at=AT)
    for bot in bots(2):
        tournament.request_bye(bot, 1, "zero", at=AT)

    with pytest.raises(ConflictError, match="1 active entrants do not fill a table of 2"):
        tournament.pair_round(at=AT, engines=ENGINES)


def test_an_engine_that_breaks_a_rule_is_not_followed() -> None:
    def wrong(found: Cards) -> DutchRound:
        return DutchRound(engine="wrong 1", pairs=((1, 2), (3, 4)))

    tournament = registered(4, table_size=2, pairing=DUTCH)
    tournament.start(at=AT)

    with pytest.raises(ConflictError, match="wrong 1 gave a round against the rules: bot/b02 has white"):
        tournament.pair_round(at=AT, engines={"dutch-2026": wrong})


def test_the_bots_of_one_author_stand_on_the_cards_as_apart() -> None:
    tournament = registered(0, table_size=2, pairing=replace(DUTCH, same_author="apart"))
    for number, bot in enumerate(bots(4)):
        tournament.register(bot, bot, at=AT, author=f"author {number // 2}")

    found = tournament.history().cards

    assert found is not None
    assert found.apart == ((1, 2), (3, 4))


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"table_size": 3}, "table_size"),
        ({"pairing": replace(DUTCH, games=2)}, "games"),
        ({"pairing": replace(DUTCH, acceleration="baku")}, "acceleration"),
        ({"pairing": replace(DUTCH, forbid="soft")}, "forbid"),
        ({"pairing": replace(DUTCH, repeat_cost=3)}, "repeat_cost"),
        ({"scoring": Scoring(rule="game_score")}, "rule"),
        ({"scoring": Scoring(scale=(3, 0))}, "scale"),
    ],
)
def test_terms_that_do_not_go_with_the_rules_are_refused(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(OptionError, match="does not go with the system dutch-2026") as error:
        pinned(terms(**{"table_size": 2, "pairing": DUTCH, **changes}), catalog)

    assert error.value.field == field


def test_a_system_is_chosen_if_the_terms_name_none() -> None:
    two, three = terms(table_size=2), terms(table_size=3)

    assert with_system(two, ENGINES).pairing.system == "dutch-2026"
    assert with_system(two, {}).pairing.system is None
    assert with_system(three, ENGINES).pairing.system is None
    assert (
        with_system(terms(table_size=2, pairing=PairingTerms(system="tables")), ENGINES).pairing.system
        == "tables"
    )


# --- the audit ----------------------------------------------------------------------------------------


def stored() -> list[tuple[str, bytes]]:
    tournament = registered(7, table_size=2, rounds=3, pairing=DUTCH)
    tournament.start(at=AT)
    play_out(tournament, by_number, engines=ENGINES)
    return [(topic_of(event), encode_event(event)) for event in tournament.collect_events()]


def test_a_tournament_by_the_rules_follows_from_its_events() -> None:
    rows = stored()

    assert audit("t/cup", rows) == ()
    assert audit("t/cup", rows, ENGINES) == ()


def test_an_engine_that_pairs_otherwise_is_heard() -> None:
    def backwards(found: Cards) -> DutchRound | None:
        turned = by_order(found)
        return None if turned is None else replace(turned, pairs=turned.pairs[::-1])

    def broken(found: Cards) -> DutchRound | None:
        return DutchRound(engine="broken", pairs=())

    other = audit("t/cup", stored(), {"dutch-2026": backwards})
    none = audit("t/cup", stored(), {"dutch-2026": broken})

    assert other[0] == "event 10: round 1: its inputs give other tables"
    assert none[0].startswith("event 10: round 1: cannot be paired: broken gave a round against the rules")


def test_a_round_that_claims_the_rules_must_be_one_by_them() -> None:
    plain = registered(4, table_size=2)
    plain.start(at=AT)
    pairing = replace(plain.pair_round(at=AT), algorithm="dutch-2026 (hand)")

    assert "it was not to be paired by dutch-2026" in round_problems(plain.pairings[0].inputs, pairing)


def test_byes_and_seats_must_be_those_of_the_rules() -> None:
    tournament = registered(5, table_size=2, pairing=DUTCH)
    tournament.start(at=AT)
    pairing = tournament.pair_round(at=AT, engines=ENGINES)
    inputs = tournament.pairings[0].inputs

    two = replace(pairing, byes=(*pairing.byes, "bot/b04"))
    stranger = replace(pairing, byes=("bot/x",))

    assert "a table has not two seats, or there are two byes" in round_problems(inputs, two)
    assert "number 6 does not play in this round" in round_problems(inputs, stranger)
