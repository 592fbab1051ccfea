from __future__ import annotations

import json
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import List

import pytest
from answers import KEY, Playing, answer

from checkline import (
    Checkline,
    ChecklineConnectionError,
    HttpRequest,
    HttpResponse,
    RateLimitError,
    ServerError,
)


def client_of(http: Playing, pauses: List[float], max_retries: int = 2) -> Checkline:
    client = Checkline(KEY, http_client=http, max_retries=max_retries)
    client._sleep = pauses.append
    return client


def test_each_call_has_a_different_idempotency_key() -> None:
    http = Playing(answer(500), ConnectionResetError(), answer(), answer())
    pauses: List[float] = []
    client = client_of(http, pauses)
    client.lookup("+5511987654321")
    client.lookup("+5511987654321")
    keys = [request.headers["Idempotency-Key"] for request in http.requests]
    assert keys[0] == keys[1] == keys[2] != keys[3]
    assert len(keys[0]) >= 16


def test_the_callers_idempotency_key_is_sent_if_valid() -> None:
    http = Playing(answer())
    client = Checkline(KEY, http_client=http)
    client.lookup("+5511987654321", idempotency_key="order-7")
    assert http.requests[0].headers["Idempotency-Key"] == "order-7"
    for rejected in ("", "order 7", " padded", "line\nbreak", "line\n", "é", "x" * 256):
        with pytest.raises(ValueError, match="idempotency_key"):
            client.lookup("+5511987654321", idempotency_key=rejected)


def test_pauses_double_and_are_half_random() -> None:
    first, second = set(), set()
    for _ in range(200):
        pauses: List[float] = []
        with pytest.raises(ServerError):
            client_of(Playing(answer(500), answer(500), answer(500)), pauses).lookup("+5511987654321")
        first.add(pauses[0])
        second.add(pauses[1])
        assert len(pauses) == 2
    assert 0.25 <= min(first) < 0.3 < 0.45 < max(first) <= 0.5
    assert 0.5 <= min(second) < 0.6 < 0.9 < max(second) <= 1.0


def test_pauses_grow_to_eight_seconds() -> None:
    pauses: List[float] = []
    with pytest.raises(ServerError):
        client_of(Playing(*[answer(500)] * 2001), pauses, max_retries=2000).lookup("+5511987654321")
    assert all(4 <= pause <= 8 for pause in pauses[4:])


def test_retry_after_sets_the_pause() -> None:
    pauses: List[float] = []
    http = Playing(answer(429, headers={"retry-after": "60"}), answer(503, headers={"Retry-After": "0"}), answer())
    client_of(http, pauses).lookup("+5511987654321")
    assert pauses == [60.0, 0.0]


@pytest.mark.parametrize("value", ["", "-1", "1.5", "soon", "1000000000", "9" * 99, "9" * 5000, "٣", "Wed, 21 Oct 2026", "Wed, 99 Oct 2026 07:28:00 GMT"])
def test_an_invalid_retry_after_is_ignored(value: str) -> None:
    pauses: List[float] = []
    limited = answer(429, headers={"Retry-After": value})
    with pytest.raises(RateLimitError) as failed:
        client_of(Playing(limited, limited), pauses, max_retries=1).lookup("+5511987654321")
    assert failed.value.retry_after is None
    assert 0.25 <= pauses[0] <= 0.5


def test_a_retry_after_over_a_minute_is_left_to_the_caller() -> None:
    pauses: List[float] = []
    with pytest.raises(RateLimitError) as limited:
        client_of(Playing(answer(429, headers={"Retry-After": "61"})), pauses).lookup("+5511987654321")
    assert (limited.value.retry_after, pauses) == (61, [])


def test_timeouts_and_failed_connections_are_distinct() -> None:
    for raised, code in ((TimeoutError(), "TIMEOUT"), (ConnectionResetError(), "CONNECTION_FAILED")):
        with pytest.raises(ChecklineConnectionError) as failed:
            client_of(Playing(raised), [], max_retries=0).lookup("+5511987654321")
        assert failed.value.code == code
        assert failed.value.__cause__ is failed.value.__context__ is None


def test_only_the_standard_http_client_is_quoted() -> None:
    with pytest.raises(ChecklineConnectionError) as failed:
        client_of(Playing(OSError(5, "could not send +5511987654321")), [], max_retries=0).lookup("+5511987654321")
    assert failed.value.message.endswith(" failed (OSError).")
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(ChecklineConnectionError, match="Connection refused"):
            Checkline(KEY, base_url=url, max_retries=0).lookup("+5511987654321")


def test_other_http_client_exceptions_reach_the_caller() -> None:
    http = Playing(KeyError("a mistake"))
    with pytest.raises(KeyError):
        Checkline(KEY, http_client=http).lookup("+5511987654321")
    assert len(http.requests) == 1


def test_one_number_is_not_a_batch() -> None:
    with pytest.raises(TypeError, match="lookup takes one"):
        Checkline(KEY).lookup_batch("+5511987654321")


@pytest.mark.parametrize("numbers", [b"+55", None, 7])
def test_a_batch_must_be_a_list_of_numbers(numbers: List[str]) -> None:
    with pytest.raises(TypeError):
        Checkline(KEY).lookup_batch(numbers)


def test_malformed_text_is_sent_with_a_replacement_character() -> None:
    http = Playing(answer(), answer(body={"results": [{"valid": False}]}))
    client = Checkline(KEY, http_client=http)
    client.lookup("+55\ud800", "\udfff")
    client.lookup_batch(["\udc00é😀"])
    assert [json.loads(request.body) for request in http.requests] == [
        {"number": "+55\ufffd", "country": "\ufffd"},
        {"numbers": ["\ufffdé😀"]},
    ]


def test_a_client_is_thread_safe() -> None:
    barrier = threading.Barrier(16, timeout=10)

    class Echo:
        def send(self, request: HttpRequest) -> HttpResponse:
            barrier.wait()  # All of them are under way at once.
            number = json.loads(request.body)["number"]
            return answer(body={"valid": True, "number": number, "carrier": request.headers["Idempotency-Key"]})

    client = Checkline(KEY, http_client=Echo())
    numbers = [f"+55119876543{n:02}" for n in range(16)]
    with ThreadPoolExecutor(16) as pool:
        results = list(pool.map(client.lookup, numbers))
    assert [result.number for result in results] == numbers
    assert len({result.carrier for result in results}) == 16
