"""The server on a socket: for editors that connect by TCP, and for local pages that connect by WebSocket.

One thread serves all clients, each with texts, games and plays of its own. Clients that wait for an answer come before
work for idle moments.
"""

from __future__ import annotations

import selectors
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol, TypeAlias

from warchest.lsp.connection import Connection
from warchest.lsp.frames import CHUNK, Frames, framed
from warchest.source.garbage import uncollected

MOST_CLIENTS = 8
"""The most clients at once; a further one is turned away."""
PATIENCE = 30.0
"""The seconds after which a client that does not take its messages is given up."""


class Wire(Protocol):
    """Turns the bytes of a socket into messages, and messages into bytes."""

    def feed(self, data: bytes) -> list[bytes]:
        """Add bytes that have come, and return the messages that are now complete; raises ValueError."""

    def framed(self, text: str) -> bytes:
        """Return the bytes of a message."""

    def replies(self) -> bytes:
        """Return the bytes to be sent at once, as answers to received bytes."""

    @property
    def is_over(self) -> bool:
        """Whether the client has closed the connection, or was turned away."""


class PlainWire:
    """Messages after headers, as on standard input and output."""

    def __init__(self) -> None:
        self._frames = Frames()
        self.is_over = False

    def feed(self, data: bytes) -> list[bytes]:
        """Add bytes that have come, and return the messages that are now complete; raises ValueError."""
        return self._frames.feed(data)

    def framed(self, text: str) -> bytes:
        """Return the bytes of a message."""
        return framed(text)

    def replies(self) -> bytes:
        """Return nothing: only requests are answered."""
        return b""


class _Client:
    """A client: its socket, its wire and its connection."""

    def __init__(self, peer: socket.socket, wire: Wire) -> None:
        self.peer, self.wire = peer, wire
        self.is_gone = False
        self.connection = Connection(self._send)
        peer.settimeout(PATIENCE)

    def read(self) -> None:
        """Take the bytes that have arrived."""
        try:
            data = self.peer.recv(CHUNK)
            messages = self.wire.feed(data) if data else []
        except ValueError as error:
            self.connection.refuse(str(error))
            self.is_gone = True
            return
        except OSError:
            self.is_gone = True
            return
        self._push(self.wire.replies())
        for one in messages:
            self.connection.put(one)
        self.is_gone |= not data or self.wire.is_over

    def _send(self, text: str) -> None:
        self._push(self.wire.framed(text))

    def _push(self, data: bytes) -> None:
        try:
            if data and not self.is_gone:
                self.peer.sendall(data)
        except OSError:
            self.is_gone = True

    @property
    def is_over(self) -> bool:
        """Whether the client has left."""
        return self.is_gone or self.connection.exit_code is not None


_Clients: TypeAlias = dict[socket.socket, _Client]


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens at a host and a port (any free one for 0); raises OSError."""
    family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    return socket.create_server((host, port), family=family, backlog=MOST_CLIENTS)


@uncollected()
def serve(door: socket.socket, wire: Callable[[], Wire]) -> None:
    """Serve clients until the process is interrupted."""
    clients: _Clients = {}
    with selectors.DefaultSelector() as selector:
        selector.register(door, selectors.EVENT_READ)
        while True:
            step(selector, door, wire, clients)


def step(selector: selectors.BaseSelector, door: socket.socket, wire: Callable[[], Wire], clients: _Clients) -> None:
    """Take the bytes that have arrived; for each client, handle a message or some work for an idle moment."""
    pending = [one for one in clients.values() if one.connection.is_pending]
    waits = pending or any(one.connection.has_work for one in clients.values())
    for key, _ in selector.select(0 if waits else None):
        if key.fileobj is door:
            _accept(selector, door, wire, clients)
        else:
            clients[key.fileobj].read()  # type: ignore[index]
    pending = [one for one in clients.values() if one.connection.is_pending]
    for one in pending:
        one.connection.work()
    for one in clients.values() if not pending else ():
        one.connection.work_idly()
    for peer, one in list(clients.items()):
        if one.is_over:
            selector.unregister(peer)
            del clients[peer]
            peer.close()


def _accept(selector: selectors.BaseSelector, door: socket.socket, wire: Callable[[], Wire], clients: _Clients) -> None:
    with suppress(OSError):
        peer, _ = door.accept()
        if len(clients) >= MOST_CLIENTS:
            peer.close()
            return
        clients[peer] = _Client(peer, wire())
        selector.register(peer, selectors.EVENT_READ)
