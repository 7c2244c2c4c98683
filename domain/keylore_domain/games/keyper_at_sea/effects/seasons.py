"""The single steps of the end and the start of seasons (keyper-at-sea §6.11 to §6.14)."""

from msgspec.structs import replace

from keylore_domain.engine.payments import plus
from keylore_domain.engine.seats import Seat, others_clockwise, with_item
from keylore_domain.games.keyper_at_sea import facts, moves
from keylore_domain.games.keyper_at_sea.components.boards import CELLS, WATER
from keylore_domain.games.keyper_at_sea.components.items import counts_of
from keylore_domain.games.keyper_at_sea.effects.placing import lay_on_keyp
from keylore_domain.games.keyper_at_sea.effects.tiles import refill_display
from keylore_domain.games.keyper_at_sea.play import (
    Play,
    discard_creatures,
    draw_creature,
    give_up,
    place_of,
    put_keyples,
    team_with,
)
from keylore_domain.games.keyper_at_sea.prompts.seasons import fairs_of, gifts
from keylore_domain.games.keyper_at_sea.scoring.housing import homeless
from keylore_domain.games.keyper_at_sea.state import decisions as wait
from keylore_domain.games.keyper_at_sea.state.position import (
    Cell,
    Keyple,
    OwnedStore,
    season_after,
    season_number,
)
from keylore_domain.games.keyper_at_sea.state.spots import KEYP_TILE, keyples_on, spots_of, standing


def overlooked(play: Play, seat: Seat) -> None:
    """S1: excess keyples that still stand are laid down and yield."""
    count = len(standing(play.household(seat).keyp))
    if count:
        lay_on_keyp(play, seat, count)


def fairs(play: Play, seat: Seat) -> None:
    """S2, D16: fairs of the seat's season may be held."""
    play.push(wait.HoldFair(seat, play.household(seat).season, (0,) * len(play.parts.items)))


def hold_fair(play: Play, decision: wait.HoldFair, move: moves.Hold | moves.Done) -> None:
    """H2, H3: a held fair stays and scores; those not held leave the game, open."""
    seat = decision.seat
    if isinstance(move, moves.Done):
        for fair in fairs_of(play.parts, play.household(seat), decision.season):
            _off_the_fairground(play, seat, fair)
            play.change(removed_open=play.parts.sorted_tiles((*play.state.removed_open, fair)))
            play.note(facts.FairRemoved(fair))
        return
    _off_the_fairground(play, seat, move.fair)
    play.change_household(seat, held=play.parts.sorted_tiles((*play.household(seat).held, move.fair)))
    play.note(facts.FairHeld(seat, move.fair))
    play.push(replace(decision, shown=plus(decision.shown, play.parts.exhibits[move.fair])))


def _off_the_fairground(play: Play, seat: Seat, fair: str) -> None:
    household = play.household(seat)
    play.change_household(
        seat,
        secret=tuple(name for name in household.secret if name != fair),
        fairs=tuple(name for name in household.fairs if name != fair),
    )


def housing(play: Play, seat: Seat) -> None:
    """S4: as long as items are homeless, one is given up."""
    if homeless(play.parts, play.household(seat)):
        play.push(wait.LoseItem(seat))


def lose_item(play: Play, decision: wait.LoseItem, move: moves.ChooseItem) -> None:
    """A4: the item returns to the supply or the sea discard."""
    give_up(play, decision.seat, [move.item])
    play.push(wait.Do("housing", decision.seat))


def take_board(play: Play, seat: Seat) -> None:
    """S5, D5: the claimed board is cleared; its keyples and the seat's own form the team."""
    state, household = play.state, play.household(seat)
    board = state.board(household.keyper)
    here = [moored for moored in state.moored if moored.board == board.id]
    taken = [keyple.colour for _, keyples in spots_of(state, [board]) for keyple in keyples]
    own = [plot.keyple.colour for plot in household.plots if plot.keyple is not None]
    own += [keyple.colour for keyple in household.keyp]
    creatures = [cell.creature for cell in board.cells if cell.creature]
    creatures += [tile for moored in here for tile in moored.tiles]
    discard_creatures(play, creatures, board.id)
    play.change_board(board.id, keyper=None, cells=tuple(Cell(cell.field) for cell in board.cells))
    _return_boats(play, [moored.id for moored in here])
    play.change_household(
        seat,
        team=team_with(play.parts, household.team, taken + own),
        keyper="",
        keyp=(),
        plots=tuple(replace(plot, keyple=None) if plot.keyple else plot for plot in household.plots),
    )
    play.note(facts.BoardTaken(seat, board.id, tuple(sorted(taken, key=play.parts.colour.__getitem__))))


