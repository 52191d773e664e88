"""Pictures in the terminal: the board in characters and colours, and what lies beside it.

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
from warchest.picture.scene import Cell, Scene, Side, Stone, scene
from warchest.picture.style import Style

if TYPE_CHECKING:
    from warchest.game.state import State

WIDTH = 100
"""How wide a picture is unless something else is asked for."""

TOP = 5
"""How many characters the upper edge of a hex has; everything else about hexes follows from it."""

SQUARE_WIDTH, SQUARE_HEIGHT = 9, 4
"""How far the squares of a board are apart, in characters and lines; one of each is the line between them."""

PANEL = 26
"""The least width of what stands beside the board; with less room it stands below."""

_GRID, _NAME, _MARK = "grey50", "grey70", "bold"
_ARROWS = {"n": "^", "e": ">", "s": "v", "w": "<", "ne": "/", "se": "\\", "sw": "/", "nw": "\\"}


def text(
    state: State, style: Style | None = None, viewer: str | None = None, width: int = WIDTH
) -> RenderableType:
    """Return the picture of a state: the board with what lies beside it, for an observer or a player."""
    seen = scene(state, style, viewer)
    drawn = _draw(seen)
    taken = max((len(line) for line in drawn.plain.split("\n")), default=0)
    beside = Group(*_panels(seen), _legend(seen))
    if width - taken - 3 < PANEL:
        return Group(_heading(seen), drawn, Text(), beside)
    table = Table.grid(padding=(0, 3))
    table.add_column(no_wrap=True)
    table.add_column(width=min(width - taken - 3, 60), overflow="fold")
    table.add_row(drawn, beside)
    return Group(_heading(seen), table)


def board(state: State, style: Style | None = None) -> Text:
    """Return the picture of the board alone."""
    return _draw(scene(state, style))


def plain(state: State, style: Style | None = None, viewer: str | None = None, width: int = WIDTH) -> str:
    """Return the picture of a state as plain text without colours."""
    return rendered(text(state, style, viewer, width), width)


def rendered(what: RenderableType, width: int = WIDTH) -> str:
    """Return anything rich can show as plain text, without blanks at the ends of lines."""
    out = StringIO()
    Console(file=out, width=width, color_system=None, highlight=False, legacy_windows=False).print(what)
    return "\n".join(line.rstrip() for line in out.getvalue().rstrip().split("\n")) + "\n"


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
        _inside(canvas, x, y, cell)
    return canvas.text()


def _outline(canvas: Canvas, x: int, y: int) -> None:
    right = x + TOP + 2
    canvas.put(x + 2, y - 1, "_" * TOP, _GRID)
    canvas.put(x + 2, y + 3, "_" * TOP, _GRID)
    for line, (start, end) in enumerate(((1, 0), (0, 1), (0, 1), (1, 0))):
        canvas.put(x + start, y + line, "/" if line < 2 else "\\", _GRID)
        canvas.put(right + end, y + line, "\\" if line < 2 else "/", _GRID)


def _inside(canvas: Canvas, x: int, y: int, cell: Cell) -> None:
    canvas.put_middle(x + 2, y, TOP, cell.name + cell.signs, _NAME)
    _stones(canvas, x + 1, y + 1, TOP + 2, cell.stones)
    _holder(canvas, x + 1, y + 2, TOP + 2, cell)


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
        canvas.put_middle(x + 1, y + 1, SQUARE_WIDTH - 1, cell.name + cell.signs, _NAME)
        _stones(canvas, x + 1, y + 2, SQUARE_WIDTH - 1, cell.stones)
        _holder(canvas, x + 1, y + 3, SQUARE_WIDTH - 1, cell)
    return canvas.text()


def _stones(canvas: Canvas, x: int, y: int, width: int, stones: Sequence[Stone]) -> None:
    """Draw the first stone; how many more there are is said behind it."""
    if stones:
        told = stone_text(stones[0]) + (f"+{len(stones) - 1}" if len(stones) > 1 else "")
        canvas.put_middle(x, y, width, told, badge(stones[0].side))


def _holder(canvas: Canvas, x: int, y: int, width: int, cell: Cell) -> None:
    if cell.holder is not None:
        canvas.put_middle(x, y, width, f"({cell.holder.letter})", f"bold {cell.holder.colour}")
    elif cell.tagged:
        canvas.put_middle(x, y, width, "( )", _MARK)


def stone_text(stone: Stone) -> str:
    """Return a piece in a few characters: whose, what, where it looks, how many."""
    letter = stone.side.letter if stone.side is not None else "-"
    height = f"{'' if stone.facing else ' '}{stone.count}" if stone.count > 1 else ""
    blank = " " if len(letter) + len(stone.label) + len(height) < TOP + 2 else ""
    return f"{letter}{blank}{stone.label}{_ARROWS.get(stone.facing, stone.facing[:1])}{height}"


def badge(side: Side | None) -> str:
    """Return the style of things that belong to a player: dark on a light colour, light on a dark one."""
    if side is None:
        return "reverse"
    return f"bold {ink(side.colour)} on {side.colour}"


def ink(colour: str) -> str:
    """Return black or white, whichever is read more easily on a colour."""
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return "#000000" if 299 * red + 587 * green + 114 * blue > 140_000 else "#ffffff"


# ---- beside the board


def _heading(seen: Scene) -> Text:
    head = Text(seen.title, style="bold")
    for title, value in seen.facts:
        head.append("   " + (f"{title}: {value}" if value else title), style="not bold")
    return head


def _panels(seen: Scene) -> list[RenderableType]:
    found: list[RenderableType] = []
    for side, zones in seen.panels:
        team = f", {side.team}" if side.team != side.name else ""
        head = Text.assemble((f" {side.letter} ", badge(side)), (f" {side.name}{team}", "bold"))
        table = Table.grid(padding=(0, 1))
        table.add_column(style=_NAME, no_wrap=True)
        table.add_column(overflow="fold")
        for title, value in zones:
            table.add_row(f"  {title}", value)
        found += [head, table, Text()]
    return found


def _legend(seen: Scene) -> Text:
    lines = [f"{label} {name}" for label, name in seen.legend]
    lines += [f"{cell.name}: {notes}" for cell in seen.cells if (notes := _notes(cell.stones))]
    if any(cell.tagged for cell in seen.cells):
        lines.append(f"( ) {seen.words[0]}")
    if any(cell.holder for cell in seen.cells):
        lines += [f"({side.letter}) {seen.words[1]}: {side.team}" for side in seen.heads]
    if any(stone.count > 1 for cell in seen.cells for stone in cell.stones):
        lines.append("a number behind a name: how many lie there")
    return Text("\n".join(lines), style=_NAME)


def _notes(stones: Sequence[Stone]) -> str:
    return "; ".join(
        f"{stone_text(stone)}{' ' if stone.notes else ''}{stone.notes}"
        for stone in stones
        if stone.notes or len(stones) > 1
    )

