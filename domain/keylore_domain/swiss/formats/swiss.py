"""Swiss: a fixed number of rounds; entrants of near score sit together."""

from typing import Final

from keylore_domain.swiss.formats.kinds import Format, anything, played_all
from keylore_domain.swiss.inputs import Past, history_of
from keylore_domain.swiss.systems import pair_round


def _rounds(past: Past) -> int:
    return past.terms.rounds


SWISS: Final = Format(
    check=anything, inputs=history_of, pair=pair_round, rounds=_rounds, is_over=played_all(_rounds)
)