def _return_boats(play: Play, boats: list[str]) -> None:
    state, rank = play.state, play.parts.boat_rank
    regular = [boat for boat in boats if boat in play.parts.boats]
    fishing = [boat for boat in boats if boat in play.parts.fishing_boats]
    play.change(
        moored=tuple(moored for moored in state.moored if moored.id not in boats),
        boats_aside=tuple(sorted((*state.boats_aside, *regular), key=rank.__getitem__)),
        fishing_available=tuple(sorted((*state.fishing_available, *fishing), key=rank.__getitem__)),
    )


def excess(play: Play, seat: Seat) -> None:
    """S11, D6: a team over the limit sends keyples to the keyp."""
    if sum(play.household(seat).team) > play.parts.constants.team_limit.value[play.state.seats]:
        play.push(wait.ChooseExcess(seat), wait.Do("excess", seat))


def choose_excess(play: Play, decision: wait.ChooseExcess, move: moves.ChooseColour) -> None:
    """S11: the keyple stands on the keyp."""
    household = play.household(decision.seat)
    play.change_household(decision.seat, team=team_with(play.parts, household.team, [move.colour], -1))
    put_keyples(play, decision.seat, KEYP_TILE, (*household.keyp, Keyple(move.colour)))
    play.note(facts.KeypleToKeyp(decision.seat, move.colour))


