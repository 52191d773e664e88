"""A game with another text in place of that of one of its files: the same as if the file said so, and quickly."""

from __future__ import annotations

import pickle
import shutil
from pathlib import Path

import pytest

import warchest
from loaded import shipped
from remembered import remember_files
from warchest.game.game import Game
from warchest.source import contents

CHANGES = [
    ("war-chest", "units/lancer.yaml", "1-2 spaces", "1-3 spaces"),
    ("war-chest", "units/lancer.yaml", "coins: 4", "coins: 5"),
    ("war-chest", "game.yaml", "its height is at least 2", "its height is at least 3"),
    ("war-chest", "game.yaml", "sets: [base]", "sets: [base, siege]"),
    ("war-chest", "boards/two-players.yaml", "e2", "e3"),
    ("unigames", "abilities/charge.yaml", "increases", "decreases"),
]


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copies of the games; files that stay as they are are parsed once."""
    folder = tmp_path_factory.mktemp("copies")
    for name in sorted({name for name, *_ in CHANGES}):
        left_out = shutil.ignore_patterns("rulings", "questions", "properties")
        shutil.copytree(shipped(name).folder, folder / name, ignore=left_out)
    remember_files(folder)
    return folder


@pytest.mark.parametrize(("name", "file", "old", "new"), CHANGES)
def test_it_is_the_game_that_its_files_would_give(name: str, file: str, old: str, new: str, copies: Path) -> None:
    game = shipped(name)
    path, copy = game.folder / file, copies / name / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    made = game.with_text(path, text.replace(old, new))
    copy.write_text(text.replace(old, new), encoding="utf-8")
    read = Game(copies / name)
    copy.write_text(text, encoding="utf-8")
    assert made.digest == read.digest != game.digest
    assert made.variant().program.ruleset == read.variant().program.ruleset
    assert made.sets() == read.sets()


def test_no_file_is_read_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    game = shipped("war-chest")
    path = game.folder / "units" / "lancer.yaml"
    text = path.read_text(encoding="utf-8")

    def refuse(*_: object) -> bytes:
        raise AssertionError("a file is read")

    monkeypatch.setattr(contents, "begins_with", refuse)
    monkeypatch.setattr(contents, "read_source", refuse)
    assert game.with_text(path, text + "# a note\n").digest != game.digest


def test_a_text_that_will_not_do_is_refused_with_its_places_and_leaves_the_game_as_it_was() -> None:
    game = shipped("war-chest")
    path, before = game.folder / "units" / "lancer.yaml", game.digest
    for text in ("unit: Lancer\ncoins: 4\ntactic: |\n  attak.\n", "unit: Lancer\n", "unit: [", "unit: \ud800\n", ""):
        with pytest.raises(warchest.CardError) as refused:
            game.with_text(path, text)
        assert refused.value.diagnostics[0].file == str(path) or not text
    assert game.digest == before
    assert game.with_text(path, path.read_text(encoding="utf-8")).digest == before


def test_only_the_files_of_the_game_can_be_replaced(tmp_path: Path) -> None:
    for path in (tmp_path / "lancer.yaml", "lancer", ""):
        with pytest.raises(warchest.CardError, match="no file of war-chest"):
            shipped("war-chest").with_text(path, "unit: X\n")


def test_texts_add_up_and_travel() -> None:
    game = shipped("war-chest")
    made = game
    for file, old, new in (("lancer", "1-2", "1-3"), ("archer", "exactly 2", "exactly 3")):
        path = game.folder / "units" / f"{file}.yaml"
        made = made.with_text(path, path.read_text(encoding="utf-8").replace(old, new))
    state = made.position(
        {
            "to_act": "raven",
            "units": [{"at": "f4", "unit": "Archer", "owner": "raven"}, {"at": "i4", "unit": "Scout", "owner": "wolf"}],
            "hand": {"raven": ["Archer"], "wolf": ["Royal Coin"]},
        }
    )
    again = pickle.loads(pickle.dumps(state))
    assert "tactic" in {option.data["act"] for option in state.decision.options}  # type: ignore[union-attr]
    assert again == state and again.variant.origin.digest == made.digest


NEW = "unit: Halberdier\ncoins: 4\ntactic: |\n  attack.\n"


def test_several_texts_new_files_and_removed_ones_are_as_on_the_disk(copies: Path, tmp_path: Path) -> None:
    base, folder = Game(copies / "war-chest"), tmp_path / "mine"
    folder.mkdir()
    lancer, scout = (base.folder / "units" / f"{name}.yaml" for name in ("lancer", "scout"))
    text = lancer.read_text(encoding="utf-8").replace("1-2 spaces", "1-3 spaces")
    other = folder / "other.yaml"
    other.write_text(NEW.replace("Halberdier", "Poleaxeman"), encoding="utf-8")
    game = Game(base.folder, [folder])
    within, beside = base.folder / "units" / "new.yaml", folder / "below" / "new.yaml"
    made = game.with_texts(
        {
            lancer: text,
            within: NEW,
            beside: NEW.replace("Halberdier", "Glaiveman"),
            other: None,
            scout: text[:0] or None,
        }
    )
    assert {"Halberdier", "Glaiveman"} <= set(made.names("unit"))
    assert not {"Poleaxeman", "Scout"} & set(made.names("unit"))
    kept = scout.read_text(encoding="utf-8")
    beside.parent.mkdir()
    for path, given in ((lancer, text), (within, NEW), (beside, NEW.replace("Halberdier", "Glaiveman"))):
        path.write_text(given, encoding="utf-8")
    for path in (other, scout):
        path.unlink()
    assert Game(base.folder, [folder]).digest == made.digest
    within.unlink()
    scout.write_text(kept, encoding="utf-8")
    lancer.write_text(text.replace("1-3 spaces", "1-2 spaces"), encoding="utf-8")
    assert made.with_texts({within: None, other: NEW}).names("unit").count("Halberdier") == 1
    again = pickle.loads(pickle.dumps(made.new(seed=1)))
    assert again == made.new(seed=1)


def test_the_first_file_of_a_folder_is_given_and_the_last_one_removed(tmp_path: Path) -> None:
    game, file = shipped("war-chest"), tmp_path / "halberdier.yaml"
    made = game.with_texts({file: NEW})
    assert "Halberdier" in made.names("unit") and not file.exists()
    assert made.with_texts({file: None}).digest == game.digest
    file.write_text(NEW, encoding="utf-8")
    alone = Game(game.folder, [tmp_path])
    assert alone.with_texts({file: None}).digest == game.digest
    hidden = tmp_path / ".kept" / "other.yaml"
    assert alone.with_texts({hidden: "unit: ["}).digest == alone.digest


def test_invalid_texts_are_refused() -> None:
    game = shipped("war-chest")
    for texts in ({4: "x"}, {"a.yaml": 4}, 7, {"none.yaml": None}):
        with pytest.raises(warchest.CardError):
            game.with_texts(texts)  # type: ignore[arg-type]
    assert game.with_texts({}).digest == game.digest
