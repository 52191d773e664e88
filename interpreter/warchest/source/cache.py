"""The cache: everything that is kept from one run to the next, as records, each under a digest of all it depends on.

A record is a file of plain data or of compiled code that ends with its own checksum. A damaged or incomplete record
counts as missing, and is replaced. A record is made under another name and then renamed, so another process finds
either the whole record or none. Records never change findings or games, only the time that these take.

Records are in one of three places. Records made from the user's own files are in a user's folder (`own_cache`),
and are trusted, or even run, only if no other user can write there. The parser's table and parsed blocks of shipped
games are beside Python's compiled modules (`program_cache`); users with write access there control the program anyway.
A package that was built with records has them in a read-only folder; its own digest replaces those of its files.

docs/explanation/architecture.md lists under "The cache" the time that each kind of record saves.
"""

from __future__ import annotations

import json
import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from hashlib import sha256
from importlib.util import cache_from_source
from pathlib import Path
from time import time

from warchest.source.data import data_folder
from warchest.source.records import record

NAMED_BY = "WARCHEST_CACHE"
"""The variable of the environment that names the folder of the user's records; empty: no cache."""
MOST_RECORDS, MOST_BYTES, MOST_DAYS = 1_000, 64 << 20, 90
"""The most records, and bytes of records, in one folder; and the most days for which none of them is used or written."""
FORGOTTEN = 3600.0
"""The seconds after which a folder of an unfinished record counts as abandoned."""
_PACKAGE = Path(__file__).resolve().parent.parent
BUILT = _PACKAGE / "_kept"
"""The folder of records in a package that was built with them."""
BUILD = "build.json"
PROGRAM = (".py", ".c", ".h", ".lark", ".json")
"""The file extensions of the program that can change a game; its documents are not among them."""
"""The file in it that holds the digest of the build."""
_MAKING = "making-"
_RECORD = re.compile(r"[0-9a-f]{64}\.(clean|json|o|so)")
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_DIGEST = 32
_CHECKSUM = b"checksum"
_WASM = b"\0asm"
"""The bytes that a WebAssembly module begins with."""
_SECTION = bytes((0, 1 + len(_CHECKSUM) + _DIGEST, len(_CHECKSUM))) + _CHECKSUM
"""The head of the section that its checksum is in: its sort, its size and its name. Nothing may come after sections."""


@record()
class Cache:
    """A folder of records; other files there are never touched."""

    folder: Path

    def read(self, name: str) -> bytes | None:
        """Return the contents of a record, without its checksum; None if there is none, or if it is damaged.

        A record that this process has read, and that is unchanged since, is not read again.
        """
        mark = self._mark(name)
        return _contents(self.folder / name, mark) if mark is not None else None

    def read_plain(self, name: str) -> object:
        """Return the plain data of a record; None if there is none, or if it is damaged."""
        return plain_of(self.read(name))

    def has(self, name: str) -> bool:
        """Whether there is a record, and it is not damaged."""
        mark = self._mark(name)
        return mark is not None and _contents.__wrapped__(self.folder / name, mark) is not None

    def write(self, name: str, data: bytes) -> None:
        """Store a record, if it can be written; the least recently used ones are removed."""
        # A folder that cannot be written only costs time.
        with suppress(OSError):
            with self.making() as work:
                made = work / name
                made.write_bytes(data)
                self.adopt(made)
            self.tidy()

    def write_plain(self, name: str, plain: object) -> None:
        """Keep plain data as a record, if it can be written."""
        self.write(name, json.dumps(plain, separators=(",", ":")).encode())

    @contextmanager
    def making(self) -> Iterator[Path]:
        """Give a new folder in which records are made; raises OSError."""
        # The name cannot be guessed.
        work = self.folder / f"{_MAKING}{os.urandom(16).hex()}"
        make_private(work)
        try:
            yield work
        finally:
            _remove(work)

    def adopt(self, made: Path) -> Path:
        """Keep a file that was made as the record of its name; raises OSError."""
        data = made.read_bytes()
        if data.startswith(_WASM):
            data += _SECTION
        made.write_bytes(data + sha256(data).digest())
        return made.replace(self.folder / made.name)

    def used(self, name: str) -> None:
        """Note that a record is in use."""
        with suppress(OSError):
            os.utime(self.folder / name)

    def records(self) -> list[Path]:
        """Return the files of all records."""
        return [path for path in self.folder.iterdir() if self._mark(path.name)] if self.folder.is_dir() else []

    def clear(self) -> int:
        """Remove all records; return how many there were. Raises OSError."""
        found = self.records()
        for path in found:
            path.unlink(missing_ok=True)
        return len(found)

    def tidy(self) -> None:
        """Remove the least recently used records beyond the bounds, except for the newest, and abandoned folders."""
        with suppress(OSError):  # another process may remove the same files
            left, now = MOST_BYTES, time()
            known = [(path, path.stat()) for path in self.records()]
            known.sort(key=lambda one: one[1].st_mtime_ns, reverse=True)
            for number, (path, told) in enumerate(known):
                left -= told.st_size
                is_old = now - told.st_mtime > MOST_DAYS * 24 * 3600
                if number and (left < 0 or number >= MOST_RECORDS or is_old):
                    path.unlink(missing_ok=True)
            for path in self.folder.glob(f"{_MAKING}*"):
                if now - path.stat().st_mtime > FORGOTTEN:
                    _remove(path)

    def _mark(self, name: str) -> tuple[int, int, int] | None:
        """Return a mark of a record's file, which differs after each change; None if it is no record."""
        with suppress(OSError):
            known = os.lstat(self.folder / name)
            if _RECORD.fullmatch(name) and stat.S_ISREG(known.st_mode) and known.st_size <= MOST_BYTES:
                return known.st_ino, known.st_mtime_ns, known.st_size
        return None


