"""A game of one's own that begins from a shipped one: a folder with the differences, and no copies."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

import warchest
from warchest import CardError
from warchest.cli.main import main
from warchest.lint.wc_lint import main as lint
from warchest.replay.file import save
from warchest.replay.game_session import Session
from warchest.source.data import data_folder
from warchest.testing.ruling_files import found_cases

GAME = """\
    game: grand-chest
    title: Grand Chest
    begins from: war-chest
    sets: [base, grand]
    zones: {dungeon: {of: player, holds: coin, seen by: all}}
    fields: {unit: {weary: {flag: true, opposite: awake}}}
    words: {adjectives: [mighty], verbs: {parley: {by: player}}}
    rules: |
      a unit is mighty when its height is at least 3.
      to parley: do nothing.
"""
OGRE = """\
    unit: Ogre
    set: grand
    coins: 5
    attribute: |
      after this attacks while it is mighty, put a coin in your hand into your dungeon,
        then this becomes weary, then you parley.
    restriction: |
      this cannot move while it is weary.
"""
SCOUT = """\
    unit: Scout
    set: base
    coins: 4
    tactic: |
      move, then move.
    rulings:
      - name: It goes far
        source: our own
        position:
          to_act: raven
          initiative: raven
          units: [{at: f4, unit: Scout, owner: raven}, {at: e4, unit: Ogre, owner: raven, weary: true}]
          dungeon: {wolf: [Lancer]}
          hand: {raven: [Scout], wolf: [Royal Coin]}
        offered: [{act: tactic, coin: Scout}]
        not offered: [{act: move, unit: e4}]
"""


def write(place: Path, **texts: str) -> Path:
    """Write documents into a folder, each into a file of its own."""
    place.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (place / f"{name}.yaml").write_text(dedent(text), "utf-8")
    return place


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("games") / "grand", game=GAME, ogre=OGRE, scout=SCOUT)


@pytest.fixture(scope="module")
def game(folder: Path) -> warchest.Game:
    return warchest.load(folder)


def test_it_has_all_that_the_other_has_and_its_own(game: warchest.Game) -> None:
    names = [one.name for one in game.library.of_kind("unit")]
    assert {"Lancer", "Ogre"} <= set(names) and names.count("Scout") == 1
    assert game.library.named("unit", "Scout").values["coins"] == 4  # type: ignore[union-attr]
    assert game.name == "grand-chest" and game.sets() == ("base", "grand")


def test_positions_name_it_and_contain_its_declarations(game: warchest.Game) -> None:
    state = game.new(seed=2)
    assert state.position()["game"] == "grand-chest" and "packs" not in state.position()
    position = {
        "to_act": "raven",
        "initiative": "raven",
        "units": [
            {"at": "f4", "unit": "Ogre", "owner": "raven", "coins": 3},
            {"at": "f5", "unit": "Lancer", "owner": "wolf"},
        ],
        "hand": {"raven": ["Ogre", "Ogre"], "wolf": ["Royal Coin"]},
    }
    state = game.position(position)
    assert state.decision is not None
    state.apply(next(one for one in state.decision.options if one.data["act"] == "attack"))
    written = state.position()
    assert game.position(written).position() == written
    assert "weary" in str(written) and "Ogre" in str(written.get("dungeon", written.get("pending")))


def test_its_rulings_hold(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(folder.parent)
    assert main(["test", "--game", "./grand"]) == 0
    assert "1 passed" in capsys.readouterr().out
    assert main(["show", "--game", "./grand", "Scout"]) == 0
    assert "move, then move" in capsys.readouterr().out
    assert main(["rulings", "--game", "./grand", "Lancer"]) == 0


def test_it_is_linted_with_the_other(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder.parent)
    assert lint(["--no-cache", "grand"]) == 0
    assert capsys.readouterr().err.strip() == "no findings"
    troll = "unit: Troll\ncoins: 4\nattribute: |\n  after this moves while it is mighty, it may attack.\n"
    card = write(tmp_path, card=troll)
    assert lint(["--no-cache", "--game", "./grand", str(card)]) == 0
    assert lint(["--no-cache", str(card)]) == 1
    capsys.readouterr()
    assert lint(["--game", "./great", str(card)]) == 2
    assert "./great is no folder of a game" in capsys.readouterr().err


def test_saved_games_come_back(game: warchest.Game, folder: Path, tmp_path: Path) -> None:
    saved = tmp_path / "saved.json"
    save(saved, Session.new(game, seed=1).replay())
    assert "grand-chest" in saved.read_text("utf-8")
    assert main(["replay", "--game", f"{folder}/", str(saved)]) == 0


def test_a_game_that_is_not_there_cannot_be_begun_from(tmp_path: Path) -> None:
    place = write(tmp_path / "odd", game="game: odd\nbegins from: peace-chest\n")
    with pytest.raises(CardError, match="there is no shipped game `peace-chest` to begin from"):
        warchest.load(place)


def test_a_game_without_a_base_must_declare_everything(tmp_path: Path) -> None:
    place = write(tmp_path / "bare", game="game: bare\ntitle: Bare\n")
    with pytest.raises(CardError) as caught:
        warchest.load(place)
    assert {one.name for one in caught.value.diagnostics} == {"missing-key"}


def test_a_board_with_teams_that_it_does_not_have_is_a_finding_of_every_command(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board = data_folder("cards") / "war-chest" / "boards" / "two-players.yaml"
    wrong = board.read_text("utf-8").replace("raven: [e2, h1]", "north: [e2, h1]")
    place = write(tmp_path / "wrong", game=GAME, ogre=OGRE, board=wrong)
    for command in (["show", "Scout"], ["sim", "--games", "1"]):
        assert main([command[0], "--game", str(place), *command[1:]]) == 2
        assert "WC213" in (said := capsys.readouterr().err) and f"{place / 'board.yaml'}:15:16" in said


FRONTS = """\
    words: Fronts
    fields: {player: {renown: number}}
"""
RENOWN = """\
    action: Renown
    rules: |
      after you claim the initiative, your renown increases by 1.
"""
NAMED = """\
    rulings: Renown
    source: our own
    cases:
      - name: Who claims the initiative is known for it
        position:
          to_act: raven
          packs: [Fronts]
          initiative: wolf
          renown: {raven: 2}
          hand: {raven: [Royal Coin], wolf: [Royal Coin]}
        do: [{act: claim}]
        then: {renown: {raven: 3}}
"""


def test_a_pack_in_its_folder_counts_wherever_its_rulings_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    place = write(tmp_path / "grand", game=GAME, ogre=OGRE, fronts=FRONTS, renown=RENOWN)
    write(place / "rulings", named=NAMED)
    monkeypatch.chdir(tmp_path)
    for words in (["grand"], ["grand/rulings"], ["grand/rulings/named.yaml:4"], ["--game", "./grand", "grand/rulings"]):
        assert main(["test", *words]) == 0, capsys.readouterr()
        assert lint([words[-1].partition(":")[0]]) == 0
    assert len(list(found_cases(warchest.load(place), place / "rulings"))) == 1
