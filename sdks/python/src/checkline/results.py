"""What a call gives. Texts that name one of several values are plain strings: the service may learn new ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Mapping, Optional, Tuple, Union

from .errors import VerificationFailedError


@dataclass(frozen=True)
class RateLimit:
    """What is left of a limit."""

    remaining: int
    """How many remain."""
    reset_seconds: int
    """Seconds until there are more."""


@dataclass(frozen=True)
class ResponseInfo:
    """What a response says beside its body. It has neither the number nor the key, so that it can be logged."""

    status: int
    request_id: Optional[str]
    """``X-Request-Id``, to quote to support."""
    attempt: int
    """Which attempt of its call it came to, from 1."""
    duration: float
    """Seconds from sending the request to the end of the body."""
    rate_limits: Mapping[str, RateLimit]
    """What is left of each limit of the minute, by its name: ``requests`` and ``numbers``. Empty where it is not said."""


@dataclass(frozen=True)
class Quota:
    """What is left of a quota, counted in successful live verifications."""

    plan: Optional[str]
    """``trial`` or ``pro``. None without a subscription, and in a key's cap and an error."""
    limit: Optional[int]
    """None where nothing limits them."""
    used: int
    remaining: Optional[int]
    """None where nothing limits them."""
    resets_at: Optional[str]
    """When it begins again, in ISO 8601; None for one that does not."""
    key_cap: Optional[Quota]
    """The monthly cap of the key that asks; None without one."""


@dataclass(frozen=True)
class Verification:
    """The short result of :meth:`Checkline.verify`."""

    valid: bool
    """Whether the number is in a range assigned by its country's numbering plan."""
    carrier: Optional[str]
    """The carrier the range was first allocated to. A ported number may have moved to another."""


@dataclass(frozen=True)
class Deliverability:
    """What the numbering plan says about reaching a number. No network is asked."""

    sms: str
    """Whether numbers of this kind receive text messages: ``likely``, ``unlikely`` or ``unknown``."""
    voice: str
    """Whether numbers of this kind receive calls: ``likely``, ``unlikely`` or ``unknown``."""
    flags: Tuple[str, ...]
    """What led to the two estimates, and other reasons for doubt, such as ``premium_rate``."""


@dataclass(frozen=True)
class Suggestion:
    """A number that may have been meant. Ask before you use it."""

    number: str
    """A valid number in E.164."""
    reason: str
    """How the number sent differs from it, such as ``MISSING_PLUS``."""


@dataclass(frozen=True)
class ShortCode:
    """What is known about a short code."""

    cost: str
    """What a call costs: ``toll_free``, ``standard_rate``, ``premium_rate`` or ``unknown``."""
    emergency: bool
    """Whether it reaches an emergency service."""


@dataclass(frozen=True)
class LookupResult:
    """The full result of one number. ``valid=False`` is a result, not an error."""

    valid: bool
    """Whether the number is in a range assigned by its country's numbering plan."""
    number: Optional[str]
    """The number in E.164 form, as it was understood; None when none could be read."""
    local_format: Optional[str]
    """How the number is written inside its country; None when it is not valid."""
    international_format: Optional[str]
    """How the number is written for callers abroad; None when it is not valid."""
    country_prefix: Optional[str]
    """The calling code with its plus sign, for example ``+55``."""
    country_code: Optional[str]
    """ISO 3166-1 alpha-2; None for calling codes that belong to no country."""
    country_name: Optional[str]
    """The country's English name."""
    location: Optional[str]
    """The area a geographic number was assigned to, or the country name if the plan has nothing more specific."""
    carrier: Optional[str]
    """The carrier the range was first allocated to. A ported number may have moved to another."""
    line_type: Optional[str]
    """``mobile``, ``fixed`` or ``voip``; None where the numbering plan cannot tell mobile from fixed."""
    number_type: str
    """The numbering plan's own, finer type, such as ``toll_free``."""
    extension: Optional[str]
    """The extension in the input, digits only."""
    possible: bool
    """Whether the number is valid, or at least has a length the country's numbering plan uses."""
    reason: Optional[str]
    """Why the number is not valid, such as ``TOO_SHORT``; None when it is."""
    time_zones: Tuple[str, ...]
    """IANA time zones the number may be in; empty if invalid."""
    carrier_source: str
    """Where ``carrier`` comes from: ``original_allocation``, not a live network query."""
    number_portability: Optional[bool]
    """Whether mobile numbers can move between carriers in this country; None without a country."""
    deliverability: Deliverability
    """What the numbering plan says about reaching the number."""
    reachability: str
    """``not_checked``: the handset is never contacted."""
    suggestion: Optional[Suggestion] = None
    """The number that may have been meant, where there is exactly one."""
    short_code: Optional[ShortCode] = None
    """None unless ``reason`` is ``SHORT_CODE``."""
    accepted: Optional[bool] = None
    """Whether the number meets ``expect_country`` and ``accept_types`` of the call; None without either."""
    rejected_because: Optional[str] = None
    """Why the number is not accepted, such as ``OTHER_COUNTRY``."""
    status: Optional[str] = None
    """``DELIVERED_TO_HANDSET`` in responses of the sandbox, to test keys; None otherwise."""
    response: ResponseInfo = field(default=ResponseInfo(200, None, 1, 0.0, {}), compare=False, repr=False)
    """The response that the result came in."""


BatchItem = Union[LookupResult, VerificationFailedError]
"""One item of :meth:`Checkline.lookup_batch`: a result, or why this number has none."""
