"""What can fail: found from the rules, so that looking ahead is done only where it can make a difference."""

from __future__ import annotations

from enum import IntEnum
from typing import TypeAlias

from warchest.machine.run import Frame, Outs, Routine, Run
from warchest.rules import steps as ir
from warchest.rules.ruleset import AGENT, THIS, YOU, Definition, Ruleset, Verb
from warchest.rules.values import Var, asks_nothing


class Risk(IntEnum):
    """What becomes of steps: they end well whatever happens, they reach a point where trials stop, or they can fail."""

    TOTAL = 0
    STOPS = 1
    FAILS = 2


def joined(first: Risk, then: Risk) -> Risk:
    """Return the risk of one thing after another."""
    return then if first is Risk.TOTAL else first


Widening: TypeAlias = frozenset[int] | None
NEVER: frozenset[int] = frozenset()


def usual_of(verb: Verb) -> Definition | None:
    """Return the definition of an act of pieces that is open to all, if the others stand on documents; else None."""
    usual = [one for one in verb.definitions if one.carrier < 0]
    if verb.by != "piece" or len(usual) != 1 or not asks_nothing(usual[0].applies):
        return None
    return usual[0]


class RiskTable:
    """The risks of the verbs and steps of a rule set."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self._verbs: dict[int, Risk] = {}
        self._widening: dict[int, Widening] = {}

    def steps(self, steps: ir.Steps) -> Risk:
        """Return the risk of steps in a row."""
        for step in steps:
            risk = self.step(step)
            if risk is not Risk.TOTAL:
                return risk
        return Risk.TOTAL

    def step(self, step: ir.Order) -> Risk:
        """Return the risk of one step."""
        match step:
            case ir.Call():
                return self._call(step)
            case ir.Choose(_, _, decider):
                return Risk.STOPS if decider is None else Risk.FAILS
            case ir.If(_, then, otherwise):
                return self._branches((then, otherwise))
            case ir.Until(_, body):
                return Risk.FAILS if self.steps(body) is Risk.FAILS else Risk.TOTAL
            case ir.ForEach(_, _, free, _, body):
                return Risk.FAILS if free or self.steps(body) is Risk.FAILS else Risk.TOTAL
            case ir.Either(options):
                risks = [self.steps(option) for option in options]
                return Risk.FAILS if all(risk is Risk.FAILS for risk in risks) else Risk.TOTAL
            case ir.Must() | ir.Perform():
                return Risk.FAILS
            case ir.Win() | ir.See():
                return Risk.STOPS
            case ir.Clock(what):
                return Risk.TOTAL if what == "nothing" else Risk.STOPS
            case _:
                return Risk.TOTAL

    def _branches(self, branches: tuple[ir.Steps, ...]) -> Risk:
        risks = [self.steps(branch) for branch in branches]
        if Risk.FAILS in risks:
            return Risk.FAILS
        return Risk.STOPS if all(risk is Risk.STOPS for risk in risks) else Risk.TOTAL

    def _call(self, call: ir.Call) -> Risk:
        verb = self.ruleset.verbs[call.verb]
        if isinstance(call.agent, ir.Pick) or any(isinstance(fill, ir.Pick) for fill in call.roles):
            return Risk.FAILS
        for number, fill in enumerate(call.roles):
            if isinstance(fill, ir.Usual) and any(domain.role == number for domain in verb.domains):
                return Risk.FAILS
        if verb.forbidden or len(verb.definitions) != 1:
            return Risk.FAILS
        return self.body(call.verb)

    def body(self, number: int) -> Risk:
        """Return the risk of carrying out a verb that is permitted and whose roles are filled."""
        if number not in self._verbs:
            self._verbs[number] = Risk.FAILS
            risks = [self.steps(definition.code.steps) for definition in self.ruleset.verbs[number].definitions]
            self._verbs[number] = max(risks, default=Risk.FAILS)
        return self._verbs[number]

    # ---- which acts are decided with the act they are part of

    def wide(self, number: int) -> bool:
        """Whether doing a verb can leave the same player more to choose, which belongs to the same option."""
        return self.widening(number) != NEVER

    def widening(self, number: int) -> Widening:
        """Return the documents of which a piece must bear one for doing a verb to leave more to choose.

        None: it does so whatever the piece bears.
        """
        if number not in self._widening:
            self._widening[number] = None
            verb = self.ruleset.verbs[number]
            usual = verb.definitions[0] if len(verb.definitions) == 1 else usual_of(verb)
            found = self._widened(usual.code.steps) if usual is not None else None
            if found is not None:
                found |= {one.carrier for one in verb.definitions if one is not usual}
                # Only of a piece is it known what it bears, and that it does itself what its acts are made of.
                self._widening[number] = found if verb.by == "piece" or not found else None
        return self._widening[number]

    def _widened(self, *rows: ir.Steps) -> Widening:
        """Return what makes any of some steps leave more to choose."""
        found: frozenset[int] = NEVER
        for steps in rows:
            for step in steps:
                more = self._widening_step(step)
                if more is None:
                    return None
                found |= more
                if more and isinstance(step, ir.Call):
                    # An option ends with an act that can leave more to choose.
                    break
        return found

    def _widening_step(self, step: ir.Order) -> Widening:
        match step:
            case ir.Call(number, agent, roles):
                if not own_act(agent):
                    return NEVER
                chosen = self._chooses(self.ruleset.verbs[number], roles) or isinstance(agent, ir.Pick)
                return None if chosen else self.widening(number)
            case ir.Choose(_, _, decider):
                return NEVER if decider is None else None
            case ir.If(_, then, otherwise):
                return self._widened(then, otherwise)
            case ir.Until(_, body) | ir.IfAble(body):
                return self._widened(body)
            case ir.ForEach(_, _, free, _, body):
                return None if free else self._widened(body)
            case ir.Either() | ir.Offer() | ir.Perform():
                return None
            case _:
                return NEVER

    def _chooses(self, verb: Verb, roles: tuple[ir.Fill, ...]) -> bool:
        chosen = {domain.role for domain in verb.domains}
        return any(
            isinstance(fill, ir.Pick) or (isinstance(fill, ir.Usual) and number in chosen)
            for number, fill in enumerate(roles)
        )


def own_act(agent: ir.Fill) -> bool:
    """Whether a step is done by the same one that does the act it is a step of."""
    if isinstance(agent, ir.Bound):
        return isinstance(agent.value, Var) and agent.value.id in (THIS, YOU, AGENT)
    return True


def anything_below_can_fail(run: Run) -> bool:
    """Whether anything that waits below what is being carried out could turn out impossible."""
    parent = run.parent
    if run.below[0] is not parent:
        run.below = parent, parent is not None and pending_can_fail(*parent)
    return run.below[1]


def anything_can_fail(run: Run, behind: int = 0) -> bool:
    """Whether anything pending could turn out impossible, from so many operations `behind` the next one on."""
    risk = run.code.risky[run.pc + behind]
    if risk is not Risk.TOTAL:
        return risk is Risk.FAILS
    outs = run.outs
    return not (outs and outs[0][0] == -1) and anything_below_can_fail(run)


def pending_can_fail(parent: Frame | None, code: Routine, pc: int, _: object, outs: Outs) -> bool:
    """Whether anything could turn out impossible that waits in code from an operation on, and in all below it."""
    while True:
        risk = code.risky[pc]
        if risk is not Risk.TOTAL:
            return risk is Risk.FAILS
        if parent is None or (outs and outs[0][0] == -1):
            return False
        parent, code, pc, _, outs = parent
