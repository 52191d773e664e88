"""Conditions on acts under way that end a text or make something impossible: `stop if this attacks`."""

from __future__ import annotations

import pytest

import warchest
from designer.reading_support import advised_with
from loaded import said_by
from machine.machine_support import card, game, offered, position, take, unit

WORDS = """\
words: Rage
fields: {unit: {pain: number}}
verbs: {rage: {by: unit}}
"""


def rules(text: str) -> str:
    return f"action: Raging\nsource: a test\nrules: |\n  to rage: {text}\n"


def raging(text: str) -> warchest.State:
    """Return the state before the tactic of a unit that rages, attacks, and rages as it attacks."""
    hammer = card("Hammer", tactic="this rages, then this attacks.", attribute="before this attacks, this rages.")
    return game(WORDS, rules(text), hammer).position(position("Hammer f4 2, wolf Archer f5", "Hammer, Hammer"))


@pytest.mark.parametrize(
    ("text", "pain"),
    [
        ("the pain of this increases by 1.", 2),
        ("stop if this attacks; the pain of this increases by 1.", 1),
        ("stop unless this attacks; the pain of this increases by 1.", 1),
        ("the pain of this increases by 1; stop if this attacks; the pain of this increases by 2.", 4),
    ],
)
def test_a_text_ends_while_an_act_is_under_way(text: str, pain: int) -> None:
    assert unit(take(raging(text), act="tactic"), "Hammer").get("pain", 0) == pain


@pytest.mark.parametrize(("tactic", "is_offered"), [("this attacks.", True), ("this rages.", False)])
def test_an_act_lifts_a_prohibition(tactic: str, is_offered: bool) -> None:
    hammer = card("Hammer", tactic=tactic, attribute="before this attacks, this rages.")
    made = game(WORDS, rules("this must not be bolstered unless this attacks."), hammer)
    state = made.position(position("Hammer f4 2, wolf Archer f5", "Hammer, Hammer"))
    assert bool(offered(state, act="tactic")) == is_offered


@pytest.mark.parametrize(
    "text",
    [
        "stop if this attacks, then this moves to a space.",
        "stop if a unit moves, then the pain of this increases by 1.",
        "this must not be bolstered unless this attacks.",
    ],
)
def test_readings_say_it_again(text: str) -> None:
    assert said_by(game(WORDS, rules(text)), "Raging") == [f"to rage: {text}"]


def test_an_order_that_could_be_offered_instead_is_still_a_finding() -> None:
    (advice, *_) = advised_with(WORDS, rules("this moves unless this attacks."))
    assert "could be meant to be offered in place of the step" in str(advice)
