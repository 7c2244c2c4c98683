"""What the caves, Keytown and the guard room give, L1 to L6 (spec §6.1, §8.8)."""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec.structs import replace

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydoms_dragons.components import (
    CASTLE,
    CAVES,
    GUARD_ROOM,
    KEYTOWN,
    Location,
)
from keylore_domain.games.keydoms_dragons.effects import castle, magic, treasury
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
from keylore_domain.games.keydoms_dragons.play import Play, remove, reveal
from keylore_domain.games.keydoms_dragons.state import board, decisions
from keylore_domain.games.keydoms_dragons.state.position import NOBODY, Party

OFFERED: Final = 2  # spell cards at the roundhouse

# -- resolving (§5.9) --------------------------------------------------------------------------------------


def resolve(play: Play, step: decisions.Resolve) -> None:
    """The location is revealed; its window, its rewards and its closing follow."""
    location = step.location
    if not board.is_open(play.state, location):
        return
    play.change_status(location, "resolving")
    play.change(location=location)
    if location == GUARD_ROOM:
        play.change(guard_shown=True)
        play.note(GuardRevealed(magic.guard_strength(play.state)))
    reveal(play, location)
    window = () if play.state.options.muggles else (decisions.OpenWindow("resolve", location),)
    play.push(*window, decisions.Rank(location), decisions.Close(location))


def rank(play: Play, step: decisions.Rank) -> None:
    """The parties present are ranked, and get what the location gives."""
    state, location = play.state, step.location
    if board.is_shut(state, location):
        return
    if location == GUARD_ROOM:
        play.push(decisions.Guard(board.player_order(state)))
        return
    ranked = board.ranking(state, location)
    if not ranked:
        return
    order = tuple(party for party, _ in ranked)
    strengths = tuple(strength for _, strength in ranked)
    play.note(LocationRanked(location, tuple(map(play.name, order)), strengths))
    if location in CAVES:
        _share_cave(play, location, order)
    elif location in CASTLE:
        castle.open_offers(play, location, order)
    else:
        KEYTOWN_BENEFITS[location](play, order)


def close(play: Play, step: decisions.Close) -> None:
    """The location is done with for this round."""
    play.change(location=None)
    if not board.is_shut(play.state, step.location):
        play.note(LocationClosed(step.location))
        play.change_status(step.location, "closed")


def benefit(play: Play, step: decisions.Benefit) -> None:
    """A sole winner's reward (S16, GS16)."""
    KEYTOWN_BENEFITS[step.location](play, (step.party,))


# -- L1 to L5 ----------------------------------------------------------------------------------------------


def _share_cave(play: Play, cave: Location, order: tuple[Party, ...]) -> None:
    """L1: each ledge with treasure goes to one party, in order (GL-A)."""
    filled = [at for at, ledge in enumerate(treasury.cave_of(play.state, cave)) if ledge]
    for party, at in zip(order, filled, strict=False):
        treasury.take_ledge(play, cave, at, party)


def _stables(play: Play, order: tuple[Party, ...]) -> None:
    """L2: the winner names the start party; a ghost takes the marker itself (GL-F)."""
    state, winner = play.state, order[0]
    if board.is_seat(state, winner):
        play.push(decisions.ChooseStartPlayer(Seat(winner)))
        return
    play.note(GhostEffect("GL-F", play.name(winner)))
    if state.start != winner:
        _set_start(play, winner)
    elif not state.options.muggles:
        magic.draw_for(play, winner)


def _set_start(play: Play, party: Party) -> None:
    play.note(StartPlayerSet(play.name(party)))
    play.change(start=party)


def choose_start_player(play: Play, _question: decisions.ChooseStartPlayer, move: ChooseParty) -> None:
    """L2."""
    _set_start(play, board.party_of(play.state, move.party))


def _market(play: Play, order: tuple[Party, ...]) -> None:
    """L3: the winner may exchange one unit for three; a ghost gains a spell card (GL-G)."""
    state, winner = play.state, order[0]
    if board.is_seat(state, winner):
        if state.players[winner].units and any(state.treasury):
            play.push(decisions.MarketExchange(Seat(winner)))
        return
    play.note(GhostEffect("GL-G", play.name(winner)))
    if not state.options.muggles:
        magic.draw_for(play, winner)


