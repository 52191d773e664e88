"""All pages: links and their anchors lead somewhere, each page is near the README, and none is long."""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path

import pytest
import yaml
from docs_support import DOCS, ROOT

README = ROOT / "README.md"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
MOST_WORDS = 3000
LONG = {DOCS / "reference" / "language.md", ROOT / "CHANGELOG.md"}
"""The pages that may be longer."""
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_FENCED = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)

each = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


@cache
def prose(page: Path) -> str:
    """The text of a page without its examples."""
    return _FENCED.sub("", page.read_text(encoding="utf-8"))


@cache
def anchors(page: Path) -> frozenset[str]:
    """The anchors of the headings of a page, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return frozenset(re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings)


def links(page: Path) -> list[tuple[Path, str]]:
    """The files of this project that a page links to, each with the anchor or nothing."""
    found = [link.partition("#") for link in _LINK.findall(prose(page)) if "://" not in link and "mailto:" not in link]
    return [(Path(os.path.normpath(page.parent / path)) if path else page, anchor) for path, _, anchor in found]


@each
def test_links_lead_somewhere(page: Path) -> None:
    wrong = [f"{file}#{anchor}" for file, anchor in links(page) if not file.exists()]
    wrong += [f"{file}#{anchor}" for file, anchor in links(page) if anchor and anchor not in anchors(file)]
    assert wrong == []


def test_every_page_is_within_two_clicks_of_the_readme() -> None:
    near = {README, *(file for file, _ in links(README))}
    near |= {file for page in list(near) if page.suffix == ".md" for file, _ in links(page)}
    findings = DOCS / "reference" / "findings"
    far = [page for page in PAGES if page not in near and page.parent != findings]
    assert far == [] and findings / "README.md" in near


@each
def test_no_page_is_long(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert page in LONG or "<!-- Made " in text or len(text.split()) <= MOST_WORDS


@each
def test_lines_are_short(page: Path) -> None:
    lines = prose(page).splitlines()
    made = "<!-- Made " in page.read_text(encoding="utf-8")
    assert [line for line in lines if len(line) > 120 and not line.startswith(("|", "<!--"))] == [] or made


def test_each_page_is_in_the_navigation_once() -> None:
    """`make docs` fails for a page that is missing in its navigation; this test says so at once."""

    def pages(part: object) -> list[str]:
        if isinstance(part, str):
            return [part]
        children = part.values() if isinstance(part, dict) else part
        return [page for child in children for page in pages(child)]  # type: ignore[attr-defined]

    site = yaml.load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"), yaml.BaseLoader)
    listed = [page for page in pages(site["nav"]) if "://" not in page]
    shown = {str(page.relative_to(DOCS)) for page in PAGES if page.is_relative_to(DOCS)}
    shown = {page for page in shown if "findings/WC" not in page}
    assert len(listed) == len(set(listed)) and set(listed) == shown
