"""Soldiers, trader, priest and midwife (SOL, TRA, PRI, MID)."""

from keylore_domain.engine.payments import Vector
from keylore_domain.engine.seats import Seat, others_clockwise
from keylore_domain.engine.steps import push
from keylore_domain.games.keydom import facts, moves
from keylore_domain.games.keydom.components.box import Components
from keylore_domain.games.keydom.components.names import (
    COLOURS,
    REGIONS,
    DonationKind,
    cubes,
    vector,
)
from keylore_domain.games.keydom.effects.casting import ask_responses
from keylore_domain.games.keydom.effects.changes import (
    change_token,
    exchange,
    exchanges,
    move_cubes,
    of_colour,
    payments,
    return_counter,
    take_space,
    with_family,
    with_visit,
)
from keylore_domain.games.keydom.state.decisions import (
    Answered,
    AskedAbout,
    DonateAmount,
    DonateCube,
    MidwifeClaim,
    PayPrice,
    PriestChoose,
    SoldiersArrest,
    TraderExchange,
)
from keylore_domain.games.keydom.state.position import Returned, State, Table, Token, here, on_track, token_of
from keylore_domain.games.keydom.state.steps import (
    AskDonations,
    Donate,
    DueDonation,
    MakeArrest,
    NextToken,
)


def withdraw(state: State, asked: AskedAbout, table: Table) -> State:
    """A token comes back instead of taking a space (COM-4)."""
    return return_counter(state, token_of(state, asked.token), "withdrawn", table)


def occupy(state: State, asked: AskedAbout, table: Table, track: int = 0) -> State:
    """A token takes the next space of a location whose spaces are all alike."""
    space = str(len(here(state).placed) + 1)
    return take_space(state, token_of(state, asked.token), space, table, track)


def unable(state: State, token: Token, table: Table) -> State:
    """A token whose owner cannot act comes back unasked (COM-5)."""
    return return_counter(state, token, "unable", table)


def answer_pay(state: State, asked: PayPrice, move: moves.Pay, table: Table) -> State:
    """A price is paid to the stock (COM-6)."""
    paid = vector(move.payment)
    return with_visit(move_cubes(state, asked.seat, "stock", paid, table), paid=paid)


# Soldiers


def arrestable(state: State, seat: Seat, data: Components) -> tuple[Token, ...]:
    """The tokens that a seat can have arrested now (SOL-1)."""
    regions = [region for region, price in data.arrest_patterns.items() if payments(state, seat, price)]
    return tuple(
        token
        for token in state.board
        if token.owner != seat
        and token.placed_round == state.round
        and token.location != "soldiers"
        and REGIONS[token.location] in regions
    )


def offer_arrest(state: State, token: Token, table: Table) -> State:
    """SOL-2: an arrest, if there is anybody to arrest."""
    if not arrestable(state, token.owner, table.data):
        return unable(state, token, table)
    return push(state, SoldiersArrest(token.owner, token.token))


def answer_arrest(
    state: State, asked: SoldiersArrest, move: moves.Arrest | moves.Withdraw, table: Table
) -> State:
    """SOL-2: the arrest is paid, then made."""
    if isinstance(move, moves.Withdraw):
        return withdraw(state, asked, table)
    region = REGIONS[token_of(state, move.token).location]
    pattern = table.data.arrest_patterns[region]
    state = occupy(state, asked, table)
    return push(state, MakeArrest(move.token), PayPrice(asked.seat, pattern))


def make_arrest(state: State, step: MakeArrest, table: Table) -> State:
    """The arrested counter comes back to its owner."""
    return return_counter(state, token_of(state, step.token), "arrested", table)


# Trader


def offer_exchange(state: State, token: Token, table: Table) -> State:
    """TRA-1: an exchange, if there is one."""
    if not exchanges(state.families[token.owner].cubes, state.stock):
        return unable(state, token, table)
    return push(state, TraderExchange(token.owner, token.token))


def answer_trader(
    state: State, asked: TraderExchange, move: moves.Exchange | moves.Withdraw, table: Table
) -> State:
    """TRA-2: one cube for another."""
    if isinstance(move, moves.Withdraw):
        return withdraw(state, asked, table)
    return exchange(occupy(state, asked, table), asked.seat, move.give, move.take, table)


# Priest


def donation_kinds(state: State, seat: Seat, data: Components) -> tuple[DonationKind, ...]:
    """The kinds of donation that a seat can pay for (PRI-1)."""
    return tuple(kind for kind, price in data.donation_patterns.items() if payments(state, seat, price))


