"""What holds in every position of Keydom (specification, section 11)."""

from collections import Counter

from keylore_domain.engine.prompts import Prompt
from keylore_domain.games.keydom.components.names import (
    COUNTRY,
    NUMBERS,
    SMITHS,
    TILES,
    TRACK_LOCATIONS,
    vector,
)
from keylore_domain.games.keydom.moves import Buy, Pay, PayKeywood
from keylore_domain.games.keydom.rules import Keydom
from keylore_domain.games.keydom.scoring import KeydomOutcome
from keylore_domain.games.keydom.state.decisions import CARD_HOLDERS, PayPrice
from keylore_domain.games.keydom.state.position import State, Token


def check(game: Keydom, state: State) -> None:
    """Assert the invariants that can be seen in one position."""
    _check_cubes(game, state)
    _check_tiles(game, state)
    _check_counters(state)
    _check_spells(game, state)
    _check_board(game, state)
    _check_phase(state)
    _check_prompts(game, state)
    _check_end(game, state)


def _check_cubes(game: Keydom, state: State) -> None:
    """Invariant 1."""
    for at in range(5):
        held = [family.cubes[at] for family in state.families]
        assert min(held) >= 0
        assert state.stock[at] >= 0
        assert sum(held) + state.stock[at] == game.parts.data.cubes.per_colour


def _check_tiles(game: Keydom, state: State) -> None:
    """Invariant 2."""
    for tile, entry, pile in zip(TILES, game.parts.data.tiles, state.piles, strict=True):
        owners = sum(tile in family.tiles for family in state.families)
        assert owners + pile == (entry.copies if tile in state.required else 0)
        assert pile >= 0
    for family in state.families:
        assert family.tiles == tuple(tile for tile in TILES if tile in family.tiles)


def _check_counters(state: State) -> None:
    """Invariant 3."""
    for seat, family in enumerate(state.families):
        side = (1,) if family.side else ()
        returned = (item.number for item in family.returned)
        placed = (token.number for token in state.board if token.owner == seat)
        assert sorted((*side, *family.hand, *family.bid, *returned, *placed)) == list(NUMBERS)
        assert family.hand == tuple(sorted(family.hand))
    ids = [token.token for token in state.board]
    assert len(ids) == len(set(ids))
    assert list(state.board) == sorted(state.board, key=lambda item: (item.owner, item.placed_round, item.k))


def _check_spells(game: Keydom, state: State) -> None:
    """Invariant 4."""
    casting = [item.spell for item in state.pending if isinstance(item, CARD_HOLDERS)]
    held = [spell for family in state.families for spell in family.spells]
    cards = Counter([*state.deck, *(card for card in state.market if card), *held, *casting])
    excluded = ("second_sight", "open_book") if state.options.face_up_counters else ()
    expected = [card for card in game.parts.cards if card not in excluded] if state.options.spells else []
    assert cards == Counter(expected)
    for family in state.families:
        assert len(family.spells) <= 2


def _check_board(game: Keydom, state: State) -> None:
    """Invariants 5 and 8, and where tokens can be."""
    for location in state.in_play:
        spaces = [token.space for token in _now(state) if token.location == location and token.space]
        if location in COUNTRY:
            assert len(spaces) <= (8 if state.options.no_supervisors else 9)
            assert all(
                count <= (1 if space == "supervisor" else 2) for space, count in Counter(spaces).items()
            )
        else:
            assert len(spaces) == len(set(spaces))
            assert len(spaces) <= game.parts.spaces[location]
        if location in SMITHS or location in ("soldiers", "priest", "outlaws", "chamber"):
            assert len(spaces) <= 1
    for location in TRACK_LOCATIONS:
        tracks = [token.track for token in state.board if token.location == location and token.track]
        assert len(tracks) == len(set(tracks))
    for token in state.board:
        assert token.location in state.in_play
        assert token.eff >= 0
        if token.placed_round < state.round:
            assert (token.track in (1, 2, 3), token.face, token.modifier) == (True, "up", 0)
            assert token.location in TRACK_LOCATIONS


def _now(state: State) -> list[Token]:
    return [token for token in state.board if token.placed_round == state.round]


def _check_phase(state: State) -> None:
    """Invariants 6, 7 and 11."""
    seats = len(state.families)
    if state.phase in ("setup", "bid", "place"):
        assert all(family.returned == () for family in state.families)
        assert all(token.track in (0, 1, 2) for token in state.board)
        bidding = state.round == 1 or state.options.turn_marker_bidding
        assert bidding or all(family.bid == () for family in state.families)
    if state.phase == "resolve":
        assert all(family.hand == () for family in state.families)
        assert state.visit is not None
        assert len(state.visit.failed) <= 5 * (seats - 1)
    if state.phase != "place":
        assert not any(family.plays_open for family in state.families)
        assert state.closed == ()


def _check_prompts(game: Keydom, state: State) -> None:
    """Invariants 9, 12 and 16."""
    prompts = game.prompts(state)
    assert len(prompts) <= 1 or {prompt.kind for prompt in prompts} == {"bid_counter"}
    assert [prompt.seat for prompt in prompts] == sorted({prompt.seat for prompt in prompts})
    for prompt in prompts:
        assert 2 <= len(prompt.legal) <= 300
        assert len(set(prompt.legal)) == len(prompt.legal)
        assert 0 <= prompt.default < len(prompt.legal)
        assert {type(move) for move in prompt.legal} <= set(game.move_types[prompt.kind])
        _check_payments(game, state, prompt)


def _check_payments(game: Keydom, state: State, prompt: Prompt[object]) -> None:
    pattern = _price(game, state, prompt.kind)
    for move in prompt.legal:
        if isinstance(move, Pay | Buy | PayKeywood):
            paid = vector(move.payment)
            assert all(a <= b for a, b in zip(paid, state.families[prompt.seat].cubes, strict=True))
            assert sum(paid) == len(pattern)
            if "x" not in pattern:
                counts = sorted(count for count in paid if count)
                assert counts == sorted(Counter(pattern).values())


def _price(game: Keydom, state: State, kind: str) -> str:
    if kind in ("purchase_tile", "keywood_pay"):
        assert state.visit is not None
        return game.parts.pattern(state.visit.location)
    asked = state.pending[-1]
    return asked.pattern if isinstance(asked, PayPrice) else ""


def _check_end(game: Keydom, state: State) -> None:
    """Invariants 10 and 17."""
    outcome = game.outcome(state)
    assert (outcome is None) == bool(game.prompts(state))
    if outcome is None:
        assert state.ended_by is None
        return
    assert state.pending == ()
    assert state.phase == "over"
    _check_ranks(state, outcome)


def _check_ranks(state: State, outcome: KeydomOutcome) -> None:
    ranks = [result.rank for result in outcome.seats]
    keys = [(result.tiles, result.lore, result.cubes, result.counters) for result in outcome.seats]
    if state.keymaster is not None:
        assert outcome.ended_by == "keymaster"
        assert state.families[state.keymaster].tiles == state.required
        assert ranks.count(1) == 1
        assert ranks[state.keymaster] == 1
        assert outcome.seats[state.keymaster].score == len(state.required) + 1
    else:
        assert outcome.ended_by == "round_cap"
        assert state.round == state.options.round_cap
    losers = [seat for seat in range(len(ranks)) if seat != state.keymaster]
    for seat in losers:
        better = sum(keys[other] > keys[seat] for other in losers)
        assert ranks[seat] == 1 + better + (state.keymaster is not None)
