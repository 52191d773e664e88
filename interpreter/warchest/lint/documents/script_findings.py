"""Scripts of rulings and their notations: names that the game does not have, and lines that cannot be read."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, quoted
from warchest.diagnostics.suggest import did_you_mean
from warchest.documents.library import Document, Library
from warchest.lint.documents.declarations import acts_of, declared, text_under, unknown
from warchest.lint.documents.shapes import keys_of_entries, shapes_of
from warchest.scripts.forms import gaps_of, parts_of
from warchest.scripts.gaps import KINDS
from warchest.scripts.notation import KIND, SECTIONS, notation_of
from warchest.source.data import data_folder
from warchest.source.nodes import Mapping, Node, Scalar, Sequence, entries, items, scalars
from warchest.source.text import Span

# ---- notations of scripts

_CAUGHT = re.compile(r"\$([a-z]+)")
_ACTS = ("decline", "first", "choose", "any")
"""The acts in options that no verb is declared for."""
_OF_POSITIONS = ("gives", "once", "has", "lacks")
"""Keys of forms that name keys of positions."""


def notation_findings(library: Library, game: Document) -> list[Diagnostic]:
    """Find the names in notations that the game does not have."""
    return [found for document in library.of_kind(KIND) for found in _NotationCheck(library, game, document).findings()]


class _NotationCheck:
    def __init__(self, library: Library, game: Document, document: Document) -> None:
        self.library, self.node, self.values = library, document.node, document.values
        known = declared(library, game)
        self.numbers = set(game.values["words"].get("numbers", ())) | known.numbers
        self.acts = {*known.verbs, *acts_of(library, game), *_ACTS}
        self.keys = {*game.values.get("position", {}), "winner"}
        shape = shapes_of(game).get(text_under(self.node.get("pieces"), "key"), {})
        self.of_pieces = keys_of_entries(shape)
        self.documents = set(game.values["documents"])
        self.players = {seat["name"] for board in library.of_kind("board") for seat in board.values["seats"]}
        self.kinds = {*KINDS, *self.values.get("kinds", {}), *(["borne"] if "borne" in self.values else [])}

    def findings(self) -> Iterator[Diagnostic]:
        """Find all faults."""
        yield from self._names(self.node.get("pieces"), "key", self.keys, "key of a position")
        yield from self._names(self.node.get("pieces"), "facing", self.of_pieces, "key of a piece")
        for entry in entries(self.node.get("start")):
            yield from _known(entry.key, self.keys, "key of a position")
        for kind in entries(self.node.get("kinds")):
            yield from self._names(kind.value, "documents", self.documents, "kind of document")
        yield from self._borne(self.node.get("borne"))
        sections = {name: self.node.get(name) for name in SECTIONS}
        groups = {entry.key.text: entry.value for entry in entries(self.node.get("groups"))}
        heads = self._heads([*sections.values(), *groups.values()])
        for name, forms in {**sections, **groups}.items():
            for form in items(forms):
                yield from self._form(form, heads.get(name, set()), set(groups))
        caught = {name for forms in sections.values() for form in items(forms) for name in self._caught(form)}
        for step in entries(self.node.get("steps")):
            yield from self._patterns(step.value, caught)
        for key in ("between", "declines", "unasked"):
            yield from self._patterns(self.node.get(key), set())

    def _borne(self, node: Node | None) -> Iterator[Diagnostic]:
        yield from self._names(node, "documents", self.documents, "kind of document")
        kind = text_under(node, "documents")
        names = {document.name for document in self.library.of_kind(kind)}
        for form in items(node.get("arguments") if isinstance(node, Mapping) else None):
            yield from self._names(form, "of", names, kind)
            yield from self._gaps(form)
            for key in ("says", "once"):
                yield from _uncaught(form.get(key), self._caught(form))
            for entry in entries(form.get("once")):
                yield from _known(entry.key, self.keys, "key of a position")

    def _heads(self, sections: list[Node | None]) -> dict[str, set[str]]:
        """Return, for each group, the names that earlier forms define."""
        found: dict[str, set[str]] = {}
        for forms in sections:
            for form in items(forms):
                if text_under(form, "more"):
                    found.setdefault(text_under(form, "more"), set()).update(self._caught(form))
        return found

    def _caught(self, form: Mapping) -> set[str]:
        names = {gap.name for gap in gaps_of(parts_of(text_under(form, "form")))}
        return names | {entry.key.text for entry in entries(form.get("with"))} | {"all"}

    def _form(self, form: Mapping, before: set[str], groups: set[str]) -> Iterator[Diagnostic]:
        yield from self._gaps(form)
        yield from self._names(form, "more", groups, "group of forms")
        yield from self._names(form, "gives up", self.players, "player")
        caught = before | self._caught(form)
        for entry in form.entries:
            if entry.key.text in _OF_POSITIONS:
                for inner in entries(entry.value):
                    yield from _known(inner.key, self.keys, "key of a position")
            if entry.key.text not in ("form", "does", "wishes"):
                yield from _uncaught(entry.value, caught)
        for key in ("does", "wishes", "event"):
            yield from self._patterns(form.get(key), caught)
        for entry in entries(form.get("number")):
            yield from _known(entry.key, self.numbers, "number")
        for change in items(form.get("changes")):
            yield from self._names(change, "in", self.keys, "key of a position")

    def _gaps(self, form: Mapping) -> Iterator[Diagnostic]:
        node = form.get("form")
        for gap in gaps_of(parts_of(text_under(form, "form"))):
            if gap.kind not in self.kinds and isinstance(node, Scalar):
                yield unknown("kind of gap", gap.kind, self.kinds, node.span)

    def _patterns(self, node: Node | None, caught: set[str]) -> Iterator[Diagnostic]:
        for pattern in items(node):
            for key in ("act", "after"):
                yield from self._names(pattern, key, self.acts, "act")
            yield from _uncaught(pattern, caught)

    def _names(self, node: Node | None, key: str, names: Collection[str], what: str) -> Iterator[Diagnostic]:
        for scalar in scalars(node.get(key) if isinstance(node, Mapping) else None):
            yield from _known(scalar, names, what)


def _known(scalar: Scalar, names: Collection[str], what: str) -> Iterator[Diagnostic]:
    if scalar.text not in names:
        yield unknown(what, scalar.text, names, scalar.span)


def _uncaught(node: Node | None, caught: Collection[str]) -> Iterator[Diagnostic]:
    """Find each `$name` in a template that no form defines."""
    if isinstance(node, Mapping):
        for entry in node.entries:
            yield from _uncaught(entry.key, caught)
            yield from _uncaught(entry.value, caught)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _uncaught(item, caught)
    elif isinstance(node, Scalar):
        for name in _CAUGHT.findall(node.text):
            if name not in caught:
                yield report(
                    "undeclared",
                    f"no gap of the form is called {quoted(name)}",
                    node.span,
                    help=did_you_mean(name, caught) or f"write `<kind {name}>` in its place in the line",
                )


# ---- scripts in rulings


def script_findings(library: Library, game: Document, shown: Collection[str]) -> list[Diagnostic]:
    """Find the unreadable parts in the scripts of the files that are reported on.

    The scripts of a shipped game that is linted as a whole are left out: there are hundreds, and the tests run them
    all.
    """
    if game.span.path in shown and _is_shipped(game):
        return []
    spans = [span for one in library.documents if one.span.path in shown for span in _scripts(one)]
    notation, boards = notation_of(library), library.of_kind("board")
    if not spans or notation is None or not boards:
        return []
    # Most runs read no scripts, and need not wait for the modules that read them.
    from warchest.game.setup.boards import Boards, board_of
    from warchest.scripts.lines import ScriptReader

    reader = ScriptReader(notation, library, game, board_of(Boards(boards, game.values.get("board")).usual))
    return [found for span in spans for found in reader.unreadable(span)]


def _is_shipped(game: Document) -> bool:
    """Whether a game is one that comes with the package, wherever its folder is."""
    file = Path(game.span.path)
    shipped = data_folder("cards") / file.parent.name / file.name
    return shipped.is_file() and shipped.read_text(encoding="utf-8") == game.span.source.text


def _scripts(document: Document) -> Iterator[Span]:
    """Yield the scripts of a card, or of a document of rulings."""
    for key in ("cases", "rulings"):
        cases = document.node.get(key)
        for case in cases.items if isinstance(cases, Sequence) else ():
            script = case.get("script") if isinstance(case, Mapping) else None
            if isinstance(script, Scalar):
                yield script.block or script.span
