"""Conspicuous pairs of cards: armies with both, or with one against the other, win more or less than their strengths
predict.

Each pair is tested by its possible improvement of the fitted model (a score test). Among hundreds of pairs, some are
conspicuous by chance: the reported ones are chosen so that at most one in twenty is expected to be false (Benjamini and
Hochberg).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.sparse import csr_array
from scipy.special import erfc
from scipy.stats import false_discovery_control

from warchest.balance.contests import TeamContest
from warchest.balance.strengths import Fit, Numbers, share_of
from warchest.testing.impact import NORMAL

FALSE = 0.05
"""The false discovery rate: the expected share of reported pairs without an effect."""
FEWEST = 2.0
"""The least information that a pair must have: that of some eight games between equals."""
FEW = 5
"""The number of pairs that are reported in any case."""
SAMPLES = 3
"""The most games that are named to show a pair."""
_PairKey = tuple[str, bool, str]
"""A card, whether the other one is against it, and that one."""


@dataclass(frozen=True, slots=True)
class ExtremePair:
    """A pair of cards of one team, or of two teams: its effect beyond the strengths, its error and probability.

    `seeds` are the games with the most surprising results.
    """

    card: str
    is_against: bool
    other: str
    value: float
    error: float
    chance: float
    """The probability that pairs without any effect are as conspicuous, corrected for the number of pairs."""
    games: int
    seeds: tuple[int, ...]

    @property
    def stands_out(self) -> bool:
        """Whether chance hardly explains it."""
        return self.chance <= FALSE

    @property
    def name(self) -> str:
        """The pair in words."""
        return f"{self.card} {'against' if self.is_against else 'with'} {self.other}"

    @property
    def share(self) -> float:
        """The share of games that are won with it between sides that are otherwise equal."""
        return share_of(self.value)

    @property
    def shares(self) -> tuple[float, float]:
        """The bounds of the true share with 95 % confidence."""
        return share_of(self.value - NORMAL * self.error), share_of(self.value + NORMAL * self.error)


def extreme_pairs(fit: Fit, cards: Collection[str] = ()) -> list[ExtremePair]:
    """Return the conspicuous pairs, the likeliest to be real first; if there are few, a few other pairs follow.

    If `cards` are given, only pairs with one of them are returned.
    """
    marks = _PairMarks.of(fit.contests)
    often, values, errors = _tested(fit, marks.values)
    if not often:
        return []
    chances = false_discovery_control(erfc(np.abs(values / errors) / np.sqrt(2)))
    order = sorted(
        range(len(often)), key=lambda at: (chances[at], -abs(values[at] / errors[at]), marks.keys[often[at]])
    )
    wanted = [
        at for at in order if not cards or not {marks.keys[often[at]][0], marks.keys[often[at]][2]}.isdisjoint(cards)
    ]
    standing = sum(bool(chances[at] <= FALSE) for at in wanted)
    found: list[ExtremePair] = []
    for at in wanted[: max(standing, FEW)]:
        value, error, chance = (float(one[at]) for one in (values, errors, chances))
        games, seeds = _games_with(fit, marks.values, often[at], value)
        found.append(ExtremePair(*marks.keys[often[at]], value, error, chance, games, seeds))
    return found


def _tested(fit: Fit, marks: csr_array) -> tuple[list[int], Numbers, Numbers]:
    """Return the numbers of the pairs that were met often enough, their effects beyond the strengths, and the errors."""
    weights = fit.expected * (1 - fit.expected)
    scores = np.array([one.score for one in fit.contests])
    gained = np.asarray(marks.T @ (scores - fit.expected))
    weighted = marks.multiply(weights[:, None]).tocsr()
    shared = np.asarray(weighted.T @ fit.design)
    information = np.asarray(weighted.multiply(marks).sum(axis=0)).ravel()
    information = information - np.einsum("ij,jk,ik->i", shared, fit.covariance, shared, optimize=True)
    often = np.flatnonzero(information >= FEWEST)
    return often.tolist(), gained[often] / information[often], 1 / np.sqrt(information[often])


def _games_with(fit: Fit, marks: csr_array, pair: int, value: float) -> tuple[int, tuple[int, ...]]:
    """Return the number of contests with a pair, and the seeds of the most surprising ones that support it."""
    column = marks[:, [pair]].tocoo()
    shown: list[tuple[float, int]] = []
    for row, sign in zip(column.row, column.data, strict=True):
        surprise = sign * (fit.contests[row].score - fit.expected[row])
        if surprise * value > 0:
            shown.append((-abs(float(surprise)), fit.contests[row].seed))
    return column.nnz, tuple(seed for _, seed in sorted(shown)[:SAMPLES])


@dataclass(frozen=True, slots=True, eq=False)
class _PairMarks:
    """The pairs of all contests (rows): 1 if the first team has one more of the pair than the second, -1 if less."""

    keys: list[_PairKey]
    values: csr_array

    @classmethod
    def of(cls, contests: Sequence[TeamContest]) -> _PairMarks:
        """Return the pairs of some contests."""
        number: dict[_PairKey, int] = {}
        rows, columns, values = list[int](), list[int](), list[float]()
        for row, contest in enumerate(contests):
            for key, value in _pairs_of(contest).items():
                if value:
                    rows.append(row)
                    columns.append(number.setdefault(key, len(number)))
                    values.append(value)
        made: Numbers = np.array(values, dtype=np.float64)
        shape = (len(contests), len(number))
        return cls(list(number), csr_array((made, (np.array(rows, int), np.array(columns, int))), shape=shape))


def _pairs_of(contest: TeamContest) -> Mapping[_PairKey, float]:
    """Return the pairs of a contest from the view of the first team."""
    found: dict[_PairKey, float] = defaultdict(float)
    for side, sign in ((contest.first, 1.0), (contest.second, -1.0)):
        for one, other in combinations(sorted(side.cards), 2):
            found[one, False, other] += sign
    for one in contest.first.cards:
        for other in contest.second.cards:
            if one != other:
                # Each pair of foes is listed once.
                found[min(one, other), True, max(one, other)] += 1.0 if one < other else -1.0
    return found
