"""What looks alike to a player is told alike: log, news, the clauses behind them, question, options and reasons.

`python -m alike --pairs 10000` compares far more.
"""

from __future__ import annotations

from random import Random

import pytest

from alike.games import KINDS, compared, look
from alike.pairs import Tally, compare
from loaded import shipped
from seeds import is_usual, seeds
from warchest import State
from warchest.game.log import LogWriter

PAIRS = 300 if is_usual() else 4000
ROUND: dict[str, object] = {
    "to_act": "raven", "initiative": "wolf", "control": {"raven": ["e2"], "wolf": ["d7"]},
    "armies": {"raven": ["Archer", "Swordsman"], "wolf": ["Knight", "Pikeman"]},
    "hand": {"raven": ["Archer"], "wolf": []}, "bag": {"raven": [], "wolf": ["Knight", "Knight", "Knight"]},
    "discard": {"raven": {"up": ["Archer", "Swordsman"], "down": ["Royal Coin"]}},
}  # fmt: skip
"""Raven passes, and draws from discards with two coins face up, because the bag is empty."""


@pytest.mark.parametrize("seed", seeds(1, "alike", usual=[1000]))
def test_what_looks_alike_is_told_alike(seed: int) -> None:
    tally = compared(seed, PAIRS)
    assert not tally.wrong, "\n\n".join(tally.wrong[:2])
    # Most of them are not one state come to twice.
    assert tally.pairs >= PAIRS and tally.different > tally.pairs / 5


def drawn(coin: str) -> State:
    """Return the state after raven has passed, and drawn a coin first."""
    state = shipped().position(ROUND)
    assert state.decision is not None
    state.apply(next(one for one in state.decision.options if one.data["act"] == "pass"))
    while state.decision is not None and state.decision.options[0].data["player"] == "wolf":
        state.apply(0)
    assert state.decision is not None and state.decision.is_chance
    return state.apply(next(one for one in state.decision.options if one.data["coin"] == coin))


def test_nobody_is_told_which_coin_of_the_discard_was_drawn_by_those_that_were_not() -> None:
    ways = [drawn(coin) for coin in ("Archer", "Swordsman", "Royal Coin")]
    assert len({str(one.view("wolf")) for one in ways}) == 1
    for read in (State.log_for, State.news_for):
        assert len({tuple(read(one, "wolf")) for one in ways}) == 1
        assert len({tuple(read(one, "raven")) for one in ways}) == 3
    # They are told by number, without the face with which they lay.
    assert "  something hidden (3): discard/raven to bag/raven" in ways[0].log_for("wolf")
    assert ways[0].news_for("wolf").count("  raven puts what was discarded back into the bag") == 1


def test_nobody_is_told_whether_chance_had_more_than_one_outcome_for_others() -> None:
    """Of two alike that are left the last is drawn without asking, of two others it is asked which."""
    told = set()
    for bag in (["Archer", "Archer", "Swordsman"], ["Archer", "Swordsman", "Swordsman"]):
        state, count = shipped().position({**ROUND, "bag": {"raven": bag, "wolf": ["Knight"] * 3}}), 0
        assert state.decision is not None
        state.apply(next(one for one in state.decision.options if one.data["act"] == "pass"))
        while state.decision is not None and state.decision.is_chance:
            state.apply(next(one for one in state.decision.options if one.data["coin"] != "Archer"))
            count += 1
        told.add((count, tuple(state.log_for("wolf"))))
    assert len(told) == 2 and len({log for _, log in told}) == 1


def test_tokens_that_all_go_one_way_are_told_by_name() -> None:
    """The view tells them: they are gone, and only one place has more."""
    state = shipped("war-chest", """\
action: Tidying
source: our own
rules: |
  after a player passes, put all coins in the discard of that player into the bag of that player.
""").position(ROUND)
    assert state.decision is not None
    state.apply(next(one for one in state.decision.options if one.data["act"] == "pass"))
    log = state.log_for("wolf")
    assert {f"  {one}: discard/raven/up to bag/raven" for one in ("Archer", "Swordsman")} <= set(log)
    # So is that which came into the open before.
    assert "  something hidden (2): discard/raven/down to bag/raven" in log


@pytest.mark.parametrize("kind", KINDS)
def test_a_game_of_each_kind_has_pairs(kind: str) -> None:
    tally = Tally()
    for seed in range(2):
        look(kind, seed, tally)
    assert tally.pairs and not tally.wrong


def test_a_leak_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a log that names all, the comparison finds it."""
    monkeypatch.setattr(LogWriter, "_knows", lambda self, token, further=0: True)
    tally, rng = Tally(), Random(1)
    hands = {"raven": ["Archer"], "wolf": ["Knight", "Pikeman"]}
    state = shipped().position({**ROUND, "to_act": "wolf", "hand": hands})
    for _ in range(3):
        compare(state, "raven", rng, tally)
    assert tally.wrong and "raven tells apart, by log" in tally.wrong[0]
