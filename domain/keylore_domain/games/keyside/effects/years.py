"""Years: the dice set-up, the end of a year, the end of the game (keyside §5.3, §5.8, §7.1, §8.9)."""

from typing import Final

from msgspec.structs import replace

from keylore_domain.engine.facts import GameEnded
from keylore_domain.engine.seats import Seat, with_item
from keylore_domain.games.keyside.effects import keytoma
from keylore_domain.games.keyside.effects.markets import turn_over_activated
from keylore_domain.games.keyside.facts import (
    BeaconsLit,
    DiceReturned,
    DiceRevealed,
    MarkerItemSet,
    RoundStarted,
    RowScored,
    SailorsReturned,
    StartPlayerSet,
)
from keylore_domain.games.keyside.moves import (
    AllocateMarker,
    ChooseStrip,
    SetDie,
)
from keylore_domain.games.keyside.play import Play
from keylore_domain.games.keyside.scoring import totals
from keylore_domain.games.keyside.state.decisions import (
    DiceSetting,
    FinalScoring,
    FinalTurn,
    FinalTurnEnd,
    MarkerAllocation,
    TurnStart,
    Window,
    YearStart,
)
from keylore_domain.games.keyside.state.position import (
    COLOUR_AT,
    COLOURS,
    KEYTOMA,
    Boat,
    Harbour,
    Numbers,
    Removed,
    from_start,
)

LAST_YEAR: Final = 3

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
    strip = play.parts.strips[play.mat(seat).strip]
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
    play.stack.pop()
    for seat, mat in enumerate(play.state.mats):
        play.note(DiceRevealed(Seat(seat), mat.dice))
    if play.state.solo is not None:
        _set_keytoma_dice(play)
    play.change(phase="turns", lead_seat=play.state.start_seat)
    play.push(TurnStart())


def _set_keytoma_dice(play: Play) -> None:
    """A strip and a side at random (chance C18, C19)."""
    solo = keytoma.solo_of(play.state)
    name = play.picked("C18", "keytoma.strip", solo.strips)
    strip = play.parts.strips[name]
    dice = strip.light if play.picked("C19", "keytoma.side", ("light", "dark")) == "light" else strip.dark
    play.change_solo(dice=dice, strips=tuple(other for other in solo.strips if other != name))
    play.change_removed(strips=(*play.state.removed.strips, name))
    play.note(DiceRevealed(KEYTOMA, dice))


# Ends


def end_year(play: Play) -> None:
    """The marker changes hands; then dice and sailors go back, or the final spending begins."""
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
        for row in totals.rows(play.parts, play.state, Seat(seat)):
            play.note(RowScored(Seat(seat), row.row, row.points))
    if play.state.solo is not None:
        play.note(BeaconsLit(totals.lit(play.parts, play.state)))
    play.note(GameEnded("last_year", play.state.year))
