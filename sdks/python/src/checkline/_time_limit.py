from __future__ import annotations

import time

from .http import HttpRequest


class TimeLimit:
    """A request's time limit: for all of it together, or for a stream's each wait for a chunk."""

    def __init__(self, request: HttpRequest) -> None:
        self._timeout = request.timeout
        self._is_stream = request.is_stream
        self._end = time.monotonic() + request.timeout

    def left(self) -> float:
        """Remaining seconds, above 0. Raises TimeoutError when there are none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    def received(self) -> None:
        """Call with every chunk of the response."""
        if self._is_stream:
            self._end = time.monotonic() + self._timeout
