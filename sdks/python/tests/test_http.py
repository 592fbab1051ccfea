"""The two standard HTTP clients against servers of this machine. Each test runs with both."""

from __future__ import annotations

import asyncio
import gc
import shutil
import socket
import ssl
import subprocess
import threading
import time
import weakref
from dataclasses import replace
from pathlib import Path
from typing import Any, Callable, List, Optional, Tuple

import pytest
from local_server import ANSWER, BODY, read_request, serving

from checkline import HttpRequest, HttpResponse, StandardAsyncHttpClient, StandardHttpClient

CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
Send = Callable[..., HttpResponse]


def send_sync(request: HttpRequest, context: Optional[ssl.SSLContext] = None) -> HttpResponse:
    return StandardHttpClient(context).send(request)


def send_async(request: HttpRequest, context: Optional[ssl.SSLContext] = None) -> HttpResponse:
    async def run() -> HttpResponse:
        client = StandardAsyncHttpClient(context)
        try:
            return await client.send(request)
        finally:
            await client.aclose()

    return asyncio.run(run())


@pytest.fixture(params=[send_sync, send_async], ids=["sync", "async"])
def send(request: pytest.FixtureRequest) -> Any:
    return request.param


def request_to(port: int, scheme: str = "http", host: str = "127.0.0.1", timeout: float = 5.0) -> HttpRequest:
    url = f"{scheme}://{host}:{port}/api/v1/verify"
    headers = {"Authorization": "Bearer ch_test_x"}
    return HttpRequest(url, headers, b'{"number": "1"}', connect_timeout=2.0, timeout=timeout)


def answering(answer: bytes, seen: List[bytes]) -> Callable[[socket.socket], None]:
    def serve(connection: socket.socket) -> None:
        seen.append(read_request(connection))
        connection.sendall(answer)

    return serve


def test_sends_a_complete_request(send: Send) -> None:
    seen: List[bytes] = []
    with serving(answering(ANSWER, seen)) as port:
        assert send(request_to(port)).body == BODY
    head, _, body = seen[0].partition(b"\r\n\r\n")
    lines = head.split(b"\r\n")
    assert lines[0] == b"POST /api/v1/verify HTTP/1.1"
    assert b"Host: 127.0.0.1:%d" % port in lines
    assert b"Authorization: Bearer ch_test_x" in lines
    assert body == b'{"number": "1"}'


@pytest.mark.parametrize(
    "answer",
    [
        CHUNKED + b"4;x=y\r\n%s\r\n1D\r\n%s\r\n0\r\n\r\n" % (BODY[:4], BODY[4:]),
        b"HTTP/1.0 200\r\n\r\n" + BODY,
        b"HTTP/1.1 100 Continue\r\n\r\n" + ANSWER,
    ],
    ids=["chunked", "until the end", "after an interim response"],
)
def test_reads_every_kind_of_body(send: Send, answer: bytes) -> None:
    with serving(answering(answer, [])) as port:
        response = send(request_to(port))
    assert (response.status, response.body) == (200, BODY)


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"SSH-2.0-OpenSSH\r\n\r\n",
        ANSWER[:-1],
        CHUNKED + b"4\r\nab",
        CHUNKED + b"four\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * 200000,
    ],
    ids=["nothing", "no HTTP", "short body", "short chunk", "no chunk", "endless head"],
)
def test_an_incomplete_response_is_a_failed_connection(send: Send, answer: bytes) -> None:
    with serving(answering(answer, [])) as port, pytest.raises(ConnectionError):
        send(request_to(port))


