"""Matches whose seats give shares of the seed: the order of things, recovery, and what an audit says."""

from collections.abc import Callable

import pytest

from keylore_domain.engine.audit import Report, audit
from keylore_domain.engine.chance import LiveChance, match_seed
from keylore_domain.engine.clocks import TimeControl
from keylore_domain.engine.events import Aborted, Sealed, SetUp, SharesCommitted, SharesRevealed
from keylore_domain.engine.evidence import Row
from keylore_domain.engine.keyhistory import Period, chance_commitment
from keylore_domain.engine.matches import Match, Secrets
from keylore_domain.engine.seats import Seat
from keylore_domain.engine.shares import Beacon, combined_seed, share_commitment
from keylore_domain.errors import ConflictError, ReplayMismatchError
from tests.domain.engine.playing import (
    BEACON,
    MATCH,
    ORIGIN,
    SECRETS,
    SEED,
    SHARES,
    SIGNER,
    LiveMatch,
    fake_check,
    sharing,
)
from tests.domain.engine.toy import toy_catalog
from tests.services.replay.forgeries import Path, edited, rechained, renumbered, resealed

ROWS = sharing().rows
SEAL = len(ROWS)
MINE, YOURS, OTHER = SHARES


def report(rows: list[Row]) -> Report:
    return audit(MATCH, rows, toy_catalog, trusted_key=SIGNER.public_key, check_signature=fake_check)


def rebuilt(rows: list[Row]) -> Match:
    match = Match(MATCH, toy_catalog)
    for _, name, state in rows:
        match.replay(name, state)
    return match


def seed_of(live: LiveMatch) -> str:
    sealed = live.match.sealed
    assert sealed is not None
    return sealed.seed


# --- the course of things -------------------------------------------------------------------------------


def test_nothing_is_drawn_before_the_shares_are_revealed() -> None:
    live = LiveMatch(shares=True)
    assert live.match.awaits_shares
    first = live.match.next_events
    live.commit(MINE, YOURS, "")
    second = live.match.next_events
    assert (first, second) == ((SharesCommitted, SetUp, Aborted), (SharesRevealed, Aborted))
    assert live.match.position is None

    live.begin(MINE, YOURS, "")
    assert not live.match.awaits_shares
    expected = combined_seed(MATCH, SEED, (MINE, YOURS, ""), None)
    draws = LiveChance(expected)
    draws.shuffled("gems", range(5))
    live.finish()
    assert seed_of(live) == expected.hex()
    assert live.match.sealed is not None
    assert live.match.sealed.share == SEED.hex()


def test_without_any_commitment_the_match_begins_at_once() -> None:
    live = LiveMatch(shares=True)

    live.begin()

    assert [row[1].rpartition(".")[2] for row in live.rows] == ["Opened", "SetUp"]
    assert live.match.counted == ("", "", "")
    assert seed_of(live.finish()) == combined_seed(MATCH, SEED, ("", "", ""), None).hex()
    assert report(live.rows).is_valid


def test_a_beacon_is_mixed_in_without_shares_too() -> None:
    live = LiveMatch(beacon=BEACON).finish()

    assert seed_of(live) == combined_seed(MATCH, SEED, (), BEACON).hex()
    assert report(live.rows).is_valid


def test_a_shared_deal_has_the_beacon_but_no_shares() -> None:
    label = f"{ORIGIN.tournament.removeprefix('t/')}/r{ORIGIN.round}/g1"
    secrets = Secrets(match_seed(b"secret", label), SIGNER)
    live = LiveMatch(seed_label=label, beacon=BEACON, secrets=secrets).finish()

    assert seed_of(live) == combined_seed(label, secrets.share, (), BEACON).hex()
    assert report(live.rows).is_valid


def test_a_wrong_or_missing_share_is_a_fault_and_has_no_say() -> None:
    live = LiveMatch(shares=True)
    live.commit(MINE, YOURS, OTHER)
    live.begin(MINE, OTHER, "")

    assert live.match.counted == (MINE, "", "")
    assert live.match.faults == [0, 1, 1]
    seed = combined_seed(MATCH, SEED, (MINE, "", ""), None)
    assert seed_of(live.finish()) == seed.hex()


