"""Times: the starts and ends of turns and rounds, by the verbs that a game declares for them."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from warchest.diagnostics.diagnostic import quoted
from warchest.ir import steps as ir
from warchest.ir.ruleset import Hook, Ruleset
from warchest.ir.values import Compare, Condition, FieldOf
from warchest.resolve.announce import Carrier
from warchest.resolve.event_patterns import scope_of_text, this_of
from warchest.resolve.phrase_nouns import is_indefinite, mentioned
from warchest.resolve.sets import read_fits
from warchest.resolve.text_reader import TextReader
from warchest.resolve.types import Scope, Typed, flaw
from warchest.resolve.value_reader import read_value
from warchest.syntax import ast

EDGES = {"at the start of": "starts", "at the end of": "ends"}
"""The edges of a time, by the words for them; each edge has a verb of the game."""
STAGES: dict[str, Literal["before", "after"]] = {"starts": "after", "ends": "before"}
"""The stage of hooks on each edge: after a time has started, and before it ends."""


def times_of(ruleset: Ruleset, hook: Hook) -> list[tuple[str, str]]:
    """Return the times at whose start or end a hook is carried out, each with that edge."""
    here = hook.code.verb, hook.stage
    return [time for time, verb in ruleset.times.items() if (verb, STAGES[time[1]]) == here]


def hook_at(reader: TextReader, edge: str, code: ir.Code, holds: Condition, carrier: int = -1) -> None:
    """Add a hook on an edge of a time to the rules; its code is for the verb of that edge."""
    verbs = reader.model.ruleset.verbs[code.verb].kinds or (code.verb,)
    reader.put("hooks", None, Hook(STAGES[edge], verbs, carrier, -1, holds, False, None, code, code.span))


def time_verb(reader: TextReader, time: ast.Time | ast.ComingTime, edge: str) -> int:
    """Return the verb whose event is an edge of a time; raises Flaw if the game declares none."""
    number = reader.model.ruleset.times.get((time.span_of, edge), -1)
    if number < 0:
        help = f"`game.yaml` names them: `times: {{{time.span_of}: {{starts: …, ends: …}}}}`, two verbs of the game"
        raise flaw("undeclared-verb", f"this game does not declare when a {time.span_of} {edge}", time.span, help)
    return number


def time_scope(reader: TextReader, time: ast.Time, edge: str, carrier: Carrier) -> tuple[int, Scope, list[Condition]]:
    """Return the verb of an edge of a time, and the scope and the conditions of hooks on it."""
    ruleset, number = reader.model.ruleset, time_verb(reader, time, edge)
    scope, _ = scope_of_text(reader, ruleset.verbs[number], carrier, this_of(carrier))
    active = Typed(FieldOf(ruleset.active, None, "player"), "player", "player")
    if carrier.number < 0:
        scope = replace(scope, you=None)
    scope, whose = scope.from_here(scope.this), time.whose
    if whose is None:
        return number, scope, []
    if ruleset.active < 0:
        message = "this game does not declare whose turn it is"
        raise flaw("undeclared-verb", message, time.span, help="`game.yaml` names a field of the game: `active: …`")
    if isinstance(whose, ast.Pronoun) and whose.word == "you":
        if scope.you is None:
            return number, replace(scope, you=active.value), []
        return number, scope, [Compare("==", active.value, scope.you, time.span)]
    if isinstance(whose, ast.Phrase) and is_indefinite(whose):
        return (number, scope.mentioning(mentioned(whose, active, "player")), read_fits(reader, whose, active, scope))
    who = read_value(reader, whose, scope)
    if who.base != "player":
        raise flaw("wrong-kind", f"{quoted(whose.span.text)} has no turn", whose.span, help="name a player")
    return number, scope, [Compare("==", active.value, who.value, whose.span)]
