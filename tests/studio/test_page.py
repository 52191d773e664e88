"""The page of the studio in both of its homes, used by the keyboard and the mouse."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from studio_support import CARD, FILE, in_folder, opened, server

if TYPE_CHECKING:
    from playwright.sync_api import Page

QUIET = "!studio.play.busy"
ARMIES = {"raven": ["Outrider", "Scout", "Pikeman", "Knight"], "wolf": ["Archer", "Cavalry", "Lancer", "Ensign"]}


def begin(page: Page) -> None:
    """Begin a game with known armies; the first seat is the reader's."""
    page.evaluate("armies => studio.play.start({ seed: 7, armies })", ARMIES)
    page.wait_for_function("() => studio.play.view.player === 'raven' && !studio.play.busy")


def put_cursor(page: Page, text: str, after: int = 0) -> None:
    """Put the cursor after some letters of a text in the editor."""
    page.evaluate(
        """([text, after]) => { const at = studio.editor.text.indexOf(text) + after;
             studio.editor.view.dispatch({ selection: { anchor: at } }); studio.editor.view.focus(); }""",
        [text, after],
    )


@pytest.mark.quick
def test_a_misspelt_word_is_underlined_and_its_fix_mends_it(page: Page) -> None:
    put_cursor(page, "spaces away", 6)
    page.keyboard.press("Backspace")
    page.wait_for_selector(".cm-lintRange-error")
    page.locator("#findings .fix").first.click()
    page.wait_for_selector(".cm-lintRange-error", state="detached")
    assert "2 spaces away" in page.evaluate("studio.editor.text")


def test_a_fix_stays_in_place_while_results_arrive(page: Page) -> None:
    """Otherwise a click on it that has begun is lost."""
    put_cursor(page, "spaces away", 6)
    page.keyboard.press("Backspace")
    page.wait_for_selector("#findings .fix")
    kept = page.evaluate(
        """() => {
            const { files, editor } = studio, fix = document.querySelector("#findings .fix");
            files.told();
            const [diagnostics, version] = [files.findings, files.versions].map((known) => known.get(editor.uri));
            files.published({ uri: editor.uri, diagnostics, version });
            return fix.isConnected; }"""
    )
    assert kept


def test_the_next_words_are_offered(page: Page) -> None:
    put_cursor(page, "  attack.", 8)
    page.keyboard.type(" ")
    page.keyboard.press("Control+Space")
    page.wait_for_selector(".cm-tooltip-autocomplete li")
    assert page.locator(".cm-tooltip-autocomplete li").count() > 3


def test_the_sentence_under_the_cursor_is_explained(page: Page) -> None:
    put_cursor(page, "  attack.", 4)
    page.wait_for_function("() => document.querySelector('.quoted')?.textContent.includes('attack')")
    assert page.locator(".said li").count() >= 1


@pytest.mark.quick
def test_a_click_plays_and_the_bot_answers(page: Page) -> None:
    begin(page)
    before = page.evaluate("studio.play.view.count")
    option = page.evaluate("studio.play.view.options.find(one => one.act === 'deploy')")
    places = {one["sort"]: one for one in option["places"]}
    coin, space = places["token"], places["space"]
    token = f"[data-zone={coin['zone']}][data-owner={coin['owner']}] [data-thing='{coin['name']}']"
    page.locator(f"#board {token}, #board {token.replace('] [', '][')}").first.click()
    page.locator(f"#board .cell[data-space={space['space']}]").click(force=True)
    page.wait_for_function("before => studio.play.view.count >= before + 2 && !studio.play.busy", arg=before)
    assert page.evaluate("studio.play.view.player") == "raven"
    assert page.locator("#news p").count() > 2


@pytest.mark.quick
def test_the_way_back_and_forward(page: Page) -> None:
    begin(page)
    page.locator("#options button[data-id]").first.click()
    page.wait_for_function(f"() => studio.play.view.count >= 2 && studio.play.view.player === 'raven' && {QUIET}")
    count = page.evaluate("studio.play.view.count")
    page.locator("#past button").first.click()
    page.wait_for_function("count => studio.play.view.count === count - 1", arg=count)
    page.evaluate("studio.play.slider.focus()")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("count => studio.play.view.count === count", arg=count)


