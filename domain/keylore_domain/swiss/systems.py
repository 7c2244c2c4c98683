"""Which rules a round is paired by: tables of any size, or the FIDE Dutch System for two seats."""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from keylore_domain.errors import ConflictError
from keylore_domain.swiss.dutch.rounds import Engine, pair_by_rules
from keylore_domain.swiss.history import History
from keylore_domain.swiss.pairing import Pairing, pair
from keylore_domain.swiss.pairing_terms import RULESET
from keylore_domain.swiss.terms import Terms, suits_dutch

Engines = Mapping[str, Engine]

NO_ENGINES: Final[Engines] = {}


def pair_round(history: History, engines: Engines = NO_ENGINES) -> Pairing:
    """The round that *history* asks for, by the rules that it names.

    Args:
        engines: by ruleset, what works out rounds that this package only checks.

    Raises:
        ConflictError: there is no such round, or nothing here can work it out.
    """
    if history.cards is None:
        return pair(history)
    if RULESET not in engines:
        msg = f"rounds by {RULESET} need the extra 'fide': pip install 'keylore[fide]'"
        raise ConflictError(msg)
    return pair_by_rules(history, engines[RULESET])


def with_system(terms: Terms, engines: Engines) -> Terms:
    """*terms* with a system, if they name none: the FIDE rules where they fit and can be worked out here."""
    if terms.pairing.system is not None or RULESET not in engines or not suits_dutch(terms):
        return terms
    return replace(terms, pairing=replace(terms.pairing, system=RULESET))
