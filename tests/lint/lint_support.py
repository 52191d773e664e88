"""Short ways to lint a text as a designer's file on top of the shipped game."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.lint.main import findings_in, main

ROOT = Path(__file__).resolve().parents[2]
CARDS = ROOT / "cards"
CARD = "unit: Halberdier\ncoins: 4\n"


def lint_text(folder: Path, text: str, name: str = "card.yaml") -> list[Diagnostic]:
    """The findings in a file with this text, in a folder of its own."""
    file = folder / name
    file.write_bytes(text.encode("utf-8"))
    return findings_in([file])


NAMED = CARD.partition("\n")[0]


@lru_cache
def _together(texts: tuple[str, ...], named: str) -> dict[str, list[Diagnostic]]:
    """The findings in documents that are linted at once, by their texts, each in a file of its own."""
    with tempfile.TemporaryDirectory() as folder:
        files = {text: Path(folder) / f"{number}.yaml" for number, text in enumerate(texts)}
        for number, (text, file) in enumerate(files.items()):
            file.write_text(text.replace(named, f"{named} {number}", 1), encoding="utf-8")
        found = findings_in([Path(folder)])
        return {text: [one for one in found if one.file == str(file)] for text, file in files.items()}


def lint_among(folder: Path, text: str, others: Iterable[str], named: str = NAMED) -> list[Diagnostic]:
    """The findings in a document, linted once together with others that have nothing to do with it.

    A text that is none with the usual name is linted by itself, and so is one in which nothing is found where there
    are errors in others, because these may hide something.
    """
    name = named.partition(" ")[2]
    texts = tuple(one for one in others if one.startswith(f"{named}\n") and one.count(name) == 1)
    found = _together(texts, named) if text in texts else {}
    hidden = not found.get(text) and any(one.severity == "error" for each in found.values() for one in each)
    return found[text] if text in found and not hidden else lint_text(folder, text)


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
