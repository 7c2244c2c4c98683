"""The terms of a tournament: everything that is fixed before the first entrant registers."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final, Literal

import msgspec

from keylore_domain.engine.clocks import TimeControl
from keylore_domain.engine.game import AnyGame
from keylore_domain.engine.options import parse_options, parse_struct
from keylore_domain.engine.records import Catalog
from keylore_domain.errors import OptionError
from keylore_domain.swiss.absences import AbsenceTerms
from keylore_domain.swiss.game_terms import GameTerms, Plays, Turns
from keylore_domain.swiss.pairing_terms import FormatName, PairingTerms
from keylore_domain.swiss.scoring_terms import (
    DEFAULT_TIE_BREAKS,
    Scoring,
    TieBreak,
    check_scoring,
    check_tie_breaks,
)

MIN_TABLE: Final = 2
MOST_ROUNDS: Final = 100

Uneven = Literal["byes", "smaller_tables", "larger_tables", "mixed_tables"]


class Terms(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the organiser chooses.

    ``rules``: version of the rules, ``None`` for the current one. ``options``: the game's options without
    ``seats``. ``data_text``: the league's own component data. ``more``: further games, which take turns with
    this one: with the ``turns`` of ``rounds``, each round all tables play the next one, there and back; with
    ``games``, the games that a table plays in a round are divided among them, so that each has as many.
    ``time``: the time control of the first game, and of every other that names none.

    ``format``: see `formats`. ``rounds``: 0 for as many as the format needs, or for a ladder without end.
    ``uneven``: what happens when the entrants do not fill tables of ``table_size``: some have a bye, or some
    tables have one seat less, or more, or either (and byes only where even that does not fit). ``seed``: a
    text that decides the seeding and the seeds of all matches, so that the whole tournament can be run again;
    ``None`` lets each match have a secret seed of its own. Whoever knows the text knows every draw.
    ``tie_breaks``: what decides among equal points, in this order (see `tiebreaks`).
    """

    game: str
    rules: str | None = None
    title: str = ""
    options: Mapping[str, object] = {}
    more: Annotated[tuple[GameTerms, ...], msgspec.Meta(max_length=11)] = ()
    turns: Turns = "rounds"
    format: FormatName = "swiss"
    table_size: Annotated[int, msgspec.Meta(ge=1, le=6)]
    rounds: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    uneven: Uneven = "byes"
    time: TimeControl = TimeControl()
    absence: AbsenceTerms = AbsenceTerms()
    scoring: Scoring = Scoring()
    pairing: PairingTerms = PairingTerms()
    tie_breaks: tuple[TieBreak, ...] = DEFAULT_TIE_BREAKS
    seed: str | None = None
    data_text: str | None = None


def parse_terms(raw: Mapping[str, object]) -> Terms:
    """The terms in *raw* (plain values); each field is checked by itself.

    Raises:
        OptionError: a field is unknown, missing or out of range; fields of ``time``, ``scoring`` ... too.
    """
    parts: tuple[tuple[str, type[msgspec.Struct]], ...] = (
        ("time", TimeControl),
        ("absence", AbsenceTerms),
        ("scoring", Scoring),
        ("pairing", PairingTerms),
    )
    full = dict(raw)
    for name, kind in parts:
        given = full.get(name, {})
        if not isinstance(given, Mapping):
            raise OptionError(name, f"{given!r} is not allowed", "a table of " + _field_names(kind))
        full[name] = msgspec.to_builtins(parse_struct(kind, given))
    full["more"] = [_parsed_game(one) for one in _listed("more", full.get("more", ()))]
    check_tie_breaks(full.get("tie_breaks", ()))
    terms = parse_struct(Terms, full)
    if terms.format == "swiss" and not 1 <= terms.rounds <= MOST_ROUNDS:
        raise OptionError("rounds", f"{terms.rounds} is not allowed", f"1 to {MOST_ROUNDS}")
    if terms.table_size < MIN_TABLE and terms.format != "solo":
        raise OptionError("table_size", f"{terms.table_size} is not allowed", "2 to 6")
    return terms


def pinned(terms: Terms, catalog: Catalog) -> tuple[Terms, tuple[AnyGame, ...]]:
    """*terms* with the versions of the rules filled in, and the games they name.

    Raises:
        NotFoundError: there is no such game or version.
        DataFileError: the component data break a rule.
        OptionError: a term is out of range, or a game cannot be played so.
    """
    checked = parse_terms(msgspec.to_builtins(terms))
    games = tuple(catalog(one.game, one.rules, one.data_text) for one in programme(checked))
    for one, game in zip(programme(checked), games, strict=True):
        _check_sizes(checked, one.options, game)
    _check_turns(checked)
    _check_pairing(checked)
    check_scoring(checked.scoring, checked.tie_breaks, checked.table_size)
    more = tuple(
        msgspec.structs.replace(one, game=game.id, rules=game.rules)
        for one, game in zip(checked.more, games[1:], strict=True)
    )
    first = games[0]
    return msgspec.structs.replace(checked, game=first.id, rules=first.rules, more=more), games


def programme(terms: Terms) -> tuple[Plays, ...]:
    """All games of a tournament in the order of their turns."""
    own = GameTerms(game=terms.game, rules=terms.rules, options=terms.options, data_text=terms.data_text)
    return tuple(
        Plays(
            game=one.game,
            rules=one.rules,
            options=one.options,
            time=one.time or terms.time,
            data_text=one.data_text,
        )
        for one in (own, *terms.more)
    )


