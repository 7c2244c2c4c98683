"""How the kit connects, comes back and leaves."""

import asyncio
import contextlib
import datetime
import ipaddress
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, ClassVar

import grpc
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from structlog.testing import capture_logs

from keylore.v1 import arbiter_pb2 as pb
from keylore_domain.errors import AccessError, ConflictError, NotFoundError, OptionError, UnreachableError
from keylore_services.bots import Bot, Head, Prompt, Summary
from keylore_services.bots.connection import play
from keylore_services.bots.settings import Settings
from tests.services.bots.scripted import TOKEN, Stream, arbiter, scene


class Counting(Bot):
    """Answers with how often it was asked."""

    inline: ClassVar[bool] = True

    def __init__(self) -> None:
        self.asked = -1

    def choose(self, prompt: Prompt) -> int:
        self.asked += 1
        return self.asked


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@contextlib.asynccontextmanager
async def playing(bot: Bot, settings: Settings) -> AsyncIterator[asyncio.Task[Summary]]:
    task = asyncio.create_task(play(bot, settings))
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def resumed(stream: Stream) -> dict[str, int]:
    hello = await stream.open()
    return {item.match: item.event for item in hello.resume}


@scene
async def test_a_bot_comes_back_with_what_it_knows_and_answers_as_before() -> None:
    bot = Counting()
    async with arbiter() as server:
        task = asyncio.create_task(play(bot, server.settings(until=2)))
        stream = await server.stream()
        assert await resumed(stream) == {}
        await stream.seat("m/1", event=2)
        await stream.prompt(1, "m/1", event=2)
        await stream.hear("answer")
        await stream.receipt(1, 3, "m/1")
        await stream.seat("m/2", event=2)
        await stream.say(news=pb.News(match="m/1", event=5, ply=2, facts_json=b"[]"))
        await stream.prompt(8, "m/2", event=7)
        before = await stream.hear("answer")
        await stream.prompt(4, "m/1", event=6)
        await stream.hear("answer")

    async with arbiter(server.port) as server:
        stream = await server.stream()
        known = await resumed(stream)
        await stream.seat("m/1", event=9)
        await stream.seat("m/2", event=7)
        await stream.receipt(4, 7, "m/1")  # it was stored before the break
        await stream.prompt(8, "m/2", event=7)
        again = await stream.hear("answer")
        await stream.prompt(9, "m/1", event=9)
        new = await stream.hear("answer")
        await stream.receipt(8, 8, "m/2")
        await stream.finish("m/1")
        await stream.finish("m/2")
        await stream.part()
        summary = await task

    assert known == {"m/1": 6, "m/2": 7}
    assert before == again
    assert (before.choice, new.choice) == (1, 3)
    assert (summary.matches, summary.moves) == (2, 3)
    assert summary.heads == {"m/1": Head(7, "head-7"), "m/2": Head(8, "head-8")}


@scene
async def test_what_was_missed_is_asked_for_again_if_the_stream_breaks_once_more() -> None:
    async with arbiter() as server, playing(Counting(), server.settings()):
        stream = await server.stream()
        await resumed(stream)
        await stream.seat(event=2)
        await stream.prompt(1, event=2)
        await stream.hear("answer")
        stream.ended.set()

        stream = await server.stream()
        assert await resumed(stream) == {"m/1": 2}
        await stream.seat(event=9)  # and breaks before it tells what happened up to event 9
        await stream.say(ping=pb.Ping(nonce=1))
        await stream.hear("pong")
        stream.ended.set()

        stream = await server.stream()
        assert await resumed(stream) == {"m/1": 2}


@scene
async def test_a_choice_made_while_disconnected_is_sent_when_it_is_asked_for_again() -> None:
    may_go = asyncio.Event()

    class Slow(Bot):
        async def choose(self, prompt: Prompt) -> int:
            await may_go.wait()
            return 2

    async with arbiter() as server, playing(Slow(), server.settings(until=1)) as task:
        stream = await server.stream()
        await stream.open()
        await stream.seat()
        await stream.prompt(1)
        stream.ended.set()

        stream = await server.stream()
        await stream.open()
        may_go.set()
        await stream.seat()
        await stream.say(ping=pb.Ping(nonce=1))
        await stream.hear("pong")  # and no answer before it is asked
        await stream.prompt(1)
        answer = await stream.hear("answer")
        await stream.finish()
        await stream.part()
        await task

    assert answer.choice == 2


