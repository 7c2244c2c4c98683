"""The set-up of a game (§4); the chance labels are listed in ``rules.py``."""

from keylore_domain.engine.game import Turn
from keylore_domain.engine.seats import Seat, clockwise
from keylore_domain.games.keydom.components.entries import SpellCard
from keylore_domain.games.keydom.components.names import COLOURS, START_NUMBERS
from keylore_domain.games.keydom.components.parts import Parts
from keylore_domain.games.keydom.play import Play
from keylore_domain.games.keydom.state.decisions import ChooseColour, OpenBid
from keylore_domain.games.keydom.state.position import Family, KeydomOptions, State


def set_up(parts: Parts, options: KeydomOptions, turn: Turn) -> Play:
    """Parts laid out, the spell deck shuffled, colours and the first bid to come."""
    play = Play(parts, _before_draws(parts, options), turn)
    _colour(play)
    if options.spells:
        cards = [card.id for card in parts.data.spells if not _excluded(card, options)]
        play.change(deck=play.shuffled("C2", "deck.spells", cards))
    return play


def _before_draws(parts: Parts, options: KeydomOptions) -> State:
    required = parts.required(short_game=options.short_game)
    family = Family(colour=None, cubes=(0,) * len(COLOURS), hand=START_NUMBERS)
    return State(
        options=options,
        in_play=parts.in_play(short_game=options.short_game, spells=options.spells),
        required=required,
        families=(family,) * options.seats,
        stock=(parts.data.cubes.per_colour,) * len(COLOURS),
        piles=tuple(tile.copies if tile.id in required else 0 for tile in parts.data.tiles),
        pending=(OpenBid((0,) * options.seats),),
    )


def _colour(play: Play) -> None:
    """SETUP-1: by choice, by lot, or in the order of the seats."""
    options = play.state.options
    if options.colour_assignment == "choose":
        play.push(*map(ChooseColour, clockwise(Seat(0), options.seats)))
        return
    colours = COLOURS
    if options.colour_assignment == "random":
        colours = play.shuffled("C1", "colours", COLOURS)
    for seat in range(options.seats):
        play.change_family(Seat(seat), colour=colours[seat])


def _excluded(card: SpellCard, options: KeydomOptions) -> bool:
    return any(getattr(options, name) == value for name, value in card.excluded_when.items())
