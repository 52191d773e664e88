"""A reader who follows advice to the letter: the words that a finding says to write are put into the text.

`followed` returns the resulting texts. Advice with gaps is followed only where the text fills them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.lint.explanations import with_help

PART = 4
"""The fewest words of an advice that can replace a whole part of a sentence."""
_QUOTED = re.compile(r"`([^`]+)`")
_PLAIN = re.compile(r"(?:[^`]*: )?(?:say|write|did you mean|end it here:) (`[^`]+`(?:(?:,? or |, )`[^`]+`)*)")
"""Advice with words that replace the marked ones, or with several to choose from."""
_LINES = re.compile(r"put the lines ((?:`[^`]+`(?:, | and )?)+) in front of this document")


def followed(found: Diagnostic) -> list[str]:
    """Return the texts that result from following the advice of a finding, one for each of its alternatives."""
    help = with_help(found).help
    if found.span is None or found.help == "":
        return []
    return list(dict.fromkeys(_followed(found, help)))


def _followed(found: Diagnostic, help: str) -> Iterator[str]:
    span = found.span
    assert span is not None
    text, start, end = span.source.text, span.start, span.end
    lines = _LINES.search(help)
    if lines is not None:
        whole = re.search(r"in front of this document, and write `([^`]+)`", help)
        if whole is not None:
            yield _in_front(_instead_of_sentence(text, start, whole[1]), start, _QUOTED.findall(lines[1]))
        elif "define it" not in help:
            yield _in_front(text, start, _QUOTED.findall(lines[1]))
        return
    if help.startswith("leave it out") and "`" not in help.split(";")[0] and "," not in help:
        yield _tidy(text[:start].rstrip(" ") + text[end:])
        return
    said = _QUOTED.findall(help)
    if help.startswith(("end every sentence with `.`", "end it here: ")):
        yield f"{text[:end].rstrip('.')}.{text[end:].lstrip('.')}"
        return
    if help.startswith("one full stop ends a sentence"):
        yield text[:start] + text[end:]
        return
    if help.startswith(("join steps by `, then`", "write a comma before it: `…, ")):
        yield f"{text[:start].rstrip()}, {said[0].removeprefix('…').removesuffix('…').strip(' ,')}{text[end:]}"
        return
    if help.startswith("put a comma after the first part"):
        first, last = _sentence(text, start)
        part = said[0].removesuffix(", …")
        if part in text[first:last]:
            yield text[:first] + text[first:last].replace(part, f"{part},", 1) + text[last:]
        return
    if help.startswith("put it before the noun") and "…" not in said[0]:
        yield text[: text.rindex(said[0].split(" ", 1)[1], 0, start)] + said[0] + text[end:]
        return
    whole = next((one for one in said if one.endswith(".") and " " in one and "…" not in one), "")
    if whole:
        yield _instead_of_sentence(text, start, whole)
        return
    if help.startswith("turn it round") and said:
        yield _instead_of_part(text, start, said[0])
        return
    plain = _PLAIN.match(help)
    if plain is None:
        return
    for words in _QUOTED.findall(plain[1]):
        if len(words.split()) >= PART and "…" not in words:
            yield _instead_of_sentence(text, start, f"{words}.")
            yield _instead_of_part(text, start, words)
        whole_part = words.endswith(", …") and words.split()[0] in ("at", "when", "after", "before")
        core = words.removesuffix(", …") if whole_part else words
        if "…" not in core:
            yield _tidy(_with_head(text, start, end, core) if whole_part else text[:start] + core + text[end:])


def _in_front(text: str, place: int, lines: list[str]) -> str:
    start = text.rfind("\n---\n", 0, place)
    start = 0 if start < 0 else start + len("\n---\n")
    return text[:start] + "".join(f"{line}\n" for line in lines) + text[start:]


def _sentence(text: str, place: int) -> tuple[int, int]:
    """Return the bounds of the sentence at a place, from after the last full stop or line of a key."""
    start = max(text.rfind(". ", 0, place) + 2, text.rfind(".\n", 0, place) + 2, text.rfind("|\n", 0, place) + 2)
    while text[start] in " \n":
        start += 1
    end = text.find(".", place)
    return start, end + 1 if end >= 0 else len(text.rstrip())


def _instead_of_sentence(text: str, place: int, whole: str) -> str:
    start, end = _sentence(text, place)
    return text[:start] + whole + text[end:]


def _instead_of_part(text: str, place: int, part: str) -> str:
    """Put words in place of the part of a sentence between two commas at a place."""
    first, _ = _sentence(text, place)
    start = max(text.rfind(", ", first, place) + 2, first)
    if text[start:].startswith("then "):
        start += len("then ")
    ends = [end for sign in (",", ".", ";") if (end := text.find(sign, place)) >= 0]
    return text[:start] + part + text[min(ends) :]


def _with_head(text: str, place: int, end: int, head: str) -> str:
    """Put words in place of the first part of a sentence, up to its comma."""
    start, _ = _sentence(text, place)
    comma = text.find(",", place)
    return text[:start] + head + text[comma if comma >= 0 else end :]


def _tidy(text: str) -> str:
    return text.replace(" .", ".").replace(" ,", ",")
