"""Turns of phrase that make a text hard to read, and their places: `python tests/conventions/wording.py` prints them.

With names of files or folders it prints those there, with `--counts` only the counts, and with `--lower` it writes the
counts that have fallen into `wording.json`, the record of the most there may be.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from conventions_support import MODULES, PACKAGE, ROOT, docstrings, nodes_of, tree_of

MOST = Path(__file__).with_suffix(".json")
"""The most hits that there may be, by kind of text and by turn of phrase."""
_REPORTS = (
    "says?|said|say|saying|shows?|showing|shown|know|knows|known|ask|asks|asked|asking|see|sees|learns?|explains?|"
    "describes?|decides?|checks?|prints?|matter|question|of:"
)
"""Words after which `what` begins an indirect question, as in `it prints what has changed`."""
TURNS = {
    "what": rf"(?<!\w)(?<!\bno matter )(?:(?!\b(?:{_REPORTS})\b)\b[\w'`-]+ |^|[.,;:(—] ?)what\b(?! (?:else|if|about|kind)\b)"
    r"(?![^.;:!]*\?)",
    "whoever": r"\b(?:whoever|whomever)\b|(?:^|[.;] )who [a-z][^?.]*(?=[.;]|$)",
    "of which": r"(?<!one )(?<!none )(?<!some )(?<!each )(?<!all )(?<!both )(?<!first )(?<!most )(?<!any )"
    r"\b(?:of|by|with|to|from|behind) which\b",
    "stand": r"\bst(?:ands?|ood|anding)\b(?!-|alone| changes?\b)(?<!long standing)",
    "lie": r"\b(?:lies?|lying|lay|lain)\b(?! out)",
    "nobody": r"\b(?:no|some|any|every)body\b|\b(?:nothing|something|anything) (?:that|is|can|of|which)\b",
    "those which": r"\b(?:those|that|one) (?:which|of which)\b|\bthose who\b|\bthat that\b",
    "look at": r"\blook(?:s|ed|ing)? (?:at|into|on|after|around|over)\b|\blooker|\bonlook",
    "tell of": r"\b(?:tells?|told|telling) (?:of|by|apart|whether|from|in|that|what|which|about)\b"
    r"|\b(?:is|are|was|were|be|been) told\b|\btell(?:s|ing)? apart\b",
    "come to": r"\b(?:comes?|came|coming) (?:to|of|in|by|behind|about|out)\b|\b(?:is|are|be|was) come\b",
    "behind": r"\bbehind\b",
    "else": r"(?:^|[.,;:] ?)else(?!-|:)\b",
    "so many": r"\bso (?:many|much)\b(?! (?:as|that)\b)",
    "anew": r"\banew\b|\bbut for\b|\bgo(?:es)? by\b|\bwent by\b|\bin (?:the|its|their) place of\b|\bthe like\b",
    "is so": r"\b(?:is|are|be|was|were|it|that) so(?=[.,;:)]|$)",
    "be done": r"\bbe done\b|\bwhat (?:is|was) done\b",
    "that there is": r"\b(?:which|that|as|than|what) there (?:is|are|was|were)(?: not)?(?=[.,;:)]|$)",
}
"""Regular expressions, matched without regard to case, by the names that the counts have."""
_COMPILED = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in TURNS.items()}
_LETTERS = {
    name: re.compile(letters, re.IGNORECASE)
    for name, letters in {
        "what": "what",
        "whoever": "who",
        "of which": "which",
        "stand": "stand|stood",
        "lie": "li[ei]|ly|la[yi]",
        "nobody": "body|thing",
        "those which": "wh|that that",
        "look at": "look",
        "tell of": "tell|told",
        "come to": "c[oa]m",
        "behind": "behind",
        "else": "else",
        "so many": "so m",
        "anew": "anew|but for|by|place of|the like",
        "is so": " so",
        "be done": "done",
        "that there is": "there",
    }.items()
}
"""Quick patterns without which the turns cannot occur."""
_WORDS = re.compile(r"[A-Za-z'’]+(?:[ ,;:]+[A-Za-z'’`]+){3}")
"""Four words in a row: a string with them is a message, not a key or a pattern."""
_CODE = re.compile(r"```.*?```|~~~.*?~~~|`[^`\n]*`|<!--.*?-->|\]\([^)]*\)", re.DOTALL)
_DOCSTRING = re.compile(r'^ *"""(?=[^\s,.)\]}])(.*?)"""', re.DOTALL | re.MULTILINE)
"""A docstring begins with its text; the quotes that end another string in a line of their own do not."""
_TEST = re.compile(r"^ *def test_(\w+)", re.MULTILINE)
_COMMENT = re.compile(r"(?:^|  )#(?!!)[: ]?(.*)$")
_C_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


class Text(NamedTuple):
    """A text for readers: its kind, the file, and its lines, each with its number there."""

    kind: str
    file: Path
    lines: list[tuple[int, str]]


class Hit(NamedTuple):
    """A turn of phrase in a text."""

    kind: str
    turn: str
    file: Path
    line: int
    excerpt: str


def hits_in(text: Text) -> Iterator[Hit]:
    """Yield the turns of phrase in a text; code in backticks does not count."""
    starts, joined = [], ""
    for _, line in text.lines:
        starts.append(len(joined))
        joined += " ".join(line.split()) + " "
    joined = _CODE.sub(lambda found: "`" + "_" * (len(found[0]) - 2) + "`", joined)
    joined = joined.rstrip()
    for name, pattern in _COMPILED.items():
        for found in pattern.finditer(joined) if _LETTERS[name].search(joined) else ():
            number = text.lines[bisect_right(starts, found.end() - 1) - 1][0]
            excerpt = joined[max(0, found.start() - 40) : found.end() + 50]
            yield Hit(text.kind, name, text.file, number, excerpt)


# ---- the texts


def texts() -> Iterator[Text]:
    """Yield all texts for readers: of the package, its C and scripts, the tests, and the documentation."""
    for file in MODULES:
        yield from of_module(file, file.read_text(encoding="utf-8"))
    for file in sorted(PACKAGE.rglob("*.[ch]")) + sorted(PACKAGE.rglob("*.js")):
        yield from of_c(file, file.read_text(encoding="utf-8"))
    for file in sorted((ROOT / "tests").rglob("*.py")):
        yield from of_test(file, file.read_text(encoding="utf-8"))
    gallery = (ROOT / "docs" / "reference" / "cards").glob("*.md")  # the texts of cards
    pages = sorted({*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")} - {*gallery})
    for file in sorted(pages):
        if file.name not in ("api.md", "licences.md"):
            yield from of_page(file, file.read_text(encoding="utf-8"))


def of_module(file: Path, text: str) -> Iterator[Text]:
    """Yield the docstrings, comments and messages of a module."""
    tree = tree_of(text)
    places = docstrings(tree)
    within = {id(part) for node in nodes_of(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in nodes_of(tree):
        if isinstance(node, ast.JoinedStr):
            said = "".join(str(one.value) if isinstance(one, ast.Constant) else "{}" for one in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in within:
            said = node.value
        else:
            continue
        is_docstring = (node.lineno, node.col_offset) in places
        if is_docstring or _WORDS.search(said):
            yield Text("docstrings" if is_docstring else "messages", file, _numbered(said, node.lineno))
    yield from comments(file, text, "comments")


def of_test(file: Path, text: str) -> Iterator[Text]:
    """Yield the docstrings, comments and names of tests of a module of tests, which is not parsed for it."""
    for found in _DOCSTRING.finditer(text):
        yield Text("texts of tests", file, _numbered(found[1], text.count("\n", 0, found.start(1)) + 1))
    for found in _TEST.finditer(text):
        first = text.count("\n", 0, found.start(1)) + 1
        yield Text("names of tests", file, [(first, found[1].replace("_", " "))])
    yield from comments(file, text, "texts of tests")


def comments(file: Path, text: str, kind: str) -> Iterator[Text]:
    """Yield the comments of a module; those on consecutive lines are one text."""
    block: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        found = _COMMENT.search(line)
        alone = line.lstrip().startswith("#")
        if block and not (found and alone):
            yield Text(kind, file, block)
            block = []
        if found and alone:
            block.append((number, found[1]))
        elif found:
            yield Text(kind, file, [(number, found[1])])
    if block:
        yield Text(kind, file, block)


def of_c(file: Path, text: str) -> Iterator[Text]:
    """Yield the comments of a file in C or JavaScript."""
    for found in _C_COMMENT.finditer(text):
        first = text.count("\n", 0, found.start()) + 1
        yield Text("comments", file, _numbered(found[0].strip("/*"), first))


def of_page(file: Path, text: str) -> Iterator[Text]:
    """Yield the paragraphs of a page, without its code."""
    text = blanked(text)
    kind = "CHANGELOG" if file.name == "CHANGELOG.md" else "docs"
    block: list[tuple[int, str]] = []
    for number, line in enumerate([*text.splitlines(), ""], 1):
        begins = not line.strip() or line.lstrip().startswith(("|", "#", "- ", "* "))
        if begins and block:
            yield Text(kind, file, block)
            block = []
        if line.strip():
            block.append((number, line.strip("|# -*")))


def blanked(text: str) -> str:
    """Return a page in which code and addresses are lines of `_`."""
    return _CODE.sub(lambda found: re.sub(r"[^\n`]", "_", found[0]), text)


def _numbered(text: str, first: int) -> list[tuple[int, str]]:
    return list(enumerate(text.splitlines(), first))


# ---- the counts


@cache
def hits() -> tuple[Hit, ...]:
    """All turns of phrase in all texts."""
    return tuple(hit for text in texts() for hit in hits_in(text))


def counts(found: Iterable[Hit]) -> dict[str, dict[str, int]]:
    """Return the number of hits by kind of text and turn of phrase, with a zero where there is none."""
    number = Counter((hit.kind, hit.turn) for hit in found)
    kinds = ("docstrings", "comments", "messages", "texts of tests", "names of tests", "docs", "CHANGELOG")
    return {kind: {turn: number[kind, turn] for turn in TURNS} for kind in kinds}


def most() -> dict[str, dict[str, int]]:
    """Return the most hits that there may be."""
    record: dict[str, dict[str, int]] = json.loads(MOST.read_text(encoding="utf-8"))
    return record


def lower() -> None:
    """Write the counts that have fallen into the record; none is raised."""
    found, before = counts(hits()), most() if MOST.exists() else {}
    fallen = {
        kind: {turn: min(count, before.get(kind, {}).get(turn, count)) for turn, count in row.items()}
        for kind, row in found.items()
    }
    MOST.write_text(json.dumps(fallen, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    """Print the hits, or their counts."""
    parser = argparse.ArgumentParser(description="print turns of phrase that make a text hard to read")
    parser.add_argument("files", nargs="*", type=Path, help="files or folders; all texts without any")
    parser.add_argument("--turn", choices=[*TURNS], help="one turn of phrase only")
    parser.add_argument("--kind", help="one kind of text only, e.g. `docs`")
    parser.add_argument("--counts", action="store_true", help="print the counts only")
    parser.add_argument("--lower", action="store_true", help="write the counts that have fallen into the record")
    given = parser.parse_args()
    if given.lower:
        lower()
        return
    folders = [file.resolve() for file in given.files] or [ROOT]
    chosen = [
        hit
        for hit in hits()
        if given.turn in (None, hit.turn)
        and given.kind in (None, hit.kind)
        and any(hit.file.is_relative_to(folder) for folder in folders)
    ]
    if given.counts:
        for kind, row in counts(chosen).items():
            print(
                f"{kind} ({sum(row.values())}):",
                *(f"{turn} {count}" for turn, count in row.items() if count),
                sep="\n  ",
            )
        return
    for hit in sorted(chosen, key=lambda one: (one.file, one.line)):
        print(f"{hit.file.relative_to(ROOT)}:{hit.line}: [{hit.turn}] {hit.excerpt}")


if __name__ == "__main__":
    main()
