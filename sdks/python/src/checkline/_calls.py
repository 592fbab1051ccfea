"""The calls: their requests, and how to parse their responses. No I/O."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Callable, Dict, Generic, Iterable, Iterator, List, Mapping, Optional, TypeVar, Union

from ._fields import count, text
from .errors import VerificationFailedError
from .lookup_result import LookupResult, read_result
from .results import Quota, ResponseInfo, Verification

T = TypeVar("T")

NumberInput = Union[str, Mapping[str, object]]
"""A number of a list or stream, or a mapping with ``number``, and ``country`` and ``expect_country`` in place of the call's."""

BatchItem = Union[LookupResult, VerificationFailedError]
"""One item of :meth:`Checkline.lookup_batch`: a result, or why this number has none."""

MAX_BATCH = 100
"""The maximum count of numbers in one request."""


@dataclass(frozen=True)
class Call(Generic[T]):
    """An API call. ``read`` parses its result from JSON and response, or returns None if it doesn't fit."""

    path: str
    body: Optional[Mapping[str, object]]
    """None for a GET."""
    read: Callable[[object, ResponseInfo], Optional[T]]


Options = Mapping[str, object]
"""A call's fields besides its numbers."""


def options_of(
    country: Optional[str],
    expect_country: Optional[str],
    accept_types: Optional[Iterable[str]],
    accept_line_types: Optional[Iterable[str]],
    reject_unallocated: bool,
) -> Options:
    """Raises TypeError for an option of another type."""
    options: Dict[str, object] = {}
    for name, value in (("country", country), ("expect_country", expect_country)):
        if value is not None:
            options[name] = _checked(value, name)
    for name, types in (("accept_types", accept_types), ("accept_line_types", accept_line_types)):
        if isinstance(types, (str, bytes)):
            raise TypeError(f"{name} takes several types, in a list.")
        if types is not None:
            options[name] = [_checked(each, f"each of {name}") for each in types]
    if not isinstance(reject_unallocated, bool):
        raise TypeError(f"reject_unallocated must be a bool, not {type(reject_unallocated).__name__}.")
    if reject_unallocated:
        options["reject_unallocated"] = True
    return options


def verify_call(number: str, options: Options) -> Call[Verification]:
    """The short result."""
    return Call("/verify", {"number": _checked(number, "number"), **options}, _read_verification)


def lookup_call(number: str, options: Options) -> Call[LookupResult]:
    """The full result."""
    return Call("/verify", {"number": _checked(number, "number"), **options}, read_result)


def batch_call(numbers: Iterable[NumberInput], options: Options, start: int = 0) -> Call[List[BatchItem]]:
    """Full results in order. ``start`` is the first number's position in the caller's list.

    Raises TypeError for one number instead of several, and for anything but numbers.
    """
    check_several(numbers, "lookup_batch")
    items = [item_of(number, index) for index, number in enumerate(numbers, start)]
    asked = [item if len(item) > 1 else item["number"] for item in items]

    def read(data: object, response: ResponseInfo) -> Optional[List[BatchItem]]:
        answers = data.get("results") if isinstance(data, dict) else None
        if not isinstance(answers, list) or len(answers) != len(asked):
            return None
        items = [_read_item(answer, response) for answer in answers]
        usable = [item for item in items if item is not None]
        return usable if len(usable) == len(items) else None

    return Call("/verify/batch", {"numbers": asked, **options}, read)


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

    def key_of(self, request: int) -> Optional[str]:
        """A request's idempotency key, counted from 1."""
        return None if self.idempotency_key is None else f"{self.idempotency_key}-{request}"


def chunks_of(numbers: Iterable[NumberInput]) -> Iterator[List[NumberInput]]:
    """The numbers, a hundred at a time."""
    check_several(numbers, "lookup_all")
    rest = iter(numbers)
    while chunk := list(islice(rest, MAX_BATCH)):
        yield chunk


def check_several(numbers: object, call: str) -> None:
    """Raises TypeError for one number instead of several."""
    if isinstance(numbers, (str, bytes, Mapping)):
        raise TypeError(f"{call} takes several numbers; lookup takes one.")


_ITEM_NAMES = "number, country, and expect_country"


def item_of(item: NumberInput, index: int) -> Dict[str, object]:
    """A number with the options of its own. Raises TypeError for anything else, with its position from 0."""
    place = f"numbers[{index}]"
    if isinstance(item, str):
        return {"number": item}
    if not isinstance(item, Mapping):
        raise TypeError(f"{place} must be a str, or a mapping with {_ITEM_NAMES}, not {type(item).__name__}.")
    unknown = next((name for name in item if name not in ("number", "country", "expect_country")), None)
    if unknown is not None:
        raise TypeError(f"{place} has {unknown}, which doesn't exist: a number is a mapping with {_ITEM_NAMES}.")
    own: Dict[str, object] = {"number": _checked(item.get("number"), f'{place}["number"]')}
    for name in ("country", "expect_country"):
        if item.get(name) is not None:
            own[name] = _checked(item[name], f'{place}["{name}"]')
    return own


def _checked(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a str, not {type(value).__name__}.")
    return value


def _read_verification(data: object, response: ResponseInfo) -> Optional[Verification]:
    result = read_result(data, response)
    return None if result is None else Verification(result.valid, result.carrier)


def _read_item(data: object, response: ResponseInfo) -> Optional[BatchItem]:
    message = text(data, "error") if isinstance(data, dict) else None
    if not isinstance(data, dict) or message is None:
        return read_result(data, response)
    code = text(data, "code")
    return VerificationFailedError(message, "UNEXPECTED_RESPONSE" if code is None else code, request_id=response.request_id)


def read_quota(data: object) -> Optional[Quota]:
    """The figures in the JSON, or None."""
    used = count(data, "used") if isinstance(data, dict) else None
    if not isinstance(data, dict) or used is None:
        return None
    return Quota(
        plan=text(data, "plan"),
        limit=count(data, "limit"),
        used=used,
        remaining=count(data, "remaining"),
        resets_at=text(data, "resets_at"),
        key_cap=read_quota(data.get("key_cap")),
    )
