"""The spells of the ghosts, and spells of seats against them (keydoms-dragons §8.5, §8.10, §8.11)."""

from typing import Any

from keylore_domain.games.keydoms_dragons.components import (
    AMULET,
    CHOICE,
    COPY,
    DISCLOSURE,
    GET_EVEN,
    KEY,
    MIRROR,
    ODD_ONES_OUT,
    RAVEN,
    SUBSTITUTE,
    TELEPORT,
    TRADE,
)
from keylore_domain.games.keydoms_dragons.facts import (
    ArtefactMoved,
    GhostCardDrawn,
    GhostEffect,
    LocationRanked,
    SpellNoEffect,
    TokenRemoved,
    WorkersRevealed,
)
from keylore_domain.games.keydoms_dragons.play import move
from keylore_domain.games.keydoms_dragons.state import board
from keylore_domain.games.keydoms_dragons.state.position import Waiting
from tests.domain.keydoms_dragons.builders import (
    COPY_AMULET,
    GHOST_SPELLS,
    LET,
    MOONRISE,
    PHASE_TWO,
    PLACEMENT_END,
    ROUND_START,
    Scene,
    buy,
    cast,
    changes,
    deck,
    location,
    mirror,
    part,
    place,
    placement,
    playing,
    resolve,
    scene,
    tiles,
    token,
    with_ghost,
    with_seat,
)

AMULET_MOVE = {"action": "amulet"}
KEY_MOVE = {"action": "key"}
RAVEN_MOVE = {"action": "raven"}
NONE = {"action": "none"}


def ghost_casts(*spells: int, seats: int = 2, ghosts: int = 1, change: Any = None, **fields: Any) -> Scene:
    """The light ghost has drawn these spells, and placement has ended."""
    both = changes(with_ghost("light", waiting=spells), *([change] if change else []))
    used = [card for card in range(1, 22) if card not in {5, 6, *spells}]
    fields.setdefault("spell_deck", tuple(used))
    fields.setdefault("steps", GHOST_SPELLS)
    return scene(seats, ghosts, change=both, **fields)


def strengths(table: Scene) -> list[tuple[int, ...]]:
    return [fact.strengths for fact in table.of(LocationRanked)]


def strength_of(table: Scene, name: str) -> int:
    return board.strength(table.state, board.token_of(table.state, name))


def test_ghost_removals_come_in_player_order() -> None:
    """keydoms-dragons T63 (GS18)."""
    table = scene(
        2,
        1,
        steps=PHASE_TWO,
        start=1,
        waiting=(Waiting(2, 13), Waiting(2, 18)),
        tokens={"F": "0:1 0:2 0:4", "G": "1:1 1:2 1:4"},
    )

    assert (table.asked, table.legal) == ((1, "remove_own_worker"), [token(f"1.1.{k}") for k in (1, 2, 3)])
    table.play(token("1.1.1"), token("1.1.3"))
    assert table.asked == (0, "remove_own_worker")
    table.play(token("0.1.1"), token("0.1.2"))

    assert (table.at("F"), table.at("G")) == (["0.1.3"], ["1.1.2"])
    assert table.state.phase == "resolution"
    assert {fact.reason for fact in table.of(TokenRemoved)} == {"directed"}


def test_a_seat_with_one_worker_left_loses_just_that() -> None:
    """keydoms-dragons T105 (GS18, GS19)."""
    table = scene(2, 1, steps=PHASE_TWO, waiting=(Waiting(2, 18),), tokens={"F": "0:1"})
    teleport = scene(2, 1, steps=PHASE_TWO, waiting=(Waiting(2, 19),), tokens={"F": "0:1 0:2", "G": "1:1"})

    assert table.asked is None
    assert table.at("F") == []
    teleport.play(token("0.1.2"))
    assert (teleport.asked, teleport.at("F"), teleport.at("G")) == (None, ["0.1.1"], [])


