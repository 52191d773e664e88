"""Ordinary values from marked YAML, typed by the JSON Schema and never by the look of a value.

YAML 1.1 would read `no` as false, `012` as ten and `1:30` as ninety; here each is the text the author wrote unless the
schema wants a number or a truth value at that place and the text spells one in the accepted way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from warchest.source.nodes import Mapping, Node, Scalar
from warchest.source.records import record

RawSchema: TypeAlias = dict[str, Any]
"""A JSON Schema, or a part of one, as plain data."""
Schema: TypeAlias = RawSchema | bool
Registry: TypeAlias = Any

# No leading zeros, no `_`, no `+`; and short enough for any reader of the resulting JSON.
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]{0,17})\.[0-9]{1,17}")
_TRUTH = {"true": True, "false": False}
_NOTHING = ("null", "~")


@record()
class _References:
    """A resolver of `$ref`; it imports a library only for names that the schema itself does not define."""

    schema: RawSchema
    registry: Registry

    def lookup(self, name: str) -> Any:
        definition = name.removeprefix("#/$defs/")
        if definition != name and definition in self.schema.get("$defs", {}):
            return _Found(self.schema["$defs"][definition], self)
        import referencing
        from referencing.jsonschema import DRAFT202012

        registry = self.registry if self.registry is not None else referencing.Registry()
        base = self.schema.get("$id", "")
        resource = DRAFT202012.create_resource(self.schema)
        return registry.with_resource(base, resource).resolver(base).lookup(name)


class _Found(NamedTuple):
    """The schema of a name, and the references that resolve the names in it."""

    contents: object
    resolver: _References


@dataclass(frozen=True)
class SchemaPlace:
    """All schemas for one place of a document, with references followed and branches merged."""

    schemas: tuple[tuple[RawSchema, Any], ...] = ()
    known: dict[str | int, SchemaPlace] = field(default_factory=dict, compare=False, repr=False)
    """The places below that have been asked for."""

    @staticmethod
    def root(schema: Schema | None, registry: Registry = None) -> SchemaPlace:
        """Return the place of a whole document; `registry` holds the schemas that `$ref` may name."""
        if not isinstance(schema, dict):
            return SchemaPlace()
        if registry is None:
            if id(schema) not in _ROOTS:
                if len(_ROOTS) == MAX_ROOTS:
                    _ROOTS.clear()
                _ROOTS[id(schema)] = (schema, SchemaPlace._root(schema, None))
            return _ROOTS[id(schema)][1]
        return SchemaPlace._root(schema, registry)

    @staticmethod
    def _root(schema: RawSchema, registry: Registry) -> SchemaPlace:
        return SchemaPlace(tuple(_spread([(schema, _References(schema, registry))])))

    def key(self, name: str) -> SchemaPlace:
        """Return the place of the value of key `name`; found once, because documents of a kind are much alike."""
        if name not in self.known:
            self.known[name] = SchemaPlace(tuple(_spread(self._for_key(name))))
        return self.known[name]

    def item(self, index: int) -> SchemaPlace:
        """Return the place of item `index` of a list."""
        if index not in self.known:
            self.known[index] = SchemaPlace(tuple(_spread(self._for_item(index))))
        return self.known[index]

    def keys(self) -> set[str]:
        """Return all keys that the schemas name at this place."""
        return {name for schema, _ in self.schemas for name in schema.get("properties", {})}

    @cached_property
    def wanted(self) -> frozenset[str]:
        """The names of the JSON types that a single value can have here, apart from text."""
        named = {name for schema, _ in self.schemas for name in _types_of(schema)}
        # A place only for lists and mappings does not determine the reading of a single value.
        return frozenset(named - {"array", "object"} or {"integer", "boolean", "null"}) - {"string"}

    @cached_property
    def items(self) -> list[SchemaPlace]:
        """The places of the items of a list; the last one is the place of all further items, too."""
        # After the items that have schemas of their own places repeat; looking them up again makes long lists slow.
        own = max((len(schema.get("prefixItems", ())) for schema, _ in self.schemas), default=0)
        return [self.item(index) for index in range(own + 1)]

    def _for_key(self, name: str) -> Iterator[tuple[object, Any]]:
        for schema, resolver in self.schemas:
            properties = schema.get("properties", {})
            patterns = [sub for text, sub in schema.get("patternProperties", {}).items() if re.search(text, name)]
            for sub in patterns:
                yield sub, resolver
            if name in properties:
                yield properties[name], resolver
            elif not patterns:
                yield schema.get("additionalProperties", schema.get("unevaluatedProperties")), resolver

    def _for_item(self, index: int) -> Iterator[tuple[object, Any]]:
        for schema, resolver in self.schemas:
            first = schema.get("prefixItems", [])
            yield (first[index] if index < len(first) else schema.get("items")), resolver


MAX_ROOTS = 100
_ROOTS: dict[int, tuple[RawSchema, SchemaPlace]] = {}
"""The places of whole documents by their schemas, which are kept so that no other can take their identity."""


def plain(node: Node, schema: Schema | None = None, registry: Registry = None) -> object:
    """Turn a node into dict, list, str, int, float, bool or None.

    Where the schema names types, they decide: an unquoted value becomes a number, truth value or null only if one is
    wanted and it is spelled in the accepted way; otherwise it stays text. Where it names none, decimal integers,
    true/false and null/~ are taken. A value left out is None, quoted text is always text, and of a key given twice the
    first counts. A `$ref` that leads nowhere raises referencing.exceptions.Unresolvable.
    """
    return _plain(node, SchemaPlace.root(schema, registry))


def _plain(node: Node, place: SchemaPlace) -> object:
    if isinstance(node, Scalar):
        text = node.text
        if node.style != "plain":
            return text
        return _value(text, place.wanted) if text else None
    if isinstance(node, Mapping):
        values: dict[str, object] = {}
        for entry in node.entries:
            name = entry.key.text
            if name not in values:
                values[name] = _plain(entry.value, place.key(name))
        return values
    places = place.items
    own = len(places) - 1
    return [_plain(item, places[min(index, own)]) for index, item in enumerate(node.items)]


def _value(text: str, wanted: frozenset[str]) -> object:
    if not wanted:
        return text
    if not wanted.isdisjoint(("integer", "number")) and _INTEGER.fullmatch(text):
        return int(text)
    if "number" in wanted and _DECIMAL.fullmatch(text):
        return float(text)
    if "boolean" in wanted and text in _TRUTH:
        return _TRUTH[text]
    if "null" in wanted and text in _NOTHING:
        return None
    return text


def _spread(start: Iterable[tuple[object, Any]]) -> Iterator[tuple[RawSchema, Any]]:
    """Yield each schema of `start` and all that it refers to or combines, each once."""
    waiting = list(start)
    seen: set[int] = set()
    while waiting:
        schema, resolver = waiting.pop()
        if not isinstance(schema, dict) or id(schema) in seen:
            continue
        seen.add(id(schema))
        yield schema, resolver
        if "$ref" in schema:
            found = resolver.lookup(schema["$ref"])
            waiting.append((found.contents, found.resolver))
        for word in ("allOf", "anyOf", "oneOf"):
            waiting += [(sub, resolver) for sub in schema.get(word, ())]
        waiting += [(schema[word], resolver) for word in ("then", "else") if word in schema]


def _types_of(schema: RawSchema) -> Iterator[str]:
    named = schema.get("type", ())
    yield from (named,) if isinstance(named, str) else named
    values = list(schema.get("enum", ())) + ([schema["const"]] if "const" in schema else [])
    for value in values:
        match value:
            case bool():
                yield "boolean"
            case int():
                yield "integer"
            case float():
                yield "number"
            case str():
                yield "string"
            case None:
                yield "null"
