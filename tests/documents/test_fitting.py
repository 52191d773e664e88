"""The quick test whether values fit a schema says yes where jsonschema finds nothing wrong, and only there."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warchest.documents.schema_findings import _checker
from warchest.documents.schemas import fitting, read_schemas

_TEXTS = st.sampled_from(["", "a", "b", "ab", "Ab", "a b", "é"])
_VALUES = st.recursive(
    st.one_of(_TEXTS, st.integers(-2, 3), st.booleans(), st.none(), st.sampled_from([-1.0, 0.5, 1.0, 2.0])),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(_TEXTS, inner, max_size=3)),
    max_leaves=8,
)
_TYPES = st.sampled_from(["string", "integer", "number", "boolean", "array", "object", "null"])
_SIZE = st.integers(0, 3)


def _keywords(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = st.lists(inner, min_size=1, max_size=3)
    known: dict[str, st.SearchStrategy[Any]] = {
        "type": st.one_of(_TYPES, st.lists(_TYPES, min_size=1, max_size=3, unique=True)),
        "pattern": st.sampled_from(["^a", "b$", "^[a-z]*$", ""]),
        **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), _SIZE),
        **dict.fromkeys(("minProperties", "maxProperties", "minimum", "maximum"), _SIZE),
        **dict.fromkeys(("items", "additionalProperties", "propertyNames", "not", "if", "then", "else"), inner),
        **dict.fromkeys(("allOf", "anyOf", "oneOf"), several),
        "uniqueItems": st.booleans(),
        "required": st.lists(_TEXTS, max_size=2, unique=True),
        "dependentRequired": st.dictionaries(_TEXTS, st.lists(_TEXTS, max_size=2, unique=True), max_size=2),
        "properties": st.dictionaries(_TEXTS, inner, max_size=3),
        "enum": st.lists(st.one_of(_TEXTS, st.booleans()), min_size=1, max_size=3),
        "const": st.one_of(_TEXTS, st.booleans()),
        "description": _TEXTS,
    }
    return st.lists(st.sampled_from(sorted(known)), max_size=4, unique=True).flatmap(
        lambda words: st.fixed_dictionaries({word: known[word] for word in words})
    )


_SCHEMAS = st.recursive(st.one_of(st.booleans(), _keywords(st.booleans())), _keywords, max_leaves=6)


@given(_SCHEMAS, st.lists(_VALUES, max_size=8))
def test_it_agrees_with_jsonschema(schema: Any, values: list[Any]) -> None:
    fits = fitting(schema)
    assert fits is not None
    for value in values:
        assert fits(value) is _checker()(schema).is_valid(value), value


@pytest.mark.parametrize("kind", sorted(read_schemas().raw))
def test_each_schema_of_ours_has_one(kind: str) -> None:
    schema = read_schemas().for_kind(kind)
    assert schema is not None and fitting(schema) is not None


_NESTED = {"$ref": "#/$defs/nested"}


@given(st.recursive(st.sampled_from([True, _NESTED]), _keywords, max_leaves=4), st.lists(_VALUES, max_size=8))
def test_it_agrees_about_recursive_schemas(schema: Any, values: list[Any]) -> None:
    """As in a notation: its values can hold values of the same form, as deep as one likes."""
    nested = {"type": ["array", "object", "string"], "items": _NESTED, "additionalProperties": _NESTED, "maxLength": 1}
    whole = {"$defs": {"nested": nested}, "allOf": [schema, {"items": _NESTED}]}
    fits = fitting(whole)
    assert fits is not None
    for value in values:
        assert fits(value) is _checker()(whole).is_valid(value), value


def test_schemas_with_foreign_references_have_none() -> None:
    assert fitting({"$ref": "elsewhere.json"}) is None and fitting({"$ref": "#/$defs/none"}) is None


@pytest.mark.parametrize(
    "said",
    [
        {"$ref": "#"},
        {"enum": [1]},
        {"const": None},
        {"type": "text"},
        {"items": {"prefixItems": []}},
        {"properties": {"a": {"anyOf": [{"dependentSchemas": {}}]}}},
    ],
)
def test_unknown_keywords_are_left_to_jsonschema(said: dict[str, Any]) -> None:
    assert fitting(said) is None
