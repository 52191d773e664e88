"""The answers to sentences on a card of each game: to a good one its reading, to a bad one the finding in full.

`PYTHONPATH=tests python tests/resolve/test_answers_to_sentences.py` writes the answers again: read the difference.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from loaded import shipped, studied
from warchest.paraphrase.reading import Study

FILE = Path(__file__).with_suffix(".txt")
"""Blocks: the intended meaning and the sentence, below these its answer, indented."""
BEARERS = {"war-chest": "Archer", "unigames": "Missile"}
"""By the games the cards that have the sentences; the first is meant where none is named."""
ASKED = [tuple(block.split("\n", 1)) for block in FILE.read_text(encoding="utf-8").rstrip("\n").split("\n\n")]


@cache
def reader(game: str) -> Study:
    return studied(shipped(game))


def answer(sentence: str) -> str:
    """Return the answer to a sentence, given after its intended meaning, in indented lines."""
    meant, _, text = sentence.partition(": ")
    game, meaning = (["war-chest"] + meant.split())[-2:]
    found = reader(game).written(text, meaning, reader(game).bearer(BEARERS[game]))
    if not isinstance(found, list):
        lines = [*found.said, *filter(None, [found.unsaid]), *(f"- {one.about}: {one.text}" for one in found.facts)]
    else:
        lines = [line for one in found for line in (f"{one.name}: {one.message}", one.help) if line]
    return "\n".join(f"  {line}" for line in lines)


@pytest.mark.parametrize(("sentence", "said"), ASKED)
def test_the_answer_is_unchanged(sentence: str, said: str) -> None:
    assert answer(sentence) == said


def test_good_and_bad_sentences_are_asked() -> None:
    good = [said for _, said in ASKED if said.partition("\n")[0].endswith(".")]
    assert len(good) > 50 and len(ASKED) - len(good) > 100


if __name__ == "__main__":
    FILE.write_text("\n".join(f"{one}\n{answer(one)}\n" for one, _ in ASKED), encoding="utf-8")
