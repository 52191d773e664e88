"""The server over standard input and output, for editors that start it themselves."""

from __future__ import annotations

import os
import select
from collections.abc import Callable
from typing import BinaryIO

from warchest.lsp.connection import Connection
from warchest.lsp.frames import CHUNK, Frames, framed
from warchest.source.garbage import uncollected


@uncollected()
def serve(source: BinaryIO, sink: BinaryIO, connect: Callable[[Callable[[str], None]], Connection] = Connection) -> int:
    """Serve one client until it leaves; return the exit code. `connect` makes a connection, given a way to send.

    Work for idle moments is done while no input is waiting.
    """

    def send(text: str) -> None:
        sink.write(framed(text))
        sink.flush()

    connection, frames, number = connect(send), Frames(), source.fileno()
    while connection.exit_code is None:
        if is_ready(number) or not (connection.is_pending or connection.has_work):
            data = os.read(number, CHUNK)
            if not data:
                return 1
            try:
                messages = frames.feed(data)
            except ValueError as error:
                connection.refuse(str(error))
                return 1
            for one in messages:
                connection.put(one)
        if connection.is_pending:
            connection.work()
        elif connection.has_work and not is_ready(number):
            connection.work_idly()
    return connection.exit_code


def is_ready(number: int) -> bool:
    """Whether input is waiting; False where the system cannot say, as for pipes on some systems."""
    try:
        return bool(select.select([number], [], [], 0)[0])
    except (OSError, ValueError):
        return False


def serve_process(connect: Callable[[Callable[[str], None]], Connection] = Connection) -> int:
    """Serve the client at the standard streams of this process; return the exit code."""
    with os.fdopen(os.dup(0), "rb") as source, os.fdopen(os.dup(1), "wb") as sink:
        return serve(source, sink, connect)
