"""A wide and bare board on which ranges are found, and its symmetries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

from warchest.documents.library import Document
from warchest.game.errors import CardError
from warchest.game.game import Game
from warchest.lowering.board import FAR, Board

WIDE = 13
"""The number of columns, and of spaces in each, that a board is given."""


def middle_of(board: Board) -> int:
    """Return the space that is nearest to all others."""
    return min(range(len(board.spaces)), key=lambda one: (sum(far for far in board.distance[one] if far != FAR), one))


def turns_of(board: Board, middle: int, faces: bool) -> Iterator[list[int]]:
    """Yield the ways to turn the board around a space, or to mirror it where pieces face to the north.

    Each gives the new space of every space; spaces that would leave the board stay where they are.
    """
    hexes = board.shape == "hexes"
    at = {(space.column, space.row): number for number, space in enumerate(board.spaces)}
    column, row = board.spaces[middle].column, board.spaces[middle].row

    def turned(x: int, y: int) -> tuple[int, int]:
        if faces:
            return (-x, y + x) if hexes else (-x, y)
        return (-y, x + y) if hexes else (-y, x)

    for times in range(2 if faces else len(board.steps)):
        found = []
        for number, space in enumerate(board.spaces):
            x, y = space.column - column, space.row - row
            for _ in range(times):
                x, y = turned(x, y)
            found.append(at.get((column + x, row + y), number))
        yield found


def on_a_wide_board(game: Game) -> Game:
    """Return the game with a usual board that is wide and bare, or the game itself if that is impossible."""
    document = game.boards.usual
    with suppress(CardError):
        return game.with_text(document.span.path, _wide(document))
    return game


def _wide(document: Document) -> str:
    """Return the text of a board's file with further spaces; all spaces have all tags; first states are left out."""
    columns = list(_wide_rows(document.values["rows"]))
    text, entries = document.span.source.text, document.node.entries
    for number, entry in reversed(list(enumerate(entries))):
        start = entry.key.span.start
        end = entries[number + 1].key.span.start if number + 1 < len(entries) else document.node.span.end
        if entry.key.text == "rows":
            told = ", ".join(f"{column}: {rows[0]}-{rows[-1]}" for column, rows in columns)
            text = text[:start] + f"rows: {{{told}}}\n" + text[end:]
        elif entry.key.text == "start":
            text = text[:start] + text[end:]
        elif entry.key.text == "tags":
            every = f"[{', '.join(f'{column}{row}' for column, rows in columns for row in rows)}]"
            tags = "".join(f"  {tag}: {every}\n" for tag in document.values["tags"])
            text = text[:start] + f"tags:\n{tags}" + text[end:]
    return text


def _wide_rows(rows: Mapping[str, object]) -> Iterator[tuple[str, range]]:
    """Yield the columns of a wide board with their spaces; it includes all spaces of the board with the given rows."""
    bounds = {column: [int(one) for one in str(told).split("-")] for column, told in rows.items()}
    lowest = min(bound for some in bounds.values() for bound in some)
    highest = max(lowest + WIDE - 1, *(bound for some in bounds.values() for bound in some))
    first = min(ord(column) for column in bounds)
    last = min(max(first + WIDE - 1, *map(ord, bounds)), ord("z"))
    for column in range(first, last + 1):
        yield chr(column), range(lowest, highest + 1)
