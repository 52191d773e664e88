"""Good and bad sentences, the bad ones with the finding and its place."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from syntax_support import GAMES, parse_text

from warchest.documents.load import load
from warchest.documents.schemas import read_schemas
from warchest.resolve.resolve import check

WAR_CHEST = next(folder for folder in GAMES if folder.name == "war-chest")
HEADS = {"steps": "tactic", "rules": "attribute"}


@lru_cache(maxsize=256)
def findings_of(meaning: str, text: str) -> tuple[tuple[str, int], ...]:
    """The findings of a one-line text as steps or rules of a new unit: their names and columns in the text."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "new.yaml"
        card = f"unit: Newcomer\nset: base\ncoins: 4\nsource: none\n{HEADS[meaning]}: |\n  {text}\n"
        file.write_text(card, encoding="utf-8")
        # The rulings are left out: no card needs them, and they are the largest part.
        shipped = [child for child in WAR_CHEST.iterdir() if child.name not in ("rulings", "templates")]
        library = load([*shipped, file], read_schemas())
        assert library.findings == []
        found = check(library, library.of_kind("game")[0], library.of_kind("board")[0])[1]
    return tuple((one.name, one.span.column - 2 if one.span else 0) for one in found)


@pytest.mark.parametrize(
    ("meaning", "text"),
    [
        ("steps", "move."),
        ("steps", "move to an adjacent space, then attack if able."),
        ("steps", "either move, or attack."),
        ("steps", "you may draw a coin, then put that coin into your hand."),
        ("steps", "choose an enemy unit. if it is bolstered, attack it. otherwise, move."),
        ("steps", "for each own unit in any order, it moves."),
        ("steps", "for each unit adjacent to this, it loses a coin; move."),
        ("steps", "choose a unit; if it is bolstered, it loses a coin, then this attacks; otherwise, attack; move."),
        ("rules", "after this moves, for each unit adjacent to this, it loses a coin; this may attack."),
        ("rules", "after this moves, if this is bolstered, it may attack; draw a coin, then put it into your bag."),
        ("steps", "each other unit adjacent to this loses a coin. each of your units may move."),
        ("steps", "if no other friendly unit is adjacent to this, move."),
        ("rules", "an enemy unit within 2 spaces that attacks or moves cannot attack a unit that attacks this."),
        ("rules", "when this is attacked, each unit that attacks this loses a coin."),
        ("steps", "attack a target within 3 spaces in line of sight. move to another space within 2 spaces of this."),
        ("steps", "each player, beginning with your opponent, may move one of their units."),
        ("steps", "move one of your other units. you may move a friendly unit adjacent to this."),
        ("steps", "if at least 2 friendly units are adjacent to this, move."),
        ("steps", "if two of your units are on a location, attack."),
        ("rules", "when an enemy unit would lose a coin against an attack by this, this moves instead."),
        ("steps", "you may remove this."),
        ("steps", "let space be its space. move to that space."),
        ("rules", "after this moves, it may attack."),
        ("rules", "before this attacks, move."),
        ("rules", "a bolstered unit cannot attack this."),
        ("rules", "this moves only while it is bolstered."),
        ("rules", "this may attack a target within 2 spaces of this."),
        ("rules", "the limit of this is 3."),
        ("rules", "the limit of this is three. this may attack a target within twelve spaces of this."),
        ("rules", "while this is bolstered, this may attack a target exactly 2 spaces away."),
        ("rules", "unless this is bolstered, after this moves, it may attack."),
        ("rules", "no unit can attack this. nobody may attack this unless this is bolstered."),
        ("rules", "after a coin is recruited, this may move."),
    ],
)
def test_good_sentences_have_no_findings(meaning: str, text: str) -> None:
    assert findings_of(meaning, text) == ()


