"""Folders are named by who types the command, and by no file: not by replays, nor by links in a folder."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import warchest
from warchest.documents.load import files_in
from warchest.replay import Session, Unreadable, load, save
from warchest.source.data import data_folder


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a game of one's own."""
    folder = tmp_path_factory.mktemp("games") / "house"
    shutil.copytree(data_folder("cards") / "war-chest", folder)
    text = (folder / "game.yaml").read_text(encoding="utf-8")
    assert text.count("game: war-chest\n") == 1
    (folder / "game.yaml").write_text(text.replace("game: war-chest\n", "game: house\n"), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def played(house: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few steps of that game, saved."""
    session = Session.new(warchest.load(house), seed=3)
    for _ in range(12):
        decision = session.state.decision
        assert decision is not None
        session.take(decision.options[0])
    file = tmp_path_factory.mktemp("saved") / "played.json"
    save(file, session.replay())
    return file


def renamed(file: Path, name: object) -> Path:
    values = json.loads(file.read_text(encoding="utf-8"))
    other = file.with_name("renamed.json")
    other.write_text(json.dumps({**values, "replay": name}), encoding="utf-8")
    return other


FOLDERS = ["/some/folder", "../..", "..", ".", "", "a/b", "a\\b", "C:", "war-chest/", "../cards/war-chest"]


@pytest.mark.parametrize("name", FOLDERS)
def test_a_replay_names_no_folder(name: str, played: Path, run: Any) -> None:
    for verb in (("replay",), ("play", "--resume")):
        ran = run(*verb, renamed(played, name))
        assert (ran.code, ran.out) == (2, "")
        assert "renamed.json: replay: a game is named by its name, not " in ran.err and "--game FOLDER" in ran.err


def test_a_folder_that_is_there_is_not_taken_from_a_replay(played: Path, house: Path, run: Any) -> None:
    with pytest.raises(Unreadable, match=r"replay: a game is named by its name"):
        load(renamed(played, str(house)))


def test_a_name_is_that_of_a_shipped_game(played: Path, house: Path, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a folder of that name is at hand."""
    monkeypatch.chdir(house.parent)
    ran = run("replay", played)
    assert (ran.code, ran.out) == (2, "")
    assert f"warchest: {played}: replay: there is no game 'house'; " in ran.err
    assert ran.err.endswith("; for a game of your own add --game FOLDER\n")


def test_a_folder_on_the_command_line_is_the_game(
    played: Path, house: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = run("replay", played, "--short", "--game", house)
    assert ran.code == 0 and ran.out.startswith(" 1  ")
    monkeypatch.chdir(house.parent)
    assert run("replay", played, "--short", "--game", "./house").out == ran.out
    bare = run("replay", played, "--game", "house")
    assert bare.code == 2 and "a folder is written with a slash: ./house" in bare.err


def test_a_game_of_ones_own_is_gone_on_with(
    played: Path, house: Path, run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The advice on how to go on names the folder, too."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("builtins.input", lambda *_: "quit")
    ran = run("play", "--resume", played, "--game", house, "--save", "on.json")
    assert ran.code == 0 and f"--game {house} --resume on.json" in ran.err
    assert load(tmp_path / "on.json").game == "house"


def test_a_replay_of_another_game(played: Path, run: Any) -> None:
    ran = run("replay", played, "--game", "war-chest")
    assert (ran.code, ran.err) == (2, f"warchest: --game: {played} is a replay of house, not of war-chest\n")


def test_a_folder_without_a_game(tmp_path: Path, run: Any) -> None:
    ran = run("rulings", "--game", tmp_path)
    assert ran.code == 2 and f"--game: '{tmp_path}' is no folder of a game: there is no game.yaml in it" in ran.err


def test_rulings_of_a_game_of_ones_own(house: Path, run: Any) -> None:
    rulings = house / "rulings"
    file = min(one for one in rulings.iterdir() if one.suffix == ".yaml")
    ran = run("test", file, "--game", house, "--jobs", "1", "--format", "json")
    assert ran.code == 0 and ran.json["passed"] > 0 and not ran.json["skipped"]


@pytest.mark.parametrize("name", ["../cards/war-chest", "./war-chest", str(data_folder("cards") / "war-chest")])
def test_a_text_is_a_name_and_no_path(name: str) -> None:
    with pytest.raises(warchest.CardError, match="there is no game"):
        warchest.load(name)


# ---- links


def test_links_that_lead_out_of_a_folder_are_passed_over(tmp_path: Path) -> None:
    """So that a folder of cards shows no other file of who reads it; a link that is named is followed."""
    secret, cards = tmp_path / "secret.yaml", tmp_path / "cards"
    (cards / "below").mkdir(parents=True)
    for file in (secret, cards / "card.yaml"):
        file.write_text("unit: Rider\n", encoding="utf-8")
    (cards / "below" / "inside.yaml").symlink_to(cards / "card.yaml")
    (cards / "out.yaml").symlink_to(secret)
    (cards / "below" / "up.yaml").symlink_to(Path("..") / ".." / "secret.yaml")
    (cards / "gone.yaml").symlink_to(tmp_path / "nowhere.yaml")
    (cards / "all").symlink_to(tmp_path)
    (cards / "below" / "hidden.yaml").symlink_to(Path("..") / ".card")
    (cards / ".card").write_text("unit: Rider\n", encoding="utf-8")
    assert files_in(cards) == [cards / "below" / "hidden.yaml", cards / "card.yaml"]
    assert files_in(cards / "out.yaml") == [cards / "out.yaml"]
    (tmp_path / "named").symlink_to(cards)
    assert len(files_in(tmp_path / "named")) == 2


def test_a_game_reads_nothing_outside_of_its_folder(house: Path, tmp_path: Path) -> None:
    """A folder that is a link does not belong to the game, wherever it is in it."""
    game, outside = tmp_path / "house", tmp_path / "outside"
    shutil.copytree(house, game)
    outside.mkdir()
    (outside / "rider.yaml").write_text("unit: Rider\nset: base\ncoins: 4\nsource: a test\n", encoding="utf-8")
    (game / "more").symlink_to(outside)
    assert warchest.load(game).library.named("unit", "Rider") is None


def test_findings_of_loading_read_as_those_of_the_linter(run: Any, tmp_path: Path) -> None:
    """The linter knows what is meant by a slip."""
    (tmp_path / "card.yaml").write_text(
        "unit: Falconer\ncoins: 4\ntactic: |\n  this moves until it is bolstered.\n", encoding="utf-8"
    )
    ran = run("show", "Falconer", "--cards", tmp_path)
    assert ran.code == 2 and "put this part first, and a comma after it: `until …, this …`" in ran.err
