"""New documents in a client's folder, which are not written: the client does that."""

from __future__ import annotations

import os
from pathlib import Path

from warchest.diagnostics.visible import visible
from warchest.game.errors import CardError
from warchest.game.game import Game
from warchest.lsp.protocol import RequestError
from warchest.lsp.text_positions import uri_of
from warchest.lsp.workspace import Workspace
from warchest.templates.filling import TemplateError, name_of, new_texts

GAME = "game"
"""The kind of a new game, which is none of the documents of another one."""


def new_card(workspace: Workspace, game: Game, folder: Path, kind: str, name: str) -> dict[str, object]:
    """Return the texts of a new document by their files in a folder; raises RequestError."""
    try:
        name = name_of(name)
        texts = new_texts(game.folder, lambda: game, kind, name, game.name)
    except TemplateError as error:
        raise RequestError(f"{error.field}: {error}", data={"field": error.field}) from None
    files = {str(folder / file): text for file, text in texts.items()}
    for path in files:
        if path in workspace.texts or os.path.lexists(path):
            raise RequestError(f"name: there is a file {visible(path)} already", data={"field": "name"})
    try:
        if kind != GAME:
            game.with_texts(files)
    except CardError as error:
        why = error.diagnostics[0].message
        raise RequestError(f"name: it cannot be called {name!r}: {why}", data={"field": "name"}) from None
    first = min(files, key=lambda path: (path.count(os.sep), list(files).index(path)))
    told = [{"uri": uri_of(path), "text": text} for path, text in files.items()]
    return {"uri": uri_of(first), "text": files[first], "files": told}
