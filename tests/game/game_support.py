"""Games and positions to test with: random ones from seeds, and what can be said of all of them."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

import warchest
from oracle.naive import random_position
from oracle.state import AXIAL, COIN_COUNTS, LOCATIONS, name_of
from warchest.game.decision import Decision

PLAYERS = ("raven", "wolf")
ZONES = ("hand", "bag", "supply", "box")
ROYAL = "Royal Coin"
OTHER = {"raven": "wolf", "wolf": "raven"}
Position = dict[str, Any]


@lru_cache
def game() -> warchest.Game:
    """The shipped game."""
    return warchest.load("war-chest")


def few(count: int) -> settings:
    """Return settings for a costly test: `count` examples where the profile asks for 40, and in proportion."""
    return settings(max_examples=max(1, count * settings().max_examples // 40))


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
    """Return the index of an option: by weight at chance, else every act as likely as any other."""
    if decision.is_chance:
        return decision.options.index(decision.sample(rng))
    acts = [option.data["act"] for option in decision.options]
    act = rng.choice(sorted(set(acts)))
    return rng.choice([index for index, one in enumerate(acts) if one == act])


def play(
    state: warchest.State, rng: Random, count: int, choose: Callable[[warchest.Decision, Random], int] = pick
) -> Iterator[warchest.State]:
    """Yield the state before each of at most `count` random decisions, and where it stands after the last."""
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


def is_mid_effect(state: warchest.State) -> bool:
    """Whether a player has something to choose in the middle of an effect."""
    decision = state.decision
    return decision is not None and not decision.is_chance and not state.at_boundary


seeds = st.integers(min_value=0, max_value=1 << 32)
counts = st.integers(min_value=0, max_value=40)
states = st.builds(after, seeds, counts)


# ---- what can be said of a position


def census(position: Position) -> Counter[tuple[str, str]]:
    """Return how many coins of each kind each player has in the zones and on the board."""
    found: Counter[tuple[str, str]] = Counter()
    for unit in position["units"]:
        found[unit["owner"], unit["unit"]] += unit["coins"]
    for player in PLAYERS:
        for coins in (*(position[zone][player] for zone in ZONES), *position["discard"][player].values()):
            found.update((player, coin) for coin in coins)
    return found


def data_of(state: warchest.State) -> list[dict[str, Any]] | None:
    """Return the data of all options, in their order."""
    return None if state.decision is None else [option.data for option in state.decision.options]


def text(value: Any) -> str:
    """Return a value as canonical JSON, to compare and sort by."""
    return json.dumps(value, sort_keys=True)


def everything(state: warchest.State) -> str:
    """Return all that can be read of a state."""
    decision = state.decision
    asked = None
    if decision is not None:
        odds = [str(option.probability) for option in decision.options]
        asked = (decision.player, decision.prompt, decision.is_chance, data_of(state), odds)
    outcome = state.outcome
    return text([
        state.position(), asked, state.log, [state.log_for(player) for player in PLAYERS], state.turn, state.round,
        [state.view(player) for player in PLAYERS], None if outcome is None else (outcome.winners, outcome.reason),
    ])  # fmt: skip


# ---- the half-turn of the board, with the sides exchanged

TURNED = {space: name_of(-q, -r) for space, (q, r) in AXIAL.items()}
POINTS = {"n": "s", "s": "n", "ne": "sw", "sw": "ne", "nw": "se", "se": "nw"}
SWAP = TURNED | POINTS | OTHER


def mirrored(value: Any) -> Any:
    """Return a position, or an option's data, as seen from the other side of the table; lists come out sorted."""
    if isinstance(value, dict):
        return {SWAP.get(key, key): mirrored(item) for key, item in value.items()}
    if isinstance(value, list):
        return sorted((mirrored(item) for item in value), key=text)
    return SWAP.get(value, value) if isinstance(value, str) else value


def tidy(value: Any) -> Any:
    """Return a value with all lists sorted as `mirrored` sorts them."""
    return mirrored(mirrored(value))


assert {TURNED[space] for space in LOCATIONS} == LOCATIONS


# ---- what a player may not see


def redealt(position: Position, owner: str, rng: Random) -> Position:
    """Return the position with a player's hidden coins dealt anew, as many to each place as before."""
    position = copy.deepcopy(position)
    places = [position["hand"][owner], position["bag"][owner], position["discard"][owner]["down"]]
    hidden = [coin for place in places for coin in place]
    rng.shuffle(hidden)
    for place in places:
        place[:] = sorted(hidden.pop() for _ in place)
    return position


def names_hidden(position: Position, owner: str) -> bool:
    """Whether pending work tells of a coin in one of a player's hidden places, or of one just drawn."""
    pending = text(position.get("pending", ""))
    places = (f'"hand/{owner}"', f'"bag/{owner}"', f'"discard/{owner}/down"', "nowhere")
    return any(place in pending for place in places)


def tells_only_lengths(state: warchest.State, players: Sequence[str]) -> None:
    """Check that a view of each player shows the position, and of what is hidden only how much there is."""
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


def check_options(decision: Decision, players: Collection[str]) -> None:
    """Check that options are told apart, say what they do in one line, and come with their probabilities."""
    data = [option.data for option in decision.options]
    assert data and len({text(one) for one in data}) == len(data)
    assert len({option.label for option in decision.options}) == len(data), [o.label for o in decision.options]
    assert json.loads(json.dumps(data)) == data
    assert all(isinstance(one["act"], str) and one["act"] for one in data), data
    assert all("\n" not in option.label for option in decision.options)
    assert decision.prompt and "\n" not in decision.prompt
    assert decision.is_chance == (decision.player is None)
    if decision.is_chance:
        assert sum(option.probability for option in decision.options) == 1
        assert all(0 < option.probability <= 1 for option in decision.options)
    else:
        assert decision.player in players
