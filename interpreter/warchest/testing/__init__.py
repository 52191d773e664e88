"""The property-testing kit: random positions, laws, comparisons and mutants of the cards of any game.

Some of it needs Hypothesis, which comes with `pip install 'warchest[testing]'`, and is imported when it is asked for.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from warchest.testing.contest_columns import Contests, contests
    from warchest.testing.coverage.report import CoverageReport
    from warchest.testing.differences import Compared, Difference, differences
    from warchest.testing.hypothesis_machine import GameMachine
    from warchest.testing.mutants.trying import Trial
    from warchest.testing.shortcuts import coverage, mutants, to_ruling
    from warchest.testing.shrinking import shrunk
    from warchest.testing.steps import Step, explore, steps
    from warchest.testing.stepwise import VacuousError, property
    from warchest.testing.strategies import armies, cards, games, plays, positions

__all__ = [
    "Compared",
    "Contests",
    "CoverageReport",
    "Difference",
    "GameMachine",
    "Step",
    "Trial",
    "VacuousError",
    "armies",
    "cards",
    "contests",
    "coverage",
    "differences",
    "explore",
    "games",
    "mutants",
    "plays",
    "positions",
    "property",
    "shrunk",
    "steps",
    "to_ruling",
]

_PLACES = {
    "Compared": "differences",
    "Contests": "contest_columns",
    "CoverageReport": "coverage.report",
    "Difference": "differences",
    "GameMachine": "hypothesis_machine",
    "Step": "steps",
    "Trial": "mutants.trying",
    "VacuousError": "stepwise",
    "armies": "strategies",
    "cards": "strategies",
    "contests": "contest_columns",
    "coverage": "shortcuts",
    "differences": "differences",
    "explore": "steps",
    "games": "strategies",
    "mutants": "shortcuts",
    "plays": "strategies",
    "positions": "strategies",
    "property": "stepwise",
    "shrunk": "shrinking",
    "steps": "steps",
    "to_ruling": "shortcuts",
}
"""The public names, each with the module that has it."""


class _Kit(ModuleType):
    """The package as a module that imports a part when its public name is first asked for.

    A name keeps its value when a module of the same name is imported, such as `differences` or `steps`.
    """

    def __getattr__(self, name: str) -> Any:
        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        try:
            found = getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
        except ModuleNotFoundError as error:
            if error.name is None or error.name.partition(".")[0] != "hypothesis":
                raise
            missing = f"{__name__}.{name} needs Hypothesis, which comes with: pip install 'warchest[testing]'"
            raise ImportError(missing, name=error.name) from None
        self.__dict__[name] = found
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in _PLACES or not isinstance(value, ModuleType):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*self.__dict__, *__all__})


sys.modules[__name__].__class__ = _Kit
