"""A run of the machine: memory, stack, and the loop that carries out operations until somebody must choose.

What is being carried out stands in registers (code, next operation, variables); what waits below it is a chain of
immutable frames. So a moment is saved by keeping a few references, and put back by assigning them; every change of
the memory goes onto a trail, from which it is undone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from textwrap import shorten
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, get_args

from warchest.machine.layout import ENDED
from warchest.machine.moments import Leg
from warchest.rules.values import NOTHING, Base

if TYPE_CHECKING:
    from warchest.machine.program import Program
    from warchest.machine.risk import Risk
    from warchest.machine.sites import Site

Env: TypeAlias = tuple[Any, ...]
Outs: TypeAlias = tuple[tuple[int, int], ...]


class Frame(NamedTuple):
    """Pending work: what waits below it, its code, the next operation, its variables.

    `outs` says which of its variables go into which variables of the frame below when it is done.
    """

    parent: Frame | None
    code: Routine
    pc: int
    env: Env
    outs: Outs


ROWS: dict[str, str] = {f"{base}s": base for base in get_args(Base)}
"""The kinds of values that are what is left of a set in a loop, with the kind of its members.

In front of these stands whether one has been taken already.
"""
MENTIONING = ("piece", "token", "pieces", "tokens", "queue")
"""The kinds of values that can name pieces, or tokens that pieces are made of."""


class Routine:
    """Code made ready to run. `risky[pc]` tells whether what is left from there on can fail."""

    __slots__ = (
        "bases", "begun", "calls", "event", "holding", "inside", "known", "loops", "mentions", "name", "ops", "origin",
        "risky", "rounds", "size", "spans", "stages", "tokens", "verb",
    )  # fmt: skip

    def __init__(self, name: str, origin: str, verb: int, size: int, bases: tuple[str, ...]) -> None:
        self.name, self.origin, self.verb, self.size = name, origin, verb, size
        self.event = verb if origin == "verb" else -1
        """The verb of which this is what happens; -1 where it is none."""
        self.stages = False
        """Whether these are the stages of an event, around the body of an act."""
        self.of_bases(bases)
        self.ops: list[Op] = []
        self.calls: list[Op] = []
        """The operations once more, as what is called quickest: functions and bound methods."""
        self.spans: list[Any] = []
        self.risky: list[Risk] = []
        self.rounds: set[int] = set()
        """The operations with which another round of a loop begins."""
        self.begun: dict[int, list[Begun]] = {}
        """Whatever can be under way above this while it waits before an operation, by the number of that."""
        self.holding = range(0)
        """The operations before which these stages may hold back what follows at once."""
        self.known: list[frozenset[int]] = []
        """For each operation the variables that have been chosen whenever it is come to."""
        self.loops: list[tuple[int, int, int]] = []
        """The loops over sets: the first and the last operation of a round, and the variable with what is left."""

    def of_bases(self, bases: tuple[str, ...]) -> None:
        """Say of what kind of value each variable is."""
        self.bases = bases
        self.tokens = tuple(place for place, base in enumerate(bases) if base == "token")
        self.mentions = tuple(place for place, base in enumerate(bases) if base in MENTIONING)
        """The variables that can name pieces, or tokens that pieces are made of."""
        self.inside = any(bases[place] != "piece" for place in self.mentions)
        """Whether pieces can be named within what a variable holds."""

    def clause(self, pc: int) -> Any:
        """Return the text of an operation; behind the last one that of the whole."""
        return self.spans[min(pc, len(self.spans) - 1)]

    def add(self, op: Op, span: Any, risk: Risk, known: frozenset[int] = frozenset()) -> int:
        """Add an operation and return its number; `known` are the variables that have been chosen before it."""
        self.ops.append(op)
        self.known.append(known)
        self.calls.append(callable_of(op))
        self.spans.append(span)
        self.risky.append(risk)
        return len(self.ops) - 1

    def waits(self, place: int, for_any: Callable[[], Iterable[Routine]], outs: Outs = ()) -> None:
        """Say what can be under way above this while it waits before an operation, and what comes back of it."""
        self.begun.setdefault(place, []).append((for_any, outs))

    def put(self, place: int, op: Op) -> None:
        """Put an operation in the place of another one."""
        self.ops[place], self.calls[place] = op, callable_of(op)

    def call_instead(self, op: Op, made: Op) -> None:
        """Call what has been made of an operation, wherever that would be called."""
        this = callable_of(op)
        self.calls[:] = [made if one == this else one for one in self.calls]


def callable_of(op: Op) -> Op:
    """Return an operation as what is called quickest."""
    return op if isinstance(op, FunctionType | MethodType) else MethodType(type(op).__call__, op)


class Signal:
    """Why the machine stopped where nobody has to choose."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