def test_the_last_fault_may_be_a_share_kept_back() -> None:
    live = LiveMatch(shares=True, time=TimeControl(move_ms=1_000, faults=1))
    live.commit(MINE, YOURS, "")
    live.begin(MINE, "", "")

    assert live.match.should_forfeit == (Seat(1),)
    live.say("forfeit", seat=Seat(1), cause="its share")
    assert report(live.finish().rows).is_valid


def test_what_a_seat_committed_to_survives_a_restart() -> None:
    live = LiveMatch(shares=True)
    live.commit(MINE, YOURS, "")

    again = rebuilt(live.rows)

    assert again.awaits_shares
    assert again.commitments == (share_commitment(MATCH, 0, MINE), share_commitment(MATCH, 1, YOURS), "")
    again.begin(SECRETS, at=live.tick(), shares=(MINE, YOURS, ""))
    live.begin(MINE, YOURS, "")
    assert again.position == live.match.position


def test_a_match_that_waits_for_shares_can_only_be_aborted() -> None:
    live = LiveMatch(shares=True)
    acts: list[Callable[[], None]] = [
        lambda: live.say("pause", cause="x"),
        lambda: live.say("resume", cause="x"),
        lambda: live.say("forfeit", seat=Seat(0), cause="x"),
    ]
    for act in acts:
        with pytest.raises(ConflictError, match="waits for shares"):
            act()

    live.commit(MINE, "", "")
    live.abort("the hall burned down")

    sealed = live.match.sealed
    assert isinstance(sealed, Sealed)
    assert (sealed.seed, sealed.share) == ("", SEED.hex())
    assert report(live.rows).verdict == "valid"
    assert rebuilt(live.rows).status == "aborted"


def test_commitments_are_stored_once() -> None:
    live = LiveMatch(shares=True)
    live.commit(MINE, "", "")

    with pytest.raises(ReplayMismatchError, match="SharesCommitted cannot come here"):
        live.commit(YOURS, "", "")


# --- what an audit says ---------------------------------------------------------------------------------


def test_a_record_with_shares_is_valid_and_tells_who_kept_back_what() -> None:
    found = report(ROWS)

    assert (found.verdict, found.first_bad, found.reason) == ("valid", 0, "")
    assert found.draws_checked == found.draws > 0
    assert found.remarks == ("seat 1 had committed to a share of the seed and revealed a wrong share",)
    silent = LiveMatch(shares=True)
    silent.commit(MINE, YOURS, "")
    silent.begin(MINE, "", "")
    assert "seat 1 had committed to a share of the seed and revealed none" in report(silent.rows).remarks


def lying(version: int, *changes: tuple[Path, object]) -> Report:
    """The report on a record in which the arbiter changed fields of an event and signed it all."""
    rows = ROWS
    for path, value in changes:
        rows = edited(rows, version, path, value)
    return report(resealed(rows, SIGNER))


# event 1: opened; 2: shares committed; 3: shares revealed; 4: set up; 5: the first move
@pytest.mark.parametrize(
    ("version", "path", "value", "blamed", "problem"),
    [
        (1, ("shares",), False, 2, "expected SetUp"),
        (1, ("public_seed",), "open", 1, "nothing is mixed into a public seed"),
        (1, ("seed_label",), "cup/r1/g1", 1, "give no shares of the seed of a shared deal"),
        (1, ("beacon",), None, 4, "does not follow from the revealed seed"),
        (1, ("beacon", "value"), "ce" * 32, 4, "does not follow from the revealed seed"),
        (1, ("beacon", "source"), "drand round 8", 4, "does not follow from the revealed seed"),
        (1, ("beacon", "source"), "", 1, "the beacon is none"),
        (1, ("commitment",), "0" * 64, 1, "commitment is to another share"),
        (2, ("commitments",), [], 2, "the number of commitments"),
        (2, ("commitments",), ["", "", ""], 2, "no seat committed"),
        (2, ("commitments", 0), "x", 2, "what seat 0 said has a wrong form"),
        (2, ("commitments", 0), "", 3, "seat 0 reveals a share, but committed to none"),
        (2, ("commitments", 0), "0" * 64, 4, "does not follow from the revealed seed"),
        (3, ("shares",), [], 3, "the number of shares"),
        (3, ("shares", 0), "AA" * 32, 3, "what seat 0 said has a wrong form"),
        (3, ("shares", 0), "", 4, "does not follow from the revealed seed"),
        (3, ("shares", 0), YOURS, 4, "does not follow from the revealed seed"),
        (3, ("shares", 1), YOURS, 4, "does not follow from the revealed seed"),
        (3, ("shares", 2), MINE, 3, "seat 2 reveals a share, but committed to none"),
        (4, ("at",), 0, 4, "moment of the event before"),
        (SEAL, ("seed",), SEED.hex(), SEAL, "the seed that the shares make"),
        (SEAL, ("share",), "0" * 64, SEAL, "commitment to the revealed share"),
    ],
)
def test_each_lie_is_named(version: int, path: Path, value: object, blamed: int, problem: str) -> None:
    found = lying(version, (path, value))

    assert (found.verdict, found.first_bad) == ("invalid", blamed)
    assert problem in found.reason


