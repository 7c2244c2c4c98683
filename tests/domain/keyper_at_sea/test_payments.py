"""Payments by slots."""

from keylore_domain.games.keyper_at_sea.state.payments import slot_payments

ANY, FIRST, LAST = (0, 1, 2), (0, 2), (2,)


def test_each_payment_fills_every_slot_once() -> None:
    assert slot_payments((2, 2, 1), [(ANY, ANY)]) == ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2))


def test_a_kind_pays_no_more_often_than_it_is_held() -> None:
    assert slot_payments((1, 0, 1), [(FIRST, LAST)]) == ((0, 2),)
    assert slot_payments((1, 0, 0), [(FIRST, LAST)]) == ()


def test_several_prices_are_united_and_a_beginning_comes_first() -> None:
    assert slot_payments((1, 1, 0), [(ANY, ANY), (FIRST,)]) == ((0,), (0, 1))


def test_nothing_pays_an_empty_price() -> None:
    assert slot_payments((0, 0, 0), [()]) == ((),)
    assert slot_payments((3, 3, 3), []) == ()
