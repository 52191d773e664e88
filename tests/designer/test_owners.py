"""Units that change sides: everything that depends on the owner, and other words that people use for it."""

from __future__ import annotations

import re
from typing import Any

import pytest

import warchest
from designer.reading_support import advised, read, words_of_war_chest
from lint.lint_support import codes
from machine.machine_support import card, comes_back, game, lines, offered, player, position, refused, take
from warchest.paraphrase.reading import RULES, STEPS

CHARMED = "choose an enemy unit within 2 spaces of this. you become the owner of that unit."
WINNER = "after this attacks a unit, you become the owner of that unit."


def owners(state: warchest.State) -> dict[str, str]:
    """Return the owner of the unit on each space."""
    return {one["at"]: one["owner"] for one in state.position()["units"]}


def charmed(units: str = "Charmer f4, wolf Scout f5 2, wolf Knight f6", **more: Any) -> warchest.State:
    """Return a state in which the unit on f5 has been won over, and wolf is to act."""
    state = game(card("Charmer", tactic=CHARMED)).position(position(units, "Charmer, Charmer", "Knight", **more))
    return take(state, act="tactic", chosen="f5")


def test_a_unit_changes_sides() -> None:
    state = charmed()
    assert owners(state) == {"f4": "raven", "f5": "raven", "f6": "wolf"}
    assert "Scout on f5 goes over to raven" in lines(state)
    assert [(one.agent, one.roles) for one in state.events if one.kind == "owned"] == [("Scout on f5", {"by": "raven"})]
    comes_back(state)


def test_effects_of_ownership_follow_the_new_owner() -> None:
    # Its former owner attacks it now, and its coin goes into the box of the new owner.
    state = charmed()
    take(state, act="attack", target="f5")
    assert state.position()["box"]["raven"] == ["Scout"]
    assert not any(one.get("unit") == "f5" for one in offered(comes_back(state)))


def test_the_former_owner_can_deploy_the_type_again() -> None:
    # The former owner no longer counts the unit: its type can be deployed again.
    state = charmed(supply={"wolf": ["Scout"]}, bag={"wolf": ["Scout"]})
    hand = {**state.position(), "hand": {"raven": ["Charmer"], "wolf": ["Scout"]}, "control": {"wolf": ["d4"]}}
    back = game(card("Charmer", tactic=CHARMED)).position(hand)
    assert offered(back, act="deploy")


def test_a_change_of_owner_is_undone_with_everything_else() -> None:
    state = charmed("Charmer f4, wolf Scout f5, wolf Knight f6")
    again = state.clone()
    take(again, act="attack", target="f5")
    assert owners(state)["f5"] == "raven" and "f5" not in owners(again)


def test_the_answering_units_are_determined_when_the_event_begins() -> None:
    winner = card("Winner", attribute=WINNER)
    mourner = card("Mourner", attribute="after an enemy unit attacks this, this may move.")
    state = game(winner, mourner).position(position("Winner f4, wolf Mourner f5 2", "Winner"))
    take(state, act="attack", target="f5")
    take(state, act="first", of="f4")
    # It was attacked by an enemy, and its new owner is asked for it.
    assert owners(state) == {"f4": "raven", "f5": "raven"}
    assert player(state) == "raven" and offered(state, act="move", unit="f5")


def test_a_lost_unit_changes_no_sides() -> None:
    state = game(card("Winner", attribute=WINNER)).position(position("Winner f4, wolf Scout f5", "Winner"))
    take(state, act="attack", target="f5")
    assert owners(state) == {"f4": "raven"}


@pytest.mark.parametrize(
    ("said", "printed"),
    [
        ("choose an enemy unit. you become its owner.", "you become the owner of that unit."),
        (
            "choose an enemy unit. the left neighbour of its owner becomes its owner.",
            "the left neighbour of the owner of that unit becomes the owner of that unit.",
        ),
        ("your left neighbour becomes the owner of this.", "your left neighbour becomes the owner of this."),
    ],
)
def test_it_is_read_back(said: str, printed: str) -> None:
    assert read(said, STEPS)[-1] == printed


