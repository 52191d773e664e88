"""Phrases: the clauses, acts, fields and places that they are for, and the gaps in them."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.documents.library import Document, Library
from warchest.game.explain.option_questions import ACTS_OF_NO_VERB
from warchest.game.telling.naming import ABSENT, BOARD, DIRECTIONS
from warchest.game.telling.phrases import CARD, GAP, GAPS, KIND
from warchest.lint.documents.declarations import acts_of, declared, named, unknown
from warchest.source.nodes import Entry, Node, Scalar, Sequence, entries, items, scalars

_ROLES = ("who", "to", "chosen", "each")
"""The names that acts and options have besides those of the game's words."""


def phrase_findings(library: Library, game: Document) -> list[Diagnostic]:
    """Find phrases for clauses, acts, fields and places that the game does not have, and gaps that nothing fills."""
    reader = _PhraseReader(library, game)
    return [found for document in library.of_kind(KIND) for found in reader.findings(document)]


class _PhraseReader:
    def __init__(self, library: Library, game: Document) -> None:
        self.library, known = library, declared(library, game)
        self.acts, self.fields = acts_of(library, game) | ACTS_OF_NO_VERB, known.fields
        self.places = {*known.zones, BOARD, ABSENT}
        said = game.values["words"].get("numbers", ())
        self.roles = {*_ROLES, *known.nouns(), *known.verbs, *known.numbers, *said, *self.acts, *self.fields}
        """The names of things in acts and options, without the number that distinguishes further ones of a kind."""

    def findings(self, document: Document) -> Iterator[Diagnostic]:
        """Yield the findings in one document."""
        node = document.node
        for entry in entries(node.get("questions")):
            yield from self._clause(entry)
            yield from _gaps(entry.value, (CARD,))
        for entry in entries(node.get("acts")):
            yield from _known(entry, self.acts, "act")
            for phrase in _phrases(entry.value):
                yield from _gaps(phrase, self.roles)
        yield from named(node.get("forced"), self.acts, "act")
        for entry in entries(node.get("fields")):
            yield from _known(entry, self.fields, "field")
            for phrase in (entry.value, *(one.value for one in entries(entry.value))):
                yield from _gaps(phrase, GAPS["changed"])
        for way in items(node.get("tokens")):
            for key in ("from", "to"):
                yield from named(way.get(key), self.places, "zone")
            yield from _gaps(way.get("say"), GAPS["token"])
        for entry in entries(node.get("pieces")):
            yield from _gaps(entry.value, GAPS.get(entry.key.text, {}))
        for entry in entries(node.get("directions")):
            yield from _known(entry, DIRECTIONS, "direction")

    def _clause(self, entry: Entry) -> Iterator[Diagnostic]:
        words, own = " ".join(entry.key.text.split()), entry.key.span.source
        texts = [one.text for one in self.library.sources if one is not own]
        # Most clauses are on one line, where they are found without reading all texts again.
        if not any(words in one for one in texts) and not any(words in " ".join(one.split()) for one in texts):
            yield unknown("clause", words, (), entry.key.span, "write it literally as in the rules, in one line")


def _known(entry: Entry, names: Collection[str], what: str) -> Iterator[Diagnostic]:
    if entry.key.text not in names:
        yield unknown(what, entry.key.text, names, entry.key.span)


def _phrases(given: Node) -> Iterator[Node]:
    """Yield the phrases for an act: one, several, or separate ones for options and for acts."""
    if isinstance(given, Scalar):
        yield given
    elif isinstance(given, Sequence):
        yield from given.items
    else:
        yield from (one for part in entries(given) for one in _phrases(part.value))


def _gaps(phrase: object, gaps: Collection[str]) -> Iterator[Diagnostic]:
    for scalar in scalars(phrase) if isinstance(phrase, Scalar) else ():
        for gap in GAP.findall(scalar.text):
            if gap not in gaps and gap.rstrip("0123456789 ") not in gaps:
                yield unknown("gap", gap, gaps, scalar.span)
