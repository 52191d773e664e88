"""Packs: documents that make the declarations of a game for a folder of cards.

These are put into the document of the game, into its values and its nodes alike, so that the readers of that document
need not know packs, and a finding points into the pack. Positions list the declared things under keys of their names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from warchest.documents.library import Document
from warchest.source.nodes import Entry, Mapping, Node, Scalar
from warchest.source.nodes import Sequence as Items

Values: TypeAlias = dict[str, Any]
PACK = "words"
"""The kind of the documents that are packs."""
PACKS = "packs"
"""The key under which a game's document has the names of the packs put into it, and a position those that it needs."""
BROUGHT = "brought"
"""The key under which a game's document has the keys of positions that were added to its own."""
_PARTS = ("documents", "things", "fields", "zones", "position")
"""The keys with declarations, the same in packs and in games."""
_SPACES = "spaces"
"""The key under which a pack gives some spaces a noun, which is also their tag on the boards."""
_NUMBERS = "numbers"
"""The key under which a kind of document has its numbers; packs add further ones to the kinds of the game."""
_PLACES = ("space", "player", "team")
"""The built-in nouns for things that have fields and are not pieces."""
_SEATED = ("player", "team")
"""Those of them that sit at the table."""
_LISTING = ("zone", "rows", "in", "count", "counts")
_STANDING = ("pieces", "places", "one by owner")
_PLAIN = ("number", "player", "team", "space", "direction", "document")
"""The types of fields that positions can contain."""


def with_packs(game: Document, packs: Sequence[Document]) -> Document:
    """Return the document of a game with the declarations of packs; of two packs with one name the first counts."""
    declaring = [pack for pack in packs if declares(pack)]
    if not declaring:
        return game
    values = _merged(game.values, [pack.values for pack in declaring])
    values[PACKS] = [pack.name for pack in declaring]
    tell(values, declared_by(declaring))
    node = replace(game.node, entries=tuple(_entries(game.node, [pack.node for pack in declaring])))
    return replace(game, node=node, values=values)


def telling(game: Document) -> Document:
    """Return the document of a game whose positions list all fields and zones of its players and teams, as with packs.

    A key `{field: F, of: player}` is for the values of all players.
    """
    things, told = game.values.get("things", {}), game.values.get("position", {})
    theirs = {of: fields for of, fields in game.values.get("fields", {}).items() if _base(things, of) in _SEATED}
    of_each = [
        key
        for key, shape in told.items()
        if isinstance(shape, dict) and "field" in shape and _base(things, str(shape.get("of", ""))) in _PLACES
    ]
    for key in of_each:
        shape = dict(told[key])
        told = {**told, key: {"values": shape.pop("field"), **shape}}
    told = _told({**game.values, "things": things, "position": told}, {"fields": theirs})
    return game if told == game.values.get("position", {}) else replace(game, values={**game.values, "position": told})


def declared_by(packs: Sequence[Document]) -> Values:
    """Return the declarations of packs without a game."""
    return _merged({part: {} for part in _PARTS}, [pack.values for pack in packs])


def how_many(values: Values) -> int:
    """Return the number of things, fields, zones, kinds of document and keys of positions that are declared."""
    plain = sum(len(values.get(part) or {}) for part in _PARTS if part != "fields")
    return plain + sum(len(fields) for fields in (values.get("fields") or {}).values())


def declares(pack: Document) -> bool:
    """Whether a pack declares more than words."""
    return any(pack.values.get(part) for part in (*_PARTS, _SPACES))


def with_spaces(board: Document, packs: Sequence[Document]) -> Document:
    """Return a board with more tags: nouns that packs give to spaces become tags, where the board has such spaces."""
    named: dict[str, list[str]] = {}
    for pack in packs:
        for noun, spaces in pack.values.get(_SPACES, {}).items():
            named.setdefault(noun, []).extend(one for one in spaces if has_space(board, one))
    if not named:
        return board
    return replace(board, values={**board.values, "tags": {**named, **board.values.get("tags", {})}})