@pytest.mark.parametrize(
    ("text", "name", "column"),
    [
        ("move", "missing-full-stop", 4),
        ("move to a frendly space.", "unknown-word", 11),
        ("move an attack moves.", "syntax-error", 16),
        ("move,, then attack.", "syntax-error", 5),
        ("attack a target exactly 12345678901 spaces away.", "syntax-error", 25),
        ("attack a target exactly ² spaces away.", "unknown-word", 25),
        ("it moves and attacks.", "syntax-error", 10),
        ("choose a unit in that.", "syntax-error", 22),
        ("if it is own.", "syntax-error", 13),
        (".", "syntax-error", 1),
        ("move" + ", then move" * 200 + ".", "syntax-error", 1),
    ],
)
def test_unreadable_sentences_get_one_finding(text: str, name: str, column: int) -> None:
    sentences, findings = parse_text(text)
    assert sentences == []
    assert [(found.name, found.span.column if found.span else 0) for found in findings] == [(name, column)]


@pytest.mark.parametrize(
    ("meaning", "text", "name", "column"),
    [
        ("steps", "a unit cannot attack this.", "rule-among-steps", 1),
        ("steps", "this unit moves.", "syntax-error", 6),
        ("rules", "move.", "step-among-rules", 1),
        ("steps", "otherwise, move.", "otherwise-without-if", 1),
        ("steps", "choose the unit.", "not-indefinite", 8),
        ("steps", "choose a coin.", "not-definite", 8),
        ("steps", "that player draws a coin.", "no-antecedent", 1),
        ("steps", "it moves onto a space.", "unknown-role", 15),
        ("steps", "choose a unit that controls this.", "wrong-kind", 20),
        ("steps", "choose a unit that has moved.", "syntax-error", 20),
        ("steps", "displace a unit that moves to a location.", "unclear-reach", 28),
        ("steps", "move attack.", "unknown-role", 6),
        ("steps", "choose a height.", "wrong-kind", 10),
        ("steps", "attack a space.", "wrong-kind", 8),
        ("steps", "your hand moves.", "no-such-attribute", 1),
        ("steps", "an adjacent space moves.", "wrong-kind", 1),
        ("steps", "for each unit adjacent to this, it loses a coin, then move.", "unclear-reach", 55),
        ("steps", "for each unit, if it is bolstered, it loses a coin, then move.", "unclear-reach", 58),
        ("steps", "move, then if this is bolstered, attack, then draw a coin.", "unclear-reach", 47),
        ("steps", "for each unit, it loses a coin; it moves; otherwise, move.", "otherwise-without-if", 43),
        ("steps", "all adjacent units lose a coin.", "number-of-things", 1),
        ("steps", "choose a unit. each adjacent unit attacks it.", "ambiguous-it", 43),
        ("steps", "another other unit moves.", "says-nothing", 9),
        ("steps", "choose a unit that is other.", "says-nothing", 23),
        ("rules", "this may attack.", "permits-nothing", 1),
        ("rules", "this can attack a target 2 spaces away.", "syntax-error", 6),
        ("steps", "this can attack.", "syntax-error", 6),
        ("steps", "no unit can attack.", "rule-among-steps", 1),
        ("steps", "each unit, beginning with your opponent, may move.", "syntax-error", 27),
        ("steps", "this moves a unit.", "unknown-role", 12),
        ("rules", "this may choose a unit.", "undeclared-verb", 10),
        ("rules", "to choose a unit: move.", "undeclared-verb", 4),
        ("rules", "to draw a coin: choose a unit.", "yields-nothing", 1),
    ],
)
def test_sentences_without_a_meaning_get_a_finding(meaning: str, text: str, name: str, column: int) -> None:
    assert findings_of(meaning, text)[:1] == ((name, column),)


def test_one_bad_sentence_leaves_the_others_alone() -> None:
    sentences, findings = parse_text("move. attack an, or. move. fly. attack")
    assert len(sentences) == 2
    assert [(found.name, found.span.column if found.span else 0) for found in findings] == [
        ("syntax-error", 16),
        ("unknown-word", 28),
        ("missing-full-stop", 38),
    ]
