"""An exercise for a session: opening texts, misspelling them, making requests and playing, in each shipped game.

It runs when the exported page is built: the page fetches the modules that it has imported first.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

from warchest.lint.settings import FILE
from warchest.lsp.text_positions import uri_of
from warchest.source.data import shipped_games
from warchest.studio.session import StudioSession

DECISIONS = 10
"""The number of decisions of a play."""
MOST_COPIED = 4000
"""The most characters of a file that is copied."""
OTHER = "Copied Another"
"""The name of a copied document."""
BOTS = ("random", "greedy")
JOBS = ("sim", "check", "means", "cover", "mutants", "balance")
PLACES = 6
"""The number of places of a text with requests about them."""


class Exercise:
    """A client of a session; answers that report a fault are collected."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.faults = folder, list[str]()
        self.asked: set[str] = set()
        """The methods of all requests."""
        self._answers: dict[int, object] = {}
        self._session = StudioSession(folder, self._hear)

    def _hear(self, text: str) -> None:
        message = json.loads(text)
        if message.get("method") == "window/logMessage" or message.get("error", {}).get("code") == -32603:
            self.faults.append(text)
        if "id" in message and "method" not in message:
            self._answers[message["id"]] = message.get("result")

    def ask(self, method: str, params: object) -> Any:
        """Return the result of a request; None if it was refused."""
        number = len(self._answers) + 1
        self.asked.add(method)
        self._session.receive(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}))
        return self._answers.get(number)

    def tell(self, method: str, params: object) -> None:
        """Send a notification."""
        self._session.receive(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}))

    def rest(self) -> None:
        """Do all the work for idle moments."""
        while self._session.has_work:
            self._session.work_idly()

    def begin(self) -> None:
        """Begin the session."""
        self.ask("initialize", {"rootUri": uri_of(str(self.folder)), "capabilities": {}})
        self.tell("initialized", {})

    # ---- texts

    def edit(self, file: Path, text: str) -> None:
        """Open a text, spoil it in several ways and mend it, and make requests about it."""
        named = {"uri": uri_of(str(file))}
        self.tell("textDocument/didOpen", {"textDocument": {**named, "languageId": "yaml", "version": 1, "text": text}})
        self.rest()
        for version, spoilt in enumerate((*_spoilt(text), text), 2):
            self.tell(
                "textDocument/didChange",
                {"textDocument": {"uri": named["uri"], "version": version}, "contentChanges": [{"text": spoilt}]},
            )
            self.rest()
            self.ask(
                "textDocument/codeAction",
                {"textDocument": named, "range": _everything(spoilt), "context": {"diagnostics": []}},
            )
        for method in ("documentSymbol", "semanticTokens/full", "foldingRange"):
            self.ask(f"textDocument/{method}", {"textDocument": named})
        self.ask("textDocument/inlayHint", {"textDocument": named, "range": _everything(text)})
        for lens in self.ask("textDocument/codeLens", {"textDocument": named}) or ():
            self.ask("codeLens/resolve", lens)
        self.ask("textDocument/formatting", {"textDocument": named, "options": {"tabSize": 2, "insertSpaces": True}})
        self._ask_at_places(named, text)
        self.ask("warchest/read", named)
        self.ask("warchest/rulings/run", {**named, "pictures": True})

    def _ask_at_places(self, named: dict[str, str], text: str) -> None:
        for place in _places(text):
            at = {"textDocument": named, "position": place}
            for method in ("hover", "definition"):
                self.ask(f"textDocument/{method}", at)
            self.ask("textDocument/references", {**at, "context": {"includeDeclaration": True}})
            self.ask("textDocument/prepareRename", at)
            self.ask("textDocument/rename", {**at, "newName": "Fresh Name"})
            for item in ((self.ask("textDocument/completion", at) or {}).get("items") or ())[:1]:
                self.ask("completionItem/resolve", item)
            self.ask("warchest/words", at)

    # ---- plays

    def play(self, file: Path, bots: Iterable[str]) -> None:
        """Play with bots, request all views of the play, and make a ruling of it."""
        named = {"uri": uri_of(str(file))}
        known = self.ask("warchest/set", named) or {}
        view = self.ask("warchest/play/new", {**named, "seed": 1})
        if view is None:
            return
        play = {"play": view["play"]}
        known_bots = [one for one in bots if one.partition(":")[0] in known["bots"]]
        for number in range(DECISIONS):
            if view["options"] and number % 2:
                chosen = view["options"][number % len(view["options"])]["id"]
                view = self.ask("warchest/play/apply", {**play, "count": view["count"], "id": chosen}) or view
            else:
                bot = known_bots[min(number // 2, len(known_bots) - 1)]
                view = self.ask("warchest/play/bot", {**play, "bot": bot}) or view
        self.ask("warchest/play/whyNot", {**play, "what": "x"})
        for option in view["options"][:1]:
            self.ask("warchest/play/whyNot", {**play, "what": {"act": option["act"]}})
            self.ask("warchest/play/motions", {**play, "id": option["id"]})
        player = known.get("players", [None])[0]
        self.ask("warchest/play/view", {**play, "viewer": player})
        self.ask("warchest/play/undo", {**play, "to": view["count"] - 2})
        self.ask("warchest/play/reload", play)
        self.ask("warchest/play/position", {**play, "viewer": player})
        self._set_up(named, self.ask("warchest/play/position", play))
        self.ask("warchest/play/native", {**play, "compile": True})
        self.ask("warchest/play/page", play)
        saved = self.ask("warchest/play/save", play)
        self.ask("warchest/play/load", {**named, **saved})
        self.ask("warchest/play/ruling", {**play, "name": "it was done", **named})
        self.ask("warchest/link", play)

    def _set_up(self, named: dict[str, str], position: dict[str, object]) -> None:
        """Set up a position, and begin a play from it."""
        self.ask("warchest/picture", {**named, "position": position, "styled": True})
        self.ask("warchest/range", named)
        self.ask("warchest/position/check", {**named, "position": position})
        self.ask("warchest/position/edit", {**named, "position": position, "edits": []})
        told = self.ask("warchest/position/parts", named)
        self.ask("warchest/position/check", {**named, "position": told["position"]})
        self.ask("warchest/play/new", {**named, "position": position})

    # ---- files and jobs

    def work(self, file: Path, shipped: Path, kinds: Iterable[str]) -> None:
        """Read and write the folder, and begin new documents."""
        named, text = {"uri": uri_of(str(file))}, file.read_text(encoding="utf-8")
        self.ask("studio/folder", {})
        self.ask("studio/shipped", {"uri": uri_of(str(shipped))})
        self.ask("studio/save", {"path": file.name, "text": text, "was": text})
        for kind in kinds:
            self.ask("warchest/card/new", {**named, "kind": kind, "name": "Quite New"})

    def job(self, file: Path) -> None:
        """Run a short job of each kind."""
        named = {"uri": uri_of(str(file))}
        for kind in JOBS:
            self.ask("warchest/job", {**named, "kind": kind, "games": 1, "budget": 1})
            self.rest()


def exercise(folder: Path, searching: Iterable[str] = ()) -> Iterator[Exercise]:
    """Do an exercise in a folder for each shipped game; yield each exercise when it is done.

    Bots that are `searching` play only the shipped games, which have native machines.
    """
    for game in shipped_games():
        inside = folder / game.name
        inside.mkdir(parents=True)
        (inside / FILE).write_text(f'game = "{game.name}"\n', encoding="utf-8")
        done = Exercise(inside)
        done.begin()
        kinds = sorted(one.name for one in (game / "templates").iterdir())
        for number, card in enumerate(_copied(game, kinds)):
            file = inside / card.name
            text = _renamed(card.read_text(encoding="utf-8"))
            file.write_text(text, encoding="utf-8")
            done.edit(file, text)
            done.play(file, BOTS)
            if not number:
                done.work(file, card, kinds)
            if not number and game == shipped_games()[-1]:
                done.job(file)
        done.edit(inside / "new.yaml", "")
        done.play(inside / "new.yaml", (*searching, *BOTS))
        yield done


def _copied(game: Path, kinds: Collection[str]) -> list[Path]:
    """Return the files of a game that are copied: short ones of two of the kinds that have templates."""
    found: dict[str, tuple[bool, int, Path]] = {}
    for file in sorted(game.rglob("*.yaml")):
        text = file.read_text(encoding="utf-8")
        kind, _ = _kind_and_name(text)
        if kind in kinds and ": |\n" in text and len(text) < MOST_COPIED:
            told = ("\nrulings:" in text, len(text), file)
            found[kind] = max(found.get(kind, told), told)
    return [file for _, _, file in sorted(found.values(), reverse=True)[:2]]


def _renamed(text: str) -> str:
    """Return the text of a document under another name."""
    _, name = _kind_and_name(text)
    return text.replace(name, OTHER) if name else text


def _kind_and_name(text: str) -> tuple[str, str]:
    """Return the kind and the name of a document, as its first line after any comments gives them."""
    first = next((line for line in text.splitlines() if not line.startswith("#")), "")
    kind, _, name = first.partition(": ")
    return kind, name.strip()


def _spoilt(text: str) -> Iterator[str]:
    """Yield spoilt versions of a text: one letter less, one key too many, another value, and no YAML at all."""
    words = [at for at, sign in enumerate(text) if sign == "."]
    for at in words[:2]:
        yield text[: at - 1] + text[at:]
    yield f"{text}zz: [1]\n"
    yield text.replace(": ", ": [1], ", 1)
    yield f"{text}\n x: [\n"


def _places(text: str) -> Iterator[dict[str, int]]:
    """Yield some places in a text, spread over its lines."""
    lines = text.split("\n")
    for number in range(0, len(lines), max(1, len(lines) // PLACES)):
        yield {"line": number, "character": len(lines[number]) // 2}
        yield {"line": number, "character": len(lines[number])}


def _everything(text: str) -> dict[str, dict[str, int]]:
    return {"start": {"line": 0, "character": 0}, "end": {"line": text.count("\n") + 1, "character": 0}}
