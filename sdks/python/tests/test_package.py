from __future__ import annotations

from importlib.metadata import metadata, version
from pathlib import Path

import checkline


def test_the_package_has_its_metadata() -> None:
    assert version("checkline") == checkline.__version__
    about = metadata("checkline")
    assert (about["Name"], about["License"], about["Requires-Python"]) == ("checkline", "MIT", ">=3.9")
    assert about.get_all("Requires-Dist") is None


def test_the_package_is_typed() -> None:
    assert Path(checkline.__file__).with_name("py.typed").is_file()


def test_every_public_name_exists_and_is_documented() -> None:
    for name in set(checkline.__all__) - {"__version__", "BatchItem", "NumberInput", "StreamItem"}:
        assert getattr(checkline, name).__doc__, name
