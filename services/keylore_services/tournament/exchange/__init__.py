"""Tournaments for other programs and for paper: TRF, CSV, JSON, Markdown and HTML."""
