"""Units that take coins of other types into them: their games can be saved at any time, and go on as they would."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import warchest
from machine.machine_support import comes_back, game, offered, player, position, take
from warchest.picture import plain, scene_of, style_of
from warchest.rulings.cases import read_cases
from warchest.rulings.runner import run_case

OVERLORD = """\
unit: Overlord
coins: 4
source: "ruling: a unit of the tests"
attribute: |
  after this attacks a unit, put a coin in the target into this if able.
  after this moves, if a Scout is in this, it may move.
restriction: |
  a unit cannot attack this while an Archer is in this.
"""
LEECH = """\
unit: Leech
coins: 5
source: "ruling: a unit of the tests"
tactic: |
  choose an enemy player, then take a coin in the supply of that player, then put that coin into this.
attribute: |
  after this attacks, it may move.
"""
MIMIC = """\
unit: Mimic
coins: 5
source: "ruling: a unit of the tests"
tactic: |
  choose another friendly unit adjacent to this, then the type of that unit becomes the type of this.
"""
MASON = """\
unit: Mason
coins: 4
source: "ruling: a unit of the tests"
tactic: |
  choose a fort, then put a fortification in the fort supply into that fort.
"""
_STRIKES = """\
    position:
      to_act: raven
      initiative: raven
      units:
        - {at: f4, unit: Overlord, owner: raven}
        - {at: f5, unit: Scout, owner: wolf, coins: 3}
        - {at: i4, unit: Lancer, owner: wolf}
      hand: {raven: [Overlord], wolf: [Royal Coin]}
    do:
      - {act: attack, target: f5}
    then:
      units:
"""
RULINGS = f"""\
rulings: Overlord
source: "ruling: a test"
cases:
  - name: It keeps a coin of what it strikes
{_STRIKES}        - {{at: f4, unit: Overlord, owner: raven, stack: [Scout, Overlord]}}
        - {{at: f5, unit: Scout, owner: wolf}}
        - {{at: i4, unit: Lancer, owner: wolf}}
  - name: This one says another thing
{_STRIKES}        - {{at: f4, unit: Overlord, owner: raven, coins: 2}}
        - {{at: f5, unit: Scout, owner: wolf}}
        - {{at: i4, unit: Lancer, owner: wolf}}
  - name: With a Scout in it goes on
    position:
      to_act: raven
      initiative: raven
      units:
        - {{at: f4, unit: Overlord, owner: raven, stack: [Overlord, Scout]}}
      hand: {{raven: [Overlord], wolf: [Scout]}}
    do:
      - {{act: move, to: f5}}
    offered:
      - {{act: move, to: f6}}
