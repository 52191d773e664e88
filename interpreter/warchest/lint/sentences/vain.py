"""Vain orders: they can never be carried out, are too late, or lack their intended effect.

Each finding follows from the rules alone; if these leave a question open, there is none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, Label, quoted
from warchest.ir import steps as ir
from warchest.ir.parts import (
    branches_of,
    calls_in,
    choices_of,
    goal_of,
    kept_by,
    kinds_of_nobody,
    needed_by,
    nodes_in,
    reads_in,
    removed_by,
    steps_in,
)
from warchest.ir.ruleset import AGENT, THIS, YOU, Hook, Ruleset, StateRule
from warchest.ir.values import (
    Attribute,
    Bears,
    Compare,
    Condition,
    Const,
    InPiece,
    InZone,
    KindIs,
    Not,
    Value,
    Var,
    conjuncts,
)
from warchest.lint.sentences.reasoning import always, among, known_of_bearer, never
from warchest.source.text import Span

_THIS, _YOU, _AGENT = Var(THIS, "piece"), Var(YOU, "player"), Var(AGENT, "piece")
_OF_TOKENS = {"", "kinds", "pieces", "sheets", "tokens"}
"""The values that a condition reads on a piece and that depend on its tokens alone."""
_ELSEWHERE: frozenset[ir.StepChange] = frozenset(
    ("variables", "tokens", "places", "fields", "owners", "knowledge", "questions")
)
"""The changes that give a piece no new token, and take none off the board."""


@dataclass(slots=True)
class _Ordering:
    """A text with orders: the document that carries it (-1: none), and the facts about its parties."""

    carrier: int
    code: ir.Code
    hook: Hook | None = None
    known: list[Condition] = field(default_factory=list)

    def given(self, value: Value) -> list[Condition]:
        """Return the facts, and the facts about a player or piece that was chosen in the text."""
        found = list(self.known)
        for step in steps_in(self.code.steps):
            for var, members in choices_of(step):
                found += among(members, var) if var == value else []
        return found


def vain_findings(ruleset: Ruleset, commons: str, aside: Collection[str] = ()) -> Iterator[Diagnostic]:
    """Find vain orders; `commons` is the kind of document whose rules apply to all.

    Ignoring the files that are `aside` hides no finding.
    """
    look = _VainSearch(ruleset, commons, [hook for hook in ruleset.hooks if hook.span.path not in aside], aside)
    for said in look.texts():
        yield from look.beyond(said)
        yield from _too_late(said.code.steps, _gone_at_first(ruleset, said), said.hook)
        yield from look.to_nobody(said)
        yield from look.of_another_type(said)
    for hook in ruleset.hooks:
        yield from look.falling(hook)


class _VainSearch:
    """A search for vain orders in the rules of a game."""

    def __init__(self, ruleset: Ruleset, commons: str, answers: list[Hook], aside: Collection[str]) -> None:
        self.ruleset, self.commons, self.answers, self.aside = ruleset, commons, answers, aside
        self.kinds = {kind.sheet for kind in ruleset.kinds}
        self.of_nobody = kinds_of_nobody(ruleset)
        self.acting = _acting_tokens(ruleset)

    def texts(self) -> Iterator[_Ordering]:
        """Yield all texts with orders."""
        for carrier, code, hook in self.ruleset.texts():
            known = known_of_bearer(self.ruleset, carrier, code.span)
            if hook is not None:
                known += conjuncts(hook.condition)
                if hook.this_role == 0:
                    known.append(Compare("==", _AGENT, _THIS, code.span))
            yield _Ordering(carrier, code, hook, known)

    # ---- acts that only one card has

    def beyond(self, said: _Ordering) -> Iterator[Diagnostic]:
        """Find orders to others for acts that only the pieces of one card, or their owner, can do."""
        for call in calls_in(said.code.steps):
            verb = self.ruleset.verbs[call.verb]
            carriers = {way.carrier for kind in verb.kinds for way in self.ruleset.verbs[kind].definitions}
            only = min(carriers, default=-1)
            if len(carriers) != 1 or only < 0 or self.ruleset.sheets[only].kind not in self.kinds:
                continue
            if verb.by != "game" and not self._can(said, call.agent, only):
                name = self.ruleset.sheets[only].name
                who = f"the owner of {quoted(name)}" if verb.by == "player" else quoted(name)
                yield report(
                    "never-so",
                    f"only {who} can {quoted(verb.act)}: no other text says how",
                    call.span,
                    help=f"define it for all: `to {verb.name}: …` among the `rules:` of a "
                    f"document that begins `{self.commons}: …`",
                )

    def _can(self, said: _Ordering, agent: ir.Fill, only: int) -> bool:
        """Whether an agent is surely a piece of a document, or its owner; True as well if unknown."""
        if isinstance(agent, ir.ChosenRole):
            value: Value = agent.var
            known = [*said.known, *among(agent.among, agent.var)]
        elif isinstance(agent, ir.Bound):
            value, known = agent.value, said.given(agent.value)
        else:
            return True
        if getattr(value, "base", "") == "player":
            return value == _YOU or always(Compare("==", value, _YOU, said.code.span), known)
        if value == _THIS and not any(isinstance(one, Bears) and one.piece == _THIS for one in said.known):
            return True
        span, document = said.code.span, Attribute("document", value, "document")
        known = [*known, Not(Compare("==", document, Const(only, "document"), span), span)]
        return always(Bears(value, only, span), known)

    # ---- zones without an owner

    def to_nobody(self, said: _Ordering) -> Iterator[Diagnostic]:
        """Find tokens that are put into the zone of a player who never exists there."""
        for step in steps_in(said.code.steps):
            into = goal_of(step)
            if isinstance(into, InZone) and into.of is not None and self._is_nobody(said, into.of):
                yield report(
                    "never-so",
                    "this zone has no owner, so that no token is put there",
                    step.span,
                    help="name its owner",
                )

    def _is_nobody(self, said: _Ordering, whose: Value) -> bool:
        if isinstance(whose, Const):
            return whose.value < 0
        if whose == _YOU:
            carried = [one.kinds for one in said.known if isinstance(one, KindIs) and one.piece == _THIS]
            return bool(carried) and all(set(kinds) <= self.of_nobody for kinds in carried)
        if isinstance(whose, Attribute) and whose.what in ("team", "left", "right"):
            return self._is_nobody(said, whose.of)
        if not (isinstance(whose, Attribute) and whose.what in ("owner", "decider") and self.of_nobody):
            return False
        return always(KindIs(whose.of, tuple(self.of_nobody), said.code.span), said.given(whose.of))

    # ---- other forms

    def of_another_type(self, said: _Ordering) -> Iterator[Diagnostic]:
        """Find pieces that get another type than their tokens, if tokens act for pieces of their own type."""
        for step in steps_in(said.code.steps):
            if self.acting is None or step.changes != {"texts"}:
                continue
            holds = next(kind.holds for kind in self.ruleset.kinds if kind.holds)
            yield report(
                "left-idle",
                f"of another type than it is made of, this acts by no {holds} of its own any more",
                step.span,
                help="say by which it acts: `a … is changed when its type is not its nature`, and where the rules are "
                f"everybody's, in a document that begins `{self.commons}: …`, another {self.acting[0]} of "
                "`an own changed … whose nature is its type`",
                labels=(Label(self.acting[1], "these act by their nature"),),
            )

    # ---- falls

    def falling(self, hook: Hook) -> Iterator[Diagnostic]:
        """Find answers to a fall that are intended to keep a piece, but do not."""
        falls = self.ruleset.falls
        if falls < 0 or hook.verbs != (falls,) or hook.stage not in ("before", "instead"):
            return
        spent = [rule for rule in self.ruleset.state_rules if _removes(rule)]
        if not spent or not all(reads_in((one.among.members, one.among.filters)) <= _OF_TOKENS for one in spent):
            return
        kinds = {kind for rule in spent for kind in getattr(rule.among.members, "kinds", ())}
        if never([hook.condition, KindIs(_AGENT, tuple(kinds), hook.span)]):
            return
        holds = next((kind.holds for kind in self.ruleset.kinds if kind.holds), "")
        if hook.stage == "before":
            who = {_AGENT, _THIS} if hook.this_role == 0 else {_AGENT}
            for step in steps_in(hook.code.steps):
                if _filled(step) in who:
                    yield report(
                        "no-difference",
                        "it falls all the same, with all that is put into it",
                        step.span,
                        help=f"to keep it, say `{_kept(hook)}`",
                    )
        elif not self._removed_otherwise(hook, kinds) and self._leaves_it(hook, hook.code.steps, set()):
            message = "it falls all the same: this does not remove the reason"
            yield report(
                "no-difference",
                message,
                hook.code.span,
                help=f"give it a {holds}, `… put a {holds} … into this instead`; to do this on the way, "
                f"say `{_on_the_way(hook)}`",
            )

    def _removed_otherwise(self, hook: Hook, kinds: Collection[int]) -> bool:
        """Whether any text, other than answers and definitions of a fall, takes pieces of some kinds off the board."""
        of_verb = [way.code for way in self.ruleset.verbs[self.ruleset.falls].definitions]
        for said in self.texts():
            if said.code.span.path in self.aside or any(said.code is one for one in (hook.code, *of_verb)):
                continue
            for step in steps_in(said.code.steps):
                piece = removed_by(step)
                if piece is not None and not never([*said.given(piece), KindIs(piece, tuple(kinds), step.span)]):
                    return True
        return False

    def _leaves_it(self, hook: Hook, steps: ir.Steps, seen: set[int]) -> bool:
        """Whether the steps of an answer, with their orders and all answers to these, bring the piece no token."""
        another = _THIS if hook.this_role and steps is hook.code.steps else None
        for step in steps_in(steps):
            if isinstance(step, ir.Call) and step.verb not in seen:
                seen.add(step.verb)
                helps = not all(self._leaves_it(hook, code.steps, seen) for code in self._of(step.verb, hook.carrier))
            elif ir.changes_of(step) <= _ELSEWHERE:
                helps = _filled(step) not in (None, another)
            else:
                helps = another is None or removed_by(step) != another
            if helps:
                return False
        return True

    def _of(self, verb: int, carrier: int) -> Iterator[ir.Code]:
        """Yield the definitions of an act, and the answers to it, for a piece of a given document."""
        kinds = self.ruleset.verbs[verb].kinds
        yield from (way.code for kind in kinds for way in self.ruleset.verbs[kind].definitions)
        for hook in self.answers:
            # A hook about its own piece is not triggered by a piece of another document.
            if not set(kinds).isdisjoint(hook.verbs) and (hook.this_role or hook.carrier in (-1, carrier)):
                yield hook.code


# ---- pieces that have gone


def _gone_at_first(ruleset: Ruleset, said: _Ordering) -> dict[Value, Span]:
    """Return the piece that has left the board when a text begins: the piece whose fall the text answers."""
    hook = said.hook
    if hook is None or hook.verbs != (ruleset.falls,) or hook.stage not in ("when", "after"):
        return {}
    return dict.fromkeys((_AGENT, _THIS) if hook.this_role == 0 else (_AGENT,), hook.span)


def _too_late(steps: ir.Steps, gone: Mapping[Value, Span], hook: Hook | None) -> Iterator[Diagnostic]:
    """Find orders to, and changes of, a piece that has left the board."""
    left = dict(gone)
    for step in steps:
        for value in needed_by(step):
            if value in left:
                yield _gone_by_then(step, left[value], hook)
                break
        else:
            for branch in branches_of(step):
                yield from _too_late(branch, left, hook)
        for var in kept_by(step):
            left.pop(var, None)
        piece = removed_by(step)
        if isinstance(piece, Var):
            left[piece] = step.span


def _gone_by_then(step: ir.Order, why: Span, hook: Hook | None) -> Diagnostic:
    message, help = "it has left the board by then, so that this has no effect", "say it first"
    labels: tuple[Label, ...] = (Label(why, "by this"),)
    if hook is not None and why == hook.span:
        said = why.one_line.replace(hook.stage, "before", 1)
        help, labels = f"say `{_kept(hook) if _filled(step) is not None else said}`", ()
    return report("never-so", message, step.span, help=f"{help}, or say it of a thing that is there", labels=labels)


def _filled(step: ir.Order) -> Value | None:
    """Return the piece that a step puts tokens into."""
    into = goal_of(step)
    return into.piece if isinstance(into, InPiece) else None


# ---- facts about a game


def _acting_tokens(ruleset: Ruleset) -> tuple[str, Span] | None:
    """Return the verb that lets tokens make pieces of their type act, with its text; None if no verb surely does."""
    acting, by_nature = None, False
    for verb in ruleset.verbs:
        for way in verb.definitions if verb.by == "player" else ():
            for call in calls_in(way.code.steps):
                for one in nodes_in(call.agent.among.filters if isinstance(call.agent, ir.ChosenRole) else ()):
                    if isinstance(one, Compare) and one.how == "==":
                        asked = {side.what for side in (one.left, one.right) if isinstance(side, Attribute)}
                        acting = acting or (f"`to {verb.name} …`", way.code.span) if asked == {"document"} else acting
                        by_nature = by_nature or "nature" in asked
    codes = [step for code in ruleset.codes() for step in steps_in(code.steps)]
    back = any(isinstance(step, ir.SwapForm) and isinstance(step.document, Attribute) for step in codes)
    return acting if any(kind.holds for kind in ruleset.kinds) and not (by_nature or back) else None


def _removes(rule: StateRule) -> bool:
    return any(removed_by(step) is not None for step in rule.code.steps)


def _kept(hook: Hook) -> str:
    said = hook.span.one_line
    event, _, done = said.removeprefix(f"{hook.stage} ").partition(", ")
    return f"when {event.replace(' falls', ' would fall')}, {done} instead"


def _on_the_way(hook: Hook) -> str:
    said = hook.span.one_line.removeprefix("when ").removesuffix(" instead")
    return f"before {said.replace(' would fall', ' falls')}"
