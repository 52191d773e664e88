"""The complete text of the native machine for a program, as units that are compiled one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from zlib import crc32

from warchest.ir.values import NOTHING
from warchest.lowering.code import (
    LEFT_OUT,
    LISTS,
    ChoicePoint,
    Instruction,
    PickAnswer,
    PickBranch,
    PickMember,
    Routine,
    choice_points,
)
from warchest.lowering.mattering import EVERYBODY, turn_is_first, turn_of
from warchest.lowering.probes import Probes
from warchest.lowering.program import Program
from warchest.native.act_code import write_act
from warchest.native.c_units import PLACE, CFunction, Unit
from warchest.native.code_places import OF_RULES, UNIT_BITS, Places, most_cells, wide_frames
from warchest.native.definitions import document_definitions, layout_definitions, routine_definitions
from warchest.native.event_code import write_answered, write_due, write_event, write_settling
from warchest.native.legend import Legend
from warchest.native.native_layout import roomy
from warchest.native.option_lists import write_looks
from warchest.native.permits import Permits
from warchest.native.points import FINDING
from warchest.native.sheets import SheetTables
from warchest.native.size_bounds import CodeSize, check_memory, most_candidates
from warchest.native.tables import array
from warchest.native.text_code import write_control, write_text
from warchest.native.unfit import Unfit

RUNTIME = (
    "machine.h",
    "effects.c",
    "unit.h",
    "machine.c",
    "interface.c",
    "held.c",
    "valued.c",
    "games.c",
    "search.c",
    "lanes.c",
    "batch.c",
    "perft.c",
)
"""The files of the runtime, which are the same for all games."""
WRITERS = (write_control, write_text, write_act, write_event)
GROUPS = 4
"""The number of groups in which the functions of the rules themselves are compiled."""
EFFORT = """\
#if defined(__GNUC__) && defined(__OPTIMIZE__) && !defined(__clang__)
#pragma GCC optimize ("store-merging", "expensive-optimizations", "peephole2", "ipa-ra")
#endif
"""
"""The text before all code: the passes of the compiler that are worth their time, when optimizing."""
HIDDEN = """\
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#pragma GCC visibility push(hidden)"""
"""The text before everything else: with it, calls between units need no indirection."""
OF_HOOKS = re.compile(r"(answers|judged|answered|collected|waiting|begin_hook|next_hook|asked)_")
"""The functions that depend on the hooks of documents."""
CELLS_TOLD = 32
"""The number of cells of a frame that have a bit at each place for whether they are still read."""
WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class CSource:
    """The code to compile: a head that all units begin with, the units, and the machine itself."""

    units: tuple[str, ...]
    machine: str
    legend: Legend


@cache
def runtime(name: str) -> str:
    """Return a file of the runtime, with its included files inserted."""
    text = files("warchest.native").joinpath(name).read_text(encoding="utf-8")
    return re.sub(r'^#include "(.*)"$', lambda found: runtime(found[1]), text, flags=re.MULTILINE)


