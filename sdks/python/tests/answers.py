"""HTTP clients for tests without a network."""

from __future__ import annotations

import json
from typing import Any, List, Mapping, Optional, Union

from checkline import HttpRequest, HttpResponse

KEY = "ch_test_AKeyThatMustNotBeSeen"
RESULT = {"valid": True, "number": "+5511987654321", "carrier": "TIM"}
Played = Union[HttpResponse, BaseException]


def answer(status: int = 200, body: Any = RESULT, headers: Optional[Mapping[str, str]] = None) -> HttpResponse:
    return HttpResponse(status, headers or {}, json.dumps(body).encode())


class Playing:
    """An HTTP client that plays back responses and records requests."""

    def __init__(self, *played: Played) -> None:
        self.requests: List[HttpRequest] = []
        self._played = list(played)

    def send(self, request: HttpRequest) -> HttpResponse:
        self.requests.append(request)
        played = self._played.pop(0)
        if isinstance(played, HttpResponse):
            return played
        raise played


class AsyncPlaying(Playing):
    """The same for asyncio."""

    async def send(self, request: HttpRequest) -> HttpResponse:  # type: ignore[override]
        return super().send(request)
