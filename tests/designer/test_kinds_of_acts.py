"""Names for several acts: an act of several kinds, and rules about a name together with parts of its acts."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import pytest

from loaded import shipped, studied
from machine.machine_support import card, offered, position, round_trips, take
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.game.game import Game
from warchest.lint.wc_lint import main
from warchest.paraphrase.reading import PROPERTIES, RULES, STEPS, Study

AIMED = """\
words: Aims
verbs:
  aim: {by: unit}
  shoot: {by: unit, is: [aim, maneuver], past: shot}
  mark: {by: unit, is: aim}
---
action: Aims
rules: |
  to shoot a target: the target loses a coin.
  to mark a target: the target becomes marked.
  a unit cannot shoot a marked target.
---
words: Marks
fields: {unit: {marked: {flag: true, opposite: plain}}}
"""


def with_aims(folder: Path, *cards: str) -> Game:
    """Return War Chest with an act of two kinds, one of them a name for two acts."""
    target = folder / "war-chest"
    shutil.copytree(shipped().folder, target)
    (target / "aims.yaml").write_text(AIMED, encoding="utf-8")
    for number, one in enumerate(cards):
        (target / "units" / f"extra{number}.yaml").write_text(one, encoding="utf-8")
    return Game(target)


SHOT = "normally, this shoots a target exactly 2 spaces away.\nnormally, this marks a target exactly 2 spaces away."


@cache
def reader(folder: Path) -> Study:
    """Return the study of that game."""
    known = with_aims(folder, card("Gunner", attribute=SHOT), card("Warden"))
    return studied(known)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for the game."""
    return tmp_path_factory.mktemp("aims")


def said(folder: Path, text: str, meaning: str) -> list[str]:
    """Return the reading of a sentence on a Warden; the finding if it is refused."""
    known = reader(folder)
    found = known.written(text, meaning, known.bearer("Warden"))
    if isinstance(found, list):
        return [one.message if isinstance(one, Diagnostic) else " ".join(one.said) for one in found]
    return [*found.said]


@pytest.mark.parametrize(
    ("text", "acts"),
    [
        ("a unit cannot aim this.", ["a unit cannot {} this."]),
        ("before a unit aims this, this may move.", ["before a unit {}s this, this may move to a space."]),
        ("this may aim a target exactly 3 spaces away.", ["this may {} a target exactly 3 spaces away."]),
        ("after this is aimed, it may move.", []),
    ],
)
def test_a_name_with_parts_of_its_acts_is_each_of_them(folder: Path, text: str, acts: list[str]) -> None:
    found = said(folder, text, RULES)
    assert len(found) == 2
    for act in acts:
        assert found == [act.format(one) for one in ("shoot", "mark")]


@pytest.mark.parametrize(
    ("text", "meaning", "part"),
    [
        ("this cannot aim or shoot a target.", RULES, "`shoot` is said twice here"),
        ("this cannot shoot or shoot a target.", RULES, "`shoot` is said twice here"),
        ("this cannot move while a unit aims or marks this.", RULES, "is said twice here"),
        ("this cannot move while a unit attacks or controls this.", RULES, "`control`"),
        ("sometimes a unit aims a Warden.", PROPERTIES, "a name for several acts"),
        ("this aims a target.", STEPS, "`aim` does not take an object"),
    ],
)
def test_impossible_meanings_of_a_name_are_refused(folder: Path, text: str, meaning: str, part: str) -> None:
    (found,) = said(folder, text, meaning)
    assert part in found


@pytest.mark.parametrize(
    ("text", "meaning", "help"),
    [
        ("this aims a target.", STEPS, "say `shoot` or `mark`"),
        # Of all maneuvers only some have an object.
        ("a unit cannot maneuver this.", RULES, "say `shoot` or `control` or `attack`"),
        ("a unit cannot maneuver from this.", RULES, ""),
    ],
)
def test_the_advice_names_acts_with_such_a_part(folder: Path, text: str, meaning: str, help: str) -> None:
    known = reader(folder)
    found = known.written(text, meaning, known.bearer("Warden"))
    assert isinstance(found, list) and isinstance(found[0], Diagnostic)
    assert found[0].help.endswith(help) and "`move`" not in found[0].help


def test_an_act_is_of_all_its_kinds(tmp_path: Path) -> None:
    still = card("Statue", restriction="a unit cannot aim this.")
    calm = card("Soother", restriction="an enemy unit cannot maneuver.")
    game = with_aims(tmp_path, card("Gunner", attribute=SHOT), still, calm)
    state = game.position(position("Gunner f4, wolf Statue f6, wolf Archer d4", "Gunner"))
    assert {one["target"] for one in offered(state, act="shoot")} == {"d4"}
    assert not offered(state, act="mark")  # it is no maneuver, and nothing orders it
    state = game.position(position("Gunner f4, wolf Soother f6, wolf Archer d4", "Gunner"))
    assert not offered(state, act="shoot")


def test_one_act_of_several_is_under_way(tmp_path: Path) -> None:
    duck = card(
        "Duck",
        attribute="before a unit attacks or aims this, this may move.\n"
        "this cannot move unless a unit attacks or aims this.",
    )
    game = with_aims(tmp_path, card("Gunner", attribute=SHOT), duck)
    still = game.position({**position("Duck f6", "Duck"), "to_act": "raven"})
    assert not offered(still, act="move")
    for act, coin, at in (("attack", "Gunner", "f5"), ("shoot", "Gunner", "f6")):
        state = game.position(position(f"Gunner f4, wolf Duck {at} 2", coin, "Duck"))
        take(state, act=act, target=at)
        assert state.decision is not None and state.decision.player == "wolf"
        assert offered(state, act="move") and offered(state, act="decline")
        round_trips(state)


def test_an_unknown_kind_is_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "war-chest"
    shutil.copytree(shipped().folder, target)
    (target / "aims.yaml").write_text(AIMED.replace("is: [aim, maneuver]", "is: [aim, maneuvre]"), encoding="utf-8")
    assert main(["--game", f"{target}/"]) == 1
    found = capsys.readouterr().out
    assert "`maneuvre`" in found and "did you mean `maneuver`?" in found
