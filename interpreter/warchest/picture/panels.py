"""The parts beside a board in the terminal: the players' things, tables with marks, and the legend of the signs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from warchest.picture.colours import ink
from warchest.picture.scene import Panel, Row, Scene, Side, TitledTexts

WALL = "bold #b0703c"
"""The style of things around a space."""

HALF = 33
"""The least width of a player's things if they stand side by side below the board."""

_NAME = "grey70"
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
    return head


# ---- the players' things


def entries(panel: Panel, short: bool) -> list[tuple[Text, str]]:
    """Return a player's things as titles and values, with the player's name for the first title."""
    zones = panel.short if short else panel.zones
    return [(_head(panel.side), ""), *((Text(f"{title}:", _NAME), value) for title, value in zones)]


def beside(seen: Scene, marks: TitledTexts) -> RenderableType:
    """Return everything in one column."""
    found: list[RenderableType] = []
    for panel in seen.panels:
        found += [_panel(panel), Text()]
    for title, rows in seen.tables:
        found += [_table(title, rows, seen.heads), Text()]
    return Group(*found, Text("\n").join(_legend((*seen.legend, *marks))))


def below(seen: Scene, marks: TitledTexts, width: int) -> RenderableType:
    """Return everything in as many columns as there is room for."""
    columns = max(min(width // HALF, 2), 1)
    grid = Table.grid(padding=(0, 2))
    for _ in range(columns):
        grid.add_column(width=width // columns - 2, overflow="fold")
    for first in range(0, len(seen.panels), columns):
        # The last row needs no line below it: the part below brings its own.
        grid.add_row(*(Group(_panel(panel), Text()) for panel in seen.panels[first : first + columns]))
    return Group(grid, foot(seen, marks, width))


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
    return Text.assemble((f" {side.letter} ", badge(side)), (f" {side.name}{team}", "bold"))


def _panel(panel: Panel) -> RenderableType:
    table = Table.grid(padding=(0, 1))
    table.add_column(style=_NAME, no_wrap=True)
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
        return Text(_NONE, _NAME)
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
    return [Text(f"{sign:<{widest}} {meaning}" if sign else meaning, _NAME) for sign, meaning in listed]


def _columns(lines: Sequence[Text], width: int) -> RenderableType:
    """Set lines in as many columns as fit, reading downward; those that are too wide for two stand below."""
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
