"""The tally of games that bots have played: wins by seat, bot, card and pair, as data and as tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import Any, Literal, NamedTuple, TypeAlias

from warchest.diagnostics.articles import many
from warchest.lowering.board import Seat
from warchest.testing.game_records import Record, is_won
from warchest.testing.impact import Rate

By: TypeAlias = Literal["card", "pair", "seat"]
BY: tuple[By, ...] = ("card", "pair", "seat")
"""The kinds of tables that can be requested."""
WITH, AGAINST = "with", "against"
TableRow: TypeAlias = tuple[str, ...]
_BotPlace: TypeAlias = tuple[str, str]
"""A seat, and the bot that sits there."""
_BotResult: TypeAlias = tuple[tuple[str, ...], tuple[str, ...] | None]
"""The bots of the seats, and the winners; None where a game has not ended."""
_StandingPair: TypeAlias = tuple[str, str, str]
"""A card, the relation of another one to it, and that other one; games of the first are counted."""


class TallyTable(NamedTuple):
    """A table of shares of wins: its title, the names of its columns, and its sections, each of rows of cells."""

    title: str
    columns: tuple[str, ...]
    sections: tuple[Sequence[TableRow], ...]


class Tally:
    """The sums of the results of the games so far: there may be too many games to keep."""

    def __init__(self, seats: Sequence[Seat], by: Iterable[By] = ()) -> None:
        self.seats, self.by = seats, frozenset(by)
        self.games = self.turns = self.rounds = self.decisions = 0
        self.results: Counter[_BotResult] = Counter()
        """The games, by the bots of the seats and the winners."""
        self.with_card: Counter[str] = Counter()
        self.by_card: Counter[str] = Counter()
        """The armies with each card in games that have ended, and the number of these that have won."""
        self.with_pair: Counter[_StandingPair] = Counter()
        self.by_pair: Counter[_StandingPair] = Counter()
        """The same for pairs of cards, if requested; cards of a team are with each other."""
        self.reasons: Counter[str] = Counter()
        """The rules that did not terminate, and the number of games that each of them ended."""
        self.lost: Counter[str] = Counter()
        """The reasons for which the native machine gave games up, with the numbers of games."""
        self.left_out: Counter[str] = Counter()
        """The reasons why games were left out, with their numbers; these games are not counted otherwise."""

    def add(self, record: Record) -> None:
        """Count a further game."""
        if record.left_out:
            self.left_out[record.left_out] += 1
            return
        if record.lost:
            self.lost[record.lost] += 1
        self.games += 1
        self.turns += record.turns
        self.rounds += record.rounds
        self.decisions += record.decisions
        self.results[tuple(record.bots.values()), record.winners] += 1
        if record.endless is not None:
            self.reasons[str(record.endless)] += 1
        if record.winners is not None:
            self._add_ended(record)

    def merge(self, other: Tally) -> None:
        """Add the counts of another tally with the same seats and kinds of tables."""
        for name, count in vars(other).items():
            if isinstance(count, Counter):
                getattr(self, name).update(count)
            elif isinstance(count, int):
                setattr(self, name, getattr(self, name) + count)

    def _add_ended(self, record: Record) -> None:
        """Count the cards of a game that has ended."""
        winners = record.winners or ()
        for seat in self.seats:
            cards = set(record.armies.get(seat.name, ()))
            self.with_card.update(cards)
            if seat.name in winners or seat.team in winners:
                self.by_card.update(cards)
        if "pair" in self.by:
            self._add_pairs(record, {seat.team: record.has_won(seat) for seat in self.seats})

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

    # ---- the games in sum

    def _games(self, which: Callable[[tuple[str, ...] | None], bool]) -> int:
        """Return the number of games whose winners satisfy a condition."""
        return sum(count for (_, winners), count in self.results.items() if which(winners))

    @property
    def draws(self) -> int:
        """The number of games that have ended without a winner."""
        return self._games(lambda winners: winners == ())

    @property
    def unfinished(self) -> int:
        """The number of games that have not ended."""
        return self._games(lambda winners: winners is None)

    @property
    def ended(self) -> int:
        """The number of games that have ended."""
        return self.games - self.unfinished

    @property
    def sat(self) -> Counter[str]:
        """The number of times each bot sat down."""
        found: Counter[str] = Counter()
        for (bots, _), count in self.results.items():
            for bot in bots:
                found[bot] += count
        return found

    def by_place(self) -> tuple[Counter[_BotPlace], Counter[_BotPlace]]:
        """Return the numbers of ended and of won games, by seat and bot; a team's win counts for each member."""
        placed, won = Counter[_BotPlace](), Counter[_BotPlace]()
        for (bots, winners), count in self.results.items():
            for seat, bot in zip(self.seats, bots, strict=True):
                if winners is not None:
                    placed[seat.name, bot] += count
                    won[seat.name, bot] += count if is_won(seat, winners) else 0
        return placed, won

    @property
    def by_team(self) -> dict[str, int]:
        """The games that each team has won."""
        return {
            seat.team: self._games(lambda winners, seat=seat: is_won(seat, winners))  # type: ignore[misc]
            for seat in {seat.team: seat for seat in self.seats}.values()
        }

    def remarks(self) -> Iterator[str]:
        """Yield a line for each cause of games that ended early, were left out, or were played on the reference machine."""
        for reason, count in self.reasons.items():
            yield f"{many(count, 'game')} broken off: {reason}"
        for reason, count in self.left_out.items():
            yield f"{many(count, 'game')} left out: {reason}"
        for reason, count in self.lost.items():
            yield f"{many(count, 'game')} played on the reference machine, because natively {reason}"

    def means(self) -> dict[str, float]:
        """Return the averages of the games; empty if there were no games."""
        sums = {"turns": self.turns, "rounds": self.rounds, "decisions": self.decisions}
        return {what: number / self.games for what, number in sums.items()} if self.games else {}

    def data(self, partial: bool) -> dict[str, Any]:
        """Return the summary JSON-ready; `partial` where the games were broken off."""
        means, (_, won) = self.means(), self.by_place()
        return {
            "summary": True,
            "partial": partial,
            "games": self.games,
            "wins": {seat.name: _sum(won, seat=seat.name) for seat in self.seats},
            "bots": {bot: {"seats": sat, "wins": _sum(won, bot=bot)} for bot, sat in self.sat.items()},
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
        """Yield the shares of wins in the games that have ended, and then the other requested tables."""
        teams = [
            (" and ".join(seat.name for seat in self.seats if seat.team == team), Rate(won, self.ended))
            for team, won in self.by_team.items()
        ]
        placed, won = self.by_place()
        bots = [(f"bot {bot}", Rate(_sum(won, bot=bot), _sum(placed, bot=bot))) for bot in self.sat]
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
        """Return the averages of the games in words."""
        return ", ".join(f"{mean:.1f} {what}" for what, mean in self.means().items()) + " a game"

    def _further(self) -> Iterator[TallyTable]:
        if "seat" in self.by:
            placed, won = self.by_place()
            told = ((seat.name, bot) for seat in self.seats for bot in sorted(self.sat) if placed[seat.name, bot])
            rates = ((f"{one[0]} played by {one[1]}", Rate(won[one], placed[one])) for one in told)
            yield _table("seats", "games", rates)
        if "card" in self.by:
            cards = {name: Rate(self.by_card[name], count) for name, count in self.with_card.items()}
            yield _table("armies with a card", "armies", _best_first(cards))
        if "pair" in self.by:
            pairs = {" ".join(pair): Rate(self.by_pair[pair], count) for pair, count in self.with_pair.items()}
            yield _table("armies with a card, and another one", "armies", _best_first(pairs))


def _sum(counts: Counter[_BotPlace], seat: str = "", bot: str = "") -> int:
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
