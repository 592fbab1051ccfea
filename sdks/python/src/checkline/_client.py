from __future__ import annotations

import random
import time
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count
from types import TracebackType
from typing import Callable, Deque, Iterable, Iterator, List, Optional, Tuple, Type, TypeVar

from ._calls import Call, ListCall, Options, batch_call, chunks_of, list_options, lookup_call, quota_call, verify_call
from ._outcome import NO_ANSWER, Outcome, conclude, connection_error, retry_pause
from ._settings import Secret, Settings, checked_http_client
from ._stream import StreamedNumber, StreamItem, read_answer, segments
from ._sync_http import StandardHttpClient
from .http import HttpClient, HttpRequest
from .results import BatchItem, LookupResult, Quota, ResponseInfo, Verification

T = TypeVar("T")


class Checkline:
    """Verifies phone numbers. One client can serve any number of threads.

    ``api_key`` and ``base_url`` default to ``CHECKLINE_API_KEY`` and ``CHECKLINE_BASE_URL``. ``timeout`` limits each
    attempt, including the body, and ``connect_timeout`` opening a connection, both in seconds. ``max_retries`` is how
    often a call is retried after connection errors, timeouts, 429, and 5xx. ``max_wait`` is the longest
    ``Retry-After`` to wait for, in seconds; if it's longer, the error is raised immediately. ``on_response`` is called
    with the :class:`ResponseInfo` of each response, for logging; the call raises what it raises. ``http_client`` sends
    the requests instead of :class:`StandardHttpClient`.

    Raises ValueError if an argument is missing or invalid. Calls raise :class:`ChecklineError`.
    """

    def __init__(
        self,
        api_key: Optional[str] = None,
        *,
        base_url: Optional[str] = None,
        timeout: float = 10.0,
        connect_timeout: float = 5.0,
        max_retries: int = 2,
        max_wait: float = 60.0,
        on_response: Optional[Callable[[ResponseInfo], None]] = None,
        http_client: Optional[HttpClient] = None,
    ) -> None:
        key = None if api_key is None else Secret(api_key)
        del api_key  # Else a traceback that shows local variables would show it.
        self._settings = Settings(key, base_url, timeout, connect_timeout, max_retries, max_wait, on_response)
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
        idempotency_key: Optional[str] = None,
    ) -> Verification:
        """Returns whether a number is valid, and its carrier.

        ``country`` is the country for a number in national format (ISO 3166-1 alpha-2). ``expect_country`` and
        ``accept_types``, the country and number types that you accept, set ``accepted`` in the full result. A call
        repeated with the same ``idempotency_key`` and arguments counts once; by default every call has a new key. It
        must be 1 to 255 printable ASCII characters without spaces; otherwise the call raises ValueError. A number or
        country that isn't a str raises TypeError. In both cases nothing is sent.
        """
        return self._call(verify_call(number, Options(country, expect_country, accept_types)), idempotency_key)

    def lookup(
        self,
        number: str,
        country: Optional[str] = None,
        *,
        expect_country: Optional[str] = None,
        accept_types: Optional[Iterable[str]] = None,
        idempotency_key: Optional[str] = None,
    ) -> LookupResult:
        """Returns the full result for a number. Arguments as in :meth:`verify`."""
        return self._call(lookup_call(number, Options(country, expect_country, accept_types)), idempotency_key)

    def lookup_batch(
        self,
        numbers: Iterable[str],
        country: Optional[str] = None,
        *,
        expect_country: Optional[str] = None,
        accept_types: Optional[Iterable[str]] = None,
        idempotency_key: Optional[str] = None,
    ) -> List[BatchItem]:
        """Returns the full results for up to 100 numbers, in order.

        If a number's verification fails, its item is the :class:`VerificationFailedError`, which isn't raised.
        """
        return self._call(batch_call(numbers, Options(country, expect_country, accept_types)), idempotency_key)

    def lookup_stream(
        self,
        numbers: Iterable[StreamedNumber],
        country: Optional[str] = None,
        *,
        expect_country: Optional[str] = None,
        accept_types: Optional[Iterable[str]] = None,
    ) -> Iterator[StreamItem]:
        """Yields the full results for any number of numbers, in order as they arrive.

        ``numbers`` is read 500 at a time, including from a generator. Each is a str, or a mapping with ``number`` and
        options. The service waits when the account's number limit is reached. If a number's verification fails, its
        item is the error. An error that's raised ends the stream, and nothing after the last item was verified. A
        broken connection isn't retried, because its numbers may have been counted.
        """
        options = Options(country, expect_country, accept_types)
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
        numbers: Iterable[str],
        country: Optional[str] = None,
        *,
        expect_country: Optional[str] = None,
        accept_types: Optional[Iterable[str]] = None,
        concurrency: int = 4,
        idempotency_key: Optional[str] = None,
    ) -> Iterator[BatchItem]:
        """Yields the full results for any number of numbers, in order as they arrive.

        It sends requests of 100, at most ``concurrency`` at a time, each in a thread. Items are those of
        :meth:`lookup_batch`. If a request fails, its error is raised after the items before it. Each request appends
        ``-1``, ``-2``, and so on to an ``idempotency_key``. Leaving the loop cancels requests that haven't started.
        """
        asked = ListCall(list_options(country, expect_country, accept_types), concurrency, idempotency_key)
        pending: Deque[Future[List[BatchItem]]] = deque()
        pool = ThreadPoolExecutor(concurrency)

        def run(chunk: List[str], key: Optional[str]) -> List[BatchItem]:
            return self._call(batch_call(chunk, asked.options), key)

        try:
            for request, chunk in enumerate(chunks_of(numbers), 1):
                pending.append(pool.submit(run, chunk, asked.key_of(request)))
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
        """Closes open connections. A custom HTTP client isn't closed."""
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
        for retries in count():
            outcome, info = self._try(request, retries + 1)
            pause = retry_pause(outcome, retries, self._settings.max_wait, random.random)
            if pause is None or retries >= self._settings.max_retries:
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
