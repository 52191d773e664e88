"""docs/guides/testing-python.md: its examples are the tests that they are said to be."""

from __future__ import annotations

import re

import pytest
from docs_support import DOCS, ROOT

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.usefixtures("all_modules")

SECTION = (DOCS / "guides" / "testing-python.md").read_text(encoding="utf-8")


def blocks(text: str, kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.fixture
def reader(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """The folder of a reader who has written down all that is shown."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.chdir(pytester.path)
    card = next(one for one in blocks((ROOT / "README.md").read_text(encoding="utf-8"), "yaml") if "my-cards/" in one)
    (pytester.mkdir("my-cards") / "outrider.yaml").write_text(card, encoding="utf-8")
    (pytester.path / "test_cards.py").write_text("\n\n".join(blocks(SECTION, "python")), encoding="utf-8")
    (pytester.path / "pytest.ini").write_text(blocks(SECTION, "ini")[0], encoding="utf-8")
    return pytester


def run(reader: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return reader.runpytest_inprocess("-p", "warchest.testing.plugin", "-p", "no:cacheprovider", *arguments)


def test_the_examples_pass(reader: pytest.Pytester) -> None:
    run(reader).assert_outcomes(passed=6)


def test_a_failure_is_reported_as_shown(reader: pytest.Pytester) -> None:
    card = reader.path / "my-cards" / "outrider.yaml"
    text = card.read_text(encoding="utf-8")
    card.write_text(re.sub(r"attribute: \|\n.*\n", "", text), encoding="utf-8")
    source = (reader.path / "test_cards.py").read_text(encoding="utf-8")
    few = 'others=["Archer"], pieces=2, near=2'
    source = source.replace('cards=["Outrider"], needs', f'cards=["Outrider"], {few}, needs')
    (reader.path / "test_cards.py").write_text(source, encoding="utf-8")
    done = run(reader, "test_cards.py::test_nobody_attacks_it_from_afar")
    done.assert_outcomes(failed=1)
    said = [line for line in blocks(SECTION, "text")[0].splitlines() if not line.startswith((" ", "the option there"))]
    done.stdout.fnmatch_lines([f"*{line.replace('…', '*')}" for line in said])


def test_the_lines_are_short() -> None:
    assert [line for line in SECTION.splitlines() if len(line) > 120] == []


def test_the_files_that_it_links_to_are_there() -> None:
    links = [link for link in re.findall(r"\]\(([^)#]+)[^)]*\)", SECTION) if "://" not in link]
    assert links and all((DOCS / "guides" / link).exists() for link in links)
