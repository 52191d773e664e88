"""The reach of `for each`, `if` and `otherwise`: steps after others that may or may not belong to them.

All reach to the end of their part of the sentence. A step without reference to the members of a loop or to the steps
before it, or a step after an `if` in the middle of a sentence, or one of another agent after an `otherwise`, can be
read as unconditional.
"""

from __future__ import annotations

from collections.abc import Sequence

from warchest.diagnostics.diagnostic import quoted
from warchest.ir import steps as ir
from warchest.ir.parts import calls_in, kind_changes_in, variables_in, with_values
from warchest.ir.values import SET_VARIABLES, Condition, Var
from warchest.resolve.types import Flaw, flaw
from warchest.source.text import Span
from warchest.syntax import ast
from warchest.syntax.agreement import nodes_in


def refuse_in_loop(nodes: Sequence[ast.Statement], done: Sequence[ir.Steps], member: Var) -> None:
    """Raise Flaw for a step of a loop that mentions neither a member nor a result of an earlier step."""
    if len(nodes) == 1 and isinstance(nodes[0], ast.Conditional) and nodes[0].otherwise is None:
        inner = sequence_of(nodes[0].step)
        refuse_in_loop(inner, _by_node(inner, done[0]), member)
        return
    first = _first_apart(done, {member.id}, member.id)
    if first < 0:
        return
    step = quoted(nodes[first].span.text)
    spoken = any(member.id in variables_in(steps) for steps in done[:first])
    once = f"say `…; {_text(nodes[first])}` to do it once, after the loop"
    each = "give the steps for each a name: `to …: …`"
    if spoken:
        each = f"to do it for each, put it first, and say `that {member.noun}` after it"
    message = f"{step} mentions no member of this `for each`, and would be repeated for each"
    raise flaw("unclear-reach", message, nodes[first].span, help=f"{once}; {each}")


def refuse_after_if(nodes: Sequence[ast.Statement], done: Sequence[ir.Steps], test: Condition, known: int) -> None:
    """Raise Flaw for a step under an `if` in the middle of a sentence that does not refer to the steps before it.

    Variables below `known` come from the text before the `if`.
    """
    first = _first_apart(done, variables_in(test), known)
    if first < 0:
        return
    step = quoted(nodes[first].span.text)
    raise flaw(
        "unclear-reach",
        f"{step} can be read as unconditional, and would belong to this `if`",
        nodes[first].span,
        help=f"say `…; {_text(nodes[first])}` to do it in any case, or put a semicolon in front of the `if`, "
        "`…; if …`, to do all of it only then",
    )


def refuse_after_otherwise(node: ast.Conditional, done: Sequence[ir.Steps], known: int) -> None:
    """Raise Flaw for a step under an `otherwise` that has another agent than the steps before it and no reference to them.

    Variables below `known` come from the text before the `if`.
    """
    assert node.otherwise is not None
    nodes = sequence_of(node.otherwise)
    first = _first_apart(done, set(), known, is_by_agent=True)
    if first < 0:
        return
    before, later = nodes[0].span.to(nodes[first - 1].span).one_line, nodes[first].span.to(nodes[-1].span).one_line
    only = "give the steps for this case a name: `to …: …`"
    if not isinstance(node.step, ast.StepSequence | ast.Conditional):
        only = f"to do all of it only then, put the opposite condition in front: `if … not …, {before}, then {later}; "
        only += "otherwise, …`"
    raise flaw(
        "unclear-reach",
        f"{quoted(nodes[first].span.text)} can be read as unconditional, and would belong to this `otherwise`",
        nodes[first].span,
        help=f"say `…; otherwise, {before}; {later}` to do it in any case; {only}",
    )


OTHER_BRANCH = "an order in place of another one is the other branch"
"""The advice on `unless somebody does something`."""


