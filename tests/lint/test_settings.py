"""Settings of the linter: the findings that are reported, their files and their grades; and bad settings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lint_support import CARD, run

from linted import usual_texts
from warchest.diagnostics.codes import TABLE
from warchest.lint.settings import KEYS, SettingsError, settings
from warchest.lint.wc_lint import main

NOTE = "# wc-lint: ignore[WC412] because it is for beginners"
NAME = CARD.splitlines()[0].removeprefix("unit: ")
IDLE = CARD + "attribute: |\n  another unit adjacent to this cannot move.\n"
"""A card with one warning, WC412."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a card and a draft, each with a warning."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "drafts").mkdir()
    (tmp_path / "card.yaml").write_text(IDLE, encoding="utf-8")
    (tmp_path / "drafts" / "draft.yaml").write_text(IDLE.replace(NAME, "Fusilier"), encoding="utf-8")
    return tmp_path


def found(capsys: Any, *arguments: str) -> list[tuple[str, str, str]]:
    """The files, codes and grades of the findings."""
    _, told = run(capsys, "--game", usual_texts(), *arguments, ".")
    return [(one["file"], one["code"], one["severity"]) for one in told]


BOTH = [("card.yaml", "WC412", "warning"), ("drafts/draft.yaml", "WC412", "warning")]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", BOTH),
        ('select = ["WC412"]', BOTH),
        ('select = ["WC1"]', []),
        ('ignore = ["WC41"]', []),
        ('ignore = ["no-difference"]', []),
        ('ignore = ["ALL"]', []),
        ('exclude = ["drafts/"]', BOTH[:1]),
        ('exclude = ["draft.yaml"]', BOTH[:1]),
        ('exclude = ["*.yaml", "!card.yaml"]', BOTH[:1]),
        ('[per-file-ignores]\n"drafts/*" = ["WC4"]', BOTH[:1]),
        ('[severity]\nWC412 = "info"', [(file, code, "info") for file, code, _ in BOTH]),
        ('[severity]\nWC412 = "error"', [(file, code, "error") for file, code, _ in BOTH]),
    ],
)
def test_a_file_chooses(folder: Path, capsys: Any, text: str, wanted: list[tuple[str, str, str]]) -> None:
    (folder / "wc-lint.toml").write_text(text, encoding="utf-8")
    assert found(capsys) == wanted
    assert found(capsys, "--isolated") == BOTH
    tables = text.replace("[per-file", "[tool.wc-lint.per-file").replace("[severity", "[tool.wc-lint.severity")
    (folder / "wc-lint.toml").rename(folder / "pyproject.toml")
    (folder / "pyproject.toml").write_text(f"[tool.wc-lint]\n{tables}", encoding="utf-8")
    assert found(capsys) == wanted


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (("--ignore", "WC412"), []),
        (("--select", "WC1,WC2"), []),
        (("--per-file-ignores", "drafts/:WC412"), BOTH[:1]),
        (("--exclude", "drafts/"), BOTH[:1]),
        (("--severity", "WC412=error"), [(file, code, "error") for file, code, _ in BOTH]),
    ],
)
def test_the_command_line_selects_findings_too(
    folder: Path, capsys: Any, arguments: tuple[str, ...], wanted: list[tuple[str, str, str]]
) -> None:
    assert found(capsys, *arguments) == wanted


def test_a_named_file_is_checked_even_if_it_is_excluded(folder: Path, capsys: Any) -> None:
    assert main(["--exclude", "drafts/", "drafts/draft.yaml"]) == 1


def test_settings_of_a_folder_above_count_and_their_paths_are_its_own(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "wc-lint.toml").write_text('game = "my/game"\ncards = ["more"]\n', encoding="utf-8")
    (folder / "more").mkdir()
    (folder / "my" / "game").mkdir(parents=True)
    (folder / "my" / "game" / "game.yaml").touch()
    monkeypatch.chdir(folder / "drafts")
    assert settings().game == "../my/game/"
    assert settings().cards == (Path("../more"),)


def test_errors_are_always_reported(folder: Path, capsys: Any) -> None:
    (folder / "card.yaml").write_text(CARD + "tactic: |\n  mve.\n", encoding="utf-8")
    assert found(capsys, "--ignore", "ALL") == [("card.yaml", "WC201", "error")]
    assert found(capsys, "--select", "WC412", "--exclude", "drafts/") == [("card.yaml", "WC201", "error")]


