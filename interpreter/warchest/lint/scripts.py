"""Scripts in rulings: every line must be one that the notation of the game can read. Nothing is played."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.documents.library import Document, Library
from warchest.scripts.notation import notation_of
from warchest.source.data import data_folder
from warchest.source.nodes import Mapping, Scalar, Sequence
from warchest.source.text import Span


def script_findings(library: Library, game: Document, shown: Collection[str]) -> list[Diagnostic]:
    """Find the parts that cannot be read in the scripts of the files that are reported on.

    The scripts of a shipped game that is linted as a whole are left out: there are hundreds, and the tests run them
    all.
    """
    if game.span.path in shown and _is_shipped(game):
        return []
    spans = [span for one in library.documents if one.span.path in shown for span in _scripts(one)]
    notation, boards = notation_of(library), library.of_kind("board")
    if not spans or notation is None or not boards:
        return []
    # Most runs read no scripts, and need not wait for the modules that read them.
    from warchest.game.setup.boards import Boards, board_of
    from warchest.scripts.lines import ScriptReader

    reader = ScriptReader(notation, library, game, board_of(Boards(boards, game.values.get("board")).usual))
    return [found for span in spans for found in reader.unreadable(span)]


def _is_shipped(game: Document) -> bool:
    """Whether a game is one that comes with the package, in whichever folder it lies."""
    file = Path(game.span.path)
    shipped = data_folder("cards") / file.parent.name / file.name
    return shipped.is_file() and shipped.read_text(encoding="utf-8") == game.span.source.text


def _scripts(document: Document) -> Iterator[Span]:
    """Yield the scripts of a card, or of a document of rulings."""
    for key in ("cases", "rulings"):
        cases = document.node.get(key)
        for case in cases.items if isinstance(cases, Sequence) else ():
            script = case.get("script") if isinstance(case, Mapping) else None
            if isinstance(script, Scalar):
                yield script.block or script.span
