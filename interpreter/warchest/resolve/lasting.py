"""Texts about a future time: prohibitions and permissions until that time, and steps that are taken then.

Each text has a field: of the piece it is about, or of the player who applies it. A hook on the end of the time ends it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeAlias, TypeGuard

from warchest.diagnostics.diagnostic import quoted
from warchest.ir import steps as ir
from warchest.ir.parts import all_of, clauses_ended, next_set_variable, nodes_in, variables_in, with_values
from warchest.ir.ruleset import AGENT, LASTS, THIS, YOU, Domain, Hook, Rule
from warchest.ir.values import (
    NOTHING,
    SET_VARIABLES,
    All,
    Compare,
    Condition,
    Const,
    Exists,
    FieldOf,
    KindIs,
    Set,
    Value,
    Var,
)
from warchest.resolve.announce import Carrier
from warchest.resolve.budgets import new_field
from warchest.resolve.event_patterns import code_of, params_of, scope_of_text
from warchest.resolve.grants import end_before, endings_of
from warchest.resolve.prohibitions import as_prohibition, read_permission, read_prohibition
from warchest.resolve.reach import refuse_permission_until_event
from warchest.resolve.reading_cache import Put
from warchest.resolve.text_reader import TextReader
from warchest.resolve.times import hook_at, time_verb
from warchest.resolve.types import Mention, Scope, Typed, Variables, flaw
from warchest.source.text import Span
from warchest.syntax import ast

_OUTSIDE = 900
"""The offset, in a rule that lasts, of the variables of the steps around it."""
_NOBODY = Const(NOTHING, "player")

_IS_SO = Const(1, "flag")

StepsRead: TypeAlias = Callable[[TextReader, ast.Statement, Scope], tuple[ir.Steps, Scope]]
"""A function that reads a step, and returns the steps it makes and the scope after them."""


# ---- rules that hold until a moment


def read_lasting(reader: TextReader, node: ast.Lasting, scope: Scope) -> ir.Steps:
    """Return the step that makes a prohibition or a permission hold until a moment; add the rule to the rules."""
    refuse_permission_until_event(node)
    if isinstance(node.until, ast.ComingTime):
        time_verb(reader, node.until, node.until.edge)
    rules = _rules_of(reader, node, scope)
    anchors = set().union(*(_anchors(rule) for _, _, rule in rules))
    anchor = _only(anchors, node.step, "say it of one of them: `that … cannot …`, or `no … can … this`")
    of = _of(anchor, node, scope)
    place = _marked_in(reader, node, of)
    for part, verb, rule in rules:
        reader.put(part, reader.model.ruleset.verbs[verb], _anchored(reader, rule, place, anchor))
    if isinstance(node.until, ast.ComingTime):
        _at(reader, node.until, place, node.span, lambda *_: ())
    else:
        _until_event(reader, node.until, place, scope, node.span, _mention_of(of, anchor, scope))
    reader.model.lasting[place.field] = node
    return (_mark(place, scope, node.span),)


def _rules_of(reader: TextReader, node: ast.Lasting, scope: Scope) -> list[tuple[str, int, Rule | Domain]]:
    """Return the rules of a sentence; in these, the variables of the steps around the sentence have greater numbers."""
    step = as_prohibition(reader, node.step)
    outside = [replace(one, thing=_outside(one.thing)) for one in scope.mentions if isinstance(one.thing.value, Var)]
    carrier = Carrier(scope.carrier, scope.this.noun if scope.this is not None else "", "")
    with _diverted(reader, tuple(outside)) as rules:
        if isinstance(step, ast.Cannot) and step.limit is None:
            read_prohibition(reader, step, None, carrier, node.span)
        elif isinstance(step, ast.May) and not step.adverbs:
            read_permission(reader, step, None, carrier, node.span)
        else:
            message = f"{quoted(node.step.span.text)} cannot hold until a time"
            raise flaw("rule-among-steps", message, node.step.span, help=_without_time_before(node))
    return [(part, verb, rule) for part, verb, rule in rules if isinstance(rule, Rule | Domain)]


@contextmanager
def _diverted(reader: TextReader, spoken_before: tuple[Mention, ...]) -> Iterator[list[Put]]:
    """Yield a list that receives rules in place of the rule set; texts of these rules can refer to some mentions."""
    before = reader.diverted, reader.spoken_before
    rules: list[Put] = []
    reader.diverted, reader.spoken_before = rules, spoken_before
    try:
        yield rules
    finally:
        reader.diverted, reader.spoken_before = before


def _outside(thing: Typed) -> Typed:
    """Return a thing with the number that it has in a lasting rule; `this` keeps its number."""
    assert isinstance(thing.value, Var)
    if thing.value.id == THIS:
        return thing
    return replace(thing, value=replace(thing.value, id=thing.value.id + _OUTSIDE))


def _anchors(rule: Rule | Domain) -> set[int]:
    """Return the variables in a rule for things from the steps around it: `this`, or `that unit`."""
    found = {number for number in variables_in(rule) if _OUTSIDE <= number < SET_VARIABLES or number == THIS}
    return found | ({THIS} if rule.this_role >= 0 else set())


def _of(anchor: int, node: ast.Lasting | ast.Delayed, scope: Scope) -> Typed:
    """Return the thing whose field records that a text is in force: its anchor, or the player who applies it."""
    if anchor == THIS and scope.this is not None:
        return scope.this
    known = (one.thing for one in scope.mentions if isinstance(one.thing.value, Var))
    thing = next((one for one in known if one.value.id == anchor - _OUTSIDE), None)  # type: ignore[union-attr]
    if thing is not None:
        if thing.base != "piece":
            message = "until a time, this can hold only for a piece"
            raise flaw("wrong-kind", message, node.step.span, help="say it of a unit, or of no single thing")
        return thing
    if scope.you is None:
        message = "there is no player here for whom this would hold"
        raise flaw("no-antecedent", message, node.span, help="say it where a player or a piece acts")
    return Typed(scope.you, "player", "player")


def _marked_in(reader: TextReader, node: ast.Lasting | ast.Delayed, of: Typed) -> FieldOf:
    number = reader.model.limits.get(node.span, -1)
    if number < 0:
        base = "player" if of.base == "piece" else "flag"
        number = new_field(reader.model, node.span, of.base, base, LASTS)  # type: ignore[arg-type]
    return FieldOf(number, of.value, reader.model.ruleset.fields[number].base, LASTS)


def _mark(place: FieldOf, scope: Scope, span: Span) -> ir.SetField:
    value: Value = _IS_SO if place.base == "flag" else scope.you if scope.you is not None else _NOBODY
    return ir.SetField(place.field, place.of, value, span=span)


def _anchored(reader: TextReader, rule: Rule | Domain, place: FieldOf, anchor: int) -> Rule | Domain:
    """Return a prohibition or a permission that holds while its field is set."""
    condition = rule.condition if isinstance(rule, Rule) else rule.applies
    assert isinstance(condition, All)
    span = rule.span
    same = _same(condition, None, anchor)
    if len(same) > 1:
        message = f"{quoted(span.text)} is about an act of a thing on itself"
        raise flaw("says-nothing", message, span, help="name the object: `a …`, or leave it out")
    agent = same[0].left if same else None
    role = Var(AGENT + rule.this_role, "piece") if rule.this_role >= 0 else agent
    if role is not None:
        # The anchor has a role in the act.
        mark = replace(place, of=role)
        values: dict[int, Value] = {anchor: role, YOU: mark}
        rest = tuple(one for one in condition.conditions if one not in _same(condition, agent, anchor))
        holds = All((_is_marked(mark, span), *with_values(rest, values)), span)
    else:
        values, holds = {}, All((_while_some(reader, condition, place, anchor, span),), span)
    if isinstance(rule, Rule):
        return Rule(-1, -1, holds, span)
    if not values and variables_in(rule.among) & {THIS, YOU, anchor}:
        message = "it is not plain whose permission this is"
        raise flaw("unclear-reach", message, span, help="say it of one piece: `until …, this may …`, or `that … may …`")
    return Domain(-1, -1, holds, rule.role, with_values(rule.among, values), span)


def _same(condition: All, agent: Value | None, anchor: int) -> Sequence[Compare]:
    """Return the conditions that only equate a role with the anchor: the role of the agent, or without one any role."""
    return [
        one
        for one in condition.conditions
        if isinstance(one, Compare)
        and one.how == "=="
        and isinstance(one.left, Var)
        and agent in (None, one.left)
        and isinstance(one.right, Var)
        and one.right.id == anchor
    ]


def _while_some(reader: TextReader, condition: Condition, place: FieldOf, anchor: int, span: Span) -> Condition:
    """Return the condition that at least one thing which is marked in the field satisfies a condition."""
    return Exists(_marked_so(reader, condition, place, anchor, span), span)


def _marked_so(reader: TextReader, condition: Condition, place: FieldOf, anchor: int, span: Span) -> Set:
    """Return the things that are marked in the field and satisfy a condition on the anchor."""
    number, of_piece = next_set_variable(condition), place.base == "player"
    member = Var(number, "piece") if of_piece else Var(number, "player", "player")
    mark = replace(place, of=member)
    values: dict[int, Value] = {anchor: member, YOU: mark} if of_piece else {YOU: member}
    return _things_where(reader, member, (_is_marked(mark, span), with_values(condition, values)), span)


def _things_where(reader: TextReader, member: Var, filters: Sequence[Condition], span: Span) -> Set:
    """Return the pieces or the players, depending on the variable, that satisfy all filters."""
    return Set(member, all_of(member.base, reader.model.ruleset.all_kinds), tuple(filters), span)


def _until_event(
    reader: TextReader, event: ast.EventPhrase, place: FieldOf, scope: Scope, span: Span, kept: Mention | None
) -> None:
    """Add hooks on an event; each clears the fields of all texts that the event ends.

    The event can only be about the thing that is `kept` (without one, `this`) and about `you`.
    """
    if kept is not None:
        _refuse_this(event, kept)
    for position, (word, condition) in enumerate(endings_of(reader, event, scope, span, kept)):
        among = _marked_so(reader, condition, place, THIS, span)

        def steps(variables: Variables, among: Set = among) -> ir.Steps:
            each = variables.new(among.var.base, among.var.noun)
            return (ir.ForEach(each, among, False, _NOBODY, (_unmarked(place, each, span),), span=span),)

        end_before(reader, word, f"until/{place.field}.{position}", steps, All((Exists(among, span),), span))


# ---- steps that are taken at a moment


def read_delayed(reader: TextReader, node: ast.Delayed, scope: Scope, read: StepsRead) -> ir.Steps:
    """Return the step that delays an act until a moment; add the hook on that moment to the rules.

    `read` reads the steps.
    """
    time_verb(reader, node.at, node.at.edge)
    anchor = _only(
        _spoken_of(reader, node, scope, read),
        node.step,
        "say it in two sentences that begin with the time, one of each of them",
    )
    of = _of(anchor if anchor in (-1, THIS) else anchor + _OUTSIDE, node, scope)
    place = _marked_in(reader, node, of)
    known = _mention_of(of, anchor, scope)

    def steps(scope: Scope, span: Span) -> ir.Steps:
        this = scope.this
        if known is not None and scope.this is not None:
            scope = replace(scope, this=None, origin=None, mentions=(replace(known, thing=scope.this),))
        done, _ = read(reader, node.step, scope)
        whole = ir.IfAble(done, span=span)
        if this is None or not reader.model.changes(this.noun):
            return (whole,)
        # A piece that has changed its kind by then is left alone.
        is_still = KindIs(this.value, reader.model.kinds(this.noun), span)
        return (ir.If(is_still, (whole,), (), span=span),)

    _at(reader, node.at, place, node.span, steps, of.noun if of.base == "piece" else "", scope.carrier)
    reader.model.lasting[place.field] = node
    return (_mark(place, scope, node.span),)


def _spoken_of(reader: TextReader, node: ast.Delayed, scope: Scope, read: StepsRead) -> set[int]:
    """Return the variables in steps for things from the steps around them: `this`, or `that unit`."""
    with _diverted(reader, reader.spoken_before):
        done, _ = read(reader, node.step, replace(scope, variables=Variables(_OUTSIDE // 2), asked_of=None))
    outside = {one.thing.value.id for one in scope.mentions if isinstance(one.thing.value, Var)}
    return variables_in(done) & (outside | {THIS})


# ---- moments


def _at(
    reader: TextReader,
    at: ast.ComingTime,
    place: FieldOf,
    span: Span,
    steps: Callable[[Scope, Span], ir.Steps],
    noun: str = "",
    carrier: int = -1,
) -> None:
    """Add a hook on a moment to the rules: it clears the field wherever it is set, and takes the steps."""
    ruleset = reader.model.ruleset
    number = time_verb(reader, at, at.edge)
    base_scope, known = scope_of_text(reader, ruleset.verbs[number])
    variables = base_scope.variables
    of_piece = place.base == "player"
    each = variables.new("piece" if of_piece else "player", noun or "player")
    whose = variables.new("player", "player")
    member = Var(SET_VARIABLES, each.base, each.noun)
    mark = replace(place, of=member)
    marked: list[Condition] = [_is_marked(mark, span)]
    if at.yours:
        active = FieldOf(ruleset.active, None, "player")
        marked.append(Compare("==", mark if of_piece else member, active, span))
    among, some = (_things_where(reader, member, filters, span) for filters in (marked, marked[:1]))
    kept = ir.Keep(whose, FieldOf(place.field, each, "player", LASTS) if of_piece else each, span=span)
    gone = _unmarked(place, each, span)
    this = Typed(each, "piece", noun) if of_piece else None
    inner = Scope(variables, this, whose, this, carrier)
    loop = ir.ForEach(each, among, False, _NOBODY, (kept, gone, *steps(inner, span)), span=span)
    code = code_of(f"moment/{place.field}", "hook", number, params_of(known), (loop,), variables, span)
    hook_at(reader, at.edge, code, All((Exists(some, span),), span))


def _mention_of(thing: Typed, anchor: int, scope: Scope) -> Mention | None:
    """Return the mention of the thing that a text is about; None for `this`, and for a thing that is not mentioned."""
    return next((one for one in scope.mentions if one.thing == thing), None) if anchor != THIS else None


def _is_marked(place: FieldOf, span: Span) -> Condition:
    """Return the condition that a text is in force for the thing that has this field."""
    return Compare("==", place, _IS_SO, span) if place.base == "flag" else Compare("!=", place, _NOBODY, span)


def _unmarked(place: FieldOf, thing: Value, span: Span) -> ir.SetField:
    """Return the step that ends a text for a thing."""
    return ir.SetField(place.field, thing, Const(0, "flag") if place.base == "flag" else _NOBODY, span=span)


def _refuse_this(event: ast.EventPhrase, kept: Mention) -> None:
    """Raise Flaw for an event about `this` that ends an effect on another thing."""
    this = next((one for one in nodes_in(event) if isinstance(one, ast.Pronoun) and one.word == "this"), None)
    if this is not None:
        noun = kept.thing.noun
        message = f"this holds for that {noun}, and `this` can be gone when it ends"
        help = f"say it of `that {noun}` or of `you`, or how long: `until your next turn`"
        raise flaw("unclear-reach", message, this.span, help)


def _only(anchors: set[int], step: ast.Statement, help: str) -> int:
    """Return the variable of the one thing that a step is about, or -1 for none; raises Flaw for several."""
    if len(anchors) > 1:
        message = "this depends on more than one thing, and each can leave the board"
        raise flaw("unclear-reach", message, step.span, help=help)
    return next(iter(anchors), -1)


FOR_GOOD = "leave out how long: a number changes for good, unless its declaration says `until: turn` or `until: round`"
"""Help on a change of a number with a time at which it would end."""


def _without_time_before(node: ast.Lasting) -> str:
    """Return help on a step that must not have a time before it."""
    step = node.step.change if isinstance(node.step, ast.OfferedChange) else node.step
    if isinstance(step, ast.Becomes):
        return f"put the time after it: `{node.step.span.one_line} {node.until.span.one_line}`"
    if isinstance(step, ast.Changes):
        return FOR_GOOD
    return "say `… cannot …` or `… may …` until then; an act for good has no time before it"


def ends_grant(rule: object) -> TypeGuard[Hook]:
    """Whether a rule is the hook that ends a bonus, or a field set for a time."""
    return isinstance(rule, Hook) and bool(clauses_ended(rule.code.steps))


def is_of_time(rule: object) -> bool:
    """Whether a rule belongs to a text that holds until a time, or to steps that are taken then."""
    return any(isinstance(part, FieldOf) and part.per == LASTS for part in nodes_in(rule))
