"""Sentences of cards that make no sense: they never apply, make no difference, or contradict the card.

The findings follow from the rules alone, with the facts that the text of a piece implies about it; if the rules leave a
question open, there is no finding.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations

from warchest.diagnostics.articles import with_article
from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, Label, quoted
from warchest.ir import steps as ir
from warchest.ir.opposites import negated
from warchest.ir.parts import (
    branches_of,
    causes_in,
    choices_of,
    chosen_in,
    names_of,
    nodes_in,
    reached,
    set_of,
    steps_in,
    variables_in,
    verbs_ordered,
    with_branches,
)
from warchest.ir.ruleset import AGENT, FIXED, THIS, YOU, Definition, Domain, Hook, Rule, Ruleset, StandingChange, Verb
from warchest.ir.values import (
    SET_VARIABLES,
    All,
    Attribute,
    Bears,
    Compare,
    Condition,
    Const,
    Exists,
    FieldOf,
    InPiece,
    KindIs,
    Not,
    PerDocument,
    Pieces,
    Set,
    Tokens,
    Value,
    Var,
    asks_nothing,
    conjuncts,
)
from warchest.lint.sentences.reasoning import (
    alike,
    always,
    among,
    known_of_bearer,
    made_of_something,
    never,
    replaced,
    together,
)
from warchest.source.text import Span

_THIS, _AGENT, _YOU = Var(THIS, "piece"), Var(AGENT, "piece"), Var(YOU, "player")
_SURE: frozenset[ir.StepChange] = frozenset(("variables", "line"))
"""The changes that leave a fact unchanged."""
_EXCLUDES = "its parts exclude each other, or a condition that always holds here"
_OTHER = re.compile(r"\b(?P<word>(?P<article>an)?other) ", re.IGNORECASE)
_BEFORE = "it is judged before the event: to answer the result, say `after …, if …`, or `when this falls, …`"
_ELSEWHERE = 1 << 18
"""The first number of the variables of other texts."""
_MEMBER = 1 << 19
"""The variable of a member of a set that is examined."""


def senseless_findings(
    ruleset: Ruleset, shown: Collection[str], whole: bool = True, apart: Collection[str] = ()
) -> Iterator[Diagnostic]:
    """Find senseless sentences in the documents of some files.

    If the rules are not `whole`, because a text of another file could not be read, acts that no text permits are not
    reported. Ignoring the orders of the files that are `apart` can only add findings.
    """
    said = _SheetFacts(ruleset)
    for number, sheet in enumerate(ruleset.sheets if shown else ()):
        card = _Card(ruleset, number, whole, apart, said)
        if card.is_in(shown):
            for code in sheet.blocks.values():
                yield from card.steps(code)
            yield from card.definitions()
            yield from card.hooks()
            yield from card.rules()
            yield from card.permissions()
            yield from card.standing()
            yield from card.limits()
            yield from card.watched()


class _SheetFacts:
    """All facts on the documents, by the numbers of these."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.rules: defaultdict[int, list[tuple[Verb, Rule]]] = defaultdict(list)
        self.domains: defaultdict[int, list[tuple[Verb, Domain]]] = defaultdict(list)
        self.ways: defaultdict[int, list[Definition]] = defaultdict(list)
        self.hooks: defaultdict[int, list[Hook]] = defaultdict(list)
        self.standing: defaultdict[int, list[StandingChange]] = defaultdict(list)
        self.limits: defaultdict[int, list[tuple[int, Span, Value]]] = defaultdict(list)
        for verb in ruleset.verbs:
            for rule in verb.forbidden:
                self.rules[rule.carrier].append((verb, rule))
            for domain in verb.domains:
                self.domains[domain.carrier].append((verb, domain))
            for way in verb.definitions:
                self.ways[way.carrier].append(way)
        for hook in ruleset.hooks:
            self.hooks[hook.carrier].append(hook)
        for change in ruleset.standing:
            self.standing[change.carrier].append(change)
        self.owners = [
            code for code in ruleset.codes() if any(isinstance(step, ir.ChangeOwner) for step in steps_in(code.steps))
        ]
        """The texts that give pieces other owners."""
        self.watched: defaultdict[int, dict[Span, Span]] = defaultdict(dict)
        """The sentences that change a number or an adjective that a rule watches, by document; each with that rule."""
        self._note_numbers(ruleset)

    def _note_numbers(self, ruleset: Ruleset) -> None:
        for number in ruleset.limits.values():
            if isinstance(number, PerDocument):
                for (document, value), span in zip(number.cases, number.spans, strict=True):
                    if isinstance(value, Const):
                        self.limits[document].append((value.value, span, number.otherwise))
        for state_rule in ruleset.state_rules:
            for one in nodes_in(state_rule.among):
                if isinstance(one, PerDocument):
                    for (document, value), span in zip(one.cases, one.spans, strict=True):
                        if not alike(value, one.otherwise):
                            self.watched[document].setdefault(span, state_rule.code.span)
                elif isinstance(one, Not) and not _is_within(one.condition.span, one.span):
                    # A card denies its own word.
                    for document in _documents_in(one.condition):
                        self.watched[document].setdefault(one.condition.span, state_rule.code.span)


