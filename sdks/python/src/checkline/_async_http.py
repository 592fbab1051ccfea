from __future__ import annotations

import asyncio
import http.client
import io
import re
import socket
import ssl
import time
from collections import defaultdict
from typing import DefaultDict, Dict, List, NamedTuple, Optional, Tuple

from ._route import LONGEST_IDLE, Route, Way, check_tunnel, default_ssl_context, route_of
from ._time_limit import TimeLimit
from .http import HttpRequest, HttpResponse


class Connection(NamedTuple):
    """A connection to the service."""

    raw: socket.socket
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter


Idle = DefaultDict[Way, List[Tuple[float, Connection]]]
"""Idle connections, with the time since when."""


class StandardAsyncHttpClient:
    """The default :class:`AsyncHttpClient`.

    The asyncio version of :class:`StandardHttpClient`.
    """

    def __init__(self, ssl_context: Optional[ssl.SSLContext] = None) -> None:
        self._ssl_context = default_ssl_context() if ssl_context is None else ssl_context
        # A connection belongs to the event loop that opened it.
        self._idle: Dict[asyncio.AbstractEventLoop, Idle] = {}

    async def send(self, request: HttpRequest) -> HttpResponse:
        """See :meth:`AsyncHttpClient.send`."""
        limit = TimeLimit(request)
        exchange = asyncio.ensure_future(self._exchange(route_of(request), request.connect_timeout, limit))
        try:
            while not exchange.done():
                await asyncio.wait([exchange], timeout=limit.left())
        except BaseException:
            exchange.cancel()
            await asyncio.gather(exchange, return_exceptions=True)
            raise
        return exchange.result()

    async def _exchange(self, route: Route, connect_timeout: float, limit: TimeLimit) -> HttpResponse:
        self._forget_closed_loops()
        idle = self._idle.setdefault(asyncio.get_running_loop(), defaultdict(list))[route.way]
        connection = _waiting(idle) or await self._open(route, connect_timeout)
        keep = False
        try:
            connection.writer.write(route.message)
            response, keep = await _read_response(connection.reader, limit)
            return response
        except (EOFError, ValueError, asyncio.LimitOverrunError, http.client.HTTPException) as error:
            # A response that is not HTTP, or is cut off.
            raise ConnectionError(type(error).__name__) from error
        finally:
            if keep:
                idle.append((time.monotonic(), connection))
            else:
                connection.writer.transport.abort()

    async def aclose(self) -> None:
        """Closes this event loop's idle connections. The client can still be used."""
        for idle in self._idle.pop(asyncio.get_running_loop(), {}).values():
            for _used, connection in idle:
                connection.writer.transport.abort()
        # Transports end in the next round of the loop.
        await asyncio.sleep(0)

    def _forget_closed_loops(self) -> None:
        """Closes connections left open by event loops that ended without :meth:`aclose`, like those of ``asyncio.run``."""
        # Other threads have loops too.
        for loop in list(self._idle):
            if loop.is_closed():
                for idle in self._idle.pop(loop, {}).values():
                    for _used, connection in idle:
                        # Its transport is useless without its loop.
                        connection.raw.close()

    async def _open(self, route: Route, connect_timeout: float) -> Connection:
        connection = await _connect(route.address, connect_timeout)
        try:
            if route.tunnel is not None:
                await _open_tunnel(connection, route.tunnel)
            secure = None if route.tls_host is None else self._ssl_context
            streams = await asyncio.open_connection(sock=connection, ssl=secure, server_hostname=route.tls_host)
            return Connection(connection, *streams)
        except BaseException:
            connection.close()
            raise


def _waiting(idle: List[Tuple[float, Connection]]) -> Optional[Connection]:
    """A connection that can be reused."""
    while idle:
        used, connection = idle.pop()
        _raw, reader, writer = connection
        if time.monotonic() - used < LONGEST_IDLE and not reader.at_eof() and not writer.is_closing():
            return connection
        writer.transport.abort()
    return None


async def _connect(address: Tuple[str, int], timeout: float) -> socket.socket:
    loop = asyncio.get_running_loop()
    failure: Exception = OSError("the host has no address")
    for family, kind, protocol, _name, target in await loop.getaddrinfo(*address, type=socket.SOCK_STREAM):
        connection = socket.socket(family, kind, protocol)
        try:
            connection.setblocking(False)
            await asyncio.wait_for(loop.sock_connect(connection, target), timeout)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return connection
        except (OSError, asyncio.TimeoutError) as error:
            connection.close()
            failure = error
        except BaseException:
            connection.close()
            raise
    raise failure


async def _open_tunnel(connection: socket.socket, request: bytes) -> None:
    loop = asyncio.get_running_loop()
    await loop.sock_sendall(connection, request)
    head = b""
    while b"\r\n\r\n" not in head and len(head) < 65536:
        received = await loop.sock_recv(connection, 4096)
        if not received:
            break
        head += received
    check_tunnel(head)


async def _read_response(reader: asyncio.StreamReader, limit: TimeLimit) -> Tuple[HttpResponse, bool]:
    """The response, and whether its connection can be reused."""
    status = 0
    keep = False
    # Interim responses, such as 103 Early Hints, may come first.
    while status < 200:
        line, _, rest = (await reader.readuntil(b"\r\n\r\n")).partition(b"\r\n")
        limit.received()
        match = re.match(rb"HTTP/1\.([01]) ([1-9][0-9]{2})( |$)", line)
        if match is None:
            raise ValueError("no HTTP response")
        status = int(match[2])
        keep = match[1] == b"1"
    headers = http.client.parse_headers(io.BytesIO(rest))
    keep = keep and headers.get("Connection", "").lower() != "close"
    length = headers.get("Content-Length")
    if headers.get("Transfer-Encoding", "").lower() == "chunked":
        body = await _read_chunks(reader, limit)
    elif length is not None:
        body = await _read_exactly(reader, int(length), limit)
    else:
        body = await _read_to_end(reader, limit)
        keep = False
    return HttpResponse(status, dict(headers.items()), body), keep


async def _read_chunks(reader: asyncio.StreamReader, limit: TimeLimit) -> bytes:
    body = bytearray()
    while True:
        size = int((await reader.readline()).split(b";")[0], 16)
        limit.received()
        if size == 0:
            while (await reader.readline()).strip():
                pass  # A trailer.
            return bytes(body)
        body += await _read_exactly(reader, size, limit)
        await reader.readexactly(2)


async def _read_exactly(reader: asyncio.StreamReader, size: int, limit: TimeLimit) -> bytes:
    if size < 0:
        raise ValueError("no size")
    body = bytearray()
    while len(body) < size:
        piece = await reader.read(size - len(body))
        if not piece:
            raise EOFError
        limit.received()
        body += piece
    return bytes(body)


async def _read_to_end(reader: asyncio.StreamReader, limit: TimeLimit) -> bytes:
    body = bytearray()
    while True:
        piece = await reader.read(65536)
        if not piece:
            return bytes(body)
        limit.received()
        body += piece
