"""The set-up of a game (keyside §4, §8.2); the chance labels are listed in ``rules.py``."""

from typing import Final, Literal

from keylore_domain.engine.game import Turn
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyside.components.parts import Parts
from keylore_domain.games.keyside.effects.buildings import place_cottage
from keylore_domain.games.keyside.effects.keyples import land_keyple
from keylore_domain.games.keyside.effects.keytoma import move_flag, place_landslide, solo_of
from keylore_domain.games.keyside.facts import BeaconsSet, KeypleMoved, PiratePlaced, StartPlayerSet
from keylore_domain.games.keyside.play import Play
from keylore_domain.games.keyside.state.decisions import YearStart
from keylore_domain.games.keyside.state.position import (
    FLAGS,
    HARBOUR,
    HARBOURS,
    KEYTOMA,
    MAT_PAIRS,
    NODES,
    PIRATE,
    RING,
    SOURCES,
    Boat,
    Farm,
    Harbour,
    KeysideOptions,
    Market,
    Mat,
    Owner,
    Solo,
    Source,
    State,
)

COIN: Final = ("heads", "tails")


def source_places() -> tuple[tuple[int, int, int], ...]:
    """The sets of three resource locations without ring neighbours, in lexicographic order."""
    return tuple(
        (first, second, third)
        for first in range(RING)
        for second in range(first + 2, RING)
        for third in range(second + 2, RING)
        if (third + 1) % RING != first
    )


def set_up(parts: Parts, options: KeysideOptions, turn: Turn) -> Play:
    """The island before the dice of year 1 are set."""
    play = Play(parts, _empty_island(parts, options), turn)
    play.change(harbours=_harbours(play))
    play.change(resources=_resources(play))
    play.change(markets=_markets(play))
    play.change(boats=_boats(play))
    play.change(mats=_mats(play))
    chosen = options.start_seat if options.seats > 1 else 0  # in solo the human
    start = play.start_seat("C13", "setup.start_seat", chosen, options.seats)
    play.change(start_seat=start, lead_seat=start)
    play.note(StartPlayerSet(start))
    if options.first_game:
        _first_game(play)
    if options.seats == 1:
        _set_up_solo(play)
    play.push(YearStart())
    return play


def _empty_island(parts: Parts, options: KeysideOptions) -> State:
    counts = parts.data.counts
    gems = counts.solo_gem_per_type if options.seats == 1 else counts.gem_per_type
    return State(
        options=options,
        spaces=parts.spaces(options),
        harbours=(),
        boats=(),
        headlands=((),) * HARBOURS,
        markets=(),
        resources=(),
        mats=(),
        cottages_left=tuple(parts.data.cottages),
        skill_stacks=(counts.skill_tile_values,) * 6,
        gem_bag=(gems,) * 3,
    )


def _harbours(play: Play) -> tuple[Harbour, ...]:
    """C1 tiles, C2 numbers, C3 sides."""
    options = play.state.options
    tiles = play.shuffled("C1", "setup.harbour_tiles", tuple(play.parts.data.harbour_tiles))
    numbers = play.shuffled("C2", "setup.harbour_scores", tuple(map(str, play.parts.data.scoring_tiles)))
    harbours = []
    for tile, number in zip(tiles, numbers, strict=True):
        side = options.scoring_sides
        if side == "mixed":
            side = "black" if _heads(play, "C3", "setup.score_sides") else "red"
        harbours.append(Harbour(tile, int(number), side))
    return tuple(harbours)


def _heads(play: Play, point: str, label: str) -> bool:
    return play.picked(point, label, COIN) == "heads"


def _resources(play: Play) -> tuple[Source | Farm, ...]:
    """C4 places, C5 forest, quarry and wheat fields on them; C6 farms, C7 their sides."""
    sets = tuple(" ".join(f"r{at}" for at in places) for places in source_places())
    places = play.picked("C4", "setup.source_places", sets).split()
    sources = dict(zip(places, play.shuffled("C5", "setup.sources", SOURCES), strict=True))
    farms = iter(play.shuffled("C6", "setup.farms", tuple(play.parts.data.farms)))
    tokens = play.parts.seating(play.state.options).tokens
    return tuple(
        Source(sources[node], tokens) if node in sources else _farm(play, next(farms))
        for node in (f"r{at}" for at in range(RING))
    )


def _farm(play: Play, tile: str) -> Farm:
    sides = play.parts.data.farms[tile]
    if _heads(play, "C7", "setup.farm_sides"):
        return Farm(tile, "a", sides.a)
    return Farm(tile, "b", sides.b)


