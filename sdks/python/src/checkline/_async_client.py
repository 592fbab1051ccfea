from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from itertools import count
from types import TracebackType
from typing import AsyncIterable, AsyncIterator, Awaitable, Callable, Deque, Iterable, List, Optional, Tuple, Type, TypeVar, Union

from ._async_http import StandardAsyncHttpClient
from ._calls import MAX_BATCH, BatchItem, Call, ListCall, NumberInput, batch_call, chunks_of, lookup_call, options_of, quota_call, verify_call
from ._outcome import NO_ANSWER, Outcome, conclude, connection_error, retry_pause
from ._settings import Secret, Settings, checked_http_client, until
from ._stream import StreamItem, async_segments, read_answer
from .http import AsyncHttpClient, HttpRequest
from .lookup_result import LookupResult
from .results import Quota, ResponseInfo, Verification

T = TypeVar("T")


class AsyncCheckline:
    """Verifies phone numbers with asyncio. One client can serve any number of tasks, in any event loop.

    Arguments and errors are those of :class:`Checkline`. Canceling a call ends its request and its retries.
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
        http_client: Optional[AsyncHttpClient] = None,
    ) -> None:
        key = None if api_key is None else Secret(api_key)
        del api_key  # Otherwise a traceback with local variables would show it.
        self._settings = Settings(key, base_url, timeout, connect_timeout, deadline, max_retries, max_wait, on_response)
        self._http: AsyncHttpClient = (
            StandardAsyncHttpClient() if http_client is None else checked_http_client(http_client)
        )
        self._sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    def __repr__(self) -> str:
        return self._settings.describe(self)

    async def verify(
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
        """The same as :meth:`Checkline.verify`."""
        options = options_of(country, expect_country, accept_types, accept_line_types, reject_unallocated)
        return await self._call(verify_call(number, options), idempotency_key)

    async def lookup(
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
        """The same as :meth:`Checkline.lookup`."""
        options = options_of(country, expect_country, accept_types, accept_line_types, reject_unallocated)
        return await self._call(lookup_call(number, options), idempotency_key)

    async def lookup_batch(
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
        """The same as :meth:`Checkline.lookup_batch`."""
        options = options_of(country, expect_country, accept_types, accept_line_types, reject_unallocated)
        return await self._call(batch_call(numbers, options), idempotency_key)

    async def lookup_stream(
        self,
        numbers: Union[Iterable[NumberInput], AsyncIterable[NumberInput]],
        country: Optional[str] = None,
        *,
        expect_country: Optional[str] = None,
        accept_types: Optional[Iterable[str]] = None,
        accept_line_types: Optional[Iterable[str]] = None,
        reject_unallocated: bool = False,
    ) -> AsyncIterator[StreamItem]:
        """The same as :meth:`Checkline.lookup_stream`, including for asynchronous sources."""
        options = options_of(country, expect_country, accept_types, accept_line_types, reject_unallocated)
        async for lines in async_segments(numbers, options):
            retries = 0
            while lines:
                outcome, info = await self._try(self._settings.stream_request(lines), retries + 1)
                answered = read_answer(outcome, info, lines, retries, self._settings.max_wait)
                for item in answered.items:
                    yield item
                if answered.error is not None and (answered.pause is None or retries >= self._settings.max_retries):
                    raise answered.error
                lines, retries = answered.rest, retries + 1
                if answered.pause is not None:
                    await self._sleep(answered.pause)

    async def lookup_all(
        self,
        numbers: Union[Iterable[NumberInput], AsyncIterable[NumberInput]],
        country: Optional[str] = None,
        *,
        expect_country: Optional[str] = None,
        accept_types: Optional[Iterable[str]] = None,
        accept_line_types: Optional[Iterable[str]] = None,
        reject_unallocated: bool = False,
        concurrency: int = 4,
        idempotency_key: Optional[str] = None,
    ) -> AsyncIterator[BatchItem]:
        """The same as :meth:`Checkline.lookup_all`, for ``async for``. The numbers may be asynchronous too."""
        options = options_of(country, expect_country, accept_types, accept_line_types, reject_unallocated)
        asked = ListCall(options, concurrency, idempotency_key)
        pending: Deque[asyncio.Future[List[BatchItem]]] = deque()
        requests = 0
        try:
            async for chunk in _chunks_of(numbers):
                call = batch_call(chunk, asked.options, requests * MAX_BATCH)
                requests += 1
                pending.append(asyncio.ensure_future(self._call(call, asked.key_of(requests))))
                if len(pending) == concurrency:
                    for item in await pending.popleft():
                        yield item
            while pending:
                for item in await pending.popleft():
                    yield item
        finally:
            for left in pending:
                left.cancel()
            await asyncio.gather(*pending, return_exceptions=True)

    async def quota(self) -> Quota:
        """The same as :meth:`Checkline.quota`."""
        return await self._call(quota_call(), None)

    async def aclose(self) -> None:
        """Closes this event loop's open connections. Your own HTTP client is not affected."""
        if type(self._http) is StandardAsyncHttpClient:
            await self._http.aclose()

    async def __aenter__(self) -> AsyncCheckline:
        return self

    async def __aexit__(
        self, _kind: Optional[Type[BaseException]], _error: Optional[BaseException], _trace: Optional[TracebackType]
    ) -> None:
        await self.aclose()

    async def _call(self, call: Call[T], idempotency_key: Optional[str]) -> T:
        request = self._settings.request(call.path, call.body, idempotency_key)
        end = self._settings.end()
        for retries in count():
            outcome, info = await self._try(until(end, request), retries + 1)
            pause = retry_pause(outcome, retries, self._settings.max_wait, random.random)
            if pause is None or retries >= self._settings.max_retries or time.monotonic() + pause >= end:
                break
            await self._sleep(pause)
        return conclude(outcome, call, info)

    async def _try(self, request: HttpRequest, attempt: int) -> Tuple[Outcome, Optional[ResponseInfo]]:
        began = time.monotonic()
        outcome = await self._attempt(request)
        return outcome, self._settings.tell(outcome, attempt, time.monotonic() - began)

    async def _attempt(self, request: HttpRequest) -> Outcome:
        try:
            return await self._http.send(request)
        except NO_ANSWER as error:
            return connection_error(error, request, type(self._http) is StandardAsyncHttpClient)


async def _chunks_of(numbers: Union[Iterable[NumberInput], AsyncIterable[NumberInput]]) -> AsyncIterator[List[NumberInput]]:
    """The numbers, a hundred at a time."""
    if not isinstance(numbers, AsyncIterable):
        for chunk in chunks_of(numbers):
            yield chunk
        return
    read: List[NumberInput] = []
    async for number in numbers:
        read.append(number)
        if len(read) == MAX_BATCH:
            yield read
            read = []
    if read:
        yield read
