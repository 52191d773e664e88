"""From expressions to functions, and the few functions that expressions call."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import compress
from types import CodeType
from typing import Any, TypeAlias, cast

from warchest.machine.changes import by_place
from warchest.machine.expressions import Writer
from warchest.machine.grants import upheld
from warchest.machine.holders import Cells
from warchest.machine.layout import Layout
from warchest.machine.run import Env, Run
from warchest.rules import values as ir
from warchest.rules.ruleset import AGENT

Evaluate: TypeAlias = Callable[[Run, Env], int]
Test: TypeAlias = Callable[[Run, Env], bool]
Gather: TypeAlias = Callable[[Run, Env], Sequence[int]]
Chooser: TypeAlias = tuple[int, Evaluate]
"""Who chooses: the variable of the frame that names the player, -1 where it is none, and the function that does."""

_members_of_mask: dict[int, tuple[int, ...]] = {}


def members_of(mask: int) -> tuple[int, ...]:
    """Return the numbers of the bits set in `mask`, smallest first."""
    found = _members_of_mask.get(mask)
    if found is None:
        found = tuple(index for index in range(mask.bit_length()) if mask >> index & 1)
        _members_of_mask[mask] = found
    return found


def standing(memory: list[int], at: int, spaces: Iterable[int], kinds: int) -> tuple[int, ...]:
    """Return the pieces among `kinds` on some spaces; the sets of pieces on each space begin at cell `at`."""
    mask = 0
    for space in spaces:
        mask |= memory[at + space]
    mask &= kinds
    return members_of(mask) if mask else ()


def tokens(memory: list[int], rows: Iterable[Cells]) -> list[int]:
    """Return the different tokens in some holders."""
    found: list[int] = []
    for cells, numbers in rows:
        found += compress(numbers, memory[cells])
    return found


def way_through(
    neighbours: Sequence[Sequence[int]], origin: int, goal: int, high: int, fits: Callable[[int], bool]
) -> bool:
    """Whether a way of at most `high` steps leads to `goal` through spaces that fit."""
    edge = {origin}
    for _ in range(min(high, len(neighbours))):
        reached = {near for space in edge for near in neighbours[space]}
        if goal in reached:
            return True
        edge = {space for space in reached if fits(space)}
    return False


def caused_by(
    run: Run, verbs: frozenset[int], agent: int | None, document: int, documents: int, acting: int | None
) -> bool:
    """Whether an event of one of `verbs` (any, when empty) ordered the act under way, through its own steps.

    An act of another piece than the `acting` one is a cause of its own: its cause did not order this.
    """
    code, env, below = run.code, run.env, run.parent
    if code.stages and below is not None:
        # The event that is answered is no cause of itself.
        below, code, _, env, _ = below
    while True:
        if code.origin == "verb" and (not verbs or code.verb in verbs):
            if document < 0:
                if agent is None or env[AGENT] == agent:
                    return True
            elif any([env[place] >= 0 and env[place] % documents == document for place in code.tokens]):
                return True
        another = acting is not None and code.origin == "verb" and code.bases[AGENT] == "piece" and env[AGENT] != acting
        if another or code.origin == "hook" or below is None:
            return False
        below, code, _, env, _ = below


def happening(run: Run, verb: int, fits: Callable[[Env], bool]) -> bool:
    """Whether an event of a verb is under way whose agent and roles fit."""
    code, env, below = run.code, run.env, run.parent
    while True:
        if code.event == verb and fits(env):
            return True
        if below is None:
            return False
        below, code, _, env, _ = below


@lru_cache(8192)
def _compiled(source: str) -> CodeType:
    """Return the code for some lines of Python; games that differ in a few cards have most of it in common."""
    return compile(source, "<rules>", "exec")


def _function_of(source: str, names: dict[str, Any]) -> Any:
    """Return the one function that some lines of Python define, in which these names are known."""
    found: dict[str, Any] = {}
    exec(_compiled(source), names, found)
    (made,) = found.values()
    return made


_PLACED = re.compile(r"(e\[\d+\]) \* (\d+)")
"""Where the cells of a piece begin, in an expression: a variable of the routine, and the stride."""


def placed_once(lines: Sequence[str]) -> list[str]:
    """Return the lines of a function with the places of pieces worked out once, where they are asked for again.

    A variable of the routine stays what it is unless the lines change them.
    """
    text = "\n".join(lines)
    if "e = " in text:
        return list(lines)
    again = [found for found, times in Counter(_PLACED.findall(text)).items() if times > 1]
    names = {f"{variable} * {stride}": f"p_{variable.strip('e[]')}" for variable, stride in again}
    placed = [_PLACED.sub(lambda one: names.get(one[0], one[0]), line) for line in lines]
    return [*(f"{name} = {place}" for place, name in names.items()), *placed]


class Binder:
    """Makes functions of values, conditions and sets."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.names: dict[str, Any] = {
            "members_of": members_of, "standing": standing, "tokens": tokens, "way_through": way_through,
            "upheld": upheld, "caused_by": caused_by, "happening": happening, "by_place": by_place,
        }  # fmt: skip
        self.writer = Writer(layout, self.names)

    def _function(self, expression: str, params: str = "run, e") -> Callable[..., Any]:
        return self.lines([f"return {expression}"], params)

    def lines(self, lines: Iterable[str], params: str = "run, e") -> Callable[..., Any]:
        """Return a function of some lines of Python, in which `m` is the memory."""
        source = "\n    ".join([f"def bound({params}):", "m = run.memory", *placed_once(list(lines))])
        return cast(Callable[..., Any], _function_of(source, self.names))

    def value(self, node: ir.Value) -> Evaluate:
        """Return the function that evaluates a value."""
        if isinstance(node, ir.Var):
            place = node.id
            return lambda run, env: env[place]
        if isinstance(node, ir.Const):
            number = node.value
            return lambda run, env: number
        return self._function(self.writer.value(node))

    def chooser(self, node: ir.Value) -> Chooser:
        """Return who chooses where a value says it."""
        return node.id if isinstance(node, ir.Var) and node.id < ir.SET_VARIABLES else -1, self.value(node)

    def test(self, node: ir.Condition) -> Test:
        """Return the function that tests a condition."""
        return self._function(self.writer.condition(node))

    def gather(self, node: ir.Set) -> Gather:
        """Return the function that lists the members of a set; pieces come by their numbers (see `by_place`)."""
        return self._function(self.writer.members(node))

    def candidates(self, node: ir.Set) -> Gather:
        """As `gather`, with pieces by place."""
        if node.var.base != "piece":
            return self.gather(node)
        ordered = f"by_place(run, {self.writer.constant(self.layout)}, found)"
        return self.lines([f"found = {self.writer.members(node)}", f"return {ordered} if len(found) > 1 else found"])

    def row(self, nodes: Sequence[ir.Value]) -> Callable[[Run, Env], Env]:
        """Return the function that evaluates several values in a row."""
        return self._function(f"({', '.join(self.writer.value(node) for node in nodes)},)")

    def announce(self, notes: str) -> Callable[[Run, Env], None] | None:
        """Return the function that adds notes to what an option says; None where there are none."""
        return self._function(f"run.notes.extend({notes})") if notes else None

    def filter(self, node: ir.Condition, var: ir.Var) -> Callable[[Run, Env, int], bool]:
        """Return the function that tests a condition of a set for one thing."""
        return self._function(self.writer.condition(node), f"run, e, {self.writer.value(var)}")

    def whole(self, expression: str) -> Evaluate:
        """Return the function that evaluates an expression for a whole number."""
        return self._function(expression)

    def destination(self, node: ir.Holder) -> Callable[[Run, Env, int], int]:
        """Return the function that gives the holder tokens go into; it takes the face too."""
        return self._function(self.writer.destination(node), "run, e, face")
