"""The linter's findings in scripts of rulings: unreadable lines, without playing."""

from __future__ import annotations

from pathlib import Path
from shutil import copy, copytree, ignore_patterns

import pytest
from scripts_support import FIELD, WRONG, game, run

from warchest.lint.wc_lint import findings_in
from warchest.scripts.lines import MISPLACED, ScriptReader
from warchest.scripts.notation import notation_of
from warchest.source.text import Source

ROOT = Path(__file__).resolve().parents[2]
FIGURE = "figure: Spare\nattack: 1\ndefense: 1\nmove: 1\ncost: 1\nsource: a test\n"
RULINGS = "rulings:\n  - name: A case\n    source: a test\n    script: |\n"


def reader() -> ScriptReader:
    notation = notation_of(game().library)
    assert notation is not None
    return ScriptReader(notation, game().library, game().document, game().variant().board)


def card(*lines: str) -> str:
    return FIGURE + RULINGS + "".join(f"      {line}\n" for line in lines)


@pytest.mark.parametrize("text", [text for text, name, *_ in WRONG if name in ("unreadable-line", MISPLACED)])
def test_unreadable_lines_are_found_without_playing(text: str) -> None:
    source = Source("case.script", text)
    assert list(reader().unreadable(source.span(0, len(text)))) == [run(text).finding]


def test_figures_of_one_name_are_found_without_playing() -> None:
    source = Source("case.script", "P1 Foot@d4n 3/4/5\nP2 Foot@d6s 1/1/1\n> end")
    (found,) = reader().unreadable(source.span(0, len(source.text)))
    assert found.name == "impossible-position"


def test_rulings_of_cards_and_those_in_files_of_their_own_are_read(tmp_path: Path) -> None:
    wrong, cases = tmp_path / "spare.yaml", tmp_path / "cases.yaml"
    field = FIELD.splitlines()
    wrong.write_text(card(*field, "> mov Foot F", "= Foot dgm 2", "= Foot dmg 3"), encoding="utf-8")
    told = RULINGS.replace("rulings:", "rulings: Spare\ncases:")
    cases.write_text(told + "      P1 Foot@d4n 3/4/5 Blacklash(2)\n", encoding="utf-8")
    unknown, *found = findings_in([cases, wrong], "unigames")
    first = len((FIGURE + RULINGS).splitlines()) + len(field) + 1
    assert [one.name for one in found] == ["unreadable-line"] * 2
    assert [(one.span.line, one.span.column) for one in found if one.span] == [(first, 9), (first + 1, 14)]
    assert found[0].file == found[1].file == str(wrong) and "did you mean `move`?" in found[0].help
    assert unknown.file == str(cases) and unknown.span is not None
    assert (unknown.span.line, unknown.span.text) == (6, "Blacklash")


def test_a_ruling_that_can_be_read_gives_no_finding(tmp_path: Path) -> None:
    file = tmp_path / "spare.yaml"
    file.write_text(card("P1 Spare@d4n", "P2 Other@d7s 1/1/1 Create(Imp 1/2/3)", "= Spare @d4n", "= Imp removed"))
    assert findings_in([file], "unigames") == []


def test_all_scripts_of_the_game_can_be_read() -> None:
    """The linter passes them over where the whole of a shipped game is linted, so that it stays quick."""
    assert findings_in([ROOT / "cards/unigames/abilities", ROOT / "cards/unigames/rulings"]) == []


def test_a_notation_that_is_wrong_is_found_first(tmp_path: Path) -> None:
    # With errata all would be read again.
    copytree(ROOT / "cards/unigames", tmp_path / "game", ignore=ignore_patterns("errata", "questions", "rulings"))
    notation, cases = tmp_path / "game/notation.yaml", tmp_path / "game/rulings/core.yaml"
    cases.parent.mkdir()
    copy(ROOT / "cards/unigames/rulings/core.yaml", cases)
    cases.write_text(cases.read_text(encoding="utf-8").replace("> move", "> mov"), encoding="utf-8")
    assert {one.name for one in findings_in([tmp_path / "game"])} == {"unreadable-line"}
    told = notation.read_text(encoding="utf-8")
    notation.write_text(told.replace("is: capitalised, words: [generic]", 'pattern: "(a"'), encoding="utf-8")
    (found,) = findings_in([tmp_path / "game"])
    assert (found.name, found.file) == ("unknown-key", str(notation))
    assert "`pattern` cannot be given here" in found.message and "`is: capitalised`" in found.help
