"""The gRPC server: options, services, health and reflection."""

from collections.abc import Collection
from pathlib import Path

import grpc
import msgspec
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from keylore.v1 import arbiter_pb2 as pb
from keylore.v1 import arbiter_pb2_grpc as pb_grpc
from keylore.v1 import log_pb2, log_pb2_grpc
from keylore_domain.engine.checkpoints import NoteKey
from keylore_domain.errors import LedgerError, OptionError
from keylore_services.arbiter.arbiter import Arbiter
from keylore_services.arbiter.times import Now
from keylore_services.proof.desk import LogDesk
from keylore_services.transport.log_servicer import LogServicer
from keylore_services.transport.servicers import ArbiterServicer
from keylore_services.transport.session import Limits

SERVICE = pb.DESCRIPTOR.services_by_name["ArbiterService"].full_name
LOG_SERVICE = log_pb2.DESCRIPTOR.services_by_name["LogService"].full_name


class Listening(msgspec.Struct, frozen=True, kw_only=True):
    """Where and how the server listens; port 0 takes any free port."""

    host: str = "127.0.0.1"
    port: int = 0
    limits: Limits = Limits()
    certificate: Path | None = None
    private_key: Path | None = None
    client_authority: Path | None = None


class Server:
    """A started server.

    Attributes:
        address: ``host:port`` as clients should use it.
    """

    def __init__(self, server: grpc.aio.Server, address: str, checks: health.aio.HealthServicer) -> None:
        self.address = address
        self._server = server
        self._checks = checks

    async def stop(self, grace: float = 1.0) -> None:
        """Refuse new streams, give open ones *grace* seconds, then end them."""
        await self._checks.enter_graceful_shutdown()
        await self._server.stop(grace)


async def start_server(
    arbiter: Arbiter,
    listening: Listening,
    *,
    now: Now,
    version: str,
    log: LogDesk | None = None,
    witnesses: Collection[NoteKey] = (),
) -> Server:
    """Start serving *arbiter*, and the transparency *log* if there is one.

    Raises:
        LedgerError: the address is in use or may not be used.
        OptionError: a certificate or key file cannot be read.
    """
    server = grpc.aio.server(options=_options(listening.limits))
    servicer = ArbiterServicer(arbiter, listening.limits, now, f"keylore {version}")
    pb_grpc.add_ArbiterServiceServicer_to_server(servicer, server)
    served = [SERVICE]
    if log is not None:
        log_pb2_grpc.add_LogServiceServicer_to_server(
            LogServicer(log, now, witnesses=witnesses, authenticate=arbiter.authenticate), server
        )
        served.append(LOG_SERVICE)
    checks = await _checks(server, served)
    port = _bind(server, listening)
    await server.start()
    return Server(server, f"{listening.host}:{port}", checks)


async def _checks(server: grpc.aio.Server, served: list[str]) -> health.aio.HealthServicer:
    """Health and reflection of the services that are *served*."""
    checks = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(checks, server)
    for name in ("", *served):
        await checks.set(name, health_pb2.HealthCheckResponse.SERVING)
    names = (*served, health.SERVICE_NAME, reflection.SERVICE_NAME)
    reflection.enable_server_reflection(names, server)
    return checks


def _bind(server: grpc.aio.Server, listening: Listening) -> int:
    where = f"{listening.host}:{listening.port}"
    try:
        if listening.certificate is None:
            return server.add_insecure_port(where)
        return server.add_secure_port(where, _credentials(listening))
    except RuntimeError as error:
        msg = f"cannot listen on {where}: {error}; is another server running there? choose another port"
        raise LedgerError(msg) from error


def _credentials(listening: Listening) -> grpc.ServerCredentials:
    if listening.private_key is None:
        raise OptionError("private_key", "is missing", "the key file that belongs to the certificate")
    assert listening.certificate is not None
    try:
        pair = (listening.private_key.read_bytes(), listening.certificate.read_bytes())
        authority = listening.client_authority.read_bytes() if listening.client_authority else None
    except OSError as error:
        raise OptionError("certificate", str(error), "files that can be read") from error
    return grpc.ssl_server_credentials([pair], authority, require_client_auth=authority is not None)


def _options(limits: Limits) -> list[tuple[str, int]]:
    return [
        ("grpc.so_reuseport", 0),
        ("grpc.max_receive_message_length", limits.message_bytes),
        ("grpc.keepalive_time_ms", 20_000),
        ("grpc.keepalive_timeout_ms", 5_000),
        ("grpc.http2.ping_timeout_ms", 5_000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
    ]
