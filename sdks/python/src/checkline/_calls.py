"""The calls: their requests, and how to parse their responses. No I/O."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Callable, Dict, Generic, Iterable, Iterator, List, Mapping, Optional, Tuple, TypeVar, overload

from .errors import VerificationFailedError
from .results import BatchItem, Deliverability, LookupResult, Quota, ResponseInfo, ShortCode, Suggestion, Verification

T = TypeVar("T")

MAX_BATCH = 100
"""The maximum count of numbers in one request."""


@dataclass(frozen=True)
class Call(Generic[T]):
    """An API call. ``read`` parses its result from JSON and response, or returns None if it doesn't fit."""

    path: str
    body: Optional[Mapping[str, object]]
    """None for a GET."""
    read: Callable[[object, ResponseInfo], Optional[T]]


@dataclass(frozen=True)
class Options:
    """A call's fields besides its numbers."""

    country: Optional[str] = None
    expect_country: Optional[str] = None
    accept_types: Optional[Iterable[str]] = None


def verify_call(number: str, options: Options) -> Call[Verification]:
    """The short result."""
    return Call("/verify", request_body({"number": _checked(number, "number")}, options), _read_verification)


def lookup_call(number: str, options: Options) -> Call[LookupResult]:
    """The full result."""
    return Call("/verify", request_body({"number": _checked(number, "number")}, options), read_result)


def batch_call(numbers: Iterable[str], options: Options) -> Call[List[BatchItem]]:
    """Full results in order. Raises TypeError for one number instead of several, and for non-strings."""
    if isinstance(numbers, (str, bytes)):
        raise TypeError("lookup_batch takes several numbers; lookup takes one.")
    asked = [_checked(number, "each of the numbers") for number in numbers]

    def read(data: object, response: ResponseInfo) -> Optional[List[BatchItem]]:
        answers = data.get("results") if isinstance(data, dict) else None
        if not isinstance(answers, list) or len(answers) != len(asked):
            return None
        items = [_read_item(answer, response) for answer in answers]
        usable = [item for item in items if item is not None]
        return usable if len(usable) == len(items) else None

    return Call("/verify/batch", request_body({"numbers": asked}, options), read)


def quota_call() -> Call[Quota]:
    """The quota."""
    return Call("/account/quota", None, lambda data, _response: read_quota(data))


@dataclass(frozen=True)
class ListCall:
    """A list of any length, sent a hundred numbers at a time. Raises ValueError and TypeError for invalid arguments."""

    options: Options
    concurrency: int
    idempotency_key: Optional[str]

    def __post_init__(self) -> None:
        if not isinstance(self.concurrency, int) or isinstance(self.concurrency, bool) or self.concurrency < 1:
            raise ValueError("concurrency must be a whole number, 1 or more.")
        request_body({}, self.options)

    def key_of(self, request: int) -> Optional[str]:
        """A request's idempotency key, counted from 1."""
        return None if self.idempotency_key is None else f"{self.idempotency_key}-{request}"


def list_options(country: Optional[str], expect_country: Optional[str], accept_types: Optional[Iterable[str]]) -> Options:
    """Options that can be used repeatedly, even if the types come from an iterator."""
    again = accept_types if accept_types is None or isinstance(accept_types, (str, bytes)) else list(accept_types)
    return Options(country, expect_country, again)


def chunks_of(numbers: Iterable[str]) -> Iterator[List[str]]:
    """The numbers, a hundred at a time."""
    if isinstance(numbers, (str, bytes)):
        raise TypeError("lookup_all takes several numbers; lookup takes one.")
    rest = iter(numbers)
    while chunk := list(islice(rest, MAX_BATCH)):
        yield chunk


def request_body(numbers: Dict[str, object], options: Options) -> Dict[str, object]:
    """The body of a request. Raises TypeError for an option of another type."""
    body = dict(numbers)
    if options.country is not None:
        body["country"] = _checked(options.country, "country")
    if options.expect_country is not None:
        body["expect_country"] = _checked(options.expect_country, "expect_country")
    if options.accept_types is not None:
        if isinstance(options.accept_types, (str, bytes)):
            raise TypeError("accept_types takes several number types, in a list.")
        body["accept_types"] = [_checked(each, "each of accept_types") for each in options.accept_types]
    return body


