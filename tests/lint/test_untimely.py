"""Conditions on acts that are never under way are found, with advice; those on acts that can be are not."""

from __future__ import annotations

from pathlib import Path

import pytest
from lint_support import attribute, lint_on, lint_text, tactic

NEVER = [
    (
        attribute("Unless you discard a coin, this cannot attack."),
        "you discard a coin",
        "a cost is an order, `before this attacks, discard a coin …`",
    ),
    (
        attribute("this cannot attack unless you discard a coin."),
        "you discard a coin",
        "a cost is an order, `before this attacks, discard a coin …`",
    ),
    (
        attribute("a unit cannot attack this unless you recruit."),
        "you recruit",
        "a cost is an order, `before a unit attacks this, recruit …`",
    ),
    (
        attribute("this cannot attack unless an opponent discards a coin."),
        "an opponent discards a coin",
        "say what is so then, `… is …`, or answer the act: `after an opponent discards a coin, …`",
    ),
    (
        attribute("after this attacks, if you discard a coin, it may move."),
        "you discard a coin",
        "offer it, and join its consequences by `, then`: `you may discard a coin, then …`",
    ),
    (
        attribute("this may attack a unit exactly 2 spaces away while you pass."),
        "you pass",
        "a cost is an order, `before this attacks",
    ),
    (
        tactic("if you discard a coin, move."),
        "you discard a coin",
        "offer it, and join its consequences by `, then`: `you may discard a coin, then …`",
    ),
]


@pytest.mark.parametrize(("text", "at", "help"), NEVER)
def test_an_act_that_is_never_under_way_is_found(tmp_path: Path, text: str, at: str, help: str) -> None:
    (found,) = lint_text(tmp_path, text)
    assert found.name == "never-so" and found.span is not None
    assert found.span.text == at and found.help.startswith(help)
    assert found.message.startswith(f"`{at}` asks whether this is being done just now, ")


@pytest.mark.parametrize(
    ("text", "at"),
    [
        (tactic("choose an opponent that passes."), "that passes"),
        (tactic("if the number of opponents that pass is 1, move."), "that pass"),
        (tactic("if an opponent that discards a coin is armed, move."), "that discards a coin"),
        (attribute("an opponent that discards a coin cannot recruit."), "that discards a coin"),
    ],
)
def test_a_relative_clause_on_such_an_act_is_found(tmp_path: Path, text: str, at: str) -> None:
    (found,) = (one for one in lint_text(tmp_path, text) if one.name == "never-so")
    assert found.span is not None and found.span.text == at
    assert found.help == (
        f"describe it, `that is …` or `whose … is …`, or answer the act: `after a … {at.removeprefix('that ')}, …`"
    )


RAGE = "words: Rage\nfields: {attack: {zeal: number, wild: {flag: true, opposite: tame}}}\n---\n"
SET = "before this attacks, the attack becomes wild, then the zeal of the attack becomes 1."


@pytest.mark.parametrize(
    ("sentence", "at"),
    [
        ("attack, then if the attack is wild, this moves.", "if the attack is wild, this moves"),
        ("attack, then the zeal of the attack increases by 1.", "the zeal of the attack increases by 1"),
        ("the attack becomes wild, then this attacks.", "the attack becomes wild"),
        ("either the attack becomes wild and then this attacks, or move.", "the attack becomes wild"),
    ],
)
def test_a_value_of_an_act_that_is_over_is_found(tmp_path: Path, sentence: str, at: str) -> None:
    both = tactic(sentence) + f"attribute: |\n  {SET}\n  after this attacks, if the attack is wild, move.\n"
    (found,) = lint_text(tmp_path, RAGE + both)
    assert found.name == "never-so" and found.span is not None and found.span.text == at
    assert found.message.startswith("no attack is under way here") and found.help == "answer it: `after … attacks, …`"


@pytest.mark.parametrize(
    "sentence",
    [
        "a unit cannot attack this while the attack is wild.",
        "before a unit attacks this while the zeal of the attack is 1, this may move.",
        "this may attack a unit exactly 2 spaces away while the attack is wild.",
    ],
)
def test_a_value_used_before_it_can_be_set_is_found(tmp_path: Path, sentence: str) -> None:
    used = "after this attacks while the attack is wild, move."
    (found,) = lint_text(tmp_path, RAGE + attribute(SET, used, sentence))
    assert found.name == "never-so" and found.message.startswith("nothing has set `")
    assert found.help == "ask when the attack has begun: `after … attacks …, if …`"


@pytest.mark.parametrize(
    "text",
    [
        attribute(
            SET,
            "after this attacks, if the attack is wild, move.",
            "after this attacks, if the zeal of the attack is 1, this moves, then the attack becomes wild.",
        ),
        attribute(
            SET, "after this moves, if the attack is wild and the zeal of the attack is 1, an adjacent unit moves."
        ),
    ],
)
def test_a_value_of_an_act_that_can_be_under_way_is_not_found(tmp_path: Path, text: str) -> None:
    assert [one for one in lint_text(tmp_path, RAGE + text) if "under way" in one.message] == []


@pytest.mark.parametrize(
    "text",
    [
        # The texts of the advice.
        attribute(
            "this cannot attack unless a coin is in your hand.", "before this attacks, discard a coin in your hand."
        ),
        attribute("after this attacks, you may discard a coin in your hand, then this moves."),
        tactic("you may discard a coin in your hand, then move."),
        # The act can be a part of another one, by definitions or by answers to it.
        attribute("this cannot attack while it maneuvers."),
        attribute("this cannot attack while it uses its tactic."),
        attribute("this cannot attack while you proclaim a decree."),
        attribute("this cannot move while a unit attacks this.", "when this is attacked, this may move."),
        attribute("a unit cannot attack this while you recruit."),
        tactic("if this uses its tactic, move. otherwise, attack."),
        attribute("a unit that attacks this cannot move.", "this may attack a unit that maneuvers."),
        attribute("when this is attacked, each unit that attacks this loses a coin."),
        tactic("if a unit that uses its tactic is on a location, move."),
    ],
)
def test_an_act_that_can_be_under_way_is_not_found(tmp_path: Path, text: str) -> None:
    assert [one for one in lint_text(tmp_path, text) if "just now" in one.message] == []


def test_untimely_conditions_are_found_in_the_second_game_too(tmp_path: Path) -> None:
    text = (
        "ability: Haggle\nsource: our own\nrules: |\n"
        "  this cannot attack unless you desist.\n  this cannot escape while a figure aids this.\n"
    )
    (found,) = lint_on("unigames", tmp_path, text)
    assert found.name == "never-so" and found.span is not None and found.span.text == "you desist"
