"""The folder in which the package keeps its results, and whether that is the user's alone.

The files in it are believed, and even run, so nobody else may have been able to write them.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

NAMED_BY = "WARCHEST_CACHE"
"""The variable of the environment that names the folder; empty: nothing is kept."""
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def private_folder(name: str) -> Path | None:
    """Return the folder of a name in which things are kept; None for nowhere."""
    named = os.environ.get(NAMED_BY)
    if named == "" or not hasattr(os, "getuid"):
        return None  # nobody wants them, or there is no telling who could have written them
    if named is None:
        named = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "warchest")
    return Path(named).absolute() / name


def doubt_of(folder: Path) -> str:
    """Return why things in a folder may be those of somebody else; an empty text if they are one's own."""
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
            return f"{path} belongs to somebody else"
        shared = known.st_mode & stat.S_ISVTX and path != real
        if known.st_mode & _OTHERS_WRITE and not (shared or stat.S_ISLNK(known.st_mode)):
            return f"others can write to {path}"
    return ""


def make_private(folder: Path) -> None:
    """Make a folder, and those above it, for its owner alone; raises OSError."""
    if not folder.is_dir():
        make_private(folder.parent)
        folder.mkdir(0o700, exist_ok=True)


def newest_first(paths: list[Path]) -> list[Path]:
    """Return files by the time at which they were last written or used, the latest first; raises OSError."""
    return sorted(paths, key=lambda one: one.stat().st_mtime_ns, reverse=True)
