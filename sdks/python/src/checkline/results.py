"""The results of calls. Enum values are plain strings: the service may add new ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Mapping, Optional, Tuple, Union

from .errors import VerificationFailedError


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
    """``trial`` or ``pro``. None without a subscription, and in a key's cap and an error."""
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
    """The carrier the range was first allocated to. A ported number may have moved to another."""


@dataclass(frozen=True)
class Deliverability:
    """What the numbering plan says about reaching a number. No network is queried."""

    sms: str
    """Whether numbers of this kind receive text messages: ``likely``, ``unlikely``, or ``unknown``."""
    voice: str
    """Whether numbers of this kind receive calls: ``likely``, ``unlikely``, or ``unknown``."""
    flags: Tuple[str, ...]
    """The reasons behind the estimates, and other warning signs, such as ``premium_rate``."""


@dataclass(frozen=True)
class Suggestion:
    """The number the user may have meant. Ask before you use it."""

    number: str
    """A valid number in E.164."""
    reason: str
    """How the number sent differs from it, such as ``MISSING_PLUS``."""


@dataclass(frozen=True)
class ShortCode:
    """Details about a short code."""

    cost: str
    """What a call costs: ``toll_free``, ``standard_rate``, ``premium_rate``, or ``unknown``."""
    emergency: bool
    """Whether it reaches an emergency service."""


@dataclass(frozen=True)
class LookupResult:
    """The full result for one number. ``valid=False`` is a result, not an error."""

    valid: bool
    """Whether the number is in a range assigned by its country's numbering plan."""
    number: Optional[str]
    """The number in E.164 form, as we understood it; None if we couldn't read one."""
    local_format: Optional[str]
    """How the number is written within its country; None if invalid."""
    international_format: Optional[str]
    """How the number is written for callers abroad; None if invalid."""
    country_prefix: Optional[str]
    """The calling code with its plus sign, for example ``+55``."""
    country_code: Optional[str]
    """ISO 3166-1 alpha-2; None for calling codes that don't belong to a country."""
    country_name: Optional[str]
    """The country's English name."""
    location: Optional[str]
    """The area a geographic number was assigned to, or the country name if the plan has nothing more specific."""
    carrier: Optional[str]
    """The carrier the range was first allocated to. A ported number may have moved to another."""
    line_type: Optional[str]
    """``mobile``, ``fixed`` or ``voip``; None if the numbering plan can't tell mobile from fixed."""
    number_type: str
    """The numbering plan's own, more specific type, such as ``toll_free``."""
    extension: Optional[str]
    """The extension in the input, digits only."""
    possible: bool
    """Whether the number is valid, or at least has a length the country's numbering plan uses."""
    reason: Optional[str]
    """Why the number is invalid, such as ``TOO_SHORT``; None if valid."""
    time_zones: Tuple[str, ...]
    """IANA time zones the number may be in; empty if invalid."""
    carrier_source: str
    """Where ``carrier`` comes from: ``original_allocation``, not a live network query."""
    number_portability: Optional[bool]
    """Whether mobile numbers can move between carriers in this country; None without a country."""
    deliverability: Deliverability
    """An estimate of how reachable the number is."""
    reachability: str
    """``not_checked``: we never contact the handset."""
    suggestion: Optional[Suggestion] = None
    """The number the user may have meant, if exactly one fits."""
    short_code: Optional[ShortCode] = None
    """None unless ``reason`` is ``SHORT_CODE``."""
    accepted: Optional[bool] = None
    """Whether the number meets the call's ``expect_country`` and ``accept_types``; None without either."""
    rejected_because: Optional[str] = None
    """Why the number isn't accepted, such as ``OTHER_COUNTRY``."""
    status: Optional[str] = None
    """The sandbox's ``DELIVERED_TO_HANDSET``, with test keys; None otherwise."""
    response: ResponseInfo = field(default=ResponseInfo(200, None, 1, 0.0, {}), compare=False, repr=False)
    """The response that contained the result."""


BatchItem = Union[LookupResult, VerificationFailedError]
"""One item of :meth:`Checkline.lookup_batch`: a result, or why this number has none."""
