"""Turns: landing, resolving, idle actions, ends of turn (keyside §5.4, §5.6, §5.7, §8.4, §8.5, §8.8)."""

from keylore_domain.engine.moves import Step
from keylore_domain.engine.seats import Seat, with_item
from keylore_domain.games.keyside.components.entries import MarkerTile
from keylore_domain.games.keyside.effects import keytoma, years
from keylore_domain.games.keyside.effects.harbours import BANDS
from keylore_domain.games.keyside.effects.markets import turn_over_activated
from keylore_domain.games.keyside.facts import (
    BoatMoved,
    DiePlaced,
    DiePutOnMat,
    EndTriggered,
    HarbourResolved,
)
from keylore_domain.games.keyside.moves import (
    AdvanceMarker,
    Follow,
    Goods,
    Land,
    Pass,
    PassWindow,
    ResolveHarbour,
)
from keylore_domain.games.keyside.play import Play
from keylore_domain.games.keyside.state.decisions import (
    Advance,
    Arrivals,
    Benefit,
    Docking,
    FlagMoves,
    FlagParting,
    GoodsChoice,
    Introduction,
    KeytomaEffect,
    KeytomaFollow,
    KeytomaPlacing,
    LandingTurn,
    ResolvingTurn,
    Response,
    TurnEnd,
    TurnStart,
    Window,
)
from keylore_domain.games.keyside.state.position import (
    COLOUR_AT,
    HARBOUR,
    KEYTOMA,
    NODE_AT,
    NODES,
    Boat,
    Colour,
    Die,
    Player,
    State,
    from_start,
    has_keyple,
    open_harbours,
    turn_order,
)


def start_turn(play: Play, _step: TurnStart) -> None:
    """A landing turn while the lead has a die, else a resolving turn (keyside §5.2)."""
    lead = play.state.lead_seat
    if lead == KEYTOMA:
        play.push(TurnEnd())
        _keytoma_turn(play)
        return
    turn = LandingTurn(lead) if any(play.mat(lead).dice) else ResolvingTurn(lead)
    play.push(turn, Window(lead, "end_turn"), TurnEnd())


def _keytoma_turn(play: Play) -> None:
    if any(keytoma.solo_of(play.state).dice):
        keytoma.land(play)
    elif not play.state.end_triggered:
        _keytoma_resolves(play)


def end_turn(play: Play, _step: TurnEnd) -> None:
    """Markets turn over, the year's end may be triggered, the lead moves on (keyside §5.7)."""
    turn_over_activated(play)
    state = play.state
    if not state.end_triggered and not _dice_left(state) and not open_harbours(state):
        play.change(end_triggered=True)
        play.note(EndTriggered(state.year))
    order = from_start(state)
    if play.state.end_triggered and state.lead_seat == order[-1]:
        years.end_year(play)
        return
    play.change(lead_seat=order[(order.index(state.lead_seat) + 1) % len(order)])
    play.push(TurnStart())


def _dice_left(state: State) -> bool:
    if any(any(mat.dice) for mat in state.mats):
        return True
    return state.solo is not None and any(state.solo.dice)


# Landing


def play_die(play: Play, step: LandingTurn, move: Land | AdvanceMarker) -> None:
    """The lead lands, or spends a die to advance (L11, L12)."""
    at = COLOUR_AT[move.colour]
    dice = play.mat(step.seat).dice
    value = dice[at]
    play.change_mat(step.seat, dice=with_item(dice, at, 0))
    if isinstance(move, Land):
        _land(play, step.seat, move, value)
        return
    on_mat = with_item(play.mat(step.seat).dice_on_mat, at, value)
    play.change_mat(step.seat, dice_on_mat=on_mat)
    play.note(DiePutOnMat(step.seat, move.colour, value))
    play.push(Advance(step.seat, move.colour))


def _land(play: Play, seat: Seat, move: Land, value: int) -> None:
    at = NODE_AT[move.harbour] - HARBOUR
    boat = play.state.boats[move.boat]
    sailors = tuple(colour for colour in boat.sailors if colour != move.colour)
    play.change(boats=with_item(play.state.boats, move.boat, Boat(at, sailors)))
    play.note(BoatMoved(move.boat, NODES[HARBOUR + boat.at], move.harbour))
    play.change_harbour(at, sailor=move.colour, landed=True)
    _add_die(play, seat, move.colour, value, at)
    after: tuple[Step, ...] = (Docking(at), Advance(seat, move.colour), Arrivals(at))
    if play.state.solo is not None:
        after = (KeytomaFollow(at), *after, FlagMoves(at))
    play.push(*_responses(play.state, seat, move, value), *after)


