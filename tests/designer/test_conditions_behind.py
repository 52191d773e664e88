"""Conditions after a step, which reach no further than it, and `stop`, which ends a text."""

from __future__ import annotations

import pytest

from loaded import read_card
from machine.machine_support import card, game, position, round_trips, take
from warchest import State

HEAT = """\
words: Heat
fields: {unit: {heat: number}}
"""
ONE, TWO = (f"the heat of this increases by {number}" for number in (1, 20))
THREE = "the heat of this increases by 300"


def heat(state: State) -> int:
    """Return how hot the Lamp is."""
    return int(next(one.get("heat", 0) for one in state.position()["units"] if one["unit"] == "Lamp"))


def glown(tactic: str, units: str) -> int:
    """Return how hot a Lamp is after its tactic, with the native rules of positions checked."""
    state = game(HEAT, card("Lamp", tactic=tactic)).position(position(units, "Lamp"))
    take(state, act="tactic", coin="Lamp")
    round_trips(state)
    return heat(state)


BOLSTERED = "if this is bolstered"


@pytest.mark.parametrize(
    ("tactic", "alone", "bolstered"),
    [
        (f"{ONE} {BOLSTERED}, then {TWO}.", 20, 21),
        (f"{ONE}, then {TWO} {BOLSTERED}, then {THREE}.", 301, 321),
        (f"{ONE} unless this is bolstered; {TWO}.", 21, 20),
        (f"unless this is bolstered, {ONE}. {TWO}.", 21, 20),
        (f"once a turn, {ONE} {BOLSTERED}. {TWO}.", 20, 21),
        # It is asked before the step, whatever that does.
        (f"{TWO}, then the heat of this becomes 0 if its heat is at least 20, then {ONE}.", 1, 1),
        # An `if` in front reaches to the end of its part, one after a step does not.
        (f"{BOLSTERED}, {ONE} if its heat is 0, then {TWO}; {THREE}.", 300, 321),
        (f"{ONE}, then stop {BOLSTERED}, then {TWO}; {THREE}.", 321, 1),
        (f"{ONE}. stop unless this is bolstered. {TWO}. {THREE}.", 1, 321),
        (f"{ONE}. {BOLSTERED}, stop. {TWO}.", 21, 1),
        (f"{BOLSTERED}, {ONE}, then stop. {TWO}; {THREE}.", 320, 1),
        (f"{ONE}; stop {BOLSTERED}; {TWO}; stop unless its heat is 0; {THREE}.", 21, 1),
        (f"{BOLSTERED}, stop; otherwise, {ONE}; {TWO}.", 21, 0),
        (f"{BOLSTERED}, {ONE}; otherwise, stop; {TWO}.", 0, 21),
        (f"{BOLSTERED}, {ONE}, then stop; otherwise, {TWO}. {THREE}.", 320, 1),
        (f"{BOLSTERED}, {ONE}; otherwise, {TWO}, then stop. {THREE}.", 20, 301),
        (f"stop if this is on a location. {BOLSTERED}, {ONE}; otherwise, {TWO}. {THREE}.", 320, 301),
        (f"{BOLSTERED}, stop; otherwise, {ONE}.", 1, 0),
        (f"stop if this is bolstered and no enemy unit is adjacent to this. {ONE}.", 1, 0),
        (f"{ONE} unless this is bolstered and no enemy unit is adjacent to this.", 1, 0),
        (f"{ONE} unless this is bolstered, or no enemy unit is adjacent to this.", 0, 0),
        (f"{ONE} unless this is on a location and this is bolstered, or an enemy unit is adjacent to this.", 1, 1),
    ],
)
def test_a_condition_at_the_end_decides_about_its_sentence(tactic: str, alone: int, bolstered: int) -> None:
    assert (glown(tactic, "Lamp f4"), glown(tactic, "Lamp f4 2")) == (alone, bolstered)


@pytest.mark.parametrize(
    "tactic",
    [
        f"{ONE} {BOLSTERED}, then {TWO}.",
        f"{ONE} unless this is bolstered and an enemy unit is adjacent to this.",
        f"{ONE}; stop {BOLSTERED}; {TWO}, then {THREE}.",
        f"{BOLSTERED}, {ONE}, then stop. {TWO}.",
        f"{ONE} unless this can move, or this is bolstered.",
        "stop unless this can move; move.",
        f"stop {BOLSTERED}. until the end of the turn, this cannot move. {ONE}.",
        f"stop {BOLSTERED}. for each own Footman in any order, it moves. {ONE}.",
        f"{BOLSTERED}, stop; otherwise, {ONE}; {TWO}.",
        "choose a friendly unit, then that unit attacks if it is bolstered, then it moves.",
    ],
)
def test_it_is_read_back_in_words(tactic: str) -> None:
    known = game(HEAT, card("Lamp", tactic=tactic))
    assert read_card(known, "Lamp")


@pytest.mark.parametrize(
    ("tactic", "read"),
    [
        (
            f"{BOLSTERED}, move if this is on a location, then attack.",
            "if this is bolstered, this moves to a space if this is on a location, then this attacks a target.",
        ),
        (
            f"stop {BOLSTERED}. once a turn, move. attack.",
            "stop if this is bolstered. once a turn, this moves to a space. this attacks a target.",
        ),
        (
            f"{BOLSTERED}, stop; otherwise, move; attack.",
            "if this is not bolstered, this moves to a space, then this attacks a target.",
        ),
    ],
)
def test_a_reading_reaches_as_far_as_the_sentence(tactic: str, read: str) -> None:
    known = game(HEAT, card("Lamp", tactic=tactic))
    (found,) = read_card(known, "Lamp")
    assert " ".join(found.said) == read


def test_an_answer_ends_where_it_says_stop() -> None:
    rules = f"after this attacks, {ONE}, then stop if this is bolstered, then {TWO}."
    for units, found in (("Lamp f4, wolf Scout f5", 21), ("Lamp f4 2, wolf Scout f5", 1)):
        state = game(HEAT, card("Lamp", attribute=rules)).position(position(units, "Lamp"))
        take(state, act="attack", coin="Lamp")
        assert heat(state) == found


def test_an_offer_depends_on_the_condition_after_it() -> None:
    made = game(card("Lamp", attribute="after this attacks, it may move if it is bolstered."))
    for units, asked in (("Lamp f4 2, wolf Scout f5", "raven"), ("Lamp f4, wolf Scout f5", "wolf")):
        state = made.position(position(units, "Lamp"))
        take(state, act="attack", coin="Lamp")
        assert state.decision is not None and state.decision.player == asked


def test_a_word_with_several_meanings_is_denied_as_a_whole() -> None:
    words = HEAT + "words: Glare\nadjectives: [glaring]\n---\naction: Glare\nrules: |\n"
    words = words.replace("words: Glare", "---\nwords: Glare")
    words += "  a unit is glaring when its heat is at least 1.\n  a unit is glaring when it is bolstered.\n"
    known = game(words, card("Lamp", tactic=f"{ONE} unless this is glaring."))
    (read,) = read_card(known, "Lamp")
    assert read.said == ("if this is not glaring, the heat of this increases by 1.",)
