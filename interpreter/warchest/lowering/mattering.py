"""Liveness of variables: which of them are still read; an agent matters if some text asks about it.

A text without `this` does the same whichever of two equal pieces carries it out: such a text is `anyones`, and an
option with it is listed once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from warchest.ir import steps as ir
from warchest.ir.parts import nodes_in
from warchest.ir.ruleset import AGENT, THIS, Hook, Rule, Ruleset
from warchest.ir.values import CausedBy, Happening, Var
from warchest.lowering.code import (
    Act,
    Again,
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
    PerformBlock,
    Pick,
    PickBranch,
    PickMember,
    Plain,
    RequirePieces,
    Routine,
)
from warchest.lowering.verbs import body_of

READING = (
    Again
    | Attempt
    | Branch
    | CallAct
    | Fence
    | Finish
    | Jump
    | KeepMembers
    | LoopTest
    | Next
    | PerformBlock
    | Pick
    | PickBranch
    | PickMember
    | Plain
    | RequirePieces
)
"""The instructions that read only the variables that they name; all others can read any."""
EVERYBODY = -2
"""The number that means all documents in a set of documents."""


class Mattering:
    """The live variables in each routine of a program, and the pieces whose role as agents of events matters."""

    def __init__(
        self, ruleset: Ruleset, routines: Iterable[Routine], acts: Sequence[Act], blocks: Sequence[dict[str, Routine]]
    ) -> None:
        self._hooks, self._acts, self._blocks, self._routines = ruleset.hooks, acts, blocks, tuple(routines)
        texts = [one for row in blocks for one in row.values()]
        self.anyones = frozenset(one.name for one in texts if {THIS, AGENT} <= dead_at(one, 0))
        """The names of the blocks that do the same whichever equal piece carries them out."""

    @cached_property
    def dead(self) -> dict[str, list[frozenset[int]]]:
        """For each routine and each of its instructions, the variables for pieces that nothing reads from there on."""
        return {one.name: [dead_at(one, pc) for pc in range(len(one.instructions))] for one in self._routines}

    @cached_property
    def asked(self) -> list[frozenset[int]]:
        """For each verb the documents whose pieces, as agents of its events, are tested in its consequences."""
        causes = list(self._causes())
        return [self._asked_of(act.number, causes) for act in self._acts]

    @cached_property
    def answering(self) -> list[frozenset[int]]:
        """For each verb the documents whose hooks need their own piece as its agent; `EVERYBODY` for other hooks."""
        return [frozenset(_carrier(hook) for hook in self._hooks if act.number in hook.verbs) for act in self._acts]

    def asking(self, routine: Routine) -> frozenset[int]:
        """Return the documents whose pieces are tested where they are agents in frames of a routine."""
        if routine.stages:
            return self.asked[routine.verb] | self.answering[routine.verb]
        return self.asked[routine.verb] if routine.event >= 0 else frozenset()

    def _asked_of(self, verb: int, causes: list[tuple[Rule | Hook | None, CausedBy | Happening]]) -> frozenset[int]:
        found = {_carrier(hook) for hook in self._hooks if len(hook.verbs) > 1 and verb in hook.verbs}
        for rule, part in causes:
            if isinstance(part, Happening):
                found |= {EVERYBODY} if part.verb == verb else set()
            elif (part.agent is not None or part.acting is not None) and (
                not part.verbs or any(verb in self._ordered[one] for one in part.verbs)
            ):
                found.add(_carrier(rule))
        return frozenset(found)

    def _causes(self) -> Iterator[tuple[Rule | Hook | None, CausedBy | Happening]]:
        """Yield each part that tests an event under way, with the rule or the hook that it belongs to, if any."""
        rules: list[tuple[Rule | Hook | None, object]] = [(hook, hook.condition) for hook in self._hooks]
        for act in self._acts:
            rules += [(rule, rule.condition) for rule in act.rules]
            rules.append((None, (act.verb.domains, act.verb.definitions)))
        rules.append((None, [one.instructions for row in self._blocks for one in row.values()]))
        rules.append((None, [hook.code for hook in self._hooks]))
        for rule, told in rules:
            for part in nodes_in(told):
                if isinstance(part, CausedBy | Happening):
                    yield rule, part

    @cached_property
    def _ordered(self) -> list[set[int]]:
        """For each verb, itself and all verbs that an event of it can order through its own steps, directly or not."""
        return [self._ordered_by(act.number) for act in self._acts]

    def _ordered_by(self, verb: int) -> set[int]:
        found, left = {verb}, [verb]
        while left:
            act = self._acts[left.pop()].verb
            steps = nodes_in([one.code for one in act.definitions])
            verbs = {step.verb for step in steps if isinstance(step, ir.Call)} | set(act.kinds)
            for name in {step.block for step in steps if isinstance(step, ir.Perform)}:
                orders = [one for row in self._blocks if name in row for one in row[name].instructions]
                verbs |= {one.verb for one in orders if isinstance(one, CallAct)}
            left += verbs - found
            found |= verbs
        return found


def _carrier(rule: Rule | Hook | None) -> int:
    """Return the document of a rule that tests only whether its own piece is the agent; `EVERYBODY` for other rules."""
    return rule.carrier if rule is not None and rule.carrier >= 0 and rule.this_role == 0 else EVERYBODY


def dead_at(routine: Routine, place: int) -> frozenset[int]:
    """Return the variables for pieces that nothing reads from an instruction of a routine on.

    After the body of an event only its hooks test the agent.
    """
    if routine.stages:
        is_behind = place > body_of(routine) and routine.bases[AGENT] == "piece"
        return frozenset((THIS, AGENT)) if is_behind else frozenset()
    if routine.origin in ("hook", "state", "act"):
        return frozenset()
    pieces = {number for number, base in enumerate(routine.bases) if base == "piece"}
    for pc in _reached(routine, place):
        one = routine.instructions[pc]
        if not isinstance(one, READING):
            return frozenset()
        pieces -= set(_read_by(one))
    return frozenset(pieces)


def turn_of(text: Routine) -> int | None:
    """Return the variable for the piece that takes its turn, in a text in which pieces take turns; otherwise None."""
    return next((one.place for one in text.instructions if isinstance(one, PickMember)), None)


def turn_is_first(text: Routine) -> bool:
    """Whether the first choice in a text is the piece that takes its turn."""
    points = (one for one in text.instructions if isinstance(one, Pick | PickBranch | PickMember | CallAct | Branch))
    return isinstance(next(points, None), PickMember)


def _reached(routine: Routine, place: int) -> set[int]:
    """Return the instructions of a routine that can be carried out from an instruction on."""
    found, left = set[int](), [place]
    while left:
        pc = left.pop()
        if pc in found or not 0 <= pc < len(routine.instructions):
            continue
        found.add(pc)
        left += [pc + 1, *_targets(routine.instructions[pc])]
    return found


def _targets(one: Instruction) -> tuple[int, ...]:
    match one:
        case Jump(target) | Fence(target):
            return (target,)
        case Branch(_, otherwise):
            return (otherwise,)
        case LoopTest(_, _, end) | Next(_, _, end):
            return (end,)
        case RequirePieces(_, absent):
            return (absent,)
        case Again(start):
            return (start,)
        case Attempt(fence):
            return (fence + 1,)
        case PickBranch(targets, declined):
            return (*targets, declined)
        case PickMember(done=done):
            return (done,)
    return ()


def _read_by(one: Instruction) -> Iterator[int]:
    """Yield the variables that an instruction reads."""
    for part in nodes_in(one):
        if isinstance(part, Var):
            yield part.id
    match one:
        case LoopTest(_, about):
            yield from about
        case RequirePieces(pieces):
            yield from pieces
        case Next(place, slot) | PickMember(place, slot):
            yield from (place, slot)
