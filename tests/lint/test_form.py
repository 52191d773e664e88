"""Slips of form, as designers make them: nearly all are found, and on the line where they are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import yaml
from lint_support import CARD, lint_on, usual_texts

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.diagnostics.render import ordered
from warchest.lint.wc_lint import findings_in

SLIPS = Path(__file__).with_name("form.yaml")
MANY, FOUND, PLACED = 180, 0.98, 0.95
APART = "errata"
"""The class of slips whose findings in one file depend on another."""


class Slip(NamedTuple):
    """One slip: its class, its file, and the line."""

    kind: str
    text: str
    line: int

    def __str__(self) -> str:
        return f"{self.kind}, line {self.line} of:\n{self.text}"


def slips() -> list[Slip]:
    """All slips of the table."""
    table = yaml.safe_load(SLIPS.read_text(encoding="utf-8"))
    return [_slip(kind, _marked(table["files"], *seed)) for kind, seeds in table["slips"].items() for seed in seeds]


def _marked(files: dict[str, str], where: str, *texts: str) -> str:
    if where not in files:
        (text,) = texts
        return CARD + f"{where}: |\n" + "".join(f"  {line}\n" for line in text.splitlines())
    old, new = texts
    assert old in files[where], old
    return files[where].replace(old, new, 1)


def _slip(kind: str, marked: str) -> Slip:
    assert marked.count("«") == 1, marked
    return Slip(kind, re.sub("[«»]", "", marked), marked[: marked.index("«")].count("\n") + 1)


def found_in(folder: Path, slip: Slip) -> list[Diagnostic]:
    """The findings in the file of a slip by itself, the first one first.

    The game is taken without its errata unless a slip is about these: each variant is checked again.
    """
    own = folder / "alone"
    own.mkdir(exist_ok=True)
    return ordered(lint_on(None if "royal_g" in slip.text else usual_texts(), own, slip.text))


def found_together(folder: Path, tried: list[Slip]) -> list[Diagnostic | None]:
    """The first finding for each slip, those together in a folder that have nothing to do with each other.

    Those without findings then are checked once more without the others, which may have hidden them.
    """
    found: dict[int, Diagnostic] = {}
    for name in ("together", "hidden"):
        files: dict[str, int] = {}
        (folder / name).mkdir()
        for number, slip in enumerate(tried):
            if slip.kind != APART and slip.text.startswith("unit: ") and number not in found:
                own = folder / name / f"{number}.yaml"
                own.write_text(slip.text.replace("Halberdier", f"Halberdier {number}"), encoding="utf-8")
                files[str(own)] = number
        for one in ordered(findings_in([folder / name], usual_texts())):
            if one.file in files:
                found.setdefault(files[one.file], one)
    return [found.get(number) or next(iter(found_in(folder, slip)), None) for number, slip in enumerate(tried)]


def test_nearly_all_slips_of_form_are_found_where_they_are(tmp_path: Path) -> None:
    tried = slips()
    assert len(tried) >= MANY
    found = found_together(tmp_path, tried)
    missed = [str(slip) for slip, one in zip(tried, found, strict=True) if one is None]
    placed = [(slip, one) for slip, one in zip(tried, found, strict=True) if one is not None]
    astray = [
        f"{slip}\n-> {one.span and one.span.line}: {one.message}"
        for slip, one in placed
        if one.span is None or one.span.line != slip.line
    ]
    assert len(missed) <= len(tried) * (1 - FOUND), "\n\n".join(missed)
    assert len(astray) <= len(placed) * (1 - PLACED), "\n\n".join(astray)
