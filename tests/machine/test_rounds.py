"""A path that goes round is not offered, one that can be completed is; rules that never end in play break off that game
alone.
"""

from __future__ import annotations

import copy
import pickle
from random import Random
from time import process_time
from typing import Any

import pytest
from machine_support import card, comes_back, game, offered, position, take

import warchest
from budgets import lower_budgets
from warchest.engine.runs import EndlessError

ORDERS = "choose another friendly unit within 2 spaces of this. that unit maneuvers."
WARLORD, CAPTAIN, MARSHAL = (card(name, tactic=ORDERS) for name in ("Warlord", "Captain", "Provost"))
PAIR = "Warlord f4, Captain f5"


def ways(state: warchest.State, **wanted: Any) -> list[tuple[str, ...]]:
    """Return where the options of a tactic lead: whom it chose, and the outcome."""
    return [
        tuple(map(str, (one.get("chosen"), one["then"], one.get("to"))))
        for one in offered(state, act="tactic", **wanted)
    ]


def test_two_units_that_order_each_other_can_do_all_finite_acts() -> None:
    """The Captain can have the Warlord move, too, but not have it begin the same once more."""
    state = game(WARLORD, CAPTAIN).position(position(PAIR, "Warlord, Royal Coin"))
    own, back = ("e5", "e6", "f6", "g4", "g5"), ("e4", "e5", "f3", "g3", "g4")
    assert sorted(ways(state)) == sorted(("f5", "move", space) for space in own + back)
    comes_back(state)


def test_only_the_choice_that_closes_a_round_is_not_offered() -> None:
    text = "choose a friendly unit 0-2 spaces away. that unit maneuvers."
    state = game(card("Warlord", tactic=text)).position(position("Warlord f4, Archer h3", "Warlord, Royal Coin"))
    itself = [one for one in offered(state, act="tactic") if one["chosen"] == "f4"]
    assert {one["to"] for one in itself} == {"e4", "e5", "f3", "f5", "g3", "g4"}
    assert {one["then"] for one in itself} == {"move"}
    comes_back(state)


def test_orders_of_the_second_unit_to_a_third_are_offered_too() -> None:
    state = game(WARLORD, CAPTAIN).position(position(f"{PAIR}, Scout g6", "Warlord, Royal Coin"))
    found = offered(state, act="tactic")
    # The Scout is too far from the Warlord, and near enough to the Captain.
    assert {"g5", "h5"} <= {one.get("to") for one in found if one.get("tactic") == "g6"}
    for option in found:
        there = state.clone()
        assert there.decision is not None
        there.apply(next(one for one in there.decision.options if one.data == option))
        assert there.decision is not None and there.decision.player == "wolf"


def test_three_units_that_order_each_other_end_soon() -> None:
    begun = process_time()
    state = game(WARLORD, CAPTAIN, MARSHAL).position(position(f"{PAIR}, Provost e5", "Warlord, Royal Coin"))
    assert 15 < len(offered(state, act="tactic")) < 100
    assert process_time() - begun < 10


@pytest.mark.parametrize(
    "text",
    [
        "move if able. this uses its tactic.",
        "this may move. this uses its tactic.",
        "move. this uses its tactic.",
        "this uses its tactic if able.",
        "until this is bolstered, do nothing.",
        "until this is bolstered, choose another friendly unit within 2 spaces of this.",
    ],
)
def test_an_act_that_cannot_be_completed_is_not_offered(text: str) -> None:
    begun = process_time()
    state = game(card("Whirl", tactic=text)).position(
        position("Whirl f4, Archer f5, Scout e2, wolf Knight g6", "Whirl, Royal Coin")
    )
    assert not offered(state, act="tactic") and offered(state, act="move") and offered(state, act="pass")
    assert state.why_not({"act": "tactic"})
    assert process_time() - begun < 10


def test_an_endless_exchange_between_two_units_is_not_offered() -> None:
    """The Page can go to and fro between two spaces, and nowhere else."""
    whirl = card("Whirl", tactic="choose another friendly unit. that unit maneuvers, then this uses its tactic.")
    walls = "wolf Knight c5, wolf Scout d4, wolf Pikeman e3, wolf Lancer e2"
    state = game(whirl, card("Page", restriction="this cannot attack.")).position(
        position(f"Whirl f4, Page c4, {walls}", "Whirl, Page")
    )
    assert [one["to"] for one in offered(state, act="move", unit="c4")] == ["d3"]
    assert not offered(state, act="tactic") and offered(state, act="pass")
    assert state.why_not({"act": "tactic"})


