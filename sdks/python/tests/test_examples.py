"""The examples, as the documentation shows them, against the real service."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Mapping

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
SERVICE = {name: os.environ.get(name, "") for name in ("CHECKLINE_BASE_URL", "CHECKLINE_API_KEY")}

pytestmark = pytest.mark.skipif(
    "CHECKLINE_CONFORMANCE_URL" not in os.environ or not all(SERVICE.values()),
    reason="CHECKLINE_CONFORMANCE_URL, CHECKLINE_BASE_URL and CHECKLINE_API_KEY are not set",
)


def run(name: str, service: Mapping[str, str] = SERVICE) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, **service}
    command = [sys.executable, "-W", "error", str(EXAMPLES / name)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize(
    ("name", "output"),
    [
        ("verify.py", "True Brazil TIM mobile\n"),
        ("simple.py", "valid: True, carrier: TIM\n"),
        (
            "batch.py",
            "+5511987654321 Brazil\n+12025550109 REJECTED_SUBSCRIBER_ABSENT\n+442079460018 United Kingdom\n",
        ),
        ("asynchronous.py", "+5511987654321\n+442079460018\n"),
        ("stream.py", "+5511987654321\n+442079460018\nREJECTED_SUBSCRIBER_ABSENT\n"),
        ("quota.py", "trial 0 1000\n"),
        ("retry.py", "Brazil\n"),
    ],
)
def test_examples_print_the_documented_output(name: str, output: str) -> None:
    done = run(name)
    assert (done.stdout, done.stderr, done.returncode) == (output, "", 0)


@pytest.mark.parametrize("name", ["verify.py", "simple.py", "batch.py", "asynchronous.py"])
def test_examples_print_the_error_and_fail(name: str) -> None:
    done = run(name, {**SERVICE, "CHECKLINE_API_KEY": "ch_test_notakey"})
    assert (done.stdout, done.stderr, done.returncode) == ("", "INVALID_API_KEY: The API key is invalid.\n", 1)


def test_every_example_is_tested() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.py")} == {
        "asynchronous",
        "batch",
        "quota",
        "retry",
        "simple",
        "stream",
        "verify",
    }
