"""The properties of a game, as its documents state them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias
from weakref import WeakKeyDictionary

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.documents.library import Document
from warchest.documents.load import load
from warchest.documents.schemas import read_schemas
from warchest.game.errors import CardError
from warchest.game.game import Game, model_of
from warchest.game.variant import Variant
from warchest.resolve.resolve import new_reader
from warchest.resolve.stated import FOLDER, KIND, StatedProperty, stated

_Under: TypeAlias = tuple[str, tuple[tuple[str, str], ...]]
"""A board and options: sheets that a position brings have no texts, and make no difference."""
_documents: WeakKeyDictionary[Game, tuple[Document, ...]] = WeakKeyDictionary()
_read: WeakKeyDictionary[Game, dict[_Under, tuple[StatedProperty, ...]]] = WeakKeyDictionary()


def properties_of(game: Game, variant: Variant | None = None) -> tuple[StatedProperty, ...]:
    """Return the properties of a game, as a variant of it (the usual one) understands them; raises CardError.

    They are in the game's own folder and in those that were loaded with it; a game that begins from another one does
    not take over the properties of that.
    """
    variant = variant if variant is not None else game.variant()
    known, key = _read.setdefault(game, {}), (variant.board.name, tuple(sorted(variant.options.items())))
    if key not in known:
        found = stated(new_reader(model_of(game, variant)), _documents_of(game), whole=True)
        _refuse(found.findings)
        known[key] = tuple(found.properties)
    return known[key]


def _documents_of(game: Game) -> tuple[Document, ...]:
    if game not in _documents:
        folder = game.folder / FOLDER
        is_there = folder.is_dir() or game.contents.files(folder).files not in ([], [folder])
        library = load([folder] if is_there else [], read_schemas(), contents=game.contents)
        _refuse(library.findings)
        _documents[game] = (*library.of_kind(KIND), *game.library.of_kind(KIND))
    return _documents[game]


def _refuse(findings: Iterable[Diagnostic]) -> None:
    errors = [one for one in findings if one.severity == "error"]
    if errors:
        raise CardError(errors)


__all__ = ["StatedProperty", "properties_of"]