def _checked(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a str, not {type(value).__name__}.")
    return value


def _read_verification(data: object, response: ResponseInfo) -> Optional[Verification]:
    result = read_result(data, response)
    return None if result is None else Verification(result.valid, result.carrier)


def _read_item(data: object, response: ResponseInfo) -> Optional[BatchItem]:
    message = _text(data, "error") if isinstance(data, dict) else None
    if not isinstance(data, dict) or message is None:
        return read_result(data, response)
    code = _text(data, "code")
    return VerificationFailedError(message, "UNEXPECTED_RESPONSE" if code is None else code, request_id=response.request_id)


def read_result(data: object, response: ResponseInfo) -> Optional[LookupResult]:
    """The result in the JSON, or None."""
    if not isinstance(data, dict):
        return None
    valid = data.get("valid")
    if not isinstance(valid, bool):
        return None
    return LookupResult(
        valid=valid,
        number=_text(data, "number"),
        local_format=_text(data, "local_format"),
        international_format=_text(data, "international_format"),
        country_prefix=_text(data, "country_prefix"),
        country_code=_text(data, "country_code"),
        country_name=_text(data, "country_name"),
        location=_text(data, "location"),
        carrier=_text(data, "carrier"),
        line_type=_text(data, "line_type"),
        number_type=_text(data, "number_type") or "unknown",
        extension=_text(data, "extension"),
        possible=_flag(data, "possible", valid),
        reason=_text(data, "reason"),
        time_zones=_texts(data, "time_zones"),
        carrier_source=_text(data, "carrier_source") or "original_allocation",
        number_portability=_flag(data, "number_portability"),
        deliverability=_read_deliverability(data.get("deliverability")),
        reachability=_text(data, "reachability") or "not_checked",
        suggestion=_read_suggestion(data.get("suggestion")),
        short_code=_read_short_code(data.get("short_code")),
        accepted=_flag(data, "accepted"),
        rejected_because=_text(data, "rejected_because"),
        status=_text(data, "status"),
        response=response,
    )


def _read_deliverability(data: object) -> Deliverability:
    fields = data if isinstance(data, dict) else {}
    return Deliverability(_text(fields, "sms") or "unknown", _text(fields, "voice") or "unknown", _texts(fields, "flags"))


def _read_suggestion(data: object) -> Optional[Suggestion]:
    fields = data if isinstance(data, dict) else {}
    number, reason = _text(fields, "number"), _text(fields, "reason")
    return None if number is None or reason is None else Suggestion(number, reason)


def _read_short_code(data: object) -> Optional[ShortCode]:
    fields = data if isinstance(data, dict) else {}
    cost, emergency = _text(fields, "cost"), _flag(fields, "emergency")
    return None if cost is None or emergency is None else ShortCode(cost, emergency)


def read_quota(data: object) -> Optional[Quota]:
    """The figures in the JSON, or None."""
    used = _count(data, "used") if isinstance(data, dict) else None
    if not isinstance(data, dict) or used is None:
        return None
    return Quota(
        plan=_text(data, "plan"),
        limit=_count(data, "limit"),
        used=used,
        remaining=_count(data, "remaining"),
        resets_at=_text(data, "resets_at"),
        key_cap=read_quota(data.get("key_cap")),
    )


# A field of an undocumented type counts as absent.


def _text(data: Mapping[str, object], name: str) -> Optional[str]:
    value = data.get(name)
    return value if isinstance(value, str) else None


@overload
def _flag(data: Mapping[str, object], name: str) -> Optional[bool]: ...
@overload
def _flag(data: Mapping[str, object], name: str, default: bool) -> bool: ...
def _flag(data: Mapping[str, object], name: str, default: Optional[bool] = None) -> Optional[bool]:
    value = data.get(name)
    return value if isinstance(value, bool) else default


def _count(data: Mapping[str, object], name: str) -> Optional[int]:
    value = data.get(name)
    return int(value) if isinstance(value, float) and value.is_integer() else None


def _texts(data: Mapping[str, object], name: str) -> Tuple[str, ...]:
    value = data.get(name)
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()
