"""The history of the arbiter's keys: made, rotated, revealed, and checked by a stranger."""

from collections.abc import Callable

import msgspec
import pytest

from keylore_domain.engine.aggregates import encode_event, topic_of
from keylore_domain.engine.chance import match_seed
from keylore_domain.engine.encoding import sha256_hex
from keylore_domain.engine.evidence import Row
from keylore_domain.engine.keyhistory import (
    KeyHistory,
    chance_commitment,
    checked_history,
    key_id,
)
from keylore_domain.errors import ConflictError, NotFoundError, ReplayMismatchError
from tests.domain.engine.playing import FakeSigner, fake_check

OLD, NEW, NEWEST = (FakeSigner(name) for name in ("old", "new", "newest"))
SECRETS = tuple(bytes([number]) * 32 for number in (1, 2, 3))
OLD_CHANCE, NEW_CHANCE, NEWEST_CHANCE = map(chance_commitment, SECRETS)


def made() -> KeyHistory:
    history = KeyHistory()
    history.make(at=1, key=OLD.public_key, chance=OLD_CHANCE)
    return history


def rotated() -> KeyHistory:
    history = made()
    history.rotate(at=2, old=OLD, new=NEW, chance=NEW_CHANCE, reason="a laptop was lost")
    return history


def revealed() -> KeyHistory:
    history = rotated()
    history.reveal_chance(at=3, key=OLD.public_key, secret=SECRETS[0])
    return history


def rows(history: KeyHistory) -> list[Row]:
    events = history.collect_events()
    return [(event.originator_version, topic_of(event), encode_event(event)) for event in events]


def edited(version: int, **changes: object) -> list[Row]:
    """The rows of a history in which one event was changed and the chain rebuilt to the end."""
    forged: list[Row] = []
    for number, name, state in rows(revealed()):
        event = msgspec.json.decode(state)
        event |= changes if number == version else {}
        event["prev"] = event["prev"] if number == 1 else sha256_hex(forged[-1][2])
        forged.append((number, name, msgspec.json.encode(event)))
    return forged


def test_new_matches_have_the_newest_keys_and_old_ones_stay_known() -> None:
    history = rotated()

    assert (history.current.number, history.current.key, history.current.since) == (2, NEW.public_key, 2)
    assert history.period(OLD.public_key).chance == OLD_CHANCE
    with pytest.raises(NotFoundError, match=f"is none of this arbiter; its keys: {key_id(OLD.public_key)}, "):
        history.period(NEWEST.public_key)


def test_a_revealed_chance_key_gives_the_shares_of_its_period() -> None:
    period = revealed().period(OLD.public_key)

    assert period.share_of("m/one") == match_seed(SECRETS[0], "m/one")
    assert revealed().current.share_of("m/one") is None


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (lambda: made().make(at=2, key=NEW.public_key, chance=NEW_CHANCE), "has keys already"),
        (
            lambda: rotated().rotate(at=3, old=OLD, new=NEWEST, chance=NEWEST_CHANCE, reason=""),
            "the current key is",
        ),
        (
            lambda: rotated().rotate(at=3, old=NEW, new=OLD, chance=NEWEST_CHANCE, reason=""),
            "never used before",
        ),
        (
            lambda: rotated().rotate(at=3, old=NEW, new=NEWEST, chance=OLD_CHANCE, reason=""),
            "never used before",
        ),
        (
            lambda: rotated().reveal_chance(at=3, key=NEW.public_key, secret=SECRETS[1]),
            "is current: rotate the keys first",
        ),
        (
            lambda: revealed().reveal_chance(at=4, key=OLD.public_key, secret=SECRETS[0]),
            "revealed already",
        ),
        (
            lambda: rotated().reveal_chance(at=3, key=OLD.public_key, secret=SECRETS[1]),
            "does not fit the commitment",
        ),
    ],
)
def test_what_would_break_the_history_is_refused(act: Callable[[], None], reason: str) -> None:
    with pytest.raises(ConflictError, match=reason):
        act()


def test_a_stranger_can_check_the_whole_history() -> None:
    assert checked_history(rows(made()), fake_check).periods == made().periods
    assert checked_history(rows(revealed()), fake_check).periods == revealed().periods


@pytest.mark.parametrize(
    ("forged", "event", "reason"),
    [
        ([], 1, "holds no key"),
        (rows(revealed())[1:], 1, "not where it belongs"),
        ([(1, "keylore:Match.Opened", b"{}")], 1, "not where it belongs"),
        (edited(1, key="x"), 1, "wrong form"),
        (edited(1, chance="x"), 1, "wrong form"),
        (edited(1, key=NEWEST.public_key), 2, "not signed by the old key"),
        (edited(1, at=7), 2, "not signed by the old key"),
        (edited(2, key=OLD.public_key), 2, "come again"),
        (edited(2, chance=OLD_CHANCE), 2, "come again"),
        (edited(2, key=NEWEST.public_key), 2, "not signed by the old key"),
        (edited(2, reason="no reason"), 2, "not signed by the old key"),
        (edited(2, at=7), 2, "not signed by the old key"),
        (edited(2, by_old="00"), 2, "not signed by the old key"),
        (edited(2, by_new="0" * 128), 2, "not signed by the new key"),
        (edited(3, key=NEW.public_key), 3, "no old period"),
        (edited(3, secret="00"), 3, "not the one that was committed to"),
        (edited(3, secret=SECRETS[1].hex()), 3, "not the one that was committed to"),
    ],
)
def test_a_forged_history_is_refused_at_its_first_bad_event(
    forged: list[Row], event: int, reason: str
) -> None:
    with pytest.raises(ReplayMismatchError, match=reason) as caught:
        checked_history(forged, fake_check)
    assert caught.value.version == event


def test_keys_are_made_once() -> None:
    first, second = rows(made())[0], rows(rotated())[1]
    event = msgspec.json.decode(first[2]) | {"originator_version": 2, "prev": sha256_hex(first[2])}
    again = (2, first[1], msgspec.json.encode(event))

    with pytest.raises(ReplayMismatchError, match="made once"):
        checked_history([first, again], fake_check)
    headless = msgspec.json.decode(second[2]) | {"originator_version": 1, "prev": KeyHistory().head}
    with pytest.raises(ReplayMismatchError, match="made once"):
        checked_history([(1, second[1], msgspec.json.encode(headless))], fake_check)


def test_a_chance_key_is_revealed_once() -> None:
    known = rows(revealed())
    event = msgspec.json.decode(known[2][2]) | {"originator_version": 4, "prev": sha256_hex(known[2][2])}

    with pytest.raises(ReplayMismatchError, match="revealed already"):
        checked_history([*known, (4, known[2][1], msgspec.json.encode(event))], fake_check)
