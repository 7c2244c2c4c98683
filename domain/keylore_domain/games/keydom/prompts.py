"""The open decision: its legal moves in the order of §5.6, and the default."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec

from keylore_domain.engine.moves import Asked, Decision
from keylore_domain.engine.prompts import Prompt
from keylore_domain.engine.seats import Seat, others_clockwise
from keylore_domain.games.keydom import moves
from keylore_domain.games.keydom.components.names import COLOURS, COUNTRY, TILES, Colour, cubes
from keylore_domain.games.keydom.components.parts import Parts
from keylore_domain.games.keydom.effects.country import SUPERVISOR, WORKERS, pair_space, placed_at
from keylore_domain.games.keydom.effects.outlaws import can_steal, missing_tiles, thefts
from keylore_domain.games.keydom.effects.targets import Aim, castable, targets
from keylore_domain.games.keydom.effects.town import arrestable, donation_kinds
from keylore_domain.games.keydom.effects.visits import adjustments
from keylore_domain.games.keydom.effects.wizard import wizard_spaces
from keylore_domain.games.keydom.moves import KeydomMove
from keylore_domain.games.keydom.play import exchanges, payments
from keylore_domain.games.keydom.state import decisions
from keylore_domain.games.keydom.state.position import State, here, token_of

Legal = tuple[tuple[KeydomMove, ...], int]


class Context(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a decision is about, as far as it applies (§5.1)."""

    round: int
    phase: str
    location: str | None = None
    window: str | None = None
    spell: str | None = None
    token: str | None = None
    to: decisions.Answered | None = None
    colour: Colour | None = None
    still_due: int | None = None
    pair: int | None = None
    first: str | None = None
    second: str | None = None
    step: int | None = None
    track: int | None = None
    price: str | None = None
    gained: str | None = None
    kind: str | None = None


def open_prompts(parts: Parts, position: State) -> tuple[Prompt[KeydomMove], ...]:
    """All open decisions, in seat order; only bids are asked of several seats at once (BID-1)."""
    if not position.pending:
        return ()
    asked = position.pending[-1]
    if isinstance(asked, decisions.BidCounter):
        return _bids(position, asked)
    assert isinstance(asked, Asked)
    legal, default = LEGAL[type(asked)](position, asked, parts)
    context = _context(position, **CONTEXTS.get(type(asked), _no_context)(position, asked))
    return (Prompt(seat=asked.seat, kind=kind_of(asked), legal=legal, default=default, context=context),)


def kind_of(asked: Decision) -> str:
    """The kind of the prompt for a decision."""
    return str(asked.__struct_config__.tag)


def waiting_seats(position: State) -> tuple[Seat, ...]:
    """The seats that are asked now."""
    if not position.pending:
        return ()
    asked = position.pending[-1]
    if isinstance(asked, decisions.BidCounter):
        return tuple(Seat(seat) for seat in range(len(asked.chosen)) if _must_bid(position, asked, seat))
    assert isinstance(asked, Asked)
    return (asked.seat,)


def _must_bid(position: State, asked: decisions.BidCounter, seat: int) -> bool:
    return bool(position.families[seat].hand) and not asked.chosen[seat]


def _bids(position: State, asked: decisions.BidCounter) -> tuple[Prompt[KeydomMove], ...]:
    context = _context(position)
    return tuple(
        Prompt(
            seat=seat, kind=kind_of(asked), legal=_bid_moves(position.families[seat].hand), context=context
        )
        for seat in waiting_seats(position)
    )


def _context(position: State, **fields: Any) -> Context:
    location = None if position.visit is None else position.visit.location
    return Context(round=position.round, phase=position.phase, location=location, **fields)


@lru_cache(maxsize=1024)
def _bid_moves(hand: tuple[int, ...]) -> tuple[moves.BidCounter, ...]:
    return tuple(moves.BidCounter(counter) for counter in hand)


