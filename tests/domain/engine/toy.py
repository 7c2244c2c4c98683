"""Pearls: a small complete game with secrets, chance, simultaneous bids and forced moves, for tests.

Each seat holds a secret gem and some coins. In each round a pearl is turned up; all bid in secret at once;
the highest bid pays and wins (a die decides ties). The winner keeps the pearl or sells it for coins; nobody
else pays. A seat without coins bids 0 unasked. After the last round, gems are shown and added to the pearls.
"""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, Literal

import msgspec
from typing_extensions import override

from keylore_domain.engine.chance import Chance
from keylore_domain.engine.data import parse_data
from keylore_domain.engine.facts import ChanceDrawn, Fact, GameEnded, RoundStarted
from keylore_domain.engine.game import AnyGame, Game, Options, Turn
from keylore_domain.engine.moves import Action, Decision, Move
from keylore_domain.engine.outcomes import Outcome, SeatResult, ranks
from keylore_domain.engine.prompts import Prompt
from keylore_domain.engine.seats import Seat, with_item
from keylore_domain.errors import NotFoundError, OptionError

DATA: Final = """\
schema: keylore.game-data/1
game: pearls
pearls:
  - {value: 1, provenance: house}
  - {value: 2, provenance: house}
  - {value: 3, provenance: house}
  - {value: 4, provenance: house}
  - {value: 5, provenance: house}
  - {value: 7, provenance: house}
gems: [1, 2, 3, 4, 5]
"""


