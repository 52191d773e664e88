"""Bots that search are the same on either machine, know no more than their players do, and play games to the end."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from time import perf_counter, process_time, sleep
from typing import Any

import pytest
from lockstep_support import native_for

import warchest
from loaded import load_once
from warchest.bots import Mcts, bot_named, drive
from warchest.bots.mcts import Deadline, ThinkingTime
from warchest.native.search_tree import SearchTree
from warchest.native.shared_game import Moment

SETUPS = [("war-chest", "Random armies"), ("war-chest", "Four players random"), ("unigames", "Alternate reveal")]
CAP = 600

pytestmark = pytest.mark.usefixtures("compiled_for_tests")
State = warchest.State


def begun(name: str, setup: str, seed: int) -> State:
    """Return the first state of a game, held natively."""
    state = native_for(name, setup)[0].begin(seed)
    assert state.play_natively() == "" and state.native
    return state


def asked(name: str, setup: str, seed: int, count: int, each: int) -> Iterator[State]:
    """Yield `count` states of a game by greedy players, each `each`-th in which one of these decides."""
    state, rng, bot, found = begun(name, setup, seed), Random(seed), bot_named("greedy", load_once(name)), 0
    while state.decision is not None and found < count * each:
        if state.decision.player is not None and state.decision.count > 1:
            found += 1
            if found % each == 0:
                yield state.clone()
        player = state.decision.player
        state.apply(state.decision.sample(rng) if player is None else bot.choose(state, rng))


@pytest.mark.parametrize(("name", "setup"), SETUPS[:2])  # the other game hides nothing
def test_it_chooses_by_the_knowledge_of_its_player(name: str, setup: str) -> None:
    """In states that one player cannot distinguish it takes the same option by the same chance."""
    bot, different = bot_named("mcts:17", load_once(name)), 0  # two worlds
    for state in asked(name, setup, 3, 3, 11):
        assert state.decision is not None and state.decision.player is not None
        player = state.decision.player
        one, other = (state.determinize(player, Random(seed)) for seed in (1, 2))
        assert one.native and other.native and one.view(player) == other.view(player)
        different += one != other
        chosen = {bot.choose(world, Random(3)).id for world in (one, other, state)}
        assert len(chosen) == 1
    assert different, "nothing was hidden"


@pytest.mark.parametrize(("name", "setup"), [SETUPS[0], SETUPS[2]])
def test_it_chooses_the_same_on_either_machine(name: str, setup: str) -> None:
    bot, rng = bot_named("mcts:2", load_once(name)), Random(5)
    assert isinstance(bot, Mcts)
    bot.ahead = 3
    native, reference = begun(name, setup, 5), native_for(name, setup)[0].begin(5)
    for _ in range(20):
        assert native.decision is not None
        number = rng.randrange(native.decision.count)
        native.apply(number)
        reference.apply(number)
    while native.decision is not None and native.decision.player is None:
        native.apply(0)
        reference.apply(0)
    assert native.native and not reference.native
    assert native.decision is not None and reference.decision is not None
    assert native.decision.keys == reference.decision.keys
    assert bot.choose(native, Random(4)).id == bot.choose(reference, Random(4)).id


@pytest.mark.parametrize(
    ("name", "setup", "iterations", "games", "each"),
    [(*SETUPS[0], 40, 6, 9), (*SETUPS[1], 33, 4, 11), ("unigames", "Conjurers", 3, 2, 9)],
)
def test_the_machine_grows_the_tree_of_the_bot(name: str, setup: str, iterations: int, games: int, each: int) -> None:
    """To the last bit, over several worlds: visits, values, and the trust in each option."""
    bot, time, tried = bot_named("mcts", load_once(name)), ThinkingTime(iterations), 0
    assert isinstance(bot, Mcts)
    for number, state in enumerate(asked(name, setup, 4, games, each)):
        assert state.decision is not None and state.decision.player is not None
        player = state.decision.player
        found = bot.tried_natively(state, player, Random(number), Deadline(time))
        assert found == bot.tried_here(state, player, Random(number), Deadline(time))
        assert sum(one.visits for one in found) == iterations
        tried += sum(1 for one in found if one.visits > 1)
    assert tried


def test_where_the_machine_gives_up_the_bot_grows_its_tree_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the same seed, so that it takes the same option, and later chance is the same."""
    bot, states = bot_named("mcts:20", load_once("war-chest")), list(asked("war-chest", "Random armies", 6, 3, 9))
    chosen = [(bot.choose(state, rng).id, rng.random()) for state in states for rng in [Random(2)]]
    grow, calls = SearchTree.grow, list[int]()

    def sometimes(tree: SearchTree, world: Moment, iterations: int) -> bool:
        calls.append(iterations)
        return grow(tree, world, iterations) and len(calls) % 2 == 1

    monkeypatch.setattr(SearchTree, "grow", sometimes)
    assert [(bot.choose(state, rng).id, rng.random()) for state in states for rng in [Random(2)]] == chosen
    assert calls == [16, 4] * 3