WRONG = {
    "a = [": ":1: this is not valid TOML: invalid value",
    "a = 1\nb = 1 2\n": ":2:7: this is not valid TOML: expected newline",
    'cards = ["nowhere"]': ":1: cards: there is no file or folder `nowhere`",
    'ignore = ["no-diference"]': ":1: ignore: there is no code `no-diference`; did you mean `no-difference`?",
    '[per-file-ignores]\n"a/" = ["WC49"]': ":2: per-file-ignores.a/: there is no code `WC49`; did you mean `WC409`?",
    'ignor = ["WC412"]': ":1: ignor: there is no such key; did you mean `ignore`?",
    'select = "WC412"': ":1: select: this has to be a list of texts",
    "\nignore = [4]": ":2: ignore: this has to be a list of texts",
    'ignore = ["WC9"]': ":1: ignore: there is no code `WC9`",
    'ignore = ["WC020"]': ":1: ignore: WC020 is an error",
    'game = "war-chset"': ":1: game: there is no game `war-chset`; did you mean `war-chest`?",
    'game = "drafts/"': ":1: game: drafts/ is no folder of a game",
    'game = ["war-chest"]': ":1: game: this has to be a text",
    "per-file-ignores = 4": ":1: per-file-ignores: this has to be a table",
    '[per-file-ignores]\n"a/" = "WC4"': ":2: per-file-ignores.a/: this has to be a list of texts",
    '[severity]\nWC412 = "loud"': ":2: severity.WC412: a grade is one of `error`, `warning`, `info`",
    '[severity]\nWC201 = "info"': ":2: severity.WC201: WC201 is an error",
}


@pytest.mark.parametrize("text", WRONG)
def test_bad_settings_are_reported_with_their_place(folder: Path, capsys: Any, text: str) -> None:
    file = folder / "wc-lint.toml"
    file.write_text(text, encoding="utf-8")
    assert main(["."]) == 2
    assert WRONG[text] in capsys.readouterr().err


def one_line(capsys: Any, *arguments: str) -> str:
    """The line about arguments or settings that cannot be used."""
    assert main([*arguments, "card.yaml"]) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1
    return said.err.removeprefix("wc-lint: ").rstrip("\n")


def test_settings_that_cannot_be_read_are_reported_in_one_line(folder: Path, capsys: Any) -> None:
    file = folder / "wc-lint.toml"
    file.write_bytes(b'ignore = [\n"\xff"]\n')
    assert one_line(capsys) == f"{file}:2: byte 0xff is not UTF-8; save the file as UTF-8"
    file.write_text(f"ignore = {'[' * 9_000}", encoding="utf-8")
    assert one_line(capsys).startswith(f"{file}: this is not valid TOML: ")
    file.unlink()
    file.mkdir()
    assert one_line(capsys) == f"{file}: this is a folder"
    file.rmdir()
    loop, lost = ("wc-lint.toml", "Too many levels of symbolic links"), ("nowhere", "No such file or directory")
    for target, why in (loop, lost):
        file.symlink_to(target)
        assert one_line(capsys) == f"{file}: it cannot be read: {why}"
        file.unlink()


ARGUMENTS = {
    ("--ignore", "no-diference"): "--ignore: there is no code `no-diference`; did you mean `no-difference`?",
    ("--select", "WC49"): "--select: there is no code `WC49`; did you mean `WC409`?",
    ("--per-file-ignores", "old/"): "--per-file-ignores: write `PATTERN:CODES`, not 'old/'",
    ("--per-file-ignores", "old/:WC49"): "--per-file-ignores: old/: there is no code `WC49`; did you mean `WC409`?",
    ("--severity", "WC412"): "--severity: write `CODE=GRADE`, not 'WC412'",
    ("--severity", "WC412=loud"): "--severity: WC412: a grade is one of `error`, `warning`, `info`",
    ("--pages", "findings"): "--pages: this has to be an address such as `https://example.org/findings`",
    ("--cards", "nowhere"): "--cards: there is no file or folder 'nowhere'",
    ("--config", "nowhere"): "nowhere: it cannot be read: No such file or directory",
    ("--output-file", "drafts"): "--output-file: drafts: this is a folder",
    ("--output-file", "card.yaml"): "--output-file: card.yaml is there already, and is no report; choose another name",
    ("--output-file", "no/where"): "--output-file: no/where: there is no folder no",
    ("--watch", "-"): "standard input, `-`, cannot be combined with other paths or --watch",
}


@pytest.mark.parametrize("arguments", ARGUMENTS)
def test_wrong_arguments_are_reported_in_one_line(folder: Path, capsys: Any, arguments: tuple[str, ...]) -> None:
    assert one_line(capsys, *arguments) == ARGUMENTS[arguments]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("value", ["1", '"x"', "[1]", "{a = 1}", "true", "[[]]"])
def test_no_value_of_a_key_is_a_fault_of_the_program(folder: Path, key: str, value: str) -> None:
    (folder / "wc-lint.toml").write_text(f"{key} = {value}", encoding="utf-8")
    try:
        settings()
    except SettingsError as error:
        assert str(error).startswith(f"{folder / 'wc-lint.toml'}") and key in str(error)


