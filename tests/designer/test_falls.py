"""Falls: a piece that leaves the board is an event, whatever removes it."""

from __future__ import annotations

from typing import Any

import pytest

import warchest
from lint.lint_support import codes
from machine.machine_support import card, game, lines, offered, player, position, refused, round_trips, take, units
from warchest.engine.history import Removed

BAG = {"bag": {"raven": ["Knight"]}}
DRAWS = "draw a coin, then put that coin into your hand."
REMOVES = "choose an adjacent unit. remove that unit."


def hand(state: warchest.State) -> list[str]:
    """Return the hand of raven."""
    return sorted(state.position()["hand"]["raven"])


# ---- whatever removes it


def test_a_unit_that_loses_its_last_coin_falls() -> None:
    state = game(card("Heir", attribute=f"when this falls, {DRAWS}")).position(
        position("Heir f4, wolf Cavalry f5", other="Cavalry", to_act="wolf", **BAG)
    )
    take(state, act="attack")
    assert units(state) == {"f5": ("Cavalry", 1)} and hand(state) == ["Knight", "Royal Coin"]


def test_a_removed_unit_falls_and_the_log_names_the_cause() -> None:
    cards = card("Heir", attribute=f"when this falls, {DRAWS}"), card("Reaper", tactic=REMOVES)
    state = game(*cards).position(position("Reaper e4, Heir f4 3", "Reaper", **BAG))
    take(state, act="tactic", chosen="f4")
    assert units(state) == {"e4": ("Reaper", 1)} and hand(state) == ["Knight"]
    (gone,) = [one for one in state.history() if isinstance(one, Removed)]
    assert gone.span is not None and gone.span.text == "remove that unit"


def test_a_unit_that_changes_its_form_or_loses_one_of_several_coins_does_not_fall() -> None:
    state = game(card("Heir", attribute=f"when this falls, {DRAWS}")).position(
        position("Heir f4 2, wolf Cavalry f5", other="Cavalry", to_act="wolf", **BAG)
    )
    take(state, act="attack")
    assert hand(state) == ["Royal Coin"]


# ---- the stages


def test_a_unit_may_act_before_another_falls() -> None:
    state = game(card("Watcher", attribute="before an enemy unit adjacent to this falls, this may move.")).position(
        position("Cavalry f4, Watcher e5, wolf Scout f5", "Cavalry")
    )
    take(state, act="attack")
    assert player(state) == "raven" and "f5" in units(state)
    round_trips(state)
    take(state, act="decline")
    assert units(state) == {"f4": ("Cavalry", 1), "e5": ("Watcher", 1)}


def test_a_fall_can_be_replaced() -> None:
    text = "when this would fall, you may put a coin in your supply of the type of this into this instead."
    state = game(card("Phoenix", attribute=text)).position(
        position("Phoenix f4, wolf Cavalry f5", other="Cavalry", to_act="wolf", supply={"raven": ["Phoenix"]})
    )
    take(state, act="attack")
    assert player(state) == "raven"
    saved = state.clone()
    take(saved, act="decline")
    assert units(saved) == {"f5": ("Cavalry", 1)}
    saved = state.clone()
    (saving,) = [one for one in saved.decision.options if one.act != "decline"]
    saved.apply(saving)
    assert units(saved) == {"f4": ("Phoenix", 1), "f5": ("Cavalry", 1)}


def struck(text: str, **more: Any) -> warchest.State:
    """Return the state when a unit with a text has lost its last coin."""
    state = game(card("Phoenix", attribute=text)).position(
        position("Phoenix f4, wolf Scout f5", other="Scout", to_act="wolf", supply={"raven": ["Phoenix"]}, **more)
    )
    return take(state, act="attack")


def test_a_replacement_without_rescue_saves_no_unit() -> None:
    state = struck("when this would fall, this may move instead.")
    assert player(state) == "raven"
    round_trips(state)
    take(state, act="move", to="g4")
    assert units(state) == {"f5": ("Scout", 1)}
    assert player(state) == "raven" and not offered(state, act="decline")
    assert units(struck("when this would fall, do nothing instead.")) == {"f5": ("Scout", 1)}


def test_others_answer_a_fall_that_a_replacement_did_not_prevent() -> None:
    cards = (
        card("Phoenix", attribute="when this would fall, move instead."),
        card("Watcher", attribute="after a friendly unit falls, this may move."),
    )
    state = game(*cards).position(position("Phoenix f4, Watcher c4, wolf Scout f5", other="Scout", to_act="wolf"))
    take(state, act="attack")
    take(state, act="move", to="g4")
    assert units(state) == {"c4": ("Watcher", 1), "f5": ("Scout", 1)}
    assert offered(state, act="decline")


def test_another_order_to_remove_it_is_replaced_whatever_is_done_instead() -> None:
    cards = card("Phoenix", attribute="when this would fall, move instead."), card("Reaper", tactic=REMOVES)
    state = game(*cards).position(position("Reaper e4, Phoenix f4", "Reaper"))
    take(state, act="tactic", chosen="f4", to="g4")
    assert units(state) == {"e4": ("Reaper", 1), "g4": ("Phoenix", 1)}


def test_a_fall_without_hooks_asks_no_player() -> None:
    plain = game(card("Reaper", tactic=REMOVES)).position(position("Reaper e4, Scout f4", "Reaper"))
    take(plain, act="tactic", chosen="f4")
    assert "fall" not in lines(plain)
    assert not offered(plain, act="fall")


def test_a_falling_unit_is_no_longer_a_target() -> None:
    state = game(card("Avenger", attribute="before an enemy unit falls, this attacks.")).position(
        position("Avenger f4, wolf Cavalry f5, wolf Scout e5 2", "Avenger")
    )
    take(state, act="attack", target="f5")
    assert units(state) == {"e5": ("Scout", 1), "f4": ("Avenger", 1)} and player(state) == "wolf"


# ---- the word


def test_a_game_can_have_the_word_for_itself() -> None:
    words = "words: Water\nverbs: {fall: {by: unit}}\n"
    state = game(words, card("Diver", tactic="fall.", attribute="to fall: move, then attack.")).position(
        position("Diver f4, wolf Scout f6", "Diver")
    )
    assert offered(state, act="tactic")


@pytest.mark.parametrize(
    ("text", "name", "help"),
    [
        ("after this falls, draw a coin.", "says-nothing", "say `when this falls, …`"),
        ("this cannot fall.", "not-a-definition", "say what happens in its place: `when this would fall, … instead`"),
        ("after this moves, this falls.", "wrong-kind", "say `remove this`"),
        (
            "after this moves, an adjacent Scout falls.",
            "wrong-kind",
            "say `choose an adjacent Scout, then remove that Scout`",
        ),
        ("to fall: move.", "declared-twice", "hang it on the event: `when this falls, …`"),
        ("before an adjacent unit is removed, this may move.", "undeclared-verb", "say `an adjacent unit falls`"),
        ("when this would be removed, move instead.", "syntax-error", ""),
    ],
)
def test_wrong_sentences_about_falls_are_refused_with_a_cure(text: str, name: str, help: str) -> None:
    found = refused(card("Heir", attribute=text))
    assert name in codes(found) and (not help or help in [one.help for one in found])
