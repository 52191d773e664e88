"""One meaning for one name of a type: no two classes, aliases or type variables of the package are called the same."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

import pytest
from conventions_support import modules, nodes_of, tree_of

pytestmark = pytest.mark.quick


def is_type(value: ast.expr) -> bool:
    """Whether an assigned value is a type, as far as its form shows: `list[int]`, `A | B`, `TypeVar(…)`."""
    if isinstance(value, ast.Subscript):
        return is_type(value.value)
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.BitOr):
        return is_type(value.left)
    if isinstance(value, ast.Call):
        return getattr(value.func, "id", "") in {"TypeVar", "NewType", "NamedTuple"}
    name = value.attr if isinstance(value, ast.Attribute) else getattr(value, "id", "")
    return name[:1].isupper() or name in {"bool", "bytes", "dict", "frozenset", "int", "list", "set", "str", "tuple"}


def types_of(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The types that a module defines, with their lines; private ones count too, and the underscore does not."""
    for node in nodes_of(tree):
        if isinstance(node, ast.ClassDef):
            yield node.lineno, node.name.lstrip("_")
    for node in tree.body:
        target: ast.expr | None = None
        value: ast.expr | None = None
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], node.value
        elif isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias":
            target, value = node.target, node.value
        if isinstance(target, ast.Name) and value is not None and is_type(value):
            name = target.id.lstrip("_")
            if name[:1].isupper() and not name.isupper() and "_" not in name:
                yield node.lineno, name


def with_two_meanings(trees: Mapping[str, ast.Module]) -> list[str]:
    """The names that several places define, with these places."""
    found: dict[str, list[str]] = {}
    for module, tree in trees.items():
        for line, name in types_of(tree):
            found.setdefault(name, []).append(f"{module}:{line}")
    return [f"{name}: {', '.join(places)}" for name, places in sorted(found.items()) if len(places) > 1]


def test_a_type_has_a_name_of_its_own() -> None:
    assert with_two_meanings({name: tree for name, (_, tree) in modules().items()}) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("class Frame: ...", "class Frame: ..."),
        ("class Frame: ...", "class _Frame: ..."),
        ("class Frame: ...", "def f():\n    class Frame: ..."),
        ("Frame = tuple[int, int]", "Frame: TypeAlias = list[int]"),
        ("class Frame: ...", "Frame = Left | Right"),
        ("class Frame: ...", 'Frame = TypeVar("Frame")'),
    ],
)
def test_a_planted_pair_is_found(one: str, other: str) -> None:
    assert len(with_two_meanings({"one.py": tree_of(one), "other.py": tree_of(other)})) == 1


def test_names_of_other_values_may_be_equal() -> None:
    one = tree_of("from a import Frame\nMOST = 3\n\nclass Left: ...\n")
    other = tree_of("from a import Frame\nMOST = 4\nLeft_ = 3\nframe = Frame\n")
    assert with_two_meanings({"one.py": one, "other.py": other}) == []
