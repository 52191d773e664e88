"""Reading a folder: its cards, but no hidden, ignored or generated files."""

from __future__ import annotations

from pathlib import Path

import pytest

from warchest.source.folders import files_in

CARD = "unit: Otter\ncoins: 4\n"


def names_in(folder: Path) -> list[str]:
    """Return the files that are read, as seen from their folder."""
    return [str(file.relative_to(folder)) for file in files_in(folder)]


def write(folder: Path, *names: str, text: str = CARD) -> None:
    """Write files of these names, with their folders."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def test_all_yaml_is_read_in_capital_letters_too(tmp_path: Path) -> None:
    write(tmp_path, "a.yaml", "b.yml", "c.YAML", "d/e/f.Yml", "g.txt", "h.yaml.bak")
    assert names_in(tmp_path) == ["a.yaml", "b.yml", "c.YAML", "d/e/f.Yml"]


def test_hidden_and_generated_files_are_passed_over(tmp_path: Path) -> None:
    write(
        tmp_path,
        "a.yaml",
        ".b.yaml",
        ".github/c.yaml",
        "node_modules/d.yaml",
        "env/e.yaml",
        "env/pyvenv.cfg",
        "built/f.yaml",
        "built/CACHEDIR.TAG",
    )
    assert names_in(tmp_path) == ["a.yaml"]


def test_a_folder_given_by_name_is_always_read(tmp_path: Path) -> None:
    write(tmp_path, ".hidden/a.yaml", "env/pyvenv.cfg", "env/b.yaml")
    assert names_in(tmp_path / ".hidden") == ["a.yaml"]
    assert names_in(tmp_path / "env") == ["b.yaml"]


@pytest.mark.parametrize("name", [".gitignore", ".wc-lint-ignore"])
def test_ignored_files_are_passed_over(tmp_path: Path, name: str) -> None:
    write(tmp_path, "a.yaml", "old/b.yaml", "c.yaml", "below/old/d.yaml", "below/e.yaml", "below/f-draft.yaml")
    write(tmp_path, name, text="/old/\nc.yaml\n# a note\n\n")
    write(tmp_path, f"below/{name}", text="*-draft.yaml\n")
    assert names_in(tmp_path) == ["a.yaml", "below/e.yaml", "below/old/d.yaml"]
