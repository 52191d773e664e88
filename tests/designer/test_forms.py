"""Short forms of sentences: places swapped, some of yours, plurals of names, relative clauses, a letter for a range."""

from __future__ import annotations

from pathlib import Path

import pytest

import warchest
from lint.lint_support import codes
from machine.machine_support import card, game, offered, position, refused, spaces, take
from squares.squares_support import position as standing

# ---- places are swapped


@pytest.mark.parametrize(
    "tactic",
    [
        "swap places with an enemy unit within 2 spaces of this.",
        "choose an enemy unit within 2 spaces of this. this swaps places with that unit.",
        "choose an enemy unit within 2 spaces of this. that unit swaps places with this.",
    ],
)
def test_two_units_swap_places(tactic: str) -> None:
    state = game(card("Trickster", tactic=tactic)).position(
        position("Trickster f4, wolf Scout f6 2, wolf Knight c4", "Trickster")
    )
    take(state, act="tactic")
    assert spaces(state) == {"Trickster": "f6", "Scout": "f4", "Knight": "c4"}
    told = [line for line in (one.text for one in state.trace) if "f6" in line or "f4" in line]
    assert len(told) >= 2


def test_no_unit_swaps_places_with_a_lost_unit() -> None:
    tactic = "choose an adjacent enemy unit. that unit loses a coin. swap places with that unit."
    state = game(card("Trickster", tactic=tactic)).position(position("Trickster f4, wolf Scout f5", "Trickster"))
    take(state, act="tactic")
    assert spaces(state) == {"Trickster": "f4"}


@pytest.mark.parametrize(
    ("tactic", "name"),
    [
        ("swap places with this.", "says-nothing"),
        ("swap places with an adjacent space.", "wrong-kind"),
        ("swap places.", "unknown-role"),
        ("swap this with an adjacent unit.", "syntax-error"),
        ("move with an adjacent unit.", "unknown-role"),
    ],
)
def test_wrong_swaps_are_refused(tactic: str, name: str) -> None:
    assert name in codes(refused(card("Trickster", tactic=tactic)))


# ---- some of yours


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("choose one of your units. that unit moves.", "choose a unit of you. that unit moves."),
        (
            "choose one of your Scouts adjacent to this. that unit moves.",
            "choose a Scout of you adjacent to this. that unit moves.",
        ),
        (
            "for each of your bolstered units in any order, it may move.",
            "for each bolstered unit of you in any order, it may move.",
        ),
        ("if none of your Scouts is adjacent to this, move.", "if no Scout of you is adjacent to this, move."),
    ],
)
def test_some_of_yours_are_those_that_you_own(short: str, long: str) -> None:
    here = position("Captain f4, Scout f5 2, Archer e4, wolf Knight e5 2", "Captain")
    options = [offered(game(card("Captain", tactic=tactic)).position(here)) for tactic in (short, long)]
    assert options[0] == options[1] and len(options[0]) > 1


def test_only_units_of_yours_are_among_them() -> None:
    tactic = "choose one of your units. that unit loses a coin."
    state = game(card("Captain", tactic=tactic)).position(position("Captain f4 2, Scout c4, wolf Knight f5", "Captain"))
    assert len(offered(state, act="tactic")) == 2


@pytest.mark.parametrize(
    ("tactic", "help"),
    [
        ("choose one of your unit.", "say `one of your units`"),
        ("for each of your Footman in any order, it may move.", "say `for each of your Footmen`"),
        ("put one of your coins into your bag.", "say `a coin in …`"),
        ("attack an Archers.", "say `an Archer`"),
        ("attack Archers.", "say `an Archer`, or begin with `for each … in any order, …`"),
    ],
)
def test_singular_and_plural_are_distinguished(tactic: str, help: str) -> None:
    assert refused(card("Captain", tactic=tactic))[0].help == help


# ---- plurals of names


def test_coins_of_a_name_are_counted_in_the_zone_of_any_player() -> None:
    counting = card("Banker", tactic="if the number of Scouts in a supply is at least 3, move.")
    for number in (2, 3):
        here = position("Banker f4", "Banker", supply={"wolf": ["Scout"] * number})
        moves = [one for one in offered(game(counting).position(here), act="tactic") if "to" in one]
        assert bool(moves) == (number == 3)


