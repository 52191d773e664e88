"""The weight of open questions: how often another reading changes the options, or the winner."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from warchest.game.errors import PositionError
from warchest.game.game import ALL, Game
from warchest.rulings.questions import Question, QuestionReading
from warchest.testing.budget import clock
from warchest.testing.differences import Compared, GameComparison

STARTS = 8
"""The number of beginnings; equally many games are played from each."""
CAP = 1000
"""The most decisions of a game, which is then given up."""
NORMAL = 1.96
"""The number of standard deviations around the mean that hold 95 % of the results."""


@dataclass(frozen=True, slots=True)
class Rate:
    """The number of games that were won, and the number of all games that have ended."""

    won: int
    games: int

    @property
    def interval(self) -> tuple[float, float]:
        """The bounds of the true rate with 95 % confidence, after Wilson; 0 and 1 where there were no games."""
        if not self.games:
            return 0.0, 1.0
        rate, square = self.won / self.games, NORMAL * NORMAL
        middle = rate + square / (2 * self.games)
        spread = NORMAL * sqrt(rate * (1 - rate) / self.games + square / (4 * self.games**2))
        scale = 1 + square / self.games
        # Rounding must lead to no rate below 0 or above 1.
        return max((middle - spread) / scale, 0.0), min((middle + spread) / scale, 1.0)


@dataclass(frozen=True, slots=True)
class Impact:
    """The weight of a reading compared with the usual one: positions that differ, and games won by the first player.

    `rates` has the rate of such games for the usual reading, and then for the other one.
    """

    question: Question
    reading: QuestionReading
    compared: Compared
    rates: tuple[Rate, Rate] = (Rate(0, 0), Rate(0, 0))

    @property
    def changes_winners(self) -> bool:
        """Whether the rates differ by more than chance explains."""
        (low, high), (least, most) = (one.interval for one in self.rates)
        return high < least or most < low


def readings_beside(question: Question) -> Iterator[tuple[QuestionReading, Mapping[str, str], Mapping[str, str]]]:
    """Yield the readings that can be chosen in place of the one taken, each with the options of both."""
    if question.option is None or question.taken.value is None:
        return
    for reading in question.others:
        if reading.value is not None:
            yield reading, {question.option: question.taken.value}, {question.option: reading.value}


def weigh(
    game: Game, question: Question, positions: int, games: int, acts: Container[str], seed: int, until: float
) -> Iterator[Impact]:
    """Yield the weight of each reading of a question, by numbers of `positions` and `games`, or until a time."""
    pieces = [name for kind in game.piece_kinds for name in game.names(kind)]
    cards = [name for name in question.about if name in pieces]
    for reading, taken, other in readings_beside(question):
        comparison = GameComparison(game, game, (taken, other))
        compared = comparison.look(cards, seed=seed, most=positions, until=until, every=True)
        rates = [_rate(game, options, games, acts, seed, cards, until) for options in (taken, other)]
        yield Impact(question, reading, compared, (rates[0], rates[1]))


def _rate(
    game: Game,
    options: Mapping[str, str],
    games: int,
    acts: Container[str],
    seed: int,
    cards: Sequence[str],
    until: float,
) -> Rate:
    """Play games with an option, natively if possible, and count the games that the first player wins."""
    won = ended = 0
    for start in range(seed, seed + STARTS):
        if clock() >= until or games < STARTS:
            break
        try:
            state = game.new(seed=start, options=options, sets=ALL)
        except PositionError:
            break
        state.silent = True
        if state.play_natively():
            # Without a native machine there are too few games to tell anything.
            break
        first = state.board.players[0]
        for outcome in state.rollouts(games // STARTS, start * games, acts, CAP):
            ended += outcome is not None
            won += outcome is not None and first in outcome.winners
    return Rate(won, ended)