class Pearl(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    value: Annotated[int, msgspec.Meta(ge=1, le=9)]
    provenance: Literal["rulebook", "public", "house"]


class Components(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    schema: str
    game: str
    pearls: tuple[Pearl, ...]
    gems: tuple[int, ...]


class PearlsOptions(Options, frozen=True, kw_only=True):
    seats: Annotated[int, msgspec.Meta(ge=2, le=4)]
    rounds: Annotated[int, msgspec.Meta(ge=1, le=6)] = 3
    coins: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 3
    resale: bool = True


class Bid(Move, frozen=True):
    coins: int


class Keep(Action, frozen=True):
    """Keep the pearl."""


class Sell(Action, frozen=True):
    """Sell the pearl for its value in coins."""


class BidFor(Decision, frozen=True):
    seat: Seat


class Dispose(Decision, frozen=True):
    seat: Seat


class About(msgspec.Struct, frozen=True):
    pearl: int


class GemsDealt(Fact, frozen=True):
    rule: ClassVar[str] = "pearls §1"
    gems: tuple[int | None, ...]


class BidMade(Fact, frozen=True):
    rule: ClassVar[str] = "pearls §2"
    seat: Seat
    coins: int | None


class BidsRevealed(Fact, frozen=True):
    rule: ClassVar[str] = "pearls §2"
    bids: tuple[int, ...]


class PearlWon(Fact, frozen=True):
    rule: ClassVar[str] = "pearls §3"
    seat: Seat
    pearl: int


class PearlSold(Fact, frozen=True):
    seat: Seat
    pearl: int


class Hand(msgspec.Struct, frozen=True):
    gem: int
    coins: int
    pearls: tuple[int, ...] = ()
    bid: int | None = None


class State(msgspec.Struct, frozen=True):
    hands: tuple[Hand, ...]
    deck: tuple[int, ...]
    rounds: int
    resale: bool
    round: int = 0
    pending: tuple[BidFor | Dispose, ...] = ()


class HandView(msgspec.Struct, frozen=True):
    seat: Seat
    coins: int
    pearls: tuple[int, ...]
    gem: int | None
    has_bid: bool
    bid: int | None


class View(msgspec.Struct, frozen=True):
    round: int
    rounds: int
    pearl: int | None
    hands: tuple[HandView, ...]
    waiting: tuple[Seat, ...]


class PearlsResult(SeatResult, frozen=True, kw_only=True):
    gem: int


class PearlsOutcome(Outcome, frozen=True, kw_only=True):
    seats: tuple[PearlsResult, ...]


class Pearls(Game[PearlsOptions, State, Any]):
    id: ClassVar[str] = "pearls"
    title: ClassVar[str] = "Pearls"
    rules: ClassVar[str] = "1"
    options_type: ClassVar[type[Options]] = PearlsOptions
    view_type: ClassVar[type[msgspec.Struct]] = View
    outcome_type: ClassVar[type[Outcome]] = PearlsOutcome
    fact_types: ClassVar[tuple[type[Fact], ...]] = (
        GemsDealt,
        BidMade,
        BidsRevealed,
        PearlWon,
        PearlSold,
        ChanceDrawn,
        RoundStarted,
        GameEnded,
    )
    move_types: ClassVar[Mapping[str, tuple[type[msgspec.Struct], ...]]] = {
        "bid": (Bid,),
        "dispose": (Keep, Sell),
    }

    def __init__(self, data_text: str | None = None) -> None:
        super().__init__(data_text if data_text is not None else DATA)
        self.data = parse_data(self.data_text, self.id, Components)

    @override
    def check_options(self, options: PearlsOptions) -> None:
        if options.coins == 0 and options.resale:
            raise OptionError("resale", "makes no sense without coins", "false if coins is 0")

    @override
    def setup(self, options: PearlsOptions, turn: Turn) -> State:
        gems = turn.chance.shuffled("deck.gems", self.data.gems)[: options.seats]
        deck = turn.chance.shuffled("deck.pearls", [pearl.value for pearl in self.data.pearls])
        turn.note(GemsDealt(gems))
        hands = tuple(Hand(gem, options.coins) for gem in gems)
        return _next_round(State(hands, deck, options.rounds, options.resale), turn)

    @override
    def prompts(self, state: State) -> tuple[Prompt[Any], ...]:
        return tuple(_prompt(state, decision) for decision in state.pending)

    @override
    def apply(self, state: State, seat: Seat, move: Bid | Keep | Sell, turn: Turn) -> State:
        rest = tuple(decision for decision in state.pending if decision.seat != seat)
        state = msgspec.structs.replace(state, pending=rest)
        match move:
            case Bid():
                turn.note(BidMade(seat, move.coins))
                state = _with_hand(state, seat, bid=move.coins)
                return state if rest else _reveal(state, turn)
            case Keep():
                pearls = (*state.hands[seat].pearls, state.deck[0])
                state = _with_hand(state, seat, pearls=pearls)
            case Sell():
                turn.note(PearlSold(seat, state.deck[0]))
                state = _with_hand(state, seat, coins=state.hands[seat].coins + state.deck[0])
        return _next_round(msgspec.structs.replace(state, deck=state.deck[1:]), turn)

    @override
    def view(self, state: State, viewer: Seat | None) -> View:
        waiting = tuple(decision.seat for decision in state.pending)
        return View(
            state.round,
            state.rounds,
            state.deck[0] if state.deck and state.pending else None,
            tuple(_hand_view(state, Seat(seat), viewer) for seat in range(len(state.hands))),
            waiting,
        )

    @override
    def redact(self, fact: Fact, viewer: Seat | None) -> Fact | None:
        match fact:
            case GemsDealt():
                return GemsDealt(tuple(gem if seat == viewer else None for seat, gem in enumerate(fact.gems)))
            case BidMade() if fact.seat != viewer:
                return BidMade(fact.seat, None)
            case ChanceDrawn(point="roll.tie"):
                return None
            case _:
                return fact

    @override
    def outcome(self, state: State) -> PearlsOutcome | None:
        if state.pending:
            return None
        scores = [sum(hand.pearls) + hand.gem for hand in state.hands]
        keys = [(score, hand.coins) for score, hand in zip(scores, state.hands, strict=True)]
        results = tuple(
            PearlsResult(seat=Seat(seat), rank=rank, score=scores[seat], gem=state.hands[seat].gem)
            for seat, rank in enumerate(ranks(keys))
        )
        return PearlsOutcome(ended_by="rounds", round=state.round, seats=results)

    @override
    def max_plies(self, options: PearlsOptions) -> int:
        return options.rounds * (options.seats + 1)

    @override
    def alternative(self, state: State, viewer: Seat | None, chance: Chance) -> State:
        known = 1 if state.pending else 0
        deck = (*state.deck[:known], *chance.shuffled("alternative", state.deck[known:]))
        return msgspec.structs.replace(state, deck=deck)


def _prompt(state: State, decision: BidFor | Dispose) -> Prompt[Any]:
    about = About(state.deck[0])
    match decision:
        case BidFor(seat):
            legal: tuple[Any, ...] = tuple(Bid(coins) for coins in range(state.hands[seat].coins + 1))
            return Prompt(seat=seat, kind="bid", legal=legal, context=about, hidden=True)
        case Dispose(seat):
            legal = (Keep(), Sell()) if state.resale else (Keep(),)
            return Prompt(seat=seat, kind="dispose", legal=legal, default=len(legal) - 1, context=about)


def _with_hand(state: State, seat: Seat, **changes: Any) -> State:
    hand = msgspec.structs.replace(state.hands[seat], **changes)
    return msgspec.structs.replace(state, hands=with_item(state.hands, seat, hand))


def _hand_view(state: State, seat: Seat, viewer: Seat | None) -> HandView:
    hand = state.hands[seat]
    is_open = seat == viewer or not state.pending
    return HandView(
        seat,
        hand.coins,
        hand.pearls,
        hand.gem if is_open else None,
        hand.bid is not None,
        hand.bid if is_open else None,
    )


def _next_round(state: State, turn: Turn) -> State:
    if state.round == state.rounds or not state.deck:
        turn.note(GameEnded("rounds", state.round))
        return state
    turn.note(RoundStarted(state.round + 1))
    hands = tuple(msgspec.structs.replace(hand, bid=None) for hand in state.hands)
    asked = tuple(BidFor(Seat(seat)) for seat in range(len(hands)))
    return msgspec.structs.replace(state, round=state.round + 1, hands=hands, pending=asked)


def _reveal(state: State, turn: Turn) -> State:
    bids = tuple(hand.bid or 0 for hand in state.hands)
    turn.note(BidsRevealed(bids))
    best = [Seat(seat) for seat, bid in enumerate(bids) if bid == max(bids)]
    winner = best[0]
    if len(best) > 1:
        winner = turn.chance.pick("roll.tie", best)
        turn.note(ChanceDrawn("roll.tie", (str(winner),)))
    turn.note(PearlWon(winner, state.deck[0]))
    state = _with_hand(state, winner, coins=state.hands[winner].coins - bids[winner])
    return msgspec.structs.replace(state, pending=(Dispose(winner),))


def toy_catalog(game: str, rules: str | None, data: str | None) -> AnyGame:
    """A catalog that knows only this game."""
    if game != Pearls.id or rules not in {None, Pearls.rules}:
        msg = f"there is no game {game!r} with rules {rules!r}"
        raise NotFoundError(msg)
    return _STANDARD if data is None else Pearls(data)


_STANDARD: Final = Pearls()
