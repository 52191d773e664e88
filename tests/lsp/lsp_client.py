"""A client of the language server in a process of its own, over standard input and output."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from inside import Editor

from warchest.lsp.frames import Frames, framed
from warchest.lsp.text_positions import uri_of


class Client(Editor):
    """Sends requests one after the other, and keeps the notifications between them."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process, self.frames = process, Frames()
        self.waiting: list[dict[str, Any]] = []
        self.number = 0

    def send(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def notify(self, method: str, params: Any) -> None:
        self.send(framed(json.dumps({"jsonrpc": "2.0", "method": method, "params": params})))

    def answer(self, method: str, params: Any) -> dict[str, Any]:
        self.number += 1
        self.send(framed(json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})))
        return self.until(lambda one: one.get("id") == self.number)

    def until(self, fits: Any) -> dict[str, Any]:
        """Return the first message that fits; the others are kept."""
        assert self.process.stdout is not None
        for number, one in enumerate(self.waiting):
            if fits(one):
                return self.waiting.pop(number)
        while True:
            data = self.process.stdout.read1(1 << 16)
            assert data, "the server has gone"
            came = [json.loads(one) for one in self.frames.feed(data)]
            for number, one in enumerate(came):
                if fits(one):
                    self.waiting += [*came[:number], *came[number + 1 :]]
                    return one
            self.waiting += came

    def begin(self) -> dict[str, Any]:
        """Begin a session, and return the capabilities of the server."""
        told = self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        self.notify("initialized", {})
        return told["capabilities"]

    def found(self, file: Path, version: int) -> list[dict[str, Any]]:
        """The diagnostics of a version of a text."""

        def fits(one: dict[str, Any]) -> bool:
            told = one.get("params", {})
            return one.get("method") == "textDocument/publishDiagnostics" and (
                told["uri"] == uri_of(str(file)) and told.get("version") == version
            )

        told: list[dict[str, Any]] = self.until(fits)["params"]["diagnostics"]
        return told

    def at(self, method: str, file: Path, line: int, character: int, **more: Any) -> Any:
        """Ask about a place of a text."""
        place = {"line": line, "character": character}
        return self.ask(method, {"textDocument": {"uri": uri_of(str(file))}, "position": place, **more})


@contextmanager
def served(folder: Path, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """A server that runs in a folder."""
    command = [sys.executable, "-m", "warchest.lsp.wc_lsp", *options]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()


@contextmanager
def client(folder: Path) -> Iterator[Client]:
    """A client whose server runs in a folder."""
    with served(folder) as process:
        yield Client(process)
