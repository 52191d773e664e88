"""May-fail analysis, and the extent of options: both are found from the rules, before play.

If no later work can fail, no look-ahead is needed. The end of an option is part of the meaning of the rules.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TypeAlias

from warchest.ir import steps as ir
from warchest.ir.parts import asked_roles, branches_of, choices_of
from warchest.ir.ruleset import AGENT, THIS, YOU, Definition, Ruleset, Verb
from warchest.ir.values import Attribute, Value, Var, asks_nothing


class Failure(IntEnum):
    """Whether steps can fail: never, never before a point where looking ahead stops, or perhaps."""

    NEVER = 0
    YIELDS = 1
    MAY = 2


_UNFORESEEN: frozenset[ir.StepChange] = frozenset(("game", "knowledge", "time", "questions"))
"""The changes at which looking ahead stops."""


def followed(first: Failure, then: Failure) -> Failure:
    """Return the failure of a sequence of two parts."""
    return then if first is Failure.NEVER else first


Extending: TypeAlias = frozenset[int] | None
"""The documents whose bearers extend an option by an act; None if everyone does."""
NOTHING_EXTENDS: frozenset[int] = frozenset()


def usual_of(verb: Verb) -> Definition | None:
    """Return the definition of an act of pieces that is open to all, if it is the only general one; otherwise None."""
    usual = [one for one in verb.definitions if one.carrier < 0]
    if verb.by != "piece" or len(usual) != 1 or not asks_nothing(usual[0].applies):
        return None
    return usual[0]


def has_open_way(verb: Verb) -> bool:
    """Whether a verb has only one definition, which is open to all."""
    ways = verb.definitions
    return len(ways) == 1 and ways[0].carrier < 0 and asks_nothing(ways[0].applies)


def own_act(agent: ir.Fill) -> bool:
    """Whether the doer of a step is the agent of the act that it is a step of."""
    if isinstance(agent, ir.Bound):
        return isinstance(agent.value, Var) and agent.value.id in (THIS, YOU, AGENT)
    return True


def own_choice(decider: Value) -> bool:
    """Whether the agent of an act decides about a step of the act, and not another player named in the text."""
    of_piece = isinstance(decider, Attribute) and decider.what == "decider"
    one = decider.of if isinstance(decider, Attribute) and of_piece else decider
    return not isinstance(one, Var | Attribute) or (isinstance(one, Var) and one.id in (THIS, YOU, AGENT))


class FailureTable:
    """The analyses of the verbs and steps of a rule set."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self._verbs: dict[int, Failure] = {}
        self._extending: dict[int, Extending] = {}

    # ---- what can fail

    def steps(self, steps: ir.Steps) -> Failure:
        """Return the failure of a sequence of steps."""
        for step in steps:
            failure = self.step(step)
            if failure is not Failure.NEVER:
                return failure
        return Failure.NEVER

    def step(self, step: ir.Order) -> Failure:
        """Return the failure of one step."""
        match step:
            case ir.Call():
                return self._call(step)
            case ir.Choose(_, _, decider):
                return Failure.YIELDS if decider is None else Failure.MAY
            case ir.If(_, then, otherwise):
                return self._branches((then, otherwise))
            case ir.Offer() | ir.IfAble():
                return Failure.NEVER
        if branches := branches_of(step):
            fails = getattr(step, "free", False) or all(self.steps(one) is Failure.MAY for one in branches)
            return Failure.MAY if fails else Failure.NEVER
        changed = ir.changes_of(step)
        if changed & {"line", "anything"}:
            return Failure.MAY
        return Failure.YIELDS if changed & _UNFORESEEN else Failure.NEVER

    def _branches(self, branches: tuple[ir.Steps, ...]) -> Failure:
        failures = [self.steps(branch) for branch in branches]
        if Failure.MAY in failures:
            return Failure.MAY
        return Failure.YIELDS if all(one is Failure.YIELDS for one in failures) else Failure.NEVER

    def _call(self, call: ir.Call) -> Failure:
        verb = self.ruleset.verbs[call.verb]
        if choices_of(call) or asked_roles(call, verb) or verb.forbidden or not has_open_way(verb):
            return Failure.MAY
        return self.body(call.verb)

    def body(self, number: int) -> Failure:
        """Return the failure of carrying out a verb that is permitted and whose roles are filled."""
        if number not in self._verbs:
            self._verbs[number] = Failure.MAY
            failures = [self.steps(definition.code.steps) for definition in self.ruleset.verbs[number].definitions]
            self._verbs[number] = max(failures, default=Failure.MAY)
        return self._verbs[number]

    # ---- where options end

    def extends(self, number: int) -> bool:
        """Whether further choices of the same player can follow an act within the same option."""
        return self.extending(number) != NOTHING_EXTENDS

    def extending(self, number: int) -> Extending:
        """Return the documents whose bearers extend an option by doing a verb; None if everyone does."""
        if number not in self._extending:
            self._extending[number] = None
            verb = self.ruleset.verbs[number]
            usual = verb.definitions[0] if len(verb.definitions) == 1 else usual_of(verb)
            found = self._extended(usual.code.steps) if usual is not None else None
            if found is not None:
                found |= {one.carrier for one in verb.definitions if one is not usual}
                # Only a piece has known documents, and is sure to carry out the parts of its acts itself.
                self._extending[number] = found if verb.by == "piece" or not found else None
        return self._extending[number]

    def _extended(self, *rows: ir.Steps) -> Extending:
        """Return the documents whose bearers get a further choice by any of some steps; None if everyone does."""
        found: frozenset[int] = NOTHING_EXTENDS
        for steps in rows:
            for step in steps:
                more = self._extended_by(step)
                if more is None:
                    return None
                found |= more
                if more and isinstance(step, ir.Call):
                    # An option ends with an act that can leave more to choose.
                    break
        return found

    def _extended_by(self, step: ir.Order) -> Extending:
        match step:
            case ir.Call():
                if not own_act(step.agent):
                    return NOTHING_EXTENDS
                chosen = choices_of(step) or asked_roles(step, self.ruleset.verbs[step.verb])
                return None if chosen else self.extending(step.verb)
            case ir.Choose(_, _, decider):
                return NOTHING_EXTENDS if decider is None else None
            case ir.Either(_, decider) | ir.Offer(_, decider):
                return None if own_choice(decider) else NOTHING_EXTENDS
        if "anything" in step.changes or getattr(step, "free", False):
            return None
        return self._extended(*branches_of(step))
