"""Rules that do not terminate are found, and others are not."""

from __future__ import annotations

from pathlib import Path

import pytest
from lint_support import attribute, codes, lint_among, lint_text, sound, tactic

from warchest.diagnostics.diagnostic import Diagnostic

WORDS = "words: More\nsource: x\nverbs:\n  advance: {by: unit}\n  press on: {by: unit}\n  loiter: {by: unit}\n---\n"
MUSTER = "words: More\nsource: x\nverbs:\n  scrape: {by: player}\n---\n"


ENDLESS = [
    (tactic("until it is bolstered, do nothing."), "never-ends", "until it is bolstered, do nothing"),
    (tactic("until it is bolstered, pass."), "never-ends", "until it is bolstered, pass"),
    (tactic("if it is own, until it is bolstered, choose a friendly unit."), "never-ends", None),
    (tactic("until it is bolstered, either pass, or you may choose a friendly unit."), "never-ends", None),
    (attribute("after this moves, until it is bolstered, do nothing."), "never-ends", None),
    (tactic("until this is bolstered, this may move."), "again-and-again", "until this is bolstered, this may move"),
    (tactic("use its tactic."), "never-ends", "use its tactic"),
    (tactic("choose a friendly unit, then use its tactic."), "never-ends", "use its tactic"),
    (tactic("move if able. this uses its tactic."), "again-and-again", "this uses its tactic"),
    (tactic("move. this uses its tactic."), "again-and-again", "this uses its tactic"),
    (tactic("this may move. choose a friendly unit. use its tactic."), "again-and-again", "use its tactic"),
    (attribute("to move: move."), "never-ends", "move"),
    (attribute("to control a location: control the location."), "never-ends", "control the location"),
    (attribute("after you pass, pass."), "never-ends", "pass"),
    (attribute("after this attacks, attack."), "again-and-again", "attack"),
    (attribute("before this moves, it moves."), "again-and-again", "it moves"),
    (attribute("when this attacks, attack if able."), "again-and-again", "attack if able"),
    (attribute("after this attacks, attack if able."), "again-and-again", "attack if able"),
    ("action: Idle\nsource: none\nrules: |\n  when a unit is bolstered, do nothing.\n", "never-ends", None),
    (WORDS + attribute("to advance: press on.", "to press on: advance."), "never-ends", "press on"),
    (
        WORDS
        + attribute(
            "to advance: if it is own, press on.", "otherwise, either press on, or advance.", "to press on: advance."
        ),
        "never-ends",
        "if it is own, press on",
    ),
    (WORDS + attribute("to advance: put this onto its space, then advance."), "again-and-again", "advance"),
    (
        WORDS + attribute("to advance: press on.", "to press on: do nothing, then loiter.", "to loiter: press on."),
        "never-ends",
        "loiter",
    ),
]


def said(found: list[Diagnostic]) -> list[Diagnostic]:
    """Findings, without those about unused words and sentences."""
    return [one for one in found if one.name not in ("unused-word", "no-difference")]


@pytest.mark.parametrize(("text", "name", "at"), ENDLESS)
def test_endless_texts_are_found(tmp_path: Path, text: str, name: str, at: str | None) -> None:
    found = said(lint_among(tmp_path, text, [one for one, *_ in ENDLESS])) or said(lint_text(tmp_path, text))
    sound(found)
    first = found[0]
    assert first.span is not None and first.help
    assert (first.name, first.span.text) == (name, at or first.span.text)


