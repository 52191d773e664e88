"""Steps: each option of a state, taken once, with what has happened and what has come of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from warchest.game.decision import Option
from warchest.game.events import Event, events_of
from warchest.game.state import State


@dataclass(frozen=True, slots=True)
class Step:
    """An option that was taken: the states before and after it, and the events between them, the oldest first."""

    before: State
    option: Option
    events: tuple[Event, ...]
    after: State

    def of(self, *kinds: str) -> tuple[Event, ...]:
        """Return the events of some kinds: verbs of the game, or `moved`, `changed` and so on (see `Event`)."""
        return tuple(one for one in self.events if one.kind in kinds)


def step_of(before: State, option: Option) -> Step:
    """Take an option of a state, which stays as it is; raises EndlessError as `apply` does."""
    after = before.clone()
    told = len(after.history())
    after.apply(option)
    return Step(before, option, tuple(events_of(after.history()[told:], after.variant)), after)


def steps(state: State) -> Iterator[Step]:
    """Yield a step for each option of a state, in their order; none where the game is over."""
    decision = state.decision
    for option in decision.options if decision is not None else ():
        yield step_of(state, option)


def explore(state: State, depth: int) -> Iterator[Step]:
    """Yield every step that can be come to with so many decisions, each state once, the nearest first."""
    seen, layer = {state}, [state]
    for _ in range(depth):
        further: list[State] = []
        for one in layer:
            for step in steps(one):
                yield step
                if step.after not in seen:
                    seen.add(step.after)
                    further.append(step.after)
        layer = further


__all__ = ["Step", "explore", "step_of", "steps"]
