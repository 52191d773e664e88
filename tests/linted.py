"""Texts that are linted on top of the shipped game: each by itself, or many that concern each other not at all."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.lint.main import findings_in

CARD = "unit: Halberdier\ncoins: 4\n"


def lint_text(folder: Path, text: str, name: str = "card.yaml") -> list[Diagnostic]:
    """The findings in a file with this text, in a folder of its own."""
    file = folder / name
    file.write_bytes(text.encode("utf-8"))
    return findings_in([file])


NAMED = CARD.partition("\n")[0]


@lru_cache
def lint_together(texts: tuple[str, ...], named: str) -> dict[str, list[Diagnostic]]:
    """The findings in documents that are linted at once, by their texts, each in a file of its own.

    Those with the usual name get numbers; with none given, all have names of their own or are no documents.
    """
    with tempfile.TemporaryDirectory() as folder:
        files = {text: Path(folder) / f"{number}.yaml" for number, text in enumerate(texts)}
        for number, (text, file) in enumerate(files.items()):
            own = text.replace(named, f"{named} {number}", 1) if named else text
            file.write_text(own, encoding="utf-8")
        found = findings_in([Path(folder)])
        return {text: [one for one in found if one.file == str(file)] for text, file in files.items()}


def lint_among(folder: Path, text: str, others: Iterable[str], named: str = NAMED) -> list[Diagnostic]:
    """The findings in a document, linted once together with others that have nothing to do with it.

    A text that is none with the usual name is linted by itself, and so is one in which nothing is found where there
    are errors in others, because these may hide something.
    """
    name = named.partition(" ")[2]
    texts = tuple(one for one in others if not named or (one.startswith(f"{named}\n") and one.count(name) == 1))
    found = lint_together(texts, named) if text in texts else {}
    hidden = not found.get(text) and any(one.severity == "error" for each in found.values() for one in each)
    return found[text] if text in found and not hidden else lint_text(folder, text)
