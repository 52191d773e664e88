"""The operation that goes from an order to the act, as one Python function.

It is written when the order is first carried out: who does the act and what fills its roles is worked out, what the
order says is noted, and what comes first in the act, or in its event, is begun at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from warchest.machine.bind_changes import KEEPING, field_lines, mover
from warchest.machine.layout import DIRTY, HOLD
from warchest.machine.permits import UNSET
from warchest.machine.risk import anything_below_can_fail
from warchest.machine.run import Env, Frame, Op, Outs, Routine, Run, Stop
from warchest.rules import steps as ir
from warchest.rules.ruleset import AGENT, MANNER
from warchest.rules.values import NOTHING, Attribute, Const, Value, Var

if TYPE_CHECKING:
    from warchest.machine.acts import Act
    from warchest.machine.binding import Binder


def variables_of(act: Act, step: ir.Call) -> list[Value]:
    """Return what the variables of an act's frame are when it is ordered, as values of whoever orders it."""
    asked = {domain.role for domain in act.verb.domains}
    agent, *roles = [_settled(fill) for fill in (step.agent, *step.roles)]
    nothing = Const(NOTHING, "number")
    who = agent if agent is not None else nothing
    filled: list[Value] = [
        value if value is not None else Const(UNSET, "number") if number in asked else nothing
        for number, value in enumerate(roles)
    ]
    manner = Var(MANNER, "manner") if step.manner == ir.INHERITED else Const(step.manner, "manner")
    if act.verb.by == "piece":
        return [who, Attribute("decider", who, "player"), manner, who, *filled, nothing, step.decider]
    return [nothing, who, manner, who, *filled, nothing, step.decider]


def _settled(fill: ir.Fill) -> Value | None:
    """Return the value of a role that is filled before the act begins, else None."""
    if isinstance(fill, ir.Bound):
        return fill.value
    return fill.var if isinstance(fill, ir.Pick) else None


