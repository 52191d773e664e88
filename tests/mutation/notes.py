"""Notes of the suites: the tests that run each line, with their times, to choose the tests for a mutant."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from mutation.mutants import PACKAGE, Mutant
from mutation.places import Site, site

ROOT = PACKAGE.parents[1]
DATA = ("cards", "grammar", "schemas", "layouts")
SUITES: dict[str, tuple[str, ...]] = {
    "rulings": ("tests/rulings/test_rulings.py",),
    "sentences": ("tests/resolve", "tests/lowering"),
    "machine": ("tests/machine",),
    "designer": ("tests/designer",),
    "findings": tuple(f"tests/lint/test_{name}.py" for name in ("bad_input", "senseless", "sense", "slips", "vain")),
    "references": tuple(f"tests/lint/test_{name}.py" for name in ("references", "untimely", "endless")),
    "squares": ("tests/squares", "tests/differential/test_oracle.py"),
    "game": ("tests/game", "tests/ir"),
    "laws": ("tests/paraphrase", "tests/laws"),
}
FEW, ENOUGH = 15.0, 600.0
"""How many noted seconds of tests run together, and how many at most for a mutant: twice or thrice as slow as usual."""


@dataclass(frozen=True)
class Notes:
    """The notes of one suite: its tests with their seconds, the tests of each line as bits, and the lines of all tests."""

    tests: Sequence[tuple[str, float]]
    lines: dict[str, int]
    always: frozenset[str]

    @classmethod
    def read(cls, file: Path) -> Notes:
        """Read notes as `noting.py` writes them."""
        found = json.loads(file.read_text(encoding="utf-8"))
        lines = {line: int(bits, 16) for line, bits in found["lines"].items()}
        return cls([(name, seconds) for name, seconds in found["tests"]], lines, frozenset(found["always"]))

    def running(self, lines: Iterable[str]) -> list[tuple[str, float]]:
        """Return the tests that run one of some lines."""
        bits = 0
        for line in lines:
            bits |= self.lines.get(line, 0)
        return [test for number, test in enumerate(self.tests) if bits >> number & 1]


@dataclass(frozen=True)
class Trial:
    """A mutant, with the tests that it is tried by in their order, and the seconds that were noted for them."""

    mutant: Mutant
    site: Site
    early: bool
    """Whether the changed code is run already while the shipped games are loaded."""
    tests: tuple[str, ...]
    seconds: float


def trial(mutant: Mutant, notes: dict[str, Notes]) -> Trial:
    """Choose the tests for a mutant: those that run its lines, the quick ones rather at the beginning.

    Apart from that the order is by chance, settled by the mutant.
    """
    place = site(mutant, (PACKAGE / mutant.file).read_bytes())
    loading = not place.lines or any(not one.always.isdisjoint(place.lines) for one in notes.values())
    rng, running = Random(f"{mutant.file} {mutant.place} {mutant.new}"), list[tuple[float, int, str, float]]()
    for one in notes.values():
        for name, seconds in one.tests if loading else one.running(place.lines):
            running.append(((0.05 + seconds) * rng.random(), len(running), name, seconds))
    tests = list(_together(sorted(running)))
    return Trial(mutant, place, loading or place.nested, tuple(name for name, _ in tests), sum(one for _, one in tests))


def _together(tests: Sequence[tuple[float, int, str, float]]) -> Iterator[tuple[str, float]]:
    """Yield tests in portions, within which those of a module are together; not more than are enough."""
    portion, asked = list[tuple[int, str, float]](), 0.0
    for _, number, name, seconds in tests:
        portion.append((number, name, seconds))
        asked += seconds
        if sum(one for _, _, one in portion) > FEW:
            yield from ((name, seconds) for _, name, seconds in sorted(portion))
            portion.clear()
        if asked > ENOUGH:
            break
    yield from ((name, seconds) for _, name, seconds in sorted(portion))


@cache
def digest(*paths: str) -> str:
    """Return a digest of the package, of all data, and of the files in further paths."""
    found = hashlib.sha256()
    for base in (PACKAGE, *(ROOT / name for name in (*DATA, *paths))):
        for path in sorted(base.rglob("*") if base.is_dir() else [base]):
            if path.is_file() and path.suffix not in (".pyc", ".so"):
                found.update(f"{path.relative_to(ROOT)} {path.stat().st_size}\n".encode())
                found.update(path.read_bytes())
    return found.hexdigest()[:16]


def noted(folder: Path, jobs: int) -> dict[str, Notes]:
    """Return the notes of all suites, kept in a folder; those of changed suites are made again.

    Raises:
        SystemExit: Tests fail without any change.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = {suite: folder / f"{suite}-{digest(*paths)}.json" for suite, paths in SUITES.items()}
    missing = [suite for suite, file in files.items() if not file.exists()]
    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(lambda suite: _note(SUITES[suite], files[suite]), missing))
    failing = [suite for suite, file in files.items() if not file.exists()]
    if failing:
        raise SystemExit(f"without any change tests of these suites fail: {', '.join(failing)}")
    return {suite: Notes.read(file) for suite, file in files.items()}


def _note(suite: tuple[str, ...], file: Path) -> None:
    for old in file.parent.glob(f"{file.stem.rpartition('-')[0]}-*.json"):
        old.unlink()
    subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-n0", "-p", "mutation.noting", "-p", "no:cacheprovider", *suite],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "tests"), "MUTATION_NOTES": str(file)},
        capture_output=True,
        check=False,
    )
