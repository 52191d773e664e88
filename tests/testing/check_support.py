"""Games with cards that break a law, and states near a card."""

from __future__ import annotations

from functools import cache
from random import Random

from loaded import shipped
from warchest import Game, State
from warchest.testing.draws import RandomDraws
from warchest.testing.law_check import GameCheck, TaskOutcome
from warchest.testing.positions import PositionSampler, Sampling

ENDLESS_RULE = "attribute: |\n  after this attacks, until this is bolstered, this becomes roused.\n"
ENDLESS_CHOICE = "attribute: |\n  after this moves, it may move.\n"
LATER = ENDLESS_RULE + "  after this moves, it may attack.\n"
HARMLESS = "attribute: |\n  after this attacks, it may move.\n"


def with_card(rules: str, name: str = "Planted") -> Game:
    """Return War Chest with a unit of these rules."""
    return shipped("war-chest", f"unit: {name}\ncoins: 4\n{rules}")


def looked_at(game: Game, *cards: str, games: int = 0, number: int = 0) -> TaskOutcome:
    """Return the outcome of a portion of work, the first one of some cards."""
    check = GameCheck(game, games=games)
    return check.look(check.tasks(cards, pairs=False, triples=False)[number])


@cache
def found_with(rules: str) -> TaskOutcome:
    """Return the outcome of checking a card of these rules, once for all tests."""
    return looked_at(with_card(rules), "Planted")


def states(*cards: str, count: int = 12, name: str = "war-chest") -> list[State]:
    """Return states of a shipped game near some cards."""
    sampler, draws = PositionSampler(shipped(name), Sampling(cards)), RandomDraws(Random(5))
    return [sampler.state(draws) for _ in range(count)]