class Start:
    """The operation of an order; where nothing is to be chosen, it goes straight to the event of the act."""

    __slots__ = ("act", "begin", "binder", "bound", "notes", "outs", "paid", "routine", "step", "zones")

    def __init__(self, binder: Binder, routine: Routine, act: Act, step: ir.Call, outs: Outs, notes: str) -> None:
        self.binder, self.routine, self.act, self.step = binder, routine, act, step
        self.outs, self.notes = outs, notes
        values = [fill.value for fill in step.roles if isinstance(fill, ir.Bound)]
        self.bound = {value.id for value in values if isinstance(value, Var)}
        self.paid = -1
        """The variable of the token that this act only pays with, as `sharing` has found; -1: none."""
        layout = act.program.layout
        self.zones = layout.first_piece_holder * layout.documents
        self.begin: Op = self._first

    def __call__(self, run: Run, env: Env) -> Stop | None:
        """Begin the act; it lapses where a piece it is about has left the board, and fails where it is forbidden."""
        return self.begin(run, env)

    def _first(self, run: Run, env: Env) -> Stop | None:
        """Write the function, and let it take the place of the operation wherever that is called."""
        self.begin = self._written()
        self.routine.call_instead(self, self.begin)
        return self.begin(run, env)

    def announce(self) -> Callable[[Run, Env], None] | None:
        """Return the function that notes the order in an option; None where nothing is noted of it."""
        return self.binder.announce(self.notes)

    def _need_not_pay(self, run: Run, env: Env) -> bool:
        """Whether a trial can leave this out: nothing that is still to be chosen looks at where the token goes."""
        return run.joined and env[self.paid] < self.zones and not anything_below_can_fail(run)

    # ---- the function

    def _written(self) -> Op:
        name, lines = self.binder.writer.constant, list[str]()
        if self.paid >= 0:
            lines.append(f"if run.trying != run.keeping and {name(self._need_not_pay)}(run, e):")
            lines += [f" run.notes += {self.notes}"] if self.notes else []
            lines.append(" return None")
        begun, inner = self.begun(f"{name(self._lapse)}(run); return None")
        lines += begun
        lines += self._to_its_event() if self.act.direct else self._to_the_act(inner, bool(self.left_open))
        return self.binder.lines(lines)

    def begun(self, gone: str, known: int = NOTHING) -> tuple[list[str], str]:
        """Return the lines that work out the `roles` and note the order, and the variables of the act's frame.

        Where a piece that the act is about has left the board, the lines do what `gone` says. The variable `known` is
        what has been `chosen`.
        """
        *roles, way, chooser = self._variables()
        lines = [f"roles = ({', '.join(roles)},)"]
        fills = enumerate((self.step.agent, *self.step.roles), AGENT)
        living = [place for place, fill in fills if isinstance(fill, ir.Bound) and self.act.bases[place] == "piece"]
        if living:
            lines.append(f"if {' or '.join(f'roles[{place}] < 0' for place in living)}: {gone}")
        if self.notes:
            lines.append(f"if run.joined: run.notes += {self.notes}")
        filled = "*roles" if known < 0 else f"*roles[:{known}], chosen, *roles[{known + 1}:]"
        return lines, f"({filled}, {way}, {chooser})"

    @property
    def left_open(self) -> list[int]:
        """The variables of the act's frame that are still to be chosen when it begins."""
        values = enumerate(variables_of(self.act, self.step))
        return [place for place, value in values if isinstance(value, Const) and value.value == UNSET]

    def _variables(self) -> list[str]:
        """Return the expressions for the variables of the act's frame."""
        writer, act = self.binder.writer, self.act
        values = variables_of(act, self.step)
        texts = [writer.value(value) for value in values]
        if act.verb.by == "piece":
            now, then = writer.once(texts[AGENT])
            return [now, writer.decider(then), texts[MANNER], then, *texts[AGENT + 1 :]]
        return texts

    def _lapse(self, run: Run) -> None:
        self.act.program.events.lapse(run, self.step.span)

    def _pushed(self, routine: Routine, env: str, outs: Outs) -> list[str]:
        """Return the lines that begin a routine; as `Run.push` does, at the cost of one call less."""
        name = self.binder.writer.constant
        return [
            f"run.parent = {name(tuple.__new__)}({name(Frame)}, (run.parent, run.code, run.pc, e, run.outs))",
            f"run.code, run.env, run.outs = {name(routine)}, {env}, {name(outs)}",
        ]

    def _to_the_act(self, inner: str, is_open: bool) -> list[str]:
        """Return the lines that begin the frame of the act; whether it is forbidden is asked when it has its roles."""
        routine, first = self.act.routine, 1 if self.act.rules and is_open else 0
        calls = self.binder.writer.constant(routine.calls)
        return [
            *self._pushed(routine, inner, self.outs),
            f"run.pc = {first + 1}", f"return {calls}[{first}](run, run.env)",
        ]  # fmt: skip

    def _to_its_event(self) -> list[str]:
        """Return the lines that go on to the event, of which the act has only one kind."""
        act = self.act
        lines = [*act.forbidden(self.binder), *act.answered(self.binder, self._pushed_whole)]
        routine, env = act.body()
        return [*lines, *(self._at_once(env) if act.plain else [*self._pushed_whole(routine, env), "return None"])]

    def _pushed_whole(self, routine: Routine, env: str) -> list[str]:
        return [*self._pushed(routine, env, self.outs), "run.pc = 0"]

    def _at_once(self, env: str) -> list[str]:
        """Return the lines that carry out plain changes without a frame; nothing is asked or answered on the way."""
        name, steps = self.binder.writer.constant, self.act.verb.definitions[0].code.steps
        if not self.outs and not any(isinstance(step, ir.MoveToken) for step in steps):
            lines = [KEEPING, *(line for step in steps for line in self._written_out(step))]
        else:
            lines = [f"run.env = {env}", *(f"{name(op)}(run, run.env)" for op in self.act.plain)]
            if self.outs:
                lines += ["done, after = run.env, list(e)"]
                lines += [f"after[{target}] = done[{source}]" for source, target in self.outs]
            lines.append(f"run.env = {'tuple(after)' if self.outs else 'e'}")
        return [
            *lines,
            f"if m[{DIRTY}] and not m[{HOLD}]: run.push({name(self.act.program.events.settling)}, ())", "return None",
        ]  # fmt: skip

    def _written_out(self, step: ir.Order) -> list[str]:
        """Return the lines of a plain change, which need no variables but the `roles`."""
        writer = self.binder.writer.reading({number: f"roles[{number}]" for number in range(self.act.way_place)})
        match step:
            case ir.SetField():
                return field_lines(self.act.program, writer, step)
            case ir.MovePiece(piece, space):
                moved = writer.constant(mover(self.act.program, step))
                return [f"{moved}(run, {writer.value(piece)}, {writer.value(space)})"]
        return []


def pay_without_trying(routine: Routine, place: int) -> None:
    """Let trials leave out the acts of a definition that only pay with the token in the variable `place`."""
    for op in routine.ops:
        if isinstance(op, Start) and place in op.bound:
            op.paid = place
