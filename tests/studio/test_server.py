"""The server of the studio: for this computer alone, with a session for each page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

import pytest
from studio_support import CARD, served
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("cards")
    (made / "outrider.yaml").write_text(CARD, encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with served(folder) as address:
        yield address


def socket(address: str, query: str | None = None, **headers: str) -> ClientConnection:
    parts = urlsplit(address)
    return connect(f"ws://{parts.netloc}/session?{parts.query if query is None else query}", additional_headers=headers)


def ask(page: ClientConnection, number: int, method: str, params: Any) -> Any:
    page.send(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}))
    while (told := json.loads(page.recv(timeout=60))).get("id") != number:
        pass
    return told.get("result", told.get("error"))


def test_a_page_talks_to_a_session_of_its_own(folder: Path, address: str) -> None:
    with socket(address) as page, socket(address) as other:
        for one in (page, other):
            assert ask(one, 1, "initialize", {"capabilities": {}})["serverInfo"]["name"] == "wc-lsp"
        (file,) = ask(page, 2, "studio/folder", {})["files"]
        assert file["path"] == "outrider.yaml" and file["text"] == CARD
        assert ask(page, 3, "warchest/play/new", {"seed": 1})["play"] == "1"
        assert "no play" in ask(other, 3, "warchest/play/view", {"play": "1"})["message"]


def test_a_change_by_another_program_is_announced(folder: Path, address: str) -> None:
    with socket(address) as page:
        ask(page, 1, "initialize", {"capabilities": {}})
        (folder / "new.yaml").write_text("unit: New\n", encoding="utf-8")
        while (told := json.loads(page.recv(timeout=60))).get("method") != "studio/changed":
            pass
        assert [one.rsplit("/", 1)[1] for one in told["params"]["uris"]] == ["new.yaml"]
        (folder / "new.yaml").unlink()


@pytest.mark.parametrize(
    ("query", "headers"),
    [
        ("", {}),
        ("token=wrong", {}),
        (None, {"Origin": "https://example.org"}),
        (None, {"Host": "example.org"}),
        (None, {"Origin": "null"}),
    ],
)
def test_a_stranger_is_turned_away(address: str, query: str | None, headers: dict[str, str]) -> None:
    with pytest.raises((InvalidStatus, ConnectionClosed)):
        socket(address, query, **headers).recv(timeout=60)


def test_pages_are_for_this_computer_and_under_a_policy(address: str) -> None:
    with urlopen(address) as page:
        policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe-eval" not in policy.replace("wasm-unsafe-eval", "")
    with pytest.raises(HTTPError) as caught:
        urlopen(Request(address, headers={"Host": "example.org"}))
    assert caught.value.code == 403


@pytest.mark.parametrize(
    "path", ["/../server.py", "/%2e%2e/server.py", "/..%2fserver.py", "/words/../../server.py", "/none"]
)
def test_only_the_files_of_the_page_are_served(address: str, path: str) -> None:
    with pytest.raises(HTTPError) as caught:
        urlopen(f"http://{urlsplit(address).netloc}{path}")
    assert caught.value.code == 404


def test_the_token_is_new_each_time(folder: Path, address: str) -> None:
    with served(folder) as other:
        assert parse_qs(urlsplit(other).query) != parse_qs(urlsplit(address).query)
