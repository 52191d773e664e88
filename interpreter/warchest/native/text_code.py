"""Control flow, choices and blocks of texts as C statements, one instruction at a time."""

from __future__ import annotations

from warchest.ir.values import Value, Var
from warchest.lowering.code import (
    Again,
    Announcement,
    AskAhead,
    Attempt,
    Branch,
    Fence,
    Finish,
    Instruction,
    Jump,
    KeepMembers,
    LoopTest,
    Next,
    Opening,
    PerformBlock,
    Pick,
    PickBranch,
    PickMember,
    Plain,
    RequirePieces,
    Routine,
    Settle,
)
from warchest.lowering.failure import Failure
from warchest.lowering.layout import DOCUMENT, MUST_ASK, POSTPONED, TURN
from warchest.native.c_units import Unit
from warchest.native.plain_code import plain
from warchest.native.points import Point, add_point, write_point


def write_control(unit: Unit, routine: Routine, pc: int, one: Instruction) -> str | None:
    """Return the statements of an instruction that only controls the flow; None for other instructions."""
    go = unit.go
    match one:
        case Jump(target):
            return _back(routine, pc, target) + go(routine, target)
        case Branch(condition, otherwise):
            return f"if (!{unit.write.condition(condition)}) {go(routine, otherwise)}"
        case LoopTest():
            return _round(unit, routine, one)
        case RequirePieces(pieces, absent):
            gone = " || ".join(f"e[{piece}] < 0" for piece in pieces)
            return f"if ({gone}) {go(routine, absent)}"
        case Again(start, of_game):
            first = routine.instructions[start]
            assert isinstance(first, LoopTest)
            own = f"if (r->lookahead && is_games_own(r, fp, cur)) STOP(HORIZON, {unit.places.name(routine, start)});"
            begin = f"{_round(unit, routine, first)} {go(routine, start + 1)}"
            return f"r->in_option = 0; ROUND_AGAIN; {own if of_game else ''} {unit.tally(first)}{begin}"
        case Fence(target):
            here, behind = unit.places.name(routine, pc), unit.places.name(routine, pc + 1)
            on = "" if target == pc + 1 else f"ROUND_AGAIN; {go(routine, target)}"
            return f"if (e[FENCE] == {here}) STOP(HORIZON, {behind}); {on}"
        case Finish(settles, extends):
            return unit.finish(routine, pc, settles, extends)
        case Settle():
            return unit.settle(routine, pc)
        case Opening():
            edge = f"if (r->lookahead) STOP(HORIZON, {unit.places.name(routine, pc)});"
            return f"{edge} set(r, {TURN}, 0); set(r, {MUST_ASK}, 1);"
    return None


def _back(routine: Routine, pc: int, target: int) -> str:
    return "ROUND_AGAIN; " if target <= pc else ""


def _round(unit: Unit, routine: Routine, one: LoopTest) -> str:
    """Return the statements that leave a loop if its condition holds, or if a piece that the loop is about has gone."""
    tests = [unit.write.condition(one.condition), *(f"e[{piece}] < 0" for piece in one.about)]
    return f"if ({' || '.join(tests)}) {unit.go(routine, one.end)}"


def write_text(unit: Unit, routine: Routine, pc: int, one: Instruction) -> str | None:
    """Return the statements for an instruction of a text, unless it orders an act; None for any other instruction."""
    match one:
        case KeepMembers(slot):
            return members(unit, routine, slot, one, "GIVE_UP(UNFIT_OPTIONS);")
        case Next(place, slot, end):
            at = unit.places.cell(routine, slot)
            left = f"if (e[{at + 1}] <= 0) {{e[{at}] = 0; e[{place}] = -1; {unit.go(routine, end)}}}"
            return f"{left} e[{place}] = e[{at + 2}]; take_out(e + {at}, 0);"
        case Attempt(fence, certain):
            able = _reach(unit, routine, pc + 1, fence)
            if certain is not None:
                able = f"(m[{POSTPONED}] ? {able} : {unit.write.exists(certain)})"
            return f"if (!{able}) {unit.go(routine, fence + 1)}"
        case AskAhead(place=place, needed=needed, fence=fence):
            there = " && ".join([f"{unit.write.value(value)} >= 0" for value in needed] or ["1"])
            return f"e[{place}] = {there} && {_reach(unit, routine, pc + 1, fence)}; {unit.go(routine, fence + 1)}"
        case Pick():
            return _pick(unit, routine, pc, one)
        case PickBranch():
            return _branches(unit, routine, pc, one)
        case PickMember():
            return _member(unit, routine, pc, one)
        case PerformBlock():
            return _perform(unit, routine, pc, one)
        case Plain():
            here, behind = unit.places.name(routine, pc), unit.places.name(routine, pc + 1)
            failure = unit.places.failure(routine, pc + 1)
            text = plain(unit.write, one, here, behind, announce=f"if (r->in_option) {unit.note_first('put')}")
            sure = {Failure.MAY: "0", Failure.YIELDS: "1", Failure.NEVER: "!e[FAILS]"}[failure]
            return text.replace("STOP_IF_CERTAIN(", f"STOP_IF_CERTAIN({sure}, ")
    return None


