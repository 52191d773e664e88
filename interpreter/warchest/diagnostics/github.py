"""Workflow commands, by which GitHub shows findings beside their lines."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from warchest.diagnostics.visible import visible
from warchest.source.repository import roots_above

WORKSPACE = "GITHUB_WORKSPACE"
"""The variable of the environment that names the folder into which GitHub has put the repository."""


def annotation(level: str, file: str, message: str, fields: Mapping[str, int | str]) -> str:
    """Return the line for a message of a level (`error`, `warning` or `notice`) about a file.

    The file is named from the root of its repository, whichever folder the program runs in: GitHub knows no other
    names. `fields` say where in the file it is, and may hold a title.
    """
    told = {"file": visible(from_root(file)), **fields}
    shown = ",".join(f"{key}={_escaped(str(value), inside=True)}" for key, value in told.items())
    return f"::{level} {shown}::{_escaped(message)}"


def from_root(file: str) -> str:
    """Return the path of a file from the root of its repository, with slashes; unchanged where there is no such file.

    The root is that of the outermost repository in the folder of the environment's GITHUB_WORKSPACE, or else that
    folder. For a file outside of it, it is the root of the innermost repository, or else the working folder.
    """
    if not os.path.lexists(file):
        return file
    # Git knows no paths through links.
    real = Path(os.path.realpath(file))
    for one in (real, Path(os.path.abspath(file))):
        for root in _roots(one):
            if one.is_relative_to(root):
                return one.relative_to(root).as_posix()
    return real.as_posix()


def _roots(place: Path) -> Iterator[str]:
    """Yield the folders from which a file could be named, the best first."""
    named = os.environ.get(WORKSPACE)
    roots = list(roots_above(str(place.parent)))
    if named:
        workspace = os.path.realpath(named)
        yield from (root for root in reversed(roots) if Path(root).is_relative_to(workspace))
        yield workspace
    yield from roots
    yield os.path.realpath(os.curdir)
    yield os.path.abspath(os.curdir)


def _escaped(part: str, inside: bool = False) -> str:
    part = part.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return part.replace(":", "%3A").replace(",", "%2C") if inside else part
