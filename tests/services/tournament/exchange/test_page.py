"""The printable report: structure, escaping, accessibility."""

from html.parser import HTMLParser

import pytest

from keylore_domain.swiss.duplicates import deal_report
from keylore_domain.swiss.rounds import Round
from keylore_services.tournament.exchange.crosstables import report_of
from keylore_services.tournament.exchange.page import page
from keylore_services.tournament.exchange.results import Results
from keylore_services.tournament.exchange.texts import markdown_report
from tests.services.tournament.exchange.samples import NAMES, pairs, table, threes

VOID = {"meta"}


class Outline(HTMLParser):
    """Checks that tags are closed in order, and collects texts, attributes and rows."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.rows: list[int] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "tr":
            self.rows.append(0)
        if tag in {"td", "th"}:
            self.rows[-1] += 1
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if data.strip() and self.open:
            self.texts.append((self.open[-1], data))


@pytest.mark.parametrize("results", [pairs(), threes(), pairs(rounds=())])
def test_every_tag_is_closed_and_every_table_is_named_and_has_headed_rows(results: Results) -> None:
    outline = Outline(page(report_of(results)))

    assert outline.open == []
    names = [tag for tag, _ in outline.tags]
    assert names.count("caption") == names.count("table") == names.count("thead") >= 2
    headings = [attributes for tag, attributes in outline.tags if tag == "th"]
    assert {attributes.get("scope") for attributes in headings} == {"col", "row"}
    assert names.count("h1") == names.count("main") == 1


def test_rows_of_a_table_have_as_many_cells_as_its_head() -> None:
    outline = Outline(page(report_of(pairs())))

    standings, crossed = outline.rows[:6], outline.rows[6:12]

    assert standings == [3 + 4 + 2] * 6
    assert crossed == [3 + 2 + 1] * 6
    assert set(outline.rows[12:]) == {5}


def test_nothing_in_a_name_becomes_markup() -> None:
    text = page(report_of(pairs()))
    outline = Outline(text)

    assert "<b>" not in text
    assert ("h1", 'Spring & "Cup"\n<2026>') in outline.texts
    shown = {data for tag, data in outline.texts if tag == "th"}
    assert set(NAMES) <= shown


def test_the_page_stands_alone_and_is_made_for_paper_too() -> None:
    text = page(report_of(pairs()))
    outline = Outline(text)

    assert not {"script", "link", "img", "iframe", "a"} & {tag for tag, _ in outline.tags}
    assert "url(" not in text
    assert "@media print" in text
    assert "@page" in text
    assert ("html", {"lang": "en"}) in outline.tags
    assert ("meta", {"charset": "utf-8"}) in outline.tags


def test_rounds_show_their_tables_byes_and_forfeits() -> None:
    texts = [data for _, data in Outline(page(report_of(pairs()))).texts]

    assert "Round 2" in texts
    assert "Byes: =SUM(1)" in texts
    assert "Table 2: m/cup/t2" in texts
    assert texts.count("(forfeited)") == 3


def test_a_table_that_still_plays_is_shown_without_a_result() -> None:
    playing = Round(number=3, tables=(table(1, "15", "", match=""),), byes=())

    text = page(report_of(pairs(rounds=(*pairs().rounds, playing))))

    assert "<caption>Table 1</caption>" in text
    assert '<th scope="row">alice</th><td class="number"></td>' in text


def test_facts_and_withdrawals_are_told() -> None:
    text = page(report_of(threes()))

    assert "pearls, tables of 3, 5 bots; final standings after" in text
    assert '<span class="gone">(withdrew)</span>' in text
    assert "the rank at the table and the opponents" in text


def test_scores_above_luck_stand_there_where_games_share_deals() -> None:
    """Seat 0 brings 5 more; the first bot is 2 better than its seats."""
    deal = deal_report("cup/r1/p1", 1, [table(1, "12", "12", (16, 2)), table(2, "21", "12", (12, 6))])
    shared = report_of(pairs(deals=(deal,)))

    text, outline = page(shared), Outline(page(shared))

    assert ("h2", "Scores above luck") in outline.texts
    assert (
        '<td>pearls</td><th scope="row">alice</th><td class="number">2</td><td class="number">-</td>' in text
    )
    assert "| pearls | alice | 2 | - | 1 |" in markdown_report(shared)
    assert "Scores above luck" not in page(report_of(pairs())) + markdown_report(report_of(pairs()))
