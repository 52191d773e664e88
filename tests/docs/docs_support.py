"""The examples of a page: its fenced blocks, and what the linter says of them."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.lint.jobs import jobs
from warchest.lint.run import lint

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
_FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_KEYS = {"steps": "tactic", "rules": "attribute"}


@dataclass(frozen=True)
class Example:
    """A fenced block: its kind, the words behind it, its text, its line."""

    page: str
    kind: str
    words: tuple[str, ...]
    text: str
    line: int

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def examples(page: str) -> list[Example]:
    text = (DOCS / page).read_text(encoding="utf-8")
    return [
        Example(page, match[1], tuple(match[2].split()), match[3], text.count("\n", 0, match.start()) + 1)
        for match in _FENCE.finditer(text)
    ]


def findings(document: str) -> list[Diagnostic]:
    """What the linter says of a document on top of War Chest."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "example.yaml"
        file.write_text(document, encoding="utf-8")
        (job,) = jobs([file], "war-chest", [])
        return list(lint(job).findings)


def card_around(meaning: str, text: str, of: str = "card") -> str:
    """A unit that carries a text as steps or as rules; or, of the `game`, a document of its rules."""
    body = "".join(f"  {line}\n" for line in text.splitlines())
    if of == "game":
        return f"action: Example\nsource: none\nrules: |\n{body}"
    return f"unit: Example\nset: base\ncoins: 4\nsource: none\n{_KEYS[meaning]}: |\n{body}"


# ---- the list of modules in architecture.md

PACKAGE = ROOT / "interpreter" / "warchest"
MARK = "<!-- modules -->\n"
FOLDERS = ("source", "diagnostics", "documents", "syntax", "check", "rules", "machine", "game", "lint", "rulings",
           "picture", "replay", "bots", "cli")  # fmt: skip
FIRST = ("text", "diagnostic", "load", "words", "lexer", "parse", "phrases", "ast", "model", "types", "values", "sets",
         "conditions", "builtin", "steps", "ruleset", "layout", "run", "sites", "acts", "events", "trial", "game",
         "state", "main")  # fmt: skip
"""What is read first in its folder, where the page does not list the module yet."""


def summary(file: Path) -> str:
    """The first sentence of a module's docstring, on one line."""
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    paragraph = " ".join(text.split("\n\n")[0].split())
    return re.split(r"(?<=[^.]\.) ", paragraph)[0]


def module_list(page: str) -> str:
    """The list as it should be: folders and modules in the order of the page, new ones behind."""
    sections = re.split(r"^### `(\w+)/`$", page, flags=re.MULTILINE)
    order = {folder: re.findall(r"^- `(\w+)\.py`", text, re.MULTILINE)
             for folder, text in zip(sections[1::2], sections[2::2], strict=True)}  # fmt: skip
    folders = sorted({file.parent.name for file in PACKAGE.glob("*/*.py")})
    folders.sort(key=lambda name: (FOLDERS.index(name) if name in FOLDERS else len(FOLDERS), name))
    written = []
    for folder in folders:
        written.append(f"\n### `{folder}/`\n\n{summary(PACKAGE / folder / '__init__.py')}\n\n")
        known = order.get(folder, [])
        names = sorted(file.stem for file in (PACKAGE / folder).glob("*.py") if file.stem != "__init__")
        names.sort(key=lambda name: known.index(name) if name in known else len(known) + _first(name))
        written += [f"- `{name}.py` – {summary(PACKAGE / folder / f'{name}.py')}\n" for name in names]
    return "".join(written)


def _first(name: str) -> int:
    return FIRST.index(name) if name in FIRST else len(FIRST)


if __name__ == "__main__":
    page_file = DOCS / "architecture.md"
    before, mark, listed_now = page_file.read_text(encoding="utf-8").partition(MARK)
    page_file.write_text(before + mark + module_list(listed_now), encoding="utf-8")
