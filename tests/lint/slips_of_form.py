"""Slips of form in shipped cards, each with the text that was meant: misspelt words, signs and layout.

The seed alone determines the slips.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

from spoilt import whole

LETTERS = "abcdefghijklmnopqrstuvwxyz"
_WORD = re.compile(r"[a-z]{4,}")


@dataclass(frozen=True)
class Slip:
    """A card with one slip, the card that was meant, and the sort of the slip."""

    text: str
    meant: str
    sort: str


def slips(seed: int, count: int) -> list[Slip]:
    """A number of slips, by a seed."""
    chance, found = Random(seed), list[Slip]()
    while len(found) < count:
        meant = _card(chance, len(found))
        sort = chance.choice(sorted(_SORTS))
        text = _SORTS[sort](chance, meant)
        if text != meant:
            found.append(Slip(text, meant, sort))
    return found


def _card(chance: Random, number: int) -> str:
    kind, blocks = chance.choice(whole())
    lines = [f"{kind}: Probe {number}", *(["coins: 4"] if kind == "unit" else [])]
    for key, sentences in blocks.items():
        lines += [f"{key}: |", *(f"  {one}" for one in sentences)]
    return "\n".join(lines) + "\n"


def _in_word(chance: Random, text: str) -> str:
    """Change a word of a sentence: a letter is left out, doubled, another one, or swapped with the next."""
    places = [one for one in _WORD.finditer(text, text.index("|")) if text[one.end()] in " ,.\n"]
    word = chance.choice(places)
    at = chance.randrange(1, len(word[0]) - 1)
    changed = chance.choice((
        word[0][:at] + word[0][at + 1 :],
        word[0][:at] + word[0][at] + word[0][at:],
        word[0][:at] + chance.choice(LETTERS) + word[0][at + 1 :],
        word[0][:at] + word[0][at + 1] + word[0][at] + word[0][at + 2 :],
    ))  # fmt: skip
    return text[: word.start()] + changed + text[word.end() :]


def _in_key(chance: Random, text: str) -> str:
    key = chance.choice([one for one in re.finditer(r"^[a-z]+(?=:)", text, re.MULTILINE) if one.start()] or [None])
    if key is None:
        return text
    at = chance.randrange(1, len(key[0]) - 1)
    return text[: key.start()] + key[0][:at] + key[0][at + 1 :] + text[key.end() :]


def _stop(chance: Random, text: str) -> str:
    place = chance.choice([one.start() for one in re.finditer(r"\.(?=\n)", text)])
    return text[:place] + text[place + 1 :]


def _tab(chance: Random, text: str) -> str:
    return text.replace("\n  ", "\n\t")


def _mark(chance: Random, text: str) -> str:
    place = chance.choice([one.start() for one in re.finditer(r"\|\n", text)])
    return text[:place] + ">" + text[place + 1 :]


def _beside(chance: Random, text: str) -> str:
    found = chance.choice(list(re.finditer(r"\|\n  ([^\n]*\.)\n(?!  )", text)) or [None])
    return text if found is None or ": " in found[1] else text[: found.start()] + found[1] + text[found.end() - 1 :]


def _digits(chance: Random, text: str) -> str:
    return text.replace("coins: 4", "coins: four")


def _capital(chance: Random, text: str) -> str:
    word = chance.choice([one for one in _WORD.finditer(text, text.index("|")) if text[one.end()] in " ,."])
    return text[: word.start()] + word[0].capitalize() + text[word.end() :]


_SORTS = {"word": _in_word, "key": _in_key, "stop": _stop, "tab": _tab, "mark": _mark, "beside": _beside,
          "digits": _digits, "capital": _capital}  # fmt: skip
