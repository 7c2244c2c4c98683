"""The server: addresses, certificates, odd messages."""

import asyncio
import datetime
from contextlib import suppress
from pathlib import Path

import grpc
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from keylore.v1 import arbiter_pb2 as pb
from keylore.v1 import arbiter_pb2_grpc as pb_grpc
from keylore_domain.errors import LedgerError, OptionError
from keylore_services.arbiter.times import steady_clock
from keylore_services.transport import servicers
from keylore_services.transport.server import Listening, start_server
from tests.services.arbiter.house import house, raises_status, wire


def write_certificate(folder: Path) -> Listening:
    """A self-signed certificate for localhost, and how to listen with it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    begin = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(begin)
        .not_valid_after(begin + datetime.timedelta(days=36_500))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return Listening(host="localhost", certificate=folder / "cert.pem", private_key=folder / "key.pem")


def test_bots_connect_over_tls(tmp_path: Path) -> None:
    listening = write_certificate(tmp_path)

    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann")
            server = await start_server(home.arbiter, listening, now=steady_clock(), version="test")
            credentials = grpc.ssl_channel_credentials((tmp_path / "cert.pem").read_bytes())
            async with grpc.aio.secure_channel(server.address, credentials) as channel:
                call = pb_grpc.ArbiterServiceStub(channel).Play(
                    metadata=(("authorization", "Bearer token-ann"),)
                )
                await call.write(pb.PlayRequest(hello=pb.Hello()))
                first = await call.read()
                assert isinstance(first, pb.PlayResponse)
                assert first.welcome.bot == "ann"
                call.cancel()
            await server.stop(0)

    asyncio.run(story())


def test_a_certificate_needs_its_key(tmp_path: Path) -> None:
    whole = write_certificate(tmp_path)

    async def story() -> None:
        async with house(tmp_path) as home:
            without = Listening(certificate=whole.certificate)
            with pytest.raises(OptionError, match="private_key"):
                await start_server(home.arbiter, without, now=steady_clock(), version="test")
            missing = Listening(certificate=tmp_path / "none.pem", private_key=whole.private_key)
            with pytest.raises(OptionError, match=r"none\.pem"):
                await start_server(home.arbiter, missing, now=steady_clock(), version="test")

    asyncio.run(story())


def test_an_address_in_use_is_refused_with_advice(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            port = int(home.server.address.rpartition(":")[2])
            with pytest.raises(LedgerError, match="is another server running there"):
                await start_server(home.arbiter, Listening(port=port), now=steady_clock(), version="test")

    asyncio.run(story())


def test_a_stream_that_says_nothing_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servicers, "HELLO_SECONDS", 0.05)

    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann")
            with raises_status(grpc.StatusCode.UNAUTHENTICATED):
                async with grpc.aio.insecure_channel(home.server.address) as channel:
                    call = pb_grpc.ArbiterServiceStub(channel).Play(
                        metadata=(("authorization", "Bearer token-ann"),)
                    )
                    await call.read()
                    raise grpc.aio.AioRpcError(
                        await call.code(), await call.initial_metadata(), await call.trailing_metadata()
                    )

    asyncio.run(story())


def test_a_call_without_a_token_is_told_what_to_send(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home, grpc.aio.insecure_channel(home.server.address) as channel:
            call = pb_grpc.ArbiterServiceStub(channel).Play()
            with suppress(grpc.aio.AioRpcError):  # if the refusal is faster
                await call.write(pb.PlayRequest(hello=pb.Hello()))
            assert "authorization: Bearer TOKEN" in str(await call.details())

    asyncio.run(story())


def test_an_empty_message_is_passed_over(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann")
            async with wire(home.server.address, "ann") as ann:
                await ann.next("welcome")
                await ann.say()
                await ann.say(pong=pb.Pong(nonce=999))
                await home.open("m/self", "ann", "ann")
                assert (await ann.play_on()).status == "concluded"

    asyncio.run(story())


def test_the_round_trip_is_measured_and_credited(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann")
            async with wire(home.server.address, "ann") as ann:
                await ann.next("ping")
                await home.open("m/self", "ann", "ann")
                await ann.answer(await ann.next("prompt"), 1)
                receipt = await ann.next("receipt")
            assert receipt.clock.round_trip_us > 0

    asyncio.run(story())
