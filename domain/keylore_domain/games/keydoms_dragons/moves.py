"""The moves: one type for each form of answer (spec §5.1)."""

from typing import Literal

import msgspec

from keylore_domain.engine.moves import Action, Move
from keylore_domain.games.keydoms_dragons.components import Artefact, GhostName, Location, Stack, Type

PartyName = int | GhostName


class Treasures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Units by type; only what is not zero is written."""

    red: int = 0
    white: int = 0
    black: int = 0
    blue: int = 0
    gold: int = 0


class TakeTypes(Move, frozen=True):
    """Take one unit of each of three types (set-up)."""

    take: tuple[Type, Type, Type]


class Place(Action, frozen=True):
    """Put a worker on a location (spec §5.5)."""

    worker: int
    location: Location


class Cast(Action, frozen=True):
    """Cast a spell from the hand (spec §5.4)."""

    spell: int


class PassWindow(Action, frozen=True, tag="pass"):
    """Do nothing, this time or for the rest of the round (spec §5.4)."""

    scope: Literal["window", "round"]


class Raven(Action, frozen=True):
    """Send the raven to the location being resolved (AR4)."""


class Mirror(Action, frozen=True):
    """Reflect one of the own tokens at the location being resolved (AR3)."""

    token: str


class Key(Action, frozen=True):
    """Use the key at the guard room (AR2)."""


class PassResponse(Action, frozen=True, tag="pass"):
    """Let the spell happen (spec §5.7)."""


class Amulet(Action, frozen=True):
    """Cancel the spell with an amulet (AR1)."""


class CopyAmulet(Action, frozen=True):
    """Cancel the spell with Copy of an opponent's amulet (spec §5.7)."""


class PayType(Move, frozen=True):
    """So much of one type; payments are made type by type (spec §5.8)."""

    type: Type
    amount: int


class TakeTreasures(Move, frozen=True):
    """Take these units from the treasury (S11)."""

    take: Treasures


class Done(Action, frozen=True):
    """Give no more types (S21)."""


class Pay(Action, frozen=True):
    """Pay what is asked (S9, S12)."""


class Withdraw(Action, frozen=True):
    """Take all tokens out of the castle instead (S9)."""


class Remove(Action, frozen=True):
    """Take the token away instead (S12)."""


class ChooseToken(Move, frozen=True):
    """One token on the board."""

    token: str


class NoToken(Action, frozen=True, tag="none"):
    """Remove no token (spec §8.11)."""


class ChooseLocation(Move, frozen=True):
    """A spell's location."""

    location: Location


class ChooseStack(Move, frozen=True):
    """A spell's stack."""

    stack: Stack


class GiveTile(Move, frozen=True):
    """The tile given and the stack it goes to (S8)."""

    give: Artefact
    stack: Stack


class CopyOf(Move, frozen=True, omit_defaults=True):
    """The artefact copied, and the token a mirror reflects (S2)."""

    artefact: Artefact
    token: str = ""


class ChooseParty(Move, frozen=True):
    """The new start party (L2)."""

    party: PartyName


class Exchange(Action, frozen=True):
    """One unit for three (L3)."""

    give: Type
    take: Treasures


class Decline(Action, frozen=True):
    """Make no use of the offer."""


class KeepSpell(Move, frozen=True):
    """The spell card kept (L5)."""

    keep: int


class Bribe(Action, frozen=True):
    """Pay the guard what the strength lacks (L6)."""


class Buy(Action, frozen=True):
    """Buy the artefact on a stack with this payment (L7)."""

    stack: Stack
    payment: Treasures


class ChooseArtefact(Move, frozen=True):
    """A tile out of a stack (S1, S15)."""

    artefact: Artefact


DragonsMove = (
    TakeTypes | Place | Cast | PassWindow | Raven | Mirror | Key | PassResponse | Amulet | CopyAmulet
    | PayType | TakeTreasures | Done | Pay | Withdraw | Remove | ChooseToken | NoToken | ChooseLocation
    | ChooseStack | GiveTile | CopyOf | ChooseParty | Exchange | Decline | KeepSpell | Bribe | Buy
    | ChooseArtefact
)  # fmt: skip
