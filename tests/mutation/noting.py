"""A plugin for pytest that notes which lines of the changed folders each test runs, and how long it takes.

It is used as `MUTATION_NOTES=FILE python -m pytest -p mutation.noting …`. Lines that run while the shipped games
are loaded count for every test: they share these games, so that only the first one would be seen to load them.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

from loaded import shipped
from mutation.mutants import FOLDERS, PACKAGE

OFTEN = 50
"""The calls of a function without a new line in it after which it is followed no more in a test."""
Line = tuple[str, int]


class Follower:
    """A tracer, and the lines of the package that have been run since it was last cleared."""

    def __init__(self) -> None:
        """Follow nothing yet."""
        self.lines: set[Line] = set()
        self.calls: dict[int, int] = {}
        """How often the functions were called in vain, by the identities of their code."""
        self._files: dict[int, tuple[CodeType, str]] = {}
        """The code met so far, which is held so that its identity stays its own; those elsewhere have no file."""
        self._folders = tuple(f"{PACKAGE / folder}{os.sep}" for folder in FOLDERS)

    def clear(self) -> None:
        """Forget the lines that have been run."""
        self.lines.clear()
        self.calls.clear()

    def call(self, frame: FrameType, event: str, value: Any) -> Any:
        """Take note of a call, and return the tracer of its lines."""
        code = frame.f_code
        known = self._files.get(id(code))
        if known is None:
            inside = code.co_filename.startswith(self._folders)
            file = Path(code.co_filename).relative_to(PACKAGE).as_posix() if inside else ""
            known = self._files[id(code)] = (code, file)
        if not known[1]:
            return None
        times = self.calls.get(id(code), 0)
        self.calls[id(code)] = times + 1
        return self._line if times < OFTEN else None

    def _line(self, frame: FrameType, event: str, value: Any) -> Any:
        if event == "line":
            line = (self._files[id(frame.f_code)][1], frame.f_lineno)
            if line not in self.lines:
                self.lines.add(line)
                self.calls[id(frame.f_code)] = 0
        return self._line


class Notes:
    """The notes of a run, which are written when it ends."""

    def __init__(self, file: Path) -> None:
        """Begin the notes for a file."""
        self.file = file
        self.follower = Follower()
        self.tests: list[tuple[str, float]] = []
        self.lines: defaultdict[Line, int] = defaultdict(int)
        """For each line the tests that run it, as bits."""
        self.always: set[Line] = set()

    def pytest_collection_finish(self) -> None:
        """Note the lines that run while the shipped games are loaded."""
        sys.settrace(self.follower.call)
        shipped.__wrapped__("war-chest")
        shipped.__wrapped__("unigames")
        sys.settrace(None)
        self.always = set(self.follower.lines)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Note the lines that a test runs, with its fixtures."""
        self.follower.clear()
        begun = time.process_time()
        sys.settrace(self.follower.call)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            for line in self.follower.lines - self.always:
                self.lines[line] |= 1 << len(self.tests)
            self.tests.append((item.nodeid, round(time.process_time() - begun, 3)))

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Write the notes if all tests have passed."""
        if exitstatus != pytest.ExitCode.OK:
            return
        lines = {f"{file}:{line}": f"{tests:x}" for (file, line), tests in sorted(self.lines.items())}
        always = [f"{file}:{line}" for file, line in sorted(self.always)]
        self.file.write_text(json.dumps({"tests": self.tests, "lines": lines, "always": always}), encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    """Let the notes be made."""
    config.pluginmanager.register(Notes(Path(os.environ["MUTATION_NOTES"])))
