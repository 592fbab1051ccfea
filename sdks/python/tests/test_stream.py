"""Streams of numbers. Each test runs with both clients."""

from __future__ import annotations

import asyncio
import json
import socket
from typing import Any, AsyncIterator, Callable, Dict, Iterator, List, Optional, Type

import pytest
from answers import KEY, RESULT, AsyncPlaying, Played, Playing, answer
from local_server import BODY, read_request, serving

from checkline import (
    AsyncCheckline,
    AuthenticationError,
    Checkline,
    ChecklineConnectionError,
    ChecklineError,
    HttpRequest,
    HttpResponse,
    InvalidRequestError,
    LookupResult,
    QuotaError,
    RateLimitError,
    ServerError,
    VerificationFailedError,
)


class Run:
    """A stream's items, and what it sent."""

    def __init__(self) -> None:
        self.items: List[Any] = []
        self.error: Optional[ChecklineError] = None
        self.pauses: List[float] = []
        self.requests: List[HttpRequest] = []

    def lines(self, at: int = 0) -> List[Any]:
        return [json.loads(line) for line in self.requests[at].body.splitlines()]


def run_sync(numbers: Any, *played: Played, **options: Any) -> Run:
    run, http = Run(), Playing(*played)
    client = Checkline(KEY, http_client=http)
    client._sleep = run.pauses.append
    try:
        for item in client.lookup_stream(numbers, **options):
            run.items.append(item)
    except ChecklineError as error:
        run.error = error
    run.requests = http.requests
    return run


def run_async(numbers: Any, *played: Played, **options: Any) -> Run:
    run, http = Run(), AsyncPlaying(*played)

    async def pause(seconds: float) -> None:
        run.pauses.append(seconds)

    async def read() -> None:
        client = AsyncCheckline(KEY, http_client=http)
        client._sleep = pause
        async for item in client.lookup_stream(numbers, **options):
            run.items.append(item)

    try:
        asyncio.run(read())
    except ChecklineError as error:
        run.error = error
    run.requests = http.requests
    return run


@pytest.fixture(params=[run_sync, run_async], ids=["sync", "async"])
def stream(request: pytest.FixtureRequest) -> Any:
    return request.param


Stream = Callable[..., Run]


def answers(*lines: Any) -> HttpResponse:
    """Lines with an empty one between them."""
    body = "\n\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    return HttpResponse(200, {"X-Request-Id": "req_1"}, body.encode())


def failure(code: str, status: int = 400, **more: Any) -> Dict[str, Any]:
    return {"error": "A sentence.", "code": code, "line": 1, "http_status": status, "ended": False, **more}


def test_sends_json_lines_and_yields_results_in_order(stream: Stream) -> None:
    numbers = ["+1", {"number": "2", "country": "GB"}]
    shared = {"country": "US", "expect_country": "US", "accept_types": iter(["mobile"]), "accept_line_types": ("voip",)}
    run = stream(numbers, answers({**RESULT, "number": "+1"}, RESULT), **shared)
    assert [item.number for item in run.items] == ["+1", RESULT["number"]]
    accepted: Dict[str, Any] = {"expect_country": "US", "accept_types": ["mobile"], "accept_line_types": ["voip"]}
    assert run.lines() == [
        {"number": "+1", "country": "US", **accepted},
        {"number": "2", "country": "GB", **accepted},
    ]
    (request,) = run.requests
    assert request.url.endswith("/api/v1/verify/stream")
    assert request.headers["Content-Type"] == "application/x-ndjson"
    assert "Idempotency-Key" not in request.headers
    assert (request.is_stream, request.timeout) == (True, 20.0)


def test_sends_500_at_a_time_and_long_lines_in_smaller_parts(stream: Stream) -> None:
    run = stream((str(n) for n in range(1200)), *(answers(*[RESULT] * count) for count in (500, 500, 200)))
    assert (run.error, len(run.items), len(run.requests)) == (None, 1200, 3)
    assert run.lines(2)[0] == {"number": "1000"}
    run = stream(["1" * 240] * 200, *(answers(*[RESULT] * count) for count in (129, 71)))
    assert (run.error, len(run.items)) == (None, 200)


def test_an_empty_stream_sends_nothing(stream: Stream) -> None:
    assert stream([]).requests == []


def test_a_source_is_read_as_results_are_consumed() -> None:
    taken = 0

    def source() -> Iterator[str]:
        nonlocal taken
        for number in range(1000):
            taken += 1
            yield str(number)

    client = Checkline(KEY, http_client=Playing(answers(*[RESULT] * 500)))
    assert next(client.lookup_stream(source())).valid  # type: ignore[union-attr]
    assert taken == 500


def test_an_asynchronous_source() -> None:
    async def source() -> AsyncIterator[str]:
        for number in range(501):
            await asyncio.sleep(0)
            yield str(number)

    run = run_async(source(), answers(*[RESULT] * 500), answers(RESULT))
    assert (run.error, len(run.items)) == (None, 501)


def test_errors_of_single_numbers_are_in_position(stream: Stream) -> None:
    fields = {"country": "No"}
    lines = [failure("REJECTED_NETWORK"), failure("VALIDATION_FAILED", fields=fields), RESULT]
    run = stream(["1", "2", "3"], answers(*lines))
    first, second, third = run.items
    assert isinstance(first, VerificationFailedError)
    assert isinstance(second, InvalidRequestError) and second.fields == fields
    assert isinstance(third, LookupResult)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (402, QuotaError),
        (401, AuthenticationError),
        (413, InvalidRequestError),
        (429, RateLimitError),
        (503, ServerError),
    ],
)
def test_the_final_error_comes_after_the_results(stream: Stream, status: int, kind: Type[ChecklineError]) -> None:
    run = stream(["1", "2", "3"], answers(RESULT, failure("A_CODE", status, ended=True, retry_after=900)))
    assert len(run.items) == 1
    assert isinstance(run.error, kind)
    assert (run.error.code, run.error.status, run.error.request_id) == ("A_CODE", status, "req_1")
    if isinstance(run.error, RateLimitError):
        assert run.error.retry_after == 900
    assert len(run.requests) == 1


