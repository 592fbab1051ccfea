from __future__ import annotations

import asyncio
from typing import List

import pytest
from answers import KEY, AsyncPlaying, answer

from checkline import AsyncCheckline, ChecklineConnectionError, HttpRequest, HttpResponse


def test_retries_after_a_pause_with_the_same_idempotency_key() -> None:
    pauses: List[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    http = AsyncPlaying(answer(500), asyncio.TimeoutError(), answer())
    client = AsyncCheckline(KEY, http_client=http)
    client._sleep = pause
    assert asyncio.run(client.lookup("+5511987654321")).carrier == "TIM"
    assert len({request.headers["Idempotency-Key"] for request in http.requests}) == 1
    assert 0.25 <= pauses[0] <= 0.5 <= pauses[1] <= 1.0


def test_an_asyncio_timeout_is_reported_as_a_timeout() -> None:
    client = AsyncCheckline(KEY, http_client=AsyncPlaying(asyncio.TimeoutError()), max_retries=0)
    with pytest.raises(ChecklineConnectionError) as failed:
        asyncio.run(client.verify("+5511987654321"))
    assert (failed.value.code, failed.value.__context__) == ("TIMEOUT", None)


def test_a_canceled_call_is_not_retried() -> None:
    class Never:
        requests = 0

        async def send(self, request: HttpRequest) -> HttpResponse:
            self.requests += 1
            await asyncio.Event().wait()
            raise AssertionError

    async def cancel() -> None:
        http = Never()
        call = asyncio.ensure_future(AsyncCheckline(KEY, http_client=http).lookup("+5511987654321"))
        while http.requests == 0:
            await asyncio.sleep(0)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert http.requests == 1

    asyncio.run(cancel())


def test_calls_run_concurrently_in_any_event_loop() -> None:
    class Slow:
        running = most = 0

        async def send(self, _request: HttpRequest) -> HttpResponse:
            self.running += 1
            self.most = max(self.most, self.running)
            await asyncio.sleep(0.01)
            self.running -= 1
            return answer()

    http = Slow()
    client = AsyncCheckline(KEY, http_client=http)

    async def several() -> None:
        await asyncio.gather(*(client.verify("+5511987654321") for _ in range(50)))

    asyncio.run(several())
    asyncio.run(several())
    assert http.most == 50


def test_a_printed_client_does_not_show_the_key() -> None:
    client = AsyncCheckline(KEY)
    assert KEY not in repr(client) + repr(vars(client)) + repr(vars(client._settings))
    assert repr(client).startswith("AsyncCheckline(base_url=")
