"""Values of positions as people read them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any


def mapping(value: Any) -> Mapping[str, Any]:
    """Return a value that should be a mapping; an empty one in place of anything else."""
    return value if isinstance(value, Mapping) else {}


def value_text(value: Any, hidden: bool = False, names: Mapping[str, str] | None = None) -> str:
    """Return a value of a position as people read it; empty where it says nothing.

    With `hidden`, a number stands for so many things that the viewer may not see. `names` are said in place of others.
    """
    if value is None or value is False or value == 0:
        return ""
    if value is True:
        return "yes"
    if isinstance(value, int):
        return f"{value} hidden" if hidden else str(value)
    if isinstance(value, list | tuple):
        return _list_text(value, names)
    if isinstance(value, Mapping):
        told = {str(key): value_text(inner, hidden, names) for key, inner in value.items()}
        return "; ".join(f"{key}: {inner}" for key, inner in told.items() if inner)
    return (names or {}).get(str(value), str(value))


def _list_text(values: Iterable[Any], names: Mapping[str, str] | None) -> str:
    """Equal things are counted; a mapping is told by its name, with the rest in brackets."""
    told = []
    for value in values:
        if isinstance(value, Mapping) and "name" in value:
            rest = [value_text(inner) for key, inner in value.items() if key != "name" and value_text(inner)]
            name = value_text(value["name"], names=names)
            told.append(f"{name} ({', '.join(rest)})" if rest else name)
        else:
            told.append(value_text(value, names=names))
    return ", ".join(f"{count} {name}" if count > 1 else name for name, count in Counter(told).items())


def names_in(value: Any) -> Iterable[str]:
    """Return all texts in a value."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for inner in value:
            yield from names_in(inner)
    elif isinstance(value, str):
        yield value
