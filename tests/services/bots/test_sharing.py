"""The bot's side of fair chance: shares are given once, and an arbiter that cheats is refused."""

import pytest
from structlog.testing import capture_logs

from keylore.v1 import arbiter_pb2 as pb
from keylore_domain.engine.chance import commitment
from keylore_domain.engine.encoding import is_hex
from keylore_domain.engine.shares import Beacon, combined_seed, share_commitment
from keylore_domain.errors import HistoryError
from keylore_services.bots.sharing import Sharer

MATCH = "m/one"
ARBITER = bytes(range(32))
THEIRS = "bb" * 32
BEACON = Beacon(value="cd" * 32, source="drand round 7")


def table(**changes: object) -> pb.Seated:
    given: dict[str, object] = {
        "match": MATCH,
        "seat": 0,
        "seed_commitment": commitment(ARBITER),
        "seed_name": MATCH,
        "shares": True,
    }
    return pb.Seated(**{**given, **changes})  # type: ignore[arg-type]


def asked(*commitments: str) -> pb.ShareRequest:
    return pb.ShareRequest(match=MATCH, seat=0, commitments=commitments)


def committed(sharer: Sharer) -> tuple[str, str]:
    """What the sharer commits to, and what the other seat does."""
    said = sharer.answer(asked())
    assert said is not None
    return said.commitment, share_commitment(MATCH, 1, THEIRS)


def revealed(sharer: Sharer, *commitments: str) -> str:
    said = sharer.answer(asked(*commitments))
    assert said is not None
    return said.share


def ended(*shares: str, share: bytes = ARBITER, seed: bytes | None = None) -> pb.Ended:
    made = combined_seed(MATCH, ARBITER, shares, None) if seed is None else seed
    return pb.Ended(match=MATCH, share=share.hex(), seed=made.hex())


def test_the_same_share_is_said_however_often_it_is_asked_for() -> None:
    sharer = Sharer()
    sharer.seated(table())

    first, second = committed(sharer), committed(sharer)

    assert first == second
    shares = {revealed(sharer, *first) for _ in range(3)}
    assert len(shares) == 1
    (share,) = shares
    assert is_hex(share, 64)
    assert share_commitment(MATCH, 0, share) == first[0]


def test_each_match_has_a_share_of_its_own() -> None:
    sharer = Sharer()
    sharer.seated(table())
    sharer.seated(table(match="m/two"))

    one = committed(sharer)[0]
    two = sharer.answer(pb.ShareRequest(match="m/two", seat=0))

    assert two is not None
    assert two.commitment != one


def test_a_bot_that_gives_no_shares_says_nothing() -> None:
    sharer = Sharer(is_willing=False)
    sharer.seated(table())

    assert sharer.answer(asked()) is None
    assert sharer.answer(asked("aa" * 32, "")) is None
    assert Sharer().answer(asked()) is None  # it sits at no such table


def test_nothing_is_revealed_for_a_commitment_that_is_not_its_own() -> None:
    for stored in (("aa" * 32, ""), ("", "aa" * 32), ("",)):
        sharer = Sharer()
        sharer.seated(table())
        committed(sharer)
        with capture_logs() as logs:
            assert revealed(sharer, *stored) == ""
        assert [entry["event"] for entry in logs] == ["share_lost"]


def test_a_bot_that_was_started_again_has_lost_its_share() -> None:
    sharer = Sharer()
    sharer.seated(table())

    assert revealed(sharer, "aa" * 32, "") == ""


def test_other_commitments_than_before_are_refused() -> None:
    sharer = Sharer()
    sharer.seated(table())
    mine, theirs = committed(sharer)
    revealed(sharer, mine, theirs)

    with pytest.raises(HistoryError, match="other commitments than before"):
        sharer.answer(asked(mine, "ee" * 32))
    with pytest.raises(HistoryError, match="commitments again though"):
        sharer.answer(asked())
    with pytest.raises(HistoryError, match="other commitments than before"):
        sharer.shared(pb.Shares(match=MATCH, commitments=[mine, "ee" * 32], shares=["", ""]))


def test_another_share_of_the_arbiter_is_refused() -> None:
    sharer = Sharer()
    sharer.seated(table())
    sharer.seated(table())

    with pytest.raises(HistoryError, match="committed to another share"):
        sharer.seated(table(seed_commitment="00" * 32))


def played(*, counted: bool = True) -> tuple[Sharer, str]:
    """A sharer that has been told that the seed is made, and its share."""
    sharer = Sharer()
    sharer.seated(table())
    mine, theirs = committed(sharer)
    share = revealed(sharer, mine, theirs)
    said = [share if counted else "", THEIRS]
    sharer.shared(pb.Shares(match=MATCH, commitments=[mine, theirs], shares=said))
    return sharer, share


def test_a_seed_that_the_shares_make_is_believed() -> None:
    sharer, share = played()

    sharer.ended(ended(share, THEIRS))
    sharer.forget(MATCH)
    sharer.ended(ended("", "", seed=bytes(32)))  # it knows nothing of that match any more


@pytest.mark.parametrize(
    ("end", "problem"),
    [
        (ended("", THEIRS), "another seed than the one that the shares make"),
        (ended("", "", seed=ARBITER), "another seed than the one that the shares make"),
        (ended("", "", share=bytes(32)), "another share of the seed than it had committed to"),
        (pb.Ended(match=MATCH, share="xx", seed="00" * 32), "a share of the seed that is none"),
    ],
)
def test_another_seed_is_refused(end: pb.Ended, problem: str) -> None:
    sharer, _ = played()

    with pytest.raises(HistoryError, match=problem):
        sharer.ended(end)


def test_a_share_that_did_not_count_is_noticed() -> None:
    with capture_logs() as logs:
        sharer, _ = played(counted=False)

    assert [entry["event"] for entry in logs] == ["share_not_counted"]
    sharer.ended(ended("", THEIRS))


def test_a_seed_without_shares_is_checked_too() -> None:
    beacon = pb.Beacon(value=BEACON.value, source=BEACON.source)
    for seated, seed in (
        (table(shares=False), ARBITER),
        (table(shares=False, beacon=beacon), combined_seed(MATCH, ARBITER, (), BEACON)),
    ):
        sharer = Sharer()
        sharer.seated(seated)
        sharer.ended(ended(seed=seed))
        with pytest.raises(HistoryError, match="another seed"):
            sharer.ended(ended(seed=bytes(32)))


def test_what_cannot_be_known_is_not_judged() -> None:
    late = Sharer()  # it came back as a new process and missed how the seed was made
    late.seated(table())
    late.ended(ended(seed=bytes(32)))
    late.shared(pb.Shares(match="m/unknown", commitments=["", ""], shares=["", ""]))
    hidden, _ = played()
    hidden.ended(pb.Ended(match=MATCH))  # a shared deal: others may still play it
