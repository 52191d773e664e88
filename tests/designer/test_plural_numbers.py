"""Numbers whose names are plurals: `your points increase by 2`, `its scars double`, and names that are not."""

from __future__ import annotations

import pytest

from designer.reading_support import advised_with
from loaded import read_card, said_by
from machine.machine_support import Data, card, game, position, take

WORDS = """\
words: Points
fields:
  player: {point: number, bids: number, waived: number}
  unit: {scars: number, dice: number, damage: number, news: number, fame: number}
plurals: {point: points, die: dice, damage: damage, news: news}
"""
GIVEN = "your points become 3; your bids become 3; the scars of this become 3; the dice of this become 3."


def told(*sentences: str) -> Data:
    """Return the entry of a unit and the fields of its owner after its tactic."""
    known = game(WORDS, card("Sage", tactic=" ".join((GIVEN, *sentences))))
    state = take(known.position(position("Sage f4", "Sage")), act="tactic").position()
    (unit,) = state["units"]
    return {**unit, **{key: state[key]["raven"] for key in ("point", "bids", "waived") if key in state}}


@pytest.mark.parametrize(
    ("sentence", "key", "value"),
    [
        ("your points increase by 2.", "point", 5),
        ("your point increases by 2.", "point", 5),
        ("your bids decrease by 1.", "bids", 2),
        ("the scars of this double.", "scars", 6),
        ("its dice decrease by 5 to a minimum of 0.", "dice", None),
        ("its damage increases by your points.", "damage", 3),
        ("its news increases by 1 if your points are at least 3.", "news", 1),
        ("the waived of you increases by 1.", "waived", 1),
    ],
)
def test_numbers_in_the_plural_change(sentence: str, key: str, value: int | None) -> None:
    assert told(sentence).get(key) == value


@pytest.mark.parametrize(
    ("sentence", "printed", "said"),
    [
        ("your points increase by 2.", "your points increase by 2.", "your points increase by 2."),
        ("your bids decrease by 2.", "your bids decrease by 2.", "your bids decrease by 2."),
        ("its scars double.", "its scars double.", "the scars of this double."),
        ("your points becomes 0.", "your points become 0.", "your points become 0."),
        (
            "if your bids is at least 2, move.",
            "if your bids are at least 2, move.",
            "if your bids are at least 2, this moves to a space.",
        ),
        (
            "if a unit whose scars is 2 is adjacent to this, move.",
            "if a unit whose scars are 2 is adjacent to this, move.",
            "if a unit whose scars are 2 is adjacent to this, this moves to a space.",
        ),
        ("its scars may increase by 1.", "its scars may increase by 1.", "the scars of this may increase by 1."),
        ("its damage doubles.", "its damage doubles.", "the damage of this doubles."),
        ("its news increases by 1.", "its news increases by 1.", "the news of this increases by 1."),
        ("your waived increases by 1.", "your waived increases by 1.", "your waived increases by 1."),
    ],
)
def test_they_are_printed_and_read_back_in_the_same_number(sentence: str, printed: str, said: str) -> None:
    (reading,) = read_card(game(WORDS, card("Sage", tactic=sentence)), "Sage")
    assert (reading.sentences, reading.said) == ((printed,), (said,))


def test_standing_changes_of_plural_numbers_are_read() -> None:
    aura = "the scars of this increase by 2. the dice of this double."
    known = game(WORDS, card("Sage", tactic=GIVEN, attribute=aura))
    state = take(known.position(position("Sage f4", "Sage")), act="tactic").position()
    assert (state["units"][0]["scars"], state["units"][0]["dice"]) == (5, 6)
    said = said_by(known, "Sage")
    assert said[-2:] == ["the scars of this increase by 2.", "the dice of this double."]


@pytest.mark.parametrize(
    ("sentence", "at", "help"),
    [
        ("your points increases by 2.", "increases", "say `increase`"),
        ("your point increase by 2.", "increase", "say `increases`"),
        ("your bids doubles.", "doubles", "say `double`"),
        ("the damage of this increase by 1.", "increase", "say `increases`"),
        ("its news double.", "double", "say `doubles`"),
        ("its dice decreases by 1.", "decreases", "say `decrease`"),
        ("your waived increase by 1.", "increase", "say `increases`"),
        (
            "its fames increase by 1.",
            "its fames increase",
            "say `its fame increases`, or declare it: `plurals: {fame: fames}`",
        ),
        ("its fames may increase by 1.", "its fames", "say `its fame`, or declare it: `plurals: {fame: fames}`"),
        ("its owner's point increase by 1.", "increase", "say `increases`"),
        (
            "choose another unit. the scars of that unit may increase by 1.",
            "the scars of that unit may increase by 1",
            "say `either the scars of that unit increase by 1, or do nothing` to decide on it yourself; to have the other "
            "one asked, let it do an act: `that … may …`",
        ),
        ("its coins decrease by 1.", "its coins", "say `its coin`"),
    ],
)
def test_the_wrong_grammatical_number_is_a_finding(sentence: str, at: str, help: str) -> None:
    (found,) = advised_with(WORDS, card("Sage", tactic=sentence))
    assert found.span is not None and (found.span.one_line, found.help) == (at, help)
