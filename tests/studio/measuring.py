"""How fast the page of the studio is: `PYTHONPATH=tests:tests/studio python -m measuring [SITE]`.

SITE is the folder of an export. Without it the local studio is measured, for a folder with one card. Times are
milliseconds of the clock in Chromium, medians, with a pause after each edit; they say something only while the
computer has nothing else to do. Memory is that of the page alone (its renderer, with Python where that runs in a
worker), after each third of the edits and games.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from statistics import median
from typing import TYPE_CHECKING, Any

from studio_support import CARD, FILE, hosted, served

from browsers import FLAGS, chromium
from warchest.streams import say

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TYPED = """async at => {
  const wrong = () => document.querySelectorAll(".cm-lintRange-error").length, view = studio.editor.view;
  const until = test => new Promise(done => { const look = () => test() ? done() : setTimeout(look, 1); look(); });
  const position = studio.editor.text.indexOf("spaces away") + 5, begun = performance.now();
  view.dispatch({ changes: { from: position, to: position + 1 }, userEvent: "delete" });
  await until(wrong);
  const took = performance.now() - begun;
  view.dispatch({ changes: { from: position, insert: "s" }, userEvent: "input" });
  await until(() => !wrong());
  await new Promise(done => setTimeout(done, 600));
  return took;
}"""
CLICKED = """async () => {
  const frame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
  const { play } = studio, seats = play.seats, begun = performance.now();
  play.seats = Object.fromEntries(play.view.players.map(one => [one, "you"]));
  await play.take(play.view.options[Math.floor(play.view.options.length / 2)]);
  await frame();
  const took = performance.now() - begun;
  play.seats = seats;
  return took;
}"""
ANSWERED = """async () => {
  const { play } = studio, begun = performance.now();
  play.show(await studio.session.request("warchest/play/bot", { play: play.view.play, bot: "greedy" }));
  return performance.now() - begun;
}"""
STARTED = """() => new Promise(done => {
  const look = () => document.body?.dataset.checked !== undefined ? done(performance.now()) : setTimeout(look, 2);
  look();
})"""


def starts(browser: Browser, address: str, times: int) -> tuple[list[float], list[float]]:
    """Return the times to the first diagnostics: cold, each with a new profile, and warm, with the same one.

    A browser keeps compiled code only for a profile that it has on disk.
    """
    cold, warm = list[float](), list[float]()
    for _ in range(times):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            context = browser.browser_type.launch_persistent_context(
                profile, executable_path=which("chromium"), args=[*FLAGS, "--no-sandbox"]
            )
            for found in (cold, warm, warm):
                page = context.new_page()
                page.goto(address, wait_until="commit")
                found.append(page.evaluate(STARTED))
                page.wait_for_selector("body[data-ready=yes]", timeout=60_000)
                page.wait_for_timeout(8000)  # another session is started in advance, and the browser keeps its code
                page.close()
            context.close()
    return cold, warm


def repeated(page: Page, script: str, times: int, between: str = "") -> list[float]:
    """Return the times that a script takes."""
    found = list[float]()
    for _ in range(times):
        found.append(page.evaluate(script))
        if between:
            page.evaluate(between)
    return found


def begin(page: Page) -> None:
    """Begin a game with known armies."""
    page.evaluate("studio.play.start({ seed: 7 })")


def memory(browser: Browser) -> float:
    """Return the memory in megabytes of the renderer that has the most, shared pages in proportion."""
    told = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    texts = [Path(f"/proc/{one['id']}/smaps_rollup").read_text() for one in told if one["type"] == "renderer"]
    return max(int(line.split()[1]) for text in texts for line in text.splitlines() if line.startswith("Pss:")) / 1024


def finished(page: Page) -> None:
    """Play a game between bots to its end."""
    page.evaluate("""async () => {
      let view = await studio.session.request("warchest/play/new", { seed: 1, viewer: null });
      while (view.player && view.count < 400) {
        view = await studio.session.request("warchest/play/bot", { play: view.play, bot: "greedy" });
      }
    }""")


def measure(browser: Browser, address: str, edits: int, games: int) -> dict[str, Any]:
    """Return the measurements by name."""
    cold, warm = starts(browser, address, 5)
    page = browser.new_page()
    page.goto(address)
    page.wait_for_selector("body[data-ready=yes]", timeout=60_000)
    page.wait_for_function("() => document.body.dataset.checked !== undefined")
    begin(page)
    typed, held = list[float](), list[float]()
    for _ in range(3):
        typed += repeated(page, TYPED, edits // 3)
        for _ in range(games // 3):
            finished(page)
        held.append(memory(browser))
    clicked, answered = list[float](), list[float]()
    for _ in range(30):
        begin(page)
        clicked += repeated(page, CLICKED, 2)
        answered += repeated(page, ANSWERED, 2)
    return {
        "first diagnostics, cold": cold,
        "first diagnostics, warm": warm,
        "keystroke to squiggle": typed,
        "click to redrawn": clicked,
        "greedy answers": answered,
        "memory": held,
    }


@contextmanager
def _exported(site: Path) -> Iterator[str]:
    """Serve an export; give its address with a card in a link."""
    data = {"game": "war-chest", "cards": {FILE: CARD}}
    packed = zlib.compressobj(wbits=-15)
    body = urlsafe_b64encode(packed.compress(json.dumps(data).encode()) + packed.flush()).decode().rstrip("=")
    with hosted(site) as (address, _):
        yield f"{address}#1.{body}"


def main(argv: Sequence[str] | None = None) -> None:
    """Measure the studio, and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site", nargs="?")
    parser.add_argument("--edits", type=int, default=42)
    parser.add_argument("--games", type=int, default=3)
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        Path(folder, "outrider.yaml").write_text(CARD, encoding="utf-8")
        with _exported(Path(args.site)) if args.site else served(Path(folder)) as address:
            for name, found in measure(browser, address, args.edits, args.games).items():
                unit = "MB" if name == "memory" else "ms"
                ends = f"from {min(found):.0f} to {max(found):.0f}, {len(found)} times"
                say(f"{name}: {median(found):.0f} {unit} ({ends})")


if __name__ == "__main__":
    main()
