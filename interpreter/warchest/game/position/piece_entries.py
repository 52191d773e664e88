"""Pieces on the board in positions: an entry for each, or one for each owner."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from warchest.engine.effects import change_form, new_piece, taken
from warchest.engine.evaluation import members_of
from warchest.engine.runs import Overfull
from warchest.game.errors import PositionError
from warchest.game.position import makeup
from warchest.game.position.checked_values import CheckedReader
from warchest.game.position.keys import Keys, Memory, Shape
from warchest.ir.values import NOTHING
from warchest.lowering.layout import DECLARED, DOCUMENT, KIND, NATURE, OWNER, SPACE

BASE = "base"
"""The form that a piece is said to have that has none but its own."""
NAMED = ("place", "document", "owner", "tokens", "stack", "nature", "form")
"""The words of shapes that name the keys of an entry, except its fields, marks and its printed token."""


# ---- writing


def entries(format_: Keys, memory: Memory, shape: Shape) -> list[dict[str, Any]]:
    """Return an entry for each piece of a kind, by where they stand."""
    standing = format_.naming.pieces(memory, format_.kind(shape["pieces"]))
    return [_entry(format_, memory, number, shape) for number in standing]


def by_owner(format_: Keys, memory: Memory, noun: str) -> dict[str, str | list[str]]:
    """Return the space of the one piece of a kind that each owner has, or a list where an owner has several."""
    layout, found = format_.layout, dict[str, list[str]]()
    for one in members_of(memory[layout.of_kind + format_.kind(noun)]):
        first = layout.piece(one)
        owner = format_.naming.players[memory[first + OWNER]]
        found.setdefault(owner, []).append(format_.naming.spaces[memory[first + SPACE]])
    return {owner: spaces[0] if len(spaces) == 1 else sorted(spaces) for owner, spaces in sorted(found.items())}


def _entry(format_: Keys, memory: Memory, number: int, shape: Shape) -> dict[str, Any]:
    layout, naming = format_.layout, format_.naming
    first = layout.piece(number)
    holder = layout.holder_cells(layout.first_piece_holder + number)
    document = memory[first + DOCUMENT]
    own = memory[first + NATURE] if "form" in shape else document
    written: dict[str, Any] = {
        shape["place"]: naming.spaces[memory[first + SPACE]],
        shape["document"]: naming.documents[own],
    }
    if "owner" in shape:
        written[shape["owner"]] = naming.name("player", memory[first + OWNER], memory)
    if "tokens" in shape:
        written[shape["tokens"]] = sum(memory[holder.start : holder.stop])
    written.update(makeup.written(format_, memory, number, shape))
    written.update(format_.printed(own, shape.get("sheet", {})))
    for path, field in fields_in(format_, {"fields": shape.get("fields", {})}):
        place = written if len(path) == 1 else written.setdefault(path[0], {})
        place[path[-1]] = format_.shown(field, memory[first + layout.piece_field[field]], memory)
    for key, name in shape.get("marks", {}).items():
        index = layout.piece_field[format_.of_pieces[name]]
        if memory[first + index] != layout.fresh[index - DECLARED]:
            written[key] = format_.shown(format_.of_pieces[name], memory[first + index], memory)
    if "form" in shape:
        written[shape["form"]] = BASE if own == document else naming.documents[document]
    if layout.ruleset.kinds[memory[first + KIND]].remains_of >= 0:
        # The entry of remains leaves out the keys that have their usual values.
        usual = {shape.get("form"): BASE, **{key: written[other] for key, other in shape.get("usual", {}).items()}}
        written = {key: value for key, value in written.items() if key not in usual or value != usual[key]}
    return written


def fields_in(format_: Keys, shape: Shape) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield where in an entry each field stands, and its number."""
    for key, name in shape.get("fields", {}).items():
        if isinstance(name, Mapping):
            yield from (((key, inner), format_.of_pieces[one]) for inner, one in name.items())
        else:
            yield (key,), format_.of_pieces[name]
    for key, name in shape.get("marks", {}).items():
        yield (key,), format_.of_pieces[name]


# ---- reading