def refuse_guard(node: ast.Guarded, rest: Sequence[ast.Statement], is_loop: bool) -> None:
    """Raise Flaw for a step with a condition whose form alone makes it ambiguous.

    `rest` are the later steps in its part of the sentence; `is_loop` marks a step that is done for several things.
    """
    said, is_unless = f"if {node.condition.span.one_line}", node.word == "unless"
    if node.word == "while":
        order = f"{node.step.span.one_line} {said}" if node.is_behind else f"{said}, {said_within(node.step)}"
        message = "`while` says how long a rule holds, and a step is done once"
        raise flaw("syntax-error", message, node.span, help=f"say `{order}`")
    if rest and isinstance(node.step, ast.May | ast.OfferedChange):
        raise flaw(
            "unclear-reach",
            f"{quoted(rest[0].span.text)} could be unconditional, or belong to the offer before it",
            rest[0].span,
            help=f"say `…; {_text(rest[0])}` to do it in any case"
            + ("" if is_unless else f", or `{said}, … may …, then …` to offer all of it"),
        )
    if is_unless and isinstance(node.step, ast.Lasting):
        message = "this could be asked once, now, or as long as that lasts"
        help = "put `if … is not …,` in front to ask now; or restrict the noun, `a … on a …`"
        raise flaw("unclear-reach", message, node.condition.span, help)
    taken_up = pronoun_in(node.condition) if is_loop else None
    if taken_up is not None:
        message = f"{quoted(taken_up.span.text)} could be each of those for whom this is done"
        help = f"say `for each …, {'if … is not …' if is_unless else said}, …`"
        raise flaw("ambiguous-it", message, taken_up.span, help)


def refuse_two_readings(node: ast.Guarded, before: object, later: object, done: ir.Steps) -> None:
    """Raise Flaw for a condition whose readings before its step and after it differ; each can be a Flaw.

    A piece that changes its kind in the steps is still the same thing.
    """
    same = {step.result.id: step.piece for step in kind_changes_in(done)}
    if same and not isinstance(before, Flaw) and (isinstance(later, Flaw) or before == with_values(later, same)):
        return
    if before != later and not (isinstance(before, Flaw) and isinstance(later, Flaw)):
        raise _two_readings(node, is_first_sound=not isinstance(before, Flaw))


def _two_readings(node: ast.Guarded, is_first_sound: bool) -> Flaw:
    """Return the Flaw for a condition that could refer to something in its step."""
    asked, step = node.condition.span, said_within(node.step)
    message = f"{quoted(asked.text)} is asked before `{step}`, and could refer to a thing in that step"
    help = "name the thing, as `this` or `that …`; for a choice of the step say `a … that is …`"
    if is_first_sound:
        help += f"; or say it in front, `{node.word} {asked.one_line}, {step}`"
    return flaw("ambiguous-it", message, asked, help=help)


def _refuse_new_things(node: ast.Guarded) -> None:
    """Raise Flaw for a condition after an answer, if it has a pronoun that could refer to a new thing in the answer."""
    new = any(
        isinstance(one, ast.Phrase) and one.determiner in ("a", "an", "another", "any")
        for one, _ in nodes_in(node.step)
    )
    if new and node.is_behind and pronoun_in(node.condition) is not None:
        raise _two_readings(node, is_first_sound=True)


def asked_first(step: ast.Statement) -> tuple[tuple[str, ast.Proposition], ast.Statement] | None:
    """Return the condition on a whole answer, as a condition on its hook, with the steps; None without a condition."""
    match step:
        case ast.Conditional(condition, inner, None):
            return ("while", condition), inner
        case ast.Guarded(inner, "if" | "unless" as word, condition):
            _refuse_new_things(step)
            return ("while" if word == "if" else word, condition), inner
    return None


def conditional_rule(sentence: ast.Guarded) -> Flaw:
    """Return the Flaw for a rule with `if` after it."""
    rule, asked = sentence.step.span.one_line, sentence.condition
    is_plain = pronoun_in(asked) is None or rule.lower().startswith("this ")
    message = "`if` asks before a step is done, and a rule holds all the time"
    help = f"say `{rule} while {asked.span.one_line if is_plain else '…'}`"
    return flaw("step-among-rules", message, sentence.span, help)


def said_within(step: ast.Statement) -> str:
    """Return the text of a step for the middle of a sentence: with a small first letter, except that of a name."""
    said, subject = step.span.one_line, getattr(step, "subject", None)
    return said if isinstance(subject, ast.Name) else f"{said[:1].lower()}{said[1:]}"


def sequence_of(step: ast.Statement) -> tuple[ast.Statement, ...]:
    """Return the steps of a sequence, or the one step."""
    return step.steps if isinstance(step, ast.StepSequence) else (step,)


def pronoun_in(node: ast.SyntaxNode) -> ast.SyntaxNode | None:
    """Return the first `it` or `its …` in a part of a sentence; None if it has no such word."""
    for one, _ in nodes_in(node):
        if isinstance(one, ast.Pronoun) and one.word == "it":
            return one
        if isinstance(one, ast.Phrase) and one.determiner == "its":
            return one
    return None


