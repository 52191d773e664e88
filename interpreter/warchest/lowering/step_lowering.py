"""Lowering of steps: a piece of code becomes a routine of instructions with jumps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeAlias

from warchest.ir import steps as ir
from warchest.ir.parts import base_of, kept_by, needed_by, nodes_in, removed_by, steps_in
from warchest.ir.ruleset import AGENT, YOU, Ruleset, Verb
from warchest.ir.values import NOTHING, SET_VARIABLES, Compare, Condition, Const, FieldOf, Set, Value, Var
from warchest.lowering.act_orders import (
    announced,
    asks_more,
    bases_of,
    living_of,
    outs_of,
    pick_key,
    role_key,
    variables_of,
)
from warchest.lowering.code import (
    SETTLED,
    Again,
    Announcement,
    AskAhead,
    Attempt,
    Branch,
    CallAct,
    Fence,
    Finish,
    Instruction,
    Jump,
    KeepMembers,
    LoopTest,
    Next,
    Outs,
    PerformBlock,
    Pick,
    PickBranch,
    PickMember,
    Plain,
    RequirePieces,
    Routine,
)
from warchest.lowering.failure import Failure, FailureTable, followed, has_open_way
from warchest.source.text import Span

Waiting: TypeAlias = Callable[["Routine", int, str, "int | str", Outs], None]
"""A function that records the routines that can wait above an instruction: `act` N, `block` NAME, or `settling`."""


_OF_THINGS: frozenset[ir.StepChange] = frozenset(("fields", "lasting"))
"""The changes that consist of changes of single things."""


class StepLowering:
    """Makes one routine from a piece of code."""

    def __init__(
        self, ruleset: Ruleset, failures: FailureTable, code: ir.Code, waits: Waiting, falls: int = -1
    ) -> None:
        """Begin a routine; a step that removes a piece is a call of the verb `falls`, if texts can answer it."""
        self.ruleset, self.failures, self.code, self.waits = ruleset, failures, code, waits
        self.falls = -1 if code.origin == "verb" and code.verb == falls else falls
        size = code.size + _loops_in(code.steps)
        self.bases = ["number"] * size
        for var in (*code.params, *_vars(code.steps)):
            self.bases[var.id] = var.base
        self.slot = code.size
        """The next variable for the rest of a loop's set."""
        self.routine = Routine(code.name, code.origin, code.verb, tuple(self.bases))
        self.chosen: frozenset[int] = frozenset()
        """The variables that have been chosen on every path to here."""

    def lower(self) -> None:
        """Fill the routine."""
        self._steps(self.code.steps, Failure.NEVER)
        settles = self.code.origin == "verb"
        extends = settles and self.failures.extends(self.code.verb)
        if extends and self._here:
            self._end_option()
        end = self._add(Finish(settles, extends, span=self.code.span, failure=Failure.NEVER))
        if settles:
            self.waits(self.routine, end, "following", 0, ())
        self.routine.of_bases(tuple(self.bases))

    def _end_option(self) -> None:
        """Let an option end with the choice after which a definition has only plain changes that cannot fail."""
        instructions = self.routine.instructions
        last = self._here - 1
        while last > 0 and isinstance(instructions[last], Plain) and instructions[last].failure is Failure.NEVER:
            last -= 1
        choice = instructions[last]
        if isinstance(choice, Pick) and not choice.by_chance:
            self._aim(last, ends=True)

    @property
    def _here(self) -> int:
        return len(self.routine.instructions)

    def _add(self, instruction: Instruction) -> int:
        number = self.routine.add(instruction, self.chosen)
        if isinstance(instruction, Pick):
            self.chosen |= {instruction.place}
        return number

    def _aim(self, number: int, **targets: object) -> None:
        """Set the targets of an instruction, now that they are known."""
        self.routine.instructions[number] = replace(self.routine.instructions[number], **targets)  # type: ignore[arg-type]

    def _steps(self, steps: ir.Steps, after: Failure, offered: bool = False, branch: bool = False) -> None:
        for index, step in enumerate(steps):
            rest = followed(self.failures.steps(steps[index + 1 :]), after)
            failure = followed(self.failures.step(step), rest)
            piece = removed_by(step) if self.falls >= 0 else None
            if piece is not None:
                self._fall(piece, step.span, failure)
            elif isinstance(step, ir.Call):
                self._call(step, failure, rest, offered and index < len(steps) - 1, branch and index == 0)
            else:
                self._step(step, failure, rest)

    def _step(self, step: ir.Order, failure: Failure, rest: Failure) -> None:
        match step:
            case ir.If():
                self._if(step, failure, rest)
            case ir.Until():
                self._until(step, failure, rest)
            case ir.ForEach():
                self._for_each(step, failure, rest)
            case ir.Either() | ir.Offer():
                self._branches(step, failure, rest)
            case ir.IfAble():
                self._if_able(step, failure, rest)
            case ir.Foresee():
                self._foresee(step, failure)
            case ir.Choose():
                self._choose(step, failure)
            case ir.Perform(block, of, by):
                self._add(PerformBlock(block, of, by, base_of(of) == "piece", span=step.span, failure=failure))
                self.waits(self.routine, self._here, "block", block, ())
            case ir.SetField(number) if not self._is_within(self.ruleset.fields[number].act):
                # A value of an act is only there while the act is under way.
                going_on = self._add(Branch(self._under_way(number, step.span), 0, span=step.span, failure=failure))
                self._add(Plain(step, False, span=step.span, failure=failure))
                self._aim(going_on, otherwise=self._here)
            case _:
                announces = isinstance(step, ir.MoveToken) and self.code.origin in ("hook", "block")
                self._add(Plain(step, announces, span=step.span, failure=failure))

    def _is_within(self, act: int) -> bool:
        """Whether the code is a definition of an act or a hook on it, so that the act is under way; true for act -1."""
        own = self.code.origin in ("verb", "hook") and self.code.verb >= 0
        return act < 0 or (own and self.code.verb in self.ruleset.with_moments(act))

    def _under_way(self, number: int, span: Span) -> Condition:
        """Return the condition that the act of a value is under way."""
        flag = self.ruleset.under_way(self.ruleset.fields[number].act)
        return Compare("==", FieldOf(flag, None, "flag"), Const(1, "flag"), span)

    # ---- control

    def _if(self, step: ir.If, failure: Failure, rest: Failure) -> None:
        branch = self._add(Branch(step.condition, 0, span=step.span, failure=failure))
        before = self.chosen
        self._steps(step.then, rest)
        jump = self._add(Jump(0, span=step.span, failure=rest)) if step.otherwise else None
        self._aim(branch, otherwise=self._here)
        then, self.chosen = self.chosen, before
        self._steps(step.otherwise, rest)
        self.chosen &= then
        if jump is not None:
            self._aim(jump, target=self._here)

    def _until(self, step: ir.Until, failure: Failure, rest: Failure) -> None:
        start = self._add(LoopTest(step.condition, _pieces_in(step.condition), 0, span=step.span, failure=failure))
        before = self.chosen
        self._steps(step.steps, followed(self.failures.steps(step.steps), rest))
        of_game = self.code.verb < 0 or self.ruleset.verbs[self.code.verb].by == "game"
        self._add(Again(start, of_game, span=step.span, failure=failure))
        self._aim(start, end=self._here)
        self.chosen = before

    def _for_each(self, step: ir.ForEach, failure: Failure, rest: Failure) -> None:
        slot, place, base = self.slot, step.var.id, step.var.base
        self.slot += 1
        self.bases[slot] = f"{base}s"
        self._add(KeepMembers(slot, step.among, span=step.span, failure=failure))
        before = self.chosen
        choice: Instruction = Next(place, slot, 0, span=step.span, failure=failure)
        if step.free:
            choice = PickMember(
                place,
                slot,
                self._here + 1,
                0,
                0,
                key="each",
                base=base,
                chooser=step.decider,
                span=step.span,
                failure=failure,
            )
        start = self._add(choice)
        # In a free loop only members that can act are chosen, and it may end after the first: no round of it can fail.
        after = rest if step.free else followed(self.failures.steps(step.steps), rest)
        self.chosen |= {place}
        self._steps(step.steps, after)
        fence = self._add(Fence(start, span=step.span, failure=after))
        self.routine.loops.append((start, fence, slot))
        if step.free:
            self._aim(start, fence=fence, done=self._here)
        else:
            self._aim(start, end=self._here)
        self.chosen = before

    def _branches(self, step: ir.Either | ir.Offer, failure: Failure, rest: Failure) -> None:
        first, texts = step.options[0][0], tuple(option[0].span.to(option[-1].span) for option in step.options)
        needed = self._needed(step) if isinstance(step, ir.Offer) else ()
        present = self._add(RequirePieces(needed, 0, span=step.span, failure=failure)) if needed else None
        tacit = isinstance(step, ir.Offer) and isinstance(first, ir.Call) and self._verb(first).by == "piece"
        in_window, said = isinstance(step, ir.Offer) and step.in_window, None
        unasked, closes = None, False
        if isinstance(step, ir.Offer) and step.called:
            closes = len(step.options[0]) == 1
            tacit, said = True, _announced_change(step, self.code)
            unasked = self._unasked(step, failure)
        point = self._add(
            PickBranch(
                (), -1, tacit, in_window, said, closes, texts, chooser=step.decider, span=step.span, failure=failure
            )
        )
        before, targets, jumps = self.chosen, list[int](), list[int]()
        for option in step.options:
            targets.append(self._here)
            self.chosen = before
            self._steps(option, rest, offered=isinstance(step, ir.Offer), branch=True)
            jumps.append(self._add(Jump(0, span=step.span, failure=rest)))
        for jump in jumps:
            self._aim(jump, target=self._here)
        self._aim(point, targets=tuple(targets), declined=self._here if isinstance(step, ir.Offer) else -1)
        if unasked is not None:
            self._aim(unasked, otherwise=targets[0])
        if present is not None:
            self._aim(present, absent=self._here)
        self.chosen = before

    def _unasked(self, step: ir.Offer, failure: Failure) -> int | None:
        """Emit the branch that accepts an offer to change the number of an act if no player is there to decide."""
        if not isinstance(step.options[0][0], ir.Keep) or step.decider is None:
            return None
        somebody = Compare("!=", step.decider, Const(NOTHING, "player"), step.span)
        return self._add(Branch(somebody, 0, span=step.span, failure=failure))

    def _needed(self, step: ir.Offer) -> tuple[int, ...]:
        """Return the variables for pieces that all of the offered acts need.

        There are none if the offer begins a text that is no hook: no piece can have gone before it.
        """
        if not self._here and self.code.origin != "hook":
            return ()
        rows = [
            {one.id for one in _pieces(needed_by(first)) if one.id < SET_VARIABLES}
            for first, *_ in step.options
            if isinstance(first, ir.Call) or first.changes & _OF_THINGS
        ]
        return tuple(sorted(set.intersection(*rows))) if len(rows) == len(step.options) else ()

    def _verb(self, step: ir.Call) -> Verb:
        return self.ruleset.verbs[step.verb]

    def _if_able(self, step: ir.IfAble, failure: Failure, rest: Failure) -> None:
        attempt = self._add(Attempt(0, self._certain(step.steps), span=step.span, failure=failure))
        before = self.chosen
        self._steps(step.steps, rest)
        fence = self._add(Fence(self._here + 1, span=step.span, failure=rest))
        self._aim(attempt, fence=fence)
        self.chosen = before

    def _foresee(self, step: ir.Foresee, failure: Failure) -> None:
        """Emit a look-ahead for steps alone, whether or not the rest of the text can be completed."""
        things = (one for call in step.steps if isinstance(call, ir.Call) for one in needed_by(call))
        needed = tuple(one for one in things if base_of(one) in ("piece", "player"))
        at = self._add(AskAhead(place=step.var.id, needed=needed, fence=0, span=step.span, failure=failure))
        before = self.chosen
        self._steps(step.steps, Failure.NEVER)
        fence = self._add(Fence(self._here + 1, span=step.span, failure=Failure.NEVER))
        self._aim(at, fence=fence)
        self.chosen = before

    def _certain(self, steps: ir.Steps) -> Set | None:
        """Return the set that decides whether steps can be completed: a choice after which no step can fail."""
        first = steps[0]
        sure = isinstance(first, ir.Choose) and self.failures.steps(steps[1:]) is Failure.NEVER
        return first.among if sure and isinstance(first, ir.Choose) else None

    # ---- orders

    def _fall(self, piece: Value, span: Span, failure: Failure) -> None:
        """Emit the call of the event that takes a piece off the board; options do not mention it."""
        call = ir.Call(self.falls, ir.Bound(piece), (), ir.INHERITED, Var(YOU, "player"), None, span=span)
        verb = self.ruleset.verbs[self.falls]
        living = living_of(verb, bases_of(verb), call)
        behind = (
            self._add(
                CallAct(self.falls, tuple(variables_of(verb, call)), living, (), None, call, span=span, failure=failure)
            )
            + 1
        )
        self.waits(self.routine, behind, "act", self.falls, ())
        self.waits(self.routine, behind, "settling", 0, ())

    def _call(self, step: ir.Call, failure: Failure, rest: Failure, is_cost: bool, branches: bool) -> None:
        """Emit the caller's own choices, then the call.

        A cost, paid first in an offer, is decided together with the act it pays for. An order at the beginning of a
        branch (`branches`) is chosen by choosing the branch.
        """
        verb, fills = self.ruleset.verbs[step.verb], step.fills
        bases, variables = bases_of(verb), tuple(variables_of(verb, step))
        picks = [number for number, fill in enumerate(fills) if isinstance(fill, ir.ChosenRole)]
        ends = not is_cost and not self.failures.extends(step.verb)
        usual = asks_more(verb, step)
        announcement = announced(self.ruleset, self.code, step, branches)
        for number in picks:
            last = number == picks[-1] and not usual
            choice = (
                announcement if number == picks[0] else None,
                step.verb if last else -1,
                variables[:-2] if last else (),
            )
            self._pick(step, number, choice, last and ends, failure)
        # The last choice leaves out the forbidden candidates, so the steps after it are as sure as the act itself.
        sure = bool(picks) and not usual and not verb.kinds[1:] and has_open_way(verb)
        body = followed(self.failures.body(step.verb), rest) if sure else failure
        outs = outs_of(step)
        call = CallAct(
            step.verb,
            variables,
            living_of(verb, bases, step),
            outs,
            None if picks else announcement,
            step,
            span=step.span,
            failure=body,
        )
        behind = self._add(call) + 1
        self.waits(self.routine, behind, "act", step.verb, outs)
        self.waits(self.routine, behind, "settling", 0, ())

    def _choose(self, step: ir.Choose, failure: Failure) -> None:
        self._add(
            Pick(
                step.var.id,
                step.among,
                None,
                -1,
                (),
                key=step.key,
                base=step.var.base,
                chooser=step.decider,
                by_chance=step.decider is None,
                span=step.span,
                failure=failure,
            )
        )

    def _pick(
        self,
        step: ir.Call,
        number: int,
        choice: tuple[Announcement | None, int, tuple[Value, ...]],
        ends: bool,
        failure: Failure,
    ) -> None:
        """Emit the caller's choice of one of the agents and participants, by its number."""
        fill, key = step.fills[number], pick_key(self.ruleset.verbs[step.verb], number)
        assert isinstance(fill, ir.ChosenRole)
        self._add(
            Pick(
                fill.var.id,
                fill.among,
                *choice,
                orders=-1 if number or step.decider is None else step.verb,
                key=key,
                base=fill.var.base,
                chooser=step.decider,
                by_chance=step.decider is None,
                ends=ends,
                span=step.span,
                failure=failure,
            )
        )


