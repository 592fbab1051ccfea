from __future__ import annotations

import random
import time
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count
from types import TracebackType
from typing import Callable, Deque, Iterable, Iterator, List, Optional, Tuple, Type, TypeVar

from ._calls import MAX_BATCH, BatchItem, Call, ListCall, NumberInput, batch_call, chunks_of, lookup_call, options_of, quota_call, verify_call
from ._outcome import NO_ANSWER, Outcome, conclude, connection_error, retry_pause
from ._settings import Secret, Settings, checked_http_client, until
from ._stream import StreamItem, read_answer, segments
from ._sync_http import StandardHttpClient
from .http import HttpClient, HttpRequest
from .lookup_result import LookupResult
from .results import Quota, ResponseInfo, Verification

T = TypeVar("T")


class Checkline:
    """Verifies phone numbers. One client can serve any number of threads.

    ``api_key`` and ``base_url`` default to ``CHECKLINE_API_KEY`` and ``CHECKLINE_BASE_URL``. ``timeout`` is the time
    limit of one attempt, body included; ``connect_timeout`` that of opening a connection; ``deadline``, if any, that of
    a whole call with its retries and waits (of a list, each request; a stream has none): a wait that doesn't fit isn't
    started, and the error is raised immediately. All are in seconds.
    ``max_retries`` is how often to retry a call after connection errors, timeouts, 429, and 5xx. ``max_wait`` is the
    longest ``Retry-After`` wait to accept, in seconds; if the service asks for more, the error is raised
    immediately. ``on_response`` is called with the :class:`ResponseInfo` of each response, for logging; if it
    raises, so does the call. ``http_client`` sends the requests instead of :class:`StandardHttpClient`.

    Raises ValueError when an argument is missing or invalid. Calls raise :class:`ChecklineError`.
    """

    def __init__(
        self,
        api_key: Optional[str] = None,
        *,
        base_url: Optional[str] = None,
        timeout: float = 10.0,
        connect_timeout: float = 5.0,
        deadline: Optional[float] = None,
        max_retries: int = 2,
        max_wait: float = 60.0,
        on_response: Optional[Callable[[ResponseInfo], None]] = None,
        http_client: Optional[HttpClient] = None,
    ) -> None:
        key = None if api_key is None else Secret(api_key)
        del api_key  # Otherwise a traceback with local variables would show it.
        self._settings = Settings(key, base_url, timeout, connect_timeout, deadline, max_retries, max_wait, on_response)
        self._http: HttpClient = StandardHttpClient() if http_client is None else checked_http_client(http_client)
        self._sleep: Callable[[float], None] = time.sleep

    def __repr__(self) -> str:
        return self._settings.describe(self)

    def verify(
        self,
        number: str,
        country: Optional[str] = None,
        *,
        expect_country: Optional[str] = None,
        accept_types: Optional[Iterable[str]] = None,
        accept_line_types: Optional[Iterable[str]] = None,
        reject_unallocated: bool = False,
        idempotency_key: Optional[str] = None,
    ) -> Verification:
        """Returns whether a number is valid, and its carrier.

        ``country`` is the ISO 3166-1 alpha-2 country of a number in national format. ``expect_country``,
        ``accept_types``, and ``accept_line_types`` are the country, number types, and line types you accept, for
        example ``["mobile", "unknown"]``, and ``reject_unallocated`` rejects numbers in unassigned ranges; they set
        ``accepted`` of the full result. A call repeated with the same ``idempotency_key`` and arguments counts once;
        by default, every call has its own. It must have 1 to 255 printable ASCII characters without spaces, else
        ValueError is raised. A number or country that is not a str raises TypeError. In both cases nothing is sent.
        """
        options = options_of(country, expect_country, accept_types, accept_line_types, reject_unallocated)
        return self._call(verify_call(number, options), idempotency_key)

    def lookup(
        self,
        number: str,
        country: Optional[str] = None,
        *,
        expect_country: Optional[str] = None,
        accept_types: Optional[Iterable[str]] = None,
        accept_line_types: Optional[Iterable[str]] = None,
        reject_unallocated: bool = False,
        idempotency_key: Optional[str] = None,
    ) -> LookupResult:
        """Everything known about a number. Arguments as in :meth:`verify`."""
        options = options_of(country, expect_country, accept_types, accept_line_types, reject_unallocated)
        return self._call(lookup_call(number, options), idempotency_key)

    def lookup_batch(
        self,
        numbers: Iterable[NumberInput],
        country: Optional[str] = None,
        *,
        expect_country: Optional[str] = None,
        accept_types: Optional[Iterable[str]] = None,
        accept_line_types: Optional[Iterable[str]] = None,
        reject_unallocated: bool = False,
        idempotency_key: Optional[str] = None,
    ) -> List[BatchItem]:
        """Everything known about up to 100 numbers, in order. Each is a str, or a mapping with ``number`` and ``country``.

        A number whose verification failed has its :class:`VerificationFailedError` as its item; it is not raised.
        """
        options = options_of(country, expect_country, accept_types, accept_line_types, reject_unallocated)
        return self._call(batch_call(numbers, options), idempotency_key)

    def lookup_stream(
        self,
        numbers: Iterable[NumberInput],
        country: Optional[str] = None,
        *,
        expect_country: Optional[str] = None,
        accept_types: Optional[Iterable[str]] = None,
        accept_line_types: Optional[Iterable[str]] = None,
        reject_unallocated: bool = False,
    ) -> Iterator[StreamItem]:
        """Everything known about any number of phone numbers, in order, as results arrive.

        ``numbers`` is read 500 at a time, also from a generator. Each is a str, or a mapping with ``number`` and
        ``country``. The service waits when the account's number limit is reached. An item that could not be verified
        is an error; a raised error ends the stream, and nothing after the last item was verified. A connection that
        is cut off is not retried, since its numbers may have been counted.
        """
        options = options_of(country, expect_country, accept_types, accept_line_types, reject_unallocated)
        for lines in segments(numbers, options):
            retries = 0
            while lines:
                outcome, info = self._try(self._settings.stream_request(lines), retries + 1)
                answered = read_answer(outcome, info, lines, retries, self._settings.max_wait)
                for item in answered.items:
                    yield item
                if answered.error is not None and (answered.pause is None or retries >= self._settings.max_retries):
                    raise answered.error
                lines, retries = answered.rest, retries + 1
                if answered.pause is not None:
                    self._sleep(answered.pause)

    def lookup_all(
        self,
        numbers: Iterable[NumberInput],
        country: Optional[str] = None,
        *,
        expect_country: Optional[str] = None,
        accept_types: Optional[Iterable[str]] = None,
        accept_line_types: Optional[Iterable[str]] = None,
        reject_unallocated: bool = False,
        concurrency: int = 4,
        idempotency_key: Optional[str] = None,
    ) -> Iterator[BatchItem]:
        """Everything known about any number of phone numbers, in order, as results arrive.

        Sends requests of 100 numbers, at most ``concurrency`` at a time, each in a thread. Items are those of
        :meth:`lookup_batch`. When a request fails, its error is raised after the items of earlier ones. ``-1``,
        ``-2`` and so on are added to an ``idempotency_key`` for each request. Leaving the loop cancels requests that
        have not started.
        """
        options = options_of(country, expect_country, accept_types, accept_line_types, reject_unallocated)
        asked = ListCall(options, concurrency, idempotency_key)
        pending: Deque[Future[List[BatchItem]]] = deque()
        pool = ThreadPoolExecutor(concurrency)

        def run(chunk: List[NumberInput], request: int) -> List[BatchItem]:
            return self._call(batch_call(chunk, asked.options, (request - 1) * MAX_BATCH), asked.key_of(request))

        try:
            for request, chunk in enumerate(chunks_of(numbers), 1):
                pending.append(pool.submit(run, chunk, request))
                if len(pending) == concurrency:
                    yield from pending.popleft().result()
            while pending:
                yield from pending.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def quota(self) -> Quota:
        """Returns what remains of the account's quota and the key's cap."""
        return self._call(quota_call(), None)

    def close(self) -> None:
        """Closes open connections. Your own HTTP client is not affected."""
        if type(self._http) is StandardHttpClient:
            self._http.close()

    def __enter__(self) -> Checkline:
        return self

    def __exit__(
        self, _kind: Optional[Type[BaseException]], _error: Optional[BaseException], _trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def _call(self, call: Call[T], idempotency_key: Optional[str]) -> T:
        request = self._settings.request(call.path, call.body, idempotency_key)
        end = self._settings.end()
        for retries in count():
            outcome, info = self._try(until(end, request), retries + 1)
            pause = retry_pause(outcome, retries, self._settings.max_wait, random.random)
            if pause is None or retries >= self._settings.max_retries or time.monotonic() + pause >= end:
                break
            self._sleep(pause)
        return conclude(outcome, call, info)

    def _try(self, request: HttpRequest, attempt: int) -> Tuple[Outcome, Optional[ResponseInfo]]:
        began = time.monotonic()
        outcome = self._attempt(request)
        return outcome, self._settings.tell(outcome, attempt, time.monotonic() - began)

    def _attempt(self, request: HttpRequest) -> Outcome:
        try:
            return self._http.send(request)
        except NO_ANSWER as error:
            return connection_error(error, request, type(self._http) is StandardHttpClient)
