"""The properties of a game, as its documents state them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from weakref import WeakKeyDictionary

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.documents.library import Document
from warchest.documents.load import load
from warchest.documents.schemas import read_schemas
from warchest.game.errors import CardError
from warchest.game.game import Game
from warchest.game.variant import Variant
from warchest.resolve.resolve import BoundedReader
from warchest.resolve.stated import FOLDER, KIND, StatedProperty, stated

_documents: WeakKeyDictionary[Game, tuple[Document, ...]] = WeakKeyDictionary()
_read: WeakKeyDictionary[Variant, tuple[StatedProperty, ...]] = WeakKeyDictionary()


def properties_of(game: Game, variant: Variant | None = None) -> tuple[StatedProperty, ...]:
    """Return the properties of a game, as a variant of it (the usual one) understands them; raises CardError.

    They stand in the game's own folder and in those that were loaded with it; a game that begins from another one does
    not take over the properties of that.
    """
    variant = variant if variant is not None else game.variant()
    if variant not in _read:
        found = stated(BoundedReader(game.model_of(variant)), _documents_of(game))
        _refuse(found.findings)
        _read[variant] = tuple(found.properties)
    return _read[variant]


def _documents_of(game: Game) -> tuple[Document, ...]:
    if game not in _documents:
        folder = game.folder / FOLDER
        there = _in_folder(folder) if folder.is_dir() else []
        _documents[game] = (*there, *game.library.of_kind(KIND))
    return _documents[game]


def _in_folder(folder: Path) -> list[Document]:
    library = load([folder], read_schemas())
    _refuse(library.findings)
    return library.of_kind(KIND)


def _refuse(findings: Iterable[Diagnostic]) -> None:
    errors = [one for one in findings if one.severity == "error"]
    if errors:
        raise CardError(errors)


__all__ = ["StatedProperty", "properties_of"]
