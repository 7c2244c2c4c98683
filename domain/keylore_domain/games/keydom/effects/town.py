"""Soldiers, trader, priest and midwife (SOL, TRA, PRI, MID)."""

from keylore_domain.engine.seats import Seat, others_clockwise
from keylore_domain.games.keydom import facts, moves
from keylore_domain.games.keydom.components.names import (
    COLOURS,
    REGIONS,
    DonationKind,
    cubes,
    vector,
)
from keylore_domain.games.keydom.components.parts import Parts
from keylore_domain.games.keydom.effects.casting import ask_responses
from keylore_domain.games.keydom.play import (
    Play,
    exchange,
    exchanges,
    move_cubes,
    of_colour,
    payments,
    return_counter,
    take_space,
)
from keylore_domain.games.keydom.state.decisions import (
    Answered,
    AskDonations,
    AskedAbout,
    Donate,
    DonateAmount,
    DonateCube,
    DueDonation,
    MakeArrest,
    MidwifeClaim,
    NextToken,
    PayPrice,
    PriestChoose,
    SoldiersArrest,
    TraderExchange,
)
from keylore_domain.games.keydom.state.position import Returned, State, Token, here, on_track, token_of


def withdraw(play: Play, asked: AskedAbout) -> None:
    """A token comes back instead of taking a space (COM-4)."""
    return_counter(play, token_of(play.state, asked.token), "withdrawn")


def occupy(play: Play, asked: AskedAbout, track: int = 0) -> None:
    """A token takes the next space of a location whose spaces are all alike."""
    space = str(len(here(play.state).placed) + 1)
    take_space(play, token_of(play.state, asked.token), space, track)


def unable(play: Play, token: Token) -> None:
    """A token whose owner cannot act comes back unasked (COM-5)."""
    return_counter(play, token, "unable")


def offer(play: Play, token: Token, question: type[AskedAbout], *, possible: object) -> None:
    """A token whose turn has come is asked about what is *possible*; else it comes back (COM-5)."""
    if possible:
        play.push(question(token.owner, token.token))
    else:
        unable(play, token)


def answer_pay(play: Play, asked: PayPrice, move: moves.Pay) -> None:
    """A price is paid to the stock (COM-6)."""
    paid = vector(move.payment)
    move_cubes(play, asked.seat, "stock", paid)
    play.change_visit(paid=paid)


# Soldiers


def arrestable(state: State, seat: Seat, parts: Parts) -> tuple[Token, ...]:
    """The tokens that a seat can have arrested now (SOL-1)."""
    regions = [region for region, price in parts.arrest_patterns.items() if payments(state, seat, price)]
    return tuple(
        token
        for token in state.board
        if token.owner != seat
        and token.placed_round == state.round
        and token.location != "soldiers"
        and REGIONS[token.location] in regions
    )


def offer_arrest(play: Play, token: Token) -> None:
    """SOL-2: an arrest, if there is anybody to arrest."""
    offer(play, token, SoldiersArrest, possible=arrestable(play.state, token.owner, play.parts))


def answer_arrest(play: Play, asked: SoldiersArrest, move: moves.Arrest | moves.Withdraw) -> None:
    """SOL-2: the arrest is paid, then made."""
    if isinstance(move, moves.Withdraw):
        withdraw(play, asked)
        return
    pattern = play.parts.arrest_patterns[REGIONS[token_of(play.state, move.token).location]]
    occupy(play, asked)
    play.push(PayPrice(asked.seat, pattern), MakeArrest(move.token))


def make_arrest(play: Play, step: MakeArrest) -> None:
    """The arrested counter comes back to its owner."""
    return_counter(play, token_of(play.state, step.token), "arrested")


# Trader


def offer_exchange(play: Play, token: Token) -> None:
    """TRA-1: an exchange, if there is one."""
    possible = exchanges(play.family(token.owner).cubes, play.state.stock)
    offer(play, token, TraderExchange, possible=possible)


def answer_trader(play: Play, asked: TraderExchange, move: moves.Exchange | moves.Withdraw) -> None:
    """TRA-2: one cube for another."""
    if isinstance(move, moves.Withdraw):
        withdraw(play, asked)
        return
    occupy(play, asked)
    exchange(play, asked.seat, move.give, move.take)


# Priest


