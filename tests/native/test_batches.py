"""Batches of games: the same games as on the reference machine, actions that stay the same, and nothing hidden told."""

from __future__ import annotations

import copy
import gc
import os
import re
import sys
import time
import zlib
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from threading import Thread

import numpy as np
import pytest

from loaded import load_once
from warchest import OptionError, State
from warchest.native.c_compiler import Unavailable, compiler
from warchest.rl import Batch, GameStatus
from warchest.rl.lanes import Lane

pytestmark = pytest.mark.usefixtures("compiled_for_tests")

if isinstance(compiler(), Unavailable):
    pytest.skip("there is no C compiler", allow_module_level=True)

SETUPS = (
    ("war-chest", "Random armies"),
    ("war-chest", "Four players draft"),
    ("unigames", "Alternate reveal"),
    ("unigames", "Conjurers"),
)
GAMES = pytest.mark.parametrize(("name", "setup"), SETUPS)


def batch_of(name: str, games: int = 4, **how: object) -> Batch:
    return Batch(load_once(name), games, **how)  # type: ignore[arg-type]


@cache
def lens(name: str, setup: str) -> Batch:
    """A batch of one game, into which states are put."""
    return batch_of(name, 1, setup=setup)


def walked(batch: Batch, steps: int, seed: int = 1) -> np.random.Generator:
    """Play at random for some steps; return the source of chance."""
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        batch.step(batch.sample(rng))
    return rng


def parts_of(batch: Batch, slot: int) -> list[int]:
    """The parts chosen so far of the option under way, as the deciding seat sees them."""
    first = batch.columns.index("part 1")
    return [int(one) - 1 for one in batch.observations[slot, first : first + 8] if one]


def on_offer(batch: Batch, slot: int) -> set[int]:
    return set(batch.actions[slot, : batch.counts[slot]].tolist())


# ---- the games


@GAMES
def test_games_are_those_of_the_reference_machine(name: str, setup: str) -> None:
    batch, rng = batch_of(name, 1, seed=7, setup=setup), np.random.default_rng(3)
    for number in (1, 2):
        seed = batch.seed_of(0, number)
        state, chance = load_once(name).new(seed=seed, setup=setup), Random(seed)
        for _ in range(40):
            assert carried_on(state, chance) == batch.state(0)
            if state.decision is None:
                break
            assert state.decision.player == batch.seats[batch.players[0]]
            batch.step(batch.sample(rng))
            while batch.taken[0] < 0:
                batch.step(batch.sample(rng))
            state.apply(int(batch.taken[0]))
        while not batch.ended[0]:
            batch.step(batch.sample(rng))
        batch.step([0])


def carried_on(state: State, chance: Random) -> State:
    """Let chance, and players with a single option, choose up to the next question."""
    while state.decision is not None and (state.decision.is_chance or state.decision.count == 1):
        state.apply(state.decision.draw(chance) if state.decision.is_chance else 0)
    return state


@GAMES
def test_neither_the_number_of_games_nor_of_threads_matters(name: str, setup: str) -> None:
    told = []
    for games, threads in ((3, 1), (8, 1), (8, 3)):
        batch, rows = batch_of(name, games, seed=11, threads=threads, setup=setup), []
        for _ in range(150):
            batch.step(first_actions(batch))
            rows.append((batch.observations[:3].tobytes(), batch.mask[:3].tobytes(), batch.rewards[:3].tolist()))
        told.append(rows)
    assert told[0] == told[1] == told[2]


def first_actions(batch: Batch) -> list[int]:
    return [int(batch.actions[one, 0]) if batch.counts[one] else 0 for one in range(batch.games)]


def test_threads_that_sleep_come_late_or_never_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    alone, shared, roused = (batch_of("war-chest", 8, seed=3, threads=threads) for threads in (1, 40, 3))
    real = Lane.rouse
    monkeypatch.setattr(Lane, "rouse", lambda lane: real(lane) if lane in roused._lanes else None)
    for turn in range(30):
        if turn % 10 == 9:
            time.sleep(0.01)  # all threads sleep now
        for batch in (shared, roused):
            batch.step(first_actions(alone))
        alone.step(first_actions(alone))
        assert alone.observations.tobytes() == shared.observations.tobytes() == roused.observations.tobytes()


def test_threads_sleep_while_there_is_nothing_to_do() -> None:
    batch = batch_of("war-chest", 8, threads=3)
    walked(batch, 20)
    begun = time.process_time()
    time.sleep(0.2)
    assert time.process_time() - begun < 0.1


