"""The wizard (WIZ-1 to WIZ-3)."""

from keylore_domain.engine.seats import Seat, with_item
from keylore_domain.games.keydom import facts, moves
from keylore_domain.games.keydom.components.parts import Parts
from keylore_domain.games.keydom.effects.town import offer, withdraw
from keylore_domain.games.keydom.play import Play, deal_market, drop_spell, take_space, to_bottom
from keylore_domain.games.keydom.state.decisions import (
    DiscardForLimit,
    GainSpell,
    NextToken,
    PayPrice,
    SellSpells,
    WizardSpace,
)
from keylore_domain.games.keydom.state.position import State, Token, here, token_of


def resolve_wizard(play: Play) -> None:
    """WIZ-1 to WIZ-3: spaces are taken, spells sold, the market renewed."""
    play.push(NextToken(), SellSpells(1))


def committed_cubes(state: State, parts: Parts) -> tuple[int, ...]:
    """The cubes that each seat has set aside for the spaces it took at the wizard (WIZ-1)."""
    committed = [0] * len(state.families)
    if here(state).location == "wizard":
        for space, spell in enumerate(state.market, start=1):
            buyer = _buyer(state, space)
            if buyer is not None and spell is not None:
                committed[buyer] += parts.cards[spell].cost
    return tuple(committed)


def _buyer(state: State, space: int) -> Seat | None:
    """Whose token took a space at the wizard."""
    tokens = (token_of(state, token) for token in here(state).placed)
    return next((token.owner for token in tokens if token.space == str(space)), None)


def wizard_spaces(state: State, seat: Seat, parts: Parts) -> tuple[int, ...]:
    """The spaces that a seat can take, cubes for other spaces set aside (WIZ-1)."""
    purse = sum(state.families[seat].cubes) - committed_cubes(state, parts)[seat]
    return tuple(
        space
        for space, spell in enumerate(state.market, start=1)
        if spell is not None and parts.cards[spell].cost <= purse and _buyer(state, space) is None
    )


def offer_spell(play: Play, token: Token) -> None:
    """WIZ-1: a space whose spell can be paid."""
    offer(play, token, WizardSpace, possible=wizard_spaces(play.state, token.owner, play.parts))


def answer_wizard(play: Play, asked: WizardSpace, move: moves.TakeWizardSpace | moves.Withdraw) -> None:
    """WIZ-1: a token takes the space of a spell."""
    if isinstance(move, moves.Withdraw):
        withdraw(play, asked)
    else:
        take_space(play, token_of(play.state, asked.token), str(move.space))


def sell_spells(play: Play, step: SellSpells) -> None:
    """WIZ-2, WIZ-3: the taken spaces in order, then a new market."""
    state = play.state
    for space in range(step.space, len(state.market) + 1):
        buyer, spell = _buyer(state, space), state.market[space - 1]
        if buyer is not None and spell is not None:
            play.push(SellSpells(space + 1))
            _sell(play, buyer, space, spell)
            return
    _renew_market(play)


def _sell(play: Play, seat: Seat, space: int, spell: str) -> None:
    parts = play.parts
    play.push(PayPrice(seat, "x" * parts.cards[spell].cost), GainSpell(seat, space))
    if len(play.family(seat).spells) >= parts.spell_limit:
        play.push(DiscardForLimit(seat, spell))


def answer_discard(play: Play, asked: DiscardForLimit, move: moves.GiveUpSpell) -> None:
    """WIZ-2: a spell makes room."""
    drop_spell(play, asked.seat, move.spell)
    to_bottom(play, move.spell)


def gain_spell(play: Play, step: GainSpell) -> None:
    """WIZ-2: the spell is the buyer's, who is asked in windows again (§5.5)."""
    market = play.state.market
    spell = market[step.space - 1]
    assert spell is not None
    play.note(facts.SpellGained(step.seat, spell))
    order = play.parts.card_order
    held = tuple(sorted((*play.family(step.seat).spells, spell), key=order.__getitem__))
    play.change(market=with_item(market, step.space - 1, None))
    play.change_family(step.seat, spells=held, muted=False)


def _renew_market(play: Play) -> None:
    for spell in play.state.market:
        if spell is not None:
            to_bottom(play, spell)
    deal_market(play)
