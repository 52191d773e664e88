"""Pictures in the terminal: the board in characters and colours, and the things beside it.

Nothing depends on colour alone: whose a thing is stands there as a letter too.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from math import sqrt
from typing import TYPE_CHECKING

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from warchest.picture.canvas import Canvas
from warchest.picture.corners import around
from warchest.picture.panels import WALL, badge, below, beside, entries, foot, heading
from warchest.picture.scene import Cell, Scene, Stone, TitledTexts, scene
from warchest.picture.style import Style

if TYPE_CHECKING:
    from warchest.game.state import State

WIDTH = 100
"""The width of a picture unless another is asked for."""

TOP = 5
"""The number of characters of the upper edge of a hex; everything else about hexes follows from it."""

SQUARE_WIDTH, SQUARE_HEIGHT = 9, 4
"""The distance between squares of a board, in characters and lines; one of each is the line between them."""

PANEL = 26
"""The least width of the things beside the board; with less room it stands below."""

WIDEST = 60
"""The greatest width of the things beside the board."""

FEW = 2
"""The most players whose things stand in one column beside the board; those of more stand in its corners."""

_GRID, _NAME, _MARK = "grey50", "grey70", "bold"
_ARROWS = {"n": "^", "e": ">", "s": "v", "w": "<", "ne": "/", "se": "\\", "sw": "/", "nw": "\\"}


def text(
    state: State | Scene, style: Style | None = None, viewer: str | None = None, width: int = WIDTH
) -> RenderableType:
    """Return the picture of a state: the board with the things beside it, for an observer or a player.

    A scene may stand in place of a state; then it has been settled who looks, and with what style.
    """
    seen = _seen(state, style, viewer)
    drawn = _draw(seen)
    taken = max((len(line) for line in drawn.plain.split("\n")), default=0)
    if len(seen.sides) > FEW:
        for short in (False, True):
            table = around(drawn, [entries(panel, short) for panel in seen.panels], width)
            if table is not None:
                return Group(heading(seen), table, Text(), foot(seen, _marks(seen), width, short))
    if width - taken - 3 < PANEL or len(seen.sides) > FEW:
        return Group(heading(seen), drawn, Text(), below(seen, _marks(seen), width))
    grid = Table.grid(padding=(0, 3))
    grid.add_column(no_wrap=True)
    grid.add_column(width=min(width - taken - 3, WIDEST), overflow="fold")
    grid.add_row(drawn, beside(seen, _marks(seen)))
    return Group(heading(seen), grid)


def board(state: State | Scene, style: Style | None = None) -> Text:
    """Return the picture of the board alone."""
    return _draw(_seen(state, style))


def plain(
    state: State | Scene, style: Style | None = None, viewer: str | None = None, width: int = WIDTH
) -> str:
    """Return the picture of a state as plain text without colours."""
    return rendered(text(state, style, viewer, width), width)


def rendered(what: RenderableType, width: int = WIDTH) -> str:
    """Return anything rich can show as plain text, without blanks at the ends of lines."""
    out = StringIO()
    Console(file=out, width=width, color_system=None, highlight=False, legacy_windows=False).print(what)
    return "\n".join(line.rstrip() for line in out.getvalue().rstrip().split("\n")) + "\n"


def _seen(state: State | Scene, style: Style | None, viewer: str | None = None) -> Scene:
    return state if isinstance(state, Scene) else scene(state, style, viewer)


# ---- boards


def _draw(seen: Scene) -> Text:
    if not seen.cells:
        return Text("(no spaces)")
    return _hexes(seen.cells) if seen.shape == "hexes" else _squares(seen.cells)


def _hexes(cells: Sequence[Cell]) -> Text:
    pitch = TOP + 2
    left = min(cell.x for cell in cells)
    upper = min(cell.y for cell in cells)
    places = [
        (round((cell.x - left) / 1.5) * pitch, 1 + round((cell.y - upper) / sqrt(3) * 4), cell) for cell in cells
    ]
    canvas = Canvas(max(x for x, _, _ in places) + pitch + 2, max(y for _, y, _ in places) + 4)
    for x, y, _ in places:
        _outline(canvas, x, y)
    for x, y, cell in places:
        _name(canvas, x + 2, y, TOP, cell)
        _stones(canvas, x + 1, y + 1, TOP + 2, cell)
        _holder(canvas, x + 1, y + 2, TOP + 2, cell)
    return canvas.text()


def _outline(canvas: Canvas, x: int, y: int) -> None:
    right = x + TOP + 2
    canvas.put(x + 2, y - 1, "_" * TOP, _GRID)
    canvas.put(x + 2, y + 3, "_" * TOP, _GRID)
    for line, (start, end) in enumerate(((1, 0), (0, 1), (0, 1), (1, 0))):
        canvas.put(x + start, y + line, "/" if line < 2 else "\\", _GRID)
        canvas.put(right + end, y + line, "\\" if line < 2 else "/", _GRID)


def _squares(cells: Sequence[Cell]) -> Text:
    left, upper = min(cell.x for cell in cells), min(cell.y for cell in cells)
    places = [(round(cell.x - left) * SQUARE_WIDTH, round(cell.y - upper) * SQUARE_HEIGHT, cell) for cell in cells]
    canvas = Canvas(max(x for x, _, _ in places) + SQUARE_WIDTH + 1, max(y for _, y, _ in places) + SQUARE_HEIGHT + 1)
    for x, y, _ in places:
        edge = "+" + "-" * (SQUARE_WIDTH - 1) + "+"
        canvas.put(x, y, edge, _GRID)
        canvas.put(x, y + SQUARE_HEIGHT, edge, _GRID)
        for line in range(1, SQUARE_HEIGHT):
            canvas.put(x, y + line, "|", _GRID)
            canvas.put(x + SQUARE_WIDTH, y + line, "|", _GRID)
    for x, y, cell in places:
        _name(canvas, x + 1, y + 1, SQUARE_WIDTH - 1, cell)
        _stones(canvas, x + 1, y + 2, SQUARE_WIDTH - 1, cell)
        _holder(canvas, x + 1, y + 3, SQUARE_WIDTH - 1, cell)
    return canvas.text()


# ---- what is drawn into a space: its name above, what stands there in the middle, whose it is below


def _name(canvas: Canvas, x: int, y: int, width: int, cell: Cell) -> None:
    canvas.put_middle(x, y, width, cell.name + cell.marks, _NAME)
    _walls(canvas, x, y, width, cell)


def _stones(canvas: Canvas, x: int, y: int, width: int, cell: Cell) -> None:
    """Draw the first stone, and below it the second one or the marks on the first, where nothing else stands there.

    The number of further stones is written behind the last.
    """
    stones, room = cell.stones, 2 - (cell.holder is not None or cell.tagged)
    for line, stone in enumerate(stones[:room]):
        left = len(stones) - room if line == room - 1 else 0
        more = f"+{left}" if left > 0 else ""
        canvas.put_middle(x, y + line, width, stone_text(stone, width - len(more)) + more, badge(stone.side))
    if len(stones) == 1 and room > 1:
        canvas.put_middle(x, y + 1, width, stones[0].marks, _MARK)


def _holder(canvas: Canvas, x: int, y: int, width: int, cell: Cell) -> None:
    if cell.holder is not None:
        canvas.put_middle(x, y, width, f"({cell.holder.letter})", f"bold {cell.holder.colour}")
    elif cell.tagged:
        canvas.put_middle(x, y, width, "( )", _MARK)
    _walls(canvas, x, y, width, cell)


def _walls(canvas: Canvas, x: int, y: int, width: int, cell: Cell) -> None:
    """Draw two of the four corners of the walls around a space."""
    if cell.walls:
        canvas.put(x, y, cell.walls, WALL)
        canvas.put(x + width - 1, y, cell.walls, WALL)


def stone_text(stone: Stone, width: int = TOP + 2) -> str:
    """Return a piece in a few characters: whose, what, where it looks, how many.

    If there is little room, blanks go first, and then the end of the label.
    """
    letter = stone.side.letter if stone.side is not None else "-"
    arrow = _ARROWS.get(stone.facing, stone.facing[:1])
    count = str(stone.count) if stone.count > 1 else ""
    blank = " " if count or arrow else ""
    room = width - len(letter + arrow + count)
    label = stone.label[: max(room, 1)]
    room -= len(label)
    behind = blank[:room] if room > 0 else ""
    before = " " if room > len(behind) else ""
    return f"{letter}{before}{label}{behind}{arrow}{count}"


def _marks(seen: Scene) -> TitledTexts:
    """Return the marks of the board with their meanings."""
    cells = seen.cells
    found = [(sign.sign, sign.title) for sign in seen.signs]
    if any(cell.tagged for cell in cells):
        found.append(("( )", seen.words[0]))
    if any(cell.holder for cell in cells):
        found += [(f"({side.letter})", f"{seen.words[1]}: {side.team}") for side in seen.heads]
    found += seen.marks
    found += [(cell.name, notes) for cell in cells if (notes := _notes(cell.stones))]
    if any(stone.count > 1 for cell in cells for stone in cell.stones):
        found.append(("", "a number behind a name: how many lie there"))
    return tuple(found)


def _notes(stones: Sequence[Stone]) -> str:
    return "; ".join(
        " ".join(word for word in (stone_text(stone, WIDTH), stone.values, stone.notes) if word)
        for stone in stones
        if stone.notes or stone.values or len(stones) > 1
    )
