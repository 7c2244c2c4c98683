"""Tournaments as text: lists, terms, standings, rounds."""

from collections.abc import Sequence

import click
import msgspec

from keylore_cli.correction_text import print_corrections
from keylore_cli.progress import line_of
from keylore_cli.tables import Exact, print_table
from keylore_domain.engine.clocks import TimeControl
from keylore_domain.swiss.rounds import Entrant
from keylore_domain.swiss.rulings import RULED
from keylore_domain.swiss.standings import StandingsRow
from keylore_domain.swiss.terms import Terms, programme
from keylore_services.replay.text import inline, moment_text, words
from keylore_services.tournament.pairing_words import RoundReasons
from keylore_services.tournament.progress import BotsAway
from keylore_services.tournament.views import (
    RoundView,
    StandingsView,
    TableView,
    TournamentCard,
    TournamentView,
)
from keylore_services.tournament.words import ruling_text


def print_cards(cards: Sequence[TournamentCard]) -> None:
    """Print a list of tournaments."""
    if not cards:
        click.echo("no tournaments yet; make one with `keylore tournament new`")
        return
    print_table(
        "Tournaments",
        ("name", "games", "status", "entrants", "round", "of", "winners"),
        [
            (
                card.name,
                ", ".join(card.games),
                card.status,
                card.entrants,
                card.round,
                card.rounds or "-",
                _names(card.winners) or "-",
            )
            for card in cards
        ],
    )


def print_view(view: TournamentView, command: str) -> None:
    """Print the terms, the state and the entrants of a tournament."""
    terms = view.terms
    click.echo(f"{terms.title or view.name} ({view.id}): {view.status}, {_progress(view.round, view.rounds)}")
    if view.pause_cause:
        click.echo(f"paused because: {view.pause_cause}")
    if view.stop_cause:
        click.echo(f"aborted by {view.stopped_by}: {view.stop_cause}")
    print_corrections(view.corrections)
    for absence in view.absences:
        click.echo(line_of(BotsAway(**msgspec.structs.asdict(absence))))
    if view.waiting_for and not view.stop_cause:
        click.echo(f"waiting for {', '.join(view.waiting_for)}")
    for match in view.aborted:
        click.echo(f"{match.match} was aborted ({match.cause}); {match.next} is played instead")
    chance = (
        "secret until each game ends" if terms.seed is None else f"made of the public text {terms.seed!r}"
    )
    click.echo(
        f"\n{_games(view)}"
        f"\nformat   {terms.format.replace('_', ' ')}, {rounds_text(view)}"
        f"\ntables   of {terms.table_size}; if they do not fill: {terms.uneven.replace('_', ' ')}"
        f"\nscoring  {_set_terms(terms.scoring)}"
        f"\npairing  {_set_terms(terms.pairing)}"
        f"\nabsence  {_set_terms(terms.absence)}"
        f"\nchance   {chance}"
        f"\ncreated  {moment_text(view.created)}"
        f"\ncommand  {command}\n"
    )
    print_table(
        "Entrants",
        ("no.", "bot", "rating", "author", "active"),
        [
            (one.number, one.name, one.rating or "-", one.author or "-", _part(one, "yes"))
            for one in view.entrants
        ],
    )


def _games(view: TournamentView) -> str:
    """What is played, how much time there is for it, and the hash of its component data."""
    lines = []
    for one, data in zip(programme(view.terms), view.data, strict=True):
        own = " (the league's own)" if one.data_text is not None else ""
        lines += [
            f"game     {one.game}, rules {one.rules}, {_options(one.options)}",
            f"time     {time_text(one.time)}",
            f"data     {data}{own}",
        ]
    if view.terms.more:
        how = {
            "rounds": "each round plays the next game, there and back",
            "games": "each table plays all games in a round",
        }
        lines.append(f"turns    {how[view.terms.turns]}")
    return "\n".join(lines)


def _progress(number: int, rounds: int) -> str:
    return f"round {number} of {rounds}" if rounds else f"round {number}"


def rounds_text(view: TournamentView) -> str:
    """How many rounds there will be, and whether that follows from who takes part."""
    if view.terms.format == "ladder" and not view.rounds:
        return "rounds without end"
    rounds = "1 round" if view.rounds == 1 else f"{view.rounds or 'no'} rounds"
    return rounds if view.terms.rounds == view.rounds > 0 else f"{rounds} with these entrants"


