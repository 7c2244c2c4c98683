"""The command that makes a tournament once more."""

import shlex
from collections.abc import Iterator, Mapping

import msgspec

from keylore_cli import identities
from keylore_cli.context import Context
from keylore_domain.swiss.game_terms import GameTerms
from keylore_domain.swiss.scoring_terms import DEFAULT_TIE_BREAKS
from keylore_domain.swiss.terms import Terms
from keylore_services.tournament.views import TournamentView


def command_of(settings: Context, view: TournamentView) -> str:
    """The command that makes *view* again, with the bots that are registered now.

    A tournament with a league's own component data needs their file; its place is left as ``FILE``.
    """
    return f"{settings.called} tournament new " + shlex.join(
        [view.name, *_terms(view), *_bots(settings, view)]
    )


def _terms(view: TournamentView) -> Iterator[str]:
    """The arguments for all terms that are not as they are by default."""
    terms = view.terms
    yield from _games(terms)
    yield from ("--table", str(terms.table_size))
    parts = (("--scoring", terms.scoring), ("--pairing", terms.pairing), ("--absence", terms.absence))
    for option, pairs in parts:
        for key, value in _set_ones(pairs).items():
            yield from (option, f"{key}={_typed(value)}")
    if terms.tie_breaks != DEFAULT_TIE_BREAKS:
        for tie_break in terms.tie_breaks:
            yield from ("--tie-break", tie_break)
    for name, value in _set_ones(terms.time).items():
        yield from (f"--{name.replace('_', '-')}", str(value))
    yield from _single(terms)


def _games(terms: Terms) -> Iterator[str]:
    """A single game with its options one by one, several ones with theirs behind them."""
    if not terms.more:
        yield from ("--game", terms.game)
        for key, value in terms.options.items():
            yield from ("-o", f"{key}={_typed(value)}")
    else:
        own = GameTerms(game=terms.game, options=terms.options, data_text=terms.data_text)
        for one in (own, *terms.more):
            pairs = ",".join(_behind(one, terms))
            yield from ("--game", f"{one.game}:{pairs}" if pairs else one.game)


def _behind(one: GameTerms, terms: Terms) -> Iterator[str]:
    """What stands behind a game, each with its key; of its time control what is not the tournament's."""
    for key, value in one.options.items():
        yield f"{key}={_typed(value)}"
    if one.time is not None:
        usual = msgspec.structs.asdict(terms.time)
        fields = msgspec.structs.asdict(one.time)
        yield from (f"time.{name}={value}" for name, value in fields.items() if value != usual[name])
    if one.data_text is not None:
        yield "data=FILE"


def _single(terms: Terms) -> Iterator[str]:
    named = (
        ("--format", terms.format, "swiss"),
        ("--rounds", terms.rounds, 0),
        ("--title", terms.title, ""),
        ("--uneven", terms.uneven, "byes"),
        ("--seed", terms.seed, None),
        ("--turns", terms.turns, "rounds"),
        ("--data", None if terms.data_text is None or terms.more else "FILE", None),
    )
    for option, value, default in named:
        if value != default:
            yield from (option, str(value))


def _set_ones(terms: msgspec.Struct) -> Mapping[str, object]:
    """Those of *terms* that are not as they are by default."""
    usual = type(terms)()
    return {
        name: value for name, value in msgspec.structs.asdict(terms).items() if value != getattr(usual, name)
    }


def _typed(value: object) -> str:
    """*value* as it is typed: JSON, but texts without quotes."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _bots(settings: Context, view: TournamentView) -> Iterator[str]:
    """The entrants in their order; what this machine runs comes first, as far as the order allows."""
    names = [entrant.name for entrant in view.entrants]
    while own := _leading_own(settings, names):
        bot, count = own
        yield from ("--builtin", f"{bot}:{count}")
        names = names[count:]
    for name in names:
        yield from ("--bot", name)
    for entrant in view.entrants:
        if entrant.rating:
            yield from ("--rating", f"{entrant.name}={entrant.rating}")


def _leading_own(settings: Context, names: list[str]) -> tuple[str, int] | None:
    """What runs the first of *names* here, and how many such bots stand there one after the other."""
    known = identities.find(settings.bots, names[0]) if names else None
    if known is None or known.bot is None:
        return None
    count = 0
    while count < len(names) and names[: count + 1] == identities.own_names(known.bot, count + 1):
        count += 1
    return (known.bot, count) if count else None
