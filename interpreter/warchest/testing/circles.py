"""Cycles of choices: choices within a turn that lead back to the same situation, and can be repeated endlessly.

A depth-first search visits the states that are reachable by choices in one turn, each situation once. A situation is
the things on the table and the choice of the player who decides. The search is deterministic.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from warchest.game.decision import Option
from warchest.game.state import State
from warchest.source.text import Span

STANDINGS = 300
"""The most situations that a search visits."""
STEPS, LONG, FURTHER = 60, 8, 40
"""The budget of a search: `STEPS` options, and `FURTHER` more for each choice of its longest path beyond `LONG`.
Ordinary turns with many choices are wide, but turns that never end are long.
"""
DEEPEST = 40
"""The greatest depth of a search, in choices."""
ROUNDS = 12
"""The number of times that a cycle must be repeatable to count as endless."""


@dataclass(frozen=True, slots=True)
class Circle:
    """A cycle: the ids of the options that lead to it, and of those in it.

    `unwanted` is the data of the first option in the cycle, `clause` the text that offers this option.
    """

    before: tuple[str, ...]
    options: tuple[str, ...]
    unwanted: dict[str, object]
    clause: Span | None


def circle_from(state: State) -> Circle | None:
    """Return a cycle of choices in the turn of a state; None if none was found.

    The depth of the search is increased step by step, so that the first cycle found is a short one.
    """
    if state.decision is None:
        return None
    found = _CircleSearch(state).found()
    for deepest in range(len(found.before) + len(found.options) if found is not None else 0):
        nearer = _CircleSearch(state, deepest).found()
        if nearer is not None:
            return nearer
    return found


def turn_is_over(state: State, begun: State) -> bool:
    """Whether a state is in another turn or round than an earlier one, or at the end of the game."""
    return state.decision is None or (state.turn, state.round) != (begun.turn, begun.round)


@dataclass(slots=True)
class _Standpoint:
    """A state on the current path of the search: its situation, its untried options, and the one that was chosen."""

    state: State
    standing: tuple[object, ...]
    left: Iterator[Option]
    chosen: str = ""


@dataclass(slots=True)
class _CircleSearch:
    """A search for a cycle from a state on."""

    begun: State
    deepest: int = DEEPEST
    met: dict[tuple[object, ...], int] = field(default_factory=dict)
    """The situations that were visited, each with the smallest depth at which it was reached."""
    way: list[_Standpoint] = field(default_factory=list)
    steps: int = 0
    longest: int = 0

    @property
    def most(self) -> int:
        """The number of options that may be tried, which depends on the longest path so far."""
        return STEPS + FURTHER * max(0, self.longest - LONG)

    def found(self) -> Circle | None:
        """Return the first cycle that can be repeated."""
        start = self.begun.clone()
        start.silent = True
        self._enter(start)
        while self.way and self.steps < self.most:
            here = self.way[-1]
            option = next(here.left, None)
            if option is None:
                self.way.pop()
                continue
            here.chosen = option.id
            self.steps += 1
            after = _after(here.state, option, self.begun)
            circle = self._closed(after) if after is not None else None
            if circle is not None:
                return circle
        return None

    def _closed(self, after: State) -> Circle | None:
        """Return the cycle that a state closes; if there is none, push the state onto the path unless it is known."""
        standing = _standing(after)
        place = next((number for number, one in enumerate(self.way) if one.standing == standing), -1)
        if place < 0:
            depth = len(self.way)
            known = self.met.get(standing, self.deepest if len(self.met) < STANDINGS else 0)
            if depth < known:
                self._enter(after, standing)
            return None
        options = tuple(one.chosen for one in self.way[place:])
        decision = after.decision
        assert decision is not None
        if not self._can_go_round(after, options):
            return None
        before = tuple(one.chosen for one in self.way[:place])
        return Circle(before, options, dict(decision.by_id(options[0]).data), decision.clause)

    def _enter(self, state: State, standing: tuple[object, ...] | None = None) -> None:
        standing = standing if standing is not None else _standing(state)
        self.met[standing] = len(self.way)
        self.longest = max(self.longest, len(self.way))
        assert state.decision is not None
        self.way.append(_Standpoint(state, standing, iter(self._worth_taking(state))))

    def _worth_taking(self, state: State) -> tuple[Option, ...]:
        """Return the options that can be part of a cycle; those that decline an offer come last.

        A chance event can be part of an endless cycle only if all its results are the same.
        """
        decision = state.decision
        assert decision is not None
        options = decision.options
        if decision.is_chance:
            afters = [_after(state, one, self.begun) for one in options]
            return options[:1] if len({one and _standing(one) for one in afters}) == 1 else ()
        return (*(one for one in options if not one.declines), *(one for one in options if one.declines))

    def _can_go_round(self, here: State, options: tuple[str, ...]) -> bool:
        for chosen in options * ROUNDS:
            decision = here.decision
            option = next((one for one in decision.options if one.id == chosen), None) if decision else None
            after = _after(here, option, self.begun) if option is not None else None
            if after is None:
                return False
            here = after
        return True


def _standing(state: State) -> tuple[object, ...]:
    """Return the situation in a state: the things on the table and the current choice, without pending work."""
    decision = state.decision
    assert decision is not None
    return state.variant.key(state.run)[:-1], decision.player, tuple(option.id for option in decision.options)


def _after(state: State, option: Option, begun: State) -> State | None:
    """Return the state after an option; None if the turn is over then, or the option cannot be carried out."""
    try:
        after = state.clone().apply(option)
        # Other laws report options that cannot be listed.
        return after if not turn_is_over(after, begun) and after.decision and after.decision.options else None
    except Exception:
        return None
