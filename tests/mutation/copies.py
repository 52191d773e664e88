"""A copy of the package in which a mutant is tried by stages of tests, the cheapest first."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mutation.mutants import PACKAGE, Mutant

ROOT = PACKAGE.parents[1]
DATA = ("cards", "grammar", "schemas", "layouts")
Stage = tuple[str, ...]
STAGES: tuple[Stage, ...] = (
    ("tests/rulings/test_rulings.py", "-m", "quick"),
    ("tests/resolve/test_snippets.py", "tests/lowering"),
    ("tests/machine",),
    ("tests/rulings/test_rulings.py",),
    ("tests/squares/test_core.py", "tests/squares/test_figures.py", "tests/differential/test_oracle.py"),
    ("tests/designer", "tests/game/test_invariants.py", "tests/squares/test_invariants.py"),
    ("tests/paraphrase", "tests/laws", "tests/lint/test_bad_input.py"),
)
"""Arguments of pytest, in the order of what they cost."""
BOUNDED = 'ulimit -t 600; ulimit -v 6000000; exec "$0" "$@"'
"""A mutant that does not end is noticed after so many seconds of processor time, one that grows at so many kilobytes."""


@dataclass(frozen=True)
class Copy:
    """A copy of the package in a folder, beside the data of this one."""

    folder: Path

    @classmethod
    def made(cls, folder: Path) -> Copy:
        """Make a copy in an empty folder, with what Python has compiled of it."""
        shutil.copytree(PACKAGE, folder / "interpreter" / "warchest")
        for name in DATA:
            (folder / name).symlink_to(ROOT / name)
        return cls(folder)

    def noticed(self, mutant: Mutant, stages: Sequence[Stage] = STAGES) -> Stage | None:
        """Return the first stage whose tests notice a mutant; None if it survives."""
        original, changed = (where / mutant.file for where in (PACKAGE, self.folder / "interpreter" / "warchest"))
        changed.write_bytes(mutant.changed(original.read_bytes()))
        try:
            return next((stage for stage in stages if not self.passes(stage)), None)
        finally:
            shutil.copy2(original, changed)

    def passes(self, stage: Stage) -> bool:
        """Whether the tests of a stage pass on the copy as it is, in reasonable time."""
        interpreter = str(self.folder / "interpreter")
        settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"]
        paths = " ".join(interpreter if one == "interpreter" else one for one in settings["pythonpath"])
        run = subprocess.run(
            ["sh", "-c", BOUNDED, sys.executable, "-m", "pytest", "-x", "-q", "-o", f"pythonpath={paths}", *stage],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": interpreter, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            check=False,
        )
        return run.returncode == 0
