"""Marked YAML: a document as scalars, mappings and sequences with their places.

Spans take no part in equality, so two documents are equal if they have the same content in the same styles.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Literal, TypeAlias

from warchest.source.records import record
from warchest.source.text import Span

ScalarStyle: TypeAlias = Literal["plain", "single", "double", "literal", "folded"]


@record()
class Scalar:
    """A single value, as text, without any guess about its type.

    `block` is set for a literal block only: the span of its content in the file, from the start of the line after the
    marker to the end of the block, indentation included.
    """

    text: str
    style: ScalarStyle
    span: Span = field(compare=False, repr=False)
    block: Span | None = field(default=None, compare=False, repr=False)

    @property
    def is_absent(self) -> bool:
        """Whether nothing was written at all (`key:` with no value)."""
        return self.style == "plain" and not self.text


@record()
class Entry:
    """A key of a mapping and its value."""

    key: Scalar
    value: Node


@record()
class Mapping:
    """Keys with values, in the order of the file. A key given twice is found by the parser and kept here."""

    entries: tuple[Entry, ...]
    span: Span = field(compare=False, repr=False)

    def entry(self, name: str) -> Entry | None:
        """Return the first entry whose key is `name`, or None."""
        for entry in self.entries:
            if entry.key.text == name:
                return entry
        return None

    def get(self, name: str) -> Node | None:
        """Return the value of the first key `name`, or None."""
        entry = self.entry(name)
        return entry.value if entry is not None else None


@record()
class Sequence:
    """Items in the order of the file."""

    items: tuple[Node, ...]
    span: Span = field(compare=False, repr=False)


Node: TypeAlias = Scalar | Mapping | Sequence


def within(root: Node | None) -> Iterator[Node]:
    """Yield a node and all nodes in it, keys included, in the order of the file."""
    left = [root] if root is not None else []
    while left:
        node = left.pop()
        yield node
        if isinstance(node, Mapping):
            left += [part for entry in reversed(node.entries) for part in (entry.value, entry.key)]
        elif isinstance(node, Sequence):
            left += reversed(node.items)


def blocks(root: Node | None) -> Iterator[Span]:
    """Yield the contents of the literal blocks in a node."""
    yield from (node.block for node in within(root) if isinstance(node, Scalar) and node.block is not None)


def entries(node: Node | None) -> tuple[Entry, ...]:
    """Return the entries of a mapping; none of anything else."""
    return node.entries if isinstance(node, Mapping) else ()


def scalars(node: Node | None) -> Iterator[Scalar]:
    """Yield a scalar, or those of a list."""
    if isinstance(node, Scalar):
        yield node
    for item in node.items if isinstance(node, Sequence) else ():
        if isinstance(item, Scalar):
            yield item


def items(node: Node | None) -> list[Mapping]:
    """Return the mappings among the items of a list."""
    return [item for item in node.items if isinstance(item, Mapping)] if isinstance(node, Sequence) else []
