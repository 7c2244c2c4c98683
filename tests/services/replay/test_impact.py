"""The ruling-change drill: stored games stay as they are, the report finds exactly the planted ones."""

import hashlib
import json
from collections.abc import Iterator
from random import Random
from typing import Any, ClassVar

import msgspec
import pytest

from keylore_domain.engine.aggregates import decode_event
from keylore_domain.engine.audit import audit
from keylore_domain.engine.evidence import Row
from keylore_domain.engine.game import AnyGame, Turn
from keylore_domain.engine.matches import Match, Secrets
from keylore_domain.engine.outcomes import ranks
from keylore_domain.engine.prompts import Prompt
from keylore_domain.engine.seats import Seat
from keylore_domain.errors import NotFoundError, OptionError, RuleError
from keylore_services.ledger.ledger import Ledger, open_ledger
from keylore_services.replay.impact import Impact, archive_impact, impact
from tests.domain.engine.playing import SIGNER, LiveMatch, fake_check
from tests.domain.engine.toy import Bid, Pearls, PearlsOptions, PearlsOutcome, State, toy_catalog

GAMES = 50
HIGH = 3


class NoHighBids(Pearls):
    """A ruling: nobody bids 3."""

    rules: ClassVar[str] = "no-high-bids"

    def prompts(self, state: State) -> tuple[Prompt[Any], ...]:
        return tuple(_without(prompt) for prompt in super().prompts(state))


def _without(prompt: Prompt[Any]) -> Prompt[Any]:
    legal = tuple(move for move in prompt.legal if move != Bid(HIGH))
    return msgspec.structs.replace(prompt, legal=legal)


class BareGems(Pearls):
    """A ruling: a seat with the greatest gem needs a pearl beside it."""

    rules: ClassVar[str] = "bare-gems"

    def outcome(self, state: State) -> PearlsOutcome | None:
        found = super().outcome(state)
        if found is None:
            return None
        scores = [
            0 if hand.gem == 5 and not hand.pearls else one.score
            for one, hand in zip(found.seats, state.hands, strict=True)
        ]
        placed = ranks([(score, hand.coins) for score, hand in zip(scores, state.hands, strict=True)])
        seats = tuple(
            msgspec.structs.replace(one, score=score, rank=rank)
            for one, score, rank in zip(found.seats, scores, placed, strict=True)
        )
        return msgspec.structs.replace(found, seats=seats)


class LastTie(Pearls):
    """A ruling: the die of a tie has another label, so it falls otherwise."""

    rules: ClassVar[str] = "other-die"

    def apply(self, state: State, seat: Seat, move: Any, turn: Turn) -> State:
        other = Turn(_Relabelled(turn.chance))  # type: ignore[arg-type]
        after = super().apply(state, seat, move, other)
        turn.facts.extend(other.facts)
        return after


class _Relabelled:
    def __init__(self, chance: Any) -> None:
        self._chance = chance

    def pick(self, label: str, items: Any) -> Any:
        return self._chance.pick(f"{label}.new", items)


class OtherDefault(Pearls):
    """A ruling: the default is the last move."""

    rules: ClassVar[str] = "other-default"

    def prompts(self, state: State) -> tuple[Prompt[Any], ...]:
        return tuple(
            msgspec.structs.replace(prompt, default=len(prompt.legal) - 1)
            for prompt in super().prompts(state)
        )


class Endless(Pearls):
    """A ruling: there is one more round."""

    rules: ClassVar[str] = "endless"

    def setup(self, options: PearlsOptions, turn: Turn) -> State:
        return super().setup(msgspec.structs.replace(options, rounds=options.rounds + 1), turn)


class Shorter(Pearls):
    """A ruling: there is one round."""

    rules: ClassVar[str] = "shorter"

    def setup(self, options: PearlsOptions, turn: Turn) -> State:
        return super().setup(msgspec.structs.replace(options, rounds=1), turn)


class Strict(Pearls):
    """A ruling: three seats at most are too many."""

    rules: ClassVar[str] = "strict"

    def check_options(self, options: PearlsOptions) -> None:
        if options.seats > 2:
            raise OptionError("seats", "is too many", "2")


class Refusing(Pearls):
    """Rules that say no halfway."""

    rules: ClassVar[str] = "refusing"

    def apply(self, state: State, seat: Seat, move: Any, turn: Turn) -> State:
        raise RuleError("this cannot be")


VERSIONS: dict[str, AnyGame] = {
    game.rules: game()
    for game in (
        Pearls,
        NoHighBids,
        BareGems,
        LastTie,
        OtherDefault,
        Endless,
        Shorter,
        Strict,
        Refusing,
    )
}


def catalog(game: str, rules: str | None, data: str | None) -> AnyGame:
    if rules not in VERSIONS:
        msg = f"there are no rules {rules!r}"
        raise NotFoundError(msg)
    return VERSIONS[rules]


def played(number: int) -> LiveMatch:
    """A random match."""
    chance = Random(number)
    seed = hashlib.sha256(str(number).encode()).digest()
    live = LiveMatch(match_id=f"m/{number:03}", origin=None, secrets=Secrets(seed, SIGNER), rounds=2)
    return live.finish(lambda item: chance.randrange(len(item.prompt.legal)))


MATCHES = [played(number) for number in range(GAMES)]


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    opened = open_ledger(":memory:")
    for live in MATCHES:
        opened.append([decode_event(topic, state) for _, topic, state in live.rows])
    yield opened
    opened.close()


def found(ledger: Ledger, rules: str) -> dict[str, Impact]:
    return {one.match: one for one in archive_impact(ledger, catalog, "pearls", rules)}


