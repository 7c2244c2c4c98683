"""What the caves, Keytown and the guard room give, L1 to L6 (spec §6.1, §8.8)."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from keylore_domain.engine.moves import Decision
from keylore_domain.engine.seats import Seat
from keylore_domain.engine.steps import push
from keylore_domain.games.keydoms_dragons import board, decisions, magic, treasury
from keylore_domain.games.keydoms_dragons.components import (
    CASTLE,
    CAVES,
    GUARD_ROOM,
    KEYTOWN,
    Location,
)
from keylore_domain.games.keydoms_dragons.effects import castle
from keylore_domain.games.keydoms_dragons.facts import (
    CottageLocked,
    GhostEffect,
    GuardRevealed,
    LocationClosed,
    LocationRanked,
    SeatAdmitted,
    SeatRefused,
    SecondInvocationGained,
    SpellsOffered,
    StartPlayerSet,
)
from keylore_domain.games.keydoms_dragons.moves import (
    Bribe,
    ChooseParty,
    Decline,
    Exchange,
    KeepSpell,
)
from keylore_domain.games.keydoms_dragons.play import Play
from keylore_domain.games.keydoms_dragons.state import NOBODY, Party, State

OFFERED: Final = 2  # spell cards at the roundhouse

# -- resolving (§5.9) --------------------------------------------------------------------------------------


def resolve(state: State, step: decisions.Resolve, play: Play) -> State:
    """The location is revealed; its window, its rewards and its closing follow."""
    location = step.location
    if not board.is_open(state, location):
        return state
    state = replace(board.with_status(state, location, "resolving"), location=location)
    if location == GUARD_ROOM:
        state = replace(state, guard_shown=True)
        play.note(GuardRevealed(magic.guard_strength(state)))
    state = board.reveal(state, location, play)
    window = () if state.options.muggles else (decisions.OpenWindow("resolve", location),)
    return push(state, decisions.Close(location), decisions.Rank(location), *window)


def rank(state: State, step: decisions.Rank, play: Play) -> State:
    """The parties present are ranked, and get what the location gives."""
    location = step.location
    if board.is_shut(state, location):
        return state
    if location == GUARD_ROOM:
        return push(state, decisions.Guard(board.player_order(state)))
    ranked = board.ranking(state, location)
    if not ranked:
        return state
    order = tuple(party for party, _ in ranked)
    names = tuple(board.party_name(state, party) for party in order)
    play.note(LocationRanked(location, names, tuple(strength for _, strength in ranked)))
    if location in CAVES:
        return _share_cave(state, location, order, play)
    if location in CASTLE:
        return castle.open_offers(state, location, order)
    return KEYTOWN_BENEFITS[location](state, order, play)


def close(state: State, step: decisions.Close, play: Play) -> State:
    """The location is done with for this round."""
    state = replace(state, location=None)
    if board.is_shut(state, step.location):
        return state
    play.note(LocationClosed(step.location))
    return board.with_status(state, step.location, "closed")


def benefit(state: State, step: decisions.Benefit, play: Play) -> State:
    """A sole winner's reward (S16, GS16)."""
    return KEYTOWN_BENEFITS[step.location](state, (step.party,), play)


# -- L1 to L5 ----------------------------------------------------------------------------------------------


def _share_cave(state: State, cave: Location, order: tuple[Party, ...], play: Play) -> State:
    """L1: each ledge with treasure goes to one party, in order (GL-A)."""
    filled = [at for at, ledge in enumerate(treasury.cave_of(state, cave)) if ledge]
    for party, at in zip(order, filled, strict=False):
        state = treasury.take_ledge(state, cave, at, party, play)
    return state


def _stables(state: State, order: tuple[Party, ...], play: Play) -> State:
    """L2: the winner names the start party; a ghost takes the marker itself (GL-F)."""
    winner = order[0]
    if board.is_seat(state, winner):
        return push(state, decisions.ChooseStartPlayer(Seat(winner)))
    play.note(GhostEffect("GL-F", board.party_name(state, winner)))
    if state.start == winner:
        return state if state.options.muggles else magic.draw_for(state, winner, play)
    return _set_start(state, winner, play)


def _set_start(state: State, party: Party, play: Play) -> State:
    play.note(StartPlayerSet(board.party_name(state, party)))
    return replace(state, start=party)


def choose_start_player(
    state: State, question: decisions.ChooseStartPlayer, move: ChooseParty, play: Play
) -> State:
    """L2."""
    return _set_start(state, board.party_of(state, move.party), play)


def _market(state: State, order: tuple[Party, ...], play: Play) -> State:
    """L3: the winner may exchange one unit for three; a ghost gains a spell card (GL-G)."""
    winner = order[0]
    if not board.is_seat(state, winner):
        play.note(GhostEffect("GL-G", board.party_name(state, winner)))
        return state if state.options.muggles else magic.draw_for(state, winner, play)
    if state.players[winner].units and any(state.treasury):
        return push(state, decisions.MarketExchange(Seat(winner)))
    return state