@pytest.mark.parametrize(
    "text",
    [
        "either move, or this uses its tactic.",
        "move. this may use its tactic.",
        "if this is bolstered, put a coin in this into your box, then this uses its tactic. otherwise, move.",
    ],
)
def test_an_act_that_can_be_completed_is_offered(text: str) -> None:
    state = game(card("Whirl", tactic=text)).position(position("Whirl f4 4", "Whirl, Royal Coin"))
    assert {one.get("to") for one in offered(state, act="tactic")} >= {"e4", "f3", "g4"}
    comes_back(state)


def test_an_offer_to_go_round_can_still_be_declined() -> None:
    state = game(card("Whirl", tactic="this may use its tactic. move.")).position(position("Whirl f4", "Whirl"))
    # Within itself it is only offered to decline; then it moves twice.
    assert [one["then"] for one in offered(state, act="tactic")] == ["decline", "tactic"]
    take(state, act="tactic", then="decline")
    assert {one.get("to") for one in offered(state)} >= {"e4", "f3", "g4"}


def test_doing_the_same_twice_in_a_row_is_no_round() -> None:
    """Nothing changes in between, but the first time is over when the second begins."""
    words = "words: More\nsource: x\nverbs:\n  ponder: {by: unit}\n"
    sage = card(
        "Sage",
        attribute="to ponder a space: do nothing.\nnormally, a unit ponders a space adjacent to it.",
        tactic="ponder. ponder. ponder. move.",
    )
    state = game(words, sage).position(position("Sage f4", "Sage, Royal Coin"))
    assert offered(state, act="tactic")


GONG = card("Gong", attribute="after this moves, until this is bolstered, do nothing.")


def test_an_endless_text_is_named_and_leaves_the_game_unchanged() -> None:
    state = game(GONG).position(position("Gong f4, Archer e2", "Gong, Archer"))
    before, log = state.position(), list(state.log)
    with pytest.raises(EndlessError, match="until this is bolstered, do nothing") as caught:
        take(state, act="move", coin="Gong", to="f5")
    assert caught.value.data()["line"] == 6 and caught.value.data()["clause"] in GONG
    assert (state.position(), list(state.log)) == (before, log)
    take(state, act="move", coin="Archer", to="e3")


def test_a_text_that_answers_itself_is_named_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the recurring text, not only the last step carried out."""
    lower_budgets(monkeypatch)
    state = game(card("Bell", attribute="after you pass, you pass.")).position(position("Bell f4", "Bell, Royal Coin"))
    with pytest.raises(EndlessError) as caught:
        take(state, act="pass", coin="Royal Coin")
    assert caught.value.data()["clause"] == "after you pass, you pass"


def test_steps_that_lapse_for_ever_end_in_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """An impossible step is left out, and where it is left out endlessly there would never be a decision."""
    lower_budgets(monkeypatch)
    drawing = "until the controller of its space is not nobody, draw a coin, then put that coin into your hand."
    drummer = card("Drummer", restriction=f"to draw a hand: {drawing}")
    state = game(drummer).position(
        {
            "to_act": "raven",
            "initiative": "raven",
            "units": [{"at": "g4", "unit": "Drummer", "owner": "raven"}],
            "hand": {"raven": ["Drummer"], "wolf": []},
            "bag": {"raven": ["Drummer"], "wolf": ["Scout"]},
        }
    )
    rng = Random(1)
    with pytest.raises(EndlessError, match="do not terminate"):
        while state.decision is not None:
            state.apply(rng.randrange(state.decision.count))


def test_the_error_can_be_sent_elsewhere() -> None:
    state = game(GONG).position(position("Gong f4", "Gong"))
    with pytest.raises(EndlessError) as caught:
        take(state, act="move", to="f5")
    sent = pickle.loads(pickle.dumps(caught.value))
    assert str(sent) == str(caught.value) and sent.data() == caught.value.data()


def test_copies_are_clones() -> None:
    state = game().position(position("Archer f4", "Archer, Royal Coin"))
    for copied in (copy.copy(state), copy.deepcopy(state), copy.deepcopy({"state": state})["state"]):
        assert copied == state and copied is not state and copied.variant is state.variant
        take(copied, act="pass", coin="Archer")
        assert copied != state and offered(state, act="pass", coin="Archer")
