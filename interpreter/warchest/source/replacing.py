"""Atomic replacement of files, so that an interrupted write leaves the old file."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from secrets import token_hex


def replace_file(path: Path | str, data: bytes) -> None:
    """Replace the contents of a file, or make a new file.

    The file keeps its permissions; a link is replaced, and not the file that it leads to; a device or a pipe is written
    to. Raises OSError about the file on failure; then the old file stays as it was.
    """
    target, mode = Path(path), None
    with suppress(FileNotFoundError):
        mode = os.stat(target).st_mode
    if mode is not None and not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        target.write_bytes(data)
        return
    temporary = target.with_name(f".warchest-{token_hex(8)}.tmp")
    try:
        # The temporary file must be new, so that no existing file is written to.
        with temporary.open("xb") as file:
            if mode is not None:
                os.chmod(temporary, mode & 0o777)
            file.write(data)
            file.flush()
            # A full disk may cause an error only now.
            os.fsync(file.fileno())
        temporary.replace(target)
    except OSError as error:
        error.filename, error.filename2 = str(target), None  # the name of the temporary file would not help
        raise
    finally:
        temporary.unlink(missing_ok=True)
