"""Minimizing failures, as long as they fail in the same way."""

from __future__ import annotations

import copy
import json
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

from attack.trees import at, branches

Fails = Callable[[bytes], bool]
TRIALS, SECONDS = 120, 60
"""How often something smaller is tried at most, and how long."""
_TOKEN = re.compile(rb"\s+|[\w'-]+|.", re.DOTALL)


class _Enough(Exception):
    """No more is to be tried."""


class Smaller:
    """Makes one failure smaller."""

    def __init__(self, fails: Fails, trials: int = TRIALS, seconds: float = SECONDS) -> None:
        self.fails, self.left, self.until = fails, trials, time.monotonic() + seconds

    def of(self, data: bytes, extent: str) -> bytes:
        """Return the smallest that was found: of data of JSON by `branches`, of all else by lines, then by tokens."""
        self.best = data
        try:
            value = _read(data) if extent == "branches" else None
            if value is not None:
                self._branches(value)
            else:
                self._parts(lambda: self.best.splitlines(keepends=True))
                self._parts(lambda: _TOKEN.findall(self.best))
        except _Enough:
            pass
        return self.best

    def _try(self, data: bytes) -> bool:
        if self.left <= 0 or time.monotonic() > self.until:
            raise _Enough
        self.left -= 1
        if self.fails(data):
            self.best = data
            return True
        return False

    def _parts(self, cut: Callable[[], list[bytes]]) -> None:
        """Leave parts out, first many at a time, then fewer and fewer."""
        size = max(1, len(cut()) // 2)
        while True:
            start = 0
            while start < len(parts := cut()):
                if not self._try(b"".join(parts[:start] + parts[start + size :])):
                    start += size
            if size == 1:
                return
            size = max(1, size // 2)

    def _branches(self, value: Any) -> None:
        """Leave branches out, the large ones first, until none can be left out."""
        again = True
        while again:
            again = False
            for smaller in _without_one(value):
                if self._try(json.dumps(smaller).encode()):
                    value, again = smaller, True
                    break


def _without_one(value: Any) -> Iterator[Any]:
    ways = sorted((path for path, _ in branches(value)), key=lambda path: -len(str(at(value, path))))
    for path in ways:
        smaller = copy.deepcopy(value)
        del at(smaller, path[:-1])[path[-1]]
        yield smaller


def _read(data: bytes) -> Any:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
