"""Programs: the rules of a game on a board as code, lowered once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy

from warchest.ir import steps as ir
from warchest.ir.ruleset import Ruleset
from warchest.ir.values import asks_nothing
from warchest.lowering.act_counts import with_counts
from warchest.lowering.arrivals import Arrivals
from warchest.lowering.board import Board
from warchest.lowering.catalogue import Catalogue
from warchest.lowering.code import Act, BoundHook, BoundStateRule, Finish, Opening, Outs, Routine, Settle, Wait, Way
from warchest.lowering.failure import Failure, FailureTable
from warchest.lowering.layout import Layout
from warchest.lowering.mattering import Mattering
from warchest.lowering.standing import with_standing
from warchest.lowering.step_lowering import StepLowering
from warchest.lowering.verbs import (
    act_of_verb,
    add_needs_of_kinds,
    ask_late,
    asks_for,
    bind_hook,
    body_of,
    handed_back,
    hook_places,
    lower_act,
    lower_stages,
    ordered_at_once,
    outs_instead,
    twins_of,
)


class Program:
    """All code of a game: acts, hooks, state rules, and routines by name; with the layout of the memory."""

    def __init__(self, ruleset: Ruleset, board: Board, further: int = 0, raises: Sequence[str] = ()) -> None:
        """Lower the rules, with space for `further` documents without texts, and for all values that can be raised."""
        self.given, self.board = ruleset, board
        self.ruleset = ruleset = with_counts(with_standing(ruleset))
        self.layout = Layout(ruleset, board, further, raises)
        self.catalogue = Catalogue(self.layout)
        self.failures = FailureTable(ruleset)
        self.falls = ruleset.falls if asks_for(ruleset, ruleset.falls) else -1
        """The verb that removes pieces, if any text uses it; otherwise -1, and removing is a plain step."""
        self.routines: dict[str, Routine] = {}
        self._waits: list[tuple[Routine, int, str, int | str, Outs]] = []
        self.acts = [act_of_verb(ruleset, number) for number in range(len(ruleset.verbs))]
        self.settling = self._framed("settling", Settle(span=None, failure=Failure.NEVER))
        """The routine that only carries out immediate consequences."""
        self.opening = self._framed("opening", Opening(span=None, failure=Failure.YIELDS))
        """The routine between a setup and play: no turn has begun, and the first question of play is always asked."""
        self.blocks = [{name: self._routine(code) for name, code in sheet.blocks.items()} for sheet in ruleset.sheets]
        """The routines of the blocks of each document, by name."""
        for act in self.acts:
            self._lower_act(act)
        add_needs_of_kinds(self.acts)
        self.hooks: list[BoundHook] = []
        """All hooks, each for every verb that it answers."""
        self.answers: list[dict[str, list[BoundHook]]] = [{} for _ in ruleset.verbs]
        """For each verb the hooks that answer it, by their stages."""
        self._lower_hooks()
        self.falls_wait = self.falls >= 0 and not {"before", "when", "instead"}.isdisjoint(self.answers[self.falls])
        """Whether other acts are possible while a falling piece is still on the board."""
        self.twins = twins_of(self.hooks)
        """The hooks that equal an earlier one of the same carrier, each with that one."""
        self.state_rules = [BoundStateRule(self._routine(rule.code), rule) for rule in ruleset.state_rules]
        self.play = self._routine(ruleset.play) if ruleset.play is not None else None
        self.setups = {name: self._routine(code) for name, code in ruleset.setups.items()}
        self.mattering = Mattering(ruleset, self.routines.values(), self.acts, self.blocks)
        self._say_what_waits()

    @property
    def concession(self) -> Act | None:
        """The act of giving the game up; None if players cannot."""
        number = self.ruleset.concession
        return self.acts[number] if number >= 0 else None

    def block(self, document: int, name: str) -> Routine | None:
        """Return the routine of a block of a document, or None if it has no such block."""
        return self.blocks[document].get(name) if document < len(self.blocks) else None

    def having(self, ruleset: Ruleset) -> Program:
        """Return this program for a rule set that has more sheets (which have no texts) in the reserved slots."""
        made = copy(self)
        made.ruleset, made.layout = ruleset, self.layout.having(ruleset)
        made.catalogue = Catalogue(made.layout)
        return made

    # ---- lowering

    def _framed(self, name: str, first: Settle | Opening) -> Routine:
        """Return a routine that only the machine uses: one instruction, and the end."""
        routine = Routine(name, "game", -1, ())
        routine.add(first)
        routine.add(Finish(False, False, span=None, failure=Failure.NEVER))
        self.routines[name] = routine
        return routine

    def _routine(self, code: ir.Code) -> Routine:
        """Return the routine of a piece of code, lowered on first use."""
        if code.name not in self.routines:
            lowering = StepLowering(self.ruleset, self.failures, code, self._wait, self.falls)
            self.routines[code.name] = lowering.routine
            lowering.lower()
        return self.routines[code.name]

    def _lower_act(self, act: Act) -> None:
        if act.verb.built_in and act.number != self.falls:
            return
        for definition in act.verb.definitions:
            routine = self._routine(definition.code)
            act.ways.append(Way(definition.carrier, asks_nothing(definition.applies), routine))
        lower_act(act, self.ruleset, self.failures)
        self.routines[act.routine.name] = act.routine

    def _lower_hooks(self) -> None:
        arrivals, at_once = Arrivals(self.ruleset), ordered_at_once(self.ruleset, self.falls)
        for hook in self.ruleset.hooks:
            routine = self._routine(hook.code)
            for verb in hook.verbs:
                bound = bind_hook(len(self.hooks), hook, verb, routine, self.ruleset, self.failures, arrivals)
                self.hooks.append(bound)
                self.answers[verb].setdefault(hook.stage, []).append(bound)
        for act, hooks in zip(self.acts, self.answers, strict=True):
            around = self.acts[act.verb.moment_of] if act.verb.moment_of >= 0 else act
            ask_late(hooks, around.values)
            for bound in (one for stage in hooks.values() for one in stage):
                self.hooks[bound.number] = bound
            if hooks or (act.values and act.ways):
                act.stages = lower_stages(act, hooks, self.ruleset, self.failures, act.number in at_once)
                self.routines[act.stages.name] = act.stages

    # ---- what can be under way above a frame

    def _wait(self, routine: Routine, place: int, kind: str, of: int | str, outs: Outs) -> None:
        self._waits.append((routine, place, kind, of, outs))

    def _say_what_waits(self) -> None:
        """Record the routines that can be under way above each place where one waits, and their outs."""
        for routine, place, kind, of, outs in self._waits:
            routine.waits.setdefault(place, []).append(Wait(tuple(self._begun(kind, of)), outs))
        for act in self.acts:
            if act.stages is not None:
                self._say_what_stages_wait_for(act, act.stages)
        following = Wait(tuple(self._begun("following", 0)), ())
        self.settling.waits[0] = [following]
        if self.play is not None:
            self.play.waits.setdefault(0, []).append(Wait((self.opening.name,), ()))
        self.opening.waits[0] = [Wait(tuple(one.name for one in self.setups.values()), ())]

    def _say_what_stages_wait_for(self, act: Act, stages: Routine) -> None:
        answers, behind = self.answers[act.number], body_of(stages) + 1
        end, following = len(stages.instructions) - 1, Wait(tuple(self._begun("following", 0)), ())

        def waits(place: int, wait: Wait) -> None:
            stages.waits.setdefault(place, []).append(wait)

        waits(behind, Wait(tuple(way.routine.name for way in act.ways), handed_back(act)))
        if "when" in answers:
            waits(behind + 2, following)
        hooks = [one for stage in answers if stage != "instead" for one in answers[stage]]
        for place in hook_places(stages):
            for outs in dict.fromkeys(one.outs for one in hooks):
                waits(place, Wait(tuple(one.routine.name for one in hooks if one.outs == outs), outs))
        # After an answer instead of an event the rest of the event is left out.
        waits(stages.replaced, Wait(tuple(one.routine.name for one in answers.get("instead", ())), outs_instead(act)))
        waits(end, following)

    def _begun(self, kind: str, of: int | str) -> Iterator[str]:
        """Yield the names of the routines that can be under way above a frame that waits for something."""
        match kind, of:
            case "act", int(number):
                yield from self._coming(self.acts[number])
            case "block", str(name):
                yield from (blocks[name].name for blocks in self.blocks if name in blocks)
            case "settling", _:
                yield self.settling.name
            case _:
                yield from (bound.routine.name for bound in self.state_rules)

    def _coming(self, act: Act) -> Iterator[str]:
        """Yield the routines that can be under way after an act has been ordered; some of them can replace the act."""
        yield act.routine.name
        if act.stages is not None:
            yield act.stages.name
        yield from (way.routine.name for way in act.ways)
        for kind in () if act.ways else act.verb.kinds:
            if kind != act.number:
                yield from self._coming(self.acts[kind])
