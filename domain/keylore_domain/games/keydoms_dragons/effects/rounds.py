"""The course of a round: set-up, windows, placement, end (spec §5.2 to §5.5, §5.10 to §5.14, §8)."""

from typing import Final, assert_never

from msgspec.structs import replace

from keylore_domain.engine.moves import Decision
from keylore_domain.engine.seats import Seat, left_of
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
    TYPES,
    Location,
)
from keylore_domain.games.keydoms_dragons.effects import (
    casting,
    ending,
    ghost_spells,
    ghost_turns,
    magic,
    powers,
    treasury,
)
from keylore_domain.games.keydoms_dragons.facts import (
    RoundStarted,
    SpellDisplayRenewed,
    StacksRedistributed,
    TileRevealed,
    WorkersPickedUp,
)
from keylore_domain.games.keydoms_dragons.moves import Cast, Key, Mirror, PassWindow, Place, Raven, TakeTypes
from keylore_domain.games.keydoms_dragons.play import Play, add_copy, place
from keylore_domain.games.keydoms_dragons.prompts import windows
from keylore_domain.games.keydoms_dragons.state import board, decisions
from keylore_domain.games.keydoms_dragons.state.position import Ghost, GhostCard, Party, Player, State, Status

SHOWN_SPELLS: Final = 2  # foreknown (§5.14)
ACTION_CARDS: Final = tuple(GhostCard("action", number) for number in range(1, 13))

# -- set-up (§4) -------------------------------------------------------------------------------------------


def choose_start_treasures(play: Play, question: decisions.ChooseStartTreasures, move: TakeTypes) -> None:
    """Three units of different types."""
    treasury.receive(play, question.seat, tuple(int(name in move.take) for name in TYPES))


# -- round begin (§5.2) ------------------------------------------------------------------------------------


def begin_round(play: Play, _step: decisions.BeginRound) -> None:
    """A new round is set out; its agenda follows."""
    play.change(round=play.state.round + 1)
    play.note(RoundStarted(play.state.round))
    _redistribute(play)
    turn_tops(play)
    set_out(play)
    play.push(*agenda(play.state))


def agenda(state: State) -> tuple[Decision, ...]:
    """The steps of a round, in their order."""
    return (
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
    )


def _redistribute(play: Play) -> None:
    """The last stack is dealt to several rooms (§5.11)."""
    filled = [tiles for tiles in play.state.stacks if tiles]
    if len(filled) != 1 or len(filled[0]) < 2:
        return
    tiles = filled[0]
    rooms = min(len(tiles), play.state.parties, len(CASTLE))
    dealt = {ROOM_STACKS[room][0]: tiles[at::rooms] for at, room in enumerate(CASTLE[:rooms])}
    stacks = tuple(dealt.get(at, ()) for at in range(len(STACKS)))
    play.note(StacksRedistributed(tuple(map(len, stacks))))
    play.change(stacks=stacks, face_up=(False,) * len(STACKS))


def turn_tops(play: Play) -> None:
    """The top tile of every stack lies face up."""
    stacks = play.state.stacks
    for at, tiles in enumerate(stacks):
        if tiles and not play.state.face_up[at]:
            play.note(TileRevealed(STACKS[at], ARTEFACTS[tiles[0]]))
    play.change(face_up=tuple(bool(tiles) for tiles in stacks))


def set_out(play: Play) -> None:
    """Guard, treasure card, ledges, spell display and the status of the locations."""
    guard = play.picked("C5", "guard", play.parts.guard_tiles.values)
    play.change(guard=guard, guard_shown=False, phase="placement")
    _fill(play)
    if play.state.options.foreknown:
        _renew_display(play)
    play.change(status=tuple(_status(play.state, at) for at in LOCATIONS))


def _fill(play: Play) -> None:
    if not play.state.treasure_deck:
        deck = play.shuffled("C3", "deck.treasures", play.state.treasure_used)
        play.change(treasure_deck=deck, treasure_used=())
    state = play.state
    card, *rest = state.treasure_deck
    values = play.parts.card(card).values()
    if play.parts.setup_by_parties.rows[state.parties].extra_ledge:
        values = treasury.with_extra_ledges(values, all_below=state.options.six_party_ledge == "all_below")
    used = (*state.treasure_used, card)
    play.change(treasure_deck=tuple(rest), treasure_used=used, caves=((),) * len(CAVES))
    treasury.fill_caves(play, values)


def _renew_display(play: Play) -> None:
    play.change(spell_discard=play.state.spell_discard + play.state.display, display=())
    drawn = magic.draw_spells(play, SHOWN_SPELLS)
    play.note(SpellDisplayRenewed(drawn))
    play.change(display=drawn)


def _status(state: State, location: Location) -> Status:
    if location in CAVES:
        active = bool(treasury.cave_of(state, location))
    elif location in CASTLE:
        active = bool(board.stacks_of(state, location))
    else:
        active = location not in KEYTOWN[2:] or not state.options.muggles
    return "open" if active else "inactive"


# -- windows (§5.4) ----------------------------------------------------------------------------------------


def open_window(play: Play, step: decisions.OpenWindow) -> None:
    """The seats are asked from the start party on; there are no windows without magic (§5.13)."""
    state = play.state
    if not state.options.muggles:
        first = Seat(state.start) if board.is_seat(state, state.start) else Seat(0)
        play.push(decisions.Window(step.window, step.location, first, 0))


