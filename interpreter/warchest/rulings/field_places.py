"""Places of fields: errors name fields such as `pieces[2].at`, and people look for lines and columns."""

from __future__ import annotations

import re

from warchest.source.nodes import Mapping, Node, Scalar, Sequence
from warchest.source.text import Span

_STEP = re.compile(r"\[(\d+)\]|[^.\[\]]+")


def place_of(node: Node, field: str, *, by_key: bool = False) -> Span:
    """Return the place of a field inside a node, or of the last part of its path that exists, or of its key."""
    span = _start(node)
    for step in _STEP.finditer(field):
        if step[1] is not None:
            if not isinstance(node, Sequence) or int(step[1]) >= len(node.items):
                break
            node = node.items[int(step[1])]
            span = _start(node)
            continue
        entry = node.entry(step[0]) if isinstance(node, Mapping) else None
        if entry is None:
            break
        node = entry.value
        # The key is marked for all but a single value: a whole list underlined says nothing.
        is_word = isinstance(node, Scalar) and not node.is_absent and not by_key
        span = node.span if is_word else entry.key.span
    return span


def _start(node: Node) -> Span:
    """Return the place of a node, for a mapping that of its first key."""
    return node.entries[0].key.span if isinstance(node, Mapping) and node.entries else node.span
