"""Checking a document against a JSON Schema, with every finding at the place it is about.

jsonschema finds the errors and the path to each; this module turns a path into a span and an error into plain
words. Its own messages are never shown: they speak of instances and schemas.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, islice
from typing import Any, TypeAlias

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, Label, quoted
from warchest.diagnostics.suggest import did_you_mean
from warchest.documents.schemas import fitting
from warchest.source.nodes import Mapping, Node, Scalar, Sequence
from warchest.source.plain import Place, Registry, Schema, plain
from warchest.source.text import Span

MAX_FINDINGS = 200
_MAX_LISTED = 12

_Error: TypeAlias = Any
_Path: TypeAlias = tuple[str | int, ...]

_TYPE_WORDS = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "`true` or `false`",
    "array": "a list",
    "object": "keys with values",
    "null": "nothing",
}
_BOUNDS = {
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
_TRUTH_WORDS = {"yes": "true", "on": "true", "y": "true", "no": "false", "off": "false", "n": "false"}


def validate(node: Node, schema: Schema, registry: Registry = None) -> list[Diagnostic]:
    """Return what is wrong with a document, in the order of the file; an empty list if nothing is.

    `registry` (a referencing.Registry) holds the other schemas that `$ref` may name; nothing is ever fetched.
    Never raises for any document; a wrong schema raises the error of jsonschema or referencing.
    """
    return validated(node, schema, registry)[1]


def validated(node: Node, schema: Schema, registry: Registry = None) -> tuple[object, list[Diagnostic]]:
    """Return the plain values of a document, and what is wrong with it, as `validate` does."""
    values = plain(node, schema, registry)
    fits = fitting(schema)
    if fits is not None and fits(values):
        return values, []
    return values, _findings(node, values, schema, registry)


def _findings(node: Node, values: object, schema: Schema, registry: Registry) -> list[Diagnostic]:
    import referencing

    # Without a registry of ours jsonschema would fetch what a schema names.
    known = registry if registry is not None else referencing.Registry()
    found: dict[Diagnostic, None] = {}
    try:
        errors = _checker()(schema, registry=known).iter_errors(values)
        mapper = _Mapper(node, Place.root(schema, registry))
        for one in islice(mapper.findings(errors), MAX_FINDINGS + 1):
            found[one] = None
    except RecursionError:
        # Only a schema that refers to itself wastefully gets here; the parser bounds the document's depth.
        found[report("nesting-too-deep", "the document is nested too deep to be checked", node.span)] = None
    if len(found) > MAX_FINDINGS:
        found.popitem()
        message = f"there are more than {MAX_FINDINGS} findings; the rest are not shown"
        found[report("too-many-findings", message, node.span)] = None
    return sorted(found, key=lambda one: one.sort_key)


def _unique_items(validator: Any, wanted: bool, value: Any, schema: Any) -> Iterator[_Error]:
    """As jsonschema's own, but in linear time (hostile lists) and with one error for each repeated item."""
    from jsonschema import ValidationError

    if not wanted or not isinstance(value, list):
        return
    seen: set[str] = set()
    for index, item in enumerate(value):
        written = json.dumps(item, sort_keys=True)
        if written in seen:
            yield ValidationError("repeated", path=[index])
        seen.add(written)


def _properties(validator: Any, properties: dict[str, Any], value: Any, schema: Any) -> Iterator[_Error]:
    """As jsonschema's own, which loses the path to a key that is forbidden by `false`."""
    if isinstance(value, dict):
        for name, below in properties.items():
            if name in value:
                below = _FORBIDDEN if below is False else below
                yield from validator.descend(value[name], below, path=name, schema_path=name)


_FORBIDDEN: dict[str, Any] = {"not": {}}


@lru_cache(maxsize=1)
def _checker() -> Any:
    """Return jsonschema's validator with our own keywords; it is imported when something is wrong."""
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    return extend(Draft202012Validator, {"uniqueItems": _unique_items, "properties": _properties})  # type: ignore[no-untyped-call]


@dataclass(frozen=True, slots=True)
class _Spot:
    """A value in the document and the key it stands under."""

    node: Node
    key: Scalar | None = None

    @property
    def span(self) -> Span:
        """The place to mark."""
        # Nothing can be underlined where nothing was written, so the key stands for its missing value.
        if isinstance(self.node, Scalar) and self.node.is_absent and self.key is not None:
            return self.key.span
        return self.node.span

    @property
    def found(self) -> str:
        """What stands there, in plain words."""
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
        """Words that name the key, to be put behind what is said of the value."""
        return f" for {quoted(self.key.text)}" if self.key is not None else ""

    @property
    def name(self) -> str:
        """Words that name the value."""
        if isinstance(self.node, Scalar) and not self.node.is_absent:
            return quoted(self.node.text)
        return quoted(self.key.text) if self.key is not None else self.found