def generate(program: Program, probes: Probes | None = None) -> CSource:
    """Return the text for a program; raises Unfit if the native machine has no room for it.

    A machine with probes evaluates all probed parts as the reference machine does, and is slower.
    """
    if program.twins:
        raise Unfit("two hooks of the same words answer the same event")
    check_memory(roomy(program.layout).size)
    places, sheets, acts = Places(program), SheetTables(program.layout), dict[str, int]()
    units = [Unit(number, places, sheets, acts, probes) for number in range(max(places.units) + 1)]
    most, size = most_candidates(units[0].write, places), CodeSize()
    for unit in units:
        _fill(unit, size)
    write_settling(units[0])
    write_due(units[0])
    cells = most_cells(places)
    head = [
        HIDDEN,
        *([f"#define PROBED {probes.size}"] if probes else ()),
        *layout_definitions(program.layout),
        f"#define WIDE_FRAMES {wide_frames(places)}",
        f"enum {{UNIT_BITS = {UNIT_BITS}, MOST_CELLS = {cells}, MOST_CANDIDATES = {most}, EVERYBODY = {EVERYBODY}}};",
    ]
    routines = routine_definitions(places.routines, lambda one: places.cells[places.number[one.name]])
    blocks = [
        f"extern const int32_t block_places_{one}[];\n"
        f"extern Look *const block_looks_{one}[];\nextern Trial *const block_trials_{one}[];"
        for one in range(len(places.blocks))
    ]
    common = "\n".join([*head, *_declared(routines), runtime("unit.h"), *blocks])
    found = {name for unit in units for name in unit.finds}
    texts = [f"{EFFORT}{common}\n{text}" for unit in units for text in _unit_texts(unit, found)]
    tables = _tables(program, places, routines)
    looks = _block_looks(program, places) if not probes else ()
    texts.append("\n".join([HIDDEN, *(text.replace("TABLE", "const", 1) for text in tables), *looks]))
    machine = _machine_text(program, places, units, [*head, *_declared(tables)])
    return CSource(tuple(texts), f"{EFFORT}{machine}", Legend(places, sheets, acts))


def _declared(definitions: list[str]) -> Iterator[str]:
    """Yield declarations for tables that are defined in another unit."""
    for text in definitions:
        found = re.match(r"TABLE (\w+) (\w+)\[", text)
        if found is not None:
            yield f"extern const {found[1]} {found[2]}[];"


# ---- units


def _fill(unit: Unit, size: CodeSize) -> None:
    """Write all routines of a unit, and its functions that other units call; raises Unfit if they are too much C."""
    places, program = unit.places, unit.program
    size.begin_unit()
    for act in program.acts:
        if act.rules and places.unit(act.routine) == unit.number:
            Permits(unit, act).forbidden()
        if act.stages is not None and places.unit(act.stages) == unit.number:
            write_answered(unit, act)
    for number, routine in enumerate(places.routines):
        if places.units[number] == unit.number:
            for pc, one in enumerate(routine.instructions):
                unit.cases.append(_case(unit, routine, pc, _written(unit, routine, pc, one)))
            # Probed instructions have to be carried out.
            places.looked |= {(number, pc) for pc in (() if unit.probes else write_looks(unit, routine))}
            unit.cases.extend(_landings(unit, routine))
            size.add(unit.cases, unit.takes, unit.functions, unit.looks)


def _written(unit: Unit, routine: Routine, pc: int, one: Instruction) -> str:
    for write in WRITERS:
        text = write(unit, routine, pc, one)
        if text is not None:
            return text
    raise TypeError(f"not an instruction: {one!r}")


def commented(name: str) -> str:
    """Return a document's name without characters that could end a comment of C, or be misread."""
    return re.sub(r"[^A-Za-z0-9_/ -]+", "_", name)


def _case(unit: Unit, routine: Routine, pc: int, text: str) -> str:
    tally = unit.tally(routine.instructions[pc])
    name, number = unit.places.name(routine, pc), unit.places.number[routine.name]
    head = f"case {name}: L{name}: __attribute__((unused));"
    return f"{head} {{ /* {commented(routine.name)} */ enum {{cur = {number}}}; FRAME_HERE; {tally}\n{text}\n}}"


def _landings(unit: Unit, routine: Routine) -> Iterator[str]:
    """Yield the cases where a routine goes on after another routine has handed values back."""
    size, number = unit.places.size(routine), unit.places.number[routine.name]
    for pc in routine.waits:
        for outs in unit.places.landings[number, pc]:
            taken = " ".join(f"e[{target}] = e[{size} + HEADER + {source}];" for source, target in outs)
            back = unit.places.back(routine, pc, outs)
            yield f"case {back}: L{back}: __attribute__((unused)); {{FRAME_HERE; {taken}}} {unit.go(routine, pc)}"


