"""The history of an arbiter's keys: which key signed when, and what its chance was bound to beforehand.

A period of an arbiter has two keys. The signing key seals matches; its public half is known. The chance key
is secret: the arbiter's share of every seed follows from it, and its commitment is stored when the period
begins, before the arbiter knows who will play. A rotation is an event that the old key and the new one have
signed, so whoever trusts one key of a history can follow it to the others. When no match of an old period is
left, its chance key is revealed, and everybody can check that no share was chosen.
"""

import hashlib
from collections.abc import Sequence
from typing import Final

import msgspec

from keylore_domain.engine.aggregates import Aggregate, Event, topic
from keylore_domain.engine.chance import match_seed
from keylore_domain.engine.checkpoints import CheckSignature, NoteSigner
from keylore_domain.engine.encoding import is_hex
from keylore_domain.engine.evidence import Row
from keylore_domain.errors import ConflictError, NotFoundError, ReplayMismatchError

KEYS_ID: Final = "keys/arbiter"


def key_id(key: str) -> str:
    """The short name of a public key: its first 16 hexadecimal digits."""
    return key[:16]


def chance_commitment(secret: bytes) -> str:
    """What is stored before a chance key is used, so that it cannot be changed later."""
    return hashlib.sha256(b"keylore.chance-key/1\0" + secret).hexdigest()


@topic("keylore:Keys.Made")
class KeysMade(Event, frozen=True, kw_only=True):
    """An arbiter was started for the first time: its public key, and the commitment to its chance key."""

    key: str
    chance: str


@topic("keylore:Keys.Rotated")
class KeysRotated(Event, frozen=True, kw_only=True):
    """New matches have other keys from now on; both the old key and the new one signed that."""

    key: str
    chance: str
    reason: str
    by_old: str
    by_new: str

    @property
    def statement(self) -> bytes:
        """The bytes that the old key and the new one sign; ``prev`` stands for the history before."""
        return (
            f"keylore.rotation/1\n{self.originator_version}\n{self.prev}\n{self.at}\n"
            f"{self.key}\n{self.chance}\n{self.reason}\n"
        ).encode()


@topic("keylore:Keys.ChanceRevealed")
class ChanceRevealed(Event, frozen=True, kw_only=True):
    """The chance key of the period of ``key`` is no secret any more; ``secret`` is hexadecimal."""

    key: str
    secret: str


class Period(msgspec.Struct, frozen=True, kw_only=True):
    """The time of one pair of keys; ``number`` counts from 1.

    ``secret``: the revealed chance key, hexadecimal; empty while it is secret.
    """

    number: int
    key: str
    chance: str
    since: int
    secret: str = ""

    def share_of(self, name: str) -> bytes | None:
        """The arbiter's share of the seed of that name; ``None`` while the chance key is secret."""
        return match_seed(bytes.fromhex(self.secret), name) if self.secret else None