def ask_window(play: Play, step: decisions.Window) -> None:
    """The next seat that can act is asked; the window closes when all have passed since the last action."""
    state, location = play.state, step.location
    if location is not None and board.is_shut(state, location):
        return
    seat = step.seat
    for passed in range(step.passed, state.seats):
        if not state.players[seat].muted and windows.actions(state, seat, step.window, location):
            asking = replace(step, seat=seat, passed=passed)
            play.push(decisions.WindowAction(seat, step.window, location), asking)
            return
        seat = left_of(seat, state.seats)


WindowMove = PassWindow | Raven | Mirror | Key | Cast


def window_action(play: Play, question: decisions.WindowAction, move: WindowMove) -> None:
    """A seat passes or acts; after an action all passes are void."""
    seat = question.seat
    step = play.stack.pop()
    assert isinstance(step, decisions.Window)
    passed = step.passed + 1 if isinstance(move, PassWindow) else 0
    play.push(replace(step, seat=left_of(seat, play.state.seats), passed=passed))
    if isinstance(move, PassWindow):
        play.change_player(seat, muted=move.scope == "round")
    elif isinstance(move, Cast):
        casting.begin(play, decisions.Spell(seat, move.spell, question.window, question.location))
    else:
        assert question.location is not None
        _use_artefact(play, seat, question.location, move)


def _use_artefact(play: Play, seat: Seat, location: Location, move: Raven | Mirror | Key) -> None:
    match move:
        case Raven():
            powers.use_raven(play, seat, location)
        case Mirror():
            powers.invoke(play, seat, MIRROR)
            add_copy(play, seat, move.token)
        case Key():
            powers.invoke(play, seat, KEY)
            powers.use_key(play, seat)
        case _:
            assert_never(move)


# -- placement (§5.5, §8.4) --------------------------------------------------------------------------------


def placement(play: Play, step: decisions.Placement) -> None:
    """The next party with a worker to place has its turn."""
    state = play.state
    for ahead in range(state.parties):
        party = (step.party + ahead) % state.parties
        if not _has_turn(state, party):
            continue
        play.push(decisions.Placement((party + 1) % state.parties))
        if board.is_seat(state, party):
            play.push(decisions.PlaceWorker(Seat(party)))
        else:
            _ghost_turn(play, party)
        return


def _has_turn(state: State, party: Party) -> bool:
    if board.is_seat(state, party):
        return bool(state.players[party].hand)
    return not board.ghost_of(state, party).finished


def _ghost_turn(play: Play, party: Party) -> None:
    options = play.state.options
    if not play.ghost(party).begun and not options.muggles:
        for tile in ghost_turns.turn_tiles(play, party, options.ghost_artefacts_per_round):
            powers.empower(play, party, tile)
    ghost_turns.draw_card(play, party)


def place_worker(play: Play, question: decisions.PlaceWorker, move: Place | Cast) -> None:
    """A seat places a worker, or casts first."""
    seat = question.seat
    if isinstance(move, Cast):
        play.push(question)
        casting.begin(play, decisions.Spell(seat, move.spell, "turn"))
        return
    play.change_player(seat, hand=tuple(n for n in play.player(seat).hand if n != move.worker))
    place(play, seat, move.location, move.worker)


def cast_ghost_spells(play: Play, step: decisions.GhostSpells) -> None:
    """After the last placement the ghosts cast what they have drawn (§8.5)."""
    spells = step.spells if step.ordered else _drawn_spells(play.state)
    if spells:
        spell, *rest = spells
        play.change_ghost(spell.caster, waiting=play.ghost(spell.caster).waiting[1:])
        play.push(decisions.GhostSpells(tuple(rest), ordered=True))
        casting.announce(play, spell)


def _drawn_spells(state: State) -> tuple[decisions.Spell, ...]:
    return tuple(
        decisions.Spell(party, number, "placement_end")
        for party in board.turn_order(state)
        if not board.is_seat(state, party)
        for number in board.ghost_of(state, party).waiting
    )


def begin_resolution(play: Play, _step: decisions.GhostRemovals) -> None:
    """Phase 2 begins."""
    play.change(phase="resolution")
    ghost_spells.remove_workers(play)


# -- end of the round (§5.12, §8.6) ------------------------------------------------------------------------


def end_round(play: Play, _step: decisions.EndRound) -> None:
    """Everything goes back to where it belongs; the cap may end the game (§7.4)."""
    play.note(WorkersPickedUp(play.state.round))
    treasury.clear_caves(play, CAVES)
    state = play.state
    play.change(
        tokens=(),
        players=tuple(_rested(player, play) for player in state.players),
        ghosts=tuple(_rested_ghost(party, play) for party in range(state.seats, state.parties)),
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
    if state.round >= state.options.round_cap:
        ending.end(play, "round_cap")
    else:
        play.push(decisions.BeginRound())


def _rested(player: Player, play: Play) -> Player:
    """*player* as a round begins: workers in hand, nothing invoked."""
    return Player(
        holdings=player.holdings,
        hand=play.parts.workers.numbers,
        artefacts=player.artefacts,
        spells=player.spells,
    )


def _rested_ghost(party: Party, play: Play) -> Ghost:
    ghost = play.ghost(party)
    spells = [card for card in ghost.deck if card.kind == "spell"]
    spells.extend(GhostCard("spell", number) for number in ghost.stack)
    deck = play.shuffled("C6", f"{play.name(party)}.deck", (*ACTION_CARDS, *spells), card_name)
    counters = play.parts.ghosts.workers.counters
    return Ghost(counters=counters, deck=deck, artefacts=ghost.artefacts, face_up=ghost.face_up)


def card_name(card: GhostCard) -> str:
    """``action 7`` or ``spell 20``."""
    return f"{card.kind} {card.number}"