def test_waiting_ghost_spells_come_in_the_order_of_their_effect() -> None:
    """keydoms-dragons T116."""
    tokens = {"F": "0:1 0:2 0:4 0:5", "G": "1:1 1:2 1:4 1:5", "H": "2:1", "I": "3:1"}
    table = scene(
        4,
        2,
        steps=(*GHOST_SPELLS, *PHASE_TWO),
        tokens=tokens,
        change=changes(with_ghost("light", waiting=(19,)), with_ghost("dark", waiting=(18,))),
    )

    assert table.asked == (0, "remove_own_worker")
    table.play(token("0.1.1"))
    assert table.asked == (1, "remove_own_worker")
    table.play(token("1.1.1"))
    assert table.at("H") == table.at("I") == []
    assert table.asked == (0, "remove_own_worker")
    table.play(token("0.1.2"), token("0.1.3"))
    assert table.asked == (1, "remove_own_worker")
    table.play(token("1.1.2"), token("1.1.3"))
    assert table.asked is None


def test_a_ghosts_copy_shares_a_key_that_a_seat_invokes() -> None:
    """keydoms-dragons T64 (GS2, GA2)."""
    arguments: dict[str, Any] = {
        "steps": resolve("J"),
        "own": {0: "key"},
        "hold": {1: "r9"},
        "tokens": {"J": "1:7"},
        "guard": 6,
    }
    table = scene(2, 1, change=with_ghost("light", charms=(COPY,)), **arguments).play(KEY_MOVE)
    own_key = scene(2, 1, change=with_ghost("light", charms=(COPY,), powers=(KEY,)), **arguments).play(
        KEY_MOVE
    )

    assert (table.asked, table.context["due"]) == ((1, "bribe_guard"), 1)
    assert (own_key.asked, own_key.context["due"]) == ((1, "bribe_guard"), 1)
    assert own_key.of(GhostEffect) == []
    assert table.of(GhostEffect) == [GhostEffect("GA2", "light")]


def test_a_ghosts_copy_shares_what_was_invoked_before() -> None:
    """GS2: mirror and amulet; wand and scroll give nothing, a raven its eighth worker."""
    table = ghost_casts(2, own={0: "mirror", 1: "scroll"}, invoked={0: "mirror", 1: "wand"})

    assert table.state.ghosts[0].powers == (MIRROR,)
    assert table.state.ghosts[0].charms == (COPY,)
    assert table.state.spell_discard == (2,)


def test_an_amulet_against_the_second_ghost_locks_spells_through_the_first_ones_copy() -> None:
    """keydoms-dragons T95 (GS2, GA1)."""
    arguments: dict[str, Any] = {
        "steps": (*GHOST_SPELLS, *PLACEMENT_END),
        "own": {0: "amulet"},
        "spells": {0: (4,)},
        "hold": {0: "r9"},
    }
    change = changes(with_ghost("light", waiting=(2,)), with_ghost("dark", waiting=(20,)))
    table = scene(1, 2, change=change, **arguments)

    assert (table.asked, table.context["spell"], table.context["caster"]) == ((0, "respond"), 2, "light")
    table.play(LET)
    assert (table.context["spell"], table.context["caster"]) == (20, "dark")
    table.play(AMULET_MOVE)
    assert table.held(0) == "r9"
    assert table.state.ghosts[0].powers == (AMULET,)
    assert table.asked is None

    against_copy = scene(1, 2, change=change, **arguments).play(AMULET_MOVE)
    assert against_copy.state.spell_discard == (2, 20)
    assert against_copy.state.ghosts[0].charms == ()
    assert against_copy.held(0) == "r2"


