"""Events in C: their answers, and the stages around their bodies."""

from __future__ import annotations

import re

from warchest.ir import steps as ir
from warchest.ir.parts import asks_of_events
from warchest.ir.ruleset import AGENT, FIXED, MANNER, THIS, YOU
from warchest.ir.values import NOTHING, Condition
from warchest.lowering.code import (
    Act,
    AskLater,
    Body,
    BoundHook,
    Collect,
    FindAnswers,
    Finish,
    Hold,
    Instruction,
    Judge,
    LapseWithout,
    OrderAnswers,
    PickAnswer,
    PickHook,
    Plain,
    Routine,
    StillDue,
)
from warchest.lowering.layout import MUST_ASK, POSTPONED, UNSETTLED
from warchest.lowering.verbs import handed_back, hook_places, outs_instead
from warchest.native.c_units import ARGUMENTS, NOBODY, UNUSED, Unit
from warchest.native.code_places import HOOKS, behind_roles
from warchest.native.plain_code import plain
from warchest.native.points import Point, add_point
from warchest.native.skipped_steps import Touched

CELL = re.compile(r"m\[\d+\]")
ADD = f"{{if (count == {HOOKS}) return -1; out[2 * count] = %s; out[2 * count + 1] = bearer; count++;}}"
"""The statements that add a hook, by its number, with its bearer to the list; they return -1 if there are too many."""
SETTLING = "R *r, int fp, int back, int fails, int32_t *next"
PAIR = "R *r, int fp, int back, int fails, const int32_t *e, int32_t *next, int hook, int bearer"


def write_event(unit: Unit, routine: Routine, pc: int, one: Instruction) -> str | None:
    """Return the statements of an instruction of the stages of an event; None for any other instruction."""
    match one:
        case Judge(verb):
            return _judge(unit, unit.program.acts[verb])
        case Collect(verb, stage):
            act = unit.program.acts[verb]
            return f"{{{_collected(unit, act, stage)} e[{queue_of(act)}] = count;}}"
        case PickHook():
            return _hooks(unit, routine, pc, one)
        case LapseWithout(verb):
            act = unit.program.acts[verb]
            return f"if (e[{AGENT}] < 0) {unit.go(routine, routine.ending)}" if act.by_piece else ""
        case FindAnswers(verb):
            return _find_answers(unit, routine, pc, unit.program.acts[verb])
        case OrderAnswers():
            return _order_answers(unit, routine, pc, one)
        case StillDue():
            return _still_due(unit, routine, unit.program.acts[routine.verb])
        case PickAnswer():
            return _answer(unit, routine, pc, one)
        case Hold(change):
            at = queue_of(unit.program.acts[routine.verb])
            held = f"e[{at}] > 0" if change > 0 else f"e[{at - 1}]"
            return f"if ({held}) {{set(r, {POSTPONED}, m[{POSTPONED}] + {change}); e[{at - 1}] = {int(change > 0)};}}"
        case AskLater(change):
            at = queue_of(unit.program.acts[routine.verb]) - 1
            if change > 0:
                return f"if (m[{MUST_ASK}]) {{set(r, {MUST_ASK}, 0); e[{at}] = 1;}}"
            edge = f"if (r->lookahead) STOP(HORIZON, {unit.places.name(routine, pc)}); r->in_option = 0;"
            return f"if (e[{at}]) {{{edge} set(r, {MUST_ASK}, 1); e[{at}] = 0;}}"
        case Body(verb):
            return _body(unit, routine, pc, unit.program.acts[verb])
    return None


def queue_of(act: Act) -> int:
    """Return the variable of the stages of an event for the waiting hooks: their number, then the hooks."""
    return behind_roles(act) + 2


def _collected(unit: Unit, act: Act, stage: str) -> str:
    """Return the statements that put the hooks of a stage, with their bearers, into the queue, and `count` them."""
    call = f"{_collecting(unit, act, stage)}(r, fp, cur, e, out)"
    start = f"int32_t *const out = e + {queue_of(act) + 1}; int count = {call};"
    return f"{start} if (count < 0) GIVE_UP(UNFIT_HOOKS);"


