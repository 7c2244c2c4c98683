"""What one seat sees (§9), built up from what it may see, and what it cannot tell apart."""

from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from keylore_domain.engine.chance import Chance
from keylore_domain.engine.facts import Fact, Redactions, redacted
from keylore_domain.engine.seats import Seat, with_item
from keylore_domain.games.keydom import facts
from keylore_domain.games.keydom.components.names import COLOURS, Colour, Cubes, TileType, cubes
from keylore_domain.games.keydom.components.parts import Parts
from keylore_domain.games.keydom.effects.wizard import committed_cubes
from keylore_domain.games.keydom.moves import Attack
from keylore_domain.games.keydom.prompts import kind_of, open_prompts, waiting_seats
from keylore_domain.games.keydom.state import decisions
from keylore_domain.games.keydom.state.position import Face, Family, Phase, State, Token


class TokenView(msgspec.Struct, frozen=True):
    """A counter on the board; ``number`` and ``eff``, the number that counts, are null while unknown."""

    token: str
    owner: Seat
    number: int | None
    eff: int | None
    location: str
    face: Face
    placed_round: int
    space: str | None
    track: int
    modifier: int


class SeatView(msgspec.Struct, frozen=True):
    """A seat as the viewer sees it; null is what it may not see.

    ``number_one``: the number 1 counter lies at the side still. ``secret_bid``: bid, not yet revealed.
    """

    seat: Seat
    colour: Colour | None
    hand: tuple[int, ...] | None
    hand_count: int
    number_one: bool
    bid: tuple[int, ...]
    secret_bid: int | None
    returned: tuple[int | None, ...]
    cubes: Cubes | None
    tiles: tuple[TileType, ...] | None
    spells: tuple[str, ...]
    muted: bool | None
    plays_open: bool


class CardView(msgspec.Struct, frozen=True):
    """A spell in the market and its price."""

    spell: str
    cost: int


class Piles(msgspec.Struct, frozen=True):
    """The tiles left in the piles, by type."""

    safe: int
    key: int
    regalia: int
    keylore: int


class EffectsView(msgspec.Struct, frozen=True):
    """What is in effect: at the location being resolved, but ``closed``, which lasts for phase 1.

    ``committed`` are the cubes that each seat has set aside at the wizard.
    """

    closed: tuple[str, ...]
    reversed: bool
    overtime: tuple[Seat, ...]
    committed: tuple[int, ...]
    failed: tuple[Attack, ...]
    warded: tuple[Seat, ...]
    casting: tuple[str, ...]


class Waiting(msgspec.Struct, frozen=True):
    """A seat that is asked, and the kind of the prompt."""

    seat: Seat
    kind: str


class KeydomView(msgspec.Struct, frozen=True):
    """The table as ``viewer`` sees it (null: the public); ``deck`` is null until the game is over."""

    viewer: Seat | None
    round: int
    phase: Phase
    location: str | None
    start_seat: Seat | None
    in_play: tuple[str, ...]
    required: tuple[TileType, ...]
    waiting: tuple[Waiting, ...]
    seats: tuple[SeatView, ...]
    board: tuple[TokenView, ...]
    stock: Cubes
    piles: Piles
    market: tuple[CardView | None, ...]
    deck_size: int
    deck: tuple[str, ...] | None
    effects: EffectsView
    keymaster: Seat | None
    ended_by: Literal["keymaster", "round_cap"] | None