def test_a_ghosts_choice_gives_a_spell_for_each_artefact() -> None:
    """keydoms-dragons T96 (GS1, GS11)."""
    table = scene(
        2,
        1,
        steps=resolve("KLM"),
        tokens={"K": "light:1/2", "M": "light:1/3"},
        stacks={"K": "key raven", "L": "key", "M": "raven"},
        spell_deck=(7, 8, 9),
        change=with_ghost("light", charms=(CHOICE,)),
    )
    gift = ghost_casts(11, spell_deck=(7, 8, 9))
    swap = ghost_casts(1, 8, own={"light": "key key"}, stacks={"K": "raven"}, spell_deck=(7,))

    assert table.state.ghosts[0].stack == (7, 8)
    assert (gift.state.ghosts[0].stack, gift.state.ghosts[0].waiting) == ((7, 8), ())
    assert gift.asked is None
    assert swap.state.ghosts[0].artefacts == (0, 1, 0, 1, 0, 1)
    assert swap.state.ghosts[0].stack == ()


def test_a_ghosts_donation_and_toll() -> None:
    """keydoms-dragons T97 (GS4, GS20)."""
    hold = {0: "r4 w4", 1: "k4"}
    donation, toll = ghost_casts(4, hold=hold), ghost_casts(20, hold=hold)

    assert (donation.asked, donation.context["due"]) == ((0, "pay_any"), 5)
    donation.play(part("red", 4))
    assert [donation.held(0), donation.held(1)] == ["w3", ""]
    toll.play(part("red", 3))
    assert [toll.held(0), toll.held(1)] == ["r1", ""]


def test_a_ghosts_evict_takes_a_token_of_each_party_at_the_last_shared_location() -> None:
    """keydoms-dragons T98 (GS7)."""
    tokens = {"L": "0:9 0:8 light:1/2", "M": "1:5", "K": "0:1 1:2 light:1/3"}
    table = ghost_casts(7, tokens=tokens)

    left = table.at("L")
    assert len(left) == 1
    assert left[0] in {"0.1.1", "0.1.2"}
    assert table.at("M") == ["1.1.1"]
    assert len(table.at("K")) == 3
    assert [fact.number for fact in table.seen(1) if isinstance(fact, TokenRemoved)] == [None, None]
    assert ghost_casts(7, tokens={"L": "0:9", "M": "light:1/2"}).of(SpellNoEffect) == [SpellNoEffect(7)]


def test_a_ghosts_exchange_and_rearrange() -> None:
    """keydoms-dragons T99 (GS8, GS15)."""
    arguments: dict[str, Any] = {
        "stacks": {"K": "key scroll", "L": "raven scroll", "M": "mirror scroll"},
        "tokens": {"L": "light:1/2"},
    }
    exchange = ghost_casts(8, own={"light": "key key"}, **arguments)
    rearrange = ghost_casts(15, own={"light": "key key"}, **arguments)
    single = ghost_casts(8, own={"light": "key"}, **arguments)

    assert exchange.state.stacks[2] == tiles("key scroll")
    assert exchange.state.ghosts[0].artefacts == (0, 1, 1, 0, 0, 1)
    assert rearrange.state.stacks[1] == tiles("key scroll")
    assert rearrange.state.ghosts[0].artefacts == (0, 1, 0, 1, 0, 1)
    assert single.state.stacks[0] == tiles("key scroll")
    assert single.of(SpellNoEffect) == [SpellNoEffect(8)]
    assert exchange.of(ArtefactMoved) == [
        ArtefactMoved("light", "M", "key"),
        ArtefactMoved("M", "light", "mirror"),
    ]


def test_a_ghost_gives_a_face_up_tile_only_when_it_must_and_keeps_the_power() -> None:
    """GS8."""
    face_up = with_ghost("light", face_up=(0, 2, 0, 0, 0, 0), powers=(KEY,), invoked=(KEY,))
    table = ghost_casts(8, own={"light": "key key"}, stacks={"K": "raven"}, change=face_up)
    hidden = with_ghost("light", face_up=(0, 1, 0, 0, 0, 0), powers=(KEY,), invoked=(KEY,))
    spared = ghost_casts(8, own={"light": "key key"}, stacks={"K": "raven"}, change=hidden)

    assert table.state.ghosts[0].face_up == (0, 1, 0, 0, 0, 0)
    assert table.state.ghosts[0].powers == (KEY,)
    assert spared.state.ghosts[0].face_up == (0, 1, 0, 0, 0, 0)
    assert spared.state.ghosts[0].artefacts == (0, 1, 0, 1, 0, 1)


