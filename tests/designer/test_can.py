"""Steps that ask whether an act is possible now: `if that unit can move, …`."""

from __future__ import annotations

import pytest

from designer.reading_support import advised, read
from machine.machine_support import card, comes_back, game, offered, position, take
from warchest.paraphrase.reading import RULES, STEPS

DRAW = "draw a coin, then put that coin into your hand"
ROUND = "wolf Scout g3, wolf Knight g4, wolf Lancer f5, wolf Ensign e5, wolf Cavalry e4, wolf Swordsman f3"


def draws(question: str, units: str, *more: str, coin: str = "Probe") -> bool:
    """Return whether the tactic of a Probe answers a question with yes."""
    probe = card("Probe", tactic=f"if {question}, {DRAW}. otherwise, do nothing.")
    state = game(probe, *more).position(position(units, f"{coin}, Royal Coin", bag={"raven": ["Marshall", "Marshall"]}))
    before = state.position()["bag"]["raven"]
    take(state, act="tactic", coin=coin)
    comes_back(state)
    return state.position()["bag"]["raven"] != before


@pytest.mark.parametrize(
    ("question", "units", "answer"),
    [
        ("this can move", "Probe f4, wolf Knight c4", True),
        ("this can move", f"Probe f4, {ROUND}", False),
        ("this cannot move", f"Probe f4, {ROUND}", True),
        ("this can attack", "Probe f4, wolf Scout f5", True),
        ("this can attack", "Probe f4, wolf Knight f6", False),
        ("this can move or attack", f"Probe f4, {ROUND}", True),
        ("this can control its space", "Probe f4, wolf Knight c4", False),
        # The act must be permitted anyway, not just by an order.
        ("an enemy unit can attack this", "Probe f4, wolf Knight f6", False),
        ("an enemy unit can attack this", "Probe f4, wolf Scout f5", True),
        ("no enemy unit can attack this", "Probe f4, wolf Knight f6", True),
        # An Archer attacks only by its tactic.
        ("an enemy unit can attack this", "Probe f4, wolf Archer f5", False),
        ("an enemy unit can attack a unit adjacent to this", "Probe f4, Scout f5, wolf Knight f6", True),
        ("an enemy unit can attack a unit adjacent to this", "Probe f4, Scout c4, wolf Knight f6", False),
        ("this is bolstered and it can move", "Probe f4 2, wolf Knight c4", True),
        ("this is bolstered and it can move", "Probe f4, wolf Knight c4", False),
        ("this is bolstered, or it can move", f"Probe f4 2, {ROUND}", True),
        ("you can draw a coin", "Probe f4, wolf Knight c4", True),
    ],
)
def test_possible_acts_are_conditions(question: str, units: str, answer: bool) -> None:
    assert draws(question, units) == answer


def test_a_prohibition_counts() -> None:
    guard = card("Gaoler", attribute="an enemy unit adjacent to this cannot move.")
    assert not draws("this can move", "Probe f4, wolf Gaoler f5", guard)
    assert draws("this can move", "Probe f4, wolf Gaoler f6", guard)


def test_the_question_performs_no_act() -> None:
    tactic = f"if this can attack, {DRAW}."
    state = game(card("Probe", tactic=tactic)).position(
        position("Probe f4, wolf Lancer f5, wolf Scout e4", "Probe, Royal Coin", bag={"raven": ["Marshall"]})
    )
    take(state, act="tactic")
    assert len(state.position()["units"]) == 3 and "attack" not in "".join(state.log).replace("can attack", "")


def test_a_unit_that_is_gone_can_do_nothing() -> None:
    tactic = (
        "choose an adjacent enemy unit. that unit loses a coin. "
        "if that unit can move, draw a coin, then put the second coin into your hand."
    )
    for coins, drawn in ((1, 0), (2, 1)):
        here = position(f"Probe f4, wolf Knight f5 {coins}", "Probe", bag={"raven": ["Marshall"]})
        state = game(card("Probe", tactic=tactic)).position(here)
        take(state, act="tactic")
        assert state.position()["hand"]["raven"].count("Marshall") == drawn


def test_a_loop_asks_again_in_each_round() -> None:
    tactic = "until this cannot attack, attack."
    state = game(card("Probe", tactic=tactic)).position(position("Probe f4, wolf Lancer f5 3", "Probe"))
    take(state, act="tactic")
    assert [one["unit"] for one in state.position()["units"]] == ["Probe"]


def test_it_is_asked_after_an_event() -> None:
    probe = card("Probe", attribute="after this attacks, if it can attack that target, this loses a coin.")
    for coins, left in ((1, 2), (2, 1)):
        state = game(probe).position(position(f"Probe f4 2, wolf Lancer f5 {coins}", "Probe"))
        take(state, act="attack", target="f5")
        (one,) = [one for one in state.position()["units"] if one["unit"] == "Probe"]
        assert one["coins"] == left


@pytest.mark.parametrize(
    ("said", "printed"),
    [
        ("if this cannot move, attack.", "if this cannot move to a space, this attacks a target."),
        ("if no enemy unit can attack this, move.", "if no enemy unit can attack this, this moves to a space."),
        (
            "if it can move or attack, draw a coin, then put that coin into your hand.",
            "if this can move to a space, or this can attack a target, you draw a coin, then put that coin into your hand.",
        ),
        ("until this cannot move, move.", "until this cannot move to a space, this moves to a space."),
    ],
)
def test_it_is_read_back(said: str, printed: str) -> None:
    assert read(said, STEPS)[-1] == printed


def test_a_hook_is_read_back() -> None:
    said = "after this attacks a target, if this can attack that target, this loses a coin."
    assert read(said, RULES)[0] == said


@pytest.mark.parametrize(
    ("block", "text", "help"),
    [
        ("attribute", "a unit cannot attack this while this can move.", "`after …, if … can …, …`"),
        ("attribute", "when this is attacked, if it can move, it moves.", "`after …, if … can …, …`"),
        ("tactic", "if an enemy unit cannot attack this, move.", "`no enemy unit can …`"),
        ("tactic", "if you can remove this, move.", "an act that the game declares"),
        (
            "tactic",
            "if it can attack a target exactly 2 spaces away, attack a target exactly 2 spaces away.",
            "`attack a target exactly 2 spaces away if able`",
        ),
        ("tactic", "if it is able to move, attack.", "`if it can …, …`"),
        ("tactic", "choose a unit that can move. that unit moves.", "leave it out"),
    ],
)
def test_impossible_questions_get_advice(block: str, text: str, help: str) -> None:
    found = advised(card("Probe", **{block: text}))
    assert help in found[0].help, found[0].help


def test_the_options_are_those_of_an_order_if_able() -> None:
    here = position("Probe f4, wolf Lancer f5, wolf Scout c4", "Probe")
    asked = game(card("Probe", tactic="if this can attack, attack. otherwise, move.")).position(here)
    assert [one.get("target") for one in offered(asked, act="tactic")] == ["f5"]
