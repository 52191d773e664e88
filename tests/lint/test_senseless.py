"""Texts that can be so of nothing, or at no time, are found; and texts that are near them are not."""

from __future__ import annotations

from pathlib import Path

import pytest
from lint_support import attribute, lint_among, sound, tactic

NOTHING = [
    ("move to a space exactly 0 spaces away.", "says-nothing", "exactly 0 spaces away", None),
    ("move to a space within 0 spaces of this.", "says-nothing", "within 0 spaces of this", None),
    ("move to a space 3-2 spaces away.", "says-nothing", "3-2", "the smaller number comes first: `2-3`"),
    ("choose a unit 0-0 spaces away.", "says-nothing", "0-0 spaces away", None),
    ("choose a unit 3-2 spaces of this.", "says-nothing", "3-2", None),
    (
        "move to a space within 3-5 spaces of this.",
        "says-nothing",
        "within 3-5 spaces",
        "say `3-5 spaces`, or `within 5 spaces`",
    ),
    (
        "move to a space within 3-5 spaces away.",
        "says-nothing",
        "within 3-5 spaces away",
        "say `3-5 spaces away`, or `within 5 spaces away`",
    ),
    (
        "move to a space within 3-5 spaces.",
        "says-nothing",
        "within 3-5 spaces",
        "say `3-5 spaces away`, or `within 5 spaces`",
    ),
    (
        "if a unit is within 5-3 spaces of this, move.",
        "says-nothing",
        "within 5-3 spaces",
        "say `3-5 spaces`, or `within 5 spaces`",
    ),
    ("move to a space 2 coins away.", "wrong-kind", "2 coins", "say `2 spaces`"),
    (
        "put a new unit of the type of this into your bag.",
        "wrong-kind",
        "a new unit of the type of this",
        "name the tokens that are made",
    ),
    ("its height goes back.", "wrong-kind", "its height", "only a field that is declared as a trail goes back"),
    ("its height goes back by 1.", "syntax-error", None, None),
    ("put 0 coins in your supply into your bag.", "says-nothing", "0", None),
    ("put 2-3 coins in your supply into your bag.", "says-nothing", "2-3", "say one number"),
    ("put 0 new coins of the type of this into your bag.", "says-nothing", "0", None),
    ("choose 2 friendly units.", "number-of-things", "2 friendly units", None),
    ("attack 2 adjacent targets.", "number-of-things", "2 adjacent targets", None),
    ("draw 2 coins.", "number-of-things", "2 coins", None),
    ("move to a space adjacent to 2 units.", "number-of-things", "2 units", None),
    ("if the number of 2 coins in your hand is 1, move.", "number-of-things", "2 coins in your hand", None),
    ("attack each adjacent target.", "number-of-things", "each adjacent target", None),
    ("attack all adjacent targets.", "number-of-things", "all adjacent targets", None),
    ("attack no adjacent target.", "number-of-things", "no adjacent target", None),
    ("draw all coins.", "number-of-things", "all coins", None),
    ("no unit moves.", "number-of-things", "no unit", None),
    ("put each coin in your supply into your bag.", "number-of-things", None, None),
    ("move to a space adjacent to all units.", "number-of-things", "all units", None),
    ("move to a location with no unit.", "number-of-things", "no unit", None),
    (
        "if all units are not bolstered, move.",
        "ambiguous-it",
        "all units are not bolstered",
        "say `no unit is bolstered`, or `a unit is not bolstered`",
    ),
    ("attack adjacent targets.", "number-of-things", "adjacent targets", None),
    ("attack adjacent target.", "number-of-things", "adjacent target", None),
    ("put coins in your supply into your bag.", "number-of-things", "coins in your supply", None),
    ("if it is own units, move.", "number-of-things", "own units", "say `an own unit`"),
    ("if this is adjacent to units, move.", "number-of-things", "units", None),
    ("attack any adjacent targets.", "number-of-things", None, "say `any adjacent target`"),
    ("attack another targets.", "number-of-things", None, "say `another target`"),
    ("put 2 coin in your supply into your bag.", "number-of-things", None, "say `2 coins`"),
    ("put all coin in your supply into your bag.", "number-of-things", None, "say `all coins`, or `a coin`"),
    ("move to a space 2 spaces away through no open space.", "number-of-things", "through no open space", None),
    ("recruit a coin in your supply of the type of another Scout.", "number-of-things", "another Scout", None),
    ("put a new opponent of the type of this into your bag.", "wrong-kind", None, None),
    ("if it is it, move.", "says-nothing", "it is it", None),
    ("if the space of this is its space, move.", "says-nothing", "the space of this is its space", None),
    ("if its height is more than its height, move.", "says-nothing", None, None),
    ("if this is another unit, move.", "says-nothing", "this is another unit", None),
    ("if its height is at least 5 and its height is at most 3, move.", "says-nothing", None, None),
    ("if its height is 2 and it is unbolstered, move.", "says-nothing", None, None),
    ("if it is bolstered and it is own and it is not bolstered, move.", "says-nothing", None, None),
    ("until it is bolstered, or it is not bolstered, move.", "says-nothing", None, None),
    ("if the initiative is stale and the initiative is fresh, move.", "says-nothing", None, None),
]


