"""Values typed by the schema, never by YAML."""

from __future__ import annotations

from typing import Any

import pytest
import referencing
from referencing.jsonschema import DRAFT202012
from source_support import clean

from warchest.source.yaml import plain

_WORDS = ["no", "yes", "012", "1:30", "1_000", "0x1f", "+1", "1.5", "1e3", "2020-01-01", ".inf", "-0", "9" * 5000]


@pytest.mark.parametrize("word", _WORDS)
@pytest.mark.parametrize("schema", [None, {"type": "string"}, {"type": "integer"}, {"type": "boolean"}, {}, True])
def test_yaml_guesses_stay_text(word: str, schema: Any) -> None:
    assert plain(clean(word + "\n"), schema) == word


CASES: list[tuple[str, Any, object]] = [
    ("5", None, 5),
    ("-5", None, -5),
    ("true", None, True),
    ("null", None, None),
    ("~", None, None),
    ("'5'", None, "5"),
    ("5", {"type": "string"}, "5"),
    ("true", {"type": "string"}, "true"),
    ("null", {"type": "string"}, "null"),
    ("null", {"type": ["string", "null"]}, None),
    ("5", {"type": ["string", "integer"]}, 5),
    ('"5"', {"type": "integer"}, "5"),
    ("5", {"type": "boolean"}, "5"),
    ("5", {"type": "array"}, 5),
    ("1.5", {"type": "number"}, 1.5),
    ("2", {"enum": [1, 2]}, 2),
    ("2", {"enum": ["1", "2"]}, "2"),
    ("true", {"const": True}, True),
    ("5", {"oneOf": [{"type": "integer"}, {"enum": ["all"]}]}, 5),
    ("5", {"allOf": [{"$ref": "#/$defs/word"}], "$defs": {"word": {"type": "string"}}}, "5"),
    ("{a: 5, b: 5}", {"properties": {"a": {"type": "string"}}}, {"a": "5", "b": 5}),
    ("{a: 5}", {"additionalProperties": {"type": "string"}}, {"a": "5"}),
    ("{a1: 5}", {"patternProperties": {"^a": {"type": "string"}}, "additionalProperties": False}, {"a1": "5"}),
    ("[1, 2, 3]", {"prefixItems": [{"type": "integer"}], "items": {"type": "string"}}, [1, "2", "3"]),
    ("{1: x}", None, {"1": "x"}),
    ("{a: }", {"properties": {"a": {"type": "string"}}}, {"a": None}),
    ("{a: {a: 5}}", {"properties": {"a": {"anyOf": [{"$ref": "#"}, {"type": "string"}]}}}, {"a": {"a": "5"}}),
]


@pytest.mark.parametrize(("text", "schema", "value"), CASES)
def test_the_schema_decides(text: str, schema: Any, value: object) -> None:
    got = plain(clean(text + "\n"), schema)
    assert got == value and type(got) is type(value)


def test_references_lead_to_other_schemas() -> None:
    other = DRAFT202012.create_resource({"$defs": {"word": {"$ref": "#/$defs/text"}, "text": {"type": "string"}}})
    registry = referencing.Registry().with_resource("urn:other", other)
    assert plain(clean("[5]\n"), {"items": {"$ref": "urn:other#/$defs/word"}}, registry) == ["5"]
