"""What a seat sees, what it cannot tell apart, and what it learns of facts (§9)."""

import msgspec

from keylore_domain.engine.chance import LiveChance
from keylore_domain.engine.encoding import canonical_json
from keylore_domain.engine.schemas import schemas
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydom.components.names import Cubes
from keylore_domain.games.keydom.facts import ChanceDrawn, CounterPlaced, CubesMoved
from keylore_domain.games.keydom.state.position import State
from tests.domain.keydom.builders import GAME, SEED, Match, begun, cast, place, placing, resolving, token


def other(match: Match, viewer: int | None) -> State:
    """The alternative position, which looks the same to *viewer*."""
    seat = None if viewer is None else Seat(viewer)
    state = GAME.alternative(match.state, seat, LiveChance(SEED))
    assert canonical_json(GAME.view(state, seat)) == canonical_json(GAME.view(match.state, seat))
    return state


def numbers(state: State, seat: int) -> list[int]:
    return [token.number for token in state.board if token.owner == seat]


def test_the_hidden_numbers_of_others_change_places() -> None:
    """keydom §9."""
    tokens = {
        "farm": ["1:2", "1:3", "1:4", "1:5", "0:6", "0:7", "0:8", "0:9"],
        "forest": ["1:6", "1:7", "1:8"],
    }
    match = placing(tokens=tokens)

    state = other(match, 0)

    assert numbers(state, 1) != numbers(match.state, 1)
    assert numbers(state, 0) == numbers(match.state, 0)
    everyone = other(match, None)
    assert numbers(everyone, 0) != numbers(match.state, 0)


def test_a_number_that_was_seen_stays() -> None:
    """keydom §9, SP16."""
    match = placing(
        held={0: ["second_sight"]},
        tokens={"farm": ["1:2"], "forest": ["1:4", "1:5", "1:6", "1:7", "1:8", "1:9"]},
    )
    match.play(cast("second_sight"), {"location": "farm"})

    assert other(match, 0).board[0].number == 2
    assert numbers(other(match, 0), 1) != numbers(match.state, 1)


def test_a_number_that_was_seen_is_forgotten_when_it_leaves_the_board() -> None:
    """keydom §3 known, SP18."""
    match = placing(
        held={0: ["second_sight"], 1: ["second_thoughts"]},
        tokens={"farm": [token("1.2.1", 2, "farm")], "trader": [token("1.2.2", 6, "trader")]},
    ).play(cast("second_sight"), {"location": "farm"})
    assert "1.2.1" in match.state.families[0].known

    match.play(place(3, "farm"), cast("second_thoughts"), {"token": "1.2.1"})

    assert "1.2.1" not in match.state.families[0].known


def test_secret_bids_are_dealt_anew() -> None:
    """keydom §9."""
    match = begun(3).play({"counter": 5}, seat=1).play({"counter": 6}, seat=2)

    own = other(match, 1)

    assert own.pending[-1].chosen[1] == 5  # type: ignore[attr-defined]
    bids = {
        GAME.alternative(match.state, None, LiveChance(bytes([seed]) * 32)).pending[-1].chosen  # type: ignore[attr-defined]
        for seed in range(20)
    }
    assert len(bids) > 5
    assert all(first == 0 and second and third for first, second, third in bids)


def test_hidden_holdings_change_owners() -> None:
    """keydom §9."""
    match = placing(
        seats=3, cubes={0: (1, 1, 1, 1, 1), 1: (5, 5, 0, 0, 0), 2: (0, 0, 0, 5, 5)}, tiles={1: ["key"], 2: []}
    )

    state = other(match, 0)

    assert state.families[0].cubes == (1, 1, 1, 1, 1)
    assert state.families[1].cubes != (5, 5, 0, 0, 0)
    assert sum(state.families[1].cubes) == 10
    assert sorted([*state.families[1].tiles, *state.families[2].tiles]) == ["key"]


def test_open_holdings_stay() -> None:
    """keydom §1 open_holdings."""
    match = placing(seats=3, open_holdings=True, cubes={1: (5, 5, 0, 0, 0), 2: (0, 0, 0, 5, 5)})

    assert [family.cubes for family in other(match, 0).families] == [
        family.cubes for family in match.state.families
    ]


