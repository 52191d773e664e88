"""Templates of a notation: mappings and lists in which `$name` stands for a value that a form has caught."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from warchest.scripts.forms import Caught, CaughtValues

ALL = "$all"
"""Stands for everything that was caught, as a mapping."""
_WHOLE = re.compile(r"\$([a-z]+)\Z")
_INSIDE = re.compile(r"\$([a-z]+)")
_DROPPED = object()


def filled(template: Any, known: CaughtValues) -> Any:
    """Return a template filled with the caught values; a key or an item for which nothing was caught is left out.

    A place for a caught value alone is filled with a `Caught`, so that its place in the text is known.
    """
    value = _filled(template, known)
    return None if value is _DROPPED else value


def _filled(template: Any, known: CaughtValues) -> Any:
    if isinstance(template, Mapping):
        pairs = {_text(key, known): _filled(value, known) for key, value in template.items()}
        return {key: value for key, value in pairs.items() if value is not _DROPPED}
    if isinstance(template, list):
        return [value for value in (_filled(item, known) for item in template) if value is not _DROPPED]
    if not isinstance(template, str):
        return template
    if template == ALL:
        return dict(known)
    whole = _WHOLE.match(template)
    return known.get(whole[1], _DROPPED) if whole else _text(template, known)


def _text(template: str, known: CaughtValues) -> str:
    return _INSIDE.sub(lambda match: str(known[match[1]].value) if match[1] in known else "", template)


def bare(value: Any) -> Any:
    """Return a filled template without the places of the caught values."""
    if isinstance(value, Caught):
        return bare(value.value)
    if isinstance(value, Mapping):
        return {key: bare(inner) for key, inner in value.items()}
    return [bare(inner) for inner in value] if isinstance(value, list) else value
