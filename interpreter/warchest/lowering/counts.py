"""Counts: the rules of a game with the steps that count how often something is done, and begin anew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from warchest.ir import steps as ir
from warchest.ir.parts import carried, followed, next_set_variable, nodes_in, one_more
from warchest.ir.ruleset import AGENT, CountedActs, Ruleset, Verb
from warchest.ir.values import (
    SET_VARIABLES,
    All,
    Bears,
    Compare,
    Condition,
    Const,
    Everyone,
    Exists,
    FieldOf,
    Pieces,
    Set,
    Var,
)
from warchest.source.text import Span

_ZERO = Const(0, "number")


def with_counts(ruleset: Ruleset) -> Ruleset:
    """Return the rules in which acts are counted, and counts begin anew with a turn or a round; the same without any.

    A count is 0 again behind the step that begins the turn or the round that it is for.
    """
    if not any(field.per for field in ruleset.fields):
        return ruleset
    afresh = ruleset.with_codes(lambda code: _afresh(ruleset, code))
    return replace(afresh, verbs=[_verb(verb, ruleset.all_kinds) for verb in afresh.verbs])


def _verb(verb: Verb, kinds: tuple[int, ...]) -> Verb:
    """Return a verb with ways that count before they do anything else."""
    ways = [replace(way, code=_counting(verb.counts, way.code, kinds)) for way in verb.definitions]
    return replace(verb, definitions=ways)


# ---- counting


def _counting(counts: Iterable[CountedActs], code: ir.Code, kinds: tuple[int, ...]) -> ir.Code:
    steps = [_counted(count, kinds) for count in counts]
    return replace(code, steps=(*steps, *code.steps)) if steps else code


def _counted(count: CountedActs, kinds: tuple[int, ...]) -> ir.If:
    """Return the step that counts an act, if a rule is about it."""
    place, span = count.place, count.rule.span
    below = Compare("<", place, Const(count.most, "number"), span)
    return ir.If(All((below, _about(count, kinds, span)), span), (one_more(place, span),), (), span=span)


def _about(count: CountedActs, kinds: tuple[int, ...], span: Span) -> Condition:
    """Return the condition that a rule is about an act: of the piece that carries it, or with one about."""
    rule = count.rule
    if rule.carrier < 0:
        return rule.condition
    if rule.this_role >= 0:
        this = Var(AGENT + rule.this_role, "piece")
        return All((Bears(this, rule.carrier, span), carried(rule.condition, this)), span)
    this = Var(next_set_variable(rule.condition), "piece")
    filters = Bears(this, rule.carrier, span), carried(rule.condition, this)
    return Exists(Set(this, Pieces(kinds), filters, span), span)


# ---- beginning anew


def _afresh(ruleset: Ruleset, code: ir.Code) -> ir.Code:
    """Return code in which the counts of a time begin anew wherever that time begins."""
    if not any(isinstance(part, ir.Clock) and part.what in ("turn", "round") for part in nodes_in(code.steps)):
        return code
    var = Var(code.size, "piece", "piece"), Var(code.size + 1, "player", "player")
    steps = followed(code.steps, lambda step: _cleared(ruleset, step, var))
    return replace(code, steps=steps, size=code.size + len(var))


def _cleared(ruleset: Ruleset, step: ir.Order, var: Sequence[Var]) -> Iterator[ir.Order]:
    if isinstance(step, ir.Clock):
        yield from (_clear(ruleset, number, var, step.span) for number, field in enumerate(ruleset.fields)
                    if field.per == step.what)  # fmt: skip


def _clear(ruleset: Ruleset, number: int, var: Sequence[Var], span: Span) -> ir.ForEach:
    """Return the step that makes a count 0 for all that have one."""
    each = var[0] if ruleset.fields[number].of == "piece" else var[1]
    member = Var(SET_VARIABLES, each.base, each.noun)
    place = FieldOf(number, member, "number", ruleset.fields[number].per)
    counted = Compare(">", place, _ZERO, span)
    among = Set(member, Pieces(ruleset.all_kinds) if each.base == "piece" else Everyone("player"), (counted,), span)
    nothing = ir.SetField(number, each, _ZERO, span=span)
    return ir.ForEach(each, among, False, Const(-1, "player"), (nothing,), span=span)
