"""Times: the starts and ends of turns and rounds, by the verbs that a game declares for them."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from warchest.diagnostics.diagnostic import quoted
from warchest.ir import steps as ir
from warchest.ir.ruleset import Hook, Ruleset
from warchest.ir.values import All, Compare, Condition, FieldOf
from warchest.resolve.announce import Carrier
from warchest.resolve.budgets import within
from warchest.resolve.rules import RuleReader, limited_whole
from warchest.resolve.types import Scope, Typed, flaw
from warchest.resolve.value_reader import is_indefinite
from warchest.syntax import ast

EDGES = {"at the start of": "starts", "at the end of": "ends"}
"""The edges of a time, by the words for them; each edge has a verb of the game."""
STAGES: dict[str, Literal["before", "after"]] = {"starts": "after", "ends": "before"}
"""The stage of hooks on each edge: after a time has started, and before it ends."""


def times_of(ruleset: Ruleset, hook: Hook) -> list[tuple[str, str]]:
    """Return the times at whose start or end a hook is carried out, each with that edge."""
    here = hook.code.verb, hook.stage
    return [time for time, verb in ruleset.times.items() if (verb, STAGES[time[1]]) == here]


class TimeReader(RuleReader):
    """Reads hooks on the starts and ends of turns and rounds."""

    def timed(self, node: ast.HookSentence, name: str, carrier: Carrier) -> None:
        """Read a sentence about the start or the end of a turn or a round, as a hook on the declared verb."""
        node = limited_whole(node)
        assert isinstance(node.event, ast.Time)
        edge = EDGES[node.stage]
        number, scope, conditions = self.time_scope(node.event, edge, carrier)
        verb = self.model.ruleset.verbs[number]
        known = self._scope(verb, carrier, None)[1]
        if node.condition is not None:
            conditions += self.guarded((node.word, node.condition), scope)
            scope = self.having_asked(node.condition, self.having_said(node.condition, scope))
        steps, _ = self.steps(node.step, scope)
        if node.limit is not None:
            steps = within(steps, self.counted_in(node.limit, scope), node.limit, node.span)
        code = self._code(f"{name}.0", "hook", number, self._params(known), steps, scope.variables, node.span)
        self.hook_at(edge, code, All(tuple(conditions), node.span), carrier.number)

    def hook_at(self, edge: str, code: ir.Code, holds: Condition, carrier: int = -1) -> None:
        """Put a hook on an edge of a time into the rules; its code is for the verb of that edge."""
        verbs = self.model.ruleset.verbs[code.verb].kinds or (code.verb,)
        self._say("hooks", None, Hook(STAGES[edge], verbs, carrier, -1, holds, False, None, code, code.span))

    def time_verb(self, time: ast.Time | ast.ComingTime, edge: str) -> int:
        """Return the verb whose event is an edge of a time; raises Flaw where the game declares none."""
        number = self.model.ruleset.times.get((time.span_of, edge), -1)
        if number < 0:
            help = f"`game.yaml` names them: `times: {{{time.span_of}: {{starts: …, ends: …}}}}`, two verbs of the game"
            raise flaw("undeclared-verb", f"this game does not declare when a {time.span_of} {edge}", time.span, help)
        return number

    def time_scope(self, time: ast.Time, edge: str, carrier: Carrier) -> tuple[int, Scope, list[Condition]]:
        """Return the verb of an edge of a time, and the scope and the conditions of hooks on it."""
        ruleset, number = self.model.ruleset, self.time_verb(time, edge)
        scope, _ = self._scope(ruleset.verbs[number], carrier, self.this_of(carrier))
        active = Typed(FieldOf(ruleset.active, None, "player"), "player", "player")
        if carrier.number < 0:
            scope = replace(scope, you=None)
        scope, whose = scope.from_here(scope.this), time.whose
        if whose is None:
            return number, scope, []
        if ruleset.active < 0:
            raise flaw(
                "undeclared-verb",
                "this game does not declare whose turn it is",
                time.span,
                help="`game.yaml` names a field of the game: `active: …`",
            )
        if isinstance(whose, ast.Pronoun) and whose.word == "you":
            if scope.you is None:
                return number, replace(scope, you=active.value), []
            return number, scope, [Compare("==", active.value, scope.you, time.span)]
        if isinstance(whose, ast.Phrase) and is_indefinite(whose):
            return number, scope.mentioning(self.mentioned(whose, active, "player")), self.fits(whose, active, scope)
        who = self.value(whose, scope)
        if who.base != "player":
            raise flaw("wrong-kind", f"{quoted(whose.span.text)} has no turn", whose.span, help="name a player")
        return number, scope, [Compare("==", active.value, who.value, whose.span)]
