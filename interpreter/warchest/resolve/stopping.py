"""`stop`: where it is said, the steps behind it are done only if the text does not end there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from warchest.diagnostics.diagnostic import quoted
from warchest.resolve.reach import sequence_of
from warchest.resolve.types import flaw
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


def whole(step: ast.Statement) -> ast.Statement:
    """Return the steps of a definition or an answer without `stop`; raises Flaw as `stopped` does."""
    return _one(stopped(_sections(step))) if _says_stop(step) else step


def _says_stop(step: ast.Statement) -> bool:
    return any(isinstance(one, ast.Ending) for one, _ in nodes_in(step))


def _sections(part: ast.Statement) -> list[ast.Statement]:
    if not isinstance(part, ast.Sections):
        return [part]
    # An `otherwise` is joined to its `if` before a text is read.
    return [one for one in part.sections if not isinstance(one, ast.Otherwise)]


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
        case ast.Conditional(_, inner, None):
            return isinstance(sequence_of(inner)[-1], ast.Ending)
    return False


def _going_on(step: ast.Statement, behind: Sequence[ast.Statement]) -> ast.Statement:
    """Return a step that says `stop` with the steps behind it, which are done where it does not."""
    if isinstance(step, ast.Ending):
        message = "nothing behind this `stop` is ever done" if behind else "the text ends here anyway"
        raise flaw("says-nothing", message, step.span,
                   help="say when it ends: `stop if …`, `stop unless …`" if behind else "leave it out")  # fmt: skip
    if not behind:
        raise flaw("says-nothing", f"there is nothing behind {quoted(step.span.text)} that would not be done",
                   step.span, help="leave it out")  # fmt: skip
    rest = _one(stopped(behind))
    match step:
        case ast.Conditional(_, inner):
            first = _joined(sequence_of(inner)[:-1])
            if first:
                return replace(step, step=first[0], otherwise=rest)
            return ast.Guarded(rest, "unless", step.condition, span=step.span)
        case ast.Guarded(_, word, condition):
            return replace(step, step=rest, word={"if": "unless", "unless": "if"}.get(word, word), condition=condition)
    raise AssertionError(step)


def _refuse_in_offer(before: Sequence[ast.Statement], stop: ast.Statement) -> None:
    """Raise Flaw for a `stop` behind an offer, which would be part of it."""
    if any(isinstance(one, ast.May) for one in before):
        message = f"{quoted(stop.span.text)} could end the text in any case, or only where the offer is taken"
        raise flaw("unclear-reach", message, stop.span, help="put a semicolon in front of it: `…; stop …`")  # fmt: skip
