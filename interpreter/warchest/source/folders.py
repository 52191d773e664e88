"""Folders, and the files in them that are read. A person keeps more in a folder than documents."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from warchest.source.carried import Carried
from warchest.source.limits import MAX_BYTES, MAX_ENTRIES, MAX_FILES
from warchest.source.read import begins_with

SUFFIXES = (".yaml", ".yml")
IGNORING = (".gitignore", ".wc-lint-ignore")
"""Files that list by patterns of git the files of their folder to pass over; only this program reads the second."""
_MADE = ("pyvenv.cfg", "CACHEDIR.TAG")
"""Files that mark folders which programs have made."""
_NAMES_MADE = ("node_modules", "__pycache__")
_MOST_STARS = 2
"""The most stars that a heeded pattern may have: with each the work to match a name can grow by its length."""

Ignores: TypeAlias = Callable[[str], bool]


class TooMuch(Carried, ValueError):
    """There are more files than are read at once; `path` is the one where that is so."""

    def __init__(self, path: Path, most: int, what: str) -> None:
        super().__init__(f"there are more than {most:,} {what}")
        self.path = path


def is_yaml(name: str) -> bool:
    """Whether a file is YAML by its name, in capital letters or small ones."""
    return name.lower().endswith(SUFFIXES)


def files_in(path: Path) -> list[Path]:
    """Return a file itself, and of a folder all YAML files, in a fixed order; raises TooMuch.

    A folder is looked through no further than to the file that is one too many. Passed over are hidden files and
    folders, those that `.gitignore` names or a program has made, and links that lead out of the folder: a stranger's
    folder reads no other files of the reader.
    """
    if not path.is_dir():
        return [path]
    found: list[Path] = []
    for number, entry in enumerate(_entries(path), 1):
        if number > MAX_ENTRIES:
            raise TooMuch(path, MAX_ENTRIES, "files and folders in this folder")
        if is_yaml(entry.name) and entry.is_file() and not _leads_out(entry, path):
            found.append(Path(entry.path))
        if len(found) > MAX_FILES:
            raise TooMuch(path, MAX_FILES, "YAML files in this folder")
    return sorted(found, key=lambda one: one.parts)


def directly_in(folder: Path) -> list[Path]:
    """Return the YAML files of a folder that `files_in` reads, without those in folders below."""
    return sorted(Path(entry.path) for entry in _entries(folder, below=False)
                  if is_yaml(entry.name) and entry.is_file() and not _leads_out(entry, folder))  # fmt: skip


def _entries(folder: Path, below: bool = True) -> Iterator[os.DirEntry[str]]:
    """Yield the entries of a folder and of those below it that can be read, without the ones that are passed over."""
    waiting: list[tuple[str, tuple[Ignores, ...]]] = [(str(folder), ())]
    while waiting:
        inside, above = waiting.pop()
        entries: list[os.DirEntry[str]] = []
        with suppress(OSError), os.scandir(inside) as scanned:
            entries.extend(scanned)
        names = {entry.name for entry in entries}
        if not names.isdisjoint(_MADE) and inside != str(folder):
            continue
        ignoring = (*above, *(_ignoring(inside, name) for name in IGNORING if name in names))
        for entry in entries:
            if entry.name.startswith(".") or any(ignores(entry.path) for ignores in ignoring):
                continue
            if below and entry.is_dir(follow_symlinks=False) and entry.name not in _NAMES_MADE:
                waiting.append((entry.path, ignoring))
            yield entry


def _ignoring(folder: str, name: str) -> Ignores:
    """Return whether a path below a folder is one that a file there says to ignore."""
    from pathspec import GitIgnoreSpec  # it takes long to import, and most folders need none

    text = ""
    with suppress(OSError, ValueError):
        text = begins_with(os.path.join(folder, name), MAX_BYTES).decode("utf-8", "replace")
    patterns = [line for line in text.splitlines() if line.replace("**", "*").count("*") <= _MOST_STARS]
    try:
        spec = GitIgnoreSpec.from_lines(patterns)
    except ValueError:  # a pattern that is none
        return lambda path: False

    def ignores(path: str) -> bool:
        below = os.path.relpath(path, folder).replace(os.sep, "/")
        return spec.match_file(below) or (os.path.isdir(path) and spec.match_file(f"{below}/"))

    return ignores


def _leads_out(entry: os.DirEntry[str], folder: Path) -> bool:
    """Whether a file in a folder is a link to somewhere else."""
    return entry.is_symlink() and not Path(entry.path).resolve().is_relative_to(folder.resolve())
