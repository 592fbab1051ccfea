"""The adapter between the conformance suite and this SDK. sdks/conformance/README.md has the protocol."""

from __future__ import annotations

import dataclasses
import gc
import json
import os
import pickle
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Dict, List, Optional, Tuple, Union
from urllib.request import ProxyHandler, Request, build_opener

from checkline import (
    AsyncCheckline,
    AuthenticationError,
    Checkline,
    ChecklineConnectionError,
    ChecklineError,
    InvalidRequestError,
    LookupResult,
    Quota,
    QuotaError,
    RateLimitError,
    ResponseInfo,
    ServerError,
    Verification,
    VerificationFailedError,
)

URL = os.environ.get("CHECKLINE_CONFORMANCE_URL")
Client = Union[Checkline, AsyncCheckline]
Case = Dict[str, Any]
Report = Dict[str, Any]

ERROR_TYPES = {
    AuthenticationError: "authentication",
    QuotaError: "quota",
    RateLimitError: "rate_limit",
    InvalidRequestError: "invalid_request",
    VerificationFailedError: "verification_failed",
    ServerError: "server",
    ChecklineConnectionError: "connection",
}


def cases_of(run: str) -> List[Case]:
    """Starts a run. Without a suite there are no cases."""
    if URL is None:
        return []
    cases: List[Case] = _exchange(Request(f"{URL}/{run}"))["cases"]
    return cases


def problems_of(run: str, case: Case, report: Report) -> List[str]:
    """Reports one case. Returns the suite's problems with it."""
    body = json.dumps(report).encode()
    problems: List[str] = _exchange(Request(f"{URL}/{run}/{case['id']}", body))["problems"]
    return problems


def run_all(carry_out: Callable[[Case], Report], cases: List[Case]) -> Dict[str, Report]:
    """Runs several cases concurrently."""
    with ThreadPoolExecutor(8) as pool:
        return dict(zip((case["id"] for case in cases), pool.map(carry_out, cases)))


def options_of(case: Case) -> Dict[str, Any]:
    """The client's arguments."""
    options: Dict[str, Any] = {"base_url": case["base_url"]}
    if "timeout_ms" in case["client"]:
        options["timeout"] = case["client"]["timeout_ms"] / 1000
    if "deadline_ms" in case["client"]:
        options["deadline"] = case["client"]["deadline_ms"] / 1000
    if "max_retries" in case["client"]:
        options["max_retries"] = case["client"]["max_retries"]
    if "max_wait_ms" in case["client"]:
        options["max_wait"] = case["client"]["max_wait_ms"] / 1000
    return options


def call_of(case: Case) -> Tuple[str, Dict[str, Any]]:
    """The method's name and its arguments."""
    arguments = dict(case["call"])
    return arguments.pop("method"), arguments


def report_result(client: Client, result: object) -> Report:
    outcome: Report
    if isinstance(result, list):
        outcome = {"results": [_item(item) for item in result]}
    else:
        outcome = {"result": _fields(result)}
    if isinstance(result, LookupResult):
        outcome["response"] = response_fields(result.response)
    return {**outcome, "texts": [*_texts(client), *_texts(result)]}


def report_list(client: Client, items: List[object], error: Optional[ChecklineError]) -> Report:
    """A list, and what ended it before its end."""
    ended = {} if error is None else {"ended_by": _error(error)}
    return {**report_result(client, items), **ended}


class Tally:
    """Counts a stream's results in order, and how much more memory is in use at the end than after a tenth of them."""

    def __init__(self, numbers: List[str]) -> None:
        self._numbers = numbers
        self._counted = 0
        self._before = 0

    def add(self, item: object) -> None:
        assert isinstance(item, LookupResult) and item.number == self._numbers[self._counted]
        self._counted += 1
        if self._counted == len(self._numbers) // 10:
            self._before = _used_bytes()

    def report(self, client: Client) -> Report:
        grown = _used_bytes() - self._before
        return {"tally": {"counted": self._counted, "grown_bytes": grown}, "texts": _texts(client)}


def _used_bytes() -> int:
    """About a hundred for each block, since counting them exactly slows everything down."""
    gc.collect()
    return sys.getallocatedblocks() * 100


def response_fields(response: ResponseInfo) -> Dict[str, Any]:
    fields = dataclasses.asdict(response)
    assert fields.pop("duration") >= 0
    return fields


def report_rejection(rejection: ValueError) -> Report:
    return {"rejected": True, "texts": _texts(rejection)}


def report_error(client: Client, error: ChecklineError) -> Report:
    # This file's own frame comes first, and contains the case with its key.
    frames = error.__traceback__.tb_next if error.__traceback__ else None
    told = traceback.TracebackException(type(error), error, frames, capture_locals=True)
    texts = [*_texts(client), *_texts(error), "".join(told.format()), repr(error.__cause__), repr(error.__context__)]
    return {"error": _error(error), "texts": texts}


def _item(item: object) -> Report:
    return {"error": _error(item)} if isinstance(item, ChecklineError) else {"result": _fields(item)}


def _fields(result: object) -> Dict[str, Any]:
    assert isinstance(result, (LookupResult, Verification, Quota))
    fields = dataclasses.asdict(result)
    fields.pop("response", None)
    return fields


def _error(error: ChecklineError) -> Dict[str, Any]:
    return {
        "type": ERROR_TYPES[type(error)],
        "code": error.code,
        "message": error.message,
        "status": error.status,
        "request_id": error.request_id,
        "retry_after": error.retry_after if isinstance(error, RateLimitError) else None,
        "fields": dict(error.fields) if isinstance(error, InvalidRequestError) else None,
        "quota": dataclasses.asdict(error.quota) if isinstance(error, QuotaError) and error.quota else None,
    }


def _texts(value: object) -> List[str]:
    texts = [repr(value), str(value), *_inside(value)]
    try:
        texts.append(repr(pickle.dumps(value)))
    except TypeError as rejection:
        texts.append(str(rejection))
    return texts


def _inside(value: object) -> List[str]:
    """What a debugger shows for an object: its attributes, and theirs."""
    if isinstance(value, (list, tuple)):
        return [text for item in value for text in _inside(item)]
    attributes = getattr(value, "__dict__", {})
    return [repr(attributes), *(text for attribute in attributes.values() for text in _inside(attribute))]


def _exchange(request: Request) -> Any:
    with build_opener(ProxyHandler({})).open(request, timeout=60) as answer:
        return json.load(answer)