def stored(ledger: Ledger) -> list[tuple[str, bytes]]:
    return [(event.topic, event.state) for event in ledger.notifications(0, 10_000)]


def first_high_bid(live: LiveMatch) -> int:
    """The first event in which somebody bids 3; 0 if nobody does."""
    for version, _, state in live.rows:
        if json.loads(state).get("move") == {"coins": HIGH}:
            return version
    return 0


def test_a_move_that_became_illegal_is_found_where_it_was_played(ledger: Ledger) -> None:
    before = stored(ledger)

    impacts = found(ledger, "no-high-bids")

    planted = {live.match.id: at for live in MATCHES if (at := first_high_bid(live))}
    affected = {match: one for match, one in impacts.items() if one.is_affected}
    assert 5 < len(planted) < GAMES
    assert affected.keys() == planted.keys()
    assert all("legality" in one.effects and one.new_scores == () for one in affected.values())
    assert {match: one.event for match, one in affected.items()} == planted
    spared = [one for match, one in impacts.items() if match not in planted]
    assert all((one.event, one.effects) == (3, ("choices",)) for one in spared)
    assert len(impacts) == GAMES
    assert stored(ledger) == before


def test_scores_and_winners_that_differ_are_found_and_no_others(ledger: Ledger) -> None:
    impacts = found(ledger, "bare-gems")

    scored, won = set(), set()
    for live in MATCHES:
        assert live.match.position is not None
        old = Pearls().outcome(live.match.position.state)
        new = BareGems().outcome(live.match.position.state)
        assert old is not None
        assert new is not None
        if old != new:
            scored.add(live.match.id)
        if [one.rank == 1 for one in old.seats] != [one.rank == 1 for one in new.seats]:
            won.add(live.match.id)
    assert 0 < len(won) < len(scored) < GAMES
    assert {match for match, one in impacts.items() if one.is_affected} == scored
    assert {match for match, one in impacts.items() if "winner" in one.effects} == won
    for live in MATCHES:
        one = impacts[live.match.id]
        assert one.event == (len(live.rows) - 1 if live.match.id in scored else 0)
        assert (one.winners != one.new_winners) == (live.match.id in won)


def test_all_stored_games_stay_valid_under_their_own_rules(ledger: Ledger) -> None:
    for live in MATCHES:
        rows = [(row.originator_version, row.topic, row.state) for row in ledger.stored(live.match.id)]
        report = audit(
            live.match.id, rows, catalog, trusted_key=SIGNER.public_key, check_signature=fake_check
        )
        assert report.is_valid
        assert rows == live.rows


def test_a_running_game_finishes_under_its_own_rules() -> None:
    def newest(game: str, rules: str | None, data: str | None) -> AnyGame:
        return catalog(game, rules or "no-high-bids", data)

    live = LiveMatch(origin=None, match_id="m/x")
    live.play(1)
    again = Match("m/x", newest)
    for _, topic, state in live.rows:
        again.replay(topic, state)

    assert again.rules.rules == "1"
    assert Bid(HIGH) in again.live_position.open[0].prompt.legal


def one(rules: str, rows: list[Row]) -> Impact:
    return impact("m/x", rows, catalog, rules)


def match(**options: Any) -> LiveMatch:
    return LiveMatch(origin=None, match_id="m/x", **options)


def test_the_same_rules_change_nothing() -> None:
    found = one("1", match().finish().rows)

    assert (found.effects, found.event, found.is_affected) == ((), 0, False)
    assert found.scores == found.new_scores != ()


def test_another_default_is_an_effect_on_legality() -> None:
    live = match()
    live.default("timeout")

    found = one("other-default", live.rows)

    assert (found.effects, found.event) == (("legality",), 3)
    assert found.reason == '{"coins":3} is the default for seat 0'


def test_chance_that_falls_otherwise_is_followed_by_the_seed() -> None:
    rows = match(rounds=1).finish().rows  # all bid 1: a tie

    revealed, unknown = one("other-die", rows), one("other-die", rows[:-1])

    assert "the seed is not revealed" in unknown.reason
    assert "the seed" not in revealed.reason
    assert (unknown.effects, unknown.event) == (("course",), 5)
    assert (revealed.effects, revealed.event) == (("course", "legality"), 6)  # another seat won the tie


@pytest.mark.parametrize(
    ("rules", "effects", "reason"),
    [
        ("endless", {"course", "scores"}, "the game does not end here"),
        ("shorter", {"course", "legality"}, "seat 0 is asked for nothing, not bid"),
        ("strict", {"legality"}, "the match could not be opened: option 'seats'"),
        ("refusing", {"legality"}, "this cannot be"),
    ],
)
def test_games_that_go_on_otherwise_are_told(rules: str, effects: set[str], reason: str) -> None:
    found = one(rules, match(rounds=2).finish().rows)

    assert set(found.effects) == effects
    assert found.reason.startswith(reason)
    assert found.is_affected


def test_an_aborted_game_has_no_result_to_differ() -> None:
    live = match()
    live.play(1)

    found = one("bare-gems", live.abort("fire").rows)

    assert (found.effects, found.scores, found.new_scores) == ((), (), ())


def test_unknown_versions_and_other_games_are_passed_over(ledger: Ledger) -> None:
    with pytest.raises(NotFoundError, match="there are no rules 'none'"):
        found(ledger, "none")
    assert list(archive_impact(ledger, lambda *_: VERSIONS["1"], "chess", "1")) == []
    with pytest.raises(NotFoundError):
        impact("m/x", match().rows, toy_catalog, "2")
