"""The expectations of a case against the facts: the comparison of parts of positions and of options."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from warchest.game.position.keys import OVER

_MISSING = object()


def matches(wanted: Mapping[str, Any], data: Mapping[str, Any]) -> bool:
    """Whether an option's data have everything that is wanted, and the same."""
    return all(data.get(key, _MISSING) == value for key, value in wanted.items())


def differences(
    expected: Mapping[str, Any], actual: Mapping[str, Any], counts: Collection[str] = ()
) -> list[str]:
    """Return a line for each key of `expected` whose value in a position is another.

    Only the given entries of a mapping (by player, by option) are compared, and each of these in full. `counts` are the
    keys that are 1 where an item of a list leaves them out.
    """
    lines = []
    for key, value in expected.items():
        if key not in actual and (_is_empty(value) or (key == OVER and value is None)):
            continue  # what is rarely anything but empty is not told then, nor is who has won while play goes on
        if key not in actual:
            lines.append(f"{key}: expected {shown(value)}, but the position has no such key now")
        elif isinstance(value, Mapping) and isinstance(actual[key], Mapping):
            lines += [
                _difference(f"{key}.{name}", inner, actual[key].get(name))
                for name, inner in value.items()
                if not agree(inner, actual[key].get(name), counts)
            ]
        elif not agree(value, actual[key], counts):
            lines.append(_difference(key, value, actual[key]))
    return lines


def _is_empty(value: Any) -> bool:
    """Whether a value is an empty list, or a mapping of such."""
    return all(map(_is_empty, value.values())) if isinstance(value, Mapping) else value == []


def _difference(key: str, expected: Any, actual: Any) -> str:
    return f"{key}: expected {shown(expected)}, but it is {shown(actual)}"


def agree(expected: Any, actual: Any, counts: Collection[str] = ()) -> bool:
    """Whether two values say the same: lists in any order, and keys a mapping lacks are empty, or 1 in `counts`."""
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        return _canonical(_filled(expected, actual, counts)) == _canonical(actual)
    if isinstance(expected, list) and isinstance(actual, list):
        # Keys that only some items have are empty in the others.
        like = {key: one for item in actual if isinstance(item, Mapping) for key, one in item.items()}
        said, so = ([_filled(item, like, counts) for item in items] for items in (expected, actual))
        return _canonical(said) == _canonical(so)
    return type(expected) is type(actual) and bool(expected == actual)


def _filled(value: Any, like: Mapping[str, Any], counts: Collection[str]) -> Any:
    """Return a mapping with the keys of another that it leaves out."""
    if not isinstance(value, Mapping):
        return value
    usual = {key: 1 if key in counts else type(one)() for key, one in like.items() if one is not None}
    return {**usual, **value}


def _canonical(value: Any) -> object:
    """Return a value in which equal lists are equal whatever their order."""
    if isinstance(value, Mapping):
        return {key: _canonical(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return sorted(json.dumps(_canonical(item), sort_keys=True) for item in value)
    return value


def shown(value: Any) -> str:
    """Return a value in one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {shown(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(shown(item) for item in value) + "]"
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