def test_threads_end_with_their_batch() -> None:
    batch = batch_of("war-chest", 8, threads=3)
    walked(batch, 5)
    lanes = batch._lanes
    assert all(lane.is_alive() for lane in lanes)
    del batch
    for lane in lanes:
        lane.join(10)
        assert not lane.is_alive()


def test_a_step_that_is_interrupted_is_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    alone, shared = batch_of("war-chest", 8, seed=3), batch_of("war-chest", 8, seed=3, threads=3)
    time.sleep(0.01)
    monkeypatch.setattr(Lane, "rouse", interrupt)
    with pytest.raises(KeyboardInterrupt):
        shared.step(first_actions(shared))
    monkeypatch.undo()
    roused = set[Lane]()
    real = Lane.rouse
    monkeypatch.setattr(Lane, "rouse", lambda lane: (roused.add(lane), real(lane)))
    alone.step(first_actions(alone))
    for _ in range(20):
        assert alone.observations.tobytes() == shared.observations.tobytes()
        for batch in (alone, shared):
            batch.step(first_actions(batch))
    assert roused == {*shared._lanes}


def interrupt(_: Lane) -> None:
    raise KeyboardInterrupt


def test_one_thread_at_a_time_uses_a_batch() -> None:
    batch = batch_of("war-chest", 2)
    with batch._alone:
        for use in (
            lambda: batch.step([0, 0]),
            batch.reset,
            batch.end,
            lambda: batch.state(0),
            lambda: batch.observe("raven"),
        ):
            with pytest.raises(OptionError, match="batch: another thread is using it; make a batch for each thread"):
                use()
    batch.step(first_actions(batch))


