"""Replays as pages in a browser: by mouse and keys, by address, in all sizes, light and dark, with hostile texts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from page_support import HOSTILE, data_of, hostile_page, page, shown

from browsers import chromium, page_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

GAMES = [("war-chest", 3, 40, None), ("war-chest", 4, 40, 4), ("unigames", 1, 30, None)]
SIZES = [(375, 667), (820, 1100), (1280, 800), (3840, 2160)]


@cache
def steps() -> dict[str | None, Any]:
    """Return the steps of a game as each viewer sees them."""
    data = data_of(page(most=60))
    return {view["viewer"]: shown(data, number) for number, view in enumerate(data["views"])}


def last() -> int:
    return len(steps()[None]) - 1


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as begun:
        yield begun


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    return file(tmp_path_factory.mktemp("pages"), page(most=60))


@pytest.fixture
def opened(browser: Browser, address: str) -> Iterator[Page]:
    with page_of(browser, viewport={"width": 1280, "height": 800}) as shown_page:
        # Time only goes on when a test says so, however long the test takes.
        shown_page.clock.install(time="2026-01-01")
        shown_page.goto(address)
        shown_page.clock.pause_at("2026-01-02")
        yield shown_page


def file(folder: Path, text: str) -> str:
    (folder / "game.html").write_text(text, encoding="utf-8")
    return (folder / "game.html").as_uri()


def state(shown_page: Page) -> tuple[str, str, str]:
    """The step that is shown: by the slider, by the mark in the news, and by the words above the board."""
    marked = shown_page.locator("#list [aria-current=step]")
    assert marked.count() == 1
    return (
        shown_page.locator("#step").input_value(),
        marked.locator(".number").inner_text(),
        shown_page.locator("#said").inner_text(),
    )


def said(number: int, viewer: str | None = None) -> str:
    return steps()[viewer][number][2][0] if number else "The start"


def is_at(shown_page: Page, number: int, viewer: str | None = None) -> None:
    from playwright.sync_api import expect

    # The page follows a link to a step shortly after the click.
    expect(shown_page.locator("#step")).to_have_value(str(number))
    assert state(shown_page) == (str(number), str(number), said(number, viewer))
    pictures, facts, _ = steps()[viewer][number]
    assert shown_page.locator("#facts").inner_text() == facts
    labels = shown_page.locator("#table svg, #beside svg").evaluate_all("all => all.map(one => one.ariaLabel)")
    assert len(labels) == len(pictures)
    read = "text => new DOMParser().parseFromString(text, 'image/svg+xml').documentElement.getAttribute('aria-label')"
    assert sorted(labels) == sorted(shown_page.evaluate(f"texts => texts.map({read})", pictures))


# ---- by mouse and keys


@pytest.mark.quick
def test_buttons_go_through_the_game(opened: Page) -> None:
    is_at(opened, 0)
    for button, number in (
        ("On", 1),
        ("On", 2),
        ("Back", 1),
        ("To the end", last()),
        ("On", last()),
        ("To the start", 0),
        ("Back", 0),
    ):
        opened.get_by_role("button", name=button, exact=True).dispatch_event("click")
        is_at(opened, number)


def test_the_slider_goes_to_a_step(opened: Page) -> None:
    slider = opened.get_by_role("slider")
    slider.fill("7")
    is_at(opened, 7)
    assert slider.get_attribute("aria-valuetext") == f"7 of {last()}: {said(7)}"


def test_keys_go_through_the_game_wherever_the_focus_is(opened: Page) -> None:
    for where in ("body", "#step", "#list a >> nth=3", "#play", "#beside"):
        opened.locator(where).evaluate("one => one.focus()")
        for key, number in (("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last())):
            opened.keyboard.press(key)
            is_at(opened, number)
    opened.keyboard.press("Control+ArrowLeft")
    is_at(opened, last())


def test_all_of_it_can_be_reached_by_the_tab_key(opened: Page) -> None:
    """Its controls in reading order, each with a visible focus."""
    reached: list[str] = []
    for _ in range(9):
        opened.keyboard.press("Tab")
        told = opened.evaluate(
            "() => [document.activeElement.id || document.activeElement.tagName, "
            "getComputedStyle(document.activeElement).outlineStyle]"
        )
        reached.append(told[0])
        assert told[1] == "solid"
    assert reached == ["viewer", "step", "first", "back", "play", "on", "last", "beside", "A"]
    opened.keyboard.press("Enter")
    assert state(opened)[0] == "0"


def test_the_news_lead_to_their_steps(opened: Page) -> None:
    opened.locator("#list a").nth(5).click()
    is_at(opened, 5)
    opened.locator("#list a").nth(9).click()
    is_at(opened, 9)
    opened.go_back()
    is_at(opened, 5)
    texts = opened.locator("#list a").nth(5).locator("span").all_inner_texts()
    assert texts == ["5", *steps()[None][5][2]]


def test_the_marked_news_are_in_sight(opened: Page) -> None:
    for key in ("End", "Home", "End"):
        opened.keyboard.press(key)
        inside = """() => {
          const marked = document.querySelector("#list [aria-current]").getBoundingClientRect();
          const frame = document.querySelector("#list").getBoundingClientRect();
          return marked.top >= frame.top - 1 && marked.bottom <= frame.bottom + 1;
        }"""
        assert opened.evaluate(inside)


def test_the_game_plays_by_itself_until_it_is_stopped_or_over(opened: Page) -> None:
    opened.get_by_role("button", name="Play").click()
    is_at(opened, 0)
    opened.clock.run_for(3_700)
    is_at(opened, 3)
    assert opened.locator("#said").get_attribute("aria-live") == "off"
    opened.get_by_role("button", name="Pause").click()
    opened.clock.run_for(3_700)
    is_at(opened, 3)
    opened.get_by_role("button", name="Play").click()
    opened.clock.run_for(1_300 * (last() + 2))
    is_at(opened, last())
    opened.get_by_role("button", name="Play").click()
    is_at(opened, 0)


# ---- whose view it is, and the address


def test_the_view_can_be_chosen(opened: Page) -> None:
    opened.locator("#step").fill("6")
    for viewer in ("raven", "wolf", "everything"):
        opened.get_by_label("View").select_option(label=viewer)
        is_at(opened, 6, None if viewer == "everything" else viewer)


def test_the_address_names_the_step_and_the_view(opened: Page, address: str) -> None:
    opened.locator("#step").fill("4")
    opened.clock.run_for(500)
    assert opened.evaluate("location.hash") == "#4"
    opened.get_by_label("View").select_option(label="wolf")
    opened.keyboard.press("Escape")
    opened.clock.run_for(500)
    assert opened.evaluate("location.hash") == "#4;wolf"
    assert opened.locator("#list a").nth(2).get_attribute("href") == "#2;wolf"
    for hash_, number, viewer in (
        ("#7", 7, None),
        ("#8;raven", 8, "raven"),
        ("#99999", last(), None),
        ("#x", 0, None),
        ("#3;nobody", 3, None),
        ("#3;%E0", 3, None),
        ("#2;wolf", 2, "wolf"),
    ):
        opened.evaluate("to => { location.hash = to }", hash_)
        opened.wait_for_function("to => location.hash === to", arg=hash_)
        is_at(opened, number, viewer)
        opened.goto("about:blank")
        opened.goto(address + hash_)
        is_at(opened, number, viewer)


def test_a_page_for_a_player_has_no_other_view(browser: Browser, tmp_path: Path) -> None:
    with page_of(browser) as one:
        one.goto(file(tmp_path, page(most=60, viewer="wolf")) + "#5")
        assert one.locator("select").count() == 0 and one.locator("#viewed").inner_text() == "As wolf may see it"
        is_at(one, 5, "wolf")


# ---- in all sizes, light and dark


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_no_part_is_wider_than_the_window(
    browser: Browser, tmp_path: Path, game: tuple[str, int, int, int | None], width: int, height: int
) -> None:
    with page_of(browser, viewport={"width": width, "height": height}) as one:
        one.goto(file(tmp_path, page(*game, bot="policy-c")) + "#99")
        assert one.evaluate("document.documentElement.scrollWidth") == width
        board = one.locator("#board svg").bounding_box()
        assert board is not None and board["width"] > 0.35 * min(width, height)
        assert board["x"] >= 0 and board["x"] + board["width"] <= width
        for button in one.locator("#buttons button").all():
            box = button.bounding_box()
            assert box is not None and box["width"] >= 44 and box["height"] >= 44
            assert 0 <= box["y"] and box["y"] + box["height"] <= height


CONTRAST = """() => {
  const parts = (colour) => colour.match(/[0-9.]+/g).map(Number);
  const light = (colour) => parts(colour).slice(0, 3)
    .map((one) => one / 255).map((one) => (one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    .reduce((sum, one, place) => sum + one * [0.2126, 0.7152, 0.0722][place], 0);
  const ground = (one) => {
    for (; one; one = one.parentElement) {
      const colour = getComputedStyle(one).backgroundColor;
      if ((parts(colour)[3] ?? 1) > 0.9) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const texts = [...document.querySelectorAll("header *, main *")].filter((one) =>
    !one.closest("svg") && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
  return texts.map((one) => {
    const [a, b] = [light(getComputedStyle(one).color), light(ground(one))];
    return [one.tagName, one.className, one.id, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
  });
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_can_be_read_light_and_dark(browser: Browser, address: str, scheme: Any) -> None:
    with page_of(browser, color_scheme=scheme, viewport={"width": 1280, "height": 800}) as one:
        one.goto(f"{address}#5")
        ratios = one.evaluate(CONTRAST)
        assert len(ratios) > 30 and not [each for each in ratios if each[3] < 4.5]
        ground = one.evaluate("getComputedStyle(document.body).backgroundColor")
        cell = one.evaluate("getComputedStyle(document.querySelector('#board .cell')).fill")
        assert all((sum(map(int, colour[4:-1].split(","))) > 382) == (scheme == "light") for colour in (ground, cell))


def test_each_picture_and_control_has_a_name(opened: Page) -> None:
    for one in opened.locator("button, input, select, [role=img], section").all():
        label = one.evaluate(
            "one => one.ariaLabel || one.labels?.[0]?.textContent || "
            "document.getElementById(one.getAttribute('aria-labelledby'))?.textContent"
        )
        assert label and label.strip()
    assert opened.evaluate("document.documentElement.lang") == "en" and opened.locator("h1").count() == 1
    identities = opened.evaluate("[...document.querySelectorAll('[id]')].map(one => one.id)")
    assert len(identities) == len(set(identities))


# ---- texts of strangers


def test_hostile_texts_are_shown_as_texts(browser: Browser, tmp_path: Path) -> None:
    with page_of(browser, viewport={"width": 375, "height": 667}) as one:
        asked: list[str] = []
        one.on("request", lambda request: asked.append(request.url))
        one.goto(file(tmp_path, hostile_page()))
        for _ in range(4):
            one.keyboard.press("ArrowRight")
        assert one.locator("h1").inner_text() == HOSTILE and one.locator("#said").inner_text() == HOSTILE
        one.locator("#viewer").select_option(index=1)
        assert one.title().startswith(HOSTILE) and one.locator("img, iframe, object").count() == 0
        assert one.locator("script").count() == 3 and len(asked) == 1
        assert one.evaluate("document.documentElement.scrollWidth") == 375
        one.wait_for_function("() => location.hash.includes(';')")
        one.reload()
        assert one.locator("#viewer").input_value() == "1"


def test_pictures_have_their_paint_and_the_page_asks_for_nothing(browser: Browser, address: str) -> None:
    with page_of(browser) as one:
        asked: list[str] = []
        one.on("request", lambda request: asked.append(request.url))
        one.goto(f"{address}#9")
        assert asked == [f"{address}#9"] or asked == [address]
        painted = one.evaluate("""() => [...document.querySelectorAll("[data-style]")].map((one) =>
            [one.style.cssText.replace(/rgb\\(0, 0, 0\\)/g, "#000000").replace(/rgb\\(255, 255, 255\\)/g, "#ffffff"),
             one.dataset.style])""")
        assert len(painted) > 10
        assert all(set(style.rstrip(";").split("; ")) == set(wanted.split("; ")) for style, wanted in painted)
