from __future__ import annotations

import http.client
import io
import selectors
import socket
import ssl
import time
from collections import defaultdict
from typing import Any, DefaultDict, List, Optional, Tuple, cast

from ._route import LONGEST_IDLE, Route, Way, check_tunnel, default_ssl_context, route_of
from ._time_limit import TimeLimit
from .http import HttpRequest, HttpResponse


class StandardHttpClient:
    """The default :class:`HttpClient`.

    Keeps connections open and reuses them, uses ``HTTP_PROXY``, ``HTTPS_PROXY`` and ``NO_PROXY`` like urllib, and
    checks certificates with ``ssl_context``, or against the system's authorities.
    """

    def __init__(self, ssl_context: Optional[ssl.SSLContext] = None) -> None:
        self._ssl_context = default_ssl_context() if ssl_context is None else ssl_context
        self._idle: DefaultDict[Way, List[_Wire]] = defaultdict(list)

    def send(self, request: HttpRequest) -> HttpResponse:
        """See :meth:`HttpClient.send`. The system limits DNS resolution itself."""
        route = route_of(request)
        idle = self._idle[route.way]
        limit = TimeLimit(request)
        wire = _waiting(idle) or _Wire(limit)
        wire.limit = limit
        try:
            if not wire.connected:
                self._connect(wire, route, request.connect_timeout)
            wire.send(route.message)
            with http.client.HTTPResponse(cast(socket.socket, wire), method=request.method) as response:
                response.begin()
                answer = HttpResponse(response.status, dict(response.headers.items()), response.read())
                if response.will_close:
                    wire.hang_up()
        except http.client.HTTPException as error:
            wire.hang_up()
            # Also for a body that is cut off.
            raise ConnectionError(type(error).__name__) from error
        except BaseException:
            wire.hang_up()
            raise
        if wire.connected:
            idle.append(wire)
        return answer

    def _connect(self, wire: _Wire, route: Route, timeout: float) -> None:
        wire.connect(route.address, timeout)
        if route.tunnel is not None:
            wire.send(route.tunnel)
            check_tunnel(wire.receive_head())
        if route.tls_host is not None:
            wire.start_tls(self._ssl_context, route.tls_host)

    def close(self) -> None:
        """Closes idle connections. The client can still be used."""
        for idle in list(self._idle.values()):
            while idle:
                idle.pop().hang_up()


def _waiting(idle: List[_Wire]) -> Optional[_Wire]:
    """An idle connection to reuse. Other threads take theirs concurrently."""
    while True:
        try:
            wire = idle.pop()
        except IndexError:
            return None
        if wire.usable():
            return wire
        wire.hang_up()


class _Wire:
    """A connection whose operations share one time limit: except for a stream's, even a trickle of bytes can't outlast
    it."""

    def __init__(self, limit: TimeLimit) -> None:
        self.limit = limit
        self.connected = False
        self._used = 0.0
        self._socket = socket.socket()

    def __del__(self) -> None:
        self._socket.close()

    def usable(self) -> bool:
        """Whether it can be reused. If there is something to read, the other side has closed it or is out of sync."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._socket, selectors.EVENT_READ)
            return not selector.select(0) and time.monotonic() - self._used < LONGEST_IDLE

    def connect(self, address: Tuple[str, int], timeout: float) -> None:
        failure: OSError = OSError("the host has no address")
        for family, kind, protocol, _name, target in socket.getaddrinfo(*address, type=socket.SOCK_STREAM):
            self._socket.close()
            self._socket = socket.socket(family, kind, protocol)
            try:
                self._socket.settimeout(min(timeout, self.limit.left()))
                self._socket.connect(target)
                self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self.connected = True
                return
            except OSError as error:
                failure = error
        raise failure

    def start_tls(self, context: ssl.SSLContext, host: str) -> None:
        self._socket.settimeout(self.limit.left())
        self._socket = context.wrap_socket(self._socket, server_hostname=host)

    def send(self, data: bytes) -> None:
        while data:
            self._socket.settimeout(self.limit.left())
            data = data[self._socket.send(data) :]

    def receive_head(self) -> bytes:
        """Reads through the empty line that ends the headers of a response without a body."""
        head = b""
        while b"\r\n\r\n" not in head and len(head) < 65536:
            self._socket.settimeout(self.limit.left())
            received = self._socket.recv(4096)
            if not received:
                break
            head += received
        return head

    def hang_up(self) -> None:
        self.connected = False
        self._socket.close()

    def receive_into(self, buffer: Any) -> int:
        self._socket.settimeout(self.limit.left())
        received = self._socket.recv_into(buffer)
        self._used = time.monotonic()
        self.limit.received()
        return received

    def makefile(self, _mode: str) -> io.BufferedReader:
        """The socket interface that http.client's HTTPResponse needs. Closes the reader, and leaves the connection
        open."""
        return io.BufferedReader(_Reader(self))


class _Reader(io.RawIOBase):
    def __init__(self, wire: _Wire) -> None:
        self._wire = wire

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self._wire.receive_into(buffer)
