"""Servers on this machine that misbehave as tests need."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from typing import Callable, Iterator, Optional

BODY = b'{"valid": true, "carrier": "TIM"}'
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(BODY), BODY)


@contextlib.contextmanager
def serving(serve: Callable[[socket.socket], None], context: Optional[ssl.SSLContext] = None) -> Iterator[int]:
    """Serves one connection after another; returns the port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def run() -> None:
            while True:
                try:
                    connection, _address = listener.accept()
                except OSError:
                    return
                # The other side may leave at any time; some tests rely on that.
                with contextlib.suppress(OSError), connection:
                    if context is not None:
                        connection = context.wrap_socket(connection, server_side=True)
                    with connection:
                        serve(connection)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        yield listener.getsockname()[1]
        # close() alone doesn't wake accept().
        listener.shutdown(socket.SHUT_RDWR)
    thread.join(10)


def read_request(connection: socket.socket) -> bytes:
    """Head and body of a request."""
    data = b""
    while b"\r\n\r\n" not in data:
        received = connection.recv(65536)
        if not received:
            return data
        data += received
    head, _, body = data.partition(b"\r\n\r\n")
    length = next((int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0)
    while len(body) < length:
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body
