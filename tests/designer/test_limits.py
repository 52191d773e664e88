"""Limits on the times of an act in a turn, a round or a game, by each piece or by each player."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import warchest
from designer.reading_support import read
from lint.lint_support import codes
from machine.machine_support import (
    card,
    drawn,
    game,
    lines,
    offered,
    passed,
    player,
    position,
    refused,
    round_trips,
    take,
    units,
)
from warchest.cli.main import main

DRAWS = "draw a coin, then put that coin into your hand."


def duel(text: str, kind: str = "attribute", **more: Any) -> warchest.State:
    """Return a state in which a unit with this text is adjacent to a strong enemy, with three coins in hand."""
    hand = "Duelist, Duelist, Duelist"
    return game(card("Duelist", **{kind: text})).position(
        position("Duelist f4, wolf Swordsman f5 5", hand, "Royal Coin, Scout, Scout", **more)
    )


def rule(text: str, units: str, **more: Any) -> warchest.State:
    """Return a state under a further rule."""
    given = game(card("Edict", kind="action", rules=text))
    return given.position(position(units, "Archer, Archer, Scout, Royal Coin", "Cavalry, Cavalry, Royal Coin", **more))


# ---- hooks


@pytest.mark.parametrize(
    "text",
    [
        "once a round, after this attacks, it may attack.",
        "once per round, after this attacks, it may attack again.",
        "after this attacks, once a round, it may attack.",
        "after this attacks, it may attack once a round.",
        "after this attacks, it may attack again once each round.",
        "at most one time a round, after this attacks, it may attack.",
    ],
)
def test_a_hook_answers_at_most_the_given_number_of_times_in_a_round(text: str) -> None:
    state = duel(text)
    take(state, act="attack")
    assert player(state) == "raven" and offered(state, act="decline")
    round_trips(state)
    take(state, act="attack")
    assert player(state) == "wolf" and state.position()["used"] == {"Duelist": {"f4": 1}}
    round_trips(state)
    take(passed(state), act="attack")
    assert player(state) == "wolf"


def test_a_declined_offer_is_not_counted() -> None:
    state = duel("once a round, after this attacks, it may attack.")
    take(take(state, act="attack"), act="decline")
    assert "used" not in state.position()
    take(passed(state), act="attack")
    assert offered(state, act="decline")


def test_a_hook_without_effect_is_not_counted() -> None:
    state = duel("once a round, after this attacks, if it is bolstered, it may move.")
    take(state, act="attack")
    assert player(state) == "wolf" and "used" not in state.position()
    for coins, answer, used in (2, {"act": "decline"}, False), (2, {"act": "move", "to": "e4"}, True):
        text = "once a round, after this attacks, if it is bolstered, it may move."
        state = game(card("Duelist", attribute=text)).position(
            position(f"Duelist f4 {coins}, wolf Swordsman f5 5", "Duelist, Duelist", "Scout, Scout")
        )
        take(take(state, act="attack"), **answer)
        assert ("used" in state.position()) == used


def test_the_count_is_reset_with_a_round_a_turn_or_never() -> None:
    used = {"Duelist": {"f4": 1}}
    for per, again in ("turn", True), ("round", False), ("game", False):
        state = duel(f"once a {per}, after this attacks, it may attack.")
        take(take(state, act="attack"), act="attack")
        assert player(state) == "wolf"
        assert bool(offered(take(passed(state), act="attack"), act="decline")) == again
    for per, again in ("round", True), ("game", False):
        bags = {"raven": ["Knight"] * 3, "wolf": ["Pikeman"] * 3}
        state = duel(f"once a {per}, after this attacks, it may attack.", used=used, bag=bags)
        while not state.decision or not state.decision.is_chance:
            passed(state)
        drawn(state)
        assert ("used" in state.position()) != again
        round_trips(state)


def test_a_hook_is_used_up_to_the_given_number_of_times() -> None:
    state = duel("up to two times a round, after this attacks, it may attack.")
    for _ in range(3):
        assert offered(state, act="attack")
        take(state, act="attack") if not offered(state, coin="Duelist") else take(state, act="attack", coin="Duelist")
    assert player(state) == "wolf" and state.position()["used"] == {"Duelist": {"f4": 2}}


def test_a_mandatory_hook_is_applied_the_first_time() -> None:
    text = f"once a turn, when this is attacked, {DRAWS}"
    state = game(card("Heir", attribute=text)).position(
        position(
            "Heir f4 3, wolf Cavalry f5",
            "Royal Coin",
            "Cavalry, Cavalry",
            to_act="wolf",
            bag={"raven": ["Knight", "Knight"]},
        )
    )
    take(state, act="attack")
    assert state.position()["hand"]["raven"] == ["Knight", "Royal Coin"]
    take(passed(state), act="attack")
    assert (
        state.position()["hand"]["raven"].count("Knight") + state.position()["discard"]["raven"]["down"].count("Knight")
        == 2
    )


def test_an_event_is_replaced_once() -> None:
    box = "you may put a coin in your supply of the type of this into your box"
    text = f"once a round, when this would lose a coin, {box} instead."
    state = game(card("Heir", attribute=text)).position(
        position(
            "Heir f4 2, wolf Cavalry f5",
            "Royal Coin, Knight",
            "Cavalry, Cavalry",
            to_act="wolf",
            supply={"raven": ["Heir", "Heir"]},
        )
    )
    take(state, act="attack")
    assert player(state) == "raven"
    taken = next(one for one in offered(state) if one["act"] != "decline")
    take(state, **taken)
    assert units(state)["f4"] == ("Heir", 2)
    round_trips(state)
    take(passed(state), act="attack")
    assert units(state)["f4"] == ("Heir", 1)


def test_two_pieces_of_a_card_have_a_count_each_and_players_have_one_together() -> None:
    for per, left in ("", True), (" per player", False):
        text = f"once a round{per}, after this attacks, it may move."
        state = game(card("Twin", attribute=f"the limit of this is 2.\n{text}")).position(
            position("Twin f4, Twin d4, wolf Swordsman f5 5, wolf Cavalry d5 3", "Twin, Twin", "Royal Coin, Scout")
        )
        take(take(state, act="attack", unit="f4"), act="move", to="f3")
        take(passed(state), act="attack", unit="d4")
        assert bool(offered(state, act="move", unit="d4")) == left


def test_an_event_with_answers_that_are_used_up_asks_for_no_order() -> None:
    text = f"once a round, after this attacks, {DRAWS}\nafter this attacks, it may move."
    bag = {"raven": ["Knight"]}
    state = duel(text, used={"Duelist": {"f4": 1}}, bag=bag)
    take(state, act="attack")
    assert {one["act"] for one in offered(state)} == {"decline", "move"}


def test_a_time_is_answered_the_given_number_of_times() -> None:
    state = duel("once a game, at the start of your turn, this may move.")
    take(take(state, act="decline"), act="pass", coin="Duelist")
    passed(state)
    take(state, act="move", to="e4")
    take(state, act="pass", coin="Duelist")
    passed(state)
    assert offered(state, act="pass") and not offered(state, act="decline")


# ---- permissions and prohibitions


@pytest.mark.parametrize(
    "text",
    [
        "a unit cannot attack more than once a round.",
        "no unit can attack twice in the same round.",
        "no unit can attack more than once a round.",
        "no unit may attack twice a round.",
        "each unit can attack only once a round.",
        "a unit attacks only once a round.",
    ],
)
def test_each_unit_attacks_once(text: str) -> None:
    state = rule(text, "Archer f4, Scout e4, wolf Cavalry f6, wolf Swordsman e5 3")
    take(state, act="tactic", target="f6")
    assert state.position()["used"] == {"Edict": {"f4": 1}}
    round_trips(state)
    passed(state)
    assert not offered(state, act="tactic") and offered(state, act="attack", unit="e4")
    take(state, act="attack", unit="e4", target="e5")
    assert state.position()["used"] == {"Edict": {"e4": 1, "f4": 1}}


def test_the_units_of_a_player_share_a_limit_of_attacks() -> None:
    text = "a unit cannot attack more than two times a round per player."
    state = rule(text, "Archer f4, Scout e4, wolf Cavalry f5 2, wolf Swordsman e5 3", used={"Edict": {"raven": 1}})
    take(state, act="attack", unit="e4", target="e5")
    assert offered(state, act="attack", coin="Cavalry")
    take(state, act="attack", unit="f5")
    assert not offered(state, act="attack") and not offered(state, act="tactic")
    assert state.position()["used"] == {"Edict": {"raven": 2, "wolf": 1}}


def test_a_prohibition_counts_the_acts_of_its_unit() -> None:
    state = duel("this cannot attack more than once a round.")
    take(passed(take(state, act="attack")), act="pass", coin="Duelist")
    assert state.position()["used"] == {"Duelist": {"f4": 1}}


def test_a_permission_holds_the_given_number_of_times() -> None:
    text = "once a round, this may attack a target exactly 2 spaces away."
    state = game(card("Slinger", attribute=text)).position(
        position("Slinger f4, wolf Swordsman f6 5, wolf Cavalry f5 2", "Slinger, Slinger", "Royal Coin, Scout")
    )
    take(state, act="attack", target="f5")
    assert "used" not in state.position()
    take(passed(state), act="attack", target="f6")
    assert state.position()["used"] == {"Slinger": {"f4": 1}}
    again = game(card("Slinger", attribute=text)).position(
        {**state.position(), "to_act": "raven", "hand": {"raven": ["Slinger"], "wolf": []}, "discard": {}}
    )
    assert [one["target"] for one in offered(again, act="attack")] == ["f5"]


def test_a_player_recruits_the_given_number_of_times() -> None:
    supply = {"raven": ["Archer"]}
    state = rule("you cannot recruit more than once a round.", "Archer f4", supply=supply)
    take(state, act="recruit", coin="Scout", recruit="Archer")
    assert state.position()["used"] == {"Edict": {"raven": 1}}
    passed(state)
    assert not offered(state, act="recruit")


# ---- steps


def test_steps_that_are_used_up_are_not_begun() -> None:
    state = duel("once a round, attack.", "tactic")
    take(state, act="tactic")
    passed(state)
    assert not offered(state, act="tactic") and offered(state, act="attack")


def test_steps_in_the_middle_lapse() -> None:
    state = duel("attack a target. once a round, move.", "tactic")
    take(take(state, act="tactic"), to="g4")
    take(passed(state), act="tactic")
    assert player(state) == "wolf" and units(state)["g4"] == ("Duelist", 1) and lines(state).count("goes to") == 1


def test_a_branch_that_is_used_up_is_not_chosen() -> None:
    state = duel("either move, or attack once a game.", "tactic", used={"Duelist": {"f4": 1}})
    assert offered(state, act="tactic", to="f3") and not offered(state, act="tactic", target="f5")


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("attribute", "this cannot move or attack more than once a round."),
        ("attribute", "no unit can move or attack twice a round."),
        ("attribute", "once a round, a friendly unit may attack a target exactly 2 spaces away."),
        ("tactic", "for each unit adjacent to this, once a round, it loses a coin."),
        ("tactic", "for each unit adjacent to this, it loses a coin once a round."),
    ],
)
def test_a_limit_that_could_be_counted_in_two_ways_is_refused(kind: str, text: str) -> None:
    assert codes(refused(card("Duelist", **{kind: text}))) == ["unclear-reach"]


def test_a_limit_that_falls_with_its_unit_is_refused() -> None:
    for time in "when", "before":
        (found,) = refused(card("Duelist", attribute=f"once a game, {time} this falls, {DRAWS}"))
        assert (found.name, found.help) == ("says-nothing", "say `once a game per player`, or leave it out")
    state = game(card("Heir", attribute=f"once a game per player, when this falls, {DRAWS}")).position(
        position("Heir f4, wolf Cavalry f5", "Royal Coin", "Cavalry", to_act="wolf", bag={"raven": ["Knight"]})
    )
    take(state, act="attack")
    assert "Knight" in state.position()["hand"]["raven"] and state.position()["used"] == {"Heir": {"raven": 1}}


def test_a_permission_of_several_units_is_counted_as_it_says() -> None:
    for text, others in (
        ("each friendly unit may attack a target exactly 2 spaces away once a round.", True),
        ("once a round per player, a friendly unit may attack a target exactly 2 spaces away.", False),
    ):
        state = game(card("Captain", attribute=text)).position(
            position("Captain f4, Knight e4, wolf Cavalry f6 2, wolf Swordsman e6 2", "Captain, Knight", "Scout, Scout")
        )
        take(state, act="attack", unit="f4", target="f6")
        assert bool(offered(passed(state), act="attack", unit="e4")) == others


def test_a_limit_in_a_branch_is_read_back() -> None:
    said = "either once a round, move, or until the end of the round, no unit can attack this."
    for text in said, "either move once a round, or until the end of the round, no unit can attack this.":
        assert read(text, "steps")[0] == said
    state = duel("either move once a round, or attack.", "tactic", used={"Duelist": {"f4": 1}})
    assert [one.get("target") for one in offered(state, act="tactic")] == ["f5"]


def test_the_picture_shows_used_up_hooks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "once a round, after this attacks, it may attack."
    (tmp_path / "duelist.yaml").write_text(card("Duelist", attribute=text))
    shown = {**position("Duelist f4", "Duelist"), "used": {"Duelist": {"f4": 1}}}
    (tmp_path.parent / "shown.yaml").write_text(json.dumps(shown))
    assert main(["show", "--cards", str(tmp_path), str(tmp_path.parent / "shown.yaml")]) == 0
    assert "used: Duelist: f4: 1" in capsys.readouterr().out
