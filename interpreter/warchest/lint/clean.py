"""Jobs in which nothing was found: they are not linted again while every file is what it was.

A record is an empty file, named by all that a finding could depend on. What was found is never kept. Records lie in a
folder of their own, in which nothing else is ever touched, and are believed only where nobody else can write.
"""

from __future__ import annotations

import hashlib
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from warchest.lint.jobs import Job
from warchest.source.data import data_folder, shipped_games
from warchest.source.limits import MAX_BYTES
from warchest.source.private import NAMED_BY, doubt_of, make_private, newest_first, private_folder
from warchest.source.read import begins_with

FOLDER = "wc-lint-clean"
MOST = 200
"""How many records are kept at most."""
_RECORD = re.compile(r"[0-9a-f]{64}\.clean")


def key_of(job: Job) -> str:
    """Return the name of the record of a job: of the program, and of all files with what they hold.

    It is empty where one of the files is none that can be read at once.
    """
    try:
        plain = all(path.is_file() and path.stat().st_size <= MAX_BYTES for path in job.files)
        return f"{_key(job)}.clean" if plain else ""
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
    return private_folder(FOLDER)


def is_clean(key: str, folder: Path) -> bool:
    """Whether nothing was found in a job of this name."""
    return bool(key) and _is_record(folder / key)


def keep_clean(key: str, folder: Path) -> None:
    """Keep that nothing was found in a job, if there is a place for it; the oldest records go."""
    try:
        make_private(folder)
        (folder / key).touch(0o600)
        for old in newest_first([path for path in folder.iterdir() if _is_record(path)])[MOST:]:
            old.unlink(missing_ok=True)
    except OSError:
        # A folder that cannot be written costs time, and nothing else.
        return


def _is_record(path: Path) -> bool:
    """Whether a file is one that `keep_clean` has written."""
    try:
        known = path.lstat()
    except OSError:
        return False
    return _RECORD.fullmatch(path.name) is not None and stat.S_ISREG(known.st_mode) and known.st_size == 0


__all__ = ["FOLDER", "MOST", "NAMED_BY", "doubt_of", "folder", "is_clean", "keep_clean", "key_of"]
