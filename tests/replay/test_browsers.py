"""The browser of the tests: it is shared, it is closed, and faults of a page fail the test."""

from __future__ import annotations

import asyncio

import pytest

from browsers import MISSING, chromium, page_of


def test_a_browser_shows_a_page_and_is_shared() -> None:
    with chromium() as browser:
        with chromium() as same, page_of(same, viewport={"width": 375, "height": 600}) as page:
            page.set_content("<title>Board</title>")
            assert page.title() == "Board" and page.evaluate("innerWidth") == 375
        assert same is browser and browser.is_connected()
    assert not browser.is_connected()
    asyncio.run(asyncio.sleep(0))


@pytest.mark.parametrize("script", ["null.x", "console.error('x')"])
def test_a_fault_of_a_page_fails_the_test(script: str) -> None:
    with chromium() as browser, pytest.raises(AssertionError, match="x"), page_of(browser) as page:
        page.set_content(f"<script>{script}</script>")


def test_a_violation_of_the_policy_of_a_page_fails_the_test() -> None:
    policy = "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'\">"
    refused = pytest.raises(AssertionError, match="Content Security Policy")
    with chromium() as browser, refused, page_of(browser) as page:
        page.set_content(f"{policy}<script>1</script>")


def test_where_no_browser_is_there_the_test_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("browsers.which", lambda name: None)
    with pytest.raises(pytest.skip.Exception) as caught, chromium():
        pass
    assert str(caught.value) == MISSING