def _unit_texts(unit: Unit, found: set[str]) -> Iterator[str]:
    """Yield the texts of a unit after the head; other units use the choice points in `found`.

    The routines of the rules themselves are one large unit, because they are carried out most. Its functions are
    compiled separately, in groups, so that a document that is named in few groups changes only these; the functions
    of hooks are the last group.
    """
    rest = [_run(unit), _asking(unit), _export(unit)]
    if unit.number >= OF_RULES:
        functions = [_shown(one) if one.name.removeprefix("find_") in found else one for one in unit.functions]
        yield _text(unit, [*(one.text for one in functions), *rest], functions)
        return
    functions = [_shown(one) for one in unit.functions]
    yield _text(unit, rest, functions)
    groups: list[list[str]] = [[] for _ in range(GROUPS + 1)]
    for one in functions:
        groups[GROUPS if OF_HOOKS.match(one.name) else crc32(one.name.encode()) % GROUPS].append(one.text)
    for members in groups:
        yield _text(unit, members, functions)


def _shown(one: CFunction) -> CFunction:
    """Return a function in the form in which other texts can call it."""
    return replace(one, is_static=False)


def _text(unit: Unit, parts: list[str], functions: list[CFunction]) -> str:
    """Return a text with exactly the declarations that it needs before it: called functions, places, and tables."""
    text = "\n".join(parts)
    words = set(WORD.findall(text))
    names = ", ".join(f"{name} = {unit.places.known[name]}" for name in sorted(set(PLACE.findall(text))))
    declared = dict(sorted(unit.prototypes.items(), key=lambda one: one[1]))
    declared |= {one.name: f"{one.head};" for one in functions}
    declared |= {f"find_{name}": f"int find_{name}({FINDING});" for name in sorted(unit.finds)}
    tables = [one for one in unit.write.definitions() if _table_of(one) in words]
    return "\n".join(
        [
            f"enum {{THIS_UNIT = {unit.number}}};",
            f"enum {{{names}}};" if names else "",
            *(one for name, one in declared.items() if name in words),
            *tables,
            text,
        ]
    )


def _table_of(text: str) -> str:
    return text.partition("[")[0].split()[-1]


def _run(unit: Unit) -> str:
    cases, back = "\n".join([*unit.cases, *unit.takes]), "\n".join(unit.ways_back())
    return f"""{back}
static int run(R *r) {{
int32_t *const m = r->m;
ptrdiff_t fp = r->fp;
int pc = r->pc;
(void)m;
for (;;) {{
switch (pc) {{
{cases}
default:
if (pc >> UNIT_BITS != THIS_UNIT) LEAVE(pc);
r->unfit |= UNFIT_STOPPED; return GIVEN_UP;
}}
dispatch: __attribute__((unused));
if (--r->budget < 0) GIVE_UP(UNFIT_ENDLESS);
}}
}}"""


FRAME = (
    "const int32_t *const m = r->m, *const e = r->st + r->fp + HEADER; const int fp = r->fp; "
    "(void)m; (void)e; (void)fp;"
)


def _asking(unit: Unit) -> str:
    """Return the functions that answer questions about the choice point of the run."""

    def switch(head: str, cases: list[str], end: str) -> str:
        lines = "\n".join(cases)
        chosen = f"switch (r->pc) {{\n{lines}\ndefault: break;\n}}" if cases else ""
        return f"static {head} {{\nenum {{cur = 0}};\n{FRAME}\n{chosen}\n{end}\n}}"

    return "\n".join(
        (
            switch("int decider(R *r)", unit.deciders, "return -1;"),
            switch("void context(R *r)", unit.contexts, ""),
            switch("int ends(R *r)", unit.ends, "return 0;"),
            switch("void look(R *r, int at, uint64_t said, int depth, int count)", unit.looks, ""),
        )
    )


