"""The protocol: it handles requests and notifications in order, and answers with plain data.

This module does not depend on the transport, such as a process or a socket.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import NotRequired, TypeAlias, TypedDict

Message: TypeAlias = Mapping[str, object]
MessageHandler: TypeAlias = Callable[..., object]
"""Takes the parameters of a method, which it has to check or to refuse, and returns the result."""


class OpenDocument(TypedDict):
    """A document of the client, with its text and its version if a notification brings these."""

    uri: object
    text: NotRequired[object]
    version: NotRequired[object]


class ChangedText(TypedDict):
    """The text of a document after a change."""

    text: object


class DocumentParams(TypedDict):
    """The parameters of messages about an open text, as the client sends them; each method has some of them."""

    textDocument: OpenDocument
    position: NotRequired[Message]
    range: NotRequired[Mapping[str, Message]]
    context: NotRequired[Message]
    newName: NotRequired[object]
    contentChanges: NotRequired[list[ChangedText]]


class ChangedFile(TypedDict):
    """A file that was changed on the disk, and the number for the sort of its change."""

    uri: object
    type: NotRequired[object]


class ChangedFiles(TypedDict):
    """The parameters of the notification of files that were changed."""

    changes: list[ChangedFile]


class CommandParams(TypedDict):
    """The parameters of the request to carry out a command."""

    command: object
    arguments: list[Message]


PARSE, INVALID, NO_METHOD, BAD_PARAMETERS, INTERNAL = -32700, -32600, -32601, -32602, -32603
NOT_INITIALIZED, CANCELLED, MODIFIED = -32002, -32800, -32801


class RequestError(Exception):
    """A request that cannot be answered; the message says why, and `data` has the reason for programs."""

    def __init__(self, message: str, code: int = BAD_PARAMETERS, data: Mapping[str, object] | None = None) -> None:
        super().__init__(message)
        self.code, self.data = code, data


class Endpoint:
    """One end of a connection: it receives messages, and calls the handlers of their methods."""

    def __init__(self, send: Callable[[dict[str, object]], None], handlers: Mapping[str, MessageHandler]) -> None:
        self.send, self.handlers = send, handlers
        self.initialized = self.is_over = False
        self.exit_code: int | None = None
        """The exit code, once the client has asked the server to exit."""
        self._waiting: deque[Message] = deque()

    @property
    def is_idle(self) -> bool:
        """Whether no message is waiting."""
        return not self._waiting

    def receive(self, message: object) -> None:
        """Queue a message; `work` handles it, unless the client cancels it first."""
        if not isinstance(message, Mapping) or message.get("jsonrpc") != "2.0":
            self.refuse(None, INVALID, "this is not a message of JSON-RPC 2.0")
        elif message.get("method") == "$/cancelRequest":
            self._cancel(message.get("params"))
        elif "method" in message:
            self._waiting.append(message)

    def work(self) -> None:
        """Handle the message that has waited longest."""
        message = self._waiting.popleft()
        method, number = message["method"], message.get("id")
        if method == "exit":
            self.exit_code = 0 if self.is_over else 1
        elif "id" in message:
            self._answer(method, number, message.get("params"))
        elif self.initialized and isinstance(method, str) and method in self.handlers:
            # A notification has no answer, so an error is only logged.
            try:
                self.handlers[method](message.get("params"))
            except Exception as error:
                self.log(f"{method}: {type(error).__name__}: {error}")

    def notify(self, method: str, params: object) -> None:
        """Send a notification."""
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def log(self, message: str) -> None:
        """Send an error to the log of the client."""
        self.notify("window/logMessage", {"type": 1, "message": message})

    def refuse(self, number: object, code: int, message: str, data: Mapping[str, object] | None = None) -> None:
        """Answer a request with an error."""
        error = {"code": code, "message": message, **({"data": dict(data)} if data else {})}
        self.send({"jsonrpc": "2.0", "id": number, "error": error})

    def _answer(self, method: object, number: object, params: object) -> None:
        handler = self.handlers.get(method) if isinstance(method, str) else None
        if self.is_over:
            self.refuse(number, INVALID, "the server has been shut down")
        elif method == "shutdown":
            self.is_over = True
            self.send({"jsonrpc": "2.0", "id": number, "result": None})
        elif not self.initialized and method != "initialize":
            self.refuse(number, NOT_INITIALIZED, "the first request is `initialize`")
        elif handler is None:
            self.refuse(number, NO_METHOD, f"there is no method {method!r}")
        else:
            self._handled(handler, method, number, params)

    def _handled(self, handler: MessageHandler, method: object, number: object, params: object) -> None:
        try:
            result = handler(params)
        except RequestError as error:
            self.refuse(number, error.code, str(error), error.data)
        except (KeyError, TypeError, AttributeError, IndexError) as error:
            why = f"{type(error).__name__}: {error}"
            self.refuse(number, BAD_PARAMETERS, f"{method}: the parameters do not have the form that it needs ({why})")
        except Exception as error:
            self.refuse(number, INTERNAL, f"{method}: {type(error).__name__}: {error}")
        else:
            self.initialized |= method == "initialize"
            self.send({"jsonrpc": "2.0", "id": number, "result": result})

    def _cancel(self, params: object) -> None:
        number = params.get("id") if isinstance(params, Mapping) else None
        for message in [one for one in self._waiting if "id" in one and _is_same(one["id"], number)]:
            self._waiting.remove(message)
            self.refuse(number, CANCELLED, "the request was cancelled")


def _is_same(number: object, other: object) -> bool:
    """Whether two identifiers of messages are the same: a number is not a text, and True is not a number."""
    return type(number) is type(other) and bool(number == other)
