"""Every number on a shipped card is pinned: with the next number in its place some ruling of the card fails.

Looked at are units, decrees, fortifications and errata of the one game, and the abilities of the other, of which only
larger numbers are tried: their rulings are many, and scripts take longer. The setup in a game's own document is left
out, because rulings begin with positions; tests/setups looks at it.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pytest

import warchest
from loaded import documents
from remembered import remember_files
from warchest.documents.library import Document
from warchest.documents.load import load
from warchest.documents.schemas import read_schemas
from warchest.game.game import Game
from warchest.rulings.cases import Case, cases_in
from warchest.rulings.runner import run_case
from warchest.source.nodes import Mapping, Scalar
from warchest.source.text import Span

CARDS = Path(__file__).resolve().parents[2] / "cards"
KINDS = {"war-chest": ("unit", "decree", "fortification", "errata"), "unigames": ("ability",)}
STEPS = {"war-chest": (-1, 1), "unigames": (1,)}
_NUMBER = re.compile(r"\b[0-9]+\b")

SAME = {
    # Nobody moves to where it stands: no space that is taken can be moved to.
    ("Lancer", "1-2", "0-2"),
    ("Light Cavalry anywhere", "1-2", "0-2"),
    ("Light Cavalry up to two", "1-2", "0-2"),
    # Nothing asks how many there are of it: to have it at all is what counts.
    ("Doppelganger", "1", "2"),
}
"""Texts that mean the same with another number, with the number that stands there and the one put there."""
@dataclass(frozen=True)
class Change:
    """A number in a text of a document, and the one that is put in its place."""

    game: str
    kind: str
    name: str
    about: str
    file: str
    start: int
    old: str
    new: str
    around: tuple[str, str]

    def __str__(self) -> str:
        return f"{self.name}: {self.around[0]} -> {self.around[1]} at {self.start}"


def blocks_of(document: Document, keys: tuple[str, ...]) -> list[Span]:
    """The texts of a card, or those that an erratum puts into one."""
    if document.kind != "errata":
        return [span for key in keys for span in document.blocks(key)]
    parts = [document.node.get(part) for part in ("replace", "add")]
    entries = [entry for part in parts if isinstance(part, Mapping) for entry in part.entries]
    return [entry.value.block for entry in entries if isinstance(entry.value, Scalar) and entry.value.block]


def changes(game: str) -> Iterator[Change]:
    library = documents(game)
    shapes = library.of_kind("game")[0].values["documents"]
    for document in library.documents:
        if document.kind not in KINDS[game]:
            continue
        about = document.values["amends"]["name"] if document.kind == "errata" else document.name
        for span in blocks_of(document, tuple(shapes.get(document.kind, {}).get("blocks", ()))):
            for match in _NUMBER.finditer(span.text):
                for step in STEPS[game]:
                    if int(match[0]) + step >= 0:
                        yield change(game, document, about, span, match, str(int(match[0]) + step))


def change(game: str, document: Document, about: str, span: Span, match: re.Match[str], new: str) -> Change:
    text = span.text
    first = re.search(r"[0-9-]*$", text[: match.start()])
    last = re.match(r"[0-9-]*", text[match.end() :])
    assert first is not None and last is not None
    around = (first[0] + match[0] + last[0], first[0] + new + last[0])
    file = str(Path(document.span.path).relative_to(CARDS / game))
    return Change(game, document.kind, document.name, about, file, span.start + match.start(), match[0], new, around)


ALL = [one for game in KINDS for one in changes(game)]
EXEMPT = [one for one in ALL if (one.name, *one.around) in SAME]
PINNED = [one for one in ALL if one not in EXEMPT]


@lru_cache
def cases(game: str) -> list[Case]:
    return cases_in(documents(game))


def about(change: Change) -> list[Case]:
    """Return the rulings that speak of the changed text, those of the card itself first."""
    if change.kind == "errata":
        option = load([CARDS / change.game / change.file], read_schemas()).documents[0].values["option"]
        return [case for case in cases(change.game) if case.script is None
                and case.values["position"].get("options", {}).get(option["name"]) == option["value"]]  # fmt: skip
    found = [case for case in cases(change.game)
             if change.name == case.card or change.name in json.dumps(case.values)]  # fmt: skip
    return sorted(found, key=lambda case: (case.card != change.name, len(json.dumps(case.values))))


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The games without their rulings and questions, to be changed."""
    folder = tmp_path_factory.mktemp("games")
    for game in KINDS:
        shutil.copytree(CARDS / game, folder / game, ignore=shutil.ignore_patterns("rulings", "questions"))
    remember_files(folder)
    return {game: folder / game for game in KINDS}


def first_that_fails(change: Change, folder: Path) -> str:
    """Return the first ruling that fails with the change, or the checker's message about the text."""
    file = folder / change.file
    text = file.read_text(encoding="utf-8")
    assert text[change.start :].startswith(change.old)
    file.write_text(text[: change.start] + change.new + text[change.start + len(change.old) :], encoding="utf-8")
    try:
        game = Game(folder)
        failing = (case.name for case in about(change) if run_case(game, case).outcome == "failed")
        return next(failing, "")
    except warchest.CardError as error:
        return error.diagnostics[0].message
    finally:
        file.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("change", PINNED, ids=str)
def test_every_number_is_pinned_by_a_ruling(change: Change, copies: dict[str, Path]) -> None:
    assert first_that_fails(change, copies[change.game]), f"no ruling fails with {change.around[1]}"


def test_there_are_many_and_few_are_left_out() -> None:
    assert len(PINNED) >= 40
    assert {(one.name, *one.around) for one in EXEMPT} == SAME
