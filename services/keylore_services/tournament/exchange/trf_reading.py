"""Reading FIDE's tournament report file (TRF), of 2016 and of 2026, for events of single players."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

import msgspec

from keylore_domain.errors import DataFileError
from keylore_domain.swiss.rounds import Entrant, Placing, PlayedTable, Round
from keylore_domain.swiss.scoring_terms import Scoring, TieBreak
from keylore_domain.swiss.terms import Terms
from keylore_services.tournament.exchange.results import Results
from keylore_services.tournament.exchange.trf import TIE_BREAK_CODES

_CODES: Final = {code: name for name, code in TIE_BREAK_CODES.items()}
_RANKS: Final = {"1": (1, 2), "W": (1, 2), "+": (1, 2), "0": (2, 1), "L": (2, 1), "-": (2, 1)}
_EVEN: Final = (1, 1)
_OPPOSITE: Final = {"1": "0", "0": "1", "=": "=", "W": "L", "L": "W", "D": "D", "+": "-"}
_BYES: Final = "UFHZ"
_FIRST_ROUND: Final = 91
_WIDTH: Final = 10


class _Game(msgspec.Struct, frozen=True):
    opponent: int
    seat: int
    result: str


class _Player(msgspec.Struct, frozen=True):
    line: int
    number: int
    name: str
    rating: int
    games: tuple[_Game | str, ...]


def read_trf(text: str) -> Results:
    """The event in a report file.

    Players are called ``trf/NUMBER``. What the file says beyond players, results, points and tie-breaks is
    left out; `Results.notes` names it where it matters.

    Raises:
        DataFileError: a line is wrong, or two lines contradict each other; names the line.
    """
    lines = list(enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1))
    players = _players(lines)
    rounds = tuple(_rounds(players))
    notes: list[str] = []
    scoring = _scoring(lines, players, notes)
    planned = max(_whole(_record(lines, "142") or _record(lines, "XXR"), 0), len(rounds), 1)
    return Results(
        id="",
        title=_record(lines, "012") or "Tournament",
        terms=Terms(
            game="trf",
            table_size=2,
            rounds=planned,
            scoring=scoring,
            tie_breaks=_tie_breaks(lines, notes),
        ),
        seed="",
        entrants=tuple(
            Entrant(bot=_bot(one.number), name=one.name, number=one.number, rating=one.rating)
            for one in sorted(players.values(), key=lambda one: one.number)
        ),
        rounds=rounds,
        planned=planned,
        is_final=False,
        pairing=_record(lines, "092"),
        notes=tuple(notes),
    )


_Lines = Sequence[tuple[int, str]]


def _players(lines: _Lines) -> Mapping[int, _Player]:
    found: dict[int, _Player] = {}
    for number, line in lines:
        if line.startswith("001"):
            player = _player(number, line)
            if player.number in found:
                raise DataFileError(f"line {number}", f"there are two players {player.number}")
            found[player.number] = player
    if not found:
        raise DataFileError("line 1", "there is no player (a line that begins with 001)")
    return found


def _player(number: int, line: str) -> _Player:
    start = _field(number, line, 4, 8, "starting rank")
    rating = _field(number, line, 48, 52, "rating") if line[48:52].strip() else 0
    cells = [line[at : at + 8] for at in range(_FIRST_ROUND, len(line), _WIDTH)]
    while cells and not cells[-1].strip():
        cells.pop()
    return _Player(number, start, line[14:47].strip(), rating, tuple(_game(number, cell) for cell in cells))


def _field(number: int, line: str, start: int, end: int, name: str) -> int:
    text = line[start:end].strip()
    if not (text.isascii() and text.isdigit()):
        raise DataFileError(f"line {number}", f"the {name} is {text!r}; it must be a number")
    return int(text)


def _game(number: int, cell: str) -> _Game | str:
    """A game, or the letter of a round without one; ``Z`` for nothing at all."""
    opponent, colour, result = cell[:4].strip(), cell[5:6].strip(), cell[7:8].strip()
    if opponent in {"", "0000", "0"}:
        letter = result or "Z"
        if letter not in f"{_BYES}-":
            raise DataFileError(f"line {number}", f"there is no opponent for the result {result!r}")
        return "Z" if letter == "-" else letter
    wrong = not (opponent.isascii() and opponent.isdigit()) or colour not in {"w", "b"}
    if wrong or result not in {"", "=", "D", *_RANKS}:
        raise DataFileError(f"line {number}", f"{cell!r} is no opponent, colour and result")
    return _Game(int(opponent), "wb".index(colour), result)


def _rounds(players: Mapping[int, _Player]) -> Iterator[Round]:
    for at in range(max(len(one.games) for one in players.values())):
        cells = {one.number: one.games[at] if at < len(one.games) else "Z" for one in players.values()}
        tables: list[PlayedTable] = []
        for number, cell in sorted(cells.items()):
            if isinstance(cell, _Game):
                other = _answer(players, cells, number, cell, at + 1)
                if cell.seat == 0:
                    tables.append(_table(len(tables) + 1, number, cell, other))
        yield Round(
            number=at + 1,
            tables=tuple(tables),
            byes=tuple(_bot(number) for number, cell in cells.items() if cell in {"U", "F"}),
            half_byes=tuple(_bot(number) for number, cell in cells.items() if cell == "H"),
        )


def _answer(
    players: Mapping[int, _Player], cells: Mapping[int, _Game | str], number: int, own: _Game, at: int
) -> _Game:
    """The same game in the line of the opponent."""
    where = f"line {players[number].line}"
    other = cells.get(own.opponent)
    if not isinstance(other, _Game) or other.opponent != number or other.seat == own.seat:
        raise DataFileError(where, f"round {at} against {own.opponent} is not so in the line of that player")
    results = {own.result, other.result}
    fits = other.result == _OPPOSITE.get(own.result) or own.result == _OPPOSITE.get(other.result)
    if not fits and results not in ({""}, {"-"}):
        raise DataFileError(where, f"round {at}: {own.result!r} here and {other.result!r} for the opponent")
    return other


def _table(number: int, white: int, own: _Game, other: _Game) -> PlayedTable:
    bots = (_bot(white), _bot(own.opponent))
    if not own.result:
        return PlayedTable(number=number, seats=bots, match="")
    ranks = _EVEN if own.result in {"=", "D"} or own.result == other.result else _RANKS[own.result]
    forfeited = tuple(seat for seat, game in enumerate((own, other)) if game.result == "-")
    placings = tuple(Placing(bot, rank, 0) for bot, rank in zip(bots, ranks, strict=True))
    return PlayedTable(number=number, seats=bots, match="", placings=placings, forfeited=forfeited)


def _scoring(lines: _Lines, players: Mapping[int, _Player], notes: list[str]) -> Scoring:
    """FIDE's rules with the points of record 162: win, draw, loss and pairing-allocated bye."""
    record = _record(lines, "162")
    worth = {"W": 2, "D": 1, "L": 0}
    for at in range(1, len(record), 9):
        sign, value = record[at : at + 1], record[at + 1 : at + 5].strip()
        worth[sign] = _halves(lines, value)
    letters = {cell for one in players.values() for cell in one.games if isinstance(cell, str)}
    if "F" in letters and worth.get("P", worth["W"]) != worth["W"]:
        notes.append("full-point byes count as pairing-allocated ones, whose points differ")
    byes: dict[int, Literal["win", "mean", "zero"]] = {0: "zero", worth["D"]: "mean", worth["W"]: "win"}
    bye = worth.get("P", worth["W"])
    if bye not in byes:
        notes.append(
            "a pairing-allocated bye is worth neither a win nor a draw nor nothing; it counts as a win"
        )
    return Scoring(
        rule="win_draw_loss",
        win=worth["W"],
        draw=worth["D"],
        loss=worth["L"],
        bye=byes.get(bye, "win"),
        unplayed="fide",
    )


def _halves(lines: _Lines, value: str) -> int:
    number = next(number for number, line in lines if line.startswith("162"))
    whole, _, rest = value.partition(".")
    if not whole.isdigit() or rest not in {"", "0", "5"}:
        raise DataFileError(f"line {number}", f"{value!r} are no points in halves")
    return 2 * int(whole) + (rest == "5")


def _tie_breaks(lines: _Lines, notes: list[str]) -> tuple[TieBreak, ...]:
    codes = [code.strip().upper() for code in (_record(lines, "212") or _record(lines, "202")).split(",")]
    known: list[TieBreak] = []
    for code in codes:
        if code in _CODES:
            known.append(_CODES[code])
        elif code not in {"", "PTS"}:
            notes.append(f"the tie-break {code} is left out")
    return tuple(dict.fromkeys(known))


def _record(lines: _Lines, code: str) -> str:
    return next((line[4:].rstrip() for _, line in lines if line.startswith(code)), "")


def _whole(text: str, otherwise: int) -> int:
    return int(text) if text.strip().isdigit() else otherwise


def _bot(number: int) -> str:
    return f"trf/{number}"
