"""Series of games that judge cards: played until the intervals are narrow enough, or a limit is reached.

The games have successive seeds. In a request about cards, only seeds that deal one of these cards count.
Several versions of a game play the same seeds, so that they can be compared in pairs. The rule that ends a series
depends on the width of intervals and never on the results, so it causes no bias.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count

from warchest.balance.contests import TeamContest, contests_of
from warchest.balance.differences_paired import PairedDifference, paired_difference
from warchest.balance.strengths import Fit, fitted
from warchest.game.errors import PositionError
from warchest.testing.bot_games import BotTable, GameLimit, armies_of
from warchest.testing.budget import UNLIMITED, Budget
from warchest.testing.game_records import Record
from warchest.testing.search import KitSearch, ShownProgress
from warchest.testing.tally import Tally

STEP = 250
"""The number of seeds between two comparisons of the intervals of cards."""
IN_VAIN = 2000
"""The most deals in a row that may be without the cards of the request."""
TIME_OVER, BROKEN_OFF = "the time was over", "broken off"
"""The reasons why a series has ended before its games were enough."""


@dataclass(frozen=True, slots=True)
class GameVersion:
    """A version of a game in words, and its tables: one, or one for each bot if bots play only against themselves."""

    said: str
    tables: tuple[BotTable, ...]

    def play_natively(self) -> str:
        """Play natively from now on; return the reason if this is impossible."""
        return next((reason for table in self.tables if (reason := table.play_natively())), "")


PlayedSeed = tuple[tuple[Record, ...], ...]
"""The records of a seed, by version and by table."""


@dataclass
class GameSeries:
    """The games of some versions, by seeds from `first` on; `cards` are those of the request."""

    versions: Sequence[GameVersion]
    cards: tuple[str, ...]
    first: int
    limit: GameLimit
    played: list[PlayedSeed] = field(default_factory=list)
    ended: str = ""
    """The reason why no more games were played, in words."""
    _deals: Iterator[int | None] = field(init=False)

    def __post_init__(self) -> None:
        self._deals = self._dealt()

    def __getstate__(self) -> dict[str, object]:
        # Workers elsewhere are sent neither the games so far nor the deals to come.
        return {**vars(self), "played": [], "_deals": iter(())}

    @property
    def usual(self) -> BotTable:
        """The first table of the game as it is."""
        return self.versions[0].tables[0]

    @property
    def is_partial(self) -> bool:
        """Whether the games ended before the intervals were narrow enough or all seeds were played."""
        return self.ended in (TIME_OVER, BROKEN_OFF)

    @property
    def step(self) -> int:
        """The number of seeds between two comparisons of the intervals."""
        return STEP

    def ended_within(self, within: float) -> str:
        """Return why a series ended whose intervals are narrow enough, in words."""
        return f"all intervals were within ±{100 * within:.3g} points"

    # ---- playing

    def _dealt(self) -> Iterator[int | None]:
        """Yield the seeds that deal a card of the request, and None for each other seed.

        All seeds count if the request names no card, or if armies are chosen in play. Raises PositionError if no seed
        deals such a card.
        """
        vain = 0
        for seed in count(self.first):
            armies = armies_of(self.usual.game, self.usual.beginning.begin(seed)) if self.cards else {}
            dealt = {card for army in armies.values() for card in army}
            if dealt and dealt.isdisjoint(self.cards):
                vain += 1
                if vain >= IN_VAIN:
                    names = " or ".join(self.cards)
                    raise PositionError("cards", f"{IN_VAIN:,} deals in a row had no {names}; is its set in use?")
                yield None
                continue
            vain = 0
            yield seed

    def _next_seeds(self, most: int, budget: Budget) -> list[int]:
        """Return the next seeds, up to a number; fewer if the time ends first."""
        found: list[int] = []
        for seed in self._deals:
            found += [] if seed is None else [seed]
            if len(found) == most or budget.spent:
                break
        return found

    def play(self, seed: int) -> PlayedSeed:
        """Play the games of a seed."""
        return tuple(self.played_at(version, seed) for version in self.versions)

    def played_at(self, version: GameVersion, seed: int) -> tuple[Record, ...]:
        """Play the games of a seed in some version, one at each of its tables."""
        return tuple(table.play(seed - self.first, seed, self.limit) for table in version.tables)

    def run(
        self,
        most: int,
        within: float,
        budget: Budget = UNLIMITED,
        shown: Callable[[str], ShownProgress[PlayedSeed | None]] | None = None,
        add: Callable[[PlayedSeed], None] = lambda _: None,
    ) -> None:
        """Play up to a number of seeds, fewer where all intervals are `within` a half width, or the time is over.

        `add` is called with each seed that was played; `shown` shows the progress.
        """

        def keep(_: int, found: PlayedSeed) -> None:
            self.played.append(found)
            self._forget()
            add(found)

        while len(self.played) < most:
            seeds = self._next_seeds(min(self.step, most - len(self.played)), budget)
            search = KitSearch(seeds, self.play, budget)
            if shown is None:
                search.run(keep)
            else:
                search.run(keep, shown(f"games {len(self.played) + 1}-{len(self.played) + len(seeds)}"))
            if search.left or not seeds:
                self.ended = TIME_OVER
                return
            if self.half_width <= within:
                self.ended = self.ended_within(within)
                return
        self.ended = "these were the most that were asked for"

    # ---- results

    def _forget(self) -> None:
        for name in ("fit", "differences"):
            self.__dict__.pop(name, None)

    def records(self, version: int = 0) -> Iterator[Record]:
        """Yield the records of a version."""
        return (record for seed in self.played for record in seed[version])

    def tally(self, records: Iterable[Record]) -> Tally:
        """Return the tally of some games."""
        found = Tally(self.usual.beginning.variant.board.seats)
        for record in records:
            found.add(record)
        return found

    def contests(self, records: Iterable[Record]) -> list[TeamContest]:
        """Return the contests of some games."""
        seats = self.usual.beginning.variant.board.seats
        return [one for record in records for one in contests_of(record, seats)]

    @cached_property
    def fit(self) -> Fit:
        """The strengths by the games of the game as it is, so far."""
        return fitted(self.contests(self.records()))

    def fits_apart(self) -> dict[str, Fit]:
        """Return the strengths by the games of each bot, if bots play only against themselves."""
        tables = self.versions[0].tables
        if len(tables) < 2:
            return {}
        return {
            table.names[0]: fitted(self.contests(seed[0][place] for seed in self.played))
            for place, table in enumerate(tables)
        }

    @cached_property
    def differences(self) -> list[PairedDifference]:
        """The changes that the other versions make to the share of games won with each card of the request."""
        seats = self.usual.beginning.variant.board.seats
        return [
            replace(
                paired_difference(
                    card,
                    [
                        (before, after)
                        for seed in self.played
                        for before, after in zip(seed[0], seed[number], strict=True)
                    ],
                    seats,
                ),
                version=version.said,
            )
            for number, version in enumerate(self.versions[1:], 1)
            for card in self.cards
        ]

    @property
    def half_width(self) -> float:
        """Half the width of the widest interval of the cards of the request; 1 as long as there is none."""
        strengths = [one for one in self.fit.cards if not self.cards or one.name in self.cards]
        widths = [one.half_width for one in strengths] + [one.half_width for one in self.differences]
        return max(widths, default=1.0)
