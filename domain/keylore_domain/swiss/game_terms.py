"""Terms of a tournament of several games: what is played, and when which."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from keylore_domain.engine.clocks import TimeControl

Turns = Literal["rounds", "games"]


class GameTerms(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One of the games of a tournament, and how it is played there.

    ``rules``: version of the rules, ``None`` for the current one. ``options``: the game's options without
    ``seats``. ``time``: ``None`` for the time control of the tournament. ``data_text``: the league's own
    component data.
    """

    game: str
    rules: str | None = None
    options: Mapping[str, object] = {}
    time: TimeControl | None = None
    data_text: str | None = None


class Plays(msgspec.Struct, frozen=True, kw_only=True):
    """What a table plays: the same with everything filled in."""

    game: str
    rules: str | None
    options: Mapping[str, object]
    time: TimeControl
    data_text: str | None
