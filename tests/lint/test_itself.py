"""Orders that could be turned on their agent say so, or are a finding; they are played as they say."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from lint_support import lint_among

import warchest
from warchest.diagnostics.diagnostic import Diagnostic

OPEN = [
    "attack a friendly unit.",
    "attack a unit.",
    "attack an own Halberdier.",
    "attack a bolstered unit.",
    "attack an unbolstered friendly unit on a location.",
    "you may draw a coin, then put that coin into your hand, then attack a friendly unit.",
    "if it is bolstered, attack a friendly unit.",
    "either move, or attack a friendly unit.",
    "choose a friendly unit. attack that unit.",
]
SAID = [
    "attack any friendly unit.",
    "attack another friendly unit.",
    "attack a unit 0-2 spaces away.",
    "choose any friendly unit. attack that unit.",
    "choose another friendly unit. attack that unit.",
]
NEVER = [
    "attack.",
    "attack a target.",
    "attack an enemy unit.",
    "attack an adjacent unit.",
    "attack a friendly unit adjacent to this.",
    "attack a unit adjacent to its space.",
    "attack a friendly unit within 2 spaces of this.",
    "attack a unit exactly 2 spaces away in a straight line through open spaces.",
    "attack a Scout.",
    "attack a fort.",
    "choose a friendly unit. that unit moves.",
    "choose a friendly unit. bolster that unit using a coin in your supply of its type.",
]


def unit(text: str, key: str = "tactic") -> str:
    return f"unit: Halberdier\nset: base\ncoins: 4\nsource: none\n{key}: |\n  {text}\n"


def findings(text: str, folder: Path, key: str = "tactic", others: Iterable[str] = ()) -> list[Diagnostic]:
    """The findings in a unit that has a text, linted together with those that have others."""
    return lint_among(folder, unit(text, key), [unit(one, key) for one in others])


@pytest.mark.parametrize("text", OPEN)
def test_a_unit_that_could_be_itself_is_a_finding(text: str, tmp_path: Path) -> None:
    (found,) = findings(text, tmp_path, others=OPEN)
    assert (found.name, found.severity) == ("may-be-itself", "warning")
    assert found.span is not None and found.span.text in text and f"`{found.span.text}`" in found.message
    assert "`another " in found.help and "`any " in found.help


@pytest.mark.parametrize("text", [*SAID, *NEVER])
def test_an_explicit_or_impossible_self_is_no_finding(text: str, tmp_path: Path) -> None:
    assert findings(text, tmp_path, others=[*SAID, *NEVER]) == []


@pytest.mark.parametrize(
    "text, wrong",
    [
        ("after this moves, attack a friendly unit.", True),
        ("after this moves, it may attack a friendly unit.", True),
        ("after this moves, it may attack another friendly unit.", False),
        ("when an adjacent unit attacks this, attack that unit.", False),
    ],
)
def test_hooks_are_checked(text: str, wrong: bool, tmp_path: Path) -> None:
    assert [one.name for one in findings(text, tmp_path, "attribute")] == ["may-be-itself"] * wrong


@pytest.mark.parametrize("text", OPEN[:1])
def test_the_advice_itself_has_no_finding(text: str, tmp_path: Path) -> None:
    (found,) = findings(text, tmp_path)
    assert found.span is not None
    for advice in found.help.split("`")[1::2]:
        assert findings(text.replace(found.span.text, advice), tmp_path) == []


@pytest.fixture(scope="module")
def targets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[set[str]]]:
    """The targets that each text gives a unit: with a friend and a foe around it, in several positions."""
    folder = tmp_path_factory.mktemp("cards")
    texts = {f"Halberdier {number}": text for number, text in enumerate([*OPEN[:5], *SAID[:3], *NEVER[:8]])}
    for name, text in texts.items():
        (folder / f"{name}.yaml").write_text(unit(text).replace("Halberdier", name), encoding="utf-8")
    game = warchest.load("war-chest", [folder])
    found: dict[str, list[set[str]]] = {}
    for name, text in texts.items():
        for coins in (1, 2):
            state = game.position(
                {
                    "to_act": "raven",
                    "units": [
                        {"at": "e5", "unit": name, "owner": "raven", "coins": coins},
                        {"at": "e6", "unit": "Scout", "owner": "raven"},
                        {"at": "e4", "unit": "Archer", "owner": "wolf"},
                    ],
                    "hand": {"raven": [name], "wolf": ["Archer"]},
                }
            )
            assert state.decision is not None
            options = [one.data for one in state.decision.options if one.data["act"] == "tactic"]
            found.setdefault(text, []).append({one["target"] for one in options})
    return found


def test_the_machine_reaches_the_same_units(targets: dict[str, list[set[str]]]) -> None:
    reached = {text: any("e5" in spaces for spaces in found) for text, found in targets.items()}
    assert reached == {text: text in OPEN or (text in SAID and "another" not in text) for text in reached}
