"""The part that workers run: they unpack work once, and do its portions one after another."""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Callable, Sequence
from threading import Lock
from time import process_time

from warchest.parallel import outcome_of
from warchest.workers.sending import SentWork, program, received

MOST_KEPT = 4
"""The most works that a process keeps unpacked."""
_ONE_AT_A_TIME = Lock()
"""Held while a portion is done: the budget of processor time is that of the process."""


class OtherVersionError(RuntimeError):
    """A process that should do some work has another version of the program; the message names that version."""


class _Unpacked:
    """Work that was unpacked, and the processor time of this process at that moment."""

    def __init__(self, told: SentWork) -> None:
        if told.program != program():
            raise OtherVersionError(f"it has {program()}, and the work is for {told.program}")
        self.work: Callable[[object], object] = received(told)
        self.begun = process_time()


_UNPACKED: dict[str, _Unpacked] = {}
"""The works by their keys, the most recently begun one last."""


def outcomes(told: SentWork, tasks: Sequence[object]) -> bytes:
    """Return the outcomes of some tasks, pickled together, each as `outcome_of` returns it.

    Raises OtherVersionError.
    """
    found = list[bytes]()
    with _ONE_AT_A_TIME:
        unpacked = _unpacked(told)
        for task in tasks:
            found.append(outcome_of(unpacked.work, task, unpacked.begun))
    return zlib.compress(pickle.dumps(found), 1)


def outcomes_in(data: bytes) -> list[tuple[bool, object, float]]:
    """Return the outcomes that were pickled together: whether a task was done, its result or error, and the time."""
    return [pickle.loads(one) for one in pickle.loads(zlib.decompress(data))]


def _unpacked(told: SentWork) -> _Unpacked:
    if told.key not in _UNPACKED:
        if len(_UNPACKED) >= MOST_KEPT:
            del _UNPACKED[next(iter(_UNPACKED))]
        _UNPACKED[told.key] = _Unpacked(told)
    return _UNPACKED[told.key]