@pytest.mark.parametrize(("sentence", "name", "at", "help"), NOTHING)
def test_meaningless_sentences_are_found(
    tmp_path: Path, sentence: str, name: str, at: str | None, help: str | None
) -> None:
    (found,) = lint_among(tmp_path, tactic(sentence), [tactic(one) for one, *_ in NOTHING])
    sound([found])
    assert found.span is not None
    assert (found.name, found.span.text) == (name, at or found.span.text)
    assert help is None or found.help == help


SOMETHING = [
    tactic("move to a space 0-2 spaces away."),
    tactic("move to a space 2-2 spaces away."),
    tactic("move to a space within 1 space of this."),
    tactic("choose 1 friendly unit."),
    tactic("put 2 coins in your supply into your bag."),
    tactic("put 2 new coins of the type of this into your supply."),
    tactic("if its height is at least 2 and its height is at most 2, move."),
    tactic("if its height is at least 4, or its height is at most 2, move."),
    tactic("if it is bolstered and it is not on a location, move."),
    tactic("choose a friendly unit, then if it is not this and its height is the height of this, move."),
    tactic("if your team controls its space and no unit is adjacent to it, move."),
    tactic("if the markers is 6, move."),
    tactic("put all coins in your supply into your bag, then remove all coins in your bag."),
    tactic("see all coins in your bag, then move."),
    tactic("if the number of all coins in your hand is 2, move."),
    tactic("if no unit is adjacent to this, move to a space 2 spaces away through empty spaces."),
    tactic("for each own unit in any order, it may move."),
    attribute("each unit cannot attack this."),
    attribute("after an adjacent unit attacks any target, that unit may move."),
    tactic("if the markers is 6, or the markers is 8, move."),
    attribute("a unit cannot attack this while this is on a location and that unit is not bolstered."),
]


@pytest.mark.parametrize("text", SOMETHING)
def test_meaningful_sentences_are_not_found(tmp_path: Path, text: str) -> None:
    assert lint_among(tmp_path, text, SOMETHING) == []


RULES = [
    ("all units cannot attack this.", "number-of-things", "all units"),
    ("after no unit attacks, draw a coin.", "number-of-things", "no unit"),
    ("after this attacks all units, draw a coin.", "number-of-things", "all units"),
    ("the limit is 2.", "not-definite", "the limit"),
    ("you cannot deploy a decree.", "wrong-kind", "decree"),
    ("nobody cannot attack this.", "wrong-kind", "nobody"),
    ("after this attacks, nobody may move.", "wrong-kind", "nobody"),
    ("after this moves, nobody attacks this.", "wrong-kind", "nobody"),
]


@pytest.mark.parametrize(("sentence", "name", "at"), RULES)
def test_a_rule_about_nothing_or_about_all_at_once_is_found(tmp_path: Path, sentence: str, name: str, at: str) -> None:
    (found,) = lint_among(tmp_path, attribute(sentence), [attribute(one) for one, *_ in RULES])
    assert found.span is not None and (found.name, found.span.text) == (name, at)


@pytest.mark.parametrize("said", ["after a player deploys a unit, this moves.", "this cannot attack a space."])
def test_another_kind_of_thing_is_not_put_in_by_a_fix(tmp_path: Path, said: str) -> None:
    (found,) = lint_among(tmp_path, attribute(said), [attribute(one) for one, *_ in RULES])
    assert found.name == "wrong-kind" and found.fix is None
