"""Editions: the documents that are played on one board under some options, with the layers of these options applied."""

from __future__ import annotations

from collections.abc import Mapping

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.documents.layers import layered, of_board
from warchest.documents.library import Document, Library
from warchest.source.records import record


@record()
class Edition:
    """The documents on one board under some options, the game's own and the board's among them."""

    library: Library
    game: Document
    board: Document
    faults: tuple[Diagnostic, ...]
    """The faults of the layers."""


def edition(library: Library, game: str, board: str, options: Mapping[str, str]) -> Edition:
    """Return the edition of a game, by its name, on a board under some options."""
    there, faults = layered(of_board(library, board), options)
    return Edition(there, _named(there, "game", game), _named(there, "board", board), tuple(faults))


def _named(library: Library, kind: str, name: str) -> Document:
    return next(one for one in library.of_kind(kind) if one.name == name)
