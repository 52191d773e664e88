"""The local studio for tests: a server of its own for each, and its page in a browser."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from browsers import chromium, page_of
from warchest.studio.bundle import is_current

if TYPE_CHECKING:
    from playwright.sync_api import Page

CARD = """\
unit: Outrider
set: base
coins: 4
tactic: |
  move to a space exactly 2 spaces away through an open space.
  attack.
"""
UNBUILT = "the editor of the studio is not built here: npm is needed, and `make editor`"


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
        page.set_default_timeout(30_000)
        page.goto(address)
        page.wait_for_selector("body[data-ready=yes]")
        yield page