@pytest.mark.parametrize("start", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n"], ids=["head", "body"])
@pytest.mark.parametrize("interval", [0.01, 3.0], ids=["trickle", "silence"])
def test_slow_and_silent_responses_time_out(send: Send, start: bytes, interval: float) -> None:
    ended = threading.Event()

    def trickle(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(start)
        while not ended.wait(interval):
            connection.sendall(b"H")

    with serving(trickle) as port:
        began = time.monotonic()
        with pytest.raises((TimeoutError, socket.timeout, asyncio.TimeoutError)):
            send(request_to(port, timeout=0.3))
        ended.set()
        assert 0.25 < time.monotonic() - began < 2


@pytest.mark.parametrize(
    "start", [CHUNKED + b"%x\r\n" % len(BODY), ANSWER[: -len(BODY)], b"HTTP/1.0 200\r\n\r\n"], ids=["chunk", "length", "end"]
)
def test_each_byte_restarts_a_streams_timeout(send: Send, start: bytes) -> None:
    pieces = [start, *(BODY[at : at + 1] for at in range(len(BODY))), b"\r\n0\r\n\r\n"]

    def trickle(connection: socket.socket) -> None:
        read_request(connection)
        for piece in pieces:
            time.sleep(0.04)
            connection.sendall(piece)

    with serving(trickle) as port:
        request = replace(request_to(port, timeout=0.5), is_stream=True)
        began = time.monotonic()
        body = send(request).body
    assert body.startswith(BODY)
    assert time.monotonic() - began > 1


@pytest.mark.parametrize("start", [b"", CHUNKED + b"2\r\n{}\r\n"], ids=["head", "body"])
def test_a_silent_stream_times_out(send: Send, start: bytes) -> None:
    def stall(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(start)
        connection.recv(1)  # Until the other side leaves.

    with serving(stall) as port:
        began = time.monotonic()
        with pytest.raises((TimeoutError, socket.timeout, asyncio.TimeoutError)):
            send(replace(request_to(port, timeout=0.3), is_stream=True))
        assert 0.25 < time.monotonic() - began < 2


def test_connecting_times_out(send: Send) -> None:
    # With a full accept queue, connections hang, like to a host behind a firewall.
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        port = listener.getsockname()[1]
        filling = [socket.socket() for _ in range(8)]
        for one in filling:
            one.setblocking(False)
            one.connect_ex(("127.0.0.1", port))
        began = time.monotonic()
        url = f"http://127.0.0.1:{port}/"
        try:
            with pytest.raises((TimeoutError, socket.timeout, asyncio.TimeoutError)):
                send(HttpRequest(url, {}, b"", connect_timeout=0.2, timeout=10))
            assert 0.15 < time.monotonic() - began < 3
        finally:
            for one in filling:
                one.close()


def test_canceling_closes_the_connection() -> None:
    gone = threading.Event()

    def wait(connection: socket.socket) -> None:
        read_request(connection)
        arrived.set()
        try:
            assert connection.recv(1) == b""
        except ConnectionResetError:
            pass
        gone.set()

    arrived = threading.Event()

    async def cancel(port: int) -> None:
        task = asyncio.ensure_future(StandardAsyncHttpClient().send(request_to(port)))
        while not arrived.is_set():
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.sleep(0.05)
        assert gone.wait(2)

    with serving(wait) as port:
        asyncio.run(cancel(port))


KEPT = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


def both(requests: List[HttpRequest]) -> List[Callable[[], List[HttpResponse]]]:
    """Sends requests sequentially with one client of each kind."""

    def synchronously() -> List[HttpResponse]:
        client = StandardHttpClient()
        answers = [client.send(request) for request in requests]
        client.close()
        return answers

    def asynchronously() -> List[HttpResponse]:
        async def run() -> List[HttpResponse]:
            client = StandardAsyncHttpClient()
            answers = [await client.send(request) for request in requests]
            await client.aclose()
            return answers

        return asyncio.run(run())

    return [synchronously, asynchronously]


@pytest.mark.parametrize("answer", [KEPT, CHUNKED + b"2\r\n{}\r\n0\r\nX-Trailer: 1\r\n\r\n"], ids=["length", "chunked"])
def test_a_connection_is_reused(answer: bytes) -> None:
    connections: List[int] = []

    def serve(connection: socket.socket) -> None:
        connections.append(1)
        while read_request(connection):
            connection.sendall(answer)

    with serving(serve) as port:
        for run in both([request_to(port)] * 3):
            connections.clear()
            assert [response.body for response in run()] == [b"{}"] * 3
            assert len(connections) == 1


@pytest.mark.parametrize("answer", [KEPT, KEPT.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")], ids=["gone", "closed"])
def test_a_closed_connection_is_not_reused(answer: bytes) -> None:
    with serving(answering(answer, [])) as port:

        def slowly(client: StandardHttpClient) -> None:
            assert client.send(request_to(port)).body == b"{}"
            time.sleep(0.05)

        client = StandardHttpClient()
        for _ in range(3):
            slowly(client)

        async def run() -> None:
            other = StandardAsyncHttpClient()
            for _ in range(3):
                assert (await other.send(request_to(port))).body == b"{}"
                await asyncio.sleep(0.05)
            await other.aclose()

        asyncio.run(run())


# Transports of an ended loop warn when they are collected.
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_closed_event_loops_leave_no_connections_and_are_released() -> None:
    client = StandardAsyncHttpClient()
    loops: List[Any] = []
    closed: List[bytes] = []

    def serve(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(KEPT)
        # One left open would keep the server from serving the next.
        closed.append(connection.recv(1))

    async def once(port: int) -> None:
        loops.append(weakref.ref(asyncio.get_running_loop()))
        assert (await client.send(request_to(port, timeout=2))).body == b"{}"

    async def last(port: int) -> None:
        await once(port)
        await client.aclose()

    with serving(serve) as port:
        for _ in range(5):
            asyncio.run(once(port))
        asyncio.run(last(port))
    gc.collect()
    assert closed == [b""] * 6
    assert [loop() for loop in loops] == [None] * 6


# TLS and proxies.


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Tuple[Path, Path]:
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    folder = tmp_path_factory.mktemp("tls")
    files = (folder / "certificate.pem", folder / "key.pem")
    options = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    names = ["-addext", "subjectAltName=DNS:localhost"]
    command = ["openssl", "req", "-x509", *options, *names, "-out", str(files[0]), "-keyout", str(files[1])]
    subprocess.run(command, check=True, capture_output=True)
    return files


@pytest.fixture()
def server_context(certificate: Tuple[Path, Path]) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    return context


@pytest.fixture()
def trusting(certificate: Tuple[Path, Path]) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(certificate[0]))


def test_a_certificate_from_an_unknown_authority_is_rejected(send: Send, server_context: ssl.SSLContext) -> None:
    seen: List[bytes] = []
    with serving(answering(ANSWER, seen), server_context) as port, pytest.raises(ssl.SSLCertVerificationError):
        send(request_to(port, "https", "localhost"))
    assert seen == []


def test_a_certificate_for_another_name_is_rejected(
    send: Send, server_context: ssl.SSLContext, trusting: ssl.SSLContext
) -> None:
    with serving(answering(ANSWER, []), server_context) as port, pytest.raises(ssl.SSLCertVerificationError):
        send(request_to(port, "https", "127.0.0.1"), trusting)


def test_the_callers_ssl_context_is_used(
    send: Send, server_context: ssl.SSLContext, trusting: ssl.SSLContext
) -> None:
    with serving(answering(ANSWER, []), server_context) as port:
        assert send(request_to(port, "https", "localhost"), trusting).body == BODY


def test_http_uses_the_proxy_from_the_environment(send: Send, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: List[bytes] = []
    with serving(answering(ANSWER, seen)) as port:
        monkeypatch.setenv("http_proxy", f"http://us%20er:pass@127.0.0.1:{port}")
        assert send(request_to(80, host="service.test")).body == BODY
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        assert send(request_to(port)).body == BODY
    assert seen[0].startswith(b"POST http://service.test:80/api/v1/verify HTTP/1.1\r\nHost: service.test:80\r\n")
    assert b"\r\nProxy-Authorization: Basic dXMgZXI6cGFzcw==\r\n" in seen[0]
    assert seen[1].startswith(b"POST /api/v1/verify HTTP/1.1\r\n")


def test_a_tunneling_proxy_does_not_see_the_key(
    send: Send, monkeypatch: pytest.MonkeyPatch, server_context: ssl.SSLContext, trusting: ssl.SSLContext
) -> None:
    asked: List[bytes] = []
    seen: List[bytes] = []

    def tunnel(connection: socket.socket) -> None:
        asked.append(read_request(connection))
        connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        with server_context.wrap_socket(connection, server_side=True) as inner:
            answering(ANSWER, seen)(inner)

    with serving(tunnel) as port:
        monkeypatch.setenv("https_proxy", f"127.0.0.1:{port}")
        assert send(request_to(443, "https", "localhost"), trusting).body == BODY
    assert asked[0] == b"CONNECT localhost:443 HTTP/1.1\r\nHost: localhost:443\r\n\r\n"
    assert seen[0].startswith(b"POST /api/v1/verify HTTP/1.1\r\n")


def test_a_rejecting_proxy_is_a_failed_connection(send: Send, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: List[bytes] = []
    with serving(answering(b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", seen)) as port:
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{port}")
        with pytest.raises(OSError, match="the proxy answered 407"):
            send(request_to(443, "https", "service.test"))
    assert b"ch_test_x" not in seen[0]


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("proxy", ["socks5://u:secret@127.0.0.1:%d", "https://u:secret@127.0.0.1:%d", "http://h:x%d"])
def test_an_unsupported_proxy_is_rejected_without_a_connection(
    send: Send, monkeypatch: pytest.MonkeyPatch, proxy: str, scheme: str
) -> None:
    seen: List[bytes] = []
    with serving(answering(ANSWER, seen)) as port:
        monkeypatch.setenv(f"{scheme}_proxy", proxy % port)
        with pytest.raises(OSError, match="not one at an http:// address"):
            send(request_to(443, scheme, "service.test"))
    assert seen == []
