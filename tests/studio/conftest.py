"""The two homes of the studio's page, for all tests of this folder.

The second home is an export, which takes some minutes to build: `EXPORTED=DIR` names one. `.ci/run` does so.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from studio_support import CARD, FILE, hosted, opened, served

if TYPE_CHECKING:
    from playwright.sync_api import Page

NAMED_BY = "EXPORTED"
LOCAL, EXPORTED = "local", "exported"


@pytest.fixture(scope="session")
def site() -> Path:
    """Return the folder of an export."""
    named = os.environ.get(NAMED_BY)
    if not named:
        pytest.skip(f"no export here: `make site`, and set {NAMED_BY} to its folder")
    return Path(named).resolve(strict=True)


@pytest.fixture(scope="module")
def exported(site: Path) -> Iterator[str]:
    """Serve the exported studio as a web host does; give its address."""
    with hosted(site) as (address, _):
        yield address


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """Serve the studio of a folder; give both."""
    folder = tmp_path_factory.mktemp("cards")
    with served(folder) as address:
        yield folder, address


@pytest.fixture
def folder(local: tuple[Path, str]) -> Path:
    """Return the folder of the local studio, with one card in it."""
    for file in local[0].iterdir():
        file.unlink()
    (local[0] / FILE).write_text(CARD, encoding="utf-8")
    return local[0]


@pytest.fixture(params=[LOCAL, EXPORTED])
def page(request: pytest.FixtureRequest) -> Iterator[Page]:
    """Open the page with one card, in each of its homes."""
    if request.param == LOCAL:
        request.getfixturevalue("folder")
        with opened(request.getfixturevalue("local")[1]) as page:
            yield page
        return
    with opened(request.getfixturevalue("exported")) as page:
        page.evaluate("([file, card]) => studio.files.insert(file, card)", [FILE, CARD])
        page.wait_for_function("file => studio.files.path === file", arg=FILE)
        yield page
