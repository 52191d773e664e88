"""docs/guides/rulings.md: every option it shows is possible, and every key of a case is described."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from docs_support import DOCS, ROOT

import warchest
from loaded import shipped
from warchest.cli.main import main
from warchest.game.explain.vocabulary import sayable
from warchest.lint.wc_lint import main as lint

PAGE = (DOCS / "guides" / "rulings.md").read_text(encoding="utf-8")
OPTIONS = [yaml.safe_load(one) for one in re.findall(r"^\| `(\{.*\})` \|", PAGE, re.MULTILINE)]


@pytest.fixture(scope="module")
def game() -> warchest.Game:
    return shipped()


@pytest.mark.parametrize("option", OPTIONS, ids=str)
def test_every_shown_option_is_possible(game: warchest.Game, option: dict[str, Any]) -> None:
    wrong = sayable(game.variant(), game.boards).wrong(option)
    assert [one for one in wrong if one.key != "clause"] == []


def test_an_option_with_a_slip_is_impossible(game: warchest.Game) -> None:
    words = sayable(game.variant(), game.boards)
    assert all(list(words.wrong(odd)) for odd in ({"act": "atack"}, {"act": "attack", "targt": "f5"}))


def test_all_keys_of_cases_and_positions_are_described(game: warchest.Game) -> None:
    case = json.loads((ROOT / "schemas" / "rulings.schema.json").read_text(encoding="utf-8"))["$defs"]["case"]
    assert {key for key in case["properties"] if f"`{key}`" not in PAGE} <= {"ruling"}
    for name in ("war-chest", "unigames"):
        told = " ".join(re.findall(r"`([^`]*)`", PAGE)).split()
        assert set(shipped(name).document.values["position"]) <= set(told)


def test_the_card_on_the_page_is_sound_and_its_ruling_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "warden.yaml"
    file.write_text(re.findall(r"^```card\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)[0], encoding="utf-8")
    assert lint([str(file)]) == 0, capsys.readouterr().out
    assert main(["test", "--jobs", "1", str(file)]) == 0, capsys.readouterr().out
