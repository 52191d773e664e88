"""Circles of choices: those within a turn that lead back to where they began, and can be taken again and again.

The search goes through the states that choices of one turn lead to, depth first, and looks at each standing once: the
things on the table, and the choice of the player who decides. It draws nothing, and is the same in every run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from warchest.game.decision import Option
from warchest.game.state import State
from warchest.source.text import Span

STANDINGS = 300
"""The most standings that are looked at in a search."""
STEPS, LONG, FURTHER = 60, 8, 40
"""The options that are taken in a search: so many, and so many further ones for each choice by which its longest way is
longer than usual turns are. Turns of many choices are wide, and those that never end are long.
"""
DEEPEST = 40
"""The most choices that lead away from where a search begins."""
ROUNDS = 12
"""The times that a circle of choices is gone round before it is taken for endless."""


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle: the options that lead to it, and those that it is made of, by their ids.

    `unwanted` is the data of the option that begins it, `clause` the text that asks for that.
    """

    before: tuple[str, ...]
    options: tuple[str, ...]
    unwanted: dict[str, Any]
    clause: Span | None


def circle_from(state: State) -> Circle | None:
    """Return a circle among the choices that can follow in the turn of a state; None where none was found.

    Where there is one, it is one of those that the fewest choices lead into and round.
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
    """Whether a state has come to another turn or round than one from which it was played on, or to its end."""
    return state.decision is None or (state.turn, state.round) != (begun.turn, begun.round)


@dataclass(slots=True)
class _Standpoint:
    """A state on the way that is searched: what stands there, its options, and those that are still to be taken."""

    state: State
    standing: tuple[Any, ...]
    left: Iterator[Option]
    chosen: str = ""


@dataclass(slots=True)
class _CircleSearch:
    """A search that begins in a state."""

    begun: State
    deepest: int = DEEPEST
    met: dict[tuple[Any, ...], int] = field(default_factory=dict)
    """The standings that were looked at, each with the fewest choices that led to it."""
    way: list[_Standpoint] = field(default_factory=list)
    steps: int = 0
    longest: int = 0

    @property
    def most(self) -> int:
        """The most options that are taken, as long as no longer way is found."""
        return STEPS + FURTHER * max(0, self.longest - LONG)

    def found(self) -> Circle | None:
        """Return the first circle that can be gone round."""
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
        """Return the circle that a state closes; where it closes none, the search goes on from there."""
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

    def _enter(self, state: State, standing: tuple[Any, ...] | None = None) -> None:
        standing = standing if standing is not None else _standing(state)
        self.met[standing] = len(self.way)
        self.longest = max(self.longest, len(self.way))
        assert state.decision is not None
        self.way.append(_Standpoint(state, standing, iter(self._worth_taking(state))))

    def _worth_taking(self, state: State) -> tuple[Option, ...]:
        """Return the options that can be part of a circle, those that accept something first.

        Chance goes round for ever only where all that it can bring comes to the same.
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


def _standing(state: State) -> tuple[Any, ...]:
    """Return the things on the table, and the choice of whoever decides, without the work that waits below."""
    decision = state.decision
    assert decision is not None
    return state.variant.key(state.run)[:-1], decision.player, tuple(option.id for option in decision.options)


def _after(state: State, option: Option, begun: State) -> State | None:
    """Return the state behind an option; None where the turn is over there, or something cannot be carried out."""
    try:
        after = state.clone().apply(option)
        # Options that cannot be listed are for other laws to tell.
        return after if not turn_is_over(after, begun) and after.decision and after.decision.options else None
    except Exception:
        return None


__all__ = ["Circle", "circle_from", "turn_is_over"]
