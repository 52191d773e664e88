"""Sessions, each in its own process: a session that does not answer can be ended without harm to the others."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from warchest.lsp.connection import MOST
from warchest.lsp.frames import CHUNK, Frames, framed

DELAY = 5.0
"""The seconds after which a session is started in advance, so that it takes no time of a page that begins."""


class SessionProcess:
    """A session in a process of its own, which is ended with it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, folder: Path) -> SessionProcess:
        """Start the session of a folder."""
        return cls(
            await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "warchest.studio.session",
                str(folder),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=CHUNK,
            )
        )

    async def send(self, text: str) -> None:
        """Send a message; nothing happens if the session has ended."""
        assert self._process.stdin is not None
        if len(text) <= MOST:
            with suppress(ConnectionError):
                self._process.stdin.write(framed(text))
                await self._process.stdin.drain()

    async def forward(self, receive: Callable[[str], Awaitable[None]]) -> None:
        """Forward all messages of the session until it ends."""
        assert self._process.stdout is not None
        frames = Frames()
        while data := await self._process.stdout.read(CHUNK):
            for message in frames.feed(data):
                await receive(message.decode())

    async def end(self) -> None:
        """End the session at once."""
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()


class Sessions:
    """The sessions of a folder; one is started in advance, so that a page need not wait for it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._spare: asyncio.Task[SessionProcess] | None = None

    def prepare(self) -> None:
        """Start a session for the next page."""
        if self._spare is None:
            self._spare = asyncio.create_task(SessionProcess.start(self._folder))

    async def prepare_later(self) -> None:
        """Start a session for the next page when the present one has begun."""
        await asyncio.sleep(DELAY)
        self.prepare()

    async def taken(self) -> SessionProcess:
        """Return a session; it belongs to the caller, who ends it."""
        spare, self._spare = self._spare, None
        return await spare if spare is not None else await SessionProcess.start(self._folder)

    async def end(self) -> None:
        """End the session that no page has taken."""
        if self._spare is not None:
            await (await self.taken()).end()
