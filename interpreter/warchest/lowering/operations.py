"""Operations: the few dozen codes that values and conditions of the rules are lowered to.

An operation has a code and operands, which are other operations or fixed. Everything is a whole number: -1 is nothing,
a condition is 0 or 1. Each machine has a text for each code (`engine/evaluation.py`, `native/expressions.py`), and
that is all it knows of them; the meaning of the rules is in `expression_lowering.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from warchest.ir import values as ir

CODES = {
    "number": "a fixed number",
    "variable": "a variable of the frame, of a set or of an event, by its number",
    "cell": "a cell of the memory by its place",
    "cell of": "the cell of a space, a player or a team: the first one, and whose it is",
    "cell of piece": "the cell of a piece: that of the first piece, the piece, and how far pieces are from each other",
    "read": "the contents of a cell",
    "field": "the contents of the cell of a field, with the number of the field",
    "last known": "the contents of the cell of a piece, or of a gone one what its code tells",
    "present": "a piece, or no piece if it has gone",
    "entry": "an entry of a row of numbers by its place; nothing has no entry",
    "turned": "a number of a circle, moved on by some steps: the number, the steps, how many there are",
    "document of token": "the document of a token, with the number of documents",
    "bearing": "the direction of the straight line from one space to another",
    "distance": "the number of steps from one space to another",
    "trek": "the number of steps and turns from one space to another: the space, the heading, the goal",
    "sheet": "an entry of a table of the documents: the table, the document",
    "raised": "a number with the bonuses of a piece, which are in a cell",
    "sum": "a sum of terms, after their signs",
    "at least": "the greater one of a number and a value",
    "trail step": "a part of a step of a trail: the cell, the field, whose it is, the part (first: -1)",
    "trail more": "a trail with one more step, after the cell: the parts of the step",
    "trail less": "a trail without its latest step, after the cell: how many parts a step has",
    "per document": "the value of the first case whose document the first one is; numbers, the other value, the cases",
    "per bearer": "the same for the documents that a piece bears, after whether it can have gone",
    "size": "the number of members of a set",
    "==": "two numbers are equal",
    "!=": "two numbers are not equal",
    "<": "the first number is less",
    "<=": "the first number is not greater",
    ">": "the first number is greater",
    ">=": "the first number is not less",
    "differ": "it is not so that two numbers are equal",
    "every": "all conditions hold",
    "some": "one of the conditions holds",
    "not": "a condition does not hold",
    "exists": "a set has a member",
    "tagged": "a space bears a tag of the board",
    "listed": "a document lists a space under a key",
    "one of": "a number is one of some",
    "bears": "a piece bears a document; the last operand tells whether the piece can have gone",
    "upheld": "something that a piece has is by another piece: that one, the piece, the document",
    "held": "a token lies in one of some holders",
    "apart": "two spaces are from a least to a greatest number of steps apart",
    "in line": "two such spaces are in a straight line",
    "in direction": "two such spaces are in a straight line of one direction",
    "open line": "all spaces between two in a straight line fit: the spaces, the variable, the condition",
    "open way": "a way of so many steps leads through spaces that fit",
    "under way": "an event of a verb is under way that fits: the verb, its depth, the condition",
    "caused": "an event of one of some verbs ordered the act: the verbs, the agent, the document, the acting piece",
    "anybody": "no agent that is asked for",
}
"""The codes with their meanings. A code of several operands names them in their order."""


class Operation(NamedTuple):
    """An operation: its code, and the operands."""

    code: str
    operands: tuple[Operand, ...] = ()


Operand: TypeAlias = "Operation | int | str | tuple[int | str, ...] | ir.Var | ir.Set | tuple[ir.Holder, ...]"


def _sum(signs: tuple[int, ...], *terms: str) -> str:
    signed = (("+ " if sign > 0 else "- ") + term for sign, term in zip(signs, terms, strict=True))
    return f"({' '.join(signed)})"


COMMON_TEXTS: dict[str, Callable[..., str]] = {
    "cell": "{}".format,
    "cell of": "{} + {}".format,
    "cell of piece": "{} + {} * {}".format,
    "read": "m[{}]".format,
    "raised": "({} + m[{}])".format,
    "sum": _sum,
}
"""The texts of operations that are the same in Python and in C."""