def test_a_ghosts_extortion_and_levy() -> None:
    """keydoms-dragons T100 (GS9, GS12)."""
    castle = ghost_casts(9, hold={0: "r3"}, tokens={"K": "0:1 1:1", "L": "0:2"})
    keytown = ghost_casts(12, hold={0: "r3"}, tokens={"F": "0:1", "K": "0:2"})

    assert (castle.asked, castle.context["due"]) == ((0, "extortion_response"), 2)
    castle.play({"action": "pay"})
    assert castle.held(0) == "r1"
    assert (castle.at("K"), castle.at("L")) == (["0.1.1"], ["0.1.2"])
    assert (keytown.asked, keytown.context["due"]) == ((0, "levy_response"), 2)
    keytown.play({"action": "pay"})
    assert keytown.asked is None
    assert keytown.held(0) == "r1"


def test_a_ghosts_moonlight() -> None:
    """keydoms-dragons T101 (GS13)."""

    def moonlit(own: str, **fields: Any) -> Scene:
        return scene(
            2,
            1,
            steps=(*resolve("B"), *MOONRISE),
            own={"light": own},
            caves={"B": [4], "D": [3]},
            tokens={"B": "light:2/7", "D": "light:1/3"},
            stacks={"K": "key", "L": "raven", "M": "key"},
            waiting=(Waiting(2, 13), Waiting(2, 18)),
            **fields,
        )

    table = moonlit("key")
    assert table.at("L") == ["light.1.1"]
    assert board.token_of(table.state, "light.1.1").up
    assert strength_of(table, "light.1.1") == 2
    assert table.state.treasury[1] == 29
    assert moonlit("key raven").at("K") == ["light.1.1"]
    assert moonlit("key", taboo=("L",)).at("K") == ["light.1.1"]


def test_a_ghosts_moonlight_needs_a_worker_in_a_cave() -> None:
    """GS13."""
    table = scene(2, 1, steps=MOONRISE, waiting=(Waiting(2, 13),), tokens={"F": "light:1/2"})

    assert table.of(SpellNoEffect) == [SpellNoEffect(13)]


def test_ghosts_halve_odd_and_even_numbers() -> None:
    """keydoms-dragons T102 (GS14, GS10)."""
    tokens = {"F": "0:9 0:7 0:5 0:1 0:raven 0:8", "G": "1:8 1:6 1:4 1:2"}
    odd = scene(2, 1, steps=(), tokens=tokens, curses=(ODD_ONES_OUT,)).state
    even = scene(2, 1, steps=(), tokens=tokens, curses=(GET_EVEN,)).state

    assert [board.strength(odd, each) for each in board.tokens_at(odd, "F")] == [4, 3, 2, 0, 3, 8]
    assert [board.strength(even, each) for each in board.tokens_at(even, "G")] == [4, 3, 2, 1]


def test_a_worker_of_strength_zero_needs_no_treasure() -> None:
    """keydoms-dragons T102, last part; R50."""
    table = scene(
        2,
        1,
        steps=resolve("K"),
        hold={0: "r2"},
        tokens={"K": "0:1 0:5"},
        admitted="0",
        curses=(ODD_ONES_OUT,),
    )
    free = scene(2, 1, steps=resolve("K"), tokens={"K": "0:1"}, admitted="0", curses=(ODD_ONES_OUT,))

    assert table.legal[0] == buy("K", red=2)
    assert free.legal[0] == buy("K")
    free.play(buy("K"))
    assert sum(free.state.players[0].artefacts) == 2


def test_a_halved_worker_costs_its_present_strength() -> None:
    """keydoms-dragons T45 (GS10)."""
    table = ghost_casts(
        10,
        steps=(*GHOST_SPELLS, *resolve("K")),
        hold={0: "r5 w4"},
        tokens={"K": "0:8 0:5"},
        admitted="0",
        closed="J",
    )

    assert strengths(table) == [(9,)]
    assert table.legal[0] == buy("K", red=5, white=4)
    assert table.state.curses == (GET_EVEN,)


