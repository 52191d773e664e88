"""Portions of work for others: handed out in order, done in any order, and their results returned in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from typing import Generic, Protocol, TypeVar, cast

from warchest.parallel import AHEAD, KEPT, Result, Task, WorkLostError, wait_for, waited
from warchest.signals import held_back
from warchest.workers.doing import outcomes_in

Handed = TypeVar("Handed", contravariant=True)
BEAT = 0.5
"""The seconds between checks of the workers, while no result arrives."""


class PortionFuture(Protocol):
    """The outcome of a portion that is being done, like a future of any library."""

    def add_done_callback(self, fn: Callable[[object], object], /) -> object:
        """Call a function when the portion is done, or has failed."""

    def result(self) -> bytes:
        """Return the outcomes of its tasks; raises the error that ended it."""

    def cancel(self) -> object:
        """Do not begin the portion, if it has not begun."""


class PortionCrew(Protocol[Handed]):
    """Workers on portions."""

    @property
    def count(self) -> int:
        """The number of portions that can run at the same time."""

    def submit(self, tasks: Sequence[Handed]) -> PortionFuture:
        """Hand a portion out."""

    def look(self) -> None:
        """Check the workers; raises WorkLostError if none is left."""

    def lost(self, error: BaseException) -> BaseException:
        """Return the error to raise instead of the one that lost a portion."""


class Portions(Generic[Task, Result]):
    """The tasks of some work, divided into portions that a crew does."""

    def __init__(
        self, crew: PortionCrew[Task], tasks: Sequence[Task], together: int, hear: Callable[[Result], object]
    ) -> None:
        self.crew, self.tasks, self.together, self.hear = crew, tasks, together, hear
        self.count, self.begun = -(-len(tasks) // together), 0
        """The number of portions, and of those that were handed out."""
        self.under_way: dict[int, PortionFuture] = {}
        self.done: dict[int, list[tuple[bool, object]]] = {}
        """For portions whose turn has not come, whether each task succeeded, and the result or the error."""
        self._ended: SimpleQueue[int] = SimpleQueue()
        self._began_at = waited()

    def results(self) -> Iterator[Result]:
        """Yield the results in the order of the tasks; an error is raised when its turn has come."""
        try:
            for due in range(self.count):
                self._hand_out(due)
                while due not in self.done:
                    self._listen()
                    self._hand_out(due)
                for fine, came in self.done.pop(due):
                    if not fine:
                        raise came if isinstance(came, BaseException) else WorkLostError(str(came))
                    yield cast(Result, came)
        finally:
            for future in self.under_way.values():
                future.cancel()

    def _hand_out(self, due: int) -> None:
        """Hand out further portions, but not too many before the one that is due is done."""
        crew = self.crew.count
        last = min(self.count, due + KEPT * crew)
        while self.begun < last and len(self.under_way) < AHEAD * crew:
            self._submit()

    def _submit(self) -> None:
        """Hand out the next portion; threads that this starts leave signals to the main thread."""
        with held_back():
            number, first = self.begun, self.begun * self.together
            self.under_way[number] = future = self.crew.submit(self.tasks[first : first + self.together])
            self.begun += 1
            future.add_done_callback(partial(self._note_end, number))

    def _note_end(self, number: int, _: object) -> None:
        self._ended.put(number)

    def _listen(self) -> None:
        """Wait a short time for the end of a portion."""
        with suppress(Empty):
            number = self._ended.get(timeout=BEAT)
            self.done[number] = self._outcomes(self.under_way.pop(number))
            return
        self.crew.look()

    def _outcomes(self, future: PortionFuture) -> list[tuple[bool, object]]:
        try:
            came = outcomes_in(future.result())
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # futures are cancelled by a BaseException
            return [(False, self.crew.lost(error))]
        for fine, result, spent in came:
            wait_for(self._began_at + spent)
            if fine:
                self.hear(cast(Result, result))
        return [(fine, result) for fine, result, _ in came]
