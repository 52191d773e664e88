"""The parsed blocks of the shipped games, kept from one command to the next, since players change none of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from warchest.resolve import parsed_blocks
from warchest.source.beside import build_digest, keep, kept_beside, read_kept
from warchest.source.data import data_folder
from warchest.source.text import Source
from warchest.syntax import parse

_RECALLED: set[Path] = set()
"""The files that were recalled in this process, which knows their blocks from then on."""


def recall_shipped(name: str) -> None:
    """Let the blocks of a shipped game be known that an earlier command has kept."""
    file = kept_beside(__file__, name)
    if file is not None and file not in _RECALLED:
        _RECALLED.add(file)
        written = read_kept(file, _digest())
        parsed_blocks.recall(written.encode() if isinstance(written, str) else b"")


def keep_shipped(name: str, sources: Iterable[Source]) -> None:
    """Keep the blocks of a shipped game that were parsed, if any were."""
    file = kept_beside(__file__, name)
    written = parsed_blocks.written(sources) if file is not None else b""
    if file is not None and written:
        keep(file, _digest(), written.decode())


def _digest() -> str:
    """Return a digest of all that has a say in how a block is read, but for its text and its words."""
    if build_digest():
        return build_digest()
    made = hashlib.sha256()
    modules = sorted(Path(parse.__file__).parent.glob("*.py"))
    for file in (*modules, Path(parsed_blocks.__file__), data_folder("grammar") / "sentence.lark"):
        known = file.stat()
        made.update(f"{file.name}\0{known.st_size}\0{known.st_mtime_ns}\0".encode())
    return made.hexdigest()
