"""What is given for a time made ready to run: bonuses, and what prevails over what was so before."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from warchest.machine import grants
from warchest.machine.binding import Binder, Evaluate
from warchest.machine.layout import DOCUMENT
from warchest.machine.run import Env, Op, Run, Stop
from warchest.rules import steps as ir
from warchest.rules.values import Parameter

if TYPE_CHECKING:
    from warchest.machine.program import Program


class GrantBinder(Binder):
    """Binds the steps that give something to a piece, and those that take it away again."""

    def __init__(self, program: Program, code: ir.Code) -> None:
        super().__init__(program.layout)
        self.program, self.code = program, code

    def change(self, change: Callable[[Run, Env], None], piece: Evaluate | None = None) -> Op:
        """Return an operation that changes something; it lapses where its piece has left the board."""
        program = self.program

        def op(run: Run, env: Env) -> Stop | None:
            if piece is not None and piece(run, env) < 0:
                program.events.lapse(run, run.code.spans[run.pc - 1])
            else:
                change(run, env)
            return None

        return op

    def grants(self, step: ir.Grant | ir.Prevail | ir.EndGrants) -> Op:
        """Return the operation of a step that gives something for a time, or ends that."""
        match step:
            case ir.Grant():
                return self._grant(step)
            case ir.Prevail():
                return self._prevail(step)
            case ir.EndGrants():
                return self._end_grants(step)

    def _prevail(self, step: ir.Prevail) -> Op:
        which, this, you, layout = self.value(step.piece), self.value(step.this), self.value(step.you), self.layout
        value, field = self.value(step.value), step.field

        def change(run: Run, env: Env) -> None:
            piece, new = which(run, env), value(run, env)
            grants.prevail(run, layout, step.clause, piece, field, new, this(run, env), you(run, env))
            if run.trying == run.telling:
                run.events.append(("field", step.span, (field, self.program.told(run, piece)), new))

        return self.change(change, which)

    def _grant(self, step: ir.Grant) -> Op:
        which, this, you, layout = self.value(step.piece), self.value(step.this), self.value(step.you), self.layout
        bonus = bonus_of(self, step.bonus)

        def change(run: Run, env: Env) -> None:
            piece, (what, amount) = which(run, env), bonus(run, env)
            if step.clause < 0:
                grants.add(run, layout, piece, what, amount)
            else:
                grants.grant(run, layout, step.clause, piece, what, amount, this(run, env), you(run, env))
            if run.trying == run.telling:
                run.events.append(("raised by", step.span, (self.program.told(run, piece), what), amount))

        return self.change(change, which)

    def _end_grants(self, step: ir.EndGrants) -> Op:
        test, layout = self.test(step.when), self.layout

        def change(run: Run, env: Env) -> None:
            for record in grants.records(run.memory, layout):
                memory = run.memory
                if memory[record] != step.clause + 1:
                    continue
                if test(run, (memory[record + grants.BY], memory[record + grants.YOU], *env[2:])):
                    piece, what, amount = memory[record + 1 : record + 4]
                    grants.end(run, layout, record)
                    if run.trying == run.telling and what >= 0:
                        run.events.append(("raised by", step.span, (self.program.told(run, piece), what), -amount))
                    elif run.trying == run.telling:
                        field = layout.ruleset.prevailing[-1 - what]
                        now = memory[layout.piece(piece) + layout.piece_field[field]]
                        run.events.append(("field", step.span, (field, self.program.told(run, piece)), now))

        return self.change(change)


def bonus_of(binder: Binder, bonus: ir.Raise | Parameter) -> Callable[[Run, Env], tuple[int, int]]:
    """Return the function that says what a bonus raises, and by how much."""
    layout = binder.layout
    match bonus:
        case ir.Raise(what, amount):
            evaluate = binder.value(amount)
            return lambda run, env: (what, evaluate(run, env))
        case Parameter(document, index, of):
            piece, filled = binder.value(of), ("bonus", document, index)
            return lambda run, env: run.catalogue[filled][run.memory[layout.piece(piece(run, env)) + DOCUMENT]]
