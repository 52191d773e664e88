"""Shipped cards that are spoilt in one place: a word is left out, added, misspelt or replaced, or two are swapped.

Which ones depends on a seed alone. Each sentence is on a line of its own, so that its line identifies it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from loaded import documents
from warchest.lint.sentences.sayings import INSTEAD

KINDS = {"unit": ("tactic", "attribute", "restriction"), "decree": ("effect",)}
DETERMINERS = ("a", "an", "the", "that", "this", "it", "its", "another", "all", "each", "no", "your", "you")
OTHERS = (*DETERMINERS, "some", "any", "every", "his", "their")
WAYS = ("drop", "add", "misspell", "swap", "retire", "anywhere", "determine")
_TOKEN = re.compile(r"[A-Za-z'-]+|[0-9-]+|[.,:;]")


@dataclass(frozen=True)
class Spoilt:
    """A card with one sentence that was changed, and the number of its line."""

    text: str
    line: int
    sentence: str


@lru_cache(maxsize=1)
def whole() -> list[tuple[str, dict[str, list[str]]]]:
    """The kinds of the shipped cards, and the sentences of their blocks by their keys."""
    found = []
    for document in documents().documents:
        keys = [key for key in KINDS.get(document.kind, ()) if document.blocks(key)]
        blocks = {key: sentences("\n".join(span.text for span in document.blocks(key))) for key in keys}
        if blocks:
            found.append((document.kind, blocks))
    return found


def sentences(block: str) -> list[str]:
    """The sentences of a block, each on one line and without comments."""
    said = " ".join(re.sub(r"#[^\n]*", "", block).split())
    return [f"{one}." for one in re.split(r"\.(?:\s+|$)", said) if one]


@lru_cache(maxsize=1)
def spoken() -> list[str]:
    """All words of the cards."""
    said = (word for _, blocks in whole() for lines in blocks.values() for line in lines for word in line.split())
    return sorted({word.strip(".,;:") for word in said if word[0].islower()})


@lru_cache(maxsize=1)
def retired() -> list[tuple[str, tuple[str, ...]]]:
    """Words that are neither of the language nor of the game, each with its replacements, as far as known."""
    game = documents().of_kind("game")[0]
    told = {word: tuple(say) for word, say in game.values["words"]["instead"].items()}
    plain = {word: tuple(re.findall(r"`([a-z]+)`", help)) for word, help in INSTEAD.items()}
    return sorted((word, say) for word, say in {**plain, **told}.items() if word.isalpha())


def spoilt(seed: int, count: int) -> list[Spoilt]:
    """A number of spoilt cards, by a seed."""
    chance, found = Random(seed), list[Spoilt]()
    while len(found) < count:
        kind, blocks = chance.choice(whole())
        key = chance.choice(sorted(blocks))
        number = chance.randrange(len(blocks[key]))
        changed = _changed(chance, blocks[key][number])
        if changed and changed != blocks[key][number]:
            found.append(_card(kind, blocks, key, number, changed, len(found)))
    return found


def _card(kind: str, blocks: dict[str, list[str]], changed: str, number: int, sentence: str, name: int) -> Spoilt:
    lines, place = [f"{kind}: Probe {name}", *(["coins: 4"] if kind == "unit" else [])], 0
    for key, said in blocks.items():
        lines.append(f"{key}: |")
        for index, one in enumerate(said):
            is_changed = (key, index) == (changed, number)
            lines.append(f"  {sentence if is_changed else one}")
            place = len(lines) if is_changed else place
    return Spoilt("\n".join(lines) + "\n", place, sentence)


def _changed(chance: Random, sentence: str) -> str:
    """Return a sentence with one change; empty if the change that was drawn does not apply to it."""
    words = _TOKEN.findall(sentence)
    way, at = chance.choice(WAYS), chance.randrange(len(words))
    if way == "drop":
        words.pop(at)
    elif way == "add":
        words.insert(at, chance.choice(spoken()))
    elif way == "misspell" and len(words[at]) > 3:
        slip = chance.randrange(1, len(words[at]) - 1)
        words[at] = words[at][:slip] + words[at][slip + 1] + words[at][slip] + words[at][slip + 2 :]
    elif way == "swap" and at + 1 < len(words):
        words[at : at + 2] = words[at + 1], words[at]
    elif way == "retire":
        known = [word for word, say in retired() if words[at] in say]
        words[at] = chance.choice(known) if known else words[at]
    elif way == "anywhere":
        words[at] = chance.choice(retired())[0]
    elif way == "determine" and words[at] in DETERMINERS:
        words[at] = chance.choice(OTHERS)
    return re.sub(r" ([.,:;])", r"\1", " ".join(words))