def test_it_is_not_this_where_you_become_its_owner() -> None:
    printed = "after this attacks a unit, you become the owner of that unit."
    assert printed in read("after this attacks a unit, you become its owner.", RULES)
    (first, *_) = refused(card("Winner", attribute="after this attacks a unit, nobody becomes its owner."))
    assert first.name == "ambiguous-it"
    (first, *_) = advised(card("Winner", tactic="choose an adjacent enemy unit, then become its owner."))
    assert "`then you become …`" in first.help


def test_the_reader_lists_the_effects_of_a_new_owner() -> None:
    reader = words_of_war_chest()
    found = reader.written(WINNER, RULES, reader.bearer("Archer"))
    (one,) = found if isinstance(found, list) else (found,)
    told = [fact.text for fact in one.facts if fact.about == "owner"]
    assert len(told) == 2 and "its new owner may have nothing of it" in told[1]


CHOSEN = "choose an adjacent enemy unit. "
ADVICE = [
    (CHOSEN, "the owner of that unit becomes you.", "you become the owner of that unit"),
    (CHOSEN, "its owner becomes you.", "you become its owner"),
    (CHOSEN, "that unit changes sides.", "you become the owner of that unit"),
    (CHOSEN, "that unit becomes yours.", "you become the owner of that unit"),
    (CHOSEN, "that unit becomes own.", "you become the owner of that unit"),
    (CHOSEN, "that unit becomes friendly.", "you become the owner of that unit"),
    (CHOSEN, "that unit becomes one of your units.", "you become the owner of that unit"),
    (CHOSEN, "that unit joins your army.", "you become the owner of that unit"),
    (CHOSEN, "take control of that unit.", "you become the owner of that unit"),
    (CHOSEN, "you gain control of that unit.", "you become the owner of that unit"),
    (CHOSEN, "convert that unit.", "you become the owner of that unit"),
    (CHOSEN, "you may take control of that unit.", "either you become the owner of that unit, or do nothing"),
    (CHOSEN, "this becomes the owner of that unit.", "you become the owner of that unit"),
    (CHOSEN, "your team becomes the owner of that unit.", "you become the owner of that unit"),
    (
        CHOSEN,
        "the owner of that unit becomes the owner of this.",
        "let player be the owner of this, then that player becomes the owner of that unit",
    ),
    (
        CHOSEN,
        "the owner of that unit becomes the owner of this.",
        "let player be the owner of that unit, then that player becomes the owner of this",
    ),
    (
        "",
        "take control of an adjacent enemy unit.",
        "choose an adjacent enemy unit, then you become the owner of that unit",
    ),
    ("", "steal an adjacent enemy unit.", "choose an adjacent enemy unit, then you become the owner of that unit"),
    ("", "this changes sides.", "your left neighbour becomes the owner of this"),
    (
        "",
        "gain control of another adjacent unit for a turn.",
        "choose another adjacent unit, then you become the owner of that unit",
    ),
    (
        "",
        "gain control of another adjacent unit until your next turn.",
        "choose another adjacent unit, then you become the owner of that unit",
    ),
    (CHOSEN, "take control of that unit until the end of the round.", "you become the owner of that unit"),
    (CHOSEN, "that unit changes sides for 2 rounds.", "you become the owner of that unit"),
    (CHOSEN, "you may take control of that unit this turn.", "either you become the owner of that unit, or do nothing"),
    ("", "this defects.", "your left neighbour becomes the owner of this"),
]


@pytest.mark.parametrize(("before", "said", "advice"), ADVICE)
def test_other_words_get_advice_that_is_accepted(before: str, said: str, advice: str) -> None:
    found = advised(card("Probe", tactic=before + said))
    assert any(advice in re.findall("`([^`]*)`", one.help) for one in found), [one.help for one in found]
    game(card("Probe", tactic=f"{before}{advice}."))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("choose an adjacent target. you become the owner of that target.", "wrong-kind"),
        ("choose an adjacent fort. you become the owner of that fort.", "wrong-kind"),
        (f"{CHOSEN}nobody becomes the owner of that unit.", "wrong-kind"),
        (f"{CHOSEN}you become the owner of that unit until this attacks.", "wrong-kind"),
        (f"{CHOSEN}the owner of that unit becomes the owner of that unit.", "says-nothing"),
    ],
)
def test_impossible_changes_of_owner_are_refused(text: str, name: str) -> None:
    assert codes(refused(card("Probe", tactic=text))) == [name]