class _Card:
    """A document whose pieces have texts: the facts known about such a piece, and everything on the document."""

    def __init__(self, ruleset: Ruleset, number: int, whole: bool, apart: Collection[str], said: _SheetFacts) -> None:
        self.ruleset, self.number, self.sheet, self.whole = ruleset, number, ruleset.sheets[number], whole
        self.apart = apart
        self.said_rules, self.said_domains = said.rules[number], said.domains[number]
        self.said_hooks, self.said_ways = said.hooks[number], said.ways[number]
        self.said_standing = said.standing[number]
        self.said_limits, self.said_watched = said.limits[number], said.watched[number]
        self.said_owners = said.owners
        self.kinds = ruleset.kinds_of(number)

    def is_in(self, shown: Collection[str]) -> bool:
        """Whether any part of the card is in one of some files."""
        spans = [
            *(code.span for code in self.sheet.blocks.values()),
            *(rule.span for _, rule in self.said_rules),
            *(one.span for _, one in self.said_domains),
            *(hook.span for hook in self.said_hooks),
            *(way.code.span for way in self.said_ways),
            *(one.span for one in self.said_standing),
            *(span for _, span, _ in self.said_limits),
            *self.said_watched,
        ]
        return bool(self.kinds) and any(span.path in shown for span in spans)

    def facts(self, span: Span, stands: bool = True, keeps: bool = True) -> list[Condition]:
        """Return the facts about a piece of this document in any position in which its text applies.

        If it need not `keep` its owner, an earlier step can have given it to a player other than `you`.
        """
        known = known_of_bearer(self.ruleset, self.number, span, keeps)
        if stands and any(self.ruleset.kinds[kind].holds for kind in self.kinds):
            known += made_of_something(_THIS, span)
        return known

    def _changes_owners(self, code: ir.Code) -> bool:
        """Whether a piece can get another owner while a text is carried out."""
        return any(one is code or one.span.path not in self.apart for one in self.said_owners)

    def said_of(self, span: Span, this_role: int) -> list[Condition]:
        """Return the facts that hold if a piece of this document takes part in an act, in a given role."""
        known = self.facts(span)
        if this_role == 0:
            known.append(Compare("==", _AGENT, _THIS, span))
        elif this_role > 0:
            known.append(Compare("==", Var(FIXED + this_role - 1, "piece"), _THIS, span))
        return known

    # ---- steps

    def steps(
        self, code: ir.Code, who: Sequence[Condition] = (), given: Sequence[Condition] = ()
    ) -> Iterator[Diagnostic]:
        """Find senseless steps in a text; `who` are facts about its parties, `given` facts before the first step."""
        fixed = [*self.facts(code.span, stands=False, keeps=not self._changes_owners(code)), *who]
        yield from self._steps(code.steps, fixed, [*self.facts(code.span), *who, *given])
        yield from _idle_choices(list(steps_in(code.steps)))

    def _steps(self, steps: ir.Steps, fixed: list[Condition], now: list[Condition]) -> Iterator[Diagnostic]:
        """Find senseless steps; `fixed` are the facts that always hold, `now` the facts before the first step."""
        for number, step in enumerate(steps):
            yield from self._step(step, now)
            for branch, more in _branches(step):
                yield from self._steps(branch, fixed, [*now, *more])
            if isinstance(step, ir.Choose):
                more = [*now, *among(step.among, step.var)]
                now = more if not never(more) else now
            elif not ir.only_changes(step, _SURE):
                now = fixed
            if isinstance(step, ir.MoveToken):
                yield from _moved_nowhere(step, steps[:number])

    def _step(self, step: ir.Order, now: list[Condition]) -> Iterator[Diagnostic]:
        match step:
            case ir.If(condition) | ir.Must(condition):
                yield from _judged(condition, now, step.span)
            case ir.Call():
                yield from self._never_may(step, now)
            case ir.MovePiece(piece, space):
                yield from self._no_room(step, piece, space, now)
            case ir.RaisePiece(_, space, kind, _, result):
                yield from self._no_room(step, result, space, [*now, KindIs(result, (kind,), step.span)])
            case ir.ChangeOwner(piece, owner):
                if always(Compare("==", Attribute("owner", piece, "player"), owner, step.span), now):
                    help = "leave it out, or say who else becomes its owner"
                    yield report("no-difference", "this is so already", step.span, help=help)
        if isinstance(step, ir.If) and alike(step.then, step.otherwise):
            yield report("no-difference", "both branches do the same", step.span, help="leave the condition out")
        if isinstance(step, ir.Either) and any(alike(*pair) for pair in combinations(step.options, 2)):
            yield report("no-difference", "two of the branches are the same", step.span, help="leave one of them out")
        sets = [members for _, members in choices_of(step)]
        for members in (*sets, step.tokens) if isinstance(step, ir.MoveAll) else sets:
            if never([*now, *among(members, Var(_MEMBER, members.var.base))]):
                yield report("never-so", f"there is never {_said(members.span)}", members.span, help=_EXCLUDES)

    def _never_may(self, call: ir.Call, now: list[Condition]) -> Iterator[Diagnostic]:
        """Find an order that is always forbidden because of the things that it names."""
        verb = self.ruleset.verbs[call.verb]
        if call.agent != ir.Bound(_THIS):
            return
        filled: dict[Value, Value] = {
            Var(FIXED + number, role.base): fill.value
            for number, (role, fill) in enumerate(zip(verb.roles, call.roles, strict=True))
            if isinstance(fill, ir.Bound)
        }
        for rule in verb.forbidden if filled else ():
            if rule.carrier < 0 and always(replaced(rule.condition, {_AGENT: _THIS, **filled}), now):
                yield _beside("at-odds", "this order is always forbidden", call.span, rule.span, help="say another one")
                return

    def _no_room(self, step: ir.Order, piece: Value, space: Value, now: list[Condition]) -> Iterator[Diagnostic]:
        """Find a piece that is put on the space of another one of its kind, if a space can only have one such piece."""
        var, span = Var(SET_VARIABLES, "piece"), step.span
        if isinstance(step, ir.MovePiece) and space == Attribute("space", piece, "space"):
            yield report("no-difference", "it is there already", span, help="say where else it goes")
        there: list[Condition] = [Compare("==", Attribute("space", var, "space"), space, span)]
        if isinstance(step, ir.MovePiece):
            there.append(Compare("!=", var, piece, span))
        for kind in (number for number, one in enumerate(self.ruleset.kinds) if one.alone):
            another = Exists(Set(var, Pieces((kind,)), tuple(there), span), span)
            if always(KindIs(piece, (kind,), span), now) and always(another, now):
                yield report(
                    "never-so",
                    "another one is there, so that it cannot be put there",
                    span,
                    help="say where there is room for it",
                )

    def definitions(self) -> Iterator[Diagnostic]:
        """Find senseless steps in the definitions of the document."""
        for way in self.said_ways:
            yield from self.steps(way.code)

    def standing(self) -> Iterator[Diagnostic]:
        """Find standing changes that change nothing, are stated twice, or have a condition that is always true."""
        for number, change in enumerate(self.said_standing):
            known = self.facts(change.span)
            if change in self.said_standing[:number]:
                first = self.said_standing[self.said_standing.index(change)]
                twice, help = "this is said twice, and is done twice", "say it once, and by how much in all"
                yield _beside("no-difference", twice, change.span, first.span, "first here", help)
            if never([*known, *conjuncts(change.condition)]):
                yield report("never-so", "this never changes anything", change.span, help=_EXCLUDES)
            elif change.amount == Const(0, "number"):
                yield report("no-difference", "this changes nothing", change.span, help="say by how much")
            for condition in change.condition.conditions if change.of_this else ():
                if always(condition, known):
                    yield _always_so(condition, change.span)

    # ---- hooks

    def hooks(self) -> Iterator[Diagnostic]:
        """Find answers that are never given, or given twice, or change nothing."""
        said = dict[tuple[object, ...], Hook]()
        for hook in self.said_hooks:
            known = self.said_of(hook.span, hook.this_role)
            if never([*known, *conjuncts(hook.condition)]):
                help = f"{_EXCLUDES}; {_BEFORE}" if hook.stage == "when" else _EXCLUDES
                yield report("never-so", "nothing ever sets this off", hook.span, help=help)
            else:
                yield from self._idle_parts(hook.condition, known, hook.span)
                who = self.said_of(hook.span, hook.this_role)[-1:] if hook.this_role >= 0 else ()
                # A condition that held when an event began need not hold when it is over.
                given = [one for one in conjuncts(hook.condition) if not _counts(one)] if hook.stage == "before" else ()
                yield from self.steps(hook.code, who, given)
            yield from self._unheard(hook)
            if _is_the_same_again(hook):
                yield report("no-difference", "the replacement is the same act", hook.span, help="say something else")
            other = said.setdefault(_told_by(hook), hook)
            if other is not hook:
                message, help = "the same is said before", "leave one of them out"
                yield _beside("no-difference", message, hook.span, other.span, "here", help)
        yield from self._rounds()

    def _idle_parts(self, condition: Condition, known: list[Condition], span: Span) -> Iterator[Diagnostic]:
        """Find parts of a condition that always hold anyway."""
        parts = list(conjuncts(condition))
        for one in parts:
            others = [other for other in parts if other is not one]
            if not isinstance(one, KindIs | Bears) and always(one, [*known, *others]):
                yield _always_so(one, span)

    def _unheard(self, hook: Hook) -> Iterator[Diagnostic]:
        """Find answers to acts that a piece of this document cannot do, or that happen before it is on the board."""
        verbs = [self.ruleset.verbs[number] for number in hook.verbs]
        if hook.this_role == 0:
            for found in ([*self._lacks(verb, hook.span), *self._forbidden_anyway(verb, hook.span)] for verb in verbs):
                if not found:
                    return
                first = found[0]
            yield first
        elif hook.this_role > 0 and all(self._is_no_role(verb, hook) for verb in verbs):
            yield report(
                "never-so", "this is never the object of that act", hook.span, help="name the object of the act"
            )
        elif hook.this_role > 0 and hook.stage in ("before", "instead"):
            token = Var(FIXED + hook.this_role - 1, "token")
            ways = [one for verb in verbs for way in verb.definitions for one in nodes_in(way.code.steps)]
            if any(isinstance(one, ir.RaisePiece) and one.token == token for one in ways):
                at = hook.span.start + max(0, hook.span.text.lower().find("before"))
                place = hook.span.source.span(at, min(hook.span.end, at + len("before")))
                yield report("never-so", "this is not on the board before that", place, help="say `after`")
        elif hook.this_role > 0 and all(self._is_aside(number, hook) for number in hook.verbs):
            noun, name = verbs[0].roles[hook.this_role - 1].noun, with_article(self.sheet.name)
            message = f"`this` is on the board, where the {noun} of that act never goes"
            help = f"for the {noun}s of this, write `{name}` in place of `this`"
            yield report("never-so", message, hook.span, help=help)

    def _is_aside(self, number: int, hook: Hook) -> bool:
        """Whether a hook is on the end of an act with a token that the act does not put onto the board."""
        verbs, verb = self.ruleset.verbs, self.ruleset.verbs[number]
        if hook.stage != "after" or verb.roles[hook.this_role - 1].base != "token" or not verb.definitions:
            return False
        acts = reached([number], lambda act: verbs_ordered(self.ruleset, [way.code for way in verbs[act].definitions]))
        steps = (one for act in acts for way in verbs[act].definitions for one in nodes_in(way.code.steps))
        return not any(isinstance(one, ir.RaisePiece | ir.Perform | InPiece) for one in steps)

    def _is_no_role(self, verb: Verb, hook: Hook) -> bool:
        """Whether no piece or token of this document can fill the role that a hook asks for."""
        role = verb.roles[hook.this_role - 1]
        kinds = self.ruleset.token_sheets.get(role.noun, ())
        return role.base == "token" and bool(kinds) and self.sheet.kind not in kinds

    def _lacks(self, verb: Verb, span: Span) -> Iterator[Diagnostic]:
        """Find a verb that carries out a text which the document does not have."""
        blocks = _performed(verb)
        if blocks and not blocks & self.sheet.blocks.keys():
            lacking = " or ".join(f"`{block}`" for block in sorted(blocks))
            yield report("never-so", f"this has no {lacking}", span, help=f"write the {lacking}, or leave this out")

    def _forbidden_anyway(self, verb: Verb, span: Span) -> Iterator[Diagnostic]:
        """Find a verb that this document forbids altogether."""
        for other, rule in self.said_rules:
            if other is verb and rule.this_role == 0 and always(rule.condition, self.said_of(span, 0)):
                yield report(
                    "at-odds",
                    "nothing ever sets this off: it is forbidden here",
                    span,
                    labels=(Label(rule.span, "by this"),),
                    help="leave one of the two out",
                )
                return

    def _rounds(self) -> Iterator[Diagnostic]:
        """Find answers that order each other again and again."""
        ordered = {
            number: {
                verb
                for step in hook.code.steps
                if isinstance(step, ir.Call) and step.agent == ir.Bound(_THIS)
                for verb in (step.verb,)
            }
            for number, hook in enumerate(self.said_hooks)
            if hook.this_role == 0 and hook.stage != "instead" and asks_nothing(hook.condition)
        }
        answers = dict[int, list[int]]()
        for number in ordered:
            for verb in self.said_hooks[number].verbs:
                answers.setdefault(verb, []).append(number)
        for number, verbs in ordered.items():
            for other in sorted({one for verb in verbs for one in answers.get(verb, ()) if number < one}):
                first, second = self.said_hooks[number], self.said_hooks[other]
                if ordered[other] & set(first.verbs):
                    message = "this and the other answer set each other off again and again"
                    help = "make one of them an offer: `it may …`"
                    yield _beside("again-and-again", message, second.span, first.span, "the other", help)

    # ---- rules and permissions

    def rules(self) -> Iterator[Diagnostic]:
        """Find prohibitions that forbid nothing, are superfluous, or cancel a permission of the card itself."""
        for number, (verb, rule) in enumerate(self.said_rules):
            known = self.said_of(rule.span, rule.this_role)
            if never([*known, rule.condition]):
                yield report(
                    "never-so", "this forbids nothing: what it is said of is never so", rule.span, help=_EXCLUDES
                )
                continue
            yield from self._idle_parts(rule.condition, known, rule.span)
            yield from self._caused_by_nothing(rule)
            if rule.this_role == 0:
                yield from self._lacks(verb, rule.span)
                own = _performed(verb) & self.sheet.blocks.keys()
                if own and always(rule.condition, known):
                    yield report(
                        "at-odds",
                        "this takes away a bonus of the card itself",
                        rule.span,
                        labels=(Label(self.sheet.blocks[min(own)].span, "this"),),
                        help="say when it holds, `while …`, or leave one of the two out",
                    )
            if self._never_permitted(verb, rule, known):
                yield report("no-difference", "this is never permitted anyway", rule.span, help="leave it out")
                continue
            others = [other for which, other in self.said_rules[:number] if which is verb]
            later = [other for which, other in self.said_rules[number + 1 :] if which is verb]
            usual = [other for other in verb.forbidden if other.carrier < 0]
            for other in (*usual, *others, *(one for one in later if not self._holds_wherever(rule, one))):
                if self._holds_wherever(other, rule):
                    yield _beside("no-difference", "this is forbidden anyway", rule.span, other.span)
                    break
        yield from self._altogether()

    def _never_permitted(self, verb: Verb, rule: Rule, known: list[Condition]) -> bool:
        """Whether a rule forbids only acts that no text permits."""
        if verb.is_name or len(verb.kinds) > 1 or not verb.roles or not self.whole:
            return False
        # Most acts are permitted by the first such text, and the others need not be checked.
        first = None
        for first in chain(self._permitted(verb), self._picked(verb, rule)):
            if not never([*known, rule.condition, *first]):
                return False
        return first is not None

    def _permitted(self, verb: Verb) -> Iterator[list[Condition]]:
        """Yield the facts about the objects of each permission; its `you` is the player who acts."""
        agent = _AGENT if verb.by == "piece" else Var(AGENT, "player")
        you = Attribute("owner", _AGENT, "player") if verb.by == "piece" else agent
        for domain in verb.domains:
            this = agent if domain.this_role <= 0 else Var(FIXED + domain.this_role - 1, "piece")
            member = Var(FIXED + domain.role, domain.among.var.base)
            yield [replaced(one, {_YOU: you, _THIS: this}) for one in (domain.applies, *among(domain.among, member))]

    def _picked(self, verb: Verb, rule: Rule) -> Iterator[list[Condition]]:
        """Yield the facts about the objects of each order that names its object."""
        number = self.ruleset.verbs.index(verb)
        for carrier, code, _ in self.ruleset.texts():
            if carrier != self.number and code.span.path in self.apart:
                continue
            steps = nodes_in(code.steps)
            chosen = chosen_in(code.steps)
            for call in steps:
                if not isinstance(call, ir.Call) or call.verb != number:
                    continue
                agent = call.agent.value if isinstance(call.agent, ir.Bound) else None
                if agent == _THIS and rule.this_role == 0 and carrier not in (-1, self.number):
                    continue  # a piece of another document does that
                for role, fill in enumerate(call.roles):
                    members = set_of(fill, chosen)
                    if members is not None:
                        member = Var(FIXED + role, members.var.base)
                        yield [_elsewhere(one, agent, member) for one in among(members, member)]
                    elif isinstance(fill, ir.Bound):
                        yield []

    def _holds_wherever(self, wider: Rule, rule: Rule) -> bool:
        """Whether one prohibition applies wherever another does."""
        if wider.carrier >= 0 and wider.this_role != rule.this_role:
            return False
        return always(wider.condition, [*self.said_of(rule.span, rule.this_role), rule.condition])

    def _altogether(self) -> Iterator[Diagnostic]:
        """Find prohibitions that together forbid all cases of an act."""
        for verb in dict.fromkeys(id(verb) for verb, _ in self.said_rules):
            rules = [rule for which, rule in self.said_rules if id(which) == verb and rule.this_role == 0]
            known = self.said_of(rules[0].span, 0) if rules else []
            alone = any(always(rule.condition, known) for rule in rules)
            if len(rules) > 1 and not alone and never([*known, *(negated(rule.condition) for rule in rules)]):
                yield report(
                    "at-odds",
                    "together with the other this forbids it altogether",
                    rules[-1].span,
                    labels=(Label(rules[0].span, "the other"),),
                    help="leave one of the two out",
                )

    def _caused_by_nothing(self, rule: Rule) -> Iterator[Diagnostic]:
        for one in causes_in(rule.condition):
            if one.document < 0 and one.agent in (_THIS, _AGENT):
                lacking = [self.ruleset.verbs[verb] for verb in one.verbs]
                if lacking and all(any(True for _ in self._lacks(verb, rule.span)) for verb in lacking):
                    yield from self._lacks(lacking[0], one.span)

    def permissions(self) -> Iterator[Diagnostic]:
        """Find permissions that everyone has anyway, and those that the same document cancels."""
        for verb, domain in self.said_domains:
            known = self._given(domain)
            if never(known):
                yield report(
                    "never-so", "this permits nothing: what it is said of is never so", domain.span, help=_EXCLUDES
                )
                continue
            if domain.this_role == 0:
                yield from self._lacks(verb, domain.span)
            yield from self._permitted_anyway(verb, domain, known)
            rules = [
                rule
                for rule in verb.forbidden
                if (rule.carrier, rule.this_role) in ((-1, -1), (self.number, domain.this_role))
                and always(rule.condition, known)
            ]
            if rules:
                yield report(
                    "at-odds",
                    "this permission is forbidden elsewhere",
                    domain.span,
                    help="leave one of the two out",
                    labels=(Label(rules[0].span, "by this"),),
                )

    def _given(self, domain: Domain) -> list[Condition]:
        """Return the facts about the objects of a permission."""
        member = Var(FIXED + domain.role, domain.among.var.base)
        return [*self.said_of(domain.span, domain.this_role), domain.applies, *among(domain.among, member)]

    def _permitted_anyway(self, verb: Verb, domain: Domain, known: list[Condition]) -> Iterator[Diagnostic]:
        member = Var(FIXED + domain.role, domain.among.var.base)
        for other in verb.domains:
            if other is domain or other.role != domain.role or not other.always:
                continue
            if always(together(among(other.among, member) or [All((), other.span)], other.span), known):
                yield _beside("no-difference", "this is permitted anyway", domain.span, other.span)
                return

    # ---- limits

    def limits(self) -> Iterator[Diagnostic]:
        """Find limits that leave a piece of the document no space, and limits that exclude no space."""
        keys = {
            self.ruleset.copies[noun]
            for noun, kinds in self.ruleset.token_sheets.items()
            if noun in self.ruleset.copies and self.sheet.kind in kinds
        }
        there = max((self.sheet.numbers.get(key, 0) for key in keys), default=0)
        for most, span, usual in self.said_limits:
            if most == 0:
                yield report("never-so", "no piece of this can ever be there", span, help="say at least 1")
            elif usual == Const(most, "number"):
                yield report("no-difference", "this is so of all of them", span, help="leave it out")
            elif 0 < there < most:
                yield report("no-difference", f"there are only {there} of them", span, help=f"say at most {there}")

    def watched(self) -> Iterator[Diagnostic]:
        """Find fixed numbers whose change a rule of the game cannot notice."""
        for span, rule in self.said_watched.items():
            yield report(
                "watched-number",
                "a rule of the game watches this, and would no longer act at the right time",
                span,
                help="leave it as it is, and say what this counts as, `this is …`, or replace the effect of "
                "the rule: `when this would …, … instead`",
                labels=(Label(rule, "this rule watches it"),),
            )


