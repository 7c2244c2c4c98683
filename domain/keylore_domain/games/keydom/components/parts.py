"""The parts of the game: the data file, ready to look things up."""

from collections.abc import Mapping
from typing import Final

from keylore_domain.engine.data import parse_data, shipped
from keylore_domain.games.keydom.components.checks import check
from keylore_domain.games.keydom.components.entries import DataFile, LocationEntry, SpellCard
from keylore_domain.games.keydom.components.names import DonationKind, TheftKind, TileType


class Parts:
    """The data file, ready to look things up; never changes."""

    def __init__(self, data: DataFile) -> None:
        self.data = data
        self.cards: Final[Mapping[str, SpellCard]] = {card.id: card for card in data.spells}
        self.card_order: Final[Mapping[str, int]] = {card.id: at for at, card in enumerate(data.spells)}
        self.locations: Final[Mapping[str, LocationEntry]] = {entry.id: entry for entry in data.locations}
        self.arrest_patterns: Final[Mapping[str, str]] = {
            cost.target_region: cost.pattern for cost in self.locations["soldiers"].arrest_costs
        }
        self.donation_patterns: Final[Mapping[DonationKind, str]] = {
            price.kind: price.pattern for price in self.locations["priest"].donations
        }
        self.theft_patterns: Final[Mapping[TheftKind, str]] = {
            price.kind: price.pattern for price in self.locations["outlaws"].thefts
        }
        self.spaces: Final[Mapping[str, int]] = {
            entry.id: entry.spaces.value for entry in data.locations if entry.spaces is not None
        }
        self.pairs: Final[Mapping[str, int]] = {
            entry.id: entry.pair_spaces.value for entry in data.locations if entry.pair_spaces is not None
        }

    @property
    def keep(self) -> int:
        """The cubes that a seat keeps when the priest asks for all in excess."""
        return self.data.limits.priest_keep.value

    @property
    def spell_limit(self) -> int:
        """How many spells a seat may hold."""
        return self.data.limits.spells_per_player.value

    def pattern(self, location: str) -> str:
        """The price at a castle location."""
        pattern = self.locations[location].pattern
        assert pattern is not None
        return pattern

    def in_play(self, *, short_game: bool, spells: bool) -> tuple[str, ...]:
        """The ids of the locations in play, in the order in which they are resolved (§3)."""
        return tuple(
            entry.id
            for entry in self.data.locations
            if not (short_game and entry.not_in_short_game) and (spells or entry.id != "wizard")
        )

    def required(self, *, short_game: bool) -> tuple[TileType, ...]:
        """The tiles that the Keymaster needs, in canonical order."""
        return tuple(
            tile.id
            for tile in self.data.tiles
            if (tile.required_in_short_game if short_game else tile.required)
        )


def parse(text: str) -> Parts:
    """The parts in the data file *text*.

    Raises:
        DataFileError: an entry has a wrong shape or breaks a rule of spec section 2.
    """
    data = parse_data(text, "keydom", DataFile)
    check(data)
    return Parts(data)


def standard() -> str:
    """The text of the shipped data file."""
    return shipped("keylore_domain.games.keydom")