def _markets(play: Play) -> tuple[Market, ...]:
    """C8 places, C9 sides."""
    tiles = play.shuffled("C8", "setup.markets", play.parts.market_tiles)
    top = {tile: _heads(play, "C9", "setup.market_sides") for tile in play.parts.two_sided}
    return tuple(
        Market(tile, ("top" if top[tile] else "reverse") if tile in top else "none") for tile in tiles
    )


def _boats(play: Play) -> tuple[Boat, ...]:
    seating = play.parts.seating(play.state.options)
    first = harbour_with(play.state, play.parts.data.boat_icon_number.value)
    return tuple(Boat((first + at * seating.boat_gap) % HARBOURS) for at in range(seating.boats))


def harbour_with(state: State, number: int) -> int:
    """The position of a harbour number."""
    return next(at for at, harbour in enumerate(state.harbours) if harbour.number == number)


def _mats(play: Play) -> tuple[Mat, ...]:
    """C10 mats, C11 their sides, C12 dice strips; in solo the other strips are Keytoma's."""
    options, counts = play.state.options, play.parts.data.counts
    fronts = play.shuffled("C10", "setup.mats", MAT_PAIRS)[: options.seats]
    letters = [_letter(play, front, options.mats) for front in fronts]
    strips = play.shuffled("C12", "setup.strips", tuple(play.parts.strips))
    if options.seats == 1:
        data = play.parts.data.solo
        play.change(
            solo=Solo(
                flags=(0,) * len(FLAGS),
                beacons=(),
                strips=strips[1:],
                keyples=data.keytoma_keyples,
                pirates=data.pirates,
                landslides=data.landslides,
            )
        )
    return tuple(
        Mat(letter, strip, keyples=counts.keyples_on_mat, town=counts.keyples_in_town)
        for letter, strip in zip(letters, strips, strict=False)
    )


def _letter(play: Play, front: str, mats: Literal["basic", "advanced", "mixed"]) -> str:
    back: str = getattr(play.parts.data.mats.backs, front)
    if mats == "mixed":
        return front if _heads(play, "C11", "setup.mat_sides") else back
    return front if mats == "basic" else back


def _first_game(play: Play) -> None:
    """C14: a cottage for each seat, and a keyple from the mat in its harbour (step 16)."""
    start = play.parts.data.first_game.start
    letters = play.shuffled("C14", "setup.first_cottages", tuple(start))
    for seat, letter in zip(range(play.state.options.seats), letters, strict=False):
        owner = Seat(seat)
        place_cottage(play, owner, letter)
        play.change_mat(owner, keyples=play.mat(owner).keyples - 1)
        _found(play, owner, harbour_with(play.state, start[letter]), "mat")


def _found(play: Play, owner: Owner, harbour: int, origin: str) -> None:
    at = harbour % HARBOURS
    land_keyple(play, owner, at)
    if owner == PIRATE:
        play.note(PiratePlaced(NODES[HARBOUR + at]))
    else:
        play.note(KeypleMoved(owner, origin, NODES[HARBOUR + at]))


def _set_up_solo(play: Play) -> None:
    """C16 beacons, C17 flags, then the difficulty (keyside §8.2)."""
    piles = [tuple(beacon for beacon in play.parts.data.solo.beacons if beacon[0] == pile) for pile in "ABC"]
    beacons = tuple(play.shuffled("C16", "setup.beacons", pile)[0] for pile in piles)
    play.change_solo(beacons=beacons)
    play.note(BeaconsSet(beacons))
    first = harbour_with(play.state, play.rolled("C17", "setup.flags"))
    for flag in range(len(FLAGS)):
        move_flag(play, flag, (first + flag * play.parts.data.solo.flag_gap) % HARBOURS)
    _make_harder(play, solo_of(play.state).flags)


def _make_harder(play: Play, flags: tuple[int, ...]) -> None:
    difficulty = play.state.options.solo_difficulty
    if difficulty == "keytoma_keyple":
        play.change_solo(keyples=solo_of(play.state).keyples - 1)
        _found(play, KEYTOMA, flags[0] - 1, "supply")
    elif difficulty == "landslide":
        place_landslide(play, (flags[1] - 1) % HARBOURS)
    elif difficulty == "pirates":
        play.change_solo(pirates=solo_of(play.state).pirates - 2)
        _found(play, PIRATE, flags[2] - 1, "supply")
        _found(play, PIRATE, flags[2] - 1, "supply")
