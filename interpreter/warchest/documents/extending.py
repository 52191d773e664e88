"""Schemas for the declarations of a game and its packs: further kinds of document, and further keys of positions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from warchest.documents.schemas import RawSchema, Schemas, schemas_of

_POSITION, _CLAUSES, _NAME = "position", "clauses", "name"
_FIRST, _SOURCES, _LAST = ("plural", "set"), ("source", "ruling"), ("rulings",)
"""The keys of documents of every kind: those that precede the keys of their own kind, those before their texts, and
those after the texts."""
_MOST = 99
_ANY: RawSchema = {}
_NUMBER: RawSchema = {"type": "integer", "minimum": 0, "maximum": _MOST, "description": f"A number from 0 to {_MOST}."}


def extended(schemas: Schemas, declared: Mapping[str, Any]) -> Schemas:
    """Return the schemas, with schemas for everything that a game's document declares; unchanged if these exist."""
    shapes = {key: shape for key, shape in (declared.get(_POSITION) or {}).items() if isinstance(shape, dict)}
    raw = {kind: _with_keys(schema, shapes) for kind, schema in schemas.raw.items()}
    kinds = declared.get("documents") or {}
    raw.update({kind: _with_numbers(raw[kind], shape) for kind, shape in kinds.items() if kind in raw})
    like = next((raw[kind] for kind in kinds if "rulings" in raw.get(kind, {}).get("properties", {})), raw["action"])
    raw.update({kind: _of_kind(kind, shape, like) for kind, shape in kinds.items() if kind not in raw})
    if all(schemas.raw.get(kind) is schema for kind, schema in raw.items()):
        return schemas
    return schemas_of(raw, schemas)


def _with_numbers(schema: RawSchema, shape: Mapping[str, Any]) -> RawSchema:
    """Return the schema of a kind with further declared numbers; they may be left out."""
    further = {key: _NUMBER for key in shape.get("numbers") or () if key not in schema.get("properties", {})}
    return {**schema, "properties": {**schema["properties"], **further}} if further else schema


def _with_keys(schema: RawSchema, shapes: Mapping[str, RawSchema]) -> RawSchema:
    """Return a schema whose positions have the keys of some shapes, and whose pieces have theirs."""
    definitions = schema.get("$defs", {})
    if _POSITION not in definitions:
        return schema
    known = definitions[_POSITION]["properties"]
    changed = {_POSITION: _with_properties(definitions[_POSITION], shapes)}
    for key, shape in shapes.items():
        name = str(known.get(key, {}).get("items", {}).get("$ref", "")).removeprefix("#/$defs/")
        if name in definitions:
            changed[name] = _with_properties(changed.get(name, definitions[name]), shape.get("marks", {}))
    if all(definitions[name] is definition for name, definition in changed.items()):
        return schema
    return {**schema, "$defs": {**definitions, **changed}}


def _with_properties(definition: RawSchema, keys: Mapping[str, Any]) -> RawSchema:
    further = {key: _ANY for key in keys if key not in definition["properties"]}
    return {**definition, "properties": {**definition["properties"], **further}} if further else definition


def _of_kind(kind: str, shape: Mapping[str, Any], like: RawSchema) -> RawSchema:
    """Return the schema of a kind of document that has none; `like` is one of the same game."""
    definitions = like["$defs"]
    name = {"$ref": f"#/$defs/{_NAME}"}
    properties: RawSchema = {kind: {**name, "title": kind, "description": "The printed name; this key comes first."}}
    common = like["properties"]
    properties.update({key: common[key] for key in _FIRST if key in common})
    for key in shape.get("numbers") or ():
        properties[key] = _NUMBER
    for key in shape.get("names", {}):
        properties[key] = name
    for key in (*shape.get("spaces", ()), *shape.get("bears", {})):
        properties[key] = {
            "type": "array",
            "items": {"type": "string", "minLength": 1},
            "uniqueItems": True,
            "description": "A list of names.",
        }
    properties.update({key: common[key] for key in _SOURCES if key in common})
    properties.update({key: {"$ref": f"#/$defs/{_CLAUSES}"} for key in shape.get("blocks", {})})
    properties.update({key: common[key] for key in _LAST if key in common})
    clauses = definitions.get(_CLAUSES) or {"type": "string", "minLength": 1}
    return {
        **like,
        "title": kind,
        "required": [kind, *(shape.get("numbers") or ())],
        "properties": properties,
        "$defs": {**definitions, _CLAUSES: clauses},
    }
