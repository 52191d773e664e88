"""Values of acts: `before this attacks, the attack becomes wild`, `the zeal of its attack increases by 2`."""

from __future__ import annotations

from functools import cache

import pytest

import warchest
from designer.reading_support import advised_with
from loaded import said_by
from machine.machine_support import card, game, offered, position, round_trips, take, unit
from warchest import State

WORDS = """\
words: Rage
numbers: [damage]
fields:
  attack: {zeal: number, wild: {flag: true, opposite: tame}}
  rage: {depth: number, from: space}
  unit: {pain: number}
verbs: {rage: {by: unit}}
"""
RULES = card(
    "Rage",
    kind="action",
    rules="""
    to rage: the depth of the rage increases by 1, then the pain of this increases by the depth of the rage.
""",
)
ALONE = "this attacks."


@cache
def raging(attribute: str, tactic: str = ALONE, rules: str = RULES) -> warchest.Game:
    return game(WORDS, rules, card("Hammer", tactic=tactic, attribute=attribute))


def poised(attribute: str, tactic: str = ALONE, rules: str = RULES) -> State:
    """Return the state before the tactic of a Hammer beside an Archer."""
    return raging(attribute, tactic, rules).position(position("Hammer f4 2, wolf Archer f5", "Hammer, Hammer"))


def pain(state: State) -> int:
    return int(unit(state, "Hammer").get("pain", 0))


COUNTED = "after this attacks, the pain of this increases by the zeal of the attack. "


@pytest.mark.parametrize(
    ("attribute", "left"),
    [
        ("before this attacks, the zeal of the attack becomes 3.", 3),
        ("before this attacks, the zeal of the attack increases by 3, then the zeal of the attack doubles.", 6),
        ("before this attacks, the zeal of the attack becomes 3. the zeal of its attack increases by 2.", 5),
        ("before this attacks, the zeal of the attack becomes 3. the zeal of the attack increases by 2.", 5),
        (
            "before this attacks, the zeal of the attack becomes 3. the zeal of its attack increases by 2 while this is "
            "bolstered. the zeal of its attack doubles.",
            10,
        ),
        (
            "before this attacks, the zeal of the attack becomes 3. "
            "the zeal of its attack doubles unless this is bolstered.",
            3,
        ),
        ("before this attacks, the attack becomes wild. after this attacks, if the attack is wild, this rages.", 1),
        # A condition after the event is judged at its stage.
        ("before this attacks, the attack becomes wild. after this attacks while the attack is wild, this rages.", 1),
        ("before this attacks, the attack becomes wild. when this attacks while the attack is tame, this rages.", 0),
        (
            "before this attacks, the zeal of the attack becomes 2. when this would attack while the zeal of the attack is "
            "at least 2, this rages instead.",
            1,
        ),
        (
            "after this attacks, if the attack is wild, this rages. after this attacks, if the attack is tame, this rages, "
            "then this rages.",
            2,
        ),
    ],
)
def test_values_begin_with_the_act_and_are_changed_within(attribute: str, left: int) -> None:
    state = poised(COUNTED + attribute)
    round_trips(state)
    after = take(state, act="tactic")
    assert pain(after) == left
    assert "pending" not in after.position()


def test_values_are_those_of_the_innermost_act_of_the_name() -> None:
    # Leftovers of the inner ones in the depth would add up.
    deep = (
        "before this rages, if the pain of this is 0, the pain of this becomes 1, then this rages, "
        "then this rages. after this attacks, this rages."
    )
    assert pain(take(poised(deep), act="tactic")) == 4


def test_an_order_about_an_act_that_is_not_under_way_changes_nothing() -> None:
    rules = RULES.replace(
        "then the pain of this increases by the depth of the rage", "then the zeal of the attack increases by 5"
    )
    early = poised(COUNTED, "this rages, then this attacks.", rules)
    assert pain(take(early, act="tactic")) == 0


def test_a_value_can_be_offered() -> None:
    state = poised(
        "before this attacks, the attack may become wild. after this attacks, if the attack is wild, this rages."
    )
    asked = take(state, act="tactic")
    assert [one["act"] for one in offered(asked)] == ["decline", "become wild"]
    round_trips(asked)
    assert pain(take(asked.clone(), act="become wild")) == 1 and pain(take(asked, act="decline")) == 0


