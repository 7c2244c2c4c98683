"""Final scores and the ranking of all parties (spec §7.2, §7.3)."""

import msgspec

from keylore_domain.engine.outcomes import Outcome, SeatResult
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydoms_dragons.components import SCROLL
from keylore_domain.games.keydoms_dragons.moves import PartyName
from keylore_domain.games.keydoms_dragons.state import board
from keylore_domain.games.keydoms_dragons.state.position import Party, State


class PartyResult(msgspec.Struct, frozen=True, kw_only=True):
    """How one party did; ``turn_index`` is its place in the turn order at the end."""

    party: PartyName
    rank: int
    score: int
    artefacts: int
    scrolls: int
    spell_bonus: int
    turn_index: int


class DragonsSeatResult(SeatResult, frozen=True, kw_only=True):
    """How one seat did; ``rank`` is its rank among the seats (the spec's ``seat_rank``).

    ``party_rank`` counts the ghosts too: with ghosts in the game a seat wins only with 1 (§7.3).
    """

    party_rank: int
    artefacts: int
    scrolls: int
    turn_index: int


class DragonsOutcome(Outcome, frozen=True, kw_only=True):
    """The result with all parties; no ranks are shared."""

    seats: tuple[DragonsSeatResult, ...]
    parties: tuple[PartyResult, ...]


def outcome(state: State) -> DragonsOutcome:
    """The ranking: score, then scrolls, then turn order from the present start party."""
    results = {party: _result(state, party) for party in board.turn_order(state)}
    ranked = sorted(
        results, key=lambda at: (-results[at].score, -results[at].scrolls, results[at].turn_index)
    )
    placed = {
        party: msgspec.structs.replace(results[party], rank=place)
        for place, party in enumerate(ranked, start=1)
    }
    seat_order = [party for party in ranked if board.is_seat(state, party)]
    seats = tuple(_seat_result(placed[seat], seat_order.index(seat) + 1) for seat in range(state.seats))
    parties = tuple(placed[party] for party in range(state.parties))
    return DragonsOutcome(ended_by=state.ended_by, round=state.round, seats=seats, parties=parties)


def _seat_result(result: PartyResult, rank: int) -> DragonsSeatResult:
    assert isinstance(result.party, int)
    return DragonsSeatResult(
        seat=Seat(result.party),
        rank=rank,
        score=result.score,
        party_rank=result.rank,
        artefacts=result.artefacts,
        scrolls=result.scrolls,
        turn_index=result.turn_index,
    )


def _result(state: State, party: Party) -> PartyResult:
    seated = board.is_seat(state, party)
    owned = (state.players[party] if seated else board.ghost_of(state, party)).artefacts
    bonus = 0 if seated else spell_bonus(state, party)
    return PartyResult(
        party=board.party_name(state, party),
        rank=0,
        score=sum(owned) + bonus,
        artefacts=sum(owned),
        scrolls=owned[SCROLL],
        spell_bonus=bonus,
        turn_index=board.turn_order(state).index(party),
    )


def spell_bonus(state: State, party: Party) -> int:
    """Half the spell cards in a ghost's draw deck, rounded up (§8.6, R25)."""
    spells = sum(card.kind == "spell" for card in board.ghost_of(state, party).deck)
    return (spells + 1) // 2