def test_steps_back_are_counted_during_other_work(page: Page) -> None:
    begin(page)
    page.evaluate("""async () => {
        const done = studio.play.take(studio.play.view.options[0]);
        studio.play.back.click();
        await done;
    }""")
    page.wait_for_function(f"() => studio.play.wished === null && {QUIET}")
    assert page.evaluate("studio.play.view.count") == 0
    page.evaluate("() => { for (const one of [1, 2, 3]) studio.play.on.click(); studio.play.back.click(); }")
    page.wait_for_function(f"() => studio.play.wished === null && {QUIET}")
    assert page.evaluate("studio.play.view.redo") == 1


def test_a_click_on_a_place_without_options_shows_the_reasons(page: Page) -> None:
    begin(page)
    page.locator("#board .cell[data-space=f4]").click(force=True)
    page.locator("#reasons button").first.click()
    page.wait_for_selector("#reasons li")
    assert "f4" in page.locator("#reasons").inner_text()


@in_folder
def test_a_card_that_an_editor_saves_changes_the_play_under_way(folder: Path, page: Page) -> None:
    begin(page)
    changed = CARD.replace("exactly 2 spaces", "exactly 3 spaces")
    (folder / "outrider.yaml").write_text(changed, encoding="utf-8")
    page.wait_for_function("() => studio.editor.text.includes('exactly 3 spaces')")
    reading = "studio.session.request('warchest/play/position', { play: studio.play.view.play })"
    assert "units" in page.evaluate(reading)


@in_folder
@pytest.mark.quick
def test_a_text_is_saved_on_request_only(folder: Path, page: Page) -> None:
    put_cursor(page, "coins: 4", 8)
    page.keyboard.press("Backspace")
    page.keyboard.type("5")
    assert (folder / "outrider.yaml").read_text(encoding="utf-8") == CARD
    page.keyboard.press("Control+s")
    page.wait_for_function("() => !studio.files.dirty.length")
    assert "coins: 5" in (folder / "outrider.yaml").read_text(encoding="utf-8")


@in_folder
def test_a_draft_outlives_the_page(folder: Path, page: Page) -> None:
    put_cursor(page, "coins: 4", 8)
    page.keyboard.press("Backspace")
    page.keyboard.type("3")
    page.wait_for_function("() => Object.keys(studio.files.drafts.all()).length === 1")
    page.reload()
    page.wait_for_selector("body[data-ready=yes]")
    assert "coins: 3" in page.evaluate("studio.editor.text")
    assert (folder / "outrider.yaml").read_text(encoding="utf-8") == CARD


def make_move(page: Page) -> None:
    """Begin a game with known armies, take the first option, and wait for the answer of the bot."""
    begin(page)
    page.locator("#options button[data-id]").first.click()
    page.wait_for_function("() => studio.play.view.count >= 2 && !studio.play.busy")


def make_ruling(page: Page) -> None:
    """Make a ruling of a first move."""
    make_move(page)
    page.get_by_role("button", name="Make a ruling").first.click()
    page.locator("dialog input").first.fill("A first move")
    page.locator("dialog button.main").click()
    page.wait_for_selector(".ruling.passed")


@pytest.mark.quick
def test_a_play_becomes_a_ruling_that_passes(page: Page) -> None:
    make_ruling(page)
    assert "A first move" in page.evaluate("studio.editor.text")


def test_a_link_brings_cards_and_position_as_a_copy(page: Page, request: pytest.FixtureRequest) -> None:
    make_move(page)
    ask = "studio.session.request('warchest/play/position', { play: studio.play.view.play })"
    position = page.evaluate(ask)
    page.get_by_role("button", name="Share").click()
    fragment = page.locator("dialog textarea").input_value()
    page.keyboard.press("Escape")
    address = page.url.partition("#")[0]
    if page.evaluate("studio.home") == "folder":
        (request.getfixturevalue("folder") / FILE).unlink()
    page.evaluate("localStorage.clear()")
    page.goto("about:blank")
    page.goto(f"{address}#{fragment.rpartition('#')[2]}")
    page.wait_for_selector("body[data-ready=yes]")
    assert page.evaluate(ask) == position
    assert page.evaluate("studio.editor.text") == CARD
    assert "copy" in page.locator(".banner").inner_text()