def _announced_change(step: ir.Offer, code: ir.Code) -> Announcement:
    """Return the words of taking the offer of a change, with the piece that changes, or the piece whose act changes."""
    first = step.options[0][0]
    about = needed_by(first) if first.changes & _OF_THINGS else []
    pieces = _pieces(about or [var for var in code.params if var.id == AGENT])
    said = tuple((role_key("", one.noun) + SETTLED, one.base, one) for one in pieces)
    return Announcement(("act", step.called, 0), said)


def _pieces(values: Iterable[Value]) -> list[Var]:
    """Return the variables for pieces among some values."""
    return [one for one in values if isinstance(one, Var) and one.base == "piece"]


def _pieces_in(condition: Condition) -> tuple[int, ...]:
    """Return the variables for pieces in a condition, except the variables for members of its own sets."""
    parts = list(nodes_in(condition))
    own = {part.var.id for part in parts if hasattr(part, "var")}
    found = {one.id for one in parts if isinstance(one, Var) and one.base == "piece" and one.id < SET_VARIABLES}
    return tuple(sorted(found - own))


def _loops_in(steps: ir.Steps) -> int:
    """Return the number of hidden variables that the loops in some steps need."""
    found = list(steps_in(steps))
    foreseen = sum(_loops_in(one.steps) for one in found if isinstance(one, ir.Foresee))
    return foreseen + sum(isinstance(one, ir.ForEach) for one in found)


def _vars(steps: ir.Steps) -> Iterator[Var]:
    """Yield all variables that some steps set."""
    for step in steps_in(steps):
        yield from kept_by(step)
        yield from _vars(step.steps if isinstance(step, ir.Foresee) else ())