def market_exchange(play: Play, question: decisions.MarketExchange, move: Exchange | Decline) -> None:
    """L3."""
    if isinstance(move, Exchange):
        treasury.pay(play, question.seat, NOBODY, treasury.of_type(move.give, 1))
        treasury.receive(play, question.seat, treasury.vector_of(move.take))


def _cottage(play: Play, order: tuple[Party, ...]) -> None:
    """L4: a second invocation; a ghost locks all artefacts but the wand (GL-H)."""
    winner = order[0]
    if board.is_seat(play.state, winner):
        play.note(SecondInvocationGained(play.name(winner)))
        play.change_player(winner, inv_max=2, muted=False)
    else:
        play.note(CottageLocked(play.name(winner)))
        play.change(cottage_locked=True)


def _roundhouse(play: Play, order: tuple[Party, ...]) -> None:
    """L5: two spell cards, one for the winner and one for the second; alone: under the deck (GL-I)."""
    winner, second = order[0], order[1] if len(order) > 1 else NOBODY
    drawn = _offered(play)
    if len(drawn) < OFFERED:
        for spell in drawn:
            magic.gain_spell(play, winner, spell)
    elif board.is_seat(play.state, winner):
        play.note(SpellsOffered(winner, drawn, play.state.options.foreknown))
        play.push(decisions.ChooseSpell(Seat(winner), drawn, second))
    else:
        kept = play.picked("C9", f"{play.name(winner)}.roundhouse", drawn)
        _share_spells(play, (winner, second), kept, drawn)


def _offered(play: Play) -> tuple[int, ...]:
    if not play.state.options.foreknown:
        return magic.draw_spells(play, OFFERED)
    shown = play.state.display
    play.change(display=())
    return shown


def choose_spell(play: Play, question: decisions.ChooseSpell, move: KeepSpell) -> None:
    """L5."""
    _share_spells(play, (question.seat, question.second), move.keep, question.spells)


def _share_spells(play: Play, parties: tuple[Party, Party], kept: int, drawn: tuple[int, ...]) -> None:
    winner, second = parties
    (other,) = (card for card in drawn if card != kept)
    magic.gain_spell(play, winner, kept)
    if second == NOBODY:
        play.change(spell_deck=(*play.state.spell_deck, other))
    else:
        giver = Seat(winner) if board.is_seat(play.state, winner) else None
        magic.gain_spell(play, second, other, giver)


Benefits = Callable[[Play, tuple[Party, ...]], None]
KEYTOWN_BENEFITS: Final[Mapping[Location, Benefits]] = dict(
    zip(KEYTOWN, (_stables, _market, _cottage, _roundhouse), strict=True)
)

# -- L6 ----------------------------------------------------------------------------------------------------


def guard(play: Play, step: decisions.Guard) -> None:
    """Each seat passes by key or strength, may bribe, or is refused."""
    strength = magic.guard_strength(play.state)
    for at, seat in enumerate(step.seats):
        missing = strength - board.strength_at(play.state, seat, GUARD_ROOM)
        present = board.is_present(play.state, seat, GUARD_ROOM)
        if play.player(seat).key:
            _admit(play, SeatAdmitted(seat, "key"))
        elif present and missing <= 0:
            _admit(play, SeatAdmitted(seat, "strength"))
        elif present and play.player(seat).units >= missing:
            play.push(decisions.BribeGuard(seat, missing), replace(step, seats=step.seats[at + 1 :]))
            return
        else:
            refuse(play, seat)


def _admit(play: Play, fact: SeatAdmitted) -> None:
    play.note(fact)
    play.change_player(fact.seat, admitted="yes")


def refuse(play: Play, seat: Seat) -> None:
    """The seat's tokens leave the castle, unseen."""
    play.note(SeatRefused(seat))
    play.change_player(seat, admitted="no")
    for token in board.tokens_in(play.state, CASTLE):
        if token.owner == seat:
            remove(play, token, "not_admitted")


def bribe_guard(play: Play, question: decisions.BribeGuard, move: Bribe | Decline) -> None:
    """L6 (c)."""
    if isinstance(move, Decline):
        refuse(play, question.seat)
    else:
        play.push(decisions.PayAny(question.seat, question.due), decisions.Admit(question.seat))


def admit(play: Play, step: decisions.Admit) -> None:
    """The bribe is paid."""
    _admit(play, SeatAdmitted(step.seat, "bribe"))
