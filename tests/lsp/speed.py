"""The processor time of the language server in a folder of 500 cards, each key typed one by one.

`python tests/lsp/speed.py` prints it, in milliseconds.
"""

from __future__ import annotations

import gc
import json
import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles
from time import process_time

from inside import CARD, Inside

CARDS, KEYS = 500, 80
TYPED = "  after this moves, if it is bolstered, it may attack an enemy unit adjacent to it.\n"
_SYLLABLES = [f"{first}{last}" for first in "bdfgklmnprst" for last in "aeiou"]


def name_of(number: int) -> str:
    """The name of a card, different for each number."""
    count = len(_SYLLABLES)
    return (_SYLLABLES[number % count] + _SYLLABLES[number // count % count]).capitalize() + "rer"


def write_cards(folder: Path, count: int) -> list[Path]:
    """Write cards that differ only in their names and distances."""
    files = [folder / f"card{number:03}.yaml" for number in range(count)]
    for number, file in enumerate(files):
        text = CARD.replace("Halberdier", name_of(number)).replace("exactly 2", f"exactly {2 + number % 3}")
        file.write_text(text, encoding="utf-8")
    return files


def measured(folder: Path, count: int = KEYS) -> dict[str, float]:
    """The figures: processor time in milliseconds, from the start of the process for the first diagnostics."""
    file = write_cards(folder, CARDS)[7]
    text = file.read_text(encoding="utf-8")
    began = process_time()
    inside = Inside(folder)
    inside.open(file, text)
    while not inside.published(file):
        inside.connection.work_idly()
    first = 1000 * process_time() if __name__ == "__main__" else 1000 * (process_time() - began)
    inside.idle()
    place = {"line": 6, "character": len("  after this attacks, it may ")}
    asked = {"textDocument": {"uri": file.as_uri()}, "position": place}
    gc.disable()  # as the server does while it works
    keys, words = list[float](), list[float]()
    for key in range(count):
        begun = TYPED[: key % len(TYPED)]
        version = 2 + key
        began = process_time()
        inside.change(file, text.replace("rulings:", f"{begun}\nrulings:" if begun else "rulings:", 1), version)
        inside.idle()
        keys.append(1000 * (process_time() - began))
        assert inside.published(file)[-1][0] == version
        inside.texts.clear()
        began = process_time()
        inside.ask("textDocument/completion", asked)
        words.append(1000 * (process_time() - began))
    gc.enable()
    return {
        "first": first,
        "key_median": median(keys),
        "key_p95": quantiles(keys, n=20)[-1],
        "key_most": max(keys),
        "completion_median": median(words),
        "completion_most": max(words),
    }


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        where = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(made)
        figures = measured(where, int(sys.argv[2]) if len(sys.argv) > 2 else KEYS)
        sys.stdout.write(json.dumps({name: round(value, 1) for name, value in figures.items()}) + "\n")
