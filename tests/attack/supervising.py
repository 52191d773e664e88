"""Processes that try cases, and the one that watches them: whatever ends a process is put down to its case."""

from __future__ import annotations

import os
import pickle
import signal
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path

from attack.cases import FAILED, Case, Kind, Verdict
from attack.judging import Wrong
from attack.limits import hold, named, rearm


def tried(cases: Sequence[Case], kind: Kind) -> Iterator[Verdict]:
    """Yield the outcome of each case, in their order; a process that a case has ended is followed by another."""
    done = 0
    while done < len(cases):
        verdicts, how = _tried(cases[done:], kind)
        yield from verdicts
        done += len(verdicts)
        if done < len(cases):
            yield Verdict(FAILED, 0, how or "the process ended", f"{cases[done].name} ended the process")
            done += 1


def alone(case: Case, kind: Kind) -> Verdict:
    """Return the outcome of a case by itself, in a fresh process."""
    return next(tried([case], kind))


def _tried(cases: Sequence[Case], kind: Kind) -> tuple[list[Verdict], str]:
    """Try cases in a process and a folder of their own; return the outcomes up to its end, and its end."""
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            _work(cases, kind, folder, writing)
        os.close(writing)
        verdicts = []
        with os.fdopen(reading, "rb") as pipe:
            while True:
                try:
                    verdicts.append(pickle.load(pipe))
                except (EOFError, pickle.UnpicklingError):
                    break
        _, status = os.waitpid(child, 0)
    return verdicts, named(os.waitstatus_to_exitcode(status))


def _work(cases: Sequence[Case], kind: Kind, folder: str, writing: int) -> None:
    """Try cases, report each, and end the process."""
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.chdir(folder)
        kind.settle()
        hold()
        with os.fdopen(writing, "wb") as pipe:
            for case in cases:
                pickle.dump(verdict(case, kind), pipe)
                pipe.flush()
        code = 0
    finally:
        os._exit(code)


def verdict(case: Case, kind: Kind) -> Verdict:
    """Return the outcome of a case, in this process and the working folder."""
    rearm()
    try:
        return kind.judge(case, Path())
    except Wrong as wrong:
        return Verdict(FAILED, 0, wrong.sort, wrong.detail[-4000:])
    except Exception as error:  # a fault of the attack itself is to be seen, too
        return Verdict(FAILED, 0, f"the attack failed: {type(error).__name__}", traceback.format_exc()[-4000:])
