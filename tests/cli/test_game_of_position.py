"""The game of a position: the one that it names, unless `--game` names another."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from loaded import shipped
from warchest.cli.main import main
from warchest.diagnostics.visible import json_text


@pytest.fixture
def named(tmp_path: Path) -> Path:
    """Return a file with a position that names a game other than the usual one."""
    file = tmp_path / "p.json"
    file.write_text(json_text(shipped("unigames").new(seed=1).position()), encoding="utf-8")
    return file


@pytest.mark.parametrize("words", [["moves"], ["show"], ["view"], ["perft", "--depth", "0"]])
@pytest.mark.parametrize("piped", [False, True])
def test_a_position_that_names_its_game_needs_no_other_word(
    words: list[str], piped: bool, named: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert '"game": "unigames"' in named.read_text(encoding="utf-8")
    place, more = "-" if piped else str(named), ["P1"] if words == ["view"] else []

    def told(*game: str) -> str:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(named.read_bytes())))
        assert main([*words, place, *more, *game]) == 0, capsys.readouterr().err
        return capsys.readouterr().out

    assert told() == told("--game", "unigames")


def test_play_begins_at_such_a_position(
    named: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt="": "abandon")
    assert main(["play", "--position", str(named)]) == 0, capsys.readouterr().err
    assert "You are P1" in capsys.readouterr().out


def test_another_game_that_is_asked_for_is_a_fault(named: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["moves", str(named), "--game", "war-chest"]) == 2
    assert "this is war-chest, not unigames" in capsys.readouterr().err


def test_a_position_of_a_game_of_ones_own_says_what_to_add(named: Path, capsys: pytest.CaptureFixture[str]) -> None:
    named.write_text('{"game": "ours"}', encoding="utf-8")
    assert main(["moves", str(named)]) == 2
    assert "--game FOLDER" in capsys.readouterr().err
