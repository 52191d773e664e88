"""Application of edits to texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import unified_diff

from warchest.diagnostics.diagnostic import Edit, Fix


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Return a text after some edits, which must not touch each other; see `apart`."""
    for edit in sorted(edits, key=lambda one: (one.span.start, one.span.end), reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def apart(fixes: Iterable[Fix]) -> list[Fix]:
    """Return the fixes of a text that can be applied together; of two fixes that touch, the one that begins first."""
    chosen: list[Fix] = []
    taken: set[tuple[int, int]] = set()
    for fix in sorted(fixes, key=lambda one: [(edit.span.start, edit.span.end) for edit in one.edits]):
        places = [(edit.span.start, edit.span.end) for edit in fix.edits]
        if not any(start <= last and first <= end for start, end in places for first, last in taken):
            chosen.append(fix)
            taken.update(places)
    return chosen


def moved(edits: Sequence[Edit]) -> list[tuple[int, int]]:
    """Return the begin and end offsets of the words that edits insert, in the edited text."""
    found, shift = list[tuple[int, int]](), 0
    for edit in sorted(edits, key=lambda one: (one.span.start, one.span.end)):
        start = edit.span.start + shift
        found.append((start, start + len(edit.text)))
        shift += len(edit.text) - (edit.span.end - edit.span.start)
    return found


def difference(path: str, before: str, after: str) -> str:
    """Return the difference of two texts of a file, as a unified diff."""
    lines = unified_diff(_lines(before), _lines(after), path, path)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _lines(text: str) -> list[str]:
    """Return the lines of a text with their ends; only `\\n` ends a line."""
    return [f"{line}\n" for line in text.split("\n")[:-1]] + ([text.rpartition("\n")[2]] if text[-1:] != "\n" else [])