def view_of(parts: Parts, state: State, viewer: Seat | None) -> KeydomView:
    """The table as *viewer* sees it; after the end everything is open (§9)."""
    known = frozenset() if viewer is None else frozenset(state.families[viewer].known)
    over = state.phase == "over"
    seats = (Seat(seat) for seat in range(len(state.families)))
    return KeydomView(
        viewer=viewer,
        round=state.round,
        phase=state.phase,
        location=None if state.visit is None else state.visit.location,
        start_seat=state.start_seat,
        in_play=state.in_play,
        required=state.required,
        waiting=tuple(Waiting(seat, kind_of(state.pending[-1])) for seat in waiting_seats(state)),
        seats=tuple(_seat_view(state, seat, is_own=over or seat == viewer) for seat in seats),
        board=tuple(
            _token_view(token, is_known=over or token.owner == viewer or token.token in known)
            for token in state.board
        ),
        stock=cubes(state.stock),
        piles=Piles(*state.piles),
        market=tuple(
            None if card is None else CardView(card, parts.cards[card].cost) for card in state.market
        ),
        deck_size=len(state.deck),
        deck=state.deck if over else None,
        effects=_effects_view(state, parts),
        keymaster=state.keymaster,
        ended_by=state.ended_by,
    )


def _seat_view(state: State, seat: Seat, *, is_own: bool) -> SeatView:
    family = state.families[seat]
    shows_holdings = is_own or state.options.open_holdings
    return SeatView(
        seat=seat,
        colour=family.colour,
        hand=family.hand if is_own else None,
        hand_count=len(family.hand),
        number_one=family.side,
        bid=family.bid,
        secret_bid=_secret_bid(state, seat) if is_own else None,
        returned=tuple(item.number if is_own or item.seen else None for item in family.returned),
        cubes=cubes(family.cubes) if shows_holdings else None,
        tiles=family.tiles if shows_holdings else None,
        spells=family.spells,
        muted=family.muted if is_own else None,
        plays_open=family.plays_open,
    )


def _secret_bid(state: State, seat: Seat) -> int | None:
    asked = state.pending[-1] if state.pending else None
    return (asked.chosen[seat] or None) if isinstance(asked, decisions.BidCounter) else None


def _token_view(token: Token, *, is_known: bool) -> TokenView:
    shown = is_known or token.face == "up"
    return TokenView(
        token=token.token,
        owner=token.owner,
        number=token.number if shown else None,
        eff=token.eff if shown else None,
        location=token.location,
        face=token.face,
        placed_round=token.placed_round,
        space=token.space,
        track=token.track,
        modifier=token.modifier,
    )


def _effects_view(state: State, parts: Parts) -> EffectsView:
    visit = state.visit
    casting = tuple(item.spell for item in state.pending if isinstance(item, decisions.CARD_HOLDERS))
    if visit is None:
        nobody = (0,) * len(state.families)
        return EffectsView(state.closed, False, (), nobody, (), (), casting)
    claims = tuple(claim.seat for claim in visit.overtime)
    committed = committed_cubes(state, parts)
    return EffectsView(state.closed, visit.reversed, claims, committed, visit.failed, visit.warded, casting)


def redact(fact: Fact, viewer: Seat | None) -> Fact:
    """What *viewer* may know of *fact*; that it happened, everybody may know (§9)."""
    return redacted(fact, viewer, REDACTIONS)


def _hide_number(fact: facts.CounterPlaced | facts.CounterReturned, viewer: Seat | None) -> Fact:
    return fact if fact.face == "up" or fact.owner == viewer else replace(fact, number=None)


def _hide_taken_back(fact: facts.CounterTakenBack, viewer: Seat | None) -> Fact:
    return fact if fact.owner == viewer else replace(fact, number=None)


def _hide_deck(fact: facts.ChanceDrawn, _viewer: Seat | None) -> Fact:
    return replace(fact, outcome=None) if fact.point == "C2" else fact


REDACTIONS: Final[Redactions] = {
    facts.ChanceDrawn: _hide_deck,
    facts.CounterPlaced: _hide_number,
    facts.CounterReturned: _hide_number,
    facts.CounterTakenBack: _hide_taken_back,
}


