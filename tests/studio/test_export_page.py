"""The particular parts of the exported studio in a browser: its files, its Python and native machines, and its worker.

The tests of the page itself run in both of its homes: see the fixture `page`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from studio_support import CARD, FILE, hosted, opened
from test_everyone import faults, views

from warchest.studio.session import StudioSession

MOST_FETCHED = 9_500_000
"""The most bytes that a first visit fetches from a host that compresses."""
ARMIES = {"raven": ["Archer", "Scout", "Pikeman", "Knight"], "wolf": ["Cavalry", "Lancer", "Ensign", "Footman"]}
GAMES = {
    "war-chest": ({"seed": 7, "armies": ARMIES}, ["greedy", "mcts:3", "greedy", "greedy"] * 8),
    "unigames": ({"seed": 7}, ["greedy", "greedy", "mcts:1", *["greedy"] * 20]),
}
"""Games by their names: how they begin, and the bots that decide one after the other."""
PLAYED = """async ([params, bots]) => {
  const view = await studio.session.request("warchest/play/new", { ...params, viewer: null }), { play } = view;
  const news = [];
  for (const bot of bots) {
    news.push(...(await studio.session.request("warchest/play/bot", { play, bot })).news.map((one) => one.text));
  }
  return [news, await studio.session.request("warchest/play/position", { play })];
}"""


def played(game: str) -> list[Any]:
    """Return the news of a game between bots, and its position, as this Python plays it."""
    said: list[dict[str, Any]] = []
    session = StudioSession(Path("/nowhere"), lambda text: said.append(json.loads(text)))

    def request(method: str, **of: Any) -> Any:
        session.receive(json.dumps({"jsonrpc": "2.0", "id": len(said) + 1, "method": method, "params": of}))
        number = len(said)
        while session.has_work and len(said) == number:
            session.work_idly()
        return next(one["result"] for one in reversed(said) if "result" in one)

    params, bots = GAMES[game]
    request("initialize", capabilities={}, initializationOptions={"game": game})
    play = request("warchest/play/new", **params, viewer=None)["play"]
    news = [one["text"] for bot in bots for one in request("warchest/play/bot", play=play, bot=bot)["news"]]
    return [news, request("warchest/play/position", play=play)]


@pytest.mark.parametrize("game", GAMES)
def test_the_page_plays_the_games_that_this_python_plays(exported: str, game: str) -> None:
    """So do its native machines, which bots use for their searches."""
    with opened(exported) as page:
        if game != "war-chest":
            page.get_by_label("Game").select_option(game)
            page.wait_for_function(f"() => document.body.dataset.ready && window.studio?.play.set?.game === {game!r}")
        play = page.evaluate("studio.play.view.play")
        ask = "play => studio.session.request('warchest/play/native', { play, compile: true })"
        assert page.evaluate(ask, play) == {"state": "ready", "reason": ""}
        found = page.evaluate(PLAYED, GAMES[game])
    assert found == played(game)
    assert len(found[0]) > 10


def test_a_bot_that_searches_answers_in_its_time(exported: str) -> None:
    with opened(exported) as page:
        page.evaluate("studio.play.start({ seed: 7 })")
        page.wait_for_function("() => studio.play.view.options.length && !studio.play.busy")
        page.evaluate("studio.play.compile()")
        assert page.evaluate("studio.play.native") == "ready"
        took = page.evaluate("""async () => {
            const { play } = studio.play.view, begun = performance.now();
            await studio.session.request("warchest/play/bot", { play, bot: "mcts:0.5s" });
            return performance.now() - begun;
        }""")
    assert 400 < took < 5000


def test_a_first_visit_fetches_little_and_a_second_one_nothing_more(site: Path) -> None:
    with hosted(site) as (address, fetched), opened(address) as page:
        page.evaluate("([file, card]) => studio.files.insert(file, card)", [FILE, CARD])
        page.evaluate("studio.play.start({ seed: 7 })")
        page.wait_for_function("() => studio.play.view.options.length && !studio.play.busy")
        assert sum(fetched.values()) < MOST_FETCHED
        assert not [name for name in fetched if name.startswith("further-")], "the page uses the second archive"
        known = set(fetched)
        page.reload()
        page.wait_for_selector("body[data-ready=yes]")
        assert page.evaluate("studio.editor.text") == CARD, "a draft outlives the page"
        assert set(fetched) == known


def test_a_worker_that_goes_round_in_circles_is_begun_again(exported: str) -> None:
    with opened(exported) as page:
        page.evaluate("([file, card]) => studio.files.insert(file, card)", [FILE, CARD])
        page.evaluate("studio.play.start({ seed: 7 })")
        page.wait_for_function("() => studio.play.view.options.length && !studio.play.busy")
        position = "studio.session.request('warchest/play/position', { play: studio.play.view.play }, 500)"
        before = page.evaluate(position)
        kept = "before => JSON.stringify(studio.play.kept.get('last')?.position) === JSON.stringify(before)"
        page.wait_for_function(kept, arg=before)
        page.workers[0].evaluate("void setTimeout(() => { for (;;); })")
        page.evaluate(f"{position}.catch(() => {{}})")
        page.wait_for_selector(".banner")
        page.wait_for_function("() => document.body.dataset.session === 'ready'")
        assert page.evaluate("studio.editor.text") == CARD
        assert page.evaluate(position) == before


def test_axe_finds_no_fault_in_the_exported_page(exported: str) -> None:
    with opened(exported, 1280, 800) as page:
        page.evaluate("([file, card]) => studio.files.insert(file, card)", [FILE, CARD.replace("exactly", "exatly")])
        found = {name: faults(page) for name in views(page, 1280)}
    assert {name: lines for name, lines in found.items() if lines} == {}
