"""`keylore game`: lists, positions, explanations, audits, files."""

import gzip
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.running import Terminal
from tests.cli.test_tournaments import copied, forge
from tests.services.replay.forgeries import rechained

GAME = "m/cup/r1/t1"


# --- lists ----------------------------------------------------------------------------------------------


def test_games_are_listed_the_last_one_first(here: Terminal) -> None:
    _, heads, *rows = here.out("game", "list").splitlines()

    assert heads.startswith("game ")
    assert [row.split()[0] for row in rows] == ["m/cup/r2/t1", GAME]
    assert [entry["id"] for entry in here.json("game", "list")] == ["m/cup/r2/t1", GAME]


def test_lists_are_filtered(here: Terminal) -> None:
    def ids(*options: str) -> list[str]:
        return [entry["id"] for entry in here.json("game", "list", *options)]

    assert ids("--limit", "1") == ["m/cup/r2/t1"]
    assert ids("--tournament", "cup") == ids("--tournament", "t/cup") == ["m/cup/r2/t1", GAME]
    assert ids("--game", "keydom", "--status", "concluded") == ["m/cup/r2/t1", GAME]
    assert ids("--game", "keyside") == ids("--status", "playing") == []


def test_a_list_that_is_cut_says_so_beside_it(here: Terminal) -> None:
    done = here.run("game", "list", "--limit", "1")

    assert "--limit shows more" in done.err
    assert "--limit" not in done.out


def test_an_empty_list_says_how_to_fill_it(here: Terminal) -> None:
    assert "no such games" in here.out("game", "list", "--status", "aborted")


def test_games_of_a_misspelt_tournament_are_not_just_none(here: Terminal) -> None:
    assert "did you mean 'cup'?" in here.fails(3, "game", "list", "--tournament", "cpu")


def test_options_are_listed_with_what_is_allowed(here: Terminal) -> None:
    rows = {line.split()[0]: line for line in here.out("game", "options", "keydom").splitlines()}

    assert "1 to 200" in rows["round_cap"]
    assert {"option": "round_cap", "allowed": "1 to 200", "default": "30"} in here.json(
        "game", "options", "keydom"
    )


def test_schemas_are_printed_or_written(here: Terminal, tmp_path: Path) -> None:
    printed = json.loads(here.out("game", "schemas", "keydom"))

    said = here.out("game", "schemas", "keydom", str(tmp_path / "schemas"))
    told = here.json("game", "schemas", "keydom", str(tmp_path / "schemas"))

    assert said == f"wrote {len(printed)} schemas to {tmp_path / 'schemas'}\n"
    assert {
        Path(file).relative_to(tmp_path / "schemas").with_suffix("").as_posix() for file in told["files"]
    } == set(printed)
    assert all(
        json.loads((tmp_path / "schemas" / f"{name}.json").read_text()) == printed[name] for name in printed
    )


# --- replay ---------------------------------------------------------------------------------------------


def test_a_moment_is_shown_through_the_eyes_of_a_seat(here: Terminal) -> None:
    text = here.out("game", "show", f"{GAME}@8/0")
    data = here.json("game", "show", f"{GAME}@8/0")

    assert text.endswith(f"\n{GAME}@8/0\n")
    assert "event 8 of" in text
    assert data["address"] == f"{GAME}@8/0"
    assert data["view"]["viewer"] == 0
    assert f"seat {data['asked'][0]['seat']} is asked: " in text


def test_the_end_is_shown_by_default_and_to_the_public(here: Terminal) -> None:
    data = here.json("game", "show", GAME)

    assert (data["event"], data["status"], data["asked"]) == (data["events"], "concluded", [])
    assert data["address"] == f"{GAME}@{data['events']}"
    assert "the record was closed" in here.out("game", "show", GAME)


