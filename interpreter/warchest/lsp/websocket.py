"""WebSockets: a message in each frame, for pages of this computer that know a token.

A page of any site can open a WebSocket to this computer, so the origin, the host and the token are checked for each.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Collection, Mapping

from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol

from warchest.lsp.connection import MOST

FORBIDDEN = 403
"""The status of HTTP for clients that are turned away."""
LOCAL = re.compile(r"(?:127\.0\.0\.1|localhost|\[::1\])(?::[0-9]{1,5})?")
"""The hosts that are this computer."""
_TOKEN = re.compile(r"[?&]token=([^&#]*)")


class WebSocketWire:
    """The frames of a WebSocket, for clients that come from a permitted place and know the token."""

    def __init__(self, token: str, origins: Collection[str] = ()) -> None:
        self._token, self._origins = token, frozenset(origins)
        self._protocol = ServerProtocol(max_size=MOST)
        self._parts = list[bytes]()

    def feed(self, data: bytes) -> list[bytes]:
        """Add bytes that have come, and return the messages that are now complete; shakes hands before the first."""
        self._protocol.receive_data(data)
        found = list[bytes]()
        for event in self._protocol.events_received():
            if isinstance(event, Request):
                self._protocol.send_response(self._answer(event))
            elif isinstance(event, Frame) and event.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
                self._parts.append(bytes(event.data))
                if event.fin:
                    found.append(b"".join(self._parts))
                    self._parts.clear()
        return found

    def _answer(self, request: Request) -> Response:
        reason = refusal(request.headers, request.path, self._token, self._origins)
        if reason:
            return self._protocol.reject(FORBIDDEN, f"{reason}\n")
        return self._protocol.accept(request)

    def framed(self, text: str) -> bytes:
        """Return the bytes of a message."""
        self._protocol.send_text(text.encode())
        return self.replies()

    def replies(self) -> bytes:
        """Return the bytes to be sent at once: of the handshake, of pongs, and of the end."""
        return b"".join(self._protocol.data_to_send())

    @property
    def is_over(self) -> bool:
        """Whether the client has closed the connection, or was turned away."""
        return self._protocol.state in (State.CLOSING, State.CLOSED) or self._protocol.handshake_exc is not None


def refusal(headers: Mapping[str, str], path: str, token: str, origins: Collection[str] = ()) -> str:
    """Return why a client is turned away, by its headers and by the path with the token; empty if it is not."""
    host, origin = headers.get("Host", ""), headers.get("Origin")
    if not LOCAL.fullmatch(host):
        return "the host is not this computer"
    if origin is not None and origin not in origins and not _is_local(origin):
        return "a page of another site cannot connect"
    given = _TOKEN.search(path)
    if given is None or not hmac.compare_digest(given[1].encode(), token.encode()):
        return "the token in the address is missing or wrong"
    return ""


def _is_local(origin: str) -> bool:
    scheme, _, host = origin.partition("://")
    return scheme in ("http", "https") and LOCAL.fullmatch(host) is not None