def _remove(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError:
        from shutil import rmtree  # which takes long to load

        rmtree(folder, ignore_errors=True)


@lru_cache(maxsize=8)
def _contents(file: Path, mark: tuple[int, int, int]) -> bytes | None:
    """Return the contents of a record whose file has a mark, without its checksum; None if it is damaged."""
    with suppress(OSError):
        data = file.read_bytes()
        if len(data) >= _DIGEST and sha256(data[:-_DIGEST]).digest() == data[-_DIGEST:]:
            return data[:-_DIGEST]
    return None


def plain_of(data: bytes | None) -> object:
    """Return the plain data of the contents of a record; None if it has none."""
    found: object = None
    with suppress(ValueError, RecursionError):
        found = json.loads(data or b"null")
    return found


# ---- places


def own_cache(name: str) -> tuple[Cache | None, str]:
    """Return the user's cache of a name; or None and the reason to distrust it (empty if the cache is switched off)."""
    named = os.environ.get(NAMED_BY)
    if named == "" or not hasattr(os, "getuid"):
        return None, ""  # switched off, or the possible writers are unknown
    if named is None:
        named = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "warchest")
    folder = Path(named).absolute() / name
    doubt = _doubt_of(folder)
    return (None, doubt) if doubt else (Cache(folder), "")


def program_cache() -> Cache | None:
    """Return the cache of records made of the package's own files; None where none may be kept."""
    if built_digest():
        return Cache(BUILT)
    return None if sys.dont_write_bytecode else Cache(Path(cache_from_source(__file__)).parent)


def _doubt_of(folder: Path) -> str:
    """Return the reason why a folder may hold another user's files; an empty text if it is one's own."""
    real = Path(os.path.realpath(folder))
    for path in dict.fromkeys((folder, *folder.parents, real, *real.parents)):
        try:
            known = path.lstat()
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            return f"{path}: {error.strerror}"
        owners = (os.getuid(),) if path == real else (os.getuid(), 0)
        if known.st_uid not in owners:
            return f"{path} belongs to another user"
        shared = known.st_mode & stat.S_ISVTX and path != real
        if known.st_mode & _OTHERS_WRITE and not (shared or stat.S_ISLNK(known.st_mode)):
            return f"others can write to {path}"
    return ""


def make_private(folder: Path) -> None:
    """Make a folder, and those above it, for its owner alone; raises OSError."""
    if not folder.is_dir():
        make_private(folder.parent)
        folder.mkdir(0o700, exist_ok=True)


# ---- the program, on which records depend


@cache
def built_digest() -> str:
    """Return the digest of all files of a package that was built with records; empty for any other package."""
    with suppress(OSError, ValueError):
        told = json.loads((BUILT / BUILD).read_bytes())
        if isinstance(told, dict) and isinstance(told.get("digest"), str):
            return str(told["digest"])
    return ""


def digest_of_files(files: Iterable[str | Path]) -> str:
    """Return a digest of files of the program, by their names, sizes and times.

    If the package was built with records, the digest is that of the build, and the files are not read.
    """
    if built_digest():
        return built_digest()
    made = sha256()
    for file in files:
        known = os.stat(file)
        made.update(f"{file}\0{known.st_size}\0{known.st_mtime_ns}\0".encode(errors="surrogateescape"))
    return made.hexdigest()


@cache
def digest_of_program(packages: tuple[str, ...] = ("",), data: tuple[str, ...] = ("grammar",)) -> str:
    """Return a digest of the program's own files, by their names and contents, wherever they are.

    `packages` are folders of the package, by default all of it, and `data` folders of its data, such as `grammar`.
    If the package was built with records, the result is the digest of the build.
    """
    if built_digest():
        return built_digest()
    made = sha256()
    for folder in (*map(_PACKAGE.joinpath, packages), *map(data_folder, data)):
        for file in sorted(folder.rglob("*")):
            name = file.relative_to(folder).as_posix()
            if file.suffix in PROGRAM and not name.startswith("_data/") and "__pycache__" not in file.parts:
                made.update(f"\0{name}\0".encode() + file.read_bytes())
    return made.hexdigest()