def _collecting(unit: Unit, act: Act, stage: str) -> str:
    """Return the name of the function that counts the answering hooks of a stage, and lists their bearers."""
    hooks = unit.program.answers[act.number].get(stage, [])
    calls = " ".join(f"count = {_answers(unit, act, one)}(r, fp, cur, e, out, count);" for one in hooks)
    body = f"int count = 0; {calls}\nreturn count;"
    return unit.function(f"collected_{act.number}_{stage}", "int", f"{ARGUMENTS}, int32_t *out", body)


# ---- the answers


def _answers(unit: Unit, act: Act, bound: BoundHook) -> str:
    """Return the name of the function that adds the bearers whose hook answers an event; -1 if there are too many."""
    number, add = bound.number, ADD % bound.number
    each, gone = _test(unit, bound, bound.hook.condition, f"if (fits) {add}"), ""
    if bound in act.judged:
        # Pieces that were there when the event began were judged then; others are judged now.
        place, late = act.judged_place, bound.late
        known = f"const int known = judged(event + {place}, {number}, bearer); "
        there = add if late is None else _test(unit, bound, late, f"if (fits) {add}")
        each = f"{{{known} if (known > 0) {there} if (!known) {each}}}"
        if bound.hook.stage != "after":
            left = add if late is None else _test(unit, bound, late, f"if (fits) {add}", there=False)
            gone = f"""for (int one = 0; one < e[{place}]; one++)
  if (e[{place + 1} + 2 * one] == {number} && e[{place + 2} + 2 * one] < -1) {{
    const int32_t *const event = e; (void)event;
    const int bearer = e[{place + 2} + 2 * one]; (void)bearer; {left}
  }}"""
    body = f"if (count < 0) return count;\n{gone} {_for_bearers(unit, act, bound, each)}\nreturn count;"
    return unit.function(f"answers_{number}", "int", f"{ARGUMENTS}, int32_t *out, int count", body)


def _judge(unit: Unit, act: Act) -> str:
    """Return the statements that note which of the hooks that are judged when an event begins answer it later."""
    at = act.judged_place
    count = f"const int count = {judging(unit, act)}(r, fp, cur, e, e + {at + 1});"
    return f"{{{count} if (count < 0) GIVE_UP(UNFIT_HOOKS); e[{at}] = count;}}"


def judging(unit: Unit, act: Act) -> str:
    """Return the name of the function that judges the hooks which answer an event later; -1 means too many."""

    add = ADD % "(fits ? %d : ~%d)"

    def body() -> str:
        each = "\n".join(
            f"{{{_for_bearers(unit, act, one, _test(unit, one, one.judged, add % (one.number, one.number)))}}}"
            for one in act.judged
        )
        return f"int count = 0;\n{each}\nreturn count;"

    return unit.beside(act.stages, f"judged_{act.number}", body, f"{ARGUMENTS}, int32_t *out")


