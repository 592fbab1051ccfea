"""The errors of a call. All of them are a :class:`ChecklineError`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Mapping, Optional

if TYPE_CHECKING:
    from .results import Quota


class ChecklineError(Exception):
    """A call that failed.

    ``message`` is the service's message, and ``code`` its stable name for the error (or ``UNEXPECTED_RESPONSE``,
    ``TIMEOUT``, ``CONNECTION_FAILED``). ``status`` is the HTTP status, None without a response. ``request_id`` identifies
    the response to support.
    """

    def __init__(
        self,
        message: str,
        code: str = "UNEXPECTED_RESPONSE",
        status: Optional[int] = None,
        request_id: Optional[str] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.request_id = request_id

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({self.message!r}, code={self.code!r},"
            f" status={self.status!r}, request_id={self.request_id!r})"
        )


class AuthenticationError(ChecklineError):
    """The key is missing, unknown, expired, revoked, or not allowed to do this (401, 403)."""


class QuotaError(ChecklineError):
    """Not enough quota or cap left (402). ``quota`` has the details; None if the response has none."""

    quota: Optional[Quota] = None


class RateLimitError(ChecklineError):
    """Too many requests (429). ``retry_after`` is the time to wait, in seconds; None if the response has none."""

    retry_after: Optional[int] = None


class InvalidRequestError(ChecklineError):
    """The request is invalid (other 4xx). ``fields`` lists what's wrong with each field, if known."""

    fields: Mapping[str, str] = {}


class VerificationFailedError(ChecklineError):
    """The verification of this number failed: a failing sandbox scenario.

    :meth:`Checkline.lookup_batch` returns it as the number's item, with a ``status`` of None.
    """


class ServerError(ChecklineError):
    """The service failed (5xx), redirected, or returned an unusable response."""


class ChecklineConnectionError(ChecklineError):
    """There was no complete response: ``code`` is ``TIMEOUT`` or ``CONNECTION_FAILED``."""