def offer_donation(state: State, token: Token, table: Table) -> State:
    """PRI-1: the choice of a donation, if one can be paid."""
    if not donation_kinds(state, token.owner, table.data):
        return unable(state, token, table)
    return push(state, PriestChoose(token.owner, token.token))


def answer_priest(
    state: State, asked: PriestChoose, move: moves.Donation | moves.Withdraw, table: Table
) -> State:
    """PRI-1: the price is paid, then the others donate."""
    if isinstance(move, moves.Withdraw):
        return withdraw(state, asked, table)
    state = occupy(state, asked, table)
    price = PayPrice(asked.seat, table.data.donation_patterns[move.kind])
    return push(state, AskDonations(asked.seat, move.kind), price)


def ask_donations(state: State, step: AskDonations, table: Table) -> State:
    """The other seats, clockwise; for an excess they show what they hold (PRI-1 to PRI-3)."""
    others = others_clockwise(step.by, len(state.families))
    if step.kind == "excess":
        shown = tuple(
            None if at == step.by else cubes(family.cubes) for at, family in enumerate(state.families)
        )
        table.turn.note(facts.HoldingsDisclosed(shown))
    state = with_visit(state, exempt=())
    return push(state, *(DueDonation(seat, step.by, step.kind) for seat in reversed(others)))


def due_donation(state: State, step: DueDonation, table: Table) -> State:
    """A seat that has to donate may first answer with a spell (PRI-5)."""
    if not _due(state, step.seat, step.kind, table.data):
        return state
    state = push(state, Donate(step.seat, step.kind))
    to = Answered(by=step.by, donation=step.kind)
    return ask_responses(state, (step.seat,), "reaction_priest", to, table)


def _due(state: State, seat: Seat, kind: DonationKind, data: Components) -> int:
    """How many cubes a seat has to donate (PRI-3, PRI-4)."""
    held = state.families[seat].cubes
    if kind == "excess":
        return max(0, sum(held) - data.keep)
    if kind == "same":
        return min(1, held[_paid_colour(state)])
    return min(1, sum(held))


def _paid_colour(state: State) -> int:
    return next(at for at, count in enumerate(here(state).paid) if count)


def donate(state: State, step: Donate, table: Table) -> State:
    """A seat donates unless Sanctuary frees it (PRI-3, PRI-4, SP24)."""
    if step.seat in here(state).exempt:
        return state
    if step.kind == "excess":
        return push(state, DonateAmount(step.seat, 0, _due(state, step.seat, "excess", table.data)))
    if step.kind == "any":
        return push(state, DonateCube(step.seat, None))
    colour = COLOURS[_paid_colour(state)]
    return move_cubes(state, step.seat, "stock", of_colour(colour), table)


def answer_amount(state: State, asked: DonateAmount, move: moves.DonateAmount, table: Table) -> State:
    """PRI-3: colour by colour until the surplus is given back."""
    amount: Vector = of_colour(COLOURS[asked.colour], move.amount)
    state = move_cubes(state, asked.seat, "stock", amount, table)
    due = asked.due - move.amount
    return push(state, DonateAmount(asked.seat, asked.colour + 1, due)) if due else state


# Midwife


def resolve_midwife(state: State, table: Table) -> State:
    """MID-1 to MID-3: the tracks move, then a new counter may come in."""
    done, waiting = on_track(state, "midwife", 2), on_track(state, "midwife", 1)
    if done is not None:
        state = _complete(state, done, table)
    if waiting is not None:
        table.turn.note(facts.TrackAdvanced(waiting.token, 2))
        state = change_token(state, waiting, track=2)
    return push(state, NextToken())


def _complete(state: State, token: Token, table: Table) -> State:
    """MID-1: a full stay is over."""
    table.turn.note(facts.TrackAdvanced(token.token, 3))
    state = return_counter(state, token, "completed", table)
    family = state.families[token.owner]
    if not family.side:
        return state
    table.turn.note(facts.NumberOneGained(token.owner))
    returned = (*family.returned, Returned(1, seen=True))
    return with_family(state, token.owner, side=False, returned=returned)


def offer_midwife(state: State, token: Token, _table: Table) -> State:
    """MID-3: the first space of the track."""
    return push(state, MidwifeClaim(token.owner, token.token))


def answer_midwife(
    state: State, asked: MidwifeClaim, move: moves.Take | moves.Withdraw, table: Table
) -> State:
    """MID-3: a token begins its stay, or not."""
    if isinstance(move, moves.Withdraw):
        return withdraw(state, asked, table)
    return occupy(state, asked, table, track=1)
