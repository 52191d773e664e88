"""Answers to an event: before it, only the participants need be asked; after it, all may."""

from __future__ import annotations

import pytest

from loaded import shipped
from warchest.engine.events import is_answered
from warchest.game.state import State
from warchest.ir.values import NOTHING

GAME = shipped("unigames")
DRAINER, SISTER, RIDER = "Bandit Chief", "Dianite Sister", "Dianite Rider"


def standing(*names: str) -> State:
    """Return a state with a figure of each name on a square of its own, the first one's player to move."""
    figures = [
        {"name": name, "owner": "P1" if number == 0 else "P2", "at": f"{'abcdefgh'[number]}4", "facing": "n"}
        for number, name in enumerate(names)
    ]
    return GAME.position({"turn": "P1", "figures": figures})


def answered(state: State, verb: str, *pieces: str) -> bool:
    """Whether an act that pieces have to do with would be answered."""
    program, memory = state.variant.program, state.run.memory
    number = next(act.number for act in program.acts if act.verb.name == verb)
    layout = program.layout
    kinds = [layout.of_document + layout.ruleset.sheet_number(name) for name in pieces]
    where = [memory[cell].bit_length() - 1 for cell in kinds]
    return is_answered(state.run, program.acts[number], (where[0], 0, NOTHING, *where))


@pytest.mark.parametrize(("who", "expected"), [((RIDER, SISTER), True), ((SISTER, RIDER), False)])
def test_before_an_act_only_units_in_that_role_answer(who: tuple[str, str], expected: bool) -> None:
    assert answered(standing(*who), "fall", *who) == expected


def test_after_an_act_new_bearers_of_a_rule_may_answer() -> None:
    assert not answered(standing(SISTER, DRAINER), "backtrack", SISTER)
    assert answered(standing(SISTER, RIDER), "backtrack", SISTER)
