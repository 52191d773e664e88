"""Jobs in which nothing was found: they are not linted again while every file is what it was.

A record is an empty file, named by all that a finding could depend on. What was found is never kept.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from warchest.lint.jobs import Job
from warchest.source.data import data_folder, shipped_games
from warchest.source.read import MAX_BYTES, begins_with

FOLDER = "WARCHEST_CACHE"
"""The variable of the environment that names the folder of the records; empty: nothing is kept."""
MOST = 200
"""How many records are kept at most."""


def key_of(job: Job) -> str:
    """Return the name of a job: of the program, and of all files with what they hold.

    It is empty where nothing is kept, and where one of the files is none that can be read at once.
    """
    try:
        plain = all(path.is_file() and path.stat().st_size <= MAX_BYTES for path in job.files)
        return _key(job) if plain and folder() is not None else ""
    except (OSError, ValueError):
        return ""


def _key(job: Job) -> str:
    made = hashlib.sha256()
    for file in _program():
        known = file.stat()
        made.update(f"{file}\0{known.st_size}\0{known.st_mtime_ns}\0".encode(errors="surrogateescape"))
    for path in job.files:
        made.update(f"{path}\0{str(path) in job.shown}\0".encode(errors="surrogateescape"))
        made.update(hashlib.sha256(begins_with(path, MAX_BYTES)).digest())
    return made.hexdigest()


def _program() -> Iterator[Path]:
    """Yield all files that have a say in what is found."""
    package = Path(__file__).resolve().parent.parent
    yield from sorted(package.rglob("*.py"))
    for name in ("grammar", "schemas"):
        yield from sorted(data_folder(name).iterdir())
    yield from (game / "game.yaml" for game in shipped_games())


def folder() -> Path | None:
    """Return where records are kept; None for nowhere."""
    named = os.environ.get(FOLDER)
    if named is not None:
        return Path(named) if named else None
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "warchest" / "lint"


def is_clean(key: str) -> bool:
    """Whether nothing was found in a job of this name."""
    kept = folder()
    return kept is not None and (kept / key).is_file()


def keep_clean(key: str) -> None:
    """Keep that nothing was found in a job, if there is a place for it."""
    kept = folder()
    if kept is None:
        return
    try:
        kept.mkdir(parents=True, exist_ok=True)
        (kept / key).touch()
        records = sorted(kept.iterdir(), key=lambda one: one.stat().st_mtime_ns, reverse=True)
        for old in records[MOST:]:
            old.unlink(missing_ok=True)
    except OSError:
        # A folder that cannot be written costs time, and nothing else.
        return
