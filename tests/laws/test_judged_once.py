"""The third law: what a hook says of an event is judged once, when the event begins, and holds at every stage.

Generated hooks are carried out on the reference machine, which notes the memory as an event begins. At each stage
the units that answer are compared with those for which the hook is true in that memory.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import settings

from loaded import shipped
from plain.clauses import Claim, Each, Lose, Recruit, Sentence, beside
from plain.comparing import accepted, blanks, given
from plain.hooks import Card, Event, Hook
from plain.making import Maker, position
from plain.phrases import Phrase
from seeds import seeds
from warchest.engine.choices import answers_for
from warchest.engine.effects import by_place
from warchest.engine.evaluation import Evaluator, members_of
from warchest.engine.events import hook_env
from warchest.engine.machine import CHOICES, HANDLERS
from warchest.engine.permissions import bearers_of
from warchest.engine.runs import Env, Machine, Run, frames
from warchest.game.state import State
from warchest.ir.values import NOTHING
from warchest.lowering.code import BoundHook, Collect, FindAnswers, Instruction

CARDS = 44 if settings().max_examples <= 40 else 900
POSITIONS = 5
Pair = tuple[int, int]
"""A hook, by its number, and the piece that carries it."""


class Remembering:
    """A machine that notes how things are when an event begins, and compares who answers it with that."""

    def __init__(self, program: Any) -> None:
        self.begun: dict[int, tuple[list[int], Env]] = {}
        """The memory and the roles at the beginning of each event under way, by the frames below it."""
        self.judged: Counter[str] = Counter()
        self.changed: Counter[str] = Counter()
        """The numbers of hooks judged at each stage, and of those whose truth had changed since the beginning."""
        handlers = {kind: self._noting(kind) for kind in HANDLERS}
        self.machine = Machine(program, Evaluator(program.layout), handlers, CHOICES)

    def _noting(self, kind: type) -> Any:
        carry_out = HANDLERS[kind]

        def noting(run: Run, env: Env, it: Instruction) -> Any:
            if run.lookahead or not run.code.stages:
                return carry_out(run, env, it)
            depth = sum(1 for _ in frames(run.parent))
            if run.pc == 1:
                self.begun[depth] = run.memory[:], env
            if isinstance(it, FindAnswers):
                self._compare(run, env, it.verb, "instead", answers_for(run, env, it.verb), depth)
            found = carry_out(run, env, it)
            if isinstance(it, Collect):
                self._compare(run, env, it.verb, it.stage, run.env[-1], depth)
            return found

        return noting

    def _compare(self, run: Run, env: Env, verb: int, stage: str, found: Any, depth: int) -> None:
        memory, roles = self.begun[depth]
        for bound in (one for one in run.program.answers[verb][stage] if one.hook.carrier >= 0):
            now = {this for this in _carriers(run, bound) if _fits(run, env, bound, this)}
            there = set(_carriers(run, bound))
            kept, run.memory = run.memory, memory
            known = set(_carriers(run, bound))
            then = {this for this in known if _fits(run, roles, bound, this)}
            run.memory = kept
            self.judged[stage] += len(known)
            self.changed[stage] += len((now ^ then) & known)
            answering = [this for number, this in found if number == bound.number]
            assert {this for this in answering if this in known} == then & there, (bound.hook.span.text, stage)
            gone = 0 if stage == "after" else len(then - there)
            assert sum(this < 0 for this in answering) == gone, (bound.hook.span.text, stage)


def _carriers(run: Run, bound: BoundHook) -> list[int]:
    return list(by_place(run, run.program.layout, members_of(bearers_of(run, bound.hook.carrier))))


def _fits(run: Run, env: Env, bound: BoundHook, this: int) -> bool:
    """Whether the condition of a hook on an event holds in the memory as it is now; a role of its own included."""
    role = bound.hook.this_role
    if role >= 0 and (bound.places[role] < 0 or env[bound.places[role]] != this):
        return False
    scope = hook_env(run, env, bound, this)
    padded = scope + (NOTHING,) * (len(bound.hook.code.params) - len(scope))
    return bool(run.machine.functions.test(bound.hook.condition)(run, padded))


class Restless(Maker):
    """A maker of cards with hooks of several stages on one event: the first ones change the truth of the others."""

    def card(self, name: str) -> Card:
        """A card with such hooks."""
        event = self.event("after")
        while event.verb not in ("attack", "move", "bolster") or not says_more(event):
            event = self.event("after")
        refs = [*event.roles()]
        ref = self.one(["this", *refs])
        first = self.one((Lose(ref=ref), Lose(ref=ref), Each(phrase=beside(ref))))
        stages = [stage for stage in ("when", "instead", "after") if self.at_times(0.6)]
        # No act causes an event of the kind.
        steps = [first, *(self.one((Lose(ref=ref), Recruit(), Claim(True))) for _ in stages)]
        return Card(
            name,
            hooks=[
                Hook(stage, event, Sentence((step,))) for stage, step in zip(("before", *stages), steps, strict=True)
            ],
        )


def says_more(event: Event) -> bool:
    """Whether an event is described by things that can change while it is under way."""
    said = [one for one in (event.subject, event.object) if isinstance(one, Phrase)]
    return event.measures or any(one.state for one in said)


def remembered(state: State) -> Remembering:
    """Let a state be carried out by a machine that remembers."""
    found = Remembering(state.run.program)
    state.run.machine = found.machine
    return found


@pytest.mark.parametrize("seed", seeds(1, "judged once", usual=[3]))
def test_conditions_on_an_event_are_judged_once_at_its_beginning(seed: int) -> None:
    rng = Random(seed)
    maker, judged, changed = Restless(rng), Counter[str](), Counter[str]()
    made = {(card := maker.card(f"Probe {number}")).text(): card for number in range(CARDS)}
    sound = accepted(made)
    game = shipped.__wrapped__("war-chest", *blanks(), *(card.text() for card in sound))
    for card in sound:
        for _ in range(POSITIONS):
            state = game.position(given(position(rng, card.name), card.name))
            watched = remembered(state)
            play(state, rng, {verb for hook in card.hooks for verb in hook.event.verbs} | {"attack"})
            judged += watched.judged
            changed += watched.changed
    assert all(judged[stage] > CARDS // 4 for stage in ("before", "when", "instead", "after")), judged
    # A law that nothing puts to the test is none.
    assert not changed["before"] and all(changed[stage] > 2 for stage in ("when", "instead", "after")), changed


def play(state: State, rng: Random, apt: set[str]) -> None:
    """Take random options, of some acts if possible, with all their consequences, for a few turns."""
    for _ in range(8):
        if state.decision is None:
            return
        options = state.decision.options
        state.apply(rng.choice([one for one in options if one.act in apt] or options))


def test_hooks_of_the_shipped_cards_are_judged_once() -> None:
    state = shipped().new(seed=5, sets="all")
    watched, rng = remembered(state), Random(5)
    for _ in range(300):
        if state.decision is None:
            break
        state.apply(state.decision.sample(rng))
    assert watched.judged["after"] > 20