def game_ids(terms: Terms) -> tuple[str, ...]:
    """The ids of all games of a tournament, each once."""
    return tuple(dict.fromkeys(one.game for one in programme(terms)))


def turn_of(terms: Terms, number: int, game: int) -> int:
    """Which of the games (from 0) is played in round *number* as game *game* of a table (from 1).

    Rounds go through the games there and back (1 2 2 1): who changes seats from round to round at a table of
    two has either seat of each game equally often then.
    """
    games = 1 + len(terms.more)
    if terms.turns == "rounds":
        at = (number - 1) % (2 * games)
        return min(at, 2 * games - 1 - at)
    return (game - 1) * games // terms.pairing.games


def smallest_table(terms: Terms) -> int:
    """The fewest entrants that make a table."""
    if terms.pairing.smallest is not None:
        return terms.pairing.smallest
    return terms.table_size - (1 if terms.uneven in {"smaller_tables", "mixed_tables"} else 0)


def largest_table(terms: Terms) -> int:
    """The most entrants that make a table."""
    if terms.pairing.largest is not None:
        return terms.pairing.largest
    return terms.table_size + (1 if terms.uneven in {"larger_tables", "mixed_tables"} else 0)


def _check_sizes(terms: Terms, options: Mapping[str, object], game: AnyGame) -> None:
    if "seats" in options:
        raise OptionError("seats", "follows from the table size", "leave it out and set table_size")
    smallest, largest = smallest_table(terms), largest_table(terms)
    if smallest < MIN_TABLE and terms.format != "solo":
        raise OptionError("uneven", "tables of 2 cannot be smaller", "byes, or a table_size of 3 to 6")
    if not smallest <= terms.table_size <= largest:
        field = "smallest" if smallest > terms.table_size else "largest"
        raise OptionError(field, f"table_size is {terms.table_size}", "smallest <= table_size <= largest")
    for size in (terms.table_size, *range(smallest, largest + 1)):
        _check_size(terms, options, game, size)


def _check_turns(terms: Terms) -> None:
    games = 1 + len(terms.more)
    if terms.turns == "games" and terms.pairing.games % games:
        problem = f"{terms.pairing.games} cannot be divided among {games} games"
        raise OptionError("games", problem, f"a multiple of {games}, or turns of rounds")
    if terms.scoring.rule == "game_score" and any(one.game != terms.game for one in terms.more):
        allowed = "rank_points, table_share, or win_draw_loss at tables of 2"
        raise OptionError("rule", "the scores of different games do not compare", allowed)


def _check_pairing(terms: Terms) -> None:
    pairing = terms.pairing
    if pairing.acceleration != "none" and terms.format != "swiss":
        raise OptionError("acceleration", "is for the format swiss", "none")
    if pairing.system == "dutch-2026":
        _check_dutch(terms)
    if pairing.acceleration != "none" and terms.table_size != MIN_TABLE:
        raise OptionError("acceleration", "is for tables of 2", "none")
    divided = 1 + len(terms.more) if terms.turns == "games" else 1
    if pairing.duplicate and (pairing.games == divided or pairing.rotation == "fixed"):
        allowed = "games of 2 or more that rotate"
        raise OptionError("duplicate", "the same deal needs several games and other seats", allowed)


def suits_dutch(terms: Terms) -> bool:
    """Whether rounds on these terms can be paired by the FIDE Dutch System."""
    try:
        _check_dutch(terms)
    except OptionError:
        return False
    return True


def _check_dutch(terms: Terms) -> None:
    pairing, scoring = terms.pairing, terms.scoring
    fits = (
        ("format", terms.format == "swiss", "swiss"),
        ("table_size", terms.table_size == MIN_TABLE and largest_table(terms) == MIN_TABLE, "2"),
        ("games", pairing.games == 1, "1"),
        ("acceleration", pairing.acceleration == "none", "none"),
        ("forbid", pairing.forbid == "hard", "hard"),
        ("repeat_cost", pairing.repeat_cost is None, "null"),
        ("rule", scoring.rule in {"rank_points", "win_draw_loss"}, "rank_points, win_draw_loss"),
        ("scale", not scoring.scale, "none"),
    )
    for field, good, allowed in fits:
        if not good:
            raise OptionError(field, "does not go with the system dutch-2026", allowed)


def _check_size(terms: Terms, options: Mapping[str, object], game: AnyGame, size: int) -> None:
    try:
        parse_options(game, {**options, "seats": size})
    except OptionError as error:
        if error.field != "seats":
            raise
        field = "table_size" if size == terms.table_size else "uneven"
        raise OptionError(field, f"{game.id} cannot have {size} seats", f"{error.allowed} seats") from None


def _listed(name: str, raw: object) -> Sequence[object]:
    if not isinstance(raw, list | tuple):
        raise OptionError(name, f"{raw!r} is not allowed", "a list")
    return raw


def _parsed_game(raw: object) -> object:
    """One of several games as plain values; each field is checked by itself."""
    if not isinstance(raw, Mapping):
        raise OptionError("more", f"{raw!r} is not allowed", "a table of " + _field_names(GameTerms))
    time = raw.get("time")
    checked = msgspec.to_builtins(parse_struct(TimeControl, time)) if isinstance(time, Mapping) else time
    return msgspec.to_builtins(parse_struct(GameTerms, {**raw, "time": checked}))


def _field_names(kind: type[msgspec.Struct]) -> str:
    return ", ".join(field.name for field in msgspec.structs.fields(kind))
