"""The parts that positions of a variant are made of: for each key the things that can be there, and their values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeAlias

from warchest.game.position.own_sheets import NAME
from warchest.game.position.piece_entries import BASE, NAMED, fields_in
from warchest.game.position.writing import Format
from warchest.source.records import record

ValueSort: TypeAlias = Literal["flag", "number", "name", "trail", "names"]
KeySort: TypeAlias = Literal[
    "pieces",
    "owned pieces",
    "places",
    "spaces",
    "zone",
    "counts",
    "count",
    "rows",
    "value",
    "values",
    "links",
    "options",
    "sheets",
    "fixed",
]
ZONE_SORTS: tuple[KeySort, ...] = ("zone", "counts", "count", "rows")
"""The sorts of keys for the things in a zone."""


@record()
class ValuePart:
    """A value within a key or an entry of it, by its path there: its sort, and the names among which it is chosen.

    A trail is a list of such names. `empty` says whether the value can be null, `needed` whether each entry has it.
    """

    path: tuple[str, ...]
    sort: ValueSort
    choices: tuple[str, ...] = ()
    empty: bool = False
    needed: bool = False


@record()
class KeyPart:
    """A key of positions, and the things that can be put there.

    Pieces are entries in a list (`pieces`), or known by their spaces alone: the spaces of each owner (`owned pieces`),
    or those of nobody's pieces (`places`). `spaces` lists spaces for each owner without pieces. Things lie in zones, as
    names in lists (`zone`), as numbers by their names (`counts`), as one number (`count`), or as `rows`. `of` is the
    kind of piece or the zone, `names` are the things there can be, `owners` those who can have them, with `nobody`
    also without an owner, and `on` the spaces where they can be (none: anywhere). `entry` has the keys of entries by
    their roles.
    """

    key: str
    sort: KeySort
    of: str = ""
    names: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()
    nobody: bool = False
    faces: tuple[str, ...] = ()
    on: tuple[str, ...] = ()
    entry: Mapping[str, str] = {}
    values: tuple[ValuePart, ...] = ()
    needed: bool = False


def parts_of(format_: Format) -> Iterator[KeyPart]:
    """Yield the parts of positions of a variant, key by key."""
    for key, shape in format_.shapes.items():
        yield _part(format_, key, shape)


def _part(format_: Format, key: str, shape: Mapping[str, Any]) -> KeyPart:
    """Return the part of a key by its shape."""
    needed = bool(shape.get("needed"))
    if "turn of" in shape or "field" in shape:
        number = format_.fields[shape.get("turn of") or shape["field"]]
        return KeyPart(key, "value", values=(_value(format_, (), number),), needed=needed)
    if "values" in shape:
        number = format_.fields[shape["values"]]
        return KeyPart(key, "values", owners=format_.owners(number), values=(_value(format_, (), number),))
    if "pieces" in shape:
        return _of_pieces(format_, key, shape)
    if "one by owner" in shape or "places" in shape:
        return _by_spaces(format_, key, shape)
    if "spaces by" in shape:
        return KeyPart(key, "spaces", owners=tuple(format_.layout.board.teams), on=_spaces(format_, shape))
    if "upheld" in shape:
        kinds = tuple(sorted({str(kind) for kind in shape["upheld"]}))
        return KeyPart(key, "links", values=(ValuePart(("kind",), "name", kinds),))
    if "options" in shape:
        return KeyPart(key, "options")
    if "documents" in shape:
        return KeyPart(key, "sheets", of=shape["documents"], values=(ValuePart((NAME,), "name"),))
    return _of_zone(format_, key, shape)


def _of_pieces(format_: Format, key: str, shape: Mapping[str, Any]) -> KeyPart:
    """Return the part of a key with an entry for each piece of a kind."""
    kind = format_.layout.ruleset.kinds[format_.kind(shape["pieces"])]
    entry = {role: str(shape[role]) for role in NAMED if role in shape}
    names = tuple(sorted(format_.documents_of((kind.sheet,))))
    values = [_value(format_, path, number) for path, number in fields_in(format_, shape)]
    values += [ValuePart((entry["tokens"],), "number")] if "tokens" in entry else []
    values += [ValuePart((entry["nature"],), "name", names)] if "nature" in entry else []
    values += [ValuePart((entry["form"],), "name", (BASE, *names))] if "form" in entry else []
    if "stack" in entry:
        kinds = format_.layout.ruleset.token_sheets[kind.holds]
        values.append(ValuePart((entry["stack"],), "names", tuple(sorted(format_.documents_of(kinds)))))
    owners = tuple(format_.naming.players) if "owner" in entry else ()
    nobody = not owners or bool(shape.get("or nobody"))
    return KeyPart(
        key, "pieces", kind.name, names, owners, nobody, on=_spaces(format_, shape), entry=entry, values=tuple(values)
    )


def _by_spaces(format_: Format, key: str, shape: Mapping[str, Any]) -> KeyPart:
    """Return the part of a key with the spaces of pieces that are all of one document."""
    noun = shape.get("one by owner") or shape["places"]
    kind = format_.layout.ruleset.kinds[format_.kind(noun)]
    names = tuple(format_.documents_of((kind.sheet,)))[:1]
    if "places" in shape:
        return KeyPart(key, "places", noun, names, nobody=True, on=_spaces(format_, shape))
    return KeyPart(key, "owned pieces", noun, names, tuple(format_.naming.players), on=_spaces(format_, shape))


def _of_zone(format_: Format, key: str, shape: Mapping[str, Any]) -> KeyPart:
    """Return the part of a key with the things in a zone; of any other key one that is always the same."""
    word = next((one for one in ZONE_SORTS if one in shape), None)
    if word is None:
        return KeyPart(key, "fixed")
    number = format_.zones[shape[word]]
    zone = format_.layout.ruleset.zones[number]
    names = tuple(sorted(format_.documents_of(format_.layout.ruleset.kinds_in(number))))
    teams = tuple(format_.layout.board.teams)
    owners = {"player": tuple(format_.naming.players), "team": teams}.get(zone.of, ())
    if word == "rows":
        marks = ValuePart((shape["teams"],), "names", teams)
        return KeyPart(key, "rows", zone.name, names, entry={"document": shape["name"]}, values=(marks,))
    return KeyPart(key, word, zone.name, names[:1] if word == "count" else names, owners, not owners, zone.faces)


def _spaces(format_: Format, shape: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the spaces on which something can be; none where it can be anywhere."""
    tag = shape.get("tag", "")
    return tuple(one.name for one in format_.layout.board.spaces if tag and tag in one.tags)


def _value(format_: Format, path: tuple[str, ...], number: int) -> ValuePart:
    """Return the part of a value of a field."""
    field, board = format_.layout.ruleset.fields[number], format_.layout.board
    base = field.steps or field.base
    if base in ("flag", "number"):
        return ValuePart(path, "flag" if base == "flag" else "number")
    choices = {
        "player": format_.naming.players,
        "team": board.teams,
        "space": format_.naming.spaces,
        "direction": board.directions,
        "document": format_.naming.documents,
    }.get(base, ())
    is_needed = number == format_.layout.ruleset.heading
    return ValuePart(path, "trail" if field.steps else "name", tuple(choices), not field.steps, is_needed)


__all__ = ["KeyPart", "KeySort", "ValuePart", "ValueSort", "parts_of"]
