"""Option listing in C: for each choice point, functions that list the options beyond it without pushing frames.

The instructions after a candidate are mostly known when the code is written: a definition pays with something, checks
the prohibitions, and reaches a choice at which the option ends. For each choice point there is a function that collects
all options after its candidates, on a copy of its frame, and calls those of the choice points that it reaches. Changes
on the way are skipped if no later condition depends on them. Instructions that cannot be followed in this way are
carried out: the machine is still at the start of the listing, and takes the candidates taken since (see `walk_on`).

An option can end before it is sure that the rest can be completed. When bots play whole games this is left open
(`r->hasty`). Otherwise it is tried in the same way: of each choice any candidate will do, and each text of a document
has a function that tests whether it can be carried out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from warchest.ir import steps as ir
from warchest.ir import values
from warchest.ir.parts import asks_of_events, kept_by
from warchest.ir.ruleset import FIXED, THIS
from warchest.ir.values import asks_nothing
from warchest.lowering.code import (
    UNSET,
    Act,
    Again,
    AskAhead,
    Attempt,
    Branch,
    CallAct,
    Check,
    Collect,
    Enter,
    Fence,
    Finish,
    Instruction,
    Jump,
    KeepMembers,
    LoopTest,
    Outs,
    PerformBlock,
    Pick,
    PickBranch,
    PickHook,
    PickKind,
    PickMember,
    PickRole,
    PickWay,
    Plain,
    RequirePieces,
    Routine,
)
from warchest.lowering.failure import Failure
from warchest.lowering.verbs import before_body, body_of, handed_back, notes_of
from warchest.native.act_code import answered, become, named, ordered, stages_begin
from warchest.native.c_units import CFunction, Unit
from warchest.native.equal_pieces import alike_test
from warchest.native.event_code import answering, can_answer, judged, waiting
from warchest.native.list_frames import LookFrame, LookSpot
from warchest.native.permits import WAYS, Permits, is_plain_zone, is_unset
from warchest.native.plain_code import plain
from warchest.native.points import asked_at, ending, is_fixed
from warchest.native.skipped_steps import UNTOUCHED, can_wait, in_holders, watched_ranges
from warchest.native.text_code import announced, declining, members, performed

LOOKED = Pick | PickRole | PickWay | PickKind | PickBranch | PickMember
"""The choice points whose further options can be listed."""
EACH = "R *r, int fp, uint64_t said, int depth, int deeper, int count"
ON = "R *r, int fp, uint64_t said, int deeper"
TRIAL = "R *r, int fp"
UNDO, BRING = " /* undo */", " /* bring back */"
"""The marks for the statements that undo changes of the memory, and for those that restore cells of frames."""
INLINE = 2
"""The most rules forbidding an act that are written out where it is ordered; more are a separate function."""
DEEPEST = 24
"""The most instructions that are followed in one function."""
HEADER = 4
"""The number of cells before the variables of a frame."""


class Look:
    """Writes a function that collects the options from a place on."""

    def __init__(self, unit: Unit, routine: Routine) -> None:
        self.unit, self.places, self.program, self.write = unit, unit.places, unit.program, unit.write
        self.base = LookFrame(routine, 0)
        self.start = HEADER + self.places.size(routine)
        self.high = self.start
        self.frames = self.left_out = self.trials = 0
        self.written: set[tuple[int, int]] = set()
        """The cells that change on the way, each with the number of its frame."""
        self.fresh = False
        """Whether the first frame exists for this function alone."""
        self.changes = False
        """Whether the memory changes on the way."""
        self.is_block = False
        """Whether the function tests that a block can be carried out; blocks in such blocks are not tested in turn."""
        self.answered = False
        """Whether an event on the way can be answered before its body: if so for one candidate, mostly for all."""

    # ---- the two kinds of functions

    def each(self, pc: int, one: LOOKED) -> CFunction:
        """Return the function that goes through the candidates of a choice point, stored after candidates in use."""
        name, spot = self.places.name(self.base.routine, pc), LookSpot(self.base, pc, self.start)
        body = self._all_kinds(spot, one) if is_fixed(self.program, one) else self._each_listed(spot, one)
        keep, bring = self._kept(self.written, 0)
        if isinstance(one, PickMember):
            kept, brought = self._kept_list(self.base, one, "list")
            keep, bring = keep + kept, bring + brought
        undo = " if (r->changed != changed) unwind(r, changed);" if self.changes else ""
        changed = "const uint32_t changed = r->changed;" if self.changes else ""
        body = body.replace(UNDO, undo).replace(BRING, bring)
        body = f"""{self._opening("fp")}
if (!has_room(r, depth, count)) return;
int8_t *const entered = &r->entered[{name}], was = *entered;
{changed} {keep}
*entered = 1;
{body}
*entered = was;"""
        return CFunction(f"each_{name}", "void", EACH, body)

    def _each_listed(self, spot: LookSpot, one: LOOKED) -> str:
        """Return the loop through the candidates that have been found."""
        body = self._within(self.base, self._taken(spot, one))
        rest = f"walk_each(r, depth, fp0 + {self.start}, listed + number, count - number); number = count;"
        unseen = f"if (count > 1) {{{rest}}} else " if self.answered and not isinstance(one, PickBranch) else ""
        return f"""const int32_t *const listed = r->candidates + r->first;
