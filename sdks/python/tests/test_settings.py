from __future__ import annotations

import json
import pickle
import traceback

import pytest
from answers import KEY, Playing, answer

from checkline import AsyncCheckline, Checkline


def test_defaults_reach_the_http_client() -> None:
    http = Playing(answer())
    Checkline(KEY, http_client=http).verify("+5511987654321")
    request = http.requests[0]
    assert request.url == "https://api.test/api/v1/verify"
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
def test_a_missing_key_is_reported_immediately(key: str) -> None:
    with pytest.raises(ValueError, match="CHECKLINE_API_KEY"):
        Checkline(key)


@pytest.mark.parametrize("key", [f"{KEY}\n", f"{KEY}\r\nX-Other: 1", f"{KEY} ", f"{KEY}é"])
def test_an_invalid_key_is_rejected_without_being_shown(key: str) -> None:
    with pytest.raises(ValueError) as rejected:
        Checkline(key)
    assert KEY not in str(rejected.value)


@pytest.mark.parametrize(
    "base_url",
    ["", "h", "ftp://h", "https://", "https:///p", "https://a b", "https://h:port", "https://h?q", "https://h#f", 7],
)
def test_base_url_must_be_http(base_url: str) -> None:
    with pytest.raises(ValueError, match="The base URL must be"):
        Checkline(KEY, base_url=base_url)


@pytest.mark.parametrize("base_url", [None, "https://checkline.example", "https://api.EXAMPLE:8443/api/v1"])
def test_a_placeholder_address_is_rejected(base_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CHECKLINE_BASE_URL")
    with pytest.raises(ValueError, match="Pass base_url or set CHECKLINE_BASE_URL"):
        Checkline(KEY, base_url=base_url)


@pytest.mark.parametrize("host", ["h", "localhost.h", "127.0.0.1.h", "127.0.0.2", "0.0.0.0", "[::2]", "10.0.0.1:8787"])
def test_http_is_only_for_this_machine(host: str) -> None:
    with pytest.raises(ValueError, match="https"):
        Checkline(KEY, base_url=f"http://{host}")


def test_a_base_url_with_a_password_is_rejected_without_being_shown() -> None:
    with pytest.raises(ValueError, match="The base URL must be") as rejected:
        Checkline(KEY, base_url="https://user:password@h")
    assert "password@" not in "".join(traceback.format_exception(ValueError, rejected.value, None))


@pytest.mark.parametrize("end", ["", "/", "///", "/api/v1", "/API/v1/", "//api/v1//"])
@pytest.mark.parametrize(
    "base_url",
    ["https://h/a//b", "HTTP://LOCALHOST:8787", "http://[::1]:", "http://127.0.0.1", "https://h/a:", "https://api/v1", "https://h/my-api/v1"],
)
def test_trailing_slashes_and_the_api_path_in_base_url_are_ignored(base_url: str, end: str) -> None:
    http = Playing(answer())
    Checkline(KEY, base_url=f"{base_url}{end}", http_client=http).verify("1")
    assert http.requests[0].url == f"{base_url}/api/v1/verify"


def test_timeouts_and_retries_must_be_valid() -> None:
    for seconds in (0, -1, float("inf"), float("nan"), 1e12, 10**400, 2147483.648, None, "5", True, [5]):
        with pytest.raises(ValueError, match="^timeout must"):
            Checkline(KEY, timeout=seconds)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="^connect_timeout must"):
            AsyncCheckline(KEY, connect_timeout=seconds)  # type: ignore[arg-type]
    assert Checkline(KEY, timeout=2147483.647, connect_timeout=1)
    for retries in (-1, 1.5, 2.0, float("nan"), "2", None, True):
        with pytest.raises(ValueError, match="max_retries"):
            Checkline(KEY, max_retries=retries)  # type: ignore[arg-type]


def test_waits_and_hooks_must_be_valid() -> None:
    for seconds in (-1, float("inf"), float("nan"), 2147483.648, None, "5", True):
        with pytest.raises(ValueError, match="max_wait"):
            Checkline(KEY, max_wait=seconds)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="on_response"):
        AsyncCheckline(KEY, on_response="log")  # type: ignore[arg-type]


def test_an_http_client_must_be_able_to_send() -> None:
    for odd in (5, "", object()):
        with pytest.raises(ValueError, match="http_client"):
            Checkline(KEY, http_client=odd)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="http_client"):
            AsyncCheckline(KEY, http_client=odd)  # type: ignore[arg-type]


def test_non_strings_are_rejected_before_sending() -> None:
    http = Playing()
    client = Checkline(KEY, http_client=http)
    for odd in (b"+5511987654321", {1}, float("nan"), 5511987654321, ["1"]):
        for arguments in ((odd,), ("1", odd)):
            with pytest.raises(TypeError, match="must be a str, not"):
                client.lookup(*arguments)  # type: ignore[arg-type]
            with pytest.raises(TypeError, match="must be a str, not"):
                client.verify(*arguments)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="or a mapping with number, country, and expect_country, not"):
            client.lookup_batch(["1", odd])  # type: ignore[list-item]
        with pytest.raises(ValueError, match="idempotency_key"):
            client.lookup("1", idempotency_key=odd)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="number must be a str"):
        client.lookup(None)  # type: ignore[arg-type]
    for name in ("accept_types", "accept_line_types"):
        for types, message in (("mobile", f"{name} takes several"), ([None], f"each of {name} must be a str")):
            with pytest.raises(TypeError, match=message):
                client.lookup("1", **{name: types})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="reject_unallocated must be a bool, not str"):
        client.lookup("1", reject_unallocated="false")  # type: ignore[arg-type]
    assert http.requests == []


def test_a_printed_client_does_not_show_the_key() -> None:
    client = Checkline(KEY)
    shown = [repr(client), str(client), repr(vars(client)), repr(vars(client._settings))]
    assert not any(KEY in text for text in shown)
    assert repr(client).startswith("Checkline(base_url='https://api.test', timeout=10.0")
    with pytest.raises(TypeError, match="key"):
        pickle.dumps(client)


def test_a_printed_request_does_not_show_the_key() -> None:
    http = Playing(answer())
    Checkline(KEY, http_client=http).verify("+5511987654321")
    assert KEY not in repr(http.requests[0])
