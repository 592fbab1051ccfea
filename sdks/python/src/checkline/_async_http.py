from __future__ import annotations

import asyncio
import http.client
import io
import re
import socket
import ssl
from typing import Optional, Tuple

from ._route import Route, check_tunnel, default_ssl_context, route_of
from .http import HttpRequest, HttpResponse


class StandardAsyncHttpClient:
    """The :class:`AsyncHttpClient` that a client uses unless it is given another.

    It does with asyncio what :class:`StandardHttpClient` does.
    """

    def __init__(self, ssl_context: Optional[ssl.SSLContext] = None) -> None:
        self._ssl_context = default_ssl_context() if ssl_context is None else ssl_context

    async def send(self, request: HttpRequest) -> HttpResponse:
        """See :meth:`AsyncHttpClient.send`."""
        return await asyncio.wait_for(self._exchange(route_of(request), request.connect_timeout), request.timeout)

    async def _exchange(self, route: Route, connect_timeout: float) -> HttpResponse:
        reader, writer = await self._open(route, connect_timeout)
        try:
            writer.write(route.message)
            return await _read_response(reader)
        except (EOFError, ValueError, asyncio.LimitOverrunError, http.client.HTTPException) as error:
            # An answer that is no HTTP, or that breaks off.
            raise ConnectionError(type(error).__name__) from error
        finally:
            writer.transport.abort()

    async def _open(self, route: Route, connect_timeout: float) -> Tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        connection = await _connect(route.address, connect_timeout)
        try:
            if route.tunnel is not None:
                await _open_tunnel(connection, route.tunnel)
            secure = None if route.tls_host is None else self._ssl_context
            return await asyncio.open_connection(sock=connection, ssl=secure, server_hostname=route.tls_host)
        except BaseException:
            connection.close()
            raise


async def _connect(address: Tuple[str, int], timeout: float) -> socket.socket:
    loop = asyncio.get_running_loop()
    failure: Exception = OSError("the host has no address")
    for family, kind, protocol, _name, target in await loop.getaddrinfo(*address, type=socket.SOCK_STREAM):
        connection = socket.socket(family, kind, protocol)
        try:
            connection.setblocking(False)
            await asyncio.wait_for(loop.sock_connect(connection, target), timeout)
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


async def _read_response(reader: asyncio.StreamReader) -> HttpResponse:
    status = 0
    # An answer may be preceded by interim ones, such as 103 Early Hints.
    while status < 200:
        line, _, rest = (await reader.readuntil(b"\r\n\r\n")).partition(b"\r\n")
        match = re.match(rb"HTTP/1\.[01] ([1-9][0-9]{2})( |$)", line)
        if match is None:
            raise ValueError("no HTTP answer")
        status = int(match[1])
    headers = http.client.parse_headers(io.BytesIO(rest))
    length = headers.get("Content-Length")
    if headers.get("Transfer-Encoding", "").lower() == "chunked":
        body = await _read_chunks(reader)
    elif length is not None:
        body = await reader.readexactly(int(length))
    else:
        body = await reader.read()
    return HttpResponse(status, dict(headers.items()), body)


async def _read_chunks(reader: asyncio.StreamReader) -> bytes:
    body = b""
    while True:
        size = int((await reader.readline()).split(b";")[0], 16)
        if size == 0:
            # Trailers are not read: the connection ends here.
            return body
        body += await reader.readexactly(size)
        await reader.readexactly(2)