def test_holdings_stay_while_a_price_is_paid() -> None:
    """keydom §9: what is going on tells something about them."""
    match = resolving("outlaws", ["1:9"], seats=3, cubes={1: (2, 2, 0, 0, 0), 2: (0, 0, 0, 5, 5)}).play(
        {"action": "steal", "kind": "cube"}
    )
    assert match.asked == (1, "pay")

    assert [family.cubes for family in other(match, 0).families] == [
        family.cubes for family in match.state.families
    ]


def test_holdings_stay_if_a_seat_would_have_no_choice() -> None:
    """keydom §9."""
    match = resolving("trader", ["1:9"], seats=3, cubes={1: (1, 0, 0, 0, 0)}, stock={"blue": 9})

    for viewer in (0, 2):
        assert other(match, viewer).families[1].cubes == (1, 0, 0, 0, 0)


def test_the_order_of_the_deck_is_hidden_from_all() -> None:
    """keydom §9."""
    match = placing()

    for viewer in (0, 1, None):
        state = other(match, viewer)
        assert state.deck != match.state.deck
        assert sorted(state.deck) == sorted(match.state.deck)
        assert match.view(viewer).deck is None


def test_the_end_opens_everything() -> None:
    """keydom §9."""
    tiles = ["safe", "key", "regalia", "keylore"]
    match = resolving("chamber", ["0:5", "1:4"], cubes={1: (1, 2, 3, 0, 0)}, tiles={0: tiles})

    view = match.view(None)

    assert view.deck == match.state.deck
    assert view.seats[1].cubes == Cubes(1, 2, 3)
    assert view.keymaster == 0
    assert view.ended_by == "keymaster"
    assert view.waiting == ()
    assert GAME.alternative(match.state, None, LiveChance(SEED)) == match.state


def test_the_order_of_the_deck_is_never_told() -> None:
    """keydom §4, §9."""
    first = next(fact for fact in begun(2).facts if isinstance(fact, ChanceDrawn))

    assert first.point == "C2"
    assert len(first.outcome or ()) == 24
    for viewer in (Seat(0), Seat(1), None):
        assert GAME.redact(first, viewer) == ChanceDrawn("C2", None)
    colours = ChanceDrawn("C1", ("red", "blue"))
    assert GAME.redact(colours, None) == colours


def test_the_number_of_a_counter_placed_face_down_is_its_owners() -> None:
    """keydom §9."""
    match = placing().play(place(3, "farm"))
    (placed,) = (fact for fact in match.facts if isinstance(fact, CounterPlaced))

    assert placed.number == 3
    assert GAME.redact(placed, Seat(0)) == placed
    for viewer in (Seat(1), None):
        assert GAME.redact(placed, viewer) == msgspec.structs.replace(placed, number=None)


def test_cubes_that_move_are_public() -> None:
    """keydom §9."""
    moved = CubesMoved("stock", Seat(1), Cubes(blue=4))

    assert GAME.redact(moved, None) == moved
    assert msgspec.to_builtins(moved) == {
        "fact": "cubes_moved",
        "from": "stock",
        "to": 1,
        "cubes": {"blue": 4},
    }


def test_every_schema_can_be_made() -> None:
    """Views, facts, outcome, options and the moves of each prompt have a schema."""
    made = schemas(GAME)

    assert len(made) == 4 + len(GAME.move_types)


def test_facts_survive_being_stored() -> None:
    """What is stored of a match can be read again."""
    match = resolving(
        "outlaws", ["0:9"], cubes={0: (2, 0, 0, 0, 0), 1: (0, 0, 0, 0, 1)}, held={1: ["watchdog"]}
    ).play({"action": "steal", "kind": "cube"}, {"source": "seat", "seat": 1, "colour": "red"})
    match.play(cast("watchdog"))

    stored = msgspec.json.encode(match.facts)

    assert msgspec.json.decode(stored, type=GAME.fact_list) == match.facts


def test_every_fact_cites_its_rule() -> None:
    """keydom §5.9."""
    assert all(kind.rule.startswith("keydom §") for kind in GAME.fact_types)
    assert len({kind.__struct_config__.tag for kind in GAME.fact_types}) == len(GAME.fact_types)
