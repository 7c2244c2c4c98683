"""The tie-breaks by name."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from keylore_domain.swiss.scoring_terms import TieBreak
from keylore_domain.swiss.tiebreaks import encounters, opponents, own
from keylore_domain.swiss.tiebreaks.field import Field, Tally

EntrantRule = Callable[[Field, str], Tally]
GroupRule = Callable[[Field, Sequence[str]], Mapping[str, Tally]]

OF_ENTRANTS: Final[Mapping[TieBreak, EntrantRule]] = {
    "opponents_mean": opponents.opponents_mean,
    "opponents_mean_cut1": opponents.opponents_mean_cut1,
    "buchholz": opponents.buchholz,
    "buchholz_cut1": opponents.buchholz_cut1,
    "buchholz_median": opponents.buchholz_median,
    "sonneborn_berger": opponents.sonneborn_berger,
    "progressive": own.progressive,
    "first_places": own.first_places,
    "wins": own.wins,
    "won": own.won,
    "score": own.score,
    "table_share": own.table_share,
    "opponents_rating": opponents.opponents_rating,
    "opponents_percentage": opponents.opponents_percentage,
    "omw": opponents.omw,
    "fewest_forfeits": own.fewest_forfeits,
}

OF_GROUPS: Final[Mapping[TieBreak, GroupRule]] = {
    "head_to_head": encounters.head_to_head,
    "direct_encounter": encounters.direct_encounter,
    "lot": encounters.lot,
}


def tallies(name: TieBreak, field: Field, group: Sequence[str]) -> Mapping[str, Tally]:
    """The values of *name* for those of *group*, who are equal in all that stands before it."""
    if name in OF_GROUPS:
        return OF_GROUPS[name](field, group)
    rule = OF_ENTRANTS[name]
    return {bot: rule(field, bot) for bot in group}
