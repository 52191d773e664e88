"""Sentences laid out in lines: each begins a line of its own, and long ones are broken after clauses.

Only words of the grammar are used here, so that a text can be laid out without its game.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import accumulate, pairwise, zip_longest

from warchest.source.limits import MAX_TOKENS
from warchest.syntax.lexer import Raw, cut, scan

WIDTH = 120
"""The most characters of a line, if possible."""
MARK = "wc-lint:"
"""The mark of comments that are notes to the linter about a line."""
STEP = 2
"""The number of blanks of a level of indentation."""
_STOPS = (",", ";", ":")
"""The signs that may end a line."""
_GUARDS = ("when", "while", "unless")
_JOINS = ("and", "or")
_SIGNS = ("+", "-")
_OPENS = ("if", "until", "for")
"""The words that open a scope at the beginning of a clause; the scope ends at the next semicolon."""
_TIMES = ("start", "end")
"""The words after `until the` that name a time, which opens no scope."""
_STEPS, _CLAUSES, _BRANCHES, _PARTS, _TERMS = range(5)
"""The places at which a line may end, in the order in which they are tried: the steps of a sentence come first."""


def laid_out(text: str, width: int) -> list[str]:
    """Return the lines of a text of sentences, each of at most `width` characters if possible.

    Comments stay where they are. A sentence keeps its lines if they are short enough and end only after clauses, or if
    there is a comment within or after it, or a note to the linter above it, as notes concern one line. Other
    sentences are broken into new lines.
    """
    written = list[str]()
    place = 0
    sentences = cut(scan(text, 0, len(text)))
    for sentence, following in zip_longest(sentences, sentences[1:]):
        above = text[place : sentence[0].start]
        place = sentence[-1].end
        behind = text[place : following[0].start] if following is not None else text[place:]
        _add_between(above, written)
        is_noted = MARK in above or "#" in behind.partition("\n")[0]
        written += _sentence(text, sentence, width, is_noted)
    _add_between(text[place:], written)
    while written and not written[-1]:
        written.pop()
    return written


def _add_between(gap: str, written: list[str]) -> None:
    """Add the comments and single blank lines between two sentences; a comment after a sentence stays there."""
    first, *others = gap.split("\n")
    if first.strip() and written:
        written[-1] += f"  {first.strip()}"
    elif first.strip():
        written.append(first.strip())
    for number, line in enumerate(others, 1):
        if line.strip() or (number < len(others) and written and written[-1]):
            written.append(line.strip())


def _sentence(text: str, words: list[Raw], width: int, is_noted: bool) -> list[str]:
    """Return the lines of a sentence; one with a comment or a note keeps its lines."""
    gaps = {
        number: gap
        for number, (last, word) in enumerate(pairwise(words), 1)
        if "\n" in (gap := text[last.end : word.start])
    }
    if is_noted or any("#" in gap for gap in gaps.values()):
        return list(_with_comments(words, gaps))
    breaks = set(gaps)
    if len(words) <= MAX_TOKENS:
        ends = list(accumulate(_parts(words), lambda length, part: length + len(part), initial=0))
        behind_clauses = all(_rank(words, number) is not None for number in breaks)
        if not behind_clauses or _too_long(words, breaks, ends, width) is not None:
            breaks = _broken(words, ends, width)
    return [" " * STEP * level + _joined(words[start:end]) for start, end, level in _lines(words, breaks)]


def _with_comments(words: list[Raw], gaps: dict[int, str]) -> Iterator[str]:
    """Yield the lines of a sentence with comments between its words, changing only their indentation."""
    for start, end, level in _lines(words, gaps):
        indent = " " * STEP * level
        above = gaps.get(start, "").split("\n")[1:]
        yield from (indent + comment.strip() for comment in above if comment.strip())
        beside = gaps.get(end, "").split("\n")[0].strip()
        yield indent + _joined(words[start:end]) + (f"  {beside}" if beside else "")


def _rank(words: list[Raw], place: int) -> int | None:
    """Return the rank of a line break before a word; None if a line must not end there."""
    last, word = words[place - 1].text, words[place].text
    if not _is_blank_between(words[place - 1], words[place]):
        return None
    if last in (";", ":") or (last == "," and word == "then"):
        return _STEPS
    if word in _JOINS:
        return _BRANCHES if last == "," else _PARTS
    if last == "," or word in _GUARDS:
        return _CLAUSES
    is_apart = place + 1 < len(words) and words[place].end < words[place + 1].start
    return _TERMS if word in _SIGNS and is_apart else None


def _broken(words: list[Raw], ends: list[int], width: int) -> set[int]:
    """Return the words, by number, that begin lines of a sentence, so that if possible no line is too long."""
    breaks = set[int]()
    if _too_long(words, breaks, ends, width) is not None:
        breaks.update(place for place in range(1, len(words)) if _rank(words, place) == _STEPS)
    for rank in (_CLAUSES, _BRANCHES, _PARTS, _TERMS):
        passed = 0
        while (line := _too_long(words, breaks, ends, width, passed)) is not None:
            start, end, level = line
            places = [place for place in range(start + 1, end) if _rank(words, place) == rank]
            fitting = [place for place in places if ends[place] - ends[start] + STEP * level <= width]
            breaks.update(fitting[-1:] or places[:1])
            passed = start if fitting else places[0] if places else end
    return breaks


def _too_long(
    words: list[Raw], breaks: Collection[int], ends: list[int], width: int, passed: int = 0
) -> tuple[int, int, int] | None:
    """Return the first line that is too long, from the word `passed` on; None if there is none."""
    for start, end, level in _lines(words, breaks):
        if start >= passed and ends[end] - ends[start] + STEP * level > width + (start > 0):
            return start, end, level
    return None


def _lines(words: list[Raw], breaks: Collection[int]) -> Iterator[tuple[int, int, int]]:
    """Yield the lines of a sentence: the numbers of the first word and of the one after the last, and the level of
    indentation.

    Continued lines are indented once, and once more within each scope that a line above opens.
    """
    level = 0
    for start, end in pairwise((0, *sorted(breaks), len(words))):
        yield start, end, level
        closed = next((place for place in range(end - 1, start - 1, -1) if words[place].text == ";"), None)
        below = level if level and closed is None else 1
        first = start if closed is None else closed + 1
        level = below + (level > 0 and any(_opens(words, place) for place in range(first, end)))


def _opens(words: list[Raw], place: int) -> bool:
    """Whether a clause that opens a scope begins at a word."""
    before = [word.text for word in words[max(0, place - 2) : place]]
    begins = not before or before[-1] in _STOPS or (before[-1] == "then" and before[0] in _STOPS)
    behind = [word.text for word in words[place + 1 : place + 3]]
    is_time = behind[:1] == ["the"] and behind[1:] in ([one] for one in _TIMES)
    return begins and words[place].text in _OPENS and not is_time


def _joined(words: list[Raw]) -> str:
    """Return words in a line."""
    return "".join(_parts(words)).lstrip()


def _parts(words: list[Raw]) -> Iterator[str]:
    """Yield each word with the blank before it, if any."""
    yield words[0].text
    for last, word in pairwise(words):
        yield f" {word.text}" if _is_blank_between(last, word) else word.text


def _is_blank_between(last: Raw, word: Raw) -> bool:
    """Whether to put a blank between two words: where the text has one, and after stops, but not before stops."""
    return (last.text in _STOPS or last.end < word.start) and word.text not in (*_STOPS, ".")
