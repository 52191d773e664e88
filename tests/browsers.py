"""A browser for tests of pages: Chromium, driven by Playwright; where either is missing, a line says how to get it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from shutil import which
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

MISSING = "no browser here: apt-get install chromium, pip install playwright"
FLAGS = (
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


class _Shared:
    """The browser that is open, if one is, and the number of its users."""

    browser: Browser | None = None
    users = 0
    closing = ExitStack()


@contextmanager
def chromium() -> Iterator[Browser]:
    """Give a browser; simultaneous users share it. The test is skipped where there is none.

    It is for a test or for fixtures of a module: while it is open, asyncio begins no loop of its own in this thread.
    """
    if _Shared.browser is None:
        _Shared.browser = _begun(_Shared.closing)
    _Shared.users += 1
    try:
        yield _Shared.browser
    finally:
        _Shared.users -= 1
        if not _Shared.users:
            _Shared.browser = None
            _Shared.closing.close()


def _begun(closing: ExitStack) -> Browser:
    """Return a new browser with a fresh profile, which is closed with the stack."""
    playwright = pytest.importorskip("playwright.sync_api", reason=MISSING)
    path = which("chromium")
    if path is None:
        pytest.skip(MISSING)
    flags = [*FLAGS, *(["--no-sandbox"] if os.getuid() == 0 else [])]
    begun = closing.enter_context(playwright.sync_playwright())
    browser = begun.chromium.launch(executable_path=path, args=flags)
    closing.callback(browser.close)
    return browser


@contextmanager
def page_of(browser: Browser, **options: Any) -> Iterator[Page]:
    """Give a page with options of Playwright's contexts; at its end nothing may have failed on it.

    Errors of scripts, errors on the console and refusals of a content policy count.
    """
    faults: list[str] = []
    context = browser.new_context(**options)
    try:
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(f"error of a script: {error}"))
        page.on("console", lambda said: faults.append(f"console: {said.text}") if said.type == "error" else None)
        yield page
        assert not faults, "\n".join(faults[:5])
    finally:
        context.close()