def donation_kinds(state: State, seat: Seat, parts: Parts) -> tuple[DonationKind, ...]:
    """The kinds of donation that a seat can pay for (PRI-1)."""
    return tuple(kind for kind, price in parts.donation_patterns.items() if payments(state, seat, price))


def offer_donation(play: Play, token: Token) -> None:
    """PRI-1: the choice of a donation, if one can be paid."""
    offer(play, token, PriestChoose, possible=donation_kinds(play.state, token.owner, play.parts))


def answer_priest(play: Play, asked: PriestChoose, move: moves.Donation | moves.Withdraw) -> None:
    """PRI-1: the price is paid, then the others donate."""
    if isinstance(move, moves.Withdraw):
        withdraw(play, asked)
        return
    occupy(play, asked)
    price = PayPrice(asked.seat, play.parts.donation_patterns[move.kind])
    play.push(price, AskDonations(asked.seat, move.kind))


def ask_donations(play: Play, step: AskDonations) -> None:
    """The other seats, clockwise; for an excess they show what they hold (PRI-1 to PRI-3)."""
    families = play.state.families
    if step.kind == "excess":
        shown = tuple(None if at == step.by else cubes(family.cubes) for at, family in enumerate(families))
        play.note(facts.HoldingsDisclosed(shown))
    play.change_visit(exempt=())
    others = others_clockwise(step.by, len(families))
    play.push(*(DueDonation(seat, step.by, step.kind) for seat in others))


def due_donation(play: Play, step: DueDonation) -> None:
    """A seat that has to donate may first answer with a spell (PRI-5)."""
    if _due(play.state, step.seat, step.kind, play.parts):
        play.push(Donate(step.seat, step.kind))
        ask_responses(play, (step.seat,), "reaction_priest", Answered(by=step.by, donation=step.kind))


def _due(state: State, seat: Seat, kind: DonationKind, parts: Parts) -> int:
    """How many cubes a seat has to donate (PRI-3, PRI-4)."""
    held = state.families[seat].cubes
    if kind == "excess":
        return max(0, sum(held) - parts.keep)
    if kind == "same":
        return min(1, held[_paid_colour(state)])
    return min(1, sum(held))


def _paid_colour(state: State) -> int:
    return next(at for at, count in enumerate(here(state).paid) if count)


def donate(play: Play, step: Donate) -> None:
    """A seat donates unless Sanctuary frees it (PRI-3, PRI-4, SP24)."""
    state = play.state
    if step.seat in here(state).exempt:
        return
    if step.kind == "excess":
        play.push(DonateAmount(step.seat, 0, _due(state, step.seat, "excess", play.parts)))
    elif step.kind == "any":
        play.push(DonateCube(step.seat, None))
    else:
        move_cubes(play, step.seat, "stock", of_colour(COLOURS[_paid_colour(state)]))


def answer_amount(play: Play, asked: DonateAmount, move: moves.DonateAmount) -> None:
    """PRI-3: colour by colour until the surplus is given back."""
    move_cubes(play, asked.seat, "stock", of_colour(COLOURS[asked.colour], move.amount))
    due = asked.due - move.amount
    if due:
        play.push(DonateAmount(asked.seat, asked.colour + 1, due))


# Midwife


def resolve_midwife(play: Play) -> None:
    """MID-1 to MID-3: the tracks move, then a new counter may come in."""
    done, waiting = on_track(play.state, "midwife", 2), on_track(play.state, "midwife", 1)
    if done is not None:
        _complete(play, done)
    if waiting is not None:
        play.note(facts.TrackAdvanced(waiting.token, 2))
        play.change_token(waiting, track=2)
    play.push(NextToken())


def _complete(play: Play, token: Token) -> None:
    """MID-1: a full stay is over."""
    play.note(facts.TrackAdvanced(token.token, 3))
    return_counter(play, token, "completed")
    family = play.family(token.owner)
    if family.side:
        play.note(facts.NumberOneGained(token.owner))
        returned = (*family.returned, Returned(1, seen=True))
        play.change_family(token.owner, side=False, returned=returned)


def offer_midwife(play: Play, token: Token) -> None:
    """MID-3: the first space of the track."""
    offer(play, token, MidwifeClaim, possible=True)


def answer_midwife(play: Play, asked: MidwifeClaim, move: moves.Take | moves.Withdraw) -> None:
    """MID-3: a token begins its stay, or not."""
    if isinstance(move, moves.Withdraw):
        withdraw(play, asked)
    else:
        occupy(play, asked, track=1)
