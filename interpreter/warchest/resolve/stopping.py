"""`stop`: where it is said, the steps behind it are done only if the text does not end there."""

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
    """Return the parts of a whole text without `stop`: what is behind one is put under its condition.

    Raises Flaw for one that ends nothing, or of which it is not clear what it ends.
    """
    if not any(map(_says_stop, parts)):
        return list(parts)
    parts = [one for part in parts for one in _sections(part)]
    for number, part in enumerate(parts):
        steps = sequence_of(part)
        for place, step in enumerate(steps):
            if _ends_in_stop(step):
                _refuse_in_offer(steps[:place], step)
                behind = [*_joined(steps[place + 1 :]), *parts[number + 1 :]]
                return [*parts[:number], *_joined(steps[:place]), _going_on(step, behind)]
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


def _joined(steps: Sequence[ast.Statement]) -> list[ast.Statement]:
    """Return steps in turn as one part of a text, or as none."""
    if len(steps) < 2:
        return list(steps)
    return [ast.StepSequence(tuple(steps), span=steps[0].span.to(steps[-1].span))]


def _one(parts: Sequence[ast.Statement]) -> ast.Statement:
    return parts[0] if len(parts) == 1 else ast.Sections(tuple(parts), span=parts[0].span.to(parts[-1].span))


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
    """Return a step that says `stop` with the steps behind it, which are done where it does not."""
    match step:
        case ast.Conditional(_, inner, other):
            return _branches(step, inner, other, behind)
        case ast.Guarded(_, word) if behind:
            opposite = {"if": "unless", "unless": "if"}.get(word, word)
            return replace(step, step=_one(stopped(behind)), word=opposite)
    raise _vain(step, behind)


def _branches(
    step: ast.Conditional, inner: ast.Statement, other: ast.Statement | None, behind: Sequence[ast.Statement]
) -> ast.Statement:
    """Return an `if` of which one branch ends the text: what is behind it is in the other one."""
    first, second = ([] if branch is None else _joined(sequence_of(branch)[:-1]) if _is_last(branch) else [branch]
                     for branch in (inner, other))  # fmt: skip
    ends_first, ends_second = _is_last(inner), other is not None and _is_last(other)
    if (ends_first and ends_second) or (not behind and (first or not second)):
        raise _vain(step, behind)
    first = stopped([*first, *behind]) if not ends_first else first
    second = stopped([*second, *behind]) if not ends_second else second
    if not first:
        return ast.Guarded(_one(second), "unless", step.condition, span=step.span)
    return replace(step, step=_one(first), otherwise=_one(second) if second else None)


def _vain(stop: ast.Statement, behind: Sequence[ast.Statement]) -> Flaw:
    """Return the flaw of a `stop` that nothing is behind, or nothing that would ever be done."""
    if behind:
        return flaw("says-nothing", f"nothing behind {quoted(stop.span.text)} is ever done", stop.span,
                    help="say when it ends: `stop if …`, `stop unless …`")  # fmt: skip
    return flaw("says-nothing", f"there is nothing behind {quoted(stop.span.text)} that it could end", stop.span,
                help="put a semicolon and the steps that it can end behind it: `stop if …; …`")  # fmt: skip


def _refuse_in_offer(before: Sequence[ast.Statement], stop: ast.Statement) -> None:
    """Raise Flaw for a `stop` behind an offer, which would be part of it."""
    if any(isinstance(one, ast.May) for one in before):
        message = f"{quoted(stop.span.text)} could end the text in any case, or only where the offer is taken"
        raise flaw("unclear-reach", message, stop.span, help="put a semicolon in front of it: `…; stop …`")  # fmt: skip