def _export(unit: Unit) -> str:
    places = unit.places
    first = unit.number << UNIT_BITS
    rows, says = [], {text.partition(":")[0] for text in unit.contexts}
    for place in range(first, first + places.sizes.get(unit.number, 0)):
        number, pc = places.at[place]
        row = _place_row(places, number, pc)
        row[-2] |= 128 * (f"case {places.name(places.routines[number], pc)}" in says)
        rows.append(f"{{{', '.join(map(str, row))}}}")
    table = ",\n".join(rows) or "{0}"
    name = f"unit_{unit.number}"
    return (
        f"static const Place table[] = {{\n{table}\n}};\n"
        f"const Unit {name} = {{run, decider, context, ends, look, table, {len(rows)}}};"
    )


def _place_row(places: Places, number: int, pc: int) -> list[int]:
    routine = places.routines[number]
    one = routine.instructions[pc]
    flags, take = 0, 0
    if isinstance(one, ChoicePoint):
        take = places.known[places.take(routine, pc)]
        flags = 1 | 2 * one.ends | 4 * bool(one.unless) | 8 * one.by_chance | 16 * (one.base == "token")
        flags |= 32 * isinstance(one, PickAnswer) | 64 * ((number, pc) in places.looked)
        offers = isinstance(one, PickBranch) and one.declined >= 0 and routine.origin == "hook"
        flags |= 256 * (offers or isinstance(one, PickAnswer)) | 512 * isinstance(one, PickMember)
        flags |= 2048 * (isinstance(one, PickBranch) and one.in_window)
    plain = places.known[places.name(routine, pc)]
    return [
        take,
        plain,
        number,
        pc,
        int(one.failure),
        int(places.failure(routine, pc + 1)),
        flags,
        _dead(places, number, pc),
    ]


def _dead(places: Places, number: int, pc: int) -> int:
    """Return the cells of a frame that nothing reads from an instruction on, as bits."""
    matters = places.program.mattering
    found = matters.dead[places.routines[number].name][pc] if matters.anyones else ()
    return sum(1 << places.cells[number][one] for one in found if places.cells[number][one] < CELLS_TOLD)


# ---- the machine


def _tables(program: Program, places: Places, routines: list[str]) -> list[str]:
    """Return the tables of all routines and hooks."""
    hooks = program.hooks
    lapses = [int(one.hook.stage == "after" and one.hook.carrier >= 0) for one in hooks]
    setups = [places.known[places.name(one, 0)] for one in program.setups.values()]
    return [
        *document_definitions(program.layout),
        *routines,
        array("routine_size", [cells[-1] for cells in places.cells], "int16_t"),
        array("hook_is_certain", [int(one.certain) for one in hooks], "int8_t"),
        array("hook_is_optional", [int(one.hook.optional) for one in hooks], "int8_t"),
        array("hook_lapses", lapses, "int8_t"),
        array("hook_routine", [places.number[one.routine.name] for one in hooks], "int16_t"),
        *_lists(places),
        array("routine_is_games", [int(_is_games(program, one)) for one in places.routines], "int8_t"),
        array("routine_lapses", [_lapses(program, one) for one in places.routines], "int8_t"),
        *_values(program, places),
        array("setup_places", setups, "int32_t"),
        *_anyones(program, places),
        *_block_places(program, places),
    ]


def _values(program: Program, places: Places) -> Iterator[str]:
    """Yield the tables of the values that stages of events save: the cells of a frame, each with one of the memory."""
    fields, first, rows, ending = roomy(program.layout).fields, list[int](), list[int](), list[int]()
    for routine in places.routines:
        first.append(len(rows))
        ending.append(routine.ending)
        for place, number in routine.values:
            rows += [places.cell(routine, place), fields[number]]
        rows.append(NOTHING)
    yield array("routine_first_value", first, "int32_t")
    yield array("routine_values", rows, "int32_t")
    yield array("routine_ending", ending, "int16_t")


