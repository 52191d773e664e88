"""Files at an earlier revision, and the lines that differ from it, as git tells them."""

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


class NoRevisionError(Exception):
    """Something that git cannot tell; the message says why, in one line."""


class TouchedLines:
    """The lines of files that are other ones than at a revision; raises NoRevisionError where git cannot tell."""

    def __init__(self, revision: str, files: Iterable[str]) -> None:
        self.lines = {file: _lines_of(file, revision) for file in dict.fromkeys(files)}
        """For each file the lines that differ; None for all of them."""

    def has(self, span: Span) -> bool:
        """Whether any line of a span differs."""
        lines = self.lines.get(span.path, frozenset())
        return lines is None or not lines.isdisjoint(range(span.line, span.end_line + 1))


def text_at(revision: str, file: str) -> str:
    """Return the text of a file at a revision; raises NoRevisionError."""
    folder, name = os.path.split(os.path.abspath(file))
    shown = _git(folder, "show", f"{_object(folder, revision)}:./{name}")
    if shown is None:
        raise NoRevisionError(f"there is no {file} at {revision[:60]!r}")
    return shown


def _object(folder: str, revision: str) -> str:
    """Return the name by which git knows a revision; raises NoRevisionError."""
    known = _git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^0")
    if known is None:
        inside = _git(folder, "rev-parse", "--is-inside-work-tree") is not None
        message = f"there is no revision {revision[:60]!r}" if inside else f"{folder} is in no repository of git"
        raise NoRevisionError(message)
    return known.strip()


def _lines_of(file: str, revision: str) -> frozenset[int] | None:
    """Return the lines of a file that differ from a revision; None where the file was not there then."""
    folder, name = os.path.split(os.path.abspath(file))
    known = _object(folder, revision)
    if _git(folder, "cat-file", "-e", f"{known}:./{name}") is None:
        return None
    diff = _git(folder, "diff", *_PLAINLY, known, "--", name) or ""
    found: set[int] = set()
    for match in _HUNK.finditer(diff):
        first, count = int(match[1]), int(match[2] or 1)
        # Where lines were only taken out, those on both sides are what is new.
        found.update(range(first, first + count) if count else (first, first + 1))
    return frozenset(found)


def _git(folder: str, *arguments: str) -> str | None:
    """Return the answer of git in a folder; None where it refuses. Raises NoRevisionError where there is no git."""
    try:
        done = subprocess.run(
            [*_GIT, *arguments], cwd=Path(folder), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, timeout=SECONDS, check=False,
            env={**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"},
        )  # fmt: skip
    except FileNotFoundError:
        raise NoRevisionError("git is not installed, and nothing else knows what differs") from None
    except (OSError, subprocess.TimeoutExpired, ValueError) as error:
        raise NoRevisionError(f"git does not answer: {error}") from None
    return done.stdout.decode(errors="replace") if done.returncode == 0 else None
