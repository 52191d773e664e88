"""Errors against a schema, each at the place it is about and in plain words."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from source_support import clean, names, read

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.documents.schema_findings import validate
from warchest.source.limits import MAX_FINDINGS

EMPTY_BLOCK = "write a sentence into the lines below it, indented, or take the key out"


def _form(kind: str, key: str) -> dict[str, Any]:
    return {
        "type": "object",
        "required": ["kind", key],
        "additionalProperties": False,
        "properties": {"kind": {"const": kind}, key: {"type": "integer"}},
    }


SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["name"],
    "additionalProperties": False,
    "properties": {
        "name": {"type": "string", "minLength": 2},
        "size": {"type": "integer", "minimum": 1, "maximum": 9},
        "open": {"type": "boolean"},
        "color": {"enum": ["red", "green", "blue"]},
        "tags": {
            "type": "array",
            "uniqueItems": True,
            "maxItems": 3,
            "items": {"type": "string", "pattern": "^[a-z]+$", "description": "Lower-case letters only."},
        },
        "amount": {"anyOf": [{"type": "integer"}, {"enum": ["all", "none"]}]},
        "form": {"oneOf": [_form("circle", "radius"), _form("box", "width")]},
        "text": {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
        "parts": {"type": "array", "items": {"$ref": "#"}},
        "few": {"type": "array", "minItems": 1, "maxItems": 1},
        "never_empty": {"type": "string", "minLength": 1},
        "names": {"type": "object", "propertyNames": {"pattern": "^[a-z]+$"}},
        "never": False,
        "both": {"type": "object", "dependentRequired": {"a": ["b"]}},
        "exact": {"type": "object", "properties": {"abc": {}}, "unevaluatedProperties": False},
        "twice": {"oneOf": [{"type": "string"}, {"minLength": 1}]},
        "other": {"not": {"type": "string"}},
    },
}


def _at(found: Diagnostic) -> tuple[str, int, int, str]:
    assert found.span is not None
    return found.name, found.span.line, found.span.column, found.span.text


def _check(text: str) -> list[Diagnostic]:
    return validate(clean(text), SCHEMA)


CASES = [
    ("size: 3\n", ("missing-key", 1, 1, "size"), "the key `name` is missing", "add `name:`"),
    ("{}\n", ("missing-key", 1, 1, "{}"), "the key `name` is missing", "add `name:`"),
    ("size: x\n", ("wrong-type", 1, 7, "x"), "expected a whole number for `size`, found `x`", ""),
    ("size: '5'\n", ("wrong-type", 1, 7, "'5'"), "found the text `5`", "write `5`, without quotes"),
    ("size: 012\n", ("wrong-type", 1, 7, "012"), "found `012`", "write `12`, without quotes"),
    ("size:\n", ("wrong-type", 1, 1, "size"), "expected a whole number for `size`, found nothing", ""),
    ("size: [1]\n", ("wrong-type", 1, 7, "[1]"), "found a list", ""),
    ("size: 10\n", ("wrong-size", 1, 7, "10"), "`10` is more than 9", ""),
    ("open: yes\n", ("wrong-type", 1, 7, "yes"), "expected `true` or `false` for `open`", "write `true`"),
    (
        "color: gren\n",
        ("unknown-value", 1, 8, "gren"),
        "expected one of `red`, `green` or `blue`",
        "did you mean `green`?",
    ),
    ("tags: [a, B]\n", ("malformed-value", 1, 11, "B"), "`B` does not have the form", "Lower-case letters only"),
    ("tags: [a, b, a]\n", ("repeated-item", 1, 14, "a"), "`a` is in the list twice", ""),
    ("never_empty: |\n", ("wrong-size", 1, 1, "never_empty"), "the block `never_empty` is empty", EMPTY_BLOCK),
    ("never_empty: ''\n", ("wrong-size", 1, 1, "never_empty"), "`never_empty` is empty", ""),
    ("few: [1, 2]\n", ("wrong-size", 1, 6, "[1, 2]"), "`few` has more than 1 item", ""),
    ("few: []\n", ("wrong-size", 1, 1, "few"), "`few` is empty", ""),
    ("tags: [a, b, c, d]\n", ("wrong-size", 1, 7, "[a, b, c, d]"), "`tags` has more than 3 items", ""),
    (
        "amount: al\n",
        ("unknown-value", 1, 9, "al"),
        "expected a whole number, `all` or `none` for `amount`",
        "did you mean `all`?",
    ),
    ("form: {kind: box}\n", ("missing-key", 1, 8, "kind"), "the key `width` is missing in `form`", ""),
    ("form: {kind: sphere}\n", ("unknown-value", 1, 14, "sphere"), "expected one of `circle` or `box` for `kind`", ""),
    ("form: 3\n", ("wrong-type", 1, 7, "3"), "expected keys with values for `form`, found `3`", ""),
    ("text: {a: 1}\n", ("wrong-type", 1, 7, "{a: 1}"), "expected text or a list for `text`", ""),
    ("text: [a, [b]]\n", ("wrong-type", 1, 11, "[b]"), "expected text, found a list", ""),
    ("parts:\n  - name: ok\n  - name: x\n", ("wrong-size", 3, 11, "x"), "`x` has fewer than 2 characters", ""),
    ("names: {ok: 1, Bad: 2}\n", ("malformed-value", 1, 16, "Bad"), "`Bad` does not have the form", ""),
    ("never: 1\n", ("unknown-key", 1, 1, "never"), "the key `never` cannot be given here", ""),
    ("both: {a: 1}\n", ("missing-key", 1, 8, "a"), "the key `b` is missing beside `a` in `both`", ""),
    ("exact: {abd: 1}\n", ("unknown-key", 1, 9, "abd"), "the key `abd` is not known", "did you mean `abc`?"),
    ("twice: x\n", ("schema-mismatch", 1, 8, "x"), "`x` fits more than one of the forms", ""),
    ("other: x\n", ("schema-mismatch", 1, 8, "x"), "`x` does not fit here", ""),
]


@pytest.mark.parametrize(("text", "at", "message", "help"), CASES)
def test_an_error_is_reported_at_its_place(text: str, at: tuple[str, int, int, str], message: str, help: str) -> None:
    found = _check(text if at[0] == "missing-key" and "`name`" in message else f"{text}name: ok\n")
    assert [_at(one) for one in found] == [at]
    assert message in found[0].message and help in found[0].help


def test_each_unknown_key_is_a_finding_of_its_own() -> None:
    found = _check("name: ok\nsise: 1\nqqqqqq: 2\n")
    assert [_at(one) for one in found] == [("unknown-key", 2, 1, "sise"), ("unknown-key", 3, 1, "qqqqqq")]
    assert found[0].help == "did you mean `size`?" and found[1].help.startswith("known here: `amount`")


def test_each_missing_key_is_a_finding_of_its_own() -> None:
    found = validate(clean("x: 1\n"), {"required": ["a", "b"]})
    assert [one.message for one in found] == ["the key `a` is missing", "the key `b` is missing"]


def test_a_fitting_document_has_no_findings() -> None:
    assert (
        _check("name: 012\nsize: 5\nopen: false\namount: all\ntags: []\ntext: no\nform: {kind: box, width: 2}\n") == []
    )


@pytest.mark.parametrize("text", ["- a\n", "x\n", "---\n"])
def test_a_document_without_keys_has_the_wrong_type(text: str) -> None:
    assert names(_check(text)) == ["wrong-type"]


def test_findings_are_bounded() -> None:
    found = _check("name: ok\n" + "".join(f"k{number}: 1\n" for number in range(20_000)))
    assert len(found) == MAX_FINDINGS + 1 and "too-many-findings" in names(found)


def test_a_long_list_is_checked_for_repeats_quickly() -> None:
    schema = {"type": "array", "uniqueItems": True}
    assert validate(clean("".join(f"- {{a: {number}}}\n" for number in range(5_000))), schema) == []


def test_nested_documents_of_the_greatest_depth_are_checked() -> None:
    text = "".join("  " * level + "- parts:\n" if level % 2 else "  " * level + "parts:\n" for level in range(1))
    for level in range(18):
        text += "  " * level + ("- parts:\n")
    assert "wrong-type" in names(_check(text))


_VALUES = st.recursive(
    st.sampled_from(["5", "x", "''", "true", "null", "al", "box", "-1"]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.dictionaries(st.sampled_from([*SCHEMA["properties"], "kind", "radius", "zz"]), inner, max_size=3).map(
            lambda entries: "{" + ", ".join(f"{key}: {value}" for key, value in entries.items()) + "}"
        ),
    ),
    max_leaves=12,
)


@given(_VALUES)
def test_no_document_raises_and_every_finding_has_a_place(text: str) -> None:
    roots, _ = read(text + "\n")
    assert all(one.span is not None and one.message for root in roots for one in validate(root, SCHEMA))
