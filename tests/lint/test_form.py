"""Slips of form, as designers make them: nearly all are found, and on the line where they are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import yaml
from lint_support import CARD, lint_text
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.diagnostics.render import ordered

SLIPS = Path(__file__).with_name("form.yaml")
FOUND, PLACED = 0.98, 0.95


class Slip(NamedTuple):
    """One slip: its class, the file that it stands in, and the line."""

    kind: str
    text: str
    line: int

    def __str__(self) -> str:
        return f"{self.kind}, line {self.line} of:\n{self.text}"


def slips() -> list[Slip]:
    """All slips of the table."""
    table = yaml.safe_load(SLIPS.read_text(encoding="utf-8"))
    return [
        _slip(kind, _marked(table["files"], *seed)) for kind, seeds in table["slips"].items() for seed in seeds
    ]


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


def found_in(folder: Path, number: int, slip: Slip) -> list[Diagnostic]:
    """The findings in the file of a slip, the first one first."""
    own = folder / str(number)
    own.mkdir()
    return ordered(lint_text(own, slip.text))


def test_nearly_all_slips_of_form_are_found(tmp_path: Path) -> None:
    tried = [(slip, found_in(tmp_path, number, slip)) for number, slip in enumerate(slips())]
    assert len(tried) >= 180
    missed = [slip for slip, found in tried if not found]
    placed = [(slip, found[0]) for slip, found in tried if found]
    astray = [f"{slip}\n-> {one.span and one.span.line}: {one.message}"
              for slip, one in placed if one.span is None or one.span.line != slip.line]  # fmt: skip
    assert len(missed) <= len(tried) * (1 - FOUND), "\n\n".join(map(str, missed))
    assert len(astray) <= len(placed) * (1 - PLACED), "\n\n".join(astray)
