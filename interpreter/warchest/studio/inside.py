"""The session inside the exported page: made by the worker, which passes the function that sends messages."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Sequence
from importlib import invalidate_caches
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

from warchest.source.cache import BUILT
from warchest.studio.session import StudioSession

FOLDER = Path("/home/pyodide/cards")
"""The folder of the cards, which exists until the page is closed."""
FURTHER = BUILT / "further.json"
"""The file with the names of the modules that are in the second archive."""


class FurtherModules(MetaPathFinder):
    """A finder of the modules in the second archive, which is fetched as soon as one of them is imported."""

    def __init__(self, fetch: Callable[[], None]) -> None:
        self._fetch = fetch
        self._is_there = False
        self._names: frozenset[str] | None = None

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the spec of a module that no other finder has found; None if it is not in the archive either."""
        if self._names is None:
            self._names = frozenset(json.loads(FURTHER.read_text(encoding="utf-8")))
        if self._is_there or name not in self._names:
            return None
        self._is_there = True
        self._fetch()
        invalidate_caches()
        return PathFinder.find_spec(name, path, target)


def begin(send: Callable[[str], None], fetch: Callable[[], None]) -> StudioSession:
    """Return the session; `fetch` unpacks the second archive."""
    sys.meta_path.append(FurtherModules(fetch))
    random.seed()
    FOLDER.mkdir(parents=True, exist_ok=True)
    return StudioSession(FOLDER, send)