def _test(unit: Unit, bound: BoundHook, condition: Condition, then: str, there: bool = True) -> str:
    """Return the statements that compute whether a hook `fits` with its `bearer`, followed by the statements `then`.

    `condition` is the hook's condition on the event, or a part of it; `there`: the bearer has not gone.
    """
    hook, write = bound.hook, unit.write
    tests = [_lasting(bound) if bound.ended else write.condition(condition)]
    if len(hook.verbs) > 1:
        bits = [
            sum(1 << verb - 32 * word for verb in hook.verbs if verb >> 5 == word)
            for word in range(len(unit.ruleset.verbs) // 32 + 1)
        ]
        table = write.tables.row([f"{one:#x}" for one in bits], "uint32_t")  # type: ignore[misc]
        tests.append(f"is_outermost(r, fp, {table}, event[{AGENT}])")
    size = max(len(hook.code.params), 3 + len(bound.places))
    return f"""{{
  int32_t scope[{size}];
  {_scope(unit, bound, "scope", "event", size, there=there)}
  {{ const int32_t *const e = scope; (void)e; const int fits = {" && ".join(tests)}; {then} }}
}}"""


def _lasting(bound: BoundHook) -> str:
    """Return the condition that there is an effect that a hook would end."""
    tests = " || ".join(f"r->m[one] == {clause + 1}" for clause in sorted(bound.ended))
    return f"({{int found = 0; FOR_GRANTS(r, one) {{if ({tests}) found = 1;}} found;}})"


def _scope(unit: Unit, bound: BoundHook, frame: str, event: str, size: int, there: bool = False) -> str:
    """Return the statements that fill the variables of a hook for an event; `there`: the hook's bearer has not gone."""
    roles = [f"{event}[{place}]" if place >= 0 else "-1" for place in bound.places]
    write = unit.write.of_act() if there else unit.write
    values = ["bearer", f"bearer != -1 ? {write.decider('bearer')} : {event}[1]", "-1", *roles]
    values += ["-1"] * (size - len(values))
    return " ".join(f"{frame}[{number}] = {value};" for number, value in enumerate(values))


def _for_bearers(unit: Unit, act: Act, bound: BoundHook, body: str) -> str:
    """Return the statements that do something for each `bearer` of a hook; `event` are the variables of the event."""
    hook = bound.hook
    start = "const int32_t *const event = e;"
    if hook.carrier < 0:
        return f"{start} const int bearer = -1; (void)bearer; {body}"
    bearers = unit.write.bearers([hook.carrier])
    if hook.this_role < 0:
        return f"""{start}
int32_t pieces[ROOM];
const int many = members_of({bearers}, pieces);
by_place(r, pieces, many);
for (int at = 0; at < many; at++) {{ const int bearer = pieces[at]; (void)bearer; {body} }}"""
    place = bound.places[hook.this_role]
    if place < 0:
        return start + " (void)event;"
    if unit.program.acts[hook.verbs[0]].bases[place] == "token":
        found = f"e[{place}] < 0 ? -1 : holder_of(e[{place}]) - IN_PIECE"
        test = f"bearer >= 0 && document_of(e[{place}]) == {hook.carrier}"
        return f"{start} const int bearer = {found}; if ({test}) {body}"
    return f"{start} const int bearer = e[{place}]; if (bearer >= 0 && has({bearers}, bearer)) {body}"


def judged(unit: Unit, act: Act, left_out: Touched, fp: str, unseen: str) -> str:
    """Return the statements that judge the hooks on an event, with its stages in the frame `next`; or an empty text.

    They jump to `unseen` if the hooks may depend on changes that have been skipped so far.
    """
    if act.stages is None or not act.judges:
        return ""
    nodes, at = [one.judged for one in act.judged], act.judged_place
    number = unit.places.number[act.stages.name]
    text = f"next[{at}] = {judging(unit, act)}(r, {fp}, {number}, next, next + {at + 1}); if (next[{at}] < 0) {unseen}"
    guard = left_out.guard(unit, nodes)
    if left_out.fields or left_out.outdated or left_out.matters_to(nodes, -1):
        text = unseen
    elif guard:
        text = f"if ({guard}) {unseen} {text}"
    tests = dict.fromkeys(_carries(unit, act, one) for one in act.judged)
    return f"if ({' || '.join(tests)}) {{{text}}}"


def _carries(unit: Unit, act: Act, bound: BoundHook) -> str:
    """Return the test that a hook can have a bearer; the roles of its event are in the frame `next`."""
    carrier, role = bound.hook.carrier, bound.hook.this_role
    if carrier < 0:
        return "1"
    place, carriers = bound.places[role] if role >= 0 else -1, unit.write.bearers([carrier])
    base = act.bases[place] if place >= 0 else ""
    if base == "token":
        return f"(next[{place}] >= 0 && document_of(next[{place}]) == {carrier})"
    return f"(next[{place}] >= 0 && has({carriers}, next[{place}]))" if base == "piece" else carriers


def write_answered(unit: Unit, act: Act) -> None:
    """Add the function that tests quickly whether any hook on an act has a bearer."""
    tests = list[str]()
    if act.awaits or act.values:
        tests.append("1")
    answers = [one for stage in unit.program.answers[act.number].values() for one in stage]
    for bound in answers:
        carrier, role = bound.hook.carrier, bound.hook.this_role
        if carrier >= 0:
            # Later on others can bear its text, because the event can change them.
            early = role >= 0 and bound.hook.stage in ("before", "instead")
            place = bound.places[role] if early else -1
            bearers = unit.write.bearers([carrier])
            of_piece = place >= 0 and act.bases[place] == "piece"
            tests.append(f"e[{place}] >= 0 && has({bearers}, e[{place}])" if of_piece else bearers)
        if carrier >= 0 and bound.about_token:
            tests.append(f"document_of(e[{AGENT + role}]) == {carrier}")
        elif carrier < 0 and bound.ended:
            tests.append(_lasting(bound))
        elif carrier < 0:
            tests.append("1" if bound.causes is None else unit.write.condition(bound.causes))
    name = unit.shared(f"answered_{act.number}")
    if not unit.write.lowering.is_probed([one.causes for one in answers]):
        cells = dict.fromkeys(test for test in tests if CELL.fullmatch(test))
        tests = [" | ".join(cells), *(test for test in dict.fromkeys(tests) if test not in cells)]
    lines = "\n".join(f"if ({test}) return 1;" for test in tests if test)
    unit.define(name, ARGUMENTS, f"{UNUSED}\n{lines}\nreturn 0;")
    waiting(unit, act)
    if act.judges:
        judging(unit, act)
    if can_answer(unit, act):
        answering(unit, act)


def waiting(unit: Unit, act: Act) -> str:
    """Return the name of the function that counts the waiting hooks after an event; -1 means too many."""

    def body() -> str:
        return f"int32_t out[{2 * HOOKS}]; return {_collecting(unit, act, 'after')}(r, fp, cur, e, out);"

    return unit.beside(act.stages, f"waiting_{act.number}", body)


def answering(unit: Unit, act: Act) -> str:
    """Return the name of the function that carries out the one hook that precedes an event.

    It returns 0 if there are several hooks, if the hook does more than plain changes, or an answer replaces the event.
    """

    def body() -> str:
        hooks = unit.program.answers[act.number]
        cases = "\n".join(_carried_out(unit, one) for one in hooks.get("before", ()) if _makes_changes(one))
        instead = f"{_collecting(unit, act, 'instead')}(r, fp, cur, e, out)" if hooks.get("instead") else "0"
        return f"""int32_t out[{2 * HOOKS}];
if ({_collecting(unit, act, "before")}(r, fp, cur, e, out) != 1) return 0;
const int bearer = out[1]; (void)bearer;
switch (out[0]) {{
{cases}
default: return 0;
}}
return !{instead};"""

    return unit.beside(act.stages, f"answering_{act.number}", body)


def _carried_out(unit: Unit, bound: BoundHook) -> str:
    """Return the case that carries out a hook of plain changes, on a frame with none above it."""
    size = 3 + len(bound.places)
    fill = _scope(unit, bound, "scope", "e", size) + unit.blank("scope", bound.routine, size)
    steps = "\n".join(plain(unit.write, one) for one in bound.routine.instructions if isinstance(one, Plain))
    known = "int32_t *const e = scope, *const m = r->m; (void)e; (void)m;"
    room = f"int32_t scope[{unit.places.size(bound.routine)}];"
    return f"case {bound.number}: {{{room} {fill} {{{known} {steps}}} break;}}"


def _makes_changes(bound: BoundHook) -> bool:
    """Whether a hook makes only plain changes, which cannot fail, ask no player, and ignore the work under way."""
    *steps, last = bound.routine.instructions
    plainly = all(isinstance(one, Plain) and ir.only_changes(one.step, ir.IN_PLACE) for one in steps)
    asks = asks_of_events(steps)
    return bound.certain and plainly and isinstance(last, Finish) and not asks and not bound.outs


def can_answer(unit: Unit, act: Act) -> bool:
    """Whether `answering` can carry out the hooks before an event, and nothing else runs before the event's body."""
    before = unit.program.answers[act.number].get("before", ())
    early = "when" not in unit.program.answers[act.number] and not act.by_piece
    return act.stages is not None and early and not act.judges and any(map(_makes_changes, before))


def _begin_hook(unit: Unit, act: Act) -> str:
    """Return the name of the function that begins a hook above the stages of an event and returns its first place."""
    cases = []
    for bound in (one for stage in unit.program.answers[act.number].values() for one in stage):
        size = 3 + len(bound.places)
        fill = _scope(unit, bound, "next", "e", size) + unit.blank("next", bound.routine, size)
        cases.append(f"case {bound.number}: {fill} return {unit.places.name(bound.routine, 0)};")
    start = "enum {cur = 0};\nHEAD(next, fp, back, fails);\nr->hooked = 1;"
    body = f"{start}\nswitch (hook) {{\n{chr(10).join(cases)}\n}}\nreturn -1;"
    return unit.function(f"begin_hook_{act.number}", "int", PAIR, body)


# ---- hooks that wait


def _next_hook(unit: Unit, routine: Routine, pc: int, act: Act) -> str:
    """Return the name of the function that begins one of the waiting hooks and returns the hook's first place."""
    begin, handing = _begin_hook(unit, act), _handing_back(unit, routine, pc, act)
    at, size = queue_of(act), unit.places.size(routine)
    return unit.function(
        f"next_hook_{act.number}{'_before' if handing else ''}",
        "int",
        "R *r, int fp, int here, int fails, int32_t *e, int which",
        f"""enum {{cur = 0}};
int hook, bearer;
r->in_option = 0;
take_hook(e + {at}, which, &hook, &bearer);
if (bearer < 0 && hook_lapses[hook]) return here;
int back = here;
{handing}
const int begun = {begin}(r, fp, back, fails, e, e + {size} + HEADER, hook, bearer);
if (!hook_is_certain[hook] && !can_finish(r, fp + {size} + HEADER, begun)) return here;
return begun;""",
    )


def _hooks(unit: Unit, routine: Routine, pc: int, one: PickHook) -> str:
    act, name = unit.program.acts[one.verb], unit.places.name(routine, pc)
    at, size, next_ = queue_of(act), unit.places.size(routine), _next_hook(unit, routine, pc, act)
    go_on = f"""{{const int begun = {next_}(r, fp, {name}, {unit.fails(routine, pc)}, e, %s);
  if (begun != {name}) CLIMB({size});
  %s GO(begun);}}"""
    taken = go_on % ("c", "if (UNTRIED(r) && !can_fail(r, fp, begun)) STOP(HORIZON, begun);")
    say = f"if (r->in_option) {{say_role(&r->said); {unit.note_act('first')}}}"
    add_point(unit, routine, pc, one, Point("", lambda taking: f"{say} {taken}", on=True, decider=_active(unit)))
    numbers = sum(1 << place for place in act.numbers)
    frame = f"e, {at}, {numbers:#x}, {size}"
    played = f"hook_matters(r, fp, {name}, {unit.fails(routine, pc)}, {frame}, {next_})"
    return f"""if (r->played_fp == fp && r->played_pc == {name}) {{
  if (e[{at}] <= 0) STOP(PLAYED, {name});
  {go_on % ("0", "")}
}}
if (e[{at}] > 0) {{
  if (e[{at}] > 1 && {played}) {{
    r->count = e[{at}];
    for (int number = 0; number < r->count; number++) r->candidates[r->first + number] = number;
    STOP(CHOICE_POINT, {name});
  }}
  {go_on % ("0", "")}
}}"""


def _handing_back(unit: Unit, routine: Routine, pc: int, act: Act) -> str:
    """Return the statements that set `back` for the hooks that change numbers of the event; empty if there are none."""
    before = unit.program.answers[act.number].get("before", ()) if pc == hook_places(routine)[0] else ()
    hooks = [(bound.number, unit.places.back(routine, pc, bound.outs)) for bound in before if bound.outs]
    return "\n".join(f"if (hook == {number}) back = {back};" for number, back in hooks)


def _active(unit: Unit) -> str:
    cell = unit.layout.fields.get(unit.ruleset.active)
    return f"(m[{cell}] > 0 ? m[{cell}] : 0)" if cell is not None else "0"


# ---- answers that replace an event


def affected(unit: Unit, act: Act) -> str:
    """Return the expression for the owner of the piece that an event is about; without an owner, for the agent."""
    agent = unit.write.decider(f"e[{AGENT}]") if act.by_piece else f"e[{AGENT}]"
    piece = f"e[{act.affected}]"
    return agent if act.affected == NOTHING else f"({piece} != -1 ? {unit.write.decider(piece)} : {agent})"


def _asked(unit: Unit, act: Act) -> str:
    """Return the name of the function that counts the answers that are decided next."""
    return unit.function(
        f"asked_{act.number}",
        "int",
        "R *r, const int32_t *e",
        f"""enum {{fp = 0, cur = 0}};
return answers_asked(r, e, e + {queue_of(act)}, {_whose(unit, act)});""",
    )


def _whose(unit: Unit, act: Act) -> str:
    """Return the name of the function for the player who decides about an answer; its offer can name the player."""
    cases = "\n".join(_asking(unit, bound) for bound in unit.program.answers[act.number]["instead"])
    return unit.function(
        f"whose_{act.number}",
        "int",
        "R *r, const int32_t *e, int hook, int bearer",
        f"""enum {{fp = 0, cur = 0}};
{cases}
return whose_answer(r, bearer, {affected(unit, act)});""",
    )


def _asking(unit: Unit, bound: BoundHook) -> str:
    """Return the statements that find the player whom the offer of an answer names; empty if it names none."""
    if bound.hook.asked is None:
        return ""
    you = unit.write.decider("bearer") if bound.hook.carrier >= 0 else f"e[{YOU}]"
    roles = {AGENT + number: f"e[{place}]" if place >= 0 else "-1" for number, place in enumerate(bound.places)}
    reading = unit.write.reading({THIS: "bearer", YOU: you, MANNER: "-1", **roles})
    test = f"const int asked = {reading.value(bound.hook.asked)}; if (asked >= 0) return asked;"
    return f"if (hook == {bound.number}) {{{test}}}"


def _decides(unit: Unit, act: Act) -> str:
    """Return the expression for the player who decides about the next answer."""
    at = queue_of(act)
    return f"{_whose(unit, act)}(r, e, e[{at + 1}], e[{at + 2}])"


def _instead(unit: Unit, routine: Routine, act: Act, hook: str, bearer: str) -> str:
    """Return the call that begins an answer; after it the rest of the event is skipped, unless it is still due."""
    back = unit.places.back(routine, routine.replaced, outs_instead(act))
    frame = f"{unit.above(routine)}, {hook}, {bearer}"
    return f"{_begin_hook(unit, act)}(r, fp, {back}, {unit.fails(routine, routine.replaced)}, e, {frame})"


def _still_due(unit: Unit, routine: Routine, act: Act) -> str:
    """Return the statements that end an event after an answer that replaced it, unless it is still due."""
    tests = []
    for bound in unit.program.state_rules:
        one, number = unit.write.value(bound.rule.among.var), unit.places.number[bound.routine.name]
        loop = unit.write.loop(bound.rule.among, f"if ({one} == thing) return 1;")
        tests.append(f"if (below == {number}) {{{loop}}}")
    body = f"""if (!descend(r, &fp, &cur)) return 0;
const int below = cur, thing = r->st[fp + HEADER + {FIXED}];
{{{NOBODY} enum {{fp = 0, cur = 0}}; {" ".join(tests)}}}
return 0;"""
    name, at = unit.function("still_due", "int", "R *r, int fp, int cur", body), queue_of(act)
    end = unit.go(routine, routine.ending)
    return f"if (e[{at}] && !{name}(r, fp, cur)) {end} e[{at}] = 0;"


def _find_answers(unit: Unit, routine: Routine, pc: int, act: Act) -> str:
    at, name, size = queue_of(act), unit.places.name(routine, pc), unit.places.size(routine)
    begin = _instead(unit, routine, act, "hook", "bearer")
    return f"""{{
  {_collected(unit, act, "instead")}
  int left = 0;
  for (int number = 0; number < count; number++) {{
    const int hook = out[2 * number], bearer = out[2 * number + 1];
    if (is_under_way(r, fp, hook, bearer)) continue;
    int able = hook_is_certain[hook];
    if (!able) {{
      Mark here;
      mark(r, &here, fp, {name});
      const int begun = {begin};
      able = can_finish(r, fp + {size} + HEADER, begun);
      undo(r, &here);
      release(r, &here);
    }}
    if (able) {{ out[2 * left] = hook; out[2 * left + 1] = bearer; left++; }}
  }}
  if (!left) {unit.go(routine, pc + 3)}
  e[{at}] = left;
}}"""


def _order_answers(unit: Unit, routine: Routine, pc: int, one: OrderAnswers) -> str:
    act, name = unit.program.acts[one.verb], unit.places.name(routine, pc)
    at, cell = queue_of(act), unit.layout.fields.get(unit.ruleset.orders)
    decider = f"(m[{cell}] > 0 ? m[{cell}] : 0)" if cell is not None else affected(unit, act)
    say = f"if (r->in_option) {{say_role(&r->said); {unit.note_act('first')}}} r->in_option = 0;"
    take = f"{say} put_first(e + {at}, c);"
    add_point(unit, routine, pc, one, Point("", lambda taking: take, decider=decider))
    return f"""if ({_asked(unit, act)}(r, e) != e[{at}]) {{
  const int count = e[{at}];
  if (count > 1 || m[{MUST_ASK}]) {{
    r->count = count;
    for (int number = 0; number < count; number++) r->candidates[r->first + number] = number;
    STOP(CHOICE_POINT, {name});
  }}
  const int c = 0;
  {take}
}}"""


def _answer(unit: Unit, routine: Routine, pc: int, one: PickAnswer) -> str:
    act, name = unit.program.acts[one.verb], unit.places.name(routine, pc)
    at, asked = queue_of(act), _asked(unit, act)

    def take(taking: bool) -> str:
        begin = _instead(unit, routine, act, f"e[{at + 1} + 2 * c]", f"e[{at + 2} + 2 * c]")
        fence = "if (r->lookahead && r->alone && r->fenced < 0) fence_frame(r->st + fp + HEADER);" if taking else ""
        enough = "if (UNTRIED(r) && !can_fail(r, fp, begun)) STOP(HORIZON, begun);" if taking else ""
        return f"""const int asked = {asked}(r, e);
  (void)asked;{_offered(unit, act)}
  if (c < 0) {{
    if (r->in_option) {unit.note_first("decline")}
    r->in_option = 0;
    drop_hooks(e + {at}, asked);
    if (e[{at}] > 0) {unit.go(routine, pc - 1, taking)}
    {unit.go(routine, pc + 1, taking)}
  }}
  if (r->in_option && asked > 1) say_role(&r->said);
  const int begun = {begin};
  CLIMB({unit.places.size(routine)});
  {fence} {enough} GO(begun);"""

    add_point(unit, routine, pc, one, Point("", take, on=True, decider=_decides(unit, act)))
    return f"""{{
  int32_t *const out = r->candidates + r->first;
  const int many = {asked}(r, e);
  int count = 0;
  if (hook_is_optional[e[{at + 1}]]) {{
    out[count++] = -1;
    for (int number = 0; number < many; number++) out[count++] = number;
  }} else {{
    out[count++] = 0;
  }}
  if (count > 1 || m[{MUST_ASK}]) {{ r->count = count; STOP(CHOICE_POINT, {name}); }}
  const int c = out[0];
  {take(False)}
}}"""


def _offered(unit: Unit, act: Act) -> str:
    """Return the statements that count answers as taken or declined; empty if none of them is probed."""
    at, noted = queue_of(act), ""
    for bound in unit.program.answers[act.number]["instead"]:
        numbers = unit.probes.offers.get(id(bound.hook))
        if numbers is not None:
            noted += f"if (hook == {bound.number}) counters[c < 0 ? {numbers[1]} : {numbers[0]}]++; "
    each = "for (int number = c < 0 ? 0 : c; number < (c < 0 ? asked : c + 1); number++)"
    return f" if (!r->lookahead) {each} {{const int hook = e[{at + 1} + 2 * number]; {noted}}}" if noted else ""


# ---- events, and their consequences


def _body(unit: Unit, routine: Routine, pc: int, act: Act) -> str:
    put = " ".join(f"next[{number}] = e[{number}];" for number in range(act.way_place))
    for way in act.ways:
        unit.begin(way.routine, unit.places.back(routine, pc + 1, handed_back(act)))
    cases = "\n".join(
        f"case {number}: {unit.blank('next', way.routine, act.way_place)} "
        f"{unit.header(routine, pc + 1, handed_back(act))} "
        f"{unit.climb(routine)} {unit.go(way.routine, 0)}"
        for number, way in enumerate(act.ways)
    )
    return f"""{{
  int32_t *const next = {unit.above(routine)};
  {put}
  switch (e[{behind_roles(act)}]) {{{cases}}}
  __builtin_unreachable();
}}"""


def write_due(unit: Unit) -> None:
    """Add the function that returns the set of the pieces with a pending consequence."""
    among = [one.rule.among for one in unit.program.state_rules if one.rule.among.var.base == "piece"]
    if among:
        start = f"{NOBODY} enum {{fp = 0, cur = 0}};\n{UNUSED}"
        loops = "\n".join(unit.write.loop(one, f"found |= only({unit.write.value(one.var)});") for one in among)
        name = unit.shared("due", "R *r", "PieceSet")
        unit.define(name, "R *r", f"{start}\nPieceSet found = 0;\n{loops}\nreturn found;", "PieceSet")


def write_settling(unit: Unit) -> None:
    """Add the function that begins the first state rule that applies to a thing; it returns -1 if none applies.

    If the function is given no frame, it only tests whether there is such a rule.
    """
    tests: list[str] = []
    for bound in unit.program.state_rules:
        among, routine = bound.rule.among, bound.routine
        one, number = unit.write.value(among.var), unit.places.number[routine.name]
        free = f"if (fp < 0 || !is_settling(r, fp, {number}, {one}))"
        if among.var.base == "piece":
            loop = unit.write.loop(among, f"{free} pieces[many++] = {one};")
            first = "if (many) {by_place(r, pieces, many); found = pieces[0];}"
            find = f"int32_t pieces[ROOM]; int many = 0; {loop} {first}"
        else:
            loop = unit.write.loop(among, f"{free} {{found = {one}; goto found_{len(tests)};}}")
            find = f"{loop} found_{len(tests)}:;"
        fill = f"next[0] = next[1] = next[2] = next[3] = -1; next[{FIXED}] = found;"
        fill += unit.blank("next", routine, FIXED + 1)
        begin = f"if (!next) return 0; HEAD(next, fp, back, fails); {fill} return {unit.places.name(routine, 0)};"
        tests.append(f"{{int found = -1; {find} if (found >= 0) {{{begin}}}}}")
    name = unit.shared("settle", SETTLING)
    start = f"{NOBODY} enum {{cur = 0}};\n{UNUSED}"
    end = f"if (next) set(r, {UNSETTLED}, 0);\nreturn -1;"
    lines = "\n".join(tests)
    unit.define(name, SETTLING, f"{start}\n{lines}\n{end}")
