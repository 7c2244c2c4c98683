"""Solo league: everybody plays alone, the same deals as all others; the game score decides."""

from typing import Final

from keylore_domain.errors import OptionError
from keylore_domain.swiss.formats.kinds import Format, played_all
from keylore_domain.swiss.history import History
from keylore_domain.swiss.inputs import Past, history_of
from keylore_domain.swiss.pairing import Pairing, in_seats
from keylore_domain.swiss.systems import Engines
from keylore_domain.swiss.terms import Terms

ALGORITHM: Final = "solo/1"


def _check(terms: Terms) -> None:
    if terms.table_size != 1:
        raise OptionError("table_size", "in a solo league everybody plays alone", "1")
    if terms.scoring.rule != "game_score":
        raise OptionError("rule", "without opponents only scores compare", "game_score")


def _pair(history: History, _: Engines) -> Pairing:
    return in_seats(history, ALGORITHM, [(at,) for at in range(len(history.entrants))], ())


def _rounds(past: Past) -> int:
    return max(past.terms.rounds, 1)


SOLO: Final = Format(check=_check, inputs=history_of, pair=_pair, rounds=_rounds, is_over=played_all(_rounds))
