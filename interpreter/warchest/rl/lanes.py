"""Lanes: threads that each wait for a call, for work that takes less time than handing it to a queue would."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock, Thread


class Lane(Thread):
    """A thread that makes one call after the other; it ends with the process, or by `end`."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._call: Callable[..., object] | None = None
        self._arguments: tuple[int | None, ...] = ()
        self._begun, self._done = Lock(), Lock()
        self._begun.acquire()
        self._done.acquire()
        self.start()

    def begin(self, call: Callable[..., object], *arguments: int | None) -> None:
        """Begin a call, which must raise nothing; other threads can work if it is one of C."""
        self._call, self._arguments = call, arguments
        self._begun.release()

    def wait(self) -> None:
        """Wait until the call is over."""
        self._done.acquire()

    def end(self) -> None:
        """End the thread, which must not be at work."""
        self._call = None
        self._begun.release()

    def run(self) -> None:
        """Wait for calls and make them."""
        while True:
            self._begun.acquire()
            if self._call is None:
                return
            self._call(*self._arguments)
            self._done.release()
