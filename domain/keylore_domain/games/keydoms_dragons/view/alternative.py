"""Another position that a viewer cannot tell from this one (spec §9): what it may not know is dealt anew.

The seat that is being asked keeps what its legal moves depend on, so that its prompt stays a real one; only
in placement and in windows, where there is always something to answer, it is dealt anew like the others.
"""

from collections.abc import Sequence
from typing import Final, TypeVar

from msgspec.structs import replace

from keylore_domain.engine.chance import Chance
from keylore_domain.engine.moves import Asked
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydoms_dragons.components import TYPES, WAND, Counter, Parts
from keylore_domain.games.keydoms_dragons.effects import magic
from keylore_domain.games.keydoms_dragons.state import decisions
from keylore_domain.games.keydoms_dragons.state.position import Ghost, GhostCard, Player, State

T = TypeVar("T")
LABEL: Final = "alternative"
_FREE: Final = (decisions.PlaceWorker, decisions.WindowAction)


def alternative(parts: Parts, state: State, viewer: Seat | None, chance: Chance) -> State:
    """*state* with everything hidden from *viewer* dealt anew; after the end nothing is hidden."""
    if state.ended_by:
        return state
    seats = _hidden_seats(state, viewer)
    state = _deal_workers(state, seats, chance)
    state = _deal_ghost_workers(state, chance)
    state = _deal_spells(state, seats, chance)
    state = replace(state, ghosts=tuple(_with_deck(ghost, chance) for ghost in state.ghosts))
    state = _deal_tiles(state, seats, chance)
    if not state.options.open_holdings:
        state = _deal_treasures(state, seats, chance)
    state = _mute(state, seats, chance)
    guard = state.guard if state.guard_shown else chance.pick(LABEL, parts.guard_tiles.values)
    return replace(state, guard=guard, treasure_deck=chance.shuffled(LABEL, state.treasure_deck))


def _hidden_seats(state: State, viewer: Seat | None) -> list[int]:
    """The seats whose secrets are dealt anew."""
    question = state.pending[-1]
    asked = question.seat if isinstance(question, Asked) else None
    pinned = None if isinstance(question, _FREE) else asked
    return [seat for seat in range(state.seats) if seat not in {viewer, pinned}]


def _cut(items: Sequence[T], sizes: Sequence[int]) -> list[tuple[T, ...]]:
    """*items* in parts of these *sizes*."""
    rest, cut = tuple(items), []
    for size in sizes:
        cut.append(rest[:size])
        rest = rest[size:]
    return cut


def _with_players(state: State, changed: dict[int, Player]) -> State:
    return replace(state, players=tuple(changed.get(at, player) for at, player in enumerate(state.players)))


def _deal_workers(state: State, seats: list[int], chance: Chance) -> State:
    for seat in seats:
        player = state.players[seat]
        down = [token.number for token in state.tokens if token.owner == seat and not token.up]
        numbers = chance.shuffled(LABEL, (*player.hand, *player.out_hidden, *down))
        hand, out, left = _cut(numbers, (len(player.hand), len(player.out_hidden), len(down)))
        player = replace(player, hand=tuple(sorted(hand)), out_hidden=tuple(sorted(out)))
        state = _with_players(state, {seat: player})
        state = _renumber(state, seat, [Counter(0, number) for number in left])
    return state


def _renumber(state: State, party: int, counters: list[Counter]) -> State:
    """The face-down tokens of *party* get these numbers."""
    fresh = iter(counters)
    tokens = []
    for token in state.tokens:
        if token.owner == party and not token.up:
            counter = next(fresh)
            tokens.append(replace(token, number=counter.elsewhere, castle=counter.castle))
        else:
            tokens.append(token)
    return replace(state, tokens=tuple(tokens))


def _deal_ghost_workers(state: State, chance: Chance) -> State:
    ghosts = []
    for at, ghost in enumerate(state.ghosts):
        party = state.seats + at
        down = [Counter(t.castle, t.number) for t in state.tokens if t.owner == party and not t.up]
        dealt = chance.shuffled(LABEL, (*ghost.counters, *ghost.out_hidden, *down))
        counters, out, left = _cut(dealt, (len(ghost.counters), len(ghost.out_hidden), len(down)))
        ghosts.append(replace(ghost, counters=counters, out_hidden=out))
        state = _renumber(state, party, list(left))
    return replace(state, ghosts=tuple(ghosts))


