"""A client's settings."""

from __future__ import annotations

import json
import math
import os
import re
import time
import uuid
from dataclasses import replace
from typing import Callable, Iterable, Mapping, NoReturn, Optional, Pattern, TypeVar
from urllib.parse import urlsplit

from ._outcome import Outcome, response_info
from ._version import VERSION
from .errors import ChecklineConnectionError
from .http import HttpRequest
from .results import ResponseInfo

DEFAULT_BASE_URL = "https://checkline.example"

LONGEST_TIMEOUT = 2147483.647
"""In seconds: the longest that timers on every platform can wait."""

STREAM_SIGN = 10.0
"""Seconds between the service's keep-alives while a stream waits."""

# A line break in a header's value would start another header.
_KEY = re.compile(r"[\x21-\x7e]+")
_IDEMPOTENCY_KEY = re.compile(r"[\x21-\x7e]{1,255}")
# Matches a base URL and an optional API path. A host named "api" is not part of the path.
_API_PATH = re.compile(r"(https?://[^/]+.*?)(/+api/v1)?/*\Z", re.IGNORECASE)
_BAD_URL = (
    "The base URL must be an https URL without user, query, or fragment;"
    " http is only for localhost, 127.0.0.1, and [::1]."
)
_SURROGATE = re.compile("[\ud800-\udfff]")


HTTP = TypeVar("HTTP")


class Secret:
    """A key that is only accessible by name: not when printed, inspected, or pickled."""

    __slots__ = ("value",)

    def __init__(self, value: str) -> None:
        self.value = value

    def __repr__(self) -> str:
        return "Secret(…)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("A Checkline client cannot be pickled or copied: it holds a key.")


def checked_http_client(http_client: HTTP) -> HTTP:
    """The same client. Raises ValueError if it can't send."""
    if not callable(getattr(http_client, "send", None)):
        raise ValueError("http_client must have a method send.")
    return http_client


