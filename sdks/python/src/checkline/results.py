"""The results of calls, apart from :class:`LookupResult`. Enum values are plain strings: the service may add new ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Mapping, Optional


@dataclass(frozen=True)
class RateLimit:
    """What remains of a limit."""

    remaining: int
    """The remaining count."""
    reset_seconds: int
    """Seconds until more are available."""


@dataclass(frozen=True)
class ResponseInfo:
    """A response's metadata. Contains neither the number nor the key, so it is safe to log."""

    status: int
    request_id: Optional[str]
    """``X-Request-Id``, for support requests."""
    data_version: Optional[str]
    """``Data-Version``, the version of the data behind the result, such as ``9.0.43+3f9c1a``. None if there is no result."""
    attempt: int
    """The attempt number within its call, starting at 1."""
    duration: float
    """Seconds from sending the request to the end of the body."""
    rate_limits: Mapping[str, RateLimit]
    """What is left of each per-minute limit, by name: ``requests`` and ``numbers``. Empty if the response doesn't say."""


@dataclass(frozen=True)
class Quota:
    """The state of a quota, counted in successful live verifications."""

    plan: Optional[str]
    """The plan's id, such as ``trial``. None without a subscription, and in a key's cap and an error."""
    limit: Optional[int]
    """None if unlimited."""
    used: int
    remaining: Optional[int]
    """None if unlimited."""
    resets_at: Optional[str]
    """When it resets, in ISO 8601; None if it doesn't."""
    key_cap: Optional[Quota]
    """The calling key's monthly cap; None without one."""


@dataclass(frozen=True)
class Verification:
    """The short result of :meth:`Checkline.verify`."""

    valid: bool
    """Whether the number is in a range assigned by its country's numbering plan."""
    carrier: Optional[str]
    """The carrier whose range it is, by today's brand. A ported number may have moved to another."""

    def __bool__(self) -> bool:
        """``valid``: ``if client.verify(number)`` accepts no invalid number."""
        return self.valid
