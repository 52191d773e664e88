"""The page for everyone: checked by the rules of axe, in all widths, in light, dark and high contrast."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from studio_support import CARD, opened, served

if TYPE_CHECKING:
    from playwright.sync_api import Page

WIDTHS = (320, 375, 768, 1280, 3840)
HEIGHTS = {320: 640, 375: 800, 768: 1024, 1280: 800, 3840: 2160}
PANES = ("write", "about", "play")
NARROW = 760
"""Below this width one pane is shown at a time."""
PICTURES = {375, 1280, 3840}
"""The widths of the pictures that are kept in the folder STUDIO_PICTURES."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("cards")
    (folder / "outrider.yaml").write_text(CARD.replace("exactly", "exatly"), encoding="utf-8")
    with served(folder) as address:
        yield address


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    folder = Path(os.environ.get("STUDIO_PICTURES") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def views(page: Page, width: int) -> Iterator[str]:
    """Show all that the page has in a width, one after the other; give their names."""
    page.wait_for_selector("#findings .fix", state="attached")
    for pane in PANES if width < NARROW else PANES[:1]:
        page.evaluate("pane => studio.pane(pane)", pane)
        yield pane if width < NARROW else "page"
    page.evaluate("studio.pane('about')")
    for tab in ("rulings", "tests"):
        page.evaluate("tab => studio.about(tab)", tab)
        yield tab
    for name, act in (
        ("new-game", "studio.play.choose()"),
        ("new-card", "studio.files.ask()"),
        ("share", "studio.share()"),
        ("set-up", "studio.setup.open()"),
    ):
        page.evaluate(f"void {act}")
        page.wait_for_selector("dialog[open] svg" if name == "set-up" else "dialog[open]")
        yield name
        page.evaluate("document.querySelector('dialog[open]').close()")
        page.wait_for_selector("dialog", state="detached")
    page.evaluate("document.querySelector('#commands [title]').click()")
    yield "keys"


def faults(page: Page) -> list[str]:
    """The violations that axe finds."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found: list[dict[str, Any]] = axe.run(page).response["violations"]
    return [f"{one['id']}: {node['target']} {node['html'][:120]}" for one in found for node in one["nodes"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [375, 1280])
def test_axe_finds_no_fault(address: str, width: int, scheme: str) -> None:
    with opened(address, width, HEIGHTS[width], color_scheme=scheme) as page:
        found = {name: faults(page) for name in views(page, width)}
    assert {name: lines for name, lines in found.items() if lines} == {}
    assert len(found) > 7


@pytest.mark.parametrize("width", WIDTHS)
def test_no_part_is_wider_than_the_page(address: str, width: int, pictures: Path) -> None:
    scheme = "dark" if width == 1280 else "light"
    with opened(address, width, HEIGHTS[width], color_scheme=scheme) as page:
        for name in views(page, width):
            if width in PICTURES:
                page.screenshot(path=pictures / f"studio-{width}-{scheme}-{name}.png")
            widths = page.evaluate("[...document.querySelectorAll('html, dialog')].map(one => one.scrollWidth)")
            assert max(widths) <= width, name


@pytest.mark.parametrize("width", WIDTHS)
def test_the_board_is_large(address: str, width: int) -> None:
    with opened(address, width, HEIGHTS[width]) as page:
        page.evaluate("studio.pane('play')")
        wide = "document.querySelector('#board').shadowRoot.querySelector('.cell')?.getBoundingClientRect().width"
        page.wait_for_function(f"() => {wide} > 36")
        assert page.locator("#options button[data-id]").first.is_visible()


@pytest.mark.quick
def test_high_contrast_marks_the_choice(address: str) -> None:
    with opened(address, 700, forced_colors="active") as page:
        colours = """selector => [...document.querySelectorAll(selector)]
            .map(one => getComputedStyle(one).backgroundColor)"""
        for selector, which in (
            ("#panes button", "[aria-pressed=true]"),
            ("[role=tab]", "[aria-selected=true]"),
            ("#files li button", "[aria-current=true]"),
        ):
            chosen = page.evaluate(colours, selector + which)
            others = page.evaluate(colours, f"{selector}:not({which})")
            assert len(chosen) == 1 and chosen[0] not in others


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_animations_stop_on_request(address: str, motion: str) -> None:
    with opened(address, reduced_motion=motion) as page:
        page.evaluate("studio.editor.view.focus()")
        page.wait_for_selector(".cm-focused .cm-cursorLayer .cm-cursor", state="attached")
        assert (page.evaluate("document.getAnimations().length") == 0) is (motion == "reduce")