r->first += count;
for (int number = 0; number < count && !r->unfit; number++) {{
{self._section("listed[number]", "", body, unseen=unseen)}
}}
r->first -= count;"""

    def _section(
        self, candidate: str, label: str, body: str, bring: str = "", changes: bool = True, unseen: str = ""
    ) -> str:
        """Return the statements for a candidate, with the labels where its paths end."""
        undo = UNDO if changes else ""
        return f"""const int c = r->taken[depth] = {candidate}; (void)c;
{body}
unseen{label}: __attribute__((unused)); {unseen}walk_on(r, deeper, fp0 + {self.start});
next{label}: __attribute__((unused));{undo}{BRING}{bring}"""

    def _all_kinds(self, spot: LookSpot, one: LOOKED) -> str:
        """Return the statements for one candidate after another, if the candidates are known."""
        self.frames += 1
        shared = LookFrame(self.base.routine, self.frames, at=self.start, shared=True)
        number = shared.number
        room = f"const int fp{number} = fp0 + {self.start}; int32_t *const e{number} = e0 + {self.start}; "
        room += f"(void)fp{number}; memcpy(e{number} + BELOW, e0 + BELOW, HEADER * sizeof *e0);\n"
        parts = self._ways(spot, one, shared) if isinstance(one, PickWay) else self._kinds(spot, one, shared)
        return self._within(self.base, room + "\n".join(parts))

    def _ways(self, spot: LookSpot, one: PickWay, shared: LookFrame) -> Iterator[str]:
        """Yield the statements for the frame that all definitions share, then the statements for each definition."""
        act, name, changes = self.program.acts[one.verb], f"e{shared.number}", False
        yield " ".join(f"{name}[{place}] = e0[{place}];" for place in range(act.way_place))
        for way in range(len(act.ways)):
            at, self.changes = replace(spot, label=f"_way{way}"), False
            this = f" {name}[{THIS}] = c % {WAYS} - 1;" if act.ways[way].carrier >= 0 else ""
            text = self._enter(self._says(at, named(self.unit, act, way)), act, way, this, shared)
            cells = {cell for of, cell in self.written if of == shared.number and THIS < cell < act.way_place}
            brought = sorted(cells | ({THIS} if this else set()))
            bring = " ".join(f"{name}[{cell}] = e0[{cell}];" for cell in brought)
            section = self._section("{}", at.label, text, bring, self.changes)
            yield Permits(self.unit, act).way(way, f"{{{section}}}")
            changes |= self.changes
        self.changes = changes

    def _kinds(self, spot: LookSpot, one: LOOKED, shared: LookFrame) -> Iterator[str]:
        """Yield the statements for the frame that all kinds of an act share, then the statements for each kind."""
        assert isinstance(one, PickKind)
        general, changes = self.program.acts[one.verb], False
        start, cells = become(self.unit, general)
        fill = " ".join(f"e{shared.number}[{cell}] = {value};" for cell, value in cells.items() if cell < FIXED)
        yield f"{start} {fill}"
        for number, kind in enumerate(one.kinds):
            at, self.changes = replace(spot, label=f"_kind{kind}"), False
            text = self._kind(at, general, self.program.acts[kind], shared)
            yield f"{{{self._section(str(number), at.label, text, changes=self.changes)}}}"
            changes |= self.changes
        self.changes = changes

    def on(self, pc: int) -> CFunction:
        """Return the function that goes on from an instruction with a frame of its own."""
        name = self.places.name(self.base.routine, pc)
        self.fresh = True
        body = self._within(self.base, self._from(LookSpot(self.base, pc, self.start)))
        body = f"""const uint32_t changed = r->changed;
{self._opening("fp")}
{self.unit.blank("e0", self.base.routine, FIXED)}
{body}
unseen: __attribute__((unused)); walk_on(r, deeper, fp0 + {self.start});
next: __attribute__((unused)); if (r->changed != changed) unwind(r, changed);"""
        return CFunction(f"on_{name}", "void", ON, body)

    def able(self) -> CFunction:
        """Return the function that tests whether a block can be carried out in a frame of its own; -1 means unseen."""
        self.base, self.fresh, self.is_block = replace(self.base, fails=False), True, True
        result, text = self._able(LookSpot(self.base, 0, self.start), self._from)
        body = self._within(self.base, f"{text} return {result};")
        body = f"""{self._opening("fp", " -1")}
{self.unit.blank("e0", self.base.routine, FIXED)}
{body}"""
        return CFunction(f"able_{self.places.name(self.base.routine, 0)}", "int", TRIAL, body)

    def _opening(self, fp: str, nothing: str = "") -> str:
        full = f"if ({fp} > STACK + LOOKED - MOST_CELLS - {self.high}) {{r->unfit |= UNFIT_STACK; return{nothing};}}"
        known = "int32_t *const m = r->m, *const e0 = r->st + fp + HEADER; const int fp0 = fp; (void)m; (void)e0;"
        return f"{full}\n{known}"

    def _kept(self, written: set[tuple[int, int]], last: int) -> tuple[str, str]:
        """Return the statements that save some cells of frames, and the statements that restore them."""
        cells = sorted((frame, cell) for frame, cell in written if frame <= last)
        keep = "".join(f"const int32_t kept_{frame}_{cell} = e{frame}[{cell}]; " for frame, cell in cells)
        return keep, "".join(f" e{frame}[{cell}] = kept_{frame}_{cell};" for frame, cell in cells)

    def _kept_list(self, frame: LookFrame, one: PickMember, name: str) -> tuple[str, str]:
        """Return the statements that save the rest of a loop, and the statements that restore it."""
        at, end = (self.places.cell(frame.routine, one.slot + number) for number in range(2))
        keep = f"int32_t {name}[{end - at}]; memcpy({name}, e{frame.number} + {at}, sizeof {name});"
        return keep, f" memcpy(e{frame.number} + {at}, {name}, sizeof {name});"

    # ---- frames

    def _within(self, frame: LookFrame, text: str) -> str:
        """Return a block of statements whose expressions refer to a frame."""
        number = self.places.number[frame.routine.name]
        known = f"const int fp = fp{frame.number}; int32_t *const e = e{frame.number}; (void)fp; (void)e;"
        return f"{{enum {{cur = {number}}}; {known}\n{text}}}"

    def _frame(self, spot: LookSpot, routine: Routine, **known: Any) -> tuple[LookFrame, str, int]:
        """Return another frame, the statements that make room for it, and the number of cells in use with it."""
        self.frames += 1
        frame = LookFrame(routine, self.frames, at=spot.high, **known)
        high = spot.high + HEADER + self.places.size(routine)
        self.high = max(self.high, high)
        at = f"const int fp{frame.number} = fp0 + {spot.high}; int32_t *const e{frame.number} = e0 + {spot.high};"
        return frame, f"{at} (void)fp{frame.number}; ", high

    def _fails(self, spot: LookSpot) -> bool | None:
        """Return whether any waiting work can fail while the next frame is carried out."""
        failure = self.places.failure(spot.frame.routine, spot.pc + 1)
        return spot.frame.fails if failure is Failure.NEVER else failure is Failure.MAY

    def _header(self, spot: LookSpot, frame: LookFrame, outs: Outs = ()) -> str:
        header = self.unit.header(spot.frame.routine, spot.pc + 1, outs)
        return header.replace("next", f"e{frame.number}")

    def _replaced(self, spot: LookSpot, frame: LookFrame) -> str:
        """Return the statements that replace the present frame by another one."""
        return f"memcpy(e{frame.number} + BELOW, e + BELOW, HEADER * sizeof *e); "

    # ---- skipped steps

    def _asked(self, spot: LookSpot, *nodes: Any) -> tuple[str, LookSpot]:
        """Return the statements before a test; if it may depend on the skipped changes, these are made first."""
        if spot.touched.matters_to(nodes, spot.frame.number):
            return self._settled(spot)
        guard = spot.touched.guard(self.unit, nodes)
        return (f"if ({guard}) {spot.unseen} " if guard else ""), spot

    def _settled(self, spot: LookSpot) -> tuple[str, LookSpot]:
        """Return the statements that make the skipped changes."""
        if not spot.touched.pending:
            return "", spot
        self.changes = True
        self.written |= spot.touched.outdated
        return " ".join(spot.touched.pending), replace(spot, touched=UNTOUCHED)

    # ---- following instructions

    def _from(self, spot: LookSpot) -> str:
        """Return the statements that list options from an instruction on; each path through them leaves by a jump."""
        one = spot.instruction
        if spot.depth > DEEPEST:
            return spot.unseen
        able, fails = "", self._fails(replace(spot, pc=spot.pc - 1))
        if spot.trial and fails is not True:
            able = f"goto able{spot.label};" if fails is False else f"if (!e[FAILS]) goto able{spot.label};"
        return able if fails is False and able else able + self._followed(spot, one)

    def _followed(self, spot: LookSpot, one: Instruction) -> str:
        match one:
            case CallAct():
                return self._call(spot, one)
            case Check() | Enter():
                return self._act(spot, one)
            case PickRole() if one.place in spot.frame.filled:
                return self._from(spot.then(spot.pc + 1))
            case PickMember():
                return self._member(spot, one)
            case Pick() | PickRole() | PickWay() | PickKind() | PickBranch() if not one.by_chance:
                return self._point(spot, one)
            case PerformBlock():
                return self._perform(spot, one)
            case Finish():
                return self._finish(spot, one)
        return self._control(spot, one)

    def _control(self, spot: LookSpot, one: Instruction) -> str:
        match one:
            case Fence() if spot.trial and spot.pc == spot.frame.fence:
                return f"goto able{spot.label};"
            case KeepMembers(slot) if not spot.trial and (
                self.fresh if not spot.frame.number else not spot.frame.shared
            ):
                before, spot = self._asked(spot, one.among)
                full = "{r->unfit |= UNFIT_OPTIONS; return;}"
                text = members(self.unit, spot.frame.routine, slot, one, full)
                return f"{before}{text} {self._from(spot.then(spot.pc + 1))}"
            case Jump(target) | Fence(target) if target > spot.pc:
                return self._from(spot.then(target))
            case Again() if not spot.trial:
                return self._ends_before(spot, one.start, one.of_game)
            case Branch(condition, otherwise):
                before, spot = self._asked(spot, condition)
                then, other = (self._from(spot.then(at)) for at in (spot.pc + 1, otherwise))
                return f"{before}if ({self.write.condition(condition)}) {{{then}}} {other}"
            case LoopTest(condition, about):
                # Few loops end before their first round.
                before, spot = self._asked(spot, condition)
                over = [self.write.condition(condition), *(f"e[{piece}] < 0" for piece in about)]
                return f"{before}if ({' || '.join(over)}) {spot.unseen} {self._from(spot.then(spot.pc + 1))}"
            case AskAhead() if not spot.trial:
                return self._ask_ahead(spot, one)
            case RequirePieces(pieces):
                gone = " || ".join(f"e[{piece}] < 0" for piece in pieces)
                return f"if ({gone}) {spot.unseen} {self._from(spot.then(spot.pc + 1))}"
            case Attempt(fence, certain) if certain is not None:
                before, spot = self._asked(spot, certain)
                then, other = (self._from(spot.then(at)) for at in (spot.pc + 1, fence + 1))
                return f"{before}if ({self.write.exists(certain)}) {{{then}}} {other}"
            case Plain():
                return self._plain(spot, one)
        return spot.unseen

    def _ends_before(self, spot: LookSpot, pc: int, of_game: bool = False) -> str:
        """Return the statements of an option that ends before an instruction, which belongs to another decision.

        If `of_game`, it may be a round of the game itself; between two of these no act is under way.
        """
        option = f"(r, deeper, NULL, 1, {spot.said.act}); {spot.failed}"
        fails = self._fails(replace(spot, pc=pc - 1))
        if fails is False:
            return f"add_options{option}"
        sure = ["is_games_own(r, fp, cur)"] * of_game + ["!e[FAILS]"] * (fails is None)
        ended = f"if ({' || '.join(sure)}) {{add_options{option}}} " if sure else ""
        return f"{ended}if (r->hasty) {{leave_open{option}}} {spot.unseen}"

    def _ask_ahead(self, spot: LookSpot, one: AskAhead) -> str:
        """Return the statements that look ahead, from the frame at hand, whether some steps could be completed."""
        done, spot = self._settled(spot)
        on_top, at, high = spot.on_top(HEADER + self.places.size(spot.frame.routine))
        self.high = max(self.high, high)
        self.written.add((spot.frame.number, one.place))
        first, fence = (self.places.name(spot.frame.routine, pc) for pc in (spot.pc + 1, one.fence))
        tests = [f"{self.write.value(value)} >= 0" for value in one.needed] + [
            f"can_be_done(r, {at}, {first}, {fence})"
        ]
        asked = f"{on_top}e[{one.place}] = {' && '.join(tests)};"
        return f"{done}{asked} {self._from(spot.then(one.fence + 1))}"

    def _plain(self, spot: LookSpot, one: Plain) -> str:
        step = one.step
        before, spot = self._asked(spot, step)
        if isinstance(step, ir.Must):
            test = f"if (!{self.write.condition(step.condition)}) {spot.failed}"
            return f"{before}{test} {self._from(spot.then(spot.pc + 1))}"
        if not ir.only_changes(step, ir.IN_PLACE):
            return spot.unseen
        self.changes = True
        changed, spot = self._settled(spot)
        kept = [*kept_by(step), getattr(step, "token", None)]
        self.written |= {(spot.frame.number, one.id) for one in kept if isinstance(one, values.Var)}
        spot = self._says(spot, self.unit.note_first("put") if one.announces else "")
        text = plain(self.write, one)
        return f"{before}{changed}{text} {self._from(spot.then(spot.pc + 1))}"

    def _finish(self, spot: LookSpot, one: Finish) -> str:
        if one.extends and not spot.trial:
            # Here the option ends; what follows at once cannot fail.
            return f"if (e[FAILS]) {spot.unseen} add_options(r, deeper, NULL, 1, {spot.said.act}); {spot.failed}"
        frame = spot.frame
        if frame.below is None:
            return spot.unseen
        text, spot = self._settled(spot) if frame.outs else ("", spot)
        dirty = f"if (follows(r)) {spot.unseen} " if one.settles else ""
        dirty = self._unstaged(spot) + dirty
        below = frame.below
        back = " ".join(f"e{below.number}[{to}] = e[{of}];" for of, to in frame.outs)
        self.written |= {(below.number, to) for _, to in frame.outs}
        then = self._from(replace(spot.then(frame.behind), frame=below))
        return f"{text}{dirty}{back} {self._within(below, then)}"

    def _says(self, spot: LookSpot, text: str) -> LookSpot:
        """Return the instruction with further statements that describe the option; a trial needs none."""
        return spot if spot.trial else replace(spot, said=spot.said.then(text))

    # ---- orders

    def _call(self, spot: LookSpot, one: CallAct) -> str:
        act, unit = self.program.acts[one.verb], self.unit
        before, spot = self._asked(spot, *one.variables)
        routine = act.routine if not act.direct else act.ways[0].routine
        unset = frozenset(place for place, value in enumerate(one.variables) if is_unset(value))
        frame, room, high = self._frame(
            spot,
            routine,
            below=spot.frame,
            behind=spot.pc + 1,
            outs=one.outs,
            unset=unset,
            fails=self._fails(spot),
            filled=frozenset(range(len(one.variables))) - unset,
        )
        name = f"v{frame.number}_"
        start, known = ordered(unit, one, name)
        start += " " + " ".join(f"(void){name}{place};" for place in range(known))
        if one.living:
            start += f" if ({' || '.join(f'{name}{place} < 0' for place in one.living)}) {spot.unseen}"
        spot = self._says(spot, announced(unit, one.announcement))
        text = f"{before}{{{start} "
        fill = room + " ".join(f"e{frame.number}[{place}] = {name}{place};" for place in range(known))
        if act.direct:
            return f"{text}{self._event(spot, one, act, frame, high, fill)}}}"
        first = int(bool(act.rules) and bool(unset))
        then = replace(spot.then(first), frame=frame, high=high)
        text += self._hopeless(then, act, {place: f"{name}{place}" for place in range(known)})
        return f"{text}{fill} {self._header(spot, frame, one.outs)} {self._within(frame, self._from(then))}}}"

    def _hopeless(self, spot: LookSpot, act: Act, known: dict[int, str]) -> str:
        """Return the test that the first role of an act has no candidates, before there is a frame for it."""
        one, permits = spot.instruction, Permits(self.unit, act)
        if not isinstance(one, PickRole) or one.place not in spot.frame.unset:
            return ""
        early, tests = permits.early(one), list[str]()
        nodes: list[Any] = [rule.condition for rule in early]
        if early and len(early) <= INLINE and not any(map(asks_of_events, nodes)):
            tests = permits.prohibitions(early, known)
        else:
            nodes = []
        sets = [domain.among for domain in act.domains[one.role] if domain.carrier < 0 and asks_nothing(domain.applies)]
        if len(sets) == len(act.domains[one.role]) and all(map(is_plain_zone, sets)):
            there = " || ".join(self.write.reading(known).exists(each) for each in sets)
            tests, nodes = [*tests, f"!({there})"], [*nodes, *sets]
        if not tests or spot.touched.matters_to(nodes, -1):
            return ""
        guard = spot.touched.guard(self.unit, nodes)
        return (f"if ({guard}) {spot.unseen} " if guard else "") + f"if ({' || '.join(tests)}) {spot.failed} "

    def _event(self, spot: LookSpot, one: CallAct, act: Act, frame: LookFrame, high: int, fill: str) -> str:
        """Return the statements of an act without choices; `fill` makes its frame, if it is needed."""
        text, name = "", f"e{frame.number}"
        if act.rules:
            text, spot = self._asked(spot, *(rule.condition for rule in act.rules))
            known = {place: f"v{frame.number}_{place}" for place in range(act.way_place)}
            permits = Permits(self.unit, act)
            tests = permits.prohibitions(act.rules, known)
            if len(act.rules) > INLINE:
                text, fill, tests = f"{text}{fill} ", "", [f"{permits.forbidden()}(r, fp, cur, {name})"]
            text += f"if ({' || '.join(tests)}) {spot.failed} "
        if act.plain and act.stages is None:
            return f"{text} {self._done(replace(spot, high=high), one, act, frame, fill)}"
        text += f"{fill} {self._header(spot, frame, one.outs)}"
        if act.plain:
            text += f" if ({answered(self.unit, act)}(r, fp, cur, {name})) {spot.unseen}"
            return f"{text} {self._done(replace(spot, high=high), one, act, frame, '')}"
        stages, spot, frame, high = self._stages(spot, act, 0, replace(frame, filled=frozenset()), "fp", high)
        blank = self.unit.blank(name, act.ways[0].routine, act.way_place)
        return f"{text} {stages} {blank} {self._staged(spot, frame, high)}"

    def _stages(
        self, spot: LookSpot, act: Act, way: int, frame: LookFrame, fp: str, high: int
    ) -> tuple[str, LookSpot, LookFrame, int]:
        """Return the statements that put the stages of an event below its body, whose frame is otherwise filled.

        They are needed only if there are answers. Hooks before the body are carried out, if possible.
        """
        stages, name = act.stages, f"e{frame.number}"
        if stages is None:
            return "", spot, frame, high
        test, body = f"{answered(self.unit, act)}(r, {fp}, cur, {name})", body_of(stages)
        first = before_body(stages)
        if first and not can_answer(self.unit, act):
            self.answered = True
            return f"if ({test}) {spot.unseen}", spot, frame, high
        self.high = max(self.high, high + HEADER + self.places.size(stages))
        below, flag = f"fp0 + {high}", f"staged_{frame.number}"
        fill = f"int32_t *const next = e0 + {high}; memcpy(next + BELOW, {name} + BELOW, {HEADER + act.way_place} * 4);"
        # A trial goes on in one way, with or without an answer.
        settled, spot = self._settled(spot) if notes_of(stages) or (first and spot.trial) else ("", spot)
        fill += f"{stages_begin('next', act, way)} {self._noted(stages, below)}"
        fill += judged(self.unit, act, spot.touched, below, spot.unseen)
        if first:
            self.changes = True
            plainly = f"{answering(self.unit, act)}(r, {below}, {self.places.number[stages.name]}, next)"
            fill += f" {self._settled(spot)[0]} if (!{plainly} || follows(r)) {spot.unseen}"
        fill += f" {name}[BELOW] = {below}; {name}[RETURN] = {self.places.back(stages, body + 1, handed_back(act))};"
        failure = self.places.failure(stages, body + 1)
        if failure is not Failure.NEVER:
            fill += f" {name}[FAILS] = {int(failure is Failure.MAY)};"
        text = f"{settled} const int {flag} = {test}; (void){flag}; if ({flag}) {{{fill}}}"
        fails = frame.fails if failure is Failure.NEVER else None
        frame = replace(frame, staged=act, stages_at=high, fails=fails)
        return text, spot, frame, high + HEADER + self.places.size(stages)

    def _noted(self, stages: Routine, fp: str) -> str:
        """Return the statements that note, in the frame `next` of the stages of an event, that its act is under way."""
        notes = notes_of(stages)
        self.changes |= bool(notes)
        steps = " ".join(plain(self.write, one) for one in notes)
        known = f"enum {{cur = {self.places.number[stages.name]}}}; const int fp = {fp}; int32_t *const e = next;"
        return f"{{{known} (void)fp; (void)e; {steps}}}" if notes else ""

    def _staged(self, spot: LookSpot, frame: LookFrame, high: int) -> str:
        """Return the statements that go on in the body of an event; after a hook before it the option has ended."""
        then, act = replace(spot.then(0), frame=frame, high=high), frame.staged
        if act is None or act.stages is None or not before_body(act.stages):
            return self._within(frame, self._from(then))
        settled = replace(then, touched=UNTOUCHED)
        if spot.trial:
            return self._within(frame, self._from(settled))
        body, tried = self._from(then), replace(frame, fails=False)
        able, text = self._able(settled, lambda inner: self._from(replace(inner, frame=tried)))
        open_ = "" if frame.fails is False else f"if (e[FAILS]) {spot.unseen} "
        one = f"(r, deeper, NULL, 1, {spot.said.act});"
        hasty = f"if (r->hasty) {{leave_open{one} {spot.failed}}}"
        ended = f"{open_}{hasty} {text} if ({able} < 0) {spot.unseen} if ({able}) add_options{one} {spot.failed}"
        return self._within(frame, f"if (staged_{frame.number}) {{{ended}}} {body}")

    def _unstaged(self, spot: LookSpot) -> str:
        """Return the statements after the body of an event; if the event has stages, it must have no answers."""
        frame, act = spot.frame, spot.frame.staged
        if act is None or act.stages is None:
            return ""
        back = handed_back(act)
        kinds = [type(one) for one in act.stages.instructions[body_of(act.stages) + 1 :]]
        text = spot.unseen
        if kinds == [Collect, PickHook, Finish] and all((of, of) in back for of, _ in frame.outs):
            number, at = self.places.number[act.stages.name], frame.stages_at
            given = " ".join(f"e0[{at} + {to}] = e[{of}];" for of, to in back)
            text = f"{given} if ({waiting(self.unit, act)}(r, fp0 + {at}, {number}, e0 + {at})) {spot.unseen}"
        return f"if (staged_{frame.number}) {{{text}}} "

    def _done(self, spot: LookSpot, one: CallAct, act: Act, frame: LookFrame, fill: str) -> str:
        """Return the statements of an act of plain changes; they are skipped as long as nothing depends on them."""
        lower, name = f"e{spot.frame.number}", f"e{frame.number}"
        steps = "\n".join(plain(self.write, step) for step in act.plain)
        steps = fill + self._within(spot.frame, f"{{int32_t *const e = {name}; (void)e; {steps}}}")
        steps += " ".join(f"{lower}[{to}] = {name}[{of}];" for of, to in one.outs)
        dirty = f"if (follows(r)) {spot.unseen} "
        if not all(can_wait(self.unit.layout, step.step) for step in act.plain):
            text, spot = self._settled(spot)
            self.changes = True
            self.written |= {(spot.frame.number, to) for _, to in one.outs}
            return f"{text}{steps} {dirty}{self._from(spot.then(spot.pc + 1))}"
        touched, sources = spot.touched, ""
        for step in act.plain:
            self.left_out += 1
            source = f"source_{self.left_out}"
            if isinstance(step.step, ir.MoveToken):
                known = {place: f"v{frame.number}_{place}" for place in range(act.way_place)}
                token = self.write.reading(known).value(step.step.token)
                watched = in_holders(source, watched_ranges(self.unit.layout))
                sources += f"const int {source} = {token}; (void){source}; "
                sources += f"if ({watched}) {spot.unseen} " if watched else ""
            touched = touched.by(step.step, source)
        outdated = {(spot.frame.number, to) for _, to in one.outs}
        touched = replace(touched, outdated=touched.outdated | outdated, pending=(*touched.pending, steps))
        return f"{dirty}{sources}{self._from(replace(spot, touched=touched).then(spot.pc + 1))}"

    def _perform(self, spot: LookSpot, one: PerformBlock) -> str:
        """Return the statements that go on in the text of a document, which has functions of its own."""
        if spot.trial:
            return self._tried_block(spot, one)
        done, spot = self._settled(spot)
        told = spot.said.then("say_within(&r->said);").told
        start, at = self._block(spot, one, "Look", "looks")
        if not self.program.mattering.anyones:
            return f"{done}{{{start} if (on) on(r, {at}, {told}, deeper); {spot.failed}}}"
        begun = f"document < 0 ? -1 : block_places_{self.places.blocks.index(one.block)}[document]"
        anyones = "is_several(r, begun, document)" if one.of_piece else "routine_is_anyones[ROUTINE_AT(begun)]"
        alike = f"begun >= 0 && {anyones} ? {alike_test(self.unit, spot, one)} : 0"
        return f"""{done}{{{start} const int begun = {begun}, alike = {alike};
if (alike == 2) {spot.unseen}
if (on && !alike) on(r, {at}, {told}, deeper); {spot.failed}}}"""

    def _tried_block(self, spot: LookSpot, one: PerformBlock) -> str:
        """Return the statements that try the text of a document, if no later work can fail."""
        fails = self._fails(spot)
        if self.is_block or fails is True:
            return spot.unseen
        done, spot = self._settled(spot)
        open_ = "" if fails is False else f"if (e[FAILS]) {spot.unseen} "
        start, at = self._block(spot, one, "Trial", "trials")
        able = f"const int able = on ? on(r, {at}) : 0; if (able > 0) goto able{spot.label};"
        return f"{open_}{done}{{{start} {able} if (able < 0) {spot.unseen} {spot.failed}}}"

    def _block(self, spot: LookSpot, one: PerformBlock, kind: str, table: str) -> tuple[str, str]:
        """Return the statements that fill the frame of a block, and find the function `on` for it; and the frame."""
        start, document, values = performed(self.unit, one)
        # The place of the text, and the size of its frame, are not used here: another document changes nothing here.
        put = " ".join(f"next[{place}] = {value};" for place, value in enumerate(values))
        fill = f"int32_t *const next = e0 + {spot.high}; {put} {self.unit.header(spot.frame.routine, spot.pc + 1)}"
        row = f"block_{table}_{self.places.blocks.index(one.block)}[document]"
        found = f"const int document = {document}; {kind} *const on = document < 0 ? NULL : {row};"
        return f"{start} {fill} {found}", f"fp0 + {spot.high}"

    # ---- acts

    def _act(self, spot: LookSpot, one: Check | Enter) -> str:
        act, frame = self.program.acts[one.verb], spot.frame
        if isinstance(one, Enter):
            return self._enter(spot, act, 0)
        places = range(FIXED, act.way_place)
        if any(place in frame.unset for place in places):
            return self._from(spot.then(spot.pc + 1))
        before, spot = self._asked(spot, *(rule.condition for rule in act.rules))
        open_ = " || ".join(f"e[{place}] == {UNSET}" for place in places if place not in frame.filled) or "0"
        test = f"if (!({open_}) && {Permits(self.unit, act).forbidden()}(r, fp, cur, e)) {spot.failed}"
        return f"{before}{test} {self._from(spot.then(spot.pc + 1))}"

    def _enter(self, spot: LookSpot, act: Act, way: int, before: str = "", shared: LookFrame | None = None) -> str:
        """Return the statements that list options in the event of an act, in a frame that replaces the act's."""
        body, old = act.ways[way].routine, spot.frame
        if shared is None and self._can_replace(spot, act, body):
            shared = old
        if shared is not None:
            fill, high = "", max(spot.high, shared.at + HEADER + self.places.size(body))
            frame = replace(old, number=shared.number, at=shared.at, routine=body, shared=shared.shared)
            frame = replace(frame, filled=frozenset(), unset=frozenset())
            self.high = max(self.high, high)
        else:
            frame, fill, high = self._frame(
                spot, body, below=old.below, behind=old.behind, outs=old.outs, fails=old.fails
            )
            fill += self._replaced(spot, frame)
            fill += " ".join(f"e{frame.number}[{place}] = e[{place}];" for place in range(act.way_place))
        fill += before.replace("e[", f"e{frame.number}[")
        stages, spot, frame, high = self._stages(spot, act, way, frame, f"fp{frame.number}", high)
        blank = self.unit.blank(f"e{frame.number}", body, act.way_place)
        return f"{{{fill} {stages} {blank} {self._staged(spot, frame, high)}}}"

    def _can_replace(self, spot: LookSpot, act: Act, body: Routine) -> bool:
        """Whether a frame may be overwritten by the frame of the event."""
        frame, size = spot.frame, self.places.size(body)
        ends = frame.at + HEADER + self.places.size(frame.routine)
        fits = size <= self.places.size(frame.routine) or spot.high == ends
        return frame.number > 0 and not spot.trial and fits and (act.stages is None or not frame.shared)

    # ---- choice points

    def _point(self, spot: LookSpot, one: LOOKED) -> str:
        """Return the statements for reaching a choice point: the option ends there, or others follow."""
        unit, routine = self.unit, spot.frame.routine
        name, ends = self.places.name(routine, spot.pc), ending(unit, one)
        if one.chooser is None:
            return spot.unseen
        if spot.trial and isinstance(one, PickBranch):
            return self._any_branch(spot, one)
        before, spot = self._asked(spot, *asked_at(self.program, one))
        if isinstance(one, PickRole) and one.place not in spot.frame.unset:
            before += f"if (e[{one.place}] != {UNSET}) {spot.unseen} "
        if isinstance(one, Pick):
            spot = self._says(spot, announced(unit, one.announcement))
        if is_fixed(self.program, one) and not spot.trial:
            whose = f"if ({unit.write.value(one.chooser)} != r->walker) {spot.unseen} "
            return f"{before}{whose}{self._passed(spot, name, 'deeper + 1, 0')}"
        unit.finds.add(name)
        find = f"int32_t *const out = r->candidates + r->first; const int count = find_{name}(r, fp, e, out);"
        text = f"{before}{{{find} if (!count) {spot.failed} "
        if spot.trial:
            return f"{text}{self._tried(spot, one)}}}"
        text += f"if (count > 1 && {unit.write.value(one.chooser)} != r->walker) {spot.unseen} "
        if ends != "0":
            text += f"if ({ends}) {{{self._ended(spot, one)}}} "
        if ends != "1":
            text += self._passed(spot, name, "deeper + (count > 1), count")
        return f"{text}}}"

    def _passed(self, spot: LookSpot, name: str, candidates: str) -> str:
        """Return the statements that go through the candidates of a choice point and list the options after each."""
        self.unit.declare(f"each_{name}", EACH, "void")
        done, spot = self._settled(spot)
        on_top, at, high = spot.on_top(HEADER + self.places.size(spot.frame.routine))
        self.high = max(self.high, high)
        call = f"{on_top}each_{name}(r, {at}, {spot.said.told}, deeper, {candidates});"
        return f"{done}if (r->entered[{name}]) {spot.unseen} {call} {spot.failed}"

    def _able(self, spot: LookSpot, follow: Callable[[LookSpot], str]) -> tuple[str, str]:
        """Return the variable with the result of a trial (-1: unseen), and the trial: of steps that `follow` writes."""
        self.trials += 1
        label, last, written = f"_{self.trials}", self.frames, self.written
        self.written = set()
        body = follow(replace(spot, label=label, trial=True))
        keep, bring = self._kept(self.written, last)
        self.written |= written
        self.changes = True
        result = f"is_able{label}"
        return (
            result,
            f"""int {result} = 0; {{
const uint32_t changed{label} = r->changed; {keep}
{{{body}}}
unseen{label}: __attribute__((unused)); {result} = -1; goto next{label};
able{label}: __attribute__((unused)); {result} = 1;
next{label}: if (r->changed != changed{label}) unwind(r, changed{label});{bring}
}}""",
        )

    def _any_branch(self, spot: LookSpot, one: PickBranch) -> str:
        """Return the statements at a choice after the end of an option: one branch that can be passed is enough."""
        if one.declined >= 0:
            return spot.unseen

        def trial(to: int) -> tuple[str, str]:
            return self._able(spot, lambda inner: self._from(inner.then(to)))

        trials = [trial(to) for to in one.targets]
        tried = "\n".join(f"{text} if ({result} > 0) goto able{spot.label};" for result, text in trials)
        return f"{tried} if ({' || '.join(f'{one} < 0' for one, _ in trials)}) {spot.unseen} {spot.failed}"

    def _member(self, spot: LookSpot, one: PickMember) -> str:
        """Return the statements for reaching the choice of the next member to act, among members that can act."""
        if spot.trial or one.chooser is None:
            return spot.unseen
        done, spot = self._settled(spot)
        name, at = (self.places.name(spot.frame.routine, spot.pc), self.places.cell(spot.frame.routine, one.slot))
        keep, bring = self._kept_list(spot.frame, one, "left")
        tried = replace(spot.frame, fails=False, fence=one.fence)
        able, text = self._able(spot, lambda inner: self._from(replace(inner.then(spot.pc + 1), frame=tried)))
        self.written.add((spot.frame.number, one.place))
        other = f"if (count > 1 && {self.write.value(one.chooser)} != r->walker) {spot.unseen}"
        none = f"{{if (!(e[{at}] > 0)) {spot.failed} {self._from(spot.then(one.done))}}}"
        return f"""{done}{{
int32_t *const out = r->candidates + r->first;
const int all = e[{at + 1}], before = e[{one.place}];
int count = 0;
{keep}
for (int number = 0; number < all; number++) {{
const int c = left[2 + number];
if (c < 0) continue;
begin_member(e + {at}, c); e[{one.place}] = c;
r->first += all;
{text}
r->first -= all; e[{one.place}] = before;{bring}
if ({able} < 0) {spot.unseen}
if ({able}) out[count++] = c;
}}
if (!count) {none}
{other} {self._passed(spot, name, "deeper + (count > 1), count")}
}}"""

    def _tried(self, spot: LookSpot, one: LOOKED) -> str:
        """Return the statements at a choice point after the end of an option: any candidate will do."""
        fails = self._fails(spot)
        if not isinstance(one, Pick | PickRole):
            return spot.unseen
        if fails is not True:
            test = "" if fails is False else "if (!e[FAILS]) "
            return f"{test}goto able{spot.label}; {spot.unseen}"
        done, spot = self._settled(spot)
        able, text = self._able(spot, lambda inner: self._taken(inner, one))
        return f"""{done}int unsure = !has_room(r, 0, count), found = 0;
r->first += count;
for (int number = 0; number < count && !found && !r->unfit; number++) {{
const int c = out[number];
{text}
if ({able} > 0) found = 1;
if ({able} < 0) unsure = 1;
}}
r->first -= count;
if (found) goto able{spot.label};
if (unsure) {spot.unseen} {spot.failed}"""

    def _ended(self, spot: LookSpot, one: LOOKED) -> str:
        """Return the statements of a choice point at which the option ends."""
        fails = self._fails(spot)
        if fails is True:
            return self._trials(spot, one) if isinstance(one, Pick | PickRole) else spot.unseen
        sure = f"if (e[FAILS]) {spot.unseen} " if fails is None else ""
        act = spot.said.then("say_role(&r->said);").act
        return f"{sure}add_options(r, deeper, count > 1 ? out : NULL, count, {act}); {spot.failed}"

    def _trials(self, spot: LookSpot, one: LOOKED) -> str:
        """Return the statements that add the options that end here and do not prove impossible afterwards."""
        done, spot = self._settled(spot)
        self.trials += 1
        trial, last, written = f"_{self.trials}", self.frames, self.written
        self.written = set()
        inner = replace(spot, label=trial, trial=True)
        body = self._within(spot.frame, self._taken(inner, one))
        keep, bring = self._kept(self.written, last)
        self.written |= written
        self.changes = True
        rest = f"walk_each(r, deeper, fp0 + {spot.high}, tried + number, count - number); number = count;"
        # A trial that can never be followed for one candidate cannot be for the others, either.
        unseen = "" if f"goto able{trial};" in body else f"if (count > 1) {{{rest}}} else "
        return f"""{done} {{
int32_t *const tried = out;
const int end = deeper + (count > 1);
const uint32_t changed{trial} = r->changed;
{keep}
const int act = {spot.said.then("say_role(&r->said);").act};
if (r->hasty) {{leave_open(r, deeper, count > 1 ? out : NULL, count, act); {spot.failed}}}
if (!has_room(r, deeper, count)) {spot.failed}
r->first += count;
for (int number = 0; number < count && !r->unfit; number++) {{
const int c = r->taken[deeper] = tried[number];
{body}
unseen{trial}: __attribute__((unused)); {unseen}walk_on(r, end, fp0 + {spot.high});
goto next{trial};
able{trial}: __attribute__((unused)); add_options(r, end, NULL, 1, act);
next{trial}: if (r->changed != changed{trial}) unwind(r, changed{trial});{bring}
}}
r->first -= count;
{spot.failed}
}}"""

    def _taken(self, spot: LookSpot, one: LOOKED) -> str:
        """Return the statements that take a candidate `c` of a choice point, and list the options after it."""
        behind = spot.then(spot.pc + 1)
        match one:
            case Pick(place=place) | PickRole(place=place):
                self.written.add((spot.frame.number, place))
                behind = self._says(behind, "say_role(&r->said);" if one.key or isinstance(one, PickRole) else "")
                return f"e[{place}] = c; {self._from(behind)}"
            case PickMember(place=place, slot=slot):
                self.written.add((spot.frame.number, place))
                begin = f"begin_member(e + {self.places.cell(spot.frame.routine, slot)}, c); e[{place}] = c;"
                return f"{begin} {self._from(self._says(behind, 'say_role(&r->said);'))}"
            case PickBranch():
                return self._branched(spot, one)
            case PickWay(verb=verb):
                act = self.program.acts[verb]
                this = f" e[{THIS}] = c % {WAYS} - 1;"
                ways = (
                    self._enter(self._says(spot, named(self.unit, act, way)), act, way, this)
                    for way in range(len(act.ways))
                )
                cases = "\n".join(f"case {number}: {way}" for number, way in enumerate(ways))
                return f"switch (c / {WAYS}) {{{cases}}} __builtin_unreachable();"
        return spot.unseen

    def _branched(self, spot: LookSpot, one: PickBranch) -> str:
        """Return the statements that follow one of several ways, or that decline an offer."""
        begun = self._says(spot, announced(self.unit, one.announcement))
        follow = self._ends_before if one.closes else lambda inner, to: self._from(inner.then(to))
        cases = [f"case {number}: {{{follow(begun, to)}}}" for number, to in enumerate(one.targets)]
        if one.declined >= 0:
            cases.append(f"case -1: {{{self._ends_before(self._says(spot, declining(self.unit, one)), one.declined)}}}")
        return f"switch (c) {{{chr(10).join(cases)}\n}} __builtin_unreachable();"

    def _kind(self, spot: LookSpot, general: Act, act: Act, shared: LookFrame) -> str:
        """Return the statements that list options in one of the kinds of an act, which replaces it."""
        start, cells = become(self.unit, act)
        unset = frozenset(FIXED + number for number, domains in enumerate(act.domains) if domains)
        filled = frozenset(range(FIXED, act.way_place)) - unset
        number, name = shared.number, f"e{shared.number}"
        frame = LookFrame(act.routine, number, unset=unset, filled=filled, at=shared.at, shared=True)
        high = shared.at + HEADER + self.places.size(act.routine)
        self.high = max(self.high, high)
        spot = self._says(spot, self.unit.note_act(act.verb.act))
        fill = f"{start} (void)agent; "
        fill += " ".join(f"{name}[{place}] = {value};" for place, value in cells.items() if place >= FIXED)
        then = replace(spot.then(int(bool(act.rules) and bool(unset))), frame=frame, high=high)
        rules = f"if ({Permits(self.unit, act).forbidden()}(r, fp, cur, {name})) {spot.failed}" if act.rules else ""
        if not any(act.domains) and not self.program.failures.extends(act.number):
            return f"{fill} {rules} {spot.unseen}" if act.direct else spot.unseen
        if act.direct:
            return f"{fill} {rules} {self._within(frame, self._enter(then, act, 0))}"
        fill += f" {name}[{act.way_place}] = -1; {name}[{act.chooser_place}] = e[{general.chooser_place}];"
        return f"{fill} {self._within(frame, self._from(then))}"


def write_looks(unit: Unit, routine: Routine) -> list[int]:
    """Add the functions that list options in a routine; return the choice points that have them."""
    found = []
    for pc, one in enumerate(routine.instructions):
        if isinstance(one, LOOKED) and not one.by_chance:
            name = unit.places.name(routine, pc)
            unit.functions.append(Look(unit, routine).each(pc, one))
            unit.looks.append(f"case {name}: each_{name}(r, at, said, depth, depth + 1, count); return;")
            found.append(pc)
    if routine.origin == "block":
        unit.functions += Look(unit, routine).on(0), Look(unit, routine).able()
    return found
