"""A temporary ability of a figure is said by its name, unless it has a number."""

from __future__ import annotations

import pytest

import warchest
from loaded import read_card, shipped

ABILITY = "ability: Wings\nsource: a test\nrules: |\n  after this rests, {}.\n"


@pytest.mark.parametrize(
    "said", ["this has Flight forever", "this has Flight until your next turn", "this may have Flight forever"]
)
def test_a_gained_ability_is_paraphrased_by_its_name(said: str) -> None:
    known = shipped("unigames", ABILITY.format(said))
    assert all("has +1" not in " ".join(one.sentences) for one in read_card(known, "Wings"))


def test_a_gained_ability_is_one_more_of_it() -> None:
    named, raised = (
        shipped("unigames", ABILITY.format(said)).variant().program.ruleset
        for said in ("this has Flight forever", "this has +1 Flight forever")
    )
    assert [hook.code.steps for hook in named.hooks] == [hook.code.steps for hook in raised.hooks]


def test_a_number_is_said_where_there_is_one() -> None:
    with pytest.raises(warchest.CardError) as caught:
        shipped("unigames", ABILITY.format("this has Protection forever"))
    assert "`+2 Protection`" in (caught.value.diagnostics[0].help or "")
