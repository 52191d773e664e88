"""Looking on in C: the options behind a choice point, collected without frames to be kept and taken back.

What follows a candidate is mostly known when the code is written: a definition pays with something, checks what is
forbidden, and comes to a choice at which the option ends. For each choice point there is a function that collects all
options behind its candidates, on a copy of its frame, and calls those of the choice points that it comes to. What is
changed on the way is left out where nothing that is asked later hangs on it. What cannot be followed so is carried
out: the machine still stands where looking on began, and takes what has been taken since (see `walk_on`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from warchest.lowering.code import (
    UNSET,
    Act,
    Attempt,
    Branch,
    Call,
    Check,
    ChoicePoint,
    Enter,
    Fence,
    Finish,
    Instruction,
    Jump,
    Outs,
    Perform,
    Pick,
    PickBranch,
    PickKind,
    PickRole,
    PickWay,
    Plain,
    Routine,
)
from warchest.lowering.failure import Failure
from warchest.lowering.layout import DIRTY, HOLD
from warchest.native.acts import answered, become, named, ordered
from warchest.native.permits import WAYS, Permits
from warchest.native.plain import plain
from warchest.native.points import ending
from warchest.native.routines import announced, performed
from warchest.native.touched import Touched
from warchest.native.units import Unit
from warchest.rules import steps as ir
from warchest.rules import values
from warchest.rules.ruleset import FIXED, THIS

LOOKED = Pick | PickRole | PickWay | PickKind | PickBranch
"""The choice points behind which one can look on."""
SEEN_PLAIN = ir.MoveToken | ir.MoveAll | ir.MakeTokens | ir.SetField | ir.Keep | ir.MovePiece | ir.SwapPlaces
"""The steps that are taken back by the log of changes alone."""
EACH = "R *r, int fp, uint64_t from, int depth, int deeper, int count"
ON = "R *r, int fp, uint64_t said, int deeper"
DEEPEST = 24
"""How many instructions are followed at most in one function."""
HEADER = 4
"""The cells in front of the variables of a frame."""
UNSEEN = "goto unseen;"
FAILED = "goto next;"


@dataclass(frozen=True)
class Frame:
    """A frame that is looked at: its routine, the number it goes by in C, and what it was called from, if known."""

    routine: Routine
    number: int
    caller: Frame | None = None
    behind: int = 0
    outs: Outs = ()
    filled: frozenset[int] = frozenset()
    unset: frozenset[int] = frozenset()
    """The roles that are filled, and those that are not, where the code tells."""


@dataclass(frozen=True)
class Spot:
    """An instruction that is come to: what has been left out before it, how many cells are in use, and how deep it is."""

    frame: Frame
    pc: int
    high: int
    touched: Touched = Touched()
    depth: int = 0

    @property
    def instruction(self) -> Instruction:
        """The instruction itself."""
        return self.frame.routine.instructions[self.pc]

    def then(self, pc: int) -> Spot:
        """Return another instruction of the same routine as the next one."""
        return replace(self, pc=pc, depth=self.depth + 1)


class Look:
    """Writes a function that collects the options from a place on."""

    def __init__(self, unit: Unit, routine: Routine) -> None:
        self.unit, self.places, self.program, self.write = unit, unit.places, unit.program, unit.write
        self.base = Frame(routine, 0)
        self.start = HEADER + self.places.size(routine)
        self.high = self.start
        self.frames = self.left_out = 0
        self.kept: set[int] = set()
        """The cells of the first frame that must be brought back."""
        self.changes = False
        """Whether the memory changes on the way."""

    # ---- the two kinds of functions

    def each(self, pc: int, one: LOOKED) -> str:
        """Return the function that goes through the candidates of a choice point, which stand behind those in use."""
        name = self.places.name(self.base.routine, pc)
        body = self._within(self.base, self._taken(Spot(self.base, pc, self.start), one))
        keep = "".join(f"const int32_t kept_{cell} = e0[{cell}]; " for cell in sorted(self.kept))
        bring = "".join(f" e0[{cell}] = kept_{cell};" for cell in sorted(self.kept))
        undo = " if (r->changed != changed) unwind(r, changed);" if self.changes else ""
        changed = "const uint32_t changed = r->changed;" if self.changes else ""
        return f"""void each_{name}({EACH}) {{
{self._opening("fp")}
const int32_t *const listed = r->candidates + r->first;
int8_t *const busy = &r->busy[{name}], was = *busy;
{changed} {keep}
*busy = 1;
r->first += count;
for (int number = 0; number < count && !r->unfit; number++) {{
const int c = r->taken[depth] = listed[number]; uint64_t said = from; (void)c; (void)said;
{body}
unseen: __attribute__((unused)); walk_on(r, deeper, fp0 + {self.start});
next: __attribute__((unused));{undo}{bring}
}}
r->first -= count;
*busy = was;
}}"""

    def on(self, pc: int) -> str:
        """Return the function that goes on from an instruction with a frame of its own."""
        name = self.places.name(self.base.routine, pc)
        body = self._within(self.base, self._from(Spot(self.base, pc, self.start)))
        return f"""void on_{name}({ON}) {{
{self._opening("fp")}
{body}
unseen: __attribute__((unused)); walk_on(r, deeper, fp0 + {self.start});
next: __attribute__((unused));
}}"""

    def _opening(self, fp: str) -> str:
        full = f"if ({fp} > STACK + LOOKED - {self.high} - HEADER) {{r->unfit |= UNFIT_STACK; return;}}"
        known = "int32_t *const m = r->m, *const e0 = r->st + fp + HEADER; const int fp0 = fp; (void)m; (void)e0;"
        return f"{full}\n{known}"

    # ---- frames

    def _within(self, frame: Frame, text: str) -> str:
        """Return the block in which a frame is the one that expressions are about."""
        number = self.places.number[frame.routine.name]
        known = f"const int fp = fp{frame.number}; int32_t *const e = e{frame.number}; (void)fp; (void)e;"
        return f"{{enum {{cur = {number}}}; {known}\n{text}}}"

    def _frame(self, spot: Spot, routine: Routine, **known: Any) -> tuple[Frame, str, int]:
        """Return another frame, the statements that make room for it, and how many cells are in use then."""
        self.frames += 1
        frame = Frame(routine, self.frames, **known)
        high = spot.high + HEADER + self.places.size(routine)
        self.high = max(self.high, high)
        at = f"const int fp{frame.number} = fp0 + {spot.high}; int32_t *const e{frame.number} = e0 + {spot.high};"
        return frame, f"{at} (void)fp{frame.number}; ", high

    def _header(self, spot: Spot, frame: Frame, outs: Outs = ()) -> str:
        header = self.unit.header(spot.frame.routine, spot.pc + 1, outs)
        return header.replace("next", f"e{frame.number}")

    def _replaced(self, spot: Spot, frame: Frame) -> str:
        """Return the statements that let a frame stand in the place of the one at hand."""
        return f"memcpy(e{frame.number} + BELOW, e + BELOW, HEADER * sizeof *e); "

    # ---- what has been left out

    def _asked(self, spot: Spot, *nodes: Any) -> tuple[str, Spot]:
        """Return the statements before something is asked that may hang on what was left out, which is done then."""
        if spot.touched.matters_to(nodes, spot.frame.number):
            return self._settled(spot)
        guard = spot.touched.guard(self.unit, nodes)
        return (f"if ({guard}) {UNSEEN} " if guard else ""), spot

    def _settled(self, spot: Spot) -> tuple[str, Spot]:
        """Return the statements that do what was left out."""
        if not spot.touched.pending:
            return "", spot
        self.changes = True
        self.kept |= {place for number, place in spot.touched.stale if number == 0}
        return " ".join(spot.touched.pending), replace(spot, touched=Touched())

    # ---- following instructions

    def _from(self, spot: Spot) -> str:
        """Return the statements that look on from an instruction; each way through them leaves by a jump."""
        one = spot.instruction
        if spot.depth > DEEPEST:
            return UNSEEN
        match one:
            case Call():
                return self._call(spot, one)
            case Check() | Enter():
                return self._act(spot, one)
            case PickRole() if one.place in spot.frame.filled:
                return self._from(spot.then(spot.pc + 1))
            case Pick() | PickRole() | PickWay() | PickKind() | PickBranch() if not one.by_chance:
                return self._point(spot, one)
            case Perform():
                return self._perform(spot, one)
            case Finish():
                return self._finish(spot, one)
        return self._control(spot, one)

    def _control(self, spot: Spot, one: Instruction) -> str:
        match one:
            case Jump(target) | Fence(target) if target > spot.pc:
                return self._from(spot.then(target))
            case Branch(condition, otherwise):
                before, spot = self._asked(spot, condition)
                then, other = (self._from(spot.then(at)) for at in (spot.pc + 1, otherwise))
                return f"{before}if ({self.write.condition(condition)}) {{{then}}} {other}"
            case Attempt(fence, certain) if certain is not None:
                before, spot = self._asked(spot, certain)
                then, other = (self._from(spot.then(at)) for at in (spot.pc + 1, fence + 1))
                return f"{before}if ({self.write.exists(certain)}) {{{then}}} {other}"
            case Plain():
                return self._plain(spot, one)
        return UNSEEN

    def _plain(self, spot: Spot, one: Plain) -> str:
        step = one.step
        before, spot = self._asked(spot, step)
        if isinstance(step, ir.Must):
            test = f"if (!{self.write.condition(step.condition)}) {FAILED}"
            return f"{before}{test} {self._from(spot.then(spot.pc + 1))}"
        if not isinstance(step, SEEN_PLAIN):
            return UNSEEN
        self.changes = True
        changed, spot = self._settled(spot)
        if spot.frame.number == 0:
            self.kept |= _written(step)
        text = self._said(plain(self.write, one, announce=self.unit.note_first("put")))
        return f"{before}{changed}{text} {self._from(spot.then(spot.pc + 1))}"

    def _finish(self, spot: Spot, one: Finish) -> str:
        if one.extends:
            # Here the option ends; what follows at once cannot fail.
            return f"if (e[FAILS]) {UNSEEN} add_options(r, deeper, NULL, 1, said); {FAILED}"
        frame = spot.frame
        if frame.caller is None:
            return UNSEEN
        text, spot = self._settled(spot) if frame.outs else ("", spot)
        dirty = f"if (m[{DIRTY}] && !m[{HOLD}]) {UNSEEN} " if one.settles else ""
        caller = frame.caller
        back = " ".join(f"e{caller.number}[{to}] = e[{of}];" for of, to in frame.outs)
        if caller.number == 0:
            self.kept |= {to for _, to in frame.outs}
        then = self._from(replace(spot.then(frame.behind), frame=caller))
        return f"{text}{dirty}{back} {self._within(caller, then)}"

    def _said(self, text: str) -> str:
        return text.replace("if (r->joined) ", "").replace("&r->said", "&said")

    # ---- orders

    def _call(self, spot: Spot, one: Call) -> str:
        act, unit = self.program.acts[one.verb], self.unit
        before, spot = self._asked(spot, *one.variables)
        start, known = ordered(unit, one)
        if one.living:
            start += f" if ({' || '.join(f'v{place} < 0' for place in one.living)}) {UNSEEN}"
        start += self._said(announced(unit, one.announcement))
        routine = act.routine if not act.direct else act.ways[0].routine
        unset = frozenset(place for place, value in enumerate(one.variables) if _is_unset(value))
        frame, room, high = self._frame(
            spot, routine, caller=spot.frame, behind=spot.pc + 1, outs=one.outs, unset=unset,
            filled=frozenset(range(len(one.variables))) - unset,
        )  # fmt: skip
        start += room + " ".join(f"e{frame.number}[{place}] = v{place};" for place in range(known))
        text = f"{before}{{{start} "
        if act.direct:
            return f"{text}{self._event(spot, one, act, frame, high)}}}"
        first = int(bool(act.rules) and bool(unset))
        then = Spot(frame, first, high, spot.touched, spot.depth + 1)
        return f"{text}{self._header(spot, frame, one.outs)} {self._within(frame, self._from(then))}}}"

    def _event(self, spot: Spot, one: Call, act: Act, frame: Frame, high: int) -> str:
        """Return the statements behind those that fill the roles of an act that asks nothing."""
        text, name = "", f"e{frame.number}"
        if act.rules:
            before, spot = self._asked(spot, *(rule.condition for rule in act.rules))
            text += f"{before}if ({Permits(self.unit, act).forbidden()}(r, fp, cur, {name})) {FAILED} "
        if act.stages is not None:
            text += f"if ({answered(self.unit, act)}(r, fp, cur, {name})) {UNSEEN} "
        if act.plain:
            return text + self._done(replace(spot, high=high), one, act, frame)
        body = act.ways[0].routine
        text += f"{self.unit.blank(name, body, act.way_place)} {self._header(spot, frame, one.outs)} "
        then = Spot(replace(frame, filled=frozenset()), 0, high, spot.touched, spot.depth + 1)
        return text + self._within(frame, self._from(then))

    def _done(self, spot: Spot, one: Call, act: Act, frame: Frame) -> str:
        """Return the statements of an act of plain changes; they are left out as long as nothing hangs on them."""
        below, name = f"e{spot.frame.number}", f"e{frame.number}"
        steps = "\n".join(plain(self.write, step) for step in act.plain)
        steps = self._within(spot.frame, f"{{int32_t *const e = {name}; (void)e; {steps}}}")
        steps += " ".join(f"{below}[{to}] = {name}[{of}];" for of, to in one.outs)
        dirty = f"if (m[{DIRTY}] && !m[{HOLD}]) {UNSEEN} "
        if not all(self._can_wait(step.step) for step in act.plain):
            text, spot = self._settled(spot)
            self.changes = True
            if spot.frame.number == 0:
                self.kept |= {to for _, to in one.outs}
            return f"{text}{steps} {dirty}{self._from(spot.then(spot.pc + 1))}"
        touched, sources = spot.touched, ""
        for step in act.plain:
            self.left_out += 1
            source = f"source_{self.left_out}"
            if isinstance(step.step, ir.MoveToken):
                token = self.write.reading({place: f"{name}[{place}]" for place in range(act.way_place)})
                sources += f"const int {source} = holder_of({token.value(step.step.token)}); (void){source}; "
                sources += f"if (watched_holder[{source} + 2]) {UNSEEN} "
            touched = touched.by(step.step, source)
        stale = {(spot.frame.number, to) for _, to in one.outs}
        touched = replace(touched, stale=touched.stale | stale, pending=(*touched.pending, steps))
        return f"{dirty}{sources}{self._from(replace(spot, touched=touched).then(spot.pc + 1))}"

    def _can_wait(self, step: ir.Order) -> bool:
        """Whether a step can be left out for now: nothing follows at once from what it changes."""
        layout = self.unit.layout
        match step:
            case ir.MoveToken(into=None):
                return True
            case ir.MoveToken(into=into):
                zone = getattr(into, "zone", -1)
                return zone >= 0 and zone not in layout.watched.zones
            case ir.SetField(field=number):
                return number not in layout.watched.fields
        return isinstance(step, ir.Clock) and step.what == "nothing"

    def _perform(self, spot: Spot, one: Perform) -> str:
        """Return the statements that go on in the text of a document, which has functions of its own."""
        done, spot = self._settled(spot)
        start, document, values = performed(self.unit, one)
        cases, room, of_frame = [], "", None
        for number, blocks in enumerate(self.program.blocks):
            if one.block in blocks:
                block = blocks[one.block]
                name = self.places.name(block, 0)
                self.unit.declared.add(f"void on_{name}({ON});")
                if of_frame is None:
                    of_frame, room, _ = self._frame(spot, block)
                frame = f"e{of_frame.number}"
                call = f"on_{name}(r, fp{of_frame.number}, said, deeper); {FAILED}"
                cases.append(f"case {number}: {self.unit.blank(frame, block, len(values))} {call}")
        if of_frame is None:
            return FAILED
        put = " ".join(f"e{of_frame.number}[{place}] = {value};" for place, value in enumerate(values))
        fill = f"{room}{put} {self._header(spot, of_frame)}"
        lines = "\n".join(cases)
        return f"{done}{{{start} say_within(&said); {fill} switch ({document}) {{{lines}\n}} {FAILED}}}"

    # ---- acts

    def _act(self, spot: Spot, one: Check | Enter) -> str:
        act, frame = self.program.acts[one.verb], spot.frame
        if isinstance(one, Enter):
            return self._enter(spot, act, 0)
        places = range(FIXED, act.way_place)
        if any(place in frame.unset for place in places):
            return self._from(spot.then(spot.pc + 1))
        before, spot = self._asked(spot, *(rule.condition for rule in act.rules))
        open_ = " || ".join(f"e[{place}] == {UNSET}" for place in places if place not in frame.filled) or "0"
        test = f"if (!({open_}) && {Permits(self.unit, act).forbidden()}(r, fp, cur, e)) {FAILED}"
        return f"{before}{test} {self._from(spot.then(spot.pc + 1))}"

    def _enter(self, spot: Spot, act: Act, way: int, before: str = "") -> str:
        """Return the statements that look on in the event of an act, in a frame in the place of its own."""
        body, old = act.ways[way].routine, spot.frame
        frame, room, high = self._frame(spot, body, caller=old.caller, behind=old.behind, outs=old.outs)
        name = f"e{frame.number}"
        fill = f"{room}{self._replaced(spot, frame)}"
        fill += " ".join(f"{name}[{place}] = e[{place}];" for place in range(act.way_place))
        fill += before.replace("e[", f"{name}[")
        if act.stages is not None:
            fill += f" if ({answered(self.unit, act)}(r, fp{frame.number}, cur, {name})) {UNSEEN}"
        then = Spot(frame, 0, high, spot.touched, spot.depth + 1)
        blank = self.unit.blank(name, body, act.way_place)
        return f"{{{fill} {blank} {self._within(frame, self._from(then))}}}"

    # ---- choice points

    def _point(self, spot: Spot, one: LOOKED) -> str:
        """Return the statements that come to a choice point: the option ends there, or others follow."""
        unit, routine = self.unit, spot.frame.routine
        name, ends = self.places.name(routine, spot.pc), ending(unit, one)
        if one.chooser is None:
            return UNSEEN
        before, spot = self._asked(spot, *self._looked_at(one))
        if isinstance(one, PickRole) and one.place not in spot.frame.unset:
            before += f"if (e[{one.place}] != {UNSET}) {UNSEEN} "
        if isinstance(one, Pick):
            before += self._said(announced(unit, one.announcement))
        unit.finds.add(name)
        other = f"if (count > 1 && {unit.write.value(one.chooser)} != r->walker) {UNSEEN}"
        find = f"int32_t *const out = r->candidates + r->first; const int count = find_{name}(r, fp, e, out);"
        text = f"{before}{{{find} if (!count) {FAILED} {other} "
        if ends != "0":
            text += f"if ({ends}) {{{self._ended(routine, spot.pc)}}} "
        if ends != "1":
            unit.declared.add(f"void each_{name}({EACH});")
            done, spot = self._settled(spot)
            call = f"each_{name}(r, fp, said, deeper, deeper + (count > 1), count);"
            text += f"{done}if (r->busy[{name}]) {UNSEEN} {call} {FAILED}"
        return f"{text}}}"

    def _ended(self, routine: Routine, pc: int) -> str:
        """Return the statements of a choice point at which the option ends, if nothing behind it can fail."""
        failure = self.places.failure(routine, pc + 1)
        if failure is Failure.MAY:
            return UNSEEN
        sure = "" if failure is Failure.YIELDS else f"if (e[FAILS]) {UNSEEN} "
        add = "add_options(r, deeper, count > 1 ? out : NULL, count, said);"
        return f"{sure}say_role(&said); {add} {FAILED}"

    def _looked_at(self, one: ChoicePoint) -> list[Any]:
        """Return all that is asked to find the candidates of a choice point."""
        found: list[Any] = [one.chooser]
        match one:
            case Pick(among=among, verb=verb, variables=variables):
                found += [among, *variables]
                found += [rule.condition for rule in self.program.acts[verb].rules] if verb >= 0 else []
            case PickRole(verb=verb, role=role):
                act = self.program.acts[verb]
                found += [rule.condition for rule in act.rules]
                for domain in act.domains[role]:
                    found += [domain.among, domain.applies]
            case PickWay(verb=verb):
                found += [one.applies for one in self.program.acts[verb].verb.definitions]
        return found

    def _taken(self, spot: Spot, one: LOOKED) -> str:
        """Return the statements that take a candidate `c` of a choice point up, and look on."""
        behind = spot.then(spot.pc + 1)
        match one:
            case Pick(place=place) | PickRole(place=place):
                self.kept.add(place)
                said = "say_role(&said);" if one.key or isinstance(one, PickRole) else ""
                return f"{said} e[{place}] = c; {self._from(behind)}"
            case PickBranch(targets=targets):
                cases = "\n".join(f"case {n}: {{{self._from(spot.then(to))}}}" for n, to in enumerate(targets))
                return f"switch (c) {{{cases}\ndefault: {UNSEEN}}}"
            case PickWay(verb=verb):
                act = self.program.acts[verb]
                this = f" e[{THIS}] = c % {WAYS} - 1;"
                ways = (self._said(named(self.unit, act, way)) + self._enter(spot, act, way, this)
                        for way in range(len(act.ways)))  # fmt: skip
                cases = "\n".join(f"case {number}: {way}" for number, way in enumerate(ways))
                return f"switch (c / {WAYS}) {{{cases}}} __builtin_unreachable();"
            case PickKind(verb=verb, kinds=kinds):
                general = self.program.acts[verb]
                cases = "\n".join(
                    f"case {kind}: {{{self._kind(spot, general, self.program.acts[kind])}}}" for kind in kinds
                )
                return f"switch (c) {{{cases}}} __builtin_unreachable();"

    def _kind(self, spot: Spot, general: Act, act: Act) -> str:
        """Return the statements that look on in an act in the place of another one, of which it is a kind."""
        start, cells = become(self.unit, act)
        if not any(act.domains) and not self.program.failures.extends(act.number):
            return UNSEEN
        unset = frozenset(FIXED + number for number, domains in enumerate(act.domains) if domains)
        filled = frozenset(range(FIXED, act.way_place)) - unset
        frame, room, high = self._frame(spot, act.routine, unset=unset, filled=filled)
        name = f"e{frame.number}"
        fill = f"{start} {self.unit.note_act(act.verb.act)} {room}{self._replaced(spot, frame)}"
        fill += " ".join(f"{name}[{place}] = {value};" for place, value in cells.items())
        then = Spot(frame, int(bool(act.rules) and bool(unset)), high, spot.touched, spot.depth + 1)
        if act.direct:
            rules = f"if ({Permits(self.unit, act).forbidden()}(r, fp, cur, {name})) {FAILED}" if act.rules else ""
            return self._said(f"{fill} {rules} ") + self._within(frame, self._enter(then, act, 0))
        fill += f" {name}[{act.way_place}] = -1; {name}[{act.chooser_place}] = e[{general.chooser_place}];"
        return self._said(fill) + self._within(frame, self._from(then))


def _written(step: ir.Order) -> set[int]:
    """Return the variables that a step changes."""
    match step:
        case ir.Keep(var):
            return {var.id}
        case ir.MoveToken(token=values.Var(id=number)):
            return {number}
    return set()


def _is_unset(value: Any) -> bool:
    return isinstance(value, values.Const) and value.value == UNSET


def write_looks(unit: Unit, routine: Routine) -> list[int]:
    """Add the functions that look on in a routine; return the choice points behind which one can."""
    found = []
    for pc, one in enumerate(routine.instructions):
        if isinstance(one, LOOKED) and not one.by_chance:
            name = unit.places.name(routine, pc)
            unit.functions.append(Look(unit, routine).each(pc, one))
            unit.looks.append(f"case {name}: each_{name}(r, at, said, depth, depth + 1, count); return;")
            found.append(pc)
    if routine.origin == "block":
        unit.functions.append(Look(unit, routine).on(0))
    return found


__all__ = ["EACH", "ON", "write_looks"]
