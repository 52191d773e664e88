"""The local studio: the page and its sessions, for this computer only."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from hashlib import sha256
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect
from watchfiles import Change, awatch

from warchest.lsp.connection import MOST
from warchest.lsp.text_positions import uri_of
from warchest.lsp.websocket import FORBIDDEN, LOCAL, refusal
from warchest.source.folders import is_yaml
from warchest.studio.children import SessionProcess, Sessions
from warchest.studio.page_facts import PAGE, POLICY, about_page

HOST = "127.0.0.1"
MOST_SESSIONS = 16
"""The most sessions at once: a page has one, and another one while a job runs."""
OVER, FULL = 1011, 1013
"""The codes that close a WebSocket: of a session that has ended, and of a page that is one too many."""
_KINDS = {Change.added: 1, Change.modified: 2, Change.deleted: 3}
"""The kinds of changes of files, with their numbers in the protocol."""


class Studio:
    """The studio of a folder: its page, and a session for each page that is open."""

    def __init__(self, folder: Path, token: str) -> None:
        self._folder, self._token = folder, token
        self._sessions = Sessions(folder)
        self._open: dict[WebSocket, SessionProcess] = {}
        self._opened = 0

    def app(self) -> Starlette:
        """Return the application."""
        routes = [
            WebSocketRoute("/session", self._talk),
            Route("/studio.json", self._told),
            Route("/{path:path}", StaticFiles(directory=PAGE, html=True)),
        ]
        guards = [Middleware(BaseHTTPMiddleware, dispatch=_guarded), Middleware(GZipMiddleware)]
        return Starlette(routes=routes, lifespan=self._lifespan, middleware=guards)

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        watching = asyncio.create_task(self._watch())
        self._sessions.prepare()
        yield
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching
        await self._sessions.end()

    async def _told(self, _: Request) -> Response:
        """Tell the page its home, the name for its drafts, and the languages."""
        place = sha256(str(self._folder.resolve()).encode()).hexdigest()[:12]
        return JSONResponse({"home": "folder", "place": place} | about_page())

    # ---- sessions

    async def _talk(self, page: WebSocket) -> None:
        """Serve a page until it closes, or until its session ends."""
        reason = refusal(page.headers, f"/?{page.url.query}", self._token)
        if reason:
            await page.close(reason=reason)
            return
        await page.accept()
        if self._opened >= MOST_SESSIONS:
            await page.close(FULL, "too many pages are open")
            return
        self._opened += 1
        try:
            await self._serve(page, await self._sessions.taken())
        finally:
            self._opened -= 1

    async def _serve(self, page: WebSocket, session: SessionProcess) -> None:
        self._open[page] = session
        tasks = [asyncio.create_task(session.forward(page.send_text)), asyncio.create_task(_received(page, session))]
        next_one = asyncio.create_task(self._sessions.prepare_later())
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            del self._open[page]
            for one in (*tasks, next_one):
                one.cancel()
            self._sessions.prepare()
            await session.end()
            await asyncio.gather(*tasks, return_exceptions=True)
        with suppress(RuntimeError, WebSocketDisconnect):
            await page.close(OVER, "the session has ended")

    # ---- files

    async def _watch(self) -> None:
        """Tell all pages, and their sessions, of card files that other programs change."""
        async for changes in awatch(self._folder, step=50, debounce=200):
            told = [(kind, path) for kind, path in sorted(changes, key=str) if is_yaml(path)]
            if told:
                await self._tell(told)

    async def _tell(self, changes: Iterable[tuple[Change, str]]) -> None:
        listed = [{"uri": uri_of(path), "type": _KINDS[kind]} for kind, path in changes]
        text = _notification("workspace/didChangeWatchedFiles", {"changes": listed})
        for page, session in list(self._open.items()):
            await session.send(text)
            with suppress(RuntimeError, WebSocketDisconnect):
                await page.send_text(_notification("studio/changed", {"uris": [one["uri"] for one in listed]}))


def _notification(method: str, params: object) -> str:
    return json.dumps({"jsonrpc": "2.0", "method": method, "params": params})


async def _received(page: WebSocket, session: SessionProcess) -> None:
    """Forward all messages of a page until it closes."""
    with suppress(WebSocketDisconnect):
        while True:
            await session.send(await page.receive_text())


async def _guarded(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
    """Answer only requests addressed to this computer; answers carry the security policy for pages."""
    if not LOCAL.fullmatch(request.headers.get("host", "")):
        return PlainTextResponse("the host is not this computer\n", FORBIDDEN)
    answer = await call_next(request)
    answer.headers.update(HEADERS)
    return answer


HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
"""The headers of all files."""


def listening(port: int) -> socket.socket:
    """Return a socket that listens at a port of this computer (any free one for 0); raises OSError."""
    return socket.create_server((HOST, port))


def serve(folder: Path, token: str, door: socket.socket) -> None:
    """Serve the studio of a folder until the process is interrupted."""
    config = uvicorn.Config(
        Studio(folder, token).app(), log_level="error", ws_max_size=MOST, lifespan="on", timeout_graceful_shutdown=2
    )
    uvicorn.Server(config).run(sockets=[door])