def _counts(condition: Condition) -> bool:
    """Whether a condition counts how often an act was done, which includes an act that has just begun."""
    return any(isinstance(one, FieldOf) and bool(one.per) for one in nodes_in(condition))


def _documents_in(condition: Condition) -> Iterator[int]:
    """Yield the documents in a condition about the document of a piece or a token."""
    for one in nodes_in(condition):
        if isinstance(one, Bears):
            yield one.document
        elif isinstance(one, Compare) and isinstance(one.right, Const) and one.right.base == "document":
            yield one.right.value


def _is_within(inner: Span, outer: Span) -> bool:
    return inner.path == outer.path and outer.start <= inner.start and inner.end <= outer.end


def _judged(condition: Condition, given: Sequence[Condition], around: Span) -> Iterator[Diagnostic]:
    """Find a condition that is never true, or always."""
    if never([*given, condition]):
        span, said = _told(condition, around)
        yield report("never-so", f"{said} is never so here", span, help=_EXCLUDES)
    elif always(condition, given):
        yield _always_so(condition, around)


def _always_so(condition: Condition, around: Span) -> Diagnostic:
    span, said = _told(condition, around)
    words, is_told = span.one_line, span == condition.span
    other = _OTHER.search(words) if is_told and isinstance(condition, Compare) and condition.how == "!=" else None
    if other is not None:
        # The place of the condition is the whole phrase, which has a wider meaning.
        rest = words[other.end() :]
        plain = words[: other.start()] + (with_article(rest) if other["article"] else rest)
        message = f"`{other['word'].lower()}` makes no difference in {said}"
        return report("no-difference", message, span, help=f"say `{plain}`")
    return report("no-difference", f"{said} is always so here", span, help="leave it out")


