"""Mutations of texts: by byte, token, line and sentence, each settled by a source of chance."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

STRANGE = [
    "0",
    "-1",
    "999999999",
    "99999999999999999999",
    "1e999",
    "0x10",
    "1_000",
    "٣",
    "½",
    "NaN",
    "null",
    "true",
    "no",
    "~",
    "''",
    '""',
    "{}",
    "[]",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "|",
    ">",
    "&a",
    "*a",
    "!!python/object",
    "<<",
    "---",
    "%s",
    "{0}",
    '"\\e]0;x\\a"',
    '"\\x9b2J"',
    '"\\u202e"',
    '"\\ud800"',
    '"a\\nb"',
    "\u202e",
    "\u200b",
    "\u0085",
    "\x1b[2J",
    "\ufeff",
    "\t",
    "\r",
    "\\",
    "`",
    "$x",
    "<number x>",
    "../..",
    "/dev/zero",
    "__class__",
    "'",
    "#",
    "not",
    "or",
    "and",
    "a",
    "the",
    "any",
    "another",
    "it",
    "this",
    "of",
    "that",
    "to",
    "if",
    "until",
    "otherwise",
    "may",
    "cannot",
    "each",
    "exactly",
]
"""Words that break something elsewhere: numbers, signs of YAML and JSON, what steers a terminal, function words."""
LONG = [" " * 3000, "a" * 3000, "[" * 300, "{a: " * 200, " adjacent to a unit" * 40, "not " * 60, "9" * 400, "x " * 600]
"""Much of the same, rarely used."""
_TOKEN = re.compile(r"[ \t]+|\n|[\w'’-]+|.", re.DOTALL)
_BLOCK = re.compile(r"^( *)[\w ]+: \|[-+]?\n((?:\1 +[^\n]*\n|[ \t]*\n)+)", re.MULTILINE)
_SENTENCE = re.compile(r"[^\s.][^.]*\.")
_JOINT = re.compile(r", | and | or | if | unless | that | of | to ")


@dataclass(frozen=True, slots=True)
class Stock:
    """Replacements: tokens, lines and sentences of other texts of the kind."""

    tokens: list[str]
    lines: list[str]
    sentences: list[str]


def stock_of(texts: list[str]) -> Stock:
    """Return the parts of some texts, each once, in a fixed order."""
    tokens = {token for text in texts for token in _TOKEN.findall(text) if not token.isspace()}
    lines = {line for text in texts for line in text.split("\n") if line.strip()}
    sentences = {" ".join(one.split()) for text in texts for one in _sentences(text)}
    return Stock(sorted(tokens), sorted(lines), sorted(sentences))


def _sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_places(text)]


def sentence_places(text: str) -> list[tuple[int, int]]:
    """Return where the sentences of the literal blocks of a text begin and end."""
    blocks = [match.span(2) for match in _BLOCK.finditer(text)]
    return [one.span() for start, end in blocks for one in _SENTENCE.finditer(text, start, end)]


def mutated(text: str, rng: Random, stock: Stock, ways: dict[str, int]) -> bytes:
    """Return a text with a few mutations; `ways` says how likely each of `WAYS` is."""
    data = text
    raw = 0
    for _ in range(rng.choice((1, 1, 1, 1, 2, 2, 3, 5))):
        way = rng.choices(list(ways), list(ways.values()))[0]
        if way == "byte":
            raw += 1
        else:
            data = WAYS[way](data, rng, stock)
    coded = data.encode("utf-8", "surrogatepass")
    for _ in range(raw):
        coded = _by_byte(coded, rng)
    return coded


def _by_byte(data: bytes, rng: Random) -> bytes:
    """Return bytes with one dropped, doubled, changed or inserted, or cut off."""
    at = rng.randrange(len(data) + 1)
    match rng.randrange(6):
        case 0:
            return data[:at] + data[at + 1 :]
        case 1:
            return data[:at] + data[at : at + 1] * 2 + data[at + 1 :]
        case 2:
            return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
        case 3:
            return data[:at] + bytes([rng.choice(b"\0\t\n\r\x1b\"'{}[]:,|#.-0129az \x80\xc2\xff")]) + data[at:]
        case 4 if data[at : at + 1]:
            return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
    return data[:at] if rng.random() < 0.3 else data[:at] + data[at + rng.randrange(1, 9) :]


def by_token(text: str, rng: Random, stock: Stock) -> str:
    """Return a text with one word or sign dropped, doubled, swapped or replaced."""
    parts = _TOKEN.findall(text) or [""]
    solid = [number for number, part in enumerate(parts) if not part.isspace()] or [0]
    at, kind = rng.choice(solid), rng.randrange(8)
    if kind == 0:
        parts[at] = ""
    elif kind == 1:
        parts[at] += " " + parts[at]
    elif kind == 2:
        other = rng.choice(solid)
        parts[at], parts[other] = parts[other], parts[at]
    elif kind == 3:
        parts[at] = rng.choice(LONG) if rng.random() < 0.2 else rng.choice(STRANGE)
    elif kind == 4:
        parts[at] += " " + rng.choice(stock.tokens)
    elif kind == 5 and parts[at].isdigit():
        parts[at] = str(rng.choice((0, 1, 2, 7, 99, -1, 10**9)))
    else:
        parts[at] = parts[rng.choice(solid)] if rng.random() < 0.4 else rng.choice(stock.tokens)
    return "".join(parts)


def by_line(text: str, rng: Random, stock: Stock) -> str:
    """Return a text with one line dropped, doubled, moved, indented otherwise, or inserted from elsewhere."""
    lines = text.split("\n")
    at, kind = rng.randrange(len(lines)), rng.randrange(7)
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines[at:at] = [lines[at]] * (rng.choice((1, 1, 1, 40)))
    elif kind == 2:
        lines.insert(rng.randrange(len(lines)), lines.pop(at))
    elif kind == 3:
        lines[at] = " " * rng.randrange(9) + lines[at].lstrip()
    elif kind == 4:
        lines = lines[:at] + rng.sample(stock.lines, min(len(stock.lines), rng.randrange(1, 5)))
    elif kind == 5:
        lines.insert(at, rng.choice(stock.lines))
    else:
        lines[at] = rng.choice(stock.lines)
    return "\n".join(lines)


def by_sentence(text: str, rng: Random, stock: Stock) -> str:
    """Return a text with one sentence dropped, swapped, inserted, or spliced from two; a line where there is none."""
    places = sentence_places(text)
    if not places or not stock.sentences:
        return _by_half(text, rng, stock)
    start, end = rng.choice(places)
    own, other = text[start:end], rng.choice(stock.sentences)
    match rng.randrange(6):
        case 0:
            new = ""
        case 1:
            new = other
        case 2:
            new = f"{own} {other}" if rng.random() < 0.5 else f"{other} {own}"
        case 3:
            here = rng.choice(places)
            new = f"{own} {text[here[0] : here[1]]}"
        case 4:
            new = f"{own[:-1]}, then {other}" if rng.random() < 0.5 else f"if {own[:-1]}, {other}"
        case _:
            new = spliced(own, other, rng)
    return text[:start] + new + text[end:]


def spliced(own: str, other: str, rng: Random) -> str:
    """Return the beginning of one sentence with the end of another, cut where clauses meet."""
    cuts = [match.start() for match in _JOINT.finditer(own)] or [len(own) // 2]
    others = [match.start() for match in _JOINT.finditer(other)] or [len(other) // 2]
    return own[: rng.choice(cuts)] + other[rng.choice(others) :]


def _by_half(text: str, rng: Random, stock: Stock) -> str:
    lines = text.split("\n")
    at = rng.randrange(len(lines))
    words, others = lines[at].split(" "), rng.choice(stock.lines).split(" ")
    lines[at] = " ".join(words[: rng.randrange(len(words) + 1)] + others[rng.randrange(len(others)) :])
    return "\n".join(lines)


WAYS: dict[str, Callable[[str, Random, Stock], str]] = {"token": by_token, "line": by_line, "sentence": by_sentence}
"""The mutations of texts; `byte` is one of its own, done last."""
