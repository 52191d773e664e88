"""C made of parts of the rules, beside the results of the reference machine for the same parts."""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import shutil
import subprocess
import tempfile
from array import array
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache, cached_property, partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest

import warchest
from warchest.engine.evaluation import Evaluator
from warchest.engine.machine import machine_of
from warchest.engine.plain_steps import PLAIN
from warchest.engine.runs import Frame, Run, frames
from warchest.ir import steps as orders
from warchest.ir import values as ir
from warchest.ir.parts import nodes_in
from warchest.ir.values import NOTHING, SET_VARIABLES
from warchest.lowering.code import LISTS, Plain
from warchest.lowering.layout import LIVE, Layout
from warchest.lowering.program import Program
from warchest.native import definitions, expressions
from warchest.native.expressions import Expressions
from warchest.native.memory_transfer import Border
from warchest.native.plain_code import plain
from warchest.native.unfit import Unfit
from warchest.source.text import Span

T = TypeVar("T")
RUNTIME = Path(expressions.__file__).parent
SKIRMISH = Path(__file__).parent / "skirmish"
"""The folder of a small game."""
MEMBERS, VARIABLES, HEADER, HOOKS = 4096, 96, 4, 8
SANITIZED = (
    "-O0",
    "-fsanitize=address,undefined",
    "-fno-sanitize=null,object-size,pointer-overflow",
    "-fno-sanitize-recover=all",
    "-fsanitize-undefined-trap-on-error",
    "--param",
    "asan-instrumentation-with-call-threshold=0",
)
"""The flags for sanitizers, in short code: calls and traps; an access by a pointer that is wrong is found as such."""
SANITIZING = {"ASAN_OPTIONS": "detect_leaks=0:handle_sigill=1"}
"""The environment for sanitized code, with reports of traps."""
ENDS = {None: 0, "FAIL": 1, "DONE": 2, "HORIZON": 3}
SIGNALS = "volatile int signalled; int watch(void) { return 0; }"
MACROS = """\
#define ROUTINE_AT(place) (place)
#define NONE 0
#define STOP(signal, place) return signal
#define STOP_IF_CERTAIN(place) ((void)0)
#define FINISHED return DONE
#define NOTED(r) 1
"""
VALUES = (
    ir.Var,
    ir.Const,
    ir.FieldOf,
    ir.Latest,
    ir.Earliest,
    ir.Trail,
    ir.Attribute,
    ir.Bearing,
    ir.Distance,
    ir.SheetNumber,
    ir.SheetName,
    ir.Parameter,
    ir.PerDocument,
    ir.Sum,
    ir.Size,
)
CONDITIONS = (
    ir.Compare,
    ir.All,
    ir.Any,
    ir.Not,
    ir.Exists,
    ir.Tagged,
    ir.Listed,
    ir.KindIs,
    ir.Bears,
    ir.Upholds,
    ir.HeldIn,
    ir.Apart,
    ir.Passable,
    ir.CausedBy,
    ir.Happening,
)


def compiler() -> str:
    """The C compiler; without one the test is skipped."""
    found = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if not found:
        pytest.skip("there is no C compiler")
    return found


