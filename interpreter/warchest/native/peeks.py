"""Peeking in C: what follows a candidate is often seen without carrying it out, and without taking it back.

A definition mostly pays with something, checks what is forbidden, and then comes to a choice that ends the option.
Where what is paid plays no part in what is asked, it need not even be paid. What cannot be seen is walked.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from warchest.lowering.code import (
    UNSET,
    Act,
    Branch,
    Call,
    Check,
    ChoicePoint,
    Finish,
    Instruction,
    Jump,
    Pick,
    PickKind,
    PickRole,
    PickWay,
    Plain,
    Routine,
)
from warchest.lowering.failure import Failure
from warchest.native.acts import answered
from warchest.native.permits import WAYS, Permits
from warchest.native.plain import plain
from warchest.native.points import FINDING, ending
from warchest.native.routines import announced
from warchest.native.units import Unit
from warchest.rules import steps as ir
from warchest.rules import values
from warchest.rules.parts import base_of, nodes_in
from warchest.rules.ruleset import AGENT, FIXED, MANNER, THIS, YOU
from warchest.rules.values import NOTHING, Const

UNSEEN = "return UNSEEN;"
DEEPEST = 6
"""How many instructions a peek goes on at most."""


@dataclass(frozen=True)
class Touched:
    """What has been left out on the way, so that nothing that is asked later may hang on it."""

    tokens: bool = False
    fields: frozenset[int] = frozenset()
    pieces: bool = False
    into: frozenset[int] = frozenset()
    """The zones into which tokens would have gone; -1 is anywhere."""
    sources: tuple[str, ...] = ()
    """The variables in C that say from which holders."""

    def by(self, step: ir.Order, source: str) -> Touched:
        """Return what has been left out together with a step; `source` says from where its token would have gone."""
        match step:
            case ir.MoveToken(into=into):
                zone = into.zone if isinstance(into, values.InZone) else -1
                return replace(self, tokens=True, into=self.into | {zone}, sources=(*self.sources, source))
            case ir.SetField(field=number):
                return replace(self, fields=self.fields | {number})
            case ir.Clock():
                return self
        return replace(self, pieces=True)

    def matters_to(self, nodes: Iterable[Any]) -> bool:
        """Whether any of some parts of the rules looks at what has been left out."""
        return any(self._looks(part) for node in nodes for part in nodes_in(node))

    def _looks(self, part: Any) -> bool:
        if self.pieces:
            return True
        if isinstance(part, values.FieldOf):
            return part.field in self.fields
        if self.tokens and isinstance(part, values.Compare):
            return "token" in (base_of(part.left), base_of(part.right))
        if self.tokens and isinstance(part, values.Tokens):
            zones = {one.zone if isinstance(one, values.InZone) else -1 for one in part.holders}
            return -1 in zones | self.into or bool(zones & self.into)
        return self.tokens and isinstance(part, values.HeldIn | values.Happening)

    def guards(self, unit: Unit, nodes: Iterable[Any]) -> str:
        """Return the statements that see nothing where a token would have come from where some parts look."""
        zones = {one.zone for node in nodes for part in nodes_in(node) if isinstance(part, values.Tokens)
                 for one in part.holders if isinstance(one, values.InZone)}  # fmt: skip
        tests = []
        for zone in sorted(zones):
            holders = unit.layout.zones[zone]
            end = holders.first + holders.owners * holders.faces
            tests += [f"({source} >= {holders.first} && {source} < {end})" for source in self.sources]
        return f"if ({' || '.join(tests)}) {UNSEEN}" if tests else ""


class Depends(Exception):
    """What is asked hangs on what would be left out."""


@dataclass
class Seen:
    """A peek while it is written: the cells of the frame that it leaves as they are, the variables that it changes, and
    how deep it goes."""

    room: int
    kept: set[int] = field(default_factory=set)
    depth: int = 0


def write_peek(unit: Unit, routine: Routine, pc: int, one: Instruction) -> bool:
    """Add the function that peeks behind the candidates of a choice point; return whether there is anything to see."""
    cases = []
    match one:
        case PickWay(verb=verb):
            act = unit.program.acts[verb]
            for number, way in enumerate(act.ways):
                text = _way(unit, act, number, way.routine)
                if text is not None:
                    cases.append(f"case {number}: {{{text}}}")
            chosen = f"c / {WAYS}"
        case PickKind(verb=verb, kinds=kinds):
            general = unit.program.acts[verb]
            for kind in kinds:
                text = _kind(unit, routine, pc, general, unit.program.acts[kind])
                if text is not None:
                    cases.append(f"case {kind}: {{{text}}}")
            chosen = "c"
        case _:
            return False
    if not cases:
        return False
    name = unit.places.name(routine, pc)
    number = unit.places.number[routine.name]
    lines = "\n".join(cases)
    unit.functions.append(
        f"static int peek_{name}(R *r, int fp, int32_t *e, int c, int32_t *out) {{\n"
        f"enum {{cur = {number}}};\nint32_t *const m = r->m; (void)m;\nswitch ({chosen}) {{\n{lines}\n}}\n{UNSEEN}\n}}"
    )
    unit.peeks.append(f"case {name}: return peek_{name}(r, r->fp, r->st + r->fp + HEADER, c, out);")
    return True


# ---- definitions


def _way(unit: Unit, act: Act, number: int, routine: Routine) -> str | None:
    """Return the statements that peek into a definition; None where nothing is to be seen."""
    if act.stages is not None:
        return None
    seen = Seen(unit.places.size(act.routine))
    try:
        text = _from(unit, routine, 0, Touched(), seen)
    except Depends:
        return None
    if text == UNSEEN:
        return None
    first = act.verb.definitions[number].code.steps[0]
    verb = unit.program.acts[first.verb].verb if isinstance(first, ir.Call) else act.verb
    name = act.verb.act if verb.by == "game" else verb.act
    called = f"r->way = {unit.act(name)};" if name else ""
    inner = unit.places.number[routine.name]
    helper = f"see_{unit.places.name(routine, 0)}"
    if helper not in unit.declared:
        unit.declared.add(helper)
        unit.functions.append(
            f"static int {helper}(R *r, int fp, int32_t *e, int32_t *out) {{\n"
            f"enum {{cur = {inner}}};\nint32_t *const m = r->m; (void)m; (void)out;\n{text}\n}}"
        )
    kept = sorted({THIS, *seen.kept})
    keep = " ".join(f"const int32_t kept_{one} = e[{one}];" for one in kept)
    bring = " ".join(f"e[{one}] = kept_{one};" for one in kept)
    return (f"{called} {keep} const uint32_t changed = r->changed; e[{THIS}] = c % {WAYS} - 1;\n"
            f"const int seen = {helper}(r, fp, e, out);\n{bring} "
            "if (r->changed != changed) unwind(r, changed); return seen;")  # fmt: skip


def _from(unit: Unit, routine: Routine, pc: int, touched: Touched, seen: Seen) -> str:
    """Return the statements that peek on from an instruction; each way through them returns."""
    seen.depth += 1
    try:
        if seen.depth > DEEPEST:
            return UNSEEN
        return _see(unit, routine, pc, touched, seen)
    finally:
        seen.depth -= 1


def _see(unit: Unit, routine: Routine, pc: int, touched: Touched, seen: Seen) -> str:
    one = routine.instructions[pc]
    match one:
        case Call():
            return _call(unit, routine, pc, one, touched, seen)
        case Pick() if not one.by_chance:
            return _pick(unit, routine, pc, one, touched)
        case Jump(target) if target > pc:
            return _from(unit, routine, target, touched, seen)
        case Branch(condition, otherwise) if not touched.matters_to([condition]):
            then, other = (_from(unit, routine, at, touched, seen) for at in (pc + 1, otherwise))
            return f"if ({unit.write.condition(condition)}) {{{then}}} {other}"
        case Plain(step=ir.Must(condition)) if not touched.matters_to([condition]):
            return f"if (!{unit.write.condition(condition)}) return 0; {_from(unit, routine, pc + 1, touched, seen)}"
        case Finish(True, True):
            # Here the option ends; what follows at once cannot fail.
            return "return e[FAILS] ? UNSEEN : 1;"
    return UNSEEN


def _pick(unit: Unit, routine: Routine, pc: int, one: Pick, touched: Touched) -> str:
    act = unit.program.acts[one.verb] if one.verb >= 0 else None
    asked = [one.among, *((rule.condition for rule in act.rules) if act is not None else ()), *one.variables]
    if touched.matters_to(asked):
        raise Depends
    said = f"{touched.guards(unit, asked)} {announced(unit, one.announcement)}"
    return f"{said} {_found(unit, routine, pc, one, 'e', 'fp', 'e[FAILS]')}"


def _found(unit: Unit, routine: Routine, pc: int, one: ChoicePoint, frame: str, fp: str, fails: str) -> str:
    """Return the statements that find the candidates of a choice point, and tell whether the option ends with them."""
    name = unit.places.name(routine, pc)
    unit.finds.add(name)
    find = f"const int count = find_{name}(r, {fp}, {frame}, out); if (!count) return 0;"
    ends, failure = ending(unit, one), unit.places.failure(routine, pc + 1)
    if ends == "0" or failure is Failure.MAY or one.chooser is None:
        return f"{find} {UNSEEN}"
    sure = "1" if failure is Failure.YIELDS else f"!{fails}"
    chooser = unit.write.value(one.chooser)
    inner = "" if frame == "e" else f"const int32_t *const e = {frame}; (void)e; "
    asked = f"{{{inner}if (!({ends}) || (count > 1 && {chooser} != r->walker)) {UNSEEN}}}"
    return f"{find} if (!({sure})) {UNSEEN} {asked} say_role(r); return count;"


# ---- orders


def _call(unit: Unit, routine: Routine, pc: int, one: Call, touched: Touched, seen: Seen) -> str:
    act, write = unit.program.acts[one.verb], unit.write
    if touched.matters_to(one.variables):
        raise Depends
    texts = [write.value(value) for value in one.variables]
    if act.by_piece:
        texts[THIS], texts[YOU] = f"v{AGENT}", write.decider(f"v{AGENT}")
    known = act.way_place if act.direct else len(texts)
    order = [AGENT, *(number for number in range(known) if number != AGENT)] if act.by_piece else range(known)
    start = " ".join(f"const int v{number} = {texts[number]};" for number in order)
    if one.living:
        start += f" if ({' || '.join(f'v{place} < 0' for place in one.living)}) {UNSEEN}"
    start += f" {announced(unit, one.announcement)} int32_t *const next = e + {_room(unit, routine, seen)} + HEADER; "
    start += " ".join(f"next[{number}] = v{number};" for number in range(known))
    if not act.direct:
        return f"{start} {_into(unit, routine, pc, one, act, touched, seen)}"
    if act.rules:
        if touched.matters_to(rule.condition for rule in act.rules):
            raise Depends
        start += touched.guards(unit, (rule.condition for rule in act.rules))
        start += f"if ({Permits(unit, act).forbidden()}(r, fp, cur, next)) return 0; "
    if act.stages is not None:
        start += f"if ({answered(unit, act)}(r, fp, cur, next)) {UNSEEN} "
    if not act.plain:
        return f"{start} {UNSEEN}"
    return _done(unit, routine, pc, one, act, touched, seen, start)


def _done(
    unit: Unit, routine: Routine, pc: int, one: Call, act: Act, touched: Touched, seen: Seen, start: str
) -> str:  # fmt: skip
    """Return the statements that go on behind an act of plain changes, which is left out if nothing hangs on it."""
    left, sources = touched, ""
    for number, step in enumerate(act.plain):
        source = f"from_{pc}_{number}"
        if isinstance(step.step, ir.MoveToken):
            token = unit.write.reading({place: f"v{place}" for place in range(act.way_place)}).value(
                step.step.token
            )
            sources += f"{source} = holder_of({token}); "
        left = left.by(step.step, source)
    names = "".join(
        f"int {one.split(' =')[0]}; (void){one.split(' =')[0]}; " for one in sources.split("; ") if one
    )
    try:
        return f"{names}{{{start} {sources}}} {_from(unit, routine, pc + 1, left, seen)}"
    except Depends:
        pass
    steps = "\n".join(plain(unit.write, step) for step in act.plain)
    back = " ".join(f"below[{target}] = next[{source}];" for source, target in one.outs)
    seen.kept |= {target for _, target in one.outs}
    done = f"int32_t *const below = e; (void)below; {{int32_t *const e = next; (void)e; {steps}}} {back}"
    return f"{{{start} {done}}} {_from(unit, routine, pc + 1, touched, seen)}"


def _into(
    unit: Unit, routine: Routine, pc: int, one: Call, act: Act, touched: Touched, seen: Seen
) -> str:  # fmt: skip
    """Return the statements that peek into the frame of an act, which stands above the one that orders it."""
    is_open = any(isinstance(value, Const) and value.value == UNSET for value in one.variables)
    first = int(bool(act.rules) and is_open)
    text = f"const int above = fp + {_room(unit, routine, seen)} + HEADER; {unit.header(routine, pc + 1, one.outs)} "
    inner = act.routine.instructions[first]
    if isinstance(inner, Check) or not isinstance(inner, PickRole):
        return UNSEEN
    value = one.variables[inner.place]
    if not (isinstance(value, Const) and value.value == UNSET) or touched.matters_to(_asked(act, inner)):
        return UNSEEN if not touched.tokens and not touched.fields else _raise()
    text = touched.guards(unit, _asked(act, inner)) + text
    return text + _found(unit, act.routine, first, inner, "next", "above", "next[FAILS]")


def _room(unit: Unit, routine: Routine, seen: Seen) -> int:
    """Return how many cells must stay free of another frame: those of the routine, and of the one in its place now."""
    return max(unit.places.size(routine), seen.room)


def _raise() -> str:
    raise Depends


def _asked(act: Act, one: PickRole) -> list[Any]:
    """Return all that is asked of what may fill a role."""
    found: list[Any] = [rule.condition for rule in act.rules]
    for domain in act.domains[one.role]:
        found += [domain.among, domain.applies]
    return found


# ---- kinds


def _kind(unit: Unit, routine: Routine, pc: int, general: Act, act: Act) -> str | None:
    """Return the statements that peek into an act in the place of another one, of which it is a kind."""
    write = unit.write
    you, this = (write.decider("agent"), "agent") if act.by_piece else ("agent", str(NOTHING))
    roles = [UNSET if domains else NOTHING for domains in act.domains]
    put = f"const int agent = e[{AGENT}]; int32_t other[{len(act.bases)}]; {unit.note_act(act.verb.act)} "
    put += f"other[{THIS}] = {this}; other[{YOU}] = {you}; other[{MANNER}] = e[{MANNER}]; other[{AGENT}] = agent; "
    put += " ".join(f"other[{FIXED + number}] = {value};" for number, value in enumerate(roles))
    if act.direct:
        if not act.rules:
            return None
        return f"{put} if ({Permits(unit, act).forbidden()}(r, fp, cur, other)) return 0; {UNSEEN}"
    put += f" other[{act.way_place}] = -1; other[{act.chooser_place}] = e[{general.chooser_place}];"
    first = int(bool(act.rules) and any(act.domains))
    inner = act.routine.instructions[first]
    if not isinstance(inner, PickRole) or roles[inner.role] != UNSET:
        return None
    return f"{put} {_found(unit, act.routine, first, inner, 'other', 'fp', 'e[FAILS]')}"


__all__ = ["FINDING", "write_peek"]
