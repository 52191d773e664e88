"""Texts as they are shown: characters that steer a terminal or hide from the reader are written as escapes.

All that goes out goes through here: the lines that are printed, JSON, pictures, and the findings themselves.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

_UNSEEN = (
    (0x00, 0x08),
    (0x0B, 0x0C),
    (0x0E, 0x1F),
    (0x7F, 0x9F),  # control characters, without tabs and the ends of lines
    (0x2028, 0x2029),  # ends of lines that few programs recognise
    (0x061C, 0x061C),
    (0x200E, 0x200F),
    (0x202A, 0x202E),
    (0x2066, 0x2069),  # turns of the reading direction
    (0xD800, 0xDFFF),
    (0xFFFE, 0xFFFF),  # halves of characters, and codes of none
    (0xAD, 0xAD),
    (0x034F, 0x034F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200B),
    (0x2060, 0x2065),
    (0x206A, 0x206F),
    (0x3164, 0x3164),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),  # all other characters that Unicode declares ignorable
)
# One expression for all, since a large set of characters takes a millisecond to compile.
UNSEEN = re.compile(f"[{''.join(f'{chr(first)}-{chr(last)}' for first, last in _UNSEEN)}]+")
"""Characters without a sign of their own, as many as follow each other."""
# Joiners and choices of a form, which other scripts and emoji need, where there is nothing but plain letters to change;
# a sign in a key cap is no plain letter.
_CHANGES = re.compile("[\u200c\u200d\ufe00-\ufe0f]")
LOOSE = re.compile(
    r"(?<![^\t\n\r\x20-\x7e])[\u200c\u200d\ufe00-\ufe0f]+(?!\N{COMBINING ENCLOSING KEYCAP})"
    r"|[\u200c\u200d]+(?![^\t\n\r\x20-\x7e])"
)
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}

PAINTS = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m", "info": "\x1b[1;36m", "bold": "\x1b[1m", "dim": "\x1b[34m"}
_PLAIN = "\x1b[0m"
_PAINT = re.compile("|".join(map(re.escape, (*PAINTS.values(), _PLAIN))))


def first_hidden(text: str) -> str:
    """Return the first hidden character of a text, apart from tabs and line ends; empty if there is none."""
    if text.isascii() and text.isprintable():
        return ""
    found = UNSEEN.search(text)
    if "\r" in text[: found.start() if found is not None else len(text)]:
        return "\r"
    if found is None and has_changes(text):
        found = LOOSE.search(text)
    return found.group()[0] if found is not None else ""


def has_changes(text: str) -> bool:
    """Whether a text holds signs that change the characters beside them, so that its neighbours matter."""
    return not text.isascii() and _CHANGES.search(text) is not None


def visible(text: str) -> str:
    """Return a text that fits on one line: characters that hide or end the line are written as escapes."""
    return text if text.isascii() and text.isprintable() else _shown(text, "\n\r\t")


def visible_lines(text: str) -> str:
    """Return a text as its lines can be shown: hidden characters are written as escapes, and line ends are kept."""
    return _shown(text, "\r\t")


def visible_painted(text: str) -> str:
    """Return lines as `visible_lines` does, but with the colours that `painted` gives."""
    paints = [*_PAINT.findall(text), ""]
    parts = map(visible_lines, _PAINT.split(text))
    return "".join(part + paint for part, paint in zip(parts, paints, strict=True))


def painted(part: str, paint: str) -> str:
    """Return a part of a line in a colour of a terminal: a key of `PAINTS`."""
    return f"{PAINTS[paint]}{visible(part)}{_PLAIN}"


def is_visible(character: str) -> bool:
    """Whether a character may be shown as it is; joiners are, because scripts and emoji need them."""
    return character not in _SHORT and UNSEEN.match(character) is None


def json_text(value: object, indent: int | None = None) -> str:
    """Return a value as JSON that people can read: other scripts as they are, hidden characters as escapes."""
    written = json.dumps(value, indent=indent, ensure_ascii=False)
    return _without_unseen(written, lambda match: json.dumps(match.group())[1:-1])


def _shown(text: str, ends: str) -> str:
    """Return a text with its hidden characters, and some that end or cut a line, written as escapes."""
    shown = _without_unseen(text, _escaped)
    for end in ends:
        shown = shown.replace(end, _SHORT[end])
    return shown


def _without_unseen(text: str, written: Callable[[re.Match[str]], str]) -> str:
    """Return a text in which `written` replaces the invisible characters."""
    return UNSEEN.sub(written, LOOSE.sub(written, text) if has_changes(text) else text)


def _escaped(match: re.Match[str]) -> str:
    return "".join(map(_escape, match.group()))


def _escape(character: str) -> str:
    number = ord(character)
    return f"\\x{number:02x}" if number < 1 << 8 else f"\\u{number:04x}" if number < 1 << 16 else f"\\U{number:08x}"