WRONG = attribute("to control a location: you may control the location.")
"""It ends, but is wrong, and would hide findings in others."""
ENDING = [
    tactic("until it is bolstered, bolster this using a coin in your supply of its type."),
    tactic("until it is bolstered, either pass, or move."),
    tactic("let gap be the height of this, then until that gap is 0, that gap decreases by 1; move."),
    tactic("move if able. this may use its tactic."),
    tactic("move. either move, or use its tactic."),
    tactic("put a coin in this into your box. use its tactic."),
    tactic("attack. use its tactic."),
    attribute("after this attacks, it may attack."),
    attribute("after this attacks, if it is bolstered, attack."),
    attribute("after this attacks, move, then attack."),
    attribute("after this attacks a unit, the target attacks."),
    attribute("after an adjacent unit attacks this, attack."),
    attribute("after this moves, attack."),
    attribute("when this would lose a coin, it loses a coin instead."),
    attribute("to attack a target: the target attacks."),
    attribute("to move to a space: put this onto the space, then move."),
    WRONG,
    WORDS + attribute("to advance: if it is bolstered, press on.", "to press on: advance."),
    WORDS + attribute("to advance: you may press on.", "to press on: advance."),
    WORDS + attribute("to advance: move, then advance."),
    WORDS + attribute("to advance: advance if able.", "to press on: move."),
    MUSTER + attribute("to scrape: put a random coin in your bag into your box, then scrape."),
]


@pytest.mark.parametrize("text", ENDING)
def test_texts_that_end_are_not_found(tmp_path: Path, text: str) -> None:
    others = [one for one in ENDING if one != WRONG]
    assert {"never-ends", "again-and-again"}.isdisjoint(codes(lint_among(tmp_path, text, others))), text


@pytest.mark.parametrize(
    ("text", "followed"),
    [
        ("when this attacks, this may attack.", "after this attacks, this may attack."),
        ("before this moves, this may move.", "after this moves, this may move."),
        (
            "before this moves while it is bolstered, this may move, then this may attack.",
            "after this moves while it is bolstered, this may move, then this may attack.",
        ),
        (
            "when this attacks, this may attack another adjacent target.",
            "after this attacks, this may attack another adjacent target.",
        ),
        ("when this maneuvers, it may move.", "after this maneuvers, it may move."),
        ("when you recruit, you may recruit.", "after you recruit, you may recruit."),
        ("when a friendly unit moves, that unit may move.", "after a friendly unit moves, that unit may move."),
    ],
)
def test_an_offer_of_the_act_that_it_answers_is_found_while_that_is_under_way(
    tmp_path: Path, text: str, followed: str
) -> None:
    (found,) = lint_text(tmp_path, attribute(text))
    assert found.name == "again-and-again" and f"`{followed.removesuffix('.')}`" in found.help
    assert lint_text(tmp_path, attribute(followed)) == []


@pytest.mark.parametrize(
    "text",
    [
        "when this attacks an adjacent unit, this may attack a target exactly 2 spaces away.",
        "when this attacks an unbolstered unit, this may attack a bolstered enemy unit adjacent to this.",
        "when an adjacent unit attacks this, this may attack that unit.",
        "when another friendly unit moves, this may move.",
        "when this attacks, it may maneuver.",
        "once a turn, when this attacks, this may attack.",
        "once a turn, when this attacks, attack.",
        "once a round, before this moves, it may move.",
    ],
)
def test_an_offer_of_another_act_is_not_found(tmp_path: Path, text: str) -> None:
    assert lint_text(tmp_path, attribute(text)) == []


WINDED = "words: More\nsource: x\nfields: {unit: {winded: {flag: true, opposite: rested}}}\n---\n"


@pytest.mark.parametrize(
    ("answer", "late"),
    [
        ("after this attacks, this may attack, then this becomes winded.", True),
        ("after this attacks while it is rested, this may attack, then this becomes winded.", True),
        ("after this attacks while it is rested, this becomes winded, then it may attack.", False),
        ("when this attacks while it is rested, this becomes winded, then it may attack.", False),
        ("when this attacks while it is rested, it may attack, then this becomes winded.", True),
        ("after this attacks while it is rested, this may move, then this becomes winded.", False),
    ],
)
def test_a_mark_that_comes_too_late_is_found(tmp_path: Path, answer: str, late: bool) -> None:
    text = WINDED + attribute(answer, "at the start of the round, this becomes rested.")
    found = [one for one in lint_text(tmp_path, text) if one.name == "again-and-again"]
    assert [one.span.text for one in found if one.span is not None] == ["this becomes winded"] * late
