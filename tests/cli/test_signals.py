"""Signals that are held back wait until the block is done, also where a library has a thread that takes them."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator

import pytest

from warchest.signals import EndedBySignal, held_back, told_to_end

pytestmark = [
    pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals are only held back on POSIX"),
    pytest.mark.usefixtures("interrupts"),
]


@pytest.fixture(params=[False, True], ids=["alone", "beside a thread"])
def threads(request: pytest.FixtureRequest) -> Iterator[None]:
    """No other thread, or one that takes signals."""
    ended = threading.Event()
    thread = threading.Thread(target=ended.wait)
    if request.param:
        thread.start()
    yield
    ended.set()
    if request.param:
        thread.join()


def send(number: int) -> None:
    """Send a signal to this process, and leave Python the time to act on it."""
    os.kill(os.getpid(), number)
    until = time.monotonic() + 0.05
    while time.monotonic() < until:
        pass


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize("depth", [1, 2])
def test_an_interrupt_waits_for_the_block(depth: int) -> None:
    reached = False
    with pytest.raises(KeyboardInterrupt), held_back():
        if depth > 1:
            with held_back():
                send(signal.SIGINT)
        else:
            send(signal.SIGINT)
        reached = True
    assert reached
    with pytest.raises(KeyboardInterrupt):
        send(signal.SIGINT)


@pytest.mark.usefixtures("threads")
def test_a_signal_to_end_waits_for_the_block() -> None:
    reached = False
    with told_to_end():
        with pytest.raises(EndedBySignal), held_back():
            send(signal.SIGTERM)
            reached = True
        assert reached
