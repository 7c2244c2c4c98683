"""The formats of exported tournaments, by name."""

from collections.abc import Callable, Mapping
from typing import Final, Literal

from keylore_services.tournament.exchange.crosstables import report_of
from keylore_services.tournament.exchange.page import page
from keylore_services.tournament.exchange.results import Results
from keylore_services.tournament.exchange.texts import (
    csv_results,
    csv_standings,
    json_report,
    markdown_report,
)
from keylore_services.tournament.exchange.trf import trf

Format = Literal["csv", "csv-results", "json", "markdown", "html", "trf16", "trf26"]

FORMATS: Final[Mapping[Format, Callable[[Results], str]]] = {
    "csv": lambda results: csv_standings(report_of(results)),
    "csv-results": lambda results: csv_results(report_of(results)),
    "json": lambda results: json_report(report_of(results)),
    "markdown": lambda results: markdown_report(report_of(results)),
    "html": lambda results: page(report_of(results)),
    "trf16": lambda results: trf(results, "trf16"),
    "trf26": lambda results: trf(results, "trf26"),
}


def exported(results: Results, form: Format) -> str:
    """*results* in a format.

    Raises:
        OptionError: the format cannot say it.
    """
    return FORMATS[form](results)
