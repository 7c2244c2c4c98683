"""Random playouts of every game: what a move costs, what views add, what stepping and rebuilding cost."""

import random
from collections.abc import Callable

from bench.harness import Row, Work, interleave
from keylore_domain import catalog
from keylore_domain.engine import positions
from keylore_domain.engine.chance import Draw, LiveChance, RecordedChance
from keylore_domain.engine.encoding import canonical_json, digest_key, state_digest
from keylore_domain.engine.game import AnyGame, Options
from keylore_domain.engine.options import parse_options
from keylore_domain.engine.positions import Position
from keylore_domain.engine.seats import Seat
from keylore_domain.errors import OptionError

SEED = b"keylore bench: a seed of 32 bytes"[:32]
Record = list[tuple[int, int, tuple[Draw, ...]]]


def run(quick: bool) -> list[Row]:
    """Figures of each game at the number of seats nearest to three."""
    rounds, moves = (3, 400) if quick else (9, 3_000)
    return [row for game_id in catalog.game_ids() for row in _rows(catalog.game(game_id), rounds, moves)]


def _rows(game: AnyGame, rounds: int, moves: int) -> list[Row]:
    options = usual_options(game)
    begun, record = _recorded(game, options, moves)
    count = len(record)
    variants: dict[str, Work] = {
        "bare choice": lambda: _choices(count),
        "moves": lambda: _playout(game, options, count, _ignore),
        "moves with views": lambda: _playout(game, options, count, _views(game)),
        "moves with digests": lambda: _playout(game, options, count, _digest),
        "rebuild": lambda: _rebuild(game, options, begun, record),
    }
    prepared = {name: (lambda work=work: work) for name, work in variants.items()}
    timings = interleave(prepared, rounds=rounds, units=count, judged="cpu")
    name = f"{game.id}, {options.seats} seats"
    return [
        timings.at_most(f"{name}: random move against choosing alone", "moves", "bare choice"),
        timings.at_most(f"{name}: with the seat's view as JSON against without", "moves with views", "moves"),
        timings.at_most(f"{name}: with the state digest against without", "moves with digests", "moves"),
        timings.at_most(f"{name}: rebuild from the record against playing", "rebuild", "moves"),
    ]


def usual_options(game: AnyGame) -> Options:
    """The defaults at the number of seats nearest to three."""
    for seats in (3, 2, 4):
        try:
            return parse_options(game, {"seats": seats})
        except OptionError:
            continue
    raise AssertionError(game.id)


def _choices(count: int) -> None:
    rng, items = random.Random(1), list(range(30))
    for _ in range(count):
        rng.choice(items)


def play(game: AnyGame, options: Options, count: int) -> None:
    """Play *count* random moves, one match after the other."""
    _playout(game, options, count, _ignore)


def _playout(game: AnyGame, options: Options, count: int, each: Callable[[Position], object]) -> None:
    rng, position = random.Random(1), None
    for _ in range(count):
        if position is None or not position.open:
            position, _ = positions.begin(game, options, LiveChance(SEED))
        item = rng.choice(position.open)
        choice = rng.randrange(len(item.prompt.legal))
        position, _ = positions.advance(
            game, position, item.prompt.seat, choice, LiveChance(SEED, position.drawn)
        )
        each(position)


def _ignore(position: Position) -> None:
    del position


def _views(game: AnyGame) -> Callable[[Position], object]:
    def view(position: Position) -> object:
        seat = position.open[0].prompt.seat if position.open else None
        return canonical_json(game.view(position.state, seat))

    return view


def _digest(position: Position) -> object:
    return state_digest(position.state, digest_key(SEED))


def _recorded(game: AnyGame, options: Options, count: int) -> tuple[tuple[Draw, ...], Record]:
    """One match (cut at *count* moves): the draws of its set-up, then seat, choice and draws of each move."""
    rng, chance = random.Random(1), LiveChance(SEED)
    position, _ = positions.begin(game, options, chance)
    begun = tuple(chance.draws)
    record: Record = []
    while position.open and len(record) < count:
        item = rng.choice(position.open)
        choice = rng.randrange(len(item.prompt.legal))
        chance = LiveChance(SEED, position.drawn)
        position, _ = positions.advance(game, position, item.prompt.seat, choice, chance)
        record.append((item.prompt.seat, choice, tuple(chance.draws)))
    return begun, record


def _rebuild(game: AnyGame, options: Options, begun: tuple[Draw, ...], record: Record) -> None:
    position, _ = positions.begin(game, options, RecordedChance(begun))
    for seat, choice, draws in record:
        chance = RecordedChance(draws, position.drawn)
        position, _ = positions.advance(game, position, Seat(seat), choice, chance)
