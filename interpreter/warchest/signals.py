"""Signals that end a command: raised at once, or held back in blocks that must not be interrupted."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 130
"""The exit code of a command that was interrupted, as by Ctrl-C."""
SIGNALLED = 128
"""The exit code of a command that another signal has ended, less the number of the signal."""

OF_TERMINALS = ("SIGINT", "SIGHUP", "SIGQUIT")
"""Signals that a terminal sends to all processes of a command."""


class EndedBySignal(BaseException):
    """The program is told to end, by the signal of this number."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextmanager
def told_to_end() -> Iterator[None]:
    """Let the signals that end a program raise EndedBySignal while the block runs, except ignored signals."""
    names = ("SIGTERM", "SIGHUP", "SIGQUIT") if threading.current_thread() is threading.main_thread() else ()
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = {one: signal.getsignal(one) for one in numbers if signal.getsignal(one) is not signal.SIG_IGN}

    def end(number: int, _: FrameType | None) -> None:
        for one in before:
            # No further signal interrupts the rest.
            signal.signal(one, signal.SIG_IGN)
        raise EndedBySignal(number)

    for one in before:
        signal.signal(one, end)
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


@contextmanager
def held_back() -> Iterator[set[int]]:
    """Let the signals that end a program wait while the block runs; give those that were waiting already.

    This thread takes no such signals. If another thread takes one, such as a thread of a library, Python runs the
    handler in the main thread: there the signal is noted, and raised again after the block.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield set()
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [getattr(signal, name) for name in (*OF_TERMINALS, "SIGTERM")])
    try:
        with _noted():
            yield set(before)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _noted() -> Iterator[None]:
    """Note signals in place of their handlers while the block runs, and raise them after it."""
    came: list[int] = []
    handlers: dict[int, Callable[[int, FrameType | None], object]] = {}
    in_main = threading.current_thread() is threading.main_thread()
    try:
        for number in map(int, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT) if in_main else ()):
            handler = signal.getsignal(number)
            if callable(handler):
                handlers[number] = handler
                signal.signal(number, lambda taken, _: came.append(taken))
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for number in came:
            signal.raise_signal(number)