def has_space(board: Document, name: str) -> bool:
    """Whether a board has a space with a name: a letter for the column, and the number of the space in it."""
    low, _, high = str(board.values["rows"].get(name[0], "1-0")).partition("-")
    return int(low) <= int(name[1:]) <= int(high or low)


# ---- what is declared


def _merged(values: Values, packs: Sequence[Values]) -> Values:
    """Return values of a game's document with those that packs add to its parts."""
    merged: Values = {**values, **{part: dict(values.get(part) or {}) for part in _PARTS}}
    for pack in packs:
        for part in _PARTS:
            for name, shape in (pack.get(part) or {}).items():
                known = merged[part].get(name)
                if part == "fields":
                    merged[part][name] = {**shape, **(known or {})}
                elif part == "documents" and known is not None and set(shape) == {_NUMBERS} and shape[_NUMBERS]:
                    further = [one for one in shape[_NUMBERS] if one not in known.get(_NUMBERS, ())]
                    merged[part][name] = {**known, _NUMBERS: [*known.get(_NUMBERS, ()), *further]}
                else:
                    merged[part].setdefault(name, shape)
        for noun in pack.get(_SPACES, {}):
            merged["things"].setdefault(noun, {"is a": "space", "tag": noun})
    return merged


def _entries(game: Mapping, packs: Sequence[Mapping]) -> Iterator[Entry]:
    """Yield the entries of a game's document, with those that packs add to its parts."""
    left = {part: [entry for pack in packs for entry in _added(pack, part)] for part in _PARTS}
    for entry in game.entries:
        added = left.pop(entry.key.text, [])
        if added and isinstance(entry.value, Mapping):
            whole = (*entry.value.entries, *added)
            whole = _widened(whole) if entry.key.text == "documents" else whole
            yield replace(entry, value=replace(entry.value, entries=whole))
        else:
            yield entry
    for part, added in left.items():
        if added:
            key = Scalar(part, "plain", added[0].key.span)
            yield Entry(key, Mapping(tuple(added), added[0].key.span))


