"""A connection: it receives and sends the texts of messages, independent of the transport.

A page that runs Python itself calls `receive` for each message, and `work_idly` while nothing else happens:

    connection = Connection(post)
    connection.receive('{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}')
"""

from __future__ import annotations

import json
from collections.abc import Callable

from warchest.lsp.protocol import INVALID, PARSE
from warchest.lsp.server import FurtherHandlers, LanguageServer

MOST = 64 << 20
"""The most bytes of a message."""


class Connection:
    """A client's connection to a server of its own; no thread, process or clock is used.

    `further` makes handlers of further methods, for a program that offers more than the language server.
    """

    def __init__(self, send: Callable[[str], None], further: FurtherHandlers | None = None) -> None:
        self._send = send
        self._server = LanguageServer(self._send_message, further)

    @property
    def exit_code(self) -> int | None:
        """The exit code, once the client has asked the server to exit."""
        return self._server.endpoint.exit_code

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods that have a handler."""
        return tuple(self._server.endpoint.handlers)

    def receive(self, text: str | bytes) -> None:
        """Handle a message: send the answer, and the errors of changed texts."""
        self.put(text)
        while self.is_pending:
            self.work()

    def put(self, text: str | bytes) -> None:
        """Queue a message; `work` handles it, unless the client cancels it first."""
        try:
            message = json.loads(text)
        except (ValueError, RecursionError):
            self._server.endpoint.refuse(None, PARSE, "this is not JSON")
            return
        self._server.endpoint.receive(message)

    def refuse(self, reason: str) -> None:
        """Report that the input is not a message."""
        self._server.endpoint.refuse(None, INVALID, reason)

    @property
    def is_pending(self) -> bool:
        """Whether a message waits to be handled, or a text to be checked for errors."""
        return self.exit_code is None and (not self._server.endpoint.is_idle or self._server.has_changes)

    def work(self) -> None:
        """Handle the message that has waited longest; without one, find the errors of a changed text."""
        if not self._server.endpoint.is_idle:
            self._server.endpoint.work()
        elif self._server.has_changes:
            self._server.check()

    @property
    def has_work(self) -> bool:
        """Whether there is work for idle moments."""
        return self.exit_code is None and self._server.has_work

    def work_idly(self) -> None:
        """Do one step of the work for idle moments, if there is any."""
        if self._server.has_work:
            self._server.work_idly()

    def _send_message(self, message: dict[str, object]) -> None:
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        # Half a character of UTF-16 is written as JSON escapes it: it is no UTF-8.
        self._send(text.encode("utf-8", "backslashreplace").decode())