def _by_node(nodes: Sequence[ast.Statement], steps: ir.Steps) -> list[ir.Steps]:
    """Return the steps in an `if`, those of one part of a sentence together; an offer includes all steps after it."""
    inside = [one for step in steps if isinstance(step, ir.If) for one in step.then]
    offer = next(
        (place for place, node in enumerate(nodes) if isinstance(node, ast.May | ast.OfferedChange)), len(nodes)
    )
    return [
        tuple(one for one in inside if node.span.start <= one.span.start < node.span.end) for node in nodes[: offer + 1]
    ]


def _first_apart(done: Sequence[ir.Steps], before: set[int], least: int, is_by_agent: bool = False) -> int:
    """Return the index of the first step after which no step uses an earlier variable; -1 for none.

    Only variables of the code from the number `least` on are considered. With `is_by_agent`, no later step is an act of
    an earlier agent either.
    """
    for place in range(1, len(done)):
        known = before | {number for steps in done[:place] for number in variables_in(steps)}
        taken = {number for steps in done[place:] for number in variables_in(steps)}
        goes_on = is_by_agent and _agents(done[:place]) & _agents(done[place:])
        if not goes_on and not {number for number in known & taken if least <= number < SET_VARIABLES}:
            return place
    return -1


def _agents(done: Sequence[ir.Steps]) -> set[int]:
    """Return the numbers of the variables that are the agents of acts in some steps."""
    agents = [call.agent for steps in done for call in calls_in(steps)]
    return {number for agent in agents if isinstance(agent, ir.Bound) for number in variables_in(agent)}


def _text(node: ast.Statement) -> str:
    return node.span.one_line


def permitted_by_can(can: ast.Statement) -> Flaw:
    """Return the Flaw for a permission worded with `can`."""
    assert isinstance(can, ast.Can)
    if can.limit is not None:
        message = "`can` permits nothing"
        help = "say what is too often: `a … cannot … more than once a round`"
        return flaw("syntax-error", message, can.limit.span, help)
    place = Span(can.span.source, can.subject.span.end, can.verbs[0].span.start)
    blanks = len(place.text) - len(place.text.lstrip())
    said = f"{' '.join(can.subject.span.text.split())} may {can.verbs[0].text} …"
    message = "`can` permits nothing"
    help = f"say `{said}`, or `no … can …` for a prohibition"
    return flaw("syntax-error", message, Span(place.source, place.start + blanks, place.end - 1), help)


def refuse_event_before(node: ast.Repetition) -> None:
    """Raise Flaw for `until this moves, that unit cannot attack`: the event that ends a prohibition follows it."""
    step = node.step
    if not isinstance(step, ast.Cannot | ast.Can) or not isinstance(node.condition, ast.Holds):
        return
    said = f"{step.span.one_line} until {node.condition.span.one_line}"
    help = f"put the event after it: `{said}`"
    if step.limit is not None:
        help = "leave out how often: `… cannot … until …`"
    elif _says_this(node.condition) and not _says_this(step):
        help = f"put an event of the intended subject after it: `{step.span.one_line} until that … …`"
    message = f"{quoted(step.span.text)} is a rule, and `until …,` in front of it repeats steps"
    raise flaw("rule-among-steps", message, node.span, help=help)


def refuse_permission_until_event(node: ast.Lasting) -> None:
    """Raise Flaw for a permission until an event: permissions last until a time."""
    is_forbidden = isinstance(node.step, ast.Cannot) or _is_of_none(node.step)
    if isinstance(node.until, ast.ComingTime) or is_forbidden or not isinstance(node.step, ast.Can):
        return
    said = f"{node.step.subject.span.one_line} may {node.step.verbs[0].text}"
    message = "a prohibition can last until an event, and a permission only until a time"
    raise flaw("syntax-error", message, node.span, help=f"say `until the end of the turn, {said} …`")


def _says_this(node: ast.SyntaxNode) -> bool:
    return any(isinstance(one, ast.Pronoun) and one.word == "this" for one, _ in nodes_in(node))


def _is_of_none(node: ast.Statement) -> bool:
    """Whether a step forbids something by `no … can …`."""
    return isinstance(node, ast.Can) and isinstance(node.subject, ast.Phrase) and node.subject.determiner == "no"


def no_step(node: ast.Statement) -> Flaw:
    """Return the Flaw for a rule in a block of steps."""
    if isinstance(node, ast.Can) and not _is_of_none(node):
        return permitted_by_can(node)
    if isinstance(node, ast.Ending):
        message = "`stop` ends a whole text, and here it is within a part of it"
        help = "say it as a step of its own, with its condition: `…; stop if …; …`"
        return flaw("unclear-reach", message, node.span, help)
    message = f"{quoted(node.span.text)} is a rule, and this block holds steps"
    return flaw("rule-among-steps", message, node.span, help="move it to a block of rules")