@pytest.mark.parametrize("fragment", ["1.abc", "9.abc", "nothing", "1.!!!"])
def test_a_link_that_is_cut_is_a_line_in_the_page(local: tuple[Path, str], folder: Path, fragment: str) -> None:
    with opened(f"{local[1]}#{fragment}") as page:
        assert "link" in page.locator(".banner").inner_text()
        assert page.evaluate("studio.editor.text") == CARD


def test_a_session_that_ends_begins_again_with_texts_and_position(page: Page) -> None:
    begin(page)
    page.locator("#options button[data-id]").first.click()
    page.wait_for_function("() => studio.play.view.count >= 2 && !studio.play.busy && studio.play.kept.get('last')")
    put_cursor(page, "coins: 4", 8)
    page.keyboard.type("1")
    page.evaluate("studio.session.lost('no answer')")
    page.wait_for_function("() => document.body.dataset.session === 'ready' && document.querySelector('.banner')")
    assert "coins: 41" in page.evaluate("studio.editor.text")
    assert "begun again" in page.locator(".banner").inner_text()


def drag(page: Page, source: str, target: str) -> None:
    """Drag from one part of the position that is set up to another."""
    for selector, act in ((source, page.mouse.down), (target, page.mouse.up)):
        box = page.locator(f"dialog {selector}").first.bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=3)
        act()


def test_a_position_is_set_up_by_dragging(page: Page) -> None:
    begin(page)
    page.get_by_role("button", name="Set up").click()
    page.wait_for_selector("dialog svg [data-zone=supply][data-owner=raven] [data-thing=Pikeman]")
    drag(page, "[data-zone=supply][data-owner=raven] [data-thing=Pikeman]", ".cell[data-space=f4]")
    page.wait_for_function("() => studio.setup.position.units?.some(one => one.at === 'f4')")
    drag(page, "[data-space=f4] [data-piece=Pikeman]", ".cell[data-space=g4]")
    page.wait_for_function("() => studio.setup.position.units?.some(one => one.at === 'g4')")
    page.get_by_role("button", name="Play from here").click()
    page.wait_for_selector("#board [data-space=g4] [data-piece=Pikeman]")


def test_an_impossible_position_is_shown_with_its_problems(page: Page) -> None:
    begin(page)
    page.get_by_role("button", name="Set up").click()
    row = page.locator("dialog .palette .row").filter(has_text="hand")
    row.locator("select").first.select_option("Royal Coin")
    for _ in range(2):
        count = page.evaluate("studio.setup.past.length")
        row.locator("button").click()
        page.wait_for_function("count => studio.setup.past.length > count", arg=count)
    page.wait_for_selector("dialog .problems li")
    assert page.get_by_role("button", name="Play from here").is_disabled()


def test_a_job_runs_beside_the_play_and_can_be_stopped(page: Page) -> None:
    page.get_by_role("tab", name="Tests").click()
    page.get_by_label("Time").select_option("120")
    page.get_by_role("button", name="Check").click()
    page.wait_for_function("() => document.querySelector('progress').value > 0", timeout=60_000)
    begin(page)
    page.get_by_role("button", name="Stop").click()
    page.wait_for_function("() => !studio.jobs.running")
    page.get_by_label("Time").select_option("10")
    page.get_by_role("button", name="Simulate").click()
    page.wait_for_selector(".result table", state="attached", timeout=150_000)


