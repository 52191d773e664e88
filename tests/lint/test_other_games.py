"""Documents of kinds that only other games have: they are reported, and not checked."""

from __future__ import annotations

from pathlib import Path

import pytest
from lint_support import CARD

from warchest.lint.wc_lint import main

RULED = """\
unit: Halberdier
coins: 4
tactic: |
  atack.
rulings:
  - name: It attacks
    position: {to_act: raven, hand: {raven: [Halberdier]}}
    do: [{act: tactic, coin: Halberdier}]
"""


@pytest.mark.parametrize("text", [CARD, RULED])
def test_a_card_of_another_game_is_one_warning(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "card.yaml"
    file.write_text(text, encoding="utf-8")
    assert main(["--game", "unigames", str(file)]) == 1
    said = capsys.readouterr().out
    assert said.count("WC") == said.count("WC119") == 1
    assert "neither checked nor played" in said


def test_a_kind_that_a_pack_beside_declares_is_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pack.yaml").write_text("words: Ours\ndocuments:\n  unit: {numbers: [coins]}\n", encoding="utf-8")
    file = tmp_path / "card.yaml"
    file.write_text("unit: Halberdier\ncoins: 4\n", encoding="utf-8")
    main(["--game", "unigames", str(file)])
    assert "WC119" not in capsys.readouterr().out


def test_a_kind_that_the_game_declares_is_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "card.yaml").write_text(CARD, encoding="utf-8")
    assert main([str(tmp_path)]) == 0
    assert "WC119" not in capsys.readouterr().out
