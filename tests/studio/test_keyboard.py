"""The page by the keyboard alone, in both homes: all is reached, and the place of the keyboard is always seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

MOST = 150
"""More than there are places on the way from one part of the page to another."""
AT = """() => {
    let one = document.activeElement;
    while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
    const seen = getComputedStyle(one), editor = one.closest(".cm-editor");
    const outlined = getComputedStyle(editor ?? one).outlineStyle !== "none" && one.matches(":focus-visible");
    const name = one.getAttribute("aria-label") ?? one.labels?.[0]?.textContent ?? one.textContent;
    return [one.localName === "svg" ? "picture of the game" : name.trim(), one === document.body || outlined];
}"""
"""The name of the focused element, and whether its focus is visible."""
BOARD = "picture of the game"
MINE = "() => studio.play.seats[studio.play.view.player] === 'you' && !studio.play.busy"


def at(page: Page) -> str:
    """The name of the focused element; its focus must be visible."""
    name, is_seen = page.evaluate(AT)
    assert is_seen, f"the keyboard is not seen at {name!r}"
    return str(name)


def go(page: Page, name: str, key: str = "Tab") -> None:
    """Press Tab until the keyboard is at something."""
    passed = []
    for _ in range(MOST):
        page.keyboard.press(key)
        passed.append(at(page))
        if passed[-1].startswith(name):
            return
    raise AssertionError(f"{name} is not reached: {passed}")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def begin(page: Page) -> None:
    """Begin a game by keys, with a known seed, and wait until it is the reader's turn."""
    go(page, "New game")
    before = page.evaluate("studio.play.view.play")
    press(page, "Enter")
    page.wait_for_selector("dialog")
    go(page, "Seed")
    press(page, "Control+a", "7", "Enter")
    page.wait_for_selector("dialog", state="detached")
    page.wait_for_function("before => studio.play.view.play !== before", arg=before)
    page.wait_for_function(MINE)


def move(page: Page) -> int:
    """Decide on the board until an option is taken; return the number of decisions after it."""
    count = int(page.evaluate("studio.play.view.count"))
    for _ in range(MOST):
        press(page, "ArrowRight", "Enter")
        page.wait_for_function("() => !studio.play.busy")
        if page.evaluate("studio.play.view.count") > count:
            break
    page.wait_for_function(MINE)
    return int(page.evaluate("studio.play.view.count"))


@pytest.mark.quick
def test_a_move_is_made_explained_undone_and_ruled_by_keys(page: Page) -> None:
    begin(page)
    go(page, BOARD)
    count = move(page)
    assert count > 0 and at(page) == BOARD, "the board is drawn anew, and keeps the keyboard"
    page.wait_for_function("() => studio.play.board.root.querySelector('.on-focus')")
    for _ in range(MOST):
        press(page, "Shift+ArrowRight")
        if page.evaluate("!studio.play.board.targets().find(one => one.key === studio.play.board.at).isChoosable"):
            break
    assert page.evaluate("studio.play.board.told.textContent") != ""
    press(page, "Enter")
    page.wait_for_function("() => document.querySelector('#reasons').textContent")
    go(page, "Back")
    press(page, "Enter")
    page.wait_for_function("count => studio.play.view.count === count - 1", arg=count)
    assert at(page) == "Back"
    go(page, "Moves")
    press(page, "ArrowRight")
    page.wait_for_function("count => studio.play.view.count === count", arg=count)
    go(page, "Make a ruling")
    press(page, "Enter")
    page.wait_for_selector("dialog")
    assert at(page) == "Name"
    press(page, "Control+a")
    page.keyboard.type("By keys")
    press(page, "Enter")
    page.wait_for_selector(".ruling.passed")
    assert "By keys" in page.evaluate("studio.editor.text")


def test_the_keyboard_goes_to_the_nearest_place_when_its_coin_is_gone(page: Page) -> None:
    begin(page)
    go(page, BOARD)
    for _ in range(MOST):
        press(page, "Shift+ArrowRight")
        if page.evaluate("studio.play.board.at").startswith("hand/"):
            break
    coin, targets = page.evaluate("studio.play.board.at"), "studio.play.board.targets().map(one => one.key)"
    for _ in range(MOST):
        page.evaluate("studio.play.take(studio.play.view.options[0])")
        page.wait_for_function(MINE)
        if coin not in page.evaluate(targets):
            break
    now = page.evaluate("studio.play.board.at")
    assert now != coin and now in page.evaluate(targets)
    assert at(page) == BOARD and page.evaluate("studio.play.board.root.querySelectorAll('.on-focus').length")
    assert page.evaluate("studio.play.board.told.textContent")


