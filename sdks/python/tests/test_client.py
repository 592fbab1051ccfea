from __future__ import annotations

import json
import pickle
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from typing import Dict, List

import pytest
from answers import Playing, answer

from checkline import (
    Checkline,
    ChecklineConnectionError,
    HttpRequest,
    HttpResponse,
    InvalidRequestError,
    LookupResult,
    RateLimitError,
    ServerError,
    VerificationFailedError,
)

KEY = "ch_test_AKeyThatMustNotBeSeen"


def client_of(http: Playing, pauses: List[float], max_retries: int = 2) -> Checkline:
    client = Checkline(KEY, http_client=http, max_retries=max_retries)
    client._sleep = pauses.append
    return client


def test_defaults_reach_the_http_client() -> None:
    http = Playing(answer())
    Checkline(KEY, http_client=http).verify("+5511987654321")
    request = http.requests[0]
    assert request.url == "https://checkline.example/api/v1/verify"
    assert (request.connect_timeout, request.timeout) == (5.0, 10.0)
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    assert json.loads(request.body) == {"number": "+5511987654321"}


def test_key_and_base_url_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHECKLINE_API_KEY", "ch_test_FromTheEnvironment")
    monkeypatch.setenv("CHECKLINE_BASE_URL", "http://127.0.0.1:8787/")
    http = Playing(answer(), answer())
    Checkline(http_client=http).verify("+5511987654321")
    Checkline(KEY, base_url="https://api.test", http_client=http).verify("+5511987654321")
    assert [request.url for request in http.requests] == [
        "http://127.0.0.1:8787/api/v1/verify",
        "https://api.test/api/v1/verify",
    ]
    assert http.requests[0].headers["Authorization"] == "Bearer ch_test_FromTheEnvironment"
    assert http.requests[1].headers["Authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("key", [None, ""])
def test_a_missing_key_is_told_at_once(key: str) -> None:
    with pytest.raises(ValueError, match="CHECKLINE_API_KEY"):
        Checkline(key)


@pytest.mark.parametrize("key", [f"{KEY}\n", f"{KEY}\r\nX-Other: 1", f"{KEY} ", f"{KEY}é"])
def test_a_key_that_could_not_be_sent_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(ValueError) as refused:
        Checkline(key)
    assert KEY not in str(refused.value)


@pytest.mark.parametrize(
    "base_url",
    ["", "h", "ftp://h", "https://", "https:///p", "https://a b", "https://h:port", "http://h?q", "http://h#f", 7],
)
def test_base_url_must_be_http(base_url: str) -> None:
    with pytest.raises(ValueError, match="base_url"):
        Checkline(KEY, base_url=base_url)


def test_a_base_url_with_a_password_is_refused_without_being_shown() -> None:
    with pytest.raises(ValueError, match="base_url") as refused:
        Checkline(KEY, base_url="https://user:password@h")
    assert "password@" not in "".join(traceback.format_exception(ValueError, refused.value, None))


@pytest.mark.parametrize("slashes", ["", "/", "///"])
def test_slashes_at_the_end_of_base_url_do_not_matter(slashes: str) -> None:
    http = Playing(answer())
    Checkline(KEY, base_url=f"https://h/a//b{slashes}", http_client=http).verify("1")
    assert http.requests[0].url == "https://h/a//b/api/v1/verify"


def test_time_outs_and_retries_must_make_sense() -> None:
    with pytest.raises(ValueError, match="timeout"):
        Checkline(KEY, timeout=0)
    with pytest.raises(ValueError, match="timeout"):
        Checkline(KEY, timeout=float("inf"))
    with pytest.raises(ValueError, match="connect_timeout"):
        Checkline(KEY, connect_timeout=-1)
    for retries in (-1, 1.5, 2.0, float("nan"), "2", None, True):
        with pytest.raises(ValueError, match="max_retries"):
            Checkline(KEY, max_retries=retries)  # type: ignore[arg-type]


def test_the_key_is_in_nothing_that_shows_the_client() -> None:
    client = Checkline(KEY)
    shown = [repr(client), str(client), repr(vars(client)), repr(vars(client._settings))]
    assert not any(KEY in text for text in shown)
    assert repr(client).startswith("Checkline(base_url='https://checkline.example', timeout=10.0")
    with pytest.raises(TypeError, match="key"):
        pickle.dumps(client)


def test_the_key_is_not_in_a_request_that_is_printed() -> None:
    http = Playing(answer())
    Checkline(KEY, http_client=http).verify("+5511987654321")
    assert KEY not in repr(http.requests[0])


def test_a_call_has_one_idempotency_key_and_the_next_call_another() -> None:
    http = Playing(answer(500), ConnectionResetError(), answer(), answer())
    pauses: List[float] = []
    client = client_of(http, pauses)
    client.lookup("+5511987654321")
    client.lookup("+5511987654321")
    keys = [request.headers["Idempotency-Key"] for request in http.requests]
    assert keys[0] == keys[1] == keys[2] != keys[3]
    assert len(keys[0]) >= 16


def test_an_own_idempotency_key_is_sent_unless_it_cannot_be() -> None:
    http = Playing(answer())
    client = Checkline(KEY, http_client=http)
    client.lookup("+5511987654321", idempotency_key="order-7")
    assert http.requests[0].headers["Idempotency-Key"] == "order-7"
    for refused in ("", "order 7", " padded", "line\nbreak", "line\n", "é", "x" * 256):
        with pytest.raises(ValueError, match="idempotency_key"):
            client.lookup("+5511987654321", idempotency_key=refused)


def test_pauses_double_and_half_of_each_is_random() -> None:
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
    http = Playing(answer(429, headers={"retry-after": "30"}), answer(503, headers={"Retry-After": "0"}), answer())
    client_of(http, pauses).lookup("+5511987654321")
    assert pauses == [30.0, 0.0]


@pytest.mark.parametrize("value", ["", "-1", "1.5", "soon", "1000000000", "9" * 99, "9" * 5000, "٣"])
def test_a_retry_after_of_another_form_counts_as_absent(value: str) -> None:
    pauses: List[float] = []
    limited = answer(429, headers={"Retry-After": value})
    with pytest.raises(RateLimitError) as failed:
        client_of(Playing(limited, limited), pauses, max_retries=1).lookup("+5511987654321")
    assert failed.value.retry_after is None
    assert 0.25 <= pauses[0] <= 0.5


def test_a_retry_after_beyond_half_a_minute_is_the_callers() -> None:
    pauses: List[float] = []
    with pytest.raises(RateLimitError) as limited:
        client_of(Playing(answer(429, headers={"Retry-After": "31"})), pauses).lookup("+5511987654321")
    assert (limited.value.retry_after, pauses) == (31, [])


def test_a_time_out_and_a_failed_connection_are_told_apart() -> None:
    for raised, code in ((TimeoutError(), "TIMEOUT"), (ConnectionResetError(), "CONNECTION_FAILED")):
        with pytest.raises(ChecklineConnectionError) as failed:
            client_of(Playing(raised), [], max_retries=0).lookup("+5511987654321")
        assert failed.value.code == code
        assert failed.value.__cause__ is failed.value.__context__ is None


def test_other_exceptions_of_an_http_client_reach_the_caller() -> None:
    http = Playing(KeyError("a mistake"))
    with pytest.raises(KeyError):
        Checkline(KEY, http_client=http).lookup("+5511987654321")
    assert len(http.requests) == 1


def test_a_batch_keeps_its_order_and_its_errors() -> None:
    items = [{"valid": True}, {"number": "x", "error": "verification failed: x", "code": "REJECTED"}, {"valid": False}]
    http = Playing(answer(body={"results": items}, headers={"X-Request-Id": "req_1"}))
    results = Checkline(KEY, http_client=http).lookup_batch(iter(["a", "b", "c"]), "BR")
    assert json.loads(http.requests[0].body) == {"numbers": ["a", "b", "c"], "country": "BR"}
    assert isinstance(results[0], LookupResult) and results[0].valid
    assert isinstance(results[1], VerificationFailedError) and results[1].request_id == "req_1"
    assert isinstance(results[2], LookupResult) and not results[2].valid


def test_one_number_is_no_batch() -> None:
    with pytest.raises(TypeError, match="lookup takes one"):
        Checkline(KEY).lookup_batch("+5511987654321")


@pytest.mark.parametrize("numbers", [b"+55", None, 7])
def test_what_is_no_list_of_numbers_is_no_batch(numbers: List[str]) -> None:
    with pytest.raises(TypeError):
        Checkline(KEY).lookup_batch(numbers)


@pytest.mark.parametrize(
    ("item", "code"),
    [({"error": "x"}, "UNEXPECTED_ANSWER"), ({"error": "x", "code": 7, "valid": True}, "UNEXPECTED_ANSWER")],
)
def test_an_item_with_an_error_text_is_an_error(item: object, code: str) -> None:
    items = Checkline(KEY, http_client=Playing(answer(body={"results": [item]}))).lookup_batch(["a"])
    assert isinstance(items[0], VerificationFailedError)
    assert (items[0].code, items[0].message) == (code, "x")


@pytest.mark.parametrize("error", [None, 7, {}])
def test_an_item_whose_error_is_no_text_is_a_result(error: object) -> None:
    body = {"results": [{"valid": False, "error": error, "code": "X"}]}
    items = Checkline(KEY, http_client=Playing(answer(body=body))).lookup_batch(["a"])
    assert isinstance(items[0], LookupResult)


@pytest.mark.parametrize("item", [{}, "valid", None, [], {"error": 1, "code": "X"}, {"valid": 1}])
def test_an_unreadable_item_spoils_the_batch(item: object) -> None:
    with pytest.raises(ServerError) as unexpected:
        Checkline(KEY, http_client=Playing(answer(body={"results": [item]}))).lookup_batch(["a"])
    assert unexpected.value.code == "UNEXPECTED_ANSWER"


def test_fields_of_another_type_count_as_absent() -> None:
    body: Dict[str, object] = {"valid": True, "carrier": 7, "CARRIER": "TIM", "possible": "yes"}
    body.update({"time_zones": ["UTC", 1], "deliverability": []})
    result = Checkline(KEY, http_client=Playing(answer(body=body))).lookup("+5511987654321")
    assert (result.carrier, result.possible, result.time_zones, result.deliverability) == (None, None, ("UTC",), None)


@pytest.mark.parametrize("status", [201, 202, 204, 226, 299, 300, 304])
def test_only_a_200_has_a_result(status: int) -> None:
    http = Playing(answer(status, {"valid": True, "error": "x", "code": "X"}))
    with pytest.raises(ServerError) as unexpected:
        Checkline(KEY, http_client=http).lookup("+5511987654321")
    assert (unexpected.value.code, unexpected.value.status) == ("UNEXPECTED_ANSWER", status)


@pytest.mark.parametrize("body", [{}, [], None, {"valid": 1}, {"valid": "true"}, {"VALID": True}])
def test_without_valid_there_is_no_result(body: object) -> None:
    with pytest.raises(ServerError, match="UNEXPECTED_ANSWER"):
        Checkline(KEY, http_client=Playing(answer(body=body))).lookup("+5511987654321")


@pytest.mark.parametrize(
    "body",
    [
        b'{"valid": true, "later": NaN}',
        b'{"valid": true, "later": [-Infinity]}',
        b'\xef\xbb\xbf{"valid": true}',
        '{"valid": true}'.encode("utf-16"),
        b'{"valid": true, "carrier": "\xff"}',
    ],
    ids=["NaN", "Infinity", "byte order mark", "UTF-16", "no UTF-8"],
)
def test_what_is_no_json_is_no_answer(body: bytes) -> None:
    with pytest.raises(ServerError, match="UNEXPECTED_ANSWER"):
        Checkline(KEY, http_client=Playing(HttpResponse(200, {}, body))).lookup("+5511987654321")


@pytest.mark.parametrize("later", ["[" * 100 + "]" * 100, "9" * 5000, "1e999"], ids=["deep", "long", "huge"])
def test_unknown_fields_do_no_harm(later: str) -> None:
    body = f'{{"valid": true, "later": {later}}}'.encode()
    assert Checkline(KEY, http_client=Playing(HttpResponse(200, {}, body))).lookup("+5511987654321").valid


def test_a_number_that_is_no_text_is_sent_with_a_substitution_character() -> None:
    http = Playing(answer(), answer(body={"results": [{"valid": False}]}))
    client = Checkline(KEY, http_client=http)
    client.lookup("+55\ud800", "\udfff")
    client.lookup_batch(["\udc00é😀"])
    assert [json.loads(request.body) for request in http.requests] == [
        {"number": "+55\ufffd", "country": "\ufffd"},
        {"numbers": ["\ufffdé😀"]},
    ]


def test_json_too_deep_to_read_is_an_error_like_any_other() -> None:
    http = Playing(HttpResponse(200, {}, b"[" * 200000))
    with pytest.raises(ServerError):
        Checkline(KEY, http_client=http).lookup("+5511987654321")


def test_results_cannot_be_changed() -> None:
    result = Checkline(KEY, http_client=Playing(answer())).lookup("+5511987654321")
    with pytest.raises(AttributeError):
        result.carrier = "Other"  # type: ignore[misc]


def test_errors_tell_their_code_and_survive_pickling() -> None:
    text = "The request does not have the expected form."
    body = {"error": text, "code": "VALIDATION_FAILED", "fields": {"country": "x"}}
    with pytest.raises(InvalidRequestError) as refused:
        Checkline(KEY, http_client=Playing(answer(400, body))).lookup("+5511987654321", "Brazil")
    copy = pickle.loads(pickle.dumps(refused.value))
    for error in (refused.value, copy):
        assert str(error) == f"VALIDATION_FAILED: {text}"
        assert (error.status, error.request_id, error.fields) == (400, None, {"country": "x"})
    assert "code='VALIDATION_FAILED', status=400" in repr(copy)


def test_one_client_serves_many_threads() -> None:
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
