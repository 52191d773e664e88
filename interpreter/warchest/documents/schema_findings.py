"""Findings for a document that does not fit its schema: errors of jsonschema, each with its place in the file.

jsonschema finds the errors and the path to each; this module turns a path into a span and an error into plain words.
Its own messages are never shown: they are about instances and schemas.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby, islice
from typing import Any, TypeAlias

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, Fix, Label, quoted
from warchest.diagnostics.suggest import did_you_mean, nearest
from warchest.documents.formats import FORMATS, expression, fits
from warchest.documents.misfits import (
    BOUNDS,
    Error,
    Spot,
    description,
    known_keys,
    malformed,
    misformed,
    missing_any,
    missing_keys,
    out_of_bounds,
    spot_at,
    type_words,
    unfit,
    values_of,
)
from warchest.documents.schemas import fitting
from warchest.source.limits import MAX_FINDINGS
from warchest.source.nodes import Mapping, Node, Scalar
from warchest.source.plain_values import Registry, Schema, SchemaPlace, plain
from warchest.source.records import record
from warchest.source.removing import without

_KeyPath: TypeAlias = tuple[str | int, ...]


def validate(node: Node, schema: Schema, registry: Registry = None) -> list[Diagnostic]:
    """Return the faults of a document, in the order of the file; an empty list if there are none.

    `registry` (a referencing.Registry) holds the other schemas that `$ref` may name; no schema is ever fetched.
    Never raises for any document; a wrong schema raises the error of jsonschema or referencing.
    """
    return validated(node, schema, registry)[1]


def validated(node: Node, schema: Schema, registry: Registry = None) -> tuple[object, list[Diagnostic]]:
    """Return the plain values of a document, and its faults as `validate` does."""
    values = plain(node, schema, registry)
    fits = fitting(schema)
    if fits is not None and fits(values):
        return values, []
    return values, _findings(node, values, schema, registry)


def _findings(node: Node, values: object, schema: Schema, registry: Registry) -> list[Diagnostic]:
    import referencing

    # Without our own registry, jsonschema would fetch the schemas that a schema refers to.
    known = registry if registry is not None else referencing.Registry()
    found: dict[Diagnostic, None] = {}
    try:
        errors = _checker()(schema, registry=known).iter_errors(values)
        mapper = _Mapper(node, SchemaPlace.root(schema, registry))
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


def _unique_items(validator: object, wanted: bool, value: object, schema: object) -> Iterator[Error]:
    """Check `uniqueItems` as jsonschema does, but in linear time (for hostile lists); each repetition has an error."""
    from jsonschema import ValidationError

    if not wanted or not isinstance(value, list):
        return
    seen: set[str] = set()
    for index, item in enumerate(value):
        written = json.dumps(item, sort_keys=True)
        if written in seen:
            yield ValidationError("repeated", path=[index])
        seen.add(written)


def _properties(validator: Any, properties: dict[str, object], value: object, schema: object) -> Iterator[Error]:
    """Check `properties` as jsonschema does, but keep the path to a key that is forbidden by `false`."""
    if isinstance(value, dict):
        for name, below in properties.items():
            if name in value:
                below = _FORBIDDEN if below is False else below
                yield from validator.descend(value[name], below, path=name, schema_path=name)


_FORBIDDEN: dict[str, object] = {"not": {}}


def _is_forbidden(schema: object) -> bool:
    """Whether a schema forbids a key, perhaps with the key to be written instead."""
    return isinstance(schema, dict) and schema.get("not") == {}


def _format(validator: object, name: str, value: object, schema: object) -> Iterator[Error]:
    """Check `format` as jsonschema does, for the formats in `FORMATS`."""
    from jsonschema import ValidationError

    if name in FORMATS and not fits(value, name):
        yield ValidationError("misformed")


def _pattern(validator: object, pattern: str, value: object, schema: object) -> Iterator[Error]:
    """Check `pattern` as jsonschema does, but `$` does not match before a last line end."""
    from jsonschema import ValidationError

    if isinstance(value, str) and not expression(pattern).search(value):
        yield ValidationError("malformed")


_OURS = {"pattern": _pattern, "uniqueItems": _unique_items, "properties": _properties, "format": _format}


@lru_cache(maxsize=1)
def _checker() -> Any:
    """Return jsonschema's validator with our own keywords; it is imported once a fault is found."""
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    return extend(Draft202012Validator, _OURS)  # type: ignore[no-untyped-call]


