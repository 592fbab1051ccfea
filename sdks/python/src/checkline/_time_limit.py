from __future__ import annotations

import time

from .http import HttpRequest


class TimeLimit:
    """The time that a request may take: all of it together, or of a stream each wait for a piece of the response."""

    def __init__(self, request: HttpRequest) -> None:
        self._timeout = request.timeout
        self._is_stream = request.is_stream
        self._end = time.monotonic() + request.timeout

    def left(self) -> float:
        """Seconds, above 0. Raises TimeoutError when there are none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    def received(self) -> None:
        """To be called with every piece of the response."""
        if self._is_stream:
            self._end = time.monotonic() + self._timeout
