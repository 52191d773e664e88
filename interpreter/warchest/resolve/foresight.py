"""Foresight: `if that unit can move, …` asks whether an act is possible now; the machine finds out by a look-ahead.

Each look-ahead is a step before the step that has the condition.
"""

from __future__ import annotations

from dataclasses import replace

from warchest.diagnostics.diagnostic import quoted
from warchest.ir import steps as ir
from warchest.ir.ruleset import Verb
from warchest.ir.values import Any, Compare, Condition, Const, Not
from warchest.resolve.amounts import as_any
from warchest.resolve.conditions import read_condition
from warchest.resolve.phrase_nouns import is_indefinite
from warchest.resolve.text_reader import Foreseen, TextReader
from warchest.resolve.types import Flaw, Scope, flaw
from warchest.resolve.verb_orders import read_order
from warchest.syntax import ast

_WHERE = "ask it in front of steps that are no part of the event: `after …, if … can …, …`"


def read_asking(reader: TextReader, node: ast.Proposition, scope: Scope) -> tuple[Foreseen, Condition]:
    """Read a condition of steps; return its look-ahead steps, and the condition."""
    before, reader.foreseen = reader.foreseen, []
    try:
        condition = read_condition(reader, node, scope)
        return reader.foreseen, condition
    finally:
        reader.foreseen = before


def refuse_same_order(reader: TextReader, condition: ast.Proposition, step: ast.Statement) -> None:
    """Raise Flaw for an order that permits the act in its own condition: that condition would hardly ever hold."""
    if not isinstance(condition, ast.CanDo) or not isinstance(step, ast.Do) or condition.negated:
        return
    said = condition.arguments
    if (step.verb,) == condition.verbs and step.arguments == said and _permits(reader, step.verb, said):
        words = step.span.one_line
        message = "`can` asks only about permitted acts, and the order permits more"
        raise flaw("says-nothing", message, condition.span, help=f"say `{words} if able`")


def _permits(reader: TextReader, word: ast.Word, said: ast.Arguments) -> bool:
    """Whether the arguments of an order describe a thing that permissions would otherwise determine."""
    phrases = {"": said.object, **{role.word: role.phrase for role in said.roles}}
    return any(
        (word.text, role) in reader.model.permitted and isinstance(phrase, ast.Phrase) and phrase.modifiers
        for role, phrase in phrases.items()
    )


def read_can_do(reader: TextReader, node: ast.CanDo, scope: Scope) -> Condition:
    """Read `that unit can move`, or that it cannot."""
    denied = isinstance(node.subject, ast.Phrase) and node.subject.determiner == "no"
    if node.negated and isinstance(node.subject, ast.Phrase) and is_indefinite(node.subject):
        said = " ".join(as_any(node.subject).span.text.split()).partition(" ")[2]
        message = f"{quoted(node.span.text)} could be said of one or of all"
        raise flaw("not-definite", message, node.span, help=f"say `no {said} can …`, or name it first")
    some = [_one(reader, replace(node, verbs=(verb,), negated=False), verb, scope) for verb in node.verbs]
    found: Condition = some[0] if len(some) == 1 else Any(tuple(some), node.span)
    return Not(found, node.span) if node.negated or denied else found


def _one(reader: TextReader, node: ast.CanDo, word: ast.Word, scope: Scope) -> Condition:
    """Read a condition that a subject can do one act, as the test of a flag that a look-ahead sets."""
    if isinstance(node.subject, ast.Phrase) and node.subject.determiner == "no":
        node = replace(node, subject=as_any(node.subject))
    var = reader.ahead.get(node)
    if var is None:
        if reader.foreseen is None or scope.within:
            message = "only an `if` among steps can ask whether an act is possible"
            raise flaw("wrong-kind", message, node.span, help=_WHERE)
        verb = _act(reader, word)
        order = ast.Do(node.subject, word, node.arguments, (), span=node.span)
        tried = _tried_first(reader, order, verb, scope)
        var = scope.variables.new("flag", "")
        reader.foreseen.append(ir.Foresee(var, tried, span=node.span))
    return Compare("==", var, Const(1, "flag"), node.span)


def _act(reader: TextReader, word: ast.Word) -> Verb:
    verb = reader.model.verb(word.text)
    if verb is None or verb.built_in or verb.by == "game":
        message = f"nobody asks whether {quoted(word.text)} can be done"
        raise flaw("wrong-kind", message, word.span, help="ask it of an act that the game declares")
    return verb


def _tried_first(reader: TextReader, order: ast.Do, verb: Verb, scope: Scope) -> ir.Steps:
    """Return the steps to try: the act with its permitted things, and tests that the text names the same things."""
    *chosen, call = read_order(reader, order, scope)[0]
    if not isinstance(call, ir.Call):
        raise _no_act(order)
    before: list[ir.Order] = list(chosen)
    after: list[ir.Order] = []
    roles = list(call.roles)
    for number, (role, fill) in enumerate(zip(verb.roles, call.roles, strict=True)):
        if (verb.name, role.word) not in reader.model.permitted or role.base == "token":
            continue
        match fill:
            case ir.ChosenRole(among, wanted):
                before.append(ir.Choose(wanted, among, call.decider, "chosen", span=order.span))
            case ir.Bound(value):
                wanted = scope.variables.new(role.base, role.noun)
                before.append(ir.Keep(wanted, value, span=order.span))
            case _:
                continue
        taken = scope.variables.new(role.base, role.noun)
        roles[number] = ir.Usual(taken)
        after.append(ir.Must(Compare("==", taken, wanted, order.span), span=order.span))
    return (*before, replace(call, roles=tuple(roles), result=None), *after)


def _no_act(order: ast.Do) -> Flaw:
    return flaw("wrong-kind", f"{quoted(order.span.text)} is no act", order.span, help="ask it of an act of the game")
