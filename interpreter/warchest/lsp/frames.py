"""Messages in a stream of bytes: each follows a header with its length."""

from __future__ import annotations

import re

from warchest.lsp.connection import MOST

CHUNK = 1 << 16
"""The most bytes that are read at once."""
_LENGTH = re.compile(rb"content-length: *([0-9]{1,9}) *", re.IGNORECASE)
_TYPE = re.compile(rb"content-type:[ -~]*", re.IGNORECASE)
_END = b"\r\n\r\n"
MOST_HEAD = 1 << 12
"""The most bytes of a header."""


class Frames:
    """The messages in a stream of bytes."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        """Add bytes, and return the messages that are now complete; raises ValueError for a bad header."""
        self._bytes += data
        found = list[bytes]()
        while (end := self._bytes.find(_END, 0, MOST_HEAD)) >= 0:
            start, stop = end + len(_END), end + len(_END) + _length_in(bytes(self._bytes[:end]))
            if len(self._bytes) < stop:
                return found
            found.append(bytes(self._bytes[start:stop]))
            del self._bytes[:stop]
        if len(self._bytes) > MOST_HEAD:
            raise ValueError("a header is too long")
        return found


def _length_in(head: bytes) -> int:
    """Return the length that a header gives; raises ValueError.

    A header with anything else comes from no client of the protocol, but perhaps from a page that sends a form.
    """
    length = -1
    for line in head.split(b"\r\n"):
        found = _LENGTH.fullmatch(line)
        if found is not None:
            length = int(found[1])
        elif not _TYPE.fullmatch(line):
            raise ValueError("a header has a Content-Length and a Content-Type, and nothing else")
    if not 0 <= length <= MOST:
        raise ValueError(f"a header needs a Content-Length of at most {MOST}")
    return length


def framed(text: str) -> bytes:
    """Return a message as bytes, with its header."""
    data = text.encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(data), data)
