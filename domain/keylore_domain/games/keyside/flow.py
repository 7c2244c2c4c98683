"""Years and turns: dice, landing, resolving, ends of turn and year (keyside §5, §7.1, §8.5, §8.9)."""

from msgspec.structs import replace

from keylore_domain.engine.facts import GameEnded
from keylore_domain.engine.seats import Seat, with_item
from keylore_domain.games.keyside import scoring
from keylore_domain.games.keyside.effects import keytoma
from keylore_domain.games.keyside.effects.harbours import BANDS
from keylore_domain.games.keyside.effects.markets import turn_over_activated
from keylore_domain.games.keyside.facts import (
    BeaconsLit,
    BoatMoved,
    DiceReturned,
    DiceRevealed,
    DiePlaced,
    DiePutOnMat,
    EndTriggered,
    HarbourResolved,
    MarkerItemSet,
    RoundStarted,
    RowScored,
    SailorsReturned,
    StartPlayerSet,
)
from keylore_domain.games.keyside.moves import (
    AdvanceMarker,
    AllocateMarker,
    ChooseStrip,
    Follow,
    Goods,
    Land,
    Pass,
    PassWindow,
    ResolveHarbour,
    SetDie,
)
from keylore_domain.games.keyside.play import Play
from keylore_domain.games.keyside.state import (
    COLOUR_AT,
    COLOURS,
    HARBOUR,
    KEYTOMA,
    NODE_AT,
    NODES,
    Boat,
    Colour,
    Die,
    Harbour,
    Island,
    Numbers,
    Player,
    Removed,
    from_start,
    has_keyple,
    open_harbours,
    turn_order,
)
from keylore_domain.games.keyside.steps import (
    Advance,
    Arrivals,
    Benefit,
    DiceSetting,
    Docking,
    FinalScoring,
    FinalTurn,
    FinalTurnEnd,
    FlagMoves,
    FlagParting,
    GoodsChoice,
    Introduction,
    KeytomaEffect,
    KeytomaFollow,
    KeytomaPlacing,
    LandingTurn,
    MarkerAllocation,
    ResolvingTurn,
    Response,
    Task,
    TurnEnd,
    TurnStart,
    Window,
    YearStart,
)
from keylore_domain.games.keyside.tiles import MarkerTile

LAST_YEAR = 3

# Dice set-up


def start_year(play: Play, _step: YearStart) -> None:
    """The dice set-up: in secret, or by the scheduled side of each strip (keyside §5.3)."""
    state = play.state
    play.note(RoundStarted(state.year))
    if state.solo is not None:
        keytoma.spread_flags(play)
    scheduled = state.options.dice_strips == "scheduled" and state.year < LAST_YEAR
    setting = "dice" if state.options.dice_strips == "off" else "strip"
    for seat in range(len(state.mats)):
        play.change_mat(Seat(seat), setting=setting)
        if scheduled:
            _use_strip(play, Seat(seat), "light" if state.year == 1 else "dark")
    play.change(phase="dice")
    play.push(DiceSetting())
    _reveal_when_ready(play)


def _use_strip(play: Play, seat: Seat, side: str) -> None:
    strip = play.board.strips[play.mat(seat).strip]
    play.change_mat(seat, dice=strip.light if side == "light" else strip.dark, setting="ready")


def set_dice(play: Play, seat: Seat, move: ChooseStrip | SetDie) -> None:
    """One secret answer; the last seat's last answer reveals all dice."""
    if isinstance(move, SetDie):
        _set_die(play, seat, move)
    elif move.side == "none":
        play.change_mat(seat, setting="dice")
    else:
        _use_strip(play, seat, move.side)
    _reveal_when_ready(play)


def _set_die(play: Play, seat: Seat, move: SetDie) -> None:
    """The die of the next colour; after five the sixth value follows."""
    dice = with_item(play.mat(seat).dice, COLOUR_AT[move.colour], move.value)
    left = [value for value in range(1, 7) if value not in dice]
    if len(left) == 1:
        dice = with_item(dice, len(COLOURS) - 1, left[0])
    play.change_mat(seat, dice=dice, setting="dice" if len(left) > 1 else "ready")


def _reveal_when_ready(play: Play) -> None:
    if any(mat.setting != "ready" for mat in play.state.mats):
        return
    play.pop()
    for seat, mat in enumerate(play.state.mats):
        play.note(DiceRevealed(Seat(seat), mat.dice))
    if play.state.solo is not None:
        _set_keytoma_dice(play)
    play.change(phase="turns", lead_seat=play.state.start_seat)
    play.push(TurnStart())


def _set_keytoma_dice(play: Play) -> None:
    """A strip and a side at random (chance C18, C19)."""
    solo = keytoma.solo_of(play.state)
    name = play.drawn("C18", "keytoma.strip", solo.strips)
    strip = play.board.strips[name]
    dice = strip.light if play.drawn("C19", "keytoma.side", ("light", "dark")) == "light" else strip.dark
    play.change_solo(dice=dice, strips=tuple(other for other in solo.strips if other != name))
    play.change_removed(strips=(*play.state.removed.strips, name))
    play.note(DiceRevealed(KEYTOMA, dice))


# Turns


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
        _end_year(play)
        return
    play.change(lead_seat=order[(order.index(state.lead_seat) + 1) % len(order)])
    play.push(TurnStart())