def test_the_legal_moves_of_another_seat_are_not_shown(here: Terminal) -> None:
    seat = here.json("game", "show", f"{GAME}@8/all")["asked"][0]["seat"]

    assert here.json("game", "show", f"{GAME}@8/{seat}")["asked"][0]["legal"]
    assert here.json("game", "show", f"{GAME}@8/{1 - seat}")["asked"][0]["legal"] == []


def test_before_the_set_up_there_is_no_view(here: Terminal) -> None:
    assert here.json("game", "show", f"{GAME}@1")["view"] is None
    assert "a table for 2 was opened" in here.out("game", "show", f"{GAME}@1")


@pytest.mark.parametrize(
    ("address", "code", "words"),
    [
        ("m/cup/r1/t9", 3, "did you mean 'm/cup/r1/t1'?"),
        ("cup/r1/t1", 3, "did you mean 'm/cup/r1/t1'?"),
        ("zzz", 3, "`keylore game list` lists the games"),
        (f"{GAME}@999", 3, "events: 1 to"),
        (f"{GAME}@p999", 3, "plies: 0 to"),
        (f"{GAME}@5/9", 3, "seats: 0 to 1"),
        (f"{GAME}@x", 2, "GAME@EVENT/SEAT"),
    ],
)
def test_an_address_of_nothing_says_what_there_is(
    address: str, code: int, words: str, here: Terminal
) -> None:
    for verb in ("show", "why", "step"):
        assert words in here.fails(code, "game", verb, address)


def test_a_game_is_printed_event_by_event(here: Terminal) -> None:
    text = here.out("game", "step", f"{GAME}/all")
    told = [json.loads(line) for line in here.out("game", "step", f"{GAME}/all", "--json").splitlines()]

    numbers = [int(line[:5]) for line in text.splitlines() if line[:5].strip().isdigit()]
    assert numbers == [one["event"] for one in told] == list(range(1, len(told) + 1))
    assert "rank 1: seat" in text
    assert told[-1]["text"].startswith("the record was closed")


def test_a_stretch_of_a_game_is_printed(here: Terminal) -> None:
    text = here.out("game", "step", f"{GAME}/all", "--from", "3", "--to", "5")

    assert [line[:5].strip() for line in text.splitlines() if not line.startswith(" " * 9)] == ["3", "4", "5"]
    assert len(here.out("game", "step", f"{GAME}@30", "--json").splitlines()) == len(
        here.out("game", "step", GAME, "--from", "30", "--json").splitlines()
    )
    assert "has no event 999" in here.fails(3, "game", "step", GAME, "--to", "999")
    assert "has no event 0" in here.fails(3, "game", "step", GAME, "--from", "0")


def test_the_public_does_not_learn_a_move_but_by_its_facts(here: Terminal) -> None:
    told = [json.loads(line) for line in here.out("game", "step", GAME, "--json").splitlines()]
    known = [json.loads(line) for line in here.out("game", "step", f"{GAME}/all", "--json").splitlines()]
    bid = next(index for index, one in enumerate(known) if one["asked"] == "bid_counter")

    assert known[bid]["move"] is not None
    assert told[bid]["move"] is None
    assert all(one["move"] is None for one in told)


def test_why_names_the_rules_and_what_else_was_legal(here: Terminal) -> None:
    text = here.out("game", "why", f"{GAME}@12/all", "--moves", "2")
    data = here.json("game", "why", f"{GAME}@12/all", "--moves", "2")

    assert "[keydom §" in text
    assert f"{data['choice']['count']} legal moves" in text
    assert len(data["choice"]["legal"]) == 2


# --- proof ----------------------------------------------------------------------------------------------


def test_a_game_is_verified_with_the_key_of_its_league(here: Terminal) -> None:
    text = here.out("game", "verify", GAME)
    report = here.json("game", "verify", GAME)

    assert text.startswith(f"{GAME}: valid (")
    assert f"signed by {report['signed_by']} (as it must be)" in text
    assert report["key_is_trusted"]