def _beside(
    name: str, message: str, span: Span, by: Span, at: str = "by this", help: str = "leave it out"
) -> Diagnostic:
    """Return a finding about a text that has to do with another one."""
    return report(name, message, span, help=help, labels=(Label(by, at),))


def _told(condition: Condition, around: Span) -> tuple[Span, str]:
    """Return the place of a condition, and its words; for a word that another text defines, the words around it."""
    span = condition.span
    if _is_within(span, around):
        return span, _said(span)
    return around, "a condition that is said"


def _elsewhere(condition: Condition, agent: Value | None, member: Var) -> Condition:
    """Return a condition of another text with other variables, except those for the agent and the object."""
    table: dict[Value, Value] = {
        one: replace(one, id=one.id + _ELSEWHERE)
        for one in nodes_in(condition)
        if isinstance(one, Var) and one.id < SET_VARIABLES and one != member
    }
    if isinstance(agent, Var):
        table[agent] = _AGENT
    if agent == _THIS:
        table[_YOU] = Attribute("owner", _AGENT, "player")
    return replaced(condition, table)


def _is_the_same_again(hook: Hook) -> bool:
    """Whether the replacement of an event orders the very same event."""
    if hook.stage != "instead" or hook.this_role != 0 or len(hook.code.steps) != 1:
        return False
    call = hook.code.steps[0]
    if not (isinstance(call, ir.Call) and call.verb in hook.verbs and call.agent == ir.Bound(_THIS)):
        return False
    given = [fill.value for fill in call.roles if isinstance(fill, ir.Bound)]
    roles = range(FIXED, FIXED + len(call.roles))
    return not any(isinstance(fill, ir.ChosenRole) for fill in call.roles) and all(
        isinstance(value, Var) and value.id in roles for value in given
    )


