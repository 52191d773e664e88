"""Folders, and the files in them that are read. People also keep other things than documents in a folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from warchest.source.carried import Carried
from warchest.source.data import data_folder
from warchest.source.ignoring import Ignored, TooManyPatterns, ignored_above
from warchest.source.limits import MAX_ENTRIES, MAX_FILES, MAX_PATTERNS
from warchest.source.records import record
from warchest.source.repository import REPOSITORY

SUFFIXES = (".yaml", ".yml")
MOST_NAMED = 3
"""The most files that a note names."""
_MADE = ("pyvenv.cfg", "CACHEDIR.TAG")
"""Files that mark folders which programs have made."""
_NAMES_MADE = ("node_modules", "__pycache__")


class TooMuch(Carried, ValueError):
    """There are more files than are read at once; `path` is the first one too many."""

    def __init__(self, path: Path, most: int, what: str) -> None:
        super().__init__(f"there are more than {most:,} {what}")
        self.path = path


def is_yaml(name: str) -> bool:
    """Whether a file is YAML by its name, in capital letters or small ones."""
    return name.lower().endswith(SUFFIXES)


@record()
class FoundFiles:
    """The files that are read for a path, and the links found there that lead to no file."""

    files: list[Path]
    lost: list[Path]


def files_in(path: Path) -> list[Path]:
    """Return a file itself, and for a folder all YAML files, in a fixed order; raises TooMuch.

    The search in a folder ends at the first file beyond the limit. It skips: hidden files and folders; files that git
    ignores or a program has made; links that lead out of the folder (so that a stranger's folder reads no files of the
    reader), to no file, or to a file that is read anyway.
    """
    return looked_through(path).files


def looked_through(path: Path, below: bool = True) -> FoundFiles:
    """Return the files that `files_in` returns, with the links that lead to no file; raises TooMuch."""
    if not os.path.isdir(path):
        return FoundFiles([path], [])
    found, links, lost = list[Path](), list[Path](), list[Path]()
    for number, entry in enumerate(_entries(path, below), 1):
        if number > MAX_ENTRIES:
            raise TooMuch(path, MAX_ENTRIES, "files and folders in this folder")
        if is_yaml(entry.name) and is_file(entry):
            (links if entry.is_symlink() else found).append(Path(entry.path))
        elif is_yaml(entry.name) and entry.is_symlink() and not os.path.exists(entry.path):
            lost.append(Path(entry.path))
        if len(found) + len(links) > MAX_FILES:
            raise TooMuch(path, MAX_FILES, "YAML files in this folder")
    here = Path(os.path.realpath(path))
    inside = [link for link in sorted(links) if Path(os.path.realpath(link)).is_relative_to(here)]
    return FoundFiles(sorted(once([*found, *inside]), key=lambda one: one.parts), sorted(lost))


def is_file(entry: os.DirEntry[str]) -> bool:
    """Whether an entry of a folder is a file or leads to one; links in a cycle, for example, lead nowhere."""
    with suppress(OSError):
        return entry.is_file()
    return False


def once(files: Iterable[Path]) -> list[Path]:
    """Return each file once, without links to other files in the list; of several links to a file, only the first."""
    found = list(dict.fromkeys(files))
    if not any(map(os.path.islink, found)):
        return found
    by_place: dict[str, Path] = {}
    for file in sorted(found, key=os.path.islink):
        by_place.setdefault(os.path.realpath(file), file)
    kept = set(by_place.values())
    return [file for file in found if file in kept]


def about_lost(links: Sequence[Path]) -> str:
    """Return a note on one link or several that lead to no file."""
    if len(links) == 1:
        return f"{links[0]} is a link to no file and was passed over"
    named = ", ".join([*map(str, links[:MOST_NAMED]), *(["…"] if len(links) > MOST_NAMED else [])])
    return f"{len(links)} links to no file were passed over ({named})"


def _entries(folder: Path, below: bool = True) -> Iterator[os.DirEntry[str]]:
    """Yield the entries of a folder and of the readable folders below it, without skipped ones.

    Raises TooMuch if there are too many patterns.
    """
    top = os.path.realpath(folder)
    waiting = [(str(folder), _subject_to(top))]
    while waiting:
        inside, above = waiting.pop()
        entries: list[os.DirEntry[str]] = []
        with suppress(OSError), os.scandir(inside) as scanned:
            entries.extend(scanned)
        names = {entry.name for entry in entries}
        if not names.isdisjoint(_MADE) and inside != str(folder):
            continue
        place = top + inside[len(str(folder)) :]
        try:
            ignored = (Ignored() if REPOSITORY in names else above).within(place, names)
        except TooManyPatterns as error:
            raise TooMuch(Path(inside), MAX_PATTERNS, f"patterns in {error}") from None
        for entry in entries:
            is_folder = entry.is_dir(follow_symlinks=False)
            if entry.name.startswith(".") or ignored.has(os.path.join(place, entry.name), is_folder):
                continue
            if below and is_folder and entry.name not in _NAMES_MADE:
                waiting.append((entry.path, ignored))
            yield entry


def _subject_to(folder: str) -> Ignored:
    """Return the patterns of the folders above one; raises TooMuch.

    Files that come with the package are never ignored, in whichever repository the package has been installed.
    """
    with suppress(FileNotFoundError):
        if Path(folder).is_relative_to(data_folder("cards")):
            return Ignored()
    try:
        return ignored_above(folder)
    except TooManyPatterns as error:
        raise TooMuch(Path(folder), MAX_PATTERNS, f"patterns above this folder in {error}") from None