def _reach(unit: Unit, routine: Routine, pc: int, fence: int) -> str:
    places = unit.places
    return f"can_reach(r, fp, {places.name(routine, pc)}, {places.name(routine, fence)})"


def members(unit: Unit, routine: Routine, slot: int, one: KeepMembers, full: str) -> str:
    """Return the statements that keep the members of a set for a loop; `full` is the statement for too many members."""
    at, var = unit.places.cell(routine, slot), one.among.var
    room = unit.places.cell(routine, slot + 1) - at - 2
    member = unit.write.value(var)
    put = f"if (count == {room}) {full} out[count++] = {member};"
    order = "by_place(r, out, count);" if var.base == "piece" else ""
    gather = unit.write.loop(one.among, put)
    return f"{{int count = 0; int32_t *const out = e + {at + 2}; {gather} {order} e[{at}] = 0; e[{at + 1}] = count;}}"


def gathered(unit: Unit, one: Pick, allowed: str = "", bad: str = "") -> str:
    """Return the statements that find the members of the set of a choice, if they are `allowed`, and not in `bad`."""
    order = f"{unit.without_due()} by_place(r, out, count);" if one.among.var.base == "piece" else ""
    put = f"if ({allowed}) out[count++] = one;" if allowed else "out[count++] = one;"
    member = f"const int one = {unit.write.value(one.among.var)};"
    return f"{unit.write.loop(one.among, f'{member} {put}', bad)} {order}"


def announced(unit: Unit, announcement: Announcement | None) -> str:
    """Return the statements that add the announcement of an order to the option."""
    if announcement is None:
        return ""
    text = "say_role(&r->said);" if announcement.roles else ""
    if announcement.verb is not None:
        key, name, _ = announcement.verb
        text += unit.note_act(name) if key == "act" else unit.note_first(name)
    return text


def _pick(unit: Unit, routine: Routine, pc: int, one: Pick) -> str:
    from warchest.native.permits import Permits

    act = unit.program.acts[one.verb] if one.verb >= 0 else None
    allowed, bad = "", _unable(unit, one)
    if act is not None and act.rules:
        write = unit.write.reading({one.place: "one"})
        known = {number: write.value(value) for number, value in enumerate(one.variables)}
        chosen = (number for number, value in enumerate(one.variables) if _is_variable(value, one.place))
        allowed, forbidden = Permits(unit, act).allowed(act.rules, known, next(chosen, -1))
        bad = " | ".join(filter(None, (forbidden, bad)))
    begin = f"const uint64_t bad = {bad};" if bad else ""
    find = f"{begin} {gathered(unit, one, allowed, 'bad' if bad else '')}"
    said = announced(unit, one.announcement)
    take = f"{'if (r->in_option) say_role(&r->said);' if one.key else ''} e[{one.place}] = c;"
    before = f"if (r->in_option) {{{said}}}" if said else ""
    return write_point(unit, routine, pc, one, Point(find, lambda taking: take, before=before, context=said))


def _unable(unit: Unit, one: Pick) -> str:
    """Return the set of the agents that bear no text that their order needs, which are left out beyond an option."""
    needs = unit.program.acts[one.orders].needs if one.orders >= 0 else None
    return "" if needs is None else f"(BEYOND(r) ? ~(uint64_t){unit.write.bearers(sorted(needs))} : 0)"


def _is_variable(value: Value, place: int) -> bool:
    return isinstance(value, Var) and value.id == place


