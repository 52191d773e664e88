"""Random games of all kinds, and the pairs of states met in them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from alike.pairs import Tally, compare
from loaded import shipped
from warchest import State
from warchest.testing.laws import faults_in, law_named

CAP = 160
"""The most decisions of a game."""
VIEWS = [law_named("views")]
LOOKS = 4
"""The number of states of a game whose later states are compared."""
SEARCHES = """\
words: Searching
source: our own
verbs: {search: {by: player}, seek: {by: player}}
---
action: Searching
source: our own
rules: |
  after a player passes, search.

  to search: FIRST, then seek.

  to seek: SECOND.
"""
IN_DISCARD, IN_HAND = "a random coin in your discard", "a random coin in your hand"


def _war_chest(*texts: str, setup: str | None = None, players: int | None = None) -> Callable[[int], State]:
    def begin(seed: int) -> State:
        sets = "all" if seed % 3 else None
        return shipped("war-chest", *texts).new(seed=seed, sets=sets, setup=setup, players=players)

    return begin


def _searching(first: str, second: str) -> Callable[[int], State]:
    """Return a beginning for games in which a player who passes does two more things with coins."""
    return _war_chest(SEARCHES.replace("FIRST", first).replace("SECOND", second))


KINDS: dict[str, Callable[[int], State]] = {
    "two": _war_chest(),
    "four": _war_chest(players=4),
    "draft": _war_chest(setup="Draft"),
    "elimination draft": _war_chest(setup="Elimination draft"),
    "draft of four": _war_chest(setup="Four players draft"),
    "drawn, the others put back": _searching(
        f"choose {IN_DISCARD}, then put it into your hand", "put all coins in your discard into your bag"
    ),
    "drawn twice": _searching(
        f"choose {IN_DISCARD}, then put it into your hand", f"choose {IN_DISCARD}, then put it into your bag"
    ),
    "chosen twice": _searching(
        "choose a coin in your discard, then put it into your hand",
        "choose a coin in your discard, then put it into your bag",
    ),
    "laid facedown": _searching(
        f"choose {IN_HAND}, then put it into your discard facedown", "put all coins in your hand into your bag"
    ),
    "shown": _searching(
        "choose an opponent, then that opponent sees all coins in your hand",
        f"choose {IN_HAND}, then put it into your bag",
    ),
    "squares": lambda seed: shipped("unigames").new(seed=seed),
}
"""The kinds of games, each with a function that begins one by a seed."""


def compared(seed: int, pairs: int) -> Tally:
    """Return the tally of a number of pairs or more, from all kinds of games in turn."""
    tally = Tally()
    while tally.pairs < pairs:
        for kind in KINDS:
            look(kind, seed, tally)
        seed += 1
    return tally


def look(kind: str, seed: int, tally: Tally) -> None:
    """Play a game at random; look for leaks in some of its states, and compare the states that follow on these."""
    state, rng = KINDS[kind](seed), Random(seed)
    compared = rng.sample(range(CAP), LOOKS)
    for number in range(CAP):
        if state.decision is None:
            return
        if number in compared:
            tally.wrong += [fault.text for fault in faults_in(state, VIEWS)]
            compare(state, rng.choice(state.variant.naming.players), rng, tally)
        state.apply(state.decision.sample(rng))
