"""Short ways to parse and to name findings, for the tests of this folder."""

from __future__ import annotations

from typing import Any

import yaml  # type: ignore[import-untyped]

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.source.nodes import Mapping, Node, Scalar
from warchest.source.text import Source
from warchest.source.yaml import parse

LOADERS: list[Any] = [yaml.SafeLoader]
if yaml.__with_libyaml__:
    LOADERS.append(yaml.CSafeLoader)


def read(text: str, loader: Any = None) -> tuple[list[Node], list[Diagnostic]]:
    return parse(Source("a.yaml", text), loader)


def clean(text: str, loader: Any = None) -> Node:
    """The root of a text without findings."""
    roots, found = read(text, loader)
    assert found == [], names(found)
    assert len(roots) == 1
    return roots[0]


def names(found: list[Diagnostic]) -> list[str]:
    return [one.name for one in found]


def blocks(node: Node) -> list[Scalar]:
    """All literal blocks, in the order of the file."""
    if isinstance(node, Scalar):
        return [node] if node.block is not None else []
    children = [e.value for e in node.entries] if isinstance(node, Mapping) else list(node.items)
    return [block for child in children for block in blocks(child)]
