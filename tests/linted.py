"""Texts that are linted on top of the shipped game: each by itself, or many that concern each other not at all.

Where a text has nothing to do with errata, the game is taken without them, since each variant is checked again.
"""

from __future__ import annotations

import atexit
import re
import shutil
import tempfile
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from remembered import remember_files
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.lint.wc_lint import findings_in
from warchest.source.data import data_folder

CARD = "unit: Halberdier\ncoins: 4\n"


def lint_text(folder: Path, text: str, name: str = "card.yaml") -> list[Diagnostic]:
    """The findings in a file with this text, in a folder of its own."""
    return lint_on(game_for([text]), folder, text, name)


def lint_on(game: str | None, folder: Path, text: str, name: str = "card.yaml") -> list[Diagnostic]:
    """The findings in a file with this text on top of a game, by default the shipped one."""
    file = folder / name
    file.write_bytes(text.encode("utf-8"))
    return findings_in([file], game)


ABOUT_ERRATA = re.compile("errata|option|question|ruling|cases|royal_|taken|roused|calm")
"""The words of texts that have to do with errata, or with rulings on them."""


def game_for(texts: Iterable[str]) -> str | None:
    """The game that texts are linted on top of: without its errata, where none of them has to do with these."""
    return None if any(ABOUT_ERRATA.search(text) for text in texts) else usual_texts()


OF_ERRATA = ("errata", "rulings", "questions")
"""The folders of errata, and of documents about them."""
OF_ERRATA_ALONE = "  unit: {roused: {flag: true, opposite: calm}}\n"
"""The words that the game's document declares for errata alone."""


@lru_cache
def usual_texts() -> str:
    """The folder of the shipped game without its errata, the rulings on them, and the words that only they say."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    game = Path(folder.name) / "war-chest"
    shutil.copytree(data_folder("cards") / game.name, game, ignore=shutil.ignore_patterns(*OF_ERRATA))
    text = (game / "game.yaml").read_text(encoding="utf-8")
    assert text.count(OF_ERRATA_ALONE) == 1
    (game / "game.yaml").write_text(text.replace(OF_ERRATA_ALONE, ""), encoding="utf-8")
    remember_files(game)
    return f"{game}/"


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
        found = findings_in([Path(folder)], game_for(texts))
        return {text: [one for one in found if one.file == str(file)] for text, file in files.items()}


def lint_among(folder: Path, text: str, others: Iterable[str], named: str = NAMED) -> list[Diagnostic]:
    """The findings in a document, linted once together with others that have nothing to do with it.

    A text that is none with the usual name is linted by itself. Where one has no findings, and there are errors in
    others, these may hide its own: it is linted again without those that have findings.
    """
    name = named.partition(" ")[2]
    texts = tuple(one for one in others if not named or (one.startswith(f"{named}\n") and one.count(name) == 1))
    while text in texts:
        found = lint_together(texts, named)
        if found[text] or not any(one.severity == "error" for each in found.values() for one in each):
            return found[text]
        texts = tuple(one for one in texts if not found[one])
    return lint_text(folder, text)
