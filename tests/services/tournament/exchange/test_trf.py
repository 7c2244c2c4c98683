"""Report files out and in; bbpPairings' own files and gacrux's reading of ours are the references."""

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

from keylore_domain.errors import DataFileError, OptionError
from keylore_domain.swiss.pairing_terms import PairingTerms
from keylore_domain.swiss.rounds import Round
from keylore_domain.swiss.scoring_terms import Scoring
from keylore_domain.swiss.tiebreaks.field import field_of
from keylore_domain.swiss.tiebreaks.table import tallies
from keylore_services.tournament.exchange.results import Results
from keylore_services.tournament.exchange.trf import trf
from keylore_services.tournament.exchange.trf_reading import read_trf
from tests.domain.swiss.events_of_two import FIDE, Event
from tests.domain.swiss.leagues import terms
from tests.services.tournament.exchange.samples import DATA, pairs, table, threes

FILES = sorted(DATA.glob("*.trf"))


def players(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines() if line.startswith("001")]


def test_an_event_is_written_column_by_column() -> None:
    """Cut 1 is 3/2 for 1 and 4, who differ by lot, and 1 for 5, whose requested bye is cut."""
    assert trf(pairs()).splitlines() == [
        '012 Spring & "Cup" <2026>',
        "062 5",
        "072 3",
        "092 tables/1",
        "142 3",
        "162  W 1.0    D 0.5    L 0.0    A 0.0    P 1.0",
        "212 PTS,BH/C1,BH,SB",
        *(
            f"001    {number}      {name:<33} {rating:>4}{'':>28} {points}    {rank}  {rounds}"
            for number, name, rating, points, rank, rounds in (
                (1, "alice", 1507, 1.5, 1, "   2 w 1     4 b ="),
                (2, "<b>bob</b>", 1514, "0.0", 4, "   1 b 0     3 w -"),
                (3, "carol|x", 1521, "0.0", 5, "   4 w -     2 b -"),
                (4, "dave", "", 1.5, 2, "   3 b +     1 w ="),
                (5, "=SUM(1)", "", 1.5, 3, "0000 - U  0000 - H"),
            )
        ),
    ]


def test_the_older_edition_has_players_and_head_alone() -> None:
    codes = [line[:3] for line in trf(pairs(), "trf16").splitlines()]

    assert codes == ["012", "062", "072", "092", *["001"] * 5]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_foreign_file_is_read_and_written_without_a_difference(path: Path) -> None:
    """Points, ranks and every round; absences, requested byes and double forfeits are among them."""
    text = path.read_text()

    results = read_trf(text)

    assert players(trf(results, "trf16")) == players(text)
    assert (results.title.startswith("AutoTest"), results.notes) == (True, ())


def test_the_stored_files_have_every_kind_of_round() -> None:
    text = "".join(path.read_text() for path in FILES)

    assert all(f" {letter}\n" in text or f" {letter}  " in text for letter in "10=+-UHZ")


@pytest.mark.parametrize("edition", ["trf16", "trf26"])
def test_what_is_written_is_read_again(edition: str) -> None:
    written = trf(pairs(), edition)  # type: ignore[arg-type]

    assert players(trf(read_trf(written), "trf16")) == _with_ranks_by_points(players(written), edition)
    assert read_trf(trf(pairs())).terms.tie_breaks == ("buchholz_cut1", "buchholz", "sonneborn_berger")


def _with_ranks_by_points(lines: list[str], edition: str) -> list[str]:
    """Without tie-breaks in the file, equal points are in order of number."""
    if edition == "trf26":
        return lines
    order = sorted(lines, key=lambda line: (-float(line[80:84]), int(line[4:8])))
    return [f"{line[:85]}{order.index(line) + 1:>4}{line[89:]}" for line in lines]


@pytest.mark.parametrize(
    ("scoring", "record"),
    [
        (
            Scoring(rule="win_draw_loss", win=6, draw=2, unplayed="fide"),
            "W 3.0    D 1.0    L 0.0    A 0.0    P 1.0",
        ),
        (Scoring(bye="zero", unplayed="fide"), "W 1.0    D 0.5    L 0.0    A 0.0    P 0.0"),
        (Scoring(scale=(4, 0), bye="win", unplayed="fide"), "W 2.0    D 1.0    L 0.0    A 0.0    P 2.0"),
    ],
)
def test_other_points_are_written_and_read(scoring: Scoring, record: str) -> None:
    results = pairs(terms=terms(table_size=2, rounds=3, scoring=scoring, tie_breaks=()))

    written = trf(results)

    assert f"162  {record}" in written
    again = read_trf(written)
    assert {row.number: row.points for row in again.standings()} == {
        row.number: row.points for row in results.standings()
    }


def test_rounds_that_are_still_played_are_left_out() -> None:
    open_round = Round(number=3, tables=(table(1, "15", ""),), byes=())

    assert trf(pairs(rounds=(*pairs().rounds, open_round))) == trf(pairs())
    assert "162  W 1.0    D 0.5    L 0.0    A 0.0    P 0.0" in trf(pairs(rounds=()))