class Made:
    """The libraries compiled in this run of the tests, also by other processes of it; each is compiled once."""

    folder: Path | None = None

    @classmethod
    def once(cls, parts: Sequence[str], compile_to: Callable[[Path], None]) -> Path:
        """Return the library for some texts and flags, which `compile_to` makes where it is not there yet."""
        if cls.folder is None:
            cls.folder = Path(tempfile.mkdtemp())
        target = cls.folder / sha256("\0".join(parts).encode()).hexdigest() / "made.so"
        target.parent.mkdir(exist_ok=True)
        with open(target.parent / "lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not target.is_file():
                compile_to(target)
        return target


@contextmanager
def compiled_in(folder: Path) -> Iterator[None]:
    """Keep the code that is compiled in the block in a folder of its own."""
    before, Made.folder = Made.folder, folder
    try:
        yield
    finally:
        Made.folder = before


def once_a_run(compare: Callable[..., Found]) -> Callable[..., Found]:
    """Let a comparison be made once in a run of the tests, however many processes ask for the result."""

    def called(*given: str) -> Found:
        def write(target: Path) -> None:
            found = compare(*given)
            told = {"differences": found.differences, "met": dict(found.met), "refused": found.refused}
            target.write_text(json.dumps(told), encoding="utf-8")

        told = json.loads(Made.once([compare.__name__, *given], write).read_text(encoding="utf-8"))
        return Found(told["differences"], Counter(told["met"]), told["refused"])

    return called


def compiled(text: str, *flags: str) -> Path:
    """Compile C to a shared library; a warning is an error."""
    command = [compiler(), "-std=gnu11", "-Wall", "-Werror", "-fPIC", "-shared", f"-I{RUNTIME}", *flags]
    runtime = [path.read_text(encoding="utf-8") for path in sorted(RUNTIME.glob("*.[ch]"))]

    def compile_to(target: Path) -> None:
        source = target.with_name("tried.c")
        source.write_text(text, encoding="utf-8")
        told = subprocess.run([*command, "-o", str(target), str(source)], capture_output=True, text=True, check=False)
        assert told.returncode == 0, told.stderr[:4000]

    return Made.once([text, *command, *runtime], compile_to)


# ---- what is compared


@dataclass(frozen=True)
class Part:
    """A part of the rules: a value, a condition or a set, with its variables, each with its base."""

    node: Any
    variables: tuple[tuple[int, str], ...]
    instead: tuple[tuple[int, str], ...]
    """The C for variables of sets around it: variables of the frame after all others."""


def free_in(node: Any) -> dict[int, str]:
    """The variables that a part uses and that it does not go through itself, each with its base."""
    parts = nodes_in(node)
    own = {one.var.id for one in parts if isinstance(one, ir.Set)}
    own |= {one.between.id for one in parts if isinstance(one, ir.Passable)}
    depths = {one.depth for one in parts if isinstance(one, ir.Happening)}
    found = {one.id: one.base for one in parts if isinstance(one, ir.Var) and one.id not in own}
    return {number: base for number, base in found.items() if event_depth(number) not in depths}


def event_depth(number: int) -> int:
    return (number - ir.EVENT_VARIABLES) // ir.EVENT_WIDTH


def parts_of(roots: Iterable[Any], trails: Container[int] = ()) -> list[Part]:
    """All different values, conditions and sets in some rules, those of the variables alone left out."""
    seen: set[tuple[type, Any]] = set()
    found = []
    for root in roots:
        for node in nodes_in(root):
            if not isinstance(node, (*VALUES, *CONDITIONS, ir.Set)) or isinstance(node, ir.Var | ir.Trail):
                continue
            if isinstance(node, ir.FieldOf) and node.field in trails:
                # A trail is read, and changed, step by step only.
                continue
            key = type(node), node
            if key in seen:
                continue
            seen.add(key)
            free = free_in(node)
            behind = [number for number in sorted(free) if number >= SET_VARIABLES]
            places = {number: VARIABLES - 1 - at for at, number in enumerate(behind)}
            variables = tuple((places.get(number, number), base) for number, base in sorted(free.items()))
            found.append(Part(node, variables, tuple((n, f"e[{at}]") for n, at in places.items())))
    return found


def shape_of(node: Any) -> Any:
    """Return the kinds of the parts of a part or a step, without the numbers and names in it."""
    if isinstance(node, tuple):
        return tuple(map(shape_of, node))
    if is_dataclass(node) and not isinstance(node, Span):
        return type(node), *(shape_of(getattr(node, one.name)) for one in fields(node))
    # Whether a line is straight makes another shape, and so does a sign, or the question about a value.
    return node if node is None or isinstance(node, bool | str) else type(node)


def of_each_shape(found: Iterable[T], node_of: Callable[[T], Any]) -> list[T]:
    """Return those whose nodes are the first ones of their shapes."""
    first: dict[Any, T] = {}
    for one in found:
        first.setdefault(shape_of(node_of(one)), one)
    return list(first.values())


def roots_of(program: Program) -> list[Any]:
    """Everything in the rules of a program that is used when it is played."""
    ruleset = program.ruleset
    found: list[Any] = [routine.instructions for routine in program.routines.values()]
    for verb in ruleset.verbs:
        found += [verb.domains, verb.forbidden, [one.applies for one in verb.definitions]]
    found += [[hook.condition for hook in ruleset.hooks], [rule.among for rule in ruleset.state_rules]]
    found += [list(ruleset.limits.values()), list(ruleset.measures.values())]
    found.append([condition for _, _, condition in ruleset.impossible])
    return found


# ---- C


def machine_text(program: Program, write: Expressions, functions: Sequence[str]) -> str:
    """The whole text: the base of the runtime, the runtime, the tables and some functions."""
    routines = list(program.routines.values())
    head = [
        *definitions.layout_definitions(program.layout),
        *definitions.routine_definitions(routines, lambda one: definitions.cells_of(program.layout, one, HOOKS)),
    ]
    return "\n".join(
        [
            MACROS,
            "#define WIDE_FRAMES 0",
            *head,
            '#include "effects.c"',
            SIGNALS,
            *definitions.document_definitions(program.layout),
            *write.definitions(),
            *functions,
            EXPORTS,
        ]
    )


EXPORTS = """\
long machine_size(void) { return sizeof(R); }
int cells(void) { return CELLS; }
int32_t *memory_of(R *r) { return r->m; }
int32_t *stack_of(R *r) { return r->st; }
void read_sheets(R *r, const int32_t *sheets) { r->sheets = sheets; }
void begin(R *r) { r->changed = r->unfit = 0; derive(r); }
int changes(R *r) { return (int)r->changed; }
int unfit(R *r) { return (int)r->unfit; }
void undo(R *r) { unwind(r, 0); }
int derived(R *r) {
  static R other;
  memcpy(other.m, r->m, sizeof r->m);
  derive(&other);
  return !memcmp(other.m, r->m, sizeof r->m);
}
int call(R *r, int which, int fp, int cur, int32_t *e, int32_t *out) { return FUNCTIONS[which](r, fp, cur, e, out); }
"""
HEAD = "(R *r, int fp, int cur, int32_t *e, int32_t *out)"
UNUSED = "(void)r; (void)fp; (void)cur; (void)e; (void)out; const int32_t *m = r->m; (void)m;"


def function(name: str, body: str) -> str:
    return f"static int {name}{HEAD} {{{UNUSED} {body}}}"


def part_body(write: Expressions, part: Part) -> str:
    """The body of the function for a part: the value, or of a set its size, and its members."""
    write = write.reading(dict(part.instead)) if part.instead else write
    if isinstance(part.node, ir.Set):
        var = write.value(part.node.var)
        body = (
            f"int n = 2; out[0] = {write.size(part.node)}; out[1] = {write.exists(part.node)}; "
            f"{write.loop(part.node, f'out[n++] = {var};')} return n;"
        )
    elif isinstance(part.node, VALUES):
        body = f"return {write.value(part.node)};"
    else:
        body = f"return !!{write.condition(part.node)};"
    return body


def step_body(write: Expressions, one: Plain) -> str:
    """The body of the function for a plain step."""
    return f"{plain(write, one)} return NONE;"


def steps_of(program: Program) -> list[tuple[Any, int]]:
    """All plain steps of a program, each with its routine and its number in there."""
    return [
        (routine, number)
        for routine in program.routines.values()
        for number, one in enumerate(routine.instructions)
        if isinstance(one, Plain)
    ]


@cache
def texts_of(known: Any) -> set[tuple[Any, str]]:
    """Return all parts and plain steps of a program, each with its C."""
    program = Program(known.given, known.board)
    write = Expressions(program.layout)
    parts = parts_of(roots_of(program), write.trails.rows)
    steps = [routine.instructions[number] for routine, number in steps_of(program)]
    return {*((one, part_body(write, one)) for one in parts), *((one, step_body(write, one)) for one in steps)}


class Native:
    """A library with its machine."""

    def __init__(self, path: Path, layout: Layout, sheets: Sequence[int], routines: Sequence[str]) -> None:
        self.library = ctypes.CDLL(str(path))
        for name in ("memory_of", "stack_of"):
            getattr(self.library, name).restype = ctypes.POINTER(ctypes.c_int32)
        self.library.machine_size.restype = ctypes.c_long
        self.machine = ctypes.create_string_buffer(self.library.machine_size() + 64)
        self.layout, self.numbers = layout, {name: number for number, name in enumerate(routines)}
        self.border = Border(layout)
        assert self.border.cells == self.library.cells()
        self.sheets = (ctypes.c_int32 * len(sheets))(*sheets)
        self.library.read_sheets(self.machine, self.sheets)
        self.memory = self.library.memory_of(self.machine)
        self.stack = self.library.stack_of(self.machine)
        self.out = (ctypes.c_int32 * MEMBERS)()

    def load(self, memory: Sequence[int], top: Frame | None) -> tuple[int, int]:
        """Put a memory and a stack into the machine; return the frame and the number of the innermost routine."""
        words = self.border.inward(memory)
        ctypes.memmove(self.memory, array("i", words).tobytes(), 4 * len(words))
        self.library.begin(self.machine)
        place, at, routine = 0, -1, -1
        for frame in reversed(list(frames(top))):
            self.put(place, [at, routine, 0, -1, *cells_in(self.layout, frame)])
            at, routine = place, self.numbers[frame.code.name]
            place += HEADER + definitions.cells_of(self.layout, frame.code, HOOKS)[-1]
        return at, routine

    def push(self, top: Frame | None) -> tuple[int, list[int]]:
        """Put the innermost frame above those of the machine; return its place and its variables."""
        below = list(frames(top))[1:]
        sizes = [HEADER + definitions.cells_of(self.layout, frame.code, HOOKS)[-1] for frame in below]
        place, at = sum(sizes), sum(sizes[1:]) if sizes else -1
        assert top is not None
        cells = cells_in(self.layout, top)
        self.put(place, [at, self.numbers[below[0].code.name] if below else -1, 0, -1, *cells])
        return place, cells

    def put(self, place: int, cells: Sequence[int]) -> None:
        for offset, cell in enumerate(cells):
            self.stack[place + offset] = cell

    def variables(self, top: Frame | None) -> list[list[int]]:
        """The variables of all frames in the machine, the outermost first."""
        place, found = 0, []
        for frame in reversed(list(frames(top))):
            count = definitions.cells_of(self.layout, frame.code, HOOKS)[-1]
            found.append(self.stack[place + HEADER : place + HEADER + count])
            place += HEADER + count
        return found

    def cells(self) -> list[int]:
        """All cells of the machine, those after the layout too."""
        return list(self.memory[: self.border.cells])

    def call(self, which: int, fp: int, cur: int, env: Any) -> int:
        return int(self.library.call(self.machine, which, fp, cur, env, self.out))


def cells_in(layout: Layout, frame: Frame) -> list[int]:
    """The variables of a frame as cells: lists and queues take several."""
    at = definitions.cells_of(layout, frame.code, HOOKS)
    found = [0] * at[-1]
    for place, base, value in zip(at, frame.code.bases, frame.env, strict=False):
        row = [value] if isinstance(value, int) else list(value)
        if base == "queue":
            row = [0] if isinstance(value, int) else [len(value), *(one for pair in value for one in pair)]
        elif base in LISTS:
            row = [0, 0] if isinstance(value, int) else [value[0], len(value) - 1, *value[1:]]
        found[place : place + len(row)] = row
    return found


# ---- games


def skirmish_on_squares(folder: Path, rows: str, *changes: tuple[str, str], more: str = "") -> warchest.Game:
    """Load the small game on a board of squares, from files in a folder that have further changes and documents."""
    for file in SKIRMISH.glob("*.yaml"):
        shutil.copy(file, folder)
    documents = folder / "documents.yaml"
    text = documents.read_text(encoding="utf-8")
    board = ("shape: hexes", "shape: squares"), ("{a: 3-5, b: 2-5, c: 1-5, d: 1-4, e: 1-3}", f"{{{rows}}}")
    for old, new in (*board, *changes):
        assert old in text
        text = text.replace(old, new)
    documents.write_text(text + more, encoding="utf-8")
    return warchest.load(folder)


@dataclass(frozen=True)
class Moment:
    """A memory and a stack of a game in progress."""

    memory: list[int]
    top: Frame | None


def moments(states: Iterable[warchest.State], seed: int, most: int = 400, each: int = 7) -> Iterator[Moment]:
    """Play games at random; yield the memory at each `each`-th decision."""
    rng = Random(seed)
    for state in states:
        state.silent = True
        for number in range(most):
            decision = state.decision
            if decision is None:
                break
            if number % each == 0:
                yield Moment(list(state.run.memory), state.run.top)
            state.apply(decision.sample(rng))


def value_of(layout: Layout, base: str, memory: Sequence[int], rng: Random) -> int:
    """A random value of a base, more often one that means something; -1 is nothing."""
    spaces, documents = len(layout.board.spaces), layout.documents
    if rng.random() < 0.08:
        return -1
    match base:
        case "space":
            return rng.randrange(spaces)
        case "piece":
            live = [piece for piece in range(layout.room) if memory[LIVE] >> piece & 1]
            return rng.choice(live) if live and rng.random() < 0.95 else rng.randrange(layout.room)
        case "token":
            lying = [at for at in range(layout.holders * documents) if memory[layout.tokens + at]]
            return rng.choice(lying) if lying and rng.random() < 0.9 else rng.randrange(documents)
        case "document":
            return rng.randrange(len(layout.ruleset.sheets))
    most = {
        "player": layout.players,
        "team": layout.teams,
        "direction": len(layout.board.directions),
        "flag": 2,
        "manner": len(layout.ruleset.manners),
    }.get(base)
    return rng.randrange(most) if most else rng.randrange(-2, 12)


# ---- both of them


class Pair:
    """A program in C and in the reference machine: all values, conditions and sets, and all plain steps.

    Those that another program `known` has as well are left out, if they give the same C. If it is `sparse`, there
    is one of each shape.
    """

    def __init__(
        self,
        program: Any,
        roots: Sequence[Any] = (),
        steps: Sequence[Any] = (),
        only: bool = False,
        flags: Sequence[str] = ("-O0",),
        known: Any = None,
        sparse: bool = False,
    ) -> None:
        self.program = Program(program.given, program.board)
        self.machine = machine_of(self.program)
        self.layout: Layout = self.program.layout
        write = Expressions(self.layout)
        self.parts = parts_of([*([] if only else roots_of(self.program)), *roots], write.trails.rows)
        self.steps = [] if only else steps_of(self.program)
        # Steps that no game has are done where another step is.
        place = next(
            (one, at)
            for one in self.program.routines.values()
            if one.origin == "verb" and one.bases[3] == "piece"
            for at, step in enumerate(one.instructions)
            if isinstance(step, Plain)
        )
        self.made = {len(self.steps) + at: step for at, step in enumerate(steps)}
        self.steps += [place for _ in steps]
        there = texts_of(known) if known is not None else set()
        bodies = {number: step_body(write, self.instruction(number)) for number in range(len(self.steps))}
        self.compared = [number for number in bodies if (self.instruction(number), bodies[number]) not in there]
        """The numbers of the steps that are compared; any of them lead to moments that no game has reached."""
        if sparse:
            self.parts = of_each_shape(self.parts, lambda one: one.node)
            self.compared = of_each_shape(self.compared, lambda number: self.instruction(number).step)
        written = [(part, part_body(write, part)) for part in self.parts]
        written = [one for one in written if one not in there]
        self.parts = [part for part, _ in written]
        functions = [function(f"part_{at}", body) for at, (_, body) in enumerate(written)]
        functions += [function(f"step_{number}", bodies[number]) for number in self.compared]
        names = [f"part_{number}" for number in range(len(self.parts))]
        names += [f"step_{number}" for number in self.compared]
        functions.append(f"static int (*const FUNCTIONS[]){HEAD} = {{{', '.join(names)}}};")
        self.path = compiled(machine_text(self.program, write, functions), *flags)
        self.native = Native(self.path, self.layout, write.sheets.numbers(), list(self.program.routines))
        self.trails = write.trails.rows
        self.codes = {code.name: code for code in program.ruleset.codes()}

    def instruction(self, number: int) -> Plain:
        routine, pc = self.steps[number]
        one = routine.instructions[pc]
        assert isinstance(one, Plain)
        return replace(one, step=self.made[number]) if number in self.made else one

    def run_at(self, moment: Moment) -> Run:
        run = Run(self.machine, list(moment.memory), moment.top)
        run.silent = True
        return run

    @cached_property
    def reference(self) -> list[Callable[[Run, Any], Any]]:
        """For each part the result of the reference machine."""
        found = []
        for part in self.parts:
            binder = Evaluator(self.layout)
            binder.writer = binder.writer.reading(dict(part.instead))
            if isinstance(part.node, ir.Set):
                found.append(_of_set(binder, part.node))
            else:
                found.append(binder.value(part.node) if isinstance(part.node, VALUES) else binder.test(part.node))
        return found

    @cached_property
    def operations(self) -> list[Any]:
        """For each plain step the operation of the reference machine."""
        return [partial(_carried_out, self.instruction(number)) for number in range(len(self.steps))]


def _carried_out(one: Plain, run: Run, env: Any) -> Any:
    return PLAIN[type(one.step)](run, env, one)


def _of_set(binder: Evaluator, node: ir.Set) -> Callable[[Run, Any], Any]:
    size, gather = binder.value(ir.Size(node)), binder.members(node)
    exists = binder.test(ir.Exists(node, node.span))
    return lambda run, env: [size(run, env), int(exists(run, env)), *gather(run, env)]


# ---- the comparison


@dataclass
class Found:
    """The result of a comparison: differences, and how often each kind of part was met."""

    differences: list[str] = field(default_factory=list)
    met: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    """How often the reference machine itself could not evaluate some variables."""


def variables_for(pair: Pair, bases: Sequence[str], memory: Sequence[int], rng: Random) -> tuple[int, ...]:
    return tuple(-1 if base == "queue" or base in LISTS else value_of(pair.layout, base, memory, rng) for base in bases)


def compare_parts(pair: Pair, moment: Moment, rng: Random, found: Found) -> None:
    """Compare every value, condition and set, with variables at random."""
    run = pair.run_at(moment)
    fp, cur = pair.native.load(moment.memory, moment.top)
    env, cells = [-1] * VARIABLES, (ctypes.c_int32 * VARIABLES)()
    for number, part in enumerate(pair.parts):
        for at, base in part.variables:
            env[at] = cells[at] = value_of(pair.layout, base, moment.memory, rng)
        run.spent = 0
        try:
            wanted = pair.reference[number](run, env)
        except (ValueError, IndexError):
            # A missing player has no properties; no text of the games asks for them.
            found.refused += 1
            continue
        got: Any = pair.native.call(number, fp, cur, cells)
        if isinstance(part.node, ir.Set):
            got = list(pair.native.out[:got])
        elif isinstance(part.node, CONDITIONS):
            wanted = int(bool(wanted))
        found.met[type(part.node).__name__] += 1
        found.met.update(type(part.node.members).__name__ for _ in (1,) if isinstance(part.node, ir.Set))
        if got != wanted:
            found.differences.append(
                f"{part.node!r} with {[(at, env[at]) for at, _ in part.variables]}: {got}, not {wanted}"
            )


def compare_steps(pair: Pair, moment: Moment, rng: Random, found: Found, most: int = 12) -> None:
    """Compare some plain steps one after another, each in a frame of its own, and their undo."""
    native, run = pair.native, pair.run_at(moment)
    native.load(moment.memory, moment.top)
    before = native.cells()
    for _ in range(rng.randrange(1, most)):
        which = rng.randrange(len(pair.compared))
        number = pair.compared[which]
        routine, pc = pair.steps[number]
        step: Any = pair.instruction(number).step
        env, top = variables_for(pair, routine.bases, run.memory, rng), run.top
        moved = [env[one.id] for one in (step.piece, step.other)] if isinstance(step, orders.SwapPlaces) else []
        if any(one >= 0 and not run.memory[LIVE] >> one & 1 for one in moved):
            continue  # no variable holds a piece that has left the board
        kept = list(run.memory), len(run.log)
        run.push(routine, env)
        run.pc = pc + 1
        place, _ = native.push(run.top)
        try:
            stop = pair.operations[number](run, run.env)
        except (ValueError, IndexError):
            found.refused += 1
            run.memory[:] = kept[0]
            del run.log[kept[1] :]
            run.put_back(top)
            continue
        at = ctypes.cast(ctypes.addressof(native.stack.contents) + 4 * (place + HEADER), ctypes.POINTER(ctypes.c_int32))
        got = native.call(len(pair.parts) + which, place, native.numbers[routine.name], at)
        if native.library.unfit(native.machine):
            # A trail of a missing player is no row of steps.
            assert env[0] == NOTHING or step.field not in pair.trails
            break
        found.met[type(step).__name__] += 1
        ended = getattr(stop, "name", None)
        wrong = got != ENDS[ended] or native.border.outward(native.cells()) != run.memory
        if wrong or not native.library.derived(native.machine):
            found.differences.append(f"{step!r} with {env}: {got}, not {ended}, or another memory")
            break
        if ended == "DONE":
            break
        if native.variables(run.top) != [cells_in(pair.layout, one) for one in reversed(list(frames(run.top)))]:
            found.differences.append(f"{step!r} with {env}: other variables")
            break
        run.put_back(run.parent)
        if misplaced(pair.layout, run.memory):
            break
    native.library.undo(native.machine)
    if native.cells() != before:
        found.differences.append("another memory after an undo")


def misplaced(layout: Layout, memory: Sequence[int]) -> bool:
    """Whether a token is where none of its kind can be."""
    ruleset, rows = layout.ruleset, list[tuple[range, tuple[str, ...]]]()
    for zone, holders in zip(ruleset.zones, layout.zones, strict=True):
        rows.append((range(holders.first, holders.first + holders.owners * holders.faces), (zone.holds,)))
    first = layout.first_piece_holder
    rows.append((range(first, first + layout.room), tuple(kind.holds for kind in ruleset.kinds)))
    for numbers, nouns in rows:
        least, most = layout.documents_of(nouns)
        for holder in numbers:
            counts = [memory[cell] for cell in layout.holder_cells(holder)]
            if any(counts[:least]) or any(counts[most:]):
                return True
    return False


def changed(pair: Pair, moment: Moment, rng: Random, steps: int = 10) -> Moment:
    """A moment that no game has reached: some plain steps have been done at random."""
    run, there = pair.run_at(moment), len(pair.steps) - len(pair.made)
    for _ in range(steps if there else 0):
        number = rng.randrange(there)
        routine, pc = pair.steps[number]
        kept, top = list(run.memory), run.top
        run.push(routine, variables_for(pair, routine.bases, run.memory, rng))
        run.pc = pc + 1
        try:
            stop = pair.operations[number](run, run.env)
            assert getattr(stop, "name", "") != "DONE" and not misplaced(pair.layout, run.memory)
            pair.native.border.inward(run.memory)
        except (ValueError, IndexError, AssertionError, Unfit):
            run.memory[:] = kept
            run.put_back(top)
            continue
        run.put_back(run.parent)
    return Moment(list(run.memory), run.top)


def compare(pair: Pair, states: Iterable[warchest.State], seed: int, count: int) -> Found:
    """Compare everything at that many moments of some games, and as often at moments that no game has reached."""
    rng, found = Random(seed), Found()
    for moment in islice(moments(states, seed), count):
        for one in (moment, changed(pair, moment, rng)):
            compare_parts(pair, one, rng, found)
            for _ in range(4):
                compare_steps(pair, one, rng, found)
    return found
