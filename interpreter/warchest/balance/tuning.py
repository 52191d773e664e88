"""Numbers that a card could have, proposed by playing: Optuna chooses them, paired games judge them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from warchest.testing.impact import NORMAL

if TYPE_CHECKING:
    from optuna.samplers import BaseSampler
    from optuna.trial import Trial

AGAIN = 4
"""The most choices of numbers for each trial: some are chosen repeatedly."""
NEAR = 2
"""The default distance from a number within which others are tried."""


@dataclass(frozen=True, slots=True)
class NumberRange:
    """A number of a card by its name, its present value, and the least and the largest that are tried."""

    name: str
    value: int
    least: int
    most: int

    @classmethod
    def near(cls, name: str, value: int) -> NumberRange:
        """Return the range near a value; a positive value keeps a positive range."""
        return cls(name, value, max(value - NEAR, min(value, 1)), value + NEAR)


@dataclass(frozen=True, slots=True)
class JudgedNumbers:
    """Numbers of a card, and the share of games that it wins with them, all else being equal, with its standard error.

    If the card cannot have the numbers, `refused` gives the reason.
    """

    numbers: Mapping[str, int]
    share: float = 0.0
    error: float = 0.0
    games: int = 0
    refused: str = ""

    @property
    def interval(self) -> tuple[float, float]:
        """The bounds of the true share with 95 % confidence."""
        return max(self.share - NORMAL * self.error, 0.0), min(self.share + NORMAL * self.error, 1.0)

    @property
    def words(self) -> str:
        """The numbers in words."""
        return ", ".join(f"{name} {value}" for name, value in self.numbers.items())


def tuned(
    ranges: list[NumberRange],
    target: float,
    trials: int,
    seed: int,
    judge: Callable[[Mapping[str, int]], JudgedNumbers],
    goes_on: Callable[[], bool] = lambda: True,
) -> list[JudgedNumbers]:
    """Return the numbers that were tried, the nearest to a target share first; the present ones are tried first.

    Where the trials suffice, all numbers in the ranges are tried; otherwise Optuna chooses. The same seed gives the
    same numbers. `goes_on` is asked before each further trial.
    """
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    known: dict[tuple[int, ...], JudgedNumbers] = {}

    def loss(trial: Trial) -> float:
        numbers = {one.name: trial.suggest_int(one.name, one.least, one.most) for one in ranges}
        key = tuple(numbers.values())
        if key not in known:
            known[key] = judge(numbers)
        found = known[key]
        if found.refused:
            raise optuna.TrialPruned(found.refused)
        return abs(found.share - target)

    study = optuna.create_study(sampler=_sampler(ranges, trials, seed))
    study.enqueue_trial({one.name: one.value for one in ranges}, skip_if_exists=True)
    for _ in range(AGAIN * trials):
        if len(known) >= min(trials, _combinations(ranges)) or not goes_on():
            break
        study.optimize(loss, n_trials=1)
    return nearest_first(known.values(), target)


def nearest_first(tried: Iterable[JudgedNumbers], target: float) -> list[JudgedNumbers]:
    """Return numbers that were tried, the nearest to a target share first; refused numbers come last."""
    return sorted(tried, key=lambda one: (bool(one.refused), abs(one.share - target), one.words))


def _combinations(ranges: list[NumberRange]) -> int:
    return prod(one.most - one.least + 1 for one in ranges)


def _sampler(ranges: list[NumberRange], trials: int, seed: int) -> BaseSampler:
    from optuna.samplers import GridSampler, TPESampler

    if _combinations(ranges) > trials:
        return TPESampler(seed=seed)
    return GridSampler({one.name: list(range(one.least, one.most + 1)) for one in ranges}, seed=seed)
