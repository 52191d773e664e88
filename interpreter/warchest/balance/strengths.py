"""Strengths by the model of Bradley and Terry: the part of each card, seat and bot in the odds of an army.

The logarithm of the odds that a team wins is the sum of the strengths of its cards, its seat and its bots, less that of
the other team. The strengths are those that fit the games best, drawn towards 0 by a penalty: so cards that were hardly
ever played get no absurd ones. Their intervals are those of the normal distribution about the best fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, log
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from warchest.balance.contests import TeamContest, TeamSide
from warchest.testing.impact import NORMAL

Numbers: TypeAlias = NDArray[np.float64]
SPREAD = 1.0
"""The standard deviation of the strengths of cards before any game is known: the larger, the smaller the penalty."""
ELO = 400 / log(10)
"""The points of an Elo rating in a unit of strength."""


def share_of(strength: float) -> float:
    """Return the share of games that a side wins if it is stronger by `strength`, and otherwise equal."""
    return 1 / (1 + exp(-strength))


@dataclass(frozen=True, slots=True)
class Strength:
    """The strength of a card, a seat or a bot compared with the mean of its kind, and the standard error.

    `games` is the number of contests in which one side had more of it than the other.
    """

    name: str
    value: float
    error: float
    games: int

    @property
    def interval(self) -> tuple[float, float]:
        """The bounds of the true strength with 95 % confidence."""
        return self.value - NORMAL * self.error, self.value + NORMAL * self.error

    @property
    def share(self) -> float:
        """The share of games won with it in place of a mean one, all else being equal."""
        return share_of(self.value)

    @property
    def shares(self) -> tuple[float, float]:
        """The bounds of the true share with 95 % confidence."""
        low, high = self.interval
        return share_of(low), share_of(high)

    @property
    def elo(self) -> float:
        """The strength as points of an Elo rating about a mean of 0."""
        return ELO * self.value

    @property
    def elo_half_width(self) -> float:
        """Half the width of the interval of the Elo rating."""
        return ELO * NORMAL * self.error

    @property
    def half_width(self) -> float:
        """Half the width of the interval of the share."""
        low, high = self.shares
        return (high - low) / 2

    def against_others(self, count: int) -> Strength:
        """Return the strength compared with the mean of the others, if there are `count` of its kind in all."""
        scale = count / max(count - 1, 1)
        return replace(self, value=scale * self.value, error=scale * self.error)


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """The model that fits some contests: its design, the strengths, and their covariance.

    Row n of `design` is contest n: the counts of the first team less those of the second one, by column.
    """

    contests: Sequence[TeamContest]
    cards: tuple[Strength, ...]
    """The cards, by name."""
    teams: tuple[Strength, ...]
    """The teams, each against the others."""
    bots: tuple[Strength, ...]
    design: Numbers
    expected: Numbers
    """The probability of each contest that the first team wins."""
    covariance: Numbers

    def inseparable(self) -> list[tuple[str, ...]]:
        """Return the cards that were always as often on the same side as others, so that no game distinguishes them."""
        groups: dict[bytes, list[str]] = {}
        for column, one in enumerate(self.cards):
            groups.setdefault(self.design[:, column].tobytes(), []).append(one.name)
        return [tuple(names) for names in groups.values() if len(names) > 1]

    def card(self, name: str) -> Strength | None:
        """Return the strength of a card, or None if it was in no army."""
        return next((one for one in self.cards if one.name == name), None)


_SidePart: TypeAlias = Callable[[TeamSide], Mapping[str, float]]
_PARTS: tuple[_SidePart, ...] = (lambda side: side.cards, lambda side: {side.team: 1.0}, lambda side: side.bots)
"""The parts of a side that have strengths: its cards, its seats, its bots."""


def fitted(contests: Iterable[TeamContest], spread: float = SPREAD) -> Fit:
    """Return the model that fits contests best; the same contests give the same one.

    `spread` is the standard deviation of strengths before any game is known.
    """
    known = list(contests)
    columns = [_names(known, part) for part in _PARTS]
    design = np.hstack([_columns(known, names, part) for names, part in zip(columns, _PARTS, strict=True)])
    values = _best_fit(design, np.array([one.score for one in known]), spread)
    expected = np.asarray(expit(design @ values), dtype=np.float64)
    weights = expected * (1 - expected)
    information = (design.T * weights) @ design + np.eye(design.shape[1]) / spread**2
    covariance = np.asarray(np.linalg.inv(information), dtype=np.float64)
    told: list[tuple[Strength, ...]] = []
    begin = 0
    for names in columns:
        part = slice(begin, begin + len(names))
        told.append(_strengths(names, values[part], covariance[part, part], design[:, part]))
        begin += len(names)
    teams = tuple(one.against_others(len(told[1])) for one in told[1])
    return Fit(known, told[0], teams, told[2], design, expected, covariance)


def _names(contests: Sequence[TeamContest], part: _SidePart) -> tuple[str, ...]:
    return tuple(sorted({name for one in contests for side in (one.first, one.second) for name in part(side)}))


def _columns(contests: Sequence[TeamContest], names: Sequence[str], part: _SidePart) -> Numbers:
    """Return a column for each name: its number in the first team, less that in the second."""
    number = {name: column for column, name in enumerate(names)}
    found = np.zeros((len(contests), len(names)))
    for row, one in enumerate(contests):
        for side, sign in ((one.first, 1.0), (one.second, -1.0)):
            for name, count in part(side).items():
                found[row, number[name]] += sign * count
    return found


def _best_fit(design: Numbers, scores: Numbers, spread: float) -> Numbers:
    """Return the values with the highest likelihood under the penalty."""
    if not design.any():
        return np.zeros(design.shape[1])
    # Each contest is counted from both sides, with weight one half, so that there are always games won and lost.
    both = np.vstack([design, design, -design, -design])
    won = np.concatenate([np.ones(len(scores)), np.zeros(len(scores))] * 2)
    weights = np.concatenate([scores, 1 - scores, 1 - scores, scores]) / 2
    model = LogisticRegression(C=spread**2, fit_intercept=False, solver="newton-cholesky", tol=1e-8, max_iter=1000)
    model.fit(both[weights > 0], won[weights > 0], sample_weight=weights[weights > 0])
    return np.asarray(model.coef_[0], dtype=np.float64)


def _strengths(names: Sequence[str], values: Numbers, covariance: Numbers, design: Numbers) -> tuple[Strength, ...]:
    """Return strengths compared with their mean, which games cannot show if all sides have equally many."""
    count = len(names)
    if not count:
        return ()
    centring = np.eye(count) - 1 / count
    errors = np.sqrt(np.clip(np.diag(centring @ covariance @ centring), 0, None))
    games = np.count_nonzero(design, axis=0)
    return tuple(
        Strength(name, float(value), float(error), int(number))
        for name, value, error, number in zip(names, values - values.mean(), errors, games, strict=True)
    )
