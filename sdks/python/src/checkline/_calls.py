"""The three calls: what each asks, and how its answer is read. Nothing here does I/O."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Dict, Generic, Iterable, List, Mapping, Optional, Tuple, TypeVar

from .errors import VerificationFailedError
from .results import BatchItem, Deliverability, LookupResult, ShortCode, Suggestion, Verification

T = TypeVar("T")


@dataclass(frozen=True)
class Call(Generic[T]):
    """A call of the API. ``read`` makes its result of JSON and request id, or None when that is no answer to it."""

    path: str
    body: Mapping[str, object]
    read: Callable[[object, Optional[str]], Optional[T]]


@dataclass(frozen=True)
class Options:
    """What a call says beside its numbers."""

    country: Optional[str] = None
    expect_country: Optional[str] = None
    accept_types: Optional[Iterable[str]] = None


def verify_call(number: str, options: Options) -> Call[Verification]:
    """The short answer."""
    return Call("/verify", request_body({"number": _checked(number, "number")}, options), _read_verification)


def lookup_call(number: str, options: Options) -> Call[LookupResult]:
    """The full answer."""
    return Call("/verify", request_body({"number": _checked(number, "number")}, options), lambda data, _request_id: read_result(data))


def batch_call(numbers: Iterable[str], options: Options) -> Call[List[BatchItem]]:
    """Full answers in order. Raises TypeError for one number in the place of several, and for one that is no str."""
    if isinstance(numbers, (str, bytes)):
        raise TypeError("lookup_batch takes several numbers; lookup takes one.")
    asked = [_checked(number, "each of the numbers") for number in numbers]

    def read(data: object, request_id: Optional[str]) -> Optional[List[BatchItem]]:
        answers = data.get("results") if isinstance(data, dict) else None
        if not isinstance(answers, list) or len(answers) != len(asked):
            return None
        items = [_read_item(answer, request_id) for answer in answers]
        usable = [item for item in items if item is not None]
        return usable if len(usable) == len(items) else None

    return Call("/verify/batch", request_body({"numbers": asked}, options), read)


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


def _read_verification(data: object, _request_id: Optional[str]) -> Optional[Verification]:
    result = read_result(data)
    return None if result is None else Verification(result.valid, result.carrier)


def _read_item(data: object, request_id: Optional[str]) -> Optional[BatchItem]:
    message = _text(data, "error") if isinstance(data, dict) else None
    if not isinstance(data, dict) or message is None:
        return read_result(data)
    code = _text(data, "code")
    return VerificationFailedError(message, "UNEXPECTED_ANSWER" if code is None else code, request_id=request_id)


def read_result(data: object) -> Optional[LookupResult]:
    """The result that JSON says, or None where it says none."""
    if not isinstance(data, dict):
        return None
    valid = _flag(data, "valid")
    if valid is None:
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
        number_type=_text(data, "number_type"),
        extension=_text(data, "extension"),
        possible=_flag(data, "possible"),
        reason=_text(data, "reason"),
        time_zones=_texts(data, "time_zones"),
        carrier_source=_text(data, "carrier_source"),
        number_portability=_flag(data, "number_portability"),
        deliverability=_read_deliverability(data.get("deliverability")),
        reachability=_text(data, "reachability"),
        suggestion=_read_suggestion(data.get("suggestion")),
        short_code=_read_short_code(data.get("short_code")),
        accepted=_flag(data, "accepted"),
        rejected_because=_text(data, "rejected_because"),
        status=_text(data, "status"),
    )


def _read_deliverability(data: object) -> Optional[Deliverability]:
    if not isinstance(data, dict):
        return None
    return Deliverability(_text(data, "sms"), _text(data, "voice"), _texts(data, "flags"))


def _read_suggestion(data: object) -> Optional[Suggestion]:
    return Suggestion(_text(data, "number"), _text(data, "reason")) if isinstance(data, dict) else None


def _read_short_code(data: object) -> Optional[ShortCode]:
    return ShortCode(_text(data, "cost"), _flag(data, "emergency")) if isinstance(data, dict) else None


# A field of another type than the documented one counts as absent.


def _text(data: Mapping[str, object], name: str) -> Optional[str]:
    value = data.get(name)
    return value if isinstance(value, str) else None


def _flag(data: Mapping[str, object], name: str) -> Optional[bool]:
    value = data.get(name)
    return value if isinstance(value, bool) else None


def _texts(data: Mapping[str, object], name: str) -> Tuple[str, ...]:
    value = data.get(name)
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()
