"""Contests: the armies that two teams of a game brought against each other, and the winner."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from warchest.lowering.board import Seat
from warchest.testing.game_records import Record

WON, DRAWN, LOST = 1.0, 0.5, 0.0
"""The scores of a team."""


@dataclass(frozen=True, slots=True)
class TeamSide:
    """A team in a game: its name, its cards with their numbers, and its bots with the share of each."""

    team: str
    cards: Mapping[str, int]
    bots: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class TeamContest:
    """Two teams of a game, the seed of that game, and the score of the first team."""

    seed: int
    first: TeamSide
    second: TeamSide
    score: float


def contests_of(record: Record, seats: Sequence[Seat]) -> Iterator[TeamContest]:
    """Yield the contests of a game: each pair of teams, unless a third team won; a game without an outcome has none."""
    if record.winners is None:
        return
    sides = {team: _side(record, team, seats) for team in dict.fromkeys(seat.team for seat in seats)}
    winners = {seat.team for seat in seats if record.has_won(seat)}
    for one, other in combinations(sides, 2):
        if not winners or (one in winners) != (other in winners):
            score = DRAWN if not winners else WON if one in winners else LOST
            yield TeamContest(record.seed, sides[one], sides[other], score)


def _side(record: Record, team: str, seats: Sequence[Seat]) -> TeamSide:
    names = [seat.name for seat in seats if seat.team == team]
    cards = Counter(card for name in names for card in record.armies.get(name, ()))
    bots = Counter(record.bots[name] for name in names)
    return TeamSide(team, cards, {bot: count / len(names) for bot, count in bots.items()})


def score_with(record: Record, seats: Sequence[Seat], card: str) -> float | None:
    """Return the mean score of the teams that have a card; None without an outcome, or without such a team."""
    scores: list[float] = []
    for contest in contests_of(record, seats):
        scores += [contest.score] if card in contest.first.cards else []
        scores += [1 - contest.score] if card in contest.second.cards else []
    return sum(scores) / len(scores) if scores else None


__all__ = ["DRAWN", "LOST", "WON", "TeamContest", "TeamSide", "contests_of", "score_with"]
