"""Faults of values, in plain words: findings from the errors that jsonschema finds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, quoted
from warchest.diagnostics.suggest import did_you_mean
from warchest.documents.formats import FORMATS
from warchest.source.nodes import Mapping, Node, Scalar, Sequence
from warchest.source.records import record
from warchest.source.text import Span

_MAX_LISTED = 12

Error: TypeAlias = Any
"""An error of jsonschema."""

_TYPE_WORDS = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "`true` or `false`",
    "array": "a list",
    "object": "keys with values",
    "null": "nothing",
}
BOUNDS = {
    "minimum": "is less than {}",
    "maximum": "is more than {}",
    "exclusiveMinimum": "is not more than {}",
    "exclusiveMaximum": "is not less than {}",
    "multipleOf": "is not a multiple of {}",
    "minLength": "has fewer than {} characters",
    "maxLength": "has more than {} characters",
    "minItems": "has fewer than {} items",
    "maxItems": "has more than {} items",
    "minProperties": "has fewer than {} keys",
    "maxProperties": "has more than {} keys",
}
_EMPTY_BLOCK = "write a sentence into the lines below it, indented, or take the key out"
_TRUTH_WORDS = {"yes": "true", "on": "true", "y": "true", "no": "false", "off": "false", "n": "false"}

_NUMBER_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@record()
class Spot:
    """A value in the document and its key."""

    node: Node
    key: Scalar | None = None

    @property
    def span(self) -> Span:
        """The place to mark."""
        # An empty place cannot be underlined, so the key is marked for its missing value.
        if isinstance(self.node, Scalar) and self.node.is_absent and self.key is not None:
            return self.key.span
        return self.node.span

    @property
    def found(self) -> str:
        """The value, in plain words."""
        match self.node:
            case Scalar(style="plain", text=text):
                return quoted(text) if text else "nothing"
            case Scalar(style="literal" | "folded"):
                return "a block of text"
            case Scalar(text=text):
                return f"the text {quoted(text)}"
            case Mapping():
                return "keys with values"
            case Sequence():
                return "a list"

    @property
    def about(self) -> str:
        """Words that name the key, to be appended to the finding about the value."""
        return f" for {quoted(self.key.text)}" if self.key is not None else ""

    @property
    def name(self) -> str:
        """Words that name the value."""
        if isinstance(self.node, Scalar) and not self.node.is_absent:
            return quoted(self.node.text)
        return quoted(self.key.text) if self.key is not None else self.found


def spot_at(root: Node, path: Iterable[str | int]) -> Spot:
    """Return the value at a path of keys and numbers of items, or the last existing one on the path."""
    spot = Spot(root)
    for step in path:
        match spot.node:
            case Mapping() as mapping if (entry := mapping.entry(str(step))) is not None:
                spot = Spot(entry.value, entry.key)
            case Sequence(items=items) if isinstance(step, int) and step < len(items):
                spot = Spot(items[step])
            case _:
                break
    return spot


def missing_keys(spot: Spot, names: Iterable[str], beside: str = "") -> Iterator[Diagnostic]:
    """Yield a finding for each of the keys that is missing."""
    if not isinstance(spot.node, Mapping):
        return
    entries = spot.node.entries
    where = f" in {quoted(spot.key.text)}" if spot.key is not None else ""
    # The whole mapping may be the whole file, so its first key is marked.
    span = entries[0].key.span if entries else spot.span
    for name in names:
        if spot.node.entry(name) is None:
            message = f"the key {quoted(name)} is missing{beside}{where}"
            yield report("missing-key", message, span, help=f"add `{name}:`")


def missing_any(spot: Spot, names: list[str]) -> Diagnostic:
    """Return the finding for a mapping that needs one key of several."""
    node = spot.node
    span = node.entries[0].key.span if isinstance(node, Mapping) and node.entries else spot.span
    message = f"one of the keys {', '.join(map(quoted, names[:-1]))} and {quoted(names[-1])} is missing"
    return report("missing-key", message, span, help=f"add one of them, such as `{names[0]}:`")


def unfit(spot: Spot, words: list[str], values: list[str], error: Error) -> Diagnostic:
    """Return the finding for a value that is neither of a type in `words` nor one of `values`."""
    expected = list(dict.fromkeys([*words, *(quoted(value) for value in values)]))
    shown = expected[:_MAX_LISTED] + (["others"] if len(expected) > _MAX_LISTED else [])
    phrase = " or ".join(part for part in (", ".join(shown[:-1]), shown[-1]) if part)
    one_of = "one of " if len(values) > 1 and not words else ""
    message = f"expected {one_of}{phrase}{spot.about}, found {spot.found}"
    help = _spelling(spot.node, words) or description(error)
    if isinstance(spot.node, Scalar) and values:
        help = did_you_mean(spot.node.text, values) or help
    return report("unknown-value" if values else "wrong-type", message, spot.span, help=help)


def out_of_bounds(spot: Spot, error: Error) -> Diagnostic:
    """Return the finding for a value that is too small or too large, or has too few or too many parts."""
    if error.validator in ("minLength", "minItems", "minProperties") and not error.instance and spot.key is not None:
        is_block = isinstance(spot.node, Scalar) and spot.node.block is not None
        help = _EMPTY_BLOCK if is_block else description(error)
        message = f"{'the block ' if is_block else ''}{quoted(spot.key.text)} is empty"
        return report("wrong-size", message, spot.key.span, help=help)
    bound = BOUNDS[error.validator].format(error.validator_value)
    if error.validator_value == 1:
        bound = bound.removesuffix("s")
    return report("wrong-size", f"{spot.name} {bound}", spot.span, help=description(error))


def _spelling(node: Node, words: list[str]) -> str:
    """Help on writing the value that was probably meant."""
    match node:
        case Sequence(items=(Scalar(text=text),)) if _TYPE_WORDS["integer"] in words and text.isdigit():
            return f"write `{text}`, without brackets"
        case Scalar():
            pass
        case _:
            return ""
    meant = node.text.strip()
    truth = _TRUTH_WORDS.get(meant.lower(), meant.lower())
    if _TYPE_WORDS["boolean"] in words and truth in ("true", "false"):
        return f"write `{truth}`, without quotes"
    if _TYPE_WORDS["integer"] in words and meant.lower() in _NUMBER_WORDS:
        return f"write the number in digits: `{_NUMBER_WORDS.index(meant.lower())}`"
    digits = meant.replace("_", "").lstrip("+0") or "0"
    if _TYPE_WORDS["integer"] in words and meant and re.fullmatch(r"[0-9]{1,18}", digits) and meant[-1].isdigit():
        return f"write `{digits}`, without quotes"
    return ""


def malformed(spot: Spot, error: Error) -> Diagnostic:
    """Return the finding for a text in the wrong form."""
    asks = f"that {quoted(spot.key.text)} asks for" if spot.key is not None else "asked for"
    help = description(error) or f"it must match `{error.validator_value}`"
    return report("malformed-value", f"{spot.name} does not have the form {asks}", spot.span, help=help)


def misformed(spot: Spot, error: Error) -> Diagnostic:
    """Return the finding for a text of the right form that is impossible: a day that does not exist, two lines."""
    wrong = FORMATS[error.validator_value](error.instance)
    is_line = error.validator_value == "line"
    message = f"{spot.name} is not a plain line" if is_line else f"there is no {error.validator_value} {spot.name}"
    return report("malformed-value", message, spot.span, help=wrong)


def type_words(wanted: str | list[str]) -> list[str]:
    """Return the names of types as people say them."""
    return [_TYPE_WORDS.get(name, name) for name in ([wanted] if isinstance(wanted, str) else wanted)]


def values_of(error: Error) -> list[str]:
    """Return the values that an error says are possible, as they are written."""
    values = [error.validator_value] if error.validator == "const" else error.validator_value
    return [value if isinstance(value, str) else json.dumps(value) for value in values]


def description(error: Error) -> str:
    """Return the schema's description of the value that an error is about; empty if there is none."""
    described = error.schema.get("description", "") if isinstance(error.schema, dict) else ""
    return str(described).strip().rstrip(".")


def known_keys(names: set[str]) -> str:
    """Return help that lists some keys; empty if there are none."""
    listed = ", ".join(f"`{name}`" for name in sorted(names)[:_MAX_LISTED])
    return f"known here: {listed}{', …' if len(names) > _MAX_LISTED else ''}" if names else ""
