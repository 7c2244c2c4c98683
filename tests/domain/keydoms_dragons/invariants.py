"""The invariants of keydoms-dragons §11 that a single position must keep."""

from collections import Counter

from keylore_domain.games.keydoms_dragons.components import (
    CASTLE,
    COUNTERS,
    LOCATIONS,
    RAVEN,
    UNITS,
    WAND,
)
from keylore_domain.games.keydoms_dragons.effects.treasury import worth
from keylore_domain.games.keydoms_dragons.rules import KeydomsDragons
from keylore_domain.games.keydoms_dragons.state import board, decisions
from keylore_domain.games.keydoms_dragons.state.position import NOTHING, State

LARGEST_LIST = 299


def check(game: KeydomsDragons, state: State) -> None:
    """Every invariant of *state*."""
    _treasure_is_conserved(state)
    _tiles_are_conserved(state)
    _workers_are_conserved(game, state)
    _spells_are_conserved(state)
    _cards_are_conserved(game, state)
    _invocations_are_limited(state)
    _tokens_stand_where_they_may(state)
    _ghosts_are_in_order(state)
    _prompts_are_real(game, state)


def _treasure_is_conserved(state: State) -> None:
    """I1."""
    ledges = [worth(ledge) for cave in state.caves for ledge in cave]
    held = [player.holdings for player in state.players]
    totals = [sum(column) for column in zip(NOTHING, state.treasury, *held, *ledges, strict=True)]
    assert totals == [UNITS] * 5
    assert min(min(vector) for vector in (state.treasury, *held)) >= 0


def _tiles_are_conserved(state: State) -> None:
    """I2."""
    parties = state.parties
    tiles = Counter(tile for stack in state.stacks for tile in stack)
    owned = [player.artefacts for player in state.players] + [ghost.artefacts for ghost in state.ghosts]
    for counts in owned:
        assert counts[WAND] == 1
        assert min(counts) >= 0
        tiles.update({tile: count for tile, count in enumerate(counts) if count})
    assert tiles == Counter(dict.fromkeys(range(6), parties))
    assert all(bool(stack) or not up for stack, up in zip(state.stacks, state.face_up, strict=True))


def _workers_are_conserved(game: KeydomsDragons, state: State) -> None:
    """I3."""
    numbers = list(game.parts.workers.numbers)
    workers = [token for token in state.tokens if token.kind == "worker"]
    for seat, player in enumerate(state.players):
        placed = [token.number for token in workers if token.owner == seat]
        assert sorted((*player.hand, *player.out_shown, *player.out_hidden, *placed)) == numbers
        assert list(player.hand) == sorted(player.hand)
    counters = Counter(game.parts.ghosts.workers.counters)
    for at, ghost in enumerate(state.ghosts):
        placed_counters = [(t.castle, t.number) for t in workers if t.owner == state.seats + at]
        off = [(c.castle, c.elsewhere) for c in (*ghost.counters, *ghost.out_shown, *ghost.out_hidden)]
        assert Counter(placed_counters + off) == Counter((c.castle, c.elsewhere) for c in counters.elements())
        assert ghost.placed == COUNTERS - len(ghost.counters)


def _spells_are_conserved(state: State) -> None:
    """I4."""
    found = [*state.spell_deck, *state.spell_discard, *state.spell_used, *state.display]
    found.extend(card for player in state.players for card in player.spells)
    for ghost in state.ghosts:
        found.extend((*ghost.stack, *ghost.waiting))
        found.extend(card.number for card in ghost.deck if card.kind == "spell")
    for step in state.pending:
        if isinstance(step, decisions.ChooseSpell):
            found.extend(step.spells)
        if isinstance(step, decisions.TakeEffect) and not board.is_seat(state, step.spell.caster):
            found.append(step.spell.number)
    expected = [number for number in range(1, 22) if not (state.ghosts and number in {5, 6})]
    assert sorted(found) == ([] if state.options.muggles else expected)


def _cards_are_conserved(game: KeydomsDragons, state: State) -> None:
    """I5."""
    cards = sorted(card.id for card in game.parts.cards(state.parties))
    assert sorted((*state.treasure_deck, *state.treasure_used)) == cards
    assert state.guard in game.parts.guard_tiles.values


def _invocations_are_limited(state: State) -> None:
    """I6."""
    for player in state.players:
        assert sum(player.invoked) <= player.inv_max <= 2
        assert all(used <= owned for used, owned in zip(player.invoked, player.artefacts, strict=True))
        assert not (state.options.muggles and any(player.invoked))


def _tokens_stand_where_they_may(state: State) -> None:
    """I7, I15."""
    names = [token.id for token in state.tokens]
    assert len(names) == len(set(names))
    resolved = state.status[LOCATIONS.index("J")] == "closed"
    for token in state.tokens:
        assert state.status[LOCATIONS.index(token.location)] != "inactive"
        if resolved and token.location in CASTLE and board.is_seat(state, token.owner):
            assert state.players[token.owner].admitted != "no" or _is_being_admitted(state, token.owner)
        assert board.is_seat(state, token.owner) or token.location != "J"
        assert token.up or token.kind == "worker"
        if token.kind == "mirror":
            original = board.token_of(state, token.of)
            assert (original.location, original.owner) == (token.location, token.owner)
            assert original.kind != "mirror"


def _is_being_admitted(state: State, seat: int) -> bool:
    return any(isinstance(step, decisions.Admit) and step.seat == seat for step in state.pending)


def _ghosts_are_in_order(state: State) -> None:
    """§8.2, §8.4: at most seven workers without a raven, action cards all there."""
    for ghost in state.ghosts:
        actions = [card.number for card in ghost.deck if card.kind == "action"]
        assert sorted((*actions, *ghost.discards)) == list(range(1, 13))
        assert ghost.placed <= COUNTERS - (RAVEN not in ghost.powers)
        assert all(up <= owned for up, owned in zip(ghost.face_up, ghost.artefacts, strict=True))


def _prompts_are_real(game: KeydomsDragons, state: State) -> None:
    """I9."""
    prompts = game.prompts(state)
    assert len(prompts) == (0 if state.ended_by else 1)
    for prompt in prompts:
        assert 2 <= len(prompt.legal) <= LARGEST_LIST
        assert len(set(prompt.legal)) == len(prompt.legal)
        assert 0 <= prompt.default < len(prompt.legal)
        assert prompt.hidden == (prompt.kind in {"window_action", "respond"})
