"""Whole matches of the real games, as the arbiter records them, without an arbiter.

Bots choose at random or greedily; clocks read as over a network, so that a record holds no less that cannot
be foreseen than a real one does.
"""

import random
from collections.abc import Callable
from typing import Final, Literal

import msgspec

from keylore_domain import catalog
from keylore_domain.bots import bot_id
from keylore_domain.engine.aggregates import encode_event, topic_of
from keylore_domain.engine.clocks import TimeControl, reading
from keylore_domain.engine.encoding import canonical_json, sha256_hex
from keylore_domain.engine.events import SeatEntry
from keylore_domain.engine.evidence import Row
from keylore_domain.engine.matches import Match, Secrets
from keylore_domain.engine.options import parse_options
from keylore_domain.engine.positions import OpenPrompt
from keylore_domain.errors import OptionError
from keylore_services.arbiter.keys import KeyRing
from keylore_services.bots.builtin import heuristic

Kind = Literal["random", "greedy"]

RING: Final = KeyRing(bytes(32), bytes(range(32)))
START: Final = 1_790_000_000_123_456


def usual_seats(game: str) -> int:
    """The number of seats nearest to three."""
    for seats in (3, 2, 4):
        try:
            parse_options(catalog.game(game), {"seats": seats})
        except OptionError:
            continue
        return seats
    raise AssertionError(game)


def played(
    game: str, kind: Kind, number: int = 0, *, moves: int = 1_000_000, match_id: str | None = None
) -> list[Row]:
    """The stored rows of a match between bots of *kind*, cut off after so many *moves*."""
    chance = random.Random(f"{game}/{kind}/{number}")
    match_id = match_id or f"m/{game}-{kind}-{number}"
    secrets = Secrets(RING.match_seed(match_id), RING)
    names = [f"{kind}-{seat + 1}" for seat in range(usual_seats(game))]
    now = START + chance.randrange(10**12)
    match = Match.open(
        match_id,
        catalog.game,
        secrets,
        at=now,
        game=game,
        engine=catalog.ENGINE_VERSION,
        options={},
        seats=tuple(SeatEntry(bot_id(name), name) for name in names),
        time=TimeControl(move_ms=10_000, bank_ms=600_000, increment_ms=100),
    )
    choose = _greedy(game) if kind == "greedy" else _random(chance)
    while not match.is_over and match.live_position.ply < moves:
        now = _move(match, secrets, choose, now, chance)
    return [
        (event.originator_version, topic_of(event), encode_event(event)) for event in match.collect_events()
    ]


def _move(
    match: Match,
    secrets: Secrets,
    choose: Callable[[Match, OpenPrompt], int],
    now: int,
    chance: random.Random,
) -> int:
    item = chance.choice(match.live_position.open)
    seat = item.prompt.seat
    view = match.rules.view(match.asked_at(item.number).state, seat)
    sent = now + chance.randrange(50, 400)
    received = sent + int(chance.lognormvariate(9.5, 0.8))
    at = received + chance.randrange(40, 900)
    clock = reading(
        match.entry.time,
        match.banks[seat],
        ready=sent,
        sent=sent,
        received=received,
        credited=chance.randrange(200, 2_000),
    )
    match.play(
        secrets,
        at=at,
        seat=seat,
        choice=choose(match, item),
        view=sha256_hex(canonical_json(view)),
        clock=clock,
    )
    return at


def _random(chance: random.Random) -> Callable[[Match, OpenPrompt], int]:
    return lambda match, item: chance.randrange(len(item.prompt.legal))


def _greedy(game: str) -> Callable[[Match, OpenPrompt], int]:
    score = heuristic(game)

    def choose(match: Match, item: OpenPrompt) -> int:
        prompt = item.prompt
        if score is None:
            return prompt.default
        state = match.asked_at(item.number).state
        view = msgspec.to_builtins(match.rules.view(state, prompt.seat))
        context = msgspec.to_builtins(prompt.context)
        worth = [
            score(view, prompt.kind, context, prompt.seat, msgspec.to_builtins(move)) for move in prompt.legal
        ]
        return worth.index(max(worth))

    return choose
