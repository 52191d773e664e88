"""Documents laid out: each rule by an example, and the shipped cards, which are laid out already."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest

from warchest.documents.load import declaring_files, load
from warchest.documents.schemas import read_schemas
from warchest.format.text_layout import formatted, laid_out
from warchest.source.data import data_folder
from warchest.source.text import Source

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = (data_folder("cards"), ROOT / "docs" / "examples")
FILES = [file for folder in FOLDERS for file in sorted(folder.rglob("*.yaml"))]

MOST_SECONDS = 0.2
"""The most seconds of processor time for a card."""
LONG = ", ".join(["Marksman"] * 20)
EXAMPLES = {
    "keys are in order": ("unit: A\nsource: x\ncoins: 4\n", "unit: A\ncoins: 4\nsource: x\n"),
    "a key takes its comments along": (
        "unit: A\n# of the source\nsource: x # too\ncoins: 4\n",
        "unit: A\ncoins: 4\n# of the source\nsource: x  # too\n",
    ),
    "an unknown key stays below the one above it": (
        "unit: A\nsource: x\nmisspelt: y\ncoins: 4\n",
        "unit: A\ncoins: 4\nsource: x\nmisspelt: y\n",
    ),
    "blanks are single": ("unit:   A\ncoins :  4   \n\n\n\nset: x\n\n", "unit: A\n\nset: x\ncoins: 4\n"),
    "quotes are double": ("unit: A\nsource: 'x: y'\n", 'unit: A\nsource: "x: y"\n'),
    "quotes around quotes stay": ("unit: A\nsource: 'x: \"y\"'\n", "unit: A\nsource: 'x: \"y\"'\n"),
    "lists are indented by two": ("setup: A\nsteps:\n- a\n-   b\n", "setup: A\nsteps:\n  - a\n  - b\n"),
    "brackets that fit stay in a line": ("board: A\ntags: {x: [a1,\n  b2 ]\n  }\n", "board: A\ntags: {x: [a1, b2]}\n"),
    "a list of words that does not fit goes on below": (
        f"setup: A\narmies: [{LONG}]\n",
        f"setup: A\narmies:\n  [{', '.join(['Marksman'] * 11)},\n   {', '.join(['Marksman'] * 9)}]\n",
    ),
    "other brackets that do not fit are opened": (
        f"setup: A\narmies: [{{a: [{LONG[:98]}]}}, {{b: x, c: y}}]\n",
        f"setup: A\narmies:\n  - {{a: [{LONG[:98]}]}}\n  - {{b: x, c: y}}\n",
    ),
    "brackets with a comment are opened": (
        "setup: A\narmies: [x, # why\n y]\n",
        "setup: A\narmies:\n  - x  # why\n  - y\n",
    ),
    "a comment behind a bracket that is opened goes to the key": (
        f"setup: A\narmies: {{a: [{LONG[:98]}], b: [x, y, z]}} # why\nfill: x\n",
        f"setup: A\nfill: x\narmies:  # why\n  a: [{LONG[:98]}]\n  b: [x, y, z]\n",
    ),
    "documents are separated by three hyphens": ("---\nunit: A\n...\n---\n\nunit: B\n", "unit: A\n---\nunit: B\n"),
    "line ends stay": ("unit: A\r\ncoins:  4\r\n", "unit: A\r\ncoins: 4\r\n"),
    "a text over several lines is filled anew": ("unit: A\nsource: x\n  y\n", "unit: A\nsource: x y\n"),
    "a block is indented by two": (
        "rulings: A\ncases:\n- name: x\n  script: |\n         a\n           b   \n",
        "rulings: A\ncases:\n  - name: x\n    script: |\n      a\n        b\n",
    ),
    "blanks behind a block are none of it": (
        "rulings: A\ncases:\n- script: |\n   a\n     \n\n  name: x\n",
        "rulings: A\ncases:\n  - script: |\n      a\n\n    name: x\n",
    ),
    "sentences have a line each": ("unit: A\ntactic: |-\n    a. b.\n", "unit: A\ntactic: |\n  a.\n  b.\n"),
    "a byte order mark is removed": ("\ufeffunit: A\n", "unit: A\n"),
}
LEFT = {
    "no YAML": "unit: [A\n",
    "tabs": "unit: A\n\tcoins: 4\n",
    "a folded block": "unit: A\nsource: >\n  x\n",
    "a key twice": "unit: A\ncoins:  4\ncoins:  5\n",
    "an anchor": "unit: &a A\ncoins:  4\n",
    "directives": "%YAML 1.2\n---\nunit:  A\n",
    "a list": "-  unit: A\n",
    "another's file": "services:\n    web:  x\n",
    "a position": "game: war-chest\nto_act:  raven\n",
    "nothing": "",
    "half a character": "unit: A\nsource:  \udc80\n",
}


@pytest.mark.parametrize(("before", "after"), EXAMPLES.values(), ids=EXAMPLES)
def test_a_text_is_laid_out(before: str, after: str) -> None:
    assert formatted(before) == after
    assert formatted(after) == after


@pytest.mark.parametrize("text", LEFT.values(), ids=LEFT)
def test_a_text_that_cannot_be_laid_out_stays(text: str) -> None:
    assert formatted(text) == text


def test_kinds_that_a_pack_declares_have_an_order_too() -> None:
    pack = ROOT / "docs" / "examples" / "packs" / "traps"
    schemas = load(declaring_files([data_folder("cards") / "war-chest", pack]), read_schemas()).schemas
    text = "trap: Pit\nrules: |\n   x.\ncoins: 6\n"
    assert formatted(text) == "trap: Pit\nrules: |\n  x.\ncoins: 6\n"
    assert schemas is not None
    assert laid_out(Source("text", text), schemas).text == "trap: Pit\ncoins: 6\nrules: |\n  x.\n"


def test_the_shipped_cards_are_laid_out() -> None:
    assert len(FILES) > 300
    texts = {file: file.read_text(encoding="utf-8") for file in FILES}
    assert [str(file) for file, text in texts.items() if formatted(text) != text] == []


def test_a_card_is_laid_out_in_a_moment() -> None:
    cards = [
        text
        for file in FILES
        if file.parent.name in ("units", "figures", "abilities", "decrees")
        for text in [file.read_text(encoding="utf-8")]
    ]
    began = process_time()
    for text in cards:
        formatted(text)
    assert len(cards) > 50 and (process_time() - began) / len(cards) < MOST_SECONDS
