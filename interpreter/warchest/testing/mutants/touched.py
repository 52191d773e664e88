"""The lines of files that differ from a revision, as git tells them."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

from warchest.source.text import Span

SECONDS = 60
"""The longest time that git may take."""
_HUNK = re.compile(r"^@@ -[0-9]+(?:,[0-9]+)? \+([0-9]+)(?:,([0-9]+))? @@", re.MULTILINE)
_PLAINLY = ("--no-ext-diff", "--no-textconv", "--no-color", "--unified=0")
# A repository of a stranger names no programs that git would start.
_GIT = ("git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=")


class NoDifferenceError(Exception):
    """Git cannot tell what differs; the message says why, in one line."""


class Touched:
    """The lines of files that are other ones than at a revision; raises NoDifferenceError where git cannot tell."""

    def __init__(self, revision: str, files: Iterable[str]) -> None:
        self.lines = {file: _lines_of(file, revision) for file in dict.fromkeys(files)}
        """For each file the lines that differ; None for all of them."""

    def has(self, span: Span) -> bool:
        """Whether any line of a span differs."""
        lines = self.lines.get(span.path, frozenset())
        return lines is None or not lines.isdisjoint(range(span.line, span.end_line + 1))


def _lines_of(file: str, revision: str) -> frozenset[int] | None:
    """Return the lines of a file that differ from a revision; None where the file was not there then."""
    folder, name = os.path.split(os.path.abspath(file))
    commit = _git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if commit is None:
        inside = _git(folder, "rev-parse", "--is-inside-work-tree") is not None
        message = f"there is no revision {revision[:60]!r}" if inside else f"{folder} is in no repository of git"
        raise NoDifferenceError(message)
    if _git(folder, "cat-file", "-e", f"{commit.strip()}:./{name}") is None:
        return None
    diff = _git(folder, "diff", *_PLAINLY, commit.strip(), "--", name) or ""
    found: set[int] = set()
    for match in _HUNK.finditer(diff):
        first, count = int(match[1]), int(match[2] or 1)
        # Where lines were only taken out, those on both sides are what is new.
        found.update(range(first, first + count) if count else (first, first + 1))
    return frozenset(found)


def _git(folder: str, *arguments: str) -> str | None:
    """Return what git says in a folder; None where it refuses. Raises NoDifferenceError where there is no git."""
    try:
        done = subprocess.run(
            [*_GIT, *arguments], cwd=Path(folder), capture_output=True, timeout=SECONDS, check=False,
            env={**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except FileNotFoundError:
        raise NoDifferenceError("git is not installed, and nothing else knows what differs") from None
    except (OSError, subprocess.TimeoutExpired, ValueError) as error:
        raise NoDifferenceError(f"git does not answer: {error}") from None
    return done.stdout.decode(errors="replace") if done.returncode == 0 else None
