"""No production is incomplete: every node is read by the checker, and every rule value and step by the machine."""

from __future__ import annotations

import ast as python
from dataclasses import is_dataclass
from functools import cache
from pathlib import Path

import pytest
from syntax_support import ROOT, node_classes

from warchest.ir import steps, values
from warchest.syntax.build import _NODES

PACKAGE = ROOT / "interpreter" / "warchest"

READ_BY_FIELD = {
    "AllPass": "read through `.until.word` of a window",
    "Arguments": "read through `.arguments` of what has them",
    "Count": "read through `.count.low` and `.count.high`",
    "Limit": "read through `.limit.times` and `.limit.per`",
    "RolePhrase": "read through `.roles` of the arguments",
}
"""Nodes that occur in one place only, so that no `case` needs to name them."""


LEFT_OVER = {
    "Code": "handed over whole, and read field by field",
    "Set": "handed over whole, and read field by field",
    "InZone": "what a holder is that is not a piece",
    "Usual": "`asked_roles` of the rules finds the roles that it leaves open",
    "Open": "what a role is filled with where nothing fills it",
}
"""Classes of the rules that the machine knows without naming them."""


@cache
def named(folder: Path, *modules: str) -> set[str]:
    """Names of classes that the code of a folder distinguishes or builds: `ir.Name(…)`, `case ir.Name`, isinstance.

    Annotations do not count: they describe the input, not its use.
    """
    found = set()
    for file in sorted(folder.glob("*.py")):
        for node in python.walk(_without_annotations(python.parse(file.read_text(encoding="utf-8")))):
            match node:
                case python.Attribute(python.Name(module), attribute) if module in modules:
                    found.add(attribute)
    return found


class _NoAnnotations(python.NodeTransformer):
    def visit_arg(self, node: python.arg) -> python.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: python.AnnAssign) -> python.AST | None:
        return python.Expr(node.value) if node.value is not None else None

    def visit_FunctionDef(self, node: python.FunctionDef) -> python.AST:
        node.returns = None
        return self.generic_visit(node)


def _without_annotations(tree: python.Module) -> python.AST:
    return _NoAnnotations().visit(tree)


def test_every_node_is_read_by_the_checker() -> None:
    read = named(PACKAGE / "resolve", "ast")
    classes = {one.__name__ for one in node_classes()}
    assert classes - read - READ_BY_FIELD.keys() == set()
    assert READ_BY_FIELD.keys() <= classes


@pytest.mark.parametrize("name", READ_BY_FIELD)
def test_fields_are_read(name: str) -> None:
    told = {"AllPass": "until", "Arguments": "arguments", "Count": "count", "Limit": "limit", "RolePhrase": "roles"}
    attribute = told[name]
    texts = [file.read_text(encoding="utf-8") for file in (PACKAGE / "resolve").glob("*.py")]
    assert any(f".{attribute}" in text for text in texts)


@pytest.mark.parametrize("name", sorted(one.__name__ for one in node_classes()))
def test_every_node_is_built_and_printed(name: str) -> None:
    """The parser builds it and the printer knows it (`test_printer` shows that both do it rightly)."""
    assert name in named(PACKAGE / "syntax", "ast") | READ_BY_FIELD.keys()
    assert name in built()


@cache
def built() -> set[str]:
    """Names of all that the builder of trees calls as an attribute, or makes of the parts of a production."""
    builder = python.parse((PACKAGE / "syntax" / "build.py").read_text(encoding="utf-8"))
    return {made.__name__ for made in _NODES.values() if isinstance(made, type)} | {
        call.func.attr
        for call in python.walk(builder)
        if isinstance(call, python.Call) and isinstance(call.func, python.Attribute)
    }


@pytest.mark.parametrize("module", [values, steps], ids=["values", "steps"])
def test_every_class_of_the_rules_is_known_to_the_machine(module: object) -> None:
    classes = {
        name
        for name, one in vars(module).items()
        if isinstance(one, type) and is_dataclass(one) and one.__module__ == module.__name__  # type: ignore[attr-defined]
    }
    abstract = {"Ordered"}
    known = named(PACKAGE / "lowering", "ir", "values", "steps") | named(PACKAGE / "engine", "ir", "values", "steps")
    assert classes - known - abstract - LEFT_OVER.keys() == set()


def test_a_missing_class_would_be_seen(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("def read(node: ir.Left) -> ir.Right:\n    return ir.Built(node)\n")
    assert named(tmp_path, "ir") == {"Built"}
