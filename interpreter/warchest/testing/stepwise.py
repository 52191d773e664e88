"""Properties in Python: functions that check every step from every small position."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TypeAlias

import hypothesis
import hypothesis.errors

from warchest.game.errors import PositionError
from warchest.game.game import Game
from warchest.testing.asked import ASKED, again
from warchest.testing.blame import blamed, named_in
from warchest.testing.positions import PositionData
from warchest.testing.shrinking import shrunk
from warchest.testing.steps import Step, step_of, steps
from warchest.testing.strategies import HeldTokens, positions
from warchest.testing.telling import report

Demand: TypeAlias = Callable[[Step], object]
"""A function that fails, as a test does, for a wrong step."""
Need: TypeAlias = Callable[[Step], object]
"""A predicate: whether a property applies to a step."""
ROUNDS = 4
"""The most rounds of random positions, each as large as the settings require, while `needs` was true too seldom."""
_DECORATED = "_hypothesis_internal_use_settings"
"""The attribute in which `@settings` stores the settings of a function."""
_MARK = "is_hypothesis_test"
"""The attribute that marks tests for the plugin of Hypothesis."""
_APPLIED = "_hypothesis_internal_settings_applied"
"""The attribute that marks functions with settings from `@settings`."""
_UNCHECKED = (hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.data_too_large)


class VacuousError(AssertionError):
    """A property was hardly tested: it applied to too few steps."""


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
    drawn: hypothesis.strategies.SearchStrategy[PositionData] | None = None,
) -> Callable[[Demand], Callable[[], None]]:
    """Make a test of a function that takes a `Step`, and fails if the step is wrong.

    The function is called with each option of some random positions. Their number is set by the `settings` of
    Hypothesis, which can also be a decorator above or below. Positions are `drawn` by a strategy, or by the wishes in
    `positions`, some of them near rulings. If `needs` was true of fewer than `min_hits` steps, up to four times as many
    positions are tried; if that is not enough, the test fails as VACUOUS. A failure comes with the smallest position,
    its board, and the clauses without which it does not occur.
    """

    def made(demand: Demand) -> Callable[[], None]:
        def test() -> None:
            __tracebackhide__ = True
            further = {key: one for key, one in test.__dict__.items() if key not in (_DECORATED, _APPLIED, _MARK)}
            search = _StepSearch(game, demand, needs, further)
            asked = ASKED.get()
            if asked is not None:
                search.look_at(asked)
                return
            source = (
                drawn
                if drawn is not None
                else positions(game, cards, others, pieces, near, hands, pending, options, ruled=True)
            )
            search.run(source, _settings_of(test, settings), min_hits)

        # Keep the attributes that decorators of Hypothesis and pytest have set.
        test.__dict__.update(demand.__dict__)
        for name in ("__name__", "__qualname__", "__module__", "__doc__"):
            setattr(test, name, getattr(demand, name))
        # With this mark its statistics are shown, and decorators such as `@settings` do not warn.
        setattr(test, _MARK, True)
        return test

    return made


def _settings_of(test: Callable[[], None], given: hypothesis.settings | None) -> hypothesis.settings:
    """Return the settings of a test: those of a decorator, or those given; raises InvalidArgument for both."""
    decorated = getattr(test, _DECORATED, None) if hasattr(test, _APPLIED) else None
    if decorated is not None and given is not None:
        raise hypothesis.errors.InvalidArgument(
            f"{test.__qualname__} has settings from `@settings` and from `property`; merge them into one"
        )
    return decorated or given or hypothesis.settings()


class _StepSearch:
    """One run of a property over many positions."""

    def __init__(self, game: Game, demand: Demand, needs: Need | None, further: Mapping[str, object]) -> None:
        self.game, self.demand, self.needs, self.further = game, demand, needs, further
        self.steps = self.hits = 0
        self.last: PositionData = {}
        """The last position that was tried."""
        self.failing: PositionData | None = None
        """The last position in which the property has failed: in the end, the simplest that Hypothesis has found."""

    def run(
        self, drawn: hypothesis.strategies.SearchStrategy[PositionData], settings: hypothesis.settings, min_hits: int
    ) -> None:
        """Check random positions; raises the error of the property, with a report, or VacuousError."""
        __tracebackhide__ = True
        for number in range(ROUNDS):
            self._round(drawn, settings, number)
            if self.needs is None or self.hits >= min_hits:
                return
        raise VacuousError(
            f"VACUOUS: `needs` was true of {self.hits} of {self.steps} steps, and {min_hits} are wanted; "
            "name the acting card as the first of the `cards`, write a ruling for it in which that happens, "
            "give such positions by `drawn`, or try more positions"
        )

    def _round(
        self, drawn: hypothesis.strategies.SearchStrategy[PositionData], settings: hypothesis.settings, number: int
    ) -> None:
        """Try the number of random positions in the settings; raises the error of the property, with a report."""
        __tracebackhide__ = True

        def look(position: PositionData) -> None:
            __tracebackhide__ = True
            self._look(position)

        # Decorators such as `@seed` have stored their arguments there.
        look.__dict__.update(self.further if not number else {})
        # Hypothesis keeps failures by the name and the text of a function.
        name = re.sub(r"\W", "_", f"{self.demand.__module__}.{self.demand.__qualname__}")
        look.__name__ = look.__qualname__ = f"{name}_{number + 1}" if number else name
        unchecked = tuple({*settings.suppress_health_check, *_UNCHECKED})
        own = hypothesis.settings(
            settings,
            deadline=None,
            report_multiple_bugs=False,
            suppress_health_check=unchecked,
            phases=unexplained(settings),
        )
        try:
            test = hypothesis.given(drawn)(look)
            # Later rounds have other positions, even if the first positions are the same in every run.
            own(hypothesis.seed(f"{number} {self.steps} {self.last}")(test) if number else test)()
        except BaseException as error:
            if self.failing is None or not isinstance(error, Exception):
                raise
            self._fail(self.failing, error)

    def look_at(self, told: PositionData) -> None:
        """Check one position; raises the error of the property, with a report, or PositionError."""
        __tracebackhide__ = True
        self.game.position(told)
        error, _ = self._error(self.game, told)
        if error is not None:
            self._fail(told, error)

    def _look(self, told: PositionData) -> None:
        """Check the property for every option of a position, and tell Hypothesis the number of needed steps."""
        __tracebackhide__ = True
        hits, self.last = 0, told
        try:
            for step in steps(self.game.position(told)):
                self.steps += 1
                hits += self.needs is None or bool(self.needs(step))
                self.demand(step)
        except Exception:
            self.failing = told
            raise
        self.hits += hits
        if self.needs is not None:
            # Hypothesis then tries positions like those with more needed steps.
            hypothesis.target(hits, label="steps that are needed")
            hypothesis.event("with steps that are needed" if hits else "without any step that is needed")

    # ---- failures

    def _fail(self, told: PositionData, error: Exception) -> None:
        """Raise the error of the property in the smallest position, with a report."""
        __tracebackhide__ = True
        kind = type(self._error(self.game, told)[0] or error)

        def fails(position: PositionData, game: Game = self.game) -> bool:
            return type(self._error(game, position)[0]) is kind

        told = shrunk(told, fails, game=self.game)
        found, chosen = self._error(self.game, told)
        if found is None:  # it does not fail a second time
            raise error
        culprits = blamed(self.game, named_in(self.game, told), lambda game: fails(told, game))
        found.add_note(report(self.game.position(told), told, culprits, chosen, again(_this_test(), told)))
        raise found from None

    def _error(self, game: Game, told: PositionData) -> tuple[Exception | None, str]:
        """Return the error of the first option of a position for which the property fails, and the option's label."""
        __tracebackhide__ = True
        with suppress(PositionError):
            state = game.position(told)
            for option in state.decision.options if state.decision is not None else ():
                try:
                    self.demand(step_of(state, option))
                except Exception as error:
                    return error, option.label
        return None, ""


def unexplained(settings: hypothesis.settings) -> list[hypothesis.Phase]:
    """Return the phases of some settings except the last, which slowly explains failures by lines of the program."""
    return [one for one in settings.phases if one is not hypothesis.Phase.explain]


def _this_test() -> str:
    """Return the id of the running test of pytest; empty outside of pytest."""
    return os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