def _choose_colour(position: State, _asked: decisions.ChooseColour, _data: Parts) -> Legal:
    taken = [family.colour for family in position.families]
    return tuple(moves.ChooseColour(colour) for colour in COLOURS if colour not in taken), 0


def _choose_start_player(position: State, asked: decisions.ChooseStartPlayer, _data: Parts) -> Legal:
    return tuple(moves.NameStartPlayer(Seat(seat)) for seat in range(len(position.families))), asked.seat


def _place_counter(position: State, asked: decisions.PlaceCounter, parts: Parts) -> Legal:
    """The default is the lowest counter at the location of the own colour, or at the first open one."""
    family = position.families[asked.seat]
    places = _places(family.hand, position.in_play, position.closed)
    home = COUNTRY[COLOURS.index(family.colour or "")]
    default = next((at for at, move in enumerate(places) if move.location == home), 0)
    casts = tuple(moves.Cast(spell) for spell in castable(position, asked.seat, "turn", parts))
    discards = tuple(moves.DiscardSpell(spell) for spell in family.spells)
    return (*places, *casts, *discards), default


@lru_cache(maxsize=4096)
def _places(
    hand: tuple[int, ...], in_play: tuple[str, ...], closed: tuple[str, ...]
) -> tuple[moves.Place, ...]:
    return tuple(
        moves.Place(counter, location) for counter in hand for location in in_play if location not in closed
    )


def _window_action(position: State, asked: decisions.WindowAction, parts: Parts) -> Legal:
    casts = (moves.Cast(spell) for spell in castable(position, asked.seat, asked.window, parts))
    return (moves.PassWindow("window"), moves.PassWindow("round"), *casts), 0


def _spell_target(position: State, asked: decisions.SpellTarget, parts: Parts) -> Legal:
    return targets(Aim(position, asked.seat, parts.cards[asked.spell], asked.chosen)), 0


def _respond(_position: State, asked: decisions.Respond, _data: Parts) -> Legal:
    return (moves.Pass(), moves.Cast(asked.spell)), 0


def _exchange_cube(position: State, asked: decisions.ExchangeCube, _data: Parts) -> Legal:
    """From the second exchange on `done` is legal, and the default."""
    pairs = exchanges(position.families[asked.seat].cubes, position.stock)
    swaps = tuple(moves.Swap(COLOURS[give], COLOURS[take]) for give, take in pairs)
    return ((*swaps, moves.Done()), len(swaps)) if asked.begun else (swaps, 0)


def _adjust_number(position: State, asked: decisions.AdjustNumber, _data: Parts) -> Legal:
    raised, lowered = adjustments(position, asked.seat)
    ups = (moves.Raise(token.token) for token in raised)
    downs = (moves.Lower(token.token) for token in lowered)
    return (moves.Pass(), *ups, *downs), 0


def _choose_space(position: State, asked: decisions.ChooseSpace, parts: Parts) -> Legal:
    legal: list[moves.TakeWorkplace] = []
    if not position.options.no_supervisors and not placed_at(position, SUPERVISOR):
        legal.append(moves.TakeWorkplace("supervisor"))
    merits: list[int] = [_SUPERVISOR_MERIT] * len(legal)
    for pair in range(1, parts.pairs[here(position).location] + 1):
        workers = placed_at(position, pair_space(pair))
        if len(workers) < WORKERS:
            legal.append(moves.TakeWorkplace("pair", pair))
            merits.append(_merit([token.owner for token in workers], asked.seat))
    return tuple(legal), merits.index(max(merits))


_SUPERVISOR_MERIT: Final = 0


def _merit(workers: Sequence[Seat], seat: Seat) -> int:
    """Rank of a pair as default: beside one's own token, alone, beside another's, (supervisor)."""
    if not workers:
        return 2
    return 3 if workers[0] == seat else 1


def _supervise_pair(_position: State, _asked: decisions.SupervisePair, _data: Parts) -> Legal:
    return (moves.Split((1, 1)), moves.Split((2, 0)), moves.Split((0, 2))), 0


