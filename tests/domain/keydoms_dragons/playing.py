"""Random games of Keydom's Dragons for its property tests."""

import hashlib
import random
from typing import Final

from msgspec.structs import replace

from keylore_domain.engine.chance import Draw
from keylore_domain.engine.facts import Fact
from keylore_domain.engine.options import parse_options
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydoms_dragons.components import WAND
from keylore_domain.games.keydoms_dragons.rules import KeydomsDragons
from keylore_domain.games.keydoms_dragons.state.position import DragonsOptions, State

GAME: Final = KeydomsDragons()
Record = list[tuple[Seat, int, list[Draw]]]
Facts = tuple[Fact, ...]


def key_of(number: int) -> bytes:
    """A match seed."""
    return hashlib.sha256(b"keydoms-dragons %d" % number).digest()


def random_options(source: random.Random, rounds: int) -> DragonsOptions:
    """Any options that go together, for at most *rounds* rounds."""
    seats = source.randint(1, 6)
    ghosts = source.choice(GAME.parts.seats_and_ghosts.rows[seats])
    muggles = source.random() < 0.15
    raw: dict[str, object] = {
        "seats": seats,
        "ghosts": ghosts,
        "muggles": muggles,
        "foreknown": not muggles and source.random() < 0.3,
        "start_seat": source.choice(["random", source.randrange(seats)]),
        "round_cap": source.randint(5, rounds),
        "six_party_ledge": source.choice(["next_only", "all_below"]),
        "open_holdings": source.random() < 0.2,
    }
    if ghosts and not muggles:
        raw["ghost_extra_spells"] = source.randint(0, 2)
        raw["ghost_artefacts_per_round"] = source.randint(1, 2)
    options = parse_options(GAME, raw)
    assert isinstance(options, DragonsOptions)
    return options


def with_magic(state: State) -> State:
    """*state* with the lower tiles of the stacks and most spells dealt to the seats."""
    tiles = [tile for stack in state.stacks for tile in stack[3:]]
    spells = state.spell_deck[2:]
    players = []
    for seat, player in enumerate(state.players):
        dealt = tiles[seat :: state.seats]
        owned = tuple(dealt.count(tile) + (tile == WAND) for tile in range(6))
        hand = tuple(sorted(spells[seat :: state.seats]))
        players.append(replace(player, artefacts=owned, spells=hand))
    stacks = tuple(stack[:3] for stack in state.stacks)
    return replace(state, players=tuple(players), stacks=stacks, spell_deck=state.spell_deck[:2])
