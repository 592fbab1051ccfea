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
    """The key is missing, unknown, expired or revoked, or may not do this (401, 403)."""


class QuotaError(ChecklineError):
    """The quota or the key's cap has too little left (402). ``quota`` has its figures; None where there are none."""

    quota: Optional[Quota] = None


class RateLimitError(ChecklineError):
    """Too many requests (429). ``retry_after`` is the pause asked for, in seconds; None where none was named."""

    retry_after: Optional[int] = None


class InvalidRequestError(ChecklineError):
    """The request cannot be answered as it is (other 4xx). ``fields`` says what is wrong with each, if known."""

    fields: Mapping[str, str] = {}


class VerificationFailedError(ChecklineError):
    """The verification of this number failed, as the sandbox's failing scenarios do.

    :meth:`Checkline.lookup_batch` gives it in the place of the number; ``status`` is None then.
    """


class ServerError(ChecklineError):
    """The service failed (5xx), redirected, or gave a response that cannot be used."""


class ChecklineConnectionError(ChecklineError):
    """There was no whole response: ``code`` is ``TIMEOUT`` or ``CONNECTION_FAILED``."""
