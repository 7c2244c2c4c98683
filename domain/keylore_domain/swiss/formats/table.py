"""All formats by name."""

from collections.abc import Mapping
from typing import Final

from keylore_domain.swiss.formats.gauntlet import GAUNTLET
from keylore_domain.swiss.formats.kinds import Format
from keylore_domain.swiss.formats.knockout import KNOCKOUT
from keylore_domain.swiss.formats.ladder import LADDER
from keylore_domain.swiss.formats.round_robin import ROUND_ROBIN
from keylore_domain.swiss.formats.solo import SOLO
from keylore_domain.swiss.formats.swiss import SWISS
from keylore_domain.swiss.pairing_terms import FormatName

FORMATS: Final[Mapping[FormatName, Format]] = {
    "swiss": SWISS,
    "round_robin": ROUND_ROBIN,
    "knockout": KNOCKOUT,
    "gauntlet": GAUNTLET,
    "ladder": LADDER,
    "solo": SOLO,
}
