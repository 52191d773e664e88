"""Rules that follow at once are checked whenever their subjects have changed, and only then."""

from __future__ import annotations

from dataclasses import replace

import pytest
from machine_support import card, comes_back, game, position, take, units

import warchest
from loaded import shipped
from warchest import State
from warchest.engine.plain_steps import PLAIN
from warchest.ir.followed_changes import Watched
from warchest.ir.steps import SetField
from warchest.ir.values import Var
from warchest.lowering.code import Plain
from warchest.lowering.failure import Failure
from warchest.lowering.layout import UNSETTLED

WORDS = "words: more\nadjectives: [odd]\n"


def following(text: str) -> warchest.Game:
    """Return War Chest with a rule that removes odd units at once."""
    rule = f"a unit is odd when {text}.\nwhen a unit is odd, remove that unit."
    return game(WORDS, card("Following", kind="action", rules=rule))


def watched(of: warchest.Game) -> Watched:
    return of.new(seed=1).run.program.layout.watched


CASES = {
    "where pieces are": (
        "a Knight is adjacent to it and it is not a Knight",
        position("Archer f4, wolf Knight f6", "Archer", "Knight"),
        {"act": "move", "to": "f5"},
        {"f6": ("Knight", 1)},
    ),
    "which pieces come": (
        "the number of units is at least 3",
        position("Archer f4, wolf Knight f6", "Scout", "Knight"),
        {"act": "deploy", "to": "e4"},
        {"f4": ("Archer", 1), "f6": ("Knight", 1)},
    ),
    "which pieces go": (
        "no Swordsman is on a space",
        position("Archer f4, wolf Scout c4, wolf Swordsman f6", "Archer", "Scout"),
        {"act": "tactic", "target": "f6"},
        {},
    ),
    "what comes to a piece": (
        "its height is at least 3",
        position("Archer f4 2, wolf Knight f6", "Archer", "Knight"),
        {"act": "bolster"},
        {"f6": ("Knight", 1)},
    ),
    "what leaves a zone": (
        "no coin is in the supply of its owner",
        position("Archer f4, wolf Knight f6", "Archer", "Knight", supply={"raven": ["Archer"], "wolf": ["Knight"]}),
        {"act": "recruit", "coin": "Archer"},
        {"f6": ("Knight", 1)},
    ),
    "what comes to a zone": (
        "the number of coins in the discard of its owner is at least 2",
        position("Archer f4, wolf Knight f6", "Archer", "Knight", discard={"raven": {"up": ["Archer"]}}),
        {"act": "pass"},
        {"f6": ("Knight", 1)},
    ),
    "what is noted": (
        "its owner is the holder of the initiative",
        position("Archer f4, wolf Knight f6", "Archer", "Knight", initiative="wolf"),
        {"act": "claim"},
        {},
    ),
}


def _begun(name: str) -> State:
    text, begun, _, _ = CASES[name]
    return following(text).position(begun)


@pytest.mark.parametrize("name", CASES)
def test_a_rule_is_checked_when_its_case_changes(name: str) -> None:
    _, _, wanted, left = CASES[name]
    state = take(_begun(name), **wanted)
    assert units(state) == left
    comes_back(state)


def test_other_changes_do_not_check_the_rule() -> None:
    """Otherwise each move and each discard, in trials too, would cost as much as one that matters."""
    of = watched(game())
    assert of.stacks and of.arrivals and not (of.departures or of.places or of.zones)
    assert watched(following(CASES["what leaves a zone"][0])).zones


def test_the_presence_of_a_piece_does_not_depend_on_its_place() -> None:
    of = watched(following("no Knight is on a space"))
    assert of.departures and not of.places
    assert watched(following("no Knight is on a location")).places


def test_no_check_is_pending_when_a_player_decides() -> None:
    for name in CASES:
        state = take(_begun(name), **CASES[name][2])
        assert not state.run.memory[UNSETTLED]


@pytest.mark.parametrize("new", [0, 1])
def test_only_a_field_that_changes_makes_something_follow(new: int) -> None:
    state = shipped("unigames").new(seed=1)
    program, run = state.run.program, state.run
    of_pieces = program.layout.watched.fields & program.layout.piece_field.keys()
    orders = (step for verb in program.ruleset.verbs for way in verb.definitions for step in way.code.steps)
    order = next(one for one in orders if isinstance(one, SetField) and one.field in of_pieces)
    step = replace(order, of=Var(3, "piece"), value=Var(4, "number"))
    run.memory[UNSETTLED], before = 0, run.mark()
    cell = program.layout.piece(2) + program.layout.piece_field[step.field]
    run.memory[cell] = 0
    plain = Plain(step, False, span=step.span, failure=Failure.NEVER)
    PLAIN[SetField](run, (-1, -1, -1, 2, new), plain)
    assert run.memory[cell] == new and run.memory[UNSETTLED] == new
    run.undo(before)
    assert run.memory[cell] == run.memory[UNSETTLED] == 0