@record()
class _Mapper:
    """Turns errors about plain values into findings about the document they were made of."""

    root: Node
    place: SchemaPlace

    def findings(self, errors: Iterable[Error]) -> Iterator[Diagnostic]:
        """Yield each finding once; one error may hold several, and several errors the same."""
        given: set[Diagnostic] = set()
        for error in errors:
            for one in self._of(error):
                if one not in given:
                    given.add(one)
                    yield one

    def _of(self, error: Error) -> Iterator[Diagnostic]:
        spot = self._spot(error)
        match error.validator:
            case "oneOf" | "anyOf":
                yield from self._choice(error, spot)
            case "required":
                misspelt = self._misspelt(error, spot).values()
                yield from missing_keys(spot, (name for name in error.validator_value if name not in misspelt))
            case "dependentRequired":
                for key, names in error.validator_value.items():
                    if key in error.instance:
                        yield from missing_keys(spot, names, f" beside {quoted(key)}")
            case "additionalProperties" | "unevaluatedProperties":
                yield from self._unknown_keys(error, spot)
            case "type":
                yield unfit(spot, type_words(error.validator_value), [], error)
            case "enum" | "const":
                yield unfit(spot, [], values_of(error), error)
            case "pattern":
                yield malformed(spot, error)
            case "format":
                yield misformed(spot, error)
            case "uniqueItems":
                yield self._repeated(error, spot)
            case word if word in BOUNDS:
                yield out_of_bounds(spot, error)
            case "not" if spot.key is not None and _is_forbidden(error.schema):
                message = f"the key {quoted(spot.key.text)} cannot be given here"
                yield report("unknown-key", message, spot.key.span, help=description(error))
            case _:
                yield report("schema-mismatch", f"{spot.name} does not fit here", spot.span, help=description(error))

    def _spot(self, error: Error) -> Spot:
        spot = spot_at(self.root, error.absolute_path)
        # A rule on the names of keys has the mapping as its place and a key as its value.
        if isinstance(spot.node, Mapping) and isinstance(error.instance, str):
            entry = spot.node.entry(error.instance)
            return Spot(entry.key) if entry is not None else spot
        return spot

    def _unknown_keys(self, error: Error, spot: Spot) -> Iterator[Diagnostic]:
        if not isinstance(spot.node, Mapping):
            return
        is_plain_rule = error.validator == "additionalProperties"
        known = error.schema.get("properties", {})
        allowed = (
            {name for name, below in known.items() if not _is_forbidden(below)}
            if is_plain_rule
            else self._keys(error.absolute_path)
        )
        patterns = error.schema.get("patternProperties", ())
        given = {entry.key.text for entry in spot.node.entries}
        misspelt = self._misspelt(error, spot)
        for entry in spot.node.entries:
            name = entry.key.text
            if name in allowed or name in known or any(expression(one).search(name) for one in patterns):
                continue
            # Only the message of jsonschema names the unevaluated keys.
            if is_plain_rule or repr(name) in error.message:
                help = f"did you mean `{misspelt[name]}`?" if name in misspelt else did_you_mean(name, allowed - given)
                help = help or known_keys(allowed)
                yield report("unknown-key", f"the key {quoted(name)} is not known here", entry.key.span, help=help)

    def _misspelt(self, error: Error, spot: Spot) -> dict[str, str]:
        """Return the unknown keys that are probably misspelt, each with the missing key that was meant.

        Both keys are spelt alike; or there is only one of each sort, and the unknown key is spelt like no other key.
        """
        schema = error.schema
        closed = False in (schema.get("additionalProperties"), schema.get("unevaluatedProperties"))
        if not closed or not isinstance(spot.node, Mapping):
            return {}
        given = {entry.key.text for entry in spot.node.entries}
        missing = [name for name in schema.get("required", ()) if name not in given]
        patterns = schema.get("patternProperties", ())
        known = self._keys(error.absolute_path)
        unknown = [
            name
            for name in sorted(given - known)
            if missing and not any(expression(one).search(name) for one in patterns)
        ]
        guesses = {name: nearest(name, known - given) for name in unknown}
        if len(missing) == 1 and list(guesses.values()) == [""]:
            return {unknown[0]: missing[0]}
        return {name: guess for name, guess in guesses.items() if guess in missing}

    def _keys(self, path: Iterable[str | int]) -> set[str]:
        place = self.place
        for step in path:
            place = place.item(step) if isinstance(step, int) else place.key(step)
        return place.keys()

    def _repeated(self, error: Error, spot: Spot) -> Diagnostic:
        index = error.relative_path[-1]
        path = list(error.absolute_path)
        first = spot_at(self.root, [*path[:-1], error.instance.index(error.instance[index])])
        label = Label(first.span, "first given here")
        taken = without(self.root, spot.node) if isinstance(spot.node, Scalar) else None
        return report(
            "repeated-item",
            f"{spot.name} is in the list twice",
            spot.span,
            labels=(label,),
            fix=Fix.put(taken, "") if taken is not None else None,
        )

    def _choice(self, error: Error, spot: Spot) -> Iterator[Diagnostic]:
        """Yield findings if several forms are possible and none fits (or, for oneOf, more than one does)."""
        branches = [list(group) for _, group in groupby(error.context, key=lambda sub: sub.relative_schema_path[0])]
        if not branches:
            message = f"{spot.name} fits more than one of the forms possible here"
            yield report("schema-mismatch", message, spot.span, help=description(error))
            return
        # Where one value (a kind, a type) decides between all forms, that value is the fault.
        shared = _shared_paths(branches)
        if shared:
            told = [sub for branch in branches for sub in branch if _is_telling(sub, shared[0])]
            words = [word for sub in told if sub.validator == "type" for word in type_words(sub.validator_value)]
            values = [value for sub in told if sub.validator != "type" for value in values_of(sub)]
            yield unfit(self._spot(told[0]), words, values, told[0])
            return
        needed = [sub.validator_value for sub in error.context if sub.validator == "required"]
        names = [name for one in needed for name in one]
        if len(needed) == len(names) == len(branches) == len(error.context):
            if not _is_meant(spot, names):
                yield missing_any(spot, names)
        else:
            best: list[Error] = min(branches, key=_misfit)
            yield from self.findings(best)