class Settings:
    """Validated client arguments, with the environment's values and defaults for None."""

    def __init__(
        self,
        key: Optional[Secret],
        base_url: Optional[str],
        timeout: float,
        connect_timeout: float,
        deadline: Optional[float],
        max_retries: int,
        max_wait: float,
        on_response: Optional[Callable[[ResponseInfo], None]],
    ) -> None:
        """Raises ValueError when something is missing or invalid. The message never contains the key."""
        self.key = key if key is not None else Secret(os.environ.get("CHECKLINE_API_KEY", ""))
        if self.key.value == "":
            raise ValueError("No API key. Pass api_key or set CHECKLINE_API_KEY.")
        if not _matches(_KEY, self.key.value):
            raise ValueError("The API key has characters that no key has.")
        if base_url is None:
            base_url = os.environ.get("CHECKLINE_BASE_URL") or DEFAULT_BASE_URL
        if not _is_web_address(base_url):
            raise ValueError(_BAD_URL)
        # Building a package for a site replaces the default with the site's address.
        if (urlsplit(base_url).hostname or "").endswith(".example"):
            raise ValueError("There's no service at a .example address. Pass base_url or set CHECKLINE_BASE_URL to yours.")
        self.base_url = _API_PATH.sub(r"\1", base_url)
        limits = {"timeout": timeout, "connect_timeout": connect_timeout}
        if deadline is not None:
            limits["deadline"] = deadline
        for name, seconds in limits.items():
            number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
            if not (number and 0 < seconds <= LONGEST_TIMEOUT):
                raise ValueError(f"{name} must be a number of seconds above 0 and at most {LONGEST_TIMEOUT}.")
        self.timeout = timeout
        self.connect_timeout = connect_timeout
        self.deadline = deadline
        if not isinstance(max_retries, int) or isinstance(max_retries, bool) or max_retries < 0:
            raise ValueError("max_retries must be a whole number, 0 or more.")
        self.max_retries = max_retries
        waits = isinstance(max_wait, (int, float)) and not isinstance(max_wait, bool)
        if not (waits and 0 <= max_wait <= LONGEST_TIMEOUT):
            raise ValueError(f"max_wait must be a number of seconds, 0 or more and at most {LONGEST_TIMEOUT}.")
        self.max_wait = max_wait
        if on_response is not None and not callable(on_response):
            raise ValueError("on_response must be callable.")
        self.on_response = on_response

    def request(self, path: str, body: Optional[Mapping[str, object]], idempotency_key: Optional[str]) -> HttpRequest:
        """The request of one call, the same for each attempt: a GET without a body."""
        if idempotency_key is not None and not _matches(_IDEMPOTENCY_KEY, idempotency_key):
            raise ValueError("idempotency_key must be 1 to 255 printable ASCII characters without spaces.")
        if body is None:
            return self._request(path, {"Accept": "application/json"}, "", self.timeout, "GET")
        key = f"sdk-{uuid.uuid4()}" if idempotency_key is None else idempotency_key
        headers = {"Accept": "application/json", "Content-Type": "application/json", "Idempotency-Key": key}
        return self._request(path, headers, json.dumps(body, ensure_ascii=False), self.timeout)

    def stream_request(self, lines: Iterable[str]) -> HttpRequest:
        """The request for some lines of a stream. Its timeout applies to each wait for a chunk of the response."""
        headers = {"Accept": "application/x-ndjson", "Content-Type": "application/x-ndjson"}
        timeout = min(self.timeout + STREAM_SIGN, LONGEST_TIMEOUT)
        return replace(self._request("/verify/stream", headers, "".join(lines), timeout), is_stream=True)

    def _request(
        self, path: str, headers: Mapping[str, str], body: str, timeout: float, method: str = "POST"
    ) -> HttpRequest:
        own = {"Authorization": f"Bearer {self.key.value}", "User-Agent": f"checkline-python/{VERSION}"}
        return HttpRequest(
            url=f"{self.base_url}/api/v1{path}",
            headers={**own, **headers},
            # A lone surrogate can't be sent. The service reports that the replacement is not a number.
            body=_SURROGATE.sub("\ufffd", body).encode(),
            connect_timeout=self.connect_timeout,
            timeout=timeout,
            method=method,
        )

    def end(self) -> float:
        """When a call that begins now has to end, on the monotonic clock."""
        return math.inf if self.deadline is None else time.monotonic() + self.deadline

    def tell(self, outcome: Outcome, attempt: int, duration: float) -> Optional[ResponseInfo]:
        """Passes a response's metadata to ``on_response``, and returns it. None without a response."""
        if isinstance(outcome, ChecklineConnectionError):
            return None
        info = response_info(outcome, attempt, duration)
        if self.on_response is not None:
            self.on_response(info)
        return info

    def describe(self, client: object) -> str:
        """The result of ``repr(client)``."""
        return (
            f"{type(client).__name__}(base_url={self.base_url!r}, timeout={self.timeout!r},"
            f" connect_timeout={self.connect_timeout!r}, deadline={self.deadline!r}, max_retries={self.max_retries!r},"
            f" max_wait={self.max_wait!r})"
        )


def until(end: float, request: HttpRequest) -> HttpRequest:
    """A request that may take what is left of its call."""
    if end == math.inf:
        return request
    left = max(end - time.monotonic(), 0.001)
    return replace(request, timeout=min(request.timeout, left), connect_timeout=min(request.connect_timeout, left))


def _matches(pattern: Pattern[str], value: object) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def _is_web_address(url: object) -> bool:
    if not isinstance(url, str):
        return False
    try:
        parts = urlsplit(url)
        fine = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    # Over http, anyone on the network path could read the key.
    safe = fine and (parts.scheme == "https" or parts.hostname in ("localhost", "127.0.0.1", "::1"))
    return safe and re.fullmatch(r"[\x21-\x7e]+", url) is not None and not re.search(r"[@?#]", url)