def test_a_project_of_other_tools_is_theirs(folder: Path) -> None:
    (folder / "pyproject.toml").write_text("[tool.other\n", encoding="utf-8")
    assert settings().ignore == frozenset()
    with pytest.raises(SettingsError, match="there is no table"):
        settings(folder / "pyproject.toml")
    with pytest.raises(SettingsError, match="No such file"):
        settings(folder / "none.toml")


# ---- notes in files


def notes(tmp_path: Path, capsys: Any, text: str) -> list[tuple[int, str]]:
    """The lines and codes of the findings in a card."""
    (tmp_path / "probe.yaml").write_text(text, encoding="utf-8")
    _, told = run(capsys, "--isolated", "--game", usual_texts(), tmp_path / "probe.yaml")
    return [(one["line"], one["code"]) for one in told]


@pytest.mark.parametrize("place", ["above", "behind"])
def test_a_note_passes_over_a_warning(tmp_path: Path, capsys: Any, place: str) -> None:
    line = "  another unit adjacent to this cannot move."
    assert notes(tmp_path, capsys, IDLE) == [(4, "WC412")]
    noted = f"  {NOTE}\n\n  # on\n{line}" if place == "above" else f"{line}  {NOTE}"
    assert notes(tmp_path, capsys, IDLE.replace(line, noted)) == []


@pytest.mark.parametrize(
    ("note", "code"),
    [
        ("ignore[WC412]", "WC117"),
        ("ignore[WC412] because", "WC117"),
        ("ignore[] because so", "WC117"),
        ("ignore[WC999] because so", "WC117"),
        ("ignore[WC201] because so", "WC117"),
        ("off", "WC117"),
        ("ignore[WC411] because so", "WC118"),
    ],
)
def test_a_note_without_effect_is_found(tmp_path: Path, capsys: Any, note: str, code: str) -> None:
    text = IDLE.replace("move.", f"move.  # wc-lint: {note}")
    assert notes(tmp_path, capsys, text) == [(4, "WC412"), (4, code)]


def test_an_unused_note_is_taken_out(tmp_path: Path, capsys: Any) -> None:
    file, clean = tmp_path / "probe.yaml", CARD + "tactic: |\n  move.\n"
    for text in (clean.replace("move.", f"move.  {NOTE}"), clean.replace("  move.", f"  {NOTE}\n  move.")):
        file.write_text(text, encoding="utf-8")
        assert main(["--isolated", "--fix", str(file)]) == 0
        assert file.read_text(encoding="utf-8") == clean


# ---- forms


def test_reports_for_other_programs_have_the_same_findings(folder: Path, capsys: Any) -> None:
    told = {}
    for form in ("sarif", "gitlab", "junit", "github"):
        assert main(["--isolated", "--game", usual_texts(), "--format", form, "."]) == 1
        told[form] = capsys.readouterr().out
    (log,) = json.loads(told["sarif"])["runs"]
    places = [one["locations"][0]["physicalLocation"] for one in log["results"]]
    assert [one["artifactLocation"]["uri"] for one in places] == ["card.yaml", "drafts/draft.yaml"]
    assert [one["ruleId"] for one in log["results"]] == ["WC412", "WC412"]
    assert [one["location"]["path"] for one in json.loads(told["gitlab"])] == ["card.yaml", "drafts/draft.yaml"]
    assert told["junit"].count("<failure") == told["github"].count("::warning file=") == 2


def test_fingerprints_stay_where_lines_are_put_in(folder: Path, capsys: Any) -> None:
    def prints() -> list[str]:
        main(["--isolated", "--game", usual_texts(), "--format", "gitlab", "."])
        return [one["fingerprint"] for one in json.loads(capsys.readouterr().out)]

    before = prints()
    (folder / "card.yaml").write_text(f"# A new line.\n\n{IDLE}", encoding="utf-8")
    assert prints() == before and len(set(before)) == 2


def test_standard_input_takes_the_place_of_a_file(capsysbinary: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    for text, code in ((CARD + "tactic: |\n  mve.\n", 1), (CARD + "tactic: |\n  move.\n", 0)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert main(["--isolated", "--stdin-filename", "my.yaml", "--format", "concise", "-"]) == code
        assert (b"my.yaml:4:3: error[WC201]" in capsysbinary.readouterr().out) == bool(code)
    assert main(["--isolated", "-", "other.yaml"]) == 2


def test_statistics_and_a_file_for_the_output(folder: Path, capsys: Any) -> None:
    assert main(["--isolated", "--game", usual_texts(), "--statistics", "--output-file", "out.txt", "."]) == 1
    assert (folder / "out.txt").read_text(encoding="utf-8") == "2  WC412 no-difference\n"
    assert main(["--isolated", "--output-file", "card.yaml", "."]) == 2
    assert "card.yaml is there already, and is no report; choose another name" in capsys.readouterr().err
    assert (folder / "card.yaml").read_text(encoding="utf-8") == IDLE


def test_codes_are_chosen_by_their_beginnings() -> None:
    assert settings().select == {row.code for row in TABLE}
