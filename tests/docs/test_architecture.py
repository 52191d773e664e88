"""docs/explanation/architecture.md describes every folder, names only existing ones, and traces an option as it is."""

from __future__ import annotations

import re

import pytest
from docs_support import DOCS, PACKAGE, ROOT

from warchest.cli.main import main

PAGE, MACHINES = (
    (DOCS / "explanation" / f"{name}.md").read_text(encoding="utf-8") for name in ("architecture", "machines")
)
FOLDERS = sorted(path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file())


def section(title: str) -> str:
    return (PAGE + MACHINES).split(f"\n## {title}\n")[1].split("\n## ")[0]


def test_every_folder_is_described_once() -> None:
    told = re.findall(r"^\| `(\w+)/` \|", section("The folders"), re.MULTILINE)
    assert sorted(told) == FOLDERS


def test_the_modules_of_the_machine_are_in_the_order_of_their_imports() -> None:
    listed = re.findall(r"^\| `(\w+)\.py` \|", section("The reference machine"), re.MULTILINE)
    assert sorted(listed) == sorted(path.stem for path in (PACKAGE / "engine").glob("*.py") if path.stem != "__init__")
    for place, name in enumerate(listed):
        text = (PACKAGE / "engine" / f"{name}.py").read_text(encoding="utf-8")
        imported = set(re.findall(r"^(?:    )?from warchest\.engine\.(\w+) import", text, re.MULTILINE))
        imported |= set(re.findall(r"^(?:    )?from warchest\.engine import (\w+)", text, re.MULTILINE))
        assert imported <= set(listed[:place]), f"{name} imports {sorted(imported - set(listed[:place]))}"


def test_the_code_of_the_traced_option_is_the_real_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dis", "Lancer"]) == 0
    code = [line for line in capsys.readouterr().out.splitlines() if not line.startswith("       #")]
    page = section("One option, from the card to the board")
    shown = re.findall(r"```text\n(.*?)```", page, re.DOTALL)[0].splitlines()
    assert len(shown) == len(code)
    for line, whole in zip(shown, code, strict=True):
        assert whole.startswith(line.removesuffix(" …")), line


def test_the_glossary_has_forty_words() -> None:
    rows = re.findall(r"^\| (?!the language)[^-].* \|$", section("Glossary"), re.MULTILINE)
    assert len(rows) >= 40 and all(row.count(" | ") == 2 for row in rows)


def test_the_files_that_are_named_exist() -> None:
    known = {path.name for path in PACKAGE.rglob("*.py")}
    for name in re.findall(r"`([\w/.-]+\.(?:py|lark|yaml|txt|md))`", PAGE + MACHINES):
        places = [ROOT / name, PACKAGE / name, ROOT / "tests" / "syntax" / name]
        assert name in known or any(place.is_file() for place in places), name
    for folder in re.findall(r"`(\w+/)`", PAGE + MACHINES):
        assert (ROOT / folder).is_dir() or (PACKAGE / folder).is_dir(), folder
