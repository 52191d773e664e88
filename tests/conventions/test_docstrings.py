"""The prose of docstrings: they begin with a noun or a plain verb, never with a headless relative clause."""

from __future__ import annotations

import ast
import re

import pytest
from conventions_support import docstrings, found_in_modules, nodes_of, tree_of

pytestmark = pytest.mark.quick

HEADLESS = re.compile(
    r"(?:What|Whatever|Who|Whoever|Which|How|"
    r"(?:Return|Yield) (?:what|whatever|who|whoever|which))\b"
)


def headless(tree: ast.Module) -> list[str]:
    """The beginnings of the docstrings, also those of variables, that are headless clauses, with their lines."""
    places = docstrings(tree)
    texts = [one for one in nodes_of(tree) if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return [
        f"{node.lineno}: {found[0]}"
        for node in texts
        if (node.lineno, node.col_offset) in places and (found := HEADLESS.match(node.value.lstrip()))
    ]


def test_docstrings_begin_with_a_noun_or_a_verb() -> None:
    assert found_in_modules(lambda _, __, tree: headless(tree)) == {}


@pytest.mark.parametrize("begins", ["What stands.", "How many.", "Whoever acts.", "Return what is."])
def test_a_planted_clause_is_found(begins: str) -> None:
    told = f"'''{begins}'''\n"
    method = f"    def f(self):\n        '''\n        {begins}'''\n"
    found = headless(tree_of(f"{told}MOST = 1\n{told}class A:\n    {told}{method}"))
    assert len(found) == 4
    assert all(begins.startswith(one.split(": ")[1]) for one in found)


@pytest.mark.parametrize("begins", ["Whether it is.", "However it is.", "Return the player who acts."])
def test_other_docstrings_are_sound(begins: str) -> None:
    assert headless(tree_of(f"'''{begins}'''\nasked = 'What else?'\n")) == []