def stand(reader: CheckedReader, where: str, shape: Shape, value: Any) -> None:
    """Read the entry of a piece and put it onto the board; raises PositionError."""
    item = reader.mapping(where, value)
    place, document, owner = (str(shape.get(key, "")) for key in ("place", "document", "owner"))
    named = [shape[key] for key in NAMED if key in shape]
    fields = (*shape.get("fields", {}), *shape.get("marks", {}))
    names = [name for name in (*named, *shape.get("sheet", ()), *fields) if name]
    reader.known(where, item, names)
    for key, inner in shape.get("fields", {}).items():
        if isinstance(inner, Mapping) and item.get(key) is not None:
            reader.known(f"{where}.{key}", reader.mapping(f"{where}.{key}", item[key]), list(inner))
    for key in filter(None, (place, document, owner)):
        if key not in item:
            raise PositionError(f"{where}.{key}", "this is missing")
    kind = reader.format.kind(shape["pieces"])
    sheet = (reader.layout.ruleset.kinds[kind].sheet,)
    of = reader.document(f"{where}.{document}", item[document], sheet)
    nobody = not owner or (item[owner] is None and shape.get("or nobody", False))
    whose = NOTHING if nobody else reader.player(f"{where}.{owner}", item[owner])
    nature = _nature(reader, where, shape, item, sheet, of)
    made_of = makeup.counted(reader, where, shape, item, nature)
    number = _put(reader, f"{where}.{place}", kind, of, reader.space(f"{where}.{place}", item[place]), whose, made_of)
    reader.memory[reader.layout.piece(number) + NATURE] = nature
    for path, field in fields_in(reader.format, shape):
        told = _found(reader, where, item, path)
        if path[0] not in item and path[0] in shape.get("usual", {}):
            told = item.get(shape["usual"][path[0]])
        if told is None and field == reader.layout.ruleset.heading:
            raise PositionError(".".join((where, *path)), "this is missing")
        if told is not None:
            base = reader.layout.ruleset.fields[field].base
            read = reader.value(".".join((where, *path)), base, told)
            cell = reader.layout.piece(number) + reader.layout.piece_field[field]
            reader.memory[cell] = read
            if path[0] in item and field in reader.layout.ruleset.prevailing:
                reader.said.append((".".join((where, *path)), cell, read))
    form = item.get(shape.get("form", ""), BASE)
    if form != BASE:
        other = reader.document(f"{where}.{shape['form']}", form, sheet)
        change_form(reader.run, reader.layout, number, other)


def _nature(
    reader: CheckedReader, where: str, shape: Shape, item: Mapping[str, Any], sheet: tuple[str], document: int
) -> int:
    """Return the nature of the piece of an entry: the one given there, else its document."""
    key = shape.get("nature", "")
    return document if item.get(key) is None else reader.document(f"{where}.{key}", item[key], sheet)


def _found(reader: CheckedReader, where: str, item: Mapping[str, Any], path: tuple[str, ...]) -> Any:
    """Return the value of an entry at a place; None where it says nothing."""
    if len(path) == 1 or item.get(path[0]) is None:
        return item.get(path[0])
    return reader.mapping(f"{where}.{path[0]}", item[path[0]]).get(path[1])


def stand_by_owner(reader: CheckedReader, key: str, shape: Shape, value: Any) -> None:
    """Read on which space the pieces of a kind stand, one or several for each owner; raises PositionError."""
    kind = reader.format.kind(shape["one by owner"])
    document = reader.only_document((reader.layout.ruleset.kinds[kind].sheet,))
    for name, told in reader.mapping(key, value).items():
        owner, where = reader.player(key, name), f"{key}.{name}"
        several = isinstance(told, list | tuple)
        places = [(f"{where}[{index}]", one) for index, one in enumerate(told)] if several else [(where, told)]
        for at, place in places:
            _put(reader, at, kind, document, reader.space(at, place), owner, {document: 1})


def _put(
    reader: CheckedReader, where: str, kind: int, document: int, space: int, owner: int, tokens: Mapping[int, int]
) -> int:
    """Put a piece made of some tokens onto the board and return its number."""
    layout = reader.layout
    if taken(reader.run, layout, kind, space):
        raise PositionError(where, f"{reader.naming.spaces[space]} is taken twice")
    try:
        number = new_piece(reader.run, layout, kind, document, space, owner)
    except Overfull as error:
        raise PositionError(where, str(error)) from None
    makeup.put(reader, number, tokens)
    return number
