"""README, CONTRIBUTING, CHANGELOG and the pages of commands: examples run, names and links exist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from shutil import copytree

import pytest
from commands_support import INDEX
from commands_support import pages as command_pages
from docs_support import ROOT
from page_following import agrees, environment, follow, of_kind, steps, write_files

import warchest
from linted import usual_texts
from warchest.cli.commands import COMMANDS, RENAMED
from warchest.documents.library import Document
from warchest.lint.wc_lint import findings_in
from warchest.testing import law_check, meanings, playing
from warchest.testing.mutants.making import Mutant, Mutants

RECIPES = ROOT / "docs" / "guides" / "recipes.md"
README, CONTRIBUTING = ROOT / "README.md", ROOT / "CONTRIBUTING.md"
BALANCE = ROOT / "docs" / "guides" / "balance.md"
PAGES = (
    README,
    CONTRIBUTING,
    ROOT / "CHANGELOG.md",
    *command_pages(),
    ROOT / "SECURITY.md",
    ROOT / "docs" / "reference" / "licences.md",
    BALANCE,
    ROOT / "docs" / "guides" / "rl.md",
)

# ---- the pages as such


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8"))
    local = [link for link in links if "://" not in link]
    assert [link for link in local if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_lines_are_short_outside_tables(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if len(line) > 120 and not line.startswith("|")] == []


def test_the_readme_is_short() -> None:
    assert README.read_text(encoding="utf-8").count("\n") <= 190


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_targets_of_make_exist(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    code = re.findall(r"`(make [^`\n]+)`", page.read_text(encoding="utf-8"))
    code += [line for block in of_kind(page, "sh") for line in block.text.splitlines()]
    assert {word for line in code for word in re.findall(r"^make ([a-z-]+)", line)} <= targets


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_that_are_named_exist(page: Path) -> None:
    named = set(re.findall(r"`warchest ([a-z]+)", page.read_text(encoding="utf-8")))
    assert named <= {*COMMANDS, *RENAMED, "help"}


# ---- the files they show


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_shipped_files_are_as_shown(page: Path) -> None:
    for block in (one for one in of_kind(page, "yaml") if one.is_shipped):
        assert (ROOT / block.file).read_text(encoding="utf-8") == block.content, block.line


def test_the_readme_shows_a_shipped_card_and_a_new_one() -> None:
    assert [block.is_shipped for block in of_kind(README, "yaml")] == [True, False]


def test_new_cards_are_without_findings(tmp_path: Path) -> None:
    """That of the README is linted by a command there."""
    assert findings_in([write_files(INDEX, tmp_path) / "my-cards"]) == []
    assert ("wc-lint my-cards", "no findings\n") in [(command, printed) for command, printed, _ in steps(README)]


# ---- the commands they print


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a reader."""
    return environment(tmp_path_factory.mktemp("bin"))


FEW = 6
"""Of this many near-miss readings `warchest quiz` takes some that differ, and so it asks a question."""


class FewReadings(Mutants):
    """The first mutants of a document."""

    def of(self, document: Document) -> Iterator[Mutant]:
        """Yield a few."""
        return islice(super().of(document), FEW)


@pytest.fixture
def few_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `warchest check` and `warchest quiz` try few positions, games and readings.

    Here the first is to print what is said, and find nothing; the other is to ask.
    """
    monkeypatch.setattr(meanings, "Mutants", FewReadings)
    monkeypatch.setattr(law_check, "POSITIONS", 3)
    monkeypatch.setattr(law_check, "COMPARED", 4)
    monkeypatch.setattr(playing, "STARTS", 1)
    monkeypatch.setattr(playing, "SHORT", 40)


@pytest.mark.parametrize("page", [README, *command_pages(), BALANCE], ids=lambda page: page.name)
@pytest.mark.usefixtures("loads_once", "in_one_process", "few_positions")
def test_commands_have_the_shown_output(
    page: Path, tmp_path: Path, shell: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if page in command_pages():
        write_files(INDEX, tmp_path)
    assert steps(page) or page == INDEX
    follow(page, tmp_path, shell, monkeypatch)


def test_a_false_output_would_be_seen() -> None:
    assert agrees("x", "one\n…\nthree", "one\ntwo\nthree\n") and agrees("warchest bench", "2.5 games", "17 games")
    assert not agrees("x", "one\n…\nthree", "one\ntwo\nfour\n") and not agrees("x", "2.5 games", "17 games")


# ---- the Python


def test_the_python_of_the_readme_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(write_files(README, tmp_path))
    (block,) = of_kind(README, "python")
    names: dict[str, object] = {}
    exec(compile(block.text, str(README), "exec"), names)
    assert len([line for line in block.text.splitlines() if line]) <= 15
    assert isinstance(names["state"], warchest.State)
    assert "a unit cannot attack this unless that unit is adjacent to this" in capsys.readouterr().out


# ---- the commands


# ---- the recipes


def test_files_in_the_recipes_exist() -> None:
    """Every path in the recipes is there; `<…>` in one is any name."""
    text = CONTRIBUTING.read_text(encoding="utf-8") + RECIPES.read_text(encoding="utf-8")
    named = re.findall(r"`((?:cards|docs|grammar|interpreter|schemas|tests)/[^`\s]*)`", text)
    assert len(named) > 30
    assert [name for name in named if not list(ROOT.glob(re.sub(r"<[^>]*>", "*", name)))] == []


def test_names_in_the_recipes_exist() -> None:
    """Names written as `file.py: NAME` are in that file."""
    text = CONTRIBUTING.read_text(encoding="utf-8") + RECIPES.read_text(encoding="utf-8")
    named = re.findall(r"`([\w/]+\.py): (\w+)`", text)
    assert len(named) >= 6
    for file, name in named:
        found = (ROOT / file).read_text(encoding="utf-8")
        assert re.search(rf"\b{re.escape(name)}\b", found), (file, name)


def test_the_recipe_for_a_verb_needs_data_only(tmp_path: Path) -> None:
    """The two changes that the recipe shows, made to a copy of the game; they have nothing to do with errata."""
    from warchest.game.game import Game

    declared, document = (block.text for block in of_kind(RECIPES, "yaml"))
    copytree(usual_texts(), tmp_path, dirs_exist_ok=True)
    game = tmp_path / "game.yaml"
    before = game.read_text(encoding="utf-8")
    game.write_text(before.replace("  verbs:\n", f"  verbs:\n    {declared.strip()}\n"), encoding="utf-8")
    (tmp_path / "actions" / "retreat.yaml").write_text(document, encoding="utf-8")
    assert findings_in([tmp_path]) == []
    state = Game(tmp_path).position(
        {
            "to_act": "raven",
            "control": {"raven": ["e2"]},
            "units": [{"at": "e2", "unit": "Scout", "owner": "raven"}],
            "hand": {"raven": ["Scout"], "wolf": ["Royal Coin"]},
        }
    )
    assert state.decision is not None
    state.apply(next(one for one in state.decision.options if one.data["act"] == "retreat"))
    assert state.position()["units"] == []
