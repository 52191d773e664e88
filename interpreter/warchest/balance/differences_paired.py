"""Differences between two versions of a game, measured by paired games: both versions play the same seeds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

from warchest.balance.contests import score_with
from warchest.lowering.board import Seat
from warchest.testing.game_records import Record
from warchest.testing.impact import NORMAL


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """The share of games won with a card in two versions, the difference, and the standard error of it.

    `games` is the number of seeds with two ended games, `otherwise` the number of these with different results.
    """

    card: str
    before: float
    after: float
    value: float
    error: float
    games: int
    otherwise: int
    version: str = ""
    """The other version in words."""

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return NORMAL * self.error

    @property
    def interval(self) -> tuple[float, float]:
        """The bounds of the true difference with 95 % confidence."""
        return max(self.value - self.half_width, -1.0), min(self.value + self.half_width, 1.0)


def paired_difference(card: str, games: Iterable[tuple[Record, Record]], seats: Sequence[Seat]) -> PairedDifference:
    """Return the difference that pairs of games of the same seeds show, in the armies with a card.

    The error is that of Agresti and Min for paired shares, with half a game added to each kind of result: so it is not 0
    where all pairs have ended alike.
    """
    pairs = [
        (before, after)
        for one, other in games
        if (before := score_with(one, seats, card)) is not None
        and (after := score_with(other, seats, card)) is not None
    ]
    changes = [after - before for before, after in pairs]
    count = len(pairs)
    mean = sum(changes) / count if count else 0.0
    padded, total, squares = count + 2, sum(changes), sum(one * one for one in changes) + 1
    error = sqrt(max(squares - total * total / padded, 0.0)) / padded
    share = [sum(pair[place] for pair in pairs) / count if count else 0.5 for place in (0, 1)]
    return PairedDifference(card, share[0], share[1], mean, error, count, sum(one != 0 for one in changes))