def _widened(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Return the entries of kinds of document, with the numbers that are added to a kind."""
    kinds: dict[str, Entry] = {}
    again: list[Entry] = []
    for entry in entries:
        known = kinds.setdefault(entry.key.text, entry)
        if known is entry:
            continue
        if not _only_numbers(entry.value) or not isinstance(known.value, Mapping):
            again.append(entry)
            continue
        first, second = known.value.get(_NUMBERS), entry.value.get(_NUMBERS)  # type: ignore[union-attr]
        if isinstance(first, Items) and isinstance(second, Items):
            numbers = replace(first, items=(*first.items, *second.items))
            shape = tuple(replace(one, value=numbers) if one.value is first else one for one in known.value.entries)
            kinds[entry.key.text] = replace(known, value=replace(known.value, entries=shape))
    return (*kinds.values(), *again)


def _only_numbers(node: Node) -> bool:
    """Whether a pack gives a kind of document numbers, and nothing else."""
    if not isinstance(node, Mapping) or [entry.key.text for entry in node.entries] != [_NUMBERS]:
        return False
    numbers = node.entries[0].value
    return isinstance(numbers, Items) and bool(numbers.items)


def _added(pack: Mapping, part: str) -> Iterator[Entry]:
    node = pack.get(part)
    yield from node.entries if isinstance(node, Mapping) else ()
    spaces = pack.get(_SPACES) if part == "things" else None
    for entry in spaces.entries if isinstance(spaces, Mapping) else ():
        wider: Node = Mapping((Entry(_like(entry, "is a"), _like(entry, "space")),), entry.key.span)
        yield Entry(entry.key, wider)


def _like(entry: Entry, text: str) -> Scalar:
    return Scalar(text, "plain", entry.key.span)


# ---- the keys of positions


def tell(values: Values, added: Values) -> None:
    """Let positions list everything in `added`, which the values of a game's document contain already."""
    told = _told(values, added)
    new = [key for key in told if key not in values["position"] or key in (added.get("position") or {})]
    values[BROUGHT] = [*values.get(BROUGHT, ()), *new]
    values["position"] = told


def _told(values: Values, added: Values) -> Values:
    """Return the shapes of positions: those declared, and one for each zone, field and piece without a shape."""
    told = {key: dict(shape) if isinstance(shape, dict) else shape for key, shape in values["position"].items()}
    listed = {name for shape in told.values() for name in _texts(shape)}
    for name in added.get("zones") or ():
        if name not in listed:
            told.setdefault(key_of(name), {"zone": name, "rare": True})
    for noun, thing in (added.get("things") or {}).items():
        if "piece" in thing and noun not in listed:
            told.setdefault(key_of(thing.get("plural", f"{noun}s")), _standing(noun, thing))
    for owner, fields in (added.get("fields") or {}).items():
        base = _base(values["things"], owner)
        if not base and owner != "game" and owner not in values["things"]:
            continue  # values of an act: between acts they have their defaults
        for name, kind in fields.items():
            if name in listed or not (_is_plain(kind) or (_is_trail(kind) and base in _PLACES)):
                continue
            if base == "piece":
                _mark(told, _kinds(values["things"], owner), name)
            elif base in _PLACES:
                told.setdefault(key_of(name), {"values": name, "of": base, "rare": True})
            else:
                told.setdefault(key_of(name), {"field": name, "of": owner, "rare": True})
    return told


def key_of(name: str) -> str:
    """Return the key that positions have for a declared name."""
    return name.replace(" ", "_").replace("-", "_")


def _standing(noun: str, thing: Values) -> Values:
    """Return the shape for pieces of a kind."""
    shape = {"pieces": noun, "place": "at", "document": thing["piece"], "rare": True}
    if thing.get("of") != "game":
        shape["owner"] = "owner"
    if "holds" in thing:
        shape["tokens"] = f"{thing['holds']}s"
    return shape


def _mark(told: Values, nouns: set[str], field: str) -> None:
    """Add a field to the entries of pieces."""
    for shape in told.values():
        if isinstance(shape, dict) and shape.get("pieces") in nouns:
            shape["marks"] = {**shape.get("marks", {}), key_of(field): field}


def _is_plain(kind: object) -> bool:
    return kind in _PLAIN if isinstance(kind, str) else not _is_trail(kind)


def _is_trail(kind: Any) -> bool:
    return not isinstance(kind, str) and "trail of" in kind


def _base(things: Values, noun: str) -> str:
    """Return `piece`, or the built-in noun for the things of a noun; empty for a unique thing."""
    thing = things.get(noun)
    if thing is None:
        return noun if noun in _PLACES else ""
    return "piece" if "piece" in thing or "is any" in thing else _base_above(things, noun, thing)


def _base_above(things: Values, noun: str, thing: Values) -> str:
    wider = thing.get("is a", "")
    above = list(things)
    # Only nouns declared above count, so that none can be a kind of itself.
    known = wider in _PLACES or (wider in things and above.index(wider) < above.index(noun))
    return _base(things, wider) if known else ""


def _kinds(things: Values, noun: str) -> set[str]:
    """Return the nouns for the kinds of piece that a noun means, and for those that can become one of these."""
    thing = things.get(noun, {})
    kinds = set(thing["is any"]) if "is any" in thing else {noun if "piece" in thing else str(thing.get("is a", ""))}
    pairs = [(one, shape["remains of"]) for one, shape in things.items() if "remains of" in shape]
    for _ in pairs:
        kinds |= {one for pair in pairs if not kinds.isdisjoint(pair) for one in pair}
    return kinds


def _texts(shape: object) -> Iterator[str]:
    """Yield the names of zones, pieces and fields in a shape."""
    if not isinstance(shape, dict):
        return
    for key, value in shape.items():
        if key in (*_LISTING, *_STANDING, "field", "turn of", "spaces by", "values") and isinstance(value, str):
            yield value
        elif key in ("fields", "marks") and isinstance(value, dict):
            for inner in value.values():
                yield from (inner.values() if isinstance(inner, dict) else [inner])