def _dice_left(state: Island) -> bool:
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
    after: tuple[Task, ...] = (Docking(at), Advance(seat, move.colour), Arrivals(at))
    if play.state.solo is not None:
        after = (KeytomaFollow(at), *after, FlagMoves(at))
    play.push(*_responses(play.state, seat, move, value), *after)


def _responses(state: Island, lead: Seat, move: Land, value: int) -> tuple[Response, ...]:
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
    band = BANDS[play.board.band(total)]
    play.note(HarbourResolved(NODES[HARBOUR + at], total, band, players))
    return total


def _keytoma_resolves(play: Play) -> None:
    """The first loaded harbour of Keytoma's from a rolled flag on, or an effect without a harbour."""
    loaded = [at for at, harbour in enumerate(play.state.harbours) if harbour.dice and KEYTOMA in harbour.top]
    if not loaded:
        if open_harbours(play.state):
            colours = play.board.data.solo.effect_by_number
            play.push(KeytomaEffect(colours[play.rolled("C20", "keytoma.roll")], -1))
        return
    first = keytoma.rolled_flag(play)
    at = min(loaded, key=lambda harbour: (harbour - first) % len(play.state.harbours))
    harbour = play.state.harbours[at]
    human = (Seat(0),) if has_keyple(harbour, Seat(0)) else ()
    total = _to_sea(play, at, (KEYTOMA, *human))
    if isinstance(play.board.data.harbour_tiles[harbour.tile], MarkerTile):
        play.change(next_start=KEYTOMA)
    benefits = tuple(Benefit(seat, at, total, lead=False) for seat in human)
    play.push(KeytomaEffect(harbour.dice[0].colour, at), *benefits, FlagParting(at))


def part_flags(play: Play, step: FlagParting) -> None:
    """Only a solo game has flags."""
    if play.state.solo is not None:
        keytoma.part_flags(play, step)


# Ends


def _end_year(play: Play) -> None:
    state = play.state
    if state.next_start is not None:
        play.change(start_seat=state.next_start)
        play.note(StartPlayerSet(state.next_start))
    play.change(next_start=None, end_triggered=False)
    if state.year < LAST_YEAR:
        _clear_harbours(play)
        play.change(year=state.year + 1)
        play.push(YearStart())
    else:
        _begin_final(play)


def _clear_harbours(play: Play) -> None:
    """Dice and sailors go back; in solo the sailors placed leave the game (keyside §5.8, §8.9)."""
    play.note(DiceReturned())
    play.note(SailorsReturned())
    state = play.state
    empty: Numbers = (0,) * len(COLOURS)
    mats = tuple(replace(mat, dice=empty, dice_on_mat=empty) for mat in state.mats)
    harbours = tuple(
        replace(harbour, sailor=None, dice=(), landed=False, resolved=False, sea=(), sea_sailors=())
        for harbour in state.harbours
    )
    if state.solo is None:
        play.change(boats=tuple(Boat(boat.at) for boat in state.boats))
    else:
        play.change(removed=_with_sailors(state.removed, state.harbours))
        play.change_solo(dice=empty)
    play.change(mats=mats, harbours=harbours)


def _with_sailors(removed: Removed, harbours: tuple[Harbour, ...]) -> Removed:
    placed = [sailor for harbour in harbours for sailor in (*harbour.sea_sailors, harbour.sailor) if sailor]
    return replace(
        removed,
        sailors=tuple(
            gone + placed.count(colour) for gone, colour in zip(removed.sailors, COLOURS, strict=True)
        ),
    )


def _begin_final(play: Play) -> None:
    """Windows for the skill tiles in turn order, then the marker, then scoring (keyside §7.1)."""
    play.change(phase="final")
    start = play.state.start_seat
    seats = [player for player in from_start(play.state) if player != KEYTOMA]
    marker = () if start == KEYTOMA else (MarkerAllocation(start),)
    play.push(*(FinalTurn(seat) for seat in seats), *marker, FinalScoring())


def close_window(_play: Play, _step: Window, _move: PassWindow) -> None:
    """Nothing more at this moment."""


def final_turn(play: Play, step: FinalTurn) -> None:
    """A seat's window, which behaves like a turn of its own (ruling R33)."""
    play.change(lead_seat=step.seat)
    play.push(Window(step.seat, "final_spend"), FinalTurnEnd())


def end_final_turn(play: Play, _step: FinalTurnEnd) -> None:
    """Activated markets turn over."""
    turn_over_activated(play)


def allocate_marker(play: Play, step: MarkerAllocation, move: AllocateMarker) -> None:
    """The marker counts as one such item (ruling R30)."""
    play.change(marker_item=move.item)
    play.note(MarkerItemSet(step.seat, move.item))


def score(play: Play, _step: FinalScoring) -> None:
    """Fill in the score pad, line by line; the game is over."""
    play.change(phase="over")
    for seat in range(len(play.state.mats)):
        for row in scoring.rows(play.board, play.state, Seat(seat)):
            play.note(RowScored(Seat(seat), row.row, row.points))
    if play.state.solo is not None:
        play.note(BeaconsLit(scoring.lit(play.board, play.state)))
    play.note(GameEnded("last_year", play.state.year))
