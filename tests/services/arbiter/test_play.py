"""Playing matches over a real socket."""

import asyncio
from pathlib import Path

import grpc
import msgspec
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

from keylore.v1 import arbiter_pb2 as pb
from keylore_domain.engine.aggregates import decode_event
from keylore_domain.engine.encoding import sha256_hex
from keylore_domain.engine.events import MovePlayed
from tests.services.arbiter.house import PATIENT, house, legal, raises_status, wire


def test_two_bots_play_a_match_to_its_end(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            async with wire(home.server.address, "ann") as ann, wire(home.server.address, "bob") as bob:
                await ann.next("welcome")
                await bob.next("welcome")
                await home.open("m/one", "ann", "bob")
                end, other = await asyncio.gather(ann.play_on(), bob.play_on())
            assert end == other
            assert end.status == "concluded"
            match = home.match("m/one")
            assert match.status == "concluded"
            assert match.sealed is not None
            assert end.seed == match.sealed.seed
            assert msgspec.json.decode(end.outcome_json)["seats"][0]["seat"] == 0

    asyncio.run(story())


def test_a_receipt_names_the_stored_event_and_the_head_of_the_chain(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            async with wire(home.server.address, "ann") as ann:
                await home.open("m/one", "ann", "bob")
                prompt = await ann.next("prompt")
                await ann.answer(prompt, 1)
                receipt = await ann.next("receipt")
            stored = home.ledger.stored("m/one")[receipt.event - 1]
            event = decode_event(stored.topic, stored.state)
            assert isinstance(event, MovePlayed)
            assert (event.prompt, event.choice, event.seat) == (prompt.prompt, 1, 0)
            assert receipt.head == sha256_hex(stored.state)
            assert event.view == sha256_hex(prompt.view_json)
            assert receipt.clock.spent_us == event.clock.spent

    asyncio.run(story())


def test_a_repeated_answer_gets_the_first_receipt(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            async with wire(home.server.address, "ann") as ann:
                await home.open("m/one", "ann", "bob")
                prompt = await ann.next("prompt")
                await ann.answer(prompt, 1)
                first = await ann.next("receipt")
                await ann.answer(prompt, 0)
                second = await ann.next("receipt")
            assert first == second
            assert len(home.ledger.stored("m/one")) <= first.event + 1

    asyncio.run(story())


def test_a_bot_may_answer_with_the_move_itself(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            async with wire(home.server.address, "ann") as ann:
                await home.open("m/one", "ann", "bob")
                prompt = await ann.next("prompt")
                move = msgspec.json.encode(legal(prompt)[2])
                answer = pb.Answer(match=prompt.match, prompt=prompt.prompt, move_json=move)
                await ann.say(answer=answer)
                receipt = await ann.next("receipt")
            assert receipt.choice == 2

    asyncio.run(story())


def test_a_bot_plays_many_matches_on_one_stream(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            async with wire(home.server.address, "ann") as ann, wire(home.server.address, "bob") as bob:
                for number in range(8):
                    await home.open(f"m/{number}", "ann", "bob")

                async def all_of(bot: object) -> set[str]:
                    assert hasattr(bot, "play_on")
                    return {(await bot.play_on()).match for _ in range(8)}

                first, second = await asyncio.gather(all_of(ann), all_of(bob))
            assert first == second == {f"m/{number}" for number in range(8)}

    asyncio.run(story())


def test_a_bot_may_sit_on_two_seats_of_a_match(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann")
            async with wire(home.server.address, "ann") as ann:
                await home.open("m/self", "ann", "ann")
                assert (await ann.play_on()).status == "concluded"

    asyncio.run(story())


def test_news_tells_only_what_the_seat_may_know(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            async with (
                wire(home.server.address, "ann") as ann,
                wire(home.server.address, "bob", hello=pb.Hello(news=True)) as bob,
            ):
                await bob.next("welcome")
                await home.open("m/one", "ann", "bob")
                await ann.answer(await ann.next("prompt"), 2)
                news = await bob.next("news")
            facts = msgspec.json.decode(news.facts_json)
            assert facts == [{"fact": "bid_made", "seat": 0, "coins": None}]
            assert list(news.waiting) == [1]

    asyncio.run(story())


def test_a_wrong_token_is_turned_away(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann")
            with raises_status(grpc.StatusCode.UNAUTHENTICATED):
                async with wire(home.server.address, "ann", token="nonsense") as ann:
                    await ann.next("welcome")

    asyncio.run(story())


def test_a_bot_enrolled_while_the_server_runs_may_connect(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann")
            async with wire(home.server.address, "ann") as ann:
                await ann.next("welcome")
            home.enrol("bob")
            async with wire(home.server.address, "bob") as bob:
                assert (await bob.next("welcome")).bot == "bob"

    asyncio.run(story())


def test_a_stream_must_begin_with_hello(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann")
            with raises_status(grpc.StatusCode.UNAUTHENTICATED):
                async with grpc.aio.insecure_channel(home.server.address) as channel:
                    from keylore.v1 import arbiter_pb2_grpc as pb_grpc

                    metadata = (("authorization", "Bearer token-ann"),)
                    call = pb_grpc.ArbiterServiceStub(channel).Play(metadata=metadata)
                    await call.write(pb.PlayRequest(pong=pb.Pong(nonce=1)))
                    await call.read()
                    raise await _error(call)

    asyncio.run(story())


async def _error(call: object) -> grpc.aio.AioRpcError:
    assert isinstance(call, grpc.aio.StreamStreamCall)
    return grpc.aio.AioRpcError(
        await call.code(), await call.initial_metadata(), await call.trailing_metadata()
    )


def test_health_and_reflection_are_served(tmp_path: Path) -> None:
    async def story() -> str:
        async with house(tmp_path) as home:
            async with grpc.aio.insecure_channel(home.server.address) as channel:
                request = health_pb2.HealthCheckRequest(service="keylore.v1.ArbiterService")
                stub = health_pb2_grpc.HealthStub(channel)
                reply = await stub.Check(request)  # type: ignore[attr-defined]  # the stubs lack it
                assert reply.status == health_pb2.HealthCheckResponse.SERVING
            services = await asyncio.to_thread(_reflected, home.server.address)
            assert "keylore.v1.ArbiterService" in services
        return ""

    asyncio.run(story())


def _reflected(address: str) -> list[str]:
    with grpc.insecure_channel(address) as channel:
        return list(ProtoReflectionDescriptorDatabase(channel).get_services())


def test_the_prompt_says_how_long_the_seat_has(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            async with wire(home.server.address, "ann") as ann:
                await home.open("m/one", "ann", "bob", time=PATIENT)
                prompt = await ann.next("prompt")
                assert PATIENT.move_ms - 5_000 < prompt.budget_ms <= PATIENT.move_ms
                assert prompt.bank_ms == 0

    asyncio.run(story())
