"""Advice that is followed: each wrong sentence has help, and the sentence that the help gives is accepted at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from lint_support import attribute, lint_among, sound, tactic

WORDS = "words: My words\nfields: {unit: {rage: number}}\n---\n"

FOLLOWED = [
    (
        attribute("after this is destroyed, this may move."),
        "is destroyed",
        "say `when this falls, …`",
        attribute("when this falls, choose an adjacent unit, then that unit loses a coin."),
    ),
    (
        attribute("after this moves to a location controlled by an opponent, this may attack."),
        "location controlled by an opponent",
        "say `location an opponent controls`",
        attribute("after this moves to a location an opponent controls, this may attack."),
    ),
    (
        tactic("put this unit's coins into your box."),
        "this unit's coins",
        "say `all coins in this`",
        tactic("put all coins in this into your box."),
    ),
    (
        tactic("choose an adjacent unit.", "put that unit's coin into your box."),
        "that unit's coin",
        "say `a coin in that unit`",
        tactic("choose an adjacent unit.", "put a coin in that unit into your box."),
    ),
    (
        tactic("choose an opponent's unit.", "that unit moves."),
        "an opponent's unit",
        "say `a unit of an opponent`",
        tactic("choose a unit of an opponent.", "that unit moves."),
    ),
    (attribute("this's limit is 2."), "this's limit", "say `the limit of this`", attribute("the limit of this is 2.")),
    (
        tactic("put a random coin in an opponent's hand into your hand."),
        "an opponent",
        "choose it first: `choose an opponent`, and then say `that opponent`",
        tactic("choose an opponent.", "put a random coin in that opponent's hand into your hand."),
    ),
    (
        attribute("a unit cannot attack this while this is on a location your opponent controls."),
        "your opponent",
        "say `an opponent`, or choose one first: `choose an opponent`, and say `that opponent`",
        attribute("a unit cannot attack this while this is on a location an opponent controls."),
    ),
    (
        attribute("when this attacks a unit, if all spaces adjacent to that unit are occupied, this may move."),
        "occupied",
        "say `with a unit`",
        attribute("when this attacks a unit, if no empty space is adjacent to that unit, this may move."),
    ),
    (
        attribute("after this moves, the type of this becomes Knight."),
        "Knight",
        "turn it round: `Knight becomes the type of this`",
        attribute("after this moves, Knight becomes the type of this."),
    ),
    (
        attribute("after this moves, the controller of its space becomes your team."),
        "your team",
        "turn it round: `your team becomes the controller of its space`",
        attribute("after this moves, your team becomes the controller of its space."),
    ),
    (
        attribute("when this loses its last coin, this may move."),
        "last",
        "say how many are left: `if the number of … in it is 1, …`",
        attribute("when this loses a coin, if the number of coins in this is 1, this may move."),
    ),
    (
        tactic("choose an opponent.", "that player discards a coin at random."),
        "at",
        "chance chooses by an order of its own: `choose a random coin in …`, and refer to it as `that coin`",
        tactic(
            "choose an opponent.",
            "choose a random coin in the hand of that player, then that player discards that coin.",
        ),
    ),
    (
        tactic("move up to 2 spaces."),
        "spaces",
        "say `move to a space within 2 spaces of this`",
        tactic("move to a space within 2 spaces of this."),
    ),
    (
        attribute("after this attacks, its rage increases by 1."),
        "rage",
        "a number that a thing has is declared: put the lines `words: Rage words`, `fields: {unit: {rage: number}}` and"
        " `---` in front of this document",
        WORDS + attribute("after this attacks, its rage increases by 1."),
    ),
    (
        tactic("let rival be an opponent."),
        "rival",
        "a name of your own is declared: put the lines `words: Rival words`, `names: [rival]` and `---` in front of this"
        " document",
        "",
    ),
    (
        tactic("if you control 3 locations, end the game."),
        "3 locations",
        "to compare how many there are, say `the number of locations … is at least 3`",
        tactic("if the number of locations you control is at least 3, end the game."),
    ),
    (
        tactic("the game ends."),
        "ends",
        "the word for it is `end`, which needs another place, or other words beside it",
        tactic("end the game."),
    ),
    (
        attribute("until a coin is in a bag, a unit cannot attack."),
        "until a coin is in a bag, a unit cannot attack",
        "a rule holds always: say `… cannot … while …`",
        attribute("a unit cannot attack while this is bolstered."),
    ),
]
TEXTS = [text for wrong, _, _, right in FOLLOWED for text in (wrong, right) if text]


@pytest.mark.parametrize(("wrong", "at", "help", "right"), FOLLOWED)
def test_advice_that_is_followed_is_accepted(tmp_path: Path, wrong: str, at: str, help: str, right: str) -> None:
    found = lint_among(tmp_path, wrong, TEXTS)
    sound(found)
    assert found[0].span is not None
    assert (found[0].span.text, found[0].help) == (at, help), found[0]
    # That a unit is then moved by no coin is said of the design, and not of the sentence.
    left = [one for one in lint_among(tmp_path, right, TEXTS) if one.name != "left-idle"] if right else []
    assert not left


ACTION = "action: Mustering\nsource: a test\nrules: |\n  # the one that is weak\n"


def test_a_word_that_needs_a_player_is_reported_where_it_is_said(tmp_path: Path) -> None:
    wrong = f"{ACTION}  when an enemy unit is unbolstered, remove that unit.\n"
    (found,) = lint_among(tmp_path, wrong, [wrong], named="")
    assert found.span is not None
    assert (found.name, found.span.line, found.span.text) == ("no-antecedent", 5, "enemy")
    assert found.help == "say whose it is: `a unit whose owner is …`"
