from __future__ import annotations

import json
import pickle
from typing import Dict

import pytest
from answers import KEY, Playing, answer

from checkline import (
    Checkline,
    Deliverability,
    HttpResponse,
    InvalidRequestError,
    LookupResult,
    ServerError,
    VerificationFailedError,
)


def test_a_batch_keeps_its_order_and_errors() -> None:
    items = [{"valid": True}, {"number": "x", "error": "verification failed: x", "code": "REJECTED"}, {"valid": False}]
    http = Playing(answer(body={"results": items}, headers={"X-Request-Id": "req_1"}))
    results = Checkline(KEY, http_client=http).lookup_batch(iter(["a", "b", "c"]), "BR")
    assert json.loads(http.requests[0].body) == {"numbers": ["a", "b", "c"], "country": "BR"}
    assert isinstance(results[0], LookupResult) and results[0].valid
    assert isinstance(results[1], VerificationFailedError) and results[1].request_id == "req_1"
    assert isinstance(results[2], LookupResult) and not results[2].valid


def test_a_result_is_as_true_as_its_number_is_valid() -> None:
    def client(valid: bool) -> Checkline:
        return Checkline(KEY, http_client=Playing(answer(body={"valid": valid})))

    assert client(True).verify("1") and client(True).lookup("1")
    assert not client(False).verify("1") and not client(False).lookup("1")


@pytest.mark.parametrize(
    ("item", "code"),
    [({"error": "x"}, "UNEXPECTED_RESPONSE"), ({"error": "x", "code": 7, "valid": True}, "UNEXPECTED_RESPONSE")],
)
def test_an_item_with_an_error_string_is_an_error(item: object, code: str) -> None:
    items = Checkline(KEY, http_client=Playing(answer(body={"results": [item]}))).lookup_batch(["a"])
    assert isinstance(items[0], VerificationFailedError)
    assert (items[0].code, items[0].message) == (code, "x")


@pytest.mark.parametrize("error", [None, 7, {}])
def test_an_item_whose_error_is_not_a_string_is_a_result(error: object) -> None:
    body = {"results": [{"valid": False, "error": error, "code": "X"}]}
    items = Checkline(KEY, http_client=Playing(answer(body=body))).lookup_batch(["a"])
    assert isinstance(items[0], LookupResult)


@pytest.mark.parametrize("item", [{}, "valid", None, [], {"error": 1, "code": "X"}, {"valid": 1}])
def test_an_invalid_item_fails_the_batch(item: object) -> None:
    with pytest.raises(ServerError) as unexpected:
        Checkline(KEY, http_client=Playing(answer(body={"results": [item]}))).lookup_batch(["a"])
    assert unexpected.value.code == "UNEXPECTED_RESPONSE"


def test_fields_of_the_wrong_type_are_ignored() -> None:
    body: Dict[str, object] = {"valid": True, "carrier": 7, "CARRIER": "TIM", "possible": "yes"}
    body.update({"time_zones": ["UTC", 1], "deliverability": []})
    result = Checkline(KEY, http_client=Playing(answer(body=body))).lookup("+5511987654321")
    assert (result.carrier, result.possible, result.time_zones) == (None, True, ("UTC",))
    assert result.deliverability == Deliverability("unknown", "unknown", ())


@pytest.mark.parametrize("status", [201, 202, 204, 226, 299, 300, 304])
def test_only_a_200_has_a_result(status: int) -> None:
    http = Playing(answer(status, {"valid": True, "error": "x", "code": "X"}))
    with pytest.raises(ServerError) as unexpected:
        Checkline(KEY, http_client=http).lookup("+5511987654321")
    assert (unexpected.value.code, unexpected.value.status) == ("UNEXPECTED_RESPONSE", status)


@pytest.mark.parametrize("body", [{}, [], None, {"valid": 1}, {"valid": "true"}, {"VALID": True}])
def test_without_valid_there_is_no_result(body: object) -> None:
    with pytest.raises(ServerError, match="UNEXPECTED_RESPONSE"):
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
def test_invalid_json_is_an_error(body: bytes) -> None:
    with pytest.raises(ServerError, match="UNEXPECTED_RESPONSE"):
        Checkline(KEY, http_client=Playing(HttpResponse(200, {}, body))).lookup("+5511987654321")


@pytest.mark.parametrize("later", ["[" * 100 + "]" * 100, "9" * 5000, "1e999"], ids=["deep", "long", "huge"])
def test_unknown_fields_are_ignored(later: str) -> None:
    body = f'{{"valid": true, "later": {later}}}'.encode()
    assert Checkline(KEY, http_client=Playing(HttpResponse(200, {}, body))).lookup("+5511987654321").valid


def test_json_nested_too_deeply_is_an_error() -> None:
    http = Playing(HttpResponse(200, {}, b"[" * 200000))
    with pytest.raises(ServerError):
        Checkline(KEY, http_client=http).lookup("+5511987654321")


def test_results_are_immutable() -> None:
    result = Checkline(KEY, http_client=Playing(answer())).lookup("+5511987654321")
    with pytest.raises(AttributeError):
        result.carrier = "Other"  # type: ignore[misc]


def test_errors_have_a_code_and_survive_pickling() -> None:
    text = "The request does not have the expected form."
    body = {"error": text, "code": "VALIDATION_FAILED", "fields": {"country": "x"}}
    with pytest.raises(InvalidRequestError) as rejected:
        Checkline(KEY, http_client=Playing(answer(400, body))).lookup("+5511987654321", "Brazil")
    copy = pickle.loads(pickle.dumps(rejected.value))
    for error in (rejected.value, copy):
        assert str(error) == f"VALIDATION_FAILED: {text}"
        assert (error.status, error.request_id, error.fields) == (400, None, {"country": "x"})
    assert "code='VALIDATION_FAILED', status=400" in repr(copy)