def test_a_ghosts_smuggler() -> None:
    """keydoms-dragons T103 (GS16)."""
    tokens = {"G": "0:1", "I": "1:1"}
    table = ghost_casts(16, tokens=tokens)
    holder = ghost_casts(16, tokens=tokens, start=2, spell_deck=(7, 8))

    assert (table.state.start, table.state.cottage_locked) == (2, True)
    assert table.state.ghosts[0].stack == ()
    assert (holder.state.start, holder.state.ghosts[0].stack) == (2, (7,))


def test_a_ghosts_substitute_makes_nines_weak() -> None:
    """keydoms-dragons T104 (GS17)."""
    table = ghost_casts(
        17, steps=(*GHOST_SPELLS, *resolve("J")), hold={0: "r9"}, tokens={"J": "0:9 1:1"}, guard=5
    )
    both = scene(
        2, 1, steps=(), tokens={"F": "0:9 0:1"}, curses=(SUBSTITUTE,), substituted=tuple("ABCDEFGHIKLMNO")
    )

    assert (table.asked, table.context["due"]) == ((0, "bribe_guard"), 4)
    assert strength_of(table, "1.1.1") == 1
    assert [strength_of(both, "0.1.1"), strength_of(both, "0.1.2")] == [1, 1]


def test_charms_raise_a_ghosts_strength() -> None:
    """GS3, GS21."""
    assert ghost_casts(3).state.ghosts[0].charms == (DISCLOSURE,)
    assert ghost_casts(21).state.ghosts[0].charms == (TRADE,)


def test_a_shared_raven_plays_the_last_worker_at_once() -> None:
    """keydoms-dragons T112 (GS2, GA4)."""
    table = scene(
        2,
        1,
        steps=resolve("GH"),
        own={0: "raven", 1: "raven"},
        hold={0: "r1"},
        caves={"A": [4]},
        tokens={"G": "0:5 light:1/3", "I": "light:1/4"},
        closed="ABCDEF",
        change=with_ghost("light", charms=(COPY,), deck=deck("S20 9 6 1"), finished=True),
    )

    table.play(RAVEN_MOVE)
    assert [fact.card for fact in table.of(GhostCardDrawn)] == [20, 9, 6]
    assert [fact.card for fact in table.seen(0) if isinstance(fact, GhostCardDrawn)] == [None, 9, 6]
    assert table.at("H") == ["light.1.3"]
    assert not board.token_of(table.state, "light.1.3").up
    assert [card.number for card in table.state.ghosts[0].deck] == [1, 20]
    assert table.state.ghosts[0].powers == (RAVEN,)
    assert (table.asked, table.state.location) == ((1, "window_action"), "G")


def test_a_shared_raven_turns_up_a_worker_where_it_is_resolved() -> None:
    """GS2."""
    table = scene(
        2,
        1,
        steps=resolve("I"),
        own={0: "raven"},
        tokens={"I": "0:5"},
        change=with_ghost("light", charms=(COPY,), deck=deck("5"), finished=True),
    ).play(RAVEN_MOVE)

    assert board.token_of(table.state, "light.1.1").up


# -- spells of seats against ghosts ------------------------------------------------


def test_donation_may_take_a_ghost_worker_out_of_the_caves() -> None:
    """keydoms-dragons T106 (GX4)."""
    table = scene(
        1, 2, steps=ROUND_START, hold={0: "r3"}, spells={0: (4,)}, caves={"A": [4]}, tokens={"A": "light:1/2"}
    ).play(cast(4))

    assert table.held(0) == ""
    assert (table.asked, table.legal, table.default) == (
        (0, "remove_ghost_worker"),
        [token("light.1.1"), NONE],
        NONE,
    )  # fmt: skip
    table.play(token("light.1.1"))
    assert table.asked is None
    assert table.at("A") == []
    assert [fact.number for fact in table.seen(0) if isinstance(fact, TokenRemoved)] == [None]
    assert len(table.state.ghosts[0].out_hidden) == 1


