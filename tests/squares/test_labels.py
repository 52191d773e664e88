"""The words of options of the second game: the act that is chosen names them, and figures are named by their names."""

from __future__ import annotations

import pytest
from machine_support import take
from squares_support import position

import warchest
from warchest.game.state import state_at

PLAIN = "Foot 3/4/5 "


def options(state: warchest.State) -> dict[str, dict[str, object]]:
    """Return the data of the options by their labels."""
    assert state.decision is not None
    return {one.label: one.data for one in state.decision.options}


def test_the_label_of_a_first_step_says_that_it_begins_a_move() -> None:
    found = options(position((PLAIN,), "P1 Foot d4 n, P2 Foot h7 s"))
    assert found == {
        "move: Foot d4, turn to e": {"act": "turn", "as": "move", "figure": "d4", "to": "e"},
        "move: Foot d4, turn to w": {"act": "turn", "as": "move", "figure": "d4", "to": "w"},
        "move: Foot d4, step to d5": {"act": "step", "as": "move", "figure": "d4", "to": "d5"},
        "desist": {"act": "desist"},
    }


def test_a_step_is_not_named_by_its_consequences() -> None:
    state = position((PLAIN,), "P1 Foot d4 n, P1 Foot d5 n, P2 Foot d6 s")
    found = options(state)
    assert found["move: Foot d4, step to d5"] == {"act": "step", "as": "move", "figure": "d4", "to": "d5"}
    assert found["move: Foot d5, step to d6"] == {"act": "step", "as": "move", "figure": "d5", "to": "d6"}


def test_an_offer_is_not_named_by_later_acts_of_another() -> None:
    state = position((PLAIN,), "P1 Foot d4 n, P1 Foot d5 n, P2 Foot d7 s")
    take(state, figure="d4", to="d5")
    found = options(state)
    assert found["decline"] == {"act": "decline"}
    assert sorted(data["act"] for data in found.values()) == ["assail", "decline"]


def test_later_steps_have_labels_of_their_own() -> None:
    state = position((PLAIN,), "P1 Foot d4 n, P1 Foot a3 n, P2 Foot h7 s")
    take(state, figure="d4", to="d5")
    rest = {"step: Foot d5, to d6", "turn: Foot d5, to e", "turn: Foot d5, to w", "halt: Foot d5"}
    assert set(options(state)) == rest
    assert "P1: the Foot on d4 moves to d5" in state.log


def test_an_act_in_an_answer_is_named_after_the_answer() -> None:
    state = position(("Foot 3/9/5 Escape",), "P1 Foot d4 n, P2 Foot d5 s")
    take(state, figure="d4", to="d5")
    assert options(state)["escape: Foot d5 of P2, turn to e"]["as"] == "escape"


def test_several_of_a_name_on_one_square_are_distinguished() -> None:
    state = position(("Foot 3/9/5 Escape", "Foe 2/9/4 Escape"), "P1 Foot d4 n, P2 Foe d5 s")
    take(state, figure="d4", to="d5")
    found = options(state)
    assert found["escape: Foe d5, turn to e"]["figure"] == "d5 Foe"


def test_a_figure_that_acts_on_itself_is_named_twice() -> None:
    found = options(position(("Witch 1/3/3 Boost (+2 attack)",), "P1 Witch d4 n, P2 Witch h7 s"))
    assert found["boost: Witch d4, boost Witch d4"] == {"act": "boost", "figure": "d4", "boost": "d4"}


def test_ways_are_named_by_their_first_acts() -> None:
    state = position(("Bird 3/4/5 Flight",), "P1 Bird h7 n, P2 Bird d7 s")
    take(state, figure="h7", to="h8")
    assert options(state) == {
        "storm: Bird h8": {"act": "storm", "figure": "h8"},
        "overfly: Bird h8": {"act": "overfly", "figure": "h8"},
    }


@pytest.mark.parametrize("abilities", ["", "Stun", "Takeover", "Repel"])
def test_an_offer_is_named_by_its_act(abilities: str) -> None:
    zealots = (f"Zealot 2/4/5 Sacrifice (3); {abilities}", "Foe 1/9/3")
    state = position(zealots, "P1 Zealot d4 n, P2 Foe d5 s")
    take(state, figure="d4", to="d5")
    if abilities == "Repel":
        assert sorted(options(state)) == ["become repelling: Zealot d5", "decline: Zealot d5"]
        take(state, act="decline")
    found = options(state)
    assert {data["act"] for data in found.values()} == {"become sacrificing", "decline"}


def test_the_removal_of_corpses_names_no_option() -> None:
    state = position(("Witch 1/3/3 Create (Imp)", "Imp 1/1/1"), "P1 Witch d4 n, P2 Imp h7 s")
    told = {**state.position(), "corpses": [{"at": "e4", "of": "Imp", "owner": None, "facing": "n"}]}
    corpses = state_at(state.variant, told)
    assert options(corpses) == options(state)
    assert corpses.position()["corpses"]


@pytest.mark.parametrize("words", [{"act": "move", "figure": "d4"}, "move: figure d4"])
def test_why_not_knows_the_wider_act(words: dict[str, str] | str) -> None:
    state = position((PLAIN,), "P1 Foot d4 n, P2 Foot h7 s")
    assert state.why_not(words) == []


def reasons(state: warchest.State, words: str) -> str:
    return "; ".join(one["reason"] for one in state.why_not(words))


def test_why_not_reads_labels_with_printed_names() -> None:
    state = position((PLAIN,), "P1 Foot d4 n, P2 Foot d5 s")
    assert state.why_not("move: Foot d4, turn to e") == []
    assert state.why_not("move: Foot d4, step to d5") == []
    why = reasons(state, "move: Foot d4, step to e4")
    assert why == "e4 is not: a space exactly 1 space away in the facing of the figure"


def test_why_not_reads_texts_of_abilities() -> None:
    maker = (PLAIN, "Maker 1/3/3 Create (Foot)")
    state = position(maker, "P1 Maker h1 n, P1 Foot g1 n, P1 Foot h2 n, P2 Foot h7 s")
    assert "no figure is on it" in reasons(state, "create: Maker h1")


def test_why_not_names_the_missing_ability() -> None:
    state = position((PLAIN,), "P1 Foot d4 n, P2 Foot h7 s")
    assert reasons(state, "heal") == "nobody who can act has Healing, which it takes to heal"
    assert reasons(state, "heal: figure d4") == "d4 has no Healing, which it takes to heal"


def test_why_not_prefers_the_obstacle_of_a_figure_with_the_ability() -> None:
    maker = (PLAIN, "Maker 1/3/3 Create (Foot)")
    state = position(maker, "P1 Foot g1 n, P1 Foot h2 n, P1 Maker h1 n, P2 Foot h7 s")
    assert "no figure is on it" in reasons(state, "create")
