"""Conditions made ready to run."""

from __future__ import annotations

from collections.abc import Callable
from operator import eq, ge, gt, le, lt, ne

from warchest.machine.bind_values import Test, ValueBinder
from warchest.machine.layout import KIND
from warchest.machine.run import Env, Frame, Run
from warchest.rules import values as ir
from warchest.rules.ruleset import AGENT

_COMPARE: dict[str, Callable[[int, int], bool]] = {"==": eq, "!=": ne, ">=": ge, "<=": le, ">": gt, "<": lt}


class ConditionBinder(ValueBinder):
    """Binds conditions."""

    def test(self, node: ir.Condition) -> Test:
        """Return the function that tests a condition."""
        match node:
            case ir.Compare():
                return self._compare(node)
            case ir.All(conditions):
                return self._all(tuple(self.test(one) for one in conditions))
            case ir.Any(conditions):
                tests = tuple(self.test(one) for one in conditions)
                return lambda run, env: any(test(run, env) for test in tests)
            case ir.Not(condition):
                inner = self.test(condition)
                return lambda run, env: not inner(run, env)
            case ir.Exists(members):
                return self._exists(members)
            case ir.Tagged(tag, space):
                tagged, place = self.layout.board.tagged(tag), self.value(space)
                return lambda run, env: place(run, env) in tagged
            case _:
                return self._relation(node)

    def _relation(self, node: ir.Condition) -> Test:
        match node:
            case ir.KindIs(piece, kinds):
                which, first, stride = self.value(piece), self.layout.pieces + KIND, self.layout.stride
                return lambda run, env: run.memory[first + which(run, env) * stride] in kinds
            case ir.HeldIn(token, holders):
                held, where, documents = self.value(token), self.holders(holders), self.layout.documents
                return lambda run, env: held(run, env) // documents in where(run, env)
            case ir.Apart():
                return self._apart(node)
            case ir.Passable():
                return self._straight_way(node) if node.straight else self._any_way(node)
            case ir.CausedBy():
                return self._caused_by(node)
        raise TypeError(f"not a condition: {node!r}")

    def _compare(self, node: ir.Compare) -> Test:
        left, right, holds = self.value(node.left), self.value(node.right), _COMPARE[node.how]
        if node.how == "==":
            if isinstance(node.right, ir.Const):
                wanted = node.right.value
                return lambda run, env: left(run, env) == wanted
            return lambda run, env: left(run, env) == right(run, env)
        return lambda run, env: holds(left(run, env), right(run, env))

    def _all(self, tests: tuple[Test, ...]) -> Test:
        if not tests:
            return lambda run, env: True
        if len(tests) == 1:
            return tests[0]
        if len(tests) == 2:
            first, second = tests
            return lambda run, env: first(run, env) and second(run, env)
        return lambda run, env: all(test(run, env) for test in tests)

    def _exists(self, members: ir.Set) -> Test:
        on = self._space_of_single_filter(members)
        if on is not None:
            place, first = self.value(on), self.layout.at
            return lambda run, env: run.memory[first + place(run, env)] != 0
        if isinstance(members.members, ir.Tokens) and not members.filters:
            return self._any_tokens(members.members)
        gathered = self.gather(members)
        return lambda run, env: bool(gathered(run, env))

    def _any_tokens(self, node: ir.Tokens) -> Test:
        holders, documents, first = self.holders(node.holders), self.layout.documents, self.layout.tokens

        def found(run: Run, env: Env) -> bool:
            memory = run.memory
            for holder in holders(run, env):
                start = first + holder * documents
                if any(memory[start : start + documents]):
                    return True
            return False

        return found

    def _space_of_single_filter(self, members: ir.Set) -> ir.Value | None:
        """Return the space of `a piece is on it` (any kind of piece), which one cell answers."""
        if not isinstance(members.members, ir.Pieces) or len(members.filters) != 1:
            return None
        only = members.filters[0]
        if len(members.members.kinds) != len(self.layout.ruleset.kinds) or not isinstance(only, ir.Compare):
            return None
        standing = ir.Attribute("space", members.var, "space")
        return only.right if only.how == "==" and only.left == standing else None

    def _apart(self, node: ir.Apart) -> Test:
        left, right = self.place(node.left), self.place(node.right)
        low, high, distance = node.low, node.high, self.layout.board.distance
        if not node.straight:
            return lambda run, env: low <= distance[left(run, env)][right(run, env)] <= high
        bearing = self.layout.board.bearing
        way = self.value(node.direction) if node.direction is not None else None

        def straight(run: Run, env: Env) -> bool:
            start, end = left(run, env), right(run, env)
            if not low <= distance[start][end] <= high:
                return False
            direction = bearing[start].get(end)
            return direction is not None and (way is None or way(run, env) == direction)

        return straight

    def _straight_way(self, node: ir.Passable) -> Test:
        origin, end, fits = self.place(node.origin), self.place(node.end), self.test(node.fits)
        between = self.layout.board.between

        def passable(run: Run, env: Env) -> bool:
            spaces = between[origin(run, env)].get(end(run, env))
            return spaces is not None and all(fits(run, env + (space,)) for space in spaces)

        return passable

    def _any_way(self, node: ir.Passable) -> Test:
        origin, end, fits = self.place(node.origin), self.place(node.end), self.test(node.fits)
        neighbours, high = self.layout.board.neighbours, node.high

        def passable(run: Run, env: Env) -> bool:
            goal = end(run, env)
            edge = {origin(run, env)}
            for _ in range(high):
                reached = {near for space in edge for near in neighbours[space]}
                if goal in reached:
                    return True
                edge = {space for space in reached if fits(run, env + (space,))}
            return False

        return passable

    def _caused_by(self, node: ir.CausedBy) -> Test:
        verbs, document, documents = frozenset(node.verbs), node.document, self.layout.documents
        agent = self.value(node.agent) if node.agent is not None else None

        def caused(run: Run, env: Env) -> bool:
            frame = run.top
            wanted = agent(run, env) if agent is not None else None
            while frame is not None:
                code = frame.code
                if code.origin == "verb" and (not verbs or code.verb in verbs):
                    if document >= 0:
                        if _paid_with(frame, document, documents):
                            return True
                    elif wanted is None or frame.env[AGENT] == wanted:
                        return True
                if code.origin == "hook":
                    return False
                frame = frame.parent
            return False

        return caused


def _paid_with(frame: Frame, document: int, documents: int) -> bool:
    return any(
        base == "token" and value >= 0 and value % documents == document
        for base, value in zip(frame.code.bases, frame.env, strict=False)
    )
