"""Operations: the few dozen codes that values and conditions of the rules are lowered to.

An operation has a code and operands, which are other operations or constants. All values are integers: -1 for nothing,
0 or 1 for a condition. Each machine has a text for each code (`engine/evaluation.py`, `native/expressions.py`), and
needs nothing else; the meaning of the rules is in `expression_lowering.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

WORDS = {
    "number": "{0}",
    "variable": "v{0}",
    "cell": "the game",
    "cell of": "{1}",
    "cell of piece": "{1}",
    "field": "{1:field} of {0}",
    "attribute": "{1} of {0}",
    "last known": "last {2} of {1}",
    "present": "present {0}",
    "team": "team of {0}",
    "turned": "{0} turned by {1} of {2}",
    "document of token": "document of {0}",
    "bearing": "bearing from {0} to {1}",
    "distance": "distance from {0} to {1}",
    "trek": "trek from {0} facing {1} to {2}",
    "raised": "({0} raised for {1})",
    "sheet": "{0} on {1}",
    "sum": "{0}, {1}",
    "at least": "max({0}, {1})",
    "trail step": "step {3} of {1:field} of {0}",
    "trail more": "{1:field} of {0} and {2}",
    "trail less": "{1:field} of {0} without the latest {2}",
    "per document": "({2} by {0} as {1:document})",
    "per bearer": "({3} by {1} as bearer of {2:document})",
    "size": "size of {0}",
    # conditions
    **{how: f"{{0}} {how} {{1}}" for how in ("==", "!=", "<", "<=", ">", ">=")},
    "differ": "{0} != {1}",
    "not": "not {0}",
    "exists": "any {0}",
    "every": "{0}",
    "some": "{0}",
    "tagged": "{1} is tagged {0}",
    "listed": "{2} is in {0} of {1}",
    "of kind": "{0} is {1:kind}",
    "bears": "{0} bears {1:document}",
    "upheld": "{0} upholds {2:document} of {1}",
    "held": "{0} is in {1}",
    "apart": "{2} is {0} to {1} from {3}",
    "in line": "{2} is {0} to {1} in line from {3}",
    "in direction": "{2} is {0} to {1} to the {4} from {3}",
    "open line": "line from {0} to {1} by {2} where {3}",
    "open way": "way of {2} from {0} to {1} by {3} where {4}",
    "under way": "{0:verb} {1} under way where {2}",
    "caused": "caused by {0:verb} of {1} with {2:document}, acting {3}",
    "anybody": "anybody",
    # sets
    "all spaces": "all spaces",
    "ring": "spaces {0} to {1} from {2}",
    "rays": "spaces {0} to {1} in line from {2}",
    "ray": "spaces {0} to {1} to the {3} from {2}",
    "tagged spaces": "spaces tagged {0}",
    "listed spaces": "spaces in {0} of {1}",
    "one space": "space {0}",
    "spaces apart": "spaces {1} to {2} from {3}",
    "spaces in line": "spaces {1} to {2} in line from {3}",
    "spaces in direction": "spaces {1} to {2} to the {4} from {3}",
    "occupied": "spaces of {0:kind}",
    "reached": "spaces within a way of {1} from {0} through {2}",
    "pieces": "{0:kind}",
    "pieces of": "bearers of {0:document}",
    "pieces on": "pieces on {0}",
    "pieces in": "pieces on any of {0}",
    "pieces near": "pieces {0} to {1} from {2}",
    "without": "not {0}",
    "both": "{0}",
    "either": "{0}",
    "tokens": "tokens in {0}",
    "everywhere": "all {0}",
    "everyone": "every {0}",
    "beside": "{0} of {1}",
}
"""The codes, each with its operands in words; an operand with a noun is the number of such a thing."""
JOINING = {"every": "and", "some": "or", "both": "&", "either": "|"}
GATHERED = {"trail more": 2, "per document": 2, "per bearer": 3, "pieces": 0, "occupied": 0}
"""The operations that end with any number of operands, each with the number of its other operands."""


class Operation(NamedTuple):
    """An operation: its code, and the operands."""

    code: str
    operands: tuple[Operand, ...] = ()


class HolderRows(NamedTuple):
    """Rows of holders of tokens: `faces` consecutive ones for each owner, from `first` on, `apart` from owner to owner.

    The owners are players or teams, or, for the tokens in pieces, the pieces; a zone of the game has one row.
    """

    zone: str
    """The name of the zone; empty for pieces."""
    whose: Operation | None
    """The owner of the holders; None for those of every owner."""
    first: int
    apart: int
    faces: int
    owners: int
    documents: tuple[int, int]
    """The possible documents of the tokens there: the first, and the one after the last."""

    def rows(self) -> list[range]:
        """Return the numbers of the holders of each owner."""
        starts = (self.first + owner * self.apart for owner in range(self.owners))
        return [range(start, start + self.faces) for start in starts]


class SetSearch(NamedTuple):
    """The search for the members of a set: the variable for one, and the source, which has all possible members."""

    variable: Operation
    source: Operation
    within: tuple[Operation, ...]
    """Sets of bits whose intersection has all members; without any, these are found in the source."""
    fixed: tuple[Operation, ...]
    """The conditions that hold for all members or for none."""
    tests: tuple[Operation, ...]
    """The conditions that are tested for each member."""
    of: Operation | None = None
    """The common space of all members, or the common document of all tokens, if it is known."""
    notes: tuple[Operation, ...] = ()
    """The operations that note the members together, on a machine with probes (see `probes.py`)."""

    @property
    def are_tokens(self) -> bool:
        """Whether the members are tokens."""
        return self.source.code in ("tokens", "everywhere")


Operand: TypeAlias = (
    "Operation | SetSearch | int | str | tuple[int | str, ...] | tuple[tuple[int, ...], ...] | tuple[HolderRows, ...]"
)


def _sum(signs: tuple[int, ...], *terms: str) -> str:
    signed = (("+ " if sign > 0 else "- ") + term for sign, term in zip(signs, terms, strict=True))
    return f"({' '.join(signed)})"


COMMON_TEXTS: dict[str, Callable[..., str]] = {
    "cell": "{}".format,
    "cell of": "{} + {}".format,
    "cell of piece": "{} + {} * {}".format,
    "attribute": "m[{0}]".format,
    "raised": "({} + m[{}])".format,
    "sum": _sum,
    "without": "~({})".format,
    "both": lambda *sets: f"({' & '.join(sets)})",
    "either": lambda *sets: f"({' | '.join(sets)})",
}
"""The texts of operations that are the same in Python and in C."""
