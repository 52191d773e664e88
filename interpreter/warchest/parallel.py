"""Work that is done side by side, by processes that are copies of this one."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from time import process_time
from traceback import format_exception
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from warchest.signals import OF_TERMINALS, held_back

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Task = TypeVar("Task")
Result = TypeVar("Result")

WITHOUT_PROCESSES = ("emscripten", "wasi")
"""The platforms on which no other process can be begun, as Python calls them."""
AHEAD = 2
"""The number of portions of work that a process has at hand, so that it need not wait for the next."""
KEPT = 32
"""The most portions for each process that may be begun before the first of them is done; their results are kept."""


class WorkLostError(RuntimeError):
    """A process has ended before its work was finished; the message gives the cause."""


class _Waited:
    """The processor time of the processes that this one and its ancestors waited for."""

    seconds = 0.0


def waited() -> float:
    """Return the seconds of processor time of the processes that this one waited for: of parallel ones, the longest."""
    return _Waited.seconds


def wait_for(seconds: float) -> None:
    """Count `seconds` as the processor time of processes that this one waited for, if that is longer than so far."""
    _Waited.seconds = max(_Waited.seconds, seconds)


def can_be_copied() -> bool:
    """Whether this process can be copied: on Linux, as long as it has a single thread."""
    return sys.platform == "linux" and threading.active_count() == 1


def processors() -> int:
    """Return the number of processes that can work at the same time: 1 in a browser, and on Linux beside threads."""
    if sys.platform in WITHOUT_PROCESSES:
        return 1
    if sys.platform != "linux":
        return (os.cpu_count() or 1) if find_spec("loky") is not None else 1
    return len(os.sched_getaffinity(0)) if can_be_copied() else 1


class Results(Iterator[Result]):
    """The results of work in the order of its tasks; `heard` is called with each as it arrives, in any order."""

    def __init__(self, found: Callable[[Callable[[Result], object]], Iterator[Result]]) -> None:
        """Begin the work: `found` is called with a function to be called with each result as it arrives."""
        self.heard: Callable[[Result], object] = lambda _: None
        self._found = found(lambda result: self.heard(result))

    def __next__(self) -> Result:
        return next(self._found)

    def close(self) -> None:
        """End the work that is not done yet."""
        if isinstance(self._found, Generator):
            self._found.close()


def side_by_side(
    work: Callable[[Task], Result], tasks: Sequence[Task], workers: int, together: int = 1
) -> Results[Result]:
    """Return the results of `work` on the tasks, in their order, computed by `workers` processes, or in this process if
    there is one worker.

    Processes know all that is known at the call. `together` is the number of tasks that a process gets at a time. The
    error of a task is raised when its turn has come; WorkLostError is raised if the process of a task has ended.
    """
    workers = min(workers, len(tasks), processors()) if can_be_copied() else 1
    if workers < 2:
        return Results(partial(_one_by_one, work, tasks))
    # The copies are made here, before anything else is begun that could not be copied.
    return Results(lambda hear: _Crew(work, tasks, workers, together, hear).results())


def _one_by_one(
    work: Callable[[Task], Result], tasks: Sequence[Task], hear: Callable[[Result], object]
) -> Iterator[Result]:
    for task in tasks:
        result = work(task)
        hear(result)
        yield result


class _Crew(Generic[Task, Result]):
    """The processes at work, their tasks and results."""

    def __init__(
        self,
        work: Callable[[Task], Result],
        tasks: Sequence[Task],
        workers: int,
        together: int,
        hear: Callable[[Result], object],
    ) -> None:
        self.count, self.together, self.hear = len(tasks), together, hear
        self.begun = 0
        """The number of tasks that have been handed out."""
        self.done: dict[int, tuple[bool, Any]] = {}
        """For tasks whose turn has not come, whether they succeeded, and the result or the error."""
        self.most = KEPT * together * workers
        self.hands: list[_Hand] = []
        self.begun_at = waited()
        # A copy is not to take a signal as the first process does, before it has settled that for itself.
        with held_back() as before:
            for _ in range(workers):
                self.hands.append(_Hand(work, tasks, [hand.line for hand in self.hands], before))

    def results(self) -> Iterator[Result]:
        """Yield the results in the order of the tasks. Closing the iterator ends the processes."""
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
        """Give further tasks to processes with little work left."""
        for hand in self.hands:
            last = min(self.begun + self.together, self.count, due + self.most)
            if len(hand.left) <= self.together * (AHEAD - 1) and self.begun < last:
                hand.give(range(self.begun, last))
                self.begun = last

    def _listen(self) -> None:
        """Wait until a process sends a result, or ends."""
        from multiprocessing.connection import wait

        if not self.hands:
            raise WorkLostError("the processes at work have ended too early")
        heard = wait([hand.line for hand in self.hands])
        for hand in [hand for hand in self.hands if hand.line in heard]:
            try:
                *came, spent = pickle.loads(hand.line.recv_bytes())
                wait_for(self.begun_at + spent)
            except (EOFError, OSError):
                self.hands.remove(hand)
                came = [False, WorkLostError(hand.end())]
            if hand.left:
                self.done[hand.left.popleft()] = came[0], came[1]
                if came[0]:
                    self.hear(came[1])


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
        """End the process; return the cause, if it had ended before."""
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
    work: Callable[[Task], object], tasks: Sequence[Task], line: Connection, others: list[Connection], mask: set[int]
) -> None:
    """Do the tasks that the first process hands out, until it hands out no more or is gone."""
    for other in others:
        # Held open here they would never tell another copy that the first process is gone.
        other.close()
    for name in OF_TERMINALS:
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    # Shared memory of the copies is left out of garbage collection, which would copy it for each.
    gc.freeze()
    with suppress(EOFError, OSError):
        while True:
            for number in line.recv():
                line.send_bytes(outcome_of(work, tasks[number]))


def outcome_of(work: Callable[[Task], object], task: Task, begun: float = 0.0) -> bytes:
    """Return, pickled, whether a task succeeded, its result or error, and the processor time since a moment."""
    try:
        result = work(task)
        return pickle.dumps((True, result, process_time() - begun))
    except BaseException as error:
        return pickle.dumps((False, carried(error), process_time() - begun))


def carried(error: BaseException) -> BaseException:
    """Return an error that can be carried to another process: the given one, or another one with the same message."""
    where = "".join(format_exception(error))
    try:
        error.add_note(where)
        pickle.loads(pickle.dumps(error))
        return error
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
