"""Relative clauses about acts under way: `a unit that attacks this`, `each unit that attacks or moves`."""

from __future__ import annotations

from functools import cache

import pytest

import warchest
from designer.reading_support import advised
from loaded import said_by
from machine.machine_support import Data, card, coins, game, offered, position, refused, round_trips, take
from warchest import State
from warchest.words import words_at


@cache
def warded(attribute: str) -> warchest.Game:
    return game(card("Ward", attribute=attribute))


def attacked(attribute: str, target: str = "f5", by: str = "Scout", more: str = "") -> State:
    """Return the state after a unit has attacked a Ward beside it, or a Knight there."""
    units = f"{by} f4 3, wolf Ward f5 3, wolf Knight e4 3{more}"
    state = warded(attribute).position(position(units, f"{by}, {by}"))
    round_trips(state)
    return take(state, act="attack", target=target)


def moves_on(state: State) -> list[Data]:
    return offered(state, act="move")


@pytest.mark.parametrize(
    ("attribute", "target", "left"),
    [
        ("when an enemy unit attacks this, each unit that attacks this loses a coin.", "f5", 2),
        ("after an enemy unit attacks, each enemy unit that attacks this loses a coin.", "e4", 3),
        ("after an enemy unit attacks, for each unit that attacks or moves, it loses a coin.", "e4", 2),
        ("before this is attacked, choose a unit that attacks this, then that unit loses a coin.", "f5", 2),
        ("before a unit attacks, if the number of units that attack this is 1, that unit loses a coin.", "f5", 2),
        ("before a unit attacks, if the number of units that attack this is 1, that unit loses a coin.", "e4", 3),
        (
            "before a unit attacks, if a unit that attacks a Knight is adjacent to this, that unit loses a coin.",
            "e4",
            2,
        ),
        (
            "before a unit attacks, if a unit that attacks a Knight is adjacent to this, that unit loses a coin.",
            "f5",
            3,
        ),
        (
            "before a unit attacks, if all units that attack a unit adjacent to this are friendly, that unit loses a coin.",
            "f5",
            2,
        ),
        ("before a unit attacks, if no unit that attacks this is adjacent to this, that unit loses a coin.", "f5", 3),
        ("before a unit attacks, if it is a unit that attacks a Knight, it loses a coin.", "e4", 2),
        # A second act is under way within the first one.
        ("after an enemy unit attacks, this attacks an enemy unit that attacks a Knight.", "e4", 2),
        (
            "after an enemy unit attacks, if the number of units that attack is 1, this attacks an adjacent enemy unit. "
            "when this attacks, each unit that attacks loses a coin.",
            "e4",
            1,
        ),
    ],
)
def test_agents_of_an_act_under_way_are_found(attribute: str, target: str, left: int) -> None:
    assert coins(attacked(attribute, target))["f4"] == left


def test_an_attacker_is_forbidden_to_move() -> None:
    forbids = "a unit that attacks this cannot move."
    assert moves_on(attacked(forbids, "e4", "Swordsman")) and not moves_on(attacked(forbids, "f5", "Swordsman"))
    assert not moves_on(attacked("an enemy unit that attacks cannot move.", "e4", "Swordsman"))
    assert moves_on(attacked("an enemy unit that moves to a location cannot attack.", "e4", "Swordsman"))


def test_an_attack_on_an_attacker_is_permitted() -> None:
    far = (
        "this may attack a unit exactly 2 spaces away that attacks a friendly unit. "
        "after a unit attacks, this may attack."
    )
    asked = attacked(far, "e4", more=", Archer f7 3, Lancer d5 3")
    assert [one["target"] for one in offered(asked, act="attack")] == ["f4"]
    round_trips(asked)


@pytest.mark.parametrize(
    "attribute",
    [
        "a unit that attacks cannot move to a space.",
        "a unit that moves to a location cannot attack a target.",
        "an enemy unit that attacks or moves cannot move to a space.",
        "after a unit attacks a target, for each enemy unit that attacks a Knight, that enemy unit loses a coin.",
        "this may attack an enemy unit that maneuvers.",
        "this may attack an enemy unit adjacent to this that attacks a unit that maneuvers.",
        "a unit cannot attack this unless a unit that moves is on a location.",
    ],
)
def test_readings_say_it_again(attribute: str) -> None:
    said = said_by(warded(attribute), "Ward")
    assert said == [attribute]