FAIL = Signal("fail")
"""What is ordered cannot be done."""
DONE = Signal("done")
"""The game is over."""
EDGE = Signal("edge")
"""A trial has reached the end of what it is about; the run stands before what would come next."""
SURE = Signal("sure")
"""A trial has passed the last thing that could fail."""
OPEN = Signal("open")
"""The option that is walked ends here, and whether what follows can be completed is left open."""

NO_END = Signal("no end")
"""The obstacle of work that does not come to an end, as far as a trial has followed it."""

Stop: TypeAlias = "Signal | Site"
Op: TypeAlias = Callable[["Run", Env], "Stop | None"]
Begun: TypeAlias = tuple[Callable[[], Iterable[Routine]], Outs]
"""Some routines of which one can be under way above another, and which of its variables come back into which."""
Note: TypeAlias = tuple[str, str, int]
"""One thing that an option says: a role with its value, of a base; or a verb, under one of the keys in VERBS.

A role is under its own key where it is chosen; where it is settled, SETTLED stands behind that.
"""
SETTLED = "?"
"""Ends the key of a role that nobody chooses: it need not be said where it says nothing new."""
VERBS = frozenset(("act", "act?", "kind", "within"))
"""Keys of notes that name no thing: an act; one that names an option only if nothing else does; a kind of act that
was chosen; that a document's own text takes over."""
WITHIN: Note = ("within", "", 0)
"""Says that a document's own text takes over."""
DECLINED = "decline"
"""The act of not taking an offer."""
Mark: TypeAlias = tuple[Any, ...]
OWN = ("hook", "block")
"""The origins of what documents say by themselves, with nobody ordering it by a word of the rules."""
MANY = "there are too many ways to go on"
"""The fault where there is more to choose from, or to try, than anybody could look at."""
BUDGET = 200_000
"""How many operations may come between two choices."""
TRIALS = 20
"""How many trials can be within each other; no sensible rules need as many."""
PATIENCE = 50_000
"""How many of them a trial carries out before it takes it that there is no end."""
ROUND = 1000
"""How many more are looked at to tell what goes round; no loop of sensible rules is as long."""
ENOUGH = 400_000
"""How much work is done whenever something is asked of a state, in operations; the games need some hundreds."""
TRY = 8
"""How many operations a choice counts for that looking ahead comes to."""

SILENT = -1
"""What `telling` is where the log is told of nothing."""

IDLE = Routine("idle", "game", -1, 0, ())
"""The code of a run that has nothing left to do."""
IDLE.ops.append(lambda run, env: DONE)
IDLE.calls.append(IDLE.ops[0])


def frames(top: Frame | None) -> Iterator[Frame]:
    """Yield a frame and all that waits below it, the innermost first."""
    while top is not None:
        yield top
        top = top.parent


class Overfull(RuntimeError):
    """More pieces, or more bonuses that end, than a state has room for."""


class EndlessError(RuntimeError):
    """The rules go round in circles, or there is more to choose from than anybody could look at.

    `clause` is the text that does so, as far as it is known.
    """

    def __init__(self, clause: Any = None, what: str = "the rules do not come to an end") -> None:
        text = shorten(" ".join(clause.text.split()), 100, placeholder=" …") if clause is not None else ""
        super().__init__(f'{what}: "{text}" ({clause.path}:{clause.line}:{clause.column})' if text else what)
        self.clause, self.what = clause, what

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.clause, self.what)

    def data(self) -> dict[str, Any]:
        """Return it JSON-ready: the fault, and the text that causes it, with its place."""
        clause = self.clause
        if clause is None:
            return {"reason": str(self), "clause": "", "file": "", "line": 0}
        text = " ".join(clause.text.split())
        return {"reason": str(self), "clause": text, "file": clause.path, "line": clause.line}