def test_trees_grow_side_by_side_as_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    bot = bot_named("mcts:48x3", load_once("war-chest"))
    assert isinstance(bot, Mcts)
    for state in asked("war-chest", "Random armies", 8, 4, 9):
        assert state.decision is not None and state.decision.player is not None
        player, deadline = state.decision.player, Deadline(bot.time)
        found = bot.tried(state, player, 5, deadline)
        assert sum(one.visits for one in found) == 3 * 48 and deadline.is_past()
        apart = [bot.tried_natively(state, player, Random(seed), Deadline(bot.time)) for seed in (5, 6, 7)]
        assert len({tuple(one) for one in apart}) > 1
        assert [one.visits for one in found] == [sum(one.visits for one in tried) for tried in zip(*apart, strict=True)]
        with monkeypatch.context() as patched:
            patched.setattr(bot, "tried_natively", lambda *_: ())
            assert bot.tried(state, player, 5, Deadline(bot.time)) == found


@pytest.mark.parametrize("which", [5, 7])
def test_an_error_in_a_tree_is_raised(which: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In this thread or in another; and the other trees, which have all the time they want, grow no further."""
    bot = bot_named("mcts:10000000x3", load_once("war-chest"))
    assert isinstance(bot, Mcts)
    state = next(asked("war-chest", "Random armies", 8, 1, 2))
    assert state.decision is not None and state.decision.player is not None
    tried = bot.tried_natively

    def failing(of: State, player: str, rng: Random, deadline: Deadline) -> Any:
        if rng.getstate() == Random(which).getstate():
            raise MemoryError("no memory for the tree of a search")
        return tried(of, player, rng, deadline)

    monkeypatch.setattr(bot, "tried_natively", failing)
    with pytest.raises(MemoryError):
        bot.tried(state, state.decision.player, 5, Deadline(bot.time))


def test_a_timed_search_checks_the_clock_between_iterations() -> None:
    """First after one iteration, then by the pace of those that were done; without a time, never."""
    deadline = Deadline(ThinkingTime(seconds=0.2))
    assert deadline.portion(0, 16) == 1 and deadline.portion(10_000, 16) == 16
    sleep(0.1)
    assert 1 <= deadline.portion(2, 16) <= 2
    sleep(0.11)
    assert deadline.portion(3, 16) == 1 and deadline.is_past()
    assert [Deadline(ThinkingTime(iterations=20)).portion(done, 16 - done % 16) for done in (0, 16)] == [16, 4]


@pytest.mark.parametrize(("name", "setup"), SETUPS)
@pytest.mark.parametrize("bot", ["beginner", "mcts:1"])
def test_it_plays_games_to_the_end(name: str, setup: str, bot: str) -> None:
    state = begun(name, setup, 1)
    one, other = bot_named(bot, load_once(name)), bot_named("greedy", load_once(name))
    seats = state.variant.board.seats
    bots = {seat.name: one if seat.team == seats[0].team else other for seat in seats}
    assert drive(state, bots, Random(1), CAP) < CAP
    assert state.native and state.outcome is not None


def test_it_keeps_to_its_time() -> None:
    """Other processes may have the processor meanwhile, so that only its own time beyond the limit counts."""
    bot, over = bot_named("mcts:0.1s", load_once("war-chest")), list[float]()
    for state in asked("war-chest", "Random armies", 2, 3, 4):
        start, spent = perf_counter(), process_time()
        bot.choose(state, Random(1))
        assert perf_counter() - start >= 0.1
        over.append(process_time() - spent - 0.1)
    assert max(over) < 0.01
