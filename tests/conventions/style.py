"""The style of the pages: Proselint's advice, and the spellings of the project's own terms.

`python tests/conventions/style.py` prints the findings, and fails if there are any; `make lint` runs it. With names of
pages it checks those only. Code, addresses and headings are left out.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from conventions_support import ROOT
from proselint.checks import __register__
from proselint.config import DEFAULT, Config
from proselint.registry import CheckRegistry
from proselint.tools import LintFile
from wording import blanked

UNUSED = ("dates_times", "lexical_illusions", "typography", "misc")
"""Checks that need another kind of text: theirs are typographic signs, times of day, and words across cells."""
TERMS = {
    "lookaheads?": "look-ahead",
    "colors?|colored|coloring": "colour",
    "behaviors?": "behaviour",
    "neighbors?": "neighbour",
    "favorites?": "favourite",
    "github": "GitHub",
    "javascript": "JavaScript",
    "filesystem": "file system",
    "the like": "such as …",
    "interpretor": "interpreter",
    "grammer": "grammar",
    "seperate": "separate",
}
"""Other spellings of terms, as regular expressions, and the project's own."""
_COMPILED = [(re.compile(rf"\b(?:{other})\b", re.IGNORECASE), own) for other, own in TERMS.items()]
_LEFT_OUT = ("api.md", "licences.md", "rulebooks.md")
"""Pages made from docstrings, and tables of names."""


@cache
def _config() -> Config:
    registry = CheckRegistry()
    if not registry.checks:
        registry.register_many(__register__)
    return Config(max_errors=DEFAULT["max_errors"], checks={**DEFAULT["checks"], **dict.fromkeys(UNUSED, False)})


def advice(name: str, text: str) -> Iterator[str]:
    """Yield the findings in the text of a page, each with its line."""
    plain = re.sub(r"^#.*$", "", blanked(text), flags=re.MULTILINE)
    if not plain.strip():
        return
    page = LintFile(name, plain)
    for found in page.lint(_config()):
        yield f"{name}:{found.pos[0]}: {found.check_result.message}"
    for pattern, own in _COMPILED:
        for term in pattern.finditer(plain):
            if term[0] != own:
                yield f"{name}:{plain.count(chr(10), 0, term.start()) + 1}: say `{own}`, not `{term[0]}`"


def pages() -> list[Path]:
    """Return the pages that people wrote."""
    found = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    return sorted(page for page in found if page.name not in _LEFT_OUT)


def findings(chosen: Sequence[Path]) -> list[str]:
    """Return the findings in some pages."""
    return [
        line
        for page in chosen
        for line in advice(page.resolve().relative_to(ROOT).as_posix(), page.read_text(encoding="utf-8"))
    ]


if __name__ == "__main__":
    lines = findings([Path(one) for one in sys.argv[1:]] or pages())
    print(*lines, sep="\n", end="\n" if lines else "")
    sys.exit(bool(lines))
