"""The outcome of an attempt: a result, an error, or a retry. No I/O."""

from __future__ import annotations

import asyncio
import json
import math
import re
import socket
import time
from email.utils import parsedate_to_datetime
from typing import Callable, Dict, NoReturn, Optional, TypeVar, Union
from urllib.parse import urlsplit

from ._calls import Call, read_quota
from .errors import (
    AuthenticationError,
    ChecklineConnectionError,
    ChecklineError,
    InvalidRequestError,
    QuotaError,
    RateLimitError,
    ServerError,
    VerificationFailedError,
)
from .http import HttpRequest, HttpResponse
from .results import RateLimit, ResponseInfo

T = TypeVar("T")
Outcome = Union[HttpResponse, ChecklineConnectionError]
"""An attempt's response, or why there is none."""

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 8.0

SANDBOX_CODES = frozenset(
    (
        "REJECTED_NETWORK",
        "REJECTED_FORMAT",
        "REJECTED_PREFIX_MISSING",
        "REJECTED_SUBSCRIBER_ABSENT",
        "REJECTED_UNKNOWN_SUBSCRIBER",
        "REJECTED_UNDELIVERABLE",
        "UNDELIVERABLE_NOT_DELIVERED",
        "TEMPORARY_FAILURE",
        "SERVICE_UNAVAILABLE",
    )
)
"""The codes of the sandbox's failing scenarios."""

# "requests";r=59;t=60, "numbers";r=599;t=60
_RATE_LIMIT = re.compile(r'"([A-Za-z0-9_]+)";r=([0-9]{1,15});t=([0-9]{1,15})(?![0-9])')
_DATE = re.compile("[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT")

_TIMEOUTS = (TimeoutError, socket.timeout, asyncio.TimeoutError)
NO_ANSWER = (OSError, *_TIMEOUTS)
"""What an HTTP client raises without a response. Timeouts are separate classes before Python 3.11."""


def connection_error(error: BaseException, request: HttpRequest, standard: bool) -> ChecklineConnectionError:
    """The client's own error for an HTTP client's.

    Only standard errors are quoted: others may contain the request. A new error is raised and never chained: a
    cause, its traceback, or its locals could contain the request's headers.
    """
    host = urlsplit(request.url).netloc
    if isinstance(error, _TIMEOUTS):
        return ChecklineConnectionError(f"No complete response from {host} in time.", "TIMEOUT")
    reason = (standard and getattr(error, "strerror", None)) or type(error).__name__
    return ChecklineConnectionError(f"The connection to {host} failed ({reason}).", "CONNECTION_FAILED")


def retry_pause(outcome: Outcome, retries: int, max_wait: float, random: Callable[[], float]) -> Optional[float]:
    """Seconds until the next attempt after ``retries`` retries, or None to give up."""
    if isinstance(outcome, HttpResponse):
        if outcome.status != 429 and not 500 <= outcome.status < 600:
            return None
        asked = _retry_after(outcome) if outcome.status in (429, 503) else None
        if asked is not None:
            return float(asked) if asked <= max_wait else None
    longest: float = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(retries, 10))
    return longest * (1 + random()) / 2


def response_info(response: HttpResponse, attempt: int, duration: float) -> ResponseInfo:
    """A response's metadata."""
    limits = {
        name: RateLimit(int(remaining), int(seconds))
        for name, remaining, seconds in _RATE_LIMIT.findall(header_of(response, "ratelimit") or "")
    }
    request_id, data_version = header_of(response, "x-request-id"), header_of(response, "data-version")
    return ResponseInfo(response.status, request_id, data_version, attempt, duration, limits)


def conclude(outcome: Outcome, call: Call[T], info: Optional[ResponseInfo]) -> T:
    """The result of the last attempt. Raises ChecklineError if it has none."""
    if info is None or isinstance(outcome, ChecklineConnectionError):
        assert isinstance(outcome, ChecklineConnectionError)
        raise outcome
    data = json_of(outcome.body)
    if outcome.status == 200:
        result = call.read(data, info)
    elif outcome.status == 400 and isinstance(data, dict):
        # With a test key, an input that is too short is a 400 with its result.
        result = call.read(data.get("result"), info)
    else:
        result = None
    if result is None:
        raise error_of(outcome, data)
    return result


def unexpected(status: int) -> str:
    """The message about a response that isn't the service's."""
    redirect = ": redirects aren't followed" if 300 <= status < 400 else ""
    return f"Unexpected response (HTTP {status}){redirect}."


def error_of(response: HttpResponse, data: object) -> ChecklineError:
    """The error for a response that is not a success, or is unusable. ``data`` is its JSON."""
    status, request_id = response.status, header_of(response, "x-request-id")
    body: Dict[str, object] = data if isinstance(data, dict) else {}
    message, code = body.get("error"), body.get("code")
    if status < 400 or not isinstance(message, str) or not isinstance(code, str):
        message = unexpected(status)
        code = "UNEXPECTED_RESPONSE"
    if status in (401, 403):
        return AuthenticationError(message, code, status, request_id)
    if status == 402:
        used_up = QuotaError(message, code, status, request_id)
        used_up.quota = read_quota(body.get("quota"))
        return used_up
    if status == 429:
        limited = RateLimitError(message, code, status, request_id)
        limited.retry_after = _retry_after(response)
        return limited
    if status == 400 and code in SANDBOX_CODES:
        return VerificationFailedError(message, code, status, request_id)
    if 400 <= status < 500:
        rejected = InvalidRequestError(message, code, status, request_id)
        fields = body.get("fields")
        if isinstance(fields, dict):
            rejected.fields = {name: text for name, text in fields.items() if isinstance(text, str)}
        return rejected
    return ServerError(message, code, status, request_id)


def json_of(body: bytes) -> object:
    """The parsed body; None if it is not JSON in UTF-8."""
    try:
        # Decoded here: given bytes, json would accept a byte order mark and other encodings. None of our fields is a
        # number, and parsing one with thousands of digits as an integer would fail or take long.
        return json.loads(body.decode("utf-8"), parse_int=float, parse_constant=_reject)
    except (ValueError, RecursionError):
        return None


def _reject(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


def header_of(response: HttpResponse, name: str) -> Optional[str]:
    """A header's value by its lowercase name."""
    return next((value for key, value in response.headers.items() if key.lower() == name), None)


def _retry_after(response: HttpResponse) -> Optional[int]:
    value = (header_of(response, "retry-after") or "").strip()
    if re.fullmatch("[0-9]{1,9}", value):
        return int(value)
    try:
        date = parsedate_to_datetime(value).timestamp() if _DATE.fullmatch(value) else None
    except (TypeError, ValueError, OverflowError):
        date = None
    return None if date is None else max(0, math.ceil(date - time.time()))