def _deal_spells(state: State, seats: list[int], chance: Chance) -> State:
    """Spell deck, hands, and the ghosts' decks and stacks are one pool."""
    hands = [state.players[seat].spells for seat in seats]
    decks = [tuple(card.number for card in ghost.deck if card.kind == "spell") for ghost in state.ghosts]
    stacks = [ghost.stack for ghost in state.ghosts]
    parts = [state.spell_deck, *hands, *decks, *stacks]
    pool = chance.shuffled(LABEL, [card for part in parts for card in part])
    deck, *dealt = _cut(pool, [len(part) for part in parts])
    players = {
        seat: replace(state.players[seat], spells=tuple(sorted(hand)))
        for seat, hand in zip(seats, dealt[: len(seats)], strict=True)
    }
    ghost_decks = dealt[len(seats) : len(seats) + len(decks)]
    ghosts = tuple(
        replace(ghost, deck=_with_spells(ghost.deck, cards), stack=stack)
        for ghost, cards, stack in zip(
            state.ghosts, ghost_decks, dealt[len(seats) + len(decks) :], strict=True
        )
    )
    return _with_players(replace(state, spell_deck=deck, ghosts=ghosts), players)


def _with_spells(deck: tuple[GhostCard, ...], spells: tuple[int, ...]) -> tuple[GhostCard, ...]:
    fresh = iter(spells)
    return tuple(GhostCard("spell", next(fresh)) if card.kind == "spell" else card for card in deck)


def _with_deck(ghost: Ghost, chance: Chance) -> Ghost:
    """*ghost* with its deck in another order, the back of the top card as it was."""
    mixed = list(chance.shuffled(LABEL, ghost.deck))
    if not mixed:
        return ghost
    top = next(card for card in mixed if card.kind == ghost.deck[0].kind)
    mixed.remove(top)
    return replace(ghost, deck=(top, *mixed))


def _deal_tiles(state: State, seats: list[int], chance: Chance) -> State:
    """The tiles behind the screens and under the tops are one pool; a stack being searched is only mixed."""
    question = state.pending[-1]
    searched = question.stack if isinstance(question, decisions.ChooseFromStack) else -1
    owners = [] if state.options.open_holdings else seats
    held = [_hidden_tiles(state.players[seat]) for seat in owners]
    shown = [int(up) for up in state.face_up]
    below = [() if at == searched else tiles[shown[at] :] for at, tiles in enumerate(state.stacks)]
    parts = [*held, *below]
    pool = chance.shuffled(LABEL, [tile for part in parts for tile in part])
    dealt = _cut(pool, [len(part) for part in parts])
    stacks = tuple(
        _mixed(tiles, shown[at], chance) if at == searched else tiles[: shown[at]] + dealt[len(owners) + at]
        for at, tiles in enumerate(state.stacks)
    )
    players = {
        seat: _with_tiles(state.players[seat], tiles)
        for seat, tiles in zip(owners, dealt[: len(owners)], strict=True)
    }
    return _with_players(replace(state, stacks=stacks), players)


def _hidden_tiles(player: Player) -> tuple[int, ...]:
    return tuple(tile for tile in range(WAND) for _ in range(magic.unused(player, tile)))


def _mixed(tiles: tuple[int, ...], shown: int, chance: Chance) -> tuple[int, ...]:
    return tiles[:shown] + chance.shuffled(LABEL, tiles[shown:])


def _with_tiles(player: Player, tiles: tuple[int, ...]) -> Player:
    counts = tuple(player.invoked[tile] + tiles.count(tile) for tile in range(WAND))
    return replace(player, artefacts=(*counts, player.artefacts[WAND]))


def _deal_treasures(state: State, seats: list[int], chance: Chance) -> State:
    columns = [
        chance.shuffled(LABEL, [state.players[seat].holdings[kind] for seat in seats])
        for kind in range(len(TYPES))
    ]
    players = {
        seat: replace(state.players[seat], holdings=tuple(column[at] for column in columns))
        for at, seat in enumerate(seats)
    }
    return _with_players(state, players)


def _mute(state: State, seats: list[int], chance: Chance) -> State:
    """A standing pass is private."""
    if state.options.muggles:
        return state
    players = {seat: replace(state.players[seat], muted=bool(chance.below(LABEL, 2))) for seat in seats}
    return _with_players(state, players)
