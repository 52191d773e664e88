"""The modules of the package as trees and tokens."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "interpreter" / "warchest"
MODULES = sorted(PACKAGE.rglob("*.py"))
T = TypeVar("T")
_TEXT_TOKENS = {tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}


def name_of(file: Path) -> str:
    """A module's path within the package."""
    return file.relative_to(PACKAGE).as_posix()


@cache
def tree_of(text: str) -> ast.Module:
    """The tree of a module, which all tests share."""
    return ast.parse(text)


@cache
def modules() -> dict[str, tuple[str, ast.Module]]:
    """The text and the tree of each module, by its path within the package."""
    texts = {name_of(file): file.read_text(encoding="utf-8") for file in MODULES}
    return {name: (text, tree_of(text)) for name, text in texts.items()}


def found_in_modules(look: Callable[[str, str, ast.Module], T]) -> dict[str, T]:
    """The findings of a check of the name, the text and the tree of each module, without empty ones."""
    found = {name: look(name, *module) for name, module in modules().items()}
    return {name: faults for name, faults in found.items() if faults}


@cache
def nodes_of(tree: ast.Module) -> list[ast.AST]:
    """The nodes of a module, in the order of `ast.walk`, which takes longer than most tests of them."""
    return list(ast.walk(tree))


@lru_cache(maxsize=1)
def tokens_of(text: str) -> list[tokenize.TokenInfo]:
    return list(tokenize.generate_tokens(io.StringIO(text).readline))


@cache
def docstrings(tree: ast.Module) -> set[tuple[int, int]]:
    """The places of texts that are statements: docstrings, also those of variables."""
    return {
        (node.value.lineno, node.value.col_offset)
        for node in nodes_of(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    }


def spoken(text: str) -> Iterator[tuple[int, str]]:
    """The names and texts of a module outside docstrings, with their lines."""
    left_out = docstrings(tree_of(text))
    for token in tokens_of(text):
        is_text = token.type in _TEXT_TOKENS and token.start not in left_out
        if token.type == tokenize.NAME or is_text:
            yield token.start[0], token.string
