"""How the clients reach the service, and the interfaces for giving them an HTTP client of your own."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Mapping, Protocol


@dataclass(frozen=True)
class HttpRequest:
    """One attempt: ``body`` sent to ``url``. The key is in ``headers``, which are left out of ``repr()``."""

    url: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    connect_timeout: float
    """Seconds for opening a connection to one address."""
    timeout: float
    """Seconds for everything, from opening the connection to the last byte of the response's body."""
    method: str = "POST"
    """``POST``, or ``GET`` with an empty body."""
    is_stream: bool = False
    """Whether ``timeout`` begins again with every byte of the response: the service may hold back the lines of a stream."""


@dataclass(frozen=True)
class HttpResponse:
    """A response of any status, its body complete. Names of headers may have any case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class HttpClient(Protocol):
    """Sends requests for a :class:`Checkline`, from any number of threads."""

    def send(self, request: HttpRequest) -> HttpResponse:
        """Sends the request once and follows no redirect.

        Raises TimeoutError when ``request.timeout`` is over and any other OSError when the connection failed; the
        client tries these again. Other exceptions reach the caller as they are.
        """


class AsyncHttpClient(Protocol):
    """Sends requests for an :class:`AsyncCheckline`."""

    async def send(self, request: HttpRequest) -> HttpResponse:
        """The same as :meth:`HttpClient.send`. Canceling it ends the exchange."""
