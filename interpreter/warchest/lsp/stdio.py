"""The server over standard input and output, for editors: messages are JSON behind a header with their length."""

from __future__ import annotations

import json
import os
import re
import select
import sys
from collections.abc import Callable
from typing import Any, BinaryIO

from warchest.lsp.protocol import INVALID, PARSE

MOST = 64 << 20
"""The most bytes of a message."""
_LENGTH = re.compile(rb"content-length: *([0-9]{1,9}) *$", re.IGNORECASE | re.MULTILINE)
_END = b"\r\n\r\n"
CHUNK = 1 << 16


class Frames:
    """The messages in a stream of bytes."""

    def __init__(self) -> None:
        self._bytes = b""

    def feed(self, data: bytes) -> list[bytes]:
        """Add bytes, and return the messages that are now complete; raises ValueError for a bad header."""
        self._bytes += data
        found = list[bytes]()
        while (end := self._bytes.find(_END)) >= 0:
            length = _LENGTH.search(self._bytes[:end].replace(b"\r", b""))
            if length is None or int(length[1]) > MOST:
                raise ValueError(f"a header needs a Content-Length of at most {MOST}")
            start, stop = end + len(_END), end + len(_END) + int(length[1])
            if len(self._bytes) < stop:
                break
            found.append(self._bytes[start:stop])
            self._bytes = self._bytes[stop:]
        if len(self._bytes) > MOST + CHUNK:
            raise ValueError("a message is too long")
        return found


def framed(message: dict[str, Any]) -> bytes:
    """Return a message as bytes, with its header."""
    data = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    return b"Content-Length: %d\r\n\r\n%s" % (len(data), data)


def serve(source: BinaryIO, sink: BinaryIO, made: Callable[[Callable[[dict[str, Any]], None]], Any]) -> int:
    """Serve one client until it leaves; return the exit code.

    `made` makes the server from a function that sends a message. Background work is done while no input is waiting.
    """

    def send(message: dict[str, Any]) -> None:
        sink.write(framed(message))
        sink.flush()

    server, frames, number = made(send), Frames(), source.fileno()
    endpoint = server.endpoint
    while endpoint.exit_code is None:
        if endpoint.is_idle and server.has_work and not _is_ready(number):
            server.work_idly()
            continue
        if endpoint.is_idle or _is_ready(number):
            data = os.read(number, CHUNK)
            if not data:
                return 1
            try:
                messages = frames.feed(data)
            except ValueError as error:
                endpoint.refuse(None, INVALID, str(error))
                return 1
            for one in messages:
                _take(endpoint, one)
        if not endpoint.is_idle:
            endpoint.work()
    code: int = endpoint.exit_code
    return code


def _take(endpoint: Any, data: bytes) -> None:
    try:
        message = json.loads(data)
    except (ValueError, RecursionError):
        endpoint.refuse(None, PARSE, "this is not JSON")
        return
    endpoint.receive(message)


def _is_ready(number: int) -> bool:
    """Whether input is waiting; False where the system cannot say, as for pipes on some systems."""
    try:
        return bool(select.select([number], [], [], 0)[0])
    except (OSError, ValueError):
        return False


def main() -> int:
    """Run the command `wc-lsp`; return its exit code."""
    from warchest.lsp.server import LanguageServer
    from warchest.signals import INTERRUPTED

    try:
        with os.fdopen(os.dup(0), "rb") as source, os.fdopen(os.dup(1), "wb") as sink:
            return serve(source, sink, LanguageServer)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return 1


if __name__ == "__main__":
    sys.exit(main())
