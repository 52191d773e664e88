"""`warchest print`: its files, its page in docs, and answers to bad input."""

from __future__ import annotations

import json
import os
from pathlib import Path
from shutil import copytree

import pytest
from docs_support import DOCS, carried_out
from page_following import agrees, of_kind, steps

from warchest.cli.main import main
from warchest.paper import typeset

PAGE = DOCS / "guides" / "printing.md"
pytestmark = pytest.mark.usefixtures("loads_once")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def lines_of(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The lines of a command that is refused."""
    assert main(["print", *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    return printed.err.splitlines()


def test_the_page_is_true(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copytree(DOCS / "examples", here / "docs" / "examples")
    (template,) = of_kind(PAGE, "typst")
    (here / "mine.typ").write_text(template.text, encoding="utf-8")
    found = steps(PAGE)
    assert len(found) > 8
    for command, said, line in found:
        code, printed = carried_out(command, monkeypatch)
        assert code == 0 and agrees(command, said, printed), f"printing.md:{line}: {command}\n{printed}"


def test_the_page_names_every_template() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert all(f"| `{one.name}` |" in text for one in typeset.shipped_templates())
    assert [line for line in text.splitlines() if len(line) > 120] == []


def test_the_data_of_a_template_are_printed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["print", "cards", "March", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [card["name"] for card in data["cards"]] == ["March"] and data["sheet"]["columns"] == 3


@pytest.mark.parametrize(
    "words",
    [
        "cards March Spy --pdf a.pdf",
        "cards --pdf a.pdf March --game war-chest Spy",
        "--pdf=a.pdf cards --no-marks -- March Spy",
    ],
)
def test_options_may_be_anywhere_among_the_names(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["print", *words.split()]) == 0
    assert capsys.readouterr().err == "wrote 2 cards to a.pdf\n"


def test_one_card_is_drawn(here: Path) -> None:
    assert main(["show", "March", "--svg", "march.svg", "--png", "march.png"]) == 0
    assert (here / "march.svg").read_bytes().startswith(b"<svg")
    assert (here / "march.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "nothing says what is printed; it is one of cards, tokens, board, summary"),
        (["cards"], "nothing says where to"),
        (["cards", "Marsh", "--pdf", "a.pdf"], "there is no card 'Marsh'; did you mean `March`?"),
        (["board", "Two player", "--pdf", "a.pdf"], "there is no board 'Two player'; did you mean `Two players`?"),
        (["summary", "Sea", "--pdf", "a.pdf"], "there is no pack 'Sea'"),
        (["tokens", "March", "--pdf", "a.pdf"], "pieces are made of no tokens of this name"),
        (["tokens", "--tts", "a"], "--tts and --cgs are for cards, and not for tokens"),
        (
            ["cards", "March", "--size", "huge", "--pdf", "a.pdf"],
            "--size: a size is poker, bridge, mini, tarot, or width",
        ),
        (["cards", "March", "--size", "400x400", "--pdf", "a.pdf"], "--size: 400 x 400 mm does not fit on a page"),
        (["tokens", "--size", "5mm", "--pdf", "a.pdf"], "--size: a side is at least 10 mm and at most 500 mm, and"),
        (["cards", "March", "--template", "no.typ", "--pdf", "a.pdf"], "--template: there is no file no.typ"),
        (["cards", "March", "--templates", "no", "--pdf", "a.pdf"], "--templates: there is no folder no"),
        (["cards", "--sets", "nobilty", "--pdf", "a.pdf"], "there is no set 'nobilty'; did you mean `nobility`?"),
    ],
)
def test_bad_input_gets_one_line(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    *_, line = lines_of(arguments, capsys)
    assert line.startswith("warchest: ") and said in line
    assert os.listdir() == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--pdf", "-"], "no document in PDF is written to standard output; name a file"),
        (["--svg", "-"], "no picture in SVG is written to standard output; name a file"),
        (["--png", "-"], "no picture in PNG is written to standard output; name a file"),
        (["--tts", "a", "--url-base", "javascript:x"], "an address such as https://example.org/cards is needed"),
        (["--cgs", "a", "--url-base", "https://"], "an address such as https://example.org/cards is needed"),
    ],
)
def test_options_without_sense_are_refused_at_once(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    *_, line = lines_of(["cards", "March", *arguments], capsys)
    assert said in line
    assert os.listdir() == []


def test_a_lack_of_typst_is_reported_with_its_remedy(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(typeset, "find_spec", lambda _: None)
    told = ["warchest: this needs typst: pip install 'warchest[print]'"]
    assert lines_of(["cards", "March", "--pdf", "a.pdf"], capsys) == told
    assert main(["show", "March", "--svg", "a.svg"]) == 2 and capsys.readouterr().err.splitlines() == told


def test_a_fault_of_a_template_is_one_line_with_its_place(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "mine.typ").write_text("#let x = 1\n#x.foo\n", encoding="utf-8")
    (line,) = lines_of(["cards", "March", "--template", "mine.typ", "--pdf", "a.pdf"], capsys)
    assert line == "warchest: mine.typ:2:3: cannot access fields on type integer"


@pytest.mark.parametrize(
    "arguments",
    [
        ["cards", "March", "--pdf", "a"],
        ["cards", "March", "--png", "a"],
        ["cards", "March", "--tts", "folder"],
        ["cards", "March", "--cgs", "folder"],
        ["cards", "March", "--tts", "a"],
        ["--write-templates", "folder"],
        ["board", "--size", "38mm", "--png", "many.png"],
    ],
)
def test_no_file_of_another_kind_is_written_over(
    arguments: list[str], here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "folder").mkdir()
    for name in ("a", "folder/war-chest.json", "folder/AllCards.json", "folder/card.typ", "many-2.png"):
        (here / name).write_text("mine", encoding="utf-8")
    assert main(["print", *arguments]) == 2
    assert {file.name: file.read_text(encoding="utf-8") for file in here.rglob("*") if file.is_file()} == {
        name.split("/")[-1]: "mine"
        for name in ("a", "folder/war-chest.json", "folder/AllCards.json", "folder/card.typ", "many-2.png")
    }
    assert "is there already" in capsys.readouterr().err


def test_a_long_text_is_reported(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "cards").mkdir()
    text = "".join(f"  this cannot move to a space exactly {number} spaces away.\n" for number in range(2, 150))
    (here / "cards" / "saga.yaml").write_text(f"unit: Saga\ncoins: 4\nsource: our own\nattribute: |\n{text}")
    assert main(["print", "cards", "--cards", "cards", "--pdf", "a.pdf"]) == 0
    assert "Saga: the text is too long for the card, and is cut off\n" in capsys.readouterr().err
