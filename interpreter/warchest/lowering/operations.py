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
    "all spaces": "every space",
    "ring": "the spaces from a least to a greatest number of steps from one",
    "rays": "the same in any straight line",
    "ray": "the same in a straight line of one direction",
    "tagged spaces": "the spaces that bear a tag",
    "listed spaces": "the spaces that a document lists under a key",
    "one space": "the space alone, or none for nothing",
    "spaces apart": "the spaces from which, or else to which, a place is so far: from which, least, greatest, the place",
    "spaces in line": "those in a straight line",
    "spaces in direction": "those in a straight line of one direction",
    "occupied": "the spaces where pieces of some kinds are",
    "reached": "the spaces to which a way of so many steps leads through a set of spaces",
    "pieces": "the pieces of some kinds",
    "pieces of": "the pieces that bear a document, by its number",
    "pieces on": "the pieces on a space",
    "pieces in": "the pieces on a set of spaces",
    "pieces near": "the pieces at least, and at most, so many steps from a space: one step at most",
    "without": "what a set of bits does not have",
    "both": "what several sets of bits have",
    "either": "what any of several sets of bits has",
    "tokens": "the different tokens in some holders",
    "everywhere": "the different tokens that a noun is for",
    "everyone": "all players, teams or directions",
    "beside": "the directions that are beside one, in some ways",
}
"""The codes with their meanings. A code of several operands names them in their order."""


class Operation(NamedTuple):
    """An operation: its code, and the operands."""

    code: str
    operands: tuple[Operand, ...] = ()


class Search(NamedTuple):
    """How the members of a set are found: the variable for one, and the source, which lists all that can be members."""

    variable: Operation
    source: Operation
    within: tuple[Operation, ...]
    """Sets of bits that have the members in common; without any, these are found in the source."""
    fixed: tuple[Operation, ...]
    """The conditions that hold of all members or of none."""
    tests: tuple[Operation, ...]
    """The conditions that are tested of each member."""
    of: Operation | None = None
    """The space on which all members are, or the document that all are tokens of, where that is known."""

    @property
    def are_tokens(self) -> bool:
        """Whether the members are tokens."""
        return self.source.code in ("tokens", "everywhere")


Operand: TypeAlias = "Operation | Search | int | str | tuple[int | str, ...] | tuple[ir.Holder, ...]"


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
    "without": "~({})".format,
    "both": lambda *sets: f"({' & '.join(sets)})",
    "either": lambda *sets: f"({' | '.join(sets)})",
}
"""The texts of operations that are the same in Python and in C."""