def test_all_games_are_verified(here: Terminal) -> None:
    assert here.out("game", "verify", "--all").endswith("2 of 2 games are valid\n")
    assert [report["verdict"] for report in here.json("game", "verify", "--all")] == ["valid", "valid"]
    assert here.out("game", "verify", GAME, "m/cup/r2/t1").endswith("2 of 2 games are valid\n")


def test_reports_are_written_for_other_machines_too(here: Terminal) -> None:
    junit = ElementTree.fromstring(here.out("game", "verify", "--all", "--format", "junit"))
    bad = here.run("game", "verify", GAME, "--key", "0" * 64, "--format", "sarif")

    assert (junit.tag, junit.get("tests"), junit.get("failures")) == ("testsuite", "2", "0")
    assert bad.code == 1
    assert json.loads(bad.out)["runs"][0]["results"][0]["level"] == "error"


def test_verify_wants_games_or_all_of_them(here: Terminal) -> None:
    assert "--all" in here.fails(2, "game", "verify")
    assert "--all" in here.fails(2, "game", "verify", GAME, "--all")


def test_a_quorum_needs_witnesses(here: Terminal) -> None:
    said = here.fails(2, "game", "verify", GAME, "--quorum", "2")

    assert "--quorum 2 needs as many witnesses; --witness names 0" in said


def test_a_stretch_that_ends_before_it_begins_is_refused(here: Terminal) -> None:
    said = here.fails(2, "game", "step", GAME, "--from", "6", "--to", "4")

    assert "nothing lies between event 6 and event 4" in said


def test_a_key_is_64_hexadecimal_digits(here: Terminal) -> None:
    assert "is no public key" in here.fails(2, "game", "verify", GAME, "--key", "abc")


def test_a_game_signed_by_another_key_is_not_valid(here: Terminal) -> None:
    done = here.run("game", "verify", GAME, "--key", "0" * 64)

    assert done.code == 1
    assert "INVALID" in done.out
    assert "expected " + "0" * 64 in done.out


@pytest.mark.parametrize("name", ["game.jsonl", "game.jsonl.gz", "game.jsonl.xz"])
def test_an_exported_game_proves_itself_without_the_league(
    name: str, here: Terminal, fresh: Terminal, tmp_path: Path
) -> None:
    file = str(tmp_path / name)
    told = here.json("game", "export", GAME, file)
    said = here.out("game", "export", GAME, file)

    assert said.startswith(f"wrote {file}: {told['events']} events, ")
    assert told["bytes"] == Path(file).stat().st_size
    report = fresh.json("game", "verify", file)
    assert (report["verdict"], report["key_is_trusted"]) == ("valid", False)
    assert "nobody vouched for this key" in fresh.out("game", "verify", file)
    assert fresh.json("game", "verify", file, "--key", report["signed_by"])["key_is_trusted"]
    assert here.json("game", "verify", file)["key_is_trusted"]
    assert fresh.json("game", "show", f"{file}@8/0")["match"] == GAME


def test_a_file_of_another_league_is_valid_in_a_league_with_keys_of_its_own(
    here: Terminal, fresh: Terminal, tmp_path: Path
) -> None:
    here.out("game", "export", GAME, str(tmp_path / "game.jsonl"))
    (fresh.league / "keys").mkdir(parents=True)

    report = fresh.json("game", "verify", str(tmp_path / "game.jsonl"))

    assert (report["verdict"], report["key_is_trusted"]) == ("valid", False)


