"""Properties in Python: functions that every step from every small position is held against."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TypeAlias

import hypothesis

from warchest.game.errors import PositionError
from warchest.game.game import Game
from warchest.testing.blame import blamed, named_in
from warchest.testing.positions import PositionData
from warchest.testing.shrinking import shrunk
from warchest.testing.steps import Step, step_of, steps
from warchest.testing.strategies import HeldTokens, positions
from warchest.testing.telling import report

Demand: TypeAlias = Callable[[Step], object]
"""A function that fails, as a test does, for a step that should not be."""
Need: TypeAlias = Callable[[Step], object]
"""A function that tells whether a step is one that a property is about."""
_UNCHECKED = (hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.data_too_large)


class VacuousError(AssertionError):
    """A property that was hardly put to the test: too few steps were such as it is about."""


def property(
    game: Game,
    cards: Sequence[str] = (),
    needs: Need | None = None,
    min_hits: int = 5,
    others: Sequence[str] = (),
    pieces: int = 4,
    near: int = 3,
    hands: HeldTokens = "useful",
    pending: bool = False,
    options: Mapping[str, str] | None = None,
    settings: hypothesis.settings | None = None,
) -> Callable[[Demand], Callable[[], None]]:
    """Make a test of a function that takes a `Step`, and fails for one that should not be.

    It is given every option of each of some random positions once; these are drawn as `positions` says, as many as the
    `settings` of Hypothesis say. The test fails as VACUOUS where `needs` was true of fewer than `min_hits` steps. A
    failure comes with the smallest position, its board, and the clauses without which it does not happen.
    """

    def made(demand: Demand) -> Callable[[], None]:
        def test() -> None:
            drawn = positions(game, cards, others, pieces, near, hands, pending, options)
            _StepSearch(game, cards, demand, needs).run(drawn, settings or hypothesis.settings(), min_hits)

        for name in ("__name__", "__qualname__", "__module__", "__doc__"):
            setattr(test, name, getattr(demand, name))
        return test

    return made


class _StepSearch:
    """One run of a property over many positions."""

    def __init__(self, game: Game, cards: Sequence[str], demand: Demand, needs: Need | None) -> None:
        self.game, self.demand, self.needs = game, demand, needs
        self.steps = self.hits = 0
        self.failing: PositionData | None = None
        """The last position in which the property has failed: in the end, the simplest that Hypothesis has found."""

    def run(
        self,
        drawn: hypothesis.strategies.SearchStrategy[PositionData],
        settings: hypothesis.settings,
        min_hits: int,
    ) -> None:
        """Look at random positions; raises the error of the property, with a report, or VacuousError."""

        def look(position: PositionData) -> None:
            self._look(position)

        # Hypothesis keeps failures by the name and the text of a function.
        look.__name__ = look.__qualname__ = re.sub(r"\W", "_", f"{self.demand.__module__}.{self.demand.__qualname__}")
        unchecked = tuple({*settings.suppress_health_check, *_UNCHECKED})
        # The lines of Python that it would explain are those of the machine, and to follow them takes long.
        phases = [one for one in settings.phases if one is not hypothesis.Phase.explain]
        own = hypothesis.settings(
            settings, deadline=None, report_multiple_bugs=False, suppress_health_check=unchecked, phases=phases
        )
        try:
            own(hypothesis.given(drawn)(look))()
        except BaseException as error:
            if self.failing is None or not isinstance(error, Exception):
                raise
            self._fail(self.failing, error)
        if self.needs is not None and self.hits < min_hits:
            raise VacuousError(
                f"VACUOUS: `needs` was true of {self.hits} of {self.steps} steps, and {min_hits} are wanted; "
                "name more `cards`, let pieces stand nearer, or look at more positions"
            )

    def _look(self, told: PositionData) -> None:
        """Hold every option of a position against the property; tell Hypothesis how much there was to see."""
        acting, hits = set(), 0
        try:
            for step in steps(self.game.position(told)):
                acting |= {(one.clause.file, one.clause.line) for one in step.events if one.clause is not None}
                self.steps += 1
                hits += self.needs is None or bool(self.needs(step))
                self.demand(step)
        except Exception:
            self.failing = told
            raise
        self.hits += hits
        # The positions that are tried next are like those in which most was done, so that more is seen.
        hypothesis.target(len(acting), label="clauses that act")
        if self.needs is not None:
            hypothesis.target(hits, label="steps that are needed")

    # ---- failures

    def _fail(self, told: PositionData, error: Exception) -> None:
        """Raise the error of the property in the smallest position, with a report."""
        kind = type(self._error(self.game, told)[0] or error)

        def fails(position: PositionData, game: Game = self.game) -> bool:
            return type(self._error(game, position)[0]) is kind

        told = shrunk(told, fails)
        found, chosen = self._error(self.game, told)
        if found is None:  # it does not fail a second time
            raise error
        culprits = blamed(self.game, named_in(self.game, told), lambda game: fails(told, game))
        found.add_note(report(self.game.position(told), told, culprits, chosen, _again()))
        raise found from None

    def _error(self, game: Game, told: PositionData) -> tuple[Exception | None, str]:
        """Return the error of the first option of a position for which the property fails, and the option's label."""
        with suppress(PositionError):
            state = game.position(told)
            for option in state.decision.options if state.decision is not None else ():
                try:
                    self.demand(step_of(state, option))
                except Exception as error:
                    return error, option.label
        return None, ""


def _again() -> str:
    """Return the command that runs the test again in which this is run."""
    place = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    return f"pytest {place!r}" if " " in place else f"pytest {place}" if place else ""


__all__ = ["VacuousError", "property"]
