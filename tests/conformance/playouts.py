"""Random matches of any game in the catalog, under random options."""

import random
import types
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec

from keylore_domain.engine import positions
from keylore_domain.engine.chance import Draw, LiveChance
from keylore_domain.engine.facts import Fact
from keylore_domain.engine.game import AnyGame, Options
from keylore_domain.engine.options import parse_options
from keylore_domain.engine.positions import Position
from keylore_domain.errors import OptionError

WIDEST = 8
"""Of a wide range of numbers, such as a cap on rounds, only the lowest are tried: matches stay short."""


@dataclass(frozen=True)
class Ply:
    """A position of a match, and how it came about: ``seat`` and ``choice`` are ``None`` for the set-up."""

    position: Position
    facts: tuple[Fact, ...]
    draws: tuple[Draw, ...]
    seat: int | None
    choice: int | None


def seed_of(text: str) -> bytes:
    return random.Random(text).randbytes(32)


def random_options(game: AnyGame, rng: random.Random) -> Options:
    """Options that the game accepts; each field is its default or any allowed value."""
    while True:
        raw = {
            field.name: rng.choice(_values(field.type))
            for field in msgspec.structs.fields(game.options_type)
            if field.required or rng.random() < 0.4
        }
        try:
            return parse_options(game, raw)
        except OptionError:
            continue


def match(game: AnyGame, options: Options, seed: str) -> Iterator[Ply]:
    """Every ply of a match with random moves, the set-up first."""
    secret, rng = seed_of(seed), random.Random(seed)
    chance = LiveChance(secret)
    position, facts = positions.begin(game, options, chance)
    yield Ply(position, facts, tuple(chance.draws), None, None)
    while position.open:
        item = rng.choice(position.open)
        seat, choice = item.prompt.seat, rng.randrange(len(item.prompt.legal))
        chance = LiveChance(secret, position.drawn)
        position, facts = positions.advance(game, position, seat, choice, chance)
        yield Ply(position, facts, tuple(chance.draws), seat, choice)


def _values(kind: Any) -> list[object]:
    """The values that a type allows."""
    origin = get_origin(kind)
    if origin is Annotated:
        base, meta = get_args(kind)[:2]
        if isinstance(meta, msgspec.Meta) and meta.ge is not None and meta.le is not None:
            return list(range(int(meta.ge), min(int(meta.le), int(meta.ge) + WIDEST) + 1))
        return _values(base)
    if origin is Literal:
        return list(get_args(kind))
    if origin in (typing.Union, types.UnionType):
        return [value for part in get_args(kind) for value in _values(part)]
    assert kind is bool, kind
    return [False, True]