def test_threads_that_cannot_begin_are_refused_and_leave_none(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = list[Lane]()

    def start(lane: Lane) -> None:
        if len(begun) == 3:
            raise RuntimeError("can't start new thread")
        Thread.start(lane)
        begun.append(lane)

    monkeypatch.setattr(Lane, "start", start)
    with pytest.raises(OptionError, match="threads: the system does not begin 8 threads: can't start new thread"):
        batch_of("war-chest", 8, threads=8)
    gc.collect()
    for lane in begun:
        lane.join(10)
        assert not lane.is_alive()


def test_arrays_of_the_machine_are_not_changed_from_outside() -> None:
    batch = batch_of("war-chest", 2)
    with pytest.raises(ValueError, match="read-only"):
        batch.counts[:] = 10**6
    batch.actions = batch.mask = None  # type: ignore[assignment]
    batch.step([0 if ended else int(row[0]) for ended, row in zip(batch.ended, batch._owned["legal"], strict=True)])
    with pytest.raises(TypeError, match="a batch cannot be copied or pickled"):
        copy.copy(batch)


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be copied")
def test_a_copy_of_the_process_goes_on_alone() -> None:
    batch, alone = batch_of("war-chest", 8, seed=4, threads=3), batch_of("war-chest", 8, seed=4)
    walked(batch, 5)
    walked(alone, 5)
    child = os.fork()
    if not child:
        walked(batch, 20, seed=2)
        os._exit(int(zlib.crc32(batch.observations.tobytes()) & 127))
    walked(alone, 20, seed=2)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == zlib.crc32(alone.observations.tobytes()) & 127


def test_a_seed_gives_the_same_games_again() -> None:
    batch = batch_of("war-chest", 3, seed=5)
    first = batch.observations.copy()
    walked(batch, 40)
    batch.reset(5)
    assert (batch.observations == first).all()
    batch.reset(6)
    assert not (batch.observations == first).all()


def test_rewards_and_ends() -> None:
    batch = batch_of("unigames", 8, seed=2)
    rng, ends = walked(batch, 10), 0
    for _ in range(400):
        before = batch.ended.copy()
        batch.step(batch.sample(rng))
        for slot in np.nonzero(batch.ended)[0]:
            ends += 1
            assert batch.ended[slot] == GameStatus.OVER and batch.players[slot] == -1 and batch.counts[slot] == 0
            state = batch.state(int(slot))
            assert state.outcome is not None
            won = [seat in state.outcome.winners for seat in batch.seats]
            assert batch.rewards[slot].tolist() == [1 if one else -1 if any(won) else 0 for one in won]
        assert (batch.decisions[before > 0] < 20).all()
        assert not batch.rewards[batch.ended == 0].any()
    assert ends > 20


def test_the_cap_ends_games() -> None:
    batch = batch_of("war-chest", 2, cap=30)
    for _ in range(40):
        batch.step(batch.sample(np.random.default_rng(1)))
        if batch.ended.any():
            break
    assert (batch.ended[batch.ended > 0] == GameStatus.CAPPED).all() and batch.ended.any()
    assert batch.decisions.max() == 30


# ---- actions


@GAMES
def test_each_action_is_one_part_of_options(name: str, setup: str) -> None:
    """No two things on offer have the same number, and none needs one of the further numbers."""
    batch = batch_of(name, 16, seed=3, setup=setup)
    rng = walked(batch, 1)
    for _ in range(250):
        batch.step(batch.sample(rng))
        for slot in range(batch.games):
            found = on_offer(batch, slot)
            assert len(found) == batch.counts[slot] == batch.mask[slot].sum() != 1
            assert found == set(np.nonzero(batch.mask[slot])[0].tolist())
            assert max(found, default=0) < batch.table.others


@GAMES
def test_equal_states_offer_the_same_actions(name: str, setup: str) -> None:
    """Also where pieces have other inner numbers, as after a position has been written and read."""
    batch = batch_of(name, 2, seed=4, setup=setup)
    rng, other = walked(batch, 1), lens(name, setup)
    for _ in range(60):
        batch.step(batch.sample(rng))
        if batch.ended[0]:
            continue
        other.put(0, load_once(name).position(batch.state(0).position()), parts_of(batch, 0))
        assert on_offer(other, 0) == on_offer(batch, 0)
        assert other.players[0] == batch.players[0]


def test_names_of_actions_differ() -> None:
    for name, setup in SETUPS:
        found = lens(name, setup).action_names
        assert len(set(found)) == len(found) == lens(name, setup).action_count


def test_the_parts_of_an_option_lead_to_it() -> None:
    batch = batch_of("war-chest", 1, seed=1)
    rng, other = walked(batch, 1), lens("war-chest", "Random armies")
    several = 0
    for _ in range(80):
        state, parts = batch.state(0), [*parts_of(batch, 0)]
        action = batch.sample(rng)
        batch.step(action)
        other.put(0, state, [*parts, int(action[0])])
        assert other.taken[0] == batch.taken[0]
        several += len(parts) > 0
    assert several > 5


# ---- observations


@GAMES
def test_observations_reveal_no_hidden_information(name: str, setup: str) -> None:
    """A state in which everything that a seat does not see is placed again looks the same to the seat."""
    batch = batch_of(name, 2, seed=6, setup=setup)
    rng, other, chance, moved = walked(batch, 2), lens(name, setup), Random(1), 0
    for _ in range(40):
        batch.step(batch.sample(rng))
        if batch.ended[0]:
            continue
        state, parts = batch.state(0), parts_of(batch, 0)
        assert state.decision is not None
        for seat in batch.seats:
            placed = state.determinize(seat, chance)
            moved += placed != state
            decides = seat == state.decision.player
            other.put(0, placed, parts if decides else ())
            assert (other.observe(seat)[0] == batch.observe(seat)[0]).all()
            if decides:
                assert on_offer(other, 0) == on_offer(batch, 0)
    assert moved > 20 or name == "unigames"


def test_observations_contain_the_own_hand() -> None:
    """So the test above can fail: each sees the own hand, and of the other one only the number."""
    batch = batch_of("war-chest", 1, seed=6)
    walked(batch, 5)
    state = batch.state(0)
    for seat, other in (batch.seats, batch.seats[::-1]):
        row = dict(zip(batch.columns, batch.observe(seat)[0].tolist(), strict=True))
        view = state.view(seat)
        for card in set(view["hand"][seat]):
            assert row[f"{card} in hand of player +0"] == view["hand"][seat].count(card)
        assert row["tokens in hand of player +1"] == view["hand"][other]
        assert not any(
            number for name, number in row.items() if name.endswith(" in hand of player +1") and "tokens" not in name
        )


@pytest.mark.parametrize(("name", "key", "noun"), [("war-chest", "units", "unit"), ("unigames", "figures", "figure")])
def test_pieces_are_seen_on_their_spaces(name: str, key: str, noun: str) -> None:
    batch = batch_of(name, 1, seed=8)
    rng, names = walked(batch, 40), batch.variant.naming.documents
    seen = 0
    for _ in range(30):
        batch.step(batch.sample(rng))
        state = batch.state(0)
        for place, seat in enumerate(batch.seats):
            row = dict(zip(batch.columns, batch.observe(seat)[0].tolist(), strict=True))
            shown = state.view(seat)[key]
            assert sum(row[f"number of {noun} on {one}"] for one in batch.variant.naming.spaces) == len(shown)
            for piece in shown:
                at = f"{noun} on {piece['at']}: "
                alone = row[f"number of {noun} on {piece['at']}"] == 1
                assert not alone or names[row[at + "document"] - 1] == piece.get("unit", piece.get("name"))
                owner = batch.seats.index(piece["owner"])
                assert not alone or row[at + "owner"] == 1 + (owner - place) % 2
                seen += alone
    assert seen > 20


# ---- the page, and the example


def test_the_page_about_learning_shows_what_works(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pettingzoo")
    page = (Path(__file__).parents[2] / "docs" / "guides" / "rl.md").read_text(encoding="utf-8")
    here: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(block, here)
    assert re.match(r"raven won \d+ of \d+ games by chance alone\n.* is on offer", capsys.readouterr().out)
    assert [line for line in page.splitlines() if len(line) > 120 and not line.startswith("|")] == []
    links = re.findall(r"\]\(([^)#]+)", page)
    assert links and all((Path(__file__).parents[2] / "docs" / "guides" / link).is_file() for link in links)


def test_a_policy_learns() -> None:
    """Against chance, in few steps, which shows within some seconds whether the policy learns at all."""
    path = Path(__file__).parents[2] / "docs" / "examples" / "learn.py"
    spec = spec_from_file_location("learn", path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["learn"] = module
    spec.loader.exec_module(module)
    assert module.main(["--bot", "policy-c", "--steps", "50000", "--games", "200"]) > 0.5


# ---- bots, and bad input


def test_bots_play_natively() -> None:
    batch = batch_of("unigames", 4, seed=1, bots={"P2": "greedy"})
    rng, rewards = walked(batch, 1), np.zeros(2)
    for _ in range(80):
        batch.step(batch.sample(rng))
        assert (batch.players <= 0).all()
        rewards += batch.rewards.sum(0)
    assert rewards[0] < 0 < rewards[1]


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"games": 0}, "games: a whole number from 1 to 100000 is needed, not 0"),
        ({"games": 2, "threads": 1000}, "threads: a whole number from 1 to 256"),
        ({"games": 2, "cap": True}, "cap: a whole number from 1"),
        ({"games": 2, "seed": -1}, "seed: a whole number from 0"),
        ({"games": 2, "bots": {"raven": "greedy", "wolf": "random"}}, "bots: leave a seat without a bot"),
        ({"games": 2, "bots": {"crow": "greedy"}}, "there is no player 'crow'"),
        ({"games": 2, "bots": {"wolf": "greddy"}}, "there is no bot 'greddy'"),
        ({"games": 2, "bots": {"wolf": "mcts"}}, "such bots do not play natively: there is no native Mcts"),
    ],
)
def test_impossible_arguments_are_refused(how: dict[str, object], said: str) -> None:
    with pytest.raises(OptionError) as refused:
        batch_of("war-chest", **how)  # type: ignore[arg-type]
    assert said in str(refused.value)


