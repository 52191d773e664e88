"""Names of files from the root of their repository, as all reports for other programs write them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from warchest.source.repository import roots_above

WORKSPACE = "GITHUB_WORKSPACE"
"""The variable of the environment that names the folder into which GitHub has put the repository."""


def from_root(file: str) -> str:
    """Return the path of a file from the root of its repository, with slashes; unchanged where there is no such file.

    The root is that of the outermost repository in the folder of the environment's GITHUB_WORKSPACE, or else that
    folder. For a file outside of that, the root is that of its innermost repository, or the working folder.
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
    """Yield the folders to which the path of a file could be relative, the best first."""
    named = os.environ.get(WORKSPACE)
    roots = list(roots_above(str(place.parent)))
    if named:
        workspace = os.path.realpath(named)
        yield from (root for root in reversed(roots) if Path(root).is_relative_to(workspace))
        yield workspace
    yield from roots
    yield os.path.realpath(os.curdir)
    yield os.path.abspath(os.curdir)
