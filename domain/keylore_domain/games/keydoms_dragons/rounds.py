"""The course of a round: set-up, windows, placement, end (spec §5.2 to §5.5, §5.10 to §5.14, §8)."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from keylore_domain.engine.moves import Decision
from keylore_domain.engine.seats import Seat, left_of
from keylore_domain.engine.steps import pop, push
from keylore_domain.games.keydoms_dragons import board, decisions, magic, treasury
from keylore_domain.games.keydoms_dragons.components import (
    ARTEFACTS,
    CASTLE,
    CAVES,
    GUARD_ROOM,
    KEY,
    KEYTOWN,
    LOCATIONS,
    MIRROR,
    ROOM_STACKS,
    STACKS,
    Location,
)
from keylore_domain.games.keydoms_dragons.effects import casting, ending, ghost_spells, ghost_turns, powers
from keylore_domain.games.keydoms_dragons.facts import (
    RoundStarted,
    SpellDisplayRenewed,
    StacksRedistributed,
    TileRevealed,
    WorkersPickedUp,
)
from keylore_domain.games.keydoms_dragons.moves import Cast, Key, Mirror, PassWindow, Place, Raven
from keylore_domain.games.keydoms_dragons.play import Play
from keylore_domain.games.keydoms_dragons.prompts import windows
from keylore_domain.games.keydoms_dragons.state import Ghost, GhostCard, Party, Player, State, Status

SHOWN_SPELLS: Final = 2  # foreknown (§5.14)
ACTION_CARDS: Final = tuple(GhostCard("action", number) for number in range(1, 13))

# -- round begin (§5.2) ------------------------------------------------------------------------------------


def begin_round(state: State, step: decisions.BeginRound, play: Play) -> State:
    """A new round is set out; its agenda follows."""
    state = replace(state, round=state.round + 1)
    play.note(RoundStarted(state.round))
    state = turn_tops(_redistributed(state, play), play)
    return push(set_out(state, play), *agenda(state))


def agenda(state: State) -> list[Decision]:
    """The steps of a round, the first on top."""
    order: list[Decision] = [
        decisions.OpenWindow("round_start"),
        decisions.Placement(state.start),
        decisions.GhostSpells(),
        decisions.OpenWindow("placement_end"),
        decisions.GhostRemovals(),
        *map(decisions.Resolve, CAVES),
        decisions.GhostMoonlight(),
        decisions.OpenWindow("after_caves"),
        *map(decisions.Resolve, (*KEYTOWN, GUARD_ROOM, *CASTLE)),
        decisions.OpenWindow("round_end"),
        decisions.EndRound(),
    ]
    return order[::-1]


def _redistributed(state: State, play: Play) -> State:
    """The last stack is dealt to several rooms (§5.11)."""
    filled = [tiles for tiles in state.stacks if tiles]
    if len(filled) != 1 or len(filled[0]) < 2:
        return state
    tiles = filled[0]
    rooms = min(len(tiles), state.parties, len(CASTLE))
    dealt = {ROOM_STACKS[room][0]: tiles[at::rooms] for at, room in enumerate(CASTLE[:rooms])}
    stacks = tuple(dealt.get(at, ()) for at in range(len(STACKS)))
    play.note(StacksRedistributed(tuple(map(len, stacks))))
    return replace(state, stacks=stacks, face_up=(False,) * len(STACKS))


def turn_tops(state: State, play: Play) -> State:
    """The top tile of every stack lies face up."""
    for at, tiles in enumerate(state.stacks):
        if tiles and not state.face_up[at]:
            play.note(TileRevealed(STACKS[at], ARTEFACTS[tiles[0]]))
    return replace(state, face_up=tuple(bool(tiles) for tiles in state.stacks))


def set_out(state: State, play: Play) -> State:
    """Guard, treasure card, ledges, spell display and the status of the locations."""
    guard = play.pick("C5", "guard", play.parts.guard_tiles.values)
    state = _fill(replace(state, guard=guard, guard_shown=False, phase="placement"), play)
    if state.options.foreknown:
        state = _renew_display(state, play)
    return replace(state, status=tuple(_status(state, at) for at in LOCATIONS))


def _fill(state: State, play: Play) -> State:
    if not state.treasure_deck:
        deck = play.shuffled("C3", "deck.treasures", state.treasure_used)
        state = replace(state, treasure_deck=deck, treasure_used=())
    card, *rest = state.treasure_deck
    values = play.parts.card(card).values()
    if play.parts.setup_by_parties.rows[state.parties].extra_ledge:
        values = treasury.with_extra_ledges(values, all_below=state.options.six_party_ledge == "all_below")
    state = replace(state, treasure_deck=tuple(rest), treasure_used=(*state.treasure_used, card))
    return treasury.fill_caves(replace(state, caves=((),) * len(CAVES)), values, play)


def _renew_display(state: State, play: Play) -> State:
    state = replace(state, spell_discard=state.spell_discard + state.display, display=())
    state, drawn = magic.draw_spells(state, SHOWN_SPELLS, play)
    play.note(SpellDisplayRenewed(drawn))
    return replace(state, display=drawn)


def _status(state: State, location: Location) -> Status:
    if location in CAVES:
        active = bool(treasury.cave_of(state, location))
    elif location in CASTLE:
        active = bool(board.stacks_of(state, location))
    else:
        active = location not in KEYTOWN[2:] or not state.options.muggles
    return "open" if active else "inactive"


# -- windows (§5.4) ----------------------------------------------------------------------------------------


def open_window(state: State, step: decisions.OpenWindow, play: Play) -> State:
    """The seats are asked from the start party on; there are no windows without magic (§5.13)."""
    if state.options.muggles:
        return state
    first = Seat(state.start) if board.is_seat(state, state.start) else Seat(0)
    return push(state, decisions.Window(step.window, step.location, first, 0))


def ask_window(state: State, step: decisions.Window, play: Play) -> State:
    """The next seat that can act is asked; the window closes when all have passed since the last action."""
    location = step.location
    if location is not None and board.is_shut(state, location):
        return state
    seat = step.seat
    for passed in range(step.passed, state.seats):
        if not state.players[seat].muted and windows.actions(state, seat, step.window, location):
            asking = replace(step, seat=seat, passed=passed)
            return push(state, asking, decisions.WindowAction(seat, step.window, location))
        seat = left_of(seat, state.seats)
    return state


WindowMove = PassWindow | Raven | Mirror | Key | Cast


def window_action(state: State, question: decisions.WindowAction, move: WindowMove, play: Play) -> State:
    """A seat passes or acts; after an action all passes are void."""
    seat = question.seat
    step = state.pending[-1]
    assert isinstance(step, decisions.Window)
    passed = step.passed + 1 if isinstance(move, PassWindow) else 0
    state = push(pop(state), replace(step, seat=left_of(seat, state.seats), passed=passed))
    if isinstance(move, PassWindow):
        muted = move.scope == "round"
        return board.with_player(state, seat, replace(state.players[seat], muted=muted))
    if isinstance(move, Cast):
        spell = decisions.Spell(seat, move.spell, question.window, question.location)
        return casting.begin(state, spell, play)
    assert question.location is not None
    return _use_artefact(state, seat, question.location, move, play)


def _use_artefact(
    state: State, seat: Seat, location: Location, move: Raven | Mirror | Key, play: Play
) -> State:
    if isinstance(move, Raven):
        return powers.use_raven(state, seat, location, play)
    if isinstance(move, Mirror):
        return board.add_copy(powers.invoke(state, seat, MIRROR, play), seat, move.token, play)
    return powers.use_key(powers.invoke(state, seat, KEY, play), seat)


# -- placement (§5.5, §8.4) --------------------------------------------------------------------------------


def placement(state: State, step: decisions.Placement, play: Play) -> State:
    """The next party with a worker to place has its turn."""
    for ahead in range(state.parties):
        party = (step.party + ahead) % state.parties
        if not _has_turn(state, party):
            continue
        following = decisions.Placement((party + 1) % state.parties)
        if board.is_seat(state, party):
            return push(state, following, decisions.PlaceWorker(Seat(party)))
        return _ghost_turn(push(state, following), party, play)
    return state


def _has_turn(state: State, party: Party) -> bool:
    if board.is_seat(state, party):
        return bool(state.players[party].hand)
    return not board.ghost_of(state, party).finished


def _ghost_turn(state: State, party: Party, play: Play) -> State:
    if not board.ghost_of(state, party).begun and not state.options.muggles:
        count = state.options.ghost_artefacts_per_round
        state, chosen = ghost_turns.turn_tiles(state, party, count, play)
        for tile in chosen:
            state = powers.empower(state, party, tile, play)
    return ghost_turns.draw_card(state, party, play)


def place_worker(state: State, question: decisions.PlaceWorker, move: Place | Cast, play: Play) -> State:
    """A seat places a worker, or casts first."""
    seat = question.seat
    if isinstance(move, Cast):
        return casting.begin(push(state, question), decisions.Spell(seat, move.spell, "turn"), play)
    player = state.players[seat]
    hand = tuple(number for number in player.hand if number != move.worker)
    state = board.with_player(state, seat, replace(player, hand=hand))
    return board.place(state, seat, move.location, move.worker, play)


def ghost_spells_step(state: State, step: decisions.GhostSpells, play: Play) -> State:
    """After the last placement the ghosts cast what they have drawn (§8.5)."""
    spells = step.spells if step.ordered else _drawn_spells(state)
    if not spells:
        return state
    spell, *rest = spells
    ghost = board.ghost_of(state, spell.caster)
    state = board.with_ghost(state, spell.caster, replace(ghost, waiting=ghost.waiting[1:]))
    state = push(state, decisions.GhostSpells(tuple(rest), ordered=True))
    return casting.announce(state, spell, play)


def _drawn_spells(state: State) -> tuple[decisions.Spell, ...]:
    return tuple(
        decisions.Spell(party, number, "placement_end")
        for party in board.turn_order(state)
        if not board.is_seat(state, party)
        for number in board.ghost_of(state, party).waiting
    )


def begin_resolution(state: State, step: decisions.GhostRemovals, play: Play) -> State:
    """Phase 2 begins."""
    return ghost_spells.remove_workers(replace(state, phase="resolution"), step, play)


# -- end of the round (§5.12, §8.6) ------------------------------------------------------------------------


def end_round(state: State, step: decisions.EndRound, play: Play) -> State:
    """Everything goes back to where it belongs; the cap may end the game (§7.4)."""
    play.note(WorkersPickedUp(state.round))
    state = treasury.clear_caves(state, CAVES, play)
    state = replace(
        state,
        tokens=(),
        players=tuple(rested(player, play) for player in state.players),
        spell_discard=state.spell_discard + state.spell_used,
        spell_used=(),
        taboo=(),
        substituted=(),
        curses=(),
        disclosure=(),
        cottage_locked=False,
        waiting=(),
        guard_shown=False,
    )
    for party in range(state.seats, state.parties):
        state = board.with_ghost(state, party, _rested_ghost(state, party, play))
    if state.round >= state.options.round_cap:
        return ending.end(state, "round_cap", play)
    return push(state, decisions.BeginRound())


def rested(player: Player, play: Play) -> Player:
    """*player* as a round begins: workers in hand, nothing invoked."""
    return Player(
        holdings=player.holdings,
        hand=play.parts.workers.numbers,
        artefacts=player.artefacts,
        spells=player.spells,
    )


def _rested_ghost(state: State, party: Party, play: Play) -> Ghost:
    ghost = board.ghost_of(state, party)
    name = board.party_name(state, party)
    spells = [card for card in ghost.deck if card.kind == "spell"]
    spells.extend(GhostCard("spell", number) for number in ghost.stack)
    deck = play.shuffled("C6", f"{name}.deck", (*ACTION_CARDS, *spells), card_name)
    counters = play.parts.ghosts.workers.counters
    return Ghost(counters=counters, deck=deck, artefacts=ghost.artefacts, face_up=ghost.face_up)


def card_name(card: GhostCard) -> str:
    """``action 7`` or ``spell 20``."""
    return f"{card.kind} {card.number}"


STEPS: Final[Mapping[type[Decision], Callable[[State, Any, Play], State]]] = {
    decisions.BeginRound: begin_round,
    decisions.OpenWindow: open_window,
    decisions.Window: ask_window,
    decisions.Placement: placement,
    decisions.GhostSpells: ghost_spells_step,
    decisions.GhostRemovals: begin_resolution,
    decisions.GhostMoonlight: ghost_spells.moonlight,
    decisions.EndRound: end_round,
}
ANSWERS: Final[Mapping[type[Decision], Callable[[State, Any, Any, Play], State]]] = {
    decisions.WindowAction: window_action,
    decisions.PlaceWorker: place_worker,
}
