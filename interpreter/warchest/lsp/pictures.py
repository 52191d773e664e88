"""The picture that was asked for last, as a file that an editor can show."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from warchest.source.cache import make_private, own_cache
from warchest.source.replacing import replace_file

FOLDER, FILE = "pictures", "ruling.svg"


def kept_picture(svg: str) -> Path | None:
    """Write a picture in place of the last one, into a folder of the user's own; return its file, or None."""
    cache, _ = own_cache(FOLDER)
    if cache is not None:
        with suppress(OSError):
            make_private(cache.folder)
            replace_file(cache.folder / FILE, svg.encode())
            return cache.folder / FILE
    return None
