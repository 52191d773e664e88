"""Short ways to lint a text as a designer's file on top of the shipped game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from linted import CARD, lint_among, lint_on, lint_text, lint_together, usual_texts
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.lint.wc_lint import main

ROOT = Path(__file__).resolve().parents[2]
CARDS = ROOT / "cards"

SMALL = {
    "game.yaml": """game: small
title: Small
documents:
  action: {blocks: {rules: rules}, numbers: []}
  unit: {blocks: {attribute: rules}, numbers: []}
things: {}
words: {verbs: {close: {by: game}}}
play: |
  close.
""",
    "actions/close.yaml": "action: Closing\nsource: a test\nrules: |\n  to close: end the game.\n",
}
"""The files of a game without findings that is linted in a hundredth of the time of the shipped one.

Its units have attributes, which may say `after the game closes, …`.
"""


def small_game(folder: Path) -> Path:
    """Write the small game into a folder; return that."""
    for name, text in SMALL.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


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
    """Every finding is within its file, and has a message."""
    for one in found:
        assert one.message and one.message == one.message.strip(), one
        assert one.file
        for span in [one.span, *(label.span for label in one.labels)]:
            if span is not None:
                assert 0 <= span.start <= span.end <= len(span.source.text), one
                assert 1 <= span.line <= span.source.line_count, one


__all__ = [
    "CARD",
    "CARDS",
    "ROOT",
    "SMALL",
    "attribute",
    "codes",
    "lint_among",
    "lint_on",
    "lint_text",
    "lint_together",
    "run",
    "small_game",
    "sound",
    "tactic",
    "usual_texts",
]
