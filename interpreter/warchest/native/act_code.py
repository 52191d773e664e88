"""Orders and acts in C: from the text that orders a verb to its event."""

from __future__ import annotations

from warchest.ir import steps as ir
from warchest.ir.ruleset import AGENT, FIXED, MANNER, THIS, YOU
from warchest.ir.values import NOTHING
from warchest.lowering.code import (
    UNSET,
    Act,
    CallAct,
    Check,
    Enter,
    Finish,
    Instruction,
    PickKind,
    PickRole,
    PickWay,
    Plain,
    Routine,
)
from warchest.lowering.layout import POSTPONED, UNSETTLED
from warchest.lowering.verbs import open_living
from warchest.native.c_units import Unit
from warchest.native.code_places import behind_roles
from warchest.native.permits import WAYS, Permits, is_unset
from warchest.native.plain_code import plain
from warchest.native.points import Point, write_point
from warchest.native.text_code import announced


def write_act(unit: Unit, routine: Routine, pc: int, one: Instruction) -> str | None:
    """Return the statements of an instruction that belongs to an act or orders one; None for any other instruction."""
    match one:
        case CallAct():
            return _call(unit, routine, pc, one)
        case Check(verb):
            act = unit.program.acts[verb]
            open_ = " || ".join(f"e[{place}] == {UNSET}" for place in range(FIXED, act.way_place)) or "0"
            stop = f"STOP(FAIL, {unit.places.name(routine, pc + 1)});"
            return f"if (!({open_}) && {Permits(unit, act).forbidden()}(r, fp, cur, e)) {stop}"
        case Enter(verb):
            return enter(unit, routine, unit.program.acts[verb], 0)
        case PickRole(verb=verb, place=place):
            act = unit.program.acts[verb]
            find = Permits(unit, act).role(one)
            take = f"if (r->in_option) say_role(&r->said); e[{place}] = c;"
            point = Point(find, lambda taking: take, before=f"if (e[{place}] == {UNSET})", context=_said(unit, act))
            return write_point(unit, routine, pc, one, point)
        case PickWay(verb=verb):
            return _way(unit, routine, pc, one, unit.program.acts[verb])
        case PickKind():
            return _kind(unit, routine, pc, one)
    return None


def _said(unit: Unit, act: Act) -> str:
    """Return the statements that announce an act with the roles that are filled so far."""
    return f"say_role(&r->said); {unit.note_act(act.verb.act)}"


# ---- orders


def ordered(unit: Unit, one: CallAct, name: str = "v") -> tuple[str, int]:
    """Return the statements that compute the variables of an act (`v0`, `v1`, … for the name `v`), and their number."""
    act, write = unit.program.acts[one.verb], unit.write
    texts = [write.value(value) for value in one.variables]
    if act.by_piece:
        # Where the agent has gone, the act lapses.
        texts[THIS], texts[YOU] = f"{name}{AGENT}", write.of_act().decider(f"present({name}{AGENT})")
    known = act.way_place if act.direct else len(texts)
    others = [number for number in range(known) if number != AGENT]
    order = [AGENT, *others] if act.by_piece else range(known)
    return " ".join(f"const int {name}{number} = {texts[number]};" for number in order), known


def _call(unit: Unit, routine: Routine, pc: int, one: CallAct) -> str:
    act = unit.program.acts[one.verb]
    start, known = ordered(unit, one)
    if one.living:
        gone = " || ".join(f"v{place} < 0" for place in one.living)
        start += f" if ({gone}) {unit.go(routine, pc + 1)}"
    due = unit.are_due([f"v{place}" for place in open_living(act, one)])
    start += f" if ({due}) STOP(FAIL, {unit.places.name(routine, pc + 1)});" if due else ""
    said = announced(unit, one.announcement)
    if said:
        start += f" if (r->in_option) {{{said}}}"
    put = " ".join(f"next[{number}] = v{number};" for number in range(known))
    start += f" int32_t *const next = {unit.above(routine)}; {put}"
    if not act.direct:
        unit.begin(act.routine, unit.places.back(routine, pc + 1, one.outs))
        is_open = any(map(is_unset, one.variables))
        climb = f"{unit.header(routine, pc + 1, one.outs)} {unit.climb(routine)}"
        return f"{{{start} {climb} {unit.go(act.routine, int(bool(act.rules) and is_open))}}}"
    return f"{{{start} {_event(unit, routine, pc, one, act)}}}"


