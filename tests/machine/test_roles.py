"""The names of the things that fill the parts of an act: each one chosen is named, under its own key."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from machine_support import card, game, offered, position, take

import warchest
from loaded import shipped
from warchest.lowering.code import SETTLED, VERBS

FRIEND_AND_FOE = "Xman f3, Scout f4, wolf Pikeman f5"
START = {"act": "tactic", "coin": "Xman", "unit": "f3"}


def with_tactic(text: str, units: str = FRIEND_AND_FOE) -> warchest.State:
    return game(card("Xman", tactic=text)).position(position(units, "Xman, Scout"))


def said(state: warchest.State, **wanted: Any) -> list[dict[str, Any]]:
    """Return the rest of each option that says something."""
    return [{key: value for key, value in data.items() if key not in wanted} for data in offered(state, **wanted)]


def reasons(state: warchest.State, **wanted: Any) -> list[str]:
    return [one["reason"] for one in state.why_not(wanted)]


# ---- each thing in each of its parts

PARTS: list[tuple[str, list[dict[str, str]]]] = [
    ("attack any friendly unit.", [{"then": "attack", "target": "f3"}, {"then": "attack", "target": "f4"}]),
    (
        "choose a friendly unit. attack any friendly unit.",
        [{"chosen": one, "then": "attack", "target": other} for one in ("f3", "f4") for other in ("f3", "f4")],
    ),
    (
        "choose another friendly unit, then that unit attacks any friendly unit.",
        [{"chosen": "f4", "then": "attack", "target": target} for target in ("f3", "f4")],
    ),
    (
        "for each friendly unit in any order, it attacks any friendly unit.",
        [
            *({"then": "attack", "target": target} for target in ("f3", "f4")),
            *({"each": "f4", "then": "attack", "target": target} for target in ("f3", "f4")),
        ],
    ),
]


@pytest.mark.parametrize("text, wanted", PARTS, ids=[text for text, _ in PARTS])
def test_choices_are_named_in_options_by_their_last_names(text: str, wanted: list[dict[str, str]]) -> None:
    state = with_tactic(text)
    assert said(state, **START) == wanted
    labels = [option.label for option in state.decision.options] if state.decision is not None else []
    for one in wanted:
        rest = ", ".join(f"{key} {value}" for key, value in one.items())
        assert f"tactic: coin Xman, unit f3, {rest}" in labels


def test_a_permission_for_oneself_uses_the_usual_key() -> None:
    state = game(card("Xman", attribute="this may attack a friendly unit.")).position(position("Xman f3", "Xman"))
    assert offered(state, act="attack") == [{"act": "attack", "coin": "Xman", "unit": "f3", "target": "f3"}]


def test_a_determined_part_with_its_own_key_is_named() -> None:
    state = with_tactic("choose a friendly unit, then that unit attacks this.")
    found = said(state, **START, then="attack", target="f3")
    assert [one["chosen"] for one in found] == ["f3", "f4"]


def test_a_choice_with_one_candidate_is_named_by_its_role() -> None:
    state = with_tactic("choose another friendly unit, then attack that unit.")
    (found,) = said(state, **START)
    assert found["target"] == "f4" and "chosen" not in found


@pytest.mark.parametrize("many", [2, 3])
def test_every_one_of_several_equal_coins_is_said(many: int) -> None:
    text = f"after this moves, you may {'discard a coin in your hand, then ' * many}move."
    state = game(card("Xman", attribute=text)).position(position("Xman f3", "Xman" + ", Scout" * many))
    take(state, act="move", coin="Xman", to="f4")
    keys = ["coin", "discard", "coin 3"][:many]
    (found,) = offered(state, act="move", to="f5")
    assert found == {"act": "move", **dict.fromkeys(keys, "Scout"), "unit": "f4", "to": "f5"}
    label = ", ".join(f"{key} Scout" for key in keys)
    assert state.why_not(f"move: {label}, unit f4, to f5") == []
    assert reasons(state, **{keys[-1]: "Knight"}) == ["a Knight coin is not: a coin in your hand (in raven's hand)"]
    (wrong,) = state.why_not(f"move: {label}, unit f4, to f6".replace(f"{keys[-1]} Scout", f"{keys[-1]} Knight"))
    assert wrong["reason"] == "a Knight coin is not: a coin in your hand (in raven's hand)"


# ---- options that could read the same


@pytest.mark.parametrize(
    "text",
    [
        "choose a friendly unit. either move, or that unit moves.",
        "either linger, or do nothing.\nattack another friendly unit.",
        "either choose a friendly unit, or do nothing.\nattack another friendly unit.",
    ],
)
def test_ways_with_the_same_words_are_distinguished(text: str) -> None:
    state = with_tactic(text)
    assert state.decision is not None
    options = state.decision.options
    assert len({option.label for option in options}) == len(options) == len({option.path.taken for option in options})
    assert all(sum(other == option for other in options) == 1 for option in options)
    for number, option in enumerate(options):
        assert with_tactic(text).apply(option) == with_tactic(text).apply(number)


def test_the_agent_is_named_where_options_are_otherwise_equal() -> None:
    state = with_tactic("choose a friendly unit. either move, or that unit moves.")
    found = said(state, **START, chosen="f4", to="e4")
    assert found == [{"then": "move"}, {"then": "move", "move": "f4"}]


# ---- reasons by the same keys

WHY: list[tuple[str, dict[str, str], list[str]]] = [
    ("attack any friendly unit.", {"target": "f3"}, []),
    ("attack another friendly unit.", {"target": "f3"}, ["raven's Xman on f3 is not: another friendly unit"]),
    (
        "attack another friendly unit.",
        {"target": "f5"},
        ["wolf's Pikeman on f5 is not: the team of its owner is your team (it is wolf, not raven)"],
    ),
    ("choose another friendly unit. attack any friendly unit.", {"chosen": "f4", "target": "f3"}, []),
    (
        "choose another friendly unit. attack another friendly unit.",
        {"chosen": "f4", "target": "f3"},
        ["raven's Xman on f3 is not: another friendly unit"],
    ),
    (
        "choose another friendly unit. attack any friendly unit.",
        {"chosen": "f3", "target": "f3"},
        ["raven's Xman on f3 is not: another friendly unit"],
    ),
    (
        "choose another friendly unit, then attack that unit.",
        {"target": "f3"},
        ["raven's Xman on f3 is not: another friendly unit"],
    ),
    (
        "choose another friendly unit, then that unit attacks this.",
        {"target": "f4"},
        ["this act does not go with target f4"],
    ),
]


@pytest.mark.parametrize("text, asked, why", WHY, ids=[f"{text} {asked}" for text, asked, _ in WHY])
def test_why_not_knows_each_part(text: str, asked: dict[str, str], why: list[str]) -> None:
    state = with_tactic(text)
    assert reasons(state, **START, **asked) == why
    assert reasons(state, act="tactic", coin="Xman", **asked) == why


# ---- in whole games


@pytest.mark.parametrize("name", ["war-chest", "unigames"])
@pytest.mark.parametrize("seed", range(2))
def test_no_choice_is_left_out(name: str, seed: int) -> None:
    state, chance = shipped(name).new(seed=seed), Random(seed)
    naming, seen = state.variant.naming, 0
    for _ in range(80):
        if state.decision is None:
            break
        for option in state.decision.options if not state.decision.is_chance else ():
            chosen = [
                str(naming.name(base, value, option.moment))
                for key, base, value in option.path.notes
                if key not in VERBS and not key.endswith(SETTLED)
            ]
            assert Counter(chosen) <= Counter(map(str, option.data.values())), (option.path.notes, option.data)
            seen += len(chosen)
        state.apply(state.decision.sample(chance))
    assert seen > 100


def test_a_reason_names_the_coin_and_the_owner() -> None:
    state = shipped("war-chest").position(position("Archer f3", "Scout"))
    assert reasons(state, act="move", coin="Scout") == [
        "raven's Archer on f3 is not: of its type (it is Archer, the coin Scout)"
    ]
    assert reasons(state, act="recruit", coin="Scout", recruit="Lancer") == [
        "a Lancer coin is not: a coin in your supply (in raven's supply)"
    ]
