"""A run of the machine: memory, stack, undo log, and the loop that carries out instructions.

The code under way is in registers (code, next instruction, variables); the work below it is a chain of immutable
frames. So a moment is saved by keeping a few references, and restored by assigning them; every change of the memory
goes onto the undo log.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import Enum
from textwrap import shorten
from typing import Any, NamedTuple, Protocol, TypeAlias

from warchest.engine.history import Happened
from warchest.ir.ruleset import Rule, Ruleset
from warchest.ir.steps import MakeTokens, MoveAll, MoveToken, SetField
from warchest.ir.values import NOTHING
from warchest.lowering.code import OWN, Act, Announcement, CallAct, ChoicePoint, Note, Outs, Routine
from warchest.lowering.failure import Failure
from warchest.lowering.gone import digits_of
from warchest.lowering.layout import DOCUMENT, ENDED, NATURE, SCRATCH, LastKnown
from warchest.lowering.program import Program
from warchest.source.text import Span

Env: TypeAlias = tuple[Any, ...]

BUDGET = 200_000
"""The most instructions between two choices."""
TRIALS = 20
"""The greatest depth of nested look-aheads; no sensible rules need as many."""
PATIENCE = 50_000
"""The instruction budget of one look-ahead; beyond it, the rules are assumed not to terminate."""
ROUND = 1000
"""The number of further instructions followed to identify a loop; no loop of sensible rules is as long."""
ENOUGH = 400_000
"""The budget of instructions for one query of a state; the games need some hundreds."""
LOOK = 10_000
"""The number of instructions after which the watcher of long work is called again."""
TRY = 8
"""The cost of a choice within a look-ahead, in instructions."""
ENDLESS = "the rules do not terminate"
MANY = "there are too many ways to go on"
"""The fault if there are more candidates or paths than the budget allows."""


class _LongWork:
    """The function that watches long work; it may raise an exception to interrupt it."""

    look: Callable[[], None] | None = None
    unseen = 0
    """The number of instructions in queries that have ended, since the function was called."""

    @classmethod
    def watch(cls) -> None:
        """Call the function."""
        cls.unseen = 0
        if cls.look is not None:
            cls.look()


@contextmanager
def watched_by(look: Callable[[], None]) -> Iterator[None]:
    """Call a function from time to time during long work in a block; it may raise an exception to interrupt the work.

    Work before the outermost block does not count.
    """
    before, _LongWork.look = _LongWork.look, look
    if before is None:
        _LongWork.unseen = 0
    try:
        yield
    finally:
        _LongWork.look = before


class Frame(NamedTuple):
    """Pending work: the frame below it, the code, the next instruction, the variables, and the copy-out."""

    parent: Frame | None
    code: Routine
    pc: int
    env: Env
    outs: Outs


class Signal(Enum):
    """The reasons why the machine stops where no choice is pending."""

    FAIL = "an order cannot be carried out"
    DONE = "the game is over"
    HORIZON = "a look-ahead has reached its end; the run is before the next instruction"
    CERTAIN = "a look-ahead has passed the last thing that could fail"
    OPEN = "the present option ends here, and it is open whether the rest can be completed"


FAIL, DONE, HORIZON, CERTAIN, OPEN = Signal.FAIL, Signal.DONE, Signal.HORIZON, Signal.CERTAIN, Signal.OPEN
NO_END = "no end"
"""The obstacle that pending work does not end within the budget of a look-ahead."""
Stop: TypeAlias = Signal | ChoicePoint
Handler: TypeAlias = Callable[["Run", Env, Any], "Stop | None"]
"""A function that carries out one kind of instruction; it returns None to go on."""
Mark: TypeAlias = tuple[Any, ...]
FENCED = -1
"""The first part of the copy-out of a routine that a look-ahead tries only up to a fence; the second is the fence."""
IDLE = Routine("idle", "game", -1, ())
"""The code of a run that has nothing left to do."""


def ordering_at(code: Routine, pc: int) -> Span | None:
    """Return the text that ordered the act that code is waiting for, by its next instruction; None without an order."""
    return code.instructions[pc - 1].span if pc > 0 else None


def frames(top: Frame | None) -> list[Frame]:
    """Return a frame and all frames that wait below it, the innermost first."""
    found = list[Frame]()
    while top is not None:
        found.append(top)
        top = top.parent
    return found


class Overfull(RuntimeError):
    """More pieces, or more bonuses that end, than a state has room for."""


class EndlessError(RuntimeError):
    """The rules do not terminate, or there are more choices than the budget allows.

    `clause` is the text that causes this, if it is known.
    """

    def __init__(self, clause: Any = None, what: str = ENDLESS) -> None:
        text = shorten(clause.one_line, 100, placeholder=" …") if clause is not None else ""
        super().__init__(f'{what}: "{text}" ({clause.path}:{clause.line}:{clause.column})' if text else what)
        self.clause, self.what = clause, what

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.clause, self.what)

    def data(self) -> dict[str, Any]:
        """Return the error JSON-ready: the fault, and the text that causes it, with its place."""
        clause = self.clause
        if clause is None:
            return {"reason": str(self), "clause": "", "file": "", "line": 0}
        text = clause.one_line
        return {"reason": str(self), "clause": text, "file": clause.path, "line": clause.line}


class DeadEndError(EndlessError):
    """An order in the rules of a game that cannot be carried out, and that is in no text that could be skipped."""

    def __init__(self, clause: Any = None, what: str = "the game orders something impossible") -> None:
        super().__init__(clause, what)


class DeepError(EndlessError):
    """Look-aheads nest without end: the work that they try cannot be carried out."""


class Choice(Protocol):
    """The behaviour of a machine at a kind of choice point; the run is at it, unless a method says otherwise."""

    def candidates(self, run: Run, env: Env, point: Any) -> Sequence[int]:
        """Return the candidates, without looking further ahead."""

    def take(self, run: Run, point: Any, candidate: int) -> Signal | None:
        """Store a candidate; the run must be after the point."""

    def decider(self, run: Run, point: Any) -> int:
        """Return the player who chooses; -1 for chance."""

    def context(self, run: Run, point: Any) -> list[Note]:
        """Return the notes that are settled already: the act, and the roles that are filled."""

    def said(self, run: Run, point: Any, candidate: int) -> tuple[Note, ...]:
        """Return the notes of an option about a candidate."""


Onlooker: TypeAlias = Callable[["Run", Act, Env], None]
"""A function that is called for each event, with act and roles, before its body begins and after any replacement."""


class Functions(Protocol):
    """Values, conditions and sets as functions of a run and variables."""

    @property
    def known(self) -> Mapping[int, Callable[..., Any]]:
        """The functions made so far, by the identity of their nodes: a look-up here spares frequent callers a call."""

    def value(self, node: Any) -> Callable[[Run, Env], int]:
        """Return the function of a value."""

    def test(self, node: Any) -> Callable[[Run, Env], bool]:
        """Return the function of a condition."""

    def members(self, node: Any) -> Callable[[Run, Env], Sequence[int]]:
        """Return the function of a set; pieces are in the order of their numbers."""

    def all_of(self, node: Any) -> Callable[[Run, Env], Sequence[int]]:
        """Return the function that lists the things that the members of a set are chosen from."""

    def filter(self, node: Any, var: Any) -> Callable[[Run, Env, int], bool]:
        """Return the function of a condition of a set, for one thing."""

    def of_each(self, node: Any, var: Any) -> Callable[[Run, Env, int], int]:
        """Return the function of a value for one thing of a set."""

    def row(self, nodes: Any) -> Callable[[Run, Env], Env]:
        """Return the function of several values in a row."""

    def order(self, order: CallAct) -> Callable[[Run, Env], tuple[Env, Sequence[Note]]]:
        """Return the function of the variables of an order, and of its notes for an option."""

    def notes(self, announcement: Announcement) -> Callable[[Run, Env], Sequence[Note]]:
        """Return the function of the notes of an order for an option."""

    def holder(self, step: MoveAll | MakeTokens) -> Callable[[Run, Env], int]:
        """Return the function of the holder that the tokens of a step go into, with the face that they get there."""

    def moving(self, step: MoveToken) -> Callable[[Run, Env], tuple[int, int]]:
        """Return the function of the token that a step moves, and of the holder that it goes into."""

    def setting(self, step: SetField) -> Callable[[Run, Env], tuple[int, int]]:
        """Return the function of the cell of the field that a step sets, and of the new value."""


@dataclass(slots=True, eq=False)
class Machine:
    """The machine of a program: its code, a handler for each kind of instruction, and functions of expressions."""

    program: Program
    functions: Functions
    handlers: Mapping[type, Handler] = field(default_factory=dict)
    choices: Mapping[type, Choice] = field(default_factory=dict)

    def having(self, ruleset: Ruleset) -> Machine:
        """Return a machine for the same code, with more sheets (which have no texts) in the slots reserved for them."""
        return replace(self, program=self.program.having(ruleset))


class Run:
    """The state of a game under way, with the records needed to undo changes.

    `lookahead` is the depth of nested look-aheads, `in_option` whether choices still belong to the option under way,
    and `notes` the description of that option so far. `hasty` is the look-ahead that leaves open the work after
    options (0: none does). `declining`: whether offers of answers count as declined; `alone`: whether the work
    below the answer under way is ignored; `shown`: whether tokens were shown to a player since the run was made.
    """

    __slots__ = (
        "alone",
        "below",
        "candidates",
        "catalogue",
        "code",
        "declining",
        "due",
        "env",
        "failure",
        "hasty",
        "history",
        "in_option",
        "log",
        "lookahead",
        "machine",
        "memory",
        "notes",
        "onlooker",
        "outs",
        "parent",
        "pc",
        "program",
        "refusing",
        "shown",
        "silent",
        "spent",
    )

    def __init__(self, machine: Machine, memory: list[int], top: Frame | None = None) -> None:
        self.machine, self.program, self.memory = machine, machine.program, memory
        self.catalogue = machine.program.catalogue
        self.log: list[tuple[int, int]] = []
        """The undo log: cells with their old values."""
        self.notes: list[Note] = []
        self.history: list[Happened] = []
        self.candidates: Sequence[int] = ()
        self.lookahead, self.hasty, self.in_option, self.silent = 0, 0, False, False
        self.declining = self.alone = self.shown = False
        self.spent, self.due = 0, min(LOOK, ENOUGH)
        """The number of instructions since work began, and the number at which the work is checked next."""
        self.onlooker: Onlooker | None = None
        """The callback for each event as its body begins; copies have none."""
        self.refusing: Onlooker | None = None
        """The observer of each act that a rule forbids, even if the act is only tried."""
        self.failure: ChoicePoint | Rule | str | None = None
        """The obstacle of the last failure: a choice without candidates, a rule, NO_END, or the step itself."""
        self.below: tuple[Frame | None, bool] = (None, False)
        """The work that waits below, and the last answer to whether it can fail."""
        self.parent: Frame | None = None
        self.code, self.pc, self.env, self.outs = IDLE, 0, (), ()  # type: Routine, int, Env, Outs
        self.put_back(top)

    def on(self, machine: Machine) -> Run:
        """Return the same run on another machine for the same program; it goes on with its history."""
        other = Run(machine, self.memory, self.top)
        other.history, other.silent = self.history, self.silent
        return other

    # ---- the stack

    @property
    def top(self) -> Frame | None:
        """All pending work, the innermost first; None when there is none."""
        if self.code is IDLE:
            return None
        return Frame(self.parent, self.code, self.pc, self.env, self.outs)

    def put_back(self, frame: Frame | None) -> None:
        """Make a frame, with all frames that wait below it, the work under way."""
        if frame is None:
            self.parent, self.code, self.pc, self.env, self.outs = None, IDLE, 0, (), ()
        else:
            self.parent, self.code, self.pc, self.env, self.outs = frame

    def push(self, code: Routine, env: Env, outs: Outs = ()) -> None:
        """Begin a routine; the work under way waits for it. Variables without a value are NOTHING."""
        # The constructor of a named tuple costs three times as much, and this is the hottest place of all.
        self.parent = tuple.__new__(Frame, (self.parent, self.code, self.pc, self.env, self.outs))
        missing = len(code.bases) - len(env)
        self.code, self.pc, self.env, self.outs = code, 0, env + (NOTHING,) * missing if missing else env, outs

    def replace(self, code: Routine, env: Env) -> None:
        """Replace the routine under way by another one."""
        missing = len(code.bases) - len(env)
        self.code, self.pc, self.env = code, 0, env + (NOTHING,) * missing if missing else env

    def put(self, place: int, value: Any) -> None:
        """Set a variable."""
        env = self.env
        self.env = env[:place] + (value,) + env[place + 1 :]

    def begin(self, routine: Routine) -> None:
        """Begin a routine of the game itself, with nothing waiting below it."""
        self.put_back(Frame(None, routine, 0, (NOTHING,) * len(routine.bases), ()))

    # ---- the memory

    def set(self, cell: int, value: int) -> None:
        """Change a cell; the old value goes onto the undo log."""
        self.log.append((cell, self.memory[cell]))
        self.memory[cell] = value

    def mark(self) -> Mark:
        """Return the mark that `undo` needs to return to this moment."""
        return (self.parent, self.code, self.pc, self.env, self.outs, self.in_option, len(self.log), len(self.notes))

    def undo(self, mark: Mark) -> None:
        """Take back all changes since `mark`."""
        self.parent, self.code, self.pc, self.env, self.outs, self.in_option, length, notes = mark
        log = self.log
        if len(log) > length:
            memory = self.memory
            for cell, value in reversed(log[length:]):
                memory[cell] = value
            del log[length:]
        del self.notes[notes:]

    # ---- the log of events

    def tell(
        self, kind: Callable[..., Happened], clause: Span | None, *told: object, cause: Span | None = None
    ) -> None:
        """Add an event to the history, unless it is only tried: the clause that did it, and the cause of its act.

        Callers with costly details check first whether the event is only tried (`lookahead`).
        """
        if not self.lookahead and not self.silent:
            self.history.append(kind(clause, cause or self.ordering, *told))

    @property
    def ordering(self) -> Span | None:
        """The text that ordered the act, or began the hook, that is under way; None if there is no such text."""
        below = self.parent
        return ordering_at(below.code, below.pc) if below is not None else None

    def meant(self, piece: int) -> LastKnown:
        """Return the last known facts about a piece, which identify it even if it has gone."""
        layout = self.program.layout
        if piece < 0:
            last = digits_of(layout)
            return last.document.of(piece), last.space.of(piece), last.nature.of(piece)
        first = layout.pieces + piece * layout.stride
        return tuple(self.memory[first + DOCUMENT : first + NATURE + 1])  # type: ignore[return-value]

    def memory_key(self) -> tuple[int, ...]:
        """Return the memory without the cells that take no part in equality."""
        memory = self.memory[:]
        for cell in SCRATCH:
            memory[cell] = 0
        return tuple(memory)

    # ---- what can fail

    def can_fail(self) -> bool:
        """Whether any pending work could turn out to be impossible."""
        failure = self.code.instructions[self.pc].failure
        if failure is not Failure.NEVER:
            return failure is Failure.MAY
        parent, outs = self.parent, self.outs
        if outs and outs[0][0] == FENCED:
            return False
        if self.below[0] is not parent:
            self.below = parent, _can_fail(parent)
        return self.below[1]

    # ---- work

    def tick(self, work: int, clause: Span | None = None, fault: str = MANY) -> None:
        """Count work; raises EndlessError, with a clause and a fault, if the budget is exceeded."""
        self.spent += work
        if self.spent > self.due:
            self._look_into_work(clause, fault)

    def _look_into_work(self, clause: Span | None, fault: str) -> None:
        """Raise EndlessError after too much work; before that, let the watcher of long work interrupt it."""
        if self.spent > ENOUGH:
            raise EndlessError(clause or self.clause, fault)
        self.due = min(self.spent + LOOK, ENOUGH)
        _LongWork.watch()

    def begin_work(self) -> None:
        """Restart the count of work at 0, for a new query of the state; many short queries are long work, too."""
        self.spent, self.due = 0, min(LOOK, ENOUGH)
        if _LongWork.unseen > LOOK:
            _LongWork.watch()

    def end_work(self) -> None:
        """Note the work of a query that has ended."""
        _LongWork.unseen += self.spent

    def look_through(self, members: Sequence[int]) -> Sequence[int]:
        """Return the members of a set that is enumerated repeatedly, and count the cost of that."""
        self.tick(1 + (len(members) >> 3))
        return members

    def step(self) -> Stop | None:
        """Carry out the next instruction."""
        pc = self.pc
        self.pc = pc + 1
        instruction = self.code.instructions[pc]
        return self.machine.handlers[type(instruction)](self, self.env, instruction)

    def go(self) -> Stop:
        """Carry out instructions up to a choice, the end of the game, or a failure.

        At a choice, the run waits at the choice point. Work that does not end is a failure: a look-ahead fails, and
        play raises EndlessError.
        """
        if self.memory[ENDED]:
            return DONE
        if self.code is IDLE:
            return DONE
        handlers, lookahead = self.machine.handlers, self.lookahead
        try:
            for done in range(PATIENCE if lookahead else BUDGET):
                pc = self.pc
                self.pc = pc + 1
                instruction = self.code.instructions[pc]
                stop = handlers[type(instruction)](self, self.env, instruction)
                if stop is not None:
                    self.spent += done
                    return stop
        except RecursionError:
            # Endless nested look-aheads are given up as a whole, or each would be tried again.
            if not 0 < lookahead < TRIALS:
                raise (DeepError if lookahead else EndlessError)(self._recurring or self.clause) from None
        if lookahead:
            self.lookahead, self.failure = lookahead, NO_END
            self.spent += PATIENCE
            return FAIL
        raise EndlessError(self._gone_round())

    # ---- whose text it is

    @property
    def clause(self) -> Span | None:
        """The text that is being carried out; a document's own text is preferred to a text of the rules."""
        under_way = [frame for frame in frames(self.top) if frame.code.has_text]
        usual = under_way[0] if under_way else None
        frame = next((one for one in under_way if one.code.origin in OWN), usual)
        return frame.code.clause(frame.pc) if frame is not None else None

    @property
    def failed(self) -> Span | None:
        """The text of the instruction that has just failed; the run is after it."""
        return self.code.clause(max(self.pc - 1, 0)) if self.code.has_text else None

    @property
    def _recurring(self) -> Span | None:
        """The longest text, if any, that waits for its own completion; a document's own text is preferred."""
        waiting = Counter((frame.code, frame.pc) for frame in frames(self.parent) if frame.code.has_text)
        return _longest((code, code.clause(pc - 1)) for (code, pc), times in waiting.items() if times > 1)

    def _gone_round(self) -> Span | None:
        """Return the longest text that recurs when the rules are carried on for a while.

        A document's own text is preferred to the rules that it uses.
        """
        seen: dict[tuple[Routine, int], int] = {}
        for _ in range(ROUND):
            here = self.code, self.pc
            if self.step() is not None:
                break
            seen[here] = seen.get(here, 0) + 1
        again = [here for here, times in seen.items() if times > 1]
        # The instruction after the one carried out orders it again.
        return _longest((code, one.span) for code, pc in again for one in code.instructions[pc : pc + 2])


def _longest(texts: Iterator[tuple[Routine, Span | None]]) -> Span | None:
    told = [(code.origin in OWN, len(span.text), span) for code, span in texts if span is not None]
    return max(told, key=lambda one: one[:2])[2] if told else None


def _can_fail(frame: Frame | None) -> bool:
    """Whether anything could turn out to be impossible in a frame after its present instruction, or in any frame below."""
    while frame is not None:
        failure = frame.code.instructions[frame.pc].failure
        if failure is not Failure.NEVER:
            return failure is Failure.MAY
        if frame.outs and frame.outs[0][0] == FENCED:
            return False
        frame = frame.parent
    return False
