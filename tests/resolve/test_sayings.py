"""Usual ways to say a rule, each with the same rules as the form that is printed for it."""

from __future__ import annotations

import pytest

from designer.reading_support import advised, read, words_of_war_chest
from machine.machine_support import card, game, offered, position, refused
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.paraphrase.reading import RULES, STEPS


@pytest.mark.parametrize(
    ("said", "printed"),
    [
        (
            "while this is bolstered, this may attack a target exactly 2 spaces away.",
            "this may attack a target exactly 2 spaces away while this is bolstered.",
        ),
        ("unless this is bolstered, a unit cannot attack this.", "a unit cannot attack this unless this is bolstered."),
        (
            "while this is bolstered, after this moves, it may attack.",
            "after this moves while this is bolstered, it may attack.",
        ),
        ("no unit can attack this.", "a unit cannot attack this."),
        ("no unit may attack this.", "a unit cannot attack this."),
        ("nobody can attack this.", "a unit cannot attack this."),
        (
            "no enemy unit can attack this unless that unit is bolstered.",
            "an enemy unit cannot attack this unless that unit is bolstered.",
        ),
        ("no other unit can move or attack.", "another unit cannot move or attack."),
        ("the limit of this is three.", "the limit of this is 3."),
    ],
)
def test_other_words_for_a_rule_are_read_alike(said: str, printed: str) -> None:
    assert read(said, RULES) == read(printed, RULES)
    assert read(said, RULES)[0] == printed


@pytest.mark.parametrize(
    ("said", "printed"),
    [
        ("attack a target exactly two spaces away.", "attack a target exactly 2 spaces away."),
        ("put twelve coins in your hand into your bag.", "put 12 coins in your hand into your bag."),
        ("one of your units moves.", "a unit of you moves."),
        (
            "attack a target within 3 spaces in line of sight.",
            "attack a target within 3 spaces away in a straight line through empty spaces.",
        ),
        (
            "attack a target exactly 2 spaces in a straight line.",
            "attack a target exactly 2 spaces away in a straight line.",
        ),
    ],
)
def test_other_words_for_an_order_are_read_alike(said: str, printed: str) -> None:
    assert read(said, STEPS)[0] == printed


ANSWERS = {
    True: (
        "if you do, {}",
        "If you do so, {}",
        "if it does, {}",
        "if it did, {}",
        "if so, {}",
        "and if you do, {}",
        "when you do, {}",
    ),
    False: (
        "if you do not, {}",
        "if you don't, {}",
        "If it does not, {}",
        "if it doesn't, {}",
        "if you did not do so, {}",
        "unless you do, {}",
        "if not, {}",
        "otherwise, {}",
        "but if you don't, {}",
        "or else {}",
    ),
}


@pytest.mark.parametrize(
    ("offer", "taken", "left"),
    [
        ("this may move", "this may move, then this attacks.", "either this moves, or this attacks."),
        (
            "you may discard a coin in your hand",
            "you may discard a coin in your hand, then this attacks.",
            "either discard a coin in your hand, or this attacks.",
        ),
        (
            "this may move, then draw a coin, then put that coin into your bag",
            "this may move, then draw a coin, then put that coin into your bag, then this attacks.",
            "either this moves and then draw a coin and then put that coin into your bag, or this attacks.",
        ),
    ],
)
@pytest.mark.parametrize(("asks", "is_taken"), [(one, taken) for taken, asked in ANSWERS.items() for one in asked])
@pytest.mark.parametrize("sign", [". ", "; ", ", "])
def test_a_request_for_an_answer_gets_advice(
    offer: str, taken: str, left: str, asks: str, is_taken: bool, sign: str
) -> None:
    told = asks.format("this attacks.")
    told = told if sign == ". " else told[:1].lower() + told[1:]
    said = [one.help for one in advised(card("Probe", tactic=f"{offer}{sign}{told}"))]
    advice = taken if is_taken else left
    assert any(f"`{advice}`" in help for help in said), said
    # The advice, followed, is accepted at once.
    game(card("Probe", tactic=advice))


@pytest.mark.parametrize(
    ("text", "help"),
    [
        (
            "after this attacks, it may move. if it does not, this loses a coin.",
            "`after this attacks, either it moves, or this loses a coin.`",
        ),
        (
            "after this attacks, it may move. if it does, this loses a coin.",
            "`after this attacks, it may move, then this loses a coin.`",
        ),
    ],
)
def test_an_answer_to_the_offer_of_a_hook(text: str, help: str) -> None:
    (found,) = advised(card("Probe", attribute=text))
    assert help in found.help
    game(card("Probe", attribute=help.strip("`")))


@pytest.mark.parametrize(
    ("text", "ways"),
    [
        ("attack a target within 3 spaces of this through empty spaces.", "any way of at most 3 steps counts"),
        ("attack a target exactly 2 spaces away through empty spaces.", "any way of at most 2 steps counts"),
        ("attack a target within 3 spaces in line of sight.", "each space between on the straight line"),
    ],
)
def test_the_reading_names_the_ways_that_count(text: str, ways: str) -> None:
    reader = words_of_war_chest()
    found = reader.written(text, STEPS, reader.bearer("Archer"))
    assert not isinstance(found, list) or not isinstance(found[0], Diagnostic)
    (one,) = found if isinstance(found, list) else (found,)
    assert [fact.text for fact in one.facts if fact.about == "ways" and ways in fact.text]


@pytest.mark.parametrize("units", ["Probe f4, wolf Scout f6 2, wolf Archer f5 2"])
def test_a_way_round_a_corner_counts_where_no_line_is_asked_for(units: str) -> None:
    for text, reached in (
        ("attack a target exactly 2 spaces away through empty spaces.", {"f5": False, "f6": False}),
        ("attack a target within 4 spaces of this through empty spaces.", {"f5": True, "f6": True}),
        ("attack a target within 4 spaces in line of sight.", {"f5": True, "f6": False}),
    ):
        state = game(card("Probe", tactic=text)).position(position(units, "Probe"))
        targets = {one.get("target") for one in offered(state, act="tactic")}
        assert {at: at in targets for at in reached} == reached


@pytest.mark.parametrize(
    ("text", "help"),
    [
        ("this can attack a target exactly 2 spaces away.", "`this may attack …`"),
        ("while this is bolstered, an enemy unit can attack this.", "`an enemy unit may attack …`"),
    ],
)
def test_can_permits_nothing(text: str, help: str) -> None:
    (found,) = refused(card("Probe", attribute=text))
    assert found.span is not None and found.span.text == "can" and help in found.help


@pytest.mark.parametrize(
    ("where", "text", "advice"),
    [
        (
            "tactic",
            "this loses a coin unless you discard a coin in your hand.",
            "either discard a coin in your hand, or this loses a coin.",
        ),
        (
            "tactic",
            "unless you discard a coin in your hand, this loses a coin.",
            "either discard a coin in your hand, or this loses a coin.",
        ),
        ("tactic", "this loses a coin unless it moves.", "either it moves, or this loses a coin."),
        (
            "attribute",
            "after this attacks, this loses a coin unless you discard a coin in your hand.",
            "after this attacks, either discard a coin in your hand, or this loses a coin.",
        ),
    ],
)
def test_unless_after_an_act_gets_advice(where: str, text: str, advice: str) -> None:
    assert any(f"`{advice}`" in one.help for one in advised(card("Probe", **{where: text})))
    game(card("Probe", **{where: advice}))
