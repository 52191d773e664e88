"""Repositories of git, found by the folders alone, without asking git."""

from __future__ import annotations

import os
from collections.abc import Iterator

REPOSITORY = ".git"
"""The entry that marks a folder as the root of a repository."""


def roots_above(path: str) -> Iterator[str]:
    """Yield the roots of the repositories around an absolute path, the nearest first; the path can be a root itself."""
    while True:
        if os.path.lexists(os.path.join(path, REPOSITORY)):
            yield path
        outer = os.path.dirname(path)
        if outer == path:
            return
        path = outer