def market_exchange(
    state: State, question: decisions.MarketExchange, move: Exchange | Decline, play: Play
) -> State:
    """L3."""
    if isinstance(move, Decline):
        return state
    state = treasury.pay(state, question.seat, NOBODY, treasury.of_type(move.give, 1), play)
    return treasury.receive(state, question.seat, treasury.vector_of(move.take), play)


def _cottage(state: State, order: tuple[Party, ...], play: Play) -> State:
    """L4: a second invocation; a ghost locks all artefacts but the wand (GL-H)."""
    winner = order[0]
    name = board.party_name(state, winner)
    if not board.is_seat(state, winner):
        play.note(CottageLocked(name))
        return replace(state, cottage_locked=True)
    play.note(SecondInvocationGained(name))
    player = replace(state.players[winner], inv_max=2, muted=False)
    return board.with_player(state, winner, player)


def _roundhouse(state: State, order: tuple[Party, ...], play: Play) -> State:
    """L5: two spell cards, one for the winner and one for the second; alone: under the deck (GL-I)."""
    winner, second = order[0], order[1] if len(order) > 1 else NOBODY
    if state.options.foreknown:
        state, drawn = replace(state, display=()), state.display
    else:
        state, drawn = magic.draw_spells(state, OFFERED, play)
    if len(drawn) < OFFERED:
        return magic.gain_spell(state, winner, drawn[0], play) if drawn else state
    if board.is_seat(state, winner):
        play.note(SpellsOffered(winner, drawn, state.options.foreknown))
        return push(state, decisions.ChooseSpell(Seat(winner), drawn, second))
    name = board.party_name(state, winner)
    kept = play.pick("C9", f"{name}.roundhouse", drawn)
    return _share_spells(state, (winner, second), kept, drawn, play)


def choose_spell(state: State, question: decisions.ChooseSpell, move: KeepSpell, play: Play) -> State:
    """L5."""
    return _share_spells(state, (question.seat, question.second), move.keep, question.spells, play)


def _share_spells(
    state: State, parties: tuple[Party, Party], kept: int, drawn: tuple[int, ...], play: Play
) -> State:
    winner, second = parties
    (other,) = (card for card in drawn if card != kept)
    state = magic.gain_spell(state, winner, kept, play)
    if second == NOBODY:
        return replace(state, spell_deck=(*state.spell_deck, other))
    giver = Seat(winner) if board.is_seat(state, winner) else None
    return magic.gain_spell(state, second, other, play, giver)


Benefits = Callable[[State, tuple[Party, ...], Play], State]
KEYTOWN_BENEFITS: Final[Mapping[Location, Benefits]] = dict(
    zip(KEYTOWN, (_stables, _market, _cottage, _roundhouse), strict=True)
)

# -- L6 ----------------------------------------------------------------------------------------------------


def guard(state: State, step: decisions.Guard, play: Play) -> State:
    """Each seat passes by key or strength, may bribe, or is refused."""
    strength = magic.guard_strength(state)
    for at, seat in enumerate(step.seats):
        missing = strength - board.strength_at(state, seat, GUARD_ROOM)
        present = board.is_present(state, seat, GUARD_ROOM)
        if state.players[seat].key:
            state = _admit(state, SeatAdmitted(seat, "key"), play)
        elif present and missing <= 0:
            state = _admit(state, SeatAdmitted(seat, "strength"), play)
        elif present and state.players[seat].units >= missing:
            rest = replace(step, seats=step.seats[at + 1 :])
            return push(state, rest, decisions.BribeGuard(seat, missing))
        else:
            state = refuse(state, seat, play)
    return state


def _admit(state: State, fact: SeatAdmitted, play: Play) -> State:
    play.note(fact)
    return board.with_player(state, fact.seat, replace(state.players[fact.seat], admitted="yes"))


def refuse(state: State, seat: Seat, play: Play) -> State:
    """The seat's tokens leave the castle, unseen."""
    play.note(SeatRefused(seat))
    state = board.with_player(state, seat, replace(state.players[seat], admitted="no"))
    for token in board.tokens_in(state, CASTLE):
        if token.owner == seat:
            state = board.remove(state, token, "not_admitted", play)
    return state


def bribe_guard(state: State, question: decisions.BribeGuard, move: Bribe | Decline, play: Play) -> State:
    """L6 (c)."""
    if isinstance(move, Decline):
        return refuse(state, question.seat, play)
    return push(state, decisions.Admit(question.seat), decisions.PayAny(question.seat, question.due))


def admit(state: State, step: decisions.Admit, play: Play) -> State:
    """The bribe is paid."""
    return _admit(state, SeatAdmitted(step.seat, "bribe"), play)


STEPS: Final[Mapping[type[Decision], Callable[[State, Any, Play], State]]] = {
    decisions.Resolve: resolve,
    decisions.Rank: rank,
    decisions.Close: close,
    decisions.Benefit: benefit,
    decisions.Guard: guard,
    decisions.Admit: admit,
}
ANSWERS: Final[Mapping[type[Decision], Callable[[State, Any, Any, Play], State]]] = {
    decisions.ChooseStartPlayer: choose_start_player,
    decisions.MarketExchange: market_exchange,
    decisions.ChooseSpell: choose_spell,
    decisions.BribeGuard: bribe_guard,
}