def test_several_of_a_name_are_put_somewhere() -> None:
    tactic = "put 2 Scouts in your supply into your bag."
    here = position("Banker f4", "Banker", supply={"raven": ["Scout"] * 3})
    state = game(card("Banker", tactic=tactic)).position(here)
    take(state, act="tactic")
    assert state.position()["bag"]["raven"].count("Scout") + state.position()["hand"]["raven"].count("Scout") == 2


def test_a_name_has_the_plural_that_its_document_says() -> None:
    goose = card("Goose", attribute="the limit of this is 2.").replace("unit: Goose", "unit: Goose\nplural: Geese")
    keeper = card("Keeper", tactic="for each of your Geese in any order, it may move.")
    assert game(goose, keeper)
    assert codes(refused(goose, keeper.replace("Geese", "Gooses"))) == ["unknown-word"]
    assert codes(refused(goose.replace("Geese", "Archers"))) == ["name-is-a-word"]


def test_a_name_that_is_the_plural_of_another_is_refused() -> None:
    assert codes(refused(card("Ghost"), card("Ghosts"))) == ["name-is-a-word"]


# ---- relative clauses


def test_whose_introduces_a_property_of_a_thing() -> None:
    tactic = "attack an enemy unit within 2 spaces of this whose height is at least 2."
    state = game(card("Judge", tactic=tactic)).position(
        position("Judge f4, wolf Scout f5, wolf Lancer f6 2, wolf Archer e4 3", "Judge")
    )
    assert {one["target"] for one in offered(state, act="tactic")} == {"f6", "e4"}


def test_a_range_can_be_worked_out() -> None:
    tactic = "attack an enemy unit whose distance is at most 1 + the height of this."
    for coins, reached in ((1, {"f5", "f6"}), (2, {"f5", "f6", "f7"})):
        here = position(f"Judge f4 {coins}, wolf Scout f5, wolf Lancer f6, wolf Archer f7", "Judge")
        text = card(
            "Judge",
            tactic=tactic.replace("1 + the height of this", "the reach of this"),
            attribute="the reach of this is 1 + its height.",
        )
        words = "words: Reach\nnumbers: [reach]\n"
        usual = card("Reaching", kind="action", rules="the reach of a unit is 1.")
        state = game(words, usual, text).position(here)
        assert {one["target"] for one in offered(state, act="tactic")} == reached


def test_a_sum_after_a_relative_clause_is_ambiguous() -> None:
    tactic = "if its height is at least the number of units whose height is at least 2 + 1, move."
    assert codes(refused(card("Judge", tactic=tactic))) == ["not-definite"]


@pytest.mark.parametrize(
    ("tactic", "name"),
    [
        ("choose a unit whose hand is at least 2.", "no-such-attribute"),
        ("choose a unit whose height is bolstered.", "wrong-kind"),
    ],
)
def test_wrong_relative_clauses_are_refused(tactic: str, name: str) -> None:
    assert codes(refused(card("Judge", tactic=tactic))) == [name]


# ---- a letter says how far


@pytest.mark.parametrize(
    ("far", "halted"),
    [
        ("within X spaces of this", {"c3", "d3"}),
        ("exactly X spaces of this", {"d3"}),
        ("within 2 spaces of this", {"c3", "d3"}),
    ],
)
def test_a_letter_says_how_far(far: str, halted: set[str], tmp_path: Path) -> None:
    head, bears = ("parameters: [X]\n", "Gaze (2)") if "X" in far else ("", "Gaze")
    rules = f"rules: |\n  a figure {far} cannot move.\n"
    (tmp_path / "gaze.yaml").write_text(f"ability: Gaze\n{head}source: a test\n{rules}", encoding="utf-8")
    for name, listed in (("Gazer", f'"{bears}"'), ("Near", ""), ("Mid", ""), ("Far", "")):
        sheet = f"figure: {name}\nattack: 1\ndefense: 1\nmove: 1\ncost: 10\nabilities: [{listed}]\nsource: a test\n"
        (tmp_path / f"{name}.yaml").write_text(sheet, encoding="utf-8")
    made = warchest.load("unigames", extra=[tmp_path])
    state = standing(made, "P2 Gazer b3 s, P1 Near c3 n, P1 Mid d3 n, P1 Far f3 n")
    assert state.decision is not None
    assert {"c3", "d3", "f3"} - {one["figure"] for one in offered(state, **{"as": "move"})} == halted
