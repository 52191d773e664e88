"""The exported studio in a browser: its files from a plain web server, and Python inside the page.

Building it takes some minutes, so this is done with `EXPORTED=new`, as the workflow of CI and `make explore` do;
`EXPORTED=DIR` names an export that is there already.
"""

from __future__ import annotations

import gzip
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from studio_support import CARD, opened

from browsers import chromium
from warchest.studio.about import POLICY
from warchest.studio.bundle import Unbuilt
from warchest.studio.export import export

if TYPE_CHECKING:
    from playwright.sync_api import Page

NAMED_BY, NEW = "EXPORTED", "new"
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css",
         ".wasm": "application/wasm", ".json": "application/json"}  # fmt: skip
MOST_FETCHED = 9_500_000
"""The most bytes that a first visit fetches from a host that compresses."""
ARMIES = {"raven": ["Archer", "Scout", "Pikeman", "Knight"], "wolf": ["Cavalry", "Lancer", "Ensign", "Footman"]}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an export."""
    named = os.environ.get(NAMED_BY)
    if not named:
        pytest.skip(f"an export takes some minutes to build: set {NAMED_BY} to the folder of one, or to `new`")
    if named != NEW:
        return Path(named)
    with chromium():  # where there is no browser, nothing need be built
        target = tmp_path_factory.mktemp("site")
    try:
        export(target, lambda _: None)
    except Unbuilt as error:
        pytest.skip(str(error))
    return target


@contextmanager
def hosted(site: Path) -> Iterator[tuple[str, dict[str, int]]]:
    """Serve an export as hosts do; give its address, and the sizes of all that was fetched."""
    fetched: dict[str, int] = {}

    class Host(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            name = self.path.partition("?")[0].lstrip("/") or "index.html"
            file, is_there = site / name, (site / name).is_file()
            data = file.read_bytes() if is_there else b""
            is_text = file.suffix in TYPES
            data = gzip.compress(data, 6) if is_text else data
            self.send_response(200 if is_there else 404)
            for key, value in {
                "Content-Type": TYPES.get(file.suffix, "application/octet-stream"), "Content-Length": str(len(data)),
                "Content-Security-Policy": POLICY, **({"Content-Encoding": "gzip"} if is_text else {}),
                "Cache-Control": "no-cache" if name == "index.html" else "max-age=31536000, immutable",
            }.items():  # fmt: skip
                self.send_header(key, value)
            self.end_headers()
            self.wfile.write(data)
            fetched[name] = len(data)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Host) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/", fetched
        server.shutdown()


def fix(page: Page) -> None:
    """Write a card with a slip, and mend it by its fix."""
    page.evaluate("text => studio.files.insert('outrider.yaml', text)", CARD.replace("2 spaces", "2 spacs"))
    page.wait_for_selector(".cm-lintRange-error")
    page.locator("#findings .fix").first.click()
    page.wait_for_selector(".cm-lintRange-error", state="detached")
    assert "2 spaces away" in page.evaluate("studio.editor.text")


def play(page: Page) -> list[str]:
    """Play a game of shipped cards with a bot that looks ahead, and return its news."""
    page.evaluate("armies => studio.play.start({ seed: 7, armies })", ARMIES)
    page.wait_for_function("() => studio.play.view.options.length && !studio.play.busy")
    return page.evaluate("""async () => {
        let view = studio.play.view;
        const news = [];
        for (let number = 0; number < 12; number++) {
          view = await studio.session.request("warchest/play/bot", { play: view.play, bot: "greedy" });
          news.push(...view.news.map((one) => one.text));
        }
        return news;
    }""")


def test_the_exported_page_needs_nothing_but_its_files(site: Path) -> None:
    with hosted(site) as (address, fetched), opened(address) as page:
        fresh = page.evaluate("studio.play.view?.play ?? ''")
        state = page.evaluate("play => studio.session.request('warchest/play/native', { play, compile: true })", fresh)
        news = play(page)
        assert len(news) > 10 and all(isinstance(one, str) for one in news)
        if any(name.startswith("native-") for name in fetched):
            assert state == {"state": "ready", "reason": ""}
        elif find_spec("ziglang") is not None:
            pytest.fail("there is a compiler, and no native machine")
        fix(page)
        assert sum(fetched.values()) < MOST_FETCHED
        further = [name for name in fetched if name.startswith("further-")]
        assert not further, "the page imports a module of the second archive"
        known = set(fetched)
        page.reload()
        page.wait_for_selector("body[data-ready=yes]")
        assert "2 spaces away" in page.evaluate("studio.editor.text"), "a draft outlives the page"
        assert set(fetched) == known
