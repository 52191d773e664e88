"""The paragraphs of the rulebooks, the tables of docs/explanation/rulebooks, and where the references in them lead.

A paragraph is a run of lines with words in them. A line that begins with a mark of a list (`-`, `*`, `•`, `◆`, `1.`,
`1)`) or of a heading (`#`) begins another one, and a line marked as a heading is one by itself. The paragraphs of a
text are counted from 1. The list in rulebooks.txt has a line for each: the text, its number, its digest, its first
three words. The digest is of its words only, in small letters a to z and digits, so that two printings of the same
words have the same one.

If the texts are at hand, `python tests/docs/rulebooks_support.py FOLDER` writes the list.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "explanation" / "rulebooks"
LIST = Path(__file__).with_name("rulebooks.txt")
_MARK = re.compile(r"\s*(#|[-*•◆]\s|\d+[.)]\s)")
_SECTION = re.compile(r"^# (\d{3}): .*$", re.MULTILINE)
_FOLDER = re.compile(r"^Places are in `(cards/[\w-]+)`", re.MULTILINE)
_REASON = re.compile(r"^- \*([\w ]+)\*: ", re.MULTILINE)
_NUMBERS = re.compile(r"(\d+)(?:–(\d+))?")
_PLACE = re.compile(r"`([\w./-]+)(?:: (?:\"([^`]+)\"|([^\"`]+)))?`")
_OTHER = re.compile(r"\b(as|verbatim) (\d{3})\.(\d+)(?:–(\d+))?")


# ---- the texts


@dataclass(frozen=True)
class Paragraph:
    """A paragraph of a text: its number, the digest of its words, its first words."""

    text: str
    number: int
    digest: str
    opening: str

    def __str__(self) -> str:
        return f"{self.text} {self.number} {self.digest} {self.opening}"


def paragraphs(name: str, text: str) -> list[Paragraph]:
    found: list[str] = []
    goes_on = False
    for line in text.splitlines():
        if not re.search(r"\w", line):
            goes_on = False
        elif goes_on and not _MARK.match(line):
            found[-1] += " " + line.strip()
        else:
            found.append(line.strip())
            goes_on = not line.lstrip().startswith("#")
    return [Paragraph(name, number, _digest(words), _opening(words)) for number, words in enumerate(found, 1)]


def _digest(words: str) -> str:
    return sha256(re.sub(r"[^a-z0-9]", "", words.casefold()).encode()).hexdigest()[:8]


def _opening(words: str) -> str:
    return " ".join(re.findall(r"\w+(?:['’]\w+)*", re.sub(r"</?[a-z]+>", " ", words))[:3])


def texts_in(folder: Path) -> list[Paragraph]:
    """The paragraphs of all texts in a folder; a file is cited by the first three figures of its name."""
    files = sorted(folder.glob("[0-9][0-9][0-9]*.txt"))
    return [one for file in files for one in paragraphs(file.name[:3], file.read_text(encoding="utf-8"))]


def listed() -> list[Paragraph]:
    lines = (line.split(" ", 3) for line in LIST.read_text(encoding="utf-8").splitlines())
    return [Paragraph(text, int(number), digest, opening) for text, number, digest, opening in lines]


# ---- the tables


@dataclass(frozen=True)
class Row:
    """A row of a table: the paragraphs it is about, and their places or the reason for none."""

    text: str
    folder: str
    first: int
    last: int
    opening: str
    says: str
    where: str

    def __str__(self) -> str:
        return f"{self.text}.{self.first}"

    def alone(self) -> bool:
        """Whether it gives the places of its paragraphs, or the reason for none."""
        return bool(_PLACE.search(self.where) or re.match(r"\*", self.where))


def joined() -> str:
    """Return the introduction and the pages of all rulebooks, in the order of their numbers."""
    pages = [page.read_text(encoding="utf-8") for page in FOLDER.glob("*.md")]
    return "\n".join(sorted(pages, key=lambda page: (_SECTION.match(page) or [""])[0]))


def rows(page: str) -> list[Row]:
    parts = _SECTION.split(page)
    return [row for text, body in zip(parts[1::2], parts[2::2], strict=True) for row in _rows(text, body)]


def _rows(text: str, body: str) -> Iterator[Row]:
    folder = _FOLDER.search(body)
    assert folder, text
    for line in body.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        numbers = _NUMBERS.fullmatch(cells[0])
        if line.startswith("|") and numbers:
            assert len(cells) == 4, line
            yield Row(text, folder[1], int(numbers[1]), int(numbers[2] or numbers[1]), *cells[1:])


def astray(page: str, known: list[Paragraph]) -> list[str]:
    """Return all faults in the tables of a page: rows that are missing or doubled, and references that lead nowhere."""
    found, reasons = rows(page), set(_REASON.findall(page))
    wrong = _uncounted(found, known)
    for row in found:
        faults = [f"no reason called {name}" for name in re.findall(r"\*([\w ]+)\*", row.where) if name not in reasons]
        faults += [f"nothing at {match[0]}" for match in _PLACE.finditer(row.where) if not leads(row, match)]
        others = list(_OTHER.finditer(row.where))
        faults += [f"not said by {match[0]}" for match in others if not _answers(row, match, found, known)]
        if not row.alone() and not others:
            faults.append("neither a place nor a reason")
        if "`" in _PLACE.sub("", row.where):
            faults.append(f"not a place: {row.where}")
        wrong += [f"{row}: {fault}" for fault in faults]
    return wrong


def _uncounted(found: list[Row], known: list[Paragraph]) -> list[str]:
    """Paragraphs that have no row, or several, or one that begins with other words."""
    have = [(row.text, number) for row in found for number in range(row.first, row.last + 1)]
    want = [(one.text, one.number) for one in known]
    if have != want:
        lost, more = sorted(set(want) - set(have)), sorted(set(have) - set(want))
        return [f"rows and paragraphs differ: {lost} have no row, {more} are none, or they are not in order"]
    openings = {(one.text, one.number): one.opening for one in known}
    return [
        f"{row}: begins with {openings[row.text, row.first]}"
        for row in found
        if row.opening != openings[row.text, row.first]
    ]


def _answers(row: Row, match: re.Match[str], found: list[Row], known: list[Paragraph]) -> bool:
    """Whether another row says it; `verbatim`, in the same words."""
    kind, text, first, last = match[1], match[2], int(match[3]), int(match[4] or match[3])
    told = [other for other in found if other.text == text and other.first <= last and first <= other.last]
    if not told or not all(other.alone() for other in told):
        return False
    if kind == "as":
        return True
    digests = {(one.text, one.number): one.digest for one in known}
    mine = [digests[row.text, number] for number in range(row.first, row.last + 1)]
    return mine == [digests.get((text, number), "") for number in range(first, last + 1)]


# ---- where references lead


def leads(row: Row, match: re.Match[str]) -> bool:
    """Whether a reference names a file, and in it a key, words of a text, or a ruling by its whole name."""
    place, words, key = match[1], match[2], match[3]
    if place.startswith("docs/"):
        page = ROOT / place
        return page.is_file() and key is None and (words or "") in _squeezed(page.read_text(encoding="utf-8"))
    file = ROOT / row.folder / f"{place}.yaml"
    if not file.is_file():
        return False
    if words is not None:
        return words in _rulings(file) or any(words in text for text in _texts(_document(file)))
    return key is None or _has(_document(file), key.split("."))


@cache
def _document(file: Path) -> Any:
    return yaml.load(file.read_text(encoding="utf-8"), yaml.CBaseLoader)


@cache
def _rulings(file: Path) -> frozenset[str]:
    document = _document(file)
    return frozenset(case["name"] for case in document.get("cases", []) + _inner(document))


def _inner(document: dict[str, Any]) -> list[dict[str, Any]]:
    found = document.get("rulings")
    return found if isinstance(found, list) else []


def _texts(value: Any) -> Iterator[str]:
    """The texts of a document, comments and rulings left out."""
    if isinstance(value, str):
        yield _squeezed("\n".join(line for line in value.splitlines() if not line.lstrip().startswith("#")))
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)
    else:
        for key, one in value.items():
            if key not in ("rulings", "cases"):
                yield from _texts(one)


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def _has(document: Any, keys: list[str]) -> bool:
    for key in keys:
        if not isinstance(document, dict) or key not in document:
            return False
        document = document[key]
    return True


if __name__ == "__main__":
    LIST.write_text("".join(f"{one}\n" for one in texts_in(Path(sys.argv[1]))), encoding="utf-8")
