"""The cards that tests of this folder make up: all are in one game, which is loaded and compiled once."""

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
}
"""The units beside those of the pack with drums; each is in play only where a test puts it."""
TRIED = {
    "decree: Encore": "effect: |\n  proclaim a decree in the court.",
    "decree: Levy": "effect: |\n  recruit.\n  you may recruit.\n  recruit.",
    "decree: Sortie": "effect: |\n  choose a friendly unit. that unit moves.\n"
    "  choose a friendly unit on a location you control. the second unit attacks.",
    "unit: Bellman": "attribute: |\n  before you proclaim, this moves if able.",
    "unit: Toller": "attribute: |\n  before you proclaim, put a coin in your supply into your discard if able.",
    "unit: Prior": "attribute: |\n  before you proclaim a decree by the tactic of this,\n"
    "    put a new seal of the type of the decree into your chancery.\n"
    "tactic: |\n  this moves to an adjacent space. proclaim a decree in the court.",
    "unit: Censor": "attribute: |\n  when an opponent would proclaim a decree,\n"
    "    you may put a coin in this into your box instead.",
}
"""The cards that can make an option fail after its end: decrees, and hooks before them."""


def write_cards(folder: Path, *others: str) -> None:
    """Write all the cards into a folder, with the texts of others."""
    shutil.copytree(DRUMS, folder)
    cards = {**{f"unit: {name}": text for name, text in UNITS.items()}, **TRIED}
    coins = {name: "coins: 5\n" if name.startswith("unit") else "" for name in cards}
    texts = [f"{name}\n{coins[name]}source: a test\n{text}\n" for name, text in cards.items()]
    for number, text in enumerate((*texts, *others)):
        (folder / f"{number}.yaml").write_text(text, encoding="utf-8")
