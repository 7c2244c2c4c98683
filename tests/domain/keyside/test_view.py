"""What a seat sees (keyside §9)."""

from keylore_domain.engine.chance import LiveChance
from keylore_domain.engine.encoding import canonical_json
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyside.facts import FACT_TYPES, DiceRevealed, HarbourResolved
from keylore_domain.games.keyside.view import KeysideView
from tests.domain.keyside.builders import GAME, Scene, Table, opened
from tests.domain.staging import plain

ZERO, ONE = Seat(0), Seat(1)
KEY = b"v" * 32


def _setting() -> Table:
    """Seat 0 has set two dice, seat 1 is ready."""
    table = opened(seats=3).play(0, side="none").play(0, colour="yellow", value=4).play(1, side="light")
    return table.play(0, colour="green", value=6)


def _dice(view: KeysideView, seat: int) -> list[int | None]:
    values: dict[str, int | None] = plain(view.seats[seat].dice)
    return list(values.values())


def test_a_seat_sees_only_its_own_dice_before_the_reveal() -> None:
    """Keyside §9."""
    state = _setting().state

    assert _dice(GAME.view(state, ZERO), 0) == [4, 6, None, None, None, None]
    assert _dice(GAME.view(state, ZERO), 1) == [None] * 6
    assert _dice(GAME.view(state, ONE), 0) == [None] * 6
    assert None not in _dice(GAME.view(state, ONE), 1)
    for viewer in (None, ZERO, ONE):
        ready = [seat.dice_ready for seat in GAME.view(state, viewer).seats]
        assert ready == [False, viewer == ONE, False], "who needed one decision has used its strip"
    assert _dice(GAME.view(state, None), 1) == [None] * 6


def test_the_dice_are_open_after_the_reveal() -> None:
    """Keyside §5.3."""
    table = opened(seats=2).play(0, side="light").play(1, side="dark")

    assert None not in _dice(GAME.view(table.state, None), 0)
    assert _dice(GAME.view(table.state, ONE), 0) == list(table.state.mats[0].dice)


def test_another_position_has_other_secret_dice_and_looks_the_same() -> None:
    """Keyside §9, invariant 15."""
    state = _setting().state
    for viewer in (None, ZERO, ONE, Seat(2)):
        other = GAME.alternative(state, viewer, LiveChance(KEY))
        assert other != state
        assert canonical_json(GAME.view(other, viewer)) == canonical_json(GAME.view(state, viewer))
        for seat in (ZERO, ONE, Seat(2)):
            if seat == viewer:
                assert other.mats[seat] == state.mats[seat]
            elif any(state.mats[seat].dice):
                assert other.mats[seat].dice != state.mats[seat].dice


def test_secret_dice_differ_even_when_the_new_names_are_the_old_ones() -> None:
    """Keyside §9: the alternative really is another position."""
    state = opened(seats=2).play(0, side="none").play(0, colour="yellow", value=5).state

    dice = {
        GAME.alternative(state, ONE, LiveChance(bytes([seed]) * 32)).mats[0].dice[0] for seed in range(40)
    }

    assert dice == {1, 2, 3, 4, 6}


def test_nothing_is_hidden_but_the_dice() -> None:
    """Keyside §9."""
    scene = Scene().loaded(0, 2, 1).harbour(0, ZERO).store(0, fish=1)
    assert GAME.alternative(scene.state, None, LiveChance(KEY)) is scene.state
    fact = HarbourResolved("h0", 3, "mid", (ZERO,))
    assert GAME.redact(fact, None) is fact


def test_the_view_names_everything() -> None:
    """Keyside §3: the state as a bot reads it."""
    scene = Scene(1).loaded(3, 2, owners=("K",)).harbour(3, "K").store(0, ruby=2).farm(1, "cow", keyple=ZERO)
    scene.headland(2, (0, "A", "cw")).skills(0, ("red", 3)).change(markets_used=((ZERO, "blue"),))
    view = plain(GAME.view(scene.state, ZERO))

    assert view["harbours"][3]["dice"] == [{"owner": "K", "colour": "green", "value": 2}]
    assert view["open_harbours"] == ["h3"]
    assert view["seats"][0]["store"]["ruby"] == 2
    assert view["resources"][1] == {
        "kind": "farm",
        "location": "r1",
        "tile": "F1",
        "side": "a",
        "icons": ["wood", "wood", "stone", "fish"],
        "animals": ["cow", None, None, None],
        "keyple": 0,
    }
    assert view["resources"][0]["tokens"] == 3
    assert view["headlands"][2] == [{"owner": 0, "tile": "A", "favours": "cw"}]
    assert view["turn"]["markets_used"] == [{"seat": 0, "tile": "blue"}]
    assert view["solo"]["flags"] == [
        {"flag": "1-2", "at": "h0"},
        {"flag": "3-4", "at": "h4"},
        {"flag": "5-6", "at": "h8"},
    ]
    assert view["seats"][0]["score"] == 3
    assert GAME.view(Scene().state, None).solo is None


def test_every_fact_cites_its_rule() -> None:
    """Keyside §5.9."""
    for kind in FACT_TYPES:
        if kind.__module__.endswith("keyside.facts"):
            assert kind.rule.startswith("keyside §"), kind
    assert DiceRevealed in FACT_TYPES
