"""Logging: configured here and nowhere else."""

import logging
import os
import sys

import structlog


def configure_logs(level: str) -> None:
    """Log to standard error from *level* on: readable on a terminal, JSON elsewhere."""
    renderer: structlog.types.Processor = (
        structlog.dev.ConsoleRenderer(colors=not os.environ.get("NO_COLOR"))
        if sys.stderr.isatty()
        else structlog.processors.JSONRenderer()
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
