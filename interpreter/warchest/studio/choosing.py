"""The modules that the exported page uses, found by an exercise in the Python of the page: see `run.mjs`."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

from warchest.studio.exercise import exercise

USED, LIBRARY = Path("/work/used.json"), "/lib/"
AT_ONCE = ("encodings", "_pyodide", "pyodide")
"""Packages whose modules are all used: Python and Pyodide import them by names that are put together."""


def used() -> list[str]:
    """Return the files of all imported modules, relative to the folder of libraries."""
    known = (str(getattr(module, "__file__", "")) for module in list(sys.modules.values()))
    found = {file.removeprefix(LIBRARY) for file in known if file.startswith(LIBRARY)}
    for folder in {Path(os.__file__).parent / name for name in AT_ONCE}:
        found |= {str(file).removeprefix(LIBRARY) for file in folder.rglob("*.pyc")}
    return sorted(found)


def main() -> None:
    """Do the exercise, and write the modules to a file; raises RuntimeError if something failed."""
    import warchest.studio.inside  # noqa: F401

    with tempfile.TemporaryDirectory() as folder:
        for done in exercise(Path(folder), ["mcts:2"]):
            if done.faults:
                raise RuntimeError(done.faults[0])
    USED.write_text(json.dumps(used()), encoding="utf-8")


if __name__ == "__main__":
    main()
