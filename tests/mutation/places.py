"""Where in its module a change is: the lines that run it, and the function that is exchanged for it."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from types import CodeType

from mutation.mutants import Mutant

Function = ast.FunctionDef | ast.AsyncFunctionDef
NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True)
class Site:
    """The lines of the statement, or of its head, that is changed, and the outermost function around it."""

    lines: tuple[str, ...]
    """Each as `file:line`; none where it is run by the import of the module."""
    first: int
    """The first line of the code of the function; 0 where there is none whose code could be exchanged."""
    nested: bool
    """Whether it is in a function of this function."""


def site(mutant: Mutant, text: bytes) -> Site:
    """Return where a change of a module is."""
    line = text[: mutant.place[0]].count(b"\n") + 1
    chain: list[ast.stmt | ast.match_case] = []
    node: ast.AST = ast.parse(text)
    while True:
        parts = [one for one in ast.iter_child_nodes(node) if isinstance(one, ast.stmt | ast.match_case)]
        here = next((one for one in parts if _first(one) <= line <= _last(one)), None)
        if here is None:
            break
        chain.append(here)
        node = here
    functions = [one for one in chain[:-1] if isinstance(one, Function)]
    if not functions:
        return Site((), 0, False)
    lines = tuple(f"{mutant.file}:{number}" for number in _head(chain[-1]))
    inner = ast.walk(chain[-1])
    nested = len(functions) > 1 or any(isinstance(one, NESTED) and one.lineno <= line <= _last(one) for one in inner)
    first = min(one.lineno for one in (functions[0], *functions[0].decorator_list))
    before, after = (function_at(first, changed, mutant.file) for changed in (text, mutant.changed(text)))
    return Site(lines, first if before.co_freevars == after.co_freevars else 0, nested)


def function_at(first: int, text: bytes, path: str) -> CodeType:
    """Return the code of the function that begins with a line of a module."""
    codes = [compile(text, path, "exec", dont_inherit=True)]
    for code in codes:
        codes += [one for one in code.co_consts if isinstance(one, CodeType)]
    (found,) = (one for one in codes if one.co_firstlineno == first and "<" not in one.co_name)
    return found


def _head(part: ast.stmt | ast.match_case) -> range:
    body = getattr(part, "body", None)
    last = max(_first(part), body[0].lineno - 1) if isinstance(body, list) else _last(part)
    return range(_first(part), last + 1)


def _first(part: ast.stmt | ast.match_case) -> int:
    return part.pattern.lineno if isinstance(part, ast.match_case) else part.lineno


def _last(part: ast.AST) -> int:
    found = part.body[-1].end_lineno if isinstance(part, ast.match_case) else getattr(part, "end_lineno", 0)
    return found or 0
