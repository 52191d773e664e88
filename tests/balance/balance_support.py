"""Games that are made up: armies of cards whose strengths are known, and results that chance draws by them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import exp
from random import Random

from warchest.balance.contests import TeamContest, TeamSide

Extra = Callable[[Sequence[str]], float]
"""The strength of an army beyond those of its cards."""


def planted(
    strengths: Mapping[str, float],
    games: int,
    seed: int,
    seat: float = 0.0,
    bots: Mapping[str, float] | None = None,
    extra: Extra = lambda _: 0.0,
    draws: float = 0.0,
) -> list[TeamContest]:
    """Contests between armies of four of the cards each; some are drawn."""
    rng, found = Random(seed), list[TeamContest]()
    bots = bots or {"one": 0.0}
    for number in range(games):
        dealt = rng.sample(sorted(strengths), 8)
        armies, seated = (dealt[:4], dealt[4:]), [rng.choice(sorted(bots)) for _ in range(2)]
        worths = [
            sum(strengths[card] for card in army) + bots[bot] + extra(army)
            for army, bot in zip(armies, seated, strict=True)
        ]
        won = float(rng.random() < 1 / (1 + exp(worths[1] - worths[0] - seat)))
        score = 0.5 if rng.random() < draws else won
        sides = [
            TeamSide(team, dict.fromkeys(army, 1), {bot: 1.0})
            for team, army, bot in zip(("here", "there"), armies, seated, strict=True)
        ]
        found.append(TeamContest(number, *sides, score))
    return found


def about_the_mean(strengths: Mapping[str, float]) -> dict[str, float]:
    """Strengths less their mean, as they are reported."""
    mean = sum(strengths.values()) / len(strengths)
    return {name: value - mean for name, value in strengths.items()}
