"""Assembly of a text from its sentences: `otherwise` joins its `if`, a hook on a time becomes a delayed step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from warchest.diagnostics.diagnostic import quoted
from warchest.resolve.reach import said_within
from warchest.resolve.types import Flaw, flaw
from warchest.syntax import ast


def joined(sentences: Sequence[ast.Sentence]) -> list[ast.Statement]:
    """Return the steps of a block, each `otherwise` joined to the condition of the sentence before."""
    steps: list[ast.Statement] = []
    for sentence in sentences:
        if isinstance(sentence, ast.Otherwise):
            if not steps:
                raise flaw("otherwise-without-if", "there is no `if` before this `otherwise`", sentence.span)
            steps[-1] = with_otherwise(steps[-1], sentence)
        elif isinstance(sentence, ast.Statement.__args__):
            steps.append(sentence)
        elif isinstance(sentence, ast.HookSentence) and (later := _at_moment(sentence)) is not None:
            steps.append(later)
        elif isinstance(sentence, ast.PropertySentence):
            raise property_among_rules(sentence)
        else:
            message = "this is a rule, and this block holds steps"
            raise flaw("rule-among-steps", message, sentence.span, help="move it to a block of rules")
    return steps


def property_among_rules(sentence: ast.PropertySentence) -> Flaw:
    """Return the Flaw for a property in a block of rules or steps."""
    message = f"{quoted(sentence.span.text)} is a property, which changes nothing"
    help = "put it into a document that begins `properties: …`"
    return flaw("property-among-rules", message, sentence.span, help)


def _at_moment(hook: ast.HookSentence) -> ast.Delayed | None:
    """Return a hook on a time as steps to take at that time, which it means among steps; None for another hook."""
    time = hook.event
    if not isinstance(time, ast.Time) or hook.condition is not None or hook.limit is not None:
        return None
    yours = isinstance(time.whose, ast.Pronoun) and time.whose.word == "you"
    if time.whose is not None and not yours:
        return None
    edge = "starts" if hook.stage.startswith("at the start") else "ends"
    if time.whose is None and time.span_of == "turn":
        which = "the next" if edge == "starts" else "this"
        message = f"{quoted(time.span.text)} is more than one time, and steps are taken once"
        help = f"say `{which} turn`; an act at each such time needs a block of rules"
        raise flaw("unclear-reach", message, time.span, help)
    moment = ast.ComingTime(edge, time.span_of, yours, span=time.span)
    return ast.Delayed(moment, hook.step, span=hook.span)


def with_otherwise(step: ast.Statement, otherwise: ast.Otherwise) -> ast.Statement:
    """Return the step with `otherwise` attached to its last `if`."""
    match step:
        case ast.Conditional(_, inner, other):
            if isinstance(inner, ast.Conditional | ast.StepSequence) and other is None and _ends_in_if(inner):
                return replace(step, step=with_otherwise(inner, otherwise))
            if other is not None:
                return replace(step, otherwise=with_otherwise(other, otherwise))
            return replace(step, otherwise=otherwise.step)
        case ast.StepSequence(steps):
            return replace(step, steps=(*steps[:-1], with_otherwise(steps[-1], otherwise)))
        case ast.Sections(sections):
            *first, last = joined(sections)
            return replace(step, sections=(*first, with_otherwise(last, otherwise)))
        case ast.Repetition(_, inner) | ast.Iteration(_, _, inner):
            return replace(step, step=with_otherwise(inner, otherwise))
        case ast.Guarded(inner, "if" | "unless" as word, condition):
            orders = [said_within(inner), otherwise.step.span.one_line]
            then, instead = orders if word == "if" else orders[::-1]
            message = "an `otherwise` follows a condition in front of its steps"
            help = f"say `if {condition.span.one_line}, {then}; otherwise, {instead}`"
            raise flaw("otherwise-without-if", message, step.span.to(otherwise.span), help)
    raise flaw("otherwise-without-if", "there is no `if` before this `otherwise`", otherwise.span)


def last_of(step: ast.Statement | ast.Otherwise) -> ast.Statement | ast.Otherwise:
    """Return the last of several steps, or the one step."""
    match step:
        case ast.StepSequence(steps) | ast.Sections(steps):
            return last_of(steps[-1])
    return step


def _ends_in_if(step: ast.Statement) -> bool:
    return isinstance(last_of(step), ast.Conditional)
