"""The results that are known already, in a file: a run that is broken off goes on where it ended."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from mutation.mutants import Mutant


@dataclass(frozen=True)
class Results:
    """The test that noticed each mutant, the empty text for one that survived, and the seconds that it took.

    All of them hold for the package as it is.
    """

    file: Path
    package: str
    suites: str
    """The digest of all suites: another one is a reason to try survivors again."""
    known: dict[str, tuple[str, float]]

    @classmethod
    def read(cls, file: Path, package: str, suites: str) -> Results:
        """Read the results in a file, without those for another package, or of survivors for other tests."""
        found = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        known = dict(found["known"]) if found.get("package") == package else {}
        known = {mutant: (by, seconds) for mutant, (by, seconds) in known.items()}
        if found.get("suites") != suites:
            known = {mutant: by for mutant, by in known.items() if by[0]}
        return cls(file, package, suites, known)

    def of(self, mutant: Mutant) -> tuple[str, float] | None:
        """Return the result for a mutant; None if there is none yet."""
        return self.known.get(_key(mutant))

    def keep(self, mutant: Mutant, by: str, seconds: float) -> None:
        """Take in a result, and write all of them, with those that other processes have written."""
        self.known.update(Results.read(self.file, self.package, self.suites).known)
        self.known[_key(mutant)] = (by, round(seconds, 1))
        written = {"package": self.package, "suites": self.suites, "known": self.known}
        self.file.with_suffix(".new").write_text(json.dumps(written, indent=1), encoding="utf-8")
        self.file.with_suffix(".new").replace(self.file)


def _key(mutant: Mutant) -> str:
    return f"{mutant.file} {mutant.place[0]}-{mutant.place[1]} {mutant.new}"
