"""Rules that never end: loops in which nothing changes, and orders that cause themselves again."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, quoted
from warchest.ir import steps as ir
from warchest.ir.parts import branches_of, nodes_in, variables_in
from warchest.ir.ruleset import AGENT, FIXED, THIS, YOU, Definition, Hook, Ruleset, Verb
from warchest.ir.values import All, Compare, Value, Var, conjuncts
from warchest.lint.sentences.reasoning import among, never, with_equal_counts

_HELP = "say when it ends, as in `if …, …`, or let it be declined: `… may …`"
_HELP_AT_ONCE = "offer it when the act is over, `after …, … may …`, or say how often: `once a turn, …`"
_MILD: frozenset[ir.StepChange] = frozenset(("places", "fields", "owners"))
"""The changes that take nothing off the board, and no token off a piece."""


def endless_findings(ruleset: Ruleset, apart: Collection[str] = ()) -> Iterator[Diagnostic]:
    """Find rules that never end, among rules that are otherwise sound.

    Ignoring the answers in the files that are `apart` can only add findings.
    """
    look = _EndlessSearch(ruleset, [hook for hook in ruleset.hooks if hook.span.path not in apart])
    for verb in ruleset.verbs:
        for definition in verb.definitions:
            yield from look.loops(definition.code.steps)
        yield from look.definitions(verb)
    for hook in ruleset.hooks:
        yield from look.loops(hook.code.steps)
        yield from look.hook(hook)
        yield from look.offered_again(hook)
    for rule in ruleset.state_rules:
        yield from look.loops(rule.code.steps)
        if all(look.is_quiet(step) for step in rule.code.steps):
            yield report(
                "never-ends",
                "this changes nothing, so that it follows again and again",
                rule.code.span,
                help="order a step that ends the condition",
            )
    for sheet in ruleset.sheets:
        for key, code in sheet.blocks.items():
            yield from look.loops(code.steps)
            yield from look.block(key, code)
    for code in (*ruleset.setups.values(), *((ruleset.play,) if ruleset.play is not None else ())):
        yield from look.loops(code.steps)


def _counts_on(loop: ir.Until) -> bool:
    """Whether steps of a loop other than offers change a number in its condition."""
    asked = variables_in(loop.condition)
    certain = nodes_in(loop.steps, lambda one: isinstance(one, ir.Offer))
    return any(isinstance(one, ir.Keep) and one.var.id in asked for one in certain)


@dataclass(slots=True)
class _EndlessSearch:
    """A search for endless rules in a game."""

    ruleset: Ruleset
    answers: list[Hook]
    """The hooks that are taken into account."""
    quiet: dict[int, bool] = field(default_factory=dict)
    """Whether verbs change nothing, for those that were asked about."""

    # ---- steps that change nothing

    def is_quiet(self, step: ir.Order) -> bool:
        """Whether a step changes nothing, whatever is chosen."""
        if isinstance(step, ir.Call):
            return self._is_quiet_verb(step.verb)
        within = (inner for branch in branches_of(step) for inner in branch)
        return ir.changes_of(step) <= ir.QUIET and all(map(self.is_quiet, within))

    def _is_quiet_verb(self, number: int) -> bool:
        """Whether an act changes nothing by its definitions, and no hook answers it."""
        if number not in self.quiet:
            self.quiet[number] = False  # while it is examined
            kinds = self.ruleset.verbs[number].kinds
            ways = self._ways(number)
            hooked = any(not set(kinds).isdisjoint(hook.verbs) for hook in self.answers)
            steps = [step for way in ways for step in way.code.steps]
            self.quiet[number] = bool(ways) and not hooked and all(self.is_quiet(step) for step in steps)
        return self.quiet[number]

    def _ways(self, number: int) -> list[Definition]:
        verbs = self.ruleset.verbs
        return [way for kind in verbs[number].kinds for way in verbs[kind].definitions]

    def loops(self, steps: ir.Steps) -> Iterator[Diagnostic]:
        """Find each `until` in which nothing changes, or in which only accepted offers change anything."""
        for step in steps:
            inner = step.steps if isinstance(step, ir.Until) and not _counts_on(step) else ()
            if inner and all(self.is_quiet(one) for one in inner):
                yield report(
                    "never-ends",
                    "nothing changes here, so that it never ends once it has begun",
                    step.span,
                    help="after the comma, say the steps until then",
                )
            elif inner and all(isinstance(one, ir.Offer) or self.is_quiet(one) for one in inner):
                yield report(
                    "again-and-again",
                    "this is offered again, each time that it is declined",
                    step.span,
                    help="offer it once, `if …, … may …`; a loop over players ends by `until all pass`",
                )
            for branch in branches_of(step):
                yield from self.loops(branch)

    # ---- definitions

    def definitions(self, verb: Verb) -> Iterator[Diagnostic]:
        """Find the definitions of a verb that do nothing before they order it again."""
        number = self.ruleset.verbs.index(verb)
        back = [self._leads(way.code.steps, number, ()) for way in verb.definitions]
        is_replaced = self._is_replaced(number)
        for way, order in zip(verb.definitions, back, strict=True):
            if order is not None and ((all(back) and not is_replaced) or self._is_same(order, number, way)):
                message = f"this orders to {quoted(verb.name)} again and again"
                yield report("never-ends", message, order.span, help=_HELP)
        if verb.by == "game" or is_replaced or all(back):
            return
        again = [order or self._orders_again(way, number) for way, order in zip(verb.definitions, back, strict=True)]
        for order in again if all(again) else ():
            assert order is not None
            yield report(
                "again-and-again",
                f"this orders to {quoted(verb.name)} again, each time that it is done",
                order.span,
                help=_HELP,
            )

    def _is_replaced(self, number: int) -> bool:
        return any(hook.stage == "instead" and number in hook.verbs for hook in self.answers)

    def _leads(self, steps: ir.Steps, goal: int, seen: tuple[int, ...]) -> ir.Order | None:
        """Return the order that causes a verb before anything has changed, in each possible choice."""
        for step in steps:
            match step:
                case ir.Call(verb):
                    leads = self._brings_about(verb, goal, seen)
                case ir.If() | ir.Either():
                    leads = all(self._leads(branch, goal, seen) is not None for branch in branches_of(step))
                case _:
                    leads = False
            if leads:
                return step
            if not self.is_quiet(step):
                return None
        return None

    def _brings_about(self, number: int, goal: int, seen: tuple[int, ...]) -> bool:
        """Whether an act is the searched act, or causes the searched act whichever definition applies."""
        verbs = self.ruleset.verbs
        kinds = [kind for kind in verbs[number].kinds if verbs[kind].definitions]
        return bool(kinds) and all(kind == goal or self._all_lead(kind, goal, seen) for kind in kinds)

    def _all_lead(self, number: int, goal: int, seen: tuple[int, ...]) -> bool:
        if number in seen or self._is_replaced(number):
            return False
        ways = self.ruleset.verbs[number].definitions
        return all(self._leads(way.code.steps, goal, (*seen, number)) is not None for way in ways)

    def _is_same(self, order: ir.Order, number: int, way: Definition) -> bool:
        """Whether an order repeats the act that it is part of: with the same agent, and no other roles."""
        if not isinstance(order, ir.Call) or order.verb != number:
            return False
        if self.ruleset.verbs[number].moment_of >= 0:
            return True  # a moment always belongs to the act under way
        own = {THIS, AGENT} if self.ruleset.verbs[number].by == "piece" else {YOU, AGENT}
        if self.ruleset.verbs[number].by != "game" and not (
            isinstance(order.agent, ir.Bound) and _is_one_of(order.agent.value, own)
        ):
            return False
        return all(
            isinstance(fill, ir.Usual | ir.Open)
            or (isinstance(fill, ir.Bound) and _is_one_of(fill.value, {FIXED + role}))
            for role, fill in enumerate(order.roles)
        )

    def _orders_again(self, way: Definition, number: int) -> ir.Order | None:
        """Return the order of the same verb that a definition always reaches, by steps that no other text answers."""
        for step in way.code.steps:
            if isinstance(step, ir.Call) and step.verb == number and self.ruleset.verbs[number].kinds == (number,):
                return step
            if isinstance(step, ir.Choose) and step.decider is None:
                return None  # a step after chance lapses if it proves impossible
            if not (ir.only_changes(step, ir.IN_PLACE) or self.is_quiet(step)):
                return None
        return None

    # ---- blocks

    def block(self, key: str, code: ir.Code) -> Iterator[Diagnostic]:
        """Find a block of a document that always causes itself to be carried out again."""
        order, name = self._performs(code.steps, key, ()), "never-ends"
        if order is None:
            order, name = self._performs_again(code.steps, key), "again-and-again"
        if order is not None:
            message = f"by this the {key} is carried out again and again"
            yield report(name, message, order.span, help=_HELP)

    def _performs_again(self, steps: ir.Steps, key: str) -> ir.Order | None:
        """Return the order that makes the agent of the steps perform its own block, with any steps before the order."""
        for step in steps:
            if self._performs((step,), key, ()) is not None:
                return step
            if not self._is_mild(step, ()):
                return None
        return None

    def _is_mild(self, step: ir.Order, seen: tuple[int, ...]) -> bool:
        """Whether a step neither ends the game nor takes anything off the board, whatever is chosen."""
        if isinstance(step, ir.Call):
            ways = [] if step.verb in seen else self._ways(step.verb)
            steps = [one for way in ways for one in way.code.steps]
            return bool(ways) and all(self._is_mild(one, (*seen, step.verb)) for one in steps)
        within = (inner for branch in branches_of(step) for inner in branch)
        return ir.changes_of(step) <= ir.QUIET | _MILD and all(self._is_mild(one, seen) for one in within)

    def _performs(self, steps: ir.Steps, key: str, seen: tuple[int, ...]) -> ir.Order | None:
        """Return the order that makes the agent of some steps perform its own block before anything has changed."""
        for step in steps:
            match step:
                case ir.Perform(block, of):
                    return step if block == key and _is_one_of(of, {THIS}) else None
                case ir.Call(verb, ir.Bound(agent)) if verb not in seen and _is_one_of(agent, {THIS, AGENT}):
                    ways = self._ways(verb)
                    if ways and all(self._performs(way.code.steps, key, (*seen, verb)) is not None for way in ways):
                        return step
            if not self.is_quiet(step):
                return None
        return None

    # ---- hooks

    def hook(self, hook: Hook) -> Iterator[Diagnostic]:
        """Find a hook that orders, first of all and in any case, the very act that it answers.

        Such a hook stops once the act has become impossible; if the act is always possible and changes nothing, never.
        """
        if hook.stage == "instead" or not self._always(hook):
            return
        steps = hook.code.steps
        for step in steps[0].steps if steps and isinstance(steps[0], ir.IfAble) else steps:
            if isinstance(step, ir.Call) and set(self.ruleset.verbs[step.verb].kinds) <= set(hook.verbs):
                if self._by_the_same(step, hook):
                    verb = self.ruleset.verbs[step.verb]
                    name = "never-ends" if self._is_sure(step.verb) else "again-and-again"
                    message = f"this orders to {quoted(verb.name)} in answer to the same act, again and again"
                    yield report(name, message, step.span, help=_HELP if hook.stage == "after" else _HELP_AT_ONCE)
                return
            if not self.is_quiet(step):
                return

    def offered_again(self, hook: Hook) -> Iterator[Diagnostic]:
        """Find an answer that offers the very act it answers, before the act is over or the answer sets its mark."""
        for number, step in enumerate(hook.code.steps if hook.stage != "instead" else ()):
            if isinstance(step, ir.Offer) and not any(map(self._is_mark, hook.code.steps[:number])):
                for option in step.options:
                    yield from self._offered_again(hook, option)

    def _offered_again(self, hook: Hook, option: ir.Steps) -> Iterator[Diagnostic]:
        first = next((number for number, one in enumerate(option) if not self.is_quiet(one)), len(option))
        act, then = option[first : first + 1], option[first + 1 :]
        if not (act and isinstance(act[0], ir.Call) and self._answers_itself(act[0], hook)):
            return
        mark = next((one for one in then if self._is_mark(one)), None)
        if mark is not None:
            message = "this comes too late: the act before it is answered first, again and again"
            yield report(
                "again-and-again",
                message,
                mark.span,
                help="set the mark first, and ask for it: `after … while this is …, this becomes …, then it may …`",
            )
        elif hook.stage != "after":
            said = hook.span.one_line.replace(hook.stage, "after", 1)
            message = "this is answered in its turn before the act is over, again and again"
            yield report(
                "again-and-again",
                message,
                act[0].span,
                help=f"answer the end of the act: `{said}`; or say how often: `once a turn, …`",
            )

    def _answers_itself(self, call: ir.Call, hook: Hook) -> bool:
        """Whether a hook surely answers an act that it offers itself."""
        if not (set(self.ruleset.verbs[call.verb].kinds) <= set(hook.verbs) and self._by_the_same(call, hook)):
            return False
        said = list(conjuncts(hook.condition))
        if hook.this_role == 0:
            said.append(Compare("==", Var(AGENT, "piece"), Var(THIS, "piece"), hook.span))
        for role, fill in enumerate(call.roles if call.verb == hook.code.verb else ()):
            if isinstance(fill, ir.ChosenRole):
                said += map(with_equal_counts, among(fill.among, Var(FIXED + role, fill.var.base)))
        return not never(said)

    def _is_mark(self, step: ir.Order) -> bool:
        """Whether a step sets a mark on the piece that carries the text."""
        return (
            isinstance(step, ir.SetField)
            and self.ruleset.fields[step.field].base == "flag"
            and step.of is not None
            and _is_one_of(step.of, {THIS, AGENT})
        )

    def _is_sure(self, number: int) -> bool:
        """Whether an act is always possible, and changes nothing by itself."""
        verbs = [self.ruleset.verbs[kind] for kind in self.ruleset.verbs[number].kinds]
        steps = [step for way in self._ways(number) for step in way.code.steps]
        return not any(verb.roles or verb.forbidden for verb in verbs) and all(self.is_quiet(step) for step in steps)

    def _always(self, hook: Hook) -> bool:
        """Whether a hook has no condition other than on the agent."""
        return isinstance(hook.condition, All) and all(_is_about_you(one) for one in hook.condition.conditions)

    def _by_the_same(self, call: ir.Call, hook: Hook) -> bool:
        by = self.ruleset.verbs[call.verb].by
        if by == "game" or not isinstance(call.agent, ir.Bound):
            return by == "game"
        own = {AGENT}
        if by == "piece" and hook.this_role == 0:
            own.add(THIS)
        if by == "player" and isinstance(hook.condition, All) and (hook.carrier < 0 or hook.condition.conditions):
            own.add(YOU)
        return _is_one_of(call.agent.value, own)


def _is_one_of(value: Value, variables: set[int]) -> bool:
    return isinstance(value, Var) and value.id in variables


def _is_about_you(condition: object) -> bool:
    return (
        isinstance(condition, Compare)
        and condition.how == "=="
        and (_is_one_of(condition.left, {AGENT}) and _is_one_of(condition.right, {YOU}))
    )
