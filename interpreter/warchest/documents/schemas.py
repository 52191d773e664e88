"""The JSON Schemas of the kinds of document: one file a kind, `<kind>.schema.json`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import field
from functools import lru_cache
from math import inf
from pathlib import Path
from typing import Any, TypeAlias

from warchest.diagnostics.suggest import did_you_mean
from warchest.documents import formats
from warchest.source.data import data_folder
from warchest.source.plain_values import RawSchema as RawSchema
from warchest.source.records import record

_ENDING = ".schema.json"
_CLAUSES = "clauses"
"""The definition in a schema that texts of rules refer to."""

SchemaTest: TypeAlias = Callable[[Any], bool]
"""A test whether plain values fit a schema."""


@record()
class Schemas:
    """The schemas in one folder, by kind."""

    raw: dict[str, RawSchema]
    """The schemas with their references as written."""
    texts: frozenset[str]
    """The keys below which documents of any kind have sentences."""
    known: Schemas | None = field(default=None, repr=False, compare=False)
    """Schemas that some of these are equal to."""
    _written_out: dict[str, RawSchema] = field(default_factory=dict, repr=False, compare=False)

    def for_kind(self, kind: str) -> RawSchema | None:
        """Return the schema of a kind of document with its references written out; None if there is no such kind."""
        schema = self.raw.get(kind)
        if schema is None:
            return None
        if self.known is not None and self.known.raw.get(kind) is schema:
            return self.known.for_kind(kind)
        if kind not in self._written_out:
            self._written_out[kind] = written_out(schema)
        return self._written_out[kind]

    def suggestion(self, kind: str) -> str:
        """Return help for an unknown kind."""
        return did_you_mean(kind, self.raw) or f"the kinds are {', '.join(sorted(self.raw))}"


@lru_cache(maxsize=4)
def read_schemas(folder: Path | None = None) -> Schemas:
    """Read all schemas in `folder`, by default those that travel with the package."""
    files = sorted((folder or data_folder("schemas")).glob(f"*{_ENDING}"))
    return schemas_of({file.name.removesuffix(_ENDING): json.loads(file.read_text(encoding="utf-8")) for file in files})


def schemas_of(raw: dict[str, RawSchema], known: Schemas | None = None) -> Schemas:
    """Return schemas by kind; `known` has some of them already."""
    texts = {
        key
        for schema in raw.values()
        for key, one in schema.get("properties", {}).items()
        if one.get("$ref") == f"#/$defs/{_CLAUSES}"
    }
    return Schemas(raw, frozenset(texts), known)


def clauses_of(schema: RawSchema) -> RawSchema | None:
    """Return the schema of a text of rules in documents of a kind, or None if they have none."""
    clauses: RawSchema | None = schema.get("$defs", {}).get(_CLAUSES)
    return clauses


def written_out(schema: RawSchema) -> RawSchema:
    """Return the schema with its references to `$defs` replaced by their meanings.

    Following them again at every value takes most of the time of a check. A reference stays if it leads back to itself,
    or is beside a keyword that it repeats.
    """
    done: dict[str, RawSchema] = {}
    within: set[str] = set()

    def definition(name: str) -> RawSchema | None:
        if name in within or name not in schema.get("$defs", {}):
            return None
        if name not in done:
            within.add(name)
            done[name] = copy(schema["$defs"][name])
            within.discard(name)
        return done[name]

    def copy(part: object) -> Any:
        if isinstance(part, list):
            return [copy(item) for item in part]
        if not isinstance(part, dict):
            return part
        written = {key: copy(value) for key, value in part.items() if key != "$defs"}
        meant = definition(str(part.get("$ref", "")).removeprefix("#/$defs/"))
        if meant is None or (written.keys() & meant.keys()) - {"title", "description"}:
            return written
        del written["$ref"]
        return {**written, **meant}

    whole: RawSchema = copy(schema)
    if "$defs" in schema:
        whole["$defs"] = schema["$defs"]
    return whole


# ---- testing whether values fit

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}
DECLARED = "x-declared"
"""The key in the schema of a kind that only games have that declare it, under `documents`."""
_SAYS_NOTHING = {"$schema", "$defs", "title", "description", "type", DECLARED}
_OF_A_TYPE = {
    str: {"pattern", "minLength", "maxLength", "format"},
    int: {"minimum", "maximum"},
    float: {"minimum", "maximum"},
    list: {"items", "minItems", "maxItems", "uniqueItems"},
    dict: {
        "properties",
        "additionalProperties",
        "propertyNames",
        "required",
        "dependentRequired",
        "minProperties",
        "maxProperties",
    },
}
_OF_ANY_TYPE = {"enum", "const", "allOf", "anyOf", "oneOf", "not", "if", "then", "else"}
_KNOWN = _SAYS_NOTHING.union(_OF_ANY_TYPE, *_OF_A_TYPE.values())
MAX_TESTS = 100
_TESTS: dict[int, tuple[object, SchemaTest | None]] = {}
"""The tests by their schemas, which are kept so that no other can take their identity."""


class _Beyond(Exception):
    """A schema has a keyword without a test here; never leaves this module."""


def fitting(schema: RawSchema | bool) -> SchemaTest | None:
    """Return a quick test of whether values fit a schema; None if the schema has a keyword without a test here.

    A test agrees with jsonschema about all values that `plain` returns, but cannot name the fault. Most documents fit,
    and jsonschema takes ten times as long to find that.
    """
    if id(schema) not in _TESTS:
        if len(_TESTS) == MAX_TESTS:
            _TESTS.clear()
        try:
            _TESTS[id(schema)] = (schema, _Tests(schema).test(schema))
        except _Beyond:
            _TESTS[id(schema)] = (schema, None)
    return _TESTS[id(schema)][1]


class _Tests:
    """Makes the tests for the parts of a schema."""

    def __init__(self, whole: RawSchema | bool) -> None:
        self.definitions = whole.get("$defs", {}) if isinstance(whole, dict) else {}
        self.defined: dict[str, list[SchemaTest]] = {}
        """The tests of definitions by their names; one that is being made has none yet."""

    def test(self, schema: RawSchema | bool) -> SchemaTest:
        """Return the test for a schema; raises _Beyond where there is none."""
        if isinstance(schema, bool):
            return lambda value: schema
        if "$ref" in schema and not schema.keys() - {"$ref"} - _SAYS_NOTHING:
            return self._defined(schema["$ref"])
        named = schema.get("type", list(_TYPES))
        names = [named] if isinstance(named, str) else named
        if not (schema.keys() <= _KNOWN and _TYPES.keys() >= set(names)):
            raise _Beyond
        by_type = {one: self._of(one, schema) for name in names for one in _TYPES[name]}
        if int in by_type and float not in by_type:
            whole = by_type[int]
            by_type[float] = lambda value: value.is_integer() and whole(value)
        others = self._combined(schema)

        def fits(value: object) -> bool:
            test = by_type.get(type(value))
            return test is not None and test(value) and (not others or all(other(value) for other in others))

        return fits

    def _defined(self, reference: str) -> SchemaTest:
        """Return the test of a definition, which may refer to itself."""
        name = reference.removeprefix("#/$defs/")
        if name not in self.definitions:
            raise _Beyond
        if name not in self.defined:
            self.defined[name] = []
            self.defined[name].append(self.test(self.definitions[name]))
        made = self.defined[name]
        return lambda value: made[0](value)

    def _of(self, one: type, schema: RawSchema) -> SchemaTest:
        """Return the test for values of one type."""
        if schema.keys().isdisjoint(_OF_A_TYPE.get(one, ())):
            return lambda value: True
        if one is str:
            return _text_test(schema)
        if one is dict:
            return self._mapping_test(schema)
        if one is list:
            return self._list_test(schema)
        least, most = schema.get("minimum", -inf), schema.get("maximum", inf)
        return lambda value: bool(least <= value <= most)

    def _mapping_test(self, schema: RawSchema) -> SchemaTest:
        least, most = schema.get("minProperties", 0), schema.get("maxProperties", inf)
        needed, beside = frozenset(schema.get("required", ())), schema.get("dependentRequired", {})
        named = self.test(schema.get("propertyNames", True))
        any_name = "propertyNames" not in schema
        known = {name: self.test(below) for name, below in schema.get("properties", {}).items()}
        other = self.test(schema.get("additionalProperties", True))

        def fits(values: dict[str, object]) -> bool:
            return (
                least <= len(values) <= most
                and values.keys() >= needed
                and all(values.keys() >= set(names) for key, names in beside.items() if key in values)
                and (any_name or all(map(named, values)))
                and all(known.get(name, other)(value) for name, value in values.items())
            )

        return fits

    def _list_test(self, schema: RawSchema) -> SchemaTest:
        least, most = schema.get("minItems", 0), schema.get("maxItems", inf)
        each = self.test(schema.get("items", True))
        unique = schema.get("uniqueItems", False)

        def fits(items: list[object]) -> bool:
            if not (least <= len(items) <= most and all(map(each, items))):
                return False
            return not unique or len({json.dumps(item, sort_keys=True) for item in items}) == len(items)

        return fits

    def _combined(self, schema: RawSchema) -> list[SchemaTest]:
        """Return the tests of the keywords for values of every type."""
        tests: list[SchemaTest] = []
        for word in ("enum", "const"):
            values = [schema[word]] if word == "const" and word in schema else schema.get(word)
            if values is not None:
                tests.append(_one_of(values))
        if "not" in schema:
            tests.append(_unlike(self.test(schema["not"])))
        if "if" in schema:
            tests.append(_branching(*(self.test(schema.get(word, True)) for word in ("if", "then", "else"))))
        for word, enough in (("allOf", all), ("anyOf", any), ("oneOf", _exactly_one)):
            if word in schema:
                tests.append(_of_several([self.test(branch) for branch in schema[word]], enough))
        return tests


def _text_test(schema: RawSchema) -> SchemaTest:
    least, most = schema.get("minLength", 0), schema.get("maxLength", inf)
    found, form = formats.expression(schema.get("pattern", "")).search, schema.get("format")
    if form is not None and form not in formats.FORMATS:
        raise _Beyond

    # The same few names occur in a place again and again.
    @lru_cache(maxsize=1000)
    def fits(text: str) -> bool:
        known = form is None or formats.fits(text, form)
        return known and least <= len(text) <= most and found(text) is not None

    return fits


def _one_of(values: list[object]) -> SchemaTest:
    # Equality of other values has traps (1 and 1.0, or a list with one of them).
    if not all(isinstance(value, str | bool) for value in values):
        raise _Beyond
    pairs = {(type(value), value) for value in values}
    return lambda value: isinstance(value, str | bool) and (type(value), value) in pairs


def _branching(condition: SchemaTest, then: SchemaTest, otherwise: SchemaTest) -> SchemaTest:
    return lambda value: then(value) if condition(value) else otherwise(value)


def _unlike(other: SchemaTest) -> SchemaTest:
    return lambda value: not other(value)


def _of_several(branches: list[SchemaTest], enough: Callable[[Iterable[bool]], bool]) -> SchemaTest:
    return lambda value: enough(branch(value) for branch in branches)


def _exactly_one(answers: Iterable[bool]) -> bool:
    return sum(answers) == 1