def _said(span: Span) -> str:
    return quoted(span.one_line)


def _branches(step: ir.Order) -> Iterator[tuple[ir.Steps, list[Condition]]]:
    """Yield the branches of a step, with the conditions that hold at the beginning of each."""
    if isinstance(step, ir.If):
        yield step.then, [step.condition]
        yield step.otherwise, [negated(step.condition)]
    else:
        yield from ((branch, []) for branch in branches_of(step))


def _idle_choices(steps: list[ir.Order]) -> Iterator[Diagnostic]:
    """Find choices whose result is not used, in a text that does anything besides choosing."""
    if all(isinstance(step, ir.Choose) for step in steps):
        return
    used = {variable for step in steps for variable in _taken_up(step)}
    for step in steps:
        if isinstance(step, ir.Choose) and step.var.id not in used:
            message, help = (
                f"nothing takes up {_said(step.among.span)}",
                "say the act on it: `that …`, or leave the choice out",
            )
            yield report("no-difference", message, step.among.span, help=help)


def _taken_up(step: ir.Order) -> set[int]:
    """Return the variables that a step uses, except the variable that it fills and the variables in steps within it."""
    own = with_branches(step, lambda _: ())
    return variables_in([getattr(own, name) for name in names_of(type(own)) if name != "var"])  # type: ignore[arg-type]


def _moved_nowhere(step: ir.MoveToken, before: ir.Steps) -> Iterator[Diagnostic]:
    """Find a token that is moved to the place where it is."""
    for one in before:
        chosen = one.among.members if isinstance(one, ir.Choose) and one.var == step.token else None
        if isinstance(chosen, Tokens) and chosen.holders == (step.into,):
            yield report("no-difference", "it is there already", step.span, help="say where else it goes")


def _performed(verb: Verb) -> set[str]:
    """Return the keys of the texts of a piece that a verb carries out; empty if the verb also does anything else."""
    steps = [step for way in verb.definitions for step in way.code.steps]
    own = {step.block for step in steps if isinstance(step, ir.Perform) and step.of == _THIS}
    return own if all(isinstance(step, ir.Perform) for step in steps) else set()


def _told_by(hook: Hook) -> tuple[object, ...]:
    """Return the complete content of an answer, which is equal for equivalent answers."""
    return hook.stage, hook.verbs, hook.this_role, hook.condition, hook.code.steps