@in_folder
def test_the_strength_of_the_card_is_reported(page: Page, tmp_path: Path) -> None:
    """The report is shown in a frame in which nothing runs, and can be kept."""
    page.get_by_role("tab", name="Tests").click()
    page.get_by_label("Time").select_option("120")
    page.evaluate("""() => {
        const params = studio.jobs.params.bind(studio.jobs);
        studio.jobs.params = (kind) => ({ ...params(kind), games: 10, bots: ["policy-c"] });
    }""")
    page.get_by_role("button", name="Balance").click()
    heading = page.frame_locator("iframe.report").locator("h1")
    heading.wait_for(timeout=150_000)
    assert heading.inner_text() == "The balance of Outrider"
    with page.expect_download() as saved:
        page.get_by_role("button", name="Report page").click()
    saved.value.save_as(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_saved_game_is_opened_again(page: Page, tmp_path_factory: pytest.TempPathFactory) -> None:
    begin(page)
    page.locator("#options button[data-id]").first.click()
    page.wait_for_function(f"() => studio.play.view.count >= 2 && {QUIET}")
    count, file = page.evaluate("studio.play.view.count"), tmp_path_factory.mktemp("saved") / "game.json"
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save game").click()
    saved.value.save_as(file)
    begin(page)
    page.get_by_role("button", name="Open", exact=True).click()
    page.locator("dialog input[type=file]").set_input_files(file)
    page.locator("dialog button.main").click()
    page.wait_for_function("count => studio.play.view.count === count", arg=count)


def test_a_play_is_saved_as_a_page(page: Page) -> None:
    begin(page)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Replay page").click()
    assert Path(saved.value.path()).read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="children of processes are not told here")
def test_a_session_that_is_killed_is_begun_again(folder: Path) -> None:
    with server(folder) as (address, process), opened(address) as page:
        begin(page)
        page.wait_for_function("() => studio.play.kept.get('last')")
        for child in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split():
            os.kill(int(child), signal.SIGKILL)
        page.wait_for_selector(".banner")
        page.wait_for_function("() => document.body.dataset.session === 'ready'")
        assert page.evaluate("studio.editor.text") == CARD


def test_another_game_is_chosen(local: tuple[Path, str], folder: Path) -> None:
    (folder / "outrider.yaml").unlink()
    with opened(local[1]) as page:
        page.get_by_label("Game").select_option("unigames")
        page.wait_for_function("() => document.body.dataset.ready === 'yes' && studio.play.set?.game === 'unigames'")
        assert page.locator("#board .cell").count() > 60
        page.locator("#options button[data-id]").first.click()
        page.wait_for_function(f"() => studio.play.view.count >= 1 && {QUIET}")


def test_a_quiz_asks_which_reading_is_meant(page: Page) -> None:
    put_cursor(page, "exactly 2 spaces", 3)
    page.get_by_role("tab", name="Tests").click()
    page.get_by_label("Time").select_option("30")  # a slow computer finds nothing in 10 seconds
    page.get_by_role("button", name="What did I mean?").click()
    page.get_by_role("button", name="Begin the quiz").first.click(timeout=90_000)
    assert page.locator("dialog svg").count() == 2
    page.get_by_role("button", name="The right one").click()
    told = "document.querySelector('.finding').innerText.includes('You mean another reading')"
    while True:
        # Between two questions no dialog is open for a moment.
        page.wait_for_function(f"() => document.querySelector('dialog[open]') || {told}")
        if page.evaluate(told):
            break
        page.get_by_role("button", name="The left one").click()
    assert page.locator("dialog[open]").count() == 0


@in_folder
def test_a_pasted_link_writes_no_file_into_the_folder(folder: Path, page: Page) -> None:
    page.get_by_role("button", name="Share").click()
    text = page.locator("dialog textarea").input_value()
    page.keyboard.press("Escape")
    (folder / "outrider.yaml").unlink()
    page.evaluate("localStorage.clear()")
    page.reload()
    page.wait_for_selector("body[data-ready=yes]")
    page.get_by_role("button", name="Open", exact=True).click()
    page.locator("dialog textarea").fill(f"https://example.org/studio/#{text}")
    page.locator("dialog button.main").click()
    page.wait_for_function("() => studio.files.own.size === 1")
    assert page.evaluate("studio.editor.text") == CARD
    assert not (folder / FILE).exists()


def test_a_card_is_tried_in_a_game_with_it(page: Page) -> None:
    page.get_by_role("button", name="Try it").click()
    page.wait_for_function(
        """() => studio.play.view.count === 0 && [...studio.play.board.root.querySelectorAll("[data-owner=raven]")]
            .some(one => one.querySelector("[data-thing=Outrider]"))"""
    )


