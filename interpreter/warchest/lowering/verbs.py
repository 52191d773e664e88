"""Lowering of verbs: the routine of each act, and the stages of events that hooks can answer."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from warchest.ir import steps as ir
from warchest.ir.parts import (
    base_of,
    changes_of_event,
    clauses_ended,
    events_in,
    fields_in,
    nodes_in,
    removed_by,
    variables_in,
)
from warchest.ir.ruleset import AGENT, BY, FIXED, THIS, Domain, Field, Hook, Rule, Ruleset, Verb
from warchest.ir.values import (
    NOTHING,
    All,
    Attribute,
    CausedBy,
    Compare,
    Condition,
    Const,
    ExpressionPart,
    FieldOf,
    Not,
    Value,
    Var,
    conjuncts,
)
from warchest.ir.values import Any as AnyOf
from warchest.lowering.act_orders import bases_of, role_key
from warchest.lowering.arrivals import Arrivals
from warchest.lowering.code import (
    Act,
    AskLater,
    Body,
    BoundHook,
    CallAct,
    Check,
    Collect,
    Enter,
    FindAnswers,
    Finish,
    Hold,
    Instruction,
    Judge,
    LapseWithout,
    OrderAnswers,
    Outs,
    PickAnswer,
    PickHook,
    PickKind,
    PickRole,
    PickWay,
    Plain,
    Routine,
    Settle,
    StillDue,
    Way,
)
from warchest.lowering.failure import NOTHING_EXTENDS, Failure, FailureTable
from warchest.lowering.layout import usual_of
from warchest.source.text import Span


def act_of_verb(ruleset: Ruleset, number: int) -> Act:
    """Return the act of a verb, whose routine is still empty."""
    verb = ruleset.verbs[number]
    domains = tuple(tuple(one for one in verb.domains if one.role == role) for role in range(len(verb.roles)))
    bases = bases_of(verb)
    values = tuple(
        place for place, one in enumerate(ruleset.fields) if one.act >= 0 and number in ruleset.verbs[one.act].kinds
    )
    return Act(number, verb, bases, domains, Routine(f"act/{verb.name}", "act", number, bases), values=values)


def lower_act(act: Act, ruleset: Ruleset, failures: FailureTable) -> None:
    """Fill the routine of an act whose ways are known, with its roles, prohibitions, choice of a way, and event."""
    verb, routine = act.verb, act.routine
    span = verb.definitions[0].code.span if verb.definitions else None
    chooser = Var(act.chooser_place, "player")
    if verb.is_name:
        kinds = tuple(kind for kind in verb.kinds if ruleset.verbs[kind].definitions)
        routine.add(PickKind(act.number, kinds, chooser=chooser, span=span, failure=Failure.MAY))
        return
    act.rules = [*verb.forbidden, *_without_text(act, ruleset)]
    if act.rules:
        routine.add(Check(act.number, span=span, failure=Failure.MAY))
    asked = [role for role in range(act.roles) if act.domains[role]]
    extending = failures.extending(act.number)
    act.needs = _needed(act, asked)
    for role in asked:
        shape, last = verb.roles[role], role == asked[-1]
        unless = tuple(sorted(extending)) if last and extending else ()
        routine.add(
            PickRole(
                act.number,
                role,
                FIXED + role,
                key=role_key(shape.word, shape.noun),
                base=shape.base,
                chooser=chooser,
                ends=last and extending == NOTHING_EXTENDS,
                unless=unless,
                span=span,
                failure=Failure.MAY,
            )
        )
    if len(act.ways) != 1 or any(way.carrier >= 0 or not way.always for way in act.ways):
        routine.add(PickWay(act.number, chooser=chooser, span=span, failure=Failure.MAY))
        return
    routine.add(Enter(act.number, span=span, failure=failures.body(act.number)))
    act.direct = not asked
    if act.direct and is_plain(verb.definitions[0].code.steps, ruleset):
        act.plain = tuple(one for one in act.ways[0].routine.instructions if isinstance(one, Plain))


def open_living(act: Act, order: CallAct) -> tuple[int, ...]:
    """Return the variables of the pieces that an order names in roles that the act would let one choose.

    A piece with a pending consequence can neither be chosen for such a role nor be named for it.
    """
    if not act.rules:
        return ()
    return tuple(place for place in order.living if place >= FIXED and act.domains[place - FIXED])


def asks_for(ruleset: Ruleset, number: int) -> bool:
    """Whether any text answers or tests the event of a verb that the machine itself causes."""
    if number < 0:
        return False
    is_answered = any(number in hook.verbs for hook in ruleset.hooks)
    return is_answered or any(one.verb == number for one in events_in(list(_conditional(ruleset))))


def _conditional(ruleset: Ruleset) -> Iterator[object]:
    """Yield all parts that can contain a condition on an event."""
    yield from (code.steps for code in ruleset.codes())
    yield from (hook.condition for hook in ruleset.hooks)
    for verb in ruleset.verbs:
        yield from (rule.condition for rule in verb.forbidden)
        yield from ((domain.applies, domain.among) for domain in verb.domains)


def is_plain(steps: ir.Steps, ruleset: Ruleset) -> bool:
    """Whether steps only move tokens and pieces, or set fields other than values of acts."""
    return all(_is_plain(one, ruleset) for one in steps)


def _is_plain(step: ir.Order, ruleset: Ruleset) -> bool:
    if isinstance(step, ir.SetField):
        return ruleset.fields[step.field].act < 0
    return isinstance(step, ir.MoveToken | ir.MovePiece) or (isinstance(step, ir.Clock) and step.what == "nothing")


# ---- events


def bind_hook(
    number: int, hook: Hook, verb: int, routine: Routine, ruleset: Ruleset, failures: FailureTable, arrivals: Arrivals
) -> BoundHook:
    """Return a hook for one of its verbs."""
    certain = failures.steps(hook.code.steps) is Failure.NEVER
    ended = clauses_ended(hook.code.steps)
    places, lasting = role_places(hook.code.verb, verb, ruleset), bool(ended) or _lasts(hook.condition)
    comes = arrivals.bring if hook.this_role < 0 else arrivals.reform
    awaited = hook.stage == "after" and hook.carrier >= 0 and comes(verb)
    changed = dict.fromkeys(one.var.id for one in changes_of_event(hook)) if hook.stage == "before" else ()
    outs = tuple((role, places[role - AGENT]) for role in changed if places[role - AGENT] >= 0)
    token = hook.this_role > 0 and bases_of(ruleset.verbs[hook.verbs[0]])[AGENT + hook.this_role] == "token"
    return BoundHook(number, hook, routine, places, certain, ended, _causes(hook), lasting, awaited, token, outs)


def ask_late(hooks: dict[str, list[BoundHook]], values: Sequence[int]) -> None:
    """Have later hooks on an event test its numbers and values at their stage, after the hooks that change these.

    `values` are the fields of the values of its act.
    """
    changed = {target for bound in hooks.get("before", ()) for _, target in bound.outs}
    for stage in ("when", "instead", "after") if changed or values else ():
        if stage in hooks:
            hooks[stage] = [_asking_late(bound, changed, values) for bound in hooks[stage]]


def _asking_late(bound: BoundHook, changed: Collection[int], values: Collection[int]) -> BoundHook:
    numbers = {role for role, place in enumerate(bound.places, AGENT) if place in changed}
    parts = tuple(conjuncts(bound.hook.condition))
    late = tuple(one for one in parts if numbers & variables_in(one) or fields_in(one).intersection(values))
    if not late:
        return bound
    early = tuple(one for one in parts if one not in late)
    return replace(bound, early=All(early, bound.hook.span), late=All(late, bound.hook.span))


def twins_of(hooks: Sequence[BoundHook]) -> dict[int, int]:
    """Return the hooks that equal an earlier hook of the same carrier, each with the earlier hook."""
    first: dict[tuple[int, tuple[int, ...], str], BoundHook] = {}
    twins: dict[int, int] = {}
    for bound in hooks:
        words = bound.hook.span.one_line
        known = first.setdefault((bound.hook.carrier, bound.places, words), bound)
        named = replace(bound.hook, code=replace(bound.hook.code, name=known.hook.code.name))
        if known.hook is not bound.hook and known.hook == named:
            twins[bound.number] = known.number
    return twins


def role_places(named: int, verb: int, ruleset: Ruleset) -> tuple[int, ...]:
    """Return, for the agent and each role of the verb that a text names, the index in the verb of the actual event."""
    by_word = {role.word: FIXED + index for index, role in enumerate(ruleset.verbs[verb].roles)}
    return (AGENT, *(by_word.get(role.word, -1) for role in ruleset.verbs[named].roles))


def _causes(hook: Hook) -> Condition | None:
    parts = hook.condition.conditions if isinstance(hook.condition, All) else (hook.condition,)
    causes = [part for part in parts if isinstance(part, CausedBy) and part.agent is None]
    return All(tuple(causes), hook.span) if causes and hook.carrier < 0 else None


def _needed(act: Act, asked: Sequence[int]) -> frozenset[int] | None:
    """Return the documents that let their bearers do an act; None if no document is needed."""
    said: Sequence[Domain | Way] = act.domains[asked[0]] if asked else act.ways
    if not act.by_piece or any(one.carrier < 0 or (isinstance(one, Domain) and one.this_role) for one in said):
        return None
    return frozenset(one.carrier for one in said)


def add_needs_of_kinds(acts: Sequence[Act]) -> None:
    """Let the acts that are only names for their kinds need the documents that these kinds need, if all need some."""
    for act in acts:
        for one in act.routine.instructions:
            if isinstance(one, PickKind) and all(acts[kind].needs is not None for kind in one.kinds):
                act.needs = frozenset(text for kind in one.kinds for text in acts[kind].needs or ())


def _without_text(act: Act, ruleset: Ruleset) -> Iterator[Rule]:
    """Yield the rule that a piece cannot do an act which performs a text that the piece does not have.

    The rule is needless if nothing comes before the act or replaces it: then the act fails soon enough by itself.
    """
    early = any(hook.stage in ("before", "instead") and act.number in hook.verbs for hook in ruleset.hooks)
    if not early or not act.by_piece or [way.carrier for way in act.ways] != [NOTHING]:
        return
    for step in act.verb.definitions[0].code.steps:
        if isinstance(step, ir.Perform) and step.of == Var(THIS, "piece"):
            document = Attribute("document", Var(AGENT, "piece"), "document")
            has = tuple(
                Compare("==", document, Const(number, "document"), step.span)
                for number, sheet in enumerate(ruleset.sheets)
                if step.block in sheet.blocks
            )
            yield Rule(NOTHING, NOTHING, Not(AnyOf(has, step.span), step.span), step.span)


def lower_stages(
    act: Act, hooks: dict[str, list[BoundHook]], ruleset: Ruleset, failures: FailureTable, at_once: bool
) -> Routine:
    """Return the stages of an event: its body with the hooks that can answer it around.

    If a state rule orders the act (`at_once`), an answer that replaces it has to remove the reason, or the act goes on.
    The values of the act are saved when the event begins and restored when it ends.
    """
    bases = act.bases[: act.way_place]
    act.judged = _judged(hooks)
    act.awaits = any(bound.awaited for bound in hooks.get("after", ()))
    kept = tuple(enumerate(act.values, len(bases)))
    bases += tuple(ruleset.fields[number].base for number in act.values)
    bases += ("queue",) if act.judges else ()
    routine = Routine(f"event/{act.verb.name}", "verb", act.number, (*bases, "way", "flag", "queue"), stages=True)
    span = act.verb.definitions[0].code.span if act.verb.definitions else None
    begin, end = _around_values(act.number, kept, ruleset, failures.body(act.number), span)
    *stages, last = _stages(act, hooks, span, failures, at_once)
    for instruction in (*begin, *stages, *end, last):
        routine.add(instruction)
    routine.ending, routine.values = len(routine.instructions) - 1 - len(end), kept
    routine.replaced = next(iter(_places_of(StillDue, routine)), routine.ending)
    if "when" in hooks:
        behind = body_of(routine) + 1
        routine.holding = range(behind - 1, behind + 2)
    waiting = _places_of(AskLater, routine)
    if waiting:
        routine.asking = range(waiting[0] + 1, waiting[1] + 1)
    return routine


def _around_values(
    verb: int, kept: Sequence[tuple[int, int]], ruleset: Ruleset, body: Failure, span: Span | None
) -> tuple[list[Instruction], list[Instruction]]:
    """Return the instructions before and after an event that save and reset the values of its act, and restore them.

    After the event the fields that last for the act are reset.

    `kept` are the variables for the saved values, each with the field of the value.
    """
    begin, end = list[Instruction](), list[Instruction]()
    begun = {one.number: one.value for one in ruleset.beginnings}
    # Initial values that depend on the parts of the act are set after the parts.
    for place, number in sorted(kept, key=lambda one: one[1] in begun):
        assert span is not None
        field = ruleset.fields[number]
        was = Var(place, field.base)
        first = begun.get(number) or first_of(field, ruleset.verbs[verb])
        begin.append(Plain(ir.Keep(was, FieldOf(number, None, field.base), span=span), False, span=span, failure=body))
        begin.append(Plain(ir.SetField(number, None, first, span=span), False, span=span, failure=body))
        end.append(Plain(ir.SetField(number, None, was, span=span), False, span=span, failure=Failure.NEVER))
    for acts in ruleset.passing:
        if span is not None and any(verb in ruleset.verbs[act].kinds for act in acts):
            end.append(Plain(ir.Forget(acts, span=span), False, span=span, failure=Failure.NEVER))
    return begin, end


def first_of(field: Field, verb: Verb) -> Value:
    """Return the initial value of a value of an act; if it is a part of the act, the variable with that part."""
    if field.part is None:
        return Const(1 if field.is_under_way else usual_of(field.base), field.base)
    if field.part == BY:
        return Var(AGENT, field.base)
    roles = [role.word for role in verb.roles]
    return Var(FIXED + roles.index(field.part), field.base) if field.part in roles else Const(NOTHING, field.base)


def _asks_next(act: Act) -> bool:
    """Whether an act makes the machine ask the next question even with only one answer, as the start of a turn does."""
    steps = nodes_in([one.code.steps for one in act.verb.definitions])
    return any(isinstance(one, ir.Clock) and one.what in ("turn", "round", "choice") for one in steps)


def _judged(hooks: dict[str, list[BoundHook]]) -> tuple[BoundHook, ...]:
    """Return the hooks whose conditions on the event may no longer hold at their stage."""
    late = ("when", "instead", "after") if "before" in hooks else ("after",)
    return tuple(bound for stage in late for bound in hooks.get(stage, ()) if not bound.lasting)


def _lasts(condition: Condition) -> bool:
    """Whether a condition cannot change while an event is under way: it is only about its roles and its cause."""
    return all(
        part.reads in ("", "cause") or (isinstance(part, Attribute) and base_of(part.of) in ("token", "player"))
        for part in nodes_in(condition)
        if isinstance(part, ExpressionPart)
    )


def _stages(
    act: Act, hooks: dict[str, list[BoundHook]], span: Span | None, failures: FailureTable, at_once: bool
) -> Iterator[Instruction]:
    verb, body, never = act.number, failures.body(act.number), Failure.NEVER
    if act.judges:
        yield Judge(verb, span=span, failure=body)
    if "before" in hooks:
        yield Collect(verb, "before", span=span, failure=body)
        yield PickHook(verb, key="first", span=span, failure=body)
        yield LapseWithout(verb, span=span, failure=body)
    if "instead" in hooks:
        yield FindAnswers(verb, span=span, failure=body)
        yield OrderAnswers(verb, key="first", span=span, failure=body)
        yield PickAnswer(verb, span=span, failure=body)
        if at_once:
            yield StillDue(verb, span=span, failure=body)
    if "when" in hooks:
        yield Collect(verb, "when", span=span, failure=body)
        yield Hold(1, span=span, failure=body)
        yield Body(verb, span=span, failure=body)
        yield PickHook(verb, key="first", span=span, failure=never)
        yield Hold(-1, span=span, failure=never)
        yield Settle(span=span, failure=never)
    else:
        yield Body(verb, span=span, failure=body)
    if "after" in hooks:
        waits = _asks_next(act)
        if waits:
            yield AskLater(1, span=span, failure=never)
        yield Collect(verb, "after", span=span, failure=never)
        yield PickHook(verb, key="first", span=span, failure=never)
        if waits:
            yield AskLater(-1, span=span, failure=never)
    yield Finish(True, failures.extends(verb), span=span, failure=never)


def ordered_at_once(ruleset: Ruleset, falls: int) -> frozenset[int]:
    """Return the verbs that state rules order as their last step only; `falls` is the verb of leaving the board."""
    ordered = [[_verb_of(step, falls) for step in rule.code.steps] for rule in ruleset.state_rules]
    last, early = ({verb for verbs in ordered for verb in verbs[part]} for part in (slice(-1, None), slice(-1)))
    return frozenset(last - early - {-1})


def _verb_of(step: ir.Order, falls: int) -> int:
    return step.verb if isinstance(step, ir.Call) else falls if removed_by(step) is not None else -1


def body_of(stages: Routine) -> int:
    """Return the instruction of the stages of an event that carries out its body."""
    return _places_of(Body, stages)[0]


def notes_of(stages: Routine) -> tuple[Plain, ...]:
    """Return the first steps of the stages of an event: they only note that its act is under way."""
    return tuple(takewhile(lambda one: isinstance(one, Plain), stages.instructions))  # type: ignore[arg-type]


def before_body(stages: Routine) -> int:
    """Return the number of instructions of the stages of an event that can do something before its body.

    Notes of the act under way, and the judging of hooks, are not among them.
    """
    first = stages.instructions[len(notes_of(stages)) : body_of(stages)]
    return sum(not isinstance(one, Judge) for one in first)


def handed_back(act: Act) -> Outs:
    """Return the variables that the body of an event hands back to its stages: the roles."""
    return tuple((number, number) for number in range(FIXED, FIXED + act.roles))


def outs_instead(act: Act) -> Outs:
    """Return the variables that an answer in place of an event hands back: the thing that the verb yields."""
    return ((FIXED, FIXED),) if act.verb.yields else ()


def hook_places(stages: Routine) -> Sequence[int]:
    """Return the instructions, among the stages of an event, that carry out hooks."""
    return _places_of(PickHook, stages)


def _places_of(kind: type[Instruction], stages: Routine) -> Sequence[int]:
    """Return the instructions of a kind among the stages of an event."""
    return [number for number, one in enumerate(stages.instructions) if isinstance(one, kind)]
