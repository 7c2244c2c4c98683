"""Skill tracks: markers advance and boxes are used (keyside §6.1 E-ADV, §6.4)."""

from collections.abc import Callable, Mapping
from typing import Final

from keylore_domain.engine.moves import Decision
from keylore_domain.engine.seats import Seat, with_item
from keylore_domain.games.keyside.components.parts import Deed
from keylore_domain.games.keyside.facts import MarkerAdvanced
from keylore_domain.games.keyside.moves import ChooseBox, ChooseColour, Decline
from keylore_domain.games.keyside.play import Play
from keylore_domain.games.keyside.state.decisions import (
    Advance,
    AnimalChoice,
    AnimalExchange,
    AnimalPlacing,
    AnyAdvance,
    BoxChoice,
    CottageSite,
    GainOffer,
    GemDraw,
    HeadlandSite,
    Import,
    KeypleMove,
    MarketVisit,
    OwnSite,
    Recruitment,
    SkillVisit,
)
from keylore_domain.games.keyside.state.position import COLOUR_AT, Box, Colour

TOP_LEVEL: Final = 4


def advance(play: Play, step: Advance) -> None:
    """E-ADV: one level up, or level 4 again; then the box, chosen if there are two."""
    mat = play.mat(step.seat)
    at = COLOUR_AT[step.colour]
    level = min(mat.levels[at] + 1, TOP_LEVEL)
    play.change_mat(
        step.seat, levels=with_item(mat.levels, at, level), boxes=with_item(mat.boxes, at, "none")
    )
    if len(play.parts.boxes(mat.letter, step.colour, level)) > 1:
        play.push(BoxChoice(step.seat, step.colour, level))
    else:
        _use(play, step.seat, step.colour, level, "none")


def choose_box(play: Play, step: BoxChoice, move: ChooseBox) -> None:
    """The left or the right box of the level that this advance reached."""
    mat = play.mat(step.seat)
    if mat.levels[COLOUR_AT[step.colour]] == step.level:
        play.change_mat(step.seat, boxes=with_item(mat.boxes, COLOUR_AT[step.colour], move.box))
    _use(play, step.seat, step.colour, step.level, move.box)


def _use(play: Play, seat: Seat, colour: Colour, level: int, box: Box) -> None:
    play.note(MarkerAdvanced(seat, colour, level, box))
    label = f"E-{colour[0].upper()}{level}"
    boxes = play.parts.boxes(play.mat(seat).letter, colour, level)
    deeds = boxes[1 if box == "right" else 0]
    play.push(*(ACTIONS[deed.kind](play, seat, label, deed) for deed in deeds))


def advance_any(play: Play, step: AnyAdvance, move: ChooseColour | Decline) -> None:
    """E-ADV-ANY: a marker of any colour."""
    if isinstance(move, ChooseColour):
        play.push(Advance(step.seat, move.colour))


def _gain(_play: Play, seat: Seat, label: str, deed: Deed) -> Decision:
    assert deed.gain is not None
    if deed.gain in ("wheat", "stone", "wood"):
        return GainOffer(seat, deed.gain, deed.number, label)
    return Import(seat, deed.gain, deed.number)


def _own_cottage(_play: Play, seat: Seat, _label: str, deed: Deed) -> Decision:
    assert deed.own_cottage is not None
    return OwnSite(seat, deed.own_cottage)


def _headland_option(play: Play, seat: Seat, label: str, _deed: Deed) -> Decision:
    """Orange 2 and 3: nothing can be paid with unless the option ``levels_2_to_4`` holds (ruling R3)."""
    option = play.parts.data.orange_build_option
    builds = play.state.options.orange_build == "levels_2_to_4"
    return HeadlandSite(seat, label, option.base_cost.value, option.pay.value if builds else ())


ACTIONS: Final[Mapping[str, Callable[[Play, Seat, str, Deed], Decision]]] = {
    "gain": _gain,
    "advance_any": lambda _, seat, label, deed: AnyAdvance(seat, label),
    "build": lambda _, seat, label, deed: CottageSite(seat, label, deed.number),
    "own_cottage": _own_cottage,
    "choose_animal": lambda _, seat, label, deed: AnimalChoice(seat, label, deed.number),
    "place_animals": lambda _, seat, label, deed: AnimalPlacing(seat, label, deed.number),
    "resource_move": lambda _, seat, label, deed: KeypleMove(seat, label, deed.number, footprint=True),
    "exchange_animals": lambda _, seat, label, deed: AnimalExchange(seat, label, deed.number),
    "recruit": lambda _, seat, label, deed: Recruitment(seat, deed.number),
    "move": lambda _, seat, label, deed: KeypleMove(seat, label, deed.number),
    "market": lambda _, seat, label, deed: MarketVisit(seat, label),
    "skill": lambda _, seat, label, deed: SkillVisit(seat, label),
    "gems": lambda _, seat, label, deed: GemDraw(seat, deed.number),
    "headland_option": _headland_option,
    "headland": lambda _, seat, label, deed: HeadlandSite(seat, label, deed.number, deed.pay),
}
