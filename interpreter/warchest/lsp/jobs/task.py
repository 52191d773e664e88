"""A job: its game, the cards it is about, its budget and its progress."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from time import monotonic
from typing import TypeVar

from warchest.documents.library import Document
from warchest.game.game import Game
from warchest.game.state import State
from warchest.lsp.messages import JobParams
from warchest.lsp.plays import PREFIX
from warchest.lsp.protocol import RequestError
from warchest.lsp.text_positions import offset_of, range_of, uri_of
from warchest.lsp.trials import edit_for
from warchest.picture import svg
from warchest.source.data import is_shipped
from warchest.source.text import Source, Span
from warchest.testing.budget import Budget

EACH = 0.1
"""The least time between two reports of progress, in seconds."""
T = TypeVar("T")


class ProgressReports:
    """Reports the progress of a job to the client, some times a second at most."""

    def __init__(self, notify: Callable[[dict[str, object]], None], now: Callable[[], float] = monotonic) -> None:
        self._notify, self._now = notify, now
        self._last = float("-inf")

    def tell(self, done: int, total: int, text: str) -> None:
        """Report the number of parts that are done, unless the last report was just before."""
        if self._now() - self._last >= EACH:
            self._last = self._now()
            self._notify({"done": done, "total": total, "text": text})

    def counted(self, items: Iterable[T], total: int, text: str) -> Iterator[T]:
        """Yield items, and report how many of them are done; before the first one, too."""
        self._last = float("-inf")
        self.tell(0, total, text)
        for number, item in enumerate(items, 1):
            yield item
            self.tell(number, total, text)

    def shown(self, text: str) -> Callable[[Iterable[T], int], Iterator[T]]:
        """Return a function that yields a given number of items, and reports how many are done, as `counted` does."""
        return lambda items, total: self.counted(items, total, text)


@dataclass(frozen=True, slots=True)
class JobTask:
    """A job: the game that it is about, the path of a file of it, its parameters, its budget and its progress."""

    game: Game
    path: str
    params: JobParams
    budget: Budget
    progress: ProgressReports

    def documents(self) -> list[Document]:
        """Return the documents that the job is about: those named, or those of its file; raises RequestError."""
        there = self.game.library.documents
        names = self.params.get("names")
        if names is None:
            return self.game.library.in_file(self.path) if "uri" in self.params else []
        for name in names:
            if not any(one.name == name for one in there):
                raise RequestError(f"names: there is no document {name[:60]!r} in the game", data={"field": "names"})
        return [one for one in there if one.name in names]

    def document(self) -> Document:
        """Return the document that the job is about: the one named, or the first of its file; raises RequestError."""
        found = self.documents()
        if not found:
            raise RequestError("uri: a file with a document of the game is needed", data={"field": "uri"})
        return found[0]

    def part(self, source: Source) -> Span | None:
        """Return the part of a text that the job is limited to, or None for all of it; raises RequestError."""
        params = self.params
        if "range" in params:
            return source.span(*sorted(offset_of(source, params["range"][key]) for key in ("start", "end")))
        if "position" in params:
            offset = offset_of(source, params["position"])
            return source.span(offset, offset)
        return None

    def place(self, span: Span | None) -> dict[str, object]:
        """Return the URI of a file and a range in it; without a place, return those of the game's own document."""
        found = span or self.game.document.span
        return {"uri": uri_of(found.path), "range": range_of(found)}

    def adopting(self, ruling: str, path: str) -> dict[str, object]:
        """Return the edit that puts a ruling into a file, as the value of a key; nothing if that is impossible."""
        source = next((one for one in self.game.library.sources if os.path.abspath(one.path) == path), None)
        if source is None or is_shipped(path):
            return {}
        try:
            edit = edit_for(source, ruling)
        except RequestError:
            return {}
        return {"edit": {"changes": {uri_of(path): [edit]}}}


def drawn(state: State | None) -> dict[str, object]:
    """Return the picture of a state, as the value of a key; nothing if faults of cards spoil the picture, too."""
    try:
        return {"svg": svg(state, styled=False, prefix=PREFIX)} if state is not None else {}
    except Exception:
        return {}


def result(kind: str, summary: str, partial: bool, **further: object) -> dict[str, object]:
    """Return the result of a job, with its tables, findings, marks and questions, if any."""
    empty: dict[str, object] = {"notes": [], "tables": [], "findings": [], "marks": [], "questions": [], "data": {}}
    return {"kind": kind, "summary": summary, "partial": partial, **empty, **further}