def test_a_ruling_is_where_a_play_begins(page: Page) -> None:
    make_ruling(page)
    for name in ("Play from here", "Try it"):
        make_move(page)
        page.get_by_role("button", name=name).click()
        page.wait_for_function("() => studio.play.view.count === 0 && !studio.play.busy")
        page.wait_for_function("() => document.querySelector('#status').textContent.includes('A first move')")


def test_an_answer_about_an_earlier_play_is_not_shown(page: Page) -> None:
    begin(page)
    earlier = page.evaluate("studio.play.view.play")
    begin(page)
    now = page.evaluate("studio.play.view.play")
    assert now != earlier
    page.evaluate(
        """async (play) => {
        studio.play.show(await studio.session.request("warchest/play/view", { play, viewer: null }));
    }""",
        earlier,
    )
    assert page.evaluate("studio.play.view.play") == now


def test_a_choice_that_still_fits_is_kept_when_the_cards_change(page: Page) -> None:
    begin(page)
    coin = "studio.play.board.targets().find(one => one.isChoosable && one.part.zone === 'hand').part"
    page.evaluate(f"studio.play.pick({coin})")
    chosen = page.evaluate("studio.play.chosen")
    assert chosen
    page.evaluate("studio.play.reload()")
    assert page.evaluate("studio.play.chosen") == chosen


def test_a_new_card_is_of_the_kind_that_a_game_is_about(page: Page) -> None:
    page.get_by_role("button", name="New card").click()
    assert page.locator("dialog select").input_value() == "unit"
    page.keyboard.type("Halberdier")
    page.keyboard.press("Enter")
    page.wait_for_function("() => studio.editor.text.includes('unit: Halberdier')")


@in_folder
def test_a_change_by_others_is_answered_before_it_is_saved_over(folder: Path, page: Page) -> None:
    put_cursor(page, "coins: 4", 8)
    page.keyboard.type("1")
    (folder / "outrider.yaml").write_text(CARD.replace("coins: 4", "coins: 3"), encoding="utf-8")
    page.wait_for_selector(".banner")
    page.keyboard.press("Control+s")
    page.wait_for_function("() => document.querySelector('#status').textContent.includes('answer')")
    assert "coins: 3" in (folder / "outrider.yaml").read_text(encoding="utf-8")
    page.get_by_role("button", name="Keep mine").click()
    page.keyboard.press("Control+s")
    page.wait_for_function("() => !studio.files.dirty.length")
    assert "coins: 41" in (folder / "outrider.yaml").read_text(encoding="utf-8")


def test_the_way_back_outlives_a_change_that_does_not_matter(page: Page) -> None:
    begin(page)
    page.locator("#options button[data-id]").first.click()
    page.wait_for_function(f"() => studio.play.view.count >= 2 && studio.play.view.player === 'raven' && {QUIET}")
    count = page.evaluate("studio.play.view.count")
    page.evaluate("studio.session.on('warchest/changed', params => { studio.renewed(params); window.renewed = true; })")
    put_cursor(page, "coins: 4", 8)
    page.keyboard.type("  # a note")
    page.wait_for_function("() => window.renewed")
    page.evaluate("studio.play.reload()")
    assert page.evaluate("studio.play.view.count") == count


def test_an_unsaved_card_can_be_discarded(page: Page) -> None:
    page.evaluate("studio.files.insert('other.yaml', 'unit: Other\\n')")
    page.get_by_role("button", name="Discard").click()
    page.locator("dialog button.main").click()
    page.wait_for_function("() => studio.files.own.size === 1")
    assert page.evaluate("studio.editor.text") == CARD


def test_a_name_of_two_words_is_renamed_and_other_words_say_why_not(page: Page) -> None:
    page.evaluate("studio.editor.replace(studio.editor.text.replace('Outrider', 'Light Horse'))")
    page.wait_for_function("() => studio.files.isChecked()")
    put_cursor(page, "Light Horse", 3)
    page.keyboard.press("F2")
    page.locator("dialog input").fill("Dark Horse")
    page.locator("dialog button.main").click()
    page.wait_for_function("() => studio.editor.text.includes('unit: Dark Horse')")
    put_cursor(page, "tactic", 2)
    page.keyboard.press("F2")
    page.wait_for_function("() => document.querySelector('#status').textContent !== ''")
    assert page.locator("dialog").count() == 0


