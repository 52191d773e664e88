"""One JSON Schema for the documents of all kinds, for programs that do not know kinds."""

from __future__ import annotations

from typing import Any

from warchest.diagnostics.addresses import escaped
from warchest.documents.schemas import RawSchema, Schemas

_HERE = "#/$defs/"


def joint(schemas: Schemas, game: str) -> RawSchema:
    """Return one schema, of the same version, that accepts a document if the schema of its kind does.

    A schema cannot test which key of a document comes first. A key can name one kind and be an ordinary key of another
    (`rulings`), so it only determines the kind if the key of the other kind is missing.
    """
    kinds = schemas.raw
    return {
        "$schema": next(iter(kinds.values()))["$schema"],
        "$id": f"urn:warchest:schema:{escaped(game).replace('/', ':')}",
        "title": f"A document of {game}",
        "description": f"The first key of a document is its kind: {', '.join(sorted(kinds))}.",
        "type": "object",
        "anyOf": [{"required": [kind]} for kind in kinds],
        "properties": {kind: True for kind in kinds},
        "allOf": [_branch(kind, kinds) for kind in kinds],
        "$defs": {kind: _moved(schema, kind) for kind, schema in kinds.items()},
    }


def _branch(kind: str, kinds: dict[str, RawSchema]) -> RawSchema:
    """Return the schema that checks documents of a kind, and accepts all other documents."""
    named = [other for other in kinds if other != kind and kind in kinds[other]["properties"]]
    either = [other for other in named if other in kinds[kind]["properties"]]
    others = [{"required": [other]} for other in named if other not in either]
    condition = {"required": [kind], **({"not": {"anyOf": others}} if others else {})}
    fitting = [{"$ref": f"{_HERE}{one}"} for one in (kind, *either)]
    return {"if": condition, "then": {"anyOf": fitting} if either else fitting[0]}


def _moved(part: object, kind: str) -> Any:
    """Return a schema, or a part of one, with its references changed for its place below the name of its kind."""
    if isinstance(part, list):
        return [_moved(item, kind) for item in part]
    if not isinstance(part, dict):
        return part
    moved = {key: _moved(value, kind) for key, value in part.items() if key != "$schema"}
    if isinstance(part.get("$ref"), str):
        moved["$ref"] = part["$ref"].replace("#/", f"{_HERE}{kind}/", 1)
    return moved
