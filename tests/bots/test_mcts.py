"""The bot that searches: it sees what comes next, keeps to its time, and says what it takes for a time."""

from __future__ import annotations

import random
from typing import Any

import pytest

import warchest
from loaded import shipped
from warchest.bots import Mcts, bot_named
from warchest.bots.mcts import EVEN, Prospect, ThinkingTime, _promising, _together
from warchest.game.tree_search import TriedOption

GAME = shipped()
PRESSED: dict[str, Any] = {
    "to_act": "raven",
    "initiative": "raven",
    "control": {"raven": ["e2", "h1", "i2"], "wolf": ["d7", "g6", "c6", "h4", "e5"]},
    "units": [
        {"at": "g3", "unit": "Archer", "owner": "raven"},
        {"at": "d5", "unit": "Swordsman", "owner": "raven"},
        {"at": "d4", "unit": "Scout", "owner": "wolf"},
    ],
    "hand": {"raven": ["Archer", "Swordsman"], "wolf": ["Scout", "Scout"]},
    "bag": {"raven": ["Archer", "Swordsman"], "wolf": ["Scout"]},
}
"""A position in which the raven could take a place; then the wolf wins by the next one, the place of its Scout."""


def test_it_takes_an_option_that_wins_at_once() -> None:
    won = PRESSED | {"control": {"raven": ["e2", "h1", "i2", "e5", "h4"], "wolf": ["d7", "g6"]}}
    option = bot_named("mcts:4", GAME).choose(GAME.position(won), random.Random(1))
    assert option.data["act"] == "control"


def test_it_foresees_the_answer_of_its_opponent() -> None:
    """A bot that looks one option ahead takes a place, and loses; the Scout has to go."""
    state = GAME.position(PRESSED)
    assert bot_named("greedy", GAME).choose(state, random.Random(1)).data["act"] == "control"
    chosen = {bot_named("mcts:5", GAME).choose(state, random.Random(seed)) for seed in (1, 1)}
    assert [option.data["act"] for option in chosen] == ["attack"]


def test_it_wins_on_squares_at_once() -> None:
    game = shipped("unigames")
    flyer = {"name": "Hykolaran Glider", "owner": "P1", "at": "g8", "facing": "e"}
    foe = {"name": "Dwarf Spear", "owner": "P2", "at": "b8", "facing": "s"}
    state = game.position({"turn": "P1", "figures": [flyer, foe], "chests": {"P1": "a1", "P2": "h8"}})
    while state.decision is not None:
        state.apply(bot_named("mcts:12", game).choose(state, random.Random(1)))
    assert state.outcome is not None and state.outcome.winners == ("P1",) and state.turn == 1


def test_several_trees_are_counted_together() -> None:
    """Visits add up, values are means of all visits, and so is trust of all trees."""
    one, other = (
        [TriedOption(1, 0.5, 0.2), TriedOption(0, EVEN, 0.8)],
        [TriedOption(3, 0.9, 0.4), TriedOption(0, EVEN, 0)],
    )
    assert _together([one]) is one
    first, second = _together([one, other])
    assert (first.visits, first.value, first.prior) == (4, pytest.approx(0.8), pytest.approx(0.3))
    assert (second.visits, second.value, second.prior) == (0, EVEN, 0.4)


# ---- time


class Clock:
    """A clock that goes on by a hundredth of a second at each reading."""

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> float:
        self.looks += 1
        return self.looks / 100


def test_it_keeps_to_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is read before each iteration, and before each option that is tried."""
    clock, state, played = Clock(), GAME.position(PRESSED), list[int]()
    monkeypatch.setattr("warchest.bots.mcts.perf_counter", clock)
    bot = bot_named("mcts:0.3s", GAME)
    assert isinstance(bot, Mcts)
    further = bot.greedy.worths_ahead

    def worths_ahead(*arguments: Any) -> Any:
        played.append(clock.looks)
        return further(*arguments)

    monkeypatch.setattr(bot.greedy, "worths_ahead", worths_ahead)
    assert bot.choose(state, random.Random(1)) in state.decision.options  # type: ignore[union-attr]
    # One look begins it, and one more is needed to see that time is over: in an iteration, or before the next.
    assert played and 31 <= clock.looks <= 33 and max(played) <= 31


def test_when_time_is_short_it_takes_the_best_that_it_has_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """In no time at all that is any option; a little later the best of the first ones, judged one option ahead."""
    state = GAME.position(PRESSED)
    monkeypatch.setattr("warchest.bots.mcts.perf_counter", Clock())
    found = {bot_named("mcts:0.000001s", GAME).choose(state, random.Random(seed)).data["act"] for seed in range(9)}
    assert len(found) > 1
    assert bot_named("mcts:0.12s", GAME).choose(state, random.Random(1)).data["act"] == "control"


def test_good_options_and_options_with_few_trials_are_tried() -> None:
    fresh = [Prospect(0.2), Prospect(0.7), Prospect(0.1)]
    assert _promising(fresh, 1) == 1 and fresh[0].value == EVEN
    poor, good = Prospect(0.7, visits=20, total=4), Prospect(0.2, visits=5, total=4)
    assert _promising([poor, good], 25) == 1
    assert _promising([Prospect(0.1, visits=400, total=300), Prospect(0.1)], 400) == 1


@pytest.mark.parametrize(
    ("name", "time"),
    [
        ("mcts", ThinkingTime(seconds=1)),
        ("mcts:0.25s", ThinkingTime(seconds=0.25)),
        ("mcts:3s", ThinkingTime(seconds=3)),
        ("mcts:250", ThinkingTime(iterations=250)),
        ("mcts:250x4", ThinkingTime(iterations=250, trees=4)),
        ("mcts:0.5sx64", ThinkingTime(seconds=0.5, trees=64)),
    ],
)
def test_its_time_follows_its_name(name: str, time: ThinkingTime) -> None:
    bot = bot_named(name, GAME)
    assert isinstance(bot, Mcts) and bot.time == time


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("mcts:", "is no time to think"),
        ("mcts:0", "is no time to think"),
        ("mcts:0.0s", "is no time to think"),
        ("mcts:-5", "is no time to think"),
        ("mcts:9999s", "is no time to think"),
        ("mcts:1e3", "is no time to think"),
        ("mcts:١٢", "is no time to think"),
        ("mcts:99999999", "is no time to think"),
        ("mcts:20x0", "is no time to think"),
        ("mcts:20x65", "x2 to x64 behind it are trees side by side"),
        ("mcts:x2", "is no time to think"),
        ("greedy:5", "takes no time"),
        ("mtcs:5", "did you mean `mcts`"),
    ],
)
def test_an_invalid_time_is_refused(name: str, words: str) -> None:
    with pytest.raises(warchest.OptionError, match=words):
        bot_named(name, GAME)
