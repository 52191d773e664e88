"""Documents of kinds that other games declare: nothing in the game of the files reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, quoted
from warchest.documents.library import Document, Library
from warchest.documents.schemas import DECLARED

NAME = "other-game"


def of_other_games(library: Library, game: Document) -> list[Document]:
    """Return the documents of kinds that the game does not declare."""
    own = game.values.get("documents") or {}
    raw = library.schemas.raw if library.schemas is not None else {}
    others = {kind for kind, schema in raw.items() if schema.get(DECLARED) and kind not in own}
    return [one for one in library.documents if one.kind in others] if others else []


def other_game_findings(library: Library, game: Document) -> Iterator[Diagnostic]:
    """Find documents of kinds that the game does not declare."""
    for one in of_other_games(library, game):
        yield report(
            NAME,
            f"the game {quoted(game.name)} has no documents of the kind {quoted(one.kind)}: "
            "this one is neither checked nor played",
            one.span,
            help="choose the game that it belongs to, or let this game declare the kind under `documents:`",
        )


def without_other_games(found: Iterable[Diagnostic], library: Library, game: Document) -> list[Diagnostic]:
    """Drop all findings in documents of kinds that the game does not declare, except the findings that say so."""
    spans = [one.node.span for one in of_other_games(library, game)]
    return [
        one
        for one in found
        if one.name == NAME
        or one.span is None
        or not any(one.file == span.path and span.start <= one.span.start <= span.end for span in spans)
    ]
