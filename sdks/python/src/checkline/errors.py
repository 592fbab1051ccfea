"""The errors of a call. All of them are a :class:`ChecklineError`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Mapping, Optional

if TYPE_CHECKING:
    from .results import Quota


class ChecklineError(Exception):
    """A call without a result.

    ``message`` is the service's error message, ``code`` its stable code (or ``UNEXPECTED_RESPONSE``, ``TIMEOUT``,
    ``CONNECTION_FAILED``). ``status`` is the HTTP status, None without a response; ``request_id`` identifies the
    response for support.
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
    """The key is missing, invalid, expired, or revoked, or lacks permission (401, 403)."""


class QuotaError(ChecklineError):
    """The quota or the key's cap has too little left (402). ``quota`` has the figures, or None."""

    quota: Optional[Quota] = None


class RateLimitError(ChecklineError):
    """Too many requests (429). ``retry_after`` is the requested pause in seconds, or None."""

    retry_after: Optional[int] = None


class InvalidRequestError(ChecklineError):
    """The service rejected the request (other 4xx). ``fields`` has the problem with each field, if known."""

    fields: Mapping[str, str] = {}


class VerificationFailedError(ChecklineError):
    """The number is one of the sandbox's nine failing numbers.

    :meth:`Checkline.lookup_batch` returns the error as the number's item; ``status`` is None then.
    """


class ServerError(ChecklineError):
    """The service failed (5xx), redirected, or returned an unusable response."""


class ChecklineConnectionError(ChecklineError):
    """There was no complete response: ``code`` is ``TIMEOUT`` or ``CONNECTION_FAILED``."""
