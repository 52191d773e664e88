"""Every ruling beside the shipped cards, one test each."""

from __future__ import annotations

from pathlib import Path

import pytest

from loaded import documents, shipped
from warchest.rulings.cases import Case, cases_in
from warchest.rulings.runner import run_case

CARDS = Path(__file__).resolve().parents[2] / "cards"
GAMES = sorted(folder.name for folder in CARDS.iterdir() if (folder / "game.yaml").is_file())


CASES = [(name, case) for name in GAMES for case in cases_in(documents(name))]
IDS = [f"{case.card}: {case.name}" for _, case in CASES]
FIRST = {case.card: case for _, case in reversed(CASES)}
"""The first ruling of each card, which is checked more often than the others."""
GIVEN = [
    pytest.param(name, case, id=named, marks=[pytest.mark.quick] if FIRST[case.card] is case else [])
    for (name, case), named in zip(CASES, IDS, strict=True)
]


@pytest.mark.parametrize(("name", "case"), GIVEN)
def test_ruling(name: str, case: Case) -> None:
    result = run_case(shipped(name), case)
    assert result.outcome == "passed", f"{case.place}\n{result.message}"


def test_there_are_many_rulings() -> None:
    assert len([case for name, case in CASES if name == "war-chest"]) >= 120


def test_each_cites_a_source() -> None:
    assert [case.place for _, case in CASES if not case.source] == []


def test_no_two_have_the_same_name() -> None:
    assert len(set(IDS)) == len(IDS)