def test_continues_where_the_service_stopped(stream: Stream) -> None:
    ended = failure("TEMPORARILY_UNAVAILABLE", 503, ended=True, retry_after=5)
    run = stream(["1", "2", "3"], answers(RESULT, ended), answers(RESULT, RESULT))
    assert (run.error, len(run.items), run.pauses) == (None, 3, [5.0])
    assert run.lines(1) == [{"number": "2"}, {"number": "3"}]
    run = stream(["1"], answers(ended), answers(ended), answers(ended))
    assert (run.items, len(run.requests), type(run.error)) == ([], 3, ServerError)


def test_retries_only_before_a_response(stream: Stream) -> None:
    run = stream(["1"], answer(503), answer(429), answers(RESULT))
    assert (run.error, len(run.items), len(run.requests)) == (None, 1, 3)
    for lost in (ConnectionResetError(), TimeoutError()):
        run = stream(["1"], lost)
        assert (type(run.error), len(run.requests)) == (ChecklineConnectionError, 1)


@pytest.mark.parametrize("lines", [[], ["7"], ["null"], ["{}"], ["no json"], [RESULT, '{"val']])
def test_missing_or_unexpected_lines_are_an_error(stream: Stream, lines: List[Any]) -> None:
    run = stream(["1", "2"], answers(*lines))
    assert isinstance(run.error, ServerError) and run.error.code == "UNEXPECTED_RESPONSE"
    assert len(run.items) == (1 if RESULT in lines else 0)


@pytest.mark.parametrize(
    "numbers", ["+1202", {"number": "1"}, [7], [None], [{}], [{"number": 7}], [{"number": "1", "contry": "US"}]]
)
def test_accepts_only_numbers(stream: Stream, numbers: Any) -> None:
    with pytest.raises(TypeError, match=r"^numbers\[1\]" if isinstance(numbers, list) else "lookup takes one"):
        stream(["1", *numbers] if isinstance(numbers, list) else numbers)
    with pytest.raises(TypeError):
        stream(["1"], country=7)


# Connections. The server serves one at a time, so one left open blocks the next.

Serve = Callable[[socket.socket], None]


def lines_in_chunks(connections: List[int], stall_at: int = -1) -> Serve:
    """Serves a stream in chunks, and single lookups. Stalls at the line ``stall_at`` of a stream."""

    def serve(connection: socket.socket) -> None:
        connections.append(0)
        while True:
            head, _, body = read_request(connection).partition(b"\r\n\r\n")
            if not head:
                return
            connections[-1] += 1
            if b"/stream" not in head:
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(BODY), BODY))
                continue
            connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for index, line in enumerate(body.splitlines()):
                if index == stall_at:
                    connection.recv(1)  # Until the other side leaves.
                    return
                text = json.dumps({**RESULT, "number": json.loads(line)["number"]}).encode() + b"\n"
                connection.sendall(b"%x\r\n%s\r\n" % (len(text), text))
            connection.sendall(b"0\r\n\r\n")

    return serve


async def first_of(client: AsyncCheckline, numbers: List[str]) -> Any:
    async for item in client.lookup_stream(numbers):
        return item


NUMBERS = [str(number) for number in range(1200)]


def test_finished_and_abandoned_streams_leave_a_reusable_connection() -> None:
    connections: List[int] = []
    with serving(lines_in_chunks(connections)) as port, Checkline(KEY, base_url=f"http://127.0.0.1:{port}") as client:
        results: List[Any] = list(client.lookup_stream(NUMBERS))
        assert [item.number for item in results] == NUMBERS
        left: Any = client.lookup_stream(NUMBERS)
        assert next(left).number == "0"
        # Also while it is in progress.
        assert client.lookup("1").carrier == "TIM"
        left.close()
        assert client.lookup("1").carrier == "TIM"
    assert connections == [6]


def test_async_client_streams_too() -> None:
    connections: List[int] = []

    async def read(port: int) -> None:
        async with AsyncCheckline(KEY, base_url=f"http://127.0.0.1:{port}") as client:
            results: List[Any] = [item async for item in client.lookup_stream(NUMBERS)]
            assert [item.number for item in results] == NUMBERS
            assert (await first_of(client, NUMBERS)).number == "0"
            assert (await client.lookup("1")).carrier == "TIM"

    with serving(lines_in_chunks(connections)) as port:
        asyncio.run(read(port))
    assert connections == [5]


def test_a_stream_abandoned_mid_response_closes_its_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("checkline._settings.STREAM_SIGN", 0.1)
    connections: List[int] = []

    async def cancel(port: int) -> None:
        async with AsyncCheckline(KEY, base_url=f"http://127.0.0.1:{port}") as client:
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(first_of(client, ["1", "2"]), 0.2)
            assert (await client.lookup("1")).carrier == "TIM"

    with serving(lines_in_chunks(connections, stall_at=1)) as port:
        with Checkline(KEY, base_url=f"http://127.0.0.1:{port}", timeout=0.1) as client:
            with pytest.raises(ChecklineConnectionError):
                next(iter(client.lookup_stream(["1", "2"])))
            assert client.lookup("1").carrier == "TIM"
        asyncio.run(cancel(port))
    assert connections == [1, 1, 1, 1]
