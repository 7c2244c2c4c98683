"""`run` and the child program, from the outside: signals, exit codes, output."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
import structlog

import keylore
import keylore_domain
import keylore_services
from keylore.v1 import arbiter_pb2 as pb
from keylore.v1.arbiter_pb2_grpc import ArbiterServiceServicer, add_ArbiterServiceServicer_to_server
from keylore_domain.errors import AccessError
from keylore_services.bots import Bot, End, Head, Prompt, Summary, loading, run
from keylore_services.bots.child import HOPELESS, main
from tests.services.bots.scripted import TOKEN, arbiter, scene

PATH = os.pathsep.join(
    str(Path(next(iter(package.__path__))).parent) for package in (keylore, keylore_domain, keylore_services)
)
TOKENS = b'{"alice":"let-me-in","bob":"let-me-in","eve":"wrong"}\n'


@pytest.fixture(autouse=True)
def own_log() -> Iterator[None]:
    structlog.reset_defaults()
    yield
    structlog.reset_defaults()


class OneMatch(ArbiterServiceServicer):
    """Plays one match of one prompt with each bot; then, if told so, ends the bot's process by a signal."""

    def __init__(self, signals: int) -> None:
        self._signals = signals

    def Play(self, request_iterator: Any, context: Any) -> Iterator[pb.PlayResponse]:
        if dict(context.invocation_metadata())["authorization"] != f"Bearer {TOKEN}":
            context.abort(grpc.StatusCode.UNAUTHENTICATED, "unknown token")
        next(request_iterator)
        yield pb.PlayResponse(welcome=pb.Welcome(bot="bot/alice", server="test"))
        yield pb.PlayResponse(seated=pb.Seated(match="m/1", game="toy"))
        legal = b'[{"a":0},{"a":1}]'
        yield pb.PlayResponse(prompt=pb.Prompt(match="m/1", prompt=1, legal_json=legal, default_choice=1))
        choice = next(request_iterator).answer.choice
        yield pb.PlayResponse(
            receipt=pb.Receipt(match="m/1", prompt=1, event=3, choice=choice, head=str(choice))
        )
        yield pb.PlayResponse(ended=pb.Ended(match="m/1", event=4, status="concluded"))
        self._signals -= 1
        if self._signals == 0:
            os.kill(os.getpid(), signal.SIGTERM)
        assert next(request_iterator).WhichOneof("message") == "bye"


@contextmanager
def one_match(signals: int = -1) -> Iterator[str]:
    server = grpc.server(ThreadPoolExecutor(4), options=(("grpc.so_reuseport", 0),))
    port = server.add_insecure_port("127.0.0.1:0")
    add_ArbiterServiceServicer_to_server(OneMatch(signals), server)
    server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        server.stop(None).wait()


def test_importing_the_package_costs_nothing_and_the_kit_no_grpc() -> None:
    text = (
        "import sys, keylore_services.bots as bots\n"
        "assert 'keylore_services.bots.kit' not in sys.modules\n"
        "bots.Bot\n"
        "assert 'grpc' not in sys.modules and 'structlog' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", text], env={**os.environ, "PYTHONPATH": PATH}, check=True)


class Last(Bot):
    def choose(self, prompt: Prompt) -> int:
        return len(prompt.legal) - 1


class Leaving(Last):
    def ended(self, end: End) -> None:
        os.kill(os.getpid(), signal.SIGINT)


@pytest.fixture
def tokens() -> int:
    """What a child reads its tokens from; never closed, since a child ends when it is."""
    source, sink = os.pipe()
    os.write(sink, TOKENS)
    return source


DONE = Summary(matches=1, moves=1, heads={"m/1": Head(3, "1")})


def test_run_plays_and_gives_a_summary() -> None:
    with one_match() as server:
        assert run(Last(), server, TOKEN, until=1) == DONE


