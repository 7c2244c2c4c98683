"""What a position can wait for: questions to seats, and steps that the rules carry out by themselves (§5)."""

import msgspec

from keylore_domain.engine.moves import Asked, Step
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydoms_dragons.components import Location
from keylore_domain.games.keydoms_dragons.facts import Targets
from keylore_domain.games.keydoms_dragons.state.position import (
    NOBODY,
    NOTHING,
    Party,
    Region,
    Vector,
    WindowKind,
)


class Spell(msgspec.Struct, frozen=True):
    """A spell that is being cast, by whom and where."""

    caster: Party
    number: int
    window: WindowKind
    location: Location | None = None
    targets: Targets = Targets()


# -- questions: a decision with a seat ---------------------------------------------------------------------


class ChooseStartTreasures(Asked, frozen=True):
    """Three different treasures at the start."""


class PlaceWorker(Asked, frozen=True):
    """A placement turn."""


class WindowAction(Asked, frozen=True):
    """A seat's turn in a window."""

    window: WindowKind
    location: Location | None


class SpellTarget(Asked, frozen=True):
    """The next target of a spell that the seat has chosen to cast; the card is still in its hand."""

    spell: Spell


class Respond(Asked, frozen=True):
    """Whether to cancel a spell."""

    spell: Spell


class PayAny(Asked, frozen=True):
    """``due`` more units of any types from ``first`` on, to ``payee`` (NOBODY: the treasury)."""

    due: int
    payee: Party = NOBODY
    first: int = 0


class TakeGift(Asked, frozen=True):
    """Gift (S11)."""


class TradeGive(Asked, frozen=True):
    """Trade, first half: ``given`` so far, types from ``first`` on may follow."""

    given: Vector = NOTHING
    first: int = 0


class TradeTake(Asked, frozen=True):
    """Trade, second half: ``due`` more units from ``first`` on, of types not in ``given``."""

    given: Vector
    due: int
    first: int = 0


class ExtortionResponse(Asked, frozen=True):
    """Pay ``due`` or leave the castle (S9)."""

    due: int


class LevyResponse(Asked, frozen=True):
    """Pay or lose one token (S12)."""

    token: str


class EvictReply(Asked, frozen=True):
    """The seat chooses a token of ``owner`` (S7), of at least strength ``least`` (GX7)."""

    owner: Seat
    least: int = 0


class RemoveOwnWorker(Asked, frozen=True):
    """GS18, GS19."""


class RemoveGhostWorker(Asked, frozen=True):
    """The seat chooses one of ``tokens``; ``optional``: or none."""

    tokens: tuple[str, ...]
    optional: bool


class ChooseStartPlayer(Asked, frozen=True):
    """Stables (L2)."""


class MarketExchange(Asked, frozen=True):
    """Market (L3)."""


class ChooseSpell(Asked, frozen=True):
    """Roundhouse (L5): one of ``spells``; the other goes to ``second`` (NOBODY: under the deck)."""

    spells: tuple[int, ...]
    second: Party


class BribeGuard(Asked, frozen=True):
    """Guard room (L6)."""

    due: int


class BuyArtefact(Asked, frozen=True):
    """A castle room's offer (L7); ``choice``: the purchase takes any tile of its stack (S1)."""

    location: Location
    stacks: tuple[int, ...]
    choice: bool = False


class ChooseFromStack(Asked, frozen=True):
    """A tile out of a stack, to buy (S1) or to lay on top (S15)."""

    stack: int
    buying: bool


# -- steps: what the rules do next by themselves -----------------------------------------------------------


class BeginRound(Step, frozen=True):
    """Round begin (§5.2)."""


class Placement(Step, frozen=True):
    """The next placement turn, of the first party from ``party`` on that is not done (§5.5)."""

    party: Party


class GhostSpells(Step, frozen=True):
    """The ghosts' drawn spells, in the order of casting (§8.5)."""

    spells: tuple[Spell, ...] = ()
    ordered: bool = False


class GhostRemovals(Step, frozen=True):
    """GS18 and GS19 at the start of phase 2."""


class GhostMoonlight(Step, frozen=True):
    """GS13 after the caves."""


class OpenWindow(Step, frozen=True):
    """A window opens (§5.4)."""

    window: WindowKind
    location: Location | None = None


class Window(Step, frozen=True):
    """An open window: ``seat`` is asked next, ``passed`` seats have passed since the last action."""

    window: WindowKind
    location: Location | None
    seat: Seat
    passed: int


class Resolve(Step, frozen=True):
    """A location is revealed (§5.9)."""

    location: Location


class Rank(Step, frozen=True):
    """A location is ranked and its rewards are given (§5.9)."""

    location: Location


class Close(Step, frozen=True):
    """A location is closed (§5.9)."""

    location: Location


class Guard(Step, frozen=True):
    """The seats at the guard (L6)."""

    seats: tuple[Seat, ...]


class Admit(Step, frozen=True):
    """A seat that has bribed the guard (L6)."""

    seat: Seat


class Offers(Step, frozen=True):
    """The offers of a castle room to the parties that are left, in order of rank (L7, L8)."""

    location: Location
    parties: tuple[Party, ...]
    stacks: tuple[int, ...]


class Responses(Step, frozen=True):
    """The seats that are still to be asked about a spell (§5.7)."""

    spell: Spell
    seats: tuple[Seat, ...]


class TakeEffect(Step, frozen=True):
    """A spell that nobody has cancelled."""

    spell: Spell


class EachPays(Step, frozen=True):
    """Each of these seats pays ``due`` units or all (S4, S20)."""

    seats: tuple[Seat, ...]
    due: int


class Extort(Step, frozen=True):
    """The seats that are still to be extorted (S9)."""

    seats: tuple[Seat, ...]


class LevyTokens(Step, frozen=True):
    """The tokens that are still to be levied (S12)."""

    tokens: tuple[str, ...]


class OfferRemoval(Step, frozen=True):
    """The seat may remove a ghost token of the region, of one ghost or of any (GX4, GX12, GX20)."""

    seat: Seat
    region: Region
    ghost: Party = NOBODY


class UnmaskCastle(Step, frozen=True):
    """Ghost workers in the castle are turned up, the weakest goes (GX9)."""

    seat: Seat


class Reply(Step, frozen=True):
    """The seat removes a token of ``owner`` of at least strength ``least``, if there is one (S7, GX7)."""

    seat: Seat
    owner: Seat
    least: int = 0


class RemoveOwn(Step, frozen=True):
    """The first of ``seats`` removes ``count`` more workers, the others ``each`` (GS18, GS19)."""

    seats: tuple[Seat, ...]
    count: int
    each: int


class Benefit(Step, frozen=True):
    """A party is the sole winner of a Keytown location (S16, GS16)."""

    party: Party
    location: Location


class EndRound(Step, frozen=True):
    """End of the round (§5.12)."""
