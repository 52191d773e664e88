"""Standard output and error, made such that whatever a command prints can be printed, or its failure be told."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Literal, TextIO

WRONG = 2


def printing(name: str, work: Callable[[], int], enough: int) -> int:
    """Do the work of the command of a name; return its exit code.

    That is `enough` where whoever reads the output wants no more of it, and 2 where it cannot be written.
    """
    _open()
    try:
        code = work()
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # Python would complain once more at its own end.
        _give_up_output()
        return enough
    except OSError as error:
        if error.filename is not None:
            raise
        _give_up_output()
        with suppress(OSError):
            print(f"{name}: the output could not be written: {error.strerror}", file=sys.stderr)
        return WRONG


def _open() -> None:
    """Print into nothing, and read nothing, where a stream is closed; take in escapes what is no text, or cannot be
    shown.
    """
    sys.stdin = sys.stdin or _nowhere("r")
    sys.stdout, sys.stderr = sys.stdout or _nowhere("w"), sys.stderr or _nowhere("w")
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _nowhere(mode: Literal["r", "w"]) -> TextIO:
    return open(os.devnull, mode, encoding="utf-8")


def _give_up_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
