"""Possible changes of a module: one operator, one constant, one statement, or the branches of one condition."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random

PACKAGE = Path(__file__).parents[2] / "interpreter" / "warchest"
FOLDERS = ("engine", "lowering", "resolve")
EXCUSES = Path(__file__).parent / "excuses.json"
COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}
Place = tuple[int, int]
"""Where a change begins and ends in a text, in bytes."""


@dataclass(frozen=True)
class Mutant:
    """A change of a module: its file within the package, the place, and the new text."""

    file: str
    kind: str
    place: Place
    new: str

    def changed(self, text: bytes) -> bytes:
        """Return the text of the module with the change."""
        return text[: self.place[0]] + self.new.encode() + text[self.place[1] :]

    def told(self, text: bytes) -> dict[str, str]:
        """Return the change as the list of excuses has it: it holds wherever the lines are in the file."""
        begin = text.rfind(b"\n", 0, self.place[0]) + 1
        end = (text + b"\n").find(b"\n", self.place[1])
        after = text[begin : self.place[0]] + self.new.encode() + text[self.place[1] : end]
        return {"file": self.file, "old": _flat(text[begin:end]), "new": _flat(after)}


def _flat(lines: bytes) -> str:
    return " ".join(lines.decode().split())


def mutants_in(file: str, text: bytes) -> list[Mutant]:
    """Return all changes of a module that can be made, in the order of their places."""
    tree = ast.parse(text)
    lines = [0]
    for line in text.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    finder = _Finder(text, lines)
    found = [Mutant(file, *change) for node in _running(tree) for change in finder.changes(node)]
    return sorted(found, key=lambda one: (one.place, one.new))


def _running(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a tree that mean something when it runs: no annotation, assertion, message or decorator."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list") or isinstance(node, ast.Assert | ast.Raise):
            continue
        for child in value if isinstance(value, list) else [value]:
            checks = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
            strict = isinstance(child, ast.keyword) and child.arg == "strict"
            if isinstance(child, ast.AST) and not checks and not strict:
                yield from _running(child)


@dataclass(frozen=True)
class _Finder:
    """A function that finds the changes of a part of a tree."""

    text: bytes
    lines: list[int]

    def changes(self, node: ast.AST) -> Iterator[tuple[str, Place, str]]:
        """Yield the kind, the place and the new text of each change of a part."""
        match node:
            case ast.Compare():
                for (left, right), op in zip(pairwise((node.left, *node.comparators)), node.ops, strict=True):
                    yield from self._between("comparison", left, right, *COMPARISONS[type(op)])
            case ast.BoolOp():
                words = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
                yield from self._between("and, or", node.values[0], node.values[1], *words)
            case ast.BinOp(op=ast.Add() | ast.Sub(), right=ast.Constant(value=int())):
                signs = ("+", "-") if isinstance(node.op, ast.Add) else ("-", "+")
                yield from self._between("plus, minus", node.left, node.right, *signs)
            case ast.UnaryOp(op=ast.Not()):
                yield "not", (self._begin(node), self._begin(node) + len("not")), ""
            case ast.Constant(value=bool()):
                yield "truth", self._place(node), str(not node.value)
            case ast.If(test=ast.UnaryOp()) | ast.IfExp(test=ast.UnaryOp()):
                pass  # Its `not` is taken away.
            case ast.If() | ast.IfExp():
                begin, end = self._place(node.test)
                yield "branches", (begin, end), f"not ({self.text[begin:end].decode()})"
            case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Continue() | ast.Break():
                yield "statement", self._place(node), "pass"
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
                yield "statement", self._place(node), "pass"

    def _between(
        self, kind: str, left: ast.expr, right: ast.expr, old: str, new: str
    ) -> Iterator[tuple[str, Place, str]]:
        begin, end = self._place(left)[1], self._begin(right)
        at = self.text.find(old.encode(), begin, end)
        yield kind, (at, at + len(old)), new

    def _place(self, node: ast.expr | ast.stmt) -> Place:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self._begin(node), self.lines[node.end_lineno - 1] + node.end_col_offset

    def _begin(self, node: ast.expr | ast.stmt) -> int:
        return self.lines[node.lineno - 1] + node.col_offset


@cache
def excuses() -> list[dict[str, str]]:
    """Return the changes that make no difference, each with the reason."""
    found: list[dict[str, str]] = json.loads(EXCUSES.read_text(encoding="utf-8"))
    return found


def is_excused(mutant: Mutant, text: bytes) -> bool:
    """Whether a change is in the list of excuses."""
    told = mutant.told(text)
    return any(told.items() <= one.items() for one in excuses())


def drawn(seed: int, count: int, folders: Sequence[str] = FOLDERS) -> list[Mutant]:
    """Return a number of changes of the modules in some folders, by a seed, without those that are excused.

    In place of one that is excused a further one is drawn; the others stay the same.
    """
    found = [one for folder in folders for one in _mutants_below(folder)]
    rng, drawn, chosen = Random(seed), set[int](), list[Mutant]()
    while len(chosen) < count and len(drawn) < len(found):
        number = rng.randrange(len(found))
        if number not in drawn and not is_excused(found[number], (PACKAGE / found[number].file).read_bytes()):
            chosen.append(found[number])
        drawn.add(number)
    return chosen


@cache
def _mutants_below(folder: str) -> list[Mutant]:
    paths = sorted((PACKAGE / folder).rglob("*.py"))
    return [one for path in paths for one in mutants_in(path.relative_to(PACKAGE).as_posix(), path.read_bytes())]
