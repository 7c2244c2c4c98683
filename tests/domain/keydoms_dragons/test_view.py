"""What seats see, and what they cannot tell apart (keydoms-dragons §9)."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from keylore_domain.engine.chance import LiveChance
from keylore_domain.engine.encoding import canonical_json
from keylore_domain.engine.facts import RoundStarted
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydoms_dragons.facts import ChanceDrawn
from keylore_domain.games.keydoms_dragons.state.position import State
from tests.domain.keydoms_dragons.builders import (
    GAME,
    PHASE_TWO,
    ROUND_START,
    Scene,
    begun,
    cast,
    changes,
    deck,
    place,
    placement,
    resolve,
    scene,
    token,
    with_ghost,
    with_seat,
)


def secretive(**fields: Any) -> Scene:
    """Four seats, one ghost, something hidden everywhere; seat 0 is about to place."""
    arguments: dict[str, Any] = {
        "steps": placement(),
        "hold": {1: "r5 w1", 2: "k4", 3: "g2"},
        "own": {1: "key raven", 2: "amulet", 3: "scroll"},
        "spells": {0: (2,), 1: (4, 7), 2: (8,)},
        "tokens": {"F": "1:9 1:1 2:5", "K": "light:1/2 light:3/9"},
        "change": changes(
            with_ghost("light", deck=deck("4 S20 5 6 S21"), stack=(9,), out_hidden=()),
            with_seat(3, out_hidden=(2,), hand=(1, 4, 5, 6, 7, 8, 9), out_shown=()),
        ),
        "spell_deck": (1, 3, 10, 11, 12),
    }
    return scene(4, 1, **{**arguments, **fields})


def others(state: State, viewer: int | None, number: int = 0) -> State:
    seat = None if viewer is None else Seat(viewer)
    return GAME.alternative(state, seat, LiveChance(bytes([number]) * 32))


HIDDEN: dict[str, Callable[[State], Any]] = {
    "worker numbers": lambda state: [each.number for each in state.tokens if each.owner in {1, 2}],
    "hands": lambda state: [player.hand for player in state.players[1:]],
    "removed workers": lambda state: state.players[3].out_hidden,
    "treasure": lambda state: [player.holdings for player in state.players[1:]],
    "artefacts": lambda state: [player.artefacts for player in state.players[1:]],
    "spells": lambda state: [player.spells for player in state.players[1:]],
    "spell deck": lambda state: state.spell_deck,
    "treasure deck": lambda state: state.treasure_deck,
    "guard": lambda state: state.guard,
    "ghost workers": lambda state: [(each.number, each.castle) for each in state.tokens if each.owner == 4],
    "ghost counters": lambda state: state.ghosts[0].counters,
    "ghost deck": lambda state: state.ghosts[0].deck,
    "ghost stack": lambda state: state.ghosts[0].stack,
    "stacks": lambda state: [stack[1:] for stack in state.stacks],
    "standing passes": lambda state: [player.muted for player in state.players[1:]],
}


@pytest.mark.parametrize("secret", sorted(HIDDEN))
def test_every_secret_is_dealt_anew(secret: str) -> None:
    """I8, DESIGN: the other seats' and nobody's secrets really change."""
    state = secretive().state
    found = [HIDDEN[secret](others(state, 0, number)) for number in range(8)]

    assert any(each != HIDDEN[secret](state) for each in found)


def test_what_a_seat_knows_stays() -> None:
    state = secretive().state
    for number in range(8):
        other = others(state, 0, number)

        assert replace(other.players[0], muted=False) == replace(state.players[0], muted=False)
        assert [stack[:1] for stack in other.stacks] == [stack[:1] for stack in state.stacks]
        assert [player.artefacts[5] for player in other.players] == [1] * 4
        assert other.ghosts[0].deck[0].kind == "action"
        assert canonical_json(GAME.view(other, Seat(0))) == canonical_json(GAME.view(state, Seat(0)))
        assert GAME.prompts(other) == GAME.prompts(state)


def test_open_holdings_are_seen_and_kept() -> None:
    """Spec §1, open_holdings."""
    state = secretive(options={"open_holdings": True}).state
    other = others(state, 0)

    assert [player.holdings for player in other.players] == [player.holdings for player in state.players]
    assert [player.artefacts for player in other.players] == [player.artefacts for player in state.players]
    assert other.players[1].hand != state.players[1].hand or other.spell_deck != state.spell_deck
    assert all(seat.treasures is not None for seat in GAME.view(state, Seat(0)).seats)
    assert all(seat.treasures is None for seat in GAME.view(secretive().state, None).seats)


def test_a_revealed_guard_is_kept() -> None:
    state = scene(steps=resolve("J"), own={0: "key"}, guard=3).state

    assert [others(state, 1, number).guard for number in range(5)] == [3] * 5
    assert GAME.view(state, Seat(1)).guard == 3


def test_who_searches_a_stack_knows_its_tiles() -> None:
    """I8: the stack under Choice or Rearrange; the others know nothing of it."""
    table = scene(
        steps=ROUND_START,
        spells={0: (15,)},
        own={1: "raven"},
        stacks={"K": "key key scroll mirror", "L": "amulet raven key"},
    ).play(cast(15), {"stack": "K"})
    state = table.state

    for number in range(8):
        own, public = others(state, 0, number), others(state, 1, number)
        assert sorted(own.stacks[0]) == sorted(state.stacks[0])
        assert GAME.prompts(own) == GAME.prompts(state)
        assert sorted(public.stacks[0]) == sorted(state.stacks[0])
        assert public.players[0].spells == state.players[0].spells
    assert any(others(state, 0, number).stacks[0] != state.stacks[0] for number in range(8))


def test_a_seat_asked_for_more_than_a_pass_keeps_its_secrets() -> None:
    """The prompt of another seat stays a real one."""
    table = secretive(steps=ROUND_START, spells={1: (20, 7)}, own={2: "amulet"}).play(cast(20))
    assert table.asked == (2, "respond")

    for number in range(5):
        assert others(table.state, 0, number).players[2].artefacts == table.state.players[2].artefacts


def test_after_the_end_everything_is_open() -> None:
    """I14."""
    state = replace(secretive().state, ended_by="round_cap", pending=(), guard_shown=False)
    public = GAME.view(state, None)

    assert replace(GAME.view(state, Seat(2)), viewer=None) == public
    assert public.guard == state.guard
    assert public.spell_deck == state.spell_deck
    assert public.treasure_deck == state.treasure_deck
    assert [seat.hand for seat in public.seats] == [player.hand for player in state.players]
    assert [seat.muted for seat in public.seats] == [False] * 4
    assert public.ghosts[0].stack == (9,)
    assert [card.number for card in public.ghosts[0].deck or ()] == [4, 20, 5, 6, 21]
    assert all(None not in stack.tiles for stack in public.stacks)
    assert all(each.number is not None for at in public.locations for each in at.tokens)
    assert others(state, None) == state


def test_a_view_tells_the_window_but_not_who_is_asked() -> None:
    """R68."""
    table = scene(steps=resolve("G"), own={1: "raven"}, tokens={"G": "0:5"})

    assert table.asked == (1, "window_action")
    assert table.view(0).window == "resolve"
    assert table.view(0).location == "G"
    assert begun(seats=3).view(None).window is None


def test_a_ghost_without_cards_has_no_back() -> None:
    table = scene(2, 1, steps=placement(), change=with_ghost("light", deck=(), finished=True))

    assert table.view(0).ghosts[0].deck_back is None
    assert others(table.state, 0).ghosts[0].deck == ()


def test_chance_is_hidden_but_for_the_start_and_the_ghosts_tiles() -> None:
    """Spec §9."""
    facts = [ChanceDrawn("C1", ("2",)), ChanceDrawn("C8", ("key",)), ChanceDrawn("C5", ("7",))]
    seen = [GAME.redact(fact, Seat(0)) for fact in facts]

    assert seen == [*facts[:2], ChanceDrawn("C5", None)]
    assert GAME.redact(RoundStarted(1), None) == RoundStarted(1)


def test_waiting_spells_and_powers_are_public() -> None:
    """Spec §8.2."""
    table = scene(
        2,
        1,
        steps=PHASE_TWO,
        tokens={"F": "0:1 0:2"},
        change=with_ghost("light", powers=(1,), charms=(3,), waiting=(18,)),
    )
    ghost = table.view(None).ghosts[0]

    assert (ghost.powers, ghost.charms, ghost.waiting) == (("key",), (3,), (18,))


def test_the_public_sees_no_number_of_a_face_down_token() -> None:
    table = scene(steps=placement()).play(place(9, "G"))

    assert [each.number for each in table.view(0).locations[6].tokens] == [9]
    assert [each.strength for each in table.view(1).locations[6].tokens] == [None]
    assert token("0.1.1")["token"] == table.view(1).locations[6].tokens[0].token
