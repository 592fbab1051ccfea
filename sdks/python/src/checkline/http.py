"""How the clients reach the service, and the interfaces for your own HTTP client."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Mapping, Protocol


@dataclass(frozen=True)
class HttpRequest:
    """One attempt: send ``body`` to ``url``. The key is in ``headers``, which ``repr()`` omits."""

    url: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    connect_timeout: float
    """Seconds for opening a connection to one address."""
    timeout: float
    """Seconds for everything, from opening the connection through the last byte of the response's body."""
    method: str = "POST"
    """``POST``, or ``GET`` with an empty body."""
    is_stream: bool = False
    """Whether ``timeout`` restarts with every byte of the response: the service may hold back a stream's lines."""


@dataclass(frozen=True)
class HttpResponse:
    """A response of any status, with its complete body. Header names may have any case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class HttpClient(Protocol):
    """Sends requests for a :class:`Checkline`, from any number of threads."""

    def send(self, request: HttpRequest) -> HttpResponse:
        """Sends the request once and follows no redirects.

        Raises TimeoutError after ``request.timeout`` and any other OSError when the connection failed; the client
        retries these. Other exceptions reach the caller unchanged.
        """


class AsyncHttpClient(Protocol):
    """Sends requests for an :class:`AsyncCheckline`."""

    async def send(self, request: HttpRequest) -> HttpResponse:
        """The same as :meth:`HttpClient.send`. Canceling it ends the request."""