def test_donation_may_leave_the_ghosts_alone() -> None:
    """R62."""
    table = scene(
        1, 2, steps=ROUND_START, spells={0: (4,)}, caves={"A": [4]}, tokens={"A": "light:1/2 dark:1/2"}
    ).play(cast(4), NONE)

    assert table.legal == [token("dark.1.1"), NONE]
    table.play(NONE)
    assert len(table.at("A")) == 2


def test_evicting_a_ghost_worker_costs_an_own_worker_at_least_as_strong() -> None:
    """keydoms-dragons T62 (GX7)."""
    table = scene(
        2,
        1,
        steps=PLACEMENT_END,
        spells={0: (7,)},
        caves={"A": [4], "B": [4]},
        tokens={"A": "light:2/6", "B": "0:5", "K": "0:7", "J": "0:9"},
    ).play(cast(7))

    assert table.asked is None
    assert table.at("A") == table.at("K") == []
    assert table.of(WorkersRevealed)[0].tokens[0].number == 6
    assert len(table.state.ghosts[0].out_shown) == 1
    assert table.state.players[0].out_hidden == (7,)


def test_evicting_a_strong_ghost_worker_costs_nothing_without_a_match() -> None:
    """R44."""
    table = scene(
        2, 1, steps=PLACEMENT_END, spells={0: (7,)}, caves={"A": [4]}, tokens={"A": "light:3/9", "K": "0:8"}
    ).play(cast(7))

    assert table.asked is None
    assert table.at("K") == ["0.1.1"]


def test_extortion_removes_the_weakest_ghost_worker_of_the_castle() -> None:
    """keydoms-dragons T107 (GX9)."""
    table = scene(
        1, 2, steps=PLACEMENT_END, spells={0: (9,)}, tokens={"K": "light:1/3 dark:1/2", "L": "light:2/6"}
    ).play(cast(9))

    assert (table.asked, table.legal) == (
        (0, "remove_ghost_worker"), [token("light.1.1"), token("dark.1.1")],
    )  # fmt: skip
    assert all(each.up for each in table.state.tokens)
    table.play(token("dark.1.1"))
    assert table.at("K") == ["light.1.1"]
    elsewhere = scene(1, 2, steps=PLACEMENT_END, spells={0: (9,)}, tokens={"F": "light:1/3"})
    assert elsewhere.asked is None


def test_extortion_needs_no_ghost_in_the_castle() -> None:
    """GX9: nothing more happens without one."""
    table = scene(2, 1, steps=PLACEMENT_END, spells={0: (9,)}, hold={1: "r1"}, tokens={"K": "1:1"}).play(
        cast(9), {"action": "pay"}
    )

    assert table.asked is None
    assert table.at("K") == ["1.1.1"]


def test_levy_and_toll_may_remove_a_ghost_worker() -> None:
    """keydoms-dragons T108 (GX12, GX20)."""
    arguments: dict[str, Any] = {
        "steps": PLACEMENT_END,
        "hold": {1: "r2"},
        "caves": {"A": [4]},
        "tokens": {"F": "1:1", "G": "light:1/2", "A": "light:1/3"},
    }
    levy = scene(2, 1, spells={0: (12,)}, **arguments).play(cast(12))
    assert levy.asked == (1, "levy_response")
    levy.play({"action": "pay"})
    assert (levy.asked, levy.legal) == ((0, "remove_ghost_worker"), [token("light.1.1"), NONE])

    toll = scene(2, 1, spells={0: (20,)}, **arguments).play(cast(20))
    assert toll.held(1) == ""
    assert toll.legal == [token("light.1.1"), token("light.1.2"), NONE]
    toll.play(token("light.1.2"))
    assert [fact.number for fact in toll.seen(0) if isinstance(fact, TokenRemoved)] == [None]


