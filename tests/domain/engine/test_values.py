"""Small values: seats, outcomes, facts, encoding, data files, schemas, errors, the catalog."""

from dataclasses import dataclass
from typing import Any, ClassVar

import jsonschema
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from keylore_domain import catalog, errors
from keylore_domain.engine import encoding, seats
from keylore_domain.engine.chance import LiveChance
from keylore_domain.engine.data import data_hash, parse_data
from keylore_domain.engine.facts import ChanceDrawn, Fact, Redactions, RoundStarted, redacted, snake_case
from keylore_domain.engine.options import parse_options
from keylore_domain.engine.outcomes import ranks
from keylore_domain.engine.positions import advance, begin
from keylore_domain.engine.reruns import ENGINES
from keylore_domain.engine.schemas import schema_id, schemas
from keylore_domain.engine.seats import Seat
from keylore_domain.errors import DataFileError, KeyloreError, NotFoundError, OptionError, ReplayMismatchError
from tests.domain.engine.toy import DATA, Components, Pearls

# --- seats --------------------------------------------------------------------------------------------


def test_seats_go_clockwise() -> None:
    assert seats.clockwise(Seat(2), 4) == (2, 3, 0, 1)
    assert seats.others_clockwise(Seat(2), 4) == (3, 0, 1)
    assert seats.left_of(Seat(3), 4) == 0
    assert seats.distance(Seat(3), Seat(1), 4) == 2
    assert seats.distance(Seat(1), Seat(1), 4) == 0
    assert seats.with_item("abc", 1, "x") == ("a", "x", "c")


# --- outcomes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "expected"),
    [([5, 9, 9, 1], (3, 1, 1, 4)), ([], ()), ([(1, 2), (1, 3)], (2, 1)), ([4, 4], (1, 1))],
)
def test_equal_seats_share_a_rank(keys: list[Any], expected: tuple[int, ...]) -> None:
    assert ranks(keys) == expected


# --- facts --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "expected"),
    [("CounterPlaced", "counter_placed"), ("Xs", "xs"), ("Number1Gained", "number1_gained")],
)
def test_names_travel_in_snake_case(name: str, expected: str) -> None:
    assert snake_case(name) == expected


def test_a_fact_is_known_whole_unless_its_type_has_a_redaction() -> None:
    redactions: Redactions = {ChanceDrawn: lambda fact, viewer: replace(fact, outcome=(str(viewer),))}

    assert redacted(RoundStarted(2), None, redactions) == RoundStarted(2)
    assert redacted(ChanceDrawn("C1", None), Seat(1), redactions) == ChanceDrawn("C1", ("1",))


def test_a_fact_is_tagged_and_cites_its_rule_outside_the_json() -> None:
    class BellRung(Fact, frozen=True):
        rule: ClassVar[str] = "bells §1"
        times: int

    assert encoding.canonical_json(BellRung(3)) == b'{"fact":"bell_rung","times":3}'
    assert (BellRung.rule, RoundStarted.rule) == ("bells §1", "")


# --- encoding -----------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@settings(max_examples=30, deadline=None)
@given(JSON)
def test_canonical_json_is_a_fixed_point(value: Any) -> None:
    once = encoding.canonical_json(value)

    assert encoding.canonical_json(msgspec.json.decode(once)) == once


def test_the_order_of_keys_does_not_matter() -> None:
    assert encoding.canonical_json({"b": 1, "a": [True, None]}) == b'{"a":[true,null],"b":1}'
    first, second = {"b": 1, "a": 2}, {"a": 2, "b": 1}
    assert encoding.state_digest(first, b"k") == encoding.state_digest(second, b"k")


def test_a_state_digest_needs_its_key() -> None:
    key = encoding.digest_key(bytes(32))

    assert len(encoding.state_digest((1, 2), key)) == 64
    assert encoding.state_digest((1, 2), key) != encoding.state_digest((1, 2), encoding.digest_key(b"1" * 32))
    assert encoding.state_digest((1, 2), key) != encoding.state_digest((2, 1), key)


# --- data files ---------------------------------------------------------------------------------------


def test_a_data_file_is_read_and_hashed_as_text() -> None:
    data = parse_data(DATA, "pearls", Components)

    assert [pearl.value for pearl in data.pearls] == [1, 2, 3, 4, 5, 7]
    assert data_hash("é") == "4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c"


@pytest.mark.parametrize(
    ("text", "entry", "problem"),
    [
        ("[", "component data", "is not YAML"),
        ("- 1", "component data", "must be a mapping"),
        ("game: pearls", "schema", "this version reads 'keylore.game-data/1'"),
        (DATA.replace("game: pearls", "game: shells"), "game", "expected 'pearls'"),
        (DATA.replace("value: 3", "value: 12"), "pearls[2].value", "<= 9"),
        (DATA.replace("house", "hearsay"), "pearls[0].provenance", "hearsay"),
        (DATA + "more: 1\n", "component data", "unknown field `more`"),
        (DATA.replace("gems:", "gem:"), "component data", "field"),
        ("!!python/object/apply:os.getcwd []", "component data", "is not YAML"),
    ],
)
def test_a_wrong_data_file_is_refused_by_entry(text: str, entry: str, problem: str) -> None:
    with pytest.raises(DataFileError) as caught:
        parse_data(text, "pearls", Components)

    assert caught.value.entry == entry
    assert problem in str(caught.value)


