"""A game that begins from nothing: the keys of its positions, and a player without options."""

from __future__ import annotations

from pathlib import Path

import pytest

import warchest
from warchest.cli.main import main
from warchest.lint.wc_lint import findings_in
from warchest.lint.wc_lint import main as lint

SKIRMISH = Path(__file__).parents[1] / "native" / "skirmish"
UNITS = [{"at": "b2", "unit": "Archer", "owner": "wolf"}]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a small game, which a test may change."""
    place = tmp_path / "skirmish"
    place.mkdir()
    for file in SKIRMISH.glob("*.yaml"):
        (place / file.name).write_text(file.read_text("utf-8"), "utf-8")
    return place


def change(folder: Path, *changes: tuple[str, str]) -> Path:
    """Change the document of a game: each text once."""
    file = folder / "game.yaml"
    text = file.read_text("utf-8")
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    file.write_text(text, "utf-8")
    return folder


PARADE = ("the active player uses a coin in the hand of the active player", "the active player parades")
VERB = ("    carry on: {by: game}\n", "    carry on: {by: game}\n    parade: {by: player}\n")
WAYS = ["  to parade: an own unit moves.\n", "  to parade: an own unit controls its space.\n"]


@pytest.mark.parametrize("ways", [1, 2])
def test_a_player_without_options_is_passed_over(folder: Path, ways: int) -> None:
    rules = ("  a unit is own when", "".join(WAYS[:ways]) + "  a unit is own when")
    game = warchest.load(change(folder, PARADE, VERB, rules))
    units = [{"at": "b2", "unit": game.names("unit")[0], "owner": "wolf"}]
    coins = {"raven": [game.names("unit")[0]], "wolf": [game.names("unit")[0]]}
    state = game.position({"to_act": "raven", "units": units, "hand": coins})
    assert state.decision is not None and state.decision.player == "wolf"


@pytest.mark.parametrize("key", ["", "  fame: {field: renown, of: player}\n"])
def test_properties_of_players_have_keys_in_positions(folder: Path, key: str) -> None:
    change(
        folder,
        (
            "  game:       {active player: player}\n",
            "  game:       {active player: player}\n  player: {renown: number}\n",
        ),
        ("  options: {options: true}\n", "  options: {options: true}\n" + key),
        (
            "draw a coin, then put that coin into your hand.",
            "draw a coin, then put that coin into your hand, then your renown increases by 1.",
        ),
    )
    assert not [one for one in findings_in([folder]) if one.severity == "error"]
    game, name = warchest.load(folder), "fame" if key else "renown"
    unit = game.names("unit")[0]
    given = {"to_act": "raven", "hand": {"raven": [unit], "wolf": [unit]}, name: {"wolf": 3}}
    told = game.position(given).position()
    assert told[name] == {"wolf": 3} or told[name] == {"raven": 0, "wolf": 3}
    assert game.position(told).position() == told


@pytest.mark.parametrize("first", ["to_act", "units", "hand", "game"])
def test_a_position_in_its_folder_is_passed_over_by_every_command(
    folder: Path, first: str, capsys: pytest.CaptureFixture[str]
) -> None:
    unit = warchest.load(folder).names("unit")[0]
    keys = {
        "to_act": "to_act: raven",
        "units": f"units:\n- {{at: b2, unit: {unit}, owner: raven}}",
        "hand": f"hand: {{raven: [{unit}], wolf: [{unit}]}}",
        "game": "game: skirmish",
    }
    place = folder / "a-position.yaml"
    place.write_text("\n".join([keys.pop(first), *keys.values()]) + "\n", "utf-8")
    assert lint([str(folder)]) == 0
    assert first == "game" or "was passed over" in capsys.readouterr().err
    for words in (["moves", str(place)], ["sim", "--games", "1"], ["show", unit], ["perft", str(place)]):
        assert main([words[0], "--game", str(folder), *words[1:]]) == 0, capsys.readouterr()
