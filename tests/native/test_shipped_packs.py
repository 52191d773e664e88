"""The shipped packs: their rulings, their names, and games with them, which both machines play alike."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from lockstep_support import Seen, checked_library, play_both

import warchest
from warchest.cli.main import main
from warchest.game.game import load_game
from warchest.native.compiled import NativeGame
from warchest.source.data import shipped_packs

PACKS = [folder.name for folder in shipped_packs()]


def test_the_shipped_packs_are_listed() -> None:
    assert PACKS == ["nightfall", "shock-tactics"]


@pytest.mark.parametrize("name", PACKS)
def test_its_rulings_hold(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder = next(one for one in shipped_packs() if one.name == name)
    assert main(["test", str(folder)]) == 0
    assert int(capsys.readouterr().out.split(" passed")[0]) >= 16


def test_each_card_has_a_ruling_by_its_name() -> None:
    for folder in shipped_packs():
        cases = (folder / "rulings.yaml").read_text(encoding="utf-8")
        for card in (folder / "units").iterdir():
            name = card.read_text(encoding="utf-8").split("\n")[0].removeprefix("unit: ")
            assert f"unit: {name}, owner" in cases, name


@pytest.mark.parametrize("setup", ["Random armies", "Four players random"])
@pytest.mark.parametrize("name", PACKS)
def test_both_machines_play_it_alike(name: str, setup: str) -> None:
    """The armies have as many of its cards as possible."""
    game = warchest.load("war-chest", name)
    beginning = game.beginning(setup=setup, sets=["base", name])
    native, seen = NativeGame(checked_library(beginning.variant)), Seen()
    for seed in (1, 2):
        state = beginning.begin(seed)
        state.silent = True
        play_both(native, state, Random(seed), 120, seen, "")
    assert seen.decisions > 100


def test_a_folder_here_goes_before_a_shipped_pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shipped = load_game("war-chest", "nightfall")
    assert "nightfall" in shipped.sets("all")
    (tmp_path / "nightfall").mkdir()
    card = (shipped_packs()[1] / "units" / "rearguard.yaml").read_text(encoding="utf-8")
    (tmp_path / "nightfall" / "rearguard.yaml").write_text(card, encoding="utf-8")
    assert "nightfall" not in load_game("war-chest", "nightfall").sets("all")
    assert "nightfall" not in load_game("war-chest", Path("nightfall")).sets("all")


@pytest.mark.parametrize("name", PACKS)
def test_commands_take_its_name(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["sim", "--cards", name, "--sets", f"base,{name}", "-n", "2", "--bots", "greedy"]) == 0
    assert "raven" in capsys.readouterr().out
