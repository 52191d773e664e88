"""Pictures in the terminal: the board in characters and colours, and the things beside it.

Nothing depends on colour alone: the owner of a thing is shown as a letter too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from itertools import groupby
from math import sqrt
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from warchest.picture.scene import Cell, Panel, Row, Scene, Side, Stone, TitledTexts, scene
from warchest.picture.style import Style, ink

if TYPE_CHECKING:
    from warchest.game.state import State


# ---- a canvas of characters

StyledCharacter = tuple[str, str]


class Canvas:
    """Characters at columns and lines; nothing outside the canvas is drawn."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._lines: list[list[StyledCharacter]] = [[(" ", "")] * width for _ in range(height)]

    def put(self, column: int, line: int, text: str, style: str = "") -> None:
        """Write a text that begins at a place."""
        for offset, character in enumerate(text):
            if 0 <= column + offset < self.width and 0 <= line < self.height:
                self._lines[line][column + offset] = (character, style)

    def put_middle(self, column: int, line: int, width: int, text: str, style: str = "") -> None:
        """Write a text in the middle of some width; a text that is too long is cut off."""
        text = text[:width]
        self.put(column + (width - len(text) + 1) // 2, line, text, style)

    def text(self) -> Text:
        """Return everything as text with its styles, without blanks at the ends of lines."""
        lines = []
        for cells in self._lines:
            line, end = Text("".join(character for character, _ in cells).rstrip(), no_wrap=True), 0
            for style, run in groupby(style for _, style in cells):
                start, end = end, end + len(list(run))
                line.stylize(style, start, end)
            lines.append(line)
        return Text("\n").join(lines)


# ---- texts in the corners that a board leaves free

GAP = 2
"""The distance of a text from the board, in characters."""

_INDENT = "  "

Paragraph = tuple[Text, str]
"""A title with the text after it."""


def around(drawn: Text, texts: Sequence[Sequence[Paragraph]], width: int) -> Text | None:
    """Return a drawing in the middle of some width with a text in each corner; None if the texts do not fit."""
    lines = list(drawn.split("\n"))
    offset = (width - max(line.cell_len for line in lines)) // 2
    if offset < 0 or len(texts) > 4:
        return None
    lefts = [offset + len(line.plain) - len(line.plain.lstrip()) for line in lines]
    rights = [width - offset - line.cell_len for line in lines]
    middle = len(lines) // 2
    found: list[tuple[list[Text], bool]] = []
    for number, one in enumerate(texts):
        right, lower = number in (1, 2), number in (2, 3)
        rooms = [max(room - GAP, 0) for room in (rights if right else lefts)]
        placed = _lower(one, rooms, middle + 1) if lower else _flow(one, rooms[:middle])
        if placed is None:
            return None
        found.append((placed, right))
    return Text("\n").join(_joined(lines, offset, found, width))


def _joined(lines: Sequence[Text], offset: int, texts: Sequence[tuple[list[Text], bool]], width: int) -> Iterator[Text]:
    """Put together each line of the board with the texts on its left and its right."""
    for number, line in enumerate(lines):
        left, right = Text(), Text()
        for placed, is_right in texts:
            if number < len(placed) and placed[number].plain:
                left, right = (left, placed[number]) if is_right else (placed[number], right)
        blank = len(line.plain) - len(line.plain.lstrip())
        whole = Text(no_wrap=True).append_text(left)
        whole.append(" " * (offset + blank - left.cell_len)).append_text(line[blank:] if blank < len(line) else Text())
        if right.plain:
            whole.append(" " * (width - whole.cell_len - right.cell_len)).append_text(right)
        yield whole


def _lower(paragraphs: Sequence[Paragraph], rooms: Sequence[int], first: int) -> list[Text] | None:
    """Return the lines of a text at the bottom of its area, with empty lines before it."""
    for start in range(len(rooms) - 1, first - 1, -1):
        placed = _flow(paragraphs, rooms[start:])
        if placed is not None:
            return [Text()] * start + placed
    return None


def _flow(paragraphs: Sequence[Paragraph], rooms: Sequence[int]) -> list[Text] | None:
    """Return a text as lines of at most some widths; None if there are too few lines for it."""
    placed: list[Text] = []
    for title, value in paragraphs:
        line = title.copy()
        for word in _words(value):
            if len(placed) < len(rooms) and line.cell_len + 1 + len(word) <= rooms[len(placed)]:
                line.append(f" {word}")
                continue
            if not _put(placed, line, rooms):
                return None
            line = Text(_INDENT + word)
        if not _put(placed, line, rooms):
            return None
    return placed


def _put(placed: list[Text], line: Text, rooms: Sequence[int]) -> bool:
    """Add a line in the next place where it fits; return False if there is none."""
    while len(placed) < len(rooms) and line.cell_len > rooms[len(placed)]:
        placed.append(Text())
    if len(placed) == len(rooms):
        return False
    placed.append(line)
    return True


def _words(value: str) -> list[str]:
    return value.split()


# ---- the parts beside a board in the terminal

WALL = "bold"
"""The style of things around a space."""

HALF = 33
"""The least width of a player's things if they are side by side below the board."""

_TITLE = "dim"
_GAP = 3
_NONE = "-"


def badge(side: Side | None) -> str:
    """Return the style of things that belong to a player: dark on a light colour, light on a dark one."""
    if side is None:
        return "reverse"
    return f"bold {ink(side.colour)} on {side.colour}"


def heading(seen: Scene) -> Text:
    """Return the line above the picture."""
    head = Text(seen.title, style="bold")
    for title, value in seen.facts:
        head.append("   " + (f"{title}: {value}" if value else title), style="not bold")
    if seen.ending:
        head.append(f"\n{seen.ending}")
    return head


# ---- the players' things


def entries(panel: Panel, short: bool) -> list[tuple[Text, str]]:
    """Return a player's things as titles and values; the first title is the player's name, without a value."""
    zones = panel.short if short else panel.zones
    return [(_head(panel.side), ""), *((Text(f"{title}:", _TITLE), value) for title, value in zones)]


def beside(seen: Scene, marks: TitledTexts) -> RenderableType:
    """Return everything except the board in one column."""
    found: list[RenderableType] = []
    for panel in seen.panels:
        found += [_panel(panel), Text()]
    for title, rows in seen.tables:
        found += [_table(title, rows, seen.heads), Text()]
    return Group(*found, Text("\n").join(_legend((*seen.legend, *marks))))


def below(seen: Scene, marks: TitledTexts, width: int) -> RenderableType:
    """Return everything except the board in as many columns as fit."""
    return Group(_side_by_side(seen, width), foot(seen, marks, width))


def _side_by_side(seen: Scene, width: int) -> RenderableType:
    """Return the players' things in one or two columns, as fits the width."""
    columns = max(min(width // HALF, 2), 1)
    grid = Table.grid(padding=(0, 2))
    for _ in range(columns):
        grid.add_column(width=width // columns - 2, overflow="fold")
    for first in range(0, len(seen.panels), columns):
        # The last row needs no line below it: the part below brings its own.
        grid.add_row(*(Group(_panel(panel), Text()) for panel in seen.panels[first : first + columns]))
    return grid


def foot(seen: Scene, marks: TitledTexts, width: int, short: bool = False) -> RenderableType:
    """Return the tables, and beside them the legend of all signs."""
    tables = [_table(title, rows, seen.heads) for title, rows in seen.tables]
    taken = sum(_width(rows, title, seen.heads) + _GAP for title, rows in seen.tables)
    known = _legend((*(seen.short if short else seen.legend), *marks))
    if width - taken < HALF:
        return Group(*tables, _columns(known, width))
    grid = Table.grid(padding=(0, _GAP, 0, 0))
    for one in seen.tables:
        grid.add_column(min_width=_width(one[1], one[0], seen.heads))
    grid.add_row(*tables, _columns(known, width - taken))
    return grid


def _head(side: Side) -> Text:
    team = f", {side.team}" if side.team != side.name else ""
    name = f" {side.name}{team}" if side.letter != side.name or team else ""
    return Text.assemble((f" {side.letter} ", badge(side)), (name, "bold"))


def _panel(panel: Panel) -> RenderableType:
    table = Table.grid(padding=(0, 1))
    table.add_column(style=_TITLE, no_wrap=True)
    table.add_column(overflow="fold")
    for title, value in panel.zones:
        table.add_row(f"  {title}", value)
    return Group(_head(panel.side), table)


# ---- tables


def _table(title: str, rows: Sequence[Row], heads: Sequence[Side]) -> RenderableType:
    """Return a table: a line for each thing, a column for each team with the marks of its players."""
    table = Table.grid(padding=(0, 1))
    table.add_column(min_width=_first_width(rows, title))
    for head in heads:
        table.add_column(justify="center", min_width=_team_width(rows, head))
    table.add_column()
    table.add_row(Text(title, "bold"), *(Text(f" {head.letter} ", badge(head)) for head in heads), "")
    for row in rows:
        table.add_row(f"  {row.name}", *(_of_team(row, head.team) for head in heads), row.rest)
    return table


def _of_team(row: Row, team: str) -> Text:
    marks = [side for side in row.marks if side.team == team]
    if not marks:
        return Text(_NONE, _TITLE)
    return Text(" ").join(Text(f"({side.letter})", badge(side)) for side in marks)


def _first_width(rows: Sequence[Row], title: str) -> int:
    return max(cell_len(title), *(cell_len(row.name) + 2 for row in rows))


def _team_width(rows: Sequence[Row], head: Side) -> int:
    return max(len(head.letter) + 2, *(_of_team(row, head.team).cell_len for row in rows))


def _width(rows: Sequence[Row], title: str, heads: Sequence[Side]) -> int:
    """Return the width of a table."""
    teams = sum(1 + _team_width(rows, head) for head in heads)
    return _first_width(rows, title) + teams + 2 + max(cell_len(row.rest) for row in rows)


# ---- the legend


def _legend(known: Iterable[tuple[str, str]]) -> list[Text]:
    listed = list(known)
    widest = max((cell_len(sign) for sign, _ in listed), default=0)
    return [Text(f"{sign:<{widest}} {meaning}" if sign else meaning, _TITLE) for sign, meaning in listed]


def _columns(lines: Sequence[Text], width: int) -> RenderableType:
    """Set lines in as many columns as fit, reading downward; lines too wide for two columns come below."""
    fitting = [line for line in lines if line.cell_len <= width // 2]
    rest = [line for line in lines if line.cell_len > width // 2]
    for count in range(len(fitting), 0, -1):
        height = -(-len(fitting) // count)
        columns = [fitting[first : first + height] for first in range(0, len(fitting), height)]
        if sum(max(line.cell_len for line in column) + _GAP for column in columns) <= width + _GAP:
            break
    else:
        return Text("\n").join(rest)
    grid = Table.grid(padding=(0, _GAP, 0, 0))
    for row in range(height):
        grid.add_row(*(column[row] for column in columns if row < len(column)))
    return Group(grid, *rest)


# ---- pictures in the terminal

WIDTH = 100
"""The width of a picture unless another is asked for."""

TOP = 5
"""The number of characters of the upper edge of a hex; everything else about hexes follows from it."""

SQUARE_WIDTH, SQUARE_HEIGHT = 9, 4
"""The distance between squares of a board, in characters and lines; one of each is the line between them."""

PANEL = 26
"""The least width of the things beside the board; with less room they are below."""

WIDEST = 60
"""The greatest width of the things beside the board."""

FEW = 2
"""The most players whose things are in one column beside the board; those of more are in its corners."""

# Colours are used only on grounds of their own: the ground of a terminal is unknown.
_GRID, _NAME, _MARK = "dim", "", "bold"
_ARROWS = {"n": "^", "e": ">", "s": "v", "w": "<", "ne": "/", "se": "\\", "sw": "/", "nw": "\\"}


def text(
    state: State | Scene,
    style: Style | None = None,
    viewer: str | None = None,
    width: int = WIDTH,
    height: int | None = None,
) -> RenderableType:
    """Return the picture of a state: the board with the things beside it, for an observer or a player.

    A scene may be given instead of a state; then its viewer and style are used. The board is a small one if
    a large one does not fit: into the width, or into `height` lines with the rest of the picture.
    """
    seen = _seen(state, style, viewer)
    drawn = _draw(seen)
    taken = _width_of(drawn)
    if taken > width:
        return _with_small_board(seen, width, height)
    whole = _with_board(seen, drawn, taken, width)
    if height is not None and lines_of(whole, width) > height:
        return _with_small_board(seen, width, height)
    return whole


def _with_board(seen: Scene, drawn: Text, taken: int, width: int) -> RenderableType:
    """Return the picture with a board of some width: in the middle of the other things, beside them, or above."""
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


def _with_small_board(seen: Scene, width: int, height: int | None) -> RenderableType:
    """Return the picture with a small board, and with the legend only where there is room for it in the height.

    If the board is still too wide, its right end is left out, with a note.
    """
    drawn = small_board(seen, width)
    taken = _width_of(drawn)
    if taken > width:
        drawn = Text("\n").join(line[:width] for line in drawn.split("\n"))
        drawn.append(f"\nthe board is {taken} columns wide; widen the window to see all of it")
    marks = (*seen.legend, *_small_signs(seen), *_marks(seen, signs=False))
    whole = _small(seen, drawn, marks, width)
    if height is None or lines_of(whole, width) <= height:
        return whole
    return _small(seen, drawn, (), width, below=False)


def _small(seen: Scene, drawn: Text, known: TitledTexts, width: int, below: bool = True) -> RenderableType:
    """Return the picture with a drawn small board, and the other things beside it, below it or above it."""
    room = min(width - _width_of(drawn) - 3, WIDEST)
    tables = [_table(title, rows, seen.heads) for title, rows in seen.tables]
    legend = [Text(), _flowing(known)] if known else []
    if room < PANEL or len(seen.sides) > FEW:
        others = (_side_by_side(seen, width), *tables, *legend)
        return Group(heading(seen), drawn, Text(), *others) if below else Group(*others, heading(seen), drawn)
    grid = Table.grid(padding=(0, 3))
    grid.add_column(no_wrap=True)
    grid.add_column(width=room, overflow="fold")
    grid.add_row(drawn, Group(*map(_panel, seen.panels), *tables, *legend))
    return Group(heading(seen), grid)


def _flowing(known: TitledTexts) -> Text:
    """Return a legend as flowing text."""
    return Text("; ".join(f"{sign} {meaning}".strip() for sign, meaning in known), _TITLE)


def lines_of(what: RenderableType, width: int) -> int:
    """Return the number of lines that a text or table takes in a width."""
    console = Console(width=width, color_system=None, highlight=False, legacy_windows=False)
    return len(console.render_lines(what, console.options.update(width=width)))


def _width_of(drawn: Text) -> int:
    return max((line.cell_len for line in drawn.split("\n")), default=0)


def board(state: State | Scene, style: Style | None = None) -> Text:
    """Return the picture of the board alone."""
    return _draw(_seen(state, style))


def plain(state: State | Scene, style: Style | None = None, viewer: str | None = None, width: int = WIDTH) -> str:
    """Return the picture of a state as plain text without colours."""
    return rendered(text(state, style, viewer, width), width)


def rendered(what: RenderableType, width: int = WIDTH) -> str:
    """Return the plain text of a thing that rich can show, without blanks at the ends of lines."""
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
    places = [(round((cell.x - left) / 1.5) * pitch, 1 + round((cell.y - upper) / sqrt(3) * 4), cell) for cell in cells]
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


# ---- small boards

_HELD = "="
"""The sign on a small board for a space that can have an owner; the owner is after it."""


def small_board(seen: Scene, width: int) -> Text:
    """Return the board in a few characters a space, if possible within some width: hexes in two lines, squares in one.

    Each space has its name, or its first piece; a hex has both.
    """
    cells = seen.cells
    if not cells:
        return Text("(no spaces)")
    return _small_hexes(cells, width) if seen.shape == "hexes" else _small_squares(cells, width)


def _small_hexes(cells: Sequence[Cell], width: int) -> Text:
    left, upper = min(cell.x for cell in cells), min(cell.y for cell in cells)
    columns = [round((cell.x - left) / 1.5) for cell in cells]
    pitch = max(min(width // (max(columns) + 1), TOP + 1), TOP)
    lines = [round((cell.y - upper) / sqrt(3) * 2) for cell in cells]
    canvas = Canvas((max(columns) + 1) * pitch, max(lines) + 2)
    for column, line, cell in zip(columns, lines, cells, strict=True):
        held = _holding(cell)
        walls = cell.walls or ""
        canvas.put(column * pitch, line, (cell.name + cell.marks + walls)[:pitch], _NAME)
        canvas.put(
            column * pitch + len(cell.name + cell.marks + walls),
            line,
            held,
            badge(cell.holder) if cell.holder else _MARK,
        )
        _small_stones(canvas, column * pitch, line + 1, pitch - 1, cell)
    return canvas.text()


def _small_squares(cells: Sequence[Cell], width: int) -> Text:
    left, upper = min(cell.x for cell in cells), min(cell.y for cell in cells)
    columns = [round(cell.x - left) for cell in cells]
    pitch = max(min((width - 1) // (max(columns) + 1), SQUARE_WIDTH), TOP + 2)
    canvas = Canvas((max(columns) + 1) * pitch + 1, max(round(cell.y - upper) for cell in cells) + 1)
    for column, cell in zip(columns, cells, strict=True):
        line = round(cell.y - upper)
        for edge in (column, column + 1):
            canvas.put(edge * pitch, line, "|", _GRID)
        if cell.stones:
            _small_stones(canvas, column * pitch + 1, line, pitch - 1, cell)
        else:
            canvas.put_middle(column * pitch + 1, line, pitch - 1, cell.name + cell.marks + _holding(cell), _NAME)
    return canvas.text()


def _small_stones(canvas: Canvas, x: int, y: int, width: int, cell: Cell) -> None:
    """Write the first piece of a space, and the number of the others."""
    more = f"+{len(cell.stones) - 1}" if len(cell.stones) > 1 else ""
    for stone in cell.stones[:1]:
        canvas.put(x, y, stone_text(stone, width - len(more)) + more, badge(stone.side))


def _holding(cell: Cell) -> str:
    if cell.holder is not None:
        return _HELD + cell.holder.letter
    return _HELD if cell.tagged else ""


def _small_signs(seen: Scene) -> TitledTexts:
    """Return the signs of a small board with their meanings."""
    found = [(sign.sign, sign.title) for sign in seen.signs]
    if any(cell.tagged for cell in seen.cells):
        found.append((_HELD, seen.words[0]))
    if any(cell.holder for cell in seen.cells):
        found += [(_HELD + side.letter, f"{seen.words[1]}: {side.team}") for side in seen.heads]
    return tuple(found)


# ---- drawing into a space: its name above, the pieces in the middle, its owner below


def _name(canvas: Canvas, x: int, y: int, width: int, cell: Cell) -> None:
    canvas.put_middle(x, y, width, cell.name + cell.marks, _NAME)
    _walls(canvas, x, y, width, cell)


def _stones(canvas: Canvas, x: int, y: int, width: int, cell: Cell) -> None:
    """Draw the first stone, and in a free line below it the second stone, or the marks of an only stone.

    The number of further stones is written after the last.
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
        canvas.put_middle(x, y, width, f"({cell.holder.letter})", badge(cell.holder))
    elif cell.tagged:
        canvas.put_middle(x, y, width, "( )", _MARK)
    _walls(canvas, x, y, width, cell)


def _walls(canvas: Canvas, x: int, y: int, width: int, cell: Cell) -> None:
    """Draw two of the four corners of the walls around a space."""
    if cell.walls:
        canvas.put(x, y, cell.walls, WALL)
        canvas.put(x + width - 1, y, cell.walls, WALL)


def stone_text(stone: Stone, width: int = TOP + 2) -> str:
    """Return a piece in a few characters: owner, kind, direction, number.

    If the width is too small, blanks are left out first, and then the end of the label.
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


def _signs(seen: Scene) -> TitledTexts:
    """Return the signs of spaces with their meanings."""
    found = [(sign.sign, sign.title) for sign in seen.signs]
    if any(cell.tagged for cell in seen.cells):
        found.append(("( )", seen.words[0]))
    if any(cell.holder for cell in seen.cells):
        found += [(f"({side.letter})", f"{seen.words[1]}: {side.team}") for side in seen.heads]
    return tuple(found)


def _marks(seen: Scene, signs: bool = True) -> TitledTexts:
    """Return the marks of the board with their meanings, after the signs of spaces if these are wanted."""
    cells = seen.cells
    found = [*(_signs(seen) if signs else ()), *seen.marks]
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
