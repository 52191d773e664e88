"""Files replaced as a whole, so that a writing that is broken off spoils nothing."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from secrets import token_hex


def replace_file(path: Path | str, data: bytes) -> None:
    """Put contents in the place of a file, or make a new one.

    The file keeps its permissions; a link is replaced, and not the file that it leads to. Raises OSError where that
    cannot be done; what was there stays as it was then.
    """
    target = Path(path)
    temporary = target.with_name(f".warchest-{token_hex(8)}.tmp")
    try:
        # Nobody else's file is written to, whatever lies in the folder.
        with temporary.open("xb") as file:
            with suppress(FileNotFoundError):
                os.chmod(temporary, os.lstat(target).st_mode & 0o777)
            file.write(data)
            file.flush()
            # A disk may say only now that it is full.
            os.fsync(file.fileno())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
