"""Setup (keyper-at-sea §4)."""

from typing import Any

from keylore_domain.engine.facts import StartPlayerSet
from keylore_domain.engine.game import Turn
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyper_at_sea import facts
from keylore_domain.games.keyper_at_sea.components.parts import SEASONS, Parts
from keylore_domain.games.keyper_at_sea.effects.seasons import fill_stalls, lay_creatures, select_boats
from keylore_domain.games.keyper_at_sea.effects.tiles import refill_display
from keylore_domain.games.keyper_at_sea.play import (
    Play,
    empty_plots,
    gain,
    place_of,
    team_with,
)
from keylore_domain.games.keyper_at_sea.state import decisions as wait
from keylore_domain.games.keyper_at_sea.state.position import (
    Board,
    Cell,
    Household,
    KeyperOptions,
    State,
    season_number,
)

FIRST = Seat(0)


def set_up(parts: Parts, options: KeyperOptions, turn: Turn) -> Play:
    """Setup 1 to 10; ``start_seat`` takes the first turn."""
    play = Play(parts, _before_draws(parts, options), turn)
    _lay_sea(play)
    _shuffle_fairs(play)
    select_boats(play, FIRST)
    _equip(play)
    _deal_fairs(play)
    _fill_bag(play)
    fill_stalls(play, FIRST)
    _shuffle_fish_fairs(play)
    play.note(facts.SeasonStarted("spring"))
    start = play.start_seat("C7", "start_seat", options.start_seat, options.seats)
    play.note(StartPlayerSet(start))
    play.change(current=start)
    play.push(wait.Do("turn", start))
    return play


def _before_draws(parts: Parts, options: KeyperOptions) -> State:
    """Setup 1, 4 and 9: what does not depend on chance."""
    seats, sea = options.seats, options.mode != "base"
    supply = list(parts.supply)
    if not sea:
        for at in parts.groups["fish"]:
            supply[at] = 0
    extra: dict[str, Any] = {}
    if options.mode == "deep":
        extra = {"markers_left": (0, seats + 1, seats + 1, seats + 1)}
    return State(
        options=options,
        current=FIRST,
        boards=tuple(_board(parts, options, board) for board in parts.boards_in_play(options.mode, seats)),
        boats_available=(),
        boats_aside=tuple(parts.boats),
        fishing_available=tuple(parts.fishing_boats) if sea else (),
        fair_stacks=((),) * len(SEASONS),
        supply=tuple(supply),
        stalls=((),) * parts.constants.stalls.value if sea else (),
        stores_left=tuple(parts.stores) if options.mode == "deep" or options.first_out_stores else (),
        exhibited=(0,) * seats,
        households=(_household(parts, options),) * seats,
        **extra,
    )


def _board(parts: Parts, options: KeyperOptions, board: str) -> Board:
    display = parts.data.formations.spring_display[board]
    rotation = parts.place(options.mode, board)[2]
    cells = tuple(Cell(code) for code in parts.grids[display, rotation])
    return Board(board, display, rotation, "spring", cells, marker=options.mode == "deep")


def _household(parts: Parts, options: KeyperOptions) -> Household:
    team = [colour for colour, n in parts.data.keyples.start_team.items() for _ in range(n)]
    return Household(
        team=team_with(parts, (0,) * len(parts.colours), team),
        items=(0,) * len(parts.items),
        tiles=tuple(
            tile.id
            for tile in parts.tiles.values()
            if tile.owner == "home" and (tile.game == "base" or options.mode != "base")
        ),
        plots=empty_plots(parts),
    )


def _lay_sea(play: Play) -> None:
    """Setup 2 (C1)."""
    if play.state.options.mode == "base":
        return
    tiles = [
        item.id
        for item in play.parts.data.items.entries
        if item.group in ("creature", "pearl", "treasure")
        for _ in range(item.supply)
    ]
    play.change(sea_pile=play.shuffled("C1", "deck.creatures", tiles))
    for board in play.state.boards:
        lay_creatures(play, board.id)


def _shuffle_fairs(play: Play) -> None:
    """Setup 3 (C2)."""
    stacks = []
    for season in SEASONS:
        fairs = [fair.id for fair in play.parts.fairs.values() if fair.season == season]
        stacks.append(play.shuffled("C2", f"deck.fairs.{season}", fairs))
    play.change(fair_stacks=tuple(stacks))


def _equip(play: Play) -> None:
    """Setup 5: goods, fish, and with two seats a ninth keyple (C4)."""
    constants = play.parts.constants
    goods = [name for name, n in constants.start_finished.value.items() for _ in range(n)]
    goods += ["fish"] * constants.start_fish.value[play.state.options.mode]
    for seat in range(play.state.seats):
        gain(play, Seat(seat), goods)
    if play.state.seats == 2:
        ninth = play.turn.chance.shuffled("keyples.ninth", play.parts.data.keyples.two_player_ninth_from)[:2]
        play.drawn("C4", ninth)
        for number, colour in enumerate(ninth):
            team = play.household(Seat(number)).team
            play.change_household(Seat(number), team=team_with(play.parts, team, [colour]))


def _deal_fairs(play: Play) -> None:
    """Setup 6: each seat takes the top fair of spring, summer and autumn, face down."""
    seats, stacks = play.state.seats, play.state.fair_stacks
    for number in range(seats):
        seat = Seat(number)
        dealt = tuple(stack[seat] for stack in stacks[:3])
        play.change_household(seat, secret=dealt)
        for fair in dealt:
            secret = not play.state.options.open_fairs
            play.note(facts.TileMoved("stack", place_of(seat), fair, secret=secret))
    play.change(fair_stacks=(*(stack[seats:] for stack in stacks[:3]), stacks[3]))


def _fill_bag(play: Play) -> None:
    """Setup 7: spring tiles and spring fairs, and the first display (C5)."""
    sea = play.state.options.mode != "base"
    country = [t for t in play.parts.tiles.values() if t.owner == "country" and (sea or t.game == "base")]
    spring, *others = play.state.fair_stacks
    play.change(
        bag=play.parts.sorted_tiles([*(tile.id for tile in country if tile.spring), *spring]),
        reserve=tuple(tile.id for tile in country if not tile.spring),
        fair_stacks=((), *others),
    )
    refill_display(play)


def _shuffle_fish_fairs(play: Play) -> None:
    """Setup 8 (C6)."""
    if play.state.options.mode == "base":
        return
    order = play.shuffled("C6", "fish_fairs", tuple(play.parts.fish_fairs))
    play.change(fish_fairs=order)
    play.note(facts.FishFairTurned("spring", order[season_number("spring")]))