def test_a_name_is_no_game() -> None:
    with pytest.raises(OptionError, match="game: a game is needed, as `load` returns it, not 'war-chest'"):
        Batch("war-chest", 2)  # type: ignore[arg-type]


def test_actions_that_are_not_on_offer_change_nothing() -> None:
    batch = batch_of("war-chest", 3)
    before, good = batch.observations.copy(), batch.actions[:, 0].copy()
    illegal = int(np.nonzero(~batch.mask[1])[0][0])
    for actions, said in (
        ([good[0], illegal, good[2]], r"actions\[1\]: .* is not on offer; see `mask`"),
        ([good[0], good[1], batch.action_count], r"actions\[2\]: .* is not on offer"),
        ([good[0], good[1]], "one action for each of the 3 games is needed"),
    ):
        with pytest.raises(OptionError, match=said):
            batch.step(actions)
    assert (batch.observations == before).all()


def test_states_of_other_games_are_not_put_in() -> None:
    batch = lens("war-chest", "Random armies")
    with pytest.raises(OptionError, match="a state of the same game is needed"):
        batch.put(0, load_once("unigames").new(seed=1))
    with pytest.raises(OptionError, match=r"parts\[0\]: .* is not on offer there"):
        batch.put(0, load_once("war-chest").new(seed=1), [batch.table.others])
    with pytest.raises(OptionError, match="slot: a whole number from 0 to 0"):
        batch.state(1)