def time_text(time: TimeControl) -> str:
    """A time control in words."""
    parts = [f"{_seconds(time.move_ms)} a move"]
    if time.bank_ms:
        parts.append(f"{_seconds(time.bank_ms)} a game and {_seconds(time.increment_ms)} more with each move")
    parts.append(f"up to {_seconds(time.credit_ms)} of latency credited")
    faults = f"{time.faults} moves played for a seat" if time.faults else "no number of faults"
    return f"{', '.join(parts)}; {time.attempts} illegal answers allowed; {faults} forfeit it"


def standings_data(view: StandingsView, terms: Terms) -> dict[str, object]:
    """Standings as data for programs, with the names of the tie-breaks."""
    return {**msgspec.structs.asdict(view), "tie_breaks": terms.tie_breaks}


def print_standings(view: StandingsView, terms: Terms) -> None:
    """Print standings as a table: points, then the tie-breaks of *terms* in their order."""
    state = "final standings" if view.is_final else f"standings after {_progress(view.round, view.rounds)}"
    if not view.is_complete:
        state += " (results are missing)"
    print_table(
        f"{view.title}{f', {view.game} alone' if view.game else ''}: {state}",
        ("rank", "bot", "points", *(words(name) for name in terms.tie_breaks), "games", "byes"),
        [
            (
                row.rank,
                row.name + (f" ({_part(row)})" if _part(row) else ""),
                Exact(row.points),
                *(Exact(value) for value in row.values),
                row.played,
                row.byes,
            )
            for row in view.rows
        ],
    )


def _part(one: Entrant | StandingsRow, playing: str = "") -> str:
    """Whether an entrant still takes part: *playing*, if it does."""
    return playing if one.active else "removed" if one.removed else "withdrew"


def print_round(view: RoundView) -> None:
    """Print the tables of a round, and how good the pairing is."""
    played = sorted({table.plays for table in view.tables})
    rows = [
        (
            table.number,
            table.match + (f" ({table.plays})" if len(played) > 1 else ""),
            seat,
            one.name,
            Exact(f"{one.half_points}/2"),
            one.seat_before,
            one.rank or "-",
            "-" if one.score is None else one.score,
        )
        for table in view.tables
        for seat, one in enumerate(table.seats)
    ]
    print_table(
        f"{view.tournament}: {_progress(view.number, view.rounds)}, {' and '.join(played)}",
        ("table", "game", "seat", "bot", "points before", "had this seat", "rank", "score"),
        rows,
    )
    if view.byes:
        click.echo(f"bye: {_names(view.byes)}")
    for table in view.tables:
        _print_ruling(table)
        _print_meetings(table)
    click.echo(f"why: {_quality(view)}")


def print_reasons(found: RoundReasons) -> None:
    """Print what a round fulfils, how good it is by each criterion, and why for each entrant."""
    heads = (
        ("It holds:", found.constraints),
        ("In this order it has as little as possible of:", found.criteria),
    )
    for head, lines in heads:
        if lines:
            click.echo("\n".join([head, *(f"  {line}" for line in lines)]))
    click.echo("\n".join(one.text for one in found.entrants))


def _print_ruling(table: TableView) -> None:
    if table.ruling is not None:
        said = ruling_text(table.ruling, table.played, void=table.void, is_ruled=table.cause == RULED)
        click.echo(f"table {table.number} {said}")


def _print_meetings(table: TableView) -> None:
    for first, second, times in table.met_before:
        often = "once" if times == 1 else f"{times} times"
        click.echo(f"table {table.number}: {_names((first,))} and {_names((second,))} had met {often} before")


def _quality(view: RoundView) -> str:
    made = f"{view.cost.repeats} repeated meetings, unevenness of points {view.cost.spread}"
    if view.proved:
        return f"{made}: proved to be the best possible pairing"
    return (
        f"{made}; not proved to be the best: no pairing has less than {view.bound.repeats} and "
        f"{view.bound.spread}"
    )


def _set_terms(terms: msgspec.Struct) -> str:
    """Those of *terms* that are not as they are by default."""
    set_ones = {
        name: value
        for name, value in msgspec.structs.asdict(terms).items()
        if value != getattr(type(terms)(), name)
    }
    return inline(set_ones).strip("()") if set_ones else "as usual"


def _options(options: object) -> str:
    return f"options {inline(options).strip('()')}" if options else "no options"


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds} ms" if milliseconds % 1_000 else f"{milliseconds // 1_000} s"


def _names(bots: Sequence[str]) -> str:
    return ", ".join(bot.removeprefix("bot/") for bot in bots)
