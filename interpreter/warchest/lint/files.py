"""Standard input as a file, the writing of corrected files, and errors of the command as single lines."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

from warchest.lint.jobs import UnknownGame
from warchest.lint.settings import SettingsError
from warchest.source.folders import TooMuch
from warchest.source.limits import MAX_BYTES
from warchest.source.replacing import replace_file
from warchest.streams import say

FAILED = 2
_WRITABLE = 0o222


class WrongUse(ValueError):
    """The arguments cannot be used; the message gives the reason."""


ERRORS = (TooMuch, UnknownGame, FileNotFoundError, SettingsError, WrongUse)
"""The errors that end the command, each printed in one line."""


def in_one_line(program: str, work: Callable[[], int]) -> int:
    """Do the work of a command, and return its exit code; an error among `ERRORS` is printed in one line."""
    try:
        return work()
    except ERRORS as error:
        say(f"{program}: {told(error)}", error=True)
    return FAILED


def told(error: Exception) -> str:
    """Return the line about one of the `ERRORS`."""
    return f"{error.path}: {error}; name less (docs/reference/limits.md)" if isinstance(error, TooMuch) else str(error)


def standard_input() -> bytes:
    """Return the contents of standard input; raises WrongUse if they are too long."""
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise WrongUse(f"standard input is larger than {MAX_BYTES:,} bytes (docs/reference/limits.md)")
    return data


def write_back(path: str, text: str) -> str:
    """Replace the text of a file that was read, or of the target of a link.

    Return the reason why it could not be written, or an empty text.
    """
    file = Path(os.path.realpath(path))
    try:
        if not os.access(file, os.W_OK) or not file.stat().st_mode & _WRITABLE:
            return f"{path}: the file is read-only; it stays as it was"
        replace_file(file, text.encode("utf-8"))
    except OSError as error:
        return f"{path}: {reason(error)}; it stays as it was"
    return ""


def reason(error: OSError) -> str:
    """Return the reason of an error in small letters."""
    said = error.strerror or str(error) or "it cannot be used"
    return f"{said[:1].lower()}{said[1:]}"
