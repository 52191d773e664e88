"""`warchest new`: its files have no findings, and their rulings pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from loaded import shipped
from warchest.cli.main import main
from warchest.lint.wc_lint import main as lint
from warchest.source.data import data_folder
from warchest.templates.sampled import kinds_of

GAMES = ("war-chest", "unigames")
KINDS = [(game, kind) for game in GAMES for kind in sorted({*kinds_of(shipped(game)), "pack", "game"})]
"""The kinds of document that each game declares, whether there is a template or not."""
NAMES = ("Halberdier", "Forced March", "Queen's Guard", "Wind-Rider 2")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("game", GAMES)
def test_there_is_a_template_for_each_kind_that_people_write(game: str) -> None:
    templates = {one.name for one in (data_folder("cards") / game / "templates").iterdir()}
    written = {"war-chest": {"unit", "decree"}, "unigames": {"figure", "ability", "class"}}[game]
    assert {"action", "pack", "game", *written} == templates


@pytest.mark.parametrize(("game", "kind"), KINDS)
def test_written_files_are_sound_and_pass(game: str, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    for number, name in enumerate(NAMES if kind == "unit" else NAMES[1:2]):
        folder = Path(f"{kind} {number}")
        assert main(["new", kind, *name.split(), "--in", str(folder), "--game", game]) == 0
        files = capsys.readouterr().out.splitlines()
        assert all(Path(file).is_file() for file in files) and files
        assert all("\n# " in f"\n{Path(file).read_text(encoding='utf-8')}" for file in files)
        own = f"./{Path(files[0]).parent}/"
        assert lint(["--isolated", "--game", game, str(folder)]) == 0
        assert lint(["fmt", "--check", str(folder)]) == 0
        where = ["--game", own] if kind == "game" else ["--game", game, "--cards", str(folder), str(folder)]
        assert main(["test", *where]) == 0
        assert "1 passed, 0 failed" in capsys.readouterr().out


OWN = """game: mine
title: Mine
begins from: war-chest
source: our own
documents:
  beast: {blocks: {rules: rules}, numbers: [rank], names: {prey: unit}}
words: {instead: {ogre: [unit]}}
"""


def test_kinds_of_a_game_of_ones_own_are_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "game.yaml").write_text(OWN, encoding="utf-8")
    assert main(["new", "beast", "Ettin", "--game", "./mine/", "--in", "cards"]) == 0
    text = Path("cards/ettin.yaml").read_text(encoding="utf-8")
    assert "beast: Ettin\nrank: 1\nprey: " in text and "# rules: |\n" in text
    capsys.readouterr()
    assert main(["test", "--game", "./mine/", "--cards", "cards", "cards"]) == 0
    assert "1 passed, 0 failed" in capsys.readouterr().out
    assert main(["new", "unit", "Ettin", "--game", "./mine/", "--in", "more"]) == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["unit", "Knight"], "there are two documents"),
        (["unit", "Attack"], "is spelled like `attack`, a word of the rules"),
        (["unit", "a: [b"], "a name begins with a letter"),
        (["unit", "A" * 61], "a name begins with a letter"),
        (["untt", "Halberdier"], "did you mean `unit`?"),
        (["unit", "Halberdier", "--game", "chess"], "chess"),
        (["unit", "Halberdier", "--game", "./none/"], "is no folder of a game"),
    ],
)
def test_impossible_names_are_refused(
    arguments: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", *arguments]) == 2
    assert told in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_no_file_is_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "halberdier.yaml").write_text("mine", encoding="utf-8")
    assert main(["new", "unit", "Halberdier"]) == 2
    assert "is there already" in capsys.readouterr().err
    assert (tmp_path / "halberdier.yaml").read_text(encoding="utf-8") == "mine"
