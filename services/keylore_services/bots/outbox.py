"""What a bot is about to say: sent in order, and never faster than the server allows."""

import asyncio
from typing import Final

from grpc.aio import AioRpcError, StreamStreamCall

from keylore.v1 import arbiter_pb2

_MARGIN: Final = 0.9
"""Of the allowed rate, how much is used: the network may bunch up what was sent evenly."""


class Outbox:
    """A queue with a token bucket at its mouth."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[arbiter_pb2.PlayRequest | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._rate = self._burst = self._free = 0.0
        self._filled = 0.0

    def put(self, request: arbiter_pb2.PlayRequest) -> None:
        """Send *request* after all that was put before."""
        self._queue.put_nowait(request)

    def end(self) -> None:
        """Half-close the stream after all that was put before."""
        self._queue.put_nowait(None)

    def limit(self, limits: arbiter_pb2.Limits) -> None:
        """Keep to the limits of the server; 0 messages per second means no limit."""
        self._rate = limits.messages_per_second * _MARGIN
        self._burst = self._free = max(limits.burst * _MARGIN, 1.0)
        self._filled = self._loop.time()

    async def write_to(
        self, call: StreamStreamCall[arbiter_pb2.PlayRequest, arbiter_pb2.PlayResponse]
    ) -> None:
        """Write everything to *call*, until the end or until the call breaks (its reader learns why)."""
        try:
            while (request := await self._queue.get()) is not None:
                await self._wait_for_leave()
                await call.write(request)
            await call.done_writing()
        except (AioRpcError, asyncio.InvalidStateError):
            return

    async def _wait_for_leave(self) -> None:
        if not self._rate:
            return
        now = self._loop.time()
        self._free = min(self._burst, self._free + (now - self._filled) * self._rate)
        self._filled = now
        self._free -= 1
        if self._free < 0:
            await asyncio.sleep(-self._free / self._rate)
