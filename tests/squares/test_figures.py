"""The house-made figures: their costs by the stated formula, squads within the limit, every ability in use."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import warchest
from loaded import documents, shipped
from warchest.documents.library import Document

ROOT = Path(__file__).resolve().parents[2]
PEOPLES = {"bandits", "dianites", "dwarves", "goblins", "hykolarans", "kotharians"}
LIBRARY = documents("unigames")
FIGURES = {one.name: one for one in LIBRARY.of_kind("figure")}


@cache
def prices() -> dict[str, tuple[int, int]]:
    """The costs of abilities, and of a point of each, by the table in the documentation."""
    text = (ROOT / "docs" / "explanation" / "unigames.md").read_text(encoding="utf-8")
    found = re.findall(r"([A-Z][A-Za-z-]+(?: [A-Z][a-z]+)?) \| (-?\d+) \| (\d+)", text)
    return {name: (int(fixed), int(point)) for name, fixed, point in found}


def cost(figure: Document) -> int:
    """The cost of a figure by the formula."""
    total = figure.values["attack"] + figure.values["defense"] + figure.values["move"] // 2
    for ability in figure.values.get("abilities", ()):
        name, _, filled = ability.partition(" (")
        fixed, point = prices()[name]
        total += fixed + point * sum(map(int, re.findall(r"\d+", filled)))
    return int(total)


OURS = ("Summonry",)
"""Abilities that the rulebook has within another one: Summon with several classes."""


def test_the_documentation_says_what_each_ability_of_the_rulebook_does() -> None:
    """The table names each once, and the open questions by their numbers in the cards."""
    text = (ROOT / "docs" / "explanation" / "unigames.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([A-Z][^|]+) \| ([^|]{20,}) \|([^|]*)\|$", text, re.MULTILINE)
    known = {one.name for one in LIBRARY.of_kind("ability")} - set(OURS)
    assert sorted(name for name, _, _ in rows) == sorted(known)
    numbers = set(re.findall(r"\bR[0-9]+\b", " ".join(asked for *_, asked in rows)))
    cards = ROOT / "cards" / "unigames"
    cited = {found for path in cards.rglob("*.yaml") for found in re.findall(r"\bR[0-9]+\b", path.read_text())}
    assert numbers and numbers <= cited


def test_the_table_prices_every_ability() -> None:
    assert set(prices()) == {one.name for one in LIBRARY.of_kind("ability")}
    assert len(prices()) == 35 + len(OURS)


def test_costs_of_figures_follow_the_formula() -> None:
    costs = {name: figure.values["cost"] for name, figure in FIGURES.items()}
    assert costs == {name: cost(figure) for name, figure in FIGURES.items()}


def test_there_are_six_peoples_and_every_ability_is_used_twice() -> None:
    assert len(FIGURES) >= 30
    assert {one.values["set"] for one in FIGURES.values()} == PEOPLES
    used = Counter(one.partition(" (")[0] for figure in FIGURES.values() for one in figure.values.get("abilities", ()))
    assert min(used[name] for name in prices() if name not in OURS) >= 2


@pytest.mark.parametrize("setup", sorted(one.name for one in LIBRARY.of_kind("setup")))
def test_the_squads_of_the_setups_can_be_played(setup: str) -> None:
    state = shipped("unigames").new(seed=1, setup=setup)
    while state.decision is not None and state.position()["actions_left"] == 0:
        state.apply(state.decision.options[-1])
    assert state.turn == 1
    assert len(state.position()["figures"]) >= 8
    # The rest of the limit pays for figures of any class.
    for squad, pool in zip(setups_squads(setup), state.position()["pools"].values(), strict=True):
        assert pool.get("generic", 0) == 48 - sum(FIGURES[name].values["cost"] for name in squad)


def setups_squads(name: str) -> list[list[str]]:
    """The squads of a setup, by player."""
    found = next(one for one in LIBRARY.of_kind("setup") if one.name == name)
    return list(found.values["armies"].values())


@pytest.mark.parametrize("ability", sorted(one.name for one in LIBRARY.of_kind("ability")))
def test_every_ability_has_rulings_for_itself_with_others_and_at_its_edge(ability: str) -> None:
    (document,) = (one for one in LIBRARY.of_kind("ability") if one.name == ability)
    assert len(document.values["rulings"]) >= 3


def test_every_reading_is_recorded_as_ours() -> None:
    """R1 to R42, where they decide something: a ruling, or the text that they are about."""
    written = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "cards" / "unigames").rglob("*.yaml"))
    recorded = {int(number) for line in re.findall("ruling: (.*)", written) for number in re.findall(r"R(\d+)", line)}
    assert recorded == set(range(1, 43))


def test_a_squad_over_the_limit_is_refused() -> None:
    squads = {"P1": ["Goblin Shaman"] * 4, "P2": ["Dwarf Spear"]}
    with pytest.raises(warchest.PositionError, match=r"armies\.P1.*52.*48"):
        shipped("unigames").new(seed=1, armies=squads)