# --- schemas ------------------------------------------------------------------------------------------


@dataclass
class Documents:
    """Every document of one playout, by schema."""

    found: dict[str, list[Any]]

    def add(self, part: str, value: object) -> None:
        self.found.setdefault(f"pearls/1/{part}", []).append(msgspec.json.decode(msgspec.json.encode(value)))


def played_documents() -> dict[str, list[Any]]:
    game, documents = Pearls(), Documents({})
    options = parse_options(game, {"seats": 3})
    documents.add("options", options)
    position, facts = begin(game, options, LiveChance(bytes(32)))
    documents.add("facts", facts)
    while position.open:
        item = position.open[0]
        for move in item.prompt.legal:
            documents.add(f"moves/{item.prompt.kind}", move)
        for viewer in (None, Seat(0), Seat(1)):
            documents.add("view", game.view(position.state, viewer))
            documents.add("facts", [fact for fact in (game.redact(f, viewer) for f in facts) if fact])
        chance = LiveChance(bytes(32), position.drawn)
        position, facts = advance(game, position, item.prompt.seat, 1, chance)
    documents.add("outcome", game.outcome(position.state))
    return documents.found


def test_each_document_of_a_match_fits_its_published_schema() -> None:
    published = schemas(Pearls())
    documents = played_documents()

    assert set(documents) == set(published)
    for name, schema in published.items():
        assert schema["$id"] == name
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(schema)
        for document in documents[name]:
            validator.validate(document)


@pytest.mark.parametrize(
    ("part", "document"),
    [
        ("options", {"seats": 9}),
        ("facts", [{"fact": "unheard_of"}]),
        ("moves/bid", {"coins": "two"}),
        ("view", {}),
        ("outcome", {"ended_by": "rounds"}),
    ],
)
def test_a_wrong_document_does_not(part: str, document: object) -> None:
    schema = schemas(Pearls())[schema_id(Pearls(), part)]

    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema).validate(document)


# --- errors -------------------------------------------------------------------------------------------


def all_errors(base: type[KeyloreError]) -> list[type[KeyloreError]]:
    """The tree of the module; other tests may derive errors of their own."""
    own = [kind for kind in base.__subclasses__() if kind.__module__ == errors.__name__]
    return [base, *(deeper for kind in own for deeper in all_errors(kind))]


def test_each_error_has_its_own_code() -> None:
    codes = [kind.code for kind in all_errors(KeyloreError)]

    assert len(set(codes)) == len(codes)
    assert {"illegal_move", "not_prompted", "match_over", "option", "not_found"} <= set(codes)


def test_the_tree_at_the_head_of_the_module_is_complete() -> None:
    assert errors.__doc__ is not None
    for kind in all_errors(KeyloreError):
        assert kind.__name__ in errors.__doc__


def test_errors_say_what_was_wrong_and_what_was_allowed() -> None:
    assert str(OptionError("seats", "is 9", "2 to 4")) == "option 'seats': is 9; allowed: 2 to 4"
    assert str(DataFileError("spells[3]", "has no cost")) == "spells[3]: has no cost"
    mismatch = ReplayMismatchError("the ply", 5, expected="3", found="4")
    assert str(mismatch) == "the ply: expected 3, found 4"
    assert (mismatch.problem, mismatch.version, mismatch.expected, mismatch.found) == ("the ply", 5, "3", "4")
    assert str(ReplayMismatchError("the chain is broken")) == "the chain is broken"


# --- catalog ------------------------------------------------------------------------------------------


@pytest.fixture
def pearls_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    games = {"pearls": {"0": "tests.domain.engine.toy:Nothing", "1": "tests.domain.engine.toy:Pearls"}}
    monkeypatch.setattr(catalog, "_GAMES", games)


@pytest.mark.usefixtures("pearls_listed")
def test_the_last_rules_are_the_current_ones() -> None:
    assert catalog.game_ids() == ("pearls",)
    assert catalog.rules_versions("pearls") == ("0", "1")
    assert isinstance(catalog.game("pearls"), Pearls)
    assert catalog.game("pearls", "1") is catalog.game("pearls")


@pytest.mark.usefixtures("pearls_listed")
def test_a_game_can_be_had_with_other_data() -> None:
    other = catalog.game("pearls", data=DATA.replace("value: 1", "value: 9"))

    assert other.data_text != catalog.game("pearls").data_text
    with pytest.raises(DataFileError):
        catalog.game("pearls", data="{}")


@pytest.mark.usefixtures("pearls_listed")
def test_what_is_not_listed_is_not_found() -> None:
    with pytest.raises(NotFoundError, match="there is no game 'chess'; games: pearls"):
        catalog.game("chess")
    with pytest.raises(NotFoundError, match="pearls has no rules version '7'; versions: 0, 1"):
        catalog.game("pearls", "7")


def test_this_engine_can_audit_its_own_matches() -> None:
    assert catalog.ENGINE_VERSION in ENGINES
    assert catalog.game_ids()
