"""Reasons are those of the act that is asked about, with the clause and its place, and no more of them than needed."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import warchest
from loaded import shipped
from warchest import State

BOTH = {"raven": ["Cavalry", "Archer", "Royal Coin"], "wolf": ["Scout"]}


def position(**more: Any) -> State:
    given = {"to_act": "raven", "initiative": "raven", "control": {"raven": ["e2", "h1"]}, "hand": BOTH, **more}
    return shipped().position(given)


@pytest.mark.parametrize("act", ["move", "attack", "control", "tactic"])
def test_without_a_unit_the_reason_is_that_of_a_maneuver(act: str) -> None:
    (reason,) = position().why_not(act)
    assert reason["file"].endswith("maneuver.yaml") and reason["clause"] == "an own unit of its type"


@pytest.mark.parametrize(
    ("wanted", "file"),
    [
        ({"act": "move", "unit": "f3"}, "game.yaml"),
        ({"act": "move", "coin": "Cavalry", "unit": "e4", "to": "e5"}, "maneuver.yaml"),
        ({"act": "move", "coin": "Royal Coin"}, "maneuver.yaml"),
        ({"act": "attack", "unit": "f4", "target": "f3"}, "knight.yaml"),
        ({"act": "deploy", "coin": "Royal Coin"}, "deploy.yaml"),
    ],
)
def test_the_reason_is_not_that_of_another_act(wanted: dict[str, Any], file: str) -> None:
    units = [{"at": "f3", "unit": "Knight", "owner": "wolf"}, {"at": "f4", "unit": "Cavalry", "owner": "raven"}]
    reasons = position(units=units).why_not(wanted)
    assert reasons[0]["file"].endswith(file)
    assert all(reason["clause"] and reason["line"] for reason in reasons)


def test_one_reason_is_enough() -> None:
    assert [one["clause"] for one in position().why_not({"act": "deploy", "coin": "Royal Coin"})] == [
        "you cannot deploy the Royal Coin"
    ]


def test_why_not_names_the_question_to_a_player_who_does_not_decide() -> None:
    (reason,) = position().why_not({"act": "pass"}, player="wolf")
    assert "wolf" in reason["reason"] and reason["file"].endswith("game.yaml")
    with pytest.raises(warchest.OptionError):
        position().why_not({"act": "pass"}, player="crow")


@pytest.mark.parametrize("wanted", [{"act": ["x"]}, {"act": None}, {"act": 3}])
def test_an_unknown_act_is_reported(wanted: dict[str, Any]) -> None:
    (reason,) = position().why_not(wanted)
    assert reason["reason"].startswith("there is no act")


LANCER = {"at": "f4", "unit": "Lancer", "owner": "raven"}


def lancer(*wolves: str) -> State:
    """Return a state with a Lancer of raven on f4, and enemies elsewhere: `e4 Archer`."""
    wolf = [{"at": at, "unit": unit, "owner": "wolf"} for at, _, unit in (one.partition(" ") for one in wolves)]
    return position(hand={"raven": ["Lancer"], "wolf": ["Archer"]}, units=[LANCER, *wolf])


def clauses(state: State, what: Any) -> list[str]:
    return [one["clause"] for one in state.why_not(what)]


def test_where_no_direction_works_the_reason_says_what_the_direction_lacks() -> None:
    """An enemy beside the Lancer is one space away from it, but not from where it can ride, in that direction."""
    (reason,) = lancer("e4 Archer").why_not({"act": "tactic"})
    assert reason["reason"] == "wolf's Archer on e4 is not: exactly 1 space away in that direction"
    assert reason["file"].endswith("lancer.yaml")


def test_the_attacker_is_not_taken_for_its_target() -> None:
    found = lancer("c4 Knight").why_not({"act": "attack", "unit": "f4"})
    assert found and not any("f4 is not" in one["reason"] for one in found)


@pytest.mark.parametrize("what", [{"act": "tactic"}, {"act": "use its tactic", "unit": "f4"}, "use its tactic"])
def test_a_unit_without_a_tactic_is_reported(what: Any) -> None:
    units = [{"at": "f4", "unit": "Knight", "owner": "raven"}, {"at": "f5", "unit": "Archer", "owner": "wolf"}]
    (reason,) = position(hand={"raven": ["Knight"], "wolf": ["Archer"]}, units=units).why_not(what)
    assert (reason["reason"], reason["clause"]) == ("Knight on f4 has no tactic", "perform the tactic of this")


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ({"act": "move", "unit": "f4", "to": "z9"}, "there is no space 'z9' on the board"),
        ({"act": "move", "unit": "z9"}, "there is no space 'z9' on the board"),
        ("move: unit f4, to z9", "there is no space 'z9' on the board"),
        ({"act": "attack", "target": "g3"}, "nothing is on g3: to attack a target: the target loses a coin"),
        ({"act": "deploy", "coin": "Lanser"}, "there is no coin 'Lanser'; did you mean `Lancer`?"),
        ({"act": "move", "unti": "f4"}, "options say no 'unti'; did you mean `unit`?"),
    ],
)
def test_unknown_keys_and_names_are_reported(what: Any, said: str) -> None:
    units = [{"at": "f4", "unit": "Cavalry", "owner": "raven"}, {"at": "f5", "unit": "Scout", "owner": "wolf"}]
    assert [one["reason"] for one in position(units=units).why_not(what)] == [said]


@pytest.mark.parametrize(
    ("typed", "label"),
    [
        ("move to f6", "move: to f6"),
        ("move f6", "move: to f6"),
        ("attack c4", "attack: target c4"),
        ("move coin lancer unit f4 to f6", "move: coin Lancer, unit f4, to f6"),
        ("recruit coin lancer", "recruit: coin Lancer"),
    ],
)
def test_a_label_may_be_typed_without_its_signs(typed: str, label: str) -> None:
    state = lancer("c4 Archer")
    assert state.why_not(typed) == state.why_not(label) != []


def test_the_prompt_is_the_clause_that_asks() -> None:
    """Of an answer it is the answer, of an act the text that orders it, and not how the game does such things."""
    state = shipped().position(
        {
            "to_act": "raven",
            "initiative": "raven",
            "supply": {"wolf": ["Royal Guard"]},
            "hand": {"raven": ["Scout"]},
            "units": [
                {"at": "f4", "unit": "Scout", "owner": "raven"},
                {"at": "f5", "unit": "Royal Guard", "owner": "wolf"},
            ],
        }
    )
    assert state.decision is not None
    state.apply(next(one for one in state.decision.options if one.data["act"] == "attack"))
    assert state.decision.prompt.startswith("wolf: when this would lose a coin")


def test_the_coin_of_the_warrior_priest_is_asked_for_by_its_card() -> None:
    state = shipped().position(
        {
            "to_act": "raven",
            "initiative": "raven",
            "hand": {"raven": ["Warrior Priest"], "wolf": ["Scout"]},
            "bag": {"raven": ["Knight"]},
            "supply": {"raven": ["Knight"]},
            "units": [
                {"at": "f4", "unit": "Warrior Priest", "owner": "raven"},
                {"at": "f5", "unit": "Scout", "owner": "wolf"},
            ],
        }
    )
    assert state.decision is not None
    state.apply(next(one for one in state.decision.options if one.data["act"] == "attack"))
    while state.decision is not None and state.decision.is_chance:
        state.apply(0)
    assert state.decision is not None and state.decision.prompt == "raven: use that coin"


def test_data_of_an_option_are_a_copy() -> None:
    state = position()
    assert state.decision is not None
    state.decision.options[0].data["act"] = "spoilt"
    assert state.decision.options[0].data["act"] != "spoilt"


SQUIRE = """\
unit: Squire
coins: 4
tactic: |
  choose an adjacent empty space. choose a coin in your supply of the type of this.
  put that coin onto that space as a unit, then choose an own unit whose height is at least 9.