def _is_meant(spot: Spot, names: list[str]) -> bool:
    """Whether a key exists that was probably meant as one of the names; such a key is reported elsewhere."""
    return isinstance(spot.node, Mapping) and any(nearest(one.key.text, names) for one in spot.node.entries)


def _rules_out(error: Error) -> bool:
    """Whether a value is of another type altogether than a form, or than every one of several possible forms."""
    if error.validator in ("anyOf", "oneOf") and not error.relative_path and error.context:
        forms = groupby(error.context, key=lambda sub: sub.relative_schema_path[0])
        return all(any(map(_rules_out, form)) for _, form in forms)
    return _is_telling(error, ())


def _is_telling(error: Error, path: _KeyPath) -> bool:
    words = ("enum", "const") if path else ("type", "enum", "const")
    return error.validator in words and tuple(error.relative_path) == path


def _shared_paths(branches: list[list[Error]]) -> list[_KeyPath]:
    """The places where every branch asks for another type or value than the given one."""
    told = [
        {tuple(sub.relative_path) for sub in branch if _is_telling(sub, tuple(sub.relative_path))}
        for branch in branches
    ]
    return sorted(set.intersection(*told), key=lambda path: (len(path), str(path)))


def _misfit(branch: list[Error]) -> tuple[bool, bool, int, int]:
    """The degree of a form's misfit: another type altogether, another kind, many errors, then shallow errors."""
    at_root = any(_rules_out(sub) for sub in branch)
    other_kind = any(sub.validator == "const" and len(sub.relative_path) == 1 for sub in branch)
    return at_root, other_kind, len(branch), -max(len(sub.relative_path) for sub in branch)
