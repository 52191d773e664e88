"""Commands at work in copies of this process, which begin with its modules and the games that it has loaded.

A copy is a process of its own in all else: it has streams, signals, a folder and an end of its own, and a terminal
where one is given to it. What Python does at its beginning, such as to heed `PYTHONIOENCODING`, is not seen there.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from io import DEFAULT_BUFFER_SIZE
from traceback import print_exc
from types import TracebackType
from typing import Any, NoReturn

PIPE, CLOSED = -1, -2
"""Streams of a copy that are none of this process: the other end of a pipe, and none at all."""
LOST = 120
"""The exit code of Python where it cannot write out its streams."""


class Copy:
    """A copy of this process that does some work; it is ended with the block, if it has not ended before."""

    def __init__(
        self,
        work: Callable[[], int],
        stdin: int = PIPE,
        stdout: int = PIPE,
        stderr: int = PIPE,
        encoding: str = "utf-8",
    ) -> None:
        """Begin the work with these files as its streams, or with pipes, whose other ends have the same names here."""
        ours, theirs = [], []
        for number, given in enumerate((stdin, stdout, stderr)):
            read, write = os.pipe() if given == PIPE else (given, given)
            theirs.append(write if number else read)
            ours.append(read if number else write)
        self.code: int | None = None
        self.pid = os.fork()
        if self.pid == 0:
            _work_and_end(work, theirs, encoding)
        self.stdin, self.stdout, self.stderr = ours
        self._open = [one for one, given in zip(ours, (stdin, stdout, stderr), strict=True) if given == PIPE]
        for one, given in zip(theirs, (stdin, stdout, stderr), strict=True):
            if given == PIPE:
                os.close(one)

    def __enter__(self) -> Copy:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        for one in list(self._open):
            self.close(one)
        if self.code is None and kind is not None:
            os.kill(self.pid, signal.SIGKILL)
        self.wait()

    def close(self, stream: int) -> None:
        """Close our end of a pipe."""
        self._open.remove(stream)
        os.close(stream)

    def rest(self, stream: int) -> bytes:
        """Return all that still comes from a pipe, to its end."""
        found = b""
        while more := os.read(stream, DEFAULT_BUFFER_SIZE):
            found += more
        return found

    def wait(self, seconds: float = 60) -> int:
        """Return the exit code, or the number of the signal that killed it, less than 0; at most so long from now."""
        until = time.monotonic() + seconds
        while self.code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
            elif time.monotonic() > until:
                os.kill(self.pid, signal.SIGKILL)
                self.code = -signal.SIGKILL
                os.waitpid(self.pid, 0)
                raise TimeoutError(f"it has not come to its end in {seconds} seconds")
            else:
                time.sleep(0.005)
        return self.code


def _work_and_end(work: Callable[[], int], streams: Sequence[int], encoding: str) -> NoReturn:
    """Do the work with some files as standard streams, and end as Python does."""
    code = 1
    try:
        gc.freeze()
        _put(streams, encoding)
        code = work()
        # Objects without references are destroyed before the end, such as processes that still wait for work.
        gc.collect()
    except BaseException:
        print_exc()
    finally:
        for stream in filter(None, (sys.stdout, sys.stderr)):
            try:
                stream.flush()
            except OSError:
                code = LOST
        os._exit(code)


def _put(streams: Sequence[int], encoding: str) -> None:
    """Put files into the places of the standard streams, and close all others, such as our end of a terminal."""
    held = [os.dup(one) if one != CLOSED else CLOSED for one in streams]
    for number, one in enumerate(held):
        if one == CLOSED:
            os.close(number)
        else:
            os.dup2(one, number)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    made: list[Any] = [
        None if one == CLOSED else os.fdopen(number, "w" if number else "r", encoding=encoding)
        for number, one in enumerate(held)
    ]
    sys.stdin, sys.stdout, sys.stderr = made
    sys.stderr.reconfigure(errors="backslashreplace", line_buffering=True)
