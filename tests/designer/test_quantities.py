"""Numbers of acts: `this suffers 2 damage`, `that damage may decrease by the first 2 each turn`."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import warchest
from designer.reading_support import advised_with
from loaded import said_by
from machine.machine_support import card, game, lines, offered, player, position, round_trips, take, unit
from warchest import State

WORDS = """\
words: Wounds
numbers: [damage, due]
plurals: {damage: damage}
verbs: {suffer: {by: unit}, hurt: {by: unit}, pay: {by: unit}}
fields: {unit: {pain: number}}
"""
RULES = card(
    "Wounds",
    kind="action",
    rules="""
    to suffer damage from a unit: the pain of this increases by that damage.
    to hurt a unit: the unit suffers 3 damage from this.
    to pay due: until that due is 0, the pain of this increases by 1, then that due decreases by 1.
""",
)
HURTS = "choose an adjacent enemy unit, then this hurts that unit."


@cache
def wounding(attribute: str, tactic: str = HURTS, more: str = "") -> warchest.Game:
    """Return War Chest with a Hammer that hurts, and an Anvil with an attribute."""
    more_cards = [card("Rivet", attribute=more)] if more else []
    return game(WORDS, RULES, card("Hammer", tactic=tactic), card("Anvil", attribute=attribute), *more_cards)


def struck(attribute: str, tactic: str = HURTS, more: str = "", **told: Any) -> State:
    """Return the state before the tactic of a Hammer beside an Anvil."""
    units = "Hammer f4, wolf Anvil f5" + (", wolf Rivet c4" if more else "")
    return wounding(attribute, tactic, more).position(position(units, "Hammer, Hammer") | told)


def pain(state: State, name: str = "Anvil") -> int:
    return int(unit(state, name).get("pain", 0))


def hurt(state: State) -> State:
    """Return the state after a tactic of the Hammer against the Anvil."""
    return take(state, act="tactic", chosen="f5")


@pytest.mark.parametrize(
    ("attribute", "left"),
    [
        ("this cannot hurt a unit", 3),
        ("before this suffers damage, that damage decreases by 1", 2),
        ("before this suffers damage, that damage decreases by 9", 0),
        ("before this suffers damage, that damage decreases by 9 to a minimum of 1", 1),
        ("before this suffers damage, that damage doubles", 6),
        ("before this suffers damage, that damage becomes 7", 7),
        ("before this suffers damage while that damage is at least 4, that damage becomes 0", 3),
        ("before this suffers damage from a unit, that damage decreases by 2", 1),
        ("before this suffers damage from nobody, that damage decreases by 2", 3),
        ("before this suffers damage from an enemy unit, that damage increases by 2", 5),
        ("before this suffers damage from a friendly unit, that damage increases by 2", 3),
        ("when this would suffer damage while that damage is at least 3, the pain of this becomes 5 instead", 5),
        (
            "when this would suffer damage from a unit, that damage decreases by 1, then this suffers that damage "
            "from nobody instead",
            2,
        ),
        (
            "before this suffers damage, let due be 3, then that due decreases by 1, then that damage decreases by that due",
            1,
        ),
    ],
)
def test_hooks_change_the_number_that_is_coming(attribute: str, left: int) -> None:
    state = struck(f"{attribute}.")
    round_trips(state)
    assert pain(hurt(state)) == left


def test_later_steps_use_the_new_number() -> None:
    both = (
        "before this suffers damage, that damage decreases by 1. "
        "after this suffers damage, if that damage is 2, the pain of this increases by 10."
    )
    assert pain(hurt(struck(both))) == 12
    instead = (
        "before this suffers damage, that damage decreases by 1. "
        "when this would suffer damage while that damage is at least 3, it suffers 9 damage from nobody "
        "instead."
    )
    assert pain(hurt(struck(instead))) == 2


def test_the_other_conditions_are_judged_when_the_act_begins() -> None:
    late = (
        "before this suffers damage, that damage increases by 1, then the pain of this increases by 5. "
        "when this would suffer damage while that damage is at least 4 and the pain of this is 0, "
        "the pain of this increases by 20 instead."
    )
    assert pain(hurt(struck(late))) == 25


def test_an_offer_asks_the_owner_of_the_card() -> None:
    state = hurt(struck("before this suffers damage, that damage may decrease by 2."))
    assert player(state) == "wolf" and lines(state)
    assert offered(state) == [{"act": "decline", "unit": "f5"}, {"act": "decrease damage", "unit": "f5"}]
    taken = take(state.clone(), act="decrease damage")
    assert pain(taken) == 1 and "  the damage is 1 now" in [one.text for one in taken.trace]
    assert [one.roles for one in taken.events if one.kind == "counted"] == [{"number": "damage", "value": 1}]
    assert pain(take(state, act="decline")) == 3
    round_trips(state)


def test_the_first_points_of_a_round_are_used_up_whether_they_are_taken_or_not() -> None:
    attribute = "before this suffers damage, that damage may decrease by the first 4 each round."
    state = hurt(struck(attribute, HURTS.replace("hurts that unit", "hurts that unit, then this hurts that unit")))
    assert state.position()["used"] == {"Anvil": {"f5": 3}}
    round_trips(state)
    taken = take(state.clone(), act="decrease damage")
    # One of the four is left for the second blow.
    assert taken.position()["used"] == {"Anvil": {"f5": 4}}
    assert pain(take(taken.clone(), act="decrease damage")) == 2 and pain(take(taken, act="decline")) == 3
    declined = take(state, act="decline")
    assert pain(take(declined, act="decrease damage")) == 3 + 2


def test_the_order_of_hooks_is_asked_where_it_matters() -> None:
    less = "before a friendly unit suffers damage, that damage decreases by 1."
    assert pain(hurt(struck("before this suffers damage, that damage decreases by 1.", more=less))) == 1
    state = struck("before this suffers damage, that damage doubles.", more=less)
    firsts = offered(state, act="tactic")
    assert [(one["then"], one["of"]) for one in firsts] == [("first", "f5"), ("first", "c4")]
    assert [pain(take(state.clone(), **one)) for one in firsts] == [5, 4]


def test_an_act_can_have_no_source_and_its_body_can_use_its_number_up() -> None:
    state = struck("this cannot hurt a unit.", "this suffers 2 damage from nobody. this pays due equal to 1 + 1.")
    after = take(state, act="tactic")
    assert pain(after, "Hammer") == 4
    assert any("suffers 2" in line for line in after.log)


@pytest.mark.parametrize(
    "attribute",
    [
        "before this suffers damage, that damage may decrease by the first 2 each turn",
        "before this suffers damage from a unit, that damage decreases by the first 2 each round",
        "before this suffers damage, that damage may decrease by 1, then this hurts a unit adjacent to this",
        "before this suffers damage, that damage decreases by 2 to a minimum of 1",
        "before this suffers damage from nobody, that damage doubles",
        "when this would suffer damage while that damage is at least 2, this suffers that damage from nobody instead",
        "after a unit suffers damage from this, if that damage is at least 2, this suffers damage equal to its height from "
        "that unit",
        "this cannot suffer damage from an enemy unit",
    ],
)
def test_readings_say_it_again(attribute: str) -> None:
    said = attribute.replace(" its height", " the height of this") if "that unit" in attribute else attribute
    assert said_by(wounding(f"{said}."), "Anvil") == [f"{said}."]


@pytest.mark.parametrize(
    ("attribute", "help"),
    [
        ("when this would suffer damage, that damage decreases by 1 instead", "say it before"),
        ("when this suffers damage, that damage decreases by 1", "say it before"),
        ("after this suffers damage, that damage becomes 0", "say it before"),
        ("before this suffers damage, it decreases by 1", "`that damage`"),
        ("before this suffers damage, if that damage is more than 2, it becomes 2", "`that damage`"),
        (
            "before this suffers damage, you may decrease that damage by 1",
            "`before this suffers damage, that damage may decrease by 1.`",
        ),
        ("before this suffers 2 damage, this may move", "`while that damage is at least …`"),
        ("before this suffers, this may move", "`suffer damage`"),
        ("after this attacks, it suffers damage from nobody", "`2 damage`"),
        ("after this attacks, it suffers 2 coins from nobody", "`2 damage`"),
        ("after this attacks, it suffers the height of this from nobody", "`damage equal to the height of this`"),
        (
            "after this attacks, the pain of this decreases by the first 2 each turn",
            "that … may decrease by the first 2",
        ),
        ("before this suffers damage, that damage increases by the first 2 each turn", "`by 2`"),
        ("before this suffers damage, that damage increases by 2 to a minimum of 1", "leave out `to a minimum of 1`"),
        ("the pain of this decreases by 1 to a minimum of 0", "`… decreases by 2`"),
        *(
            (said, "`before this suffers damage, that damage decreases by 1.`")
            for said in (
                "before this suffers damage, this suffers 1 less damage",
                "this suffers 1 less damage",
                "before this suffers damage, it suffers 1 less",
                "before this suffers damage, decrease that damage by 1",
                "before this suffers damage, decrease it by 1",
                "before this suffers damage, reduce that damage by 1",
                "before this suffers damage, ignore 1 damage",
                "before this suffers damage, this prevents 1 of that damage",
                "before this suffers damage, that damage is 1 less",
                "before this suffers damage, that damage is reduced by 1",
                "damage this suffers decreases by 1",
            )
        ),
        ("this suffers 1 more damage", "`before this suffers damage, that damage increases by 1.`"),
        ("before this suffers damage, this may ignore it", "`before this suffers damage, that damage may become 0.`"),
        (
            "before this suffers damage, this may ignore the first 2 damage each turn",
            "`before this suffers damage, that damage may decrease by the first 2 each turn.`",
        ),
        (
            "before this suffers damage, that damage decreases by 2 every round",
            "`before this suffers damage, that damage decreases by the first 2 each round.`",
        ),
        (
            "when this would suffer at least 2 damage, this may move instead",
            "`when this would suffer damage while that damage is at least 2, this may move instead.`",
        ),
        (
            "before this suffers more than 2 damage, that damage becomes 2",
            "`before this suffers damage while that damage is more than 2, that damage becomes 2.`",
        ),
        (
            "after this suffers at least 2 damage, this may move",
            "`after this suffers damage, if that damage is at least 2, this may move.`",
        ),
        (
            "before this suffers damage, that damage becomes at most 2",
            "`before this suffers damage, if that damage is more than 2, that damage becomes 2.`",
        ),
        (
            "this cannot suffer more than 2 damage",
            "`before this suffers damage, if that damage is more than 2, that damage becomes 2.`",
        ),
    ],
)
def test_first_attempts_of_a_designer_get_advice(attribute: str, help: str) -> None:
    (first, *_) = advised_with(WORDS, RULES, card("Anvil", attribute=f"{attribute}."))
    assert help in (first.help or "")


def test_advice_about_a_missing_target_names_no_source() -> None:
    (first, *_) = advised_with(WORDS, RULES, card("Anvil", attribute="after this attacks, it hurts."))
    assert "name it here" in (first.help or "") and "from nobody" not in (first.help or "")


def test_the_number_of_an_act_is_said_by_a_bare_noun() -> None:
    by_number = RULES.replace("to pay due:", "to pay by a number:")
    (first, *_) = advised_with(WORDS, by_number)
    assert "`to pay …: …`" in (first.help or "")


def test_why_not_names_the_text_that_offers_the_change() -> None:
    state = struck("before this suffers damage, that damage may decrease by 2.")
    (reason,) = state.why_not({"act": "decrease damage"})
    assert "not here" in reason["reason"] and reason["clause"] == "that damage may decrease by 2"
