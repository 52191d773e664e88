"""The shape of the code: short modules, short functions, every public thing documented, telling names."""

from __future__ import annotations

import ast
from functools import lru_cache
from statistics import median

import pytest
from conventions_support import MODULES, PACKAGE, found_in_modules, modules, name_of, nodes_of, tree_of

pytestmark = pytest.mark.quick

MAX_MODULE, MAX_MEDIAN = 900, 250
"""A mutual recursion is in one file, however long it is; most files are short all the same."""
MAX_FUNCTION = 40
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "manager", "managers", "misc", "common_utils"}
Defined = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def function_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """How many lines a function has, decorators and docstring not counted."""
    assert node.end_lineno is not None
    lines = node.end_lineno - node.lineno + 1
    if ast.get_docstring(node) is not None:
        first = node.body[0]
        assert first.end_lineno is not None
        lines -= first.end_lineno - first.lineno + 1
    return lines


def long_functions(tree: ast.Module) -> list[str]:
    functions = [node for node in nodes_of(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [f"{node.name}:{node.lineno}" for node in functions if function_lines(node) > MAX_FUNCTION]


def methods_of(tree: ast.Module) -> list[tuple[ast.ClassDef, ast.FunctionDef]]:
    classes = [node for node in nodes_of(tree) if isinstance(node, ast.ClassDef)]
    return [(one, node) for one in classes for node in one.body if isinstance(node, ast.FunctionDef)]


@lru_cache(maxsize=1)
def documented_methods() -> frozenset[tuple[str, str]]:
    """The folder and name of each method that says what it does: what overrides one need not say it again."""
    return frozenset(
        (name.split("/")[0], method.name)
        for name, (_, tree) in modules().items()
        for _, method in methods_of(tree)
        if ast.get_docstring(method) is not None
    )


def overrides(owner: ast.ClassDef | None, node: Defined, name: str) -> bool:
    """Whether a method is in a class with bases, and one of its name in the same folder is documented."""
    return owner is not None and bool(owner.bases) and (name.split("/")[0], node.name) in documented_methods()


def undocumented(tree: ast.Module, name: str) -> list[str]:
    """Public classes, functions and methods without a docstring; private classes answer for their own."""
    found = [] if ast.get_docstring(tree) else ["the module"]
    is_transformer = name == "syntax/build.py"  # one method for each rule of the grammar, called as the rule is

    def look(body: list[ast.stmt], owner: ast.ClassDef | None) -> None:
        for node in body:
            if isinstance(node, Defined) and not node.name.startswith("_"):
                excused = overrides(owner, node, name) or (is_transformer and owner is not None)
                if ast.get_docstring(node) is None and not excused:
                    found.append(f"{owner.name + '.' if owner else ''}{node.name}:{node.lineno}")
                if isinstance(node, ast.ClassDef):
                    look(node.body, node)

    look(tree.body, None)
    return found


def test_modules_and_functions_are_short() -> None:
    assert found_in_modules(lambda _, text, __: text.count("\n") > MAX_MODULE) == {}
    assert {path.name for path in PACKAGE.rglob("*.[ch]") if path.read_text().count("\n") > MAX_MODULE} == set()
    assert found_in_modules(lambda _, __, tree: long_functions(tree)) == {}


def test_all_that_is_public_is_documented() -> None:
    assert found_in_modules(lambda name, _, tree: undocumented(tree, name)) == {}


def test_names_of_modules_have_a_meaning() -> None:
    assert [name_of(file) for file in MODULES if file.stem in EMPTY_NAMES] == []


def test_most_modules_are_short() -> None:
    assert median(text.count("\n") for text, _ in modules().values()) <= MAX_MEDIAN


def test_planted_faults_are_found() -> None:
    long = "def long():\n    '''Say.\n\n    More.\n    '''\n" + "    x = 1\n" * 39
    assert long_functions(tree_of(long)) == []
    assert long_functions(tree_of(long + "    y = 2\n")) == ["long:1"]
    bare = "'''Module.'''\nclass A:\n    '''Doc.'''\n    def f(self): ...\n    def _g(self): ...\ndef h(): ...\n"
    assert undocumented(tree_of(bare), "x.py") == ["A.f:4", "h:6"]
    assert undocumented(tree_of("x = 1"), "x.py") == ["the module"]


def repeated_names(tree: ast.Module) -> list[str]:
    """The names in `__all__` if they are all the module's own: it has a use only where a module hands on others."""
    bound = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    listed = list[str]()
    for node in tree.body:
        named = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        bound |= {one.id for one in named if isinstance(one, ast.Name)}
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            listed = list(ast.literal_eval(node.value))
    return listed if set(listed) <= bound else []


def test_no_module_lists_its_own_names() -> None:
    assert found_in_modules(lambda name, text, tree: repeated_names(tree)) == {}
    assert repeated_names(ast.parse("A = 1\n__all__ = ['A']")) == ["A"]
    assert repeated_names(ast.parse("from b import B\n__all__ = ['B']")) == []
