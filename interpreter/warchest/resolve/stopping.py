"""Replacement of `stop` by conditions: the steps after it are carried out only if the text does not end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from warchest.diagnostics.diagnostic import quoted
from warchest.resolve.joining import joined
from warchest.resolve.reach import sequence_of
from warchest.resolve.types import Flaw, flaw
from warchest.syntax import ast
from warchest.syntax.agreement import nodes_in


def stopped(parts: Sequence[ast.Statement]) -> list[ast.Statement]:
    """Return the parts of a whole text without `stop`: later parts are put under a condition instead.

    Raises Flaw for a `stop` that ends nothing, and for one with an ambiguous reach.
    """
    if not any(map(_says_stop, parts)):
        return list(parts)
    parts = [one for part in parts for one in _sections(part)]
    for number, part in enumerate(parts):
        steps = sequence_of(part)
        for place, step in enumerate(steps):
            if _ends_in_stop(step):
                _refuse_in_offer(steps[:place], step)
                behind = [*_in_turn(steps[place + 1 :]), *parts[number + 1 :]]
                return [*parts[:number], *_in_turn(steps[:place]), _going_on(step, behind)]
    return parts


def _whole(step: ast.Statement) -> ast.Statement:
    """Return the steps of a definition or an answer without `stop`; raises Flaw as `stopped` does."""
    return _one(stopped(_sections(step))) if _says_stop(step) else step


def without_stop(sentence: ast.Sentence) -> ast.Sentence:
    """Return a definition or a hook without `stop`; raises Flaw as `stopped` does."""
    if not isinstance(sentence, ast.DefineVerb | ast.HookSentence):
        return sentence
    step = _whole(sentence.step)
    return replace(sentence, step=step) if step is not sentence.step else sentence


def _says_stop(step: ast.Statement) -> bool:
    return any(isinstance(one, ast.Ending) for one, _ in nodes_in(step))


def _sections(part: ast.Statement) -> list[ast.Statement]:
    return joined(part.sections) if isinstance(part, ast.Sections) else [part]


def _in_turn(steps: Sequence[ast.Statement]) -> list[ast.Statement]:
    """Return steps as one part of a text, or no part if there are no steps."""
    if len(steps) < 2:
        return list(steps)
    return [ast.StepSequence(tuple(steps), span=steps[0].span.to(steps[-1].span))]


def _one(parts: Sequence[ast.Statement]) -> ast.Statement:
    return parts[0] if len(parts) == 1 else _parts(parts)


def _parts(parts: Sequence[ast.Statement]) -> ast.Sections:
    return ast.Sections(tuple(parts), span=parts[0].span.to(parts[-1].span))


def _ends_in_stop(step: ast.Statement) -> bool:
    match step:
        case ast.Guarded(ast.Ending()) | ast.Ending():
            return True
        case ast.Conditional(_, inner, other):
            return _is_last(inner) or (other is not None and _is_last(other))
    return False


def _is_last(step: ast.Statement) -> bool:
    return isinstance(sequence_of(step)[-1], ast.Ending)


def _going_on(step: ast.Statement, behind: Sequence[ast.Statement]) -> ast.Statement:
    """Return a step with `stop` and the later parts as one step, in which the parts only follow if the text goes on."""
    match step:
        case ast.Conditional(_, inner, other):
            return _branches(step, inner, other, behind)
        case ast.Guarded(_, word) if behind:
            opposite = {"if": "unless", "unless": "if"}.get(word, word)
            return replace(step, step=_one(stopped(behind)), word=opposite, ends=True)
    raise _vain(step, behind)


def _branches(
    step: ast.Conditional, inner: ast.Statement, other: ast.Statement | None, behind: Sequence[ast.Statement]
) -> ast.Statement:
    """Return an `if` in which one branch ends the text; the later parts become the end of the other branch."""
    first, second = (
        [] if branch is None else _in_turn(sequence_of(branch)[:-1]) if _is_last(branch) else [branch]
        for branch in (inner, other)
    )
    ends_first, ends_second = _is_last(inner), other is not None and _is_last(other)
    if (ends_first and ends_second) or (not behind and (first or not second)):
        raise _vain(step, behind)
    first = stopped([*first, *behind]) if not ends_first else first
    second = stopped([*second, *behind]) if not ends_second else second
    if not first:
        return ast.Guarded(_one(second), "unless", step.condition, ends=True, span=step.span)
    return replace(step, step=_one(first), otherwise=_parts(second) if second else None)


def _vain(stop: ast.Statement, behind: Sequence[ast.Statement]) -> Flaw:
    """Return the Flaw for a `stop` without later steps, or with later steps that are unreachable."""
    if behind:
        message = f"nothing behind {quoted(stop.span.text)} is ever done"
        return flaw("says-nothing", message, stop.span, help="say when it ends: `stop if …`, `stop unless …`")
    message = f"there is no step after {quoted(stop.span.text)} that it could end"
    help = "put a semicolon and the steps that it can end after it: `stop if …; …`"
    return flaw("says-nothing", message, stop.span, help)


def _refuse_in_offer(before: Sequence[ast.Statement], stop: ast.Statement) -> None:
    """Raise Flaw for a `stop` after an offer in the same part, which it would belong to."""
    plain = [one.step if isinstance(one, ast.Guarded) else one for one in before]
    if any(isinstance(one, ast.May | ast.OfferedChange) for one in plain):
        message = f"{quoted(stop.span.text)} could end the text in any case, or only where the offer is taken"
        raise flaw("unclear-reach", message, stop.span, help="put a semicolon in front of it: `…; stop …`")