def test_a_changed_file_is_convicted_at_the_first_bad_event(here: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl.gz"
    here.out("game", "export", GAME, str(file))
    lines = gzip.decompress(file.read_bytes()).decode().splitlines(keepends=True)
    at = next(index for index, line in enumerate(lines) if index and '"choice":' in line)
    lines[at] = lines[at].replace('"choice":', '"choice":1')
    file.write_bytes(gzip.compress("".join(lines).encode()))

    done = here.run("game", "verify", str(file))

    assert done.code == 1
    assert f"{GAME}: INVALID at event {at}: " in done.out


def test_a_file_without_its_end_is_not_valid_and_not_wrong(here: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    here.out("game", "export", GAME, str(file))
    header, *events = file.read_text().splitlines(keepends=True)[:10]
    bare = {key: value for key, value in json.loads(header).items() if key != "log"}
    file.write_text(json.dumps(bare) + "\n" + "".join(events))

    done = here.run("game", "verify", str(file))

    assert done.code == 4
    assert "nothing is wrong so far" in done.out


def test_a_file_with_a_last_line_of_nonsense_is_invalid(here: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    here.out("game", "export", GAME, str(file))
    *lines, _ = file.read_text().splitlines(keepends=True)
    strange = {"version": len(lines), "topic": "keylore:Match.Squealed", "state": "{}"}
    file.write_text("".join([*lines, json.dumps(strange) + "\n"]))

    done = here.run("game", "verify", str(file))

    assert done.code == 1
    assert f"INVALID at event {len(lines)}" in done.out


def test_a_file_that_is_no_game_file_is_refused_with_its_line(here: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "note.txt"
    file.write_text("a note\n")

    assert f"keylore: {file}, line 1: is not" in here.fails(2, "game", "verify", str(file))
    assert "did you" not in here.fails(3, "game", "verify", str(tmp_path / "nothing.gz"))


def test_a_forged_ledger_is_convicted_at_the_first_bad_event(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forged = Terminal(copied(played, tmp_path / "forged"), capsys)
    forge(forged.league, GAME, b'"kind":"place_counter"', b'"kind":"place_conuter"')

    done = forged.run("game", "verify", "--all", "--json")

    assert done.code == 1
    verdicts = {report["match"]: report for report in json.loads(done.out)}
    assert verdicts["m/cup/r2/t1"]["verdict"] == "valid"
    assert verdicts[GAME]["verdict"] == "invalid"
    first = next(
        one["event"]
        for one in map(
            json.loads, Terminal(played, capsys).out("game", "step", f"{GAME}/all", "--json").splitlines()
        )
        if one["asked"] == "place_counter"
    )
    assert verdicts[GAME]["first_bad"] == first


def test_a_replay_of_a_forged_game_ends_where_it_is_wrong(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forged = Terminal(copied(played, tmp_path / "forged"), capsys)
    forge(forged.league, GAME, b'"choice":', b'"choice":9')

    assert "[replay_mismatch]" in forged.fails(1, "game", "show", GAME)


# --- leaks ----------------------------------------------------------------------------------------------


def test_a_game_is_checked_for_leaks(here: Terminal, tmp_path: Path) -> None:
    file = str(tmp_path / "game.jsonl.xz")
    here.out("game", "export", GAME, file)

    told = here.json("game", "leakcheck", GAME)
    assert (told["match"], told["leaks"]) == (GAME, [])
    assert told["looks"] == 3 * told["moments"]
    assert here.out("game", "leakcheck", file).startswith(f"{GAME}: nothing leaks (")
    assert len(here.json("game", "leakcheck", "--all")) == len(here.json("game", "list"))


def test_a_view_that_should_not_have_been_sent_is_told(here: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    here.out("game", "export", GAME, str(file))
    header, *rows = file.read_bytes().splitlines()
    events = [json.loads(row) for row in rows]
    at = next(at for at, event in enumerate(events) if "view" in event)
    events[at]["view"] = "ab" * 32
    states = [json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode() for event in events]
    chained = rechained([(n, "", state) for n, state in enumerate(states, 1)])
    file.write_bytes(b"\n".join([header, *(state for _, _, state in chained), b""]))

    done = here.run("game", "leakcheck", str(file))

    assert done.code == 1
    assert f"{GAME}: 1 LEAK (" in done.out
    assert f"event {at + 1}: sent of seat" in done.out
    assert "sent      abab" in done.out