def _event(unit: Unit, routine: Routine, pc: int, one: CallAct, act: Act) -> str:
    """Return the statements that begin the event of an order, whose roles are the variables of the frame `next`."""
    text, behind = "", unit.places.name(routine, pc + 1)
    begin = f"{unit.header(routine, pc + 1, one.outs)} {unit.climb(routine)}"
    if act.rules:
        text += f"if ({Permits(unit, act).forbidden()}(r, fp, cur, next)) STOP(FAIL, {behind});\n"
    back = unit.places.back(routine, pc + 1, one.outs)
    if act.stages is not None:
        text += f"if ({answered(unit, act)}(r, fp, cur, next)) {{{stages_begin('next', act, 0)} {begin} "
        text += f"{unit.go(act.stages, 0)}}}\n"
        unit.begin(act.stages, back)
    body = act.ways[0].routine
    if _only_counts(act):
        # A look-ahead stops before it.
        text += f"if (r->lookahead) STOP(HORIZON, {unit.places.name(routine, pc)});"
    elif not act.plain:
        unit.begin(body, back)
        return f"{text} {unit.blank('next', body, act.way_place)} {begin} {unit.go(body, 0)}"
    # An act that only counts has a frame of its own, whose end is noted, too.
    steps = "\n".join(
        f"{unit.tally(one)}{plain(unit.write, one) if isinstance(one, Plain) else ''}"
        for one in body.instructions
        if isinstance(one, Plain) or not act.plain
    )
    back = " ".join(f"below[{target}] = next[{source}];" for source, target in one.outs)
    back = f"int32_t *const below = e; {{int32_t *const e = next; (void)e; {steps}}} {back} (void)below;"
    settling = unit.program.settling
    settle = f"{unit.header(routine, pc + 1)} {unit.climb(routine)} {unit.go(settling, 0)}"
    return f"{text} {back} if (m[{UNSETTLED}] && !m[{POSTPONED}]) {{{settle}}} {unit.go(routine, pc + 1)}"


def _only_counts(act: Act) -> bool:
    """Whether the body of an act only counts a turn or a round."""
    step, *others = act.ways[0].routine.instructions
    is_clock = isinstance(step, Plain) and isinstance(step.step, ir.Clock) and step.step.what in ("turn", "round")
    return is_clock and all(isinstance(one, Finish) for one in others)


def answered(unit: Unit, act: Act) -> str:
    """Return the name of the function that tests whether any hook on an act has a bearer."""
    return unit.shared(f"answered_{act.number}")


def stages_begin(frame: str, act: Act, way: int) -> str:
    """Return the statements that fill the variables of the stages of an event after its roles."""
    first = behind_roles(act)
    judged = f"{frame}[{act.judged_place}] = 0; " if act.judges else ""
    return f"{judged}{frame}[{first}] = {way}; {frame}[{first + 1}] = 0; {frame}[{first + 2}] = 0;"


def enter(unit: Unit, routine: Routine, act: Act, way: int, taking: bool = False) -> str:
    """Return the statements that replace an act by its event; the roles are in `e` already."""
    text, body = "", act.ways[way].routine
    unit.instead.add((routine.name, body.name))
    if act.stages is not None:
        unit.instead.add((routine.name, act.stages.name))
        begin = f"{stages_begin('e', act, way)} {unit.go(act.stages, 0, taking)}"
        text = f"if ({answered(unit, act)}(r, fp, cur, e)) {{{begin}}}\n"
    return f"{text} {unit.blank('e', body, act.way_place)} {unit.go(body, 0, taking)}"


# ---- choices of acts


