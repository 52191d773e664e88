"""Repositories of git, as far as the folders tell: nothing here asks git."""

from __future__ import annotations

import os
from collections.abc import Iterator

REPOSITORY = ".git"
"""The entry that marks a folder as the root of a repository."""


def roots_above(path: str) -> Iterator[str]:
    """Yield the roots of the repositories that an absolute path is in, itself among them, the nearest first."""
    while True:
        if os.path.lexists(os.path.join(path, REPOSITORY)):
            yield path
        outer = os.path.dirname(path)
        if outer == path:
            return
        path = outer
