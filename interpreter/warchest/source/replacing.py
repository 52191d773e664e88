"""Atomic replacement of files, so that an interrupted write leaves the old file."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from secrets import token_hex


def replace_file(path: Path | str, data: bytes) -> None:
    """Replace the contents of a file, or make a new file.

    The file keeps its permissions; a link is replaced, and not the file that it leads to. Raises OSError about the
    file on failure; then the old file stays as it was.
    """
    target = Path(path)
    temporary = target.with_name(f".warchest-{token_hex(8)}.tmp")
    try:
        # The temporary file must be new, so that no existing file is written to.
        with temporary.open("xb") as file:
            with suppress(FileNotFoundError):
                os.chmod(temporary, os.lstat(target).st_mode & 0o777)
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
