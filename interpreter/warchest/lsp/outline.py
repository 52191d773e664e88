"""The outline of a text: its documents, their blocks and rulings, and the ranges that can be folded."""

from __future__ import annotations

from collections.abc import Iterator

from warchest.lsp.text_positions import range_of
from warchest.source.nodes import Entry, Mapping, Node, Scalar, Sequence, within
from warchest.source.text import Span

CLASS, PROPERTY, METHOD = 5, 7, 6
"""The kinds of symbols of the protocol: documents, their keys, and their rulings."""


def symbol(root: Mapping) -> dict[str, object]:
    """Return the symbol of a document, with those of its keys and its rulings."""
    first, *others = root.entries
    name = first.value.text if isinstance(first.value, Scalar) else first.key.text
    span = root.span.source.span(first.key.span.start, root.span.end)
    return {
        "name": name or first.key.text,
        "detail": first.key.text,
        "kind": CLASS,
        "range": range_of(span),
        "selectionRange": range_of(first.key.span),
        "children": [_part(one) for one in others],
    }


def _part(entry: Entry) -> dict[str, object]:
    span = entry.key.span.to(entry.value.span)
    children = []
    for item in entry.value.items if isinstance(entry.value, Sequence) else ():
        name = item.get("name") if isinstance(item, Mapping) else None
        if isinstance(name, Scalar) and name.text:
            children.append(
                {"name": name.text, "kind": METHOD, "range": range_of(item.span), "selectionRange": range_of(name.span)}
            )
    return {
        "name": entry.key.text,
        "kind": PROPERTY,
        "range": range_of(span),
        "selectionRange": range_of(entry.key.span),
        "children": children,
    }


def stretches(root: Node) -> Iterator[Span]:
    """Yield the ranges of a document that can be folded: keys with their values, and items of lists."""
    for node in within(root):
        if isinstance(node, Mapping):
            yield from (one.key.span.to(one.value.span) for one in node.entries)
        elif isinstance(node, Sequence):
            yield from (one.span for one in node.items)


def last_line(span: Span) -> int:
    """Return the line of the last character of a range that is not blank."""
    return span.source.position(span.start + max(0, len(span.text.rstrip()) - 1))[0]
