from __future__ import annotations

import http.client
import io
import socket
import ssl
import time
from typing import Any, Optional, Tuple, cast

from ._route import check_tunnel, default_ssl_context, route_of
from .http import HttpRequest, HttpResponse


class StandardHttpClient:
    """The :class:`HttpClient` that a client uses unless it is given another.

    It has a connection of its own for each attempt, honours ``HTTP_PROXY``, ``HTTPS_PROXY`` and ``NO_PROXY`` as urllib
    does, and checks certificates by ``ssl_context``, or against the system's authorities.
    """

    def __init__(self, ssl_context: Optional[ssl.SSLContext] = None) -> None:
        self._ssl_context = default_ssl_context() if ssl_context is None else ssl_context

    def send(self, request: HttpRequest) -> HttpResponse:
        """See :meth:`HttpClient.send`. The time for resolving the host's name is the system's own."""
        route = route_of(request)
        wire = _Wire(time.monotonic() + request.timeout)
        try:
            wire.connect(route.address, request.connect_timeout)
            if route.tunnel is not None:
                wire.send(route.tunnel)
                check_tunnel(wire.receive_head())
            if route.tls_host is not None:
                wire.start_tls(self._ssl_context, route.tls_host)
            wire.send(route.message)
            with http.client.HTTPResponse(cast(socket.socket, wire), method="POST") as response:
                response.begin()
                return HttpResponse(response.status, dict(response.headers.items()), response.read())
        except http.client.HTTPException as error:
            # Also a body that breaks off.
            raise ConnectionError(type(error).__name__) from error
        finally:
            wire.hang_up()


class _Wire(io.RawIOBase):
    """A connection whose every operation has what is left of one time limit: a trickle of bytes does not outlast it."""

    def __init__(self, deadline: float) -> None:
        self._deadline = deadline
        self._socket = socket.socket()

    def connect(self, address: Tuple[str, int], timeout: float) -> None:
        failure: OSError = OSError("the host has no address")
        for family, kind, protocol, _name, target in socket.getaddrinfo(*address, type=socket.SOCK_STREAM):
            self._socket.close()
            self._socket = socket.socket(family, kind, protocol)
            try:
                self._socket.settimeout(min(timeout, self._left()))
                self._socket.connect(target)
                return
            except OSError as error:
                failure = error
        raise failure

    def start_tls(self, context: ssl.SSLContext, host: str) -> None:
        self._socket.settimeout(self._left())
        self._socket = context.wrap_socket(self._socket, server_hostname=host)

    def send(self, data: bytes) -> None:
        while data:
            self._socket.settimeout(self._left())
            data = data[self._socket.send(data) :]

    def receive_head(self) -> bytes:
        """Bytes up to the empty line that ends the head of an answer without a body."""
        head = b""
        while b"\r\n\r\n" not in head and len(head) < 65536:
            self._socket.settimeout(self._left())
            received = self._socket.recv(4096)
            if not received:
                break
            head += received
        return head

    def hang_up(self) -> None:
        self._socket.close()

    def _left(self) -> float:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    # What http.client's HTTPResponse asks of a socket.

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._socket.settimeout(self._left())
        return self._socket.recv_into(buffer)
