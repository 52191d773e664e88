"""Modules that import each other in a circle, also only for types: a knot without a place to begin reading."""

from __future__ import annotations

import ast
from collections.abc import Mapping

import pytest
from conventions_support import modules, nodes_of, tree_of


def imports_of(tree: ast.Module) -> set[str]:
    """Return the modules of the package that a module imports, also where only the type checker does."""
    found = set()
    for node in nodes_of(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("warchest"):
            found.add(node.module or "")
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.startswith("warchest")}
    return found


def circles(graph: Mapping[str, set[str]]) -> list[set[str]]:
    """Return the sets of nodes that all lead to each other, of two nodes and more (Tarjan)."""
    numbers: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found: list[set[str]] = []

    def look(node: str) -> None:
        numbers[node] = lowest[node] = len(numbers)
        stack.append(node)
        for other in sorted(graph[node]):
            if other not in numbers:
                look(other)
                lowest[node] = min(lowest[node], lowest[other])
            elif other in stack:
                lowest[node] = min(lowest[node], numbers[other])
        if lowest[node] == numbers[node]:
            place = stack.index(node)
            together = set(stack[place:])
            del stack[place:]
            if len(together) > 1:
                found.append(together)

    for node in sorted(graph):
        if node not in numbers:
            look(node)
    return found


def graph_of_the_package() -> dict[str, set[str]]:
    trees = {f"warchest.{name.removesuffix('.py').replace('/', '.')}": tree for name, (_, tree) in modules().items()}
    return {name: (imports_of(tree) & trees.keys()) - {name} for name, tree in trees.items()}


def test_nothing_imports_itself_in_a_circle() -> None:
    assert circles(graph_of_the_package()) == []


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": set()}, []),
        ({"a": {"b"}, "b": {"c"}, "c": {"a"}}, [{"a", "b", "c"}]),
        ({"a": {"b"}, "b": {"a"}, "c": {"d"}, "d": {"c", "a"}}, [{"a", "b"}, {"c", "d"}]),
    ],
)
def test_circles_are_found(graph: dict[str, set[str]], expected: list[set[str]]) -> None:
    assert circles(graph) == expected


def test_imports_for_types_count() -> None:
    text = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from warchest.engine.runs import Run\n"
    assert "warchest.engine.runs" in imports_of(tree_of(text))
