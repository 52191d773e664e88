"""The fillings of gaps of forms in a game: its spaces and players, and the names of its documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from warchest.documents.library import Library
from warchest.lowering.board import Board
from warchest.scripts.borne import BorneDocument
from warchest.scripts.forms import FormReader, GapKind
from warchest.scripts.kinds import (
    NAME,
    EitherGap,
    Named,
    NameGap,
    NumberGap,
    PathGap,
    WordGap,
    space_among,
    squeezed,
)
from warchest.scripts.notation import Notation
from warchest.source.text import Span

Sheets: TypeAlias = Sequence[tuple[str, str]]
"""Documents by their kinds and names; a position can have more of them than its game."""


def sheets_in(library: Library) -> Sheets:
    """Return the documents of a library by their kinds and names."""
    return [(document.kind, document.name) for document in library.documents]


def kinds_of(
    notation: Notation, library: Library, board: Board, sheets: Sheets, pieces: Iterable[str] = ()
) -> Mapping[str, GapKind]:
    """Return the kinds of gaps in a game, where there are these documents, and pieces of these names."""
    spaces = [space.name for space in board.spaces]
    kinds: dict[str, GapKind] = {
        "number": NumberGap(),
        "player": NameGap("a player", [seat.name for seat in board.seats]),
        "space": space_among(spaces),
        "direction": NameGap(f"a direction ({' '.join(board.directions)})", board.directions),
        "piece": Named(pieces, spaces),
        "path": PathGap(notation.steps),
    }
    for name, says in notation.values.get("kinds", {}).items():
        kinds[name] = _further(says, sheets)
    borne = notation.values.get("borne")
    if borne:
        documents = library.of_kind(borne["documents"])
        kinds["borne"] = BorneDocument(documents, notation.arguments, FormReader(dict(kinds)), str(borne["said"]))
    return kinds


def _further(says: Mapping[str, Any], sheets: Sheets) -> GapKind:
    """Return a kind of gap that the notation adds: names of documents, listed words, a kind of word, or several."""
    said = str(says["said"])
    kinds: list[GapKind] = []
    if "documents" in says:
        kinds.append(_Printed(said, [called for kind, called in sheets if kind == says["documents"]]))
    if "words" in says:
        kinds.append(NameGap(said, says["words"]))
    if "is" in says:
        kinds.append(WordGap(said, says["is"]))
    return kinds[0] if len(kinds) == 1 else EitherGap(said, kinds)


class _Printed(NameGap):
    """Names of documents, written as one word."""

    def __init__(self, said: str, names: Iterable[str]) -> None:
        self.printed = {squeezed(name): name for name in names}
        super().__init__(said, self.printed)

    def read(self, span: Span) -> tuple[Any, int] | None:
        """As for every kind; the printed name is caught, be it written with its hyphens or without."""
        match = NAME.match(span.source.text, span.start, span.end)
        whole = self.printed.get(squeezed(match.group())) if match else None
        if match is not None and whole is not None:
            return whole, match.end()
        found = super().read(span)
        return (self.printed[found[0]], found[1]) if found else None
