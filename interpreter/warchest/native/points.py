"""Choice points in C: a single candidate is taken at once; with several, the machine stops until one is chosen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from warchest.ir.ruleset import AGENT
from warchest.lowering.code import ChoicePoint, Pick, PickKind, PickRole, PickWay, Routine
from warchest.lowering.failure import Failure
from warchest.lowering.layout import MUST_ASK
from warchest.lowering.program import Program
from warchest.native.c_units import Unit

FINDING = "R *r, int fp, const int32_t *e, int32_t *restrict out"


@dataclass(frozen=True)
class Point:
    """The part that differs between choice points.

    `find` are statements that put candidates into `out` and count them in `count`; `take` returns the statements that
    take `c`, either `taking` it after a stop, or at once. With `on`, these statements jump onward. `before` is
    placed before all other statements, `context` names the choices that are already settled where an option begins.
    """

    find: str
    take: Callable[[bool], str]
    on: bool = False
    before: str = ""
    context: str = ""
    decider: str = ""


def write_point(unit: Unit, routine: Routine, pc: int, one: ChoicePoint, point: Point) -> str:
    """Return the statements of a choice point; statements that take a candidate later are added to the unit."""
    places, name = unit.places, unit.places.name(routine, pc)
    number, behind = places.number[routine.name], places.name(routine, pc + 1)
    head = f"enum {{cur = {number}}}; const int32_t *const m = r->m; (void)m; int count = 0;"
    body = f"{head} {point.find} FITS(count); return count;"
    unit.define(f"find_{name}", FINDING, body, is_static=True)
    add_point(unit, routine, pc, one, point)
    chance = "r->in_option = 0;" if one.by_chance else ""
    ahead = f"TAKE_AHEAD({places.take(routine, pc)});" if is_fixed(unit.program, one) else ""
    take = places.take(routine, pc)
    together = isinstance(one, Pick) and unit.write.lie_together(one.among)
    drawn = f"DRAW_AHEAD({take}, {int(one.base == 'token')}, {int(together)});" if one.by_chance else ""
    return f"""{point.before} {{
  {ahead}
  int32_t *const out = r->candidates + r->first;
  const int count = find_{name}(r, fp, e, out);{unit.chosen(one)}
  if (count > 1 || (count && m[{MUST_ASK}])) {{ {drawn} r->count = count; STOP(CHOICE_POINT, {name}); }}
  if (!count) STOP(FAIL, {behind});
  const int c = out[0]; (void)c;
  {chance} {point.take(False)}
  {"" if point.on else ended_at_once(unit, routine, pc, one)}
}}"""


def add_point(unit: Unit, routine: Routine, pc: int, one: ChoicePoint, point: Point) -> None:
    """Add a choice point to a unit: the way to take a candidate, the player who chooses, the settled choices."""
    name, number = unit.places.name(routine, pc), unit.places.number[routine.name]
    decider = point.decider or (unit.write.value(one.chooser) if one.chooser is not None else "-1")
    unit.deciders.append(f"case {name}: return {decider};")
    if point.context:
        unit.contexts.append(f"case {name}: {point.context} break;")
    if one.unless:
        unit.ends.append(f"case {name}: return {ending(unit, one)};")
    ended = f"if ({ending(unit, one)}) r->in_option = 0;" if ending(unit, one) != "0" else ""
    on = "" if point.on else f"{ended} {unit.go(routine, pc + 1, taking=True)}"
    unit.takes.append(
        f"case {unit.places.take(routine, pc)}: {{ enum {{cur = {number}}}; FRAME_HERE; "
        "const int c = r->candidate; (void)c;\n"
        f"{point.take(True)} {on} }}"
    )


def ending(unit: Unit, one: ChoicePoint) -> str:
    """Return the condition under which an option ends at a choice point."""
    if one.ends:
        return "1"
    if not one.unless:
        return "0"
    return f"!has({unit.write.bearers(one.unless)}, e[{AGENT}])"


def ended_at_once(unit: Unit, routine: Routine, pc: int, one: ChoicePoint) -> str:
    """Return the statements after a candidate that was taken at once; if they end the option, a trial may stop too."""
    ends, failure = ending(unit, one), unit.places.failure(routine, pc + 1)
    if ends == "0":
        return ""
    sure = "" if failure is Failure.YIELDS else " && !e[FAILS]"
    edge = f" if (r->lookahead{sure}) STOP(HORIZON, {unit.places.name(routine, pc + 1)});"
    return f"if ({ends}) {{r->in_option = 0;{'' if failure is Failure.MAY else edge}}}"


def is_fixed(program: Program, one: ChoicePoint) -> bool:
    """Whether the candidates of a choice point are known, or at least that there are several."""
    match one:
        case PickKind(verb=verb, kinds=kinds):
            by_piece = program.acts[verb].by_piece
            return len(kinds) > 1 and all(program.acts[kind].by_piece == by_piece for kind in kinds)
        case PickWay(verb=verb):
            act = program.acts[verb]
            return sum(one.carrier < 0 and one.always for one in act.ways) > 1 and act.stages is None
    return False


def asked_at(program: Program, one: ChoicePoint) -> list[Any]:
    """Return all parts that determine the candidates of a choice point."""
    found: list[Any] = [one.chooser]
    match one:
        case Pick(among=among, verb=verb, variables=variables):
            found += [among, *variables]
            found += [rule.condition for rule in program.acts[verb].rules] if verb >= 0 else []
        case PickRole(verb=verb, role=role):
            act = program.acts[verb]
            found += [rule.condition for rule in act.rules]
            for domain in act.domains[role]:
                found += [domain.among, domain.applies]
        case PickWay(verb=verb):
            found += [one.applies for one in program.acts[verb].verb.definitions]
    return found
