"""Plain data kept beside Python's own compiled modules, which can be made anew, but not as quickly.

Data that is read is never run, and anybody who could write there could as well write the program. A package that was
built with such data has it in a folder of its own, with the digest of the build in place of the digests of its files.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from functools import cache
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

BUILT = Path(__file__).resolve().parent.parent / "_kept"
"""The folder of kept data in a package that was built with it."""
BUILD = "build.json"
"""The file in it that holds the digest of the build."""


def kept_beside(module: str, name: str = "") -> Path | None:
    """Return the file that keeps something for a module, given by its path; None where none may be written."""
    end = f".{name}.json" if name else ".json"
    if build_digest():
        inside = Path(module).resolve().relative_to(BUILT.parent).with_suffix("")
        return BUILT / f"{'.'.join(inside.parts)}{end}"
    if sys.dont_write_bytecode:
        return None
    return Path(cache_from_source(module)).with_suffix(end)


@cache
def build_digest() -> str:
    """Return the digest of all files of a package that was built with kept data; empty for any other package."""
    with suppress(OSError, ValueError):
        told = json.loads((BUILT / BUILD).read_bytes())
        if isinstance(told, dict) and isinstance(told.get("digest"), str):
            return str(told["digest"])
    return ""


def read_kept(file: Path, digest: str) -> Any:
    """Return the data that a file keeps under a digest; None if that is another one, or there is no such file."""
    with suppress(OSError, ValueError, RecursionError):
        kept = json.loads(file.read_bytes())
        if isinstance(kept, dict) and kept.get("digest") == digest:
            return kept.get("kept")
    return None


def keep(file: Path, digest: str, plain: Any) -> None:
    """Keep plain data, if it can be written; another process finds the whole of it, or nothing."""
    temporary = file.with_name(f"{file.name}.{os.getpid()}")
    with suppress(OSError):
        try:
            temporary.write_text(json.dumps({"digest": digest, "kept": plain}, separators=(",", ":")), encoding="utf-8")
            temporary.replace(file)
        finally:
            temporary.unlink(missing_ok=True)
