"""The fields of JSON objects. One of an undocumented type counts as absent."""

from __future__ import annotations

from typing import Mapping, Optional, Tuple, overload


def text(data: Mapping[str, object], name: str) -> Optional[str]:
    value = data.get(name)
    return value if isinstance(value, str) else None


@overload
def flag(data: Mapping[str, object], name: str) -> Optional[bool]: ...
@overload
def flag(data: Mapping[str, object], name: str, default: bool) -> bool: ...
def flag(data: Mapping[str, object], name: str, default: Optional[bool] = None) -> Optional[bool]:
    value = data.get(name)
    return value if isinstance(value, bool) else default


def count(data: Mapping[str, object], name: str) -> Optional[int]:
    value = data.get(name)
    return int(value) if isinstance(value, float) and value.is_integer() else None


def texts(data: Mapping[str, object], name: str) -> Tuple[str, ...]:
    value = data.get(name)
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()