def test_what_trf_cannot_say_is_refused() -> None:
    with pytest.raises(OptionError, match="tables of 3"):
        trf(threes())
    with pytest.raises(OptionError, match="game_score"):
        trf(pairs(terms=terms(table_size=2, scoring=Scoring(rule="game_score"))))
    with pytest.raises(OptionError, match="one game a round, not 2"):
        trf(pairs(terms=terms(table_size=2, pairing=PairingTerms(games=2))))
    late = msgspec.structs.replace(pairs().entrants[0], number=10_000)
    crowd = pairs(entrants=(late,), rounds=())
    with pytest.raises(OptionError, match="9999"):
        trf(crowd)


HEAD = f"001    1      {'a':<66} 0.0    1"
OTHER = f"001    2      {'b':<66} 0.0    2"


@pytest.mark.parametrize(
    ("text", "where", "problem"),
    [
        ("", "line 1", "no player"),
        ("001    x      a", "line 1", "starting rank is 'x'"),
        (f"{HEAD}\n{HEAD}", "line 2", "two players 1"),
        ("001    1      a                                 abcd", "line 1", "rating"),
        (f"{HEAD}  0000 - 1", "line 1", "no opponent for the result '1'"),
        (f"{HEAD}     2 x 1", "line 1", "no opponent, colour and result"),
        (f"{HEAD}     2 w X", "line 1", "no opponent, colour and result"),
        (f"{HEAD}     2 w 1", "line 1", "round 1 against 2"),
        (f"{HEAD}     2 w 1\n{OTHER}", "line 1", "round 1 against 2"),
        (f"{HEAD}     2 w 1\n{OTHER}     1 w 0", "line 1", "round 1 against 2"),
        (f"{HEAD}     2 w 1\n{OTHER}     1 b 1", "line 1", "'1' here and '1' for the opponent"),
        (f"{HEAD}     2 w  \n{OTHER}     1 b 1", "line 1", "'' here and '1'"),
        (f"162  W 1.3\n{HEAD}", "line 1", "'1.3' are no points"),
    ],
)
def test_a_wrong_file_is_refused_with_its_line(text: str, where: str, problem: str) -> None:
    with pytest.raises(DataFileError, match=problem) as error:
        read_trf(text)

    assert error.value.entry == where


def test_a_game_without_a_result_is_an_open_table() -> None:
    """A round that is paired: 1 plays 2 and nothing is known yet; then the colours say who has White."""
    results = read_trf(f"{HEAD}     2 b\n{OTHER}     1 w")

    (played,) = results.rounds
    assert [(one.seats, one.placings) for one in played.tables] == [(("trf/2", "trf/1"), ())]


def test_unrated_games_and_dashes_are_understood() -> None:
    """W and L are games of less than a move, D a draw of that kind; a dash without opponent is an absence."""
    text = f"{HEAD}     2 w W     2 b D  0000 - -{' ' * 10}\n{OTHER}     1 b L     1 w D  0000 - F"

    results = read_trf(text)

    assert {row.name: row.points for row in results.standings()} == {"a": "3/2", "b": "3/2"}
    assert [sheet.entries[2].kind for sheet in results.sheets()] == ["absent", "bye"]


def test_what_is_left_out_of_a_file_is_noted() -> None:
    text = f"162  W 1.0    D 0.5    L 0.0    P 2.0\n212 PTS, BH, BPG, BH\nXXR 9\n{HEAD}  0000 - F\n{OTHER}"

    results = read_trf(text)

    assert (results.terms.rounds, results.terms.tie_breaks) == (9, ("buchholz",))
    assert len(results.notes) == 3
    assert "BPG" in results.notes[2]


def test_two_seats_without_fides_rules_are_written_by_their_results() -> None:
    """A forfeited game counts as played there."""
    written = trf(pairs(terms=terms(table_size=2, rounds=3)), "trf16")

    assert "   4 w 0     2 b 0" in written
    assert "   1 b 0     3 w 1" in written


def _as_results(event: Event) -> Results:
    chosen = msgspec.structs.replace(FIDE, rounds=len(event.rounds))
    return pairs(entrants=tuple(event.entrants), rounds=tuple(event.rounds), terms=chosen)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3, 8])
def test_another_program_reads_our_files_and_finds_our_tie_breaks(seed: int, tmp_path: Path) -> None:
    """gacrux, FIDE's reference, from the report file alone: points, Buchholz, cut 1, Sonneborn-Berger."""
    pytest.importorskip("gacrux")
    event = Event(seed)
    path = tmp_path / "event.trf"
    path.write_text(trf(_as_results(event)))
    command = [sys.executable, "-m", "gacrux.tiebreakchecker", "-i", str(path), "-f", "TRF", "-o", "-"]

    done = subprocess.run(
        [*command, "-d", "T", "-t", "PTS", "BH", "BH/C1", "SB"], capture_output=True, text=True, check=True
    )

    field = field_of(event.entrants, event.rounds, FIDE, "")
    rows = [line.split("\t") for line in done.stdout.splitlines() if line[:1].isdigit()]
    numbers = {one.number: one.bot for one in event.entrants}
    assert len(rows) == len(numbers)
    for row in rows:
        bot = numbers[int(row[0])]
        ours = [
            tallies(name, field, [bot])[bot].value
            for name in ("buchholz", "buchholz_cut1", "sonneborn_berger")
        ]
        assert [Fraction(value) for value in row[-4:]] == [field.points[bot], *ours]
