"""A direction that texts ask for and none sets is always the same one, which the linter says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lint_support import run

GAME = """game: small
documents: {{}}
things: {{}}
words: {{}}
fields: {{game: {{wind: direction}}}}
play: |
  choose a direction, then {then}
  end the game.
"""
SKIRMISH = Path(__file__).parents[1] / "native" / "skirmish"
UNSET = "no text sets the wind, so it is always the first direction of the board"


@pytest.mark.parametrize(
    ("then", "messages"),
    [
        ("if that direction is the wind, end the game.", [UNSET]),
        ("that direction becomes the wind, then if the wind is that direction, end the game.", []),
    ],
)
def test_a_direction_that_no_text_sets_is_found_where_it_is_asked_for(
    tmp_path: Path, capsys: Any, then: str, messages: list[str]
) -> None:
    (tmp_path / "game.yaml").write_text(GAME.format(then=then), encoding="utf-8")
    _, found = run(capsys, tmp_path)
    assert [one["message"] for one in found] == messages
    assert all((one["name"], one["line"]) == ("never-so", 7) for one in found)


def test_it_is_found_in_a_permission_too(tmp_path: Path, capsys: Any) -> None:
    for file in SKIRMISH.iterdir():
        text = file.read_text(encoding="utf-8").replace("fields:\n", "fields:\n  unit: {facing: direction}\n")
        said = "moves to a space exactly 1 space away in the facing of the unit."
        (tmp_path / file.name).write_text(text.replace("moves to an adjacent space.", said), encoding="utf-8")
    _, found = run(capsys, tmp_path)
    assert [one["message"] for one in found] == [UNSET.replace("wind", "facing")]
