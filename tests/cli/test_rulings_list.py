"""`warchest rulings`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from warchest.documents.load import load
from warchest.documents.schemas import read_schemas
from warchest.rulings.cases import read_cases

SHIPPED = Path(__file__).resolve().parents[2] / "cards" / "war-chest"
QUESTION = """\
question: Lance length
about: [Cavalry]
asks: How long is a lance?
readings:
  - reading: It is long.
    used by: [somebody, somebody else]
    value: long
  - {reading: It is short., value: short}
  - {reading: It has no length.}
taken: It is long.
because: It looks long.
option: lances
not offered: what has no length is no lance
source: nothing is printed
"""
LISTED = """\
Lance length   Cavalry
  How long is a lance?
  taken:   It is long.   lances=long   used by somebody, somebody else
  because: It looks long.
  or:      It is short.   lances=short
  or:      It has no length.
  not offered: what has no length is no lance
  source:  nothing is printed
"""


def test_all_rulings_are_listed_with_their_sources(run: Any) -> None:
    cases, _, errors = read_cases([SHIPPED])
    assert not errors
    listed = run("rulings", "--format", "json").json
    assert {(one["card"], one["name"]) for one in listed} == {(case.card, case.name) for case in cases}
    assert all(one["source"] and one["file"] and one["line"] for one in listed)
    cards = [one["card"] for one in listed]
    assert cards == sorted(cards)


def test_rulings_of_some_cards(run: Any) -> None:
    ran = run("rulings", "scout", "Light Cavalry")
    assert ran.code == 0
    heads = [line for line in ran.out.splitlines() if line and not line.startswith(" ")]
    assert heads == ["Light Cavalry", "Scout"]
    assert "  • The Light Cavalry may move a single space   000 p.16 " in ran.out


def test_every_question_is_listed(run: Any) -> None:
    names = {document.name for document in load([SHIPPED / "questions"], read_schemas()).documents}
    listed = run("rulings", "--open", "--format", "json").json
    assert {one["question"] for one in listed} == names and len(listed) == len(names) >= 22
    out = run("rulings", "--open").out
    assert {line.partition("   ")[0] for line in out.splitlines() if line and not line.startswith(" ")} == names
    for one in listed:
        assert one["taken"]["reading"] in out and one["because"] in out
        assert [other["reading"] for other in one["others"] if other["reading"] not in out] == []
        values = [reading["value"] for reading in (one["taken"], *one["others"]) if reading["value"]]
        assert [value for value in values if f"{one['option']}={value}" not in out] == []


def test_a_question_of_ones_own(run: Any, tmp_path: Path) -> None:
    (tmp_path / "lances.yaml").write_text(QUESTION, encoding="utf-8")
    ran = run("rulings", "--open", "Cavalry", "--cards", tmp_path)
    assert (ran.code, ran.out) == (0, LISTED)
    (one,) = run("rulings", "--open", "Cavalry", "--cards", tmp_path, "--format", "json").json
    assert one["taken"] == {"reading": "It is long.", "used_by": ["somebody", "somebody else"], "value": "long"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("rulings", "Scuot"), "there is no ruling on 'Scuot'; did you mean `Scout`?"),
        (("rulings", "--open", "Spi"), "there is no question about 'Spi'; did you mean `Spy`?"),
        (("rulings", "--game", "nothing"), "there is no game 'nothing'"),
    ],
)
def test_unknown_names_are_refused(run: Any, arguments: tuple[str, ...], words: str) -> None:
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err


def test_files_that_are_wrong(run: Any, tmp_path: Path) -> None:
    (tmp_path / "lances.yaml").write_text(QUESTION.replace("because", "becos"), encoding="utf-8")
    ran = run("rulings", "--open", "--cards", tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert "lances.yaml" in ran.err
