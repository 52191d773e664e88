"""Roles that nothing settles: an order leaves them out, nothing says what is usual, and the act needs them."""

from __future__ import annotations

from collections.abc import Iterator

from warchest.diagnostics.articles import with_article
from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, quoted
from warchest.ir import steps as ir
from warchest.ir.parts import nodes_in, steps_in
from warchest.ir.ruleset import FIXED, Ruleset, Verb
from warchest.ir.values import Var


def unsettled_findings(ruleset: Ruleset) -> Iterator[Diagnostic]:
    """Find orders that leave out what the act is done with, where no rule says what that normally is."""
    needed = [tuple(_needed(verb)) for verb in ruleset.verbs]
    for call in (step for code in ruleset.codes() for step in steps_in(code.steps) if isinstance(step, ir.Call)):
        verb = ruleset.verbs[call.verb]
        for role, fill in enumerate(call.roles):
            if isinstance(fill, ir.Usual) and role in needed[call.verb]:
                yield _unsettled(call, verb, role)
        # Whichever kind of act it becomes, that has roles of its own.
        for kind in () if verb.definitions else verb.kinds:
            yield from (_unsettled(call, ruleset.verbs[kind], role) for role in needed[kind])


def _unsettled(call: ir.Call, verb: Verb, role: int) -> Diagnostic:
    noun = verb.roles[role].noun
    message = f"{quoted(verb.name)} needs {with_article(noun)}, and nothing says which"
    return report("not-definite", message, call.span, help="say which here, or what is usual: `normally, …`")


def _needed(verb: Verb) -> Iterator[int]:
    """Yield the roles of a verb that its definitions use and do not find, and of which no rule says what is usual."""
    permitted = {domain.role for domain in verb.domains}
    left = [role for role in range(len(verb.roles)) if role not in permitted]
    used = [_used(one.code.steps) for one in verb.definitions] if left else []
    yield from (role for role in left if any(FIXED + role in one for one in used))


def _used(steps: ir.Steps) -> set[int]:
    """Return the variables that steps use and do not find."""
    parts = nodes_in(steps)
    found = {getattr(part, name).id for part in parts for name in ("var", "result")
             if isinstance(getattr(part, name, None), Var)}  # fmt: skip
    return {part.id for part in parts if isinstance(part, Var)} - found
