"""The wizard (WIZ-1 to WIZ-3)."""

from msgspec.structs import replace

from keylore_domain.engine.seats import Seat, with_item
from keylore_domain.engine.steps import push
from keylore_domain.games.keydom import facts, moves
from keylore_domain.games.keydom.components.box import Components
from keylore_domain.games.keydom.effects.changes import (
    deal_market,
    drop_spell,
    take_space,
    to_bottom,
    with_family,
)
from keylore_domain.games.keydom.effects.town import unable, withdraw
from keylore_domain.games.keydom.state.decisions import (
    DiscardForLimit,
    PayPrice,
    WizardSpace,
)
from keylore_domain.games.keydom.state.position import State, Table, Token, here, token_of
from keylore_domain.games.keydom.state.steps import (
    GainSpell,
    NextToken,
    SellSpells,
)


def resolve_wizard(state: State, _table: Table) -> State:
    """WIZ-1 to WIZ-3: spaces are taken, spells sold, the market renewed."""
    return push(state, SellSpells(1), NextToken())


def committed_cubes(state: State, data: Components) -> tuple[int, ...]:
    """The cubes that each seat has set aside for the spaces it took at the wizard (WIZ-1)."""
    committed = [0] * len(state.families)
    if here(state).location == "wizard":
        for space, spell in enumerate(state.market, start=1):
            buyer = _buyer(state, space)
            if buyer is not None and spell is not None:
                committed[buyer] += data.cards[spell].cost
    return tuple(committed)


def _buyer(state: State, space: int) -> Seat | None:
    """Whose token took a space at the wizard."""
    tokens = (token_of(state, token) for token in here(state).placed)
    return next((token.owner for token in tokens if token.space == str(space)), None)


def wizard_spaces(state: State, seat: Seat, data: Components) -> tuple[int, ...]:
    """The spaces that a seat can take, cubes for other spaces set aside (WIZ-1)."""
    purse = sum(state.families[seat].cubes) - committed_cubes(state, data)[seat]
    return tuple(
        space
        for space, spell in enumerate(state.market, start=1)
        if spell is not None and data.cards[spell].cost <= purse and _buyer(state, space) is None
    )


def offer_spell(state: State, token: Token, table: Table) -> State:
    """WIZ-1: a space whose spell can be paid."""
    if not wizard_spaces(state, token.owner, table.data):
        return unable(state, token, table)
    return push(state, WizardSpace(token.owner, token.token))


def answer_wizard(
    state: State, asked: WizardSpace, move: moves.TakeWizardSpace | moves.Withdraw, table: Table
) -> State:
    """WIZ-1: a token takes the space of a spell."""
    if isinstance(move, moves.Withdraw):
        return withdraw(state, asked, table)
    return take_space(state, token_of(state, asked.token), str(move.space), table)


def sell_spells(state: State, step: SellSpells, table: Table) -> State:
    """WIZ-2, WIZ-3: the taken spaces in order, then a new market."""
    for space in range(step.space, len(state.market) + 1):
        buyer, spell = _buyer(state, space), state.market[space - 1]
        if buyer is not None and spell is not None:
            return _sell(push(state, SellSpells(space + 1)), buyer, space, spell, table.data)
    return _renew_market(state, table)


def _sell(state: State, seat: Seat, space: int, spell: str, data: Components) -> State:
    state = push(state, GainSpell(seat, space), PayPrice(seat, "x" * data.cards[spell].cost))
    if len(state.families[seat].spells) >= data.spell_limit:
        state = push(state, DiscardForLimit(seat, spell))
    return state


def answer_discard(state: State, asked: DiscardForLimit, move: moves.GiveUpSpell, table: Table) -> State:
    """WIZ-2: a spell makes room."""
    return to_bottom(drop_spell(state, asked.seat, move.spell), move.spell, table)


def gain_spell(state: State, step: GainSpell, table: Table) -> State:
    """WIZ-2: the spell is the buyer's, who is asked in windows again (§5.5)."""
    spell = state.market[step.space - 1]
    assert spell is not None
    table.turn.note(facts.SpellGained(step.seat, spell))
    order = table.data.card_order
    held = tuple(sorted((*state.families[step.seat].spells, spell), key=order.__getitem__))
    state = replace(state, market=with_item(state.market, step.space - 1, None))
    return with_family(state, step.seat, spells=held, muted=False)


def _renew_market(state: State, table: Table) -> State:
    for spell in state.market:
        if spell is not None:
            state = to_bottom(state, spell, table)
    return deal_market(state, table)
