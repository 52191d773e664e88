"""Which ways of doing something lead to the same options whatever token they are done with.

Where a definition only pays with the token (by acts that are plain changes) and nothing that follows looks at where
it went, the options need to be found once and not for every token. `discard the coin facedown, then claim …` is one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from warchest.machine.risk import RiskTable
from warchest.rules import steps as ir
from warchest.rules.parts import nodes_in, variables_in
from warchest.rules.ruleset import FIXED, Definition, Ruleset, Verb
from warchest.rules.values import All, HeldIn, InPiece, InZone, Var
from warchest.rules.watching import Watched


class Sharing:
    """Finds, for the definitions of a rule set, the role whose token makes no difference."""

    def __init__(self, ruleset: Ruleset, risks: RiskTable, watched: Watched) -> None:
        self.ruleset, self.risks, self.watched = ruleset, risks, watched

    def role(self, verb: Verb, definition: Definition) -> int:
        """Return the number of the role that a definition only pays with, or -1."""
        if definition.carrier >= 0 or not all(isinstance(step, ir.Call) for step in definition.code.steps):
            return -1
        calls = [step for step in definition.code.steps if isinstance(step, ir.Call)]
        for number, role in enumerate(verb.roles):
            if role.base == "token" and self._only_pays(calls, FIXED + number):
                return number
        return -1

    def _only_pays(self, calls: list[ir.Call], place: int) -> bool:
        paying = [call for call in calls if place in variables_in((call.agent, call.roles))]
        others = [call for call in calls if call not in paying]
        if not paying or not all(self.pays(call, place) for call in paying):
            return False
        written = {zone for call in paying for zone in self._written(call)}
        return not written & self.watched.zones and all(self._looks_elsewhere(call, written) for call in others)

    def pays(self, call: ir.Call, place: int) -> bool:
        """Whether a call does nothing but put the token somewhere, and is forbidden only for tokens of pieces."""
        verb = self.ruleset.verbs[call.verb]
        if len(verb.definitions) != 1 or verb.domains or any(call.verb in hook.verbs for hook in self.ruleset.hooks):
            return False
        if not all(isinstance(step, ir.MoveToken) for step in verb.definitions[0].code.steps):
            return False
        # The token is what the act is done with, and nothing else about the act hangs on it.
        if not all(isinstance(fill, ir.Bound) for fill in (call.agent, *call.roles)):
            return False
        held = {index for index, fill in enumerate(call.roles) if place in variables_in(fill)}
        return all(_about_pieces(rule.condition, held) for rule in verb.forbidden)

    def _written(self, call: ir.Call) -> Iterator[int]:
        for step in self.ruleset.verbs[call.verb].definitions[0].code.steps:
            if isinstance(step, ir.MoveToken) and isinstance(step.into, InZone):
                yield step.into.zone

    def _looks_elsewhere(self, call: ir.Call, written: set[int]) -> bool:
        verb = self.ruleset.verbs[call.verb]
        if self.risks.wide(call.verb) or isinstance(call.agent, ir.Pick):
            return False
        read = _zones((call.roles, [rule.condition for rule in verb.forbidden],
                       [(domain.applies, domain.among) for domain in verb.domains]))  # fmt: skip
        return not read & written


def _about_pieces(condition: Any, roles: set[int]) -> bool:
    """Whether a condition can hold only for a token that a piece is made of."""
    parts = condition.conditions if isinstance(condition, All) else (condition,)
    return any(
        isinstance(part, HeldIn)
        and isinstance(part.token, Var)
        and part.token.id - FIXED in roles
        and all(isinstance(holder, InPiece) for holder in part.holders)
        for part in parts
    )


def _zones(node: Any) -> set[int]:
    return {part.zone for part in nodes_in(node) if isinstance(part, InZone)}