def _branches(unit: Unit, routine: Routine, pc: int, one: PickBranch) -> str:
    find = "".join(f"out[count++] = {number};" for number in range(len(one.targets)))
    if one.declined >= 0:
        find = f"out[count++] = -1; {find}"

    def take(taking: bool) -> str:
        said = announced(unit, one.announcement)
        named = f"if (r->in_option) {{{said}}} " if said else ""
        named += "r->in_option = 0; " if one.closes else ""
        cases = "".join(f"case {n}: {named}{unit.go(routine, to, taking)}\n" for n, to in enumerate(one.targets))
        declined = ""
        if one.declined >= 0:
            said = f"if (r->in_option) {{{declining(unit, one)}}}"
            declined = f"if (c < 0) {{{said} r->in_option = 0; {unit.go(routine, one.declined, taking)}}}"
        return f"{unit.offered(one)}{declined} switch (c) {{{cases}}} __builtin_unreachable();"

    return write_point(unit, routine, pc, one, Point(find, take, on=True))


def declining(unit: Unit, one: PickBranch) -> str:
    """Return the statements that say that an offer is declined."""
    about = "say_role(&r->said);" if one.announcement is not None and one.announcement.roles else ""
    return f"{about}{unit.note_first('decline')}"


def _member(unit: Unit, routine: Routine, pc: int, one: PickMember) -> str:
    """Return the statements of the choice of the next member to act, among those that can act."""
    at, name = unit.places.cell(routine, one.slot), unit.places.name(routine, pc)
    begin = f"begin_member(e + {at}, c); e[{one.place}] = c;"
    take = f"if (r->in_option) say_role(&r->said); {begin}"
    point = Point("", lambda taking: take)
    add_point(unit, routine, pc, one, point)
    able = _reach(unit, routine, pc + 1, one.fence)
    return f"""{{
  int32_t *const out = r->candidates + r->first;
  const int members = e[{at + 1}];
  int count = 0;
  r->first += members;
  for (int number = 0; number < members; number++) {{
    const int c = e[{at + 2} + number];
    if (c < 0) continue;
    Mark here;
    mark(r, &here, fp, {name});
    {begin}
    const int able = {able};
    undo(r, &here);
    release(r, &here);
    if (able) out[count++] = c;
  }}
  r->first -= members;
  if (!count) {{ if (!(e[{at}] > 0)) STOP(FAIL, {unit.places.name(routine, pc + 1)}); {unit.go(routine, one.done)} }}
  if (count > 1 || m[{MUST_ASK}]) {{ r->count = count; STOP(CHOICE_POINT, {name}); }}
  const int c = out[0];
  {take}
}}"""


def performed(unit: Unit, one: PerformBlock) -> tuple[str, str, tuple[str, ...]]:
    """Return the statement that begins a block of a document, that document, and the variables of the block."""
    write, layout = unit.write, unit.layout
    if one.of_piece:
        document = f"whose < 0 ? -1 : m[{layout.pieces + DOCUMENT} + whose * {layout.stride}]"
        values = ("whose", write.of_act().decider("present(whose)"), "-1", "whose")
        return f"const int whose = {write.value(one.of)};", document, values
    start = f"const int you = {write.value(one.by)};"
    return start, f"document_of({write.value(one.of)})", ("-1", "you", "-1", "you")


def _perform(unit: Unit, routine: Routine, pc: int, one: PerformBlock) -> str:
    start, document, values = performed(unit, one)
    put = " ".join(f"next[{number}] = {value};" for number, value in enumerate(values))
    within = "if (r->in_option) say_within(&r->said);"
    # The place of the text, and the size of its frame, are in a table: another document changes nothing here.
    return f"""{{
  {start}
  const int document = {document};
  const int begun = document < 0 ? -1 : block_places_{unit.places.blocks.index(one.block)}[document];
  if (begun < 0) STOP(FAIL, {unit.places.name(routine, pc + 1)});
  {within}
  if (r->in_option) r->anyones += routine_is_anyones[ROUTINE_AT(begun)];
  int32_t *const next = {unit.above(routine)};
  {put}
  memset(next + {len(values)}, -1, (routine_size[ROUTINE_AT(begun)] - {len(values)}) * sizeof *next);
  {unit.header(routine, pc + 1)} {unit.climb(routine)} GO(begun);
}}"""
