"""The command that makes a tournament once more."""

import shlex
from collections.abc import Iterator

import msgspec

from keylore_cli import identities
from keylore_cli.context import Context
from keylore_domain.engine.clocks import TimeControl
from keylore_services.tournament.views import TournamentView

_TIMES = ("move_ms", "bank_ms", "increment_ms", "credit_ms", "faults", "attempts")


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
    yield from ("--game", terms.game, "--table", str(terms.table_size), "--rounds", str(terms.rounds))
    for key, value in terms.options.items():
        yield from ("-o", f"{key}={value if isinstance(value, str) else msgspec.json.encode(value).decode()}")
    named = (
        ("--title", terms.title, ""),
        ("--uneven", terms.uneven, "byes"),
        ("--bye", terms.scoring.bye, "mean"),
        ("--seed", terms.seed, None),
        ("--data", None if terms.data_text is None else "FILE", None),
    )
    times = (
        (f"--{name.replace('_', '-')}", getattr(terms.time, name), getattr(TimeControl(), name))
        for name in _TIMES
    )
    for option, value, default in (*named, *times):
        if value != default:
            yield from (option, str(value))


def _bots(settings: Context, view: TournamentView) -> Iterator[str]:
    """The entrants in their order; what this machine runs comes first, as far as the order allows."""
    names = [entrant.name for entrant in view.entrants]
    while own := _leading_own(settings, names):
        bot, count = own
        yield from ("--builtin", f"{bot}:{count}")
        names = names[count:]
    for name in names:
        yield from ("--bot", name)


def _leading_own(settings: Context, names: list[str]) -> tuple[str, int] | None:
    """What runs the first of *names* here, and how many such bots stand there one after the other."""
    known = identities.find(settings.bots, names[0]) if names else None
    if known is None or known.bot is None:
        return None
    count = 0
    while count < len(names) and names[: count + 1] == identities.own_names(known.bot, count + 1):
        count += 1
    return (known.bot, count) if count else None
