"""The studio for tests: servers for its two homes, and its page in a browser."""

from __future__ import annotations

import gzip
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from browsers import chromium, page_of
from warchest.studio.bundle import is_current
from warchest.studio.page_facts import POLICY

if TYPE_CHECKING:
    from playwright.sync_api import Page

FILE = "outrider.yaml"
CARD = """\
unit: Outrider
set: base
coins: 4
tactic: |
  move to a space exactly 2 spaces away through an open space.
  attack.
"""
UNBUILT = "the editor of the studio is not built here: npm is needed, and `make editor`"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".css": "text/css",
    ".wasm": "application/wasm",
    ".json": "application/json",
}
"""The types of the files of an export that hosts compress."""
in_folder = pytest.mark.parametrize("page", ["local"], indirect=True)
"""Marks tests of functions that only the studio of a folder has."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve the studio of a folder; give its address."""
    with server(folder) as (address, _):
        yield address


@contextmanager
def server(folder: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Serve the studio of a folder; give its address and its process."""
    command = [sys.executable, "-m", "warchest.cli.main", "studio", str(folder), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().split()[-1], process
        finally:
            process.terminate()


@contextmanager
def opened(address: str, width: int = 1400, height: int = 900, **options: Any) -> Iterator[Page]:
    """Open the studio in a browser, with options of Playwright's contexts; errors of the page fail the test.

    So do refusals of its policy.
    """
    if not is_current():
        pytest.skip(UNBUILT)
    with chromium() as browser, page_of(browser, viewport={"width": width, "height": height}, **options) as page:
        page.set_default_timeout(120_000)  # a busy machine loads an export slowly
        page.goto(address)
        page.wait_for_selector("body[data-ready=yes]")
        yield page


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
                "Content-Type": TYPES.get(file.suffix, "application/octet-stream"),
                "Content-Length": str(len(data)),
                "Content-Security-Policy": POLICY,
                **({"Content-Encoding": "gzip"} if is_text else {}),
                "Cache-Control": "no-cache" if name == "index.html" else "max-age=31536000, immutable",
            }.items():
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
