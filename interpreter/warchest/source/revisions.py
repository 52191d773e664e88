"""Files at an earlier revision, which git keeps, and the lines that differ from it."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from difflib import SequenceMatcher
from pathlib import Path

from warchest.source.data import data_folder, is_shipped
from warchest.source.file_reading import begins_with
from warchest.source.git import GitError, ask
from warchest.source.limits import MAX_BYTES
from warchest.source.text import Span, with_line_ends

MOST_COMPARED = 25_000_000
"""The most pairs of lines that are compared; if there are more, all from the first change to the last are changed."""


class TouchedLines:
    """The lines of files that differ from a revision; raises GitError where git cannot tell.

    Files that git ignores count as unchanged. So do files of an installed program, and files of a program in another
    repository than the other files (or, if there are none, than the current folder).
    """

    def __init__(self, revision: str, files: Iterable[str]) -> None:
        kept, problems = _Earlier(revision), list[GitError]()
        files = list(dict.fromkeys(files))
        roots = {kept.root(_place(file)[0]) for file in files if not is_shipped(file)} or {kept.root(os.getcwd())}
        self.lines: dict[str, frozenset[int] | None] = {}
        """For each file the lines that differ; None for all of them."""
        for file in files:
            try:
                self.lines[file] = _lines_of(file, kept, roots)
            except GitError as error:
                if not is_shipped(file):
                    raise
                self.lines[file] = frozenset()
                problems.append(error)
        if problems and len(problems) == len(self.lines):
            raise problems[0]

    def has(self, span: Span) -> bool:
        """Whether any line of a span differs."""
        lines = self.lines.get(span.path, frozenset())
        return lines is None or not lines.isdisjoint(range(span.line, span.end_line + 1))


def text_at(revision: str, file: str) -> tuple[str, Path]:
    """Return the text of a file at a revision, and the file; raises GitError.

    Its path is relative to the current folder or, as for git, to the root of the repository.
    """
    kept = _Earlier(revision)
    found = [(text, path) for path in _meant(file) if (text := kept.text(path)) is not None]
    if not found:
        raise GitError(f"there is no {file} at {revision[:60]!r}")
    if len(found) > 1:
        other = Path(os.path.relpath(found[1][1])).as_posix()
        raise GitError(
            f"there are two files {file} at {revision[:60]!r}: write ./{file} for the one in this folder, "
            f"and {other} for the one from the root of the repository"
        )
    return found[0]


def changed_lines(old: str, new: str) -> frozenset[int]:
    """Return the numbers, from 1 on, of new lines, and of the lines before and after removed lines."""
    before, after = old.split("\n"), new.split("\n")
    least = min(len(before), len(after))
    head = next((at for at in range(least) if before[at] != after[at]), least)
    left = least - head
    tail = next((at for at in range(left) if before[-1 - at] != after[-1 - at]), left)
    before, after = before[head : len(before) - tail], after[head : len(after) - tail]
    changes = [(0, len(after))] if before or after else []
    if len(before) * len(after) <= MOST_COMPARED:
        matcher = SequenceMatcher(None, before, after, autojunk=False)
        changes = [(first, end) for tag, _, _, first, end in matcher.get_opcodes() if tag != "equal"]
    found: set[int] = set()
    for first, end in changes:
        found.update(range(head + first + 1, head + end + 1) if end > first else (head + first, head + first + 1))
    return frozenset(found)


class _Earlier:
    """Files as git has kept them at a revision, in whichever repository each of them is."""

    def __init__(self, revision: str) -> None:
        self.revision = revision
        self._objects: dict[str, str] = {}
        self._roots: dict[str, str] = {}

    def root(self, folder: str) -> str:
        """Return the root of the repository that a folder is in; empty where it is in none."""
        if folder not in self._roots:
            self._roots[folder] = os.fsdecode(ask(folder, "rev-parse", "--show-toplevel") or b"").removesuffix("\n")
        return self._roots[folder]

    def text(self, file: str | Path) -> str | None:
        """Return the text of a file at the revision, with plain line ends; None if it has none. Raises GitError."""
        folder, path = _place(file)
        found = self._name_of(folder, path)
        if found is None:
            return None
        size = ask(folder, "cat-file", "-s", found)
        if size is not None and int(size) > MAX_BYTES:
            raise GitError(f"{file} is larger than {MAX_BYTES >> 20} MiB at {self.revision[:60]!r}")
        data = ask(folder, "cat-file", "blob", found)
        if data is None:
            raise GitError(f"git has kept no text of {file} at {self.revision[:60]!r}, and nothing is fetched")
        return with_line_ends(data.decode("utf-8", errors="replace"), "\n")

    def had(self, folder: Path) -> bool:
        """Whether a folder had any files at the revision."""
        return self._name_of(os.path.realpath(folder), "") is not None

    def _name_of(self, folder: str, path: str) -> str | None:
        """Return the name under which git keeps the file or folder at a path; None where there was none."""
        return _verified(folder, f"{self._object(folder)}:./{path}")

    def _object(self, folder: str) -> str:
        """Return the hash of the revision in a folder; raises GitError."""
        if folder not in self._objects:
            known = _verified(folder, f"{self.revision}^0")
            if known is None and ask(folder, "rev-parse", "--is-inside-work-tree") is not None:
                raise GitError(f"there is no revision {self.revision[:60]!r}")
            if known is None:
                raise GitError(f"{folder} is in no repository of git")
            self._objects[folder] = known
        return self._objects[folder]


def _verified(folder: str, name: str) -> str | None:
    """Return the id of the git object that a name refers to in a folder; None if there is none."""
    found = ask(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", name)
    return found.decode().strip() if found is not None else None


def _lines_of(file: str, kept: _Earlier, roots: Collection[str]) -> frozenset[int] | None:
    """Return the lines of a file that differ from a revision; None if it did not exist then. Raises GitError."""
    if is_shipped(file) and kept.root(_place(file)[0]) not in roots:
        raise GitError("the texts of the program are in no repository of git, or in another one")
    old = kept.text(file)
    if old is not None:
        new = begins_with(file, MAX_BYTES).decode("utf-8", errors="replace")
        return changed_lines(old, with_line_ends(new, "\n"))
    if is_shipped(file) and not kept.had(data_folder("cards")):
        raise GitError(f"git has kept no texts of the program at {kept.revision[:60]!r}")
    folder, path = _place(file)
    is_ignored = ask(folder, "check-ignore", "--quiet", "--", f"./{path}") is not None
    return frozenset() if is_ignored else None


def _place(file: str | Path) -> tuple[str, str]:
    """Return the nearest existing folder above a file, and the path of the file from it."""
    real = Path(os.path.realpath(file))
    folder = next(one for one in real.parents if one.is_dir())
    return str(folder), real.relative_to(folder).as_posix()


def _meant(file: str) -> list[Path]:
    """Return the files that a path can mean: from the current folder, and from the root of its repository."""
    here = Path(file)
    if here.is_absolute() or file.startswith(("./", "../")):
        return [here]
    top = ask(Path.cwd(), "rev-parse", "--show-toplevel")
    root = Path(os.fsdecode(top.removesuffix(b"\n"))) if top else Path.cwd()
    # The root that a repository states is trusted only if we are inside it.
    is_around = root != Path.cwd() and Path.cwd().is_relative_to(root)
    return [here, Path(os.path.relpath(root / here))] if is_around else [here]
