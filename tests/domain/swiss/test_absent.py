"""Those who have a bye in a round are no part of what is solved for its tables."""

from keylore_domain.swiss.pairing import pair, problem_of
from tests.domain.swiss.leagues import bots, history, record


def test_a_forbidden_meeting_with_somebody_who_has_a_bye_does_not_bind() -> None:
    inputs = history([record(bot) for bot in bots(5)], 2, forbidden=((0, 1), (0, 4)))

    problem = problem_of(inputs, [0, 1, 2, 3], [2, 2])

    assert [sorted(barred) for barred in problem.forbidden] == [[1], [0], [], []]


def test_a_round_with_a_bye_keeps_forbidden_pairs_apart() -> None:
    inputs = history([record(bot) for bot in bots(5)], 2, forbidden=((0, 1), (2, 3)))

    pairing = pair(inputs)

    tables = {frozenset(table.seats) for table in pairing.tables}
    names = bots(5)
    assert not tables & {frozenset(names[:2]), frozenset(names[2:4])}
    assert len(pairing.byes) == 1