@scene
async def test_an_answer_that_a_stopping_server_turned_away_is_kept() -> None:
    bot = Counting()
    async with arbiter() as server, playing(bot, server.settings()):
        stream = await server.stream()
        await stream.open()
        await stream.seat()
        await stream.prompt(1)
        first = await stream.hear("answer")
        await stream.say(refusal=pb.Refusal(match="m/1", prompt=1, code="match_over"))
        stream.ended.set()
        stream = await server.stream()
        await stream.open()
        await stream.seat()
        await stream.prompt(1)
        again = await stream.hear("answer")

    assert (first, bot.asked) == (again, 0)


@scene
async def test_a_server_that_goes_away_is_met_again_after_the_delay_it_asked_for() -> None:
    loop = asyncio.get_running_loop()
    async with arbiter() as server, playing(Counting(), server.settings()):
        stream = await server.stream()
        await stream.open()
        await stream.seat()
        await stream.prompt(1)
        await stream.say(going_away=pb.GoingAway(reason="restart", retry_ms=300))
        answer = await stream.hear("answer")  # the stream still works until it is closed
        await stream.receipt(1, 3)
        closed_at = loop.time()
        stream.ended.set()
        stream = await server.stream()
        waited = loop.time() - closed_at
        known = await resumed(stream)

    assert answer.choice == 0
    assert waited >= 0.3
    assert known == {"m/1": 3}


@scene
async def test_a_bot_whose_place_was_taken_does_not_come_back() -> None:
    async with arbiter() as server, playing(Counting(), server.settings()) as task:
        stream = await server.stream()
        await stream.open()
        await stream.say(going_away=pb.GoingAway(reason="this bot connected again elsewhere", retry_ms=0))
        with pytest.raises(ConflictError, match=r"connected again elsewhere. Two processes with one token"):
            await task


@scene
async def test_a_wrong_token_ends_it_with_a_clear_error() -> None:
    async with arbiter(token="another") as server:
        with pytest.raises(AccessError, match=r"127\.0\.0\.1:\d+ does not accept the token: unknown token"):
            await play(Counting(), server.settings())