def test_positions_within_an_act_contain_its_values() -> None:
    state = poised("before this attacks, the zeal of the attack becomes 4, then this may move. " + COUNTED)
    within = take(state, act="tactic")
    told = within.position()["pending"]["fields"]
    assert told["zeal of attack"] == {"0": 4}
    round_trips(within)
    assert pain(take(within, act="decline")) == 4


def test_acts_can_have_values_of_one_name() -> None:
    """Nor is a value of an act taken for the field of the game that has its name."""
    words = WORDS.replace("rage: {depth: number,", "rage: {depth: number, zeal: number, initiative: player,")
    told = (
        "before this attacks, the zeal of the attack becomes 4, then this rages. "
        "before this rages, the zeal of the rage becomes 3, then you become the initiative of the rage, "
        "then this may move. " + COUNTED
    )
    made = game(words, RULES, card("Hammer", tactic=ALONE, attribute=told))
    within = take(made.position(poised(told.partition(".")[0] + ".").position()), act="tactic")
    fields = within.position()["pending"]["fields"]
    assert (fields["zeal of attack"], fields["zeal of rage"]) == ({"0": 4}, {"0": 3})
    round_trips(within)
    assert pain(take(within, act="decline")) == 5


@pytest.mark.parametrize(
    "attribute",
    [
        "before this attacks a target, the zeal of the attack becomes 3.",
        "before this attacks a target, the attack becomes wild.",
        "after this attacks a target, if the attack is wild, this rages.",
        "the zeal of its attack increases by 2 while this is bolstered.",
        "the zeal of its attack doubles.",
        "the zeal of the attack increases by 1.",
        "before this attacks a target, the attack may become wild.",
    ],
)
def test_readings_say_it_again(attribute: str) -> None:
    settles = "before this attacks a target, the zeal of the attack becomes 1. "
    whole = attribute if attribute.startswith("before") else settles + attribute
    said = said_by(raging(whole), "Hammer")
    assert attribute in said


@pytest.mark.parametrize(
    ("attribute", "help"),
    [
        ("before this attacks, its attack becomes wild", "say `the attack`"),
        ("before this attacks, this attack becomes wild", "`before this attacks, the attack becomes wild.`"),
        ("after this attacks, if the zeal of its attack is at least 2, this may move", "say `the attack`"),
        ("this attack has 1 more zeal", "`the zeal of its attack increases by 1.`"),
        (
            "before this attacks, this attack gets 2 less zeal",
            "`before this attacks, the zeal of the attack decreases by 2.`",
        ),
        ("the zeal of this attack increases by 1", "`the zeal of its attack increases by 1.`"),
        (
            "before this attacks, the zeal of this attack doubles",
            "`before this attacks, the zeal of the attack doubles.`",
        ),
        ("the zeal of this increases by 1", "say `the zeal of the attack`"),
        ("the zeal of an attack increases by 1", "say `the attack`"),
        ("before this attacks, this may become wild", "say `the attack`"),
        ("before this attacks, you may make the attack wild", "`before this attacks, the attack may become wild`"),
        ("an attack is wild when this is bolstered", "`after …, it becomes wild`"),
    ],
)
def test_first_attempts_of_a_designer_get_advice(attribute: str, help: str) -> None:
    (first, *_) = advised_with(WORDS, RULES, card("Anvil", attribute=f"{attribute}."))
    assert help in (first.help or "")


def test_a_rule_of_the_game_answers_once_after_earlier_answers() -> None:
    """A rule of the game that is judged at the beginning and again at its stage answers once, without a decision."""
    rules = (
        RULES
        + """\
  before a unit rages, the depth of the rage becomes 1.
  when a unit would rage while the depth of the rage is at least 1, the pain of that unit increases by 5 instead.
"""
    )
    state = poised("after this attacks, this rages.", rules=rules)
    after = take(state, act="tactic")
    assert pain(after) == 5 and "pending" not in after.position()


def test_an_act_takes_part_in_no_other_act() -> None:
    (found, *_) = advised_with(WORDS, RULES.replace("to rage:", "to rage against the attack:"))
    assert "`the attack` is an act, and takes part in no other one" in found.message