def test_why_not_is_asked_by_keys(page: Page) -> None:
    begin(page)
    go(page, BOARD)
    for _ in range(MOST):
        press(page, "Shift+ArrowRight")
        if page.evaluate("studio.play.board.at").startswith("at ") and page.evaluate(
            "!studio.play.board.targets().find(one => one.key === studio.play.board.at).isChoosable"
        ):
            break
    press(page, "Enter")
    page.wait_for_function("() => document.querySelector('#reasons button, #reasons li')")
    if page.locator("#reasons li").count() == 0:
        go(page, page.locator("#reasons button").first.inner_text())
        press(page, "Enter")
    page.wait_for_selector("#reasons li")
    assert at(page)


def test_an_option_of_the_list_is_taken_and_the_list_keeps_the_keyboard(page: Page) -> None:
    begin(page)
    first = page.locator("#options button[data-id]").first.inner_text()
    go(page, first)
    press(page, "Enter")
    page.wait_for_function("() => studio.play.view.count > 1")
    page.wait_for_function(MINE)
    assert page.evaluate("document.querySelector('#options').contains(document.activeElement)")


def test_a_position_is_set_up_by_keys(page: Page) -> None:
    begin(page)
    go(page, "Set up")
    press(page, "Enter")
    page.wait_for_selector("dialog svg")
    pieces = "studio.setup.position.units ?? []"
    before = page.evaluate(pieces)
    go(page, "units")
    press(page, "ArrowDown")
    go(page, "Take")
    press(page, "Enter")
    assert at(page) == BOARD
    press(page, "Escape", "Shift+Tab")
    go(page, "units")
    go(page, "Take")
    press(page, "Enter", "ArrowRight", "ArrowRight", "Enter")
    page.wait_for_function("count => studio.setup.position.units?.length > count", arg=len(before))
    put = next(one for one in page.evaluate(pieces) if one not in before)
    assert at(page) == BOARD
    press(page, "Enter", "ArrowDown", "Enter")
    page.wait_for_function("put => studio.setup.position.units.every(one => one.at !== put)", arg=put["at"])
    moved = next(one for one in page.evaluate(pieces) if one not in before)
    assert moved == {**put, "at": moved["at"]}
    press(page, "Enter", "Delete")
    page.wait_for_function("count => (studio.setup.position.units ?? []).length === count", arg=len(before))
    go(page, "Play from here")
    press(page, "Enter")
    page.wait_for_selector("dialog", state="detached")
    page.wait_for_function("() => document.activeElement.id === 'board'")


@pytest.mark.parametrize("game", ["war-chest", "unigames"])
def test_every_place_of_a_board_is_reached(page: Page, game: str) -> None:
    page.get_by_label("Game").select_option(game)
    page.wait_for_function("game => document.body.dataset.ready && window.studio?.play.set?.game === game", arg=game)
    page.evaluate("studio.play.board.focus()")
    places = page.evaluate("studio.play.board.targets().map(one => one.key)")
    assert len(places) > 30 and page.locator("#board .cell").count() <= len(places)
    seen = []
    for _ in places:
        press(page, "Shift+ArrowRight")
        seen.append(page.evaluate("studio.play.board.at"))
    assert sorted(seen) == sorted(places)
    for key, back in (("ArrowDown", "ArrowUp"), ("ArrowRight", "ArrowLeft")):
        press(page, f"Shift+{back}", f"Shift+{key}")
        assert page.evaluate("studio.play.board.at") in places


def test_files_fixes_tabs_and_the_list_of_keys_by_keys(page: Page) -> None:
    go(page, "New card")
    press(page, "Enter")
    page.wait_for_selector("dialog")
    go(page, "Name")
    page.keyboard.type("Wanderer")
    press(page, "Enter")
    page.wait_for_function("() => studio.files.path.includes('wanderer')")
    go(page, "outrider.yaml")
    press(page, "Enter")
    page.wait_for_function("() => studio.files.path === 'outrider.yaml'")
    assert at(page).startswith("outrider.yaml")
    go(page, "Editor")
    press(page, "Control+End")
    page.keyboard.type("  atack.\n")
    page.wait_for_selector("#findings .fix")
    go(page, page.locator("#findings .fix").first.inner_text())
    press(page, "Enter")
    page.wait_for_function("() => !studio.editor.text.includes('atack')")
    assert page.evaluate("document.activeElement !== document.body")
    go(page, "Meaning")
    press(page, "ArrowRight", "ArrowRight")
    assert at(page) == "Tests"
    press(page, "?")
    page.wait_for_selector("dialog .keys")
    press(page, "Escape")
    page.wait_for_selector("dialog", state="detached")
    assert at(page) == "Tests"
