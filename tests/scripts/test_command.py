"""`warchest script`, and rulings that are scripts."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from scripts_support import FIELD, game

from warchest.cli.main import main
from warchest.rulings.cases import read_cases
from warchest.rulings.runner import run_case

pytestmark = pytest.mark.usefixtures("loads_once")
GOOD = FIELD + "> move Foot F\n= Foot @d5n\n"
BAD = FIELD + "> move Foot F\n= Foot @d6n\n"


def kept(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def test_a_script_that_holds_is_reported_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = kept(tmp_path, "good.script", GOOD)
    assert main(["script", file]) == 0
    assert capsys.readouterr().out == f"{file}: all 5 lines hold\n"


def test_a_script_that_fails_is_reported_with_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = kept(tmp_path, "good.script", GOOD), kept(tmp_path, "bad.script", BAD)
    assert main(["script", bad, good, "--game", "unigames"]) == 1
    out = capsys.readouterr().out
    assert f"{bad}:5:8" in out and "^^^^" in out and "Foot: at is d5, not d6" in out
    assert f"{good}: all 5 lines hold" in out


def test_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [kept(tmp_path, "good.script", GOOD), kept(tmp_path, "bad.script", BAD)]
    assert main(["script", *files, "--format", "json"]) == 1
    good, bad = json.loads(capsys.readouterr().out)
    assert good == {"file": files[0], "holds": True, "lines": 5, "finding": None}
    assert (bad["holds"], bad["lines"], bad["finding"]["name"]) == (False, 4, "wrong-assertion")
    assert (bad["finding"]["line"], bad["finding"]["column"], bad["finding"]["end_column"]) == (5, 8, 12)


def test_from_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(BAD.encode())))
    assert main(["script", "-"]) == 1
    assert "standard input:5:8" in capsys.readouterr().out


def test_unreadable_scripts_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["script", str(tmp_path / "nowhere")]) == 2
    assert main(["script", kept(tmp_path, "empty", "")]) == 2
    assert main(["script", kept(tmp_path, "good", GOOD), "--game", "war-chest"]) == 2
    assert "has no notation" in capsys.readouterr().err
    assert main(["script"]) == 2


def test_a_file_that_cannot_be_read_does_not_stop_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty, good = kept(tmp_path, "empty", ""), kept(tmp_path, "good.script", GOOD)
    assert main(["script", empty, str(tmp_path / "nowhere"), good]) == 2
    out = capsys.readouterr().out
    assert "the file is empty" in out and "cannot be read" in out and f"{good}: all 5 lines hold" in out
    assert main(["script", good, empty, "--format", "json"]) == 2
    first, second = json.loads(capsys.readouterr().out)
    assert first["holds"] and (second["file"], second["finding"]["name"]) == (empty, "empty-file")


RULING = """\
rulings: A trial
source: a test
cases:
  - name: It steps
    script: |
      P1 Foot@d4n 3/4/5
      P2 Foe@h6s 1/1/1
      > move Foot F
      = Foot @{square}n
"""


@pytest.mark.parametrize(("square", "outcome"), [("d5", "passed"), ("d6", "failed")])
def test_a_ruling_that_is_a_script(tmp_path: Path, square: str, outcome: str) -> None:
    file = kept(tmp_path, "trial.yaml", RULING.format(square=square))
    (case,), _, errors = read_cases([Path(file)])
    result = run_case(game(), case)
    assert (result.outcome, errors) == (outcome, [])
    if outcome == "failed":
        assert f"{file}:9:14" in result.message and "what happened last" in result.message


def test_a_case_is_a_script_or_a_position(tmp_path: Path) -> None:
    text = RULING.format(square="d5") + "    position: {turn: P1}\n    decides: P1\n    ruling: so\n"
    _, _, errors = read_cases([Path(kept(tmp_path, "trial.yaml", text))])
    assert errors


def test_show_prints_the_script_of_a_ruling(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "Protection", "--game", "unigames"]) == 0
    assert "      > move Foot F\n" in capsys.readouterr().out
    assert main(["show", "Protection", "--game", "unigames", "--format", "json"]) == 0
    (shown,) = json.loads(capsys.readouterr().out)
    assert any("> move Foot F" in one["script"] for one in shown["rulings"])