"""


@pytest.fixture(scope="module")
def taking() -> warchest.Game:
    """The game with units that take in coins of other types."""
    return game(OVERLORD, LEECH, MIMIC, MASON)


def test_coins_captured_by_an_overlord_are_saved_with_it(taking: warchest.Game) -> None:
    state = taking.position(position("Overlord f4, wolf Archer f5 3", "Overlord"))
    take(state, act="attack", target="f5")
    assert state.position()["units"][0] == {
        "at": "f4",
        "unit": "Overlord",
        "owner": "raven",
        "coins": 2,
        "stack": ["Archer", "Overlord"],
    }
    comes_back(state)


@pytest.mark.parametrize(("captive", "protected", "goes_on"), [("Archer", True, False), ("Scout", False, True)])
def test_captured_coins_count_after_loading(
    taking: warchest.Game, captive: str, protected: bool, goes_on: bool
) -> None:
    before = position(f"raven Overlord f4, wolf {captive} f5 3", "Overlord")
    before["hand"]["wolf"] = [captive]
    before["bag"] = {"raven": ["Overlord"], "wolf": ["Royal Coin"]}
    state = taking.position(before)
    take(state, act="attack", target="f5")
    state = comes_back(state)
    assert bool(offered(state, act="attack")) is not protected
    take(state, act="pass")
    while state.decision is not None and state.decision.is_chance:
        state.apply(0)
    assert state.decision is not None and state.decision.player == "raven"
    take(state, act="move", to="g3")
    assert (player(state) == "raven") is goes_on


def test_a_leech_is_restored_and_its_lost_coins_are_still_the_opponents(taking: warchest.Game) -> None:
    before = position("raven Leech f4, wolf Archer f5, wolf Lancer g4", "Leech")
    before |= {"supply": {"wolf": ["Knight", "Archer"]}, "bag": {"raven": ["Leech"] * 3}}
    before["hand"]["wolf"] = ["Royal Coin", "Lancer"]
    state = taking.position(before)
    take(state, act="tactic", tactic="Knight")
    state = comes_back(state)
    assert state.position()["units"][0]["stack"] == ["Knight", "Leech"]
    assert state.position()["armies"] == {"raven": ["Leech"], "wolf": ["Archer", "Knight", "Lancer"]}
    loaded, straight = comes_back(state), state
    for one in (loaded, straight):
        rng = Random(5)
        for _ in range(60):
            if one.decision is None:
                break
            one.apply(one.decision.sample(rng))
    assert loaded.position() == straight.position() and straight.log[-1] == loaded.log[-1]


@pytest.mark.parametrize("seed", range(4))
def test_games_in_which_coins_change_hands_can_be_saved_at_any_time(taking: warchest.Game, seed: int) -> None:
    armies = {"raven": ["Overlord", "Leech", "Mimic", "Scout"], "wolf": ["Knight", "Archer", "Mason", "Lancer"]}
    state, rng = taking.new(seed=seed, armies=armies), Random(seed)
    mixed = 0
    for step in range(240):
        if state.decision is None:
            break
        if step % 3 == 0:
            comes_back(state)
            mixed += any("stack" in unit or "nature" in unit for unit in state.position()["units"])
        acts = [option for option in state.decision.options if option.data["act"] in ("attack", "tactic", "deploy")]
        state.apply(rng.choice(acts) if acts and rng.random() < 0.7 else state.decision.sample(rng))
    assert mixed


def test_a_copy_is_saved_with_its_nature(taking: warchest.Game) -> None:
    state = taking.position(position("raven Mimic f4 2, raven Archer f5", "Mimic"))
    take(state, act="tactic")
    assert state.position()["units"] == [
        {"at": "f4", "unit": "Archer", "owner": "raven", "coins": 2, "nature": "Mimic"},
        {"at": "f5", "unit": "Archer", "owner": "raven", "coins": 1},
    ]
    comes_back(state)


def test_coins_of_a_fortification_are_restored(taking: warchest.Game) -> None:
    state = taking.position(position("raven Mason f4", "Mason", forts=["e2"], fort_supply=2))
    take(state, act="tactic")
    assert state.position()["forts"] == ["e2"] and state.position()["fort_supply"] == 1
    assert state.position()["pending"]["pieces"] == {"e2": {"stack": ["Fortification"] * 2}}
    back = comes_back(state)
    one = taking.position({key: value for key, value in state.position().items() if key != "pending"})
    assert one != back


def test_rulings_may_contain_captured_coins(taking: warchest.Game, tmp_path: Path) -> None:
    file = tmp_path / "overlord.yaml"
    file.write_text(RULINGS, encoding="utf-8")
    cases, _, errors = read_cases([file])
    assert not errors, errors
    results = [run_case(taking, case) for case in cases]
    assert [one.outcome for one in results] == ["passed", "failed", "passed"], [one.message for one in results]
    assert "f4 Overlord: stack expected [], it is [Overlord, Scout]" in results[1].message


def test_pictures_show_captured_coins(taking: warchest.Game) -> None:
    pile = {"at": "f4", "unit": "Overlord", "owner": "raven", "stack": ["Scout", "Overlord", "Scout"]}
    state = taking.position({**position("", "Overlord"), "units": [pile]})
    style = style_of(taking.library)
    assert "stack Overlord, 2 Scout" in plain(scene_of(state.position(), taking.variant().board, style))