def _anyones(program: Program, places: Places) -> Iterator[str]:
    """Yield two tables: the texts that any equal piece can carry out, and the documents that are tested."""
    matters, asked, first = program.mattering, list[int](), []
    for routine in places.routines:
        first.append(len(asked))
        asked += (*sorted(matters.asking(routine) if matters.anyones else ()), NOTHING)
    turns = [turn_of(one) if one.name in matters.anyones else None for one in places.routines]
    cells = [
        places.cell(one, turn) if turn is not None else NOTHING
        for one, turn in zip(places.routines, turns, strict=True)
    ]
    yield array("routine_is_anyones", [int(one.name in matters.anyones) for one in places.routines], "int8_t")
    yield array("routine_turn", cells, "int16_t")
    yield array("turn_is_first", [int(turn_is_first(one)) for one in places.routines], "int8_t")
    yield array("routine_first_asked", first, "int16_t")
    yield array("asked_documents", asked, "int16_t")


def _block_places(program: Program, places: Places) -> Iterator[str]:
    """Yield the table of each kind of block: its first place on each document; -1 if a document lacks it."""
    for number, name in enumerate(places.blocks):
        found = [places.known[places.name(row[name], 0)] if name in row else -1 for row in program.blocks]
        found += [-1] * (roomy(program.layout).documents - len(found))
        yield array(f"block_places_{number}", found, "int32_t")


def _block_looks(program: Program, places: Places) -> Iterator[str]:
    """Yield the tables of each kind of block: each document's functions, one that lists options and one that tests."""
    yield "struct R;\ntypedef void Look(struct R *, int, uint64_t, int);\ntypedef int Trial(struct R *, int);"
    for number, name in enumerate(places.blocks):
        for kind, prefix, table in (("Look", "on", "looks"), ("Trial", "able", "trials")):
            on = [f"{prefix}_{places.name(row[name], 0)}" if name in row else "" for row in program.blocks]
            yield "\n".join(f"{kind} {one};" for one in on if one)
            found = [one or "NULL" for one in on] + ["NULL"] * (roomy(program.layout).documents - len(on))
            yield f"{kind} *const block_{table}_{number}[] = {{{', '.join(found)}}};"


def _machine_text(program: Program, places: Places, units: list[Unit], head: list[str]) -> str:
    """Return the text of the machine itself."""
    play = places.known[places.name(program.play, 0)] if program.play is not None else 0
    opening = places.known[places.name(program.opening, 0)]
    numbers = f"enum {{UNITS = {len(units)}, PLAY = {play}, OPENING = {opening}}};"
    declared = "\n".join(f"extern const Unit unit_{unit.number};" for unit in units)
    listed = ", ".join(f"&unit_{unit.number}" for unit in units)
    return "\n".join(
        [
            *head,
            runtime("unit.h"),
            numbers,
            declared,
            f"static const Unit *const units[] = {{{listed}}};",
            runtime("machine.c"),
        ]
    )


def _lists(places: Places) -> Iterator[str]:
    """Yield the tables of the lists and queues of routines: the first cell, the length, and whether it is a queue."""
    rows, first = list[int](), list[int]()
    for routine, cells in zip(places.routines, places.cells, strict=True):
        first.append(len(rows))
        for variable, base in enumerate(routine.bases):
            if base in LISTS or base == "queue":
                rows += (cells[variable], cells[variable + 1] - cells[variable], int(base == "queue"))
        rows.append(-1)
    yield array("routine_lists", rows, "int16_t")
    yield array("routine_first_list", first, "int32_t")


def _is_games(program: Program, routine: Routine) -> bool:
    return routine.verb < 0 or program.acts[routine.verb].verb.by == "game"


def _lapses(program: Program, routine: Routine) -> int:
    """Return the rank in which a text lapses if it proves impossible; 0 if it cannot lapse."""
    if routine.verb >= 0 and program.acts[routine.verb].verb.by == "game":
        return 0
    return next((number for number, origins in enumerate(LEFT_OUT, 1) if routine.origin in origins), 0)


__all__ = ["RUNTIME", "CSource", "choice_points", "generate", "runtime"]
