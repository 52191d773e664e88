"""The session of a page: the language server, and the folder of the designer.

The local server runs it as a process of its own for each page: `python -m warchest.studio.session FOLDER`. An exported
page runs it in a worker.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NotRequired, TypedDict

from warchest.lint.settings import SettingsError
from warchest.lsp.connection import Connection
from warchest.lsp.parameters import checked
from warchest.lsp.protocol import MessageHandler, RequestError
from warchest.lsp.server import LanguageServer
from warchest.lsp.stdio import serve_process
from warchest.lsp.text_positions import path_of, uri_of
from warchest.studio.folder import CardFolder, FileMarks, shipped_text

FIRST = 1
"""The number of files that are read before a page exists: it opens one of them."""


class InitialChoices(TypedDict):
    """The choices of the page at the start of a session: the game of its cards."""

    game: NotRequired[str]


class StudioSession(Connection):
    """A connection of a page, with the requests of the studio beside those of every connection."""

    def __init__(self, folder: Path, send: Callable[[str], None]) -> None:
        self._folder = CardFolder(folder)
        self._seen: FileMarks = ()
        super().__init__(send, self._handlers)

    def _handlers(self, server: LanguageServer) -> Mapping[str, MessageHandler]:
        self._workspace = server.workspace
        self._initialize = server.initialize
        return {
            "initialize": self._begin,
            "studio/folder": self._folder.listed,
            "studio/save": self._folder.save,
            "studio/shipped": shipped_text,
        }

    def prepare(self) -> None:
        """Read the folder and its game in advance, before a page exists."""
        import warchest.lsp.own_requests  # noqa: F401

        self._seen = self._folder.marks()
        self._workspace.root = self._folder.root
        with suppress(SettingsError):
            self._workspace.renew_settings()
        self._workspace.game(str(self._folder.root / "cards.yaml"))
        with suppress(RequestError):
            for one in self._folder.listed(None)["files"][:FIRST]:
                self._read(one)

    def _read(self, told: Mapping[str, str]) -> None:
        """Lint a file in advance, so that the parts it shares with the game's files are read before the page opens
        it."""
        path = path_of(told["uri"])
        if "text" in told:
            self._workspace.take(path, None, told["text"])
            for _ in self._workspace.steps(path) or ():
                pass
            self._workspace.game(path)
            del self._workspace.texts[path]

    def _begin(self, params: object) -> object:
        """Begin the session; the session's folder is always the root, and is read again if it has changed."""
        if self._folder.marks() != self._seen:
            self._workspace.forget()
        given = checked(InitialChoices, (params if isinstance(params, Mapping) else {}).get("initializationOptions"))
        if "game" in given:
            self._workspace.choose_game(given["game"])
        root = {"rootUri": uri_of(str(self._folder.root)), "workspaceFolders": None}
        return self._initialize({**(params if isinstance(params, Mapping) else {}), **root})


def main(arguments: list[str]) -> int:
    """Serve the page at the standard streams of this process; return the exit code."""
    (folder,) = arguments

    def connect(send: Callable[[str], None]) -> Connection:
        session = StudioSession(Path(folder), send)
        session.prepare()
        return session

    return serve_process(connect)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
