"""Removal of entries and items from a YAML text, keeping the layout of all others."""

from __future__ import annotations

from collections.abc import Sequence as ListOf

from warchest.source.nodes import Mapping, Node, Scalar, Sequence, within
from warchest.source.text import Span


def without(root: Node, wanted: Scalar) -> Span | None:
    """Return the part of a text that has an item, or a key with its value, and nothing else.

    `wanted` is the item or the key. If it is the only one of its list or mapping, the key of that is removed, too. The
    result is None if another item or key begins on its line, or if there are comments inside.
    """
    places = _beside(root, wanted)
    if places is None:
        return None
    if len(places[1]) < 2:
        key = _key_of(root, wanted)
        return without(root, key) if key is not None and "#" not in places[0].text else None
    whole, spans = places
    number = next(at for at, one in enumerate(spans) if one.start == wanted.span.start)
    if whole.text[:1] in "[{":
        return _in_flow(spans, number)
    return _in_lines(spans[number], whole)


def _beside(root: Node, wanted: Scalar) -> tuple[Span, list[Span]] | None:
    """Return the place of the list or mapping with an item or key, and the places of all its items or entries."""
    for node in within(root):
        if isinstance(node, Sequence) and any(one is wanted for one in node.items):
            return node.span, [one.span for one in node.items]
        if isinstance(node, Mapping) and any(one.key is wanted for one in node.entries):
            return node.span, [one.key.span.to(one.value.span) for one in node.entries]
    return None


def _key_of(root: Node, only: Scalar) -> Scalar | None:
    """Return the key of the list or mapping whose only item or key is the given one; None if it has no key."""
    for node in within(root):
        for entry in node.entries if isinstance(node, Mapping) else ():
            match entry.value:
                case Sequence(items=(item,)) if item is only:
                    return entry.key
                case Mapping(entries=(inner,)) if inner.key is only:
                    return entry.key
    return None


def _in_flow(spans: ListOf[Span], number: int) -> Span | None:
    span, source = spans[number], spans[number].source
    last = number == len(spans) - 1
    found = source.span(spans[number - 1].end, span.end) if last else source.span(span.start, spans[number + 1].start)
    return None if "#" in found.text else found


def _in_lines(span: Span, whole: Span) -> Span | None:
    text = span.source.text
    start = text.rfind("\n", 0, span.start) + 1
    if text[start : span.start].strip() not in ("", "-") or (start < whole.start and whole.start != span.start):
        return None
    end = span.end if text[: span.end].endswith("\n") else text.find("\n", span.end) + 1
    return span.source.span(start, end or len(text))
