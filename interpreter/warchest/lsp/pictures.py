"""The picture that was asked for last, as a file that an editor can show."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from warchest.source.private import doubt_of, make_private, private_folder
from warchest.source.replacing import replace_file

FOLDER, FILE = "pictures", "ruling.svg"


def kept_picture(svg: str) -> Path | None:
    """Write a picture in place of the last one, into a folder of the user's own; return its file, or None."""
    folder = private_folder(FOLDER)
    if folder is None or doubt_of(folder):
        return None
    with suppress(OSError):
        make_private(folder)
        replace_file(folder / FILE, svg.encode())
        return folder / FILE
    return None
