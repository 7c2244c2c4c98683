"""Benefits of the harbour tiles (keyside §6.3 E-A to E-L)."""

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

from keylore_domain.engine.moves import Decision
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyside.components.entries import (
    BuildTile,
    GainTile,
    HarbourTile,
    HeadlandTile,
    ImportTile,
    MarkerTile,
    PartsTile,
    PlacingTile,
    RecruitTile,
)
from keylore_domain.games.keyside.effects.keyples import without
from keylore_domain.games.keyside.facts import BenefitStarted, RedSpaceTaken
from keylore_domain.games.keyside.moves import ChoosePart, Decline
from keylore_domain.games.keyside.play import Play
from keylore_domain.games.keyside.state.decisions import (
    AnimalPlacing,
    Benefit,
    CottageSite,
    GainOffer,
    HeadlandSite,
    Import,
    KeypleMove,
    MarketVisit,
    Part,
    PartChoice,
    Recruitment,
    SkillVisit,
)
from keylore_domain.games.keyside.state.position import HARBOUR, NODES

BANDS: Final[tuple[Literal["low", "mid", "high"], ...]] = ("low", "mid", "high")


def benefit(play: Play, step: Benefit) -> None:
    """A seat gains what the tile of a resolved harbour gives."""
    letter = play.state.harbours[step.harbour].tile
    play.note(BenefitStarted(step.seat, NODES[HARBOUR + step.harbour]))
    tile = play.parts.data.harbour_tiles[letter]
    play.push(*BENEFITS[type(tile)](play, step, tile, f"E-{letter}"))


Steps = tuple[Decision, ...]


def _import(play: Play, step: Benefit, tile: ImportTile, _: str) -> Steps:
    animal, number = (tile.low, tile.mid, tile.high)[play.parts.band(step.total)]
    return (Import(step.seat, animal, number),)


def _place(play: Play, step: Benefit, tile: PlacingTile, label: str) -> Steps:
    number = tile.amount[play.parts.band(step.total)]
    return (AnimalPlacing(step.seat, label, number), KeypleMove(step.seat, label, footprint=True))


def _gain(play: Play, step: Benefit, tile: GainTile, label: str) -> Steps:
    number = tile.amount[play.parts.band(step.total)]
    return (GainOffer(step.seat, tile.item, number, label, tile.doubled_by),)


def _headland(play: Play, step: Benefit, tile: HeadlandTile, label: str) -> Steps:
    return (HeadlandSite(step.seat, label, tile.cost[play.parts.band(step.total)], (tile.pay,)),)


def _build(play: Play, step: Benefit, tile: BuildTile, label: str) -> Steps:
    return (CottageSite(step.seat, label, tile.cost[play.parts.band(step.total)]),)


def _parts(_play: Play, step: Benefit, tile: PartsTile, label: str) -> Steps:
    return (PartChoice(step.seat, label, tile.parts),)


def _recruit(play: Play, step: Benefit, tile: RecruitTile, _: str) -> Steps:
    return (Recruitment(step.seat, tile.amount[play.parts.band(step.total)]),)


def _marker(play: Play, step: Benefit, tile: MarkerTile, label: str) -> Steps:
    """E-I: who activates it starts next year and takes the red space; the others have one part."""
    if not step.lead:
        return (PartChoice(step.seat, label, tile.others_one_of, single=True),)
    play.change(next_start=step.seat)
    _take_red_space(play, step.seat, step.harbour)
    return ()


def _take_red_space(play: Play, seat: Seat, at: int) -> None:
    harbour = play.state.harbours[at]
    other = harbour.red_space
    if other == seat:
        return
    top = without(harbour.top, seat)
    if other is not None:
        where = harbour.top.index(seat)
        top = (*top[:where], other, *top[where:])
    play.change_harbour(at, top=top, red_space=seat)
    play.note(RedSpaceTaken(seat, other if isinstance(other, int) else None))


BENEFITS: Final[Mapping[type[HarbourTile], Callable[[Play, Benefit, Any, str], Steps]]] = {
    ImportTile: _import,
    PlacingTile: _place,
    GainTile: _gain,
    HeadlandTile: _headland,
    BuildTile: _build,
    MarkerTile: _marker,
    PartsTile: _parts,
    RecruitTile: _recruit,
}

_PARTS: Final[Mapping[Part, Callable[[Seat, str], Decision]]] = {
    "move": KeypleMove,
    "market": MarketVisit,
    "skill": SkillVisit,
}


def choose_part(play: Play, step: PartChoice, move: ChoosePart | Decline) -> None:
    """A part counts as done once chosen; at J and K the others come again, at I nothing more."""
    if isinstance(move, Decline):
        return
    rest = tuple(part for part in step.parts if part != move.part)
    if rest and not step.single:
        play.push(PartChoice(step.seat, step.effect, rest))
    play.push(_PARTS[move.part](step.seat, step.effect))
