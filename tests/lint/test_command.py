"""The command: the files that are linted together, the output, and the exit codes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from lint_support import CARD, CARDS, ROOT, attribute, codes, lint_text, run, small_game, usual_texts

from warchest import __version__
from warchest.lint.wc_lint import findings_in, main

BAD = attribute("blorp.")


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A small game with two cards, which may be spoilt."""
    folder = small_game(tmp_path / "mine")
    (folder / "units").mkdir()
    for name in ("Archer", "Scout"):
        card = f"unit: {name}\ncoins: 4\nattribute: |\n  after the game closes, end the game.\n"
        (folder / "units" / f"{name.lower()}.yaml").write_text(card, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def on_small(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """The arguments for linting files on top of a small game."""
    return "--game", f"{small_game(tmp_path_factory.mktemp('small'))}/"


def spoil(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


# ---- what is linted


EACH = {file.parent: file for file in sorted((CARDS / "war-chest").rglob("*.yaml"))}
"""A file of each folder."""


@pytest.mark.parametrize("file", EACH.values(), ids=lambda file: file.stem)
def test_a_shipped_file_is_clean_by_itself(file: Path) -> None:
    # Where it has nothing to do with errata, the game is taken without them.
    without = Path(usual_texts(), *file.relative_to(CARDS / "war-chest").parts)
    assert findings_in([without if without.is_file() else file]) == []


def test_one_file_of_a_game_is_shown_alone(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spoil(game / "units" / "archer.yaml", "end the game", "edn the game")
    spoil(game / "units" / "scout.yaml", "end the game", "edn the game")
    file = game / "units" / "archer.yaml"
    assert main(["--format", "concise", str(file)]) == 1
    shown = capsys.readouterr()
    assert shown.out == f"{file}:4:26: error[WC201] unknown-word: unknown word `edn`\n"
    assert "1 more in other files of the game" in shown.err


def test_places_shown_with_a_finding_are_not_counted_as_elsewhere(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archer, scout = game / "units" / "archer.yaml", game / "units" / "scout.yaml"
    old, new = "  after the game closes, end", "  before the game closes, edn the game.\n  after the game closes, edn"
    spoil(archer, old, new)
    assert main([str(game)]) == 1
    shown = capsys.readouterr()
    assert "and here" in shown.out and "other files" not in shown.err
    spoil(scout, old, new)
    assert main([str(archer)]) == 1
    assert "; 1 more in other files of the game" in capsys.readouterr().err


def test_a_folder_of_games_is_linted_game_by_game(game: Path, tmp_path: Path) -> None:
    shutil.copytree(game, tmp_path / "other")
    spoil(tmp_path / "other" / "units" / "archer.yaml", "end the game", "edn the game")
    found = findings_in([tmp_path])
    assert [one.file for one in found] == [str(tmp_path / "other" / "units" / "archer.yaml")]


def test_a_part_of_a_game_is_linted_with_the_whole_of_it(game: Path) -> None:
    (game / "game.yaml").rename(game / "the-game.yml")
    assert findings_in([game / "units"]) == []


def test_a_designers_folder_is_linted_on_top_of_the_game(tmp_path: Path) -> None:
    (tmp_path / "pike.yaml").write_text(CARD, encoding="utf-8")
    found = lint_text(tmp_path, attribute("this cannot attack a Halberdier.").replace("unit: Hal", "unit: Second Hal"))
    assert codes(found) == [], "what lies beside a card is known"
    assert findings_in([tmp_path], usual_texts()) == []


def test_cards_are_known_and_not_linted(
    tmp_path: Path, on_small: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    known, asked = tmp_path / "known", tmp_path / "asked.yaml"
    known.mkdir()
    (known / "one.yaml").write_text(BAD, encoding="utf-8")
    text = attribute("this cannot attack a Halberdier.").replace("unit: Hal", "unit: Second Hal")
    asked.write_text(text, encoding="utf-8")
    assert run(capsys, "--game", usual_texts(), "--cards", known, asked) == (0, [])
    code, found = run(capsys, *on_small, "--cards", known)
    assert (code, [one["name"] for one in found]) == (1, ["unknown-word"])


def test_an_unknown_game_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "card.yaml"
    file.write_text(CARD, encoding="utf-8")
    assert main(["--game", "war-chst", str(file)]) == 2
    assert "there is no game `war-chst`; did you mean `war-chest`?" in capsys.readouterr().err


def test_paths_are_shown_as_they_were_given(
    tmp_path: Path, on_small: tuple[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "card.yaml").write_text(BAD, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for given, shown in [("card.yaml", "card.yaml"), (".", "card.yaml"), (tmp_path, str(tmp_path / "card.yaml"))]:
        assert [one["file"] for one in run(capsys, *on_small, given)[1]] == [shown]
    assert len(run(capsys, *on_small, "card.yaml", ".", tmp_path)[1]) == 1


# ---- how it is written


def test_json_is_that_of_the_contract(
    tmp_path: Path, on_small: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "card.yaml"
    file.write_text(BAD, encoding="utf-8")
    code, (found,) = run(capsys, *on_small, file)
    assert code == 1
    assert found == {
        "code": "WC201",
        "name": "unknown-word",
        "severity": "error",
        "file": str(file),
        "line": 4,
        "column": 3,
        "end_line": 4,
        "end_column": 8,
        "message": "unknown word `blorp`",
        "help": found["help"],
        "fix": None,
    }


def test_github_shows_annotations(
    tmp_path: Path, on_small: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a,b.yaml"
    file.write_text(BAD, encoding="utf-8")
    assert main(["--format", "github", *on_small, str(file)]) == 1
    shown = capsys.readouterr().out
    place = str(file).replace(",", "%2C")
    assert shown.startswith(
        f"::error file={place},line=4,col=3,endLine=4,endColumn=8,title=WC201 unknown-word::unknown word `blorp`%0A"
    )


def test_text_has_the_line_a_caret_and_a_summary(
    tmp_path: Path, on_small: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "card.yaml"
    file.write_text(BAD, encoding="utf-8")
    assert main([*on_small, str(file)]) == 1
    shown = capsys.readouterr()
    assert f"--> {file}:4:3\n" in shown.out and "4 |   blorp.\n  |   ^^^^^\n" in shown.out
    assert shown.err == "1 error in 1 file\n"


@pytest.mark.parametrize("form", ["text", "concise", "github"])
def test_no_findings_give_an_empty_report(form: str, game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--format", form, str(game / "units" / "archer.yaml")]) == 0
    assert capsys.readouterr() == ("", "no findings\n")


def test_exit_zero(tmp_path: Path, on_small: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "card.yaml"
    file.write_text(BAD, encoding="utf-8")
    assert run(capsys, *on_small, "--exit-zero", file)[0] == 0
    assert run(capsys, *on_small, "--exit-zero", tmp_path / "nothing.yaml")[0] == 2


def test_wrong_usage_and_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, code in ((["--format", "xml"], 2), (["--version"], 0), (["--help"], 0)):
        with pytest.raises(SystemExit) as stopped:
            main(arguments)
        assert stopped.value.code == code
    assert __version__ in capsys.readouterr().out.split()


def test_a_warning_is_a_finding(tmp_path: Path, on_small: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "card.yaml"
    file.write_text(attribute("# later"), encoding="utf-8")
    code, found = run(capsys, *on_small, file)
    assert (code, [one["severity"] for one in found]) == (1, ["warning"])


def test_findings_are_the_same_whatever_the_order_of_paths(
    tmp_path: Path, on_small: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = tmp_path / "one.yaml", tmp_path / "two.yaml"
    one.write_text(BAD, encoding="utf-8")
    two.write_text(CARD + "coins: 4\n", encoding="utf-8")
    first, second = run(capsys, *on_small, one, two), run(capsys, *on_small, two, one)
    assert first == second
    assert json.dumps(first[1]).count(str(tmp_path)) == 2


def test_the_command_imports_nothing_slow() -> None:
    text = (ROOT / "interpreter" / "warchest" / "lint" / "wc_lint.py").read_text(encoding="utf-8")
    imports = [line for line in text.splitlines() if line.startswith(("import", "from"))]
    assert not [line for line in imports if "warchest" in line]


def test_a_position_beside_the_cards_is_no_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A position begins with the name of its game, which makes no game of its folder."""
    (tmp_path / "position.yaml").write_text("game: war-chest\nto_act: raven\n", encoding="utf-8")
    cards = tmp_path / "cards"
    cards.mkdir()
    (cards / "position.yaml").write_text("game: war-chest\nto_act: raven\n", encoding="utf-8")
    (cards / "foo.yaml").write_text("unit: Foo\ncoins: 4\n", encoding="utf-8")
    assert run(capsys, "--game", usual_texts(), cards) == (0, [])