def test_substitute_makes_ghosts_use_their_castle_numbers() -> None:
    """keydoms-dragons T109 (GX17)."""
    table = scene(
        2, 1, steps=resolve("A"), spells={0: (17,)}, caves={"A": [5, 2]}, tokens={"A": "0:1 light:3/9"}
    ).play(cast(17))

    assert strengths(table) == [(9, 3)]
    play = playing(table.state)
    move(play, table.state.tokens[1], "K")
    assert board.strength(play.state, play.state.tokens[1]) == 3


def test_teleporting_a_ghost_worker_pays_the_treasury() -> None:
    """keydoms-dragons T110 (GX19)."""
    table = scene(
        2,
        1,
        steps=PLACEMENT_END,
        hold={0: "r2 w2"},
        spells={0: (TELEPORT,)},
        caves={"C": [4]},
        tokens={"L": "light:1/2"},
    ).play(cast(19))

    assert location("J") not in table.legal
    table.play(location("C"))
    assert not table.state.tokens[0].up
    assert (table.asked, table.context["payee"]) == ((0, "pay_any"), "treasury")
    table.play(part("red", 1))
    assert table.held(0) == "r1"


def test_get_even_and_odd_ones_out_go_by_the_number_used_before_bonuses() -> None:
    """keydoms-dragons T111."""
    charmed = with_ghost("light", charms=(DISCLOSURE,))

    def struck(spell: int, where: str) -> list[str]:
        table = scene(
            2,
            1,
            steps=placement(),
            spells={0: (spell,)},
            caves={"A": [4]},
            tokens={where: "light:2/5+"},
            change=charmed,
        )
        if cast(spell) in table.legal:
            table.play(cast(spell))
        return table.at(where)

    assert struck(10, "A") == ["light.1.1"]
    assert struck(14, "A") == []
    assert struck(10, "K") == []
    assert struck(14, "K") == ["light.1.1"]


def test_a_seat_may_copy_what_a_ghost_invoked() -> None:
    """S2: an opponent is a seat or a ghost."""
    table = scene(
        2,
        1,
        steps=resolve("G"),
        spells={0: (2,)},
        tokens={"G": "0:5"},
        change=with_ghost("light", invoked=(MIRROR,), powers=(MIRROR,)),
    ).play(cast(2))

    assert strengths(table) == [(10,)]


def test_disclosure_and_seats_with_ghosts_that_still_place() -> None:
    """Spec §5.6: a ghost that is not finished counts."""
    table = scene(1, 2, steps=placement(), spells={0: (3,)}).play(cast(3), place(1, "G"))

    ghosts = [each for each in table.state.tokens if each.owner > 0]
    assert ghosts
    assert all(each.up for each in ghosts)
    done = changes(with_ghost("light", finished=True), with_ghost("dark", finished=True))
    assert cast(3) not in scene(1, 2, steps=placement(), spells={0: (3,)}, change=done).legal


def test_a_copied_amulet_stops_a_ghosts_spell() -> None:
    """Spec §5.7, §8.5: no wand is needed by the ghost, seats may respond."""
    table = ghost_casts(20, hold={0: "r9"}, own={1: "amulet"}, invoked={1: "amulet"}, spells={0: (2,)})

    assert table.legal == [LET, COPY_AMULET]
    table.play(COPY_AMULET)
    assert table.held(0) == "r9"
    assert (table.state.spell_discard, table.state.spell_used) == ((20,), (2,))


def test_a_mirror_under_a_ghosts_copy_strengthens_it_at_once() -> None:
    """GS2, GA3."""
    table = scene(
        2,
        1,
        steps=resolve("G"),
        own={0: "mirror"},
        tokens={"G": "0:5 light:2/5"},
        change=changes(with_ghost("light", charms=(COPY,)), with_seat(1, muted=True)),
    ).play(mirror("0.1.1"))

    assert strengths(table) == [(10, 7)]
    assert table.asked is None
