"""The cards that tests of this folder make up: all stand in one game, which is loaded and compiled once."""

from __future__ import annotations

import shutil
from pathlib import Path

DRUMS = Path(__file__).parents[2] / "docs" / "examples" / "packs" / "drums"
CHOOSING = "choose a player"
BEAT = "attribute: |\n  after a Scout moves, the type of this becomes your beat."
UNITS = {
    # Two hooks whose order shows.
    "Piper": BEAT,
    "Fifer": BEAT,
    # More choices than an option has room for.
    "Dawdler": "\n".join(["tactic: |", *[f"  {CHOOSING}."] * 30, "  this moves to an adjacent space."]),
    # More variables and choices than can be tried, which does so after another one that is tried, too.
    "Crier": f"attribute: |\n  after this moves, {CHOOSING}, then this attacks a target 1-4 spaces away,\n"
                   "    then this attacks a target 1-4 spaces away.",
    "Ponderer": f"attribute: |\n  after a Crier attacks, {', then '.join([CHOOSING] * 28)},\n"
                      "    then this attacks a target exactly 2 spaces away,\n"
                      f"    then {', '.join(['for each coin in your hand'] * 7)},\n"
                      "      this attacks a target exactly 2 spaces away.",
}  # fmt: skip
"""The units beside those of the pack with drums; each is in play only where a test puts it."""


def write_cards(folder: Path, *others: str) -> None:
    """Write all the cards into a folder, with the texts of others."""
    shutil.copytree(DRUMS, folder)
    texts = [f"unit: {name}\ncoins: 5\nsource: a test\n{text}\n" for name, text in UNITS.items()]
    for number, text in enumerate((*texts, *others)):
        (folder / f"{number}.yaml").write_text(text, encoding="utf-8")
