"""The course of a game: colours, bids, placing, picking up, the marker (§4, §5.2, §5.3, §5.7, §5.8)."""

from typing import assert_never

from msgspec.structs import replace

from keylore_domain.engine.seats import Seat, clockwise, left_of, with_item
from keylore_domain.engine.steps import push
from keylore_domain.games.keydom import facts, moves
from keylore_domain.games.keydom.components.names import TRACK_LOCATIONS
from keylore_domain.games.keydom.effects.casting import begin_cast
from keylore_domain.games.keydom.effects.changes import (
    deal_market,
    drop_spell,
    return_counter,
    to_bottom,
    with_family,
)
from keylore_domain.games.keydom.state.decisions import (
    BidCounter,
    ChooseColour,
    ChooseStartPlayer,
    MidwifeStay,
    PlaceCounter,
)
from keylore_domain.games.keydom.state.position import (
    Family,
    State,
    Table,
    Token,
    on_track,
    token_of,
    turn_order,
    with_token,
)
from keylore_domain.games.keydom.state.steps import EnterLocation, NextPlacement, OpenBid, PickUp


def answer_colour(state: State, asked: ChooseColour, move: moves.ChooseColour, _table: Table) -> State:
    """A seat has its colour (SETUP-1)."""
    return with_family(state, asked.seat, colour=move.colour)


def open_bid(state: State, step: OpenBid, _table: Table) -> State:
    """All seats with a counter bid (BID-1)."""
    state = replace(state, phase="bid")
    return push(state, BidCounter(step.totals, (0,) * len(state.families)))


def answer_bid(state: State, asked: BidCounter, move: moves.BidCounter, seat: Seat, table: Table) -> State:
    """A seat has bid; the last bid reveals all (BID-1, BID-2)."""
    asked = replace(asked, chosen=with_item(asked.chosen, seat, move.counter))
    waiting = any(family.hand and not bid for family, bid in zip(state.families, asked.chosen, strict=True))
    return push(state, asked) if waiting else _reveal_bids(state, asked, table)


def _reveal_bids(state: State, asked: BidCounter, table: Table) -> State:
    totals = tuple(total + bid for total, bid in zip(asked.totals, asked.chosen, strict=True))
    table.turn.note(facts.BidsRevealed(tuple(bid or None for bid in asked.chosen), totals))
    families = tuple(map(_lay_bid, state.families, asked.chosen))
    state = replace(state, families=families)
    tied = [seat for seat in clockwise(Seat(0), len(totals)) if totals[seat] == max(totals)]
    if len(tied) == 1:
        return push(state, ChooseStartPlayer(tied[0]))
    if any(family.hand for family in families):
        return push(state, OpenBid(totals))
    chooser = table.turn.chance.pick("bid.chooser", tied)
    table.turn.note(facts.ChanceDrawn("C3", (str(chooser),)))
    return push(state, ChooseStartPlayer(chooser))


def _lay_bid(family: Family, counter: int) -> Family:
    if not counter:
        return family
    hand = tuple(number for number in family.hand if number != counter)
    return replace(family, hand=hand, bid=(*family.bid, counter))


def answer_start_player(
    state: State, _asked: ChooseStartPlayer, move: moves.NameStartPlayer, table: Table
) -> State:
    """The start player is named; after the first bid the market is laid out (BID-5, SETUP-5)."""
    table.turn.note(facts.StartPlayerSet(move.seat))
    state = replace(state, start_seat=move.seat)
    if state.round == 1:
        if state.options.spells:
            state = deal_market(state, table)
        table.turn.note(facts.RoundStarted(1))
    return _begin_placing(state)


def _begin_placing(state: State) -> State:
    assert state.start_seat is not None
    return push(replace(state, phase="place"), NextPlacement(state.start_seat))


def next_placement(state: State, step: NextPlacement, _table: Table) -> State:
    """The next seat with a counter in hand places one; with all hands empty phase 1 ends (§5.3)."""
    for seat in clockwise(step.seat, len(state.families)):
        if state.families[seat].hand:
            return push(state, PlaceCounter(seat))
    families = tuple(
        replace(family, plays_open=False) if family.plays_open else family for family in state.families
    )
    return push(replace(state, families=families, closed=(), phase="resolve"), EnterLocation(0))


