"""The judge of numbers that a card could have: paired games against the card as it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import hypot

from warchest.balance.asked_versions import TableMaker, card_named
from warchest.balance.differences_paired import PairedDifference, paired_difference
from warchest.balance.number_places import number_named, with_numbers
from warchest.balance.series import STEP, GameSeries
from warchest.balance.tuning import JudgedNumbers
from warchest.game.errors import CardError, PositionError
from warchest.game.game import Game
from warchest.testing.budget import Budget, OutOfTime
from warchest.testing.game_records import Record
from warchest.testing.search import KitSearch, ShownProgress


@dataclass(frozen=True, slots=True)
class NumberJudge:
    """Judges numbers of the card of a series, by the seeds that were played with the card as it is."""

    series: GameSeries
    game: Game
    maker: TableMaker
    within: float
    budget: Budget
    natively: bool = True
    shown: Callable[[str], ShownProgress[tuple[Record, ...] | None]] | None = None

    def __call__(self, numbers: Mapping[str, int]) -> JudgedNumbers:
        """Return the share of games that the card wins with these numbers; raises OutOfTime if the time ends first."""
        card = self.series.cards[0]
        document, strength = card_named(self.game, card), self.series.fit.card(card)
        assert strength is not None
        spread = strength.error * strength.share * (1 - strength.share)
        if all(number_named(document, name).value == value for name, value in numbers.items()):
            return JudgedNumbers(dict(numbers), strength.share, spread, len(self.series.played))
        try:
            version = self.maker.version(with_numbers(self.game, document, numbers))
        except CardError as error:
            return JudgedNumbers(dict(numbers), refused=error.diagnostics[0].message)
        except PositionError as error:
            return JudgedNumbers(dict(numbers), refused=str(error))
        if self.natively:
            version.play_natively()
        found = self._difference(card, lambda seed: self.series.played_at(version, seed))
        share = min(max(strength.share + found.value, 0.0), 1.0)
        return JudgedNumbers(dict(numbers), share, hypot(spread, found.error), found.games)

    def _difference(self, card: str, play: Callable[[int], tuple[Record, ...]]) -> PairedDifference:
        """Return the difference by as many of the seeds as needed; raises OutOfTime if none could be played."""
        seats = self.series.usual.beginning.variant.board.seats
        pairs = list[tuple[Record, Record]]()
        found = paired_difference(card, pairs, seats)
        for begin in range(0, len(self.series.played), STEP):
            part = self.series.played[begin : begin + STEP]
            search = KitSearch([one[0][0].seed for one in part], play, self.budget)
            records = [one for _, one in search.parts(*([self.shown("tuning")] if self.shown else []))]
            for one, other in zip(part, records, strict=False):
                pairs += zip(one[0], other, strict=True)
            found = paired_difference(card, pairs, seats)
            if len(records) < len(part) or found.half_width <= self.within:
                break
        if not pairs:
            raise OutOfTime
        return found
