"""Reading a file into a source. The result for any file is a source, findings, or both."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, Fix
from warchest.source.limits import MAX_BYTES
from warchest.source.records import record
from warchest.source.text import Source, Span

BYTE_ORDER_MARK = "\ufeff"
AT_ONCE = 1 << 16
"""The number of bytes requested at once: most files have fewer."""


@record()
class Read:
    """The outcome of reading a file: `source` is None if the file cannot be used at all."""

    source: Source | None
    diagnostics: tuple[Diagnostic, ...] = ()


class NotAFileError(ValueError):
    """A folder, pipe, device or socket where an ordinary file is needed; the message says which."""


def begins_with(path: Path | str, most: int) -> bytes:
    """Return the contents of an ordinary file, or the first `most` bytes of them.

    Every untrusted file is read by this function. Raises NotAFileError for anything else: reading a pipe would wait,
    and a device may never end. Raises OSError, or ValueError for an impossible path.
    """
    # The open file is the one checked, so it cannot be exchanged in between; and no opening waits for a writer.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
    try:
        opened = os.open(path, flags)
    except OSError:
        # A socket cannot be opened, nor can a folder on some systems; the message is the same for everything but a
        # file.
        with suppress(OSError):
            _refuse_others(os.stat(path).st_mode)
        raise
    try:
        _refuse_others(os.fstat(opened).st_mode)
        parts, left = list[bytes](), most
        while left and (part := os.read(opened, min(left, AT_ONCE))):
            parts.append(part)
            left -= len(part)
        return b"".join(parts)
    finally:
        os.close(opened)


def _refuse_others(mode: int) -> None:
    if not stat.S_ISREG(mode):
        raise NotAFileError(f"this is {'a folder' if stat.S_ISDIR(mode) else 'not an ordinary file'}")


def read_source(path: Path) -> Read:
    """Read the file at `path`; never raises. Tabs and odd characters are found by the YAML layer."""
    try:
        data = begins_with(path, MAX_BYTES + 1)
    except NotAFileError as error:
        return _refused("not-a-file", str(error), path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "the path is invalid"
        return _refused("unreadable-file", f"the file cannot be read: {reason[:1].lower()}{reason[1:]}", path)
    return decode(data, str(path))


def decode(data: bytes, path: str) -> Read:
    """Make a source from the bytes of a file or of standard input, named `path` in reports; never raises."""
    if len(data) > MAX_BYTES:
        return _refused(
            "file-too-large",
            f"the file is larger than {MAX_BYTES // 1024} KiB",
            path,
            "split it into several documents",
        )
    if b"\0" in data:
        return _refused("not-text", "the file holds zero bytes, so it is not text", path, "save it as UTF-8")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        place = _place_in(data, error.start, path)
        message = f"byte 0x{data[error.start]:02x} in line {place.line} is not UTF-8"
        return Read(None, (report("not-text", message, place, help="save the file as UTF-8"),))
    return _text(text, path)


def _place_in(data: bytes, start: int, path: str) -> Span:
    """Return the place of a byte that cannot be read, in a text with signs for all such bytes."""
    before = data[:start].decode("utf-8").removeprefix(BYTE_ORDER_MARK)
    source = Source(path, before + data[start:].decode("utf-8", "replace"))
    return source.span(len(before), len(before) + 1)


def _text(text: str, path: str) -> Read:
    # The mark is removed before characters are counted: the C YAML parser does not count it, an editor
    # does not show it, and so every offset stays right.
    marked = text.startswith(BYTE_ORDER_MARK)
    source = Source(path, text.removeprefix(BYTE_ORDER_MARK))
    if not source.text.strip():
        return _refused("empty-file", "the file is empty", path)
    if not marked:
        return Read(source)
    found = report(
        "byte-order-mark",
        "the file starts with a byte order mark",
        source.span(0, 0),
        help="save it as UTF-8 without a byte order mark",
        # The mark is no part of the text, so that saving the text removes it.
        fix=Fix(()),
    )
    return Read(source, (found,))


def _refused(name: str, message: str, path: Path | str, help: str = "") -> Read:
    return Read(None, (report(name, message, None, help=help, path=str(path)),))
