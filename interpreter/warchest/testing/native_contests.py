"""Games between bots that are played natively, many in one call, and their records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warchest.bots import Bot
from warchest.bots.seated import Seated, seated
from warchest.game.native_games import ContestNumber, NativeTable, PlayCourse, Standing, ZoneReader, why_given_up
from warchest.game.setup.beginning import Beginning
from warchest.game.state import outcome
from warchest.testing.game_records import Record, turns_played

_ContestEnd = tuple[tuple[str, ...] | None, str]
"""The winners and the reason; no winners if the game has not ended."""


class NativeContests:
    """Games at a native table, in which bots take their seats in turn; `zone` is the one that holds their armies."""

    def __init__(
        self,
        table: NativeTable,
        beginning: Beginning,
        seatings: Sequence[dict[str, str]],
        bots: dict[str, Bot],
        limit: tuple[int, int | None],
        zone: str,
    ) -> None:
        self.table, self.seatings, self.limit = table, seatings, limit
        self._variant, self._armies = beginning.variant, ZoneReader(beginning.variant, zone)
        those = seated([bots[name] for seating in seatings for name in seating.values()], self._variant)
        assert isinstance(those, Seated)
        self._course = PlayCourse(
            those.favourites, *limit, self._armies.cells, those.looks, those.valuation, len(seatings)
        )
        self._endings: dict[tuple[int, int], _ContestEnd] = {}

    def records(self, first: int, seeds: Sequence[int]) -> Iterator[Record | str]:
        """Yield the record of the game of each seed, or the reason why it was given up; `first` is the first number."""
        rows = self.table.contests(seeds, self._course, first)
        told = zip(seeds, *(rows.column(which) for which in ContestNumber), strict=True)
        begun, cap = len(ContestNumber), self.limit[1]
        for number, (seed, standing, winner, decisions, rounds, turns, unfit) in enumerate(told, first):
            if standing == Standing.LOST:
                yield why_given_up(unfit)
            else:
                winners, reason = self._ending(standing, winner)
                armies = self._armies.contents(rows.numbers, begun, begun + rows.cells)
                seating = self.seatings[number % len(self.seatings)]
                turns = turns_played(turns, winners, cap)
                yield Record(seed, armies, seating, winners, reason, turns, rounds, decisions)
            begun += rows.width

    def _ending(self, standing: int, winner: int) -> _ContestEnd:
        found = self._endings.get((standing, winner))
        if found is None:
            end = outcome(self._variant, winner) if standing == Standing.OVER else None
            found = self._endings[standing, winner] = (end.winners, end.reason) if end is not None else (None, "")
        return found
