"""Jobs in which nothing was found: they are not linted again while every file is unchanged.

A record is an empty file, named by all that a finding could depend on. Findings are never kept. Records lie in a folder
of their own, in which nothing else is ever touched, and are believed only where nobody else can write.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import cast

from warchest.lint.jobs import Job
from warchest.source.data import data_folder, shipped_games
from warchest.source.limits import MAX_BYTES
from warchest.source.private import make_private, newest_first, private_folder
from warchest.source.records import record

FOLDER = "wc-lint-clean"
MOST = 200
"""The most records that are kept."""
MOST_BYTES = 4 << 20
"""The most bytes that a record may have."""
_RECORD = re.compile(r"[0-9a-f]{64}\.(?:clean|json|blocks|trees)")
_CHECKED = 65
"""The number of bytes of a record by which the rest of it is checked."""


def key_of(job: Job, read: dict[Path, bytes]) -> str:
    """Return the name of the record of a job: of the program, and of all files with their contents.

    It is empty where one of the files is none that can be read at once. `read` has digests of the files that were read
    for this before, and gets those of the others.
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
    made = _of_program()
    for path in job.files:
        made.update(f"{path}\0{str(path) in job.shown}\0".encode(errors="surrogateescape"))
        made.update(read[path])
    return f"{made.hexdigest()}.clean"


def _of_program() -> hashlib._Hash:
    """Return the beginning of the name of a record: a digest of the program."""
    return hashlib.sha256(digest_of_program())


@lru_cache(maxsize=1)
def digest_of_program() -> bytes:
    """Return a digest of the files of the program, by their names, sizes and times."""
    made = hashlib.sha256()
    for file in _program():
        known = os.stat(file)
        made.update(f"{file}\0{known.st_size}\0{known.st_mtime_ns}\0".encode(errors="surrogateescape"))
    return made.digest()


def _program() -> Iterator[str]:
    """Yield all files that have a say in the findings."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package, data_folder("grammar"), data_folder("schemas")):
        for inside, below, names in os.walk(folder):
            below.sort()
            yield from (os.path.join(inside, name) for name in sorted(names) if not name.endswith(".pyc"))
    yield from (str(game / "game.yaml") for game in shipped_games())


def folder() -> Path | None:
    """Return the folder in which records are kept; None for nowhere."""
    return private_folder(FOLDER)


@record()
class KeptJob:
    """The record of a job whose files may have changed, by the program and the names of the files.

    `facts` are plain data; blocks are those that were parsed of the game that is read, trees those of all files.
    """

    file: Path
    facts: list[list[str]]
    blocks_in: Path

    @classmethod
    def of(cls, job: Job, folder: Path) -> KeptJob:
        """Return the record of a job; it is empty where this program has not written it."""
        made = _of_program()
        made.update(f"{os.path.abspath(job.folder)}\0".encode(errors="surrogateescape"))
        blocks_in = folder / f"{made.hexdigest()}.blocks"
        for path in job.files:
            made.update(f"{path}\0{str(path) in job.shown}\0{job.on_top}\0".encode(errors="surrogateescape"))
        file = folder / f"{made.hexdigest()}.json"
        facts: object = None
        with suppress(ValueError, RecursionError):
            facts = json.loads(read_checked(file) or b"[]")
        plain = isinstance(facts, list) and all(_is_fact(one) for one in facts)
        return cls(file, cast(list[list[str]], facts) if plain else [], blocks_in)

    def keep(self, facts: list[list[str]]) -> None:
        """Keep other facts from now on, if there is room for them."""
        if facts != self.facts:
            write_checked(self.file, json.dumps(facts, separators=(",", ":")).encode())

    def blocks(self) -> bytes:
        """Return the blocks that are kept, as they were written down."""
        return read_checked(self.blocks_in)

    def trees(self) -> bytes:
        """Return the trees that are kept, as they were written down."""
        return read_checked(self.file.with_suffix(".trees"))

    def keep_trees(self, data: bytes) -> None:
        """Keep other trees from now on, if there is room for them."""
        if data:
            write_checked(self.file.with_suffix(".trees"), data)

    def keep_blocks(self, data: bytes) -> None:
        """Keep other blocks from now on, if there is room for them."""
        if data:
            write_checked(self.blocks_in, data)


def read_checked(record: Path) -> bytes:
    """Return the contents of a record; empty if there is none, or if it is damaged.

    One that has not changed since this process read it is not read again.
    """
    with suppress(OSError):
        if not _is_record(record):
            return b""
        known = record.lstat()
        return _checked(record, (known.st_ino, known.st_mtime_ns, known.st_size))
    return b""


@lru_cache(maxsize=8)
def _checked(record: Path, mark: tuple[int, int, int]) -> bytes:
    """Return the contents of a record with a mark of its file; empty if it is damaged. Raises OSError."""
    kept = record.read_bytes()
    return kept[_CHECKED:] if kept[:_CHECKED] == _checksum(kept[_CHECKED:]) else b""


def _checksum(data: bytes) -> bytes:
    """Return the prefix of the contents of a record, by which one that is damaged is told."""
    return hashlib.sha256(data).hexdigest().encode() + b"\n"


def _is_fact(one: object) -> bool:
    return isinstance(one, list) and len(one) == 4 and all(isinstance(part, str) for part in one)


def is_clean(key: str, folder: Path) -> bool:
    """Whether nothing was found in a job of this name."""
    return bool(key) and _is_record(folder / key)


def keep_clean(key: str, folder: Path) -> None:
    """Keep that nothing was found in a job, if there is a place for it; the oldest records go."""
    _write(folder / key, b"")


def write_checked(file: Path, data: bytes) -> None:
    """Write a record with its checksum, if there is room for it."""
    _write(file, _checksum(data) + data)


def _write(file: Path, data: bytes) -> None:
    """Write a record, so that another process finds the whole of it or none; the oldest records go."""
    if len(data) > MOST_BYTES:
        return
    folder = file.parent
    # Nobody can know the name beforehand, and a file that is there already is never written to.
    temporary = folder / f"{os.urandom(16).hex()}.part"
    try:
        make_private(folder)
        try:
            with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as written:
                written.write(data)
            temporary.replace(file)
        finally:
            temporary.unlink(missing_ok=True)
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
    most = 0 if path.suffix == ".clean" else MOST_BYTES
    return _RECORD.fullmatch(path.name) is not None and stat.S_ISREG(known.st_mode) and known.st_size <= most
