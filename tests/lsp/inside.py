"""A client of the language server in the same process, without any transport."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from warchest.lsp.connection import Connection
from warchest.lsp.messages import METHODS
from warchest.lsp.parameters import checked
from warchest.lsp.text_positions import uri_of

CARD = """\
unit: Halberdier
coins: 4
tactic: |
  move to a space exactly 2 spaces away through an open space.
  attack.
attribute: |
  after this attacks, it may move.
rulings:
  - name: It goes two spaces
    position:
      to_act: raven
      initiative: raven
      units: [{at: f3, unit: Halberdier, owner: raven}, {at: f6, unit: Scout, owner: wolf}]
      hand: {raven: [Halberdier]}
    do: [{act: tactic, to: f5}]
    then: {units: [{at: f5, unit: Halberdier, owner: raven}]}
"""


class Editor:
    """The messages of an editor about its texts, over any transport."""

    def answer(self, method: str, params: Any) -> dict[str, Any]:
        """Send a request, and return the whole answer."""
        raise NotImplementedError

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        raise NotImplementedError

    def ask(self, method: str, params: Any) -> Any:
        """Send a request, and return its result."""
        answer = self.answer(method, params)
        assert "error" not in answer, answer
        return answer["result"]

    def open(self, file: Path, text: str, version: int = 1) -> None:
        self.notify(
            "textDocument/didOpen",
            {"textDocument": {"uri": uri_of(str(file)), "languageId": "yaml", "version": version, "text": text}},
        )

    def change(self, file: Path, text: str, version: int) -> None:
        self.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": uri_of(str(file)), "version": version}, "contentChanges": [{"text": text}]},
        )


class Inside(Editor):
    """A session with a server, message by message; all messages that come are kept as text and as data."""

    def __init__(self, root: Path | None = None) -> None:
        self.texts: list[str] = []
        self.connection = Connection(self.texts.append)
        self.number = 0
        if root is not None:
            uri = uri_of(str(root))
            self.ask("initialize", {"processId": None, "rootUri": uri, "capabilities": {}})
            self.notify("initialized", {})

    @property
    def messages(self) -> list[dict[str, Any]]:
        return [json.loads(one) for one in self.texts]

    def answer(self, method: str, params: Any) -> dict[str, Any]:
        self.number += 1
        before = len(self.texts)
        self.connection.receive(json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}))
        came = [json.loads(one) for one in self.texts[before:]]
        (found,) = [one for one in came if one.get("id") == self.number and "method" not in one]
        return found

    def refused(self, method: str, params: Any) -> str:
        """Send a request that is refused, and return why."""
        answer = self.answer(method, params)
        assert "result" not in answer, answer
        said: str = answer["error"]["message"]
        return said

    def notify(self, method: str, params: Any) -> None:
        self.connection.receive(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}))

    def idle(self) -> None:
        """Do all the work for idle moments."""
        while self.connection.has_work:
            self.connection.work_idly()

    def published(self, file: Path) -> list[tuple[int | None, list[str]]]:
        """Each version of a file that diagnostics came for, with their codes."""
        return [
            (one["params"].get("version"), [found["code"] for found in one["params"]["diagnostics"]])
            for one in self.messages
            if one.get("method") == "textDocument/publishDiagnostics" and one["params"]["uri"] == uri_of(str(file))
        ]


class Desk(Inside):
    """A session that checks the results of own requests against their types."""

    def ask(self, method: str, params: Any) -> Any:
        found = super().ask(method, params)
        if method in METHODS and METHODS[method].result is not dict:
            for one in found if METHODS[method].is_list else [found]:
                assert checked(METHODS[method].result, one) == one
        return found
