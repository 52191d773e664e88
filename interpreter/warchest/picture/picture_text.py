"""Pictures in words: all visible things, for readers and screen readers."""

from __future__ import annotations

from collections.abc import Iterable

from warchest.picture.scene import Cell, Heap, Panel, Row, Scene, Stone


def description(seen: Scene) -> str:
    """Return a description of everything that is visible, except empty spaces."""
    facts = [f"{title}: {value}" if value else title for title, value in seen.facts]
    panels = [told for one in seen.panels if (told := panel(one))]
    first = [said.rstrip(".") for said in (seen.ending, seen.caption) if said]
    return sentences((*first, *facts, *on_board(seen), *beside_board(seen), *panels))


def sentences(parts: Iterable[str]) -> str:
    """Return parts of a description as sentences."""
    return " ".join(f"{one}." for one in parts)


def on_board(seen: Scene) -> list[str]:
    """Return the motions, and the visible things on each space that is not empty."""
    motions = [f"{one.start}{f' to {one.end}' if one.end != one.start else ''}: {one.kind}" for one in seen.motions]
    spaces = [told for cell in seen.cells if cell.stones or cell.signs or cell.holder if (told := space(seen, cell))]
    return motions + spaces


def beside_board(seen: Scene) -> list[str]:
    """Return the tables."""
    return [f"{title}: {'; '.join(map(row, rows))}" for title, rows in seen.tables]


def space(seen: Scene, cell: Cell) -> str:
    """Return the name of a space and the visible things on it."""
    return f"{cell.name}: {', '.join(_parts(seen, cell)) or 'empty'}"


def row(one: Row) -> str:
    """Return the name of a thing with the players whose marks are on it."""
    marks = ", ".join([*(side.name for side in one.marks), *([one.rest] if one.rest else [])])
    return f"{one.name} ({marks})" if marks else one.name


def heap(one: Heap) -> str:
    """Return the things of a heap with the number of each, or the number that is hidden."""
    things = [f"{count} {name}" if count > 1 else name for _, name, count in one.things]
    hidden = [f"{one.hidden} hidden"] if one.hidden else []
    told = ", ".join([*things, *hidden, *([one.told] if one.told else [])])
    return f"{one.face}: {told}" if one.face and told else told


def panel(one: Panel) -> str:
    """Return a player with its things; empty if there are none."""
    piles = [f"{pile.title} {told}" for pile in one.piles if (told := "; ".join(filter(None, map(heap, pile.heaps))))]
    return f"{one.side.name}: {'; '.join(piles)}" if piles else ""


def _parts(seen: Scene, cell: Cell) -> Iterable[str]:
    yield from map(_stone, cell.stones)
    yield from (sign.title for sign in cell.signs)
    if cell.tagged:
        yield seen.words[0]
    if cell.holder is not None:
        yield f"{seen.words[1]}: {cell.holder.team}"


def _stone(stone: Stone) -> str:
    whose = f" ({stone.side.name})" if stone.side is not None else ""
    count = f"{stone.count} " if stone.count > 1 else ""
    rest = "".join(f" {word}" for word in (stone.facing, stone.values, stone.notes) if word)
    return f"{count}{stone.name}{whose}{rest}"
