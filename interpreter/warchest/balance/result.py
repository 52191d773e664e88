"""The result of `warchest balance`: strengths, conspicuous pairs, other versions, and numbers that were tried."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from warchest.balance.card_pairs import ExtremePair, extreme_pairs
from warchest.balance.differences_paired import PairedDifference
from warchest.balance.series import GameSeries
from warchest.balance.strengths import Fit, Strength
from warchest.balance.tuning import JudgedNumbers
from warchest.diagnostics.articles import many
from warchest.testing.tally import TableRow, TallyTable

DIGITS = 4
"""The decimal places in data: further ones are not significant."""


@dataclass(frozen=True, slots=True)
class JudgedCards:
    """All results of a series of games, for the requested cards or for all, in the order of the report."""

    game: str
    cards: tuple[str, ...]
    """The cards of the request; empty for all."""
    games: int
    unfinished: int
    ended: str
    """The reason why no more games were played, in words."""
    partial: bool
    fit: Fit
    apart: Mapping[str, Fit]
    pairs: tuple[ExtremePair, ...]
    differences: tuple[PairedDifference, ...]
    remarks: tuple[str, ...] = ()
    """The games that went otherwise than planned, in sentences."""
    tuned: tuple[JudgedNumbers, ...] = ()
    target: float = 0.5
    links: Mapping[int, str] = field(default_factory=dict)
    """The pages of games that are named, by their seeds."""

    @property
    def told(self) -> list[Strength]:
        """The reported cards, the strongest first."""
        found = [one for one in self.fit.cards if not self.cards or one.name in self.cards]
        return sorted(found, key=lambda one: (-one.value, one.name))

    def notes(self) -> Iterator[str]:
        """Yield sentences on the limits of the results."""
        if self.unfinished:
            count = many(self.unfinished, "game")
            yield f"{count} had no end and {'tells' if self.unfinished == 1 else 'tell'} nothing about cards"
        for names in self.fit.inseparable():
            if not self.cards or not set(names).isdisjoint(self.cards):
                yield f"no game tells these cards apart, which were always in the same army: {', '.join(names)}"
        yield from self.remarks

    # ---- as data

    def data(self) -> dict[str, object]:
        """Return the result JSON-ready."""
        return {
            "game": self.game,
            "games": self.games,
            "unfinished": self.unfinished,
            "ended": self.ended,
            "partial": self.partial,
            "notes": list(self.notes()),
            "cards": {one.name: _strength_data(one) for one in self.told},
            "seats": {one.name: _strength_data(one) for one in self.fit.teams},
            "bots": {one.name: {**_strength_data(one), "elo": round(one.elo, 1)} for one in self.fit.bots},
            "by_bot": {
                bot: {one.name: _strength_data(one) for one in _ordered(fit.cards, self.told)}
                for bot, fit in self.apart.items()
            },
            "pairs": [_pair_data(one) for one in self.pairs],
            "versions": [_difference_data(one) for one in self.differences],
            "tuned": [_tuned_data(one) for one in self.tuned],
        }

    # ---- as tables

    def tables(self) -> Iterator[TallyTable]:
        """Yield the result as tables: cards, seats, bots, pairs, versions and numbers, without empty ones."""
        yield TallyTable(
            f"strengths of cards, by {many(self.games, 'game')} of {self.game}",
            ("", "games", "share", "95 %", "strength"),
            ([_strength_row(one, f"{one.value:+.2f}") for one in self.told],),
        )
        for bot, fit in self.apart.items():
            rows = [_strength_row(one, f"{one.value:+.2f}") for one in _ordered(fit.cards, self.told)]
            yield TallyTable(f"the same by {bot}", ("", "games", "share", "95 %", "strength"), (rows,))
        seats = [_strength_row(one, f"{one.value:+.2f}") for one in self.fit.teams]
        yield TallyTable("seats, between equal armies", ("", "games", "share", "95 %", "strength"), (seats,))
        if len(self.fit.bots) > 1 and not self.apart:
            bots = [_strength_row(one, f"{one.elo:+.0f}") for one in sorted(self.fit.bots, key=lambda one: -one.value)]
            yield TallyTable("bots, against a mean one", ("", "games", "share", "95 %", "rating"), (bots,))
        if self.pairs:
            yield TallyTable(
                self._pairs_title(),
                ("", "games", "share", "95 %", "by chance"),
                ([_pair_row(one) for one in self.pairs],),
            )
        yield from self._further()

    def _pairs_title(self) -> str:
        standing = sum(one.stands_out for one in self.pairs)
        if not standing:
            return "the most extreme pairs; none is beyond what chance explains"
        return f"the most extreme pairs, of which {standing} {'stands' if standing == 1 else 'stand'} out"

    def _further(self) -> Iterator[TallyTable]:
        if self.differences:
            columns = ("", "games", "otherwise", "before", "after", "change", "95 %")
            yield TallyTable(
                "other versions, by the same seeds", columns, ([_version_row(one) for one in self.differences],)
            )
        if self.tuned:
            title = f"numbers of {self.cards[0]}, the nearest to {_percent(self.target)} first"
            yield TallyTable(title, ("", "games", "share", "95 %"), ([_tuned_row(one) for one in self.tuned],))


def result_of(series: GameSeries, tuned: Sequence[JudgedNumbers] = (), target: float = 0.5) -> JudgedCards:
    """Return the result of a series, with the numbers that were tried."""
    records = list(series.records())
    return JudgedCards(
        series.usual.game.name,
        series.cards,
        len(records),
        sum(one.winners is None for one in records),
        series.ended,
        series.is_partial,
        series.fit,
        series.fits_apart(),
        tuple(extreme_pairs(series.fit, series.cards)) if series.fit.contests else (),
        tuple(series.differences),
        tuple(series.tally(records).remarks()),
        tuple(tuned),
        target,
    )


def _ordered(cards: Iterable[Strength], like: Sequence[Strength]) -> list[Strength]:
    """Return the strengths of some cards, in the order of the same cards in another list."""
    place = {one.name: number for number, one in enumerate(like)}
    return sorted((one for one in cards if one.name in place), key=lambda one: place[one.name])


# ---- rows and data


def _percent(share: float) -> str:
    return f"{share:.1%}"


def _bounds(both: tuple[float, float], signed: bool = False) -> str:
    return " to ".join(f"{one:+.1%}" if signed else f"{one:.1%}" for one in both)


def _strength_row(one: Strength, last: str) -> TableRow:
    return one.name, str(one.games), _percent(one.share), _bounds(one.shares), last


def _pair_row(one: ExtremePair) -> TableRow:
    chance = f"{one.chance:.1%}" if one.chance >= 0.001 else "< 0.1%"
    return one.name, str(one.games), _percent(one.share), _bounds(one.shares), chance


def _version_row(one: PairedDifference) -> TableRow:
    name, shares = f"{one.card}, {one.version}", (_percent(one.before), _percent(one.after))
    return name, str(one.games), str(one.otherwise), *shares, f"{one.value:+.1%}", _bounds(one.interval, True)


def _tuned_row(one: JudgedNumbers) -> TableRow:
    if one.refused:
        return one.words, "-", "refused", one.refused
    return one.words, str(one.games), _percent(one.share), _bounds(one.interval)


def _rounded(*values: float) -> list[float]:
    # Adding 0 turns a negative zero into 0.
    return [round(one, DIGITS) + 0.0 for one in values]


def _strength_data(one: Strength) -> dict[str, object]:
    value, error, share = _rounded(one.value, one.error, one.share)
    return {"games": one.games, "strength": value, "error": error, "share": share, "interval": _rounded(*one.shares)}


def _pair_data(one: ExtremePair) -> dict[str, object]:
    share, chance = _rounded(one.share, one.chance)
    return {
        "cards": [one.card, one.other],
        "as": "against" if one.is_against else "with",
        "games": one.games,
        "share": share,
        "interval": _rounded(*one.shares),
        "by_chance": chance,
        "stands_out": one.stands_out,
        "seeds": list(one.seeds),
    }


def _difference_data(one: PairedDifference) -> dict[str, object]:
    before, after, value = _rounded(one.before, one.after, one.value)
    return {
        "card": one.card,
        "version": one.version,
        "games": one.games,
        "otherwise": one.otherwise,
        "before": before,
        "after": after,
        "change": value,
        "interval": _rounded(*one.interval),
    }


def _tuned_data(one: JudgedNumbers) -> dict[str, object]:
    if one.refused:
        return {"numbers": dict(one.numbers), "refused": one.refused}
    [share] = _rounded(one.share)
    return {"numbers": dict(one.numbers), "games": one.games, "share": share, "interval": _rounded(*one.interval)}
