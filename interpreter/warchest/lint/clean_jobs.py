"""Jobs without findings: they are not linted again while every file is unchanged.

A record is an empty file, named by a digest of everything that a finding could depend on. Findings are never kept.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import cast

from warchest.lint.jobs import Job
from warchest.source.cache import Cache, digest_of_files
from warchest.source.data import data_folder, shipped_games
from warchest.source.limits import MAX_BYTES
from warchest.source.records import record

FOLDER = "wc-lint"
"""The name of the cache folder."""


def key_of(job: Job, read: dict[Path, bytes]) -> str:
    """Return the name of the record of a job: a digest of the program, and of all files with their contents.

    The name is empty if a file cannot be read, or is too large. `read` has the digests of files that were read before,
    and receives the digests of the others.
    """
    try:
        for path in job.files:
            if path not in read:
                data = job.contents.of(path)
                if len(data) > MAX_BYTES:
                    return ""
                read[path] = hashlib.sha256(data).digest()
    except (OSError, ValueError):
        return ""
    made = hashlib.sha256(digest_of_program().encode())
    for path in job.files:
        made.update(f"{path}\0{str(path) in job.shown}\0".encode(errors="surrogateescape"))
        made.update(read[path])
    return f"{made.hexdigest()}.clean"


@lru_cache(maxsize=1)
def digest_of_program() -> str:
    """Return a digest of all files that can influence the findings."""
    return digest_of_files(_program())


def _program() -> Iterator[str]:
    package = Path(__file__).resolve().parent.parent
    for folder in (package, data_folder("grammar"), data_folder("schemas")):
        for inside, below, names in os.walk(folder):
            below.sort()
            if "__pycache__" in below:
                below.remove("__pycache__")
            yield from (os.path.join(inside, name) for name in sorted(names) if not name.endswith(".pyc"))
    yield from (str(game / "game.yaml") for game in shipped_games())


def is_clean(key: str, cache: Cache) -> bool:
    """Whether the job whose record has this name had no findings."""
    return bool(key) and cache.has(key)


@record()
class KeptJob:
    """The records of a job whose files may have changed: facts and trees, keyed by the program and the file names."""

    cache: Cache
    name: str
    facts: list[list[str]]

    @classmethod
    def of(cls, job: Job, cache: Cache) -> KeptJob:
        """Return the records of a job; they are empty if this program has not written them."""
        made = hashlib.sha256(digest_of_program().encode())
        made.update(f"{os.path.abspath(job.folder)}\0".encode(errors="surrogateescape"))
        for path in job.files:
            made.update(f"{path}\0{str(path) in job.shown}\0{job.on_top}\0".encode(errors="surrogateescape"))
        name = made.hexdigest()
        facts = cache.read_plain(f"{name}.json")
        plain = isinstance(facts, list) and all(_is_fact(one) for one in facts)
        return cls(cache, name, cast(list[list[str]], facts) if plain else [])

    def keep(self, facts: list[list[str]]) -> None:
        """Replace the kept facts."""
        if facts != self.facts:
            self.cache.write_plain(f"{self.name}.json", facts)

    @property
    def trees(self) -> str:
        """The name of the record of the trees of all files."""
        return f"{hashlib.sha256(f'trees of {self.name}'.encode()).hexdigest()}.json"


def _is_fact(one: object) -> bool:
    return isinstance(one, list) and len(one) == 4 and all(isinstance(part, str) for part in one)
