"""The answers to faulty scripts: the kind of finding, its line and its column, and the help."""

from __future__ import annotations

import pytest
from scripts_support import FIELD, LINE, WRONG, game, run, stops

from warchest.scripts.line_script import run_script
from warchest.source.text import Source


@pytest.mark.parametrize(("text", "name", "line", "column", "help"), WRONG, ids=[one[0][-30:] for one in WRONG])
def test_mistakes_are_found_at_their_places(text: str, name: str, line: int, column: int, help: str) -> None:
    assert stops(text) == (name, line, column)
    finding = run(text).finding
    assert finding is not None and help in finding.help and finding.message


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("P1 Two@a3n 1/1/1 Backstab(1) Backstab(2)", "listed twice"),
        ("P1 Two@a3n 1/1/1 dmg=1", "overborne"),
        ("controlled Foe by P1 via Foot", "Foot has no Mind Control"),
    ],
)
def test_the_reason_for_an_impossible_position_is_reported(line: str, why: str) -> None:
    finding = run(FIELD + line).finding
    assert finding is not None and why in finding.message


def test_only_the_first_false_line_is_reported() -> None:
    result = run(FIELD + "= Foot dmg 2\n= Foot dmg 3\n= nonsense")
    assert result.finding is not None and result.finding.span is not None
    assert (result.finding.span.line, result.lines) == (LINE + 1, LINE)


def test_an_empty_script_holds() -> None:
    assert run("").finding is None and run("# nothing\n\n").lines == 0


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_end_is_one(end: str) -> None:
    assert stops((FIELD + "= Foot dmg 9").replace("\n", end)) == ("wrong-assertion", LINE, 8)


@pytest.mark.parametrize("text", ["=", "P1", "P1 \x00", "> " * 50, "<" * 200, "P1 A@d4n 3/4/5 " + "(" * 300, "=" * 99])
def test_odd_texts_are_findings_too(text: str) -> None:
    source = Source("odd", FIELD + text)
    assert run_script(game(), source.span(0, len(source.text))).finding is not None
