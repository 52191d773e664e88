"""The tally of games that bots have played: wins by seat, bot, card and pair, as data and as tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import Any, Literal, NamedTuple, TypeAlias

from warchest.diagnostics.articles import many
from warchest.lowering.board import Seat
from warchest.testing.game_records import Record
from warchest.testing.impact import Rate

By: TypeAlias = Literal["card", "pair", "seat"]
BY: tuple[By, ...] = ("card", "pair", "seat")
"""The sorts of tables that can be asked for."""
WITH, AGAINST = "with", "against"
TableRow: TypeAlias = tuple[str, ...]
_StandingPair: TypeAlias = tuple[str, str, str]
"""A card, the relation of another one to it, and that other one; games of the first are counted."""


class TallyTable(NamedTuple):
    """A table of shares of wins: its title, the names of its columns, and its sections, each of rows of cells."""

    title: str
    columns: tuple[str, ...]
    sections: tuple[Sequence[TableRow], ...]


class Tally:
    """The outcome of the games so far, in sum: there may be too many to keep them all."""

    def __init__(self, seats: Sequence[Seat], by: Iterable[By] = ()) -> None:
        self.seats, self.by = seats, frozenset(by)
        self.games = self.turns = self.rounds = self.decisions = self.draws = self.unfinished = 0
        self.sat: Counter[str] = Counter()
        """The number of times each bot sat down."""
        self.placed: Counter[tuple[str, str]] = Counter()
        self.won: Counter[tuple[str, str]] = Counter()
        """The games that have ended, by seat and bot, and those won; a team's win is each member's."""
        self.by_team: Counter[str] = Counter({seat.team: 0 for seat in seats})
        self.with_card: Counter[str] = Counter()
        self.by_card: Counter[str] = Counter()
        """The armies with each card in games that have ended, and how many of them have won."""
        self.with_pair: Counter[_StandingPair] = Counter()
        self.by_pair: Counter[_StandingPair] = Counter()
        """The same of pairs of cards, where they are asked for; cards of a team are with each other."""
        self.reasons: Counter[str] = Counter()
        """The rules that did not terminate, and the number of games that each of them ended."""
        self.lost: Counter[str] = Counter()
        """The reasons for which the native machine gave games up, with the numbers of games."""

    def add(self, record: Record) -> None:
        """Count a further game."""
        self.games += 1
        self.turns += record.turns
        self.rounds += record.rounds
        self.decisions += record.decisions
        self.draws += record.winners == ()
        self.unfinished += record.winners is None
        if record.endless is not None:
            self.reasons[str(record.endless)] += 1
        if record.lost:
            self.lost[record.lost] += 1
        self.sat.update(record.bots[seat.name] for seat in self.seats)
        if record.winners is not None:
            self._add_ended(record)

    def merge(self, other: Tally) -> None:
        """Count the games that another tally of the same seats and sorts has counted."""
        for name, count in vars(other).items():
            if isinstance(count, Counter):
                getattr(self, name).update(count)
            elif isinstance(count, int):
                setattr(self, name, getattr(self, name) + count)

    def _add_ended(self, record: Record) -> None:
        """Count a game that has ended."""
        for seat in self.seats:
            bot, won = record.bots[seat.name], record.has_won(seat)
            self.placed[seat.name, bot] += 1
            self.won[seat.name, bot] += won
            cards = set(record.armies.get(seat.name, ()))
            self.with_card.update(cards)
            self.by_card.update(cards if won else ())
        teams = {seat.team: record.has_won(seat) for seat in self.seats}
        self.by_team.update({team for team, won in teams.items() if won})
        if "pair" in self.by:
            self._add_pairs(record, teams)

    def _add_pairs(self, record: Record, teams: dict[str, bool]) -> None:
        cards = {
            team: {name for seat in self.seats if seat.team == team for name in record.armies.get(seat.name, ())}
            for team in teams
        }
        for team, won in teams.items():
            others = {name for one, names in cards.items() if one != team for name in names}
            pairs: list[_StandingPair] = [(one, WITH, other) for one, other in combinations(sorted(cards[team]), 2)]
            # Each pair of foes is listed once.
            pairs += [(one, AGAINST, other) for one, other in product(cards[team], others) if one < other]
            self.with_pair.update(pairs)
            self.by_pair.update(pairs if won else ())

    @property
    def ended(self) -> int:
        """The number of games that have ended."""
        return self.games - self.unfinished

    def means(self) -> dict[str, float]:
        """Return the averages of a game; nothing where there was none."""
        sums = {"turns": self.turns, "rounds": self.rounds, "decisions": self.decisions}
        return {what: number / self.games for what, number in sums.items()} if self.games else {}

    def data(self, partial: bool) -> dict[str, Any]:
        """Return the summary JSON-ready; `partial` where the games were broken off."""
        means = self.means()
        return {
            "summary": True,
            "partial": partial,
            "games": self.games,
            "wins": {seat.name: _sum(self.won, seat=seat.name) for seat in self.seats},
            "bots": {bot: {"seats": sat, "wins": _sum(self.won, bot=bot)} for bot, sat in self.sat.items()},
            "cards": {
                name: {"armies": self.with_card[name], "wins": self.by_card[name]} for name in sorted(self.with_card)
            },
            "pairs": [
                {
                    "cards": [one, other],
                    "as": how,
                    "armies": self.with_pair[one, how, other],
                    "wins": self.by_pair[one, how, other],
                }
                for one, how, other in sorted(self.with_pair)
            ],
            "draws": self.draws,
            "unfinished": self.unfinished,
            "endless": self.reasons.total(),
            **{f"mean_{what}": round(means[what], 2) if means else None for what in ("turns", "rounds", "decisions")},
        }

    def tables(self, title: str) -> Iterator[TallyTable]:
        """Yield the shares of wins in the games that have ended, and then the tables that were asked for besides."""
        teams = [
            (" and ".join(seat.name for seat in self.seats if seat.team == team), Rate(won, self.ended))
            for team, won in self.by_team.items()
        ]
        bots = [(f"bot {bot}", Rate(_sum(self.won, bot=bot), _sum(self.placed, bot=bot))) for bot in self.sat]
        yield TallyTable(
            f"{many(self.games, 'game')} of {title}",
            _columns("games"),
            (_rows([*teams, ("drawn", Rate(self.draws, self.ended))]), _rows(bots), list(self._left())),
        )
        yield from self._further()

    def _left(self) -> Iterator[TableRow]:
        """Yield the rows of games that have not ended."""
        endless = self.reasons.total()
        for name, count in (("given up", self.unfinished - endless), ("endless", endless)):
            if count:
                yield name, str(self.games), str(count), f"{count / self.games:.1%}", ""

    def means_text(self) -> str:
        """Return the averages of a game in words."""
        return ", ".join(f"{mean:.1f} {what}" for what, mean in self.means().items()) + " a game"

    def _further(self) -> Iterator[TallyTable]:
        if "seat" in self.by:
            told = ((seat.name, bot) for seat in self.seats for bot in sorted(self.sat) if self.placed[seat.name, bot])
            rates = ((f"{one[0]} played by {one[1]}", Rate(self.won[one], self.placed[one])) for one in told)
            yield _table("seats", "games", rates)
        if "card" in self.by:
            cards = {name: Rate(self.by_card[name], count) for name, count in self.with_card.items()}
            yield _table("armies with a card", "armies", _best_first(cards))
        if "pair" in self.by:
            pairs = {" ".join(pair): Rate(self.by_pair[pair], count) for pair, count in self.with_pair.items()}
            yield _table("armies with a card, and another one", "armies", _best_first(pairs))


def _sum(counts: Counter[tuple[str, str]], seat: str = "", bot: str = "") -> int:
    """Return the number of games of a seat, or of a bot, wherever it sat."""
    return sum(count for one, count in counts.items() if one == (seat or one[0], bot or one[1]))


def _best_first(rates: dict[str, Rate]) -> list[tuple[str, Rate]]:
    return sorted(rates.items(), key=lambda one: (-one[1].won / one[1].games, one[0]))


def _table(title: str, counted: str, rates: Iterable[tuple[str, Rate]]) -> TallyTable:
    return TallyTable(title, _columns(counted), (_rows(rates),))


def _columns(counted: str) -> tuple[str, ...]:
    return "", counted, "won", "share", "95 %"


def _rows(rates: Iterable[tuple[str, Rate]]) -> list[TableRow]:
    return [_row(name, rate) for name, rate in rates]


def _row(name: str, rate: Rate) -> TableRow:
    """Return a row with a share, and the bounds of the true one."""
    if not rate.games:
        return name, "0", str(rate.won), "-", ""
    low, high = rate.interval
    return name, str(rate.games), str(rate.won), f"{rate.won / rate.games:.1%}", f"{low:.0%}–{high:.0%}"


__all__ = ["BY", "By", "Tally", "TallyTable"]
