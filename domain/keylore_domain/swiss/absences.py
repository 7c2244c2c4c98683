"""Terms of a tournament that say what happens when a bot is away when its match is to begin."""

from typing import Annotated, Literal

import msgspec

AbsenceRule = Literal["play", "forfeit", "withdraw"]


class AbsenceTerms(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What happens when a bot is not connected when its match is to begin.

    ``wait_ms``: how long the table waits for it, in milliseconds. ``then``: if it has not come by then, the
    match begins without it, and its clocks run until it comes (``play``); or it forfeits the match, whose
    other seats play on against its default moves (``forfeit``); or it does so and is not paired any more,
    until it is registered again (``withdraw``).
    """

    wait_ms: Annotated[int, msgspec.Meta(ge=0, le=86_400_000)] = 30_000
    then: AbsenceRule = "play"
