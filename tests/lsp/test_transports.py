"""The transports: one recorded session gives the same bytes over each; and who is turned away."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from inside import CARD, Inside
from lsp_client import served
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from warchest.lsp.frames import MOST_HEAD, Frames, framed
from warchest.lsp.text_positions import uri_of
from warchest.lsp.wc_lsp import main

TOKEN = "a-token"
Exchange = tuple[str, list[str]]


def sent(folder: Path) -> Iterator[dict[str, Any]]:
    """The messages of a session: texts are edited, asked about and played with, and some messages are nonsense."""
    uri = uri_of(str(folder / "halberdier.yaml"))
    number = 0

    def ask(method: str, **params: Any) -> dict[str, Any]:
        nonlocal number
        number += 1
        return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}

    def tell(method: str, **params: Any) -> dict[str, Any]:
        return {"jsonrpc": "2.0", "method": method, "params": params}

    def change(version: int, text: str) -> dict[str, Any]:
        return tell(
            "textDocument/didChange", textDocument={"uri": uri, "version": version}, contentChanges=[{"text": text}]
        )

    document, place = {"uri": uri}, {"line": 6, "character": 29}
    yield ask("initialize", processId=None, rootUri=uri_of(str(folder)), capabilities={})
    yield tell("initialized")
    yield tell("textDocument/didOpen", textDocument={"uri": uri, "languageId": "yaml", "version": 1, "text": CARD})
    yield change(2, CARD.replace("  attack.", "  atäck 𝄞."))
    yield change(3, CARD)
    for method in ("hover", "completion", "definition"):
        yield ask(f"textDocument/{method}", textDocument=document, position=place)
    for method in ("semanticTokens/full", "documentSymbol", "codeLens"):
        yield ask(f"textDocument/{method}", textDocument=document)
    yield ask("warchest/play/new", seed=5, viewer="raven")
    yield ask("warchest/play/bot", play="1", bot="greedy")
    yield ask("warchest/play/undo", play="1", to=0)
    yield ask("warchest/play/apply", play="1", count=3, id="none")
    yield ask("no/such")
    yield {"id": 1}
    yield tell("textDocument/didClose", textDocument=document)
    yield ask("shutdown")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cards")


@pytest.fixture(scope="module")
def recorded(folder: Path) -> list[Exchange]:
    """The session in one process, each message with all that is answered and published before the next one."""
    inside, found = Inside(), list[Exchange]()
    for message in sent(folder):
        before, text = len(inside.texts), json.dumps(message)
        inside.connection.receive(text)
        inside.idle()
        found.append((text, inside.texts[before:]))
    assert sum(len(came) for _, came in found) > 15
    return found


def replay(recorded: list[Exchange], send: Callable[[str], None], receive: Callable[[], bytes]) -> None:
    for text, came in recorded:
        send(text)
        for one in came:
            assert receive() == one.encode()


def receiver(read: Callable[[], bytes]) -> Callable[[], bytes]:
    frames, waiting = Frames(), list[bytes]()

    def receive() -> bytes:
        while not waiting:
            data = read()
            assert data, "the server has gone"
            waiting.extend(frames.feed(data))
        return waiting.pop(0)

    return receive


def test_standard_input_and_output_give_the_same_bytes(recorded: list[Exchange], folder: Path) -> None:
    with served(folder) as server:
        assert server.stdin is not None and server.stdout is not None
        stdin, stdout = server.stdin, server.stdout

        def send(text: str) -> None:
            stdin.write(framed(text))
            stdin.flush()

        replay(recorded, send, receiver(lambda: stdout.read1(1 << 16)))  # type: ignore[attr-defined]
        send('{"jsonrpc": "2.0", "method": "exit"}')
        assert server.wait(10) == 0


@contextmanager
def listening(folder: Path, *options: str) -> Iterator[tuple[str, int]]:
    """The address that a server prints, and its port."""
    with served(folder, *options) as server:
        assert server.stdout is not None
        said = server.stdout.readline().decode()
        address = re.fullmatch(r"listening at (\S+)\n", said)
        assert address is not None, said
        port = re.search(r"127\.0\.0\.1:(\d+)", said)
        assert port is not None, said
        yield address[1], int(port[1])


def test_tcp_gives_the_same_bytes_to_each_of_its_clients(recorded: list[Exchange], folder: Path) -> None:
    with listening(folder, "--tcp", "0") as (_, port):
        with socket.create_connection(("127.0.0.1", port)) as other:
            other.sendall(b"Content-Length: 5\r\n\r\n")
            for part in (recorded[:3], recorded):
                with socket.create_connection(("127.0.0.1", port)) as peer:
                    peer.settimeout(60)
                    replay(part, lambda text: peer.sendall(framed(text)), receiver(lambda: peer.recv(1 << 16)))
        with socket.create_connection(("127.0.0.1", port)) as peer:
            peer.sendall(b"x" * (MOST_HEAD + 1))
            assert b"a header is too long" in receiver(lambda: peer.recv(1 << 16))()
            assert peer.recv(1) == b""


def test_a_page_that_sends_a_form_to_the_port_is_turned_away(recorded: list[Exchange], folder: Path) -> None:
    body = recorded[0][0].encode()
    with listening(folder, "--tcp", "0") as (_, port), socket.create_connection(("127.0.0.1", port)) as peer:
        head = f"POST / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {len(body)}\r\n\r\n"
        peer.sendall(head.encode() + body)
        refused = json.loads(receiver(lambda: peer.recv(1 << 16))())
        assert refused["id"] is None and "nothing else" in refused["error"]["message"]
        assert peer.recv(1) == b""


@pytest.mark.parametrize(
    ("head", "fits"),
    [
        ("Content-Length: 2", True),
        ("content-length:2", True),
        ("Content-Type: a/b; c=x\r\nContent-Length: 2", True),
        ("Content-Type: a/b", False),
        ("Content-Length: x", False),
        ("Content-Length: 99999999999", False),
        ("Content-Length: 2\r\nHost: x", False),
        ("", False),
        ("Content-Length: 2\n", False),
    ],
)
def test_headers_are_those_of_the_protocol(head: str, fits: bool) -> None:
    data = f"{head}\r\n\r\n{{}}".encode()
    for parts in ([data], [data[number : number + 1] for number in range(len(data))]):
        frames = Frames()
        try:
            assert [one for part in parts for one in frames.feed(part)] == [b"{}"] and fits
        except ValueError:
            assert not fits


def client(address: str, **more: Any) -> ClientConnection:
    return connect(address, proxy=None, **more)


def test_a_websocket_gives_the_same_bytes(recorded: list[Exchange], folder: Path) -> None:
    with listening(folder, "--websocket", "0") as (address, port):
        for origin in ("http://127.0.0.1:8000", f"http://localhost:{port}", None):
            with client(address, origin=origin, max_size=None) as peer:
                part = recorded if origin is None else recorded[:1]
                replay(part, peer.send, lambda: str(peer.recv(timeout=60)).encode())
        with client(address) as peer:
            peer.send([recorded[0][0][:20], recorded[0][0][20:]])
            assert peer.recv(timeout=60) == recorded[0][1][0]
            peer.ping().wait(10)


def test_pages_of_others_are_turned_away(folder: Path) -> None:
    options = ("--token", TOKEN, "--origin", "https://example.org")
    with listening(folder, "--websocket", "0", *options) as (address, port):
        assert address == f"ws://127.0.0.1:{port}/?token={TOKEN}"
        bare = f"ws://127.0.0.1:{port}/"
        for place, more, reason in (
            (address, {"origin": "https://example.com"}, "another site"),
            (address, {"origin": "null"}, "another site"),
            (address, {"origin": "http://127.0.0.1.example.com"}, "another site"),
            (bare, {}, "token"),
            (f"{bare}?token=", {}, "token"),
            (f"{bare}?token={TOKEN}x", {}, "token"),
        ):
            with pytest.raises(InvalidStatus) as refused:
                client(place, **more)
            assert refused.value.response.status_code == 403
            assert reason in (refused.value.response.body or b"").decode()
        other = socket.create_connection(("127.0.0.1", port))
        with pytest.raises(InvalidStatus):
            client(f"ws://example.org:{port}/?token={TOKEN}", sock=other)
        with client(address, origin="https://example.org"):
            pass


@pytest.mark.parametrize(
    "given",
    [
        ["--tcp", "x"],
        ["--tcp", "70000"],
        ["--websocket", "-1"],
        ["--tcp", "1", "--websocket", "2"],
        ["--tcp", "1:²"],
        ["--websocket", "0", "--token", ""],
        ["--tcp", "0", "--token", "x"],
        ["--stdio", "--origin", "https://example.org"],
    ],
)
def test_impossible_addresses_are_refused(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        main(given)
    assert refused.value.code == 2


def test_a_port_in_use_and_a_library_that_is_missing_get_a_line(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        made = subprocess.run(
            [sys.executable, "-m", "warchest.lsp.wc_lsp", "--tcp", str(port)],
            capture_output=True,
            text=True,
            cwd=folder,
            timeout=60,
        )
    assert made.returncode == 2 and f"cannot listen at 127.0.0.1:{port}" in made.stderr and made.stdout == ""
    code = (
        "import sys; sys.modules['websockets'] = None; from warchest.lsp.wc_lsp import main; "
        "sys.exit(main(['--websocket', '0']))"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=folder, timeout=60)
    assert made.returncode == 2
    assert made.stderr == (
        "--websocket needs the library websockets, which comes with: pip install 'warchest[lsp-web]'\n"
    )
