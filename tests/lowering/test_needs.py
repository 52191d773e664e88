"""An act that only bearers of a text can do needs one of these texts, and so does a word for several such acts."""

from __future__ import annotations

import pytest

from loaded import shipped
from warchest.lowering.code import Pick


@pytest.mark.parametrize(
    ("act", "texts"),
    [
        ("aid", {"Aid"}),
        ("escape", {"Escape"}),
        ("respond", {"Aid", "Escape", "Martyr"}),
        ("move", None),
        ("undertake", None),
        ("reply", None),
    ],
)
def test_an_act_for_bearers_alone_needs_their_texts(act: str, texts: set[str] | None) -> None:
    program = shipped("unigames").variant({}).program
    (found,) = (one.needs for one in program.acts if one.verb.name == act)
    named = {program.ruleset.sheets[number].name for number in found} if found is not None else None
    assert named == texts


def test_the_choice_of_an_agent_says_what_it_is_ordered_to_do() -> None:
    program = shipped("unigames").variant({}).program
    picks = {
        one.span.one_line: program.acts[one.orders].verb.name
        for routine in program.routines.values()
        for one in routine.instructions
        if isinstance(one, Pick) and one.orders >= 0 and one.span is not None
    }
    assert picks["a figure you control responds"] == "respond"
    assert "this attacks a foreign figure on its space" not in picks