@dataclass(frozen=True, slots=True)
class _Mapper:
    """Turns errors about plain values into findings about the document they were made of."""

    root: Node
    place: Place

    def findings(self, errors: Iterable[_Error]) -> Iterator[Diagnostic]:
        """Yield each finding once; one error may hold several, and several errors the same."""
        given: set[Diagnostic] = set()
        for error in errors:
            for one in self._of(error):
                if one not in given:
                    given.add(one)
                    yield one

    def _of(self, error: _Error) -> Iterator[Diagnostic]:
        spot = self._spot(error)
        match error.validator:
            case "oneOf" | "anyOf":
                yield from self._choice(error, spot)
            case "required":
                yield from _missing(spot, error.validator_value)
            case "dependentRequired":
                for key, names in error.validator_value.items():
                    if key in error.instance:
                        yield from _missing(spot, names, f" beside {quoted(key)}")
            case "additionalProperties" | "unevaluatedProperties":
                yield from self._unknown_keys(error, spot)
            case "type":
                yield _unfit(spot, _type_words(error.validator_value), [], error)
            case "enum" | "const":
                yield _unfit(spot, [], _values(error), error)
            case "pattern" | "format":
                help = _description(error) or f"it must match `{error.validator_value}`"
                yield report(
                    "malformed-value",
                    f"{spot.name} does not have the form asked for{spot.about}",
                    spot.span,
                    help=help,
                )
            case "uniqueItems":
                yield self._repeated(error, spot)
            case word if word in _BOUNDS:
                message = f"{spot.name} {_BOUNDS[word].format(error.validator_value)}"
                yield report("wrong-size", message, spot.span, help=_description(error))
            case "not" if spot.key is not None and error.schema is _FORBIDDEN:
                yield report(
                    "unknown-key", f"the key {quoted(spot.key.text)} cannot be given here", spot.key.span
                )
            case _:
                yield report(
                    "schema-mismatch", f"{spot.name} does not fit here", spot.span, help=_description(error)
                )

    def _spot(self, error: _Error) -> _Spot:
        spot = _walk(self.root, error.absolute_path)
        # A rule on the names of keys has the mapping as its place and a key as its value.
        if isinstance(spot.node, Mapping) and isinstance(error.instance, str):
            entry = spot.node.entry(error.instance)
            return _Spot(entry.key) if entry is not None else spot
        return spot

    def _unknown_keys(self, error: _Error, spot: _Spot) -> Iterator[Diagnostic]:
        if not isinstance(spot.node, Mapping):
            return
        is_plain_rule = error.validator == "additionalProperties"
        allowed = (
            set(error.schema.get("properties", ())) if is_plain_rule else self._keys(error.absolute_path)
        )
        patterns = error.schema.get("patternProperties", ())
        given = {entry.key.text for entry in spot.node.entries}
        for entry in spot.node.entries:
            name = entry.key.text
            if name in allowed or any(re.search(pattern, name) for pattern in patterns):
                continue
            # Which keys are left unevaluated is told by jsonschema in its message and nowhere else.
            if is_plain_rule or repr(name) in error.message:
                help = did_you_mean(name, allowed - given) or _known(allowed)
                yield report(
                    "unknown-key", f"the key {quoted(name)} is not known here", entry.key.span, help=help
                )

    def _keys(self, path: Iterable[str | int]) -> set[str]:
        place = self.place
        for step in path:
            place = place.item(step) if isinstance(step, int) else place.key(step)
        return place.keys()

    def _repeated(self, error: _Error, spot: _Spot) -> Diagnostic:
        index = error.relative_path[-1]
        path = list(error.absolute_path)
        first = _walk(self.root, [*path[:-1], error.instance.index(error.instance[index])])
        label = Label(first.span, "first given here")
        return report("repeated-item", f"{spot.name} stands in the list twice", spot.span, labels=(label,))

    def _choice(self, error: _Error, spot: _Spot) -> Iterator[Diagnostic]:
        """Several forms are possible and none fits (or, for oneOf, more than one does)."""
        branches = [
            list(group) for _, group in groupby(error.context, key=lambda sub: sub.relative_schema_path[0])
        ]
        if not branches:
            message = f"{spot.name} fits more than one of the forms possible here"
            yield report("schema-mismatch", message, spot.span, help=_description(error))
            return
        # Where every form is told apart by one value (a kind, a type), that value is what is wrong.
        shared = _shared_paths(branches)
        if shared:
            told = [sub for branch in branches for sub in branch if _is_telling(sub, shared[0])]
            words = [
                word for sub in told if sub.validator == "type" for word in _type_words(sub.validator_value)
            ]
            values = [value for sub in told if sub.validator != "type" for value in _values(sub)]
            yield _unfit(self._spot(told[0]), words, values, told[0])
        else:
            best: list[_Error] = min(branches, key=_misfit)
            yield from self.findings(best)