@pytest.mark.parametrize("gone", [{2}, {3}, {2, 3}])
def test_shares_cannot_be_left_out_of_a_record(gone: set[int]) -> None:
    rest = [row for row in ROWS if row[0] not in gone]

    found = report(resealed(rechained(renumbered(rest)), SIGNER))

    assert found.verdict == "invalid"
    assert found.first_bad <= 3


def test_another_beacon_makes_other_draws() -> None:
    other = LiveMatch(shares=True, beacon=Beacon(value="ce" * 32, source="drand round 8"))
    other.begin()
    one = LiveMatch(shares=True, beacon=BEACON)
    one.begin()

    assert other.match.position != one.match.position


# --- the arbiter's keys ---------------------------------------------------------------------------------

SECRET = b"\7" * 32
CHANCE = chance_commitment(SECRET)


def under(period: Period, rows: list[Row]) -> Report:
    key = period.key
    return audit(MATCH, rows, toy_catalog, trusted_key=key, check_signature=fake_check, period=period)


def period_of(*, secret: bytes | None = None, chance: str = CHANCE) -> Period:
    known = "" if secret is None else secret.hex()
    return Period(number=1, key=SIGNER.public_key, chance=chance, since=1, secret=known)


def test_a_match_belongs_to_the_period_of_its_key() -> None:
    secrets = Secrets(match_seed(SECRET, MATCH), SIGNER, CHANCE)
    rows = LiveMatch(secrets=secrets).finish().rows

    assert under(period_of(), rows).is_valid
    assert any("chance key" in note for note in under(period_of(), rows).unchecked)
    assert (
        under(period_of(secret=SECRET), rows).verdict,
        under(period_of(secret=SECRET), rows).unchecked,
    ) == (
        "valid",
        (),
    )
    other = under(period_of(chance=chance_commitment(b"\x08" * 32)), rows)
    assert (other.first_bad, "another chance key" in other.reason) == (1, True)


def test_a_share_that_the_arbiter_chose_is_found_when_its_chance_key_is_revealed() -> None:
    rows = LiveMatch(secrets=Secrets(SEED, SIGNER, CHANCE)).finish().rows

    assert under(period_of(), rows).is_valid
    found = under(period_of(secret=SECRET), rows)
    assert (found.verdict, found.first_bad) == ("invalid", 1)
    assert "does not follow from its chance key" in found.reason


def test_a_public_seed_needs_no_chance_key() -> None:
    secrets = Secrets(match_seed(b"cup 2026", MATCH), SIGNER)
    rows = LiveMatch(public_seed="cup 2026", secrets=secrets).finish().rows

    assert (under(period_of(secret=SECRET), rows).verdict, under(period_of(), rows).unchecked) == (
        "valid",
        (),
    )


def test_a_key_has_its_form() -> None:
    rows = edited(ROWS, 1, ("key",), "x")

    found = audit(MATCH, rechained(rows), toy_catalog, trusted_key=None, check_signature=fake_check)

    assert (found.first_bad, "the key of the arbiter has a wrong form" in found.reason) == (1, True)


def test_a_match_opened_under_another_key_is_refused_at_once() -> None:
    found = audit(MATCH, ROWS, toy_catalog, trusted_key="0" * 64, check_signature=fake_check)

    assert (found.first_bad, "opened under another key" in found.reason) == (1, True)