def test_a_signal_makes_a_bot_say_good_bye() -> None:
    with one_match() as server:
        assert run(Leaving(), server, TOKEN) == DONE
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_bots_can_run_in_threads() -> None:
    with one_match() as server, ThreadPoolExecutor(2) as pool:
        running = [pool.submit(run, Last(), server, TOKEN, until=1) for _ in range(2)]

        assert [item.result() for item in running] == [DONE, DONE]


@pytest.mark.slow
def test_the_token_may_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEYLORE_TOKEN", TOKEN)
    with one_match() as server:
        assert run(Last(), server, until="idle") == DONE


def test_without_a_token_the_author_is_told_where_to_put_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KEYLORE_TOKEN", raising=False)
    with pytest.raises(AccessError, match="no token: give run"):
        run(Last())


def test_a_child_plays_until_the_signal(tokens: int, capfd: pytest.CaptureFixture[str]) -> None:
    with one_match(signals=1) as server:
        code = main(["--server", server, "--bot=first", "--name=alice", "--seed=1"], tokens)

    assert code == 0
    assert "bot_finished" in capfd.readouterr().err


def test_of_several_bots_in_a_child_the_others_go_on(tokens: int, capfd: pytest.CaptureFixture[str]) -> None:
    bots = [
        word for name in ("eve", "alice", "bob") for word in ("--bot=first", f"--name={name}", "--seed=1")
    ]
    with one_match(signals=2) as server:
        code = main(["--server", server, *bots], tokens)

    log = capfd.readouterr().err
    assert code == HOPELESS
    assert log.count("bot_finished") == 2
    assert "does not accept the token" in log


@pytest.mark.parametrize(
    ("bot", "line", "problem"),
    [
        ("alphago", TOKENS, "there is no bot 'alphago'"),
        ("first", b"{}\n", "the token is empty"),
        ("first", b"let-me-in\n", "must begin with a line of tokens"),
        ("first", b"", "must begin with a line of tokens"),
    ],
)
def test_a_child_that_cannot_play_says_why(
    bot: str, line: bytes, problem: str, capfd: pytest.CaptureFixture[str]
) -> None:
    source, sink = os.pipe()
    os.write(sink, line)
    os.close(sink)

    code = main(["--server=127.0.0.1:1", f"--bot={bot}", "--name=alice", "--seed=1"], source)

    os.close(source)
    assert code == HOPELESS
    assert problem in capfd.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@scene
async def test_the_starter_plays_as_a_program(tmp_path: Path, number: int) -> None:
    file = tmp_path / "alice.py"
    file.write_text(loading.starter("alice"))
    environment = {**os.environ, "PYTHONPATH": PATH, "KEYLORE_TOKEN": TOKEN}
    async with arbiter() as server:
        address = f"127.0.0.1:{server.port}"
        process = await asyncio.create_subprocess_exec(
            sys.executable, file, address, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        stream = await server.stream()
        hello = await stream.open()
        await stream.seat()
        await stream.prompt(1)
        answer = await stream.hear("answer")
        await stream.receipt(1, 3, choice=1)
        await stream.say(ping=pb.Ping(nonce=1))
        await stream.hear("pong")
        process.send_signal(number)
        await stream.part()
        output, log = (text.decode() for text in await process.communicate())

    assert (hello.agent, answer.choice, process.returncode) == ("keylore-kit/1 Alice", 1, 0)
    assert output.startswith("Summary(matches=0, moves=1")
    assert "m/1: colour, 3 moves" in log
    assert "arbiter_reached" in log


@pytest.mark.slow
@scene
async def test_a_bot_that_exits_ends_its_process() -> None:
    text = (
        "import sys\nfrom keylore_services.bots import Bot, run\n"
        "class Quitter(Bot):\n    def choose(self, prompt):\n        sys.exit(7)\n"
        "run(Quitter(), server=sys.argv[1], token=sys.argv[2])\n"
    )
    async with arbiter() as server:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            text,
            f"127.0.0.1:{server.port}",
            TOKEN,
            env={**os.environ, "PYTHONPATH": PATH},
        )
        stream = await server.stream()
        await stream.open()
        await stream.seat()
        await stream.prompt(1)

        assert await process.wait() == 7
        stream.ended.set()
