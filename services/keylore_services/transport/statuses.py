"""Our errors as gRPC statuses."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

import grpc

from keylore_domain.errors import KeyloreError

STATUS: Final[Mapping[str, grpc.StatusCode]] = {
    "rule": grpc.StatusCode.FAILED_PRECONDITION,
    "illegal_move": grpc.StatusCode.INVALID_ARGUMENT,
    "not_prompted": grpc.StatusCode.FAILED_PRECONDITION,
    "match_over": grpc.StatusCode.FAILED_PRECONDITION,
    "option": grpc.StatusCode.INVALID_ARGUMENT,
    "not_found": grpc.StatusCode.NOT_FOUND,
    "conflict": grpc.StatusCode.ABORTED,
    "data_file": grpc.StatusCode.INVALID_ARGUMENT,
    "replay_mismatch": grpc.StatusCode.DATA_LOSS,
    "history": grpc.StatusCode.DATA_LOSS,
    "ledger": grpc.StatusCode.UNAVAILABLE,
    "access": grpc.StatusCode.UNAUTHENTICATED,
    "internal": grpc.StatusCode.INTERNAL,
}


@asynccontextmanager
async def errors_as_statuses(context: grpc.aio.ServicerContext[Any, Any]) -> AsyncIterator[None]:
    """Abort the call with the status that fits an error of ours; the code travels as trailing metadata."""
    try:
        yield
    except KeyloreError as error:
        await context.abort(STATUS[error.code], str(error), (("keylore-code", error.code),))
