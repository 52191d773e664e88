"""The examples of a page: its fenced blocks, and the linter's findings in them."""

from __future__ import annotations

import io
import re
import shlex
from collections.abc import Iterable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from linted import lint_among
from warchest.cli.main import main
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.lint.wc_lint import main as lint_main

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "interpreter" / "warchest"
DOCS = ROOT / "docs"
_FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_KEYS = {"steps": "tactic", "rules": "attribute"}


@dataclass(frozen=True)
class Example:
    """A fenced block: its kind, the words after it, its text, its line."""

    page: str
    kind: str
    words: tuple[str, ...]
    text: str
    line: int

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def examples(page: str) -> list[Example]:
    text = (DOCS / page).read_text(encoding="utf-8")
    return [
        Example(page, match[1], tuple(match[2].split()), match[3], text.count("\n", 0, match.start()) + 1)
        for match in _FENCE.finditer(text)
    ]


def findings(document: str, among: Iterable[str] = ()) -> list[Diagnostic]:
    """The findings in a document on top of War Chest, perhaps linted at once with others."""
    with TemporaryDirectory() as folder:
        return lint_among(Path(folder), document, among, document.partition("\n")[0])


PROGRAMS = {"warchest": main, "wc-lint": lint_main}


def carried_out(command: str, monkeypatch: pytest.MonkeyPatch, answers: str = "") -> tuple[int, str]:
    """The exit code of a command that is run in this process, with no more answers than these, and all it prints."""
    program, *arguments = shlex.split(command)
    printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    typed = io.TextIOWrapper(io.BytesIO(answers.encode("utf-8")), encoding="utf-8")
    with redirect_stdout(printed), redirect_stderr(printed):
        monkeypatch.setattr("sys.stdin", typed)
        code = PROGRAMS[program](arguments)
    return code, printed.buffer.getvalue().decode("utf-8")  # type: ignore[attr-defined]


def card_around(meaning: str, text: str, of: str = "card") -> str:
    """A unit that carries a text as steps or as rules; or, of the `game`, a document of its rules."""
    body = "".join(f"  {line}\n" for line in text.splitlines())
    if of == "game":
        return f"action: Example\nsource: none\nrules: |\n{body}"
    return f"unit: Example\nset: base\ncoins: 4\nsource: none\n{_KEYS[meaning]}: |\n{body}"