def _or_withdraw(*acts: KeydomMove) -> Legal:
    """The acts and, as default, to withdraw."""
    return (*acts, moves.Withdraw()), len(acts)


def _soldiers_arrest(position: State, asked: decisions.SoldiersArrest, parts: Parts) -> Legal:
    return _or_withdraw(*(moves.Arrest(token.token) for token in arrestable(position, asked.seat, parts)))


def _trader_exchange(position: State, asked: decisions.TraderExchange, _data: Parts) -> Legal:
    pairs = exchanges(position.families[asked.seat].cubes, position.stock)
    return _or_withdraw(*(moves.Exchange(COLOURS[give], COLOURS[take]) for give, take in pairs))


def _priest_choose(position: State, asked: decisions.PriestChoose, parts: Parts) -> Legal:
    return _or_withdraw(*(moves.Donation(kind) for kind in donation_kinds(position, asked.seat, parts)))


def _donate_amount(position: State, asked: decisions.DonateAmount, _data: Parts) -> Legal:
    held = position.families[asked.seat].cubes
    least = max(0, asked.due - sum(held[asked.colour + 1 :]))
    most = min(asked.due, held[asked.colour])
    return tuple(moves.DonateAmount(amount) for amount in range(least, most + 1)), 0


def _donate_cube(position: State, asked: decisions.DonateCube, _data: Parts) -> Legal:
    held = position.families[asked.seat].cubes
    return tuple(moves.DonateCube(colour) for at, colour in enumerate(COLOURS) if held[at]), 0


def _midwife_claim(_position: State, _asked: decisions.MidwifeClaim, _data: Parts) -> Legal:
    return (moves.Take(), moves.Withdraw()), 0


def _midwife_stay(_position: State, _asked: decisions.MidwifeStay, _data: Parts) -> Legal:
    return (moves.Stay(), moves.Remove()), 0


def _wizard_space(position: State, asked: decisions.WizardSpace, parts: Parts) -> Legal:
    return _or_withdraw(
        *(moves.TakeWizardSpace(space) for space in wizard_spaces(position, asked.seat, parts))
    )


def _discard_for_limit(position: State, asked: decisions.DiscardForLimit, _data: Parts) -> Legal:
    return tuple(moves.GiveUpSpell(spell) for spell in position.families[asked.seat].spells), 0


def _outlaws_choose(position: State, asked: decisions.OutlawsChoose, parts: Parts) -> Legal:
    return _or_withdraw(*(moves.Steal(kind) for kind in thefts(position, asked.seat, parts)))


def _outlaws_attack(position: State, asked: decisions.OutlawsAttack, _data: Parts) -> Legal:
    sources = _cube_sources if asked.kind == "cube" else _tile_sources
    visit = here(position)
    legal = (
        attack
        for attack in sources(position, asked.seat)
        if attack not in visit.failed and attack.seat not in visit.warded
    )
    if position.options.open_holdings:
        return tuple(attack for attack in legal if can_steal(position, attack)), 0
    return tuple(legal), 0


def _cube_sources(position: State, seat: Seat) -> tuple[moves.Attack, ...]:
    stock = [moves.Attack("stock", colour=colour) for at, colour in enumerate(COLOURS) if position.stock[at]]
    others = others_clockwise(seat, len(position.families))
    return (
        *stock,
        *(moves.Attack("seat", seat=other, colour=colour) for other in others for colour in COLOURS),
    )


def _tile_sources(position: State, seat: Seat) -> tuple[moves.Attack, ...]:
    missing = missing_tiles(position, seat)
    piles = [moves.Attack("pile", tile=tile) for tile in missing if position.piles[TILES.index(tile)]]
    others = others_clockwise(seat, len(position.families))
    return (*piles, *(moves.Attack("seat", seat=other, tile=tile) for other in others for tile in missing))