def recruit(play: Play, seat: Seat) -> None:
    """D7: Player A with few keyples gets the same number from each other seat."""
    household, constants = play.household(seat), play.parts.constants
    have = sum(household.team) + len(household.keyp)
    if have <= constants.recruit_threshold.value:
        others = others_clockwise(seat, play.state.seats)
        each = -((have - constants.recruit_target.value) // len(others))
        play.push(*[wait.Owe(other, seat, each) for other in others])


def owe(play: Play, step: wait.Owe) -> None:
    """D8: a seat that has nothing to give gives nothing."""
    decision = wait.GiveKeyple(step.seat, step.to, step.left)
    if gifts(play.parts, play.state, decision):
        play.push(decision)


def give_keyple(play: Play, decision: wait.GiveKeyple, move: moves.Give | moves.GiveFrom) -> None:
    """D8: the keyple stands in Player A's team."""
    parts, seat, to = play.parts, decision.seat, decision.to
    if move.spot == "team":
        play.change_household(seat, team=team_with(parts, play.household(seat).team, [move.colour], -1))
    else:
        left = list(keyples_on(parts, play.state, seat, move.spot))
        left.remove(Keyple(move.colour, move.lying if isinstance(move, moves.GiveFrom) else False))
        put_keyples(play, seat, move.spot, left)
    play.change_household(to, team=team_with(parts, play.household(to).team, [move.colour]))
    play.note(facts.KeypleGiven(seat, to, move.spot, move.colour))
    if decision.left > 1:
        play.push(wait.Owe(seat, to, decision.left - 1))


def set_up_board(play: Play, decision: wait.ChooseDisplayOf, move: moves.ChooseDisplay) -> None:
    """S9, D10, D19: the board shows the display; creatures on its water; deep: a marker on its keyp."""
    state, board, season = play.state, decision.board, decision.season
    codes = play.parts.grids[move.display, move.rotation]
    play.change_board(
        board,
        display=move.display,
        rotation=move.rotation,
        season=season,
        cells=tuple(Cell(code) for code in codes),
        marker=state.deep,
    )
    play.note(facts.BoardSetUp(board, move.display, move.rotation))
    lay_creatures(play, board)
    if state.deep:
        at = season_number(season)
        play.change(markers_left=with_item(state.markers_left, at, state.markers_left[at] - 1))
        play.note(facts.MarkerMoved("market", board, season))


def lay_creatures(play: Play, board: str) -> None:
    """S9: in the sea modes a creature tile face down on each water cell, as long as there are any."""
    if play.state.options.mode == "base":
        return
    laid = 0
    for name, cell in zip(CELLS[board], play.state.board(board).cells, strict=True):
        if cell.field == WATER and (creature := draw_creature(play)):
            play.change_cell(name, creature=creature)
            laid += 1
    play.note(facts.CreaturesLaid(board, laid))


def fill_stalls(play: Play, seat: Seat) -> None:
    """Q3: each stall to its size; pearls and treasures go to their own spaces."""
    if play.state.options.mode == "base":
        return
    stalls, treasures = [], list(play.state.treasures)
    for stall in play.state.stalls:
        creatures = list(stall)
        while len(creatures) < play.parts.constants.creatures_per_stall.value:
            tile = draw_creature(play)
            if not tile:
                break
            is_creature = play.parts.item[tile] in play.parts.groups["creature"]
            (creatures if is_creature else treasures).append(tile)
        stalls.append(tuple(creatures))
    play.change(stalls=tuple(stalls), treasures=tuple(sorted(treasures)))
    play.note(facts.StallsFilled(play.state.stalls, counts_of(play.state.treasures)))


def clear_stalls(play: Play, seat: Seat) -> None:
    """M7: the creatures left in the stalls are discarded."""
    discard_creatures(play, [tile for stall in play.state.stalls for tile in stall], "market")
    play.change(stalls=((),) * len(play.state.stalls))


def renew_tiles(play: Play, seat: Seat) -> None:
    """S7: the display goes, fairs of the season leave the game, bag and display are filled for the next."""
    state, parts = play.state, play.parts
    after = season_after(state.season)
    for tile in state.display:
        if tile in parts.tiles:
            play.note(facts.TileMoved("display", "discard", tile))
    pile = (*state.discard, *state.display)
    removed = tuple(name for name in pile if name in parts.fairs)
    unseen = tuple(name for name in state.bag if name in parts.fairs)
    for fair in (*removed, *(None for _ in unseen)):
        play.note(facts.FairRemoved(fair))
    joining = (*state.reserve, *state.fair_stacks[season_number(after)])
    play.change(
        display=(),
        discard=parts.sorted_tiles(name for name in pile if name in parts.tiles),
        bag=parts.sorted_tiles((*(name for name in state.bag if name not in unseen), *joining)),
        reserve=(),
        fair_stacks=with_item(state.fair_stacks, season_number(after), ()),
        removed_open=parts.sorted_tiles((*state.removed_open, *removed)),
        removed_unseen=parts.sorted_tiles((*state.removed_unseen, *unseen)),
    )
    refill_display(play)


def select_boats(play: Play, seat: Seat) -> None:
    """S8, D15: of the boats that are not moored at most four become available, at random."""
    state, parts = play.state, play.parts
    number = parts.constants.boats_per_season.value
    candidates = [boat for boat in parts.boats if boat in (*state.boats_available, *state.boats_aside)]
    chosen = candidates
    if len(candidates) > number:
        chosen = list(play.turn.chance.shuffled("boats", candidates)[:number])
        play.drawn("C3", chosen)
    play.change(
        boats_available=tuple(boat for boat in candidates if boat in chosen),
        boats_aside=tuple(boat for boat in candidates if boat not in chosen),
    )
    play.note(facts.BoatsSelected(play.state.boats_available))


def open_season(play: Play, seat: Seat) -> None:
    """S12, D11: the market activity of the next season becomes available."""
    after = season_after(play.state.season)
    play.change(opened=(*play.state.opened, after))
    if play.state.options.mode != "base":
        play.note(facts.SeasonOpened(after))


def turn_fish_fair(play: Play, seat: Seat) -> None:
    """S6, S12, D13: the fish fair of the next season is turned up."""
    after = season_after(play.state.season)
    if play.state.fish_fairs:
        play.note(facts.FishFairTurned(after, play.state.fish_fairs[season_number(after)]))


def advance_season(play: Play, seat: Seat) -> None:
    """S13, D13: the season of the game advances; base, shallow: that of every seat too."""
    after = season_after(play.state.season)
    play.change(season=after)
    if not play.state.deep:
        households = play.state.households
        play.change(households=tuple(replace(household, season=after) for household in households))
    play.note(facts.SeasonStarted(after))


def choose_store(play: Play, decision: wait.ChooseStoreTile, move: moves.ChooseStore) -> None:
    """D3, D21, §5.7: the seat gains the store; deep: the marker of its board goes there."""
    state, seat, store = play.state, decision.seat, move.store
    household = play.household(seat)
    if state.deep:
        play.change_board(household.keyper, marker=False)
        play.note(facts.MarkerMoved(household.keyper, store, household.season))
    play.change(stores_left=tuple(name for name in state.stores_left if name != store))
    owned = {item.id: item for item in (*household.stores, OwnedStore(store))}
    play.change_household(seat, stores=tuple(owned[name] for name in play.parts.stores if name in owned))
    play.note(facts.StoreClaimed(seat, store))


def complete(play: Play, seat: Seat) -> None:
    """D17: the board's marker goes to the seat, which has completed the season."""
    household = play.household(seat)
    play.change_board(household.keyper, marker=False)
    play.change_household(seat, completed=(*household.completed, household.season))
    play.note(facts.MarkerMoved(household.keyper, place_of(seat), household.season))


def next_own_season(play: Play, seat: Seat) -> None:
    """D20: the seat's own season advances."""
    play.change_household(seat, season=season_after(play.household(seat).season))
