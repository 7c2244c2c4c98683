"""Golden playthroughs: whole recorded matches, the legal moves and their order included.

A change in a snapshot means that the rules, the order of legal moves or the draws have changed, and with them
what stored matches mean: it needs a reason in the commit, and a new rules version once a version is released.
"""

from collections.abc import Iterator, Mapping

import pytest
from syrupy.assertion import SnapshotAssertion

from keylore_domain import catalog
from keylore_domain.engine.encoding import canonical_json, sha256_hex, state_digest
from keylore_domain.engine.options import parse_options
from tests.conformance.playouts import match

PLAYTHROUGHS: Mapping[str, tuple[tuple[str, Mapping[str, object]], ...]] = {
    "keydom": (
        ("2 seats", {"seats": 2, "round_cap": 6}),
        ("4 seats", {"seats": 4, "round_cap": 5}),
        ("short game", {"seats": 3, "short_game": True, "round_cap": 6}),
        (
            "all variations",
            {
                "seats": 3,
                "no_supervisors": True,
                "letter_a_rule": "not_own",
                "number_adjustment": "to_owner",
                "face_up_counters": True,
                "turn_marker_bidding": True,
                "round_cap": 4,
            },
        ),
    ),
    "keydoms-dragons": (
        ("3 seats", {"seats": 3, "round_cap": 5}),
        ("6 seats", {"seats": 6, "round_cap": 5}),
        ("solo", {"seats": 1, "round_cap": 5}),
        ("spooky", {"seats": 4, "ghosts": 2, "round_cap": 5}),
        ("muggles", {"seats": 3, "muggles": True, "round_cap": 5}),
        ("foreknown", {"seats": 4, "foreknown": True, "round_cap": 5}),
    ),
    "keyside": (
        ("2 seats", {"seats": 2}),
        ("3 seats", {"seats": 3}),
        ("4 seats", {"seats": 4}),
        ("solo", {"seats": 1}),
        ("red scoring, mats E-H", {"seats": 3, "scoring_sides": "red", "mats": "advanced"}),
    ),
    "keyper-at-sea": (
        ("base, 3 seats", {"seats": 3, "mode": "base"}),
        ("shallow, 2 seats", {"seats": 2, "mode": "shallow"}),
        ("deep, 4 seats", {"seats": 4, "mode": "deep"}),
    ),
}

CASES = [
    pytest.param(game, options, id=f"{game}: {name}")
    for game in catalog.game_ids()
    for name, options in PLAYTHROUGHS[game]
]


def transcript(game_id: str, raw: Mapping[str, object]) -> Iterator[str]:
    """One line per ply: who was asked for what, the legal moves, what was chosen, what followed."""
    game = catalog.game(game_id)
    options = parse_options(game, raw)
    before = None
    for ply in match(game, options, f"golden/{game_id}/{canonical_json(raw).decode()}"):
        state = state_digest(ply.position.state, b"golden")[:10]
        facts = " ".join(type(fact).__struct_config__.tag or "" for fact in ply.facts)  # type: ignore[misc]
        if before is None:
            yield f"set-up {state} {facts}"
        else:
            item = next(one for one in before.open if one.prompt.seat == ply.seat)
            legal = sha256_hex(canonical_json(item.prompt.legal))[:10]
            move = canonical_json(item.prompt.legal[ply.choice or 0]).decode()
            yield (
                f"{ply.position.ply} seat {ply.seat} {item.prompt.kind} {len(item.prompt.legal)} {legal} "
                f"{move} {state} {facts}"
            )
        before = ply.position
    assert before is not None
    yield canonical_json(game.outcome(before.state)).decode()


@pytest.mark.slow
@pytest.mark.parametrize(("game_id", "options"), CASES)
def test_a_recorded_match_plays_as_it_did(
    game_id: str, options: Mapping[str, object], snapshot: SnapshotAssertion
) -> None:
    assert "\n".join(transcript(game_id, options)) == snapshot
