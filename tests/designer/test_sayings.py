"""Usual ways to say a rule, each with the same rules as the form that is printed for it."""

from __future__ import annotations

import pytest

import warchest
from laws.laws_support import study_of
from machine.machine_support import card, game
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.paraphrase.reading import RULES, STEPS


def read(text: str, meaning: str) -> tuple[str, ...]:
    """Return the canonical form of sentences on a card of War Chest, and how they are understood."""
    study = study_of("war-chest")
    found = study.written(text, meaning, study.bearer("Archer"))
    assert not isinstance(found, list) or not isinstance(found[0], Diagnostic), found
    (one,) = found if isinstance(found, list) else (found,)
    return (*one.sentences, *one.said)


@pytest.mark.parametrize(("said", "printed"), [
    ("while this is bolstered, this may attack a target exactly 2 spaces away.",
     "this may attack a target exactly 2 spaces away while this is bolstered."),
    ("unless this is bolstered, a unit cannot attack this.", "a unit cannot attack this unless this is bolstered."),
    ("while this is bolstered, after this moves, it may attack.",
     "after this moves while this is bolstered, it may attack."),
    ("no unit can attack this.", "a unit cannot attack this."),
    ("no unit may attack this.", "a unit cannot attack this."),
    ("nobody can attack this.", "a unit cannot attack this."),
    ("no enemy unit can attack this unless that unit is bolstered.",
     "an enemy unit cannot attack this unless that unit is bolstered."),
    ("no other unit can move or attack.", "another unit cannot move or attack."),
    ("the limit of this is three.", "the limit of this is 3."),
])  # fmt: skip
def test_a_rule_is_said_otherwise(said: str, printed: str) -> None:
    assert read(said, RULES) == read(printed, RULES)
    assert read(said, RULES)[0] == printed


@pytest.mark.parametrize(("said", "printed"), [
    ("attack a target exactly two spaces away.", "attack a target exactly 2 spaces away."),
    ("put twelve coins in your hand into your bag.", "put 12 coins in your hand into your bag."),
    ("one of your units moves.", "a unit of you moves."),
])  # fmt: skip
def test_an_order_is_said_otherwise(said: str, printed: str) -> None:
    assert read(said, STEPS)[0] == printed


@pytest.mark.parametrize(("text", "help"), [
    ("this can attack a target exactly 2 spaces away.", "`this may attack …`"),
    ("while this is bolstered, an enemy unit can attack this.", "`an enemy unit may attack …`"),
])  # fmt: skip
def test_can_permits_nothing(text: str, help: str) -> None:
    with pytest.raises(warchest.CardError) as caught:
        game(card("Probe", attribute=text))
    (found,) = caught.value.diagnostics
    assert found.span is not None and found.span.text == "can" and help in found.help