class KeyHistory(Aggregate):
    """The keys of an arbiter, the oldest first.

    Attributes:
        periods: all of them; at least one once the keys are made.
    """

    def __init__(self, aggregate_id: str = KEYS_ID) -> None:
        super().__init__(aggregate_id)
        self.periods: tuple[Period, ...] = ()

    @property
    def current(self) -> Period:
        """The period of new matches."""
        return self.periods[-1]

    def period(self, key: str) -> Period:
        """The period of a public key.

        Raises:
            NotFoundError: it was never a key of this arbiter.
        """
        for period in self.periods:
            if period.key == key:
                return period
        known = ", ".join(key_id(period.key) for period in self.periods)
        msg = f"the key {key_id(key)} is none of this arbiter; its keys: {known}"
        raise NotFoundError(msg)

    # --- commands -------------------------------------------------------------------------------------

    def make(self, *, at: int, key: str, chance: str) -> None:
        """Record the first keys.

        Raises:
            ConflictError: there are keys already.
        """
        if self.periods:
            msg = "the arbiter has keys already; rotate them"
            raise ConflictError(msg)
        self.record(KeysMade(**self.stamp(at), key=key, chance=chance))

    def rotate(self, *, at: int, old: NoteSigner, new: NoteSigner, chance: str, reason: str) -> None:
        """Record that new matches have new keys from now on.

        Raises:
            ConflictError: *old* is not the current key, or the new keys were used before.
        """
        if old.public_key != self.current.key:
            msg = f"the current key is {key_id(self.current.key)}, not {key_id(old.public_key)}"
            raise ConflictError(msg)
        if any(new.public_key == period.key or chance == period.chance for period in self.periods):
            msg = "a rotation needs keys that were never used before"
            raise ConflictError(msg)
        draft = KeysRotated(
            **self.stamp(at), key=new.public_key, chance=chance, reason=reason, by_old="", by_new=""
        )
        by_old, by_new = old.sign(draft.statement), new.sign(draft.statement)
        self.record(msgspec.structs.replace(draft, by_old=by_old, by_new=by_new))

    def reveal_chance(self, *, at: int, key: str, secret: bytes) -> None:
        """Record the chance key of an old period, of which no match is left.

        Raises:
            NotFoundError: there is no such period.
            ConflictError: it is the current one, it was revealed before, or this is not its chance key.
        """
        period = self.period(key)
        if period is self.current or period.secret:
            state = "current: rotate the keys first" if period is self.current else "revealed already"
            msg = f"the chance key of {key_id(key)} is {state}"
            raise ConflictError(msg)
        if chance_commitment(secret) != period.chance:
            msg = f"this is not the chance key of {key_id(key)}: it does not fit the commitment"
            raise ConflictError(msg)
        self.record(ChanceRevealed(**self.stamp(at), key=key, secret=secret.hex()))

    # --- applying -------------------------------------------------------------------------------------

    def apply(self, event: Event) -> None:
        """Take over what *event* says; signatures are for `checked_history`."""
        match event:
            case KeysMade() | KeysRotated():
                number = len(self.periods) + 1
                period = Period(number=number, key=event.key, chance=event.chance, since=event.at)
                self.periods = (*self.periods, period)
            case ChanceRevealed():
                self.periods = tuple(_revealed(period, event) for period in self.periods)
            case _:
                raise AssertionError(event)


def _revealed(period: Period, event: ChanceRevealed) -> Period:
    return msgspec.structs.replace(period, secret=event.secret) if period.key == event.key else period


def checked_history(rows: Sequence[Row], check: CheckSignature) -> KeyHistory:
    """The history that stored *rows* (version, topic, bytes) tell, every link and signature checked.

    Raises:
        ReplayMismatchError: something is wrong with it; names the event.
    """
    history = _Checked(check)
    for place, (version, name, state) in enumerate(rows, 1):
        if version != place or not name.startswith("keylore:Keys."):
            problem = f"event {place} is not where it belongs"
            raise ReplayMismatchError(problem, place)
        history.replay(name, state)
    if not history.periods:
        problem = "the history holds no key"
        raise ReplayMismatchError(problem, 1)
    return history


class _Checked(KeyHistory):
    """A history under suspicion."""

    def __init__(self, check: CheckSignature) -> None:
        super().__init__()
        self._check = check

    def apply(self, event: Event) -> None:
        problem = self._flaw(event)
        if problem:
            raise ReplayMismatchError(problem, event.originator_version)
        super().apply(event)

    def _flaw(self, event: Event) -> str:
        match event:
            case ChanceRevealed():
                return self._secret_flaw(event)
            case KeysMade() | KeysRotated():
                if not is_hex(event.key, 64) or not is_hex(event.chance, 64):
                    return "key or commitment has a wrong form"
                if isinstance(event, KeysMade) is bool(self.periods):
                    return "keys are made once, and then rotated"
                return self._rotation_flaw(event) if isinstance(event, KeysRotated) else ""
            case _:
                raise AssertionError(event)

    def _rotation_flaw(self, event: KeysRotated) -> str:
        if any(event.key == period.key or event.chance == period.chance for period in self.periods):
            return "keys that were used before come again"
        signed = ((self.current.key, event.by_old, "old"), (event.key, event.by_new, "new"))
        for key, signature, name in signed:
            if not is_hex(signature, 128) or not self._check(key, event.statement, signature):
                return f"the rotation is not signed by the {name} key"
        return ""

    def _secret_flaw(self, event: ChanceRevealed) -> str:
        old = {period.key: period for period in self.periods[:-1]}
        period = old.get(event.key)
        if period is None or period.secret:
            return "the chance key of no old period, or one that was revealed already"
        if not is_hex(event.secret, 64) or chance_commitment(bytes.fromhex(event.secret)) != period.chance:
            return "the revealed chance key is not the one that was committed to"
        return ""