class DeadEndError(EndlessError):
    """An order in the rules of a game that cannot be carried out, and that stands in no text that could be left out."""

    def __init__(self, clause: Any = None, what: str = "the game orders what cannot be done") -> None:
        super().__init__(clause, what)


class DeepError(EndlessError):
    """Trials go deeper and deeper within each other: the work that they look into cannot be done."""


class Run:
    """The state of a game under way, with what a trial needs to be taken back.

    `trying` counts trials within each other, `joined` tells whether choices still belong to the option that is
    walked, `notes` what that option has said so far. `hasty` is the trial that leaves open what follows options,
    `keeping` how many trials deep it is what really happens, or what a trial keeps. The log is told of that and of no
    more: `telling` is the same, or SILENT.
    """

    __slots__ = (
        "below", "candidates", "catalogue", "code", "env", "events", "failure", "hasty", "joined", "keeping", "leg",
        "memory", "notes", "outs", "parent", "pc", "program", "spent", "telling", "trail", "trying",
    )  # fmt: skip

    def __init__(self, program: Program, memory: list[int], top: Frame | None = None) -> None:
        self.program, self.memory, self.catalogue = program, memory, program.catalogue
        self.leg = Leg()
        self.trail = self.leg.changes
        """The changes of this leg, at hand because every change goes there."""
        self.notes: list[Note] = []
        self.events: list[tuple[Any, ...]] = []
        self.candidates: Sequence[int] = ()
        self.trying, self.keeping, self.telling, self.joined, self.hasty = 0, 0, 0, False, 0
        self.spent = 0
        """The work done since something was asked of the state, in operations."""
        self.failure: Any = None
        """The obstacle when something last failed: a site without candidates, a rule, or NO_END."""
        self.parent: Frame | None = None
        self.below: tuple[Frame | None, bool] = (None, False)
        """What waits below, and whether it can fail, as it was asked last."""
        self.code, self.pc, self.env, self.outs = IDLE, 0, (), ()  # type: Routine, int, Env, Outs
        self.put_back(top)

    # ---- the stack

    @property
    def top(self) -> Frame | None:
        """All pending work, the innermost first; None when there is none."""
        if self.code is IDLE:
            return None
        return Frame(self.parent, self.code, self.pc, self.env, self.outs)

    def put_back(self, frame: Frame | None) -> None:
        """Make a frame, with all that waits below it, what is being carried out."""
        if frame is None:
            self.parent, self.code, self.pc, self.env, self.outs = None, IDLE, 0, (), ()
        else:
            self.parent, self.code, self.pc, self.env, self.outs = frame

    def push(self, code: Routine, env: Env, outs: Outs = ()) -> None:
        """Begin a routine; what is being carried out waits for it."""
        # The constructor of a named tuple costs three times as much, and this is the hottest place of all.
        self.parent = tuple.__new__(Frame, (self.parent, self.code, self.pc, self.env, self.outs))
        self.code, self.pc, self.env, self.outs = code, 0, env, outs

    def replace(self, code: Routine, env: Env) -> None:
        """Begin a routine in the place of what is being carried out."""
        self.code, self.pc, self.env = code, 0, env

    def put(self, place: int, value: Any) -> None:
        """Give a variable a value."""
        env = self.env
        self.env = env[:place] + (value,) + env[place + 1 :]

    def begin(self, routine: Routine) -> None:
        """Begin a routine of the game itself, with nothing waiting below it."""
        self.put_back(Frame(None, routine, 0, (NOTHING,) * routine.size, ()))

    # ---- the memory

    def set(self, cell: int, value: int) -> None:
        """Change a cell; the old value goes onto the trail."""
        self.trail.append((cell, self.memory[cell]))
        self.memory[cell] = value

    def go_on(self) -> None:
        """Begin another leg: what has been done until now is not taken back any more."""
        leg = self.leg.after = Leg()
        self.leg, self.trail = leg, leg.changes

    def look_through(self, members: Sequence[int]) -> Sequence[int]:
        """Return the members of a set that is looked through again and again, and count what that costs."""
        self.tick(1 + (len(members) >> 3))
        return members

    def tick(self, work: int, clause: Any = None) -> None:
        """Count work; raises EndlessError, about a clause, where it comes to more than anybody could wait for."""
        self.spent += work
        if self.spent > ENOUGH:
            raise EndlessError(clause or self.clause, MANY)

    def mark(self) -> Mark:
        """Return what `undo` needs to come back to this moment."""
        return (
            self.parent, self.code, self.pc, self.env, self.outs, self.joined, len(self.trail), len(self.notes),
        )  # fmt: skip

    def undo(self, mark: Mark) -> None:
        """Take back everything since `mark`."""
        self.parent, self.code, self.pc, self.env, self.outs, self.joined, length, notes = mark
        if len(self.trail) > length:
            self.unwind(length)
        del self.notes[notes:]

    def unwind(self, length: int) -> None:
        """Take back the changes of the memory that stand on the trail from a place on."""
        memory, trail = self.memory, self.trail
        for cell, value in reversed(trail[length:]):
            memory[cell] = value
        del trail[length:]

    def go(self) -> Stop:
        """Carry out operations until somebody must choose, the game is over, or something cannot be done.

        Where somebody must choose the run stands at the site, which has seen to that itself. Work that does not come to
        an end cannot be done: a trial fails with it, and in play EndlessError is raised.
        """
        memory, trying = self.memory, self.trying
        if memory[ENDED]:
            return DONE
        try:
            for done in range(PATIENCE if trying else BUDGET):
                pc = self.pc
                self.pc = pc + 1
                stop = self.code.calls[pc](self, self.env)
                if stop is not None:
                    self.spent += done
                    return stop
        except RecursionError:
            # Trials within trials that have no end are given up as a whole, or each would be tried again and again.
            if not 0 < trying < TRIALS:
                raise (DeepError if trying else EndlessError)(self._recurring or self.clause) from None
        if trying:
            self.trying, self.failure = trying, NO_END
            self.spent += PATIENCE
            return FAIL
        raise EndlessError(self._gone_round())

    @property
    def clause(self) -> Any:
        """The text that is being carried out, as a place in a file: one of a document's own before one of the rules."""
        under_way = [frame for frame in frames(self.top) if frame.code.spans]
        usual = under_way[0] if under_way else None
        frame = next((one for one in under_way if one.code.origin in OWN), usual)
        return frame.code.clause(frame.pc) if frame is not None else None

    @property
    def failed(self) -> Any:
        """The text of the operation that has just failed, as a place in a file; the run stands behind it."""
        return self.code.clause(max(self.pc - 1, 0)) if self.code.spans else None

    @property
    def _recurring(self) -> Any:
        """The longest text that waits for itself to be done, if any does: one of a document's own before others."""
        waiting = Counter((frame.code, frame.pc) for frame in frames(self.parent) if frame.code.spans)
        spans = [(code.origin in OWN, code.clause(pc - 1)) for (code, pc), times in waiting.items() if times > 1]
        told = [(own, len(span.text), span) for own, span in spans if span is not None]
        return max(told, key=lambda one: one[:2])[2] if told else None

    def _gone_round(self) -> Any:
        """Return the longest text that comes up again and again when the rules are carried on for a while.

        What a document says of its own is told before what it uses of the rules.
        """
        seen: dict[tuple[Routine, int], int] = {}
        for _ in range(ROUND):
            here = self.code, self.pc
            self.pc += 1
            if here[0].calls[here[1]](self, self.env) is not None:
                break
            seen[here] = seen.get(here, 0) + 1
        # Behind what is done stands what has it done again.
        again = [(code, span) for (code, pc), times in seen.items() if times > 1 for span in code.spans[pc : pc + 2]]
        told = [(code.origin in OWN, len(span.text), span) for code, span in again if span is not None]
        return max(told, key=lambda one: one[:2])[2] if told else None