def alternative(parts: Parts, state: State, viewer: Seat | None, chance: Chance) -> State:
    """A position that *viewer* cannot tell from *state*: hidden numbers, deck and holdings dealt anew."""
    if state.phase == "over":
        return state
    other = replace(state, deck=chance.shuffled("alternative.deck", state.deck))
    hidden_from = [Seat(seat) for seat in range(len(state.families)) if seat != viewer]
    known = () if viewer is None else state.families[viewer].known
    for seat in hidden_from:
        other = _deal_numbers(other, seat, known, chance)
    other = _deal_bids(other, hidden_from, chance)
    return _deal_holdings(other, viewer, hidden_from, chance, parts)


def _deal_numbers(state: State, seat: Seat, known: tuple[str, ...], chance: Chance) -> State:
    """The numbers of a seat that are hidden change places."""
    family = state.families[seat]
    hidden = [
        at
        for at, token in enumerate(state.board)
        if token.owner == seat and token.face == "down" and token.token not in known
    ]
    numbers = [
        *family.hand,
        *(item.number for item in family.returned if not item.seen),
        *(state.board[at].number for at in hidden),
    ]
    dealt = list(chance.shuffled("alternative.numbers", numbers))
    hand = tuple(sorted(dealt.pop() for _ in family.hand))
    returned = tuple(item if item.seen else replace(item, number=dealt.pop()) for item in family.returned)
    board = state.board
    for at in hidden:
        board = with_item(board, at, replace(board[at], number=dealt.pop()))
    families = with_item(state.families, seat, replace(family, hand=hand, returned=returned))
    return replace(state, board=board, families=families)


def _deal_bids(state: State, seats: list[Seat], chance: Chance) -> State:
    """Secret bids become others of the same hands."""
    asked = state.pending[-1]
    if not isinstance(asked, decisions.BidCounter):
        return state
    chosen = asked.chosen
    for seat in seats:
        if chosen[seat]:
            chosen = with_item(chosen, seat, chance.pick("alternative.bid", state.families[seat].hand))
    return replace(state, pending=(*state.pending[:-1], replace(asked, chosen=chosen)))


def _deal_holdings(
    state: State, viewer: Seat | None, seats: list[Seat], chance: Chance, parts: Parts
) -> State:
    """Hidden cubes and tiles change owners, unless what is going on tells something about them."""
    if state.options.open_holdings or not _may_deal(state):
        return state
    colours = [
        at for seat in seats for at, held in enumerate(state.families[seat].cubes) for _ in range(held)
    ]
    pool = list(chance.shuffled("alternative.cubes", colours))
    tiles = list(chance.shuffled("alternative.tiles", [state.families[seat].tiles for seat in seats]))
    families: tuple[Family, ...] = state.families
    for seat in seats:
        size = sum(families[seat].cubes)
        own = [pool.pop() for _ in range(size)]
        held = tuple(own.count(at) for at in range(len(COLOURS)))
        families = with_item(families, seat, replace(families[seat], cubes=held, tiles=tiles.pop()))
    other = replace(state, families=families)
    return other if _asks_the_same(state, other, viewer, parts) else state


def _may_deal(state: State) -> bool:
    visit = state.visit
    tells = visit is not None and (visit.failed or (visit.location == "wizard" and visit.placed))
    return not tells and not any(isinstance(item, TELLING) for item in state.pending)


def _asks_the_same(state: State, other: State, viewer: Seat | None, parts: Parts) -> bool:
    """Whether the viewer's own prompts are the same, and others have a choice still."""
    return all(
        before == after if before.seat == viewer else len(after.legal) > 1
        for before, after in zip(open_prompts(parts, state), open_prompts(parts, other), strict=True)
    )


TELLING: Final = (
    decisions.AskDonations,
    decisions.CastSpell,
    decisions.DiscardForLimit,
    decisions.Donate,
    decisions.DonateAmount,
    decisions.DonateCube,
    decisions.DueDonation,
    decisions.ExchangeCube,
    decisions.GainSpell,
    decisions.MakeArrest,
    decisions.MakeAttack,
    decisions.PayPrice,
    decisions.ResolveSpell,
)