@scene
async def test_a_server_of_another_kind_ends_it_with_a_clear_error() -> None:
    server = grpc.aio.server(options=(("grpc.so_reuseport", 0),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        with pytest.raises(UnreachableError, match="another gRPC server; check host and port"):
            await play(Counting(), Settings(server=f"127.0.0.1:{port}", token=TOKEN))
    finally:
        await server.stop(None)


@scene
async def test_a_server_that_is_not_there_yet_is_tried_until_it_is() -> None:
    port = free_port()
    bot = Counting()
    with capture_logs() as logs:
        async with playing(bot, Settings(server=f"127.0.0.1:{port}", token=TOKEN)):
            while not logs:
                await asyncio.sleep(0.01)
            async with arbiter(port) as server:
                hello = await resumed(await server.stream())

    assert hello == {}
    assert (logs[0]["event"], logs[0]["server"]) == ("arbiter_lost", f"127.0.0.1:{port}")
    assert "UNAVAILABLE" in logs[0]["reason"]


@scene
async def test_it_gives_up_after_the_time_it_was_given() -> None:
    settings = Settings(server=f"127.0.0.1:{free_port()}", token=TOKEN, give_up_after=0.2)
    with (
        capture_logs(),
        pytest.raises(UnreachableError, match=r"could be reached .* for 0.2 s .*UNAVAILABLE"),
    ):
        await play(Counting(), settings)


@scene
async def test_time_without_a_connection_counts_from_the_loss() -> None:
    async with arbiter() as server, playing(Counting(), server.settings(give_up_after=0.25)):
        stream = await server.stream()
        await stream.open()
        await asyncio.sleep(0.3)
        stream.ended.set()
        stream = await server.stream()  # it tried again
        await stream.open()


@scene
async def test_an_idle_bot_leaves_only_when_it_has_played_and_no_seat_follows() -> None:
    async with arbiter() as server:
        task = asyncio.create_task(play(Counting(), server.settings(until="idle", idle_seconds=0.05)))
        stream = await server.stream()
        await stream.open()
        await stream.seat("m/1")
        await stream.finish("m/1")
        await stream.seat("m/2")
        await stream.prompt(1, "m/2")
        await stream.hear("answer")
        await asyncio.sleep(0.1)
        await stream.prompt(2, "m/2")
        await stream.hear("answer")
        await stream.finish("m/2")
        await stream.part()
        summary = await task

    assert summary.matches == 2


@pytest.mark.slow
@scene
async def test_a_bot_that_is_stopped_leaves_even_a_server_that_does_not_listen() -> None:
    stop = asyncio.Event()
    async with arbiter() as server:
        task = asyncio.create_task(play(Counting(), server.settings(), stop))
        stream = await server.stream()
        await stream.open()
        await stream.seat()
        stop.set()
        summary = await task  # the stream is never closed by the server

    assert summary.matches == 0


@scene
async def test_a_bot_that_is_stopped_while_it_waits_for_a_server_leaves_at_once() -> None:
    stop = asyncio.Event()
    with capture_logs() as logs:
        task = asyncio.create_task(
            play(Counting(), Settings(server=f"127.0.0.1:{free_port()}", token=TOKEN), stop)
        )
        while not logs:
            await asyncio.sleep(0.01)
        stop.set()
        summary = await task

    assert summary == Summary()


@scene
async def test_cancelling_ends_the_stream() -> None:
    async with arbiter() as server:
        task = asyncio.create_task(play(Counting(), server.settings()))
        stream = await server.stream()
        await stream.open()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await stream.hear_end()
        stream.ended.set()


def certificate() -> tuple[bytes, bytes]:
    """A key and a certificate for 127.0.0.1, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "keylore test")])
    now = datetime.datetime.now(datetime.UTC)
    address = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(hours=1))
        .add_extension(address, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return private, signed.public_bytes(serialization.Encoding.PEM)


@scene
async def test_with_a_certificate_authority_the_connection_is_encrypted(tmp_path: Path) -> None:
    private, public = certificate()
    ca = tmp_path / "ca.pem"
    ca.write_bytes(public)
    credentials = grpc.ssl_server_credentials([(private, public)])
    async with arbiter(credentials=credentials) as server:
        async with playing(Counting(), server.settings(ca=ca)):
            stream = await server.stream()
            await stream.open()
        with (
            capture_logs(),
            pytest.raises(UnreachableError, match="check that it runs, and host, port and encryption"),
        ):
            await play(Counting(), server.settings(give_up_after=0.01))


@pytest.mark.parametrize(
    ("given", "error", "problem"),
    [
        ({"server": "localhost"}, OptionError, "HOST:PORT"),
        ({"server": "http://localhost:4711"}, OptionError, "is not an address"),
        ({"token": " "}, AccessError, "the token is empty"),
        ({"token": "two words"}, AccessError, "copied whole"),
        ({"token": "schlüssel"}, AccessError, "copied whole"),
        ({"until": "idel"}, OptionError, "'forever', 'idle' or a number"),
        ({"until": 0}, OptionError, "number of matches"),
        ({"until": True}, OptionError, "number of matches"),
        ({"ca": Path("/nowhere/ca.pem")}, NotFoundError, "/nowhere/ca.pem"),
    ],
)
def test_settings_that_cannot_work_are_told_at_once(
    given: dict[str, Any], error: type[Exception], problem: str
) -> None:
    with pytest.raises(error, match=problem):
        Settings(**({"server": "127.0.0.1:1", "token": TOKEN} | given))


def test_white_space_around_a_token_does_not_matter() -> None:
    settings = Settings(server="unix:/run/keylore.sock", token=f" {TOKEN}\n")

    assert settings.metadata == (("authorization", f"Bearer {TOKEN}"),)
