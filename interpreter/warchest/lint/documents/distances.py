"""Distances that are longer than any board of the game."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, quoted
from warchest.documents.library import Library
from warchest.game.setup.boards import board_of
from warchest.resolve.resolve import Parsed
from warchest.syntax import ast
from warchest.syntax.agreement import nodes_in


def reach_findings(library: Library, parsed: Parsed, shown: Collection[str]) -> Iterator[Diagnostic]:
    """Find distances, in the texts of the shown files, that are longer than every way on a board."""
    told = [
        node
        for span, block in parsed.items()
        if span.path in shown
        for _, sentences, _ in block
        for sentence in sentences
        for node, _ in nodes_in(sentence)
        if isinstance(node, ast.Away) and isinstance(node.count, ast.Count) and node.limit != "within"
    ]
    boards = library.of_kind("board") if told else []
    widest = max((board_of(board).longest for board in boards), default=0)
    for node in told:
        if isinstance(node.count, ast.Count) and node.count.low > widest > 0:
            message = f"no space is {quoted(node.span.text)}: the longest way on a board is {widest} spaces"
            yield report("never-so", message, node.span, help="say how far on the boards there are")