def _purchase_tile(position: State, asked: decisions.PurchaseTile, parts: Parts) -> Legal:
    pattern = parts.pattern(here(position).location)
    buys = (moves.Buy(cubes(paid)) for paid in payments(position, asked.seat, pattern))
    return (*buys, moves.Withdraw()), 0


def _keywood_pay(position: State, asked: decisions.KeywoodPay, parts: Parts) -> Legal:
    pays = payments(position, asked.seat, parts.pattern("keywood"))
    return (*(moves.PayKeywood(cubes(paid)) for paid in pays), moves.Withdraw()), 0


def _pay(position: State, asked: decisions.PayPrice, _data: Parts) -> Legal:
    return tuple(moves.Pay(cubes(paid)) for paid in payments(position, asked.seat, asked.pattern)), 0


# Each function takes the decision that is its key.
LEGAL: Final[Mapping[type[Decision], Callable[..., Legal]]] = {
    decisions.ChooseColour: _choose_colour,
    decisions.ChooseStartPlayer: _choose_start_player,
    decisions.PlaceCounter: _place_counter,
    decisions.WindowAction: _window_action,
    decisions.SpellTarget: _spell_target,
    decisions.Respond: _respond,
    decisions.ExchangeCube: _exchange_cube,
    decisions.AdjustNumber: _adjust_number,
    decisions.ChooseSpace: _choose_space,
    decisions.SupervisePair: _supervise_pair,
    decisions.SoldiersArrest: _soldiers_arrest,
    decisions.TraderExchange: _trader_exchange,
    decisions.PriestChoose: _priest_choose,
    decisions.DonateAmount: _donate_amount,
    decisions.DonateCube: _donate_cube,
    decisions.MidwifeClaim: _midwife_claim,
    decisions.MidwifeStay: _midwife_stay,
    decisions.WizardSpace: _wizard_space,
    decisions.DiscardForLimit: _discard_for_limit,
    decisions.OutlawsChoose: _outlaws_choose,
    decisions.OutlawsAttack: _outlaws_attack,
    decisions.PurchaseTile: _purchase_tile,
    decisions.KeywoodPay: _keywood_pay,
    decisions.PayPrice: _pay,
}


def _no_context(_position: State, _asked: Asked) -> dict[str, object]:
    return {}


def _token_context(_position: State, asked: decisions.AskedAbout) -> dict[str, object]:
    return {"token": asked.token}


CONTEXTS: Final[Mapping[type[Decision], Callable[..., dict[str, object]]]] = {
    decisions.WindowAction: lambda _, asked: {"window": asked.window},
    decisions.SpellTarget: lambda _, asked: {"spell": asked.spell},
    decisions.Respond: lambda _, asked: {"spell": asked.spell, "to": asked.to},
    decisions.ExchangeCube: lambda _, asked: {"spell": asked.spell, "still_due": asked.left},
    decisions.ChooseSpace: _token_context,
    decisions.SupervisePair: lambda _, asked: {
        "pair": asked.pair,
        "first": asked.first,
        "second": asked.second,
    },
    decisions.SoldiersArrest: _token_context,
    decisions.TraderExchange: _token_context,
    decisions.PriestChoose: _token_context,
    decisions.DonateAmount: lambda _, asked: {"colour": COLOURS[asked.colour], "still_due": asked.due},
    decisions.MidwifeClaim: _token_context,
    decisions.MidwifeStay: lambda position, asked: {
        "token": asked.token,
        "track": token_of(position, asked.token).track,
    },
    decisions.WizardSpace: _token_context,
    decisions.DiscardForLimit: lambda _, asked: {"gained": asked.gained},
    decisions.OutlawsChoose: _token_context,
    decisions.OutlawsAttack: lambda _, asked: {"kind": asked.kind},
    decisions.PurchaseTile: _token_context,
    decisions.KeywoodPay: lambda _, asked: {"token": asked.token, "step": asked.step},
    decisions.PayPrice: lambda _, asked: {"price": asked.pattern},
}
