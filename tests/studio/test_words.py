"""The page's own words: all that are used are there, in English and in German."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from studio_support import CARD, opened, served

from warchest.studio.bundle import BUNDLE
from warchest.studio.page_facts import PAGE, about_page

SOURCES = {
    one.name: one.read_text(encoding="utf-8")
    for one in (*PAGE.glob("*.js"), PAGE / "index.html")
    if not one.name.startswith("codemirror")
}
SAME = {"studio", "editor", "link", "name", "sets", "tests", "attack, move …", "direction"}
"""The words that German has alike."""

OF_EDITOR = "in the editor: "
"""The beginning of the keys of the editor's own words."""

SAID = """() => [...document.querySelectorAll("body *")].filter(one => !one.closest(".cm-editor")).flatMap(one => [
    one.getAttribute("aria-label"), one.title, one.placeholder,
    [...one.childNodes].filter(part => part.nodeType === Node.TEXT_NODE).map(part => part.data).join("")])"""
"""All that elements of the page show and are called."""


def words(language: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((PAGE / "words" / f"{language}.json").read_text(encoding="utf-8"))
    return found


def used() -> set[str]:
    """The keys that the page names outright."""
    text = "\n".join(SOURCES.values())
    named = re.findall(r'\bword\("([^"]+)"|data-(?:word|label)="([^"]+)"|Error\("(link [^"]+)"\)', text)
    numbers = re.findall(r'\bcounted\([^"`]+, "([^"]+)"\)', text)
    return {key for one in named for key in one if key} | {f"{sort} {key}" for key in numbers for sort in ("1", "n")}


def test_all_words_that_the_page_uses_are_there() -> None:
    assert len(used()) > 80
    assert used() - words("en").keys() == set()


def test_there_are_no_words_that_the_page_does_not_use() -> None:
    """A key may be put together, as for `job sim`, or be a value elsewhere in the page, as "passed" is."""
    text = "\n".join(SOURCES.values())
    starts = (*re.findall(r"\bword\(`([^`$]+)\$\{", text), OF_EDITOR)
    unused = {key for key in words("en").keys() - used() if not (starts and key.startswith(starts))}
    assert starts
    assert {key for key in unused if not re.search(rf'"{re.escape(key)}"|\b{re.escape(key)}:', text)} == set()


@pytest.mark.parametrize("language", [one for one in about_page()["languages"] if one != "en"])
def test_a_language_has_all_words_with_the_same_gaps(language: str) -> None:
    gaps = re.compile(r"\{\w+\}")
    english, other = words("en"), words(language)
    assert list(other) == [key for key in english if key in other], "the words are in the order of en.json"
    assert english.keys() - other.keys() == set(), f"say these in words/{language}.json, too"
    for key, text in english.items():
        assert set(gaps.findall(other[key])) == set(gaps.findall(text)), key


def test_all_words_of_the_editor_are_there() -> None:
    """Its library asks for them by their English texts."""
    if not BUNDLE.is_file():
        pytest.skip("the editor is not built here: `make editor`")
    asked = set(re.findall(r'\bphrase\((?:\w+, ?)?"([^"]+)"', BUNDLE.read_text(encoding="utf-8")))
    assert len(asked) > 15
    assert {f"{OF_EDITOR}{one}" for one in asked} <= words("en").keys()


def test_german_says_nearly_all_in_other_words() -> None:
    german = words("de")
    assert {key for key, text in words("en").items() if text == german[key]} == SAME


def test_a_german_browser_shows_no_english_words(tmp_path: Path) -> None:
    (tmp_path / "outrider.yaml").write_text(CARD, encoding="utf-8")
    german = set(words("de").values())
    english = {text for text in words("en").values() if "{" not in text} - german
    with served(tmp_path) as address, opened(address, locale="de-AT") as page:
        assert page.evaluate("[document.documentElement.lang, document.documentElement.dir]") == ["de", "ltr"]
        page.evaluate("void studio.setup.open()")
        page.wait_for_selector("dialog[open] svg")
        said = page.evaluate(SAID)
    told = {one.strip() for one in said if one and one.strip()}
    assert len(told & german) > 40
    assert told & english == set()
    numbers = {re.sub(r"\d+", "{n}", one) for one in told}
    assert "{n} Sekunden" in numbers
