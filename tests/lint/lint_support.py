"""Short ways to lint a text as a designer's file on top of the shipped game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from linted import CARD, lint_among, lint_text, lint_together
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.lint.main import main

ROOT = Path(__file__).resolve().parents[2]
CARDS = ROOT / "cards"


def tactic(*sentences: str) -> str:
    return CARD + "tactic: |\n" + "".join(f"  {sentence}\n" for sentence in sentences)


def attribute(*sentences: str) -> str:
    return CARD + "attribute: |\n" + "".join(f"  {sentence}\n" for sentence in sentences)


def codes(found: list[Diagnostic]) -> list[str]:
    return [one.name for one in found]


def run(capsys: Any, *arguments: str | Path) -> tuple[int, list[dict[str, Any]]]:
    """The exit code and the findings of the command, as its JSON has them."""
    code = main(["--format", "json", *map(str, arguments)])
    return code, json.loads(capsys.readouterr().out)


def sound(found: list[Diagnostic]) -> None:
    """Every finding lies within its file, and says something."""
    for one in found:
        assert one.message and one.message == one.message.strip(), one
        assert one.file
        for span in [one.span, *(label.span for label in one.labels)]:
            if span is not None:
                assert 0 <= span.start <= span.end <= len(span.source.text), one
                assert 1 <= span.line <= span.source.line_count, one


__all__ = ["CARD", "CARDS", "ROOT", "attribute", "codes", "lint_among", "lint_text", "lint_together", "run", "sound",
           "tactic"]  # fmt: skip
