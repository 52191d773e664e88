"""Plain steps made ready to run: tokens and pieces go somewhere, fields and variables get values, the game ends.

Each is one operation that asks nobody. What really happens (and is not only tried) goes into the log.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from warchest.machine import changes
from warchest.machine.bind_grants import GrantBinder
from warchest.machine.binding import Evaluate, Gather, Test
from warchest.machine.expressions import Writer, base_of
from warchest.machine.layout import ASK, DIRTY, ENDED, KIND, NOWHERE, ROUND, SPACE, TURN, WINNER
from warchest.machine.risk import anything_can_fail
from warchest.machine.run import DONE, EDGE, FAIL, SURE, Env, Op, Routine, Run, Signal, Stop
from warchest.rules import steps as ir
from warchest.rules.ruleset import MANNER
from warchest.rules.values import NOTHING
from warchest.source.text import Span

if TYPE_CHECKING:
    from warchest.machine.program import Program


def mover(program: Program, step: ir.MovePiece) -> Callable[[Run, int, int], None]:
    """Return what takes a piece to a space if both are there, and there is room; else the step lapses."""
    layout, events = program.layout, program.events

    def move(run: Run, piece: int, space: int) -> None:
        if piece < 0 or space < 0 or (
            changes.taken(run, layout, run.memory[layout.piece(piece) + KIND], space, piece)
        ):  # fmt: skip
            events.lapse(run, step.span)
            return
        if run.trying == run.telling:
            run.events.append(("moved", step.span, program.told(run, piece), space))
        changes.move_piece(run, layout, piece, space)

    return move


TOLD = "run.trying == run.telling"
"""Whether the log is told of what happens, as lines have it."""
KEEPING = "keep = run.trail.append"


def field_lines(program: Program, writer: Writer, step: ir.SetField) -> list[str]:
    """Return the lines that give a field a value, and tell the log of a change; in them `keep` adds to the trail."""
    of_piece, name = step.field in program.layout.piece_field, writer.constant
    cell, new = writer.cell(step.field, step.of), writer.value(step.value)
    lines = [f"c = {cell}; v = {new}; w = m[c]", "if w != v:", " keep((c, w)); m[c] = v"]
    whose = writer.value(step.of) if step.of is not None else "0"
    named = f"{name(program.told)}(run, whose)" if of_piece else "whose"
    changed = f"('field', {name(step.span)}, ({step.field}, {named}), v)"
    lines = [f"whose = {whose}", *lines, f" if {TOLD} and whose >= 0: run.events.append({changed})"]
    if step.field in program.watched.fields:
        lines.append(f" keep(({DIRTY}, m[{DIRTY}])); m[{DIRTY}] = 1")
    return lines


class ChangeBinder(GrantBinder):
    """Binds the steps that are one operation each, of `routine`."""

    routine: Routine

    def plain(self, step: ir.Order) -> Op:
        """Return the operation of a plain step."""
        match step:
            case ir.MoveToken():
                return self._move_token(step)
            case ir.MoveAll():
                return self._move_all(step)
            case ir.MakeTokens():
                return self._make_tokens(step)
            case ir.MovePiece():
                return self._move_piece(step)
            case ir.SwapPlaces():
                return self._swap_places(step)
            case ir.RemovePiece():
                return self._remove_piece(step)
            case ir.RaisePiece():
                return self._raise_piece(step)
            case ir.SetField():
                return self._set_field(step)
            case ir.Grant() | ir.Prevail() | ir.EndGrants():
                return self.grants(step)
            case ir.ChangeForm() | ir.SwapForm():
                return self._change_form(step)
            case ir.Forget():
                return self.change(lambda run, env: changes.forget_passing(run, self.layout))
            case _:
                return self._other(step)

    def _other(self, step: ir.Order) -> Op:
        match step:
            case ir.Keep(var, value):
                evaluate, place = self.value(value), var.id
                return self._keep(evaluate, place)
            case ir.Must(condition):
                return self._must(self.test(condition))
            case ir.See(tokens, by):
                return self._see(step.span, self.gather(tokens), self.value(by))
            case ir.Win(team):
                return self._win(self.value(team))
            case ir.Clock(what):
                return self._clock(what)
        raise TypeError(f"not a step: {step!r}")

    def _must(self, test: Test) -> Op:
        def must(run: Run, env: Env) -> Stop | None:
            if not test(run, env):
                return FAIL
            return SURE if run.trying and not run.joined and not anything_can_fail(run) else None

        return must

    def _keep(self, evaluate: Evaluate, place: int) -> Op:
        def keep(run: Run, env: Env) -> Stop | None:
            run.put(place, evaluate(run, env))
            return None

        return keep

    def _see(self, span: Span, gather: Gather, by: Evaluate) -> Op:
        def see(run: Run, env: Env) -> Stop | None:
            # What is not known before cannot be part of an option, nor be looked at ahead.
            run.joined = False
            if run.trying:
                run.pc -= 1
                return EDGE
            run.events.append(("seen", span, tuple(gather(run, env)), by(run, env)))
            return None

        return see

    def _face(self, manner: int) -> Callable[[Env], int]:
        if manner == ir.INHERITED:
            return lambda env: max(env[MANNER], 0)
        return lambda env: max(manner, 0)

    def _move_token(self, step: ir.MoveToken) -> Op:
        token, face, layout = self.value(step.token), self._face(step.manner), self.layout
        program, documents, cells = self.program, layout.documents, layout.tokens
        into = self.destination(step.into) if step.into is not None else None
        place = step.token.id if base_of(step.token) == "token" and hasattr(step.token, "id") else -1

        hooked = self.code.origin in ("hook", "block")

        def move(run: Run, env: Env) -> Stop | None:
            holder = NOWHERE if into is None else into(run, env, face(env))
            if hooked and run.joined:
                run.notes.append(("act?", "put", 0))
            if holder == layout.first_piece_holder - 1:
                # The piece it would go into has left the board.
                program.events.lapse(run, step.span)
                return None
            which = token(run, env)
            if which < 0 or (which >= documents and not run.memory[cells + which]):
                # There is none, or something on the way has taken it.
                program.events.lapse(run, step.span)
                return None
            moved = changes.move_token(run, layout, which, holder)
            if place >= 0:
                run.put(place, moved)
            if run.trying == run.telling:
                run.events.append(("token", step.span, which, holder))
            return None

        return move

    def _move_all(self, step: ir.MoveAll) -> Op:
        gather, face, layout, limit = self.gather(step.tokens), self._face(step.manner), self.layout, step.count
        into = self.destination(step.into) if step.into is not None else None

        def move(run: Run, env: Env) -> None:
            holder = NOWHERE if into is None else into(run, env, face(env))
            left = limit if limit >= 0 else 1 << 30
            for token in gather(run, env):
                for _ in range(min(run.memory[layout.tokens + token], left)):
                    changes.move_token(run, layout, token, holder)
                    left -= 1
                    if run.trying == run.telling:
                        run.events.append(("token", step.span, token, holder))

        return self.change(move)

    def _make_tokens(self, step: ir.MakeTokens) -> Op:
        document, into, layout = self.value(step.document), self.destination(step.into), self.layout
        copies = ("number", step.key)

        def make(run: Run, env: Env) -> None:
            which, holder = document(run, env), into(run, env, 0)
            count = step.count if step.count >= 0 else run.catalogue[copies][which]
            changes.add_tokens(run, layout, holder, which, count)
            if run.trying == run.telling:
                run.events.extend([("token", step.span, NOWHERE * layout.documents + which, holder)] * count)

        return self.change(make)

    def _raise_piece(self, step: ir.RaisePiece) -> Op:
        token, space, owner = self.value(step.token), self.value(step.space), self.value(step.owner)
        layout, program, result = self.layout, self.program, step.result.id
        place = step.token.id if hasattr(step.token, "id") else -1

        def raise_piece(run: Run, env: Env) -> Stop | None:
            which, where = token(run, env), space(run, env)
            gone = which < 0 or (which >= layout.documents and not run.memory[layout.tokens + which])
            if gone or where < 0 or changes.taken(run, layout, step.kind, where):
                program.events.lapse(run, step.span)
                return None
            document = which % layout.documents
            number = changes.new_piece(run, layout, step.kind, document, where, owner(run, env))
            run.put(result, number)
            moved = changes.move_token(run, layout, which, layout.first_piece_holder + number)
            if place >= 0:
                run.put(place, moved)
            if run.trying == run.telling:
                run.events.append(("raised", step.span, program.told(run, number), which))
            return None

        return raise_piece

    def _move_piece(self, step: ir.MovePiece) -> Op:
        which, where, move = self.value(step.piece), self.value(step.space), mover(self.program, step)
        return lambda run, env: move(run, which(run, env), where(run, env))

    def _swap_places(self, step: ir.SwapPlaces) -> Op:
        one, other, layout, program = self.value(step.piece), self.value(step.other), self.layout, self.program

        def swap(run: Run, env: Env) -> None:
            first, second = one(run, env), other(run, env)
            if first < 0 or second < 0 or not changes.can_swap_places(run, layout, first, second):
                program.events.lapse(run, step.span)
                return
            here, there = (run.memory[layout.piece(piece) + SPACE] for piece in (first, second))
            for piece, space in ((first, there), (second, here)):
                if run.trying == run.telling:
                    run.events.append(("moved", step.span, program.told(run, piece), space))
                changes.move_piece(run, layout, piece, space)

        return swap

    def _remove_piece(self, step: ir.RemovePiece) -> Op:
        which, layout = self.value(step.piece), self.layout

        def change(run: Run, env: Env) -> None:
            piece = which(run, env)
            if run.trying == run.telling:
                run.events.append(("removed", step.span, self.program.told(run, piece), NOTHING))
                for cell in layout.holder_cells(layout.first_piece_holder + piece):
                    run.events.extend([("token", step.span, cell - layout.tokens, NOWHERE)] * run.memory[cell])
            changes.remove_piece(run, layout, piece)

        return self.change(change, which)

    def _change_form(self, step: ir.ChangeForm | ir.SwapForm) -> Op:
        become = changes.swap_form if isinstance(step, ir.SwapForm) else changes.change_form
        which, document, layout = self.value(step.piece), self.value(step.document), self.layout

        def change(run: Run, env: Env) -> None:
            piece, other = which(run, env), document(run, env)
            if other == NOTHING:
                return
            if run.trying == run.telling:
                run.events.append(("became", step.span, self.program.told(run, piece), other))
            become(run, layout, piece, other)

        return self.change(change, which)

    def _set_field(self, step: ir.SetField) -> Op:
        made: list[Op] = []

        def change(run: Run, env: Env) -> Stop | None:
            """Carry out the operation; it is written when it is first needed, and called instead of this then."""
            if not made:
                made.append(self.lines([KEEPING, *field_lines(self.program, self.writer, step)]))
                self.routine.call_instead(change, made[0])
            return made[0](run, env)

        return change

    def _win(self, team: Evaluate) -> Op:
        def win(run: Run, env: Env) -> Signal:
            run.set(WINNER, team(run, env))
            return self._over(run)

        return win

    def _over(self, run: Run) -> Signal:
        """End the game, and with it all that was being done."""
        run.set(ENDED, 1)
        changes.forget_passing(run, self.layout)
        run.put_back(None)
        return DONE

    def _clock(self, what: str) -> Op:
        if what == "nothing":
            return lambda run, env: None
        cell = {"turn": TURN, "round": ROUND}.get(what, -1)

        def end(run: Run, env: Env) -> Signal:
            return self._over(run)

        def count(run: Run, env: Env) -> Stop | None:
            if run.trying:
                run.pc -= 1
                return EDGE
            if cell >= 0:
                run.set(cell, run.memory[cell] + 1)
            run.set(ASK, 1)
            return None

        return end if what == "end" else count
