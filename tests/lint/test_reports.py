"""Reports for other programs have the forms that these programs read, whichever command writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator
from lint_support import CARD
from report_schemas import GITLAB, JUNIT, SARIF

from linted import usual_texts
from warchest.cli.main import main as command
from warchest.diagnostics.report_forms import FORMS
from warchest.diagnostics.reports import ReportedCase, report_text
from warchest.lint.wc_lint import main as lint

ODD = '\ufeffunit: Probe 1\ncoins: four\ntactic: |\n  mve & <atack> an enemy "unit"\n'
RULING = """rulings: Archer
cases:
  - name: a & b < c
    source: a test
    position:
      to_act: raven
      units: [{at: f4, unit: Archer, owner: raven}]
      hand: {raven: [Archer]}
    offered: [{act: dance}]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The root of a repository with cards in folders, which have findings of all grades."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "my cards").mkdir()
    (tmp_path / "my cards" / "a%b.yaml").write_text(ODD, encoding="utf-8")
    (tmp_path / "my cards" / "idle.yaml").write_text(
        CARD + "attribute: |\n  another unit adjacent to this cannot move.\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path / "my cards")
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    return tmp_path


def check(form: str, text: str) -> None:
    """Check that a report has the form that is read."""
    if form in ("sarif", "gitlab"):
        Draft202012Validator(SARIF if form == "sarif" else GITLAB).validate(json.loads(text))
    elif form == "junit":
        _check_junit(ElementTree.fromstring(text))
    else:
        assert all(line.startswith(("::error ", "::warning ", "::notice ")) for line in text.splitlines())


def _check_junit(element: ElementTree.Element) -> None:
    attributes, children = JUNIT[element.tag]
    assert set(element.attrib) == attributes
    assert {one.tag for one in element} <= children
    if element.tag.startswith("testsuite"):
        for name, tag in (("tests", "testcase"), ("failures", "failure"), ("skipped", "skipped")):
            assert int(element.attrib[name]) == len(list(element.iter(tag)))
    for one in element:
        _check_junit(one)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("paths", [["."], ["nowhere.yaml"], ["idle.yaml", "--ignore", "ALL"]])
def test_the_linter_writes_the_forms(folder: Path, form: str, paths: list[str], capsys: Any) -> None:
    lint(["--isolated", "--game", usual_texts(), "--format", form, *paths])
    text = capsys.readouterr().out
    check(form, text)
    assert ("my cards/" in text or "my%20cards/" in text) == (paths == ["."])


@pytest.mark.parametrize("named", ["option", "setting"])
def test_each_code_has_its_page(folder: Path, named: str, capsys: Any) -> None:
    pages = "https://example.org/findings"
    if named == "setting":
        (folder / "wc-lint.toml").write_text(f'pages = "{pages}/"\n', encoding="utf-8")
    lint(["--game", usual_texts(), "--format", "sarif", ".", *(["--pages", pages] if named == "option" else [])])
    text = capsys.readouterr().out
    check("sarif", text)
    rules = json.loads(text)["runs"][0]["tool"]["driver"]["rules"]
    assert [one["helpUri"] for one in rules] == [f"{pages}/{one['id']}.md" for one in rules] != []


@pytest.mark.parametrize("form", ["sarif", "gitlab", "junit", "github"])
def test_passed_and_skipped_cases_have_the_form_too(form: str) -> None:
    cases = [
        ReportedCase("a & <b>", "x/y.yaml", 1, 1),
        ReportedCase("c", "x/y.yaml", 2, 1, fault="wrong\n\x1b[0m"),
        ReportedCase("d", "x/y.yaml", 3, 1, skipped="not here"),
        ReportedCase("e", "y.yaml", 4, 1, remark="so"),
    ]
    check(form, report_text(form, "tests", cases))
    check(form, report_text(form, "tests", []))


def _applied(text: str, fixes: list[list[dict[str, Any]]]) -> str:
    """A text after edits by lines and columns, as another program would apply them."""
    lines = text.splitlines(keepends=True)
    starts = [sum(map(len, lines[:number])) for number in range(len(lines) + 1)]
    edits = sorted(
        (
            (
                starts[one["line"] - 1] + one["column"] - 1,
                starts[one["end_line"] - 1] + one["end_column"] - 1,
                one["text"],
            )
            for edits in fixes
            for one in edits
        ),
        reverse=True,
    )
    for start, end, words in edits:
        text = text[:start] + words + text[end:]
    return text


def _edit(change: dict[str, Any]) -> dict[str, Any]:
    """A replacement of SARIF in the form of our JSON."""
    place, names = (
        change["deletedRegion"],
        {"startLine": "line", "startColumn": "column", "endLine": "end_line", "endColumn": "end_column"},
    )
    return {**{names[key]: value for key, value in place.items()}, "text": change["insertedContent"]["text"]}


SLIPS = {
    "words": CARD + "tactic: |\n  mve, then atack an enmy unit.\n",
    "signs": "unit: Probe\r\ncoins: four\r\ntactic: >\r\n  move.\r\nattribute: after this attacks, it may move.\r\n",
    "marks": ODD.splitlines(keepends=True)[0] + "coins: four\ntactic: |\n\tmove to a hex exactly 2 spaces away\n",
}


@pytest.mark.parametrize("name", SLIPS)
def test_edits_in_reports_equal_those_of_the_command(name: str, tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "probe.yaml"
    file.write_bytes(SLIPS[name].encode())
    for _ in range(5):
        text = file.read_bytes().decode().removeprefix("\ufeff")
        lint(["--isolated", "--game", usual_texts(), "--format", "json", str(file)])
        fixes = [one["fix"] for one in json.loads(capsys.readouterr().out) if one["fix"]]
        told = [one["edits"] for one in fixes if one["safe"]]
        if not told:
            break
        lint(["--isolated", "--game", usual_texts(), "--format", "sarif", str(file)])
        (run,) = json.loads(capsys.readouterr().out)["runs"]
        changes = [one["fixes"][0]["artifactChanges"][0]["replacements"] for one in run["results"] if "fixes" in one]
        assert [one for one in told if one] == [list(map(_edit, one)) for one in changes]
        file.write_bytes(_applied(text, told).encode())
    by_edits = file.read_bytes()
    file.write_bytes(SLIPS[name].encode())
    assert lint(["--isolated", "--game", usual_texts(), "--fix", str(file)]) == 0
    assert file.read_bytes() == by_edits != SLIPS[name].encode()


def test_fingerprints_survive_edits_above_and_elsewhere(folder: Path, capsys: Any) -> None:
    def prints() -> dict[str, str]:
        lint(["--isolated", "--game", usual_texts(), "--format", "sarif", "."])
        (run,) = json.loads(capsys.readouterr().out)["runs"]
        return {one["partialFingerprints"]["warchest/v1"]: one["message"]["text"] for one in run["results"]}

    file = folder / "my cards" / "idle.yaml"
    text, before = file.read_text(encoding="utf-8"), prints()
    longer = text.replace("attribute:", "tactic: |\n  move.\n  attack.\nattribute:")
    file.write_text(f"# A note.\n\n{longer}", encoding="utf-8")
    assert prints() == before and len(before) >= 3
    file.write_text(text.replace("another unit", "another friendly unit"), encoding="utf-8")
    assert len(prints().keys() & before.keys()) >= len(before) - 1


TESTS = ("test", "rulings.yaml")
QUICKLY = ("--budget", "1s", "--jobs", "1")
COMMANDS = [(*TESTS, "--format", form) for form in (*FORMS, "json", "text")] + [
    ("check", "Halberdier", "--alone", "--cards", "idle.yaml", *QUICKLY, "--format", "sarif"),
    ("cover", "rulings.yaml", "--jobs", "1", "--format", "sarif"),
    ("mutants", "Halberdier", "--cards", "idle.yaml", *QUICKLY, "--format", "sarif"),
]


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda one: f"{one[0]} {one[-1]}")
def test_other_commands_write_them_into_a_file(arguments: tuple[str, ...], folder: Path, capsys: Any) -> None:
    (folder / "my cards" / "rulings.yaml").write_text(RULING, encoding="utf-8")
    (folder / "my cards" / "a%b.yaml").unlink()
    assert command([*arguments, "--output-file", "report.out"]) in (0, 1)
    assert capsys.readouterr().out == ""
    text = (folder / "my cards" / "report.out").read_text(encoding="utf-8")
    if arguments[-1] in FORMS:
        check(arguments[-1], text)
    assert "rulings.yaml" in text or arguments[0] != "test"
    (folder / "my cards" / "report.out").write_text("mine\n", encoding="utf-8")
    assert command([*arguments, "--output-file", "report.out"]) == 2
    assert "report.out is there already, and is no report" in capsys.readouterr().err