def answer_place(
    state: State, asked: PlaceCounter, move: moves.Place | moves.Cast | moves.DiscardSpell, table: Table
) -> State:
    """A seat places a counter, or casts or discards a spell and is asked again (§5.3)."""
    match move:
        case moves.Place():
            return _place(state, asked.seat, move, table)
        case moves.Cast():
            return begin_cast(push(state, asked), asked.seat, move.spell)
        case moves.DiscardSpell():
            state = to_bottom(drop_spell(state, asked.seat, move.spell), move.spell, table)
            return push(state, asked)
        case _:
            assert_never(move)


def _place(state: State, seat: Seat, move: moves.Place, table: Table) -> State:
    family = state.families[seat]
    k = family.placements + 1
    face_up = state.options.face_up_counters or family.plays_open
    token = Token(
        token=f"{seat}.{state.round}.{k}",
        owner=seat,
        number=move.counter,
        location=move.location,
        face="up" if face_up else "down",
        placed_round=state.round,
        k=k,
    )
    table.turn.note(facts.CounterPlaced(token.token, seat, move.location, token.face, move.counter))
    hand = tuple(number for number in family.hand if number != move.counter)
    state = with_family(state, seat, hand=hand, placements=k)
    state = replace(state, board=with_token(state.board, token))
    return push(state, NextPlacement(left_of(seat, len(state.families))))


def begin_pick_up(state: State) -> State:
    """Phase 3: first the tokens that may leave the midwife are asked for (§5.7)."""
    stays = [
        MidwifeStay(seat, token.token)
        for seat in turn_order(state)
        for track in (2, 1)
        if (token := on_track(state, "midwife", track)) is not None and token.owner == seat
    ]
    return push(replace(state, phase="pick_up"), PickUp(), *reversed(stays))


def answer_stay(state: State, asked: MidwifeStay, move: moves.Stay | moves.Remove, table: Table) -> State:
    """A token stays at the midwife, or leaves without a number 1 (MID-4)."""
    if isinstance(move, moves.Stay):
        return state
    return return_counter(state, token_of(state, asked.token), "lapsed", table)


def pick_up(state: State, _step: PickUp, table: Table) -> State:
    """All counters come back to hand but those on the tracks; then the round is over (§5.7, END-2)."""
    kept = tuple(token for token in state.board if _stays(token))
    taken = tuple(token for token in state.board if not _stays(token))
    table.turn.note(facts.CountersPickedUp(tuple(token.token for token in taken)))
    families = tuple(_refilled(family, Seat(at), taken) for at, family in enumerate(state.families))
    board = tuple(replace(token, space=None) for token in kept)
    state = replace(state, board=board, families=families)
    if state.round == state.options.round_cap:
        return end_game(replace(state, ended_by="round_cap"), table)
    return _next_round(state, table)


def _stays(token: Token) -> bool:
    return token.track in (1, 2) and token.location in TRACK_LOCATIONS


def _refilled(family: Family, seat: Seat, taken: tuple[Token, ...]) -> Family:
    back = [token.number for token in taken if token.owner == seat]
    numbers = (*family.hand, *family.bid, *(item.number for item in family.returned), *back)
    return replace(
        family,
        hand=tuple(sorted(numbers)),
        bid=(),
        returned=(),
        known=(),
        muted=False,
        placements=0,
    )


def _next_round(state: State, table: Table) -> State:
    """Phase 4 (§5.8); with turn marker bidding a bid takes its place (VAR-5)."""
    state = replace(state, round=state.round + 1)
    if state.options.turn_marker_bidding:
        table.turn.note(facts.RoundStarted(state.round))
        return push(state, OpenBid((0,) * len(state.families)))
    holder = turn_order(state)[1]
    table.turn.note(facts.MarkerPassed(holder))
    table.turn.note(facts.RoundStarted(state.round))
    return _begin_placing(replace(state, start_seat=holder))


def end_game(state: State, table: Table) -> State:
    """Nothing is asked any more (§7)."""
    assert state.ended_by is not None
    table.turn.note(facts.GameEnded(state.ended_by, state.round))
    return replace(state, phase="over", pending=())