def test_the_page_says_that_a_long_text_is_being_checked(page: Page) -> None:
    line = "  move to a space exactly 2 spaces away through an open space.\n"
    page.evaluate("text => studio.editor.replace(studio.editor.text + text)", line * 600)
    page.wait_for_function("() => document.querySelector('#findings h2').textContent.startsWith('Checking')")
    page.wait_for_function("() => document.querySelector('#findings h2').textContent.startsWith('No findings')")
    assert page.locator(".banner").count() == 0


def test_the_hand_of_a_player_is_not_shown_on_the_turn_of_another(page: Page) -> None:
    page.evaluate(
        """armies => {
        const { play } = studio, shown = play.show.bind(play);
        window.views = [];
        play.show = (view) => { window.views.push([view.player, view.viewer]); shown(view); };
        return play.start({ seed: 7, armies }, (players) => Object.fromEntries(players.map((one) => [one, "you"])));
    }""",
        ARMIES,
    )
    for count in (1, 2, 3):
        page.locator("#options button[data-id]").first.click()
        page.wait_for_function(f"count => studio.play.view.count === count && {QUIET}", arg=count)
    seen = page.evaluate("window.views")
    assert len({player for player, _ in seen}) == 2 and all(player == viewer for player, viewer in seen)


@pytest.mark.parametrize(("setup", "seats"), [("", 2), ("Four players random", 4)])
def test_a_new_game_asks_for_the_seats_there_are(page: Page, setup: str, seats: int) -> None:
    page.get_by_role("button", name="New game").click()
    page.get_by_label("Setup").select_option(setup)
    shown = page.locator("dialog fieldset").first.locator(".field")
    assert [one.is_visible() for one in shown.all()] == [True] * seats + [False] * (4 - seats)


def test_the_board_is_enlarged(page: Page) -> None:
    wide = "document.querySelector('#board').clientWidth"
    before = page.evaluate(wide)
    page.get_by_role("button", name="Large board").click()
    assert page.evaluate(wide) > 1.8 * before
    page.evaluate("studio.pane('write')")
    assert page.evaluate(wide) == before


@in_folder
def test_a_long_text_is_said_to_be_checked_until_it_is(page: Page) -> None:
    long = "unit: Long\ncoins: 4\nattribute: |\n" + 3000 * "  after this attacks, it may move.\n"
    page.evaluate(
        """long => { window.said = []; window.lost = []; const { session } = studio, lose = session.lost;
            session.lost = (reason) => { window.lost.push(reason); lose.call(session, reason); };
            studio.files.insert("long.yaml", long);
            new MutationObserver(() => window.said.push(document.querySelector("#findings h2").textContent.trim()))
              .observe(document.querySelector("#findings"), { childList: true, subtree: true }); }""",
        long,
    )
    told = "() => document.querySelector('#findings h2').textContent.includes('2,999')"
    page.wait_for_function(told, timeout=120_000)
    said = page.evaluate("window.said")
    assert "Checking …" in said and "No findings" not in said
    assert page.evaluate("window.lost") == []


@in_folder
def test_a_session_is_given_more_time_for_a_long_text_and_that_is_said(page: Page) -> None:
    page.evaluate(
        """() => { const { session } = studio; window.ended = 0;
            session.lost = () => { window.ended = performance.now(); };
            session.client.request = () => new Promise(() => {});
            Object.defineProperty(session, "length", { get: () => 15_000 });
            window.begun = performance.now(); session.request("warchest/set", {}, 200).catch(() => {}); }"""
    )
    page.wait_for_function("() => document.querySelector('#status').textContent.includes('is long')")
    assert "outrider.yaml" in page.locator("#status").inner_text()
    assert page.evaluate("window.ended") == 0
    page.wait_for_function("() => window.ended > 0")
    assert page.evaluate("window.ended - window.begun") >= 3000
