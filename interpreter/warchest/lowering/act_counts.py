"""Counts: the rules of a game with the steps that count acts, and reset the counts.

The same steps reset the fields that are declared for a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from warchest.ir import steps as ir
from warchest.ir.parts import all_of, carried, followed, next_set_variable, nodes_in, one_more
from warchest.ir.ruleset import AGENT, CountedActs, Ruleset, Verb
from warchest.ir.values import (
    SET_VARIABLES,
    All,
    Bears,
    Compare,
    Condition,
    Const,
    Exists,
    FieldOf,
    Not,
    Pieces,
    Set,
    Var,
)
from warchest.source.text import Span


def with_counts(ruleset: Ruleset) -> Ruleset:
    """Return the rules in which acts are counted, and turns and rounds reset the counts; unchanged if none is counted.

    A count, or a field for a time, is reset to 0 after the step that begins its turn or round.
    """
    if not any(field.per or field.lasts for field in ruleset.fields):
        return ruleset
    afresh = ruleset.with_codes(lambda code: _afresh(ruleset, code))
    return replace(afresh, verbs=[_verb(verb, ruleset.all_kinds) for verb in afresh.verbs])


def _verb(verb: Verb, kinds: tuple[int, ...]) -> Verb:
    """Return a verb whose definitions begin by counting the act."""
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
    """Return the condition that a rule is about an act: an act of the piece that carries it, or with such a piece."""
    rule = count.rule
    if rule.carrier < 0:
        return rule.condition
    if rule.this_role >= 0:
        this = Var(AGENT + rule.this_role, "piece")
        return All((Bears(this, rule.carrier, span), carried(rule.condition, this)), span)
    this = Var(next_set_variable(rule.condition), "piece")
    filters = Bears(this, rule.carrier, span), carried(rule.condition, this)
    return Exists(Set(this, Pieces(kinds), filters, span), span)


# ---- resets


def _afresh(ruleset: Ruleset, code: ir.Code) -> ir.Code:
    """Return code that resets the counts of a turn or a round wherever it begins."""
    if not any(isinstance(part, ir.Clock) and part.what in ("turn", "round") for part in nodes_in(code.steps)):
        return code
    owners = list(dict.fromkeys(field.of for field in ruleset.fields if field.of and (field.per or field.lasts)))
    var: dict[str, Var] = {of: Var(code.size + place, of, of) for place, of in enumerate(owners)}
    steps = followed(code.steps, lambda step: _cleared(ruleset, step, var))
    return replace(code, steps=steps, size=code.size + len(var))


def _cleared(ruleset: Ruleset, step: ir.Order, var: Mapping[str, Var]) -> Iterator[ir.Order]:
    if isinstance(step, ir.Clock):
        yield from (
            _clear(ruleset, number, var.get(field.of), step.span)
            for number, field in enumerate(ruleset.fields)
            if step.what in (field.per, field.lasts)
        )


def _clear(ruleset: Ruleset, number: int, each: Var | None, span: Span) -> ir.Order:
    """Return the step that sets a field to 0 for all that have one; `each` is None for a field of the game."""
    field = ruleset.fields[number]
    zero = Const(0, field.base)
    nothing = ir.SetField(number, each, zero, span=span)
    if each is None:
        return nothing
    member = Var(SET_VARIABLES, each.base, each.noun)
    changed = Not(Compare("==", FieldOf(number, member, field.base, field.per), zero, span), span)
    among = Set(member, all_of(each.base, ruleset.all_kinds), (changed,), span)
    return ir.ForEach(each, among, False, Const(-1, "player"), (nothing,), span=span)
