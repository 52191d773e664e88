"""Conditions on an act under way, and values of acts, where the act is never under way.

A verb in a condition means that its act is under way. People also write it for a cost or a choice. The values of an act
end with it, but people also use them after an order of the act.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, quoted
from warchest.ir import steps as ir
from warchest.ir.parts import (
    branches_of,
    events_in,
    fields_in,
    nodes_in,
    reached,
    steps_in,
    verbs_ordered,
    with_branches,
)
from warchest.ir.ruleset import Hook, Ruleset, Verb
from warchest.ir.values import Condition
from warchest.source.text import Span
from warchest.syntax.words import third_person

_ASKED = re.compile(r"\b(?:if|unless)\s+\Z", re.IGNORECASE)
"""The words before an act of `you` that readers take for a choice; `while` is about the act under way."""
_FORBIDDEN = re.compile(
    r"(?:[^,]*, )?(?P<who>this|it|an? [a-z -]+?) (?:cannot|may|can) (?P<verb>[a-z]+)"
    r"(?P<what>(?: (?!unless\b|while\b|if\b)[a-z0-9-]+)*)"
)
_YOU = "you "
_CLAUSE = "that "


def untimely_findings(ruleset: Ruleset, shown: Collection[str], aside: Collection[str] = ()) -> Iterator[Diagnostic]:
    """Find conditions in some files on acts, or values of acts, that are never under way when these are judged.

    Ignoring the orders in the files that are `aside` hides no finding.
    """
    look = _UntimelySearch(ruleset, aside)
    for judged in look.judged():
        if judged.around.path in shown:
            yield from look.never_met(judged)
    yield from (one for one in look.too_early() if one.file in shown)
    for code, verbs in look.codes():
        if code.span.path in shown:
            yield from look.over(code, verbs)


@dataclass(frozen=True, slots=True)
class _JudgedPart:
    """A condition or a step with its conditions, the verbs at whose events it is judged, the text around, and whether
    it belongs to a rule.
    """

    asked: Condition | ir.Order
    verbs: frozenset[int]
    around: Span
    is_rule: bool


@dataclass(slots=True)
class _UntimelySearch:
    """The acts that can be under way when another one begins."""

    ruleset: Ruleset
    aside: Collection[str]
    hooks: dict[int, list[Hook]] = field(default_factory=dict)
    orders: dict[tuple[int, bool], set[int]] = field(default_factory=dict)
    answered: dict[Span, frozenset[int]] = field(default_factory=dict)
    """The verbs that a sentence answers, by its place; a sentence about a name for several acts is a hook for each."""

    def __post_init__(self) -> None:
        for hook in self.ruleset.hooks:
            self.answered[hook.span] = self.answered.get(hook.span, frozenset()) | frozenset(hook.verbs)
            for verb in hook.verbs:
                self.hooks.setdefault(verb, []).append(hook)

    def judged(self) -> Iterator[_JudgedPart]:
        """Yield the conditions of rules, permissions and hooks, and the conditions among the steps of texts."""
        for number, verb in enumerate(self.ruleset.verbs):
            here = frozenset((number,))
            yield from (_JudgedPart(rule.condition, here, rule.span, True) for rule in verb.forbidden)
            for domain in verb.domains:
                said = (domain.applies, *domain.among.filters)
                yield from (_JudgedPart(one, here, domain.span, True) for one in said)
        for hook in self.ruleset.hooks:
            yield _JudgedPart(hook.condition, self.answered[hook.span], hook.span, False)
        for code, verbs in self.codes():
            yield from _in_steps(code, verbs)

    def codes(self) -> Iterator[tuple[ir.Code, frozenset[int]]]:
        """Yield the texts of orders, each with the verbs at whose events it is carried out."""
        for number, verb in enumerate(self.ruleset.verbs):
            yield from ((way.code, frozenset((number,))) for way in verb.definitions)
        yield from ((hook.code, self.answered[hook.span]) for hook in self.ruleset.hooks)
        performers = self._performers()
        for key in {key for sheet in self.ruleset.sheets for key in sheet.blocks}:
            performing = frozenset(performers[key])
            for sheet in self.ruleset.sheets:
                if key in sheet.blocks:
                    yield sheet.blocks[key], performing

    def over(self, code: ir.Code, verbs: frozenset[int]) -> Iterator[Diagnostic]:
        """Find orders about values of acts that are not under way in a text, or that it has ordered before."""
        fields = self.ruleset.fields
        told = set[tuple[int, Span]]()
        for number in sorted(one for one in fields_in(code.steps) if fields[one].act >= 0):
            act = self.ruleset.verbs[fields[number].act]
            if verbs.isdisjoint(self.ruleset.with_moments(fields[number].act)):
                early = not self._around(verbs, hooked=True).isdisjoint(act.kinds)
                name, help = quoted(fields[number].name), f"answer it: `after … {third_person(act.name)}, …`"
                for step in _about_value(code.steps, number, act, early):
                    if (fields[number].act, step.span) in told:
                        continue
                    told.add((fields[number].act, step.span))
                    is_moment = isinstance(step, ir.Call) and self.ruleset.verbs[step.verb].moment_of >= 0
                    why = "so this does nothing" if is_moment else f"and {name} is about one that is"
                    yield report("never-so", f"no {act.act} is under way here, {why}", step.span, help=help)

    def too_early(self) -> Iterator[Diagnostic]:
        """Find conditions on values of an act that are judged before the act can have set them."""
        for number, verb in enumerate(self.ruleset.verbs):
            told = [(rule.condition, rule.span) for rule in verb.forbidden]
            told += [((one.applies, one.among), one.span) for one in verb.domains]  # type: ignore[misc]
            told += [(hook.condition, hook.span) for hook in self.hooks.get(number, ()) if hook.stage == "before"]
            for condition, span in told:
                yield from self._unset(condition, verb, number, span)

    def _unset(self, asked: object, verb: Verb, number: int, span: Span) -> Iterator[Diagnostic]:
        """Find the first value of an act in a condition that is judged before the act can have set it."""
        fields = self.ruleset.fields
        for one in sorted(fields_in(asked)):
            if fields[one].act >= 0 and number in self.ruleset.verbs[fields[one].act].kinds:
                when = f"ask when the {verb.act} has begun: `after … {third_person(verb.name)} …, if …`"
                if fields[one].part is not None:
                    when = f"name it in the event: `… {third_person(verb.name)} a …, … that …`"
                yield report(
                    "never-so",
                    f"nothing has set {quoted(fields[one].name)} yet where this asks for it",
                    span,
                    help=when,
                )
                return

    def never_met(self, judged: _JudgedPart) -> Iterator[Diagnostic]:
        """Find acts that are not under way when a condition is judged; the kinds of an act share one finding."""
        by_span: dict[Span, list[int]] = {}
        for one in events_in(judged.asked):
            if one.span.path == judged.around.path:
                by_span.setdefault(one.span, []).append(one.verb)
        for span, verbs in by_span.items():
            is_choice = self._is_choice(span, verbs)
            around = self._around(judged.verbs, hooked=not is_choice)
            if around.isdisjoint(verbs) and not any(self.ruleset.verbs[one].built_in for one in judged.verbs):
                why = "and not whether you do it" if is_choice else "which is never so here"
                yield report(
                    "never-so",
                    f"{quoted(span.one_line)} asks whether this is being done just now, {why}",
                    span,
                    help=_advice(span, judged),
                )

    def _is_choice(self, span: Span, verbs: Iterable[int]) -> bool:
        """Whether a condition on an act of `you` reads like a question to that player."""
        before = span.source.text[max(0, span.start - 40) : span.start]
        by_player = all(self.ruleset.verbs[one].by == "player" for one in verbs)
        return by_player and span.text.lower().startswith(_YOU) and _ASKED.search(before) is not None

    def _around(self, verbs: frozenset[int], hooked: bool) -> set[int]:
        """Return the acts that can be under way at events of the verbs: these verbs, and all verbs that can order them.

        Answers to acts count as ordered by them if they are `hooked`.
        """
        every = range(len(self.ruleset.verbs))
        return reached(verbs, lambda goal: (one for one in every if goal in self._ordered(one, hooked)))

    def _ordered(self, verb: int, hooked: bool) -> set[int]:
        """Return the verbs that events of a verb order, with their kinds; `hooked` includes answers and state rules."""
        if (verb, hooked) not in self.orders:
            codes = [way.code for way in self.ruleset.verbs[verb].definitions]
            codes += [rule.code for rule in self.ruleset.state_rules] if hooked else []
            codes += [hook.code for hook in self.hooks.get(verb, ()) if hooked and hook.span.path not in self.aside]
            called = verbs_ordered(self.ruleset, codes)
            self.orders[verb, hooked] = called.union(*(self.ruleset.verbs[one].kinds for one in (verb, *called)))
        return self.orders[verb, hooked]

    def _performers(self) -> Mapping[str, set[int]]:
        """Return the verbs that carry out the texts under each key, by their definitions or by answers to them."""
        found = defaultdict[str, set[int]](set)
        for number, verb in enumerate(self.ruleset.verbs):
            codes = [way.code for way in verb.definitions] + [hook.code for hook in self.hooks.get(number, ())]
            for one in (one for code in codes for one in nodes_in(code.steps)):
                if isinstance(one, ir.Perform):
                    found[one.block].add(number)
        return found


def _about_value(steps: ir.Steps, number: int, act: Verb, early: bool) -> Iterator[ir.Order]:
    """Yield the first of the steps about a value of an act; if `early`, only a step after an order of the act.

    A step that sets the value before the act is ordered counts as well.
    """
    is_over = not early
    orders = [any(isinstance(one, ir.Call) and one.verb in act.kinds for one in nodes_in(step)) for step in steps]
    for place, step in enumerate(steps):
        own = with_branches(step, lambda _: ())
        sets = isinstance(step, ir.SetField) and any(orders[place:])
        if (is_over or sets) and number in fields_in(own):
            yield step
            return
        for branch in branches_of(step):
            if found := next(_about_value(branch, number, act, not is_over), None):
                yield found
                return
        is_over |= orders[place]


def _in_steps(code: ir.Code, verbs: frozenset[int]) -> Iterator[_JudgedPart]:
    """Yield each step, with its conditions and the conditions on its things, judged when the step is carried out."""
    for step in steps_in(code.steps):
        yield _JudgedPart(with_branches(step, lambda _: ()), verbs, code.span, False)


def _advice(span: Span, judged: _JudgedPart) -> str:
    """Return help on a cost, an offer or an earlier act, in the words of the text."""
    said = span.one_line
    if said.startswith(_CLAUSE):
        act = said.removeprefix(_CLAUSE)
        return f"describe it, `that is …` or `whose … is …`, or answer the act: `after a … {act}, …`"
    if not said.lower().startswith(_YOU):
        return f"say what is so then, `… is …`, or answer the act: `after {said}, …`"
    act = said[len(_YOU) :]
    if not judged.is_rule:
        return f"offer it, and join its consequences by `, then`: `you may {act}, then …`"
    found = _FORBIDDEN.match(judged.around.one_line[:1].lower() + judged.around.one_line[1:])
    when = f"before {found['who']} {third_person(found['verb'])}{found['what']}" if found is not None else "before …"
    return (
        f"a cost is an order, `{when}, {act} …`; if the cost must be affordable, "
        "say that: `… cannot … unless a … is in …`"
    )
