"""Standing changes: numbers that are more, or less, wherever a text settles them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from designer.reading_support import advised
from linted import lint_text
from loaded import shipped, studied
from machine.machine_support import card, game, position, refused, round_trips, take
from warchest import State
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.paraphrase.reading import RULES, Study

HEAT = """\
words: Heat
fields: {unit: {heat: number}, player: {fame: number}}
verbs: {glow: {by: unit}}
---
action: Heat
rules: |
  to glow: the heat of this becomes 2.
"""


def lamp(*rules: str) -> str:
    """Return a unit that glows by its tactic."""
    return card("Lamp", tactic="glow.", attribute="\n".join(rules))


def heat(state: State, at: str = "f4") -> int:
    """Return how hot the unit on a space is."""
    return int(next(one.get("heat", 0) for one in state.position()["units"] if one["at"] == at))


def glown(rules: str, units: str = "Lamp f4", *more: str) -> int:
    """Return how hot a Lamp is when it has glown."""
    state = game(HEAT, lamp(rules) if rules else card("Lamp", tactic="glow."), *more).position(position(units, "Lamp"))
    take(state, act="tactic", coin="Lamp")
    round_trips(state)
    return heat(state)


@pytest.mark.parametrize(
    ("rules", "units", "found"),
    [
        ("the heat of this increases by 3.", "Lamp f4", 5),
        ("its heat decreases by 1.", "Lamp f4", 1),
        ("the heat of this increases by 3 while this is bolstered.", "Lamp f4", 2),
        ("the heat of this increases by 3 while this is bolstered.", "Lamp f4 2", 5),
        ("while this is bolstered, the heat of this increases by 3.", "Lamp f4 2", 5),
        ("the heat of this doubles unless this is bolstered.", "Lamp f4", 4),
        # All that adds comes first, in whatever order it is written.
        ("the heat of this doubles.\nthe heat of this increases by 3.", "Lamp f4", 10),
        ("the heat of this increases by 3.\nthe heat of this doubles.", "Lamp f4", 10),
        ("the heat of this increases by the height of this.", "Lamp f4 3", 5),
        (
            "the heat of this increases by the number of units adjacent to this.",
            "Lamp f4, wolf Knight f5, Archer e4",
            4,
        ),
    ],
)
def test_a_number_of_this_is_changed_where_it_is_settled(rules: str, units: str, found: int) -> None:
    assert glown(rules, units) == found


AURA = "the heat of another friendly unit adjacent to this increases by 1."


@pytest.mark.parametrize(
    ("rule", "units", "found"),
    [
        (AURA, "Lamp f4, Brazier f5", 3),
        (AURA, "Lamp f4, Brazier f6", 2),
        (AURA, "Lamp f4, wolf Brazier f5", 2),
        ("the heat of an enemy unit increases by 1.", "Lamp f4, wolf Brazier f5", 3),
        ("the heat of each unit within 2 spaces increases by the height of this.", "Lamp f4, Brazier f6 3", 5),
        ("the heat of another unit increases by 1 while that unit is bolstered.", "Lamp f4 2, Brazier f6", 3),
        ("the heat of another unit increases by 1 while that unit is bolstered.", "Lamp f4, Brazier f6 2", 2),
        ("the heat of another unit doubles while this is bolstered.", "Lamp f4, Brazier f6 2", 4),
    ],
)
def test_a_card_changes_the_numbers_of_others(rule: str, units: str, found: int) -> None:
    assert glown("", units, card("Brazier", attribute=rule)) == found


def test_each_bearer_adds_its_own() -> None:
    aura = "the heat of another friendly unit increases by the height of this."
    others = card("Brazier", attribute=aura), card("Candle", attribute=aura)
    assert glown("", "Lamp f4, Brazier f5 2, Candle e4", *others) == 5


def test_a_rule_of_the_game_changes_the_numbers_of_all_that_it_is_said_of() -> None:
    rule = HEAT + "  the heat of a bolstered unit increases by 4.\n"
    for coins, found in ((1, 2), (2, 6)):
        state = game(rule, card("Lamp", tactic="glow.")).position(position(f"Lamp f4 {coins}", "Lamp"))
        take(state, act="tactic", coin="Lamp")
        assert heat(state) == found


def test_an_increase_does_not_conflict_with_another() -> None:
    tactic = "glow.\nthe heat of this increases by 1."
    warmer = card("Lamp", tactic=tactic, attribute="the heat of this increases by 3.")
    state = game(HEAT, warmer).position(position("Lamp f4", "Lamp"))
    take(state, act="tactic", coin="Lamp")
    assert heat(state) == 6


@pytest.mark.parametrize(
    ("rule", "part"),
    [
        ("the height of this increases by 1.", "is not a number that texts settle"),
        ("your fame increases by 1.", "is not a number that texts settle"),
        ("the heat of this increases.", "takes by how much"),
        ("the heat of this doubles by 2.", "takes no amount"),
        ("once a round, the heat of this increases by 1.", "is an order"),
        ("the heat of this increases by 1, then this may move.", "is an order"),
        ("the heat of this becomes 3.", "is an order"),
        ("the heat of one of your units increases by 1.", "leaves open which"),
    ],
)
def test_rules_without_effect_are_refused(rule: str, part: str) -> None:
    assert any(part in one.message for one in refused(HEAT, lamp(rule)))


@pytest.mark.parametrize(
    "rule",
    [
        "if this is bolstered, the heat of this increases by 1.",
        "the heat of one of your units increases by 1.",
        "the heat of all friendly units increases by 1.",
    ],
)
def test_the_advice_is_accepted(rule: str) -> None:
    (found,) = advised(HEAT, lamp(rule))
    advice = found.help.rpartition("say `")[2].rstrip("`").partition("`")[0]
    text = advice if advice.startswith("the heat") else rule.replace(found.span.text if found.span else "", advice)
    assert game(HEAT, lamp(text.rstrip(".") + "."))


def test_a_number_without_a_base_value_cannot_be_changed() -> None:
    never = HEAT.replace("the heat of this becomes 2", "the heat of this increases by 2")
    (found,) = refused(never, lamp("the heat of this increases by 1."))
    assert "no text settles the heat" in found.message


@cache
def _reader() -> Study:
    known = shipped("war-chest", HEAT, card("Lamp", tactic="glow."))
    return studied(known)


@pytest.mark.parametrize(
    "text",
    [
        "the heat of this increases by 3.",
        "the heat of this doubles while this is bolstered.",
        "the heat of this decreases by the height of this unless this is bolstered.",
        "the heat of an enemy unit doubles.",
        "the heat of another friendly unit adjacent to this increases by 1.",
        "the heat of a unit on a location increases by 1.",
        "the heat of a unit increases by 1 while this is bolstered.",
    ],
)
def test_it_is_read_back(text: str) -> None:
    reader = _reader()
    found = reader.written(text, RULES, reader.bearer("Lamp"))
    (one,) = found if isinstance(found, list) else (found,)
    assert not isinstance(one, Diagnostic) and one.said == (text,)
    assert "first changes that add, then those that double" in str(one.facts)


@pytest.mark.parametrize(
    ("rules", "part"),
    [
        ("the heat of this increases by 0.", "this changes nothing"),
        ("the heat of this doubles.\nthe heat of this doubles.", "said twice"),
        ("the heat of this doubles while the height of this is at least 1.", "is always so here"),
        ("the heat of another unit doubles while that unit is this.", "never changes anything"),
    ],
)
def test_senseless_rules_are_warnings(rules: str, part: str, tmp_path: Path) -> None:
    found = lint_text(tmp_path, f"{HEAT}---\n{lamp(rules)}")
    assert [one.message for one in found if part in one.message]
