from __future__ import annotations

import asyncio
import random
from itertools import count
from typing import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable, List, Optional, TypeVar, Union

from ._async_http import StandardAsyncHttpClient
from ._calls import Call, Options, batch_call, lookup_call, verify_call
from ._outcome import NO_ANSWER, Outcome, conclude, connection_error, retry_pause
from ._settings import Secret, Settings, checked_http_client
from ._stream import StreamedNumber, StreamItem, async_segments, read_answer
from .http import AsyncHttpClient, HttpRequest
from .results import BatchItem, LookupResult, Verification

T = TypeVar("T")


class AsyncCheckline:
    """Verifies phone numbers with asyncio. One client serves any number of tasks, in any event loop.

    Arguments and errors are those of :class:`Checkline`. Cancelling a call ends its exchange, and its retries.
    """

    def __init__(
        self,
        api_key: Optional[str] = None,
        *,
        base_url: Optional[str] = None,
        timeout: float = 10.0,
        connect_timeout: float = 5.0,
        max_retries: int = 2,
        http_client: Optional[AsyncHttpClient] = None,
    ) -> None:
        key = None if api_key is None else Secret(api_key)
        del api_key  # Else a traceback that shows local variables would show it.
        self._settings = Settings(key, base_url, timeout, connect_timeout, max_retries)
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
        idempotency_key: Optional[str] = None,
    ) -> Verification:
        """The same as :meth:`Checkline.verify`."""
        return await self._call(verify_call(number, Options(country, expect_country, accept_types)), idempotency_key)

    async def lookup(
        self,
        number: str,
        country: Optional[str] = None,
        *,
        expect_country: Optional[str] = None,
        accept_types: Optional[Iterable[str]] = None,
        idempotency_key: Optional[str] = None,
    ) -> LookupResult:
        """The same as :meth:`Checkline.lookup`."""
        return await self._call(lookup_call(number, Options(country, expect_country, accept_types)), idempotency_key)

    async def lookup_batch(
        self,
        numbers: Iterable[str],
        country: Optional[str] = None,
        *,
        expect_country: Optional[str] = None,
        accept_types: Optional[Iterable[str]] = None,
        idempotency_key: Optional[str] = None,
    ) -> List[BatchItem]:
        """The same as :meth:`Checkline.lookup_batch`."""
        return await self._call(batch_call(numbers, Options(country, expect_country, accept_types)), idempotency_key)

    async def lookup_stream(
        self,
        numbers: Union[Iterable[StreamedNumber], AsyncIterable[StreamedNumber]],
        country: Optional[str] = None,
        *,
        expect_country: Optional[str] = None,
        accept_types: Optional[Iterable[str]] = None,
    ) -> AsyncIterator[StreamItem]:
        """The same as :meth:`Checkline.lookup_stream`, of asynchronous sources too."""
        options = Options(country, expect_country, accept_types)
        async for lines in async_segments(numbers, options):
            retries = 0
            while lines:
                request = self._settings.stream_request(lines)
                answered = read_answer(await self._attempt(request), lines, retries)
                for item in answered.items:
                    yield item
                if answered.error is not None and (answered.pause is None or retries >= self._settings.max_retries):
                    raise answered.error
                lines, retries = answered.rest, retries + 1
                if answered.pause is not None:
                    await self._sleep(answered.pause)

    async def _call(self, call: Call[T], idempotency_key: Optional[str]) -> T:
        request = self._settings.request(call.path, call.body, idempotency_key)
        for retries in count():
            outcome = await self._attempt(request)
            pause = retry_pause(outcome, retries, random.random)
            if pause is None or retries >= self._settings.max_retries:
                break
            await self._sleep(pause)
        return conclude(outcome, call)

    async def _attempt(self, request: HttpRequest) -> Outcome:
        try:
            return await self._http.send(request)
        except NO_ANSWER as error:
            return connection_error(error, request, type(self._http) is StandardAsyncHttpClient)