"""
INQUISITOR = """\
unit: Inquisitor
coins: 4
attribute: |
  when an enemy unit within 2 spaces of this would use its tactic, you may discard a coin in your hand facedown, then discard a coin in your hand facedown instead.
"""  # noqa: E501


def test_why_not_finds_a_unit_that_the_option_itself_deploys() -> None:
    units = [{"at": "f4", "unit": "Squire", "owner": "raven"}]
    given = {"to_act": "raven", "units": units, "hand": {"raven": ["Squire"]}, "supply": {"raven": ["Squire"]}}
    (reason,) = shipped("war-chest", SQUIRE).position(given).why_not({"act": "tactic"})
    assert reason["clause"] == "whose height is at least 9"


def test_a_failure_that_was_only_looked_ahead_to_is_no_reason() -> None:
    """The answer cannot be paid for, so it lapses; the tactic is not there for another reason."""
    units = [{"at": "h3", "unit": "Inquisitor", "owner": "raven"}, {"at": "g4", "unit": "Bannerman", "owner": "wolf"}]
    hand = {"raven": ["Inquisitor"], "wolf": ["Berserker", "Bannerman"]}
    state = shipped("war-chest", INQUISITOR).position({"to_act": "wolf", "units": units, "hand": hand})
    (reason,) = state.why_not({"act": "tactic"})
    assert reason["reason"] == "Bannerman on g4 has no tactic"


@pytest.mark.parametrize("name", ["war-chest", "unigames"])
@pytest.mark.parametrize("seed", range(1, 4))
def test_every_act_and_every_half_right_option_gets_an_answer(name: str, seed: int) -> None:
    state, rng = shipped(name).new(seed=seed), Random(seed)
    acts = sorted({act.verb.act for act in state.variant.program.acts if act.verb.by != "game"})
    for moment in range(60):
        if state.decision is None:
            return
        options = state.decision.options
        if moment % 15 == 0:
            some, other = rng.choice(options).data, rng.choice(options).data
            mixed = [{**some, key: other.get(key, "f4")} for key in some if key != "act"]
            for wanted in (*({"act": act} for act in acts), *mixed):
                assert all(reason["reason"] for reason in state.why_not(wanted))
        state.apply(rng.choice(options))
