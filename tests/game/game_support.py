"""Games and positions to test with: random ones from seeds, and checks of all of them."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import Any

import warchest
from loaded import shipped
from oracle.naive import random_position
from oracle.state import COIN_COUNTS
from watching import is_mid_effect, text

PLAYERS = ("raven", "wolf")
ZONES = ("hand", "bag", "supply", "box")
ROYAL = "Royal Coin"
OTHER = {"raven": "wolf", "wolf": "raven"}
Position = dict[str, Any]


@lru_cache
def game() -> warchest.Game:
    """The shipped game."""
    return shipped()


# ---- random games


def start(seed: int) -> warchest.State:
    """Return the first state of a game, or a crowded position in the middle of one, by the seed."""
    rng = Random(seed)
    if seed % 3:
        return game().position(random_position(rng))
    eight = rng.sample(sorted(COIN_COUNTS), 8)
    armies = {"raven": eight[:4], "wolf": eight[4:]}
    options = {"royal_guard": rng.choice(("original", "revised"))}
    return game().new(seed=seed, armies=armies, options=options)


def pick(decision: warchest.Decision, rng: Random) -> int:
    """Return the index of an option: by weight at chance, otherwise each act with equal probability."""
    if decision.is_chance:
        return decision.options.index(decision.sample(rng))
    acts = [option.data["act"] for option in decision.options]
    act = rng.choice(sorted(set(acts)))
    return rng.choice([index for index, one in enumerate(acts) if one == act])


def play(
    state: warchest.State, rng: Random, count: int, choose: Callable[[warchest.Decision, Random], int] = pick
) -> Iterator[warchest.State]:
    """Yield the state before each of at most `count` random decisions, and the state after the last."""
    for _ in range(count):
        yield state
        if state.decision is None:
            return
        state.apply(choose(state.decision, rng))
    yield state


def after(seed: int, count: int) -> warchest.State:
    """Return the state after `count` random decisions; half of the time in the middle of an effect if one comes."""
    state, rng = start(seed), Random(seed)
    for _ in play(state, rng, count):
        if seed % 2 and is_mid_effect(state):
            break
    return state


# ---- what a player may not see


def redealt(position: Position, owner: str, rng: Random) -> Position:
    """Return the position with a player's hidden coins dealt again, as many to each place as before."""
    position = copy.deepcopy(position)
    places = [position["hand"][owner], position["bag"][owner], position["discard"][owner]["down"]]
    hidden = [coin for place in places for coin in place]
    rng.shuffle(hidden)
    for place in places:
        place[:] = sorted(hidden.pop() for _ in place)
    return position


def names_hidden(position: Position, owner: str) -> bool:
    """Whether pending work names a coin in one of a player's hidden places, or one just drawn."""
    pending = text(position.get("pending", ""))
    places = (f'"hand/{owner}"', f'"bag/{owner}"', f'"discard/{owner}/down"', "nowhere")
    return any(place in pending for place in places)


def tells_only_lengths(state: warchest.State, players: Sequence[str]) -> None:
    """Check that a view of each player shows the position, and only the amounts of hidden things."""
    position = state.position()
    for me in players:
        view = state.view(me)
        assert set(view) == set(position)
        hands = position["hand"]
        assert view["hand"] == {player: hands[player] if player == me else len(hands[player]) for player in players}
        assert view["bag"] == {player: len(position["bag"][player]) for player in players}
        for player in players:
            faces = position["discard"][player]
            down = faces["down"] if player == me else len(faces["down"])
            assert view["discard"][player] == {"up": faces["up"], "down": down}
        hidden = {"hand", "bag", "discard", "pending"}
        assert {k: v for k, v in view.items() if k not in hidden} == {
            k: v for k, v in position.items() if k not in hidden
        }
        if "pending" in view:
            assert state.decision is not None and view["pending"] == state.decision.prompt
        assert json.loads(json.dumps(view)) == view