def _walk(root: Node, path: Iterable[str | int]) -> _Spot:
    """Follow keys and numbers of items as far as they lead."""
    spot = _Spot(root)
    for step in path:
        match spot.node:
            case Mapping() as mapping if (entry := mapping.entry(str(step))) is not None:
                spot = _Spot(entry.value, entry.key)
            case Sequence(items=items) if isinstance(step, int) and step < len(items):
                spot = _Spot(items[step])
            case _:
                break
    return spot


def _missing(spot: _Spot, names: Iterable[str], beside: str = "") -> Iterator[Diagnostic]:
    if not isinstance(spot.node, Mapping):
        return
    entries = spot.node.entries
    where = f" in {quoted(spot.key.text)}" if spot.key is not None else ""
    # The whole mapping may be the whole file, so the first key stands for it.
    span = entries[0].key.span if entries else spot.span
    for name in names:
        if spot.node.entry(name) is None:
            message = f"the key {quoted(name)} is missing{beside}{where}"
            yield report("missing-key", message, span, help=f"add `{name}:`")


def _unfit(spot: _Spot, words: list[str], values: list[str], error: _Error) -> Diagnostic:
    """The finding for a value that is neither of a type in `words` nor one of `values`."""
    expected = list(dict.fromkeys([*words, *(quoted(value) for value in values)]))
    shown = expected[:_MAX_LISTED] + (["others"] if len(expected) > _MAX_LISTED else [])
    phrase = " or ".join(part for part in (", ".join(shown[:-1]), shown[-1]) if part)
    one_of = "one of " if len(values) > 1 and not words else ""
    message = f"expected {one_of}{phrase}{spot.about}, found {spot.found}"
    help = _spelling(spot.node, words) or _description(error)
    if isinstance(spot.node, Scalar) and values:
        help = did_you_mean(spot.node.text, values) or help
    return report("unknown-value" if values else "wrong-type", message, spot.span, help=help)


def _spelling(node: Node, words: list[str]) -> str:
    """How to write the value that was probably meant."""
    if not isinstance(node, Scalar):
        return ""
    meant = node.text.strip()
    truth = _TRUTH_WORDS.get(meant.lower(), meant.lower())
    if _TYPE_WORDS["boolean"] in words and truth in ("true", "false"):
        return f"write `{truth}`, without quotes"
    digits = meant.replace("_", "").lstrip("+0") or "0"
    if (
        _TYPE_WORDS["integer"] in words
        and meant
        and re.fullmatch(r"[0-9]{1,18}", digits)
        and meant[-1].isdigit()
    ):
        return f"write `{digits}`, without quotes"
    return ""


def _is_telling(error: _Error, path: _Path) -> bool:
    words = ("enum", "const") if path else ("type", "enum", "const")
    return error.validator in words and tuple(error.relative_path) == path


def _shared_paths(branches: list[list[_Error]]) -> list[_Path]:
    """The places at which every branch asks for another type or value than stands there."""
    told = [
        {tuple(sub.relative_path) for sub in branch if _is_telling(sub, tuple(sub.relative_path))}
        for branch in branches
    ]
    return sorted(set.intersection(*told), key=lambda path: (len(path), str(path)))


def _misfit(branch: list[_Error]) -> tuple[bool, bool, int, int]:
    """How badly a form fits: another type altogether, another kind, then many errors, then shallow ones."""
    at_root = any(_is_telling(sub, ()) for sub in branch)
    other_kind = any(sub.validator == "const" and len(sub.relative_path) == 1 for sub in branch)
    return at_root, other_kind, len(branch), -max(len(sub.relative_path) for sub in branch)


def _type_words(wanted: str | list[str]) -> list[str]:
    return [_TYPE_WORDS.get(name, name) for name in ([wanted] if isinstance(wanted, str) else wanted)]


def _values(error: _Error) -> list[str]:
    values = [error.validator_value] if error.validator == "const" else error.validator_value
    return [value if isinstance(value, str) else json.dumps(value) for value in values]


def _description(error: _Error) -> str:
    described = error.schema.get("description", "") if isinstance(error.schema, dict) else ""
    return str(described).strip().rstrip(".")


def _known(names: set[str]) -> str:
    listed = ", ".join(f"`{name}`" for name in sorted(names)[:_MAX_LISTED])
    return f"known here: {listed}{', …' if len(names) > _MAX_LISTED else ''}" if names else ""
