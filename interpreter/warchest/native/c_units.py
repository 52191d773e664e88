"""Units of C: the routines that are compiled together, with the functions and tables that they use."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from warchest.ir.ruleset import FIXED
from warchest.lowering.code import ChoicePoint, Instruction, Outs, Routine
from warchest.lowering.failure import Failure
from warchest.lowering.layout import POSTPONED, UNSETTLED
from warchest.lowering.probes import Probes
from warchest.native.code_places import Places
from warchest.native.expressions import Expressions
from warchest.native.native_layout import roomy
from warchest.native.sheets import SheetTables
from warchest.source.records import record

ARGUMENTS = "R *r, int fp, int cur, const int32_t *e"
UNUSED = "const int32_t *const m = r->m; (void)m;"
PLACE = re.compile(r"\b[PTB]\d+_\d+(?:_\d+)?\b")


@record()
class CFunction:
    """A function of a unit, with the text between its braces; a static one is visible in one text of C only."""

    name: str
    result: str
    arguments: str
    body: str
    is_static: bool = False

    @property
    def head(self) -> str:
        """Its declaration, without the semicolon."""
        return f"{'static ' if self.is_static else ''}{self.result} {self.name}({self.arguments})"

    @property
    def text(self) -> str:
        """The whole function."""
        return f"{self.head} {{\n{self.body}\n}}"

    def __len__(self) -> int:
        """Return the number of its characters."""
        return len(self.text)


class Unit:
    """The text of a unit while it is written."""

    def __init__(
        self, number: int, places: Places, sheets: SheetTables, acts: dict[str, int], probes: Probes | None = None
    ) -> None:
        self.number, self.places, self.program = number, places, places.program
        self.layout, self.ruleset = roomy(self.program.layout), self.program.ruleset
        self.write = Expressions(self.layout, sheets=sheets, probes=probes)
        self.probes = probes or Probes()
        self.acts = acts
        """The numbers of the acts that name options."""
        self.functions: list[CFunction] = []
        """The functions that the instructions call, in an order in which each is known before it is used."""
        self.cases: list[str] = []
        self.takes: list[str] = []
        """The cases that take candidates; none of them falls through to the next."""
        self.deciders: list[str] = []
        self.looks: list[str] = []
        self.finds: set[str] = set()
        """The choice points of any unit that option listing leads to."""
        self.contexts: list[str] = []
        self.ends: list[str] = []
        self.returns: dict[str, set[str]] = {}
        """The places of this unit at which code goes on after a routine."""
        self.instead: set[tuple[str, str]] = set()
        """The routines whose frames other routines take over."""
        self.prototypes: dict[str, str] = {}
        """The declarations of functions that are defined in one unit and called from others, by name."""
        self.written: set[str] = set()
        """The names of the functions that are written only once, however often they are requested."""

    def function(self, name: str, result: str, arguments: str, body: str) -> str:
        """Add a function of this unit; return its name."""
        if name not in self.written:
            self.written.add(name)
            self.define(name, arguments, f"{UNUSED}\n{body}", result, is_static=True)
        return name

    def beside(self, stages: Routine | None, name: str, body: Callable[[], str], arguments: str = ARGUMENTS) -> str:
        """Declare a function that is written once, in the unit of the stages of an event; return its name."""
        shared = self.shared(name, arguments)
        if stages is not None and self.places.unit(stages) == self.number and name not in self.written:
            self.written.add(name)
            self.define(name, arguments, f"{UNUSED}\n{body()}")
        return shared

    def shared(self, name: str, arguments: str = ARGUMENTS, result: str = "int") -> str:
        """Declare a function that is defined in one unit, and called from others; return its name."""
        self.declare(name, arguments, result)
        return name

    def declare(self, name: str, arguments: str, result: str = "int") -> None:
        """Declare a function that may be defined in another unit."""
        self.prototypes[name] = f"{result} {name}({arguments});"

    def define(self, name: str, arguments: str, body: str, result: str = "int", is_static: bool = False) -> None:
        """Add a function of this unit."""
        self.functions.append(CFunction(name, result, arguments, body, is_static))

    def without_due(self) -> str:
        """Return the statement that leaves out the candidates with a pending consequence."""
        waits, due = "1" if self.program.falls_wait else f"m[{POSTPONED}]", self._due()
        return f"if ({waits}) count = left_out(out, count, {due});" if due else ""

    def are_due(self, pieces: Sequence[str]) -> str:
        """Return the test that any of the given pieces has a pending consequence; empty if that is impossible."""
        due = self._due() if pieces else ""
        return f"m[{POSTPONED}] && ({' || '.join(f'has({due}, {one})' for one in pieces)})" if due else ""

    def _due(self) -> str:
        """Return the call for the set of pieces with a pending consequence; empty if there can be none."""
        if all(one.rule.among.var.base != "piece" for one in self.program.state_rules):
            return ""
        return f"{self.shared('due', 'R *r', 'PieceSet')}(r)"

    def act(self, name: str) -> int:
        """Return the number of an act that names options; 0 is none."""
        return self.acts.setdefault(name, len(self.acts) + 1)

    def tally(self, one: Instruction) -> str:
        """Return the statement that counts an instruction when it is carried out; empty if it is not probed."""
        numbers = self.probes.steps.get(id(one))
        return f"tally(r, {numbers[0]}, {numbers[1]}); " if numbers is not None else ""

    def chosen(self, one: ChoicePoint) -> str:
        """Return the statements that count the candidates in `out` at a choice point; empty if it is not probed."""
        notes = [f"sized({', '.join(map(str, known))}, count);" for known in self.probes.choices.get(id(one), ())]
        within = self.probes.ranges.get(id(one))
        if within is not None:
            origin = self.write.value(within.origin)
            before, each, after = self.write.reached(within.numbers, *within.ends, origin, "out[number]")
            loop = f"for (int number = 0; number < count; number++) {each}"
            notes.append(f"{{{before} {loop} {after}}}")
        return " ".join(notes)

    def offered(self, one: object) -> str:
        """Return the statement that counts an offer, as declined if `c` is negative; empty if it is not probed."""
        numbers = self.probes.offers.get(id(one))
        return f"if (!r->lookahead) counters[c < 0 ? {numbers[1]} : {numbers[0]}]++; " if numbers is not None else ""

    # ---- going on

    def go(self, routine: Routine, pc: int, taking: bool = False) -> str:
        """Return the statement that goes on at an instruction; when `taking` a candidate, a look-ahead may stop."""
        name = self.places.name(routine, pc)
        return f"{{{self._edge(self.places.failure(routine, pc), name, taking)}{self._to(routine, name)}}}"

    def _to(self, routine: Routine, name: str) -> str:
        return f"goto L{name};" if self.places.unit(routine) == self.number else f"LEAVE({name});"

    def _edge(self, failure: Failure, name: str, taking: bool) -> str:
        if not taking or failure is Failure.MAY:
            return ""
        return f"ENOUGH({name}, {'!e[FAILS]' if failure is Failure.NEVER else '1'}); "

    def fails(self, routine: Routine, pc: int) -> str:
        """Return the mark of a frame above an instruction, as an expression: whether any frame below it can fail."""
        failure = self.places.failure(routine, pc)
        return {Failure.MAY: "1", Failure.YIELDS: "0", Failure.NEVER: "e[FAILS]"}[failure]

    def header(self, routine: Routine, pc: int, outs: Outs = ()) -> str:
        """Return the statements that fill the cells before the variables of a frame at `next`."""
        back = self.places.back(routine, pc, outs)
        return f"HEAD(next, fp, {back}, {self.fails(routine, pc)});"

    def above(self, routine: Routine) -> str:
        """Return the expression for the variables of the frame above that of a routine."""
        return f"e + {self.places.size(routine)} + HEADER"

    def climb(self, routine: Routine) -> str:
        """Return the statement that makes the frame above that of a routine the current one."""
        return f"CLIMB({self.places.size(routine)});"

    def blank(self, frame: str, routine: Routine, first: int) -> str:
        """Return the statements that fill the variables of a frame, from a given one on, with NOTHING."""
        return blank(frame, self.places.cells[self.places.number[routine.name]], first)

    def settle(self, routine: Routine, pc: int, before: str = "") -> str:
        """Return the statements that carry out immediate consequences, if there are any, and then repeat `pc`."""
        call = f"settle(r, fp, {self.places.name(routine, pc)}, {self.fails(routine, pc)}, {self.above(routine)})"
        size = self.places.size(routine)
        return (
            f"if (m[{UNSETTLED}] && !m[{POSTPONED}]) {{int begun = {call}; "
            f"if (begun >= 0) {{{before} CLIMB({size}); GO(begun);}}}}"
        )

    def finish(self, routine: Routine, pc: int, settles: bool, extends: bool) -> str:
        """Return the statements that end a routine."""
        settled = self.settle(routine, pc, "r->in_option = 0;" if extends else "") if settles else ""
        number = self.places.number[routine.name]
        if routine.origin == "hook":
            settled = f"if (e[FENCE] == AT_END) STOP(HORIZON, {self.places.name(routine, pc)}); {settled}"
        return f"{settled}\n{'DESCEND_JOINED' if extends else 'DESCEND'}({number});"

    def begin(self, routine: Routine, back: str) -> None:
        """Note that a routine begins above a frame, and that the frame goes on afterwards at a place of this unit."""
        self.returns.setdefault(routine.name, set()).add(back)

    def ways_back(self) -> list[str]:
        """Return a definition for each routine of this unit: the place that it returns to, if there is only one.

        Other places are found by their numbers, and such returns are counted (see `budget`), because an endless loop
        returns to more than one place, or jumps back.
        """
        for _ in self.instead:
            for one, other in self.instead:
                self.returns.setdefault(other, set()).update(self.returns.get(one, ()))
        found = []
        for number, routine in enumerate(self.places.routines):
            back = self.returns.get(routine.name, set())
            straight = f" if (pc == {min(back)}) goto L{min(back)};" if len(back) == 1 else ""
            if self.places.units[number] == self.number:
                found.append(f"#define RETURN_{number}{straight}")
        return found

    # ---- the description of an option

    def note_act(self, name: str) -> str:
        """Return the statement that announces an act."""
        return f"say_act(&r->said, {self.act(name)});"

    def note_first(self, name: str) -> str:
        """Return the statement that announces an act whose name is used for an option that has no other name."""
        return f"say_first(&r->said, {self.act(name)});"


def blank(frame: str, cells: list[int], first: int) -> str:
    """Return the statements that fill variables from a given one on with NOTHING; of lists only the lengths are set."""
    found = []
    for variable in range(first, len(cells) - 1):
        at, width = cells[variable], cells[variable + 1] - cells[variable]
        found += [at] if width == 1 else [at, at + 1]
    if not found:
        return ""
    runs: list[list[int]] = []
    for cell in found:
        if runs and runs[-1][1] == cell:
            runs[-1][1] = cell + 1
        else:
            runs.append([cell, cell + 1])
    return " ".join(
        f"{frame}[{low}] = -1;" if high == low + 1 else f"memset({frame} + {low}, -1, {4 * (high - low)});"
        for low, high in runs
    )


NOBODY = f"const int32_t nobody[{FIXED}] = {{-1, -1, -1, -1}}; const int32_t *const e = nobody; (void)e;"
"""The statements that make `e` the variables of a frame without a player or a piece."""
