"""The servicer of the transparency log: anyone may ask, within limits."""

from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from typing import Any, Final

import grpc

from keylore.v1 import log_pb2 as pb
from keylore.v1 import log_pb2_grpc as pb_grpc
from keylore_domain.bots import Bot, bot_id
from keylore_domain.engine.checkpoints import NoteKey
from keylore_domain.errors import AccessError, OptionError
from keylore_services.arbiter.times import Now
from keylore_services.proof.desk import LogDesk
from keylore_services.proof.log import Leaf
from keylore_services.transport.allowances import Allowances, Rate, caller_of
from keylore_services.transport.encoding import key_event
from keylore_services.transport.servicers import bearer_token
from keylore_services.transport.statuses import errors_as_statuses

MOST_NAME: Final = 200
"""The longest id that is looked for, in characters."""

LARGEST: Final = 2**62
"""The greatest size, number or version that is looked for."""


class LogServicer(pb_grpc.LogServiceServicer):
    """`LogService` over a `LogDesk`."""

    def __init__(
        self,
        desk: LogDesk,
        now: Now,
        rate: Rate | None = None,
        *,
        witnesses: Collection[NoteKey] = (),
        authenticate: Callable[[str], Bot] | None = None,
    ) -> None:
        """Serve *desk*.

        Args:
            witnesses: the keys of those that may cosign heads.
            authenticate: gives the bot that a token belongs to; bots may cosign too then.
        """
        self._desk = desk
        self._witnesses = witnesses
        self._authenticate = authenticate
        self._rate = rate or Rate()
        self._allowances = Allowances(self._rate, now)

    async def GetCheckpoint(  # noqa: N802 - the name of the protocol
        self, request: pb.GetCheckpointRequest, context: Any
    ) -> pb.GetCheckpointResponse:
        """The newest head, signed."""
        async with self._allowed(context):
            return pb.GetCheckpointResponse(
                checkpoint=await self._desk.checkpoint(),
                key=self._desk.key,
                keys=map(key_event, self._desk.key_history),
            )

    async def GetInclusionProof(  # noqa: N802 - the name of the protocol
        self, request: pb.GetInclusionProofRequest, context: Any
    ) -> pb.GetInclusionProofResponse:
        """The proof that a record is in the log."""
        async with self._allowed(context):
            if len(request.id) > MOST_NAME:
                raise OptionError("id", "is too long", f"at most {MOST_NAME} characters")
            leaf, proof = await self._desk.proof(request.id, _number("version", request.version))
            path = [bytes.fromhex(step) for step in proof.path]
            return pb.GetInclusionProofResponse(leaf=_leaf(leaf), path=path, checkpoint=proof.checkpoint)

    async def GetConsistencyProof(  # noqa: N802 - the name of the protocol
        self, request: pb.GetConsistencyProofRequest, context: Any
    ) -> pb.GetConsistencyProofResponse:
        """The proof that joins two sizes of the log."""
        async with self._allowed(context):
            path = await self._desk.consistency(request.old_size, request.new_size)
            return pb.GetConsistencyProofResponse(path=[bytes.fromhex(step) for step in path])

    async def AddCosignature(  # noqa: N802 - the name of the protocol
        self, request: pb.AddCosignatureRequest, context: Any
    ) -> pb.AddCosignatureResponse:
        """Keep the cosignature of a witness."""
        async with self._allowed(context):
            witness = NoteKey.parse(request.witness)
            self._check_may_cosign(witness, context)
            size = _number("size", request.size)
            return pb.AddCosignatureResponse(is_new=await self._desk.cosign(size, request.line, witness))

    def _check_may_cosign(self, witness: NoteKey, context: Any) -> None:
        """Check that *witness* is listed, or is the bot whose token the call carries.

        Raises:
            AccessError: it is neither.
        """
        if witness in self._witnesses:
            return
        if self._authenticate is None or not witness.name.startswith(bot_id("")):
            msg = f"{witness.name} with this key is no witness of this league; its organiser can list it"
            raise AccessError(msg)
        if self._authenticate(bearer_token(context)).id != witness.name:
            msg = f"the token is not that of {witness.name}"
            raise AccessError(msg)

    async def ListLeaves(  # noqa: N802 - the name of the protocol
        self, request: pb.ListLeavesRequest, context: Any
    ) -> pb.ListLeavesResponse:
        """A stretch of the log."""
        async with self._allowed(context):
            leaves = await self._desk.leaves(_number("first", request.first), request.count)
            return pb.ListLeavesResponse(leaves=map(_leaf, leaves))

    @asynccontextmanager
    async def _allowed(self, context: Any) -> AsyncIterator[None]:
        """Refuse a caller that asks too often; tell errors as statuses."""
        if not self._allowances.take(caller_of(context.peer())):
            told = f"more than {self._rate.per_second} calls a second; wait a second and ask again"
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, told)
        async with errors_as_statuses(context):
            yield


def _number(field: str, value: int) -> int:
    if value > LARGEST:
        raise OptionError(field, f"is {value}", f"0 to {LARGEST}")
    return value


def _leaf(leaf: Leaf) -> pb.Leaf:
    return pb.Leaf(number=leaf.number, id=leaf.id, version=leaf.version, digest=bytes.fromhex(leaf.digest))
