"""Formats of tournaments: Swiss, round robin, knock-out, gauntlet, ladder, solo league.

A format is a few pure functions of what was played; the aggregate, the director and the standings know none
of them by name.
"""
