"""Plain data kept beside Python's own compiled modules, which can be made anew, but not as quickly.

Data that is read is never run, and anybody who could write there could as well write the program.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any


def kept_beside(module: str, name: str = "") -> Path | None:
    """Return the file that keeps something for a module, given by its path; None where none may be written."""
    if sys.dont_write_bytecode:
        return None
    return Path(cache_from_source(module)).with_suffix(f".{name}.json" if name else ".json")


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
