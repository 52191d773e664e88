"""Slips of form in shipped cards, each with the text that was meant: misspelt words, signs and layout.

The seed alone determines the slips.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

from spoilt import whole

from loaded import documents

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
    changed = chance.choice(
        (
            word[0][:at] + word[0][at + 1 :],
            word[0][:at] + word[0][at] + word[0][at:],
            word[0][:at] + chance.choice(LETTERS) + word[0][at + 1 :],
            word[0][:at] + word[0][at + 1] + word[0][at] + word[0][at + 2 :],
        )
    )
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


def _article(chance: Random, text: str) -> str:
    """Say `an` for `a`, or the other way round."""
    found = _some(chance, r"\ban? (?=[a-z]{2})", text)
    return _with(text, found, "a " if found[0] == "an " else "an ") if found is not None else text


def _number(chance: Random, text: str) -> str:
    """Put a noun into another number than the word before it."""
    found = _some(chance, r"\b(?:1 space|[2-9] spaces|(?:a|an|each|another) (?:\w+ )?(?:unit|coin|space))\b", text)
    if found is None:
        return text
    return _with(text, found, found[0][:-1] if found[0].endswith("spaces") else f"{found[0]}s")


def _retired(chance: Random, text: str) -> str:
    """Say another word for which the game names one in its place."""
    told = documents().of_kind("game")[0].values["words"]["instead"]
    known = {said[0]: word for word, said in told.items() if len(said) == 1}
    found = _some(chance, rf"\b(?:{'|'.join(sorted(known))})\b", text)
    return _with(text, found, known[found[0]]) if found is not None else text


def _comma(chance: Random, text: str) -> str:
    """Leave out a comma before `then`."""
    found = _some(chance, r",(?= then )", text)
    return _with(text, found, "") if found is not None else text


def _verb(chance: Random, text: str) -> str:
    """Put a verb after `may` or `cannot` into another form."""
    found = _some(chance, r"\b(?:may|cannot) (?:attack|move|maneuver)\b", text)
    return _with(text, found, f"{found[0]}s") if found is not None else text


def _antecedent(chance: Random, text: str) -> str:
    """Take a thing up by another noun than it was called by."""
    found = _some(chance, r"\bthat (?:target|space)\b", text)
    other = {"that target": "that unit", "that space": "that location"}
    return _with(text, found, other[found[0]]) if found is not None else text


def _byte_order_mark(chance: Random, text: str) -> str:
    return f"\ufeff{text}"


def _unseen(chance: Random, text: str) -> str:
    """Put a mark that cannot be seen between two words."""
    found = _some(chance, r"(?<=[a-z]) (?=[a-z])", text)
    return _with(text, found, " \u200b") if found is not None else text


def _name(chance: Random, text: str) -> str:
    """Misspell a printed name of one word."""
    found = _some(chance, r"(?<=[a-z] )[A-Z][a-z]{4,}(?=[ ,.])", text)
    return _with(text, found, found[0][:2] + found[0][3:]) if found is not None else text


def _kind(chance: Random, text: str) -> str:
    """Swap two letters of the kind of a document."""
    return text[0] + text[2] + text[1] + text[3:]


def _unused_note(chance: Random, text: str) -> str:
    found = _some(chance, r"\.(?=\n)", text)
    return _with(text, found, ".  # wc-lint: ignore[WC413] because it was so once") if found is not None else text


def _some(chance: Random, pattern: str, text: str) -> re.Match[str] | None:
    """A match of a pattern in the sentences; None without any."""
    found = [*re.compile(pattern).finditer(text, text.index("|"))]
    return chance.choice(found) if found else None


def _with(text: str, found: re.Match[str], words: str) -> str:
    return text[: found.start()] + words + text[found.end() :]


_SORTS = {
    "word": _in_word,
    "key": _in_key,
    "stop": _stop,
    "tab": _tab,
    "mark": _mark,
    "beside": _beside,
    "digits": _digits,
    "capital": _capital,
    "article": _article,
    "number": _number,
    "retired": _retired,
    "comma": _comma,
    "verb": _verb,
    "antecedent": _antecedent,
    "byte order mark": _byte_order_mark,
    "unseen": _unseen,
    "name": _name,
    "kind": _kind,
    "unused note": _unused_note,
}
