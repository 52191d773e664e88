"""Lanes: the threads that share the steps of a batch. They wait for steps natively, and sleep if none comes: see lanes.c."""

from __future__ import annotations

import ctypes
from queue import SimpleQueue
from threading import Lock, Thread

from warchest.game.errors import OptionError
from warchest.native.compiled import NativeLibrary


class NativeBatch:
    """The native side of a batch, which is freed as soon as neither the batch nor a lane needs it.

    Raises MemoryError if there is none left.
    """

    def __init__(self, library: NativeLibrary, arrays: ctypes.Structure) -> None:
        self.library = library
        self.handle: int | None = library.code.batch_new(ctypes.byref(arrays))
        """The address of the batch."""
        if not self.handle:
            raise MemoryError("no memory for the games of a batch")

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            self.library.code.batch_free(self.handle)


class OneThread:
    """A block that only one thread can be in: others get an OptionError instead of waiting."""

    def __init__(self) -> None:
        self._lock = Lock()

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise OptionError("batch", "another thread is using it; make a batch for each thread")

    def __exit__(self, *_: object) -> None:
        self._lock.release()


class Lane(Thread):
    """The thread of a lane, by its number from 1 on; it ends with the process, or by `end`."""

    def __init__(self, batch: NativeBatch, number: int) -> None:
        super().__init__(daemon=True)
        self._batch, self._number = batch, number
        self._calls = SimpleQueue[bool]()
        self.start()

    def rouse(self) -> None:
        """Rouse the thread, which takes part in steps until none has come for a while."""
        if self._calls.empty():  # otherwise it has been roused, and has not come yet
            self._calls.put(True)

    def end(self) -> None:
        """End the thread as soon as it sleeps."""
        self._calls.put(False)

    def run(self) -> None:
        """Sleep, and take part in steps each time the thread is roused."""
        while self._calls.get():
            self._batch.library.code.batch_serve(self._batch.handle, self._number)
