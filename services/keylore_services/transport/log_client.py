"""The log of a server far away, as a monitor or an auditor asks it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Final, Self

import grpc

from keylore.v1 import log_pb2 as pb
from keylore.v1 import log_pb2_grpc as pb_grpc
from keylore_domain.engine.checkpoints import NoteKey
from keylore_domain.engine.heads import LogProof
from keylore_domain.engine.receipts import KeyEvent
from keylore_domain.errors import KeyloreError, LedgerError, NotFoundError
from keylore_services.proof.log import Leaf

SECONDS: Final = 20.0
"""How long a server may take for an answer."""

_OPTIONS: Final = (("grpc.max_receive_message_length", 4 * 1024 * 1024),)


class RemoteLog:
    """A `LogSource` over gRPC; a context manager.

    Nothing that it gives is believed: checkpoints are signed, and proofs are checked by whoever asks.
    """

    def __init__(self, server: str, credentials: grpc.ChannelCredentials | None = None) -> None:
        """Prepare for asking *server* (``HOST:PORT``), over TLS if there are *credentials*."""
        self._server = server
        self._channel = (
            grpc.insecure_channel(server, _OPTIONS)
            if credentials is None
            else grpc.secure_channel(server, credentials, _OPTIONS)
        )
        self._stub = pb_grpc.LogServiceStub(self._channel)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._channel.close()

    def newest(self) -> tuple[str, str]:
        """The newest signed checkpoint, and the key that the server says has signed it.

        Raises:
            LedgerError: the server cannot be reached, or refuses.
        """
        with self._asking():
            answer = self._stub.GetCheckpoint(pb.GetCheckpointRequest(), timeout=SECONDS)
            return answer.checkpoint, answer.key

    def key_history(self) -> tuple[KeyEvent, ...]:
        """The history of the arbiter's keys, as the server tells it; empty while the first is the only one.

        Raises:
            LedgerError: the server cannot be reached, or refuses.
        """
        with self._asking():
            answer = self._stub.GetCheckpoint(pb.GetCheckpointRequest(), timeout=SECONDS)
            return tuple(KeyEvent(one.topic, one.state) for one in answer.keys)

    def latest(self) -> str:
        """The newest signed checkpoint.

        Raises:
            LedgerError: the server cannot be reached, or refuses.
        """
        return self.newest()[0]

    def consistency(self, old: int, new: int) -> Sequence[str]:
        """The consistency proof between two sizes, as hexadecimal hashes.

        Raises:
            NotFoundError: the log has not so many leaves.
            LedgerError: the server cannot be reached, or refuses.
        """
        with self._asking():
            request = pb.GetConsistencyProofRequest(old_size=old, new_size=new)
            return [step.hex() for step in self._stub.GetConsistencyProof(request, timeout=SECONDS).path]

    def proof_of(self, identity: str, version: int = 0) -> tuple[Leaf, LogProof]:
        """The leaf of a match or tournament event, and the proof that it is in the newest checkpoint.

        Raises:
            NotFoundError: it is not in the log.
            LedgerError: the server cannot be reached, or refuses.
        """
        with self._asking():
            request = pb.GetInclusionProofRequest(id=identity, version=version)
            answer = self._stub.GetInclusionProof(request, timeout=SECONDS)
        leaf, path = _leaf(answer.leaf), tuple(step.hex() for step in answer.path)
        return leaf, LogProof(index=leaf.number, path=path, checkpoint=answer.checkpoint)

    def cosign(self, size: int, line: str, witness: NoteKey, token: str = "") -> bool:
        """Send the cosignature *line* of *witness* on the head of *size* leaves; gives whether it is new.

        Args:
            token: of the bot that the witness is.

        Raises:
            NotFoundError: no such head was signed, or it was long ago.
            LedgerError: the server cannot be reached, or refuses.
        """
        request = pb.AddCosignatureRequest(size=size, line=line, witness=str(witness))
        metadata = (("authorization", f"Bearer {token}"),) if token else ()
        with self._asking():
            is_new: bool = self._stub.AddCosignature(request, timeout=SECONDS, metadata=metadata).is_new
            return is_new

    def leaves(self, first: int = 0, count: int = 0) -> list[Leaf]:
        """Up to *count* leaves from number *first* on; as many as the server gives at once for 0.

        Raises:
            LedgerError: the server cannot be reached, or refuses.
        """
        with self._asking():
            request = pb.ListLeavesRequest(first=first, count=count)
            return [_leaf(one) for one in self._stub.ListLeaves(request, timeout=SECONDS).leaves]

    @contextmanager
    def _asking(self) -> Iterator[None]:
        try:
            yield
        except grpc.RpcError as error:
            raise _translated(self._server, error) from error


def _translated(server: str, error: Any) -> KeyloreError:
    told = error.details() or error.code().name
    if error.code() is grpc.StatusCode.NOT_FOUND:
        return NotFoundError(told)
    is_silent = error.code() in {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}
    return LedgerError(f"{server} {'gives no answer' if is_silent else 'refuses'}: {told}")


def _leaf(leaf: pb.Leaf) -> Leaf:
    return Leaf(leaf.number, leaf.id, leaf.version, leaf.digest.hex())