def _responses(state: State, lead: Seat, move: Land, value: int) -> tuple[Response, ...]:
    """L7: who has the colour at the lead's value or less, clockwise from the lead."""
    at = COLOUR_AT[move.colour]
    seats = len(state.mats)
    others = (Seat((lead + step) % seats) for step in range(1, seats))
    return tuple(
        Response(seat, move.harbour, move.colour, value)
        for seat in others
        if 0 < state.mats[seat].dice[at] <= value
    )


def _add_die(play: Play, seat: Seat, colour: Colour, value: int, at: int) -> None:
    dice = (*play.state.harbours[at].dice, Die(seat, colour, value))
    play.change_harbour(at, dice=dice)
    play.note(DiePlaced(seat, colour, value, NODES[HARBOUR + at]))


def respond(play: Play, step: Response, move: Follow | Pass) -> None:
    """L7: the follower's die goes to the next dice space."""
    if isinstance(move, Follow):
        at = COLOUR_AT[step.colour]
        dice = play.mat(step.seat).dice
        play.change_mat(step.seat, dice=with_item(dice, at, 0))
        _add_die(play, step.seat, step.colour, dice[at], NODE_AT[step.harbour] - HARBOUR)


def arrive(play: Play, step: Arrivals) -> None:
    """L10: keyples for the lead and then the followers, in the order of their dice."""
    node = NODES[HARBOUR + step.harbour]
    for die in reversed(play.state.harbours[step.harbour].dice):
        if die.owner == KEYTOMA:
            play.push(KeytomaPlacing(step.harbour))
        else:
            play.push(Introduction(die.owner, node))


# Resolving


def act(play: Play, step: ResolvingTurn, move: ResolveHarbour | Goods | AdvanceMarker) -> None:
    """Resolve a harbour, or take an idle action (keyside §5.6)."""
    if isinstance(move, Goods):
        play.push(GoodsChoice(step.seat))
    elif isinstance(move, AdvanceMarker):
        play.push(Advance(step.seat, move.colour))
    else:
        _resolve(play, step.seat, NODE_AT[move.harbour] - HARBOUR)


def _resolve(play: Play, seat: Seat, at: int) -> None:
    """The benefit for the lead, then for each other seat of the snapshot, after an interlude."""
    harbour = play.state.harbours[at]
    order = turn_order(play.state)
    others = (order[(seat + step) % len(order)] for step in range(1, len(order)))
    present = tuple(other for other in others if has_keyple(harbour, other))
    total = _to_sea(play, at, (seat, *present))
    play.push(FlagParting(at))
    for other in reversed(present):
        if other != KEYTOMA:
            play.push(Window(seat, "interlude"), Benefit(other, at, total, lead=False))
        elif len(harbour.dice) > 1:
            play.push(Window(seat, "interlude"), KeytomaEffect(harbour.dice[0].colour, at))
    play.push(Benefit(seat, at, total, lead=True))


def _to_sea(play: Play, at: int, players: tuple[Player, ...]) -> int:
    """Move sailor and dice off the tile; gives the dice total at selection."""
    harbour = play.state.harbours[at]
    total = sum(die.value for die in harbour.dice)
    sailors = harbour.sea_sailors if harbour.sailor is None else (*harbour.sea_sailors, harbour.sailor)
    sea = (*harbour.sea, *harbour.dice)
    play.change_harbour(at, sailor=None, dice=(), resolved=True, sea=sea, sea_sailors=sailors)
    band = BANDS[play.parts.band(total)]
    play.note(HarbourResolved(NODES[HARBOUR + at], total, band, players))
    return total


def _keytoma_resolves(play: Play) -> None:
    """The first loaded harbour of Keytoma's from a rolled flag on, or an effect without a harbour."""
    loaded = [at for at, harbour in enumerate(play.state.harbours) if harbour.dice and KEYTOMA in harbour.top]
    if not loaded:
        if open_harbours(play.state):
            colours = play.parts.data.solo.effect_by_number
            play.push(KeytomaEffect(colours[play.rolled("C20", "keytoma.roll")], -1))
        return
    first = keytoma.rolled_flag(play)
    at = min(loaded, key=lambda harbour: (harbour - first) % len(play.state.harbours))
    harbour = play.state.harbours[at]
    human = (Seat(0),) if has_keyple(harbour, Seat(0)) else ()
    total = _to_sea(play, at, (KEYTOMA, *human))
    if isinstance(play.parts.data.harbour_tiles[harbour.tile], MarkerTile):
        play.change(next_start=KEYTOMA)
    benefits = tuple(Benefit(seat, at, total, lead=False) for seat in human)
    play.push(KeytomaEffect(harbour.dice[0].colour, at), *benefits, FlagParting(at))


def part_flags(play: Play, step: FlagParting) -> None:
    """Only a solo game has flags."""
    if play.state.solo is not None:
        keytoma.part_flags(play, step)


def close_window(_play: Play, _step: Window, _move: PassWindow) -> None:
    """Nothing more at this moment."""
