"""The course of a game: colours, bids, placing, picking up, the marker (§4, §5.2, §5.3, §5.7, §5.8)."""

from typing import assert_never

from msgspec.structs import replace

from keylore_domain.engine.seats import Seat, clockwise, left_of, with_item
from keylore_domain.games.keydom import facts, moves
from keylore_domain.games.keydom.components.names import TRACK_LOCATIONS
from keylore_domain.games.keydom.effects.casting import begin_cast
from keylore_domain.games.keydom.play import Play, deal_market, drop_spell, return_counter, to_bottom
from keylore_domain.games.keydom.state.decisions import (
    BidCounter,
    ChooseColour,
    ChooseStartPlayer,
    EnterLocation,
    MidwifeStay,
    NextPlacement,
    OpenBid,
    PickUp,
    PlaceCounter,
)
from keylore_domain.games.keydom.state.position import (
    EndedBy,
    Family,
    Token,
    on_track,
    token_of,
    turn_order,
    with_token,
)


def answer_colour(play: Play, asked: ChooseColour, move: moves.ChooseColour) -> None:
    """A seat has its colour (SETUP-1)."""
    play.change_family(asked.seat, colour=move.colour)


def open_bid(play: Play, step: OpenBid) -> None:
    """All seats with a counter bid (BID-1)."""
    play.change(phase="bid")
    play.push(BidCounter(step.totals, (0,) * len(play.state.families)))


def answer_bid(play: Play, seat: Seat, move: moves.BidCounter) -> None:
    """A seat has bid; the last bid reveals all (BID-1, BID-2)."""
    asked = play.stack.pop()
    assert isinstance(asked, BidCounter)
    asked = replace(asked, chosen=with_item(asked.chosen, seat, move.counter))
    families = play.state.families
    if any(family.hand and not bid for family, bid in zip(families, asked.chosen, strict=True)):
        play.push(asked)
    else:
        _reveal_bids(play, asked)


def _reveal_bids(play: Play, asked: BidCounter) -> None:
    totals = tuple(total + bid for total, bid in zip(asked.totals, asked.chosen, strict=True))
    play.note(facts.BidsRevealed(tuple(bid or None for bid in asked.chosen), totals))
    families = tuple(map(_lay_bid, play.state.families, asked.chosen))
    play.change(families=families)
    tied = [seat for seat in clockwise(Seat(0), len(totals)) if totals[seat] == max(totals)]
    if len(tied) == 1:
        play.push(ChooseStartPlayer(tied[0]))
    elif any(family.hand for family in families):
        play.push(OpenBid(totals))
    else:
        play.push(ChooseStartPlayer(play.picked("C3", "bid.chooser", tied)))


def _lay_bid(family: Family, counter: int) -> Family:
    if not counter:
        return family
    hand = tuple(number for number in family.hand if number != counter)
    return replace(family, hand=hand, bid=(*family.bid, counter))


def answer_start_player(play: Play, _asked: ChooseStartPlayer, move: moves.NameStartPlayer) -> None:
    """The start player is named; after the first bid the market is laid out (BID-5, SETUP-5)."""
    play.note(facts.StartPlayerSet(move.seat))
    play.change(start_seat=move.seat)
    if play.state.round == 1:
        if play.state.options.spells:
            deal_market(play)
        play.note(facts.RoundStarted(1))
    _begin_placing(play)


def _begin_placing(play: Play) -> None:
    assert play.state.start_seat is not None
    play.change(phase="place")
    play.push(NextPlacement(play.state.start_seat))


def next_placement(play: Play, step: NextPlacement) -> None:
    """The next seat with a counter in hand places one; with all hands empty phase 1 ends (§5.3)."""
    families = play.state.families
    for seat in clockwise(step.seat, len(families)):
        if families[seat].hand:
            play.push(PlaceCounter(seat))
            return
    closed = tuple(replace(family, plays_open=False) if family.plays_open else family for family in families)
    play.change(families=closed, closed=(), phase="resolve")
    play.push(EnterLocation(0))


def answer_place(
    play: Play, asked: PlaceCounter, move: moves.Place | moves.Cast | moves.DiscardSpell
) -> None:
    """A seat places a counter, or casts or discards a spell and is asked again (§5.3)."""
    match move:
        case moves.Place():
            _place(play, asked.seat, move)
        case moves.Cast():
            play.push(asked)
            begin_cast(play, asked.seat, move.spell)
        case moves.DiscardSpell():
            drop_spell(play, asked.seat, move.spell)
            to_bottom(play, move.spell)
            play.push(asked)
        case _:
            assert_never(move)


def _place(play: Play, seat: Seat, move: moves.Place) -> None:
    state, family = play.state, play.family(seat)
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
    play.note(facts.CounterPlaced(token.token, seat, move.location, token.face, move.counter))
    hand = tuple(number for number in family.hand if number != move.counter)
    play.change_family(seat, hand=hand, placements=k)
    play.change(board=with_token(state.board, token))
    play.push(NextPlacement(left_of(seat, len(state.families))))


def begin_pick_up(play: Play) -> None:
    """Phase 3: first the tokens that may leave the midwife are asked for (§5.7)."""
    stays = [
        MidwifeStay(seat, token.token)
        for seat in turn_order(play.state)
        for track in (2, 1)
        if (token := on_track(play.state, "midwife", track)) is not None and token.owner == seat
    ]
    play.change(phase="pick_up")
    play.push(*stays, PickUp())


def answer_stay(play: Play, asked: MidwifeStay, move: moves.Stay | moves.Remove) -> None:
    """A token stays at the midwife, or leaves without a number 1 (MID-4)."""
    if isinstance(move, moves.Remove):
        return_counter(play, token_of(play.state, asked.token), "lapsed")


def pick_up(play: Play, _step: PickUp) -> None:
    """All counters come back to hand but those on the tracks; then the round is over (§5.7, END-2)."""
    state = play.state
    kept = tuple(token for token in state.board if _stays(token))
    taken = tuple(token for token in state.board if not _stays(token))
    play.note(facts.CountersPickedUp(tuple(token.token for token in taken)))
    families = tuple(_refilled(family, Seat(at), taken) for at, family in enumerate(state.families))
    play.change(board=tuple(replace(token, space=None) for token in kept), families=families)
    if state.round == state.options.round_cap:
        end_game(play, "round_cap")
    else:
        _next_round(play)


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


def _next_round(play: Play) -> None:
    """Phase 4 (§5.8); with turn marker bidding a bid takes its place (VAR-5)."""
    play.change(round=play.state.round + 1)
    state = play.state
    if state.options.turn_marker_bidding:
        play.note(facts.RoundStarted(state.round))
        play.push(OpenBid((0,) * len(state.families)))
        return
    holder = turn_order(state)[1]
    play.note(facts.MarkerPassed(holder))
    play.note(facts.RoundStarted(state.round))
    play.change(start_seat=holder)
    _begin_placing(play)


def end_game(play: Play, ended_by: EndedBy) -> None:
    """Nothing is asked any more (§7)."""
    play.note(facts.GameEnded(ended_by, play.state.round))
    play.change(ended_by=ended_by, phase="over")
    play.stack.clear()
