"""Moments of acts that no text causes, and moments that several texts define for the same act."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations

from warchest.diagnostics.articles import with_article
from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, Label
from warchest.ir import steps as ir
from warchest.ir.parts import nodes_in
from warchest.ir.ruleset import Definition, Ruleset, Verb
from warchest.ir.values import conjuncts
from warchest.lint.sentences.reasoning import never
from warchest.syntax.words import third_person


def moment_findings(ruleset: Ruleset, aside: Collection[str] = ()) -> Iterator[Diagnostic]:
    """Find definitions of moments that no text orders, and moments with two definitions for the same act.

    Ignoring the texts in the files that are `aside` only hides the findings on definitions in these files.
    """
    ordered = {one.verb for code in ruleset.codes() for one in nodes_in(code.steps) if isinstance(one, ir.Call)}
    for number, verb in enumerate(ruleset.verbs):
        if verb.moment_of < 0:
            continue
        ways = [way for way in verb.definitions if way.code.span.path not in aside]
        act = ruleset.verbs[verb.moment_of]
        if ways and number not in ordered:
            order = f"the {act.act} {third_person(verb.name)}"
            yield report(
                "never-so",
                f"no text orders that {order}, so this is never done",
                ways[0].code.span,
                help=f"order it within the act: `to {act.name} …: …, then {order}`",
            )
        for first, second in combinations(ways, 2):
            yield from _both_fit(act, verb, first, second)


def _both_fit(act: Verb, verb: Verb, first: Definition, second: Definition) -> Iterator[Diagnostic]:
    """Find two definitions of a moment between which the agent of the act would have to choose."""
    if first.carrier >= 0 and second.carrier not in (-1, first.carrier):
        return  # no card has to have both
    if never([*conjuncts(first.applies), *conjuncts(second.applies)]):
        return
    later = second if second.carrier >= 0 or first.carrier < 0 else first
    other = first if later is second else second
    said, of = third_person(verb.name), f"its {act.act}" if later.carrier >= 0 else with_article(act.act)
    apart = of.replace(f" {act.act}", f" … {act.act}")
    yield report(
        "two-ways",
        f"another text also says how such an act {said}: the agent chooses one of them",
        later.code.span,
        labels=(Label(other.code.span, "the other one"),),
        help=f"to do it instead, say `when {of} would {verb.name}, … instead`; to do more, `when {of} {said}, …`; or "
        f"tell the acts apart by an adjective, `as {apart} {said}, …`",
    )
