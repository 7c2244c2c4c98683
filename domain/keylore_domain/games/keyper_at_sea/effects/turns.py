"""The course of turns and of whole seasons as lists of steps (keyper-at-sea §5.2 to §5.4, §6.13, §6.14)."""

from keylore_domain.engine.facts import GameEnded
from keylore_domain.engine.moves import Decision
from keylore_domain.engine.seats import Seat, clockwise, left_of, with_item
from keylore_domain.games.keyper_at_sea import facts, moves
from keylore_domain.games.keyper_at_sea.components.parts import SEASONS
from keylore_domain.games.keyper_at_sea.effects.tiles import refill_display
from keylore_domain.games.keyper_at_sea.play import Play
from keylore_domain.games.keyper_at_sea.state import decisions as wait
from keylore_domain.games.keyper_at_sea.state.position import season_after, season_number

WINTER = SEASONS[-1]


def begin_turn(play: Play, seat: Seat) -> None:
    """A turn of *seat* (U1, U2)."""
    state = play.state
    play.change(phase="turns", turn=state.turn + 1, current=seat, exhibited=(0,) * state.seats)
    play.push(wait.TakeTurn(seat), wait.Do("end_turn", seat))


def take_turn(play: Play, decision: wait.TakeTurn, move: moves.AnyMove) -> None:
    """U3 to U6: what the seat does this turn; passing needs nothing."""
    seat = decision.seat
    match move:
        case moves.PlayKeyper():
            play.push(wait.ChooseKeypBoard(seat))
        case moves.PlayKeyple():
            play.push(wait.ChooseSpotFor(seat, move.colour))
        case moves.LayDown():
            play.push(wait.ChooseLayDown(seat))
        case moves.EndSeason():
            end_own_season(play, seat)


def end_turn(play: Play, seat: Seat) -> None:
    """U7: end the season, the game, or go on with the next seat."""
    _find_first_out(play, seat)
    if not play.state.deep and not any(household.pieces for household in play.state.households):
        _end_season_of_all(play, left_of(seat, play.state.seats))
        return
    refill_display(play)
    state = play.state
    if state.trigger is not None and seat != state.trigger:
        play.change(final_turns_left=state.final_turns_left - 1)
        if state.final_turns_left == 1:
            _end_deep_game(play)
            return
    play.push(wait.Do("turn", left_of(seat, state.seats)))


def _find_first_out(play: Play, seat: Seat) -> None:
    """§5.7: the first seat of a season without a piece."""
    state, at = play.state, season_number(play.state.season)
    if not state.options.first_out_stores or state.first_out[at] is not None:
        return
    for other in clockwise(seat, state.seats):
        if not state.households[other].pieces:
            play.change(first_out=with_item(state.first_out, at, other))
            play.note(facts.FirstOutSet(other, state.season))
            return


def _end_season_of_all(play: Play, first: Seat) -> None:
    """S1 to S14; *first* takes the first turn of the next season."""
    state = play.state
    seats = clockwise(first, state.seats)
    play.change(phase="season_end")
    play.note(facts.SeasonEnded(None, state.season))
    steps: list[Decision] = []
    first_out = state.first_out[season_number(state.season)]
    if first_out is not None:
        steps.append(wait.ChooseStoreTile(first_out))
    steps += _each("overlooked", seats) + _each("fairs", seats)
    if state.season == WINTER:
        play.push(*steps, wait.Do("finish", first))
        return
    steps += _each("housing", seats) + _each("take_board", seats)
    steps += [wait.Do(step, first) for step in ("clear_stalls", "renew_tiles", "select_boats")]
    after = season_after(state.season)
    steps += [wait.ChooseDisplayOf(seat, state.households[seat].keyper, after) for seat in seats]
    steps += [wait.Do("fill_stalls", first), *_each("excess", seats)]
    steps += [wait.Do(step, first) for step in ("open_season", "turn_fish_fair", "advance_season", "turn")]
    play.push(*steps)


def _each(step: str, seats: tuple[Seat, ...]) -> list[Decision]:
    return [wait.Do(step, seat) for seat in seats]


def end_own_season(play: Play, seat: Seat) -> None:
    """D2: the first end of a season changes the season of the game; the first end of winter ends it."""
    season = play.household(seat).season
    play.change(phase="season_end")
    play.note(facts.SeasonEnded(seat, season))
    if season == WINTER:
        play.change(trigger=seat, final_turns_left=play.state.seats - 1)
        play.push(wait.ChooseStoreTile(seat))
        play.note(facts.EndTriggered(seat))
    elif play.state.player_a[season_number(season)] is None:
        _change_game_season(play, seat)
    else:
        _change_own_season(play, seat)


def _change_game_season(play: Play, seat: Seat) -> None:
    """D3 to D15: Player A takes a store and sets the game to the next season."""
    state = play.state
    play.change(player_a=with_item(state.player_a, season_number(state.season), seat))
    board = state.households[seat].keyper
    before = ("overlooked", "take_board", "excess", "recruit")
    after = ("open_season", "renew_tiles", "turn_fish_fair", "advance_season", "clear_stalls", "fill_stalls")
    play.push(
        wait.ChooseStoreTile(seat),
        *[wait.Do(step, seat) for step in before],
        wait.ChooseDisplayOf(seat, board, season_after(state.season)),
        *[wait.Do(step, seat) for step in (*after, "select_boats")],
    )


def _change_own_season(play: Play, seat: Seat) -> None:
    """D16 to D20: fairs, marker, housing, board; the seat goes on to its next season."""
    household = play.household(seat)
    before = ("fairs", "complete", "overlooked", "housing", "take_board", "excess")
    play.push(
        *[wait.Do(step, seat) for step in before],
        wait.ChooseDisplayOf(seat, household.keyper, season_after(household.season)),
        wait.Do("next_own_season", seat),
    )


def _end_deep_game(play: Play) -> None:
    """D22: everyone may hold fairs of the season it is in, the trigger seat first."""
    state = play.state
    assert state.trigger is not None
    seats = clockwise(state.trigger, state.seats)
    play.change(phase="season_end")
    play.push(*_each("fairs", seats), wait.Do("finish", seats[0]))


def finish(play: Play, seat: Seat) -> None:
    """The game is over (§7)."""
    play.stack.clear()
    play.change(phase="over")
    play.note(GameEnded(ended_by(play.state.deep), len(SEASONS)))


def ended_by(deep: bool) -> str:
    """The cause of the end (V10)."""
    return "winter_ended" if deep else "last_season"
