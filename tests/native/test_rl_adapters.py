"""Adapters of batches for known libraries, tried by the tests that these libraries bring along."""

from __future__ import annotations

import re
import sys

import numpy as np
import pytest

from loaded import load_once
from warchest import OptionError
from warchest.native.c_compiler import Unavailable, compiler

pytestmark = pytest.mark.usefixtures("compiled_for_tests")

if isinstance(compiler(), Unavailable):
    pytest.skip("there is no C compiler", allow_module_level=True)

GAMES = pytest.mark.parametrize("name", ["war-chest", "unigames"])


@pytest.mark.parametrize(
    ("lacking", "name", "place", "package"),
    [
        ("pettingzoo", "TableEnv", "pettingzoo_env", "'warchest[rl]'"),
        ("pyspiel", "open_spiel_game", "open_spiel_env", "open_spiel"),
    ],
)
def test_a_library_that_is_lacking_is_named(
    lacking: str, name: str, place: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from warchest import rl

    monkeypatch.setitem(sys.modules, lacking, None)
    monkeypatch.delitem(sys.modules, f"warchest.rl.{place}", raising=False)
    monkeypatch.delitem(rl.__dict__, name, raising=False)
    with pytest.raises(ModuleNotFoundError, match=re.escape(f"{name} needs {lacking}: pip install {package}")):
        getattr(rl, name)


# ---- PettingZoo


@GAMES
@pytest.mark.filterwarnings("ignore")
def test_pettingzoo_finds_no_fault(name: str) -> None:
    test = pytest.importorskip("pettingzoo.test")
    from warchest.rl import TableEnv

    test.api_test(TableEnv(load_once(name), cap=200), num_cycles=100)
    test.seed_test(lambda: TableEnv(load_once(name), cap=200), num_cycles=30)


def test_each_reset_begins_another_game() -> None:
    pytest.importorskip("pettingzoo")
    from warchest.rl import TableEnv

    env, seen = TableEnv(load_once("war-chest")), []
    for seed in (1, None, None, 1):
        env.reset(seed)
        seen.append(env.observe(env.agent_selection)["observation"].tobytes())
    assert seen[0] == seen[3] and len(set(seen)) == 3
    with pytest.raises(OptionError, match=r"actions\[0\]: .* is not on offer"):
        env.step(env.batch.action_count - 1)


# ---- Gymnasium


@GAMES
def test_gymnasium_plays_against_bots(name: str) -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from warchest.rl import VectorEnv

    game = load_once(name)
    env = VectorEnv(game, 4, bot="random", cap=150, seat=game.players[1])
    assert isinstance(env, gymnasium.vector.VectorEnv)
    rng, ends = np.random.default_rng(1), 0
    seen, infos = env.reset(seed=3)
    again, _ = env.reset(seed=3)
    assert (seen == again).all()
    done = np.zeros(4, np.bool_)
    for _ in range(200):
        assert env.observation_space.contains(seen)
        assert (seen[:, 0] == 1).all()
        actions = np.array([rng.choice(np.nonzero(row)[0]) if row.any() else 0 for row in infos["action_mask"]])
        before = done
        seen, rewards, over, cut, infos = env.step(actions)
        done = over | cut
        assert not (before & done).any() and not rewards[~over].any()
        assert (infos["action_mask"].any(1) == ~done).all()
        ends += int(done.sum())
    assert ends


def test_gymnasium_refuses() -> None:
    pytest.importorskip("gymnasium")
    from warchest.rl import VectorEnv

    with pytest.raises(OptionError, match="there is no player 'crow'; there are: raven, wolf"):
        VectorEnv(load_once("war-chest"), 2, seat="crow")
    with pytest.raises(OptionError, match="one whole number is needed"):
        VectorEnv(load_once("war-chest"), 2).reset(seed=[1, 2])


# ---- OpenSpiel


@GAMES
def test_open_spiel_plays_at_random(name: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from warchest.rl import open_spiel_game

    game = open_spiel_game(load_once(name), cap=60)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    state = game.new_initial_state()
    assert state.observation_tensor(0) != state.observation_tensor(1)


def test_open_spiel_loads_by_name() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from warchest.rl import open_spiel_game

    game = pyspiel.load_game("python_warchest(game=unigames,seed=3)")
    other = open_spiel_game(load_once("unigames"), seed=3)
    assert game.num_distinct_actions() == other.num_distinct_actions()
    assert str(game.new_initial_state()) == str(other.new_initial_state())
