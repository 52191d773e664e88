"""Probes: counters of the events of a program, and the operations that add to them on either machine.

The probed parts of a program are numbered, by their identity; programs without probes pay nothing. `clause_counts.py`
probes the fate of each clause, `obligations.py` all observable facts about it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from warchest.ir import values as ir
from warchest.ir.parts import nodes_in
from warchest.lowering.expression_lowering import ExpressionLowering, cost
from warchest.lowering.layout import Layout
from warchest.lowering.operations import Operation, SetSearch
from warchest.lowering.program import Program

OFF = {">=": -1, "<": -1, ">": 1, "<=": 1}
"""For each comparison, the difference of adjacent numbers whose result is not that of equal ones."""
NOTING = frozenset(("noted", "together", "compared", "near", "used"))
"""The codes of the operations that note a result; a program without probes has none of them."""
ConditionProbes: TypeAlias = tuple[int, int, int, int]
"""The counters of a condition: for true and false, and the same two for mere trials."""


@dataclass(frozen=True, slots=True)
class RangeProbe:
    """The counters for the nearest and the farthest candidates of a range, the two distances, and the origin."""

    numbers: tuple[int, int]
    ends: tuple[int, int]
    origin: ir.Value


@dataclass(slots=True)
class Probes:
    """The probed parts of a program, by their identity, with the numbers of their counters."""

    steps: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Instructions: the counters for being carried out, and for being only tried."""
    offers: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Instructions and hooks with offers: the counters for taken, and for declined ones."""
    conditions: dict[int, ConditionProbes] = field(default_factory=dict)
    edges: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Ranges: the counters for their least and greatest number; comparisons: for equal numbers, and adjacent ones."""
    sizes: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    """Sets: the counters for no member, one, and many."""
    choices: dict[int, list[tuple[int, int, int]]] = field(default_factory=dict)
    """Instructions with a choice: the counters for no candidate, one, and many; those of several clauses."""
    ranges: dict[int, RangeProbe] = field(default_factory=dict)
    """Instructions with a choice within a range."""
    cases: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """Values that documents override: the counter of each case."""
    size: int = 0
    """The number of counters."""

    def __bool__(self) -> bool:
        """Whether there are probed parts."""
        return self.size > 0


Probing: TypeAlias = Callable[[Program], Probes]
"""A function that returns the probes for a program; their numbers depend on the program alone."""


class ProbedLowering(ExpressionLowering):
    """Lowers expressions to operations; probed parts become operations that note their results."""

    def __init__(
        self, layout: Layout, spaces: Literal["listed", "bits", "many"], probes: Probes, *, all_there: bool = False
    ) -> None:
        super().__init__(layout, spaces, all_there=all_there)
        self.probes = probes

    def is_probed(self, node: object) -> bool:
        """Whether a part of the rules, or any part of it, is probed, so that no short cut may leave it out."""
        probes = self.probes
        known = probes.conditions, probes.edges, probes.sizes, probes.cases
        return any(id(one) in some for one in nodes_in(node) for some in known if some)

    def value(self, node: ir.Value) -> Operation:
        """Return the operation for a value; one that documents override notes its case."""
        found = super().value(node)
        numbers = self.probes.cases.get(id(node))
        if numbers is None:
            return found
        of_piece = found.code == "per bearer"
        of, known, *_ = found.operands[of_piece:]
        assert isinstance(of, Operation) and isinstance(known, tuple)
        first = self.layout.of_document if of_piece else 0
        documents = tuple(first + number for number in known if isinstance(number, int))
        return Operation("used", (numbers, documents, of_piece, of, found))

    def condition(self, node: ir.Condition) -> Operation:
        """Return the operation for a condition, which notes whether it holds."""
        found, numbers = self._bare(node), self.probes.conditions.get(id(node))
        return Operation("noted", (numbers, found)) if numbers is not None else found

    def _bare(self, node: ir.Condition) -> Operation:
        """Return the operation for a condition whose result is noted by the condition around it."""
        edges = self.probes.edges.get(id(node))
        match node:
            case ir.All(conditions) if self._are_probed(conditions):
                return self._together("every", conditions)
            case ir.Any(conditions) if self._are_probed(conditions):
                return self._together("some", conditions)
            case ir.Compare(how, left, right) if edges is not None:
                values = self.value(left), self.value(right)
                return Operation("compared", (edges, OFF[how], *values, super().condition(node)))
            case ir.Apart(low, high) if edges is not None:
                ends = self.place(node.left), self.place(node.right)
                return Operation("near", (edges, low, high, *ends, super().condition(node)))
        return super().condition(node)

    def _are_probed(self, conditions: Sequence[ir.Condition]) -> bool:
        """Whether any of several conditions is probed by itself, so that each has to note its own result."""
        return any(id(one) in self.probes.conditions for one in conditions)

    def _together(self, how: str, parts: Iterable[ir.Condition]) -> Operation:
        """Return the operation for conditions joined by `every` or `some`; each that decides notes its own result."""
        parts = sorted(parts, key=cost)
        numbers = tuple(self.probes.conditions.get(id(part), ()) for part in parts)
        return Operation("together", (how, numbers, *map(self._bare, parts)))

    def emptiness(self, node: ir.Compare) -> Operation | None:
        """Return the operation for a comparison that asks whether a set is empty; None for any other, or a probed one."""
        return None if self.is_probed(node) else super().emptiness(node)

    def spaces_where(self, var: ir.Var, condition: ir.Condition) -> Operation | None:
        """Return the set of the spaces for which a condition holds; None if no bit set can represent it."""
        return None if self.is_probed(condition) else super().spaces_where(var, condition)

    def search(self, node: ir.Set) -> SetSearch:
        """Return the search of a set; if it is probed, without short cuts, which would note nothing."""
        if not self.is_probed(node) or isinstance(node.members, ir.Everywhere):
            return super().search(node)
        tests = (self._together("every", node.filters),) if node.filters else ()
        source = self.source(node.members)
        within = (source,) if source.code == "pieces" and self.spaces != "listed" else ()
        return SetSearch(self.value(node.var), source, within, (), tests, None, tuple(self._notes(node)))

    def _notes(self, node: ir.Set) -> Iterator[Operation]:
        """Yield the operations that note facts about a set as a whole: how far it reaches, and its size."""
        edges = self.probes.edges.get(id(node.members))
        if edges is not None:
            low, high, origin, *_ = self.source(node.members).operands
            yield Operation("reached", (edges, low, high, origin))
        sizes = self.probes.sizes.get(id(node))
        if sizes is not None:
            yield Operation("sized", (sizes,))