@pytest.mark.parametrize(
    ("clause", "at", "say"),
    [
        ("that has attacked this", "that has attacked", "`that attacks`"),
        ("that is attacking this", "that is attacking", "`that attacks`"),
        ("that was attacking this", "that was attacking", "`that attacks`"),
        ("which attacks this", "which attacks", "`that attacks`"),
        ("who attacks this", "who attacks", "`that attacks`"),
        ("that attacked this", "that attacked", "`that attacks`"),
        ("that may attack this", "that may attack", "`that attacks`"),
        ("attacking this", "attacking", "`that attacks`"),
        ("that controls its space", "controls", "`while that unit controls its space`"),
        ("that attacks or controls its space", "controls", "`while that unit controls its space`"),
        ("that is attacked by this", "that is attacked", "`… while this attacks that …`"),
        ("this attacks", "attacks", "`… while this attacks that unit`"),
        ("that does not attack this", "does", "`… unless that … attacks …`"),
        ("that attacks or moves this", "this", "it is said as `move to a space`"),
        ("that moves or attacks this or controls", "or", "`that moves or controls …`"),
        ("that recruits", "recruits", "that is something a player does"),
        ("that falls", "that falls", ""),
        ("that takes a coin", "takes", "`a unit whose … is …`"),
        ("that attacks this twice", "twice", ""),
        ("that this attacks", "that this", "say `this`"),
        ("that a unit attacks", "that a", "say `a`"),
        ("attacked by this", "attacked", "`… while this attacks that unit`"),
        ("bolstered by you", "bolstered", "`… while you bolster that unit`"),
        ("that attacks this and is bolstered", "and", "`… while that … is …`"),
    ],
)
def test_nearly_right_clauses_get_advice(clause: str, at: str, say: str) -> None:
    (found,) = advised(card("Ward", attribute=f"a unit {clause} cannot move."))
    assert found.span is not None
    assert (found.span.one_line, say in found.help) == (at, True), found


@pytest.mark.parametrize(
    ("text", "help"),
    [
        ("units that attack this cannot move", "`a unit that attacks this cannot move.`"),
        ("units that attack or move cannot move", "`a unit that attacks or moves cannot move.`"),
        ("a unit on a location controlled by you cannot move", "say `location you control`"),
        ("a unit attacked by an enemy unit cannot move", "`… while an enemy unit attacks that unit`"),
        ("this cannot move if it has 1 coin", "say `the number of coins in it is 1`"),
        ("while this has at least two coins, it may move", "say `the number of coins in this is at least 2`"),
        ("this may move if it has moved", "`it moves`, or let a field keep it: `after it moves, …`"),
        ("this may move if it has a fort", "`a … is in it` of tokens"),
        ("this may move if you have two coins", "say `the number of coins in your … is 2`"),
        ("this may move if you have the initiative", "`your … is …` or `you are the …` of a field"),
    ],
)
def test_first_attempts_of_a_designer_get_advice(text: str, help: str) -> None:
    (found,) = advised(card("Ward", attribute=f"{text}."))
    assert help in found.help


@pytest.mark.parametrize(
    ("begun", "some", "none"),
    [
        ("a unit that ", {"attacks", "moves", "is"}, {"may", "cannot", "attacked"}),
        ("a unit that attacks ", {"or", "this", "a", "cannot"}, {"attacked"}),
        ("a unit that moves to ", {"a", "this"}, {"cannot"}),
        ("this may attack a unit that attacks or ", {"moves", "controls"}, {"a", "this"}),
    ],
)
def test_editors_complete_it(begun: str, some: set[str], none: set[str]) -> None:
    text = card("Ward", attribute=f"{begun}x")
    place = text.index(f"{begun}x") + len(begun)
    found = words_at(text[:place], place, game())
    assert found is not None
    told = {one.text for one in found}
    assert some <= told and not none & told


def test_why_not_names_the_relative_clause() -> None:
    zap = card("Zap", kind="action", rules="to zap a unit: do nothing.")
    words = f"words: Zaps\nverbs: {{zap: {{by: unit}}}}\n---\n{zap}"
    usual = "normally, this zaps a unit that attacks. after a unit attacks, this may zap."
    state = game(words, card("Ward", attribute=usual)).position(
        position("Scout f4 3, wolf Ward f5 3, wolf Knight e4 3", "Scout, Scout")
    )
    take(state, act="attack", target="e4")
    assert [one["zap"] for one in offered(state, act="zap")] == ["f4"]
    assert [one["reason"] for one in state.why_not({"act": "zap", "unit": "f5", "zap": "e4"})] == [
        "wolf's Knight on e4 is not: that attacks"
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "displace an enemy unit that moves to a location.",
        "attack a target that moves to a location.",
        "attack a target adjacent to a unit that moves to a location.",
    ],
)
def test_a_role_that_two_verbs_could_have_is_refused(sentence: str) -> None:
    (found,) = refused(card("Ward", tactic=sentence))
    assert found.name == "unclear-reach" and found.span is not None and found.span.text == "to a location"
    assert found.help.startswith("choose first, `choose ")
