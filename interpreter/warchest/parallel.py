"""Work that is done side by side, by processes that are copies of this one."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from time import process_time
from traceback import format_exception
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from warchest.signals import OF_TERMINALS, held_back

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Task = TypeVar("Task")
Result = TypeVar("Result")

AHEAD = 2
"""The number of portions of work that a process has at hand, so that it need not wait for the next."""
KEPT = 32
"""The most portions for each process that may be begun before the first of them is done; their results are kept."""


class WorkLostError(RuntimeError):
    """A process has ended before its work was done; the message says by what."""


class _Waited:
    """The processor time of the processes that this one and its ancestors waited for."""

    seconds = 0.0


def waited() -> float:
    """Return the processor time, in seconds, of the processes that this one waited for; side by side, the longest."""
    return _Waited.seconds


def processors() -> int:
    """Return the number of processes that can really work at the same time; 1 where this one must not be copied.

    That is so elsewhere than on Linux, and among threads.
    """
    if sys.platform != "linux" or threading.active_count() > 1:
        return 1
    return len(os.sched_getaffinity(0))


def side_by_side(
    work: Callable[[Task], Result], tasks: Sequence[Task], workers: int, together: int = 1
) -> Iterator[Result]:
    """Return the results of `work` on the tasks, in their order, done by so many processes; one by one if that is one.

    Processes know all that is known when this is called. `together` says how many tasks one is given at a time. What
    a task raises is raised when its turn has come, and WorkLostError where the process that did it is gone.
    """
    workers = min(workers, len(tasks), processors())
    if workers < 2:
        return map(work, tasks)
    # The copies are made here, before anything else is begun that could not be copied.
    return _Crew(work, tasks, workers, together).results()


class _Crew(Generic[Task, Result]):
    """The processes at work, what they are given and what comes back."""

    def __init__(self, work: Callable[[Task], Result], tasks: Sequence[Task], workers: int, together: int) -> None:
        self.count, self.together = len(tasks), together
        self.begun = 0
        """The number of tasks that have been handed out."""
        self.done: dict[int, tuple[bool, Any]] = {}
        """For tasks whose turn has not come, whether they could be done, and the result or the error."""
        self.most = KEPT * together * workers
        self.hands: list[_Hand] = []
        self.begun_at = waited()
        # A copy is not to take a signal as the first process does, before it has settled that for itself.
        with held_back() as before:
            for _ in range(workers):
                self.hands.append(_Hand(work, tasks, [hand.line for hand in self.hands], before))

    def results(self) -> Iterator[Result]:
        """Yield the results in the order of the tasks. Who goes away meanwhile ends the processes."""
        try:
            for due in range(self.count):
                self._hand_out(due)
                while due not in self.done:
                    self._listen()
                    self._hand_out(due)
                fine, came = self.done.pop(due)
                if not fine:
                    raise came
                yield came
        finally:
            for hand in self.hands:
                hand.end()

    def _hand_out(self, due: int) -> None:
        """Give further tasks to those who have little left to do."""
        for hand in self.hands:
            last = min(self.begun + self.together, self.count, due + self.most)
            if len(hand.left) <= self.together * (AHEAD - 1) and self.begun < last:
                hand.give(range(self.begun, last))
                self.begun = last

    def _listen(self) -> None:
        """Wait until something comes back."""
        from multiprocessing.connection import wait

        if not self.hands:
            raise WorkLostError("the processes at work have ended too early")
        heard = wait([hand.line for hand in self.hands])
        for hand in [hand for hand in self.hands if hand.line in heard]:
            try:
                *came, spent = pickle.loads(hand.line.recv_bytes())
                _Waited.seconds = max(_Waited.seconds, self.begun_at + spent)
            except (EOFError, OSError):
                self.hands.remove(hand)
                came = [False, WorkLostError(hand.end())]
            if hand.left:
                self.done[hand.left.popleft()] = came[0], came[1]


class _Hand:
    """A process at work, and the line to it."""

    def __init__(
        self, work: Callable[[Task], object], tasks: Sequence[Task], others: list[Connection], mask: set[int]
    ) -> None:
        from multiprocessing import get_context

        context = get_context("fork")
        self.line, theirs = context.Pipe()
        self.left: deque[int] = deque()
        """The tasks that it has been given, and has not done yet."""
        arguments = (work, tasks, theirs, [*others, self.line], mask)
        self.process = context.Process(target=_serve, args=arguments, daemon=True)
        self.process.start()
        theirs.close()

    def give(self, numbers: range) -> None:
        """Hand some tasks out."""
        self.left.extend(numbers)
        # That it is gone is heard of when the first of them is asked for.
        with suppress(OSError):
            self.line.send(numbers)

    def end(self) -> str:
        """End the process; return what it has ended by, where it had done so before."""
        # A signal may have come while it was being closed.
        with suppress(OSError):
            self.line.close()
        self.process.join(0.1)
        code = self.process.exitcode
        self.process.kill()
        self.process.join()
        how = signal.strsignal(-code) if code is not None and code < 0 else f"exit code {code}"
        return f"the process at work on it has ended too early ({how})"


def _serve(
    work: Callable[[Task], object],
    tasks: Sequence[Task],
    line: Connection,
    others: list[Connection],
    mask: set[int],
) -> None:
    """Do the tasks that the first process hands out, until it hands out no more or is gone."""
    for other in others:
        # Held open here they would never tell another copy that the first process is gone.
        other.close()
    for name in OF_TERMINALS:
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    # What the copies share is not searched for what could be thrown away, which would make them all their own.
    gc.freeze()
    with suppress(EOFError, OSError):
        while True:
            for number in line.recv():
                line.send_bytes(_done(work, tasks[number]))


def _done(work: Callable[[Task], object], task: Task) -> bytes:
    """Return whether a task could be done, its result or error, and the processor time of this process so far."""
    try:
        result = work(task)
        return pickle.dumps((True, result, process_time()))
    except BaseException as error:
        return _told(error)


def _told(error: BaseException) -> bytes:
    """Return an error for the first process; where it cannot be carried there, what it says."""
    where = "".join(format_exception(error))
    try:
        error.add_note(where)
        told = pickle.dumps((False, error, process_time()))
        pickle.loads(told)
    except Exception:
        told = pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}"), process_time()))
    return told
