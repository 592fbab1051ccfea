from __future__ import annotations

import asyncio
import json
import threading
from typing import AsyncIterator, Iterator, List

import pytest
from answers import KEY

from checkline import AsyncCheckline, Checkline, HttpRequest, HttpResponse, LookupResult, QuotaError


class Echo:
    """Responds to each request with a result for each of its numbers."""

    def __init__(self) -> None:
        self.requests: List[HttpRequest] = []

    def send(self, request: HttpRequest) -> HttpResponse:
        self.requests.append(request)
        results = [{"valid": True, "number": number} for number in json.loads(request.body)["numbers"]]
        return HttpResponse(200, {}, json.dumps({"results": results}).encode())


class AsyncEcho(Echo):
    async def send(self, request: HttpRequest) -> HttpResponse:  # type: ignore[override]
        await asyncio.sleep(0)
        return super().send(request)


def test_each_request_of_a_list_has_its_own_idempotency_key() -> None:
    http = Echo()
    numbers = (str(number) for number in range(201))
    list_call = Checkline(KEY, http_client=http).lookup_all(
        numbers, accept_types=iter(["mobile"]), accept_line_types=iter(["unknown"]), idempotency_key="job"
    )
    items = list(list_call)
    assert [item.number for item in items if isinstance(item, LookupResult)] == [str(number) for number in range(201)]
    assert {request.headers["Idempotency-Key"] for request in http.requests} == {"job-1", "job-2", "job-3"}
    bodies = [json.loads(request.body) for request in http.requests]
    assert all((body["accept_types"], body["accept_line_types"]) == (["mobile"], ["unknown"]) for body in bodies)


def test_a_list_is_read_no_further_than_its_requests() -> None:
    read: List[int] = []

    def numbers() -> Iterator[str]:
        while True:
            read.append(len(read))
            yield str(len(read))

    items = Checkline(KEY, http_client=Echo()).lookup_all(numbers(), concurrency=2)
    next(items)
    assert len(read) == 200


def test_an_abandoned_list_stops_sending() -> None:
    http = Echo()
    items = Checkline(KEY, http_client=http).lookup_all((str(number) for number in range(10000)))
    next(items)
    items.close()  # type: ignore[attr-defined]
    count = len(http.requests)
    assert count <= 4
    assert threading.active_count() < 50


def test_async_sources_work_and_pending_requests_are_canceled() -> None:
    http = AsyncEcho()

    async def numbers() -> AsyncIterator[str]:
        for number in range(10000):
            yield str(number)

    async def first() -> object:
        async with AsyncCheckline(KEY, http_client=http) as client:
            async for item in client.lookup_all(numbers(), concurrency=3):
                return item
        return None

    item = asyncio.run(first())
    assert isinstance(item, LookupResult) and item.number == "0"
    assert len(http.requests) <= 3


def test_a_requests_error_has_its_quota() -> None:
    class Rejecting:
        def send(self, _request: HttpRequest) -> HttpResponse:
            body = {"error": "x", "code": "QUOTA_TOO_SMALL", "quota": {"limit": 9, "used": 8, "remaining": 1}}
            return HttpResponse(402, {}, json.dumps(body).encode())

    with pytest.raises(QuotaError) as rejected:
        list(Checkline(KEY, http_client=Rejecting()).lookup_all(["1"]))
    assert rejected.value.quota is not None and rejected.value.quota.remaining == 1


def test_non_lists_are_rejected() -> None:
    client = Checkline(KEY, http_client=Echo())
    for numbers in ("+1", b"1", None, 7, {"number": "1"}, ["1", 7], [{"number": 7}], [{"number": "1", "contry": "US"}]):
        with pytest.raises(TypeError):
            next(client.lookup_all(numbers))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r'^numbers\[101\]\["number"\]'):
        list(client.lookup_all([*map(str, range(101)), {"number": 7}]))
    for concurrency in (0, -1, 1.5, True, None):
        with pytest.raises(ValueError, match="concurrency"):
            next(client.lookup_all(["1"], concurrency=concurrency))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="idempotency_key"):
        next(client.lookup_all(["1"], idempotency_key="a b"))
