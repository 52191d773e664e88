"""A session of pytest in which mutants are tried, each in a process of its own that begins with all tests collected.

A function is exchanged in place for the changed one. Code that an import runs is changed in a session of its own,
before the package is imported.
"""

from __future__ import annotations

import gc
import os
import resource
import signal
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.machinery import SourceFileLoader
from itertools import zip_longest
from pathlib import Path
from types import CodeType, FunctionType
from typing import NoReturn

import pytest

from mutation.mutants import FOLDERS, PACKAGE, Mutant
from mutation.notes import ROOT, Trial
from mutation.places import function_at

START = 30
"""How many seconds of processor time a mutant has besides those that were noted for its tests."""
LARGEST = 6 << 30
"""The bytes of memory beyond which a mutant is noticed."""
ENDLESS, BROKEN = "tests that do not end", "tests that end with an error"
Keep = Callable[[Mutant, str, float], None]
"""A receiver of results: the test that noticed a mutant, and the seconds of processor time that it took."""


def try_all(trials: Sequence[Trial], jobs: int, until: float, keep: Keep) -> None:
    """Try mutants until a moment, some of them at a time; each result is handed on at once."""
    imported = [one for one in trials if not one.site.first]
    sessions = [[one] for one in imported] + [[one for one in trials if one.site.first]]
    for some in filter(None, sessions):
        if time.monotonic() < until:
            child = os.fork()
            if not child:
                _session(Session(some, jobs, until, keep))
            os.waitpid(child, 0)


def _session(session: Session) -> NoReturn:
    os.chdir(ROOT)
    _silence()
    (first, *_) = session.trials
    if not first.site.first:
        change_at_import(first.mutant)
    options = ["-n0", "--assert=plain", "-p", "no:cacheprovider", "--capture=no"]
    modules = sorted({name.partition("::")[0] for one in session.trials for name in one.tests})
    code = pytest.main([*options, *modules], plugins=[session]) if modules else 0
    if code != pytest.ExitCode.OK and not first.site.first:
        session.keep(first.mutant, BROKEN, 0)
    os._exit(0)


def change_at_import(mutant: Mutant) -> None:
    """Let the module of a mutant be imported with the change."""
    usual, path = SourceFileLoader.get_code, PACKAGE / mutant.file
    changed = mutant.changed(path.read_bytes())

    def get_code(loader: SourceFileLoader, name: str) -> CodeType | None:
        return (
            compile(changed, loader.path, "exec", dont_inherit=True)
            if loader.path == str(path)
            else usual(loader, name)
        )

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign]


def change(mutant: Mutant, first: int) -> None:
    """Exchange the code of the function that begins with a line, wherever it is; a module to come is imported with it."""
    path = PACKAGE / mutant.file
    code = function_at(first, mutant.changed(path.read_bytes()), str(path))
    change_at_import(mutant)
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and _place(one.__code__) == _place(code):
            one.__code__ = code


def _place(code: CodeType) -> tuple[str, int, str]:
    return code.co_filename, code.co_firstlineno, code.co_name


def forget() -> None:
    """Clear the caches of functions of the tests and of the changed folders: the games that are loaded already."""
    places = (str(ROOT / "tests"), *(str(PACKAGE / folder) for folder in FOLDERS))
    for one in gc.get_objects():
        remembering = getattr(one, "__wrapped__", None) if hasattr(type(one), "cache_clear") else None
        if isinstance(remembering, FunctionType) and remembering.__code__.co_filename.startswith(places):
            one.cache_clear()


def _silence() -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)


@dataclass
class Session:
    """A plugin that tries mutants in place of running all tests once."""

    trials: Sequence[Trial]
    jobs: int
    until: float
    keep: Keep
    _running: dict[int, tuple[Trial, Path]] = field(default_factory=dict)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try those first that are at work while the shipped games are loaded, then load these and try the others."""
        with tempfile.TemporaryDirectory() as folder:
            for early in (True, False):
                if not early and not all(one.early for one in self.trials):
                    from loaded import shipped

                    for name in ("war-chest", "unigames"):
                        shipped(name)
                for one in self.trials:
                    if one.early == early and time.monotonic() < self.until:
                        self._begin(one, session, Path(folder))
            while self._running:
                self._end()
        return True

    def _begin(self, one: Trial, session: pytest.Session, folder: Path) -> None:
        while len(self._running) >= self.jobs:
            self._end()
        said = Path(tempfile.mkdtemp(dir=folder)) / "said"
        if child := os.fork():
            self._running[child] = (one, said)
            return
        code = 1
        try:
            os.environ["PYTEST_DEBUG_TEMPROOT"] = str(said.parent)
            said.write_text(noticing(one, session), encoding="utf-8")
            code = 0
        finally:
            os._exit(code)

    def _end(self) -> None:
        child, status, used = os.wait4(-1, 0)
        one, said = self._running.pop(child, (None, Path()))
        if one is None:
            return
        seconds = used.ru_utime + used.ru_stime
        if os.WIFSIGNALED(status):
            by = ENDLESS if os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL) else BROKEN
        else:
            by = said.read_text(encoding="utf-8") if said.exists() else BROKEN
        self.keep(one.mutant, by, seconds)


def noticing(one: Trial, session: pytest.Session) -> str:
    """Return the first test that fails under a mutant, which is put into this process; the empty text if none does."""
    bound = round(START + one.seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (bound, bound + 5))
    resource.setrlimit(resource.RLIMIT_AS, (LARGEST, LARGEST))
    if one.site.first:
        change(one.mutant, one.site.first)
    if one.early:
        forget()
    found = {item.nodeid: item for item in session.items}
    items = [found[name] for name in one.tests if name in found]
    for item, following in zip_longest(items, items[1:]):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            return str(item.nodeid)
    return ""
