"""Counters of the probes of a compiled machine (see `lowering/probes.py`)."""

from __future__ import annotations

import ctypes
from threading import Lock


class Counters:
    """The counters of a library with probes; they add up all its games."""

    def __init__(self, code: ctypes.CDLL) -> None:
        self.lock = Lock()
        """A lock that is held while some games are counted, so that no others are counted among them."""
        size = 0
        if hasattr(code, "game_counters"):
            code.game_counters.restype = ctypes.c_void_p
            size = code.game_counter_count()
        first = code.game_counters() if size else None
        cells = (ctypes.c_uint64 * size).from_address(first) if first is not None else (ctypes.c_uint64 * 0)()
        self._cells = memoryview(cells).cast("B").cast("Q")

    def __len__(self) -> int:
        """Return the number of counters."""
        return len(self._cells)

    def forget(self) -> None:
        """Reset all counters."""
        self.bring_back(bytes(self._cells.nbytes))

    def kept(self) -> bytes:
        """Return a copy of all counters."""
        return bytes(self._cells)

    def bring_back(self, kept: bytes) -> None:
        """Restore all counters from a copy."""
        self._cells[:] = memoryview(kept).cast("Q")

    @property
    def seen(self) -> dict[int, int]:
        """The counters above 0, by their numbers."""
        return {number: times for number, times in enumerate(self._cells) if times}