def _way(unit: Unit, routine: Routine, pc: int, one: PickWay, act: Act) -> str:
    def take(taking: bool) -> str:
        cases = "\n".join(
            f"case {number}: {named(unit, act, number) if taking else ''} {enter(unit, routine, act, number, taking)}"
            for number in range(len(act.ways))
        )
        return f"e[{THIS}] = (int)(c % {WAYS}u) - 1; switch (c / {WAYS}u) {{{cases}}} __builtin_unreachable();"

    point = Point(Permits(unit, act).ways(), take, on=True)
    return write_point(unit, routine, pc, one, point)


def named(unit: Unit, act: Act, number: int) -> str:
    """Return the statement that stores the name of an act, for an option that has no announcement of its own."""
    first = act.verb.definitions[number].code.steps[0]
    verb = unit.program.acts[first.verb].verb if isinstance(first, ir.Call) else act.verb
    name = act.verb.act if verb.by == "game" else verb.act
    return f"if (r->in_option) say_way(&r->said, {unit.act(name)});" if name else ""


def _kind(unit: Unit, routine: Routine, pc: int, one: PickKind) -> str:
    general, able = unit.program.acts[one.verb], [_able(unit, kind) for kind in one.kinds]
    fail = f"STOP(FAIL, {unit.places.name(routine, pc)});"

    def take(taking: bool) -> str:
        cases = "\n".join(
            f"case {number}: {{{f'if (r->mode == WALKING && !{able[number]}) {fail} ' if taking else ''}"
            f"{_become(unit, routine, general, unit.program.acts[kind], taking)}}}"
            for number, kind in enumerate(one.kinds)
        )
        return f"switch (c) {{{cases}}} __builtin_unreachable();"

    find = " ".join(f"if (!BEYOND(r) || {test}) out[count++] = {number};" for number, test in enumerate(able))
    point = Point(find, take, on=True, context="say_role(&r->said);" if general.by_piece else _filled(general))
    return write_point(unit, routine, pc, one, point)


def _able(unit: Unit, kind: int) -> str:
    """Return the condition that the agent bears one of the texts that a kind of act needs, if it needs any."""
    needs = unit.program.acts[kind].needs
    return "1" if needs is None else f"(e[{AGENT}] >= 0 && has({unit.write.bearers(sorted(needs))}, e[{AGENT}]))"


def _filled(act: Act) -> str:
    filled = [FIXED + number for number, role in enumerate(act.verb.roles) if not role.is_quantity]
    tests = " || ".join(f"e[{place}] >= 0" for place in filled)
    return f"if ({tests}) say_role(&r->said);" if tests else ""


def become(unit: Unit, act: Act) -> tuple[str, dict[int, str]]:
    """Return the statement and the cells that replace an act by a more special one."""
    you, this = (unit.write.of_act().decider("agent"), "agent") if act.by_piece else ("agent", str(NOTHING))
    cells = {THIS: this, YOU: you, MANNER: f"e[{MANNER}]", AGENT: "agent"}
    cells |= {FIXED + number: str(UNSET if domains else NOTHING) for number, domains in enumerate(act.domains)}
    return f"const int agent = e[{AGENT}];", cells


def _become(unit: Unit, routine: Routine, general: Act, act: Act, taking: bool) -> str:
    """Return the statements that replace an act by one of its kinds."""
    extends = unit.program.failures.extends(act.number)
    start, cells = become(unit, act)
    text = f"if (r->in_option) {unit.note_act(act.verb.act)} {start} "
    text += f"const int chooser = e[{general.chooser_place}]; (void)chooser; "
    text += " ".join(f"e[{place}] = {value};" for place, value in cells.items() if place not in (MANNER, AGENT))
    if not any(act.domains) and not extends:
        text += " r->in_option = 0;"
    if act.direct:
        if act.rules:
            text += f" if ({Permits(unit, act).forbidden()}(r, fp, cur, e)) STOP(FAIL, {unit.places.name(routine, 0)});"
        return f"{text} {enter(unit, routine, act, 0, taking)}"
    text += f" e[{act.way_place}] = -1; e[{act.chooser_place}] = chooser;"
    unit.instead.add((routine.name, act.routine.name))
    return f"{text} {unit.go(act.routine, int(bool(act.rules) and any(act.domains)), taking)}"
