"""The component data and a league's own file (keydoms-dragons §2)."""

from collections.abc import Callable
from typing import Any

import pytest
import yaml

from keylore_domain.engine import positions
from keylore_domain.engine.chance import LiveChance
from keylore_domain.engine.options import parse_options
from keylore_domain.errors import DataFileError
from keylore_domain.games.keydoms_dragons import components
from keylore_domain.games.keydoms_dragons.components import CAVES
from keylore_domain.games.keydoms_dragons.effects import spells
from keylore_domain.games.keydoms_dragons.effects.ghost_spells import EFFECTS as GHOST_EFFECTS
from keylore_domain.games.keydoms_dragons.effects.ghost_turns import DIRECTIVES
from keylore_domain.games.keydoms_dragons.effects.tables import ANSWERS
from keylore_domain.games.keydoms_dragons.prompts.asked import MOVE_TYPES, QUESTIONS
from keylore_domain.games.keydoms_dragons.prompts.spells import WINDOWS
from keylore_domain.games.keydoms_dragons.rules import KeydomsDragons

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
DUMPER: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
Change = Callable[[dict[str, Any]], object]


def changed(change: Change) -> str:
    """The shipped file with one change."""
    raw = yaml.safe_load(components.standard())
    change(raw)
    return str(yaml.dump(raw, Dumper=DUMPER, sort_keys=False))


def set_at(path: str, value: object) -> Change:
    """Set the entry at *path*, ``workers.numbers.0``."""
    *parents, last = [int(part) if part.lstrip("-").isdigit() else part for part in path.split(".")]

    def change(raw: dict[str, Any]) -> None:
        node: Any = raw
        for part in parents:
            node = node[part]
        node[last] = value

    return change


@pytest.mark.parametrize(
    ("path", "value", "entry"),
    [
        ("treasure_types.0.units", 30, "treasure_types[0].units"),
        ("spells.3.amount", 6, "spells[3].amount"),
        ("artefacts", [], "artefacts"),
        ("raven_strength.value", 4, "raven_strength.value"),
        ("ghosts.key_bonus.value", 3, "ghosts.key_bonus.value"),
        ("setup_by_parties.rows.3.stack_height", 4, "setup_by_parties.rows.3.stack_height"),
        ("treasure_cards.sets.3", [], "treasure_cards.sets.3"),
        ("treasure_cards.sets", {}, "treasure_cards.sets"),
        ("treasure_cards.sets.4.1.id", "T4-01", "treasure_cards.sets.4[0].id"),
        ("treasure_cards.sets.5.0.ledges", {"A": [30]}, "treasure_cards.sets.5[0].ledges"),
        ("treasure_cards.sets.5.0.ledges.A", [1, 1, 1, 1, 1], "treasure_cards.sets.5[0].ledges"),
        ("treasure_cards.sets.5.0.total", 31, "treasure_cards.sets.5[0].total"),
        ("treasure_cards.sets.5.0.ledges.A", [0], "treasure_cards.sets[...][0].ledges[...][0]"),
        ("workers.numbers", [1, 2, 4, 5, 6, 7, 8, 8], "workers.numbers"),
        ("workers.numbers", [1, 2], "workers.numbers"),
        ("guard_tiles.values", [1], "guard_tiles.values"),
        ("guard_tiles.values.0", 11, "guard_tiles.values"),
        ("ghosts.workers.counters", [], "ghosts.workers.counters"),
        ("ghosts.action_cards.0.card", 2, "ghosts.action_cards"),
        ("ghosts.action_cards.5.final", ["G", "F", "I", "A"], "ghosts.action_cards[5].final"),
        ("ghosts.action_cards.4.fixed", "A", "ghosts.action_cards[4].fixed"),
        ("workers.provenance", "guess", "workers.provenance"),
    ],
)
def test_a_wrong_entry_is_named(path: str, value: object, entry: str) -> None:
    with pytest.raises(DataFileError) as error:
        KeydomsDragons(changed(set_at(path, value)))
    assert error.value.entry == entry


def test_a_league_may_change_treasure_cards_and_counters() -> None:
    text = changed(set_at("treasure_cards.sets.3.0.ledges", {cave: [3, 1] for cave in "ABCDE"}))
    text = text.replace("total: 18\n", "total: 20\n", 1)
    raw = yaml.load(text, LOADER)
    raw["ghosts"]["workers"]["counters"][0] = {"castle": 4, "elsewhere": 9}
    raw["treasure_types"][0]["provenance"] = "house"
    game = KeydomsDragons(str(yaml.dump(raw, Dumper=DUMPER, sort_keys=False)))

    assert game.parts.cards(3)[0].values() == ((3, 1),) * 5
    options = parse_options(game, {"seats": 2})
    position, _ = positions.begin(game, options, LiveChance(bytes(32)))
    assert components.Counter(4, 9) in position.state.ghosts[0].counters


def test_every_treasure_card_keeps_the_constraints_of_its_set() -> None:
    """The data file's own notes: totals by set, each cave equally often empty and equally rich."""
    cards = components.parse(components.standard()).treasure_cards.sets
    for chests, lowest in ((3, 18), (4, 24), (5, 30)):
        values = [card.values() for card in cards[chests]]
        assert {sum(map(sum, each)) for each in values} == {lowest, lowest + 1, lowest + 2}
        for cave in range(len(CAVES)):
            column = [each[cave] for each in values]
            assert sum(map(sum, column)) == sum(map(sum, [each[0] for each in values]))
            assert all(len(ledges) < chests for ledges in column)


def test_the_tables_hold_exactly_what_the_data_names() -> None:
    numbers = {entry.id for entry in components.parse(components.standard()).spells}
    cards = components.parse(components.standard()).ghosts.action_cards

    assert set(spells.EFFECTS) == set(WINDOWS) == numbers
    assert set(GHOST_EFFECTS) == numbers - {5, 6}
    assert {directive for card in cards for directive in card.directives} == set(DIRECTIVES)
    assert set(QUESTIONS) == set(ANSWERS)
    assert {kind for kind, _ in QUESTIONS.values()} == set(MOVE_TYPES)
