"""A stream of numbers: the lines to send, and how to parse their response. No I/O."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from typing import AsyncIterable, AsyncIterator, Iterable, Iterator, List, Mapping, Optional, Union

from ._calls import NumberInput, Options, check_several, item_of
from ._outcome import Outcome, error_of, json_of, retry_pause, unexpected
from .errors import ChecklineConnectionError, ChecklineError, InvalidRequestError, ServerError, VerificationFailedError
from .http import HttpResponse
from .lookup_result import LookupResult, read_result
from .results import ResponseInfo

StreamItem = Union[LookupResult, VerificationFailedError, InvalidRequestError]
"""One item of :meth:`Checkline.lookup_stream`: a result, or why this number has none."""

MOST_LINES = 500
"""The most lines to send at a time …"""
MOST_CHARACTERS = 32768
"""… so that they fit into a connection's buffers, whichever side reads first."""


@dataclass(frozen=True)
class Answered:
    """The outcome of an attempt at some lines."""

    items: List[StreamItem]
    rest: List[str]
    """The lines without a response."""
    error: Optional[ChecklineError]
    """Why lines are left; None if there are none."""
    pause: Optional[float]
    """Seconds until the rest may be resent; None to give up."""


class Segments:
    """Collects lines. ``add`` returns them once there are enough to send."""

    def __init__(self, options: Options) -> None:
        self._shared = options
        self.lines: List[str] = []
        self._size = 0
        self._added = 0

    def add(self, item: NumberInput) -> Optional[List[str]]:
        line = f"{json.dumps({**self._shared, **item_of(item, self._added)}, ensure_ascii=False)}\n"
        self._added += 1
        self.lines.append(line)
        self._size += len(line)
        if len(self.lines) < MOST_LINES and self._size < MOST_CHARACTERS:
            return None
        full, self.lines, self._size = self.lines, [], 0
        return full


def segments(numbers: Iterable[NumberInput], options: Options) -> Iterator[List[str]]:
    """The lines of numbers, in parts. Raises TypeError for one number instead of several."""
    check_several(numbers, "lookup_stream")
    gathered = Segments(options)
    for item in numbers:
        full = gathered.add(item)
        if full is not None:
            yield full
    if gathered.lines:
        yield gathered.lines


async def async_segments(
    numbers: Union[Iterable[NumberInput], AsyncIterable[NumberInput]], options: Options
) -> AsyncIterator[List[str]]:
    """The same for an asynchronous source."""
    if not isinstance(numbers, AsyncIterable):
        for lines in segments(numbers, options):
            yield lines
        return
    gathered = Segments(options)
    async for item in numbers:
        full = gathered.add(item)
        if full is not None:
            yield full
    if gathered.lines:
        yield gathered.lines


def read_answer(outcome: Outcome, info: Optional[ResponseInfo], lines: List[str], retries: int, max_wait: float) -> Answered:
    """The outcome of an attempt. One that was cut off is not retried: its lines may have been counted."""
    if info is None or isinstance(outcome, ChecklineConnectionError):
        assert isinstance(outcome, ChecklineConnectionError)
        return Answered([], lines, outcome, None)
    if outcome.status != 200:
        error = error_of(outcome, json_of(outcome.body))
        return Answered([], lines, error, retry_pause(outcome, retries, max_wait, random.random))
    request_id = info.request_id
    items: List[StreamItem] = []
    for text in outcome.body.split(b"\n"):
        data = json_of(text) if text.strip() else {}
        if not isinstance(data, dict):
            break
        if not data:
            continue
        result = read_result(data, info)
        failed = None if result is not None else _response_of(data, request_id)
        problem = None if failed is None else error_of(failed, data)
        if failed is not None and data.get("ended") is True:
            pause = retry_pause(failed, retries, max_wait, random.random) if failed.status == 503 else None
            return Answered(items, lines[len(items) :], problem, pause)
        item = problem if result is None else result
        if not isinstance(item, (LookupResult, VerificationFailedError, InvalidRequestError)):
            break
        items.append(item)
    if len(items) == len(lines):
        return Answered(items, [], None, None)
    unusable = ServerError(unexpected(200), "UNEXPECTED_RESPONSE", 200, request_id)
    return Answered(items[: len(lines)], lines[len(items) :], unusable, None)


def _response_of(data: Mapping[str, object], request_id: Optional[str]) -> HttpResponse:
    """The equivalent response of a single call for a line's error."""
    status, wait = data.get("http_status"), data.get("retry_after")
    headers = {} if request_id is None else {"X-Request-Id": request_id}
    if isinstance(wait, (int, float)):
        headers["Retry-After"] = str(int(wait))
    return HttpResponse(int(status) if isinstance(status, (int, float)) else 200, headers, b"")
